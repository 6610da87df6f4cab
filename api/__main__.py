"""The entry point of `mahjong-reader` (and of `python -m api`).

A service's workers take as long to load as the service itself. So they are started before anything else is
imported, and the two halves of a cold start run side by side.
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command."""
    if sys.argv[1:2] == ["serve"] and not {"--check", "--help"} & set(sys.argv):
        from api import commands

        commands.start_early()
    from api.cli import main as command

    command()


if __name__ == "__main__":
    main()

"""Build hook: a wheel carries the weights beside ``vision``; an editable install does not need them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WeightsHook(BuildHookInterface[Any]):
    """Put the files named in pyproject.toml into the wheel, and refuse to build a wheel without them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the weights to ``build_data``; ``version`` is ``standard`` for a wheel that is shipped."""
        if version == "editable":
            return
        sources = [Path(self.root, name) for name in self.config["weights"]]
        missing = [path.relative_to(self.root).as_posix() for path in sources if not path.is_file()]
        if missing:
            raise FileNotFoundError(f"a wheel needs the trained models; missing: {', '.join(missing)}")
        into = self.config["into"]
        build_data["force_include"].update({str(path): f"{into}/{path.name}" for path in sources})

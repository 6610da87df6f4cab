"""How many processors this process may use: its share in a container, not all that the machine has."""

from __future__ import annotations

import os

__all__ = ["cores"]


def cores() -> int:
    """Processors that this process may run on, at least one."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

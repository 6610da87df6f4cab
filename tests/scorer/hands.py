"""Reading the golden files: lines of fields parted by |, the hand itself may hold one."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from scorer import Breakdown, Context

GOLDEN = Path(__file__).parent / "golden"


def context_of(text: str) -> Context:
    win, seat, wind, *flags = text.split()
    return Context.from_dict({"win": win, "seat": seat, "round": wind, "flags": flags})


def lines(name: str, fields: int) -> list[ParameterSet]:
    found = []
    for number, line in enumerate((GOLDEN / name).read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            parts = [part.strip() for part in line.rsplit("|", fields - 1)]
            assert len(parts) == fields, f"{name}:{number} has {len(parts)} fields"
            found.append(pytest.param(*parts, id=f"{name}:{number}"))
    return found


def fan_ids(answer: Breakdown) -> list[str]:
    """The ids of the fans that count, each as often as it counts, sorted."""
    return sorted(line.fan.id for line in answer.fans for _ in range(line.times))

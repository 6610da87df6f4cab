"""The golden games: what is entered, what it must move, and why by the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "games"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))
PLAYED = ("win", "draw")


def game(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return data


def points_of(table: Mapping[str, Any]) -> list[int]:
    return [player["points"] for player in table["players"]]


def require_final(table: Mapping[str, Any], final: Mapping[str, Any]) -> None:
    """The table of an answer is the one that was worked out by hand, and adds up to nothing."""
    for name, expected in final.items():
        if name in ("over", "hands", "drawn_hands", "to_nobody", "ranking"):
            assert table[name] == expected, name
        else:
            assert [player[name] for player in table["players"]] == expected, name
    assert sum(points_of(table)) + table["to_nobody"] == 0


def require_deals(entries: list[Mapping[str, Any]], told: Mapping[str, Any]) -> None:
    """Each hand was dealt by whom it must have been, in the round that it must have been."""
    ends = [
        each
        for each in entries
        if each["standing"] != "undone" and (each["counts_as"] or each["entry"])["kind"] in PLAYED
    ]
    assert [each["dealer"] for each in ends] == told["dealers"]
    assert [each["round"] for each in ends] == told["rounds"]
    assert [each["hand"] for each in ends] == list(range(1, len(ends) + 1))

"""Singapore's payments of other programs, where the shared vectors are present."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scorer import RULESETS, Tile
from scorer.rulesets.singapore_payments import instants

pytestmark = pytest.mark.corpus

NAMES = {"cat": "1a", "rat": "2a", "rooster": "3a", "centipede": "4a"}
SEATS = {"E": "1z", "S": "2z", "W": "3z", "N": "4z"}
CHOONANG: dict[str, object] = {"instant_all_animals": 4, "instant_group": 2, "instant_eight": 8}


def _tile(name: str) -> Tile:
    rank = int(name[1]) if name[0] in "FS" and name not in NAMES else 0
    return Tile.parse(NAMES.get(name) or f"{rank + (4 if name[0] == 'S' else 0)}f")


def _equal(vector: Mapping[str, Any]) -> bool:
    wanted = vector["expect"]
    options = CHOONANG if "instant_units_from_each" in wanted else None
    values = RULESETS["singapore"].require_options(options)
    due = instants(map(_tile, vector["bonus"]), Tile.parse(SEATS[vector["seat"]]), values)
    if "instant_units_from_each" in wanted:
        return bool(sum(item.units for item in due) == wanted["instant_units_from_each"])
    return [(item.key, item.units) for item in due] == [
        (event["key"], event["each_opponent"]) for event in wanted["events"]
    ]


def test_instant_payments_agree(shared: Path) -> None:
    text = (shared / "rules/vectors/singapore_payments.jsonl").read_text(encoding="utf-8")
    vectors = [json.loads(line) for line in text.splitlines() if line.strip()]
    instant = [vector for vector in vectors if vector.get("event") == "instant_payout"]
    assert [vector["id"] for vector in instant if not _equal(vector)] == []
    print(f"singapore_payments: {len(instant)} instant payments of {len(vectors)} checked and equal")

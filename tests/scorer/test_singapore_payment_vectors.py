"""Singapore's payments of other programs and of the rules of play, where the shared vectors are present."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scorer import RULESETS, Breakdown, Hand, Seats, Settlement, Tile, score, settle_claims
from scorer.rulesets.singapore_payments import instants, pay
from scorer.tiles import WINDS
from tests.scorer.hands import context_of

pytestmark = pytest.mark.corpus

EAST, SOUTH, WEST, NORTH = WINDS
NAMES = {"cat": "1a", "rat": "2a", "rooster": "3a", "centipede": "4a"}
SEATS = {"E": "1z", "S": "2z", "W": "3z", "N": "4z"}
#: What one source takes at once: less for a group, and more for all eight.
CHOONANG: Mapping[str, object] = {
    "instant_all_animals": 4,
    "instant_group": 2,
    "instant_eight": 8,
    "complete_group": 0,
    "all_animals": 0,
}
#: Sources in which nobody pays twice: all shares are alike.
ALIKE = ("sg-7bpay", "sg-qil")
#: The chart of 0.30 and 0.60 pays 0.60 a tai and rounds each share up to a whole; the other one is whole.
CHARTS: Mapping[str, tuple[int, int]] = {"sg-chart36": (10, 6), "sg-chart12": (1, 1)}


def _tile(name: str) -> Tile:
    rank = int(name[1]) if name[0] in "FS" and name not in NAMES else 0
    return Tile.parse(NAMES.get(name) or f"{rank + (4 if name[0] == 'S' else 0)}f")


def _worth(tai: int, options: Mapping[str, object]) -> Breakdown:
    values = RULESETS["singapore"].require_options(options)
    return Breakdown("singapore", values, True, True, 1, tai, tai, tai)


def _paid(answer: Breakdown, seats: Seats) -> list[int]:
    sums = Settlement(pay(answer, seats)).payments
    assert sum(sums.values()) == 0
    return [sums[wind] for wind in WINDS]


def _instant(vector: Mapping[str, Any]) -> bool:
    wanted, bonus = vector["expect"], [_tile(name) for name in vector["bonus"]]
    options = CHOONANG if "instant_units_from_each" in wanted else None
    values = RULESETS["singapore"].require_options(options)
    seat = SEATS[vector["seat"]]
    due = instants(bonus, Tile.parse(seat), values)
    if "instant_units_from_each" not in wanted:
        got = [(item.key, item.units, 3 * item.units) for item in due]
        return got == [(event["key"], event["each_opponent"], event["total"]) for event in wanted["events"]]
    # The tai of the bonus tiles alone, those too that eight flowers take in: the source knows no such hand.
    hand = Hand.parse("[123m] [999p] 456s 78s 55z +9s | " + " ".join(map(str, bonus)))
    answer = score(hand, context_of(f"discard {seat} {seat}"), "singapore", options)
    table = RULESETS["singapore"].table(values)
    tai = sum(line.points for line in answer.fans if line.fan.id in table.bonus)
    tai += sum(table.by_id[drop.id].points * drop.times for drop in answer.dropped if drop.id in table.bonus)
    units = sum(item.units for item in due)
    return (tai, units) == (wanted["hand_tai"], wanted["instant_units_from_each"])


def _shares(vector: Mapping[str, Any]) -> bool:
    """What the shooter, each other player, or each of all pays, and the sum of it."""
    event, wanted = vector["event"], vector["expect"]
    drawn = event["win"] == "self_draw"
    east, south, west, north = _paid(_worth(event["tai"], {}), Seats(SOUTH, None if drawn else EAST))
    got = {"discarder": -east, "each_other": -west, "each": -north, "total": south}
    assert west == north
    return all(got[name] == amount for name, amount in wanted.items())


def _net(vector: Mapping[str, Any]) -> bool:
    """What each seat wins or loses. The base may be a fraction: it is counted in tenths."""
    event, told = vector["event"], vector.get("options") or {}
    options: dict[str, object] = {}
    if vector["id"].startswith(ALIKE):
        options["double_share"] = False
    if "shooter_pays_all" in event:
        options["shooter"] = "pays_all" if event["shooter_pays_all"] else "own_share"
    unit = round(10 * told.get("base", 1))
    winner, discarder = WINDS[event["winner"]], event.get("discarder")
    seats = Seats(winner, None if discarder is None else WINDS[discarder], unit=unit)
    return _paid(_worth(event["tai"], options), seats) == [
        round(10 * sum_) for sum_ in vector["expect"]["net"]
    ]


def _three(vector: Mapping[str, Any]) -> bool:
    """What the shooter loses to one of three winners."""
    tai = vector["event"]["tai"]
    answers = {SOUTH: _worth(tai, {}), WEST: _worth(1, {}), NORTH: _worth(1, {})}
    found = settle_claims(answers, EAST, unit=vector["options"]["base"])
    lines = [line for line in found.lines if line.payee == SOUTH]
    return [(line.payer, line.amount) for line in lines] == [(EAST, vector["expect"]["discarder_pays"])]


def _row(tai: int, step: int, unit: int) -> tuple[int, int, int]:
    """What each other player pays, the shooter who pays all, and each for a drawn hand."""
    shares: dict[str, object] = {"round_up_to": step, "limit": None}
    alone: dict[str, object] = {**shares, "shooter": "pays_all"}
    by_discard = Seats(SOUTH, EAST, unit=unit)
    return (
        -_paid(_worth(tai, shares), by_discard)[2],
        -_paid(_worth(tai, alone), by_discard)[0],
        -_paid(_worth(tai, shares), Seats(SOUTH, unit=unit))[2],
    )


def _chart(vector: Mapping[str, Any]) -> bool:
    """A row of a printed chart."""
    step, unit = CHARTS[vector["id"].rpartition("-")[0]]
    names = ("other_each_non_shooter_mode", "shooter_alone_in_shooter_mode", "self_draw_each")
    return _row(vector["event"]["tai"], step, unit) == tuple(vector["expect"][name] * step for name in names)


def _formula(vector: Mapping[str, Any]) -> bool:
    """One source only says how the sums of any chart go together."""
    assert vector["expect"] == {"shooter_total": "2*base + zimo for the tai row"}
    rows = [_row(tai, step, unit) for step, unit in CHARTS.values() for tai in range(1, 11)]
    return all(alone == 2 * base + zimo for base, alone, zimo in rows)


def _agrees(vector: Mapping[str, Any]) -> bool:
    event, wanted = vector["event"], vector["expect"]
    if event == "instant_payout":
        return _instant(vector)
    if "net" in wanted:
        return _net(vector)
    if "discarder_pays" in wanted:
        return _three(vector)
    if "shooter_total" in wanted:
        return _formula(vector)
    return _chart(vector) if "self_draw_each" in wanted else _shares(vector)


def census(shared: Path) -> tuple[int, dict[str, str]]:
    """How many vectors there are, and those that differ."""
    text = (shared / "rules/vectors/singapore_payments.jsonl").read_text(encoding="utf-8")
    vectors = [json.loads(line) for line in text.splitlines() if line.strip()]
    return len(vectors), {vector["id"]: "differs" for vector in vectors if not _agrees(vector)}


def test_every_payment_vector_agrees(shared: Path) -> None:
    total, differing = census(shared)
    assert differing == {}
    assert total >= 39

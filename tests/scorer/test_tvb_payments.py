from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from scorer import (
    RULESETS,
    BadContext,
    Breakdown,
    Context,
    FanLine,
    Hand,
    Seats,
    Settlement,
    Win,
    score,
    settle,
)
from scorer.rulesets.tvb_payments import minor_fault
from scorer.tiles import WINDS
from tests.scorer.hands import context_of

EAST, SOUTH, WEST, NORTH = WINDS
FLUSH = "[123m] [345m] [678m] [999m] 5m +5m"


def _worth(fan: int, *ids: str, claimed: int = 0) -> Breakdown:
    """An answer of so many fan, in whatever way they came together."""
    rules = RULESETS["tvb"]
    lines = tuple(FanLine(each, 1) for each in rules.fans if each.id in ids)
    values = rules.require_options(None)
    return Breakdown("tvb", values, True, fan >= 1, 1, fan, fan, min(fan, 10), lines, claimed_sets=claimed)


def _settle(hand: str, context: str, table: dict[str, object], **options: object) -> Settlement:
    known = context_of(context)
    return settle(score(Hand.parse(hand), known, "tvb", options), known, Seats.from_dict(table))


def _paid(settlement: Settlement) -> list[int]:
    assert sum(settlement.payments.values()) == -settlement.forfeited
    assert all(line.why and line.amount >= 0 for line in settlement.lines)
    return [settlement.payments[seat] for seat in WINDS]


def _vector(vector: dict[str, Any]) -> dict[str, object]:
    if vector.get("event") == "false_win":
        found = _settle("[123m] [999p] 45678s 55z +3s", "discard 2z 1z", {"winner": "2z", "discarder": "1z"})
        assert _paid(found) == [0, -150, 0, 0]
        return {"offender": found.payments[SOUTH], "hand": "dead"}
    drawn = vector["win"] == "self_draw"
    context = Context(Win.SELF_DRAW if drawn else Win.DISCARD, SOUTH, EAST)
    found = settle(_worth(vector["fan"]), context, Seats(SOUTH, None if drawn else WEST))
    east, south, west, north = _paid(found)
    assert east == north
    if drawn:
        assert east == west
        return {"winner": south, "each_other": east}
    return {"winner": south, "discarder": west, "others": east}


@pytest.mark.corpus
def test_every_payment_vector_agrees(shared: Path) -> None:
    text = (shared / "rules/vectors/tvb_payments.jsonl").read_text(encoding="utf-8")
    vectors = [json.loads(line) for line in text.splitlines() if line.strip()]
    found = [vector["id"] for vector in vectors if _vector(vector) != vector["expect"]]
    print(f"tvb_payments: {len(vectors)} checked, {len(vectors) - len(found)} equal, 0 set aside")
    assert found == []
    assert len(vectors) >= 14


@pytest.mark.parametrize("fan", range(1, 11))
def test_the_score_card(fan: int) -> None:
    seats = Seats(EAST, NORTH)
    assert _paid(settle(_worth(fan), Context(Win.DISCARD, EAST, EAST), seats)) == [10 * fan, 0, 0, -10 * fan]
    drawn = settle(_worth(fan), Context(Win.SELF_DRAW, EAST, EAST), Seats(EAST))
    assert _paid(drawn) == [15 * fan, -5 * fan, -5 * fan, -5 * fan]


@pytest.mark.parametrize("hand", [
    "[123m] [345m] [678m] [999m] 5m +5m",
    "[555z] [666z] [777z] [345p] 9s +9s",
    "[111z] [222z] [333z] [444z] 9s +9s",
    "[111z] [222z] [333z] [555z] 6z +6z",
    "[555z] [666z] [777z] [222z] 1z +1z",
])  # fmt: skip
def test_who_fed_the_twelfth_tile_bears_all_of_a_self_drawn_hand(hand: str) -> None:
    found = _settle(hand, "self_draw 2z 1z", {"winner": "2z", "liable": "4z"})
    east, south, west, north = _paid(found)
    assert (east, west, north) == (0, 0, -south)
    assert len(found.lines) == 3
    assert all("5f" in line.why and "liable" in line.why for line in found.lines)


@pytest.mark.parametrize(
    ("hand", "context", "table", "paid", "reason"),
    [
        (FLUSH, "discard 2z 1z", {"winner": "2z", "discarder": "1z", "liable": "4z"}, [-70, 70, 0, 0],
         "only for a self-drawn hand"),
        ("[123m] [345m] [678m] 999m 5m +5m", "self_draw 2z 1z", {"winner": "2z", "liable": "4z"},
         [-40, 120, -40, -40], "fewer than twelve tiles"),
        ("[123m] [345m] [678m] (9999m) 5m +5m", "self_draw 2z 1z", {"winner": "2z", "liable": "4z"},
         [-40, 120, -40, -40], "fewer than twelve tiles"),
        ("[123m] [345m] [678m] [999m] 5z +5z", "self_draw 2z 1z", {"winner": "2z", "liable": "4z"},
         [-20, 60, -20, -20], "not for this hand"),
    ],
)  # fmt: skip
def test_otherwise_nobody_is_liable_and_the_line_says_why(
    hand: str, context: str, table: dict[str, object], paid: list[int], reason: str
) -> None:
    found = _settle(hand, context, table)
    assert _paid(found) == paid
    assert all(reason in line.why for line in found.lines)


def test_among_several_winners_only_the_first_in_turn_is_paid() -> None:
    after: dict[str, object] = {"winner": "4z", "discarder": "3z", "also_won": ["1z", "2z"]}
    later: dict[str, object] = {"winner": "2z", "discarder": "3z", "also_won": ["1z", "4z"]}
    assert _paid(_settle(FLUSH, "discard 4z 1z", after)) == [0, 0, -70, 70]
    assert _paid(_settle(FLUSH, "discard 2z 1z", later)) == [0, 0, 0, 0]
    assert "4z wins before" in _settle(FLUSH, "discard 2z 1z", later).lines[0].why
    reading = {"intercept": "previous_player"}
    assert _paid(_settle(FLUSH, "discard 4z 1z", after, **reading)) == [0, 0, 0, 0]
    assert _paid(_settle(FLUSH, "discard 2z 1z", later, **reading)) == [0, 70, -70, 0]


def test_others_who_won_must_be_possible() -> None:
    for table in (
        {"winner": "2z", "also_won": ["1z"]},
        {"winner": "2z", "discarder": "1z", "also_won": ["1z"]},
        {"winner": "2z", "discarder": "1z", "also_won": ["2z"]},
        {"winner": "2z", "discarder": "1z", "also_won": ["5z"]},
        {"winner": "2z", "discarder": "1z", "also_won": "3z"},
    ):
        with pytest.raises(BadContext) as bad:
            Seats.from_dict(table)
        assert bad.value.field == "also_won"


@pytest.mark.parametrize(
    ("hand", "context"),
    [
        ("[123m] [456p] 789m 34s 66z +5s", "discard 2z 1z"),  # below the minimum
        ("[123m] [456p] 789m 34s 88p +9s", "discard 2z 1z"),  # the wrong tile
        ("[123m] [456p] 789m 34s 8p +5s", "discard 2z 1z"),  # a tile too few
        ("[123m] [456p] 789m 345s 88p +5s", "discard 2z 1z"),  # a tile too many
        ("[123m] [456p] 789m 34s 88p +5s", "rob_kong 2z 1z robbed_concealed_kong"),
    ],
)
def test_a_false_win_costs_150_which_nobody_receives(hand: str, context: str) -> None:
    found = _settle(hand, context, {"winner": "2z", "discarder": "1z"})
    assert _paid(found) == [0, -150, 0, 0]
    assert found.to_dict()["lines"][0]["to"] is None


def test_a_robbed_kong_is_paid_by_who_made_it() -> None:
    found = _settle("[123m] [456p] 789m 34s 88p +5s", "rob_kong 2z 1z", {"winner": "2z", "discarder": "4z"})
    assert _paid(found) == [0, 10, 0, -10]


def test_a_minor_fault_is_a_warning_and_then_ten_points() -> None:
    assert [minor_fault(WEST, before).amount for before in range(4)] == [0, 10, 10, 10]


def test_what_is_paid_is_received_whatever_the_table() -> None:
    chance = random.Random(4)
    fans = [fan.id for fan in RULESETS["tvb"].fans]
    for _ in range(2000):
        winner = chance.choice(WINDS)
        rest = [wind for wind in WINDS if wind != winner]
        discarder = chance.choice([None, *rest])
        also = tuple(wind for wind in rest if discarder not in (None, wind) and chance.random() < 0.3)
        seats = Seats(winner, discarder, chance.choice([None, *rest]), None, chance.randint(1, 9), also)
        context = Context(Win.SELF_DRAW if discarder is None else Win.DISCARD, winner, EAST)
        answer = _worth(chance.randint(0, 14), *chance.sample(fans, 3), claimed=chance.randint(0, 4))
        _paid(settle(answer, context, seats))

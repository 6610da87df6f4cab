from __future__ import annotations

from dataclasses import replace

import pytest

from scorer import RULESETS, BadContext, Context, Hand, NoSettlement, Seats, Settlement, Tile, score, settle
from scorer.tiles import WINDS
from tests.scorer.hands import context_of

EAST, SOUTH, WEST, NORTH = WINDS
#: Ten points, eight of them without flowers.
CHICKEN = "[123m] [345p] 567m 78s 22z +6s | 1f 2f"
STRAIGHT = "[123m] 456789m 23p 55s +1p"


def _settle(hand: str, context: str, table: dict[str, object], **options: object) -> Settlement:
    known = context_of(context)
    return settle(score(Hand.parse(hand), known, "mcr", options), known, Seats.from_dict(table))


def _paid(settlement: Settlement) -> list[int]:
    assert sum(settlement.payments.values()) == 0
    return [settlement.payments[seat] for seat in WINDS]


def test_who_discards_pays_for_the_hand_and_all_pay_eight() -> None:
    found = _settle(STRAIGHT, "discard 2z 1z", {"winner": "2z", "discarder": "1z"})
    assert _paid(found) == [-27, 43, -8, -8]
    assert {(line.payer, line.amount) for line in found.lines} == {(EAST, 27), (WEST, 8), (NORTH, 8)}
    assert all(line.payee == SOUTH and line.why for line in found.lines)


def test_all_pay_for_a_self_drawn_hand() -> None:
    drawn = _settle(STRAIGHT, "self_draw 2z 1z", {"winner": "2z"})
    assert _paid(drawn) == [-28, 84, -28, -28]


def test_flowers_are_paid() -> None:
    found = _settle(CHICKEN, "discard 1z 1z", {"winner": "1z", "discarder": "3z"})
    assert _paid(found) == [34, -8, -18, -8]


def test_the_unit_multiplies_and_the_cap_limits() -> None:
    table: dict[str, object] = {"winner": "2z", "discarder": "1z", "unit": 5}
    assert _paid(_settle(STRAIGHT, "discard 2z 1z", table)) == [-135, 215, -40, -40]
    assert _paid(_settle(STRAIGHT, "discard 2z 1z", table, cap=8)) == [-80, 160, -40, -40]


@pytest.mark.parametrize("hand", ["[123m] 999p 45678s 55z +3s", "123m 456p 789s 55z 7z 6z +7z"])
def test_a_false_win_is_a_penalty_that_the_table_names(hand: str) -> None:
    table: dict[str, object] = {"winner": "3z", "discarder": "1z"}
    assert _paid(_settle(hand, "discard 3z 1z", table, false_win=10)) == [10, 10, -30, 10]
    assert _paid(_settle(hand, "discard 3z 1z", table)) == [0, 0, 0, 0]


def test_the_settlement_is_plain_data() -> None:
    data = _settle(STRAIGHT, "discard 2z 1z", {"winner": "2z", "discarder": "1z"}).to_dict()
    assert data["payments"] == {"1z": -27, "2z": 43, "3z": -8, "4z": -8}
    assert data["lines"][0] == {"from": "1z", "to": "2z", "amount": 27, "why": "8 and 19 of the hand"}


@pytest.mark.parametrize(
    ("context", "table", "field"),
    [
        ("discard 2z 1z", {"winner": "1z", "discarder": "3z"}, "winner"),
        ("discard 2z 1z", {"winner": "2z"}, "discarder"),
        ("self_draw 2z 1z", {"winner": "2z", "discarder": "1z"}, "discarder"),
        ("discard 2z 1z", {"winner": "2z", "discarder": "2z"}, "discarder"),
        ("discard 2z 1z", {"winner": "2z", "discarder": "5z"}, "discarder"),
        ("discard 2z 1z", {"winner": "2z", "discarder": 1}, "discarder"),
        ("discard 2z 1z", {"winner": "2z", "discarder": "east wind"}, "discarder"),
        ("discard 2z 1z", {"discarder": "1z"}, "winner"),
        ("discard 2z 1z", {"winner": "2z", "discarder": "1z", "unit": 0}, "unit"),
        ("discard 2z 1z", {"winner": "2z", "discarder": "1z", "unit": 10**4299}, "unit"),
        ("discard 2z 1z", {"winner": "2z", "discarder": "1z", "unit": True}, "unit"),
        ("discard 2z 1z", {"winner": "2z", "loser": "1z"}, "loser"),
        ("discard 2z 1z", [], "table"),
    ],
)
def test_seats_that_cannot_be_are_errors(context: str, table: dict[str, object], field: str) -> None:
    with pytest.raises(BadContext) as bad:
        _settle(STRAIGHT, context, table)
    assert bad.value.field == field


def test_what_is_open_is_not_paid() -> None:
    hand, seats = Hand.parse("[123m] [345p] 567m 78s 22z +6s"), Seats(EAST)
    context = Context(seat=EAST, round=EAST)
    with pytest.raises(NoSettlement, match="depends on win"):
        settle(score(hand, context, "mcr"), context, seats)
    sure = Hand.parse(STRAIGHT)
    with pytest.raises(NoSettlement, match="who pays depends on win"):
        settle(score(sure, context, "mcr"), context, seats)
    stated = context_of("self_draw 1z 1z kong_replacement")
    with pytest.raises(NoSettlement, match="cannot be"):
        settle(score(hand, stated, "mcr"), stated, seats)


def test_a_rule_set_without_payments_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    context = context_of("discard 2z 1z")
    silent = replace(RULESETS["mcr"], id="silent", pay=None)
    monkeypatch.setattr("scorer.engine._registry", lambda: {"silent": silent})
    with pytest.raises(NoSettlement, match="silent says nothing"):
        settle(score(Hand.parse(STRAIGHT), context, silent), context, Seats(Tile.parse("2z"), EAST))

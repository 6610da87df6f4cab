from __future__ import annotations

import doctest
import json
import random
from pathlib import Path
from typing import Any

import pytest

from scorer import (
    RULESETS,
    Breakdown,
    Context,
    FanLine,
    Hand,
    NoSettlement,
    Seats,
    Settlement,
    Tile,
    Win,
    score,
    settle,
)
from scorer.rulesets import hk_payments
from scorer.tiles import WINDS
from tests.scorer.hands import context_of

EAST, SOUTH, WEST, NORTH = WINDS
#: Four faan: all pungs and no flowers.
PUNGS = "[222p] [666m] [999s] 33m 44s +3m"
FLUSH = "[123s] [777s] [456s] [999s] 3s +3s"
LADDERS = {"half": "half_spicy", "spicy": "full_spicy", "full": "full_spicy", "4-7-10": "4-7-10"}
SHARING = {"full": "discarder", "half": "half", "shared 2/1/1": "unit"}


def _worth(faan: int, *ids: str, claimed: int = 0, **options: object) -> Breakdown:
    """An answer of so many faan, in whatever way they came together."""
    rules = RULESETS["hk"]
    values = rules.require_options({"min_faan": 0, "cap": 13, **options})
    lines = tuple(FanLine(fan, 1) for fan in rules.fans if fan.id in ids)
    cap = values["cap"]
    assert cap is None or isinstance(cap, int)
    total = faan if cap is None else min(faan, cap)
    return Breakdown("hk", values, True, faan >= 0, 0, faan, faan, total, lines, claimed_sets=claimed)


def _of(answer: Breakdown, seats: Seats) -> list[int]:
    drawn = seats.discarder is None
    context = Context(Win.SELF_DRAW if drawn else Win.DISCARD, seats.winner, EAST)
    return _paid(settle(answer, context, seats))


def _settle(hand: str, context: str, table: dict[str, object], **options: object) -> Settlement:
    known = context_of(context)
    return settle(score(Hand.parse(hand), known, "hk", options), known, Seats.from_dict(table))


def _paid(settlement: Settlement) -> list[int]:
    assert sum(settlement.payments.values()) == 0
    assert all(line.why and line.amount >= 0 for line in settlement.lines)
    return [settlement.payments[seat] for seat in WINDS]


def _table_vector(vector: dict[str, Any]) -> bool:
    """A row of a printed table: the sums for a faan, by discard and self-drawn."""
    told, wanted, faan = vector["options"], vector["expect"], vector["event"]["faan"]
    options: dict[str, object] = {"sharing": SHARING[told.get("responsibility", "full")]}
    options["ladder"] = LADDERS[told.get("spiciness") or told.get("ladder", "half")]
    # One association counts in quarters of our unit; halves of a single unit need a unit of two.
    scale = 4 if "limit" in told else 1
    unit = scale * (1 if options["sharing"] == "unit" else 2)
    east, south, west, north = _of(_worth(faan, **options), Seats(SOUTH, WEST, unit=unit))
    drawn = _of(_worth(faan, **options), Seats(SOUTH, unit=unit))
    got = {
        "discard_total": south,
        "discarder": -west,
        "each_other": -north,
        "self_draw_each": -drawn[0],
        "self_draw_total": drawn[1],
        "unit": -north,
    }
    assert east == north
    return all(got[key] * scale == value * unit for key, value in wanted.items())


def _net_vector(vector: dict[str, Any]) -> bool:
    """A game event of a score keeper; its base is half of our unit, 0 its first seat."""
    told, event = vector["options"], vector["event"]
    options: dict[str, object] = {
        "cap": told["maximum_faan"],
        "sharing": SHARING[told["responsibility"]],
        "ladder": LADDERS[told["spiciness"]],
        "liability": "always",
    }
    blame, kind, unit = WINDS[event["blame"]], event["blame_type"], 2 * told["base"]
    if kind == "f":
        return bool(_of(_worth(-1, **options), Seats(blame, unit=unit)) == vector["expect"]["net"])
    answer = _worth(event["faan"], "full_flush", claimed=4, **options)
    liable = blame if kind in "DS" else None
    seats = Seats(WINDS[event["winner"]], None if kind == "S" else blame, liable, unit=unit)
    return bool(_of(answer, seats) == vector["expect"]["net"])


def _seated_vector(vector: dict[str, Any]) -> bool:
    """An event with seats by letter, by units; who pays all there pays four units."""
    event = vector["event"]
    seat = dict(zip("ESWN", WINDS, strict=True))
    alone = event.get("strategy") == "discarder_pays_all"
    sharing, unit = ("discarder", 4) if alone else ("unit", 1)
    answer = _worth(event["faan"], sharing=sharing, dealer_doubles=event.get("dealer_multiplier") == 2)
    winners = [seat[letter] for letter in event.get("winners") or [event["winner"]]]
    discarder = seat[event["discarder"]] if "discarder" in event else None
    sums = [0, 0, 0, 0]
    for winner in winners:
        also = tuple(other for other in winners if other != winner)
        paid = _of(answer, Seats(winner, discarder, unit=unit, also_won=also))
        sums = [one + other for one, other in zip(sums, paid, strict=True)]
    return sums == [vector["expect"]["net"][letter] for letter in "ESWN"]


def _agrees(vector: dict[str, Any]) -> bool:
    if "blame_type" in vector["event"]:
        return _net_vector(vector)
    return _table_vector(vector) if "options" in vector else _seated_vector(vector)


@pytest.mark.corpus
def test_every_payment_vector_agrees(shared: Path) -> None:
    text = (shared / "rules/vectors/hk_payments.jsonl").read_text(encoding="utf-8")
    vectors = [json.loads(line) for line in text.splitlines() if line.strip()]
    found = [vector["id"] for vector in vectors if not _agrees(vector)]
    print(f"hk_payments: {len(vectors)} checked, {len(vectors) - len(found)} equal, 0 set aside")
    assert found == []
    assert len(vectors) >= 39


def test_the_ladders() -> None:
    half = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384]
    assert [hk_payments.price(faan, "half_spicy") for faan in range(14)] == half
    assert [hk_payments.price(faan, "full_spicy") for faan in range(14)] == [2**faan for faan in range(14)]
    steps = [1, 2, 4, 8, *[16] * 3, *[32] * 3, *[64] * 4]
    assert [hk_payments.price(faan, "4-7-10") for faan in range(14)] == steps
    assert not doctest.testmod(hk_payments).failed


@pytest.mark.parametrize(
    ("sharing", "discard", "drawn"),
    [
        ("discarder", [0, 16, -16, 0], [-12, 36, -12, -12]),
        ("half", [-4, 16, -8, -4], [-12, 36, -12, -12]),
        ("unit", [-16, 64, -32, -16], [-48, 144, -48, -48]),
        ("full_each", [0, 16, -16, 0], [-24, 72, -24, -24]),
    ],
)
def test_the_price_is_shared_by_house_rule(sharing: str, discard: list[int], drawn: list[int]) -> None:
    table: dict[str, object] = {"winner": "2z", "discarder": "3z"}
    assert _paid(_settle(PUNGS, "discard 2z 2z", table, sharing=sharing)) == discard
    # A drawn hand has a faan more.
    assert _paid(_settle(PUNGS, "self_draw 2z 2z", {"winner": "2z"}, sharing=sharing)) == drawn


def test_the_dealer_pays_and_wins_double_by_house_rule() -> None:
    rule = {"dealer_doubles": True}
    assert _paid(_settle(PUNGS, "self_draw 1z 2z", {"winner": "1z"}, **rule)) == [72, -24, -24, -24]
    assert _paid(_settle(PUNGS, "self_draw 2z 2z", {"winner": "2z"}, **rule)) == [-24, 48, -12, -12]
    named = _settle(PUNGS, "self_draw 2z 2z", {"winner": "2z", "dealer": "4z"}, **rule)
    assert _paid(named) == [-12, 48, -12, -24]
    assert ["doubled" in line.why for line in named.lines] == [False, False, True]


def test_a_liable_player_pays_for_all_by_house_rule() -> None:
    drawn: dict[str, object] = {"winner": "2z", "liable": "4z"}
    always, only = {"liability": "always"}, {"liability": "self_draw"}
    assert _paid(_settle(FLUSH, "self_draw 2z 2z", drawn, **only)) == [0, 144, 0, -144]
    thrown: dict[str, object] = {**drawn, "discarder": "1z"}
    assert _paid(_settle(FLUSH, "discard 2z 2z", thrown, **always)) == [0, 64, 0, -64]
    found = _settle(FLUSH, "discard 2z 2z", thrown, **only)
    assert _paid(found) == [-64, 64, 0, 0]
    assert "only for a drawn hand" in found.lines[0].why


@pytest.mark.parametrize(
    ("hand", "liability", "reason"),
    [
        (FLUSH, "off", "liability is off"),
        (PUNGS, "always", "not for this hand"),
        ("[123s] [777s] [456s] 999s 3s +3s", "always", "too few sets"),
    ],
)
def test_nobody_is_liable_otherwise_and_the_lines_say_why(hand: str, liability: str, reason: str) -> None:
    table: dict[str, object] = {"winner": "2z", "liable": "4z"}
    found = _settle(hand, "self_draw 2z 2z", table, liability=liability)
    assert len({line.payer for line in found.lines}) == 3
    assert all(reason in line.why for line in found.lines)


def test_all_winners_are_paid_or_the_first_in_turn() -> None:
    first: dict[str, object] = {"winner": "4z", "discarder": "3z", "also_won": ["2z"]}
    later: dict[str, object] = {"winner": "2z", "discarder": "3z", "also_won": ["4z"]}
    assert _paid(_settle(PUNGS, "discard 4z 2z", first)) == [0, 0, -16, 16]
    assert _paid(_settle(PUNGS, "discard 2z 2z", later)) == [0, 16, -16, 0]
    rule = {"several_winners": "first"}
    assert _paid(_settle(PUNGS, "discard 4z 2z", first, **rule)) == [0, 0, -16, 16]
    found = _settle(PUNGS, "discard 2z 2z", later, **rule)
    assert _paid(found) == [0, 0, 0, 0]
    assert "first in turn wins, 4z" in found.lines[0].why


def test_a_win_by_flowers_is_a_drawn_hand() -> None:
    flowers = "[222p] 66m 1p 7s 99s 33m 44s | 1f 2f 3f 4f 5f 6f 7f"
    drawn = _settle(flowers, "self_draw 2z 2z", {"winner": "2z"})
    assert _paid(drawn) == [-4, 12, -4, -4]
    assert _settle(flowers, "discard 2z 2z", {"winner": "2z", "discarder": "3z"}) == drawn


def test_a_robbed_kong_is_paid_by_house_rule() -> None:
    hand, table = "[123s] [777s] 46s 999s 11z +5s", {"winner": "2z", "discarder": "3z"}
    # Half flush, robbing the kong, no flowers: five faan.
    assert _paid(_settle(hand, "rob_kong 2z 1z", dict(table))) == [0, 24, -24, 0]
    drawn = _settle(hand, "rob_kong 2z 1z", dict(table), robbed_kong="self_draw")
    assert _paid(drawn) == [0, 36, -36, 0]
    assert all("robbed kong" in line.why for line in drawn.lines)


@pytest.mark.parametrize(
    ("rule", "options", "paid"),
    [
        ("self_draw", {}, [192, -576, 192, 192]),
        ("limit", {}, [128, -384, 128, 128]),
        ("limit", {"cap": None}, [384, -1152, 384, 384]),
        ("none", {}, [0, 0, 0, 0]),
    ],
)
def test_a_false_win_pays_every_player(rule: str, options: dict[str, object], paid: list[int]) -> None:
    table: dict[str, object] = {"winner": "2z", "discarder": "3z"}
    for hand in ("[123m] [999p] 45678s 55z +3s", "[123m] [456p] 789m 34s 8p +5s"):
        assert _paid(_settle(hand, "discard 2z 2z", table, false_win=rule, **options)) == paid


def test_a_sum_that_is_not_whole_is_not_paid() -> None:
    with pytest.raises(NoSettlement, match="a unit of 2 makes"):
        _of(_worth(0), Seats(SOUTH))
    with pytest.raises(NoSettlement, match="a unit of 4 makes"):
        _of(_worth(0, sharing="half"), Seats(SOUTH, WEST))
    assert _of(_worth(0), Seats(SOUTH, unit=2)) == [-1, 3, -1, -1]


def test_what_is_paid_is_received_whatever_the_table() -> None:
    chance = random.Random(4)
    rules = RULESETS["hk"]
    fans = [fan.id for fan in rules.fans]
    for _ in range(2000):
        options = {option.id: chance.choice(option.choices) for option in hk_payments.PAYMENT_OPTIONS}
        winner = chance.choice(WINDS)
        rest: list[Tile] = [wind for wind in WINDS if wind != winner]
        discarder = chance.choice([None, *rest])
        also = tuple(wind for wind in rest if discarder not in (None, wind) and chance.random() < 0.3)
        liable, dealer = chance.choice([None, *rest]), chance.choice([None, *WINDS])
        seats = Seats(winner, discarder, liable, dealer, 4 * chance.randint(1, 9), also)
        faan = chance.randint(-1, 15)
        _of(_worth(faan, *chance.sample(fans, 4), claimed=chance.randint(0, 4), **options), seats)

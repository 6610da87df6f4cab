from __future__ import annotations

import random

import pytest

from scorer import (
    RULESETS,
    BadContext,
    Breakdown,
    FanLine,
    Hand,
    NoSettlement,
    Seats,
    Settlement,
    Tile,
    instant_payments,
    score,
    settle_at_once,
    settle_claims,
    settle_declared,
)
from scorer.rulesets.singapore_payments import instants, pay
from scorer.tiles import WINDS
from tests.scorer.hands import context_of

EAST, SOUTH, WEST, NORTH = WINDS
SINGAPORE = RULESETS["singapore"]


def _worth(tai: int, *fans: str, legal: bool = True, **options: object) -> Breakdown:
    values = SINGAPORE.require_options(options)
    table = SINGAPORE.table(values)
    lines = tuple(FanLine(table.by_id[name], 1) for name in fans)
    return Breakdown("singapore", values, legal, legal, 1, tai, tai, tai, lines)


def _paid(answer: Breakdown, seats: Seats) -> list[int]:
    lines = pay(answer, seats)
    assert all(line.why for line in lines)
    sums = Settlement(lines).payments
    assert sum(sums.values()) == 0
    return [sums[wind] for wind in WINDS]


def test_the_shooter_pays_twice_and_a_drawn_tile_costs_all_twice() -> None:
    assert _paid(_worth(3), Seats(SOUTH, EAST)) == [-8, 16, -4, -4]
    assert _paid(_worth(4), Seats(SOUTH)) == [-16, 48, -16, -16]


def test_the_shooter_may_pay_all_or_one_share() -> None:
    assert _paid(_worth(4, shooter="pays_all", double_share=False), Seats(SOUTH, NORTH)) == [0, 24, 0, -24]
    assert _paid(_worth(4, shooter="own_share", double_share=False), Seats(SOUTH, NORTH)) == [0, 8, 0, -8]


def test_thirteen_wonders_are_paid_by_all() -> None:
    assert _paid(_worth(5, "thirteen_wonders"), Seats(EAST, WEST)) == [96, -32, -32, -32]


def test_zha_hu_pays_a_limit_hand() -> None:
    assert _paid(_worth(0, legal=False), Seats(EAST, WEST)) == [-64, 16, 32, 16]
    assert _paid(_worth(0, legal=False), Seats(EAST)) == [-96, 32, 32, 32]


def test_liability_pays_for_all() -> None:
    answer = _worth(5, "big_three_dragons", liability_dragons=True)
    assert _paid(answer, Seats(EAST, liable=NORTH)) == [96, 0, 0, -96]


def test_three_winners_are_each_made_good() -> None:
    answers = {SOUTH: _worth(5), WEST: _worth(3), NORTH: _worth(4)}
    found = settle_claims(answers, EAST, unit=10).payments
    assert [found[wind] for wind in WINDS] == [-1120, 640, 160, 320]
    two = {NORTH: _worth(5), EAST: _worth(3)}
    assert settle_claims(two, SOUTH).payments[NORTH] > 0
    assert settle_claims(two, SOUTH).payments[EAST] < 0


@pytest.mark.parametrize(("tai", "shares"), [(1, (1, 4, 2)), (4, (5, 20, 10)), (10, (308, 1231, 615))])
def test_a_chart_that_rounds_up(tai: int, shares: tuple[int, int, int]) -> None:
    options: dict[str, object] = {"round_up_to": 10}
    other = _paid(_worth(tai, **options), Seats(EAST, SOUTH, unit=6))[2]
    alone = _paid(_worth(tai, shooter="pays_all", **options), Seats(EAST, SOUTH, unit=6))[1]
    drawn = _paid(_worth(tai, **options), Seats(EAST, unit=6))[1]
    assert (-other // 10, -alone // 10, -drawn // 10) == shares


def test_each_hand_that_wins_on_a_discard_may_be_asked_by_itself() -> None:
    three = Seats(WEST, EAST, also_won=(SOUTH, NORTH))
    assert _paid(_worth(3), three) == [-16, 0, 16, 0]
    # Without the house rule, and where two win, the next in turn does.
    assert _paid(_worth(3, three_winners=False), three) == [0, 0, 0, 0]
    assert _paid(_worth(3), Seats(SOUTH, EAST, also_won=(NORTH,))) == [-8, 16, -4, -4]
    later = pay(_worth(3), Seats(NORTH, EAST, also_won=(SOUTH,)))
    assert [(line.amount, line.why) for line in later] == [(0, "the next in turn wins, 2z")]


def test_a_claim_that_is_no_win_is_settled_first() -> None:
    with pytest.raises(NoSettlement, match="settled first"):
        settle_claims({SOUTH: _worth(5), WEST: _worth(0, legal=False)}, EAST)
    with pytest.raises(NoSettlement, match="nobody"):
        settle_claims({}, EAST)
    with pytest.raises(BadContext):
        settle_claims({EAST: _worth(5)}, EAST)


def test_claims_of_other_rules_are_settled_their_way() -> None:
    context = context_of("discard 2z 1z")
    worth = {rules: score(Hand.parse("[123s] [777s] 456s 99s 33s +9s"), context, rules) for rules in RULESETS}
    paid = {}
    for rules, answer in worth.items():
        found = settle_claims({NORTH: answer, SOUTH: answer}, EAST, unit=10)
        paid[rules] = [found.payments[wind] for wind in WINDS]
    assert paid["hk"] == [-1280, 640, 0, 640]
    assert paid["tvb"] == [-700, 700, 0, 0]
    assert paid["singapore"] == [-160, 320, -80, -80]
    assert paid["mcr"][3] == -80
    assert paid["mcr"][1] > 240


@pytest.mark.parametrize(
    ("tai", "informer", "paid"),
    [
        (3, None, [-8, 16, -4, -4]),
        (4, None, [-16, 32, -8, -8]),  # too much, and nobody has seen it
        (4, WEST, [-8, 16, -4, -4]),  # too much, and somebody has
        (2, None, [-4, 8, -2, -2]),  # too little
        (2, WEST, [-4, 16, -10, -2]),  # too little, and somebody says so
    ],
)
def test_a_wrong_number_of_tai_is_paid_as_announced(tai: int, informer: Tile | None, paid: list[int]) -> None:
    found = settle_declared(_worth(3), Seats(SOUTH, EAST), tai, informer)
    assert [found.payments[wind] for wind in WINDS] == paid


def test_what_cannot_be_announced() -> None:
    for tai, informer in ((0, None), (6, None), (2, SOUTH)):
        with pytest.raises(BadContext):
            settle_declared(_worth(3), Seats(SOUTH, EAST), tai, informer)
    with pytest.raises(NoSettlement, match="zha hu"):
        settle_declared(_worth(0, legal=False), Seats(SOUTH, EAST), 3)


def test_who_is_named_liable_without_a_rule_is_not() -> None:
    lines = pay(_worth(5, "big_three_dragons"), Seats(EAST, liable=NORTH))
    assert [line.amount for line in lines] == [32, 32, 32]
    assert all("4z is not liable" in line.why for line in lines)


def test_bonus_tiles_are_paid_at_once() -> None:
    values = SINGAPORE.require_options(None)
    due = instants([Tile.parse(tile) for tile in ("1a", "2a", "1f", "5f")], EAST, values)
    assert [(item.key, item.units) for item in due] == [("cat_rat", 2), ("own_flower_and_season", 2)]
    assert instant_payments(Hand.parse("(1111m) 1p | 1a 2a"), EAST, values).payments[EAST] == 18


def test_what_is_paid_at_once_is_asked_of_any_rule_set() -> None:
    hand = Hand.parse("[1111m] 1p | 1a 2a")
    found = settle_at_once(hand, EAST, "singapore", {"instant_exposed_kong": 1}, unit=10)
    assert [found.payments[wind] for wind in WINDS] == [90, -30, -30, -30]
    for rules in ("hk", "mcr", "tvb"):
        with pytest.raises(NoSettlement, match="nothing at once"):
            settle_at_once(hand, EAST, rules)


def test_every_settlement_adds_up_to_nothing() -> None:
    chance = random.Random(5)
    modes = ("shares", "pays_all", "own_share")
    for _ in range(2000):
        winner = chance.choice(WINDS)
        shooter = chance.choice([None, *[wind for wind in WINDS if wind != winner]])
        answer = _worth(chance.randint(1, 5), legal=chance.random() < 0.8, shooter=chance.choice(modes))
        _paid(answer, Seats(winner, shooter, unit=chance.randint(1, 50)))

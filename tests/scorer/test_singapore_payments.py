from __future__ import annotations

import random

import pytest

from scorer import RULESETS, Breakdown, Seats, Settlement, Tile
from scorer.fan import FanLine
from scorer.hand import Hand
from scorer.rulesets.singapore_payments import instant_payments, instants, pay, settle_claims
from scorer.tiles import WINDS

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


def test_bonus_tiles_are_paid_at_once() -> None:
    values = SINGAPORE.require_options(None)
    due = instants([Tile.parse(tile) for tile in ("1a", "2a", "1f", "5f")], EAST, values)
    assert [(item.key, item.units) for item in due] == [("cat_rat", 2), ("own_flower_and_season", 2)]
    assert instant_payments(Hand.parse("(1111m) 1p | 1a 2a"), EAST, values).payments[EAST] == 18


def test_every_settlement_adds_up_to_nothing() -> None:
    chance = random.Random(5)
    modes = ("shares", "pays_all", "own_share")
    for _ in range(2000):
        winner = chance.choice(WINDS)
        shooter = chance.choice([None, *[wind for wind in WINDS if wind != winner]])
        answer = _worth(chance.randint(1, 5), legal=chance.random() < 0.8, shooter=chance.choice(modes))
        _paid(answer, Seats(winner, shooter, unit=chance.randint(1, 50)))

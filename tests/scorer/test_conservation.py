"""Random hands under random house rules and tables: they have an answer, what is paid is received, and the
names of the suits are nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from scorer import RULESETS, Breakdown, Context, Hand, NoSettlement, Option, Seats, Win, score, settle
from scorer.hand import FLAGS
from scorer.tiles import ALL_TILES, WINDS
from tests.scorer.hands import random_hand, renamed

#: The bonus tiles that lie beside hands of each rule set.
BONUS = {"hk": "f", "mcr": "f", "singapore": "fa", "tvb": ""}
#: How many house rules are drawn: a table is made for each.
HOUSES = 40


def _value(option: Option, chance: random.Random) -> object:
    if option.nullable and chance.random() < 0.2:
        return None
    return chance.choice(option.choices) if option.choices else chance.randint(option.low, option.high)


def _houses(rules: str, chance: random.Random) -> list[dict[str, object]]:
    """House rules: the default, and random ones, each with a handful changed."""
    options = RULESETS[rules].options
    changed = [chance.sample(options, chance.randint(1, 8)) for _ in range(HOUSES - 1)]
    return [{}, *({option.id: _value(option, chance) for option in each} for each in changed)]


@dataclass(frozen=True, slots=True)
class Deal:
    """A hand, how it was won, who sits where, and the house rules."""

    hand: Hand
    context: Context
    seats: Seats
    options: dict[str, object]


def _deals(rules: str, seed: int, count: int) -> Iterator[Deal]:
    chance = random.Random(seed)
    houses = _houses(rules, chance)
    for _ in range(count):
        hand = random_hand(chance, BONUS[rules])
        if chance.random() < 0.15:
            # One tile is another: a win that is none.
            hand = replace(hand, winning=chance.choice(ALL_TILES[:34]))
        win, winner = chance.choice(list(Win)), chance.choice(WINDS)
        rest = [wind for wind in WINDS if wind != winner]
        discarder = None if win is Win.SELF_DRAW else chance.choice(rest)
        also = tuple(wind for wind in rest if discarder not in (None, wind) and chance.random() < 0.3)
        flags = frozenset(chance.sample(FLAGS, chance.choice((0, 0, 0, 1, 2))))
        context = Context(win, winner, chance.choice(WINDS), flags)
        liable, dealer = chance.choice((None, None, *rest)), chance.choice((None, *WINDS))
        # A quarter of a unit is a whole sum.
        seats = Seats(winner, discarder, liable, dealer, 4 * chance.randint(1, 25), also)
        yield Deal(hand, context, seats, chance.choice(houses))


def _settled(rules: str, seed: int, count: int) -> int:
    """How many of so many random hands are settled; every one must add up."""
    found = 0
    for deal in _deals(rules, seed, count):
        answer = score(deal.hand, deal.context, rules, deal.options)
        assert answer.is_win or (answer.problems and not answer.fans)
        try:
            settlement = settle(answer, deal.context, deal.seats)
        except NoSettlement:
            # What is stated about the win cannot be.
            assert answer.is_win
            assert not answer.legal
            continue
        found += 1
        sums = settlement.payments
        assert set(sums) == set(WINDS)
        assert sum(sums.values()) == -settlement.forfeited, deal
        assert not settlement.forfeited or rules == "tvb", "only the championship has penalties for nobody"
        assert all(line.amount >= 0 and line.why and line.payer != line.payee for line in settlement.lines)
        if answer.legal:
            assert sums[deal.seats.winner] >= 0
        else:
            assert sums[deal.seats.winner] <= 0
    return found


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_what_is_paid_is_received(rules: str) -> None:
    assert _settled(rules, 21, 3000) >= 2000


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_what_is_paid_is_received_a_hundred_thousand_times(rules: str) -> None:
    found, seed = 0, 22
    while found < 100_000:
        found += _settled(rules, seed, 5000)
        seed += 1
    print(f"{rules}: {found} settlements add up")


def _same(answer: Breakdown) -> tuple[object, ...]:
    lines = [(line.fan.id, line.fan.points, line.times) for line in answer.fans]
    dropped = sorted((drop.id, drop.because, drop.times) for drop in answer.dropped)
    return answer.is_win, answer.legal, answer.uncapped, answer.total, answer.toward_minimum, lines, dropped


def _suits_renamed(rules: str, seed: int, count: int) -> None:
    for deal in _deals(rules, seed, count):
        # Green tiles are of one suit by their nature.
        options = {**deal.options, "all_green": None} if rules == "singapore" else deal.options
        answer = score(deal.hand, deal.context, rules, options)
        for turns in (1, 2):
            again = score(renamed(deal.hand, turns), deal.context, rules, options)
            assert _same(again) == _same(answer), str(deal.hand)
            if answer.legal:
                assert settle(again, deal.context, deal.seats) == settle(answer, deal.context, deal.seats)


#: Not `mcr`, where all green and reversible tiles are fans of every table.
SUITLESS = ("hk", "singapore", "tvb")


@pytest.mark.parametrize("rules", SUITLESS)
def test_the_names_of_the_suits_are_nothing(rules: str) -> None:
    _suits_renamed(rules, 23, 400)


@pytest.mark.slow
@pytest.mark.parametrize("rules", SUITLESS)
def test_the_names_of_the_suits_are_nothing_ten_thousand_times(rules: str) -> None:
    _suits_renamed(rules, 24, 10_000)


def _any_tiles(chance: random.Random) -> Hand:
    """Tiles as they come, face-down ones and too many of them included."""
    standing = tuple(chance.choices(ALL_TILES, k=chance.randint(0, 17)))
    winning = chance.choice((None, *ALL_TILES))
    melds = random_hand(chance).melds * chance.choice((0, 1, 2))
    return Hand(standing, melds, winning, tuple(chance.choices(ALL_TILES, k=chance.randint(0, 9))))


def _answered(rules: str, seed: int, count: int) -> None:
    chance = random.Random(seed)
    houses = _houses(rules, chance)
    for _ in range(count):
        hand = _any_tiles(chance) if chance.random() < 0.7 else random_hand(chance, "fa")
        told = chance.random() < 0.8
        win, winner = chance.choice(list(Win)), chance.choice(WINDS)
        context = Context(win, winner, chance.choice(WINDS)) if told else Context()
        answer = score(hand, context, rules, chance.choice(houses))
        assert answer.to_dict()
        assert answer.is_win or (answer.total == 0 and answer.problems and not answer.fans)


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_whatever_lies_there_has_an_answer(rules: str) -> None:
    _answered(rules, 25, 500)


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_whatever_lies_there_has_an_answer_twenty_thousand_times(rules: str) -> None:
    _answered(rules, 26, 20_000)

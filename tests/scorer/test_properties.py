"""What must hold for every hand, whatever its tiles."""

from __future__ import annotations

import doctest
import importlib
import random
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import RULESETS, Context, Hand, Meld, NotationError, Tile, Win, check, score
from scorer.hand import FLAGS
from scorer.melds import MeldKind
from scorer.tiles import ALL_TILES, WINDS
from tests.scorer.hands import random_hand

_TILES = st.sampled_from(ALL_TILES)
_KINDS = st.sampled_from(ALL_TILES[:34])


@st.composite
def _melds(draw: st.DrawFn) -> Meld:
    kind = draw(st.sampled_from(MeldKind))
    if kind is MeldKind.CHOW:
        low = 9 * draw(st.integers(0, 2)) + draw(st.integers(0, 6))
        return Meld(kind, ALL_TILES[low : low + 3])
    size = 3 if kind is MeldKind.PUNG else 4
    return Meld(kind, (draw(_KINDS),) * size, kind is MeldKind.KONG and draw(st.booleans()))


_HANDS = st.builds(
    Hand,
    st.lists(_TILES, max_size=16).map(tuple),
    st.lists(_melds(), max_size=5).map(tuple),
    st.none() | _TILES,
    st.lists(_TILES, max_size=9).map(tuple),
)
_CONTEXTS = st.builds(
    Context,
    st.none() | st.sampled_from(Win),
    st.none() | st.sampled_from(WINDS),
    st.none() | st.sampled_from(WINDS),
    st.frozensets(st.sampled_from(FLAGS), max_size=3),
)


@st.composite
def _winning_hands(draw: st.DrawFn) -> Hand:
    """Four sets and a pair out of one set of tiles, any of them on the table."""
    sets = draw(st.lists(_melds(), min_size=4, max_size=4))
    pair = draw(_KINDS)
    standing: list[Tile] = [pair, pair]
    table = []
    for meld in sets:
        if meld.kind is MeldKind.KONG or draw(st.booleans()):
            table.append(meld)
        else:
            standing.extend(meld.tiles)
    winning = draw(st.sampled_from(standing))
    standing.remove(winning)
    bonus = draw(st.frozensets(st.sampled_from(ALL_TILES[34:42]), max_size=8))
    return Hand(tuple(standing), tuple(table), winning, tuple(bonus))


@settings(max_examples=200, deadline=None)
@given(_HANDS)
def test_a_hand_is_what_it_prints(hand: Hand) -> None:
    assert Hand.parse(str(hand)) == hand


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="0123456789mpszfax[]()+| WTBESNCFP萬筒東中🀇🀙", max_size=24))
def test_reading_raises_nothing_but_notation_errors(text: str) -> None:
    hand, position = Hand(), 0
    try:
        hand = Hand.parse(text)
    except NotationError as error:
        position = error.position
    assert 0 <= position <= len(text)
    assert Hand.parse(str(hand)) == hand


@settings(max_examples=200, deadline=None)
@given(_HANDS, _CONTEXTS, st.sampled_from(tuple(RULESETS)))
def test_every_hand_has_an_answer(hand: Hand, context: Context, rules: str) -> None:
    answer = score(hand, context, rules)
    assert answer.to_dict()
    assert answer.is_win or (answer.total == 0 and answer.problems and not answer.fans)


@settings(max_examples=150, deadline=None)
@given(_winning_hands(), _CONTEXTS, st.randoms(use_true_random=False))
def test_a_winning_hand_wins_and_the_order_of_tiles_is_nothing(
    hand: Hand, context: Context, chance: random.Random
) -> None:
    answer = score(hand, context)
    assert answer.is_win or check(hand)
    if answer.is_win:
        assert answer.uncapped == sum(line.points for line in answer.fans)
        assert answer.total == min(10, answer.uncapped)
        assert not {drop.id for drop in answer.dropped} & {line.fan.id for line in answer.fans}
    concealed, melds = list(hand.concealed), list(hand.melds)
    chance.shuffle(concealed)
    chance.shuffle(melds)
    other = score(Hand(tuple(concealed), tuple(melds), hand.winning, hand.bonus[::-1]), context)
    assert (other.total, other.legal, other.range) == (answer.total, answer.legal, answer.range)
    assert [line.fan.id for line in other.fans] == [line.fan.id for line in answer.fans]


@settings(max_examples=100, deadline=None)
@given(_winning_hands(), st.sampled_from(Win), st.sampled_from(WINDS), st.sampled_from(WINDS))
def test_the_range_holds_every_known_case(hand: Hand, win: Win, seat: Tile, wind: Tile) -> None:
    known = score(hand, Context(win, seat, wind))
    unknown = score(hand, Context())
    if known.is_win and not known.problems:
        low, high = (
            (unknown.total, unknown.total)
            if unknown.range is None
            else (unknown.range.low, unknown.range.high)
        )
        assert low <= known.total <= high


@pytest.mark.parametrize(("rules", "bonus"), [("hk", "f"), ("mcr", "f"), ("singapore", "fa"), ("tvb", "")])
def test_a_range_is_exactly_what_is_possible(rules: str, bonus: str) -> None:
    chance = random.Random(3)
    for _ in range(20):
        hand = random_hand(chance, bonus)
        cases = [
            score(hand, Context(win, seat, wind), rules)
            for win, seat, wind in product(Win, WINDS, WINDS)
            if win is not Win.ROB_KONG or hand.tiles.count(_won(hand)) == 1
        ]
        totals = [case.total for case in cases]
        open_ = score(hand, Context(), rules)
        low, high = (open_.range.low, open_.range.high) if open_.range else (open_.total, open_.total)
        assert (low, high) == (min(totals), max(totals)), str(hand)
        depends = open_.range is not None and open_.range.legal_depends
        assert depends is (len({case.legal for case in cases}) == 2), str(hand)


def _won(hand: Hand) -> Tile:
    assert hand.winning is not None
    return hand.winning


@pytest.mark.parametrize("name", ["tiles", "melds", "hand", "shapes", "engine", "game"])
def test_the_examples_in_the_docstrings_hold(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"scorer.{name}"))
    assert result.attempted
    assert not result.failed


def test_the_example_in_the_readme_holds() -> None:
    readme = Path(__file__).parents[2] / "scorer" / "README.md"
    result = doctest.testfile(str(readme), module_relative=False)
    assert result.attempted
    assert not result.failed

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from scorer import RULESETS, Hand, Tile
from scorer.distance import distance
from scorer.shapes import Form, shapes
from scorer.tiles import ALL_TILES
from tests.scorer.hands import random_hand
from tests.scorer.mcr_oracle import cases

STANDARD = frozenset({Form.STANDARD, Form.THIRTEEN_ORPHANS})
MCR = RULESETS["mcr"].table(RULESETS["mcr"].require_options(None)).forms


def _exchanged(hand: Hand, out: Tile, into: Tile) -> Hand:
    standing = list(hand.standing)
    standing.remove(out)
    return replace(hand, concealed=(*standing, into), winning=None)


def _neighbours(hand: Hand) -> list[Hand]:
    gives = [tile for tile in ALL_TILES[:34] if hand.tiles.count(tile) < 4]
    return [_exchanged(hand, out, into) for out in set(hand.standing) for into in gives if into != out]


@pytest.mark.parametrize("forms", [STANDARD, MCR])
def test_a_win_is_no_distance_away(forms: frozenset[Form]) -> None:
    for case in cases(100, seed=5):
        if shapes(case.hand, forms):
            found = distance(case.hand, forms)
            assert found is not None
            assert (found.tiles, found.missing, found.spare) == (0, (), ())


@pytest.mark.parametrize("forms", [STANDARD, MCR])
def test_the_distance_is_that_of_trying_everything(forms: frozenset[Form]) -> None:
    chance = random.Random(3)
    seen = set()
    for case in cases(25, seed=6):
        hand = case.hand
        for _ in range(chance.choice((1, 1, 2, 3))):
            hand = chance.choice(_neighbours(hand))
        found = distance(hand, forms)
        assert found is not None
        near = _neighbours(hand)
        one = {each for each in near if shapes(each, forms)}
        if shapes(hand, forms):
            assert found.tiles == 0
        elif one:
            assert found.tiles == 1
            told = {_exchanged(hand, s.spare, s.missing) for s in found.swaps if s.spare and s.missing}
            assert told == one
        else:
            assert found.tiles >= 2
            assert found.swaps == ()
            assert len(found.missing) == found.tiles == len(found.spare)
            # The tiles that it names make a win.
            named = hand
            for out, into in zip(found.spare, found.missing, strict=True):
                named = _exchanged(named, out, into)
            assert shapes(named, forms)
        seen.add(min(found.tiles, 2))
    assert seen >= {1, 2}


def test_no_two_steps_are_called_three() -> None:
    chance = random.Random(8)
    for _ in range(40):
        hand = random_hand(chance)
        for steps in range(1, 4):
            hand = chance.choice(_neighbours(hand))
            found = distance(hand, STANDARD)
            assert found is not None
            assert found.tiles <= steps


def test_a_tile_too_few_or_too_many() -> None:
    short = distance(Hand.parse("19m19p19s1234567z"), STANDARD)
    assert short is not None
    assert short.tiles == 1
    assert len(short.swaps) == 13
    long = distance(Hand.parse("[123m] 456789m 23p 55s 1p 7z"), STANDARD)
    assert long is not None
    assert [str(swap.spare) for swap in long.swaps] == ["7z"]
    assert distance(Hand.parse("[123m] [123m] [123m] [456m] [789m] 1z"), STANDARD) is None
    # A kong holds all four: the fifth would not win.
    kong = distance(Hand.parse("(1111m) 23m 456789p 99s"), STANDARD)
    assert kong is not None
    assert [str(swap.missing) for swap in kong.swaps] == ["4m"]


def test_a_flower_among_the_standing_tiles_is_spare() -> None:
    found = distance(Hand.parse("[123m] 456789m 23p 55s 3f"), STANDARD)
    assert found is not None
    assert {str(swap.missing) for swap in found.swaps} == {"1p", "4p"}
    assert found.to_dict()["tiles"] == 1

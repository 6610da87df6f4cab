"""Hands one tile short of winning: none is a win, and the verdict says what is missing.

`python -m tests.api.false_wins` does the same with hundreds of painted photos.
"""

from __future__ import annotations

import pytest

from scorer import Claim, Context, Verdict, audit
from tests.api.false_wins import RULES, Short, measure, short_of_a_win

TOLD = {"win": "self_draw", "seat": "1z", "round": "1z"}


def _tables(count: int) -> list[Short]:
    found = (short_of_a_win(seed) for seed in range(3_000, 3_000 + 3 * count))
    return [short for short in found if short is not None][:count]


@pytest.mark.parametrize("rules", RULES)
def test_no_hand_that_is_one_tile_short_is_a_win(rules: str) -> None:
    tables = _tables(25)
    assert len(tables) == 25
    for short in tables:
        found = audit(short.lies, Context.from_dict(TOLD), Claim(total=8), rules)
        wanted = Verdict.WRONG_NUMBER_OF_TILES if short.instead is None else Verdict.NOT_WINNING
        assert found.verdict is wanted
        assert found.stands.total == 0
        assert found.distance is not None
        assert found.distance.tiles == 1
        assert short.missing in [swap.missing for swap in found.distance.swaps]
        assert str(short.missing) in found.lines[0].says.en


def test_the_same_hands_with_their_tile_are_wins() -> None:
    from dataclasses import replace

    for short in _tables(10):
        tiles = list(short.lies.concealed)
        if short.instead is not None:
            tiles.remove(short.instead)
        whole = replace(short.lies, concealed=(*tiles, short.missing))
        found = audit(whole, Context.from_dict(TOLD), Claim(total=1), "mcr", {"cap": None})
        assert found.verdict not in (Verdict.NOT_WINNING, Verdict.WRONG_NUMBER_OF_TILES)


def test_painted_photos_of_such_hands() -> None:
    figures = measure(3, seed=900_000)
    assert figures["called a win"] == 0
    assert figures["something is said to be missing"] >= 2
    assert figures["the very tile is named"] >= 1

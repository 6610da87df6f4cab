from __future__ import annotations

import random
from itertools import combinations

import pytest

from scorer.combinations import SMALL_CHOWS, chow_combinations, pung_combinations, read_chows
from scorer.tiles import Tile


def _kinds(text: str) -> tuple[int, ...]:
    return tuple(sorted(Tile.parse(code).index for code in text.split()))


@pytest.mark.parametrize(
    ("chows", "pair", "great", "small"),
    [
        ("1m 1m 7m 7m", "5m", "pure_terminal_chows", []),
        ("1m 7m 1p 7p", "5s", "three_suited_terminal_chows", []),
        ("1m 7m 1p 7p", "5m", None, ["mixed_double_chow", "mixed_double_chow", "two_terminal_chows"]),
        ("3p 3p 3p 3p", "1z", "quadruple_chow", []),
        ("1m 2m 3m 4m", "1z", "four_pure_shifted_chows", []),
        ("1m 3m 5m 7m", "1z", "four_pure_shifted_chows", []),
        ("1m 2m 3m 5m", "1z", "pure_shifted_chows", ["short_straight"]),
        ("1m 4m 7m 1p", "1z", "pure_straight", ["mixed_double_chow"]),
        ("1m 4m 7m 1m", "1z", "pure_straight", ["pure_double_chow"]),
        ("1m 4p 7s 1p", "1z", "mixed_straight", ["mixed_double_chow"]),
        ("2m 2p 2s 2m", "1z", "mixed_triple_chow", ["pure_double_chow"]),
        ("2m 3p 4s 3m", "1z", "mixed_shifted_chows", ["mixed_double_chow"]),
        ("2m 4p 6s", "1z", None, []),
        ("2m 2m 2m 3m", "1z", "pure_triple_chow", []),
        ("1m 1m 4p 4p", "1z", None, ["pure_double_chow", "pure_double_chow"]),
        ("1m 1p 4m 4p", "1z", None, ["mixed_double_chow", "mixed_double_chow", "short_straight"]),
        ("1m 4m", "1z", None, ["short_straight"]),
        ("1m", "1z", None, []),
    ],
)
def test_what_chows_count_together(chows: str, pair: str, great: str | None, small: list[str]) -> None:
    chosen = read_chows(_kinds(chows), Tile.parse(pair).index).selection
    assert (None if chosen.great is None else chosen.great.fan) == great
    assert [item.fan for item in chosen.small] == small


def _most(size: int, joined: tuple[int, ...], pairs: list[tuple[int, ...]]) -> int:
    """The greatest number of pairs none of which joins what others have joined, by trying all."""
    for count in range(len(pairs), 0, -1):
        for chosen in combinations(pairs, count):
            part = [joined[0] if place in joined else place for place in range(size)]
            for one, other in chosen:
                if part[one] == part[other]:
                    break
                part = [part[one] if each == part[other] else each for each in part]
            else:
                return count
    return 0


def test_small_fans_are_as_many_as_there_can_be() -> None:
    chance = random.Random(11)
    for _ in range(300):
        chows = tuple(sorted(9 * chance.randrange(3) + chance.randrange(7) for _ in range(4)))
        chosen = read_chows(chows, 27).selection
        pairs = [item.at for item in chow_combinations(chows, 27) if item.fan in SMALL_CHOWS]
        joined = () if chosen.great is None else chosen.great.at
        assert len(chosen.small) == _most(4, joined, pairs)


def test_the_choice_does_not_depend_on_the_suits() -> None:
    chance = random.Random(12)
    for _ in range(300):
        chows = [9 * chance.randrange(3) + chance.randrange(7) for _ in range(4)]
        suits = chance.sample(range(3), 3)
        other = [9 * suits[tile // 9] + tile % 9 for tile in chows]
        first = read_chows(tuple(sorted(chows)), 27).selection
        second = read_chows(tuple(sorted(other)), 27).selection
        assert [item.fan for item in first.small] == [item.fan for item in second.small]
        assert (first.great is None) is (second.great is None)
        if first.great is not None and second.great is not None:
            assert first.great.fan == second.great.fan


@pytest.mark.parametrize(
    ("pungs", "fans"),
    [
        ("2m 3m 4m 5m", {"pure_shifted_pungs", "four_pure_shifted_pungs"}),
        ("2m 3m 4m 8m", {"pure_shifted_pungs"}),
        ("2m 3m 5m", set()),
        ("2m 3p 4s", {"mixed_shifted_pungs"}),
        ("2m 4p 6s", set()),
        ("2m 2p 2s", {"double_pung", "triple_pung"}),
        ("2m 3m 4p", set()),
        ("1z 2z 3z 9s", set()),
        ("9s 1z", set()),
    ],
)
def test_what_pungs_make(pungs: str, fans: set[str]) -> None:
    assert {item.fan for item in pung_combinations(_kinds(pungs))} == fans

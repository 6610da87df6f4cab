"""Sets that make a fan together: families of chows and of pungs, and which of them may count side by side.

Chows are named by their lowest tile, an index 0-26; sets come sorted. Nothing here knows points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

__all__ = [
    "FOUR_CHOWS", "PUNGS", "SMALL_CHOWS", "THREE_CHOWS", "TIERS", "Combination", "Selection",
    "chow_combinations", "chow_fans", "pung_combinations", "pung_fans", "select",
]  # fmt: skip

#: Fans of four chows, of three and of two. Greatest first: a tier is worth at least two points more than the
#: next, so what the small fans add cannot turn the choice between two tiers.
FOUR_CHOWS = (
    "pure_terminal_chows",
    "quadruple_chow",
    "four_pure_shifted_chows",
    "three_suited_terminal_chows",
)
THREE_CHOWS = (
    "pure_triple_chow",
    "pure_straight",
    "pure_shifted_chows",
    "mixed_straight",
    "mixed_triple_chow",
    "mixed_shifted_chows",
)
SMALL_CHOWS = ("pure_double_chow", "mixed_double_chow", "short_straight", "two_terminal_chows")
#: Fans of pungs and kongs by their ranks.
PUNGS = (
    "four_pure_shifted_pungs",
    "pure_shifted_pungs",
    "triple_pung",
    "mixed_shifted_pungs",
    "double_pung",
)
TIERS = {
    "pure_terminal_chows": 0,
    "quadruple_chow": 1,
    "four_pure_shifted_chows": 2,
    "pure_triple_chow": 3,
    "pure_straight": 4,
    "pure_shifted_chows": 4,
    "three_suited_terminal_chows": 4,
    "mixed_straight": 5,
    "mixed_triple_chow": 5,
    "mixed_shifted_chows": 6,
}


#: By the step from one chow to the next.
_THREE_OF_ONE_SUIT = {
    0: "pure_triple_chow",
    1: "pure_shifted_chows",
    2: "pure_shifted_chows",
    3: "pure_straight",
}
_THREE_OF_THREE_SUITS = {0: "mixed_triple_chow", 1: "mixed_shifted_chows", 3: "mixed_straight"}


@dataclass(frozen=True, slots=True)
class Combination:
    """A fan that some of the sets make together: its id and their places among the sets."""

    fan: str
    at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """The combinations of chows that count side by side: at most one of three or four, and small ones."""

    great: Combination | None
    small: tuple[Combination, ...]

    def at(self, fan: str) -> tuple[int, ...]:
        """The places of the chows in the chosen combinations of that fan, each once."""
        chosen = (*((self.great,) if self.great is not None else ()), *self.small)
        return tuple(dict.fromkeys(place for item in chosen if item.fan == fan for place in item.at))


def _parted(sets: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """The suits and the ranks (0-8) of sets."""
    return [tile // 9 for tile in sets], [tile % 9 for tile in sets]


def _steps(ranks: list[int]) -> set[int]:
    ordered = sorted(ranks)
    return {after - before for before, after in pairwise(ordered)}


def _two_chows(pair: tuple[int, ...]) -> str | None:
    (suit, other), (rank, second) = _parted(pair)
    apart = abs(second - rank)
    if suit != other:
        return "mixed_double_chow" if apart == 0 else None
    return {0: "pure_double_chow", 3: "short_straight", 6: "two_terminal_chows"}.get(apart)


def _three_chows(trio: tuple[int, ...]) -> str | None:
    suits, ranks = _parted(trio)
    steps, apart = _steps(ranks), len(set(suits))
    if len(steps) > 1 or apart == 2:
        return None
    names = _THREE_OF_ONE_SUIT if apart == 1 else _THREE_OF_THREE_SUITS
    return names.get(steps.pop())


def _four_chows(chows: tuple[int, ...], pair: int) -> str | None:
    suits, ranks = _parted(chows)
    if len(set(suits)) == 1:
        steps = _steps(ranks)
        if steps == {0}:
            return "quadruple_chow"
        if steps in ({1}, {2}):
            return "four_pure_shifted_chows"
        return "pure_terminal_chows" if ranks == [0, 0, 6, 6] and pair == 9 * suits[0] + 4 else None
    third = 3 - suits[0] - suits[-1]
    if ranks == [0, 6, 0, 6] and suits[0] == suits[1] and suits[2] == suits[3] and pair == 9 * third + 4:
        return "three_suited_terminal_chows"
    return None


@lru_cache(maxsize=32768)
def chow_combinations(chows: tuple[int, ...], pair: int) -> tuple[Combination, ...]:
    """Every fan that two, three or four of the chows make, a combination of four also with the pair."""
    found = []
    for size in range(2, len(chows) + 1):
        for at in combinations(range(len(chows)), size):
            chosen = tuple(chows[place] for place in at)
            name = (
                _two_chows(chosen)
                if size == 2
                else _three_chows(chosen)
                if size == 3
                else _four_chows(chosen, pair)
            )
            if name is not None:
                found.append(Combination(name, at))
    return tuple(found)


@lru_cache(maxsize=32768)
def chow_fans(chows: tuple[int, ...], pair: int) -> Mapping[str, int]:
    """How many combinations of the chows make each fan."""
    return Counter(item.fan for item in chow_combinations(chows, pair))


@lru_cache(maxsize=32768)
def pung_fans(pungs: tuple[int, ...]) -> Mapping[str, int]:
    """How many combinations of the pungs and kongs make each fan."""
    return Counter(item.fan for item in pung_combinations(pungs))


@lru_cache(maxsize=32768)
def select(chows: tuple[int, ...], pair: int) -> Selection:
    """The combinations that count together under account-once, as many points as there can be.

    At most one combination of three or four chows counts. The small ones join two chows each, and one counts
    only if it joins what nothing joined before: with the chows as points and the combinations as lines, what
    counts is a spanning forest, and the great combination has already joined its own chows.
    """
    found = chow_combinations(chows, pair)
    small = sorted(
        (item for item in found if len(item.at) == 2), key=lambda item: SMALL_CHOWS.index(item.fan)
    )
    great: list[Combination | None] = [item for item in found if len(item.at) > 2]
    choices = [(item, _forest(len(chows), item, small)) for item in great or [None]]
    best, joined = min(choices, key=_worth)
    return Selection(best, tuple(joined))


def _worth(choice: tuple[Combination | None, list[Combination]]) -> tuple[int, int, int, list[int]]:
    """Greatest tier, then most small fans, then a fixed order of names: nothing depends on the suits."""
    great, small = choice
    order = 0 if great is None else (*FOUR_CHOWS, *THREE_CHOWS).index(great.fan)
    tier = 0 if great is None else TIERS[great.fan]
    return (tier, -len(small), order, [SMALL_CHOWS.index(item.fan) for item in small])


def _forest(size: int, great: Combination | None, small: list[Combination]) -> list[Combination]:
    """The small combinations in their order, without those that join what is already joined."""
    part = list(range(size))
    if great is not None:
        for place in great.at:
            part[place] = great.at[0]
    chosen = []
    for item in small:
        one, other = part[item.at[0]], part[item.at[1]]
        if one != other:
            part = [one if each == other else each for each in part]
            chosen.append(item)
    return chosen


@lru_cache(maxsize=32768)
def pung_combinations(pungs: tuple[int, ...]) -> tuple[Combination, ...]:
    """Every fan that two, three or four of the pungs and kongs make by their ranks. Honours make none."""
    suited = [place for place, tile in enumerate(pungs) if tile < 27]
    found = []
    for size in range(2, len(suited) + 1):
        for at in combinations(suited, size):
            name = _pungs(tuple(pungs[place] for place in at))
            if name is not None:
                found.append(Combination(name, at))
    return tuple(found)


def _pungs(chosen: tuple[int, ...]) -> str | None:
    suits, ranks = _parted(chosen)
    steps, apart = _steps(ranks), len(set(suits))
    if len(chosen) == 2:
        return "double_pung" if steps == {0} else None
    if len(chosen) == 4:
        return "four_pure_shifted_pungs" if apart == 1 and steps == {1} else None
    if steps == {1} and apart in (1, 3):
        return "pure_shifted_pungs" if apart == 1 else "mixed_shifted_pungs"
    return "triple_pung" if steps == {0} else None

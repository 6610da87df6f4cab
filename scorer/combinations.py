"""Sets that make a fan together: families of chows and of pungs, and which of them may count side by side.

Chows are named by their lowest tile, an index 0-26; sets come sorted. Nothing here knows points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

__all__ = [
    "FOUR_CHOWS", "PUNGS", "SMALL_CHOWS", "THREE_CHOWS", "TIERS", "ChowReading", "Combination", "Selection",
    "chow_combinations", "pung_combinations", "pung_fans", "read_chows", "select",
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
_TWO_OF_ONE_SUIT = {0: "pure_double_chow", 3: "short_straight", 6: "two_terminal_chows"}
_THREE_OF_ONE_SUIT = {
    0: "pure_triple_chow",
    1: "pure_shifted_chows",
    2: "pure_shifted_chows",
    3: "pure_straight",
}
_THREE_OF_THREE_SUITS = {0: "mixed_triple_chow", 1: "mixed_shifted_chows", 3: "mixed_straight"}
#: Which two, which three and which four of so many sets there are.
_TWO_OF, _THREE_OF = (
    tuple(tuple(combinations(range(size), chosen)) for size in range(5)) for chosen in (2, 3)
)
_ALL = (0, 1, 2, 3)


class Combination(NamedTuple):
    """A fan that some of the sets make together: its id and their places among the sets."""

    fan: str
    at: tuple[int, ...]


class Selection(NamedTuple):
    """The combinations of chows that count side by side: at most one of three or four, and small ones."""

    great: Combination | None
    small: tuple[Combination, ...]

    def at(self, fan: str) -> tuple[int, ...]:
        """The places of the chows in the chosen combinations of that fan, each once."""
        great, small = self
        if great is not None and great.fan == fan:
            return great.at
        if len(small) == 1:
            return small[0].at if small[0].fan == fan else ()
        return tuple(dict.fromkeys([place for item in small if item.fan == fan for place in item.at]))


class ChowReading(NamedTuple):
    """What chows make: how many combinations of them make each fan, and which of these count together."""

    fans: Mapping[str, int]
    selection: Selection


def _two_chows(low: int, high: int) -> str | None:
    if low // 9 != high // 9:
        return "mixed_double_chow" if low % 9 == high % 9 else None
    return _TWO_OF_ONE_SUIT.get(high - low)


def _three_chows(low: int, middle: int, high: int) -> str | None:
    suits = low // 9, middle // 9, high // 9
    if suits[0] == suits[2]:
        names = _THREE_OF_ONE_SUIT
    elif suits[0] == suits[1] or suits[1] == suits[2]:
        return None
    else:
        names = _THREE_OF_THREE_SUITS
        low, middle, high = sorted((low % 9, middle % 9, high % 9))
    return names.get(middle - low) if middle - low == high - middle else None


def _four_chows(chows: tuple[int, ...], pair: int) -> str | None:
    first, second, third, fourth = chows
    steps = second - first, third - second, fourth - third
    if first // 9 == fourth // 9:
        if steps[0] == steps[1] == steps[2] and steps[0] < 3:
            return "four_pure_shifted_chows" if steps[0] else "quadruple_chow"
        ends = steps == (0, 6, 0) and pair == first + 4
        return "pure_terminal_chows" if ends else None
    other = 3 - first // 9 - fourth // 9
    ends = steps[0] == steps[2] == 6 and first % 9 == third % 9 == 0 and pair == 9 * other + 4
    return "three_suited_terminal_chows" if ends else None


def read_chows(chows: tuple[int, ...], pair: int) -> ChowReading:
    """What the sorted chows of a hand make; the pair matters to the fans of all terminals."""
    return _read_chows(chows, pair if pair < 27 and pair % 9 == 4 else -1)


@lru_cache(maxsize=32768)
def _read_chows(chows: tuple[int, ...], pair: int) -> ChowReading:
    found = chow_combinations(chows, pair)
    return ChowReading(_fans(found), select(len(chows), found))


def chow_combinations(chows: tuple[int, ...], pair: int) -> list[Combination]:
    """Every fan that two, three or four of the chows make, a combination of four also with the pair."""
    size = len(chows)
    found = []
    for at in _TWO_OF[size]:
        name = _two_chows(chows[at[0]], chows[at[1]])
        if name is not None:
            found.append(Combination(name, at))
    for at in _THREE_OF[size]:
        name = _three_chows(chows[at[0]], chows[at[1]], chows[at[2]])
        if name is not None:
            found.append(Combination(name, at))
    name = _four_chows(chows, pair) if size == 4 else None
    if name is not None:
        found.append(Combination(name, _ALL))
    return found


@lru_cache(maxsize=32768)
def pung_fans(pungs: tuple[int, ...]) -> Mapping[str, int]:
    """How many combinations of the pungs and kongs make each fan."""
    return _fans(pung_combinations(pungs))


def _fans(found: Iterable[Combination]) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for fan, _ in found:
        counts[fan] = counts.get(fan, 0) + 1
    return counts


def select(size: int, found: list[Combination]) -> Selection:
    """Which combinations of `size` chows count together under account-once, as many points as there can be.

    At most one combination of three or four chows counts. The small ones join two chows each, and one counts
    only if it joins what nothing joined before: with the chows as points and the combinations as lines, what
    counts is a spanning forest, and the great combination has already joined its own chows.
    """
    greats: list[Combination | None] = [item for item in found if len(item.at) > 2]
    if len(found) < 2:
        # One combination has nothing to be joined with.
        return Selection(greats[0], ()) if greats else Selection(None, tuple(found))
    small = sorted([item for item in found if len(item.at) == 2], key=_order_of_small)
    choices = [(item, _forest(size, item, small)) for item in greats or [None]]
    best, joined = choices[0] if len(choices) == 1 else min(choices, key=_worth)
    return Selection(best, tuple(joined))


def _order_of_small(item: Combination) -> int:
    return SMALL_CHOWS.index(item.fan)


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
    suited = [tile for tile in pungs if tile < 27]
    size = len(suited)
    # Sorted, the suited ones come first: their places among themselves are those among all.
    found = [Combination("double_pung", at) for at in _TWO_OF[size] if _same_rank(suited, at)]
    for at in _THREE_OF[size]:
        name = _three_pungs(*[suited[place] for place in at])
        if name is not None:
            found.append(Combination(name, at))
    if (
        size == 4
        and suited[3] - suited[0] == 3
        and len(set(suited)) == 4
        and suited[0] // 9 == suited[3] // 9
    ):
        found.append(Combination("four_pure_shifted_pungs", _ALL))
    return tuple(found)


def _same_rank(pungs: list[int], at: tuple[int, ...]) -> bool:
    return pungs[at[0]] % 9 == pungs[at[1]] % 9


def _three_pungs(low: int, middle: int, high: int) -> str | None:
    if low // 9 == high // 9:
        return "pure_shifted_pungs" if middle - low == high - middle == 1 else None
    if low // 9 == middle // 9 or middle // 9 == high // 9:
        return None
    low, middle, high = sorted((low % 9, middle % 9, high % 9))
    if middle - low != high - middle or middle - low > 1:
        return None
    return "mixed_shifted_pungs" if middle - low else "triple_pung"

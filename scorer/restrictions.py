"""Fans that are about which tiles a hand is made of, whatever sets they form."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scorer.facts import Facts
from scorer.needs import Need, needs
from scorer.shapes import HONOURS, ORPHANS, mask_of

__all__ = [
    "MADE_OF", "all_even", "all_terminals_and_honours", "all_types", "full_flush", "half_flush",
    "held_four_kinds", "made_of", "made_of_all", "one_voided_suit", "tile_hog",
]  # fmt: skip


def _ranks(first: int, last: int) -> int:
    return mask_of(9 * suit + rank - 1 for suit in range(3) for rank in range(first, last + 1))


_WINDS = mask_of(range(27, 31))
_DRAGONS = mask_of(range(31, 34))
_ORPHANS = mask_of(ORPHANS)
_GREEN = mask_of([*(17 + rank for rank in (2, 3, 4, 6, 8)), 32])
_EVEN = mask_of(9 * suit + rank - 1 for suit in range(3) for rank in (2, 4, 6, 8))
_REVERSIBLE = mask_of([8 + r for r in (1, 2, 3, 4, 5, 8, 9)] + [17 + r for r in (2, 4, 5, 6, 8, 9)] + [31])


#: The fans that say no more than of which kinds of tile the hand is made, by id.
MADE_OF: Mapping[str, int] = {
    "all_green": _GREEN,  # bamboo 2, 3, 4, 6, 8 and the green dragon, which may be absent
    "all_terminals": _ORPHANS & ~HONOURS,
    "all_honors": HONOURS,
    "upper_tiles": _ranks(7, 9),
    "middle_tiles": _ranks(4, 6),
    "lower_tiles": _ranks(1, 3),
    "upper_four": _ranks(6, 9),
    "lower_four": _ranks(1, 4),
    "reversible_tiles": _REVERSIBLE,  # whose faces look the same upside down
    "all_simples": _ranks(2, 8),
    "no_honors": _ranks(1, 9),
}
_OUTSIDE = tuple((fan, ~kinds) for fan, kinds in MADE_OF.items())


def made_of(fan: str) -> Callable[[Facts], int]:
    """Whether the hand holds nothing but the kinds of that fan."""
    outside = ~MADE_OF[fan]
    return lambda facts: 0 if facts.tally.held & outside else 1


def made_of_all(facts: Facts) -> Mapping[str, int]:
    """All the fans of `MADE_OF` that are there, at once."""
    held = facts.tally.held
    return {fan: 1 for fan, outside in _OUTSIDE if not held & outside}


def all_even(facts: Facts) -> int:
    """Twos, fours, sixes and eights."""
    return 0 if facts.tally.held & ~_EVEN else 1


@needs(Need.ONLY_OUTSIDE, Need.HONOURS)
def all_terminals_and_honours(facts: Facts) -> int:
    """Terminals and honours, both present 混幺九."""
    held = facts.tally.held
    return int(not held & ~_ORPHANS and bool(held & HONOURS) and bool(held & ~HONOURS))


@needs(Need.ONE_SUIT, Need.NO_HONOURS)
def full_flush(facts: Facts) -> int:
    """One suit and nothing else 清一色."""
    return int(len(facts.tally.suits) == 1 and not facts.tally.has_honours)


@needs(Need.ONE_SUIT, Need.HONOURS)
def half_flush(facts: Facts) -> int:
    """One suit and honours 混一色."""
    return int(len(facts.tally.suits) == 1 and facts.tally.has_honours)


@needs(Need.TWO_SUITS)
def one_voided_suit(facts: Facts) -> int:
    """Tiles of exactly two suits, with or without honours 缺一门."""
    return int(len(facts.tally.suits) == 2)


@needs(Need.HONOURS)
def all_types(facts: Facts) -> int:
    """All three suits, winds and dragons 五门齐."""
    counted = facts.tally
    return int(len(counted.suits) == 3 and bool(counted.held & _WINDS) and bool(counted.held & _DRAGONS))


def held_four_kinds(facts: Facts) -> tuple[int, ...]:
    """The kinds of which all four are in the hand, not as a kong."""
    counts = facts.tally.counts
    return tuple(kind for kind, count in enumerate(counts) if count == 4 and kind not in facts.kongs)


@needs(Need.FOUR_ALIKE)
def tile_hog(facts: Facts) -> int:
    """All four of a kind in the hand, not as a kong; each kind once 四归一."""
    return len(held_four_kinds(facts)) if 4 in facts.tally.counts else 0

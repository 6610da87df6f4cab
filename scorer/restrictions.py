"""Fans that are about which tiles a hand is made of, whatever sets they form."""

from __future__ import annotations

from collections.abc import Callable

from scorer.facts import Facts
from scorer.shapes import HONOURS, ORPHANS, mask_of

__all__ = [
    "all_even", "all_green", "all_honours", "all_simples", "all_terminals", "all_terminals_and_honours",
    "all_types", "full_flush", "half_flush", "held_four_kinds", "lower_four", "lower_tiles", "middle_tiles",
    "no_honours", "one_voided_suit", "reversible_tiles", "tile_hog", "upper_four", "upper_tiles",
]  # fmt: skip


def _ranks(first: int, last: int) -> int:
    return mask_of(9 * suit + rank - 1 for suit in range(3) for rank in range(first, last + 1))


_SUITS = tuple(mask_of(range(9 * suit, 9 * suit + 9)) for suit in range(3))
_WINDS = mask_of(range(27, 31))
_DRAGONS = mask_of(range(31, 34))
_ORPHANS = mask_of(ORPHANS)
_GREEN = mask_of([*(17 + rank for rank in (2, 3, 4, 6, 8)), 32])
_EVEN = mask_of(9 * suit + rank - 1 for suit in range(3) for rank in (2, 4, 6, 8))
_REVERSIBLE = mask_of([8 + r for r in (1, 2, 3, 4, 5, 8, 9)] + [17 + r for r in (2, 4, 5, 6, 8, 9)] + [31])


def _only(kinds: int) -> Callable[[Facts], int]:
    outside = ~kinds

    def when(facts: Facts) -> int:
        return 0 if facts.tally.held & outside else 1

    return when


#: Bamboo 2, 3, 4, 6, 8 and the green dragon; the dragon may be absent 绿一色.
all_green = _only(_GREEN)
#: Twos, fours, sixes and eights.
all_even = _only(_EVEN)
#: Tiles whose faces look the same upside down 推不倒.
reversible_tiles = _only(_REVERSIBLE)
#: Sevens, eights and nines 全大.
upper_tiles = _only(_ranks(7, 9))
#: Fours, fives and sixes 全中.
middle_tiles = _only(_ranks(4, 6))
#: Ones, twos and threes 全小.
lower_tiles = _only(_ranks(1, 3))
#: Sixes to nines 大于五.
upper_four = _only(_ranks(6, 9))
#: Ones to fours 小于五.
lower_four = _only(_ranks(1, 4))
#: No terminals and no honours 断幺.
all_simples = _only(_ranks(2, 8))
#: Winds and dragons 字一色.
all_honours = _only(HONOURS)
#: No winds and no dragons 无字.
no_honours = _only(_ranks(1, 9))
#: Ones and nines 清幺九.
all_terminals = _only(_ORPHANS & ~HONOURS)


def all_terminals_and_honours(facts: Facts) -> int:
    """Terminals and honours, both present 混幺九."""
    held = facts.tally.held
    return int(not held & ~_ORPHANS and bool(held & HONOURS) and bool(held & ~HONOURS))


def full_flush(facts: Facts) -> int:
    """One suit and nothing else 清一色."""
    return int(len(facts.tally.suits) == 1 and not facts.tally.has_honours)


def half_flush(facts: Facts) -> int:
    """One suit and honours 混一色."""
    return int(len(facts.tally.suits) == 1 and facts.tally.has_honours)


def one_voided_suit(facts: Facts) -> int:
    """Tiles of exactly two suits, with or without honours 缺一门."""
    return int(len(facts.tally.suits) == 2)


def all_types(facts: Facts) -> int:
    """All three suits, winds and dragons 五门齐."""
    held = facts.tally.held
    return int(all(held & part for part in (*_SUITS, _WINDS, _DRAGONS)))


def held_four_kinds(facts: Facts) -> tuple[int, ...]:
    """The kinds of which all four are in the hand, not as a kong."""
    counts = facts.tally.counts
    if 4 not in counts:
        return ()
    return tuple(kind for kind, count in enumerate(counts) if count == 4 and kind not in facts.kongs)


def tile_hog(facts: Facts) -> int:
    """All four of a kind in the hand, not as a kong; each kind once 四归一."""
    return len(held_four_kinds(facts))

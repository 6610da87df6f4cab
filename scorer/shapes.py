"""Every way in which the tiles of a hand form a winning shape, and every place where the winning tile can
sit.

Tiles are handled here as indices 0-33 (suits and honours in class order), and a hand as 34 counts.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from scorer.hand import Hand
from scorer.melds import MeldKind
from scorer.tiles import ALL_TILES, KINDS, Tile, counts_of, spell

__all__ = [
    "HONOURS", "IN_KNITTED", "IN_PAIR", "KNITTED", "NOWHERE", "ORPHANS", "Form", "Group", "Reading", "Shape",
    "held_of", "mask_of", "places", "readings", "shapes", "shapes_of", "table_groups",
]  # fmt: skip

#: The thirteen kinds of terminals and honours.
ORPHANS: tuple[int, ...] = (0, 8, 9, 17, 18, 26, *range(27, 34))

#: The six ways to knit three suits: the nine tiles 147, 258 and 369, each in a suit of its own.
KNITTED: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted(9 * suit + start + step for start, suit in enumerate(suits) for step in (0, 3, 6)))
    for suits in permutations(range(3))
)


class Form(Enum):
    """The kinds of winning shape. A rule set says which of them it accepts."""

    STANDARD = "standard"  # four sets and a pair
    SEVEN_PAIRS = "seven_pairs"  # seven different pairs
    REPEATED_PAIRS = "repeated_pairs"  # seven pairs where four of a kind stand for two of them
    THIRTEEN_ORPHANS = "thirteen_orphans"
    KNITTED_STRAIGHT = "knitted_straight"  # 147, 258 and 369 of three suits, one more set and a pair
    HONOURS_AND_KNITTED = "honours_and_knitted"  # fourteen single tiles, honours and parts of such a straight
    FLOWERS = "flowers"  # a win by flowers, whatever the standing tiles are


# By their own names, because looking a member up in its class takes longer than what is done with it.
_CHOW, _PUNG = MeldKind.CHOW, MeldKind.PUNG
_STANDARD, _SINGLES = Form.STANDARD, Form.HONOURS_AND_KNITTED


@dataclass(frozen=True, slots=True)
class Group:
    """One set of a shape: its kind, its lowest tile, whether it lies on the table, and whether it was
    claimed.

    A standing group is never `claimed`; whether the winning discard opens it depends on the win, see `facts`.
    """

    kind: MeldKind
    tile: int
    on_table: bool = False
    claimed: bool = False
    #: Its highest tile.
    last: int = field(init=False, compare=False)
    is_chow: bool = field(init=False, compare=False)
    is_kong: bool = field(init=False, compare=False)
    #: Its tiles in notation.
    text: str = field(init=False, compare=False)
    _tiles: tuple[Tile, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        chow, kong = self.kind is MeldKind.CHOW, self.kind is MeldKind.KONG
        last = self.tile + 2 if chow else self.tile
        tiles = ALL_TILES[self.tile : last + 1] * (1 if chow else 4 if kong else 3)
        object.__setattr__(self, "last", last)
        object.__setattr__(self, "is_chow", chow)
        object.__setattr__(self, "is_kong", kong)
        object.__setattr__(self, "text", spell(tiles))
        object.__setattr__(self, "_tiles", tiles)

    def holds(self, tile: int) -> bool:
        """Whether one of the tiles of the group is `tile`."""
        return self.tile <= tile <= self.last

    def tiles(self) -> tuple[Tile, ...]:
        """The tiles of the group."""
        return self._tiles


# Every group there can be, made once: by its lowest tile.
_CHOW_STARTS = tuple(tile if tile < 27 and tile % 9 < 7 else 0 for tile in range(KINDS))
_PUNGS = tuple(Group(MeldKind.PUNG, tile) for tile in range(KINDS))
_CHOWS = tuple(Group(MeldKind.CHOW, tile) for tile in _CHOW_STARTS)
_CLAIMED_PUNGS = tuple(Group(MeldKind.PUNG, tile, True, True) for tile in range(KINDS))
_CLAIMED_CHOWS = tuple(Group(MeldKind.CHOW, tile, True, True) for tile in _CHOW_STARTS)
_CLAIMED_KONGS = tuple(Group(MeldKind.KONG, tile, True, True) for tile in range(KINDS))
_CONCEALED_KONGS = tuple(Group(MeldKind.KONG, tile, True) for tile in range(KINDS))


class Shape(NamedTuple):
    """One winning arrangement. `groups` and `pair` are set for the standard form and the knitted straight,
    `pairs` for seven pairs, `knitted` for the two knitted forms.

    `pair` is the tile of the pair (for thirteen orphans the doubled tile), or -1 for a form without one.
    `knitted` holds the suited tiles that are neither in a set nor in the pair.
    """

    form: Form
    groups: tuple[Group, ...] = ()
    pair: int = -1
    pairs: tuple[int, ...] = ()
    knitted: tuple[int, ...] = ()


#: The winning tile sits in the pair, or the shape has no sets for it to sit in.
IN_PAIR = -1
#: No place: what a self-drawn tile opens.
NOWHERE = -2
#: The winning tile is one of the knitted tiles, or of the single ones beside them.
IN_KNITTED = -3


class Reading(NamedTuple):
    """A shape, and the group that the winning tile completed (`IN_PAIR` for the pair or a form without
    sets, `IN_KNITTED` for a tile of a knitted form that stands by itself)."""

    shape: Shape
    place: int


#: The suits and the honours among the 34 kinds.
_RANGES = ((0, 9), (9, 18), (18, 27), (27, 34))
_HONOURS_FROM = 27
_NO_TILES = ((0,) * 9, (0,) * 7)
_Split = tuple[int, tuple[Group, ...]]
#: The same of any suit: the rank of the pair or -1, and each set as its lowest rank and whether it is a chow.
_RankSplit = tuple[int, tuple[tuple[int, bool], ...]]


@lru_cache(maxsize=16384)
def _suit_splits(counts: tuple[int, ...], low: int) -> tuple[_Split, ...]:
    """All ways to part the tiles of one suit, or the honours, into sets and at most one pair.

    `low` is the kind of the first count. Each way is the kind of the pair, or -1, and the sets.
    """
    return tuple(
        [
            (
                -1 if eyes < 0 else low + eyes,
                tuple([_CHOWS[low + rank] if chow else _PUNGS[low + rank] for rank, chow in sets]),
            )
            for eyes, sets in _rank_splits(counts, low < _HONOURS_FROM)
        ]
    )


@lru_cache(maxsize=16384)
def _rank_splits(counts: tuple[int, ...], suited: bool) -> tuple[_RankSplit, ...]:
    return tuple(_split(list(counts), 0, -1, 0, suited))


def _split(counts: list[int], at: int, pair: int, tried: int, suited: bool) -> list[_RankSplit]:
    """What can be made of the tiles from rank `at` on. Of one rank first the pair is taken, then a pung, then
    chows; `tried` is how many of these are behind, so that no way is found twice."""
    while counts[at] == 0:
        at, tried = at + 1, 0
        if at == len(counts):
            return [(pair, ())]
    found: list[_RankSplit] = []
    count = counts[at]
    if count >= 2 and pair < 0 and not tried:
        counts[at] = count - 2
        found = _split(counts, at, at, 1, suited)
        counts[at] = count
    if count >= 3 and tried <= 1:
        counts[at] = count - 3
        pung = (at, False)
        found += [(eyes, (pung, *rest)) for eyes, rest in _split(counts, at, pair, 2, suited)]
        counts[at] = count
    if suited and at < 7 and counts[at + 1] and counts[at + 2]:
        counts[at] -= 1
        counts[at + 1] -= 1
        counts[at + 2] -= 1
        chow = (at, True)
        found += [(eyes, (chow, *rest)) for eyes, rest in _split(counts, at, pair, 2, suited)]
        counts[at] += 1
        counts[at + 1] += 1
        counts[at + 2] += 1
    return found


def mask_of(kinds: Iterable[int]) -> int:
    """A set of tile kinds as bits, kind 0 the lowest."""
    return sum(1 << kind for kind in set(kinds))


_DIGITS = b"0" + b"1" * 255


def held_of(counts: Sequence[int]) -> int:
    """The kinds of which there is at least one, as bits."""
    # The counts as digits, the last kind first, and whatever is more than nothing as a one.
    return int(bytes(counts[::-1]).translate(_DIGITS), 2)


#: The seven honours as bits.
HONOURS = mask_of(range(27, 34))
_ORPHANS = mask_of(ORPHANS)
_KNITTED_SIZE = 9
_KNITTED_MASKS = tuple(mask_of(kinds) for kinds in KNITTED)


def _standard(counts: tuple[int, ...]) -> list[tuple[tuple[Group, ...], int]]:
    """All ways to part the tiles into sets and a pair."""
    found: list[tuple[tuple[Group, ...], int]] = [((), -1)]
    for low, high in _RANGES:
        part = counts[low:high]
        if part in _NO_TILES:
            continue
        splits = _suit_splits(part, low)
        if not splits:
            return []
        found = [
            (sets + more, pair if eyes < 0 else eyes)
            for sets, pair in found
            for eyes, more in splits
            if pair < 0 or eyes < 0  # no second pair
        ]
    return [way for way in found if way[1] >= 0]


def table_groups(hand: Hand) -> tuple[Group, ...]:
    """The sets on the table as groups."""
    found = []
    for meld in hand.melds:
        tile, kind = meld.tiles[0].index, meld.kind
        if kind is _CHOW:
            found.append(_CLAIMED_CHOWS[tile])
        elif kind is _PUNG:
            found.append(_CLAIMED_PUNGS[tile])
        else:
            found.append(_CONCEALED_KONGS[tile] if meld.concealed else _CLAIMED_KONGS[tile])
    return tuple(found)


def shapes(hand: Hand, forms: Container[Form] = frozenset(Form)) -> tuple[Shape, ...]:
    """Every winning shape of the hand among `forms`, the empty tuple when it has none. The tiles must have no
    problem.

    >>> [shape.form.value for shape in shapes(Hand.parse("112233m112233p1z +1z"))]
    ['standard', 'seven_pairs']
    """
    standing = hand.standing
    counts = counts_of(standing)
    if len(standing) != sum(counts) or len(standing) + 3 * len(hand.melds) != 14 or max(counts) > 4:
        return ()
    return shapes_of(counts, held_of(counts), table_groups(hand), forms)


def shapes_of(
    counts: tuple[int, ...], held: int, table: tuple[Group, ...], forms: Container[Form]
) -> tuple[Shape, ...]:
    """The same from the standing tiles, as many as beside the sets on the `table` make a hand: their counts,
    and their kinds as bits."""
    found = [Shape(_STANDARD, table + sets, pair) for sets, pair in _standard(counts)]
    if len(table) < 2 and held.bit_count() >= _KNITTED_SIZE and Form.KNITTED_STRAIGHT in forms:
        found.extend(_knitted_straights(counts, held, table))
    if not table:
        other = _without_sets(counts, held)
        if other is not None and other.form in forms:
            found.append(other)
    return tuple(found)


def _knitted_straights(counts: Sequence[int], held: int, table: tuple[Group, ...]) -> Iterator[Shape]:
    for kinds, mask in zip(KNITTED, _KNITTED_MASKS, strict=True):
        if held & mask == mask:
            rest = list(counts)
            for kind in kinds:
                rest[kind] -= 1
            for sets, pair in _standard(tuple(rest)):
                yield Shape(Form.KNITTED_STRAIGHT, table + sets, pair, knitted=kinds)


def _without_sets(counts: Sequence[int], held: int) -> Shape | None:
    """The winning form that is not made of sets, of fourteen standing tiles."""
    kinds = held.bit_count()
    if kinds == 14:
        if any(held & ~(mask | HONOURS) == 0 for mask in _KNITTED_MASKS):
            suited = tuple(kind for kind in range(27) if counts[kind])
            return Shape(Form.HONOURS_AND_KNITTED, knitted=suited)
    elif kinds == 13:
        if held == _ORPHANS:
            return Shape(Form.THIRTEEN_ORPHANS, pair=counts.index(2))
    elif kinds <= 7 and 1 not in counts and 3 not in counts:
        pairs = tuple(kind for kind, count in enumerate(counts) for _ in range(count // 2))
        return Shape(Form.SEVEN_PAIRS if kinds == 7 else Form.REPEATED_PAIRS, pairs=pairs)
    return None


def places(shape: Shape, winning: int) -> tuple[int, ...]:
    """Where the winning tile can sit: indices of standing groups, `IN_PAIR`, `IN_KNITTED`. Equal sets count
    once."""
    if not shape.groups:
        return (IN_KNITTED,) if shape.form is _SINGLES else (IN_PAIR,)
    found: list[int] = []
    before = None
    for index, group in enumerate(shape.groups):
        # Equal standing sets are one and the same, and beside each other.
        if group.tile <= winning <= group.last and not group.on_table and group is not before:
            before = group
            found.append(index)
    if shape.pair == winning:
        found.append(IN_PAIR)
    if winning in shape.knitted:
        found.append(IN_KNITTED)
    return tuple(found)


def readings(found: Sequence[Shape], winning: int) -> list[Reading]:
    """Each shape with each place of the winning tile (an index 0-33)."""
    return [Reading(shape, place) for shape in found for place in places(shape, winning)]

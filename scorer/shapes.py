"""Every way in which the tiles of a hand form a winning shape, and every place where the winning tile can
sit.

Tiles are handled here as indices 0-33 (suits and honours in class order), and a hand as 34 counts.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import permutations, product

from scorer.hand import Hand
from scorer.melds import MeldKind
from scorer.tiles import ALL_TILES, KINDS, Tile

__all__ = [
    "HONOURS", "IN_KNITTED", "IN_PAIR", "KNITTED", "NOWHERE", "ORPHANS", "Form", "Group", "Reading", "Shape",
    "counts_of", "held_of", "mask_of", "places", "readings", "shapes",
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

    def holds(self, tile: int) -> bool:
        """Whether one of the tiles of the group is `tile`."""
        return self.tile <= tile <= self.tile + 2 if self.kind is MeldKind.CHOW else self.tile == tile

    def tiles(self) -> tuple[Tile, ...]:
        """The tiles of the group."""
        if self.kind is MeldKind.CHOW:
            return ALL_TILES[self.tile : self.tile + 3]
        return (ALL_TILES[self.tile],) * (4 if self.kind is MeldKind.KONG else 3)


@dataclass(frozen=True, slots=True)
class Shape:
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


@dataclass(frozen=True, slots=True)
class Reading:
    """A shape, and the group that the winning tile completed (`IN_PAIR` for the pair or a form without
    sets, `IN_KNITTED` for a tile of a knitted form that stands by itself)."""

    shape: Shape
    place: int


#: The suits and the honours among the 34 kinds.
_RANGES = ((0, 9), (9, 18), (18, 27), (27, 34))
_HONOURS_FROM = 27
_Split = tuple[int, tuple[Group, ...]]


@lru_cache(maxsize=16384)
def _suit_splits(counts: tuple[int, ...], low: int) -> tuple[_Split, ...]:
    """All ways to part the tiles of one suit, or the honours, into sets and at most one pair.

    `low` is the kind of the first count. Each way is the kind of the pair, or -1, and the sets.
    """
    return tuple(dict.fromkeys(_split(list(counts), 0, -1, low)))


def _split(counts: list[int], at: int, pair: int, low: int) -> list[_Split]:
    while at < len(counts) and counts[at] == 0:
        at += 1
    if at == len(counts):
        return [(pair, ())]
    found: list[_Split] = []
    if counts[at] >= 2 and pair < 0:
        counts[at] -= 2
        found.extend(_split(counts, at, low + at, low))
        counts[at] += 2
    if counts[at] >= 3:
        counts[at] -= 3
        pung = Group(MeldKind.PUNG, low + at)
        found.extend((eyes, (pung, *rest)) for eyes, rest in _split(counts, at, pair, low))
        counts[at] += 3
    if low < _HONOURS_FROM and at + 2 < len(counts) and counts[at + 1] and counts[at + 2]:
        for step in range(3):
            counts[at + step] -= 1
        chow = Group(MeldKind.CHOW, low + at)
        found.extend((eyes, (chow, *rest)) for eyes, rest in _split(counts, at, pair, low))
        for step in range(3):
            counts[at + step] += 1
    return found


def counts_of(tiles: Sequence[Tile]) -> tuple[int, ...]:
    """How many there are of each of the 34 kinds. Bonus and face-down tiles are left out."""
    counts = [0] * KINDS
    for tile in tiles:
        index = tile.index
        if index < KINDS:
            counts[index] += 1
    return tuple(counts)


def mask_of(kinds: Iterable[int]) -> int:
    """A set of tile kinds as bits, kind 0 the lowest."""
    return sum(1 << kind for kind in set(kinds))


def held_of(counts: Sequence[int]) -> int:
    """The kinds of which there is at least one, as bits."""
    held, bit = 0, 1
    for count in counts:
        if count:
            held |= bit
        bit <<= 1
    return held


#: The seven honours as bits.
HONOURS = mask_of(range(27, 34))
_KNITTED_SIZE = 9
_KNITTED_MASKS = tuple(mask_of(kinds) for kinds in KNITTED)


def _standard(counts: Sequence[int], wanted: int) -> list[tuple[tuple[Group, ...], int]]:
    """All ways to part the tiles into `wanted` sets and a pair."""
    parts = []
    for low, high in _RANGES:
        part = tuple(counts[low:high])
        if any(part):
            splits = _suit_splits(part, low)
            if not splits:
                return []
            parts.append(splits)
    found = []
    for chosen in product(*parts):
        pair = -1
        sets: tuple[Group, ...] = ()
        for eyes, groups in chosen:
            if eyes >= 0:
                if pair >= 0:
                    break  # a second pair
                pair = eyes
            sets += groups
        else:
            if pair >= 0 and len(sets) == wanted:
                found.append((sets, pair))
    return found


def table_groups(hand: Hand) -> tuple[Group, ...]:
    """The sets on the table as groups."""
    return tuple([Group(meld.kind, meld.tile.index, True, not meld.concealed) for meld in hand.melds])


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
    table = table_groups(hand)
    found = [Shape(Form.STANDARD, (*table, *sets), pair) for sets, pair in _standard(counts, 4 - len(table))]
    if Form.KNITTED_STRAIGHT in forms:
        found.extend(_knitted_straights(counts, table))
    if not hand.melds:
        found.extend(shape for shape in _without_sets(counts) if shape.form in forms)
    return tuple(found)


def _knitted_straights(counts: Sequence[int], table: tuple[Group, ...]) -> Iterator[Shape]:
    held = held_of(counts) if len(table) < 2 else 0
    if held.bit_count() < _KNITTED_SIZE:
        return
    for kinds, mask in zip(KNITTED, _KNITTED_MASKS, strict=True):
        if held & mask == mask:
            rest = list(counts)
            for kind in kinds:
                rest[kind] -= 1
            for sets, pair in _standard(rest, 1 - len(table)):
                yield Shape(Form.KNITTED_STRAIGHT, (*table, *sets), pair, knitted=kinds)


def _without_sets(counts: Sequence[int]) -> Iterator[Shape]:
    """The winning forms that are not made of sets; nothing may lie on the table."""
    most = max(counts)
    if most == 1:
        held = held_of(counts)
        if any(held & ~(mask | HONOURS) == 0 for mask in _KNITTED_MASKS):
            suited = tuple(kind for kind in range(27) if counts[kind])
            yield Shape(Form.HONOURS_AND_KNITTED, knitted=suited)
    elif all(count in (0, 2, 4) for count in counts):
        pairs = tuple(kind for kind, count in enumerate(counts) for _ in range(count // 2))
        yield Shape(Form.SEVEN_PAIRS if most == 2 else Form.REPEATED_PAIRS, pairs=pairs)
    elif most == 2 and all(counts[kind] for kind in ORPHANS) and sum(counts[kind] for kind in ORPHANS) == 14:
        yield Shape(Form.THIRTEEN_ORPHANS, pair=next(kind for kind in ORPHANS if counts[kind] == 2))


def places(shape: Shape, winning: int) -> tuple[int, ...]:
    """Where the winning tile can sit: indices of standing groups, `IN_PAIR`, `IN_KNITTED`. Equal sets count
    once."""
    if shape.form is Form.HONOURS_AND_KNITTED:
        return (IN_KNITTED,)
    if not shape.groups:
        return (IN_PAIR,)
    found: list[int] = []
    seen: list[Group] = []
    for index, group in enumerate(shape.groups):
        if not group.on_table and group.holds(winning) and group not in seen:
            seen.append(group)
            found.append(index)
    if shape.pair == winning:
        found.append(IN_PAIR)
    if winning in shape.knitted:
        found.append(IN_KNITTED)
    return tuple(found)


def readings(found: Sequence[Shape], winning: int) -> list[Reading]:
    """Each shape with each place of the winning tile (an index 0-33)."""
    return [Reading(shape, place) for shape in found for place in places(shape, winning)]

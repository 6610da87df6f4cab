"""Every way in which the tiles of a hand form a winning shape, and every place where the winning tile can
sit.

Tiles are handled here as indices 0-33 (suits and honours in class order), and a hand as 34 counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import product

from scorer.hand import Hand
from scorer.melds import MeldKind
from scorer.tiles import ALL_TILES, KINDS, Tile

__all__ = ["ORPHANS", "Form", "Group", "Reading", "Shape", "counts_of", "places", "readings", "shapes"]

#: The thirteen kinds of terminals and honours.
ORPHANS: tuple[int, ...] = (0, 8, 9, 17, 18, 26, *range(27, 34))


class Form(Enum):
    """The kinds of winning shape. A rule set says which of them it accepts."""

    STANDARD = "standard"  # four sets and a pair
    SEVEN_PAIRS = "seven_pairs"  # seven different pairs
    REPEATED_PAIRS = "repeated_pairs"  # seven pairs where four of a kind stand for two of them
    THIRTEEN_ORPHANS = "thirteen_orphans"
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
    """One winning arrangement. `groups` and `pair` are set for the standard form only; `pairs` for seven
    pairs.

    `pair` is the tile of the pair (for thirteen orphans the doubled tile), or -1 for seven pairs.
    """

    form: Form
    groups: tuple[Group, ...] = ()
    pair: int = -1
    pairs: tuple[int, ...] = ()


#: The winning tile sits in the pair, or the shape has no sets for it to sit in.
IN_PAIR = -1


@dataclass(frozen=True, slots=True)
class Reading:
    """A shape, and the group that the winning tile completed (`IN_PAIR` for the pair or a form without
    sets)."""

    shape: Shape
    place: int


_Split = tuple[int, tuple[tuple[MeldKind, int], ...]]


@lru_cache(maxsize=8192)
def _suit_splits(counts: tuple[int, ...], chows: bool) -> tuple[_Split, ...]:
    """All ways to part the counts of one suit into sets and at most one pair: (rank of the pair or -1,
    sets)."""
    return tuple(dict.fromkeys(_split(list(counts), 0, -1, chows)))


def _split(counts: list[int], at: int, pair: int, chows: bool) -> list[_Split]:
    while at < len(counts) and counts[at] == 0:
        at += 1
    if at == len(counts):
        return [(pair, ())]
    found: list[_Split] = []
    if counts[at] >= 2 and pair < 0:
        counts[at] -= 2
        found.extend(_split(counts, at, at, chows))
        counts[at] += 2
    if counts[at] >= 3:
        counts[at] -= 3
        found.extend((eyes, ((MeldKind.PUNG, at), *rest)) for eyes, rest in _split(counts, at, pair, chows))
        counts[at] += 3
    if chows and at + 2 < len(counts) and counts[at + 1] and counts[at + 2]:
        for step in range(3):
            counts[at + step] -= 1
        found.extend((eyes, ((MeldKind.CHOW, at), *rest)) for eyes, rest in _split(counts, at, pair, chows))
        for step in range(3):
            counts[at + step] += 1
    return found


def counts_of(tiles: Sequence[Tile]) -> tuple[int, ...]:
    """How many there are of each of the 34 kinds. Bonus and face-down tiles are left out."""
    counts = [0] * KINDS
    for tile in tiles:
        if tile.index < KINDS:
            counts[tile.index] += 1
    return tuple(counts)


def _standard(counts: tuple[int, ...], table: tuple[Group, ...]) -> list[Shape]:
    wanted = 4 - len(table)
    suits = [
        _suit_splits(counts[low:high], high < KINDS) for low, high in ((0, 9), (9, 18), (18, 27), (27, 34))
    ]
    found = []
    for parts in product(*suits):
        eyes = [low + pair for low, (pair, _) in zip((0, 9, 18, 27), parts, strict=True) if pair >= 0]
        sets = [
            Group(kind, low + rank)
            for low, (_, groups) in zip((0, 9, 18, 27), parts, strict=True)
            for kind, rank in groups
        ]
        if len(eyes) == 1 and len(sets) == wanted:
            found.append(Shape(Form.STANDARD, (*table, *sets), eyes[0]))
    return found


def table_groups(hand: Hand) -> tuple[Group, ...]:
    """The sets on the table as groups."""
    return tuple(Group(meld.kind, meld.tile.index, True, not meld.concealed) for meld in hand.melds)


def shapes(hand: Hand) -> tuple[Shape, ...]:
    """Every winning shape of the hand, the empty tuple when it has none. The tiles must have no problem.

    >>> [shape.form.value for shape in shapes(Hand.parse("112233m112233p1z +1z"))]
    ['standard', 'seven_pairs']
    """
    standing = hand.standing
    if any(tile.index >= KINDS for tile in standing) or len(standing) + 3 * len(hand.melds) != 14:
        return ()
    counts = counts_of(standing)
    if max(counts) > 4:
        return ()
    found = _standard(counts, table_groups(hand))
    if not hand.melds:
        if all(count in (0, 2, 4) for count in counts):
            pairs = tuple(kind for kind, count in enumerate(counts) for _ in range(count // 2))
            form = Form.SEVEN_PAIRS if max(counts) == 2 else Form.REPEATED_PAIRS
            found.append(Shape(form, pairs=pairs))
        if all(counts[kind] for kind in ORPHANS) and sum(counts[kind] for kind in ORPHANS) == 14:
            doubled = next(kind for kind in ORPHANS if counts[kind] == 2)
            found.append(Shape(Form.THIRTEEN_ORPHANS, pair=doubled))
    return tuple(found)


def places(shape: Shape, winning: int) -> tuple[int, ...]:
    """Where the winning tile can sit: indices of standing groups, `IN_PAIR` for the pair. Equal sets count
    once."""
    if shape.form is not Form.STANDARD:
        return (IN_PAIR,)
    found: dict[tuple[MeldKind, int], int] = {}
    for index, group in enumerate(shape.groups):
        if not group.on_table and group.holds(winning):
            found.setdefault((group.kind, group.tile), index)
    return (*found.values(), IN_PAIR) if shape.pair == winning else tuple(found.values())


def readings(found: Sequence[Shape], winning: int) -> list[Reading]:
    """Each shape with each place of the winning tile (an index 0-33)."""
    return [Reading(shape, place) for shape in found for place in places(shape, winning)]

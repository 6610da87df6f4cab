"""How far a hand is from winning: how many tiles would have to be others, and which."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scorer.hand import Hand
from scorer.shapes import KNITTED, ORPHANS, Form, held_of, shapes_of, table_groups
from scorer.tiles import ALL_TILES, KINDS, Tile, counts_of

__all__ = ["Distance", "Swap", "distance"]

_HONOURS_FROM = 27
#: By sets and pairs: the overlap with the hand, and the target.
_Part = dict[tuple[int, int], tuple[int, tuple[int, ...]]]


@dataclass(frozen=True, slots=True)
class Swap:
    """One tile that would have to be another: `spare` None where a tile is only missing, `missing` None where
    one is only too many."""

    missing: Tile | None
    spare: Tile | None

    def to_dict(self) -> dict[str, str | None]:
        """As plain data."""
        return {
            "missing": None if self.missing is None else str(self.missing),
            "spare": None if self.spare is None else str(self.spare),
        }


@dataclass(frozen=True, slots=True)
class Distance:
    """How many of the standing tiles would have to be others for the hand to win (0: it wins).

    `missing` and `spare` are the tiles of one nearest winning shape, and `nearest` that shape's standing
    tiles. `swaps`, at a distance of one, are all single tiles that would make the hand win.
    """

    tiles: int
    nearest: tuple[Tile, ...]
    missing: tuple[Tile, ...]
    spare: tuple[Tile, ...]
    swaps: tuple[Swap, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {
            "tiles": self.tiles,
            "nearest": [str(tile) for tile in self.nearest],
            "missing": [str(tile) for tile in self.missing],
            "spare": [str(tile) for tile in self.spare],
            "swaps": [swap.to_dict() for swap in self.swaps],
        }


def distance(hand: Hand, forms: Container[Form]) -> Distance | None:
    """How far the hand is from the nearest winning shape among `forms`.

    The sets on the table stay what they are; a winning shape holds at most four of a tile. A hand of too few
    or too many tiles has a distance too: the larger of the tiles missing and of those too many. None where
    more than four sets lie on the table, from which no shape can come.
    """
    sets = 4 - len(hand.melds)
    if sets < 0:
        return None
    counts = counts_of(hand.standing)
    on_table = counts_of([tile for meld in hand.melds for tile in meld.tiles])
    room = tuple(max(4 - count, 0) for count in on_table)
    best: tuple[int, tuple[int, ...]] | None = None
    for target in _targets(counts, room, sets, forms, bare=not hand.melds):
        overlap = sum(map(min, target, counts))
        if best is None or overlap > best[0]:
            best = overlap, target
    if best is None:
        return None
    size = len(hand.standing)
    missing = _difference(best[1], counts)
    spare = [tile for tile in hand.standing if tile.index >= KINDS] + _difference(counts, best[1])
    far = max(len(missing), size - best[0])
    swaps = _swaps(hand, counts, room, forms) if far == 1 else ()
    return Distance(far, tuple(_difference(best[1], (0,) * KINDS)), tuple(missing), tuple(spare), swaps)


def _difference(more: Sequence[int], less: Sequence[int]) -> list[Tile]:
    return [
        ALL_TILES[kind]
        for kind, (has, without) in enumerate(zip(more, less, strict=True))
        for _ in range(has - without)
    ]


def _swaps(
    hand: Hand, counts: tuple[int, ...], room: tuple[int, ...], forms: Container[Form]
) -> tuple[Swap, ...]:
    """Every single tile that put in the place of another, or added, or taken away, makes the hand win."""
    table, wanted, size = table_groups(hand), 14 - 3 * len(hand.melds), len(hand.standing)
    odd = [tile for tile in hand.standing if tile.index >= KINDS]
    takes: list[int] = [odd[0].index] if odd else [kind for kind, count in enumerate(counts) if count]
    gives = [kind for kind in range(KINDS) if counts[kind] < room[kind]]
    choices: Iterator[tuple[int | None, int | None]]
    if size == wanted:
        choices = ((give, take) for take in takes for give in gives if give != take)
    elif size == wanted - 1:
        choices = ((give, None) for give in gives)
    else:
        choices = ((None, take) for take in takes)
    found = []
    for give, take in choices:
        after = list(counts)
        if take is not None and take < KINDS:
            after[take] -= 1
        if give is not None:
            after[give] += 1
        tiles = tuple(after)
        if sum(tiles) == wanted and shapes_of(tiles, held_of(tiles), table, forms):
            found.append(
                Swap(None if give is None else ALL_TILES[give], None if take is None else ALL_TILES[take])
            )
    return tuple(found)


def _targets(
    counts: tuple[int, ...], room: tuple[int, ...], sets: int, forms: Container[Form], *, bare: bool
) -> Iterator[tuple[int, ...]]:
    """The nearest winning shape of each form, as counts of its standing tiles."""
    yield _standard(counts, room, sets)
    if bare:
        if Form.THIRTEEN_ORPHANS in forms:
            pair = max(ORPHANS, key=lambda kind: counts[kind])
            yield tuple((kind in ORPHANS) + (kind == pair) for kind in range(KINDS))
        if Form.SEVEN_PAIRS in forms or Form.REPEATED_PAIRS in forms:
            yield _pairs(counts, repeated=Form.REPEATED_PAIRS in forms)
        if Form.HONOURS_AND_KNITTED in forms:
            yield from (_singles(counts, kinds) for kinds in KNITTED)
    if Form.KNITTED_STRAIGHT in forms and sets >= 3:
        for kinds in KNITTED:
            knitted = [int(kind in kinds) for kind in range(KINDS)]
            less = tuple(max(count - one, 0) for count, one in zip(counts, knitted, strict=True))
            left = tuple(most - one for most, one in zip(room, knitted, strict=True))
            if min(left) >= 0:
                rest = _standard(less, left, sets - 3)
                yield tuple(one + more for one, more in zip(knitted, rest, strict=True))


def _pairs(counts: tuple[int, ...], *, repeated: bool) -> tuple[int, ...]:
    """The nearest seven pairs; `repeated` lets four of a kind be two of them."""
    worth = [(min(counts[kind], 2), -kind, kind) for kind in range(KINDS)]
    if repeated:
        worth += [(min(max(counts[kind] - 2, 0), 2), -kind - KINDS, kind) for kind in range(KINDS)]
    target = [0] * KINDS
    for _, _, kind in sorted(worth, reverse=True)[:7]:
        target[kind] += 2
    return tuple(target)


def _singles(counts: tuple[int, ...], kinds: tuple[int, ...]) -> tuple[int, ...]:
    """The nearest fourteen single tiles of the honours and one knitted straight."""
    of_form = sorted([*kinds, *range(_HONOURS_FROM, KINDS)], key=lambda kind: not counts[kind])
    chosen = set(of_form[:14])
    return tuple(int(kind in chosen) for kind in range(KINDS))


def _standard(counts: tuple[int, ...], room: tuple[int, ...], sets: int) -> tuple[int, ...]:
    """The counts of the nearest `sets` sets and a pair."""
    parts = [
        *(_best_suit(counts[low : low + 9], room[low : low + 9], True, sets) for low in (0, 9, 18)),
        _best_suit(counts[27:], room[27:], False, sets),
    ]
    known: _Part = {(0, 0): (0, ())}
    for part in parts:
        longer: _Part = {}
        for (done, paired), (overlap, target) in known.items():
            for (more, pair), (gain, own) in part.items():
                key = done + more, paired + pair
                if key[0] <= sets and key[1] <= 1:
                    candidate = overlap + gain, target + own
                    if key not in longer or candidate[0] > longer[key][0]:
                        longer[key] = candidate
        known = longer
    return known[sets, 1][1]


@lru_cache(maxsize=4096)
def _best_suit(counts: tuple[int, ...], room: tuple[int, ...], suited: bool, sets: int) -> _Part:
    """For each number of sets and pairs in one suit: the most of the tiles that such sets can use, and the
    counts of those sets. Rank by rank; a state is the chows that began one and two ranks before."""
    states: dict[tuple[int, int, int, int], tuple[int, tuple[int, ...]]] = {(0, 0, 0, 0): (0, ())}
    size = len(counts)
    for at in range(size):
        longer: dict[tuple[int, int, int, int], tuple[int, tuple[int, ...]]] = {}
        most_chows = 4 if suited and at <= size - 3 else 0
        for (one, two, done, paired), (overlap, target) in states.items():
            for chows, pung, pair in _CHOICES:
                wanted = one + two + chows + 3 * pung + 2 * pair
                if chows > most_chows or wanted > room[at]:
                    continue
                key = chows, one, done + chows + pung, paired + pair
                if key[2] > sets or key[3] > 1:
                    continue
                gain = overlap + min(wanted, counts[at])
                if key not in longer or gain > longer[key][0]:
                    longer[key] = gain, (*target, wanted)
        states = longer
    found: _Part = {}
    for (one, two, done, paired), value in states.items():
        # Chows that began in the last two ranks would be cut off.
        if one == two == 0 and ((done, paired) not in found or value[0] > found[done, paired][0]):
            found[done, paired] = value
    return found


#: What may begin at a rank: chows, a pung, the pair.
_CHOICES = tuple(
    (chows, pung, pair)
    for chows in range(5)
    for pung, pair in ((0, 0), (1, 0), (0, 1))
    if chows + 3 * pung + 2 * pair <= 4
)

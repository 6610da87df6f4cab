"""Everything that a pattern may ask about one reading of a hand, computed once."""

from __future__ import annotations

from typing import NamedTuple

from scorer.hand import Context, Hand, Win
from scorer.needs import Need
from scorer.shapes import HONOURS, IN_PAIR, NOWHERE, ORPHANS, Form, Reading, Shape, held_of, mask_of
from scorer.tiles import Tile, counts_of

__all__ = ["Facts", "Tally", "facts_of", "tally"]


class Tally(NamedTuple):
    """What holds for the hand whichever way it is read: counts, suits, exposure, flowers."""

    hand: Hand
    counts: tuple[int, ...]  # of the 34 kinds, every tile of the hand
    standing: tuple[int, ...]  # the same, of the tiles that stand, the winning one included
    held: int  # the kinds in the hand, as bits
    held_standing: int  # the kinds among the tiles that stand
    suits: frozenset[int]  # 0 characters, 1 dots, 2 bamboo
    has_honours: bool
    has_terminals: bool
    only_orphans: bool  # nothing but terminals and honours
    is_open: bool  # a claimed set lies on the table
    claimed_sets: int
    concealed_kongs: int
    claimed_kongs: int
    flowers: frozenset[int]  # ranks 1-8 of the flowers and seasons set aside
    flower_count: int
    traits: int  # of the hand, as bits of `Need`


class Facts(NamedTuple):
    """One reading of a hand in one context: the only thing that patterns see.

    Tiles are indices 0-33, sorted. `pungs` holds kongs too. A pung or kong is in `concealed_pungs` when none
    of its tiles was claimed: a pung that the winning discard completed is not.
    """

    tally: Tally
    shape: Shape
    form: Form
    pair: int  # the tile of the pair, -1 for seven pairs
    place: int
    in_pair: bool
    win: Win
    self_drawn: bool
    winning: int  # -1 when unknown
    seat: int  # 1-4, east to north
    round: int
    flags: frozenset[str]
    chows: tuple[int, ...]
    pungs: tuple[int, ...]
    kongs: tuple[int, ...]
    concealed_pungs: int
    traits: int  # of the reading and of the hand, as bits of `Need`


_DRAW, _ROB = Win.SELF_DRAW, Win.ROB_KONG
_TERMINALS = mask_of(ORPHANS) & ~HONOURS
_SIMPLES = mask_of(range(27)) & ~_TERMINALS
_CHARACTERS, _DOTS, _BAMBOO = (0x1FF << 9 * suit for suit in range(3))
#: The suits that are there, by a bit for each.
_SUITS = tuple(frozenset(suit for suit in range(3) if bits >> suit & 1) for bits in range(8))
_NOTHING: frozenset[int] = frozenset()
#: The traits of so many suits, and of so many chows or pungs.
_OF_SUITS = (Need.NO_SUIT.value, Need.ONE_SUIT.value, Need.TWO_SUITS.value, 0)
_OF_CHOWS = (
    0,
    Need.CHOW.value,
    (Need.CHOW | Need.TWO_CHOWS).value,
    (Need.CHOW | Need.TWO_CHOWS | Need.THREE_CHOWS).value,
    (Need.CHOW | Need.TWO_CHOWS | Need.THREE_CHOWS | Need.FOUR_CHOWS).value,
)
_OF_PUNGS = (
    0,
    Need.PUNG.value,
    (Need.PUNG | Need.TWO_PUNGS).value,
    (Need.PUNG | Need.TWO_PUNGS | Need.THREE_PUNGS).value,
    (Need.PUNG | Need.TWO_PUNGS | Need.THREE_PUNGS | Need.FOUR_PUNGS).value,
)
_HONOURS, _NO_HONOURS, _ONLY_OUTSIDE = Need.HONOURS.value, Need.NO_HONOURS.value, Need.ONLY_OUTSIDE.value
_NO_CLAIM, _NO_TABLE, _FOUR_ALIKE = Need.NO_CLAIM.value, Need.NO_TABLE.value, Need.FOUR_ALIKE.value
_FLOWERS, _NO_FLOWERS, _FOUR_FLOWERS = Need.FLOWERS.value, Need.NO_FLOWERS.value, Need.FOUR_FLOWERS.value
_ANIMALS = Need.ANIMALS.value
_DRAWN, _ROBBED, _FLAGS = Need.DRAWN.value, Need.ROBBED.value, Need.FLAGS.value
_KONG, _DRAGON_PUNG, _WIND_PUNG = Need.KONG.value, Need.DRAGON_PUNG.value, Need.WIND_PUNG.value
_NO_SETS, _KNITTED = Need.NO_SETS.value, Need.KNITTED.value
_CHOW_COMPLETED, _PAIR_COMPLETED = Need.CHOW_COMPLETED.value, Need.PAIR_COMPLETED.value


def tally(hand: Hand, flower_count: int | None = None) -> Tally:
    """Count the hand once for all its readings. `flower_count` stands in where the flowers are not listed."""
    standing = counts_of(hand.standing)
    held_standing = held_of(standing)
    counts, held, claimed, hidden, kongs = standing, held_standing, 0, 0, 0
    if hand.melds:
        every = list(standing)
        for meld in hand.melds:
            tiles = meld.tiles
            for tile in tiles:
                every[tile.index] += 1
            concealed = meld.concealed
            claimed += not concealed
            if len(tiles) == 4:
                kongs += 1
                hidden += concealed
        counts = tuple(every)
        held = held_of(counts)
    suits = _SUITS[
        (1 if held & _CHARACTERS else 0) | (2 if held & _DOTS else 0) | (4 if held & _BAMBOO else 0)
    ]
    has_honours, only_orphans = held & HONOURS != 0, not held & _SIMPLES
    traits = _OF_SUITS[len(suits)] | (_HONOURS if has_honours else _NO_HONOURS)
    if only_orphans:
        traits |= _ONLY_OUTSIDE
    if not claimed:
        traits |= _NO_CLAIM if hand.melds else _NO_CLAIM | _NO_TABLE
    if 4 in counts:
        traits |= _FOUR_ALIKE
    flowers = _NOTHING
    if hand.bonus:
        flowers = frozenset([tile.rank for tile in hand.bonus if tile.suit == "f"])
        if len(flowers) >= 4:
            traits |= _FOUR_FLOWERS
        if len(flowers) < len(hand.bonus):
            traits |= _ANIMALS
    flower_count = max(len(flowers), flower_count or 0)
    traits |= _FLOWERS if flower_count else _NO_FLOWERS
    return Tally(
        hand,
        counts,
        standing,
        held,
        held_standing,
        suits,
        has_honours,
        held & _TERMINALS != 0,
        only_orphans,
        claimed > 0,
        claimed,
        hidden,
        kongs - hidden,
        flowers,
        flower_count,
        traits,
    )


def facts_of(counted: Tally, reading: Reading, winning: Tile | None, context: Context) -> Facts:
    """The facts of one reading. `context` must name the win and both winds."""
    win, seat, wind = context.win, context.seat, context.round
    if win is None or seat is None or wind is None:
        raise ValueError("facts need a context without unknowns")
    shape, place = reading
    drawn = win is _DRAW
    claimed_place = NOWHERE if drawn else place
    chows: list[int] = []
    pungs: list[int] = []
    kongs: list[int] = []
    hidden = 0
    for index, group in enumerate(shape.groups):
        if group.is_chow:
            chows.append(group.tile)
        else:
            pungs.append(group.tile)
            # A pung that another player's tile completed is as open as a claimed one.
            if not group.claimed and index != claimed_place:
                hidden += 1
            if group.is_kong:
                kongs.append(group.tile)
    chows.sort()
    pungs.sort()
    traits = counted.traits | _traits(shape, place, chows, pungs, kongs)
    if drawn:
        traits |= _DRAWN
    elif win is _ROB:
        traits |= _ROBBED
    if context.flags:
        traits |= _FLAGS
    return Facts(
        counted,
        shape,
        shape.form,
        shape.pair,
        place,
        place == IN_PAIR,
        win,
        drawn,
        -1 if winning is None else winning.index,
        seat.rank,
        wind.rank,
        context.flags,
        tuple(chows),
        tuple(pungs),
        tuple(kongs),
        hidden,
        traits,
    )


def _traits(shape: Shape, place: int, chows: list[int], pungs: list[int], kongs: list[int]) -> int:
    """What the sets are, and where among them the winning tile sits."""
    groups = shape.groups
    traits = _OF_CHOWS[len(chows)] | _OF_PUNGS[len(pungs)]
    if pungs and pungs[-1] >= 27:
        if pungs[-1] >= 31:
            traits |= _DRAGON_PUNG
        if any(27 <= tile < 31 for tile in pungs):
            traits |= _WIND_PUNG
    if kongs:
        traits |= _KONG
    if not groups:
        traits |= _NO_SETS
    if shape.knitted:
        traits |= _KNITTED
    if place == IN_PAIR:
        traits |= _PAIR_COMPLETED
    elif place >= 0 and groups[place].is_chow:
        traits |= _CHOW_COMPLETED
    return traits

"""Everything that a pattern may ask about one reading of a hand, computed once."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.hand import Context, Hand, Win
from scorer.melds import MeldKind
from scorer.shapes import (
    HONOURS,
    IN_PAIR,
    NOWHERE,
    ORPHANS,
    Form,
    Reading,
    Shape,
    counts_of,
    held_of,
    mask_of,
)
from scorer.tiles import Tile

__all__ = ["Facts", "Tally", "facts_of", "tally"]

_TERMINALS = mask_of(ORPHANS) & ~HONOURS


@dataclass(frozen=True, slots=True)
class Tally:
    """What holds for the hand whichever way it is read: counts, suits, exposure, flowers."""

    hand: Hand
    counts: tuple[int, ...]  # of the 34 kinds, every tile of the hand
    standing: tuple[int, ...]  # the same, of the tiles that stand, the winning one included
    held: int  # the kinds in the hand, as bits
    suits: frozenset[int]  # 0 characters, 1 dots, 2 bamboo
    has_honours: bool
    has_terminals: bool
    only_orphans: bool  # nothing but terminals and honours
    is_open: bool  # a claimed set lies on the table
    concealed_kongs: int
    claimed_kongs: int
    flowers: frozenset[int]  # ranks 1-8 of the flowers and seasons set aside
    flower_count: int


@dataclass(frozen=True, slots=True)
class Facts:
    """One reading of a hand in one context: the only thing that patterns see.

    Tiles are indices 0-33, sorted. `pungs` holds kongs too. A pung or kong is in `concealed_pungs` when none
    of its tiles was claimed: a pung that the winning discard completed is not.
    """

    tally: Tally
    shape: Shape
    place: int
    win: Win
    winning: int  # -1 when unknown
    seat: int  # 1-4, east to north
    round: int
    flags: frozenset[str]
    chows: tuple[int, ...]
    pungs: tuple[int, ...]
    kongs: tuple[int, ...]
    concealed_pungs: int
    in_pair: bool

    @property
    def form(self) -> Form:
        """Which kind of winning shape this is."""
        return self.shape.form

    @property
    def pair(self) -> int:
        """The tile of the pair, -1 for seven pairs."""
        return self.shape.pair

    @property
    def self_drawn(self) -> bool:
        """Whether the winner drew the winning tile."""
        return self.win is Win.SELF_DRAW


def tally(hand: Hand, flower_count: int | None = None) -> Tally:
    """Count the hand once for all its readings. `flower_count` stands in where the flowers are not listed."""
    counts = counts_of(hand.tiles)
    held = held_of(counts)
    flowers = frozenset([tile.rank for tile in hand.bonus if tile.suit == "f"])
    kongs = [meld for meld in hand.melds if meld.kind is MeldKind.KONG]
    hidden = sum([meld.concealed for meld in kongs])
    return Tally(
        hand=hand,
        counts=counts,
        standing=counts_of(hand.standing) if hand.melds else counts,
        held=held,
        suits=frozenset([suit for suit in range(3) if held >> 9 * suit & 0x1FF]),
        has_honours=bool(held & HONOURS),
        has_terminals=bool(held & _TERMINALS),
        only_orphans=not held & ~(HONOURS | _TERMINALS),
        is_open=any(not meld.concealed for meld in hand.melds),
        concealed_kongs=hidden,
        claimed_kongs=len(kongs) - hidden,
        flowers=flowers,
        flower_count=max(len(flowers), flower_count or 0),
    )


def facts_of(counted: Tally, reading: Reading, winning: Tile | None, context: Context) -> Facts:
    """The facts of one reading. `context` must name the win and both winds."""
    if context.win is None or context.seat is None or context.round is None:
        raise ValueError("facts need a context without unknowns")
    shape, place = reading.shape, reading.place
    claimed_place = place if context.win is not Win.SELF_DRAW else NOWHERE
    chows, pungs, kongs, hidden = [], [], [], 0
    for index, group in enumerate(shape.groups):
        if group.kind is MeldKind.CHOW:
            chows.append(group.tile)
        else:
            pungs.append(group.tile)
            # A pung that another player's tile completed is as open as a claimed one.
            hidden += not group.claimed and index != claimed_place
            if group.kind is MeldKind.KONG:
                kongs.append(group.tile)
    return Facts(
        tally=counted,
        shape=shape,
        place=place,
        win=context.win,
        winning=-1 if winning is None else winning.index,
        seat=context.seat.rank,
        round=context.round.rank,
        flags=context.flags,
        chows=tuple(sorted(chows)),
        pungs=tuple(sorted(pungs)),
        kongs=tuple(kongs),
        concealed_pungs=hidden,
        in_pair=place == IN_PAIR,
    )

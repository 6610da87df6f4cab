"""Which tiles of a layout are sets on the table: what the way they lie makes evident, and nothing more.

A photo shows where tiles lie, not who claimed what. Two things are taken as evidence: face-down tiles in a
kong, which are laid so to mark it as concealed, and whole sets that lie apart from a block of standing
tiles. All else stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.melds import Meld, MeldKind, kind_of
from scorer.tiles import Tile
from vision.layout import Layout

__all__ = ["SeenSet", "claimed_sets", "concealed_kongs", "others"]

_TOUCH = 0.6
"""Tiles closer than this many widths belong together: hands are set down with a little air between them."""

_APART = 0.8
"""Tiles further than this many widths apart have been laid apart on purpose."""

_BLOCK = 5
"""Fewest tiles that make a block of standing tiles: a set of three or a kong is none, nor is a lone pair."""


_MOST = 18
"""Most tiles, without bonus tiles, that a hand can show: four kongs and a pair."""

_LEAST = 13
"""Fewest tiles that one row must show to be taken for the whole hand."""


@dataclass(frozen=True, slots=True)
class SeenSet:
    """A set, and the positions in reading order of the tiles that show it."""

    meld: Meld
    members: tuple[int, ...]


def others(layout: Layout, tiles: Sequence[Tile]) -> tuple[int, ...]:
    """Positions of the tiles that lie on the table but cannot be of the hand: discards, the wall, other
    hands.

    Only where more tiles are seen than any hand holds, and just one row has as many as a hand does, in
    reach of each other (a tile's width or two): that row, with its bonus tiles, is then the hand.
    Otherwise none is left out, for a hand may lie in any number of rows.
    """
    if sum(not tile.is_bonus for tile in tiles) <= _MOST:
        return ()
    runs = _runs(layout, 2.5)
    whole = [run for run in runs if _LEAST <= sum(not tiles[i].is_bonus for i in run) <= _MOST]
    if len(whole) != 1:
        return ()
    hand = frozenset(whole[0])
    return tuple(position for position in range(len(tiles)) if position not in hand)


def concealed_kongs(layout: Layout, tiles: Sequence[Tile]) -> tuple[SeenSet, ...]:
    """Concealed kongs: four tiles that touch, two of them face down, either the outer or the inner ones,
    and both faces the same.

    `tiles` in reading order, as `layout.places`.
    """
    found: list[SeenSet] = []
    for run in _runs(layout, _TOUCH):
        start = 0
        while start + 4 <= len(run):
            members = run[start : start + 4]
            faces = _faces_of_kong([tiles[member] for member in members])
            if faces is not None and faces[0] == faces[1] and faces[0].index < 34:
                found.append(SeenSet(Meld(MeldKind.KONG, (faces[0],) * 4, True), tuple(members)))
                start += 4
            else:
                start += 1
    return tuple(found)


def claimed_sets(
    layout: Layout, tiles: Sequence[Tile], taken: frozenset[int], outside: frozenset[int] = frozenset()
) -> tuple[SeenSet, ...]:
    """Sets that lie apart from a block of five or more standing tiles.

    Where every set of the hand lies apart, the gaps only show how the owner sorted it, and none is taken for
    claimed. `taken` are the places already spoken for: concealed kongs and bonus tiles.
    """
    sets: list[SeenSet] = []
    blocks = 0
    for run in _runs(layout, _APART):
        if outside.issuperset(run):
            continue
        members = [member for member in run if member not in taken]
        kind = kind_of(tuple(sorted(tiles[member] for member in members)))
        if kind is not None and len(members) == len(run):
            sets.append(SeenSet(Meld(kind, tuple(tiles[member] for member in members)), tuple(members)))
        elif len(members) >= _BLOCK:
            blocks += 1
        elif members:
            return ()
    return tuple(sets) if blocks == 1 and len(sets) <= 4 else ()


def _faces_of_kong(four: list[Tile]) -> tuple[Tile, Tile] | None:
    backs = [tile.is_back for tile in four]
    if backs == [True, False, False, True]:
        return four[1], four[2]
    if backs == [False, True, True, False]:
        return four[0], four[3]
    return None


def _runs(layout: Layout, gap: float) -> list[list[int]]:
    """Places in reading order, parted at the end of each row and at every gap of `gap` widths or more."""
    runs: list[list[int]] = []
    for position, place in enumerate(layout.places):
        if not position or place.row != layout.places[position - 1].row or place.gap >= gap:
            runs.append([])
        runs[-1].append(position)
    return runs

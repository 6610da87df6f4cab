"""From how tiles lie and what they are called to a hand; and what a person says better than the picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from scorer.hand import Hand
from scorer.melds import MeldKind
from scorer.tiles import Tile
from vision.sets import Piece, SeenSet, meld_named, meld_of
from vision.ways import Structure

__all__ = ["ROLES", "GivenSet", "Overrides", "assemble", "overridden"]

ROLES = ("standing", "winning", "bonus", "outside")
"""What a person may say that a tile is; sets are given whole."""


@dataclass(frozen=True, slots=True)
class GivenSet:
    """A set that a person names: positions of its tiles, and whether it is a concealed kong."""

    tiles: tuple[int, ...]
    concealed: bool = False


@dataclass(frozen=True, slots=True)
class Overrides:
    """What is to hold instead of what the picture seems to say. Positions are those of the reading that is
    corrected.

    `names` of tiles; `roles` of tiles, each one of `ROLES`; `sets` to which tiles belong; `angle` in degrees
    clockwise from the photo's top in which the faces stand upright. What is not named stays as it was read.
    """

    names: Mapping[int, Tile] = field(default_factory=dict)
    roles: Mapping[int, str] = field(default_factory=dict)
    sets: tuple[GivenSet, ...] = ()
    angle: float | None = None

    def require_fit(self, count: int) -> None:
        """Raise `ValueError` naming what does not fit a reading of `count` tiles."""
        for position in (*self.names, *self.roles, *(tile for given in self.sets for tile in given.tiles)):
            if not 0 <= position < count:
                raise ValueError(f"there is no tile {position}; the reading has {count}")
        for position, role in self.roles.items():
            if role not in ROLES:
                raise ValueError(f"tile {position}: {role!r} is none of {', '.join(ROLES)}")
        if sum(role == "winning" for role in self.roles.values()) > 1:
            raise ValueError("only one tile can have won")
        spoken = [*self.roles, *(tile for given in self.sets for tile in given.tiles)]
        if len(set(spoken)) < len(spoken):
            raise ValueError("a tile is given two places at once")
        for given in self.sets:
            if len(given.tiles) not in (3, 4) or (given.concealed and len(given.tiles) != 4):
                raise ValueError("a set has three or four tiles, and a concealed kong has four")


def overridden(structure: Structure, overrides: Overrides, names: Sequence[Tile]) -> Structure:
    """The structure with what a person said in place of what the picture seemed to say."""
    if not overrides.roles and not overrides.sets:
        return structure
    given = [_piece(given, names) for given in overrides.sets]
    moved = {*overrides.roles, *(tile for piece in given for tile in piece.members)}
    kept = [piece for piece in structure.sets if not moved.intersection(piece.members)]
    loose = [
        tile for piece in structure.sets if piece not in kept for tile in piece.members if tile not in moved
    ]
    won = [tile for tile, role in overrides.roles.items() if role == "winning"]
    winning, evidence = structure.winning, structure.winning_evidence
    if won or winning in moved:
        winning, evidence = (won[0], ("given",)) if won else (None, ())
    roles = {role: {t for t, r in overrides.roles.items() if r == role} for role in ROLES}
    standing = {*structure.standing, *loose} - moved | roles["standing"]
    if won and structure.winning is not None and structure.winning not in moved:
        standing.add(structure.winning)
    standing.discard(-1 if winning is None else winning)
    return replace(
        structure,
        standing=tuple(sorted(standing)),
        sets=tuple(sorted((*kept, *given), key=lambda piece: min(piece.members))),
        bonus=tuple(sorted(set(structure.bonus) - moved | roles["bonus"])),
        winning=winning,
        winning_evidence=evidence,
        outside=tuple(sorted(set(structure.outside) - moved | roles["outside"])),
        probability=1.0,
    )


def _piece(given: GivenSet, names: Sequence[Tile]) -> Piece:
    faces = [names[tile] for tile in given.tiles if not names[tile].is_back]
    pung = len(set(faces)) == 1
    kind = MeldKind.KONG if len(given.tiles) == 4 else MeldKind.PUNG if pung else MeldKind.CHOW
    meld = meld_of(kind, given.concealed, faces)
    named = () if meld is None else tuple(tile.index for tile in meld.tiles)
    down = tuple(tile for tile in given.tiles if names[tile].is_back)
    return Piece(kind, given.tiles, given.concealed, 0.0, named, ("given",), down)


def assemble(structure: Structure, names: Sequence[Tile]) -> tuple[Hand, tuple[SeenSet, ...]]:
    """The hand that tiles of these names make where they lie so, and its sets.

    Tiles that make no such set as they are named stand: nothing is called what it was not seen as.
    """
    sets: list[SeenSet] = []
    faces: list[Tile] = []
    for piece in structure.sets:
        assert piece.kind is not None
        seen = [names[member] for member in piece.members if not names[member].is_back]
        meld = meld_of(piece.kind, piece.concealed, seen)
        if meld is None:
            faces += seen
        members = tuple(sorted(piece.members))
        sets.append(
            SeenSet(
                meld,
                members,
                piece.kind if meld is None else meld.kind,
                piece.concealed,
                evidence=piece.evidence,
                likely=meld_named(piece),
            )
        )
    faces += [names[tile] for tile in (*structure.standing, *structure.bonus)]
    winning = None if structure.winning is None else names[structure.winning]
    if winning is not None and (winning.is_back or winning.is_bonus):
        faces, winning = [*faces, winning], None
    hand = Hand(
        tuple(tile for tile in faces if not tile.is_back and not tile.is_bonus),
        tuple(seen.meld for seen in sets if seen.meld is not None),
        winning,
        tuple(tile for tile in faces if tile.is_bonus),
    )
    return hand, tuple(sets)

"""One way to read how tiles lie, and how well the number of tiles fits a hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from vision.sets import Piece

__all__ = ["FOURTEEN", "Structure", "fits"]

FOURTEEN, _WAITING, _EACH_OFF = 4.0, 1.5, -1.2
"""For a hand of fourteen and one more for each kong; for one that waits for a tile; for each tile off."""


@dataclass(frozen=True, slots=True)
class Structure:
    """One way to read how tiles lie, by the numbers of their boxes. `probability` 0..1 among all the ways
    that were thought of; `direction` radians clockwise from the photo's top of the faces' up, `sure` False
    where no face told it. `standing` without the winning tile."""

    direction: float
    sure: bool
    standing: tuple[int, ...]
    sets: tuple[Piece, ...]
    bonus: tuple[int, ...]
    winning: int | None
    winning_evidence: tuple[str, ...]
    outside: tuple[int, ...]
    score: float
    probability: float = 1.0

    @property
    def geometry(self) -> float:
        """The score without what the faces add to it."""
        return self.score - sum(piece.score for piece in self.sets)

    @property
    def off(self) -> int:
        """How many tiles there are more than a hand has."""
        return len(self.standing) + (self.winning is not None) - (14 - 3 * len(self.sets))

    def role(self, tile: int) -> str:
        """What a tile is: standing, winning, bonus, set or outside."""
        if tile == self.winning:
            return "winning"
        if tile in self.standing:
            return "standing"
        if tile in self.bonus:
            return "bonus"
        return "set" if any(tile in piece.members for piece in self.sets) else "outside"

    def numbered(self, number: Sequence[int]) -> Structure:
        """The same with tile i called `number[i]`."""

        def all_of(tiles: Iterable[int]) -> tuple[int, ...]:
            return tuple(sorted(number[tile] for tile in tiles))

        sets = [
            replace(
                piece,
                members=tuple(number[tile] for tile in piece.members),
                down=tuple(number[tile] for tile in piece.down),
            )
            for piece in self.sets
        ]
        return replace(
            self,
            standing=all_of(self.standing),
            sets=tuple(sorted(sets, key=lambda piece: min(piece.members))),
            bonus=all_of(self.bonus),
            winning=None if self.winning is None else number[self.winning],
            outside=all_of(self.outside),
        )

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two structures the same."""
        sets = frozenset((piece.kind, piece.concealed, frozenset(piece.members)) for piece in self.sets)
        standing = frozenset(self.standing)
        return standing, sets, frozenset(self.bonus), self.winning


def fits(standing: int, sets: int, won: bool) -> float:
    """How well the number of tiles fits a hand."""
    if sets > 4:
        return -12.0
    off = standing + won - (14 - 3 * sets)
    if off == 0:
        return FOURTEEN
    if off == -1:
        return _WAITING - 2.0 * won
    return max(_EACH_OFF * abs(off), -8.0)

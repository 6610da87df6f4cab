"""Sets laid on the table: claimed chows, pungs and kongs, and concealed kongs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from scorer.errors import NotationError, ScorerError
from scorer.notation import read_tiles
from scorer.tiles import Tile, in_order, spell

__all__ = ["BadMeld", "Meld", "MeldKind", "kind_of", "read_meld"]


class BadMeld(ScorerError):
    """The tiles do not form the set that they are said to form."""

    code = "bad_meld"


class MeldKind(Enum):
    """What kind of set: a run, three of a kind, four of a kind."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"


@dataclass(frozen=True, slots=True, repr=False)
class Meld:
    """A set on the table. `tiles` are kept sorted; only a kong can lie there `concealed`.

    >>> Meld.parse("[312m]"), Meld.parse("(1111p)").concealed
    ([123m], True)
    """

    kind: MeldKind
    tiles: tuple[Tile, ...]
    concealed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", in_order(self.tiles))
        if kind_of(self.tiles) is not self.kind:
            raise BadMeld(f"{spell(self.tiles)} is no {self.kind.value}")
        if self.concealed and self.kind is not MeldKind.KONG:
            raise BadMeld(
                f"a concealed {self.kind.value} is not laid on the table; its tiles stand in the hand"
            )

    @classmethod
    def parse(cls, text: str) -> Meld:
        """A meld from notation: `[123m]` claimed, `(1111p)` a concealed kong. Raises NotationError."""
        inner = text.strip()
        start = text.find(inner) if inner else 0
        meld, after = read_meld(text, start)
        if text[after:].strip():
            raise NotationError("a meld ends at its bracket", text, after)
        return meld

    @property
    def tile(self) -> Tile:
        """The tile that names the set: the lowest one."""
        return self.tiles[0]

    def __str__(self) -> str:
        left, right = "()" if self.concealed else "[]"
        return f"{left}{spell(self.tiles)}{right}"

    def __repr__(self) -> str:
        return str(self)


def kind_of(tiles: tuple[Tile, ...]) -> MeldKind | None:
    """The kind of set that sorted `tiles` form, or None. Bonus and face-down tiles form none."""
    first = tiles[0].index if tiles else 34
    if first >= 34:
        return None
    steps = [tile.index - first for tile in tiles]
    if steps == [0, 0, 0]:
        return MeldKind.PUNG
    if steps == [0, 0, 0, 0]:
        return MeldKind.KONG
    if steps == [0, 1, 2] and first < 27 and first % 9 <= 6:
        return MeldKind.CHOW
    return None


def read_meld(text: str, start: int, limit: int | None = None) -> tuple[Meld, int]:
    """The meld whose bracket opens at `start`, and the offset after its closing bracket (before `limit`).

    A concealed kong may be written as it lies on the table, with its face-down tiles: `(0x 11p 0x)`.
    """
    opening = text[start : start + 1]
    if opening not in ("[", "("):
        raise NotationError("a meld starts with [ or (", text, start)
    end = text.find("]" if opening == "[" else ")", start, len(text) if limit is None else limit)
    if end < 0:
        raise NotationError("this bracket is not closed", text, start)
    tiles = [tile for tile, _ in read_tiles(text, start + 1, end)]
    concealed = opening == "("
    faces = [tile for tile in tiles if not tile.is_back]
    if concealed and len(tiles) == 4 and faces and len(set(faces)) == 1:
        tiles = faces[:1] * 4
    kind = kind_of(tuple(sorted(tiles)))
    if kind is None:
        raise NotationError("these tiles are no chow, pung or kong", text, start)
    if concealed and kind is not MeldKind.KONG:
        raise NotationError("round brackets hold a concealed kong of four tiles", text, start)
    return Meld(kind, tuple(tiles), concealed), end + 1

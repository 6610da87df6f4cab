"""Which tiles that lie together can be a set on the table, and how well their faces bear it out.

A photo shows where tiles lie, not who claimed what. Here a run of touching tiles is cut into chows, pungs,
kongs and bonus tiles, given what each face may be; whether such a run lies where sets lie is for
`vision.structure` to say.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scorer.melds import Meld, MeldKind, kind_of
from scorer.tiles import ALL_TILES, KINDS, Tile, in_order
from vision.detector import BACK

__all__ = ["CHOW_ORDERS", "SURE_BONUS", "Piece", "SeenSet", "Setter", "borne_out", "meld_named", "meld_of"]

Floats = NDArray[np.float64]

_FLOOR = 1e-4
"""Probability below which a name is not held against a set: networks are surer than they are right."""

_RARELY = 0.003
"""Probability below which it is not held against a tile that it is plain, bonus or face down."""

_BONUS = 0.002
"""Probability of being any bonus tile from which a tile is tried as one."""

_DOWN = 0.002
"""Probability of lying face down from which a tile is tried as that in a concealed kong."""

_UNKNOWN_BONUS, _UNKNOWN_BACK = 3.0, 4.0
"""How much more a probability of being a bonus tile, or face down, says than it seems to, as a logarithm:
every make paints its flowers and backs otherwise, so that of those of a make not known many are called
something else, but hardly any other tile is called one of them even with a hundredth."""

_MOST, _LEAST = 4.0, -5.0
"""What one tile says at most for being a bonus tile, and against it."""

SURE_BONUS, _THOUGHT_OF, _ROW_OF_BONUS = 3.5, -1.5, 8
"""What a tile says for being a bonus tile from which it is sure, and from which it may well be one; how many
of them lie in a row at most."""

_CHANCE = 3.0
"""How much less, as a logarithm, it takes of chance for tiles that seem to make no set to be one in which
some are misread, than for unlike tiles to have come to lie just so: near enough to alike."""

_SURELY = 0.95
"""Probability of a name from which it is taken for sure when tiles of a name are counted."""

_FORMS = ((0, 3), (1, 2), (0, 1, 2, 3))
"""Which tiles of a concealed kong lie face down."""

_CHOWS = np.array([suit * 9 + rank for suit in range(3) for rank in range(7)])
_ORDERS = ((0, 1, 2), (1, 0, 2), (2, 0, 1), (0, 2, 1), (1, 2, 0), (2, 1, 0))
CHOW_ORDERS = np.array([[[start + step for step in order] for start in _CHOWS] for order in _ORDERS])
"""(6, 21, 3) classes of the tiles of each chow, in each order in which they may lie."""

_OUT_OF_ORDER = 0.7
"""What it costs a chow, as a logarithm, that its tiles do not lie in order."""


@dataclass(frozen=True, slots=True)
class SeenSet:
    """A set on the table as it was seen.

    `members` are the positions in reading order of the tiles that show it. `meld` is None where their faces,
    as they were seen, make no such set (or all four lie face down); `kind` and `concealed` then say what
    the way they lie speaks for, and `likely` the most probable set. `confidence` 0..1; `evidence` in words:
    `apart`, `in_front`, `turned_tile`, `kong`, `added_tile`, `face_down`, `given`.
    """

    meld: Meld | None
    members: tuple[int, ...]
    kind: MeldKind = MeldKind.PUNG
    concealed: bool = False
    confidence: float = 1.0
    evidence: tuple[str, ...] = ()
    likely: Meld | None = None

    def to_dict(self) -> dict[str, object]:
        """As in the answer's `sets`."""
        return {
            "meld": None if self.meld is None else str(self.meld),
            "kind": self.kind.value,
            "concealed": self.concealed,
            "tiles": list(self.members),
            "confidence": round(self.confidence, 4),
            "evidence": list(self.evidence),
            "likely": None if self.likely is None else str(self.likely),
        }


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a run: a bonus tile (`kind` None) or a set, by the numbers of its boxes. `score` is a
    logarithm, 0 where the faces are just as they should be; `names` the tiles of the set, most probable
    ones, empty where all lie face down; `down` the members that do."""

    kind: MeldKind | None
    members: tuple[int, ...]
    concealed: bool
    score: float
    names: tuple[int, ...] = ()
    evidence: tuple[str, ...] = field(default=())
    down: tuple[int, ...] = ()


class Setter:
    """Cuts runs into sets, given class probabilities (n, 47). `over` maps a tile to the one that lies on or
    above it; `turned` says which lie sideways."""

    def __init__(
        self, probabilities: NDArray[np.float32], over: dict[int, int], turned: NDArray[np.bool_]
    ) -> None:
        chances = probabilities.astype(np.float64)
        self.logs: Floats = np.log(np.maximum(chances, _FLOOR))
        self.best: Floats = self.logs.max(axis=1)
        self.back = chances[:, BACK]
        plain = chances[:, :KINDS]
        self.surely: list[int] = np.where(plain.max(axis=1) > _SURELY, plain.argmax(axis=1), -1).tolist()
        self.bonus = chances[:, KINDS:BACK].sum(axis=1)
        roles = np.stack([chances[:, :KINDS].sum(axis=1), self.bonus, self.back])
        told = np.log(np.maximum(roles, _RARELY)) - np.log(np.maximum(roles.max(axis=0), _RARELY))
        self.is_plain: Floats = told[0]
        self.is_bonus: Floats = told[1]
        odds = np.log(np.clip(roles[1:], 1e-6, 1 - 1e-6)) - np.log(np.clip(1 - roles[1:], 1e-6, 1 - 1e-6))
        named = np.minimum(2 * chances.max(axis=1), 1.0)  # what has no name is misnamed by no one
        self.for_bonus: list[float] = np.clip(odds[0] + _UNKNOWN_BONUS * named, _LEAST, _MOST).tolist()
        self.is_down: Floats = np.minimum(odds[1] + _UNKNOWN_BACK, 0.0)
        self._over = over
        self._turned = turned
        self._cuts: dict[tuple[int, ...], tuple[tuple[Piece, ...], ...]] = {}

    def cut(self, run: tuple[int, ...]) -> tuple[tuple[Piece, ...], ...]:
        """Ways to cut the whole run into sets and bonus tiles, best first, at most two, and all of it bonus
        tiles if one surely is; none if it cannot be."""
        if run not in self._cuts:
            self._cuts[run] = self._cut(run)
        return self._cuts[run]

    def _cut(self, run: tuple[int, ...]) -> tuple[tuple[Piece, ...], ...]:
        best: list[list[tuple[float, tuple[Piece, ...]]]] = [[] for _ in range(len(run) + 1)]
        best[0].append((0.0, ()))
        for end in range(1, len(run) + 1):
            ways: list[tuple[float, tuple[Piece, ...]]] = []
            for size in (1, 3, 4):
                if size > end or not best[end - size]:
                    continue
                piece = self.bonus_piece(run[end - 1]) if size == 1 else self.set_of(run[end - size : end])
                if piece is not None:
                    ways += [(score + piece.score, (*pieces, piece)) for score, pieces in best[end - size]]
            ways.sort(key=lambda way: -way[0])
            best[end] = ways[:2]
        found = [pieces for score, pieces in best[-1] if score > -5 * max(len(run) / 3, 1)]
        told = sorted((self.for_bonus[tile] for tile in run), reverse=True)
        if 1 < len(run) <= _ROW_OF_BONUS and told[0] >= SURE_BONUS and told[len(run) // 2] > _THOUGHT_OF:
            # Other tiles are not laid to a bonus tile, so all may be some, whatever some are called.
            pieces = tuple(Piece(None, (tile,), False, float(self.is_bonus[tile])) for tile in run)
            found += [] if pieces in found else [pieces]
        return tuple(found)

    def bonus_piece(self, index: int) -> Piece | None:
        """The tile as a bonus tile, if it may be one."""
        possible = self.bonus[index] > _BONUS
        return Piece(None, (index,), False, float(self.is_bonus[index])) if possible else None

    def set_of(self, tiles: tuple[int, ...]) -> Piece | None:
        """Three or four neighbours, left to right, as a set; None if they cannot be one."""
        if len(tiles) == 4:
            return self._four(tiles)
        if self.back[list(tiles)].max() > 0.6:
            return None
        added = [self._over[tile] for tile in tiles if tile in self._over]
        if added:
            return self._kong((*tiles, *added[:1]), ("added_tile",))
        kind, names, score = self._three(tiles)
        return Piece(kind, tiles, False, score, names) if score > -7 else None

    def _three(self, tiles: tuple[int, ...]) -> tuple[MeldKind, tuple[int, ...], float]:
        rows = list(tiles)
        logs, best = self.logs[rows], float(self.best[rows].sum())
        pungs = logs[:, :KINDS].sum(axis=0)
        pung = int(pungs.argmax())
        columns = CHOW_ORDERS
        chows = logs[0][columns[..., 0]] + logs[1][columns[..., 1]] + logs[2][columns[..., 2]]
        if not self._turned[rows].any():
            chows[1:] -= _OUT_OF_ORDER
        order, start = np.unravel_index(int(chows.argmax()), chows.shape)
        if pungs[pung] >= chows[order, start]:
            return MeldKind.PUNG, (pung,) * 3, float(pungs[pung]) - best
        return MeldKind.CHOW, tuple(int(c) for c in columns[order, start]), float(chows[order, start]) - best

    def _four(self, tiles: tuple[int, ...]) -> Piece | None:
        """Four neighbours as a kong: the likeliest of two or four face down, and none."""
        rows = list(tiles)
        tries = [piece for at in _FORMS if (piece := self._down(rows, at)) is not None]
        open_kong = None if (self.back[rows] > 0.5).any() else self._kong(tiles, ("kong",))
        if open_kong is not None:
            tries.append(open_kong)
        return max(tries, key=lambda piece: piece.score, default=None)

    def _down(self, rows: list[int], down: tuple[int, ...]) -> Piece | None:
        """A concealed kong of which the tiles at these places lie face down; None if they hardly do."""
        hidden = [rows[at] for at in down]
        if self.back[hidden].min() < _DOWN:
            return None
        faces = [tile for tile in rows if tile not in hidden]
        score = float(self.is_down[hidden].mean())  # of one make, they are misread together
        if not faces:
            return Piece(MeldKind.KONG, tuple(rows), True, score - 1.0, (), ("face_down",), tuple(hidden))
        if self.back[faces].max() > 0.5:
            return None
        logs = self.logs[faces][:, :KINDS].sum(axis=0)
        name = int(logs.argmax())
        score += float(logs[name] - self.best[faces].sum())
        return Piece(MeldKind.KONG, tuple(rows), True, score, (name,) * 4, ("face_down",), tuple(hidden))

    def _kong(self, tiles: tuple[int, ...], evidence: tuple[str, ...]) -> Piece | None:
        logs = self.logs[list(tiles)][:, :KINDS].sum(axis=0)
        name = int(logs.argmax())
        score = float(logs[name] - self.best[list(tiles)].sum())
        return Piece(MeldKind.KONG, tiles, False, score, (name,) * 4, evidence) if score > -7 else None


def borne_out(score: float) -> float:
    """What faces of this score say of a set that lies as sets do, as a logarithm: next to nothing against it
    while a tile or so is misread."""
    return -math.log1p(math.exp(-(score + _CHANCE)))


def meld_of(piece_kind: MeldKind, concealed: bool, faces: list[Tile]) -> Meld | None:
    """The set that these faces make as they were seen, or None if they make none (a kong of three, say)."""
    if concealed:
        same = len(set(faces)) == 1 and faces and faces[0].index < KINDS
        return Meld(MeldKind.KONG, (faces[0],) * 4, True) if same else None
    tiles = in_order(faces)
    kind = kind_of(tiles)
    if kind is None or (kind is MeldKind.KONG) is not (piece_kind is MeldKind.KONG):
        return None
    return Meld(kind, tiles)


def meld_named(piece: Piece) -> Meld | None:
    """The most probable set of a piece, as a meld."""
    if piece.kind is None or not piece.names:
        return None
    return Meld(piece.kind, tuple(ALL_TILES[name] for name in piece.names), piece.concealed)

"""What each run of touching tiles may be: standing tiles, sets, bonus tiles, the winning tile, or not of the
hand; and what speaks for each, as a logarithm."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.runs import Run
from vision.sets import SURE_BONUS, Piece, Setter, borne_out

__all__ = ["SET", "STANDING", "Option", "Options"]

SET, STANDING = 2.5, 0.5
"""What speaks for a set apart, and for each standing tile."""

_BONUS, _PIECE, _WINNING = 2.0, -3.0, 0.3
"""What speaks for a bonus tile; against standing tiles parted by a gap; for a winning tile apart."""

_BEHIND = -1.5
"""Against a set nearer to its player than the standing tiles."""

_LARGER = 1.55
"""How much larger than the standing tiles other tiles of the hand are at most."""

_LEFT_OUT = -1.5
"""Against leaving out, close to the hand, what could well be of it."""

_AMID = -3.0
"""Against a bonus tile between standing tiles, and not at the end of their row."""

_ALONE = -1.0
"""Against bonus tiles that lie by themselves: most of what lies on a table is none."""

_FOUR_STAND = -1.0
"""For four alike among standing tiles being a kong that was not set apart."""

_FACE_DOWN = -2.0
"""Against each tile that lies face down among standing ones."""

_OPEN = 4.5
"""How much less probable than the other a tile's being plain, or bonus, may be to be thought of."""

_FLIPS = 4
"""Of how many tiles of a row both are thought of."""

_SURE_KONG = -1.0
"""A score from which four tiles of a row, two of them face down, are a concealed kong and nothing else."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that a run may be."""

    score: float
    standing: tuple[int, ...] = ()
    pieces: tuple[Piece, ...] = ()
    winning: int | None = None
    evidence: tuple[str, ...] = ()
    sets: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sets", sum(piece.kind is not None for piece in self.pieces))


class Options:
    """What runs may be, in one player's frame. `doubted` (n,) logarithms of each being a tile at all."""

    def __init__(
        self, seen: Frame, runs: Sequence[Run], setter: Setter, doubted: NDArray[np.float64]
    ) -> None:
        self._frame = seen
        self._runs = runs
        self._setter = setter
        self._doubted = doubted
        self._members = [np.array(run.tiles) for run in runs]
        self.sizes = [float(np.median(seen.widths[members])) for members in self._members]
        """Middle width of each run's tiles."""
        self._places: dict[tuple[int, int], str] = {}
        self._back = setter.back > 0.5
        self._bonus = setter.is_bonus > setter.is_plain
        self._sideways = seen.told & (seen.turned % 2 == 1)

    # ------------------------------------------------------------------------------ the standing tiles

    def as_standing(self, run: Run) -> list[Option]:
        """The run as standing tiles: with the bonus tiles, kongs and the turned tile in it."""
        sure, open_kongs = self._kongs_in(run.tiles)
        taken = {member for kong in sure for member in kong.members}
        free = [tile for tile in run.tiles if tile not in taken]
        # A tile that looks like a back among standing ones is more likely a bare face.
        down = [tile for tile in free if self._back[tile] and self._setter.is_plain[tile] < _FACE_DOWN]
        loose = [tile for tile in free if tile not in down]
        base = float(self._doubted[list(run.tiles)].sum()) + SET * len(sure) + _FACE_DOWN * len(down)
        options: list[Option] = []
        for number, (score, rest, bonus) in enumerate(self._told_apart(loose)):
            pieces = (*sure, *bonus)
            options += self._turned(base + score, rest, pieces)
            if number < 2:
                options += self._fainter(base + score, rest, pieces)
        _, rest, bonus = self._told_apart(loose)[0]
        score = options[0].score
        for count in range(1, len(open_kongs) + 1):
            used = {member for kong in open_kongs[:count] for member in kong.members}
            left = tuple(tile for tile in rest if tile not in used)
            kept = tuple(piece for piece in bonus if piece.members[0] not in used)
            added = sum(SET + kong.score if kong.concealed else _FOUR_STAND for kong in open_kongs[:count])
            lost = _BONUS * (len(bonus) - len(kept))
            options.append(Option(score + added - lost, left, (*sure, *kept, *open_kongs[:count])))
        return options

    def _kongs_in(self, tiles: tuple[int, ...]) -> tuple[list[Piece], list[Piece]]:
        """Concealed kongs that are sure, and kongs that may be, none of which share a tile."""
        sure: list[Piece] = []
        perhaps: list[Piece] = []
        used: set[int] = set()
        fours = [self._setter.set_of(tiles[at : at + 4]) for at in range(len(tiles) - 3)]
        known = [four for four in fours if four is not None and (four.names or not four.concealed)]
        for four in sorted(known, key=lambda four: (not four.concealed, -four.score)):
            if used.intersection(four.members):
                continue
            if four.concealed and four.score > _SURE_KONG:
                sure.append(four)
            elif four.score > (-4 if four.concealed else -2):
                perhaps.append(four)
            else:
                continue
            used.update(four.members)
        return sure, perhaps

    def _told_apart(self, tiles: Sequence[int]) -> list[tuple[float, tuple[int, ...], tuple[Piece, ...]]]:
        """Ways to tell bonus tiles from standing ones, best first, one for each number of standing tiles."""
        bonus, plain = self._setter.is_bonus, self._setter.is_plain
        unsure = sorted(tiles, key=lambda tile: abs(bonus[tile] - plain[tile]))[:_FLIPS]
        unsure = [tile for tile in unsure if abs(bonus[tile] - plain[tile]) < _OPEN]
        best: dict[int, tuple[float, tuple[int, ...], tuple[Piece, ...]]] = {}
        for flips in itertools.product((False, True), repeat=len(unsure)):
            flipped = {tile for tile, flip in zip(unsure, flips, strict=True) if flip}
            flowers = [tile for tile in tiles if bool(self._bonus[tile]) != (tile in flipped)]
            rest = tuple(tile for tile in tiles if tile not in flowers)
            if not rest and len(tiles):
                continue
            pieces = tuple(Piece(None, (tile,), False, float(bonus[tile])) for tile in flowers)
            score = sum(_BONUS + piece.score for piece in pieces) + float(plain[list(rest)].sum())
            score += STANDING * min(len(rest), 14) + _AMID * self._amid(tiles, flowers)
            if len(rest) not in best or best[len(rest)][0] < score:
                best[len(rest)] = score, rest, pieces
        if not best:
            return [(0.0, (), ())]
        return sorted(best.values(), key=lambda way: -way[0])

    @staticmethod
    def _amid(tiles: Sequence[int], flowers: Sequence[int]) -> int:
        places = [k for k, tile in enumerate(tiles) if tile not in flowers]
        if not places:
            return 0
        return sum(places[0] < k < places[-1] for k, tile in enumerate(tiles) if tile in flowers)

    def _turned(self, score: float, rest: tuple[int, ...], pieces: tuple[Piece, ...]) -> list[Option]:
        """As they are, and with the one that lies sideways as the winning tile."""
        sideways = [tile for tile in rest if self._sideways[tile]]
        options = [Option(score - 2.0 * len(sideways), rest, pieces)]
        if len(sideways) == 1 and len(rest) > 1:
            left = tuple(tile for tile in rest if tile != sideways[0])
            options.append(Option(score, left, pieces, sideways[0], ("turned_tile",)))
        return options

    def _fainter(self, score: float, rest: tuple[int, ...], pieces: tuple[Piece, ...]) -> list[Option]:
        """Without the tile that is least certainly one."""
        faint = min(rest, key=lambda tile: self._doubted[tile], default=None)
        if faint is None or len(rest) < 2 or self._doubted[faint] >= -0.01:
            return []
        none = math.log(-math.expm1(self._doubted[faint])) - self._doubted[faint]
        left = tuple(tile for tile in rest if tile != faint)
        penalty = 2.0 * sum(bool(self._sideways[tile]) for tile in left)
        return [Option(score + none - STANDING - penalty, left, pieces)]

    # ------------------------------------------------------------------------------ other runs

    def of(self, number: int, home: int, reach: float, far: float) -> list[Option]:
        """What a run other than the standing tiles may be, `reach` tile widths from what lies between;
        `far` is what that speaks against it."""
        run = self._runs[number]
        options = [Option(0.0)]
        if not self._alike(number, home):
            return options
        unsure = float(self._doubted[list(run.tiles)].sum())
        where = self.where(number, home)
        far -= unsure
        for pieces in self._setter.cut(run.tiles):
            flowers = [piece for piece in pieces if piece.kind is None]
            score = sum(SET + borne_out(piece.score) for piece in pieces if piece.kind) - far
            score += self._as_bonus(flowers, len(flowers) == len(pieces))
            if any(piece.kind for piece in pieces):
                score += _BEHIND if where == "behind" else 0.0
            else:
                score += 0.5 if where == "beside" or len(pieces) > 1 else -0.5
            options.append(Option(score, (), tuple(self._witnessed(piece, where) for piece in pieces)))
        if len(options) > 1 and options[1].score > 0.5 and reach <= 1.6:
            options[0] = Option(_LEFT_OUT if unsure > -1 else 0.0)
        faces = [tile for tile in run.tiles if not self._back[tile]]
        if len(faces) < len(run):
            return options
        for score, rest, bonus in self._told_apart(faces)[:2]:
            options += self._parted(run, score, rest, bonus, where, reach, far)
            options += self._won(score, rest, bonus, where, reach, far)
        return options

    def _as_bonus(self, pieces: Sequence[Piece], alone: bool) -> float:
        """For these tiles of a run being bonus tiles. Nobody lays other tiles to bonus tiles: where they are
        `alone` in it, one that is sure speaks for those that touch it."""
        if not pieces:
            return 0.0
        told = sorted((self._setter.for_bonus[piece.members[0]] for piece in pieces), reverse=True)
        spoken = _BONUS if alone and told[0] >= SURE_BONUS else 0.0
        return min(told[0] + _ALONE, _BONUS) + sum(min(other + spoken, _BONUS) for other in told[1:])

    def _parted(
        self,
        run: Run,
        score: float,
        rest: tuple[int, ...],
        bonus: tuple[Piece, ...],
        where: str,
        reach: float,
        far: float,
    ) -> list[Option]:
        """The run as standing tiles that a gap parts from the others."""
        near = reach <= 1.0 if where == "beside" else reach <= 0.8 and len(rest) > 1
        if len(rest) > 1 and where == "beside":
            near = reach <= 3
        if not near or not rest or not self.upright(run):
            return []
        score += _PIECE - far - 0.5 * reach
        return [Option(score - (0.0 if where == "beside" else 1.0), rest, bonus)]

    def _won(
        self,
        score: float,
        rest: tuple[int, ...],
        bonus: tuple[Piece, ...],
        where: str,
        reach: float,
        far: float,
    ) -> list[Option]:
        """A single tile as the winning one."""
        if len(rest) != 1:
            return []
        evidence = ("apart", "turned_tile") if self._sideways[rest[0]] else ("apart",)
        score += _WINNING - STANDING - far - 0.6 * reach
        score -= {"beside": 0.0, "front": 2.5, "behind": 4.0}[where]
        return [Option(score, (), bonus, rest[0], evidence)]

    def upright(self, run: Run) -> bool:
        """Whether most of its faces, at least one that is no bonus tile, stand upright."""
        faces = [tile for tile in run.tiles if not self._back[tile]]
        upright = [t for t in faces if self._frame.turned[t] == 0 or not self._frame.told[t]]
        return len(upright) * 2 > len(faces) and any(not self._bonus[tile] for tile in faces)

    def may_be_of_a_hand(self, run: Run) -> bool:
        """Whether the run could be part of a hand at all."""
        plain = sum(not self._bonus[tile] and not self._back[tile] for tile in run.tiles)
        return plain == 1 or bool(self._setter.cut(run.tiles))

    def where(self, number: int, home: int) -> str:
        """Whether a run lies in front of another one, behind or beside it."""
        known = self._places.get((number, home))
        if known is None:
            across = self._frame.across[self._members[home]][:, self._members[number]]
            distance = np.abs(self._frame.along[self._members[home]][:, self._members[number]])
            distance = distance + np.abs(across)
            rise = float(across.flat[int(distance.argmin())])
            known = "front" if rise > 0.6 else "behind" if rise < -0.6 else "beside"
            self._places[number, home] = known
        return known

    def _alike(self, number: int, home: int) -> bool:
        """Whether a run's tiles are about as large as the standing ones."""
        return 1 / _LARGER < self.sizes[number] / self.sizes[home] < _LARGER

    def _witnessed(self, piece: Piece, where: str) -> Piece:
        if piece.kind is None:
            return piece
        evidence = ["in_front" if where == "front" else "apart", *piece.evidence]
        if not piece.concealed and any(self._sideways[t] for t in piece.members):
            evidence.append("turned_tile")
        return replace(piece, evidence=tuple(evidence))

"""What lies where on the table: standing tiles, sets, bonus tiles, the winning tile, and what is not of the
hand.

Every way to read the picture gets a score, which adds up what speaks for it and against it as logarithms:
how the tiles lie (touching, apart, in front, turned, how near), what their faces allow, and whether they
make fourteen and one more for each kong. The best is what is told; the others are what may be doubted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from heapq import nlargest

import numpy as np
from numpy.typing import NDArray

from scorer.melds import MeldKind
from vision.frame import Frame, directions, frame
from vision.runs import Run, find_runs, gaps_between, lying_over
from vision.sets import Piece, Setter
from vision.ways import FOURTEEN, Structure, fits

__all__ = ["structures"]

_SET, _BONUS, _STANDING, _PIECE, _WINNING = 2.5, 2.0, 0.5, -3.0, 0.3
"""What speaks for a set apart, a bonus tile, each standing tile; against standing tiles parted by a gap; for
a winning tile apart."""

_BEHIND, _BETWEEN = -1.5, -7.0
"""Against a set nearer to its player than the standing tiles; against one between standing tiles."""

_LARGER = 1.55
"""How much larger than the standing tiles other tiles of the hand are at most."""

_HIDDEN = -4.0
"""Against each kong with all four tiles down where the number of tiles does not bear it out."""

_SORTED = 1.2
"""For sets that are all apart in one row, with nothing else about them, being sorted and not claimed."""

_LEFT_OUT = -1.5
"""Against leaving out, close to the hand, what could well be of it."""

_REACH = 4.5
"""How far, in tile widths from one to the next, the parts of a hand lie apart at most."""

_WHOLE = 10.0
"""A score from which no other direction is tried: fourteen tiles in a row have more."""

_LEANING = math.radians(8)
"""How far rows lie off the direction of faces for their own to be tried."""

_HOMES, _BEAM, _KEPT = 5, 48, 8


@dataclass(frozen=True, slots=True)
class _Option:
    """One thing that a run may be."""

    score: float
    standing: tuple[int, ...] = ()
    pieces: tuple[Piece, ...] = ()
    winning: int | None = None
    evidence: tuple[str, ...] = ()
    sets: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sets", sum(piece.kind is not None for piece in self.pieces))


_Chosen = tuple[tuple[int, _Option], ...]


@dataclass(frozen=True, slots=True)
class _State:
    """What some runs are, and what that adds up to."""

    score: float
    standing: int
    sets: int
    won: bool
    chosen: _Chosen

    def plus(self, number: int, option: _Option) -> _State:
        return _State(
            self.score + option.score,
            self.standing + len(option.standing),
            self.sets + option.sets,
            self.won or option.winning is not None,
            (*self.chosen, (number, option)),
        )


def structures(
    boxes: NDArray[np.float32],
    probabilities: NDArray[np.float32],
    up: NDArray[np.float32],
    corners: NDArray[np.float32] | None = None,
    direction: float | None = None,
    found: NDArray[np.float32] | None = None,
) -> tuple[Structure, ...]:
    """The ways to read how tiles lie, best first, at most eight; empty where there is no tile.

    `boxes` (n, 4), `probabilities` (n, 47), `up` (n, 2) as in `vision.Detections`; `direction`, radians
    clockwise from the photo's top, where it is known which way the faces stand; `found` (n,) how probable
    it is that each is a tile, certain if None.
    """
    if not len(boxes):
        return ()
    faces = probabilities[:, 46] < 0.5
    ways = directions(boxes, up, faces) if direction is None else [direction]
    doubted = np.zeros(len(boxes)) if found is None else np.log(np.maximum(found.astype(np.float64), 1e-3))
    twice = _twice(boxes.astype(np.float64), doubted)
    best: dict[tuple[object, ...], Structure] = {}
    tried = list(ways or [0.0])
    while tried:
        way = tried.pop(0)
        seen = frame(boxes, up, faces, way, corners)
        if abs(seen.lean) > _LEANING and direction is None and way in ways:
            tried.append(way + seen.lean)  # the row may tell better than unsure faces do
        table = _Table(seen, probabilities, bool(ways), doubted, twice)
        for structure in table.readings():
            known = best.get(structure.key)
            if known is None or known.score < structure.score:
                best[structure.key] = structure
        if max(structure.score for structure in best.values()) >= _WHOLE:
            break
    ranked = sorted(best.values(), key=lambda structure: -structure.score)[:_KEPT]
    weights = np.exp(np.array([structure.score for structure in ranked]) - ranked[0].score)
    weights /= weights.sum()
    return tuple(
        replace(structure, probability=float(weight))
        for structure, weight in zip(ranked, weights, strict=True)
    )


class _Table:
    """The tiles in one player's frame."""

    def __init__(
        self,
        seen: Frame,
        probabilities: NDArray[np.float32],
        sure: bool,
        doubted: NDArray[np.float64],
        twice: frozenset[int],
    ) -> None:
        self.frame = seen
        self.doubted = doubted
        self.sure = sure
        self.over = lying_over(seen, probabilities, twice)
        self.setter = Setter(probabilities, self.over, seen.turned % 2 == 1)
        self.runs = find_runs(seen, twice.union(self.over.values()))
        self.gaps = gaps_between(seen, self.runs)
        self.members = [np.array(run.tiles) for run in self.runs]
        self._places: dict[tuple[int, int], str] = {}
        self.back = probabilities[:, 46] > 0.5
        self.bonus = self.setter.bonus > 0.5

    def readings(self) -> Iterator[Structure]:
        """Structures around each run that may be the standing tiles."""
        likely = [number for number, run in enumerate(self.runs) if self._upright(run) and len(run) > 1]
        likely = likely or [number for number, run in enumerate(self.runs) if self._upright(run)]
        likely.sort(key=lambda number: -len(self.runs[number]))
        # A pair may be all that stands; any other short run is no likely place to begin.
        pairs = [number for number in likely[_HOMES:] if self._is_pair(self.runs[number])]
        for home in (*likely[:_HOMES], *pairs):
            yield from self._around(home)
        if not likely:
            yield self._structure(0.0, ())

    def _is_pair(self, run: Run) -> bool:
        logs = self.setter.logs[list(run.tiles)]
        return len(run) == 2 and float(logs.sum(axis=0).max() - logs.max(axis=1).sum()) > -3

    def _upright(self, run: Run) -> bool:
        """Whether most of its faces, at least one that is no bonus tile, stand upright."""
        faces = [tile for tile in run.tiles if not self.back[tile]]
        upright = [t for t in faces if self.frame.turned[t] == 0 or not self.frame.told[t]]
        return len(upright) * 2 > len(faces) and any(not self.bonus[tile] for tile in faces)

    # ------------------------------------------------------------------------------ what a run may be

    def _home(self, run: Run) -> list[_Option]:
        """The run as standing tiles: with the bonus tiles, kongs and the turned tile in it."""
        pieces: list[Piece] = []
        rest: list[int] = []
        kongs: list[Piece] = []
        at = 0
        tiles = run.tiles
        while at < len(tiles):
            four = self.setter.set_of(tiles[at : at + 4]) if at + 4 <= len(tiles) else None
            if four is not None and four.concealed and four.names and four.score > -4:
                pieces.append(four)
                at += 4
                continue
            if (
                four is not None
                and not four.concealed
                and four.score > -2
                and not any(set(four.members) & set(kong.members) for kong in kongs)
            ):
                kongs.append(four)
            tile = tiles[at]
            if self.bonus[tile]:
                pieces.append(Piece(None, (tile,), False, math.log(float(self.setter.bonus[tile]))))
            elif not self.back[tile]:
                rest.append(tile)
            at += 1
        score = float(self.doubted[list(run.tiles)].sum())
        score += _STANDING * min(len(rest), 14) + sum(
            _BONUS + piece.score for piece in pieces if piece.kind is None
        )
        score += _SET * sum(piece.kind is not None for piece in pieces)
        sideways = [t for t in rest if self.frame.told[t] and self.frame.turned[t] % 2 == 1]
        options = [_Option(score - 2.0 * len(sideways), tuple(rest), tuple(pieces))]
        flower = max(rest, key=lambda tile: self.setter.bonus[tile], default=None)
        if flower is not None and len(rest) > 1 and self.setter.bonus[flower] > 0.01:
            chance = math.log(float(self.setter.bonus[flower]))
            left = tuple(tile for tile in rest if tile != flower)
            bonus = Piece(None, (flower,), False, chance)
            options.append(_Option(options[0].score + chance, left, (*pieces, bonus)))
        faint = min(rest, key=lambda tile: self.doubted[tile], default=None)
        if faint is not None and len(rest) > 1 and self.doubted[faint] < -0.01:
            none = math.log(-math.expm1(self.doubted[faint])) - self.doubted[faint]
            left = tuple(tile for tile in rest if tile != faint)
            options.append(_Option(options[0].score + none - _STANDING, left, tuple(pieces)))
        if len(sideways) == 1 and len(rest) > 1:
            left = tuple(tile for tile in rest if tile != sideways[0])
            options.append(_Option(score, left, tuple(pieces), sideways[0], ("turned_tile",)))
        for count in range(1, len(kongs) + 1):
            used = {member for kong in kongs[:count] for member in kong.members}
            left = tuple(tile for tile in rest if tile not in used)
            options.append(_Option(score - 2.5 * count, left, (*pieces, *kongs[:count])))
        return options

    def _options(self, number: int, home: int, reach: float) -> list[_Option]:
        """What a run other than the standing tiles may be."""
        run = self.runs[number]
        options = [_Option(0.0)]
        if not self._alike(number, home):
            return options
        unsure = float(self.doubted[list(run.tiles)].sum())
        where = self._where(number, home)
        far = self.far[number] - unsure
        for pieces in self.setter.cut(run.tiles):
            score = sum((_SET if piece.kind else _BONUS) + piece.score for piece in pieces) - far
            if any(piece.kind for piece in pieces):
                score += _BEHIND if where == "behind" else 0.0
            else:
                score += 0.5 if where == "beside" or len(pieces) > 1 else -0.5
            options.append(_Option(score, (), tuple(self._witnessed(piece, where) for piece in pieces)))
        if len(options) > 1 and options[1].score > 0.5 and reach <= 1.6:
            options[0] = _Option(_LEFT_OUT if unsure > -1 else 0.0)
        faces = [tile for tile in run.tiles if not self.back[tile]]
        plain = [tile for tile in faces if not self.bonus[tile]]
        bonus = tuple(
            Piece(None, (t,), False, math.log(float(self.setter.bonus[t]))) for t in faces if self.bonus[t]
        )
        near = reach <= 1.0 if where == "beside" else reach <= 0.8 and len(plain) > 1
        if len(plain) > 1 and where == "beside":
            near = reach <= 3
        if near and plain and self._upright(run) and len(plain) == len(run) - len(bonus):
            score = _STANDING * min(len(plain), 14) + _PIECE + _BONUS * len(bonus) - far - 0.5 * reach
            score += 0.0 if where == "beside" else -1.0
            options.append(_Option(score, tuple(plain), bonus))
        if len(plain) == 1 and len(plain) == len(run) - len(bonus):
            turned = bool(self.frame.told[plain[0]] and self.frame.turned[plain[0]] % 2)
            evidence = ("apart", "turned_tile") if turned else ("apart",)
            score = (
                _WINNING
                + _BONUS * len(bonus)
                - far
                - 0.6 * reach
                - {"beside": 0.0, "front": 2.5, "behind": 4.0}[where]
            )
            options.append(_Option(score, (), bonus, plain[0], evidence))
        return options

    @staticmethod
    def _far(reach: float, where: str) -> float:
        """Against the parts of a hand lying so far apart: in front is where the discards are, too."""
        if where == "beside":
            return 0.0 if reach <= 1.6 else 0.8 * (reach - 1.6) if reach <= 3 else 1.12 + 2.5 * (reach - 3)
        return 4.0 * max(reach - 1.1, 0.0)

    def _alike(self, number: int, home: int) -> bool:
        """Whether a run's tiles are about as large as the standing ones."""
        mine, theirs = self.members[home], self.members[number]
        ratio = float(np.median(self.frame.widths[theirs]) / np.median(self.frame.widths[mine]))
        return 1 / _LARGER < ratio < _LARGER

    def _where(self, number: int, home: int) -> str:
        """Whether a run lies in front of the standing tiles, behind or beside them."""
        known = self._places.get((number, home))
        if known is None:
            across = self.frame.across[self.members[home]][:, self.members[number]]
            distance = np.abs(self.frame.along[self.members[home]][:, self.members[number]]) + np.abs(across)
            rise = float(across.flat[int(distance.argmin())])
            known = "front" if rise > 0.6 else "behind" if rise < -0.6 else "beside"
            self._places[number, home] = known
        return known

    def _witnessed(self, piece: Piece, where: str) -> Piece:
        if piece.kind is None:
            return piece
        evidence = ["in_front" if where == "front" else "apart", *piece.evidence]
        if not piece.concealed and any(
            self.frame.told[t] and self.frame.turned[t] % 2 for t in piece.members
        ):
            evidence.append("turned_tile")
        return replace(piece, evidence=tuple(evidence))

    # ------------------------------------------------------------------------------ all of it together

    def _around(self, home: int) -> Iterator[Structure]:
        reach = self._reach(home)
        self.far = self._distant(home)
        others = sorted((r, n) for n, r in enumerate(reach) if n != home and r <= _REACH)[:16]
        empty = _State(self._prior(home), 0, 0, False, ())
        states = [empty.plus(home, option) for option in self._home(self.runs[home])]
        for r, number in others:
            options = self._options(number, home, r)
            grown: dict[tuple[int, int, bool], list[_State]] = {}
            for state in states:
                for option in options:
                    if option.winning is None or not state.won:
                        now = state.plus(number, option)
                        grown.setdefault((now.standing, now.sets, now.won), []).append(now)
            kept = [s for group in grown.values() for s in nlargest(2, group, key=_score_of)]
            states = nlargest(_BEAM, kept, key=_score_of)
        whole = [replace(s, score=s.score + fits(s.standing, s.sets, s.won)) for s in states]
        for state in nlargest(_KEPT, whole, key=_score_of):
            score = state.score + self._order(state.chosen, home) + self._hidden(state)
            yield self._structure(score, state.chosen)
            twin = self._as_sorted(state)
            if twin is not None:
                score = _STANDING * 14 + self._prior(home) + _SORTED + _SET * 4 + FOURTEEN
                yield self._structure(score, ((home, twin),))

    def _prior(self, home: int) -> float:
        """For tiles close to the camera, and a little for a photo that is held upright."""
        sizes = [float(np.median(self.frame.widths[list(run.tiles)])) for run in self.runs if len(run) > 1]
        mine = float(np.median(self.frame.widths[list(self.runs[home].tiles)]))
        near = 4 * (mine / max([*sizes, mine]) - 1)
        return max(near, -2.0) + 0.6 * math.cos(self.frame.direction)

    def _reach(self, home: int) -> list[float]:
        """How wide the widest gap is on the way from the standing tiles to each run."""
        best = self.gaps[home].copy()
        done = {home}
        plain = [self._may_be_of_a_hand(run) for run in self.runs]
        while True:
            left = [n for n in range(len(self.runs)) if n not in done and best[n] <= _REACH]
            if not left:
                return [float(b) for b in best]
            nearest = min(left, key=lambda n: float(best[n]))
            done.add(nearest)
            if plain[nearest]:
                best = np.minimum(best, np.maximum(self.gaps[nearest], best[nearest]))

    def _distant(self, home: int) -> list[float]:
        """What speaks against each run for how far away it lies: the widest step on the way to it. A set
        stacked on one beside the standing tiles lies as near as that one."""
        cost = np.full(len(self.runs), np.inf)
        cost[home] = 0.0
        plain = [self._may_be_of_a_hand(run) for run in self.runs]
        left = set(range(len(self.runs)))
        while left:
            nearest = min(left, key=lambda n: float(cost[n]))
            left.discard(nearest)
            if nearest != home and not plain[nearest]:
                continue
            for n in left:
                if self.gaps[nearest, n] <= _REACH:
                    step = self._far(float(self.gaps[nearest, n]), self._where(n, nearest))
                    cost[n] = min(cost[n], max(cost[nearest], step))
        return [float(c) for c in cost]

    def _may_be_of_a_hand(self, run: Run) -> bool:
        plain = sum(not self.bonus[tile] and not self.back[tile] for tile in run.tiles)
        return plain == 1 or bool(self.setter.cut(run.tiles))

    def _order(self, chosen: _Chosen, home: int) -> float:
        """Against sets between standing tiles of one row."""
        row = [(n, option) for n, option in chosen if n == home or self._where(n, home) == "beside"]
        standing = [float(self.frame.place[self.runs[n].tiles[0], 0]) for n, option in row if option.standing]
        if len(standing) < 2:
            return 0.0
        sets = [
            float(self.frame.place[self.runs[n].tiles[0], 0])
            for n, option in row
            if option.sets and not option.standing
        ]
        return _BETWEEN * sum(min(standing) < x < max(standing) for x in sets)

    def _hidden(self, state: _State) -> float:
        """Against kongs of which no face is seen, unless with them the tiles are as many as a hand has."""
        hidden = sum(p.kind is not None and not p.names for _, option in state.chosen for p in option.pieces)
        whole = state.standing + state.won == 14 - 3 * state.sets
        return 0.0 if whole else _HIDDEN * hidden

    def _as_sorted(self, state: _State) -> _Option | None:
        """The same tiles as a hand that was only sorted into sets, all standing; None where anything speaks
        for more."""
        if state.sets != 4 or state.standing != 2 or state.won:
            return None
        pieces = [piece for _, option in state.chosen for piece in option.pieces]
        sets = [piece for piece in pieces if piece.kind is not None]
        if any(piece.kind is MeldKind.KONG or piece.evidence != ("apart",) for piece in sets):
            return None
        standing = [tile for _, option in state.chosen for tile in option.standing]
        tiles = [*standing, *(tile for piece in sets for tile in piece.members)]
        return _Option(0.0, tuple(tiles), tuple(piece for piece in pieces if piece.kind is None))

    def _structure(self, score: float, chosen: _Chosen) -> Structure:
        options = [option for _, option in chosen]
        standing = tuple(tile for option in options for tile in option.standing)
        sets = tuple(piece for option in options for piece in option.pieces if piece.kind is not None)
        bonus = tuple(p.members[0] for option in options for p in option.pieces if p.kind is None)
        won = next((option for option in options if option.winning is not None), _Option(0.0))
        used = {*standing, *bonus, won.winning, *(tile for piece in sets for tile in piece.members)}
        outside = tuple(tile for tile in range(len(self.frame.widths)) if tile not in used)
        return Structure(
            self.frame.direction, self.sure, standing, sets, bonus, won.winning, won.evidence, outside, score
        )


def _twice(boxes: NDArray[np.float64], doubted: NDArray[np.float64]) -> frozenset[int]:
    """Boxes whose middle lies well within a surer one, or the other way round: two boxes on one tile."""
    centres, halves = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) / 2
    off = np.abs(centres[:, None] - centres[None]) / halves[None]
    same = (off < 0.55).all(axis=2)
    same |= same.T
    return frozenset(int(i) for i, j in np.argwhere(same) if doubted[i] < doubted[j])


def _score_of(state: _State) -> float:
    return state.score

"""What lies where on the table: standing tiles, sets, bonus tiles, the winning tile, and what is not of the
hand.

Every way to read the picture gets a score, which adds up what speaks for it and against it as logarithms:
how the tiles lie (touching, apart, in front, turned, how near), what their faces allow, and whether they
make fourteen and one more for each kong. The best is what is told; the others are what may be doubted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.melds import MeldKind
from vision.detector import BACK
from vision.frame import Frame, direction_of_a_row, directions, frame
from vision.options import STANDING, Option, Options
from vision.runs import find_runs, gaps_between, lying_over
from vision.sets import Setter
from vision.ways import Structure, fits

__all__ = ["structures"]

_BETWEEN = -7.0
"""Against a set between standing tiles of one row."""

_HIDDEN = -5.0
"""Against each kong with all four tiles down where the number of tiles does not bear it out."""

_FIFTH = -3.0
"""Against each tile that there would be more than four of."""

_SORTED = 1.2
"""For sets that are all apart in one row, with nothing else about them, being sorted and not claimed."""

_REACH = 4.5
"""How far, in tile widths from one to the next, the parts of a hand lie apart at most."""

_WHOLE = 10.0
"""A score from which no other direction is tried: fourteen tiles in a row have more."""

_LEANING = math.radians(8)
"""How far rows lie off the direction of faces for their own to be tried."""

_HOMES, _BEAM, _KEPT = 5, 48, 8


_Chosen = tuple[tuple[int, Option], ...]


class _State(NamedTuple):
    """What some runs are, and what that adds up to."""

    score: float
    standing: int
    sets: int
    won: bool
    chosen: _Chosen

    def plus(self, number: int, option: Option) -> _State:
        return _State(
            self.score + option.score,
            self.standing + len(option.standing),
            self.sets + option.sets,
            self.won or option.winning is not None,
            (*self.chosen, (number, option)),
        )

    def counted(self) -> _State:
        """The same with how well the number of tiles fits a hand."""
        return self._replace(score=self.score + fits(self.standing, self.sets, self.won))


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
    faces = probabilities[:, BACK] < 0.5
    told = directions(boxes, up, faces) if direction is None else [direction]
    guessed = direction_of_a_row(boxes, told) if direction is None else []
    ways = told + guessed
    doubted = np.zeros(len(boxes)) if found is None else np.log(np.maximum(found.astype(np.float64), 1e-3))
    twice = _twice(boxes.astype(np.float64), doubted)
    best: dict[tuple[object, ...], Structure] = {}
    tried = list(ways or [0.0])
    while tried:
        way = tried.pop(0)
        seen = frame(boxes, up, faces, way, corners)
        if abs(seen.lean) > _LEANING and direction is None and way in ways:
            tried.append(way + seen.lean)  # the row may tell better than unsure faces do
            guessed += [way + seen.lean] if way in guessed else []
        table = _Table(seen, probabilities, bool(told) and way not in guessed, doubted, twice)
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
        self.options = Options(seen, self.runs, self.setter, doubted)

    def readings(self) -> Iterator[Structure]:
        """Structures around each run that may be the standing tiles."""
        upright = [number for number, run in enumerate(self.runs) if self.options.upright(run)]
        likely = [number for number in upright if len(self.runs[number]) > 1] or upright
        likely.sort(key=lambda number: -len(self.runs[number]))
        # A pair may be all that stands; any other short run is no likely place to begin.
        pairs = [number for number in likely[_HOMES:] if self._is_pair(self.runs[number].tiles)]
        for home in (*likely[:_HOMES], *pairs):
            yield from self._around(home)
        if not likely:
            yield self._structure(0.0, ())

    def _is_pair(self, tiles: Sequence[int]) -> bool:
        logs = self.setter.logs[list(tiles)]
        return len(tiles) == 2 and float(logs.sum(axis=0).max() - logs.max(axis=1).sum()) > -3

    @staticmethod
    def _far(reach: float, where: str) -> float:
        """Against the parts of a hand lying so far apart: in front is where the discards are, too."""
        if where == "beside":
            return 0.0 if reach <= 1.6 else 0.8 * (reach - 1.6) if reach <= 3 else 1.12 + 2.5 * (reach - 3)
        return 4.0 * max(reach - 1.1, 0.0)

    # ------------------------------------------------------------------------------ all of it together

    def _around(self, home: int) -> Iterator[Structure]:
        reach = self._reach(home)
        far = self._distant(home)
        others = sorted((r, n) for n, r in enumerate(reach) if n != home and r <= _REACH)[:16]
        empty = _State(self._prior(home), 0, 0, False, ())
        states = [empty.plus(home, option) for option in self.options.as_standing(self.runs[home])]
        for r, number in others:
            options = self.options.of(number, home, r, far[number])
            if len(options) == 1:  # it can only be left out
                continue
            grown: dict[tuple[int, int, bool], list[_State]] = {}
            for state in states:
                for option in options:
                    if option.winning is None or not state.won:
                        now = state.plus(number, option)
                        grown.setdefault((now.standing, now.sets, now.won), []).append(now)
            states = _best((state for group in grown.values() for state in _best(group, 2)), _BEAM)
        for state in _best((s.counted() for s in states), _KEPT):
            score = state.score + self._order(state.chosen, home) + self._hidden(state)
            score += _FIFTH * self._beyond_four(state.chosen)
            yield self._structure(score, state.chosen)
            twin = self._as_sorted(state)
            if twin is not None:
                yield self._structure(state.score + STANDING * 12 + _SORTED, ((home, twin),))

    def _prior(self, home: int) -> float:
        """For tiles close to the camera, and a little for a photo that is held upright."""
        sizes = self.options.sizes
        mine = sizes[home]
        largest = max(
            (size for size, run in zip(sizes, self.runs, strict=True) if len(run) > 1), default=mine
        )
        near = 4 * (mine / max(largest, mine) - 1)
        return max(near, -2.0) + 0.6 * math.cos(self.frame.direction)

    def _reach(self, home: int) -> list[float]:
        """How wide the widest gap is on the way from the standing tiles to each run."""
        best = self.gaps[home].copy()
        done = {home}
        plain = [self.options.may_be_of_a_hand(run) for run in self.runs]
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
        plain = [self.options.may_be_of_a_hand(run) for run in self.runs]
        left = set(range(len(self.runs)))
        while left:
            nearest = min(left, key=lambda n: float(cost[n]))
            left.discard(nearest)
            if nearest != home and not plain[nearest]:
                continue
            for n in left:
                if self.gaps[nearest, n] <= _REACH:
                    step = self._far(float(self.gaps[nearest, n]), self.options.where(n, nearest))
                    cost[n] = min(cost[n], max(cost[nearest], step))
        return [float(c) for c in cost]

    def _order(self, chosen: _Chosen, home: int) -> float:
        """Against sets between standing tiles of one row."""
        row = [(n, option) for n, option in chosen if n == home or self.options.where(n, home) == "beside"]
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

    def _beyond_four(self, chosen: _Chosen) -> int:
        """How many tiles are one too many of their name, as sets would be and standing tiles surely are."""
        held: Counter[int] = Counter()
        for _, option in chosen:
            held.update(name for piece in option.pieces for name in piece.names)
            held.update(self.setter.surely[tile] for tile in option.standing)
        return sum(max(count - 4, 0) for name, count in held.items() if name >= 0)

    def _as_sorted(self, state: _State) -> Option | None:
        """The same tiles as a hand that was only sorted into sets, all standing; None where anything speaks
        for more."""
        if state.sets != 4 or state.standing != 2 or state.won:
            return None
        pieces = [piece for _, option in state.chosen for piece in option.pieces]
        sets = [piece for piece in pieces if piece.kind is not None]
        if any(piece.kind is MeldKind.KONG or piece.evidence != ("apart",) for piece in sets):
            return None
        standing = [tile for _, option in state.chosen for tile in option.standing]
        if not self._is_pair(standing):
            return None
        tiles = [*standing, *(tile for piece in sets for tile in piece.members)]
        return Option(0.0, tuple(tiles), tuple(piece for piece in pieces if piece.kind is None))

    def _structure(self, score: float, chosen: _Chosen) -> Structure:
        options = [option for _, option in chosen]
        standing = tuple(tile for option in options for tile in option.standing)
        sets = tuple(piece for option in options for piece in option.pieces if piece.kind is not None)
        bonus = tuple(p.members[0] for option in options for p in option.pieces if p.kind is None)
        won = next((option for option in options if option.winning is not None), Option(0.0))
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


_score_of = attrgetter("score")


def _best(states: Iterable[_State], most: int) -> list[_State]:
    return sorted(states, key=_score_of, reverse=True)[:most]

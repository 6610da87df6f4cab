"""The table as one player sees it: which way is right, which way is up, how large a tile is, and where tiles
touch.

A photo taken from the side squeezes the table, so right and up need not stand square in the picture, and
tiles grow towards the camera. Distances are therefore told in tile widths, along both directions, at the
size that tiles have where they lie.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.turns import TALL, askew_most, lying_sideways, shape_says

__all__ = ["TALL", "Frame", "direction_of_a_row", "directions", "frame"]

Floats = NDArray[np.float64]

_DEEP = 1.45
"""Height over width of what a box holds: less of the face and more of its side as the camera tilts."""

_LEAN = math.radians(26)
"""How far rows may turn away from square to the direction of the faces."""

_SURE_UP = 0.3
"""Certainty of a face's direction from which it counts."""

_STRAIGHT = math.cos(math.radians(10))
"""How straight three tiles lie that stand in a row."""

_ROW_LENGTH = 4
"""Tiles that must lie straight between two others for a row to say which way its player sits."""

_SAME_ROW = 0.42
"""How far beside its neighbour, in widths across the row, a tile of the same row lies at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Tiles in the frame of the player whom the faces point away from.

    `direction` radians clockwise from the photo's top; `right`, `up` unit vectors in the picture; `along`,
    `across` (n, n): how far tile j lies to the right of and above tile i, in widths; `turned` (n,) quarter
    turns 0-3 clockwise of each face against `direction`; `aligned` (n,) whether it lies straight at all;
    `told` (n,) whether its face shows either. `place` (n, 2): rough position along and across, in widths
    from the first tile. `lean` radians clockwise that rows are turned against square to `direction`.
    """

    direction: float
    right: Floats
    up: Floats
    along: Floats
    across: Floats
    turned: NDArray[np.int64]
    aligned: NDArray[np.bool_]
    told: NDArray[np.bool_]
    widths: Floats
    place: Floats
    lean: float = 0.0

    def extent(self, index: int) -> float:
        """Width of a tile along its row, in widths: more if it lies sideways."""
        return TALL if self.turned[index] % 2 else 1.0


def _angles(up: Floats) -> tuple[Floats, Floats]:
    return np.arctan2(up[:, 0], -up[:, 1]), np.hypot(up[:, 0], up[:, 1]).clip(0, 1)


def directions(
    boxes: NDArray[np.float32], up: NDArray[np.float32], faces: NDArray[np.bool_], most: int = 3
) -> list[float]:
    """The directions that many faces point in, best first, radians clockwise from the photo's top; empty
    where no face tells.

    Tiles that have a neighbour beside them which points the same way count for more: those lie in a row, as
    hands do and thrown tiles do not.
    """
    angles, weights = _angles(up.astype(np.float64))
    weights = np.where(faces & (weights >= _SURE_UP), weights, 0.0)
    weights *= 0.2 + _in_a_row(boxes.astype(np.float64), angles, weights)
    left = weights.copy()
    found: list[float] = []
    while len(found) < most and left.sum() > 0:
        near = np.exp(25 * (np.cos(angles[:, None] - angles[None, :]) - 1)) * left[None, :]
        peak = angles[int(np.argmax(np.where(left > 0, near.sum(axis=1), -1)))]
        close = np.cos(angles - peak) > math.cos(math.radians(24))
        pulled = left * close
        mean = math.atan2(float((pulled * np.sin(angles)).sum()), float((pulled * np.cos(angles)).sum()))
        if found and pulled.sum() < 0.1 * weights.sum():
            break
        found.append(mean)
        left = np.where(close, 0.0, left)
    return found


def direction_of_a_row(boxes: NDArray[np.float32], known: list[float]) -> list[float]:
    """The direction of a straight row that none of the `known` ones fits, the photo's top being up; or none.

    Many faces are alike upside down, dots above all: a row of them points nowhere, and thrown tiles around it
    would have the only say. Which of both ways it is nobody knows, so it is no more than a guess.
    """
    box = boxes.astype(np.float64)
    centres, sizes = (box[:, :2] + box[:, 2:]) / 2, _sizes(box, np.zeros(len(box)), None)
    steps = centres[None] - centres[:, None]
    length = np.hypot(steps[..., 0], steps[..., 1]) / sizes[:, None]
    ratio = sizes[:, None] / sizes[None]
    near = (length > 0.6) & (length < 1.5) & (ratio > 0.75) & (ratio < 1.33)
    turn = np.arctan2(steps[..., 1], steps[..., 0])
    between = []  # of every tile that lies straight between two others, the direction from one to the other
    for index in range(len(box)):
        beside = np.flatnonzero(near[index])
        for first, second in itertools.combinations(beside, 2):
            if math.cos(turn[index, first] - turn[index, second]) < -_STRAIGHT:
                across = steps[first, second]
                between.append(math.remainder(math.atan2(across[1], across[0]), math.pi))
    if not between:
        return []
    rows = np.array(between)
    alike = np.abs(np.cos(rows[:, None] - rows[None])) > _STRAIGHT
    best = int(alike.sum(axis=1).argmax())
    if alike[best].sum() < _ROW_LENGTH:
        return []
    way = float(rows[best])  # to the right, as the photo's top is up
    fits = any(abs(math.cos(way - other)) > math.cos(_LEAN) for other in known)
    return [] if fits else [way]


def _in_a_row(box: Floats, angles: Floats, weights: Floats) -> Floats:
    """How many neighbours, two at most, each tile has beside it that point as it does."""
    centres, sizes = (box[:, :2] + box[:, 2:]) / 2, _sizes(box, angles, None)
    steps = centres[None] - centres[:, None]
    right = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    down = np.stack([-np.sin(angles), np.cos(angles)], axis=1)
    along = np.abs((steps * right[:, None]).sum(axis=2)) / sizes[:, None]
    across = np.abs((steps * down[:, None]).sum(axis=2)) / sizes[:, None]
    alike = (np.cos(angles[:, None] - angles[None]) > math.cos(math.radians(18))) & (weights[None] > 0)
    ratio = sizes[:, None] / sizes[None]
    beside = alike & (along > 0.6) & (along < 1.5) & (across < 0.55) & (ratio > 0.75) & (ratio < 1.33)
    count: Floats = np.minimum(beside.sum(axis=1), 2).astype(np.float64)
    return count


def frame(
    boxes: NDArray[np.float32],
    up: NDArray[np.float32],
    faces: NDArray[np.bool_],
    direction: float,
    corners: NDArray[np.float32] | None = None,
) -> Frame:
    """The frame of the player towards whom the feet of faces in `direction` point.

    `boxes` (n, 4), `up` (n, 2); `faces` (n,) False for tiles whose backs are seen, whose direction says
    nothing. `corners` (n, 4, 2) of the faces, where they are known, say sizes and places better than boxes.
    """
    box = boxes.astype(np.float64)
    angles, weights = _angles(up.astype(np.float64))
    told = faces & (weights >= _SURE_UP)
    centres = (box[:, :2] + box[:, 2:]) / 2 if corners is None else corners.astype(np.float64).mean(axis=1)
    off = _wrapped(angles - direction)
    fan = _fan(centres, off, np.where(told, weights, 0.0))
    off = _wrapped(off - fan)
    quarter = np.round(off / (math.pi / 2)).astype(np.int64)
    askew = np.abs(off - quarter * (math.pi / 2))
    turned = np.where(told, quarter % 4, 0)
    aligned = ~told | (askew <= askew_most(weights))
    sizes = _levelled(centres, _sizes(box, np.full(len(box), direction), corners), aligned & told)
    square = np.array([math.cos(direction), math.sin(direction)])
    upward = np.array([math.sin(direction), -math.cos(direction)])
    straight = aligned & told & (turned % 2 == 0)
    lean = _lean(centres, sizes, square, upward, straight if straight.sum() >= 4 else aligned)
    right = np.array([math.cos(direction + lean), math.sin(direction + lean)])
    basis = np.linalg.inv(np.stack([right, upward], axis=1))
    widths = sizes * _pitch(centres, sizes, basis, straight)
    steps = (centres[None, :, :] - centres[:, None, :]) @ basis.T
    scale = (widths[:, None] + widths[None, :]) / 2
    along, across = steps[..., 0] / scale, steps[..., 1] / scale
    _join(turned, aligned, told, off, along, across, widths)
    shape = np.zeros(len(box)) if corners is not None else _by_shape(box, straight, right, upward)
    certainty = np.where(faces, np.maximum(weights, 0.01), 0.0)
    sideways = lying_sideways(turned, certainty, aligned, along, across, shape)
    turned = np.where(sideways == (turned % 2 == 1), turned, sideways.astype(np.int64))
    told = told | sideways
    place = (centres - centres[0]) @ basis.T / float(np.median(widths))
    return Frame(
        direction,
        right,
        upward,
        along,
        across,
        turned,
        aligned,
        told,
        widths,
        place,
        lean,
    )


def _wrapped(angles: Floats) -> Floats:
    wrapped: Floats = np.arctan2(np.sin(angles), np.cos(angles))
    return wrapped


def _fan(centres: Floats, off: Floats, weights: Floats) -> Floats:
    """How far faces point away from the common direction where they lie, in radians.

    Seen from the side, directions fan out across the picture, those of tiles that stand on edge above all.
    """
    spread = max(float(np.ptp(centres, axis=0).max()), 1e-6)
    at = (centres - centres.mean(axis=0)) / spread
    terms = np.column_stack([np.ones(len(at)), at])
    lean: Floats = np.zeros(len(at))
    for _ in range(5):
        chosen = weights * (np.abs(off - lean) <= math.radians(26))
        if (chosen > 0).sum() < 4:
            break
        weighed = terms * chosen[:, None]
        # The prior keeps a few tiles in a corner from bending the whole table.
        fit = np.linalg.solve(terms.T @ weighed + np.diag([0.01, 0.15, 0.15]), weighed.T @ off)
        lean = terms @ np.clip(fit, -1.2, 1.2)
    return lean


def _join(
    turned: NDArray[np.int64],
    aligned: NDArray[np.bool_],
    told: NDArray[np.bool_],
    off: Floats,
    along: Floats,
    across: Floats,
    widths: Floats,
) -> None:
    """Count tiles as straight that lie beside a straight one as it does, or just where the next of its row
    would; changes `turned` and `aligned`."""
    beside = (np.abs(along) < 1.6) & (np.abs(across) < _SAME_ROW)
    alike = beside & (np.abs(_wrapped(off[:, None] - off[None, :])) <= math.radians(20)) & told[:, None]
    ratio = widths[:, None] / widths[None, :]
    # A direction may be mistaken (flowers look much the same from all sides); a place in a row is not chance.
    fits = (np.abs(np.abs(along) - 1) < 0.22) & (np.abs(across) < 0.25) & (np.abs(ratio - 1) < 0.22)
    for _ in range(4):
        joins = ((alike & told[None, :]) | fits) & aligned[None, :] & ~aligned[:, None]
        new = np.flatnonzero(joins.any(axis=1))
        if not len(new):
            return
        turned[new] = np.where(alike[new].any(axis=1), turned[joins[new].argmax(axis=1)], 0)
        aligned[new] = True


def _by_shape(box: Floats, straight: NDArray[np.bool_], right: Floats, upward: Floats) -> Floats:
    """What the shape of each box says for its tile lying sideways; `straight` tiles show that of upright
    ones."""
    sides = box[:, 2:] - box[:, :2]
    if straight.sum() < 3:
        return np.zeros(len(box))
    u, v = np.abs(right), np.abs(upward)
    share = float(np.median(sides[straight, 0] / sides[straight].sum(axis=1)))
    # Side lengths of an upright box are u + h v; h is what makes the usual share of its width.
    below = v[0] - share * v.sum()
    tall = TALL if abs(below) < 0.05 else (share * u.sum() - u[0]) / below
    tall = float(np.clip(tall, 1.0, 1.7))
    stands, lies = u + tall * v, TALL * u + tall / TALL * v
    stand, lie = math.log(stands[0] / stands[1]), math.log(lies[0] / lies[1])
    return shape_says(np.log(sides[:, 0] / sides[:, 1]), stand, lie)


def _sizes(box: Floats, angles: Floats, corners: NDArray[np.float32] | None) -> Floats:
    """Width of each tile in pixels, roughly: a box's sides add up to the same whichever way a tile is turned
    by quarters."""
    if corners is not None:
        c = corners.astype(np.float64)
        sides = np.linalg.norm(c - np.roll(c, 1, axis=1), axis=2).sum(axis=1)
        return np.asarray(np.maximum(sides / (2 * (1 + TALL)), 1e-6), np.float64)
    sides = box[:, 2:].sum(axis=1) - box[:, :2].sum(axis=1)
    spread = (1 + _DEEP) * (np.abs(np.cos(angles)) + np.abs(np.sin(angles)))
    return np.asarray(np.maximum(sides / spread, 1e-6), np.float64)


def _levelled(centres: Floats, sizes: Floats, chosen: NDArray[np.bool_]) -> Floats:
    """Sizes as they change evenly over the picture, where a tile's own is near to that: a set's tiles are all
    alike, and boxes are not exact."""
    if chosen.sum() < 5:
        return sizes
    spread = max(float(np.ptp(centres, axis=0).max()), 1e-6)
    at = np.column_stack([np.ones(len(centres)), (centres - centres.mean(axis=0)) / spread])
    even: Floats = np.full(len(sizes), float(np.median(sizes[chosen])))
    for _ in range(4):
        near = chosen & (np.abs(sizes / even - 1) < 0.25)
        if near.sum() < 5:
            return sizes
        weighed = at[near]
        prior = np.diag([0.0, 0.1, 0.1])
        fit = np.linalg.solve(weighed.T @ weighed + prior, weighed.T @ sizes[near])
        even = np.maximum(at @ fit, 0.2 * float(np.median(sizes[near])))
    return np.where(np.abs(sizes / even - 1) < 0.25, even, sizes)


def _lean(centres: Floats, sizes: Floats, right: Floats, upward: Floats, chosen: NDArray[np.bool_]) -> float:
    """How far, in radians clockwise, rows are turned against `right`: the commonest step to a next tile."""
    index = np.flatnonzero(chosen)
    if len(index) < 2:
        return 0.0
    steps = centres[index][None] - centres[index][:, None]
    scale = (sizes[index][:, None] + sizes[index][None]) / 2
    along, down = steps @ right / scale, -(steps @ upward) / scale
    angle = np.arctan2(down, along)
    length = np.hypot(along, down)
    possible = (np.abs(angle) <= _LEAN) & (length > 0.5) & (length <= 1.9)
    if not possible.any():
        return 0.0
    length = np.where(possible, length, np.inf)
    nearest = length.argmin(axis=1)
    rows = np.flatnonzero(np.isfinite(length.min(axis=1)))
    turns = angle[rows, nearest[rows]]
    # The densest of them, not the middle one: rows set like bricks offer steps from row to row as well.
    support = np.exp(-((turns[:, None] - turns[None, :]) ** 2) / (2 * 0.06**2)).sum(axis=1)
    peak = turns[int(np.argmax(support))]
    return float(turns[np.abs(turns - peak) <= 0.12].mean())


def _pitch(centres: Floats, sizes: Floats, basis: Floats, chosen: NDArray[np.bool_]) -> float:
    """Tile width over the size told by boxes: what touching neighbours are apart."""
    index = np.flatnonzero(chosen)
    if len(index) < 3:
        return 1.0
    steps = (centres[index][None] - centres[index][:, None]) @ basis.T
    scale = (sizes[index][:, None] + sizes[index][None]) / 2
    along, across = steps[..., 0] / scale, np.abs(steps[..., 1]) / scale
    along = np.where((along > 0.55) & (along < 1.7) & (across < _SAME_ROW), along, np.inf).min(axis=1)
    along = along[np.isfinite(along)]
    if len(along) < 3:
        return 1.0
    return float(np.clip(np.quantile(along, 0.4), 0.7, 1.35))

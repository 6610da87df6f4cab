"""Rows of tiles in reading order, whichever way the photo was held.

A hand is read as its owner reads it: with the faces upright, row by row from the top, each from the left.
So the way the faces point comes first, then the rows as they lie, and both may be a little off: tiles are
set down by hand and seen from the side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Layout", "Place", "arrange", "degrees_of"]

_ASPECT = 1.35
"""Height over width of a face; sets are made between 1.25 and 1.45."""

_WITHIN = math.radians(40)
"""Faces that point no further than this from the common direction count as pointing that way."""

_TILT = math.radians(22)
"""How far the rows may turn away from the direction that the faces suggest before it cannot be they that
are meant."""

_CERTAIN = 0.25
"""Mean certainty of a face's direction, over all tiles, from which the common direction is believed."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one tile lies in the hand as it is read.

    `index` into the boxes that were given; `row` from 0 at the top; `gap` the free space to the tile
    before it in its row, in tile widths (0 where they touch, infinite for the first); `turned` the angle
    in degrees, clockwise, of its face against the hand's, None if unsure.
    """

    index: int
    row: int
    gap: float
    turned: float | None


@dataclass(frozen=True, slots=True)
class Layout:
    """`places` in reading order; `angle` in degrees, clockwise from the photo's top, of the direction in
    which the faces stand upright; `sure` False where the faces did not show it and the photo was taken to
    be upright."""

    places: tuple[Place, ...]
    angle: float
    sure: bool

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Indices of the boxes, row by row."""
        count = self.places[-1].row + 1 if self.places else 0
        return tuple(tuple(place.index for place in self.places if place.row == row) for row in range(count))


def degrees_of(vector: NDArray[np.float32] | tuple[float, float]) -> float:
    """Angle in degrees, clockwise from the photo's top, of a vector (x right, y down): 0 up, 90 right; -180
    < angle <= 180."""
    angle = math.degrees(math.atan2(float(vector[0]), -float(vector[1])))
    return 180.0 if angle <= -180 else angle + 0.0


def arrange(boxes: NDArray[np.float32], up: NDArray[np.float32], direction: float | None = None) -> Layout:
    """Order tiles for reading.

    `boxes` (n, 4) as x0, y0, x1, y1; `up` (n, 2), x right and y down, pointing where the top of each face
    points, its length 0..1 how sure that is. `direction`, radians clockwise from the photo's top, is where
    the faces of the hand point, if that is known. Raises `ValueError` on other shapes.
    """
    if boxes.ndim != 2 or boxes.shape[1] != 4 or up.shape != (len(boxes), 2):
        raise ValueError(f"boxes must be (n, 4) and up (n, 2), not {boxes.shape} and {up.shape}")
    return _arrange(boxes.astype(np.float64), up.astype(np.float64), direction)


def _arrange(boxes: NDArray[np.float64], up: NDArray[np.float64], known: float | None) -> Layout:
    if not len(boxes):
        return Layout((), 0.0, False)
    angles = np.arctan2(up[:, 0], -up[:, 1])
    weights = np.hypot(up[:, 0], up[:, 1]).clip(0, 1)
    direction, sure = (known, True) if known is not None else _common_direction(angles, weights)
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    direction += _tilt_of_rows(boxes, centres, direction)
    along = centres @ np.array([math.cos(direction), math.sin(direction)])
    across = centres @ np.array([-math.sin(direction), math.cos(direction)])
    widths = _widths(boxes, direction)
    places: list[Place] = []
    for row, members in enumerate(_rows(along, across, widths)):
        for position, index in enumerate(members):
            gap = math.inf
            if position:
                before = members[position - 1]
                both = _extent(boxes, angles, weights, direction, widths, (before, index))
                gap = max((along[index] - along[before] - both) / ((widths[index] + widths[before]) / 2), 0.0)
            turned = _wrap(angles[index] - direction) if weights[index] >= 0.3 else None
            places.append(
                Place(int(index), row, float(gap), None if turned is None else math.degrees(turned))
            )
    return Layout(tuple(places), math.degrees(_wrap(direction)), sure)


def _wrap(angle: float) -> float:
    """The same angle in -pi < angle <= pi."""
    wrapped = math.remainder(float(angle), 2 * math.pi)
    return math.pi if wrapped <= -math.pi else wrapped


def _common_direction(angles: NDArray[np.float64], weights: NDArray[np.float64]) -> tuple[float, bool]:
    """The direction that most faces agree on, as an angle clockwise from the photo's top, and whether it
        can be believed.

    The mode, not the mean: a claimed tile that was turned sideways, or another player's hand across the
    table, must not pull it.
    """
    if weights.sum() < _CERTAIN * len(weights):
        return 0.0, False
    differences = angles[:, None] - angles[None, :]
    support = (np.exp(8 * (np.cos(differences) - 1)) * weights[None, :]).sum(axis=1)
    peak = angles[int(np.argmax(np.where(weights > 0, support, -1)))]
    near = np.abs(np.arctan2(np.sin(angles - peak), np.cos(angles - peak))) <= _WITHIN
    agreeing = weights * near
    # A third of what the faces say is enough, if no other direction gets more: pairs of dots look the same
    # upside down.
    if agreeing.sum() < max(weights.sum() / 3, _CERTAIN * len(weights) / 2):
        return 0.0, False
    mean = math.atan2(float((agreeing * np.sin(angles)).sum()), float((agreeing * np.cos(angles)).sum()))
    return mean, True


def _widths(boxes: NDArray[np.float64], direction: float) -> NDArray[np.float64]:
    """Width of each face in pixels, from the sum of its box's sides.

    That sum is the face's width plus height times (|cos| + |sin|) of its angle, whichever of the two lies
    which way, so it holds for tiles turned sideways too.
    """
    sides = boxes[:, 2:].sum(axis=1) - boxes[:, :2].sum(axis=1)
    widths: NDArray[np.float64] = sides / (
        (1 + _ASPECT) * (abs(math.cos(direction)) + abs(math.sin(direction)))
    )
    return np.maximum(widths, 1e-6)


def _extent(
    boxes: NDArray[np.float64],
    angles: NDArray[np.float64],
    weights: NDArray[np.float64],
    direction: float,
    widths: NDArray[np.float64],
    pair: tuple[int, int],
) -> float:
    """Half the length that each of two neighbours takes up along their row, added: more for a tile that
    lies sideways."""
    total = 0.0
    for index in pair:
        sideways = weights[index] >= 0.3 and abs(math.sin(angles[index] - direction)) > 0.7
        total += widths[index] * (_ASPECT if sideways else 1.0) / 2
    return total


def _tilt_of_rows(boxes: NDArray[np.float64], centres: NDArray[np.float64], direction: float) -> float:
    """How far, in radians, the rows are turned against `direction`: the median over steps from tile to next
        tile.

    A tile's next is the nearest one that lies about sideways of it, no further than three widths. Tiles
    of the row below are further off the row's direction than `_TILT` allows, even in rows set like
    bricks.
    """
    if len(boxes) < 2:
        return 0.0
    widths = _widths(boxes, direction)
    steps = centres[None, :, :] - centres[:, None, :]
    lengths = np.hypot(steps[..., 0], steps[..., 1])
    turn = np.arctan2(steps[..., 1], steps[..., 0]) - direction
    turn = np.arctan2(np.sin(turn), np.cos(turn))
    possible = (np.abs(turn) <= _TILT) & (lengths > 0) & (lengths <= 3 * widths[:, None])
    lengths = np.where(possible, lengths, np.inf)
    nearest = lengths.argmin(axis=1)
    found = np.isfinite(lengths.min(axis=1))
    if not found.any():
        return 0.0
    return float(np.median(turn[np.arange(len(boxes)), nearest][found]))


def _rows(
    along: NDArray[np.float64], across: NDArray[np.float64], widths: NDArray[np.float64]
) -> list[list[int]]:
    """Tiles that lie side by side, as rows from the top, each from the left.

    Neighbours are linked and the links followed, so a row may drift up or down over its length (a photo taken
    from the side) by more than a single step may. Over a wide gap the next tile must lie straighter, or one
    row's end would catch another's beginning.
    """
    count = len(along)
    height = _ASPECT * (widths[:, None] + widths[None, :]) / 2
    distance = np.abs(along[:, None] - along[None, :]) / np.minimum(widths[:, None], widths[None, :])
    offset = np.abs(across[:, None] - across[None, :]) / height
    linked = (offset <= 0.45) & (distance <= 2.5) | (offset <= 0.25)
    row_of = np.arange(count)
    changed = True
    while changed:
        lowest = np.where(linked, row_of[None, :], count).min(axis=1)
        changed = bool((lowest != row_of).any())
        row_of = lowest
    groups = [np.flatnonzero(row_of == row) for row in np.unique(row_of)]
    groups.sort(key=lambda members: float(np.median(across[members])))
    return [
        [int(index) for index in members[np.argsort(along[members], kind="stable")]] for members in groups
    ]

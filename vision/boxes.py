"""Boxes as x0, y0, x1, y1: how much they overlap, and which of several on one tile to keep."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["iou", "nms", "oversized", "spanning"]

_INSIDE = 0.75
"""Share of a tile's box that lies in one that spans it and its neighbour."""

_PART = 0.75
"""Share of the spanning box that either tile fills at the most: a tile does not span its own smaller box."""

_APART = 0.45
"""Share of the smaller of two neighbours' boxes that lies in the other at the most."""

_FILLED = 0.75
"""Share of the spanning box that both fill together at the least."""

_SURE = 0.5
"""Score from which on a box shows how large tiles are, and below which it is dropped if it is none of that
size."""

_LIKE = 3
"""How many sure boxes it takes to tell."""

_LARGER = 1.5
"""Area over that of the largest sure box. Chosen on training photos, scenes of held-out styles and painted
tables, where no faint box beyond it held a tile."""


def oversized(boxes: NDArray[np.float32], scores: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which boxes (n, 4) with `scores` (n,) are faint and larger than any tile that is surely there: (n,). A
    sheet of paper, a tray or a phone is."""
    area = _area(np.asarray(boxes, np.float32).reshape(-1, 4))
    sure = scores >= _SURE
    if sure.sum() < _LIKE:
        return np.zeros(len(area), np.bool_)
    large: NDArray[np.bool_] = ~sure & (area > _LARGER * area[sure].max())
    return large


def iou(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.float32]:
    """Intersection over union of each box of `a` (n, 4) with each of `b` (m, 4): (n, m), 0..1; 0 where both
    are empty."""
    a = np.asarray(a, np.float32).reshape(-1, 4)
    b = np.asarray(b, np.float32).reshape(-1, 4)
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    inside = np.clip(high - low, 0, None).prod(axis=2)
    union = _area(a)[:, None] + _area(b)[None, :] - inside
    result: NDArray[np.float32] = np.divide(inside, union, out=np.zeros_like(inside), where=union > 0)
    return result


def nms(boxes: NDArray[np.float32], scores: NDArray[np.float32], threshold: float) -> NDArray[np.intp]:
    """Indices of the boxes to keep, best score first: a box goes if it overlaps a better one by more than
        `threshold` (IoU).

    Class-agnostic: one place on the table holds one tile, whatever the two boxes call it. Equal scores keep
    their order.
    """
    boxes = np.asarray(boxes, np.float32).reshape(-1, 4)
    scores = np.asarray(scores, np.float32).reshape(-1)
    if len(boxes) != len(scores):
        raise ValueError(f"{len(boxes)} boxes but {len(scores)} scores")
    order = np.argsort(-scores, kind="stable")
    kept: list[int] = []
    while len(order):
        best, rest = order[0], order[1:]
        kept.append(int(best))
        order = rest[iou(boxes[best][None], boxes[rest])[0] <= threshold]
    return np.asarray(kept, np.intp)


def spanning(boxes: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which boxes (n, 4) only hold together two others that lie side by side: (n,).

    Two tiles that touch are sometimes found once more as one. Each of the two must lie almost all within the
    box, they must hardly overlap, and together fill most of it.
    """
    boxes = np.asarray(boxes, np.float32).reshape(-1, 4)
    area = np.maximum(_area(boxes), 1e-6)
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=2)
    inside = (shared >= _INSIDE * area[None, :]) & (area[None, :] <= _PART * area[:, None])
    np.fill_diagonal(inside, False)
    result = np.zeros(len(boxes), bool)
    for index in np.flatnonzero(inside.sum(axis=1) >= 2):
        parts = np.flatnonzero(inside[index])
        apart = shared[np.ix_(parts, parts)] <= _APART * np.minimum(area[parts][:, None], area[parts][None])
        filled = shared[index, parts][:, None] + shared[index, parts][None] >= _FILLED * area[index]
        result[index] = bool((apart & filled).any())
    return result


def _area(boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    area: NDArray[np.float32] = np.clip(boxes[:, 2:] - boxes[:, :2], 0, None).prod(axis=1)
    return area

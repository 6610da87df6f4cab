"""Boxes as x0, y0, x1, y1: how much they overlap, and which of several on one tile to keep."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["iou", "nms"]


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


def _area(boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    area: NDArray[np.float32] = np.clip(boxes[:, 2:] - boxes[:, :2], 0, None).prod(axis=1)
    return area

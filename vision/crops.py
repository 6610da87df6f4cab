"""Square crops around tiles: the one rule by which both the training of the namer and its serving cut a
tile out."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision._opencv import cv2

__all__ = ["cut", "cut_turned"]

_SHAPE = 0.8
"""Width over height of the tile as it fills its box: a face has 0.74, a side that is seen adds to it."""
_COARSE = 0.6
"""Below this scale plain interpolation would drop the thin strokes that tell one tile from another."""


def cut(image: NDArray[np.uint8], boxes: NDArray[np.float32], size: int, margin: float) -> NDArray[np.uint8]:
    """Cut a square crop around each box.

    `image` is (h, w, 3) BGR, `boxes` (n, 4) as x0, y0, x1, y1 in its pixels. Returns (n, size, size, 3)
    BGR. The square is centred on the box and `margin` times its longer side, so a tile lying at any angle
    stays whole; beyond the edge of the photo the border is repeated.
    """
    sides = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0) * margin
    return _squares(image, boxes, sides, np.zeros(len(boxes)), size)


def cut_turned(
    image: NDArray[np.uint8],
    boxes: NDArray[np.float32],
    leaning: NDArray[np.float64],
    turn: float,
    size: int,
    margin: float,
) -> NDArray[np.uint8]:
    """The same with each crop turned: a tile that leans by `leaning` (n,) radians clockwise from upright is
    shown leaning by `turn`, and its own box in that position has the margin around it, not the box it has
    in the photo: a tile in a slanting row shows larger, and less of its neighbours.
    """
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    c, s = np.abs(np.cos(leaning)), np.abs(np.sin(leaning))
    tall = (wide / (_SHAPE * c + s) + high / (_SHAPE * s + c)) / 2
    across, along = abs(math.cos(turn)), abs(math.sin(turn))
    sides = tall * max(_SHAPE * across + along, _SHAPE * along + across) * margin
    return _squares(image, boxes, sides, leaning - turn, size)


def _squares(
    image: NDArray[np.uint8],
    boxes: NDArray[np.float32],
    sides: NDArray[np.floating],
    turns: NDArray[np.float64],
    size: int,
) -> NDArray[np.uint8]:
    """Squares around the middles of boxes, with sides (n,) in pixels, turned clockwise by radians (n,)."""
    crops = np.empty((len(boxes), size, size, 3), np.uint8)
    for index, (box, side, turn) in enumerate(zip(boxes, sides, turns, strict=True)):
        scale = size / max(float(side), 1.0)
        middle = float(box[0] + box[2]) / 2, float(box[1] + box[3]) / 2
        source, stretch, origin = _near(image, middle, size / scale, turn, scale)
        c, s = math.cos(turn) * scale, math.sin(turn) * scale
        x, y = middle[0] - origin[0], middle[1] - origin[1]
        matrix = np.array(
            [
                [c / stretch[0], s / stretch[1], size / 2 - c * x - s * y],
                [-s / stretch[0], c / stretch[1], size / 2 + s * x - c * y],
            ]
        )
        cv2.warpAffine(
            source,
            matrix,
            (size, size),
            dst=crops[index],
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return crops


def _near(
    image: NDArray[np.uint8], middle: tuple[float, float], side: float, turn: float, scale: float
) -> tuple[NDArray[np.uint8], tuple[float, float], tuple[int, int]]:
    """What a crop is taken from, how many of its pixels one of the photo's is (x, y), and the pixel of the
    photo that it begins at: the photo itself, or what lies around the crop, averaged, where that shrinks a
    lot."""
    high, wide = image.shape[:2]
    reach = side * (abs(math.cos(turn)) + abs(math.sin(turn))) / 2
    x0, y0 = max(int(middle[0] - reach) - 2, 0), max(int(middle[1] - reach) - 2, 0)
    x1, y1 = min(int(middle[0] + reach) + 3, wide), min(int(middle[1] + reach) + 3, high)
    if scale >= _COARSE or x1 <= x0 or y1 <= y0:
        return image, (1.0, 1.0), (0, 0)
    shrink = scale * 1.25
    shrunk = max(int((x1 - x0) * shrink), 1), max(int((y1 - y0) * shrink), 1)
    source = cv2.resize(image[y0:y1, x0:x1], shrunk, interpolation=cv2.INTER_AREA)
    return np.asarray(source, np.uint8), (shrunk[0] / (x1 - x0), shrunk[1] / (y1 - y0)), (x0, y0)

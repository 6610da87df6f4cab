"""Where the tiles are: a look at the whole photo with a YOLO network, a closer one where tiles are small."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision._onnx import Network, planes
from vision._opencv import cv2
from vision.boxes import nms, oversized, spanning
from vision.errors import ModelError

__all__ = ["MOST", "Finder", "Found", "Letterbox", "letterbox"]

_PAD = 114
_STRIDE = 32
_SMALL = 32
"""Longer side of a tile, in pixels of the network's input, below which many are overlooked."""
_GAIN = 1.3
"""A closer look must show the tiles this much larger to be worth its time."""
_ROOM = 2.5
"""Tiles of room around those that were seen: for a row that was not."""
_LARGE = 1600
"""Longer side of a photo, in pixels, of which a part shows more than the whole did."""
MOST = 300
"""Boxes considered, best first: a full table shows under 150 tiles, and NMS grows with the square."""


@dataclass(frozen=True, slots=True)
class Letterbox:
    """How a photo was laid into the network's input: `input = photo * scale + (left, top)`, in pixels."""

    scale_x: float
    scale_y: float
    left: int
    top: int

    def to_photo(self, boxes: NDArray[np.float32]) -> NDArray[np.float32]:
        """Boxes (n, 4) in pixels of the input, moved to pixels of the photo."""
        shift = np.array([self.left, self.top] * 2, np.float32)
        scale = np.array([self.scale_x, self.scale_y] * 2, np.float32)
        moved: NDArray[np.float32] = ((boxes - shift) / scale).astype(np.float32)
        return moved


def letterbox(pixels: NDArray[np.uint8], height: int, width: int) -> tuple[NDArray[np.uint8], Letterbox]:
    """Scale a photo to fit (height, width) and centre it on grey 114: BGR in, BGR out.

    Averaging when it shrinks, linear when it grows. A photo at least twice as large is halved first, which is
    many times quicker than any other scale; after that linear and averaging give nearly the same picture. The
    two scales differ only by the rounding to whole pixels, and an odd last row or column of a photo that is
    halved is left out.
    """
    pixels, halved = _halved(pixels, height, width)
    high, wide = pixels.shape[:2]
    scale = min(height / high, width / wide)
    new_wide = min(max(round(wide * scale), 1), width)
    new_high = min(max(round(high * scale), 1), height)
    if (new_high, new_wide) != (high, wide):
        smooth = scale < 0.5 if halved else scale < 1
        how = cv2.INTER_AREA if smooth else cv2.INTER_LINEAR
        pixels = np.asarray(cv2.resize(pixels, (new_wide, new_high), interpolation=how), np.uint8)
    left, top = (width - new_wide) // 2, (height - new_high) // 2
    canvas = np.full((height, width, 3), _PAD, np.uint8)
    canvas[top : top + new_high, left : left + new_wide] = pixels
    whole = 2 if halved else 1
    return canvas, Letterbox(new_wide / (wide * whole), new_high / (high * whole), left, top)


def _halved(pixels: NDArray[np.uint8], height: int, width: int) -> tuple[NDArray[np.uint8], bool]:
    """The photo, halved where that leaves enough of it for (height, width), and whether it was."""
    high, wide = pixels.shape[:2]
    if min(high, wide) < 2 or min(height / high, width / wide) > 0.5:
        return pixels, False
    size = wide // 2, high // 2
    even = pixels[: 2 * size[1], : 2 * size[0]]
    return np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8), True


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Boxes (n, 4) in pixels of the photo, best first; `scores` (n,); `classes` (n, classes) the score of
    each class, 0..1."""

    boxes: NDArray[np.float32] = field(repr=False)
    scores: NDArray[np.float32] = field(repr=False)
    classes: NDArray[np.float32] = field(repr=False)

    def moved(self, left: int, top: int) -> Found:
        """The same tiles in a photo of which this one is the part from (left, top)."""
        return Found(self.boxes + np.array([left, top] * 2, np.float32), self.scores, self.classes)

    def only(self, kept: NDArray[np.bool_] | NDArray[np.intp]) -> Found:
        """Those tiles that are `kept`: a flag for each, or their numbers in the order wanted."""
        return Found(self.boxes[kept], self.scores[kept], self.classes[kept])


def _joined(parts: Sequence[Found], iou_most: float) -> Found:
    """All tiles of several looks, each tile once: where two looks saw it, the one named first counts."""
    boxes, scores, classes = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("boxes", "scores", "classes")
    )
    first = np.repeat(np.arange(len(parts), 0, -1), [len(part.boxes) for part in parts]).astype(np.float32)
    kept = nms(boxes, first + scores, iou_most)
    kept = kept[~spanning(boxes[kept])]  # one look may see two tiles where the other saw one
    kept = kept[np.argsort(-scores[kept], kind="stable")]
    return Found(boxes, scores, classes).only(kept)


def _whole_strides(length: float, most: int) -> int:
    """`length` rounded up to whole steps of the network's coarsest grid, `most` at the most."""
    return min(max(math.ceil(length / _STRIDE), 1) * _STRIDE, most)


Region = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of a photo, in pixels."""


def _quarters(high: int, wide: int) -> list[Region]:
    """Four parts that cover a photo and overlap by a fifth of it, so that no tile is cut in all of them."""
    tall, broad = math.ceil(high * 0.6), math.ceil(wide * 0.6)
    return [(left, top, left + broad, top + tall) for top in (0, high - tall) for left in (0, wide - broad)]


class Finder:
    """Finds tiles, face up or face down. Holds no state between photos."""

    __slots__ = ("_network", "_open", "classes", "confidence", "height", "iou", "width")

    def __init__(
        self, network: Network, size: tuple[int, int], classes: Sequence[str], confidence: float, iou: float
    ) -> None:
        """`size` (height, width) of the input, `classes` such as `("face", "back")`; boxes below
        `confidence` are dropped, and of two that overlap by more than `iou` the worse one. Raises
        `ModelError` if the network is of another shape."""
        self.height, self.width = size
        network.require_input(None, 3, self.height, self.width)
        self._network = network
        self._open = not any(isinstance(side, int) for side in network.input_shape[2:])
        self.classes = tuple(classes)
        self.confidence = confidence
        self.iou = iou

    def find(self, pixels: NDArray[np.uint8]) -> Found:
        """Find the tiles of a photo (height, width, 3) BGR. Raises `ModelError` if the network fails.

        Where the tiles are small, their part of the photo is looked at once more, closer. Where a large
        photo shows none, its four quarters are.
        """
        found = self.look(pixels)
        if not len(found.boxes) and max(pixels.shape[:2]) >= _LARGE:
            quarters = [self._look_at(pixels, region) for region in _quarters(*pixels.shape[:2])]
            found = _joined(quarters, self.iou)
        region = self._region(found, *pixels.shape[:2])
        if region is not None:
            found = _joined([self._look_at(pixels, region), found], self.iou)
        return found.only(~oversized(found.boxes, found.scores))

    def _look_at(self, pixels: NDArray[np.uint8], region: Region) -> Found:
        left, top, right, bottom = region
        return self.look(np.ascontiguousarray(pixels[top:bottom, left:right])).moved(left, top)

    def _region(self, found: Found, high: int, wide: int) -> Region | None:
        """The part of the photo that is worth a closer look, or None."""
        scale = min(self.height / high, self.width / wide)
        if not len(found.boxes) or scale * _GAIN > 1:  # the first look saw nearly every pixel
            return None
        sure = found.boxes[found.scores >= min(0.3, float(found.scores.max()))]
        tile = float(np.median((sure[:, 2:] - sure[:, :2]).max(axis=1)))
        if tile * scale >= _SMALL:
            return None
        low = np.floor(sure[:, :2].min(axis=0) - _ROOM * tile).astype(int).clip(0)
        left, top = int(low[0]), int(low[1])
        most = np.ceil(sure[:, 2:].max(axis=0) + _ROOM * tile).astype(int)
        right, bottom = min(int(most[0]), wide), min(int(most[1]), high)
        closer = min(self.height / (bottom - top), self.width / (right - left))
        return (left, top, right, bottom) if closer >= _GAIN * scale else None

    def look(self, pixels: NDArray[np.uint8]) -> Found:
        """One look at a picture, whatever the size of its tiles."""
        canvas, placed = letterbox(pixels, *self._canvas(pixels.shape[0], pixels.shape[1]))
        output = self._network.run(planes(canvas[None]))[0]
        if output.ndim != 3 or output.shape[:2] != (1, 4 + len(self.classes)):
            raise ModelError(
                "model_shape", f"the finder answered {output.shape}; (1, {4 + len(self.classes)}, n) was due"
            )
        return self._decode(output[0], placed, pixels.shape[1], pixels.shape[0])

    def _canvas(self, high: int, wide: int) -> tuple[int, int]:
        """Height and width of the input for a photo: the network's own, or, where it leaves them open, no
        more than the photo needs. Photos are rarely square, and grey bars cost as much time as tiles."""
        if not self._open:
            return self.height, self.width
        scale = min(self.height / high, self.width / wide)
        return _whole_strides(high * scale, self.height), _whole_strides(wide * scale, self.width)

    def _decode(self, output: NDArray[np.float32], placed: Letterbox, width: int, height: int) -> Found:
        """`output` (4 + classes, n): centre, size in input pixels, and class scores."""
        scores = output[4:].max(axis=0)
        likely = np.flatnonzero(scores >= self.confidence)
        likely = likely[np.argsort(-scores[likely], kind="stable")][:MOST]
        centre, half = output[:2, likely].T, output[2:4, likely].T / 2
        boxes = placed.to_photo(np.concatenate([centre - half, centre + half], axis=1))
        boxes[:, 0::2] = boxes[:, 0::2].clip(0, width)
        boxes[:, 1::2] = boxes[:, 1::2].clip(0, height)
        real = (boxes[:, 2:] - boxes[:, :2] >= 1).all(axis=1)
        likely, boxes = likely[real], boxes[real]
        kept = nms(boxes, scores[likely], self.iou)
        kept = kept[~spanning(boxes[kept])]
        chosen = likely[kept]
        return Found(boxes[kept], scores[chosen].clip(0, 1), output[4:, chosen].T.clip(0, 1))

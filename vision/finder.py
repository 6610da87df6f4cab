"""Where the tiles are: one look at the whole photo with a YOLO network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision._onnx import Network
from vision._opencv import cv2
from vision.boxes import nms
from vision.errors import ModelError

__all__ = ["Finder", "Found", "Letterbox", "letterbox"]

_PAD = 114
_STRIDE = 32
_MOST = 300
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

    Averaging when it shrinks, linear when it grows. The two scales differ only by the rounding to whole
    pixels.
    """
    high, wide = pixels.shape[:2]
    scale = min(height / high, width / wide)
    new_wide = min(max(round(wide * scale), 1), width)
    new_high = min(max(round(high * scale), 1), height)
    if (new_high, new_wide) != (high, wide):
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        pixels = np.asarray(cv2.resize(pixels, (new_wide, new_high), interpolation=how), np.uint8)
    left, top = (width - new_wide) // 2, (height - new_high) // 2
    canvas = np.full((height, width, 3), _PAD, np.uint8)
    canvas[top : top + new_high, left : left + new_wide] = pixels
    return canvas, Letterbox(new_wide / wide, new_high / high, left, top)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Boxes (n, 4) in pixels of the photo, best first; `scores` (n,); `classes` (n, classes) the score of
    each class, 0..1."""

    boxes: NDArray[np.float32] = field(repr=False)
    scores: NDArray[np.float32] = field(repr=False)
    classes: NDArray[np.float32] = field(repr=False)


def _whole_strides(length: float, most: int) -> int:
    """`length` rounded up to whole steps of the network's coarsest grid, `most` at the most."""
    return min(max(math.ceil(length / _STRIDE), 1) * _STRIDE, most)


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
        """Find the tiles of a photo (height, width, 3) BGR. Raises `ModelError` if the network fails."""
        canvas, placed = letterbox(pixels, *self._canvas(pixels.shape[0], pixels.shape[1]))
        batch = canvas[:, :, ::-1].transpose(2, 0, 1)[None].astype(np.float32) / np.float32(255)
        output = self._network.run(np.ascontiguousarray(batch))[0]
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
        likely = likely[np.argsort(-scores[likely], kind="stable")][:_MOST]
        centre, half = output[:2, likely].T, output[2:4, likely].T / 2
        boxes = placed.to_photo(np.concatenate([centre - half, centre + half], axis=1))
        boxes[:, 0::2] = boxes[:, 0::2].clip(0, width)
        boxes[:, 1::2] = boxes[:, 1::2].clip(0, height)
        real = (boxes[:, 2:] - boxes[:, :2] >= 1).all(axis=1)
        likely, boxes = likely[real], boxes[real]
        kept = nms(boxes, scores[likely], self.iou)
        chosen = likely[kept]
        return Found(boxes[kept], scores[chosen].clip(0, 1), output[4:, chosen].T.clip(0, 1))

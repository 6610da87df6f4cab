"""What each tile is, and which way it lies: a close look at every crop."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision._onnx import Network
from vision.crops import cut
from vision.detector import CLASSES
from vision.errors import ModelError

__all__ = ["Named", "Namer"]

_BATCH = 32
"""Crops in one run: enough to keep the processor busy, few enough for memory to stay flat."""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """What a close look says of n tiles: `probabilities` (n, 47), rows summing to 1; `up` (n, 2), at most 1
    long; `corners` (n, 4, 2) of the faces in pixels of the photo, clockwise from their own top left, or None
    if the network has no say in it."""

    probabilities: NDArray[np.float32] = field(repr=False)
    up: NDArray[np.float32] = field(repr=False)
    corners: NDArray[np.float32] | None = field(repr=False)


class Namer:
    """Names tiles. Holds no state between photos."""

    __slots__ = ("_has_corners", "_network", "margin", "size")

    def __init__(self, network: Network, size: int, margin: float) -> None:
        """`size` of the square crop in pixels, `margin` of its side over the box's longer side (see
        `vision.crops`).

        Raises `ModelError` if the network is of another shape."""
        network.require_input(None, 3, size, size)
        network.require_outputs("probabilities", "up")
        self._network = network
        self._has_corners = network.has_output("corners")
        self.size = size
        self.margin = margin

    def name(self, pixels: NDArray[np.uint8], boxes: NDArray[np.float32]) -> Named:
        """What the tiles at `boxes` (n, 4) of a BGR photo are. Raises `ModelError` if the network fails."""
        outputs = ["probabilities", "up", *(["corners"] if self._has_corners else [])]
        shapes: list[tuple[int, ...]] = [(len(CLASSES),), (2,), (4, 2)]
        whole = [
            np.zeros((len(boxes), *shape), np.float32) for _, shape in zip(outputs, shapes, strict=False)
        ]
        for start in range(0, len(boxes), _BATCH):
            part = slice(start, start + _BATCH)
            crops = cut(pixels, boxes[part], self.size, self.margin)
            batch = crops[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
            answers = self._network.run(np.ascontiguousarray(batch), *outputs)
            for name, array, answer in zip(outputs, whole, answers, strict=True):
                if answer.shape != (len(crops), *array.shape[1:]):
                    raise ModelError(
                        "model_shape", f"the namer's {name} are {answer.shape} for {len(crops)} crops"
                    )
                array[part] = answer
        probabilities, up = whole[0].clip(0, 1), whole[1]
        total = probabilities.sum(axis=1, keepdims=True)
        if (total < 0.5).any():
            raise ModelError("model_output", "the namer's probabilities do not sum to 1")
        length = np.maximum(np.hypot(up[:, 0], up[:, 1]), 1)
        corners = self._to_photo(whole[2], boxes) if self._has_corners else None
        return Named(probabilities / total, (up / length[:, None]).astype(np.float32), corners)

    def _to_photo(self, corners: NDArray[np.float32], boxes: NDArray[np.float32]) -> NDArray[np.float32]:
        """Corners seen from the middle of each crop, -1..1 at its edges, in pixels of the photo."""
        middle = (boxes[:, :2] + boxes[:, 2:]) / 2
        half = (boxes[:, 2:] - boxes[:, :2]).max(axis=1) * self.margin / 2
        moved: NDArray[np.float32] = middle[:, None] + corners * half[:, None, None]
        return moved.astype(np.float32)

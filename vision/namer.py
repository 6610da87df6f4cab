"""What each tile is, and which way it lies: a close look at every crop."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision._onnx import Network
from vision.crops import cut
from vision.detector import CLASSES
from vision.errors import ModelError

__all__ = ["Namer"]

_BATCH = 32
"""Crops in one run: enough to keep the processor busy, few enough for memory to stay flat."""


class Namer:
    """Names tiles. Holds no state between photos."""

    __slots__ = ("_network", "margin", "size")

    def __init__(self, network: Network, size: int, margin: float) -> None:
        """`size` of the square crop in pixels, `margin` of its side over the box's longer side (see
        `vision.crops`).

        Raises `ModelError` if the network is of another shape."""
        network.require_input(None, 3, size, size)
        network.require_outputs("probabilities", "up")
        self._network = network
        self.size = size
        self.margin = margin

    def name(
        self, pixels: NDArray[np.uint8], boxes: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Probabilities (n, 47), rows summing to 1, and up vectors (n, 2) for the tiles at `boxes` (n, 4)
        of a BGR photo.

        Raises `ModelError` if the network fails.
        """
        probabilities = np.zeros((len(boxes), len(CLASSES)), np.float32)
        up = np.zeros((len(boxes), 2), np.float32)
        for start in range(0, len(boxes), _BATCH):
            part = slice(start, start + _BATCH)
            crops = cut(pixels, boxes[part], self.size, self.margin)
            batch = crops[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
            names, ups = self._network.run(np.ascontiguousarray(batch), "probabilities", "up")
            if names.shape != (len(crops), len(CLASSES)) or ups.shape != (len(crops), 2):
                raise ModelError(
                    "model_shape", f"the namer answered {names.shape} and {ups.shape} for {len(crops)} crops"
                )
            probabilities[part], up[part] = names, ups
        probabilities = probabilities.clip(0, 1)
        total = probabilities.sum(axis=1, keepdims=True)
        if (total < 0.5).any():
            raise ModelError("model_output", "the namer's probabilities do not sum to 1")
        length = np.maximum(np.hypot(up[:, 0], up[:, 1]), 1)
        return probabilities / total, (up / length[:, None]).astype(np.float32)

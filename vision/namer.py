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
_SHAPES: dict[str, tuple[int | None, ...]] = {
    "probabilities": (len(CLASSES),),
    "up": (2,),
    "features": (None,),
    "corners": (4, 2),
}
"""What each output holds of one crop; None for a number of the network's own."""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """What a close look says of n tiles: `probabilities` (n, 47), rows summing to 1; `up` (n, 2), at most 1
    long; `features` (n, m) by which it names, or None if the network does not tell; `corners` (n, 4, 2) of
    the faces in pixels of the photo, clockwise from their own top left, or None if the network has no say in
    it."""

    probabilities: NDArray[np.float32] = field(repr=False)
    up: NDArray[np.float32] = field(repr=False)
    corners: NDArray[np.float32] | None = field(default=None, repr=False)
    features: NDArray[np.float32] | None = field(default=None, repr=False)


class Namer:
    """Names tiles. Holds no state between photos."""

    __slots__ = ("_network", "_outputs", "margin", "size")

    def __init__(self, network: Network, size: int, margin: float) -> None:
        """`size` of the square crop in pixels, `margin` of its side over the box's longer side (see
        `vision.crops`).

        Raises `ModelError` if the network is of another shape."""
        network.require_input(None, 3, size, size)
        network.require_outputs("probabilities", "up")
        self._network = network
        self._outputs = [
            "probabilities",
            "up",
            *(name for name in ("features", "corners") if network.has_output(name)),
        ]
        self.size = size
        self.margin = margin

    def name(self, pixels: NDArray[np.uint8], boxes: NDArray[np.float32]) -> Named:
        """What the tiles at `boxes` (n, 4) of a BGR photo are. Raises `ModelError` if the network fails."""
        parts: list[dict[str, NDArray[np.float32]]] = [
            self._look(cut(pixels, boxes[start : start + _BATCH], self.size, self.margin))
            for start in range(0, len(boxes), _BATCH)
        ]
        if not parts:
            return Named(np.zeros((0, len(CLASSES)), np.float32), np.zeros((0, 2), np.float32))
        whole = {name: np.concatenate([part[name] for part in parts]) for name in self._outputs}
        probabilities, up = whole["probabilities"].clip(0, 1), whole["up"]
        total = probabilities.sum(axis=1, keepdims=True)
        if (total < 0.5).any():
            raise ModelError("model_output", "the namer's probabilities do not sum to 1")
        length = np.maximum(np.hypot(up[:, 0], up[:, 1]), 1)
        named = (probabilities / total).astype(np.float32)
        corners = self._to_photo(whole["corners"], boxes, up) if "corners" in whole else None
        return Named(named, (up / length[:, None]).astype(np.float32), corners, whole.get("features"))

    def features(self, pixels: NDArray[np.uint8], boxes: NDArray[np.float32]) -> NDArray[np.float32]:
        """How the tiles at `boxes` (n, 4) of a BGR photo look to the network, (n, m): the mean of what it
        sees in all four quarter turns, so that it does not matter how they lie. Raises `ModelError`."""
        if "features" not in self._outputs:
            raise ModelError("model_shape", "the namer tells no features: it cannot learn a set")
        parts = []
        for start in range(0, len(boxes), _BATCH):
            crops = cut(pixels, boxes[start : start + _BATCH], self.size, self.margin)
            turns = [np.ascontiguousarray(np.rot90(crops, turn, (1, 2))) for turn in range(4)]
            parts.append(np.mean([self._look(turned)["features"] for turned in turns], axis=0))
        return np.concatenate(parts).astype(np.float32)

    def _look(self, crops: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        """The network's outputs by name for crops (n, size, size, 3) BGR."""
        batch = crops[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
        answers = self._network.run(np.ascontiguousarray(batch), *self._outputs)
        for name, answer in zip(self._outputs, answers, strict=True):
            due = (len(crops), *_SHAPES[name])
            if answer.ndim != len(due) or any(
                wanted not in (has, None) for wanted, has in zip(due, answer.shape, strict=True)
            ):
                raise ModelError(
                    "model_shape", f"the namer's {name} are {answer.shape} for {len(crops)} crops"
                )
        return dict(zip(self._outputs, answers, strict=True))

    def _to_photo(
        self, corners: NDArray[np.float32], boxes: NDArray[np.float32], up: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Corners seen from the middle of each crop, -1..1 at its edges, in pixels of the photo, from the
        face's own top left: the network tells them in an order that is the same for a face upside down, and
        `up` says which of the two it is."""
        middle = (boxes[:, :2] + boxes[:, 2:]) / 2
        half = (boxes[:, 2:] - boxes[:, :2]).max(axis=1) * self.margin / 2
        toward = corners[:, 0] + corners[:, 1] - corners[:, 2] - corners[:, 3]
        turned = (toward * up).sum(axis=1) < 0
        ordered = np.where(turned[:, None, None], np.roll(corners, 2, axis=1), corners)
        moved: NDArray[np.float32] = middle[:, None] + ordered * half[:, None, None]
        return moved.astype(np.float32)

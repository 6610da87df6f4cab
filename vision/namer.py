"""What each tile is, and which way it lies: a close look at every crop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision._onnx import Network, planes
from vision.crops import cut, cut_turned
from vision.detector import CLASSES
from vision.errors import ModelError

__all__ = ["Named", "Namer"]

_SURE = 0.9
"""A name with less than this is looked at again."""
_TURNS = 0.0, 0.25
"""How a tile is turned for the looks after the first, in radians clockwise from upright: as most tiles that
the network was trained on stand, and a little off."""
_BATCH = 32
"""Crops in one run: enough to keep the processor busy, few enough for memory to stay flat."""
_FLOOR = 1e-6
"""Least probability in a mean of several looks: one that rules a name out must not do so for all."""
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
        """What the tiles at `boxes` (n, 4) of a BGR photo are. Raises `ModelError` if the network fails.

        Tiles that the first look leaves unsure are looked at again, turned upright and nearly so by the
        direction that it saw: in a slanting row a tile fills little of its box, and its neighbours the rest.
        Their probabilities are the geometric mean of all looks, so that none alone makes a name sure."""
        if not len(boxes):
            return Named(np.zeros((0, len(CLASSES)), np.float32), np.zeros((0, 2), np.float32))
        whole = self._looks(lambda some: cut(pixels, boxes[some], self.size, self.margin), len(boxes))
        named, up = whole["probabilities"], whole["up"]
        unsure = np.flatnonzero(named.max(axis=1) < _SURE)
        if len(unsure):
            named[unsure] = self._again(pixels, boxes[unsure], up[unsure], named[unsure])
        length = np.maximum(np.hypot(up[:, 0], up[:, 1]), 1)
        corners = self._to_photo(whole["corners"], boxes, up) if "corners" in whole else None
        return Named(named, (up / length[:, None]).astype(np.float32), corners, whole.get("features"))

    def _again(
        self,
        pixels: NDArray[np.uint8],
        boxes: NDArray[np.float32],
        up: NDArray[np.float32],
        first: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """Probabilities (n, 47) of tiles after the other looks, given those of the first."""
        leaning = np.arctan2(up[:, 0].astype(np.float64), -up[:, 1])
        total = np.log(first + _FLOOR)
        for turn in _TURNS:
            turned = partial(self._turned, pixels, boxes, leaning, turn)
            whole = self._looks(turned, len(boxes))
            total += np.log(whole["probabilities"] + _FLOOR)
        mean = np.exp(total / (1 + len(_TURNS)))
        return np.asarray(mean / mean.sum(axis=1, keepdims=True), np.float32)

    def _turned(
        self,
        pixels: NDArray[np.uint8],
        boxes: NDArray[np.float32],
        leaning: NDArray[np.float64],
        turn: float,
        some: slice,
    ) -> NDArray[np.uint8]:
        return cut_turned(pixels, boxes[some], leaning[some], turn, self.size, self.margin)

    def _looks(
        self, crops: Callable[[slice], NDArray[np.uint8]], count: int
    ) -> dict[str, NDArray[np.float32]]:
        """The network's outputs by name for `count` tiles, whose `crops` are cut a batch at a time."""
        parts = [self._look(crops(slice(start, start + _BATCH))) for start in range(0, count, _BATCH)]
        return {name: np.concatenate([part[name] for part in parts]) for name in self._outputs}

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
        """The network's outputs by name for crops (n, size, size, 3) BGR, probabilities summing to 1. Raises
        `ModelError` where they are of another shape, or far from summing to 1."""
        answers = self._network.run(planes(crops), *self._outputs)
        for name, answer in zip(self._outputs, answers, strict=True):
            due = (len(crops), *_SHAPES[name])
            if answer.ndim != len(due) or any(
                wanted not in (has, None) for wanted, has in zip(due, answer.shape, strict=True)
            ):
                raise ModelError(
                    "model_shape", f"the namer's {name} are {answer.shape} for {len(crops)} crops"
                )
        whole = dict(zip(self._outputs, answers, strict=True))
        probabilities = whole["probabilities"].clip(0, 1)
        total = probabilities.sum(axis=1, keepdims=True)
        if (total < 0.5).any():
            raise ModelError("model_output", "the namer's probabilities do not sum to 1")
        whole["probabilities"] = (probabilities / total).astype(np.float32)
        return whole

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

"""The detector that is served: the finder says where tiles lie, the namer what they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision._opencv import cv2
from vision.detector import BACK, Detections
from vision.errors import ModelError
from vision.finder import Finder, Found
from vision.namer import Namer
from vision.own_set import OwnSet

__all__ = ["WORKING_SIDE", "TwoStepDetector", "working_copy"]

WORKING_SIDE = 3000
"""Longest side, in pixels, of the picture that both steps work on: a row of 18 tiles across it still has 160
pixels a tile, twice what the namer looks at."""


def working_copy(pixels: NDArray[np.uint8], longest: int = WORKING_SIDE) -> tuple[NDArray[np.uint8], int]:
    """The photo shrunk by the least whole factor that brings its longer side to `longest` pixels, and
    that factor.

    A whole factor averages equal squares of pixels, which is many times quicker than any other scale; the
    last rows and columns that fill no square (fewer than the factor) are left out.
    """
    height, width = pixels.shape[:2]
    factor = min(-(-max(height, width) // longest), height, width)
    if factor <= 1:
        return pixels, 1
    size = width // factor, height // factor
    whole = pixels[: size[1] * factor, : size[0] * factor]
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8), factor


class TwoStepDetector:
    """Finder and namer in one. Holds no state between photos, so threads may share it."""

    __slots__ = ("_finder", "_namer", "_own_set")

    def __init__(self, finder: Finder, namer: Namer, own_set: OwnSet | None = None) -> None:
        """`own_set` where all photos show one tile set whose faces are known."""
        self._finder = finder
        self._namer = namer
        self._own_set = own_set

    def detect(self, pixels: NDArray[np.uint8]) -> Detections:
        """Find and name the tiles of an upright photo (height, width, 3) BGR; boxes in its own pixels."""
        copy, factor = working_copy(pixels)
        found = self._finder.find(copy)
        if not len(found.boxes):
            return Detections.none()
        named = self._namer.name(copy, found.boxes)
        probabilities = named.probabilities
        if self._own_set is not None:
            if named.features is None:
                raise ModelError("model_shape", "the namer tells no features: it cannot use a set")
            probabilities = self._own_set.weigh(probabilities, named.features)
        probabilities = self._weigh_backs(probabilities, found)
        return Detections(found.boxes, found.scores, probabilities, named.up, named.corners).scaled(factor)

    def with_set(self, own_set: OwnSet) -> TwoStepDetector:
        """The same networks for photos that show this tile set."""
        return TwoStepDetector(self._finder, self._namer, own_set)

    def features(
        self, pixels: NDArray[np.uint8], boxes: NDArray[np.float32], factor: int = 1
    ) -> NDArray[np.float32]:
        """How the tiles at `boxes` (n, 4), in pixels of a photo `factor` times as large as `pixels`, look to
        the namer, (n, m). Raises `ModelError` if it does not tell."""
        copy, shrunk = working_copy(pixels)
        return self._namer.features(copy, boxes / np.float32(factor * shrunk))

    def _weigh_backs(self, probabilities: NDArray[np.float32], found: Found) -> NDArray[np.float32]:
        """Let the finder have its say on face up or face down, half the weight each.

        Both networks tell a back from a face. Where they agree nothing changes much; where they do not,
        no name stays above one half by much and the reading shows a doubt, instead of one network
        overruling the other unseen.
        """
        if "back" not in self._finder.classes or "face" not in self._finder.classes:
            return probabilities
        back = found.classes[:, self._finder.classes.index("back")] ** 2
        face = found.classes[:, self._finder.classes.index("face")] ** 2
        share = (back / np.maximum(back + face, 1e-9) + probabilities[:, BACK]) / 2
        faces = probabilities.copy()
        faces[:, BACK] = 0
        total = faces.sum(axis=1, keepdims=True)
        # A namer that is wholly sure of a back leaves nothing to share out among the faces.
        share = np.where(total[:, 0] > 1e-6, share, 1).astype(np.float32)
        mixed = faces / np.maximum(total, 1e-6) * (1 - share)[:, None]
        mixed[:, BACK] = share
        normal: NDArray[np.float32] = (mixed / mixed.sum(axis=1, keepdims=True)).astype(np.float32)
        return normal

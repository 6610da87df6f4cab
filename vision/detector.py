"""The one thing that a reading needs from any network: where tiles lie, what each may be, and which way its
top points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import ALL_TILES

__all__ = ["BACK", "CLASSES", "Detections", "Detector"]

CLASSES: tuple[str, ...] = tuple(str(tile) for tile in ALL_TILES)
"""The 47 tile codes in class order, `1m` to `0x`."""

BACK = CLASSES.index("0x")
"""The class of a tile that lies face down: the last."""

_SUM_TOLERANCE = 1e-2


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """Tiles found in one photo, in no particular order. All arrays float32 and read-only.

    `boxes` (n, 4): x0, y0, x1, y1 in pixels of the photo that was given. `scores` (n,), 0..1: how sure it
    is that a tile lies there. `probabilities` (n, 47): each row sums to 1, classes as in `CLASSES`. `up`
    (n, 2): x right, y down, pointing where the top of the face points; its length, 0..1, says how sure
    that is. `corners` (n, 4, 2), where the detector knows them: those of each face in pixels, clockwise
    from its own top left. Raises `ValueError` where shapes differ or a number is none, out of range or not
    finite.
    """

    boxes: NDArray[np.float32] = field(repr=False)
    scores: NDArray[np.float32] = field(repr=False)
    probabilities: NDArray[np.float32] = field(repr=False)
    up: NDArray[np.float32] = field(repr=False)
    corners: NDArray[np.float32] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        count = len(self.boxes)
        shapes: dict[str, tuple[int, ...]] = {
            "boxes": (count, 4),
            "scores": (count,),
            "probabilities": (count, len(CLASSES)),
            "up": (count, 2),
        }
        if self.corners is not None:
            shapes["corners"] = (count, 4, 2)
        for name, shape in shapes.items():
            array = np.array(getattr(self, name), np.float32)
            if array.shape != shape:
                raise ValueError(f"{name} must be {shape}, not {array.shape}")
            if not np.isfinite(array).all():
                raise ValueError(f"{name} must be finite")
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        if (self.boxes[:, 2:] <= self.boxes[:, :2]).any():
            raise ValueError("a box must have x0 < x1 and y0 < y1")
        for name in ("scores", "probabilities"):
            array = getattr(self, name)
            if (array < 0).any() or (array > 1 + _SUM_TOLERANCE).any():
                raise ValueError(f"{name} must lie in 0..1")
        if count and np.abs(self.probabilities.sum(axis=1) - 1).max() > _SUM_TOLERANCE:
            raise ValueError("the probabilities of a tile must sum to 1")
        if (np.hypot(self.up[:, 0], self.up[:, 1]) > 1 + _SUM_TOLERANCE).any():
            raise ValueError("up may not be longer than 1")

    def __len__(self) -> int:
        return len(self.boxes)

    def scaled(self, factor: float) -> Detections:
        """The same tiles in a picture `factor` times as large."""
        if factor == 1:
            return self
        corners = None if self.corners is None else self.corners * np.float32(factor)
        return Detections(self.boxes * np.float32(factor), self.scores, self.probabilities, self.up, corners)

    @classmethod
    def none(cls) -> Detections:
        """No tile found."""
        wide = len(CLASSES)
        return cls(*(np.zeros(shape, np.float32) for shape in ((0, 4), (0,), (0, wide), (0, 2))))


@runtime_checkable
class Detector(Protocol):
    """Finds and names tiles. Must be safe to call from several threads at once."""

    def detect(self, pixels: NDArray[np.uint8]) -> Detections:
        """Find the tiles of an upright photo, (height, width, 3) uint8 BGR. May raise `ModelError`."""
        ...

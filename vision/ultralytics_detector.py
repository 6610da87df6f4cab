"""A single-step detector from an ultralytics `.pt` file, for trying out weights that were just trained.

Never part of serving: a `.pt` file is a program and runs with the reader's rights, so it is loaded only
when a caller names it. The library is imported on first use and comes with the `train` extra.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.detector import CLASSES, Detections
from vision.errors import ModelError

__all__ = ["UltralyticsDetector"]


class UltralyticsDetector:
    """Detector whose classes are tile codes. One photo at a time: the library's predictor keeps state
    between its steps."""

    def __init__(self, weights: Path, confidence: float = 0.25, iou: float = 0.5, size: int = 960) -> None:
        """Load `weights`; `size` is the longer side, in pixels, that photos are scaled to.

        Raises `ModelError`: `model_missing`, `detector_unavailable` without the library, `model_undecodable`,
        `model_classes`.
        """
        if not weights.is_file():
            raise ModelError("model_missing", f"the detector {weights} does not exist")
        try:
            from ultralytics import YOLO
        except ImportError:
            raise ModelError(
                "detector_unavailable",
                "a .pt detector needs the ultralytics library: install mahjong-reader[train]",
            ) from None
        try:
            self._model: Any = YOLO(str(weights), task="detect")
        except Exception as error:  # whatever unpickling a foreign file may raise
            raise ModelError("model_undecodable", f"ultralytics cannot load {weights}") from error
        names: dict[int, str] = dict(self._model.names)
        foreign = sorted(set(names.values()) - set(CLASSES))
        if foreign:
            raise ModelError(
                "model_classes", f"the detector has classes that are no tile codes: {', '.join(foreign[:5])}"
            )
        self._columns = {number: CLASSES.index(name) for number, name in names.items()}
        self._options = {
            "conf": confidence,
            "iou": iou,
            "imgsz": size,
            "agnostic_nms": True,
            "verbose": False,
        }
        self._lock = threading.Lock()

    def detect(self, pixels: NDArray[np.uint8]) -> Detections:
        """Find the tiles of an upright photo (height, width, 3) BGR.

        The library tells one name and its score for each box, so the rest of the probability is spread
        evenly; it does not tell how tiles lie.
        """
        with self._lock:
            found = self._model.predict(np.ascontiguousarray(pixels), **self._options)[0].boxes
            boxes = found.xyxy.cpu().numpy().astype(np.float32)
            scores = found.conf.cpu().numpy().astype(np.float32).clip(0, 1)
            numbers = found.cls.cpu().numpy().astype(int)
        real = (boxes[:, 2:] > boxes[:, :2]).all(axis=1)
        boxes, scores, numbers = boxes[real], scores[real], numbers[real]
        columns = np.array([self._columns[int(number)] for number in numbers], np.intp)
        probabilities = np.repeat((1 - scores)[:, None] / (len(CLASSES) - 1), len(CLASSES), axis=1)
        probabilities[np.arange(len(boxes)), columns] = scores
        return Detections(boxes, scores, probabilities, np.zeros((len(boxes), 2), np.float32))

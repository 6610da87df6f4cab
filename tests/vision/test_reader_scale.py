"""A photo that was decoded smaller is read in its own pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tests.vision import pictures
from vision import Reader
from vision.detector import CLASSES, Detections


class Corner:
    """Says that one tile lies in the lower right quarter of whatever it is shown."""

    def __init__(self) -> None:
        self.shown: tuple[int, ...] = ()

    def detect(self, pixels: NDArray[np.uint8]) -> Detections:
        self.shown = pixels.shape
        height, width = pixels.shape[:2]
        probabilities = np.zeros((1, len(CLASSES)), np.float32)
        probabilities[0, 0] = 1
        box = np.array([[width / 2, height / 2, width, height]], np.float32)
        return Detections(box, np.ones(1, np.float32), probabilities, np.array([[0, -1]], np.float32))


def test_boxes_are_in_pixels_of_the_photo_and_never_outside_of_it() -> None:
    detector = Corner()
    picture = Image.fromarray(pictures.scene(400, 600)).resize((4001, 3001))
    reading = Reader(detector, {}).read(pictures.encode(picture, "JPEG", quality=85))
    assert detector.shown == (1501, 2001, 3)
    assert (reading.width, reading.height) == (4001, 3001)
    assert reading.tiles[0].box == (2001, 1501, 4001, 3001)

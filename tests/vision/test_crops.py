"""Crops around tiles, and the looks that a namer takes at them."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision import CLASSES, ModelError
from vision.crops import cut, cut_turned
from vision.namer import Namer

SIZE, MARGIN = 64, 1.2


def slab(leaning: float, wide: float = 80, high: float = 100) -> tuple[np.ndarray, np.ndarray]:
    """A photo of a white slab whose top third is red, `leaning` clockwise, on green; and its box."""
    image = np.zeros((400, 500, 3), np.uint8)
    image[:] = (0, 120, 0)
    c, s = math.cos(leaning), math.sin(leaning)
    turn = np.array([[c, s], [-s, c]])
    corners = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    top = np.array([[-wide, -high], [wide, -high], [wide, -high / 3], [-wide, -high / 3]]) / 2
    for points, colour in ((corners, (255, 255, 255)), (top, (0, 0, 255))):
        cv2.fillConvexPoly(
            image, np.rint((points @ turn + (250, 200)) * 16).astype(np.int32), colour, shift=4
        )
    outline = corners @ turn + (250, 200)
    return image, np.array([[*outline.min(0), *outline.max(0)]], np.float32)


@pytest.mark.parametrize("degrees", [0, 20, 45, 90, 135, 180, -100, -30])
@pytest.mark.parametrize("size", [1.0, 2.5])
def test_a_turned_crop_shows_the_tile_as_it_would_stand(degrees: float, size: float) -> None:
    leaning = math.radians(degrees)
    image, box = slab(leaning, 80 * size, 100 * size)
    upright = slab(0.0, 80 * size, 100 * size)
    turned = cut_turned(image, box, np.array([leaning]), 0.0, SIZE, MARGIN)
    # Averaged pixels lie half of one aside: edges differ, where any other turn would differ everywhere.
    assert np.abs(turned.astype(int) - cut(*upright, SIZE, MARGIN)).mean() < (4 if size == 1 else 7)
    assert np.abs(cut(image, box, SIZE, MARGIN).astype(int) - turned).mean() > 20 or degrees == 0


def test_a_crop_may_be_turned_a_little() -> None:
    image, box = slab(math.radians(70))
    little = slab(0.25)
    turned = cut_turned(image, box, np.array([math.radians(70)]), 0.25, SIZE, MARGIN)
    assert np.abs(turned.astype(int) - cut(*little, SIZE, MARGIN)).mean() < 4


def test_crops_beyond_the_edge_of_a_photo_repeat_its_border() -> None:
    image = np.full((40, 60, 3), 77, np.uint8)
    boxes = np.array([[-30, -30, 20, 10], [50, 30, 400, 380], [0, 0, 0.2, 0.1]], np.float32)
    assert (cut(image, boxes, SIZE, MARGIN) == 77).all()
    assert (cut_turned(image, boxes, np.array([0.3, 2.0, -1.0]), 0.1, SIZE, MARGIN) == 77).all()


class Clear:
    """A network that knows a tile only if its crop shows it upright, its red end up; it has no answer left
    after `lost` crops."""

    def __init__(self, up: tuple[float, float], otherwise: float, lost: int = 0) -> None:
        self.up, self.otherwise, self.lost, self.seen = up, otherwise, lost, 0

    def require_input(self, *shape: int | None) -> None:
        pass

    require_outputs = require_input

    def has_output(self, name: str) -> bool:
        return False

    def run(self, batch: np.ndarray, *names: str) -> list[np.ndarray]:
        self.seen += len(batch)
        probabilities = np.full((len(batch), len(CLASSES)), 0.0, np.float32)
        for row, crop in zip(probabilities, batch, strict=True):
            stands = crop[1, 12, 20:44].mean() < 0.3 < crop[1, 50, 20:44].mean()
            row[3], row[4] = (0.98, 0.02) if stands else (self.otherwise, 1 - self.otherwise)
        if self.lost and self.seen > self.lost:
            probabilities[:] = 0
        return [probabilities, np.tile(np.array(self.up, np.float32), (len(batch), 1))]


def namer(network: Clear) -> Namer:
    return Namer(network, SIZE, MARGIN)  # type: ignore[arg-type]


def test_an_unsure_tile_is_looked_at_again_upright() -> None:
    leaning = math.radians(130)
    network = Clear((math.sin(leaning), -math.cos(leaning)), otherwise=0.45)
    named = namer(network).name(*slab(leaning))
    assert network.seen == 3
    assert CLASSES[int(named.probabilities.argmax())] == CLASSES[3]
    # The geometric mean of the three looks, by hand.
    one, other = (0.45 * 0.98**2) ** (1 / 3), (0.55 * 0.02**2) ** (1 / 3)
    assert named.probabilities[0, 3] == pytest.approx(one / (one + other), abs=1e-3)
    assert named.probabilities.sum() == pytest.approx(1, abs=1e-5)


def test_a_sure_tile_is_looked_at_once() -> None:
    network = Clear((0.0, -1.0), otherwise=0.95)
    named = namer(network).name(*slab(math.radians(130)))
    assert network.seen == 1
    assert named.probabilities[0, 3] == pytest.approx(0.95)


def test_looks_that_contradict_each_other_stay_unsure() -> None:
    network = Clear((math.sin(2.0), -math.cos(2.0)), otherwise=0.11)
    named = namer(network).name(*slab(2.0))
    assert network.seen == 3
    assert named.probabilities.max() < 0.9
    assert named.probabilities.sum() == pytest.approx(1, abs=1e-5)


def test_a_second_look_without_an_answer_is_an_error() -> None:
    network = Clear((0.0, -1.0), otherwise=0.5, lost=1)
    with pytest.raises(ModelError, match="do not sum to 1"):
        namer(network).name(*slab(math.radians(130)))
    assert network.seen == 2, "the first look had an answer"

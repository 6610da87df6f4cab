"""Overlap of boxes and which of several on one tile stays."""

from __future__ import annotations

import numpy as np
import pytest

from vision.boxes import iou, nms


def boxes(*rows: tuple[float, float, float, float]) -> np.ndarray:
    return np.array(rows, np.float32).reshape(-1, 4)


@pytest.mark.parametrize(
    ("a", "b", "wanted"),
    [
        ((0, 0, 10, 10), (0, 0, 10, 10), 1),
        ((0, 0, 10, 10), (5, 0, 15, 10), 1 / 3),
        ((0, 0, 10, 10), (10, 0, 20, 10), 0),
        ((0, 0, 10, 10), (30, 30, 40, 40), 0),
        ((0, 0, 10, 10), (2, 2, 8, 8), 0.36),
        ((0, 0, 0, 0), (0, 0, 0, 0), 0),
    ],
)
def test_iou(a: tuple[float, ...], b: tuple[float, ...], wanted: float) -> None:
    assert iou(boxes(a), boxes(b))[0, 0] == pytest.approx(wanted)  # type: ignore[arg-type]
    assert iou(boxes(b), boxes(a))[0, 0] == pytest.approx(wanted)  # type: ignore[arg-type]


def test_iou_of_none() -> None:
    assert iou(boxes(), boxes((0, 0, 1, 1))).shape == (0, 1)


def test_nms_keeps_the_best_of_each_place() -> None:
    found = boxes((0, 0, 10, 10), (1, 0, 11, 10), (20, 0, 30, 10), (0, 0, 10, 9))
    assert nms(found, np.array([0.5, 0.9, 0.3, 0.8], np.float32), 0.5).tolist() == [1, 2]


def test_nms_does_not_chain() -> None:
    """The third overlaps only the second, which is gone: it stays."""
    found = boxes((0, 0, 10, 10), (4, 0, 14, 10), (8, 0, 18, 10))
    assert nms(found, np.array([0.9, 0.8, 0.7], np.float32), 0.4).tolist() == [0, 2]


def test_nms_at_the_threshold_keeps_both() -> None:
    found = boxes((0, 0, 10, 10), (5, 0, 15, 10))
    assert len(nms(found, np.array([1, 0.5], np.float32), 0.34)) == 2
    assert len(nms(found, np.array([1, 0.5], np.float32), 0.33)) == 1


def test_nms_of_equals_keeps_the_first() -> None:
    found = boxes((0, 0, 10, 10), (0, 0, 10, 10))
    assert nms(found, np.array([0.5, 0.5], np.float32), 0.5).tolist() == [0]


def test_nms_of_none_and_of_unequal_lengths() -> None:
    assert len(nms(boxes(), np.array([], np.float32), 0.5)) == 0
    with pytest.raises(ValueError, match="scores"):
        nms(boxes((0, 0, 1, 1)), np.array([], np.float32), 0.5)

"""Overlap of boxes and which of several on one tile stays."""

from __future__ import annotations

import numpy as np
import pytest

from vision.boxes import iou, nms, oversized, spanning


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


@pytest.mark.parametrize(
    ("rows", "gone"),
    [
        ([(0, 0, 40, 54), (40, 0, 80, 54), (0, 0, 80, 54)], [False, False, True]),
        ([(559, 188, 605, 243), (558, 185, 636, 258), (590, 185, 635, 239)], [False, True, False]),  # as seen
        ([(0, 0, 40, 54), (0, 54, 40, 108), (1, 2, 41, 106)], [False, False, True]),  # one above the other
        ([(0, 0, 40, 54), (0, 0, 80, 54)], [False, False]),  # one tile only: the wide one may be a tile too
        ([(0, 0, 40, 54), (30, 0, 70, 54), (60, 0, 100, 54)], [False] * 3),  # a row that overlaps
        ([(0, 0, 40, 54), (20, 20, 60, 74), (40, 40, 80, 94)], [False] * 3),  # a slanting row
        ([(0, 0, 20, 27), (60, 60, 80, 87), (0, 0, 80, 90)], [False] * 3),  # small things on something large
        ([(0, 0, 80, 54), (2, 2, 78, 52), (1, 1, 79, 53)], [False] * 3),  # the same thing thrice
        ([], []),
    ],
)
def test_a_box_that_only_holds_two_tiles_together(rows: list[tuple[float, ...]], gone: list[bool]) -> None:
    assert spanning(boxes(*rows)).tolist() == gone  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sizes", "scores", "gone"),
    [
        ([10, 10, 12, 15], [0.9, 0.8, 0.5, 0.4], [3]),  # 225 against 144: larger by more than half
        ([10, 10, 12, 14], [0.9, 0.8, 0.5, 0.4], []),  # 196 against 144
        ([10, 10, 12, 30], [0.9, 0.8, 0.5, 0.5], []),  # sure of it: that is how large tiles are
        ([10, 10, 12, 30], [0.9, 0.8, 0.4, 0.4], []),  # two sure tiles do not tell
        ([10, 10, 12, 30, 5], [0.9, 0.8, 0.7, 0.3, 0.3], [3]),  # small ones lie farther away
        ([], [], []),
    ],
)
def test_a_faint_box_larger_than_every_tile_is_none(
    sizes: list[float], scores: list[float], gone: list[int]
) -> None:
    rows = np.array([[20.0 * n, 0, 20 * n + size, size] for n, size in enumerate(sizes)], np.float32)
    assert np.flatnonzero(oversized(rows.reshape(-1, 4), np.array(scores, np.float32))).tolist() == gone

"""The figures: what counts as found, as right, and as a photo that is right."""

from __future__ import annotations

import evaluate
import numpy as np
import pytest


def boxes(*rows):
    return np.array(rows, np.float32).reshape(-1, 4)


TRUTH = boxes((0, 0, 10, 10), (10, 0, 20, 10), (20, 0, 30, 10))


@pytest.mark.parametrize(
    ("seen", "names", "found", "right", "extra", "photo"),
    [
        (TRUTH, ["1m", "2m", "3m"], 3, 3, 0, 1),
        (TRUTH, ["1m", "2m", "4m"], 3, 2, 0, 0),
        (TRUTH[:2], ["1m", "2m"], 2, 2, 0, 0),
        (TRUTH + np.float32([4, 0, 4, 0]), ["1m", "2m", "3m"], 0, 0, 3, 0),  # IoU 0.43: not found
        (TRUTH + np.float32([3, 0, 3, 0]), ["1m", "2m", "3m"], 3, 3, 0, 1),  # IoU 0.54: found
        (
            np.vstack([TRUTH, boxes((8, 2, 14, 8))]),
            ["1m", "2m", "3m", "9s"],
            3,
            3,
            1,
            0,
        ),  # one more among them
        (
            np.vstack([TRUTH, boxes((80, 2, 90, 12))]),
            ["1m", "2m", "3m", "9s"],
            3,
            3,
            0,
            1,
        ),  # a discard elsewhere
        (boxes(), [], 0, 0, 0, 0),
    ],
)
def test_a_photo_is_judged(seen, names, found, right, extra, photo):
    tally = evaluate.Tally()
    evaluate.judge(tally, "a.jpg", TRUTH, ["1m", "2m", "3m"], np.asarray(seen, np.float32), names)
    assert (tally.found, tally.right, tally.extra, tally.photos_right) == (found, right, extra, photo)


def test_a_box_is_used_for_one_label_only():
    assert evaluate.matched(boxes((0, 0, 10, 10), (1, 0, 11, 10)), boxes((0, 0, 10, 10))) == {0: 0}


@pytest.mark.parametrize(
    ("box", "by_overlap", "by_centre"),
    [
        ((0, 0, 10, 10), {0: 0}, {0: 0}),
        ((-5, -5, 15, 15), {}, {0: 0}),  # the whole tile around a label of its print: IoU 0.25
        ((6, 0, 20, 10), {}, {}),  # the neighbour
        ((-40, -40, 50, 50), {}, {}),  # the whole row
    ],
)
def test_by_centre_the_size_of_a_box_matters_less(box, by_overlap, by_centre):
    truth = boxes((0, 0, 10, 10))
    assert evaluate.matched(truth, boxes(box)) == by_overlap
    assert evaluate.matched(truth, boxes(box), centre=True) == by_centre

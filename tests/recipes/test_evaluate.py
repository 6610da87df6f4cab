"""The figures: what counts as found, as right, and as a photo that is right."""

from __future__ import annotations

import evaluate
import numpy as np
import pytest
from finder_train import finder_data


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


def test_the_quarter_turns_of_finder_data_keep_boxes_on_their_tiles(tmp_path):
    cv2 = pytest.importorskip("cv2")
    for split in ("train", "val"):
        (tmp_path / "p/images" / split).mkdir(parents=True)
        (tmp_path / "p/labels" / split).mkdir(parents=True)
        for number in range(4):
            picture = np.zeros((60, 100, 3), np.uint8)
            picture[6:18, 60:80] = 255  # the only white, top right
            cv2.imwrite(str(tmp_path / f"p/images/{split}/{number}.jpg"), picture)
            (tmp_path / f"p/labels/{split}/{number}.txt").write_text("46 0.7 0.2 0.2 0.2\n")
    finder_data(tmp_path / "p", None, tmp_path / "out", turned=1.0)
    shapes = set()
    for number in range(4):
        picture = cv2.imread(str(tmp_path / f"out/images/train/{number}.jpg"))
        height, width = picture.shape[:2]
        shapes.add((height, width))
        k, x, y, w, h = (float(v) for v in (tmp_path / f"out/labels/train/{number}.txt").read_text().split())
        assert k == 1  # a back
        x0, y0, x1, y1 = (
            round(v)
            for v in ((x - w / 2) * width, (y - h / 2) * height, (x + w / 2) * width, (y + h / 2) * height)
        )
        assert picture[y0 + 2 : y1 - 2, x0 + 2 : x1 - 2].min() > 200
        picture[y0 - 2 : y1 + 2, x0 - 2 : x1 + 2] = 0
        assert picture.max() < 60
    assert len(shapes) >= 1
    assert (tmp_path / "out/labels/val/0.txt").read_text().startswith("1 0.7")

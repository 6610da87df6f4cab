"""The photo-quality gate: every flaw is named where it is, and no other; a good photo has none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.pictures import encode
from vision import CLASSES, Detections, Reader
from vision.quality import ADVICE, assess, measure

WIDE, HIGH = 60, 80
COUNT = 14


@pytest.fixture
def photo():
    """A row of white tiles with dark strokes on green cloth, sharp and well lit; its boxes and names."""
    rng = np.random.default_rng(1)
    pixels = np.empty((400, 1100, 3), np.uint8)
    pixels[:] = (50, 110, 40)
    boxes = []
    for index in range(COUNT):
        x, y = 100 + index * (WIDE + 4), 160
        cv2.rectangle(pixels, (x, y), (x + WIDE, y + HIGH), (215, 222, 225), -1)
        for _ in range(5):
            a, b = rng.integers((x + 12, y + 12), (x + WIDE - 12, y + HIGH - 12), (2, 2))
            cv2.line(pixels, tuple(map(int, a)), tuple(map(int, b)), (40, 40, 60), 4, cv2.LINE_AA)
        boxes.append((x, y, x + WIDE, y + HIGH))
    return pixels, np.array(boxes, float)


def named(pixels, boxes, rows=None, outside=(), factor=1.0):
    names = ["1m"] * len(boxes)
    return assess(pixels, boxes, names, rows or [list(range(len(boxes)))], outside, factor)


def test_a_good_photo_has_no_flaw(photo):
    assert named(*photo) == ()


def test_no_tiles_no_flaws(photo):
    assert named(photo[0], np.zeros((0, 4)), [[]]) == ()


def test_a_bright_photo_is_no_flaw(photo):
    pixels, boxes = photo
    assert named(cv2.convertScaleAbs(pixels, alpha=1.3), boxes) == ()


def test_blur_is_named_over_the_hand(photo):
    pixels, boxes = photo
    (flaw,) = named(cv2.GaussianBlur(pixels, (0, 0), 0.09 * WIDE), boxes)
    assert flaw.code == "blurred"
    assert flaw.box == (100.0, 160.0, boxes[-1][2], 240.0)


def test_motion_in_one_direction_is_blur_too(photo):
    pixels, boxes = photo
    kernel = np.full((1, 24), 1 / 24, np.float32)
    assert "blurred" in {flaw.code for flaw in named(cv2.filter2D(pixels, -1, kernel), boxes)}


def test_a_little_blur_is_not(photo):
    pixels, boxes = photo
    assert named(cv2.GaussianBlur(pixels, (0, 0), 0.02 * WIDE), boxes) == ()


def test_tiles_of_few_pixels_are_too_far_and_not_called_blurred(photo):
    pixels, boxes = photo
    small = cv2.resize(pixels, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    assert [flaw.code for flaw in named(small, boxes / 4)] == ["too_far"]


def test_tiles_that_are_lost_in_a_large_photo_are_too_far(photo):
    """Forty pixels a tile are enough to name it, but not to find it in a photo of 4,000."""
    pixels, boxes = photo
    vast = np.zeros((3000, 4500, 3), np.uint8)
    vast[1000:1400, 1500:2600] = pixels
    moved = boxes + np.array([1500, 1000, 1500, 1000])
    assert [flaw.code for flaw in named(vast, moved)] == ["too_far"]


def test_a_dark_photo_is_named(photo):
    pixels, boxes = photo
    assert "too_dark" in {flaw.code for flaw in named((pixels * 0.2).astype(np.uint8), boxes)}


@pytest.mark.parametrize("victim", [0, 6, 13])
def test_glare_is_named_on_the_tile_that_has_it(photo, victim):
    pixels, boxes = photo
    x0, y0, x1, y1 = boxes[victim].astype(int)
    tile = pixels[y0:y1, x0:x1].astype(float)
    pixels[y0:y1, x0:x1] = (tile + (255 - tile) * 0.85).astype(np.uint8)
    (flaw,) = named(pixels, boxes)
    assert flaw.code == "glare"
    assert flaw.box == tuple(boxes[victim])


def test_a_blank_white_dragon_is_no_glare(photo):
    pixels, boxes = photo
    x0, y0, x1, y1 = boxes[4].astype(int)
    pixels[y0:y1, x0:x1] = 235
    names = ["1m"] * COUNT
    names[4] = "5z"
    assert assess(pixels, boxes, names, [list(range(COUNT))]) == ()


def test_a_tile_at_the_edge_is_cut_off(photo):
    pixels, boxes = photo
    edge = int(boxes[-1][0] + 30)
    boxes[-1][2] = edge
    (flaw,) = named(pixels[:, :edge].copy(), boxes)
    assert flaw.code == "cut_off"
    assert flaw.box == tuple(boxes[-1])


def test_a_tile_of_no_hand_may_be_cut_off(photo):
    pixels, boxes = photo
    edge = int(boxes[-1][0] + 30)
    boxes[-1][2] = edge
    assert named(pixels[:, :edge].copy(), boxes, outside=[COUNT - 1]) == ()


def test_the_end_of_a_wall_may_be_cut_off(photo):
    pixels, boxes = photo
    edge = int(boxes[-1][0] + 30)
    boxes[-1][2] = edge
    names = ["1m"] * (COUNT - 1) + ["0x"]
    assert assess(pixels[:, :edge].copy(), boxes, names, [list(range(COUNT))]) == ()


def test_two_full_rows_are_two_hands(photo):
    pixels, boxes = photo
    both = np.vstack([boxes, boxes + np.array([0, 400, 0, 400])])
    rows = [list(range(COUNT)), list(range(COUNT, 2 * COUNT))]
    (flaw,) = named(np.vstack([pixels, pixels]), both, rows)
    assert flaw.code == "several_hands"
    assert flaw.box == (100.0, 160.0, boxes[-1][2], 640.0)


def test_discards_that_happen_to_be_many_are_no_second_hand(photo):
    pixels, boxes = photo
    thrown = boxes + np.array([0, 400, 0, 400])
    thrown[:, [1, 3]] += np.random.default_rng(0).uniform(-60, 60, (COUNT, 1))
    rows = [list(range(COUNT)), list(range(COUNT, 2 * COUNT))]
    both = np.vstack([boxes, thrown])
    assert named(np.vstack([pixels, pixels]), both, rows, rows[1]) == ()


def test_a_wall_beside_the_hand_is_no_second_hand(photo):
    pixels, boxes = photo
    both = np.vstack([boxes, boxes + np.array([0, 400, 0, 400])])
    rows = [list(range(COUNT)), list(range(COUNT, 2 * COUNT))]
    names = ["1m"] * COUNT + ["0x"] * COUNT
    assert assess(np.vstack([pixels, pixels]), both, names, rows, rows[1]) == ()


def test_a_hand_in_two_rows_is_one_hand(photo):
    pixels, boxes = photo
    assert named(pixels, boxes, [list(range(7)), list(range(7, COUNT))]) == ()


def test_boxes_of_the_photo_are_scaled_to_a_smaller_copy(photo):
    pixels, boxes = photo
    half = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    seen, copy = measure(pixels, boxes), measure(half, boxes / 2)
    assert np.allclose(seen.face, copy.face, atol=6)
    assert named(half, boxes, factor=2.0) == ()


def test_every_flaw_has_advice_in_both_languages(photo):
    pixels, boxes = photo
    (flaw,) = named(cv2.GaussianBlur(pixels, (0, 0), 6), boxes)
    told = flaw.to_dict()
    assert set(told) == {"code", "box", "advice"}
    assert set(told["advice"]) == {"en", "zh"}
    for english, chinese in ADVICE.values():
        assert english.isascii()
        assert any("\u4e00" <= c <= "\u9fff" for c in chinese)


def test_a_reading_carries_the_flaws_of_its_photo(photo):
    pixels, boxes = photo

    class Known:
        def detect(self, pixels):
            probabilities = np.full((COUNT, len(CLASSES)), 0.001, np.float32)
            probabilities[np.arange(COUNT), np.arange(COUNT)] = 1 - 0.001 * (len(CLASSES) - 1)
            up = np.tile(np.array([0, -1], np.float32), (COUNT, 1))
            return Detections(boxes.astype(np.float32), np.ones(COUNT, np.float32), probabilities, up)

    reader = Reader(Known(), {"name": "known", "version": "0", "sha256": "0"})
    good = reader.read(encode(pixels[:, :, ::-1].copy(), "PNG"))
    bad = reader.read(encode((pixels[:, :, ::-1] * 0.2).astype(np.uint8), "PNG"))
    assert good.to_dict()["quality"] == []
    assert [flaw["code"] for flaw in bad.to_dict()["quality"]] == ["too_dark"]

"""Spoiling photos on purpose: labels follow the picture, and what is named follows what was done."""

from __future__ import annotations

import cv2
import degrade
import numpy as np
import pytest
from faces import CODES

from vision.quality import ADVICE


@pytest.fixture
def photo():
    rng = np.random.default_rng(0)
    pixels = np.full((300, 900, 3), (60, 120, 40), np.uint8)
    boxes = []
    for index in range(12):
        x = 60 + 62 * index
        cv2.rectangle(pixels, (x, 100), (x + 56, 176), (215, 222, 225), -1)
        for _ in range(4):
            a, b = rng.integers((x + 12, 112), (x + 44, 164), (2, 2))
            cv2.line(pixels, tuple(map(int, a)), tuple(map(int, b)), (40, 30, 60), 4, cv2.LINE_AA)
        boxes.append((x, 100, x + 56, 176))
    return degrade.Labelled(pixels, np.array(boxes, float), np.arange(12))


def test_what_is_spoilt_most_is_named_and_the_photo_itself_is_not(photo):
    assert degrade.codes(photo) == set()
    for code, spoil, strengths in degrade.WAYS:
        worst = min(strengths) if code in ("too_far", "too_dark", "cut_off") else max(strengths)
        named = degrade.codes(spoil(np.random.default_rng(1), photo, worst))
        assert (code in named) == bool(code), f"{spoil.__name__} {worst}: {named}"


def test_every_flaw_is_tried():
    assert {code for code, _, _ in degrade.WAYS if code} == set(ADVICE)


def test_labels_follow_the_picture(photo):
    rng = np.random.default_rng(2)
    small = degrade.far(rng, photo, 28)
    assert small.side == pytest.approx(28)
    cut = degrade.cut(rng, photo, 0.5)
    assert cut.pixels.shape[1] == cut.boxes[:, 2].max()
    twice = degrade.doubled(rng, photo, 0)
    x0, y0, x1, y1 = twice.boxes[-1].astype(int)
    assert np.array_equal(twice.pixels[y0:y1, x0:x1], photo.pixels[100:176, x0:x1])
    assert [CODES[k] for k in twice.classes[:12]] == [CODES[k] for k in photo.classes]

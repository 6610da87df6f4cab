"""What the finder learns from: outlines that fit their tiles at any angle."""

from __future__ import annotations

import json
import math

import cv2
import numpy as np
import pytest
import relabel
from finder_labels import block_outline, finder_data, leaning_rectangle


def tile(angle, wide=30.0, high=42.0):
    """Corners of a tile turned clockwise by `angle` degrees, its box, and its up direction."""
    turn = math.radians(angle)
    matrix = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    corners = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2 @ matrix + [100, 80]
    box = np.concatenate([corners.min(0), corners.max(0)])
    return corners, box, (math.sin(turn), -math.cos(turn))


@pytest.mark.parametrize("angle", [15, 25, 30, 60, 75, 110, 155, 200, 290, -20])
def test_the_outline_of_a_leaning_tile_is_the_tile(angle):
    corners, box, up = tile(angle)
    outline = leaning_rectangle(box, up)
    assert np.allclose(outline, corners, atol=0.5)  # same corners, and in the same order


@pytest.mark.parametrize("angle", [45, 135, 42, -48])
def test_near_45_degrees_the_usual_shape_stands_in(angle):
    corners, box, up = tile(angle)
    outline = leaning_rectangle(box, up)
    assert np.allclose(outline, corners, atol=2)
    assert np.allclose([outline.min(0), outline.max(0)], [box[:2], box[2:]])


@pytest.mark.parametrize("up", [(0.0, 0.0), (0.05, -1.0), (1.0, 0.1), (0.0, 1.0)])
def test_along_an_axis_or_without_a_direction_it_is_the_box(up):
    outline = leaning_rectangle(np.array([10.0, 20, 40, 60]), up)
    assert outline.tolist() == [[10, 20], [40, 20], [40, 60], [10, 60]]


def test_the_outline_of_a_block_reaches_as_far_as_its_box_and_not_to_its_corners():
    face, _, _ = tile(30)
    box = np.concatenate([face.min(0), face.max(0) + np.array([0, 12])])  # its side is seen below
    outline = block_outline(box, face)
    assert np.allclose([outline.min(0), outline.max(0)], [box[:2], box[2:]], atol=0.01)
    assert cv2.contourArea(outline.astype(np.float32)) < 0.8 * np.prod(box[2:] - box[:2])


def test_a_data_set_of_photos_and_scenes(tmp_path):
    photos, scenes = tmp_path / "photos", tmp_path / "scenes"
    for folder in ("images/train", "labels/train"):
        (photos / folder).mkdir(parents=True)
    (scenes / "images").mkdir(parents=True)
    cv2.imwrite(str(photos / "images/train/a.jpg"), np.zeros((50, 100, 3), np.uint8))
    (photos / "labels/train/a.txt").write_text("3 0.5 0.5 0.2 0.4\n46 0.2 0.5 0.1 0.2\n")
    cv2.imwrite(str(scenes / "images/s.jpg"), np.zeros((40, 40, 3), np.uint8))
    corners, box, up = tile(20, 6, 8)
    shift = np.array([90.0, 70])
    tile_record = {
        "tile": "0x",
        "box": (box - np.tile(shift, 2)).tolist(),
        "corners": (corners - shift).tolist(),
        "up": up,
    }
    (scenes / "scenes.jsonl").write_text(json.dumps({"image": "s.jpg", "tiles": [tile_record]}) + "\n")
    more = {"a.jpg": {"up": [[0.0, -1.0], [0.0, 0.0]], "more": [[0, 70, 10, 90, 40]]}}
    (tmp_path / "more.json").write_text(json.dumps(more))
    data = finder_data(photos, [scenes], tmp_path / "more.json", tmp_path / "out")
    assert "names: [face, back]" in data.read_text()
    rows = (tmp_path / "out/labels/train/a.txt").read_text().splitlines()
    assert [row.split()[0] for row in rows] == ["0", "1", "0"]
    added = np.array(rows[2].split()[1:], float).reshape(4, 2) * [100, 50]
    assert [*added.min(0), *added.max(0)] == [70, 10, 90, 40]
    back = (tmp_path / "out/labels/train/s.txt").read_text().split()
    assert back[0] == "1"
    assert len(back) >= 9
    assert {p.name for p in (tmp_path / "out/images/train").iterdir()} == {"a.jpg", "s.jpg"}


def test_what_counts_as_unlabelled():
    truth = np.array([[0, 0, 10, 10]], np.float32)
    found = np.array([[1, 1, 11, 11], [4, 4, 6, 6], [20, 0, 30, 10], [9, 0, 19, 10]], np.float32)
    assert relabel.unlabelled(found, truth).tolist() == [False, False, True, True]
    assert relabel.unlabelled(found, truth[:0]).all()


@pytest.mark.parametrize(
    ("score", "name", "probability", "added"),
    [
        (0.7, "5z", 0.2, True),  # the finder is sure
        (0.2, "4m", 0.9, True),  # the namer knows it
        (0.2, "5z", 0.99, False),  # a plain surface
        (0.2, "4m", 0.5, False),
        (0.11, "4m", 0.76, False),
    ],
)
def test_only_sure_tiles_are_added(score, name, probability, added):
    assert relabel.sure(score, name, probability, 0.6) is added

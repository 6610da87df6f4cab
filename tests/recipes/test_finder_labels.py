"""What the finder learns from: outlines that fit their tiles at any angle."""

from __future__ import annotations

import itertools
import json
import math

import cv2
import numpy as np
import pytest
import relabel
from finder_labels import block_outline, finder_data, leaning_rectangle, without
from relabel import Sight, look, once, outline_of, parts
from relabel import relabel as relabel_photo

from vision.finder import Found


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
    more = {"a.jpg": {"up": [[0.0, -1.0], [0.0, 0.0]], "more": [[0, 70, 10, 90, 10, 90, 40, 70, 40]]}}
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
    ("score", "name", "probability", "added", "hidden"),
    [
        (0.7, "4m", 0.6, True, True),  # the finder is sure, and the namer does not object
        (0.7, "4m", 0.3, False, False),  # cloth, wood
        (0.2, "4m", 0.9, True, True),  # the namer knows it
        (0.2, "4m", 0.5, False, True),
        (0.11, "4m", 0.9, False, True),
        (0.09, "4m", 0.9, False, False),
        (0.9, "5z", 0.99, False, True),  # a plain surface
        (0.9, "0x", 0.99, False, True),
        (0.2, "0x", 0.99, False, False),
    ],
)
def test_only_sure_tiles_are_added_and_likely_ones_hidden(score, name, probability, added, hidden):
    assert relabel.sure(score, name, probability, 0.6) is added
    assert relabel.possible(score, name, probability) is hidden


def test_parts_cover_the_whole_and_overlap():
    for extent in (100, 640, 641, 1200, 1448, 3000):
        starts = parts(extent, 640)
        assert starts[0] == 0
        assert starts[-1] == max(extent - 640, 0)
        assert all(0 < b - a <= 512 for a, b in itertools.pairwise(starts))


class Marks:
    """Stands for a finder: finds every bright blob."""

    height = width = 200

    def find(self, picture):
        blobs = cv2.connectedComponentsWithStats((picture.max(axis=2) > 180).astype(np.uint8))[2][1:]
        boxes = np.array([[x, y, x + w, y + h] for x, y, w, h, _ in blobs], np.float32).reshape(-1, 4)
        return Found(boxes, np.full(len(boxes), 0.9, np.float32), np.tile([1.0, 0.0], (len(boxes), 1)))


@pytest.mark.parametrize("angle", [0.0, 45.0, 225.0, 100.0])
def test_what_a_turned_look_finds_lies_where_it_is_in_the_photo(angle):
    image = np.zeros((150, 260, 3), np.uint8)
    middles = [(30, 40), (130, 75), (231, 118)]
    for x, y in middles:
        cv2.rectangle(image, (x - 9, y - 12), (x + 9, y + 12), (255, 255, 255), -1)
    sights = once(look(Marks(), image, angle))
    assert len(sights) == 3  # though parts overlap
    for sight in sights:
        x, y = sight.middle
        near = min(middles, key=lambda one: math.hypot(one[0] - x, one[1] - y))
        assert math.hypot(near[0] - x, near[1] - y) < 1.5
        # the direction is that of the photo, whatever the look's
        outline = sight.outline((0.0, -1.0))
        wide, high = np.ptp(outline, axis=0)
        assert wide == pytest.approx(19, abs=4)
        assert high == pytest.approx(25, abs=4)


def test_a_tile_whose_direction_nobody_knows_is_what_both_looks_share():
    image = np.zeros((200, 200, 3), np.uint8)
    cv2.rectangle(image, (90, 94), (106, 118), (255, 255, 255), -1)
    (slanted,), upright = look(Marks(), image, 225.0), look(Marks(), image, 0.0)
    outline = outline_of(slanted, None, upright)
    assert np.allclose([outline.min(0), outline.max(0)], [[90, 94], [107, 119]], atol=2)
    assert outline_of(slanted, None, []) is None


def test_the_same_tile_is_seen_once_and_a_neighbour_stays():
    back = np.array([[1.0, 0, 0], [0, 1, 0]])
    boxes = [(0, 0, 30, 40), (3, 2, 33, 42), (31, 0, 61, 40)]
    sights = [
        Sight(np.array(box, float), score, 0, back) for box, score in zip(boxes, (0.5, 0.8, 0.6), strict=True)
    ]
    assert [one.score for one in once(sights)] == [0.8, 0.6]


def test_what_may_be_a_tile_is_blurred_and_its_neighbour_is_not():
    image = np.random.default_rng(1).integers(0, 256, (120, 120, 3)).astype(np.uint8)
    hidden = np.array([[40.0, 40], [80, 40], [80, 90], [40, 90]])
    shown = hidden + np.array([30, 0])
    picture = without(image, [hidden], [shown])
    assert picture[50:80, 45:62].std() < 0.4 * image[50:80, 45:62].std()
    assert np.abs(picture[50:80, 80:100].astype(int) - image[50:80, 80:100]).max() <= 2
    assert (picture[:20] == image[:20]).all()


def test_a_photo_is_told_what_its_labels_do_not_say():
    image = np.zeros((200, 320, 3), np.uint8)
    for x in (50, 150, 250):
        cv2.rectangle(image, (x - 12, 84), (x + 12, 116), (255, 255, 255), -1)

    class Knows:
        """Names what stands left for sure, what stands right not quite."""

        def name(self, _, boxes):
            from vision import CLASSES
            from vision.namer import Named

            rows = np.zeros((len(boxes), len(CLASSES)), np.float32)
            rows[:, CLASSES.index("4m")] = np.where(boxes[:, 0] < 200, 0.95, 0.45)
            return Named(rows, np.tile(np.float32([0, -1]), (len(boxes), 1)))

    truth = np.array([[138, 84, 162, 116]], np.float32)
    found = relabel_photo(Marks(), Knows(), image, truth, 0.6)
    assert found["up"] == [[0.0, -1.0]]
    (added,), (hidden,) = found["more"], found["hidden"]
    outline = np.array(added[1:]).reshape(-1, 2)
    assert np.allclose([outline.min(0), outline.max(0)], [[38, 84], [63, 117]], atol=3)
    assert np.array(hidden).reshape(-1, 2).mean(0) == pytest.approx([250, 100], abs=2)

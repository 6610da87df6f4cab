"""Finder, namer and the two together, on networks whose every answer is known."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision import pictures
from vision import CLASSES, Detector, ModelError
from vision._onnx import Network, default_threads, open_network
from vision.finder import Finder, letterbox
from vision.namer import Namer
from vision.pipeline import TwoStepDetector, working_copy


def finder(
    path: Path, columns: list[list[float]], size: tuple[int, int] = (96, 128), **options: float
) -> Finder:
    output = np.array(columns, np.float32).T[None]
    network = open_network(pictures.finder_network(path / "f.onnx", output, *size), "finder")
    return Finder(network, size, ("face", "back"), options.get("confidence", 0.25), options.get("iou", 0.5))


@pytest.fixture
def namer(tmp_path: Path) -> Namer:
    return Namer(open_network(pictures.namer_network(tmp_path / "n.onnx"), "namer"), 64, 1.12)


@pytest.mark.parametrize(
    ("shape", "scale", "left", "top"),
    [
        ((96, 128), (1, 1), 0, 0),
        ((192, 256), (0.5, 0.5), 0, 0),
        ((96, 64), (1, 1), 32, 0),
        ((50, 128), (1, 1), 0, 23),
        ((48, 64), (2, 2), 0, 0),
        ((1000, 100), (0.1, 0.096), 59, 0),
        ((193, 257), (0.5, 0.5), 0, 0),  # halved: the odd row and column are left out
        ((33, 4000), (0.032, 1 / 32), 0, 47),
    ],
)
def test_letterbox(shape: tuple[int, int], scale: tuple[float, float], left: int, top: int) -> None:
    pixels = np.full((*shape, 3), 200, np.uint8)
    canvas, placed = letterbox(pixels, 96, 128)
    assert canvas.shape == (96, 128, 3)
    assert (placed.scale_x, placed.scale_y) == pytest.approx(scale)
    assert (placed.left, placed.top) == (left, top)
    inside = (canvas == 200).all(axis=2)
    assert inside.sum() == round(shape[0] * placed.scale_y) * round(shape[1] * placed.scale_x)
    assert (canvas[~inside] == 114).all()
    corners = np.array([[0, 0, shape[1], shape[0]]], np.float32)
    there = corners.copy()
    there[:, 0::2] = corners[:, 0::2] * placed.scale_x + left
    there[:, 1::2] = corners[:, 1::2] * placed.scale_y + top
    assert placed.to_photo(there) == pytest.approx(corners, abs=1e-2)


@pytest.mark.parametrize("size", [(300, 401), (402, 530), (700, 933)])
def test_a_photo_that_is_halved_first_looks_as_if_it_were_averaged(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    spots = cv2.resize(rng.integers(0, 256, (12, 16, 3), np.uint8), size[::-1], interpolation=cv2.INTER_CUBIC)
    canvas, placed = letterbox(np.asarray(spots, np.uint8), 96, 128)
    high, wide = round(size[0] * placed.scale_y), round(size[1] * placed.scale_x)
    averaged = cv2.resize(spots, (wide, high), interpolation=cv2.INTER_AREA)
    shown = canvas[placed.top : placed.top + high, placed.left : placed.left + wide]
    assert np.abs(shown.astype(int) - averaged).mean() < 2
    assert np.abs(shown[:, 1:].astype(int) - averaged[:, :-1]).mean() > 6


def test_the_network_is_fed_rgb_between_0_and_1(tmp_path: Path) -> None:
    network = open_network(pictures.echo_network(tmp_path / "e.onnx", 96, 128), "echo")
    pixels = np.zeros((48, 128, 3), np.uint8)
    pixels[:, :] = (0, 51, 255)  # BGR: no blue, a fifth of green, all red
    seen: list[np.ndarray] = []
    original = network.run

    class Spy:
        input_shape = network.input_shape
        require_input = staticmethod(network.require_input)

        @staticmethod
        def run(batch: np.ndarray, *names: str) -> list[np.ndarray]:
            seen.extend(original(batch, *names))
            return [np.zeros((1, 6, 0), np.float32)]

    found = Finder(Spy(), (96, 128), ("face", "back"), 0.25, 0.5).find(pixels)  # type: ignore[arg-type]
    assert len(found.boxes) == 0
    planes = seen[0].reshape(3, 96, 128)
    assert planes[:, 48, 64] == pytest.approx([1, 0.2, 0])
    assert planes[:, 0, 0] == pytest.approx([114 / 255] * 3)


@pytest.mark.parametrize(
    ("photo", "canvas"),
    [
        ((300, 400), (480, 640)),  # 4:3 needs no bars at all
        ((400, 300), (640, 480)),
        ((3024, 4032), (480, 640)),
        ((100, 100), (640, 640)),
        ((90, 160), (384, 640)),  # 360 rows, up to the next whole step of 32
        ((10, 4000), (32, 640)),
    ],
)
def test_where_the_network_leaves_its_input_open_bars_are_kept_small(
    photo: tuple[int, int], canvas: tuple[int, int]
) -> None:
    shapes: list[tuple[int, ...]] = []

    class Open:
        input_shape = (1, 3, "height", "width")

        @staticmethod
        def require_input(*shape: int | None) -> None:
            assert shape == (None, 3, 640, 640)

        @staticmethod
        def run(batch: np.ndarray, *names: str) -> list[np.ndarray]:
            shapes.append(batch.shape)
            return [np.zeros((1, 6, 0), np.float32)]

    Finder(Open(), (640, 640), ("face", "back"), 0.25, 0.5).find(np.zeros((*photo, 3), np.uint8))  # type: ignore[arg-type]
    assert shapes[0] == (1, 3, *canvas)
    assert len(shapes) == (5 if max(photo) >= 1600 else 1)  # a large photo without tiles: its quarters, too


def test_decoding_moves_boxes_back_to_the_photo(tmp_path: Path) -> None:
    """Photo 400 x 200 in an input of 128 x 96: scale 0.32, 16 rows of grey above and below."""
    found = finder(tmp_path, [[64, 48, 32, 16, 0.9, 0.1], [16, 24, 16, 16, 0.2, 0.6]]).find(
        np.zeros((200, 400, 3), np.uint8)
    )
    assert found.boxes == pytest.approx(np.array([[150, 75, 250, 125], [25, 0, 75, 50]]), abs=1e-3)
    assert found.scores == pytest.approx([0.9, 0.6])
    assert found.classes == pytest.approx(np.array([[0.9, 0.1], [0.2, 0.6]]))


def test_weak_and_doubled_boxes_go_whatever_their_class(tmp_path: Path) -> None:
    columns = [
        [64, 48, 32, 16, 0.6, 0.0],
        [65, 48, 32, 16, 0.0, 0.9],  # the same place, called a back, and surer
        [20, 48, 16, 16, 0.24, 0.2],  # too weak
        [100, 48, 16, 16, 0.25, 0.0],
    ]
    found = finder(tmp_path, columns).find(np.zeros((96, 128, 3), np.uint8))
    assert found.scores == pytest.approx([0.9, 0.25])


def test_boxes_outside_of_the_photo_are_clipped_or_dropped(tmp_path: Path) -> None:
    columns = [
        [0, 48, 32, 16, 0.9, 0],
        [64, 4, 16, 8, 0.8, 0],  # wholly in the grey above
        [64, 60, 0.1, 9, 0.7, 0],  # a sliver
    ]
    found = finder(tmp_path, columns).find(np.zeros((48, 128, 3), np.uint8))
    assert found.boxes == pytest.approx(np.array([[0, 16, 16, 32]]))


def test_nothing_found(tmp_path: Path) -> None:
    assert len(finder(tmp_path, [[1, 1, 1, 1, 0, 0]]).find(np.zeros((96, 128, 3), np.uint8)).boxes) == 0


def test_a_flood_of_boxes_stays_quick(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    columns = [[*random.uniform(0, 96, 2), 9, 12, s, 0] for s in random.uniform(0.3, 1, 5000)]
    assert 0 < len(finder(tmp_path, columns).find(np.zeros((96, 128, 3), np.uint8)).boxes) <= 300


class Spots:
    """In place of a network: finds the white spots of the picture that are at least 4 pixels wide in its
    input."""

    input_shape = (1, 3, "height", "width")

    def __init__(self) -> None:
        self.looks = 0

    @staticmethod
    def require_input(*shape: int | None) -> None:
        assert len(shape) == 4

    def run(self, batch: np.ndarray, *names: str) -> list[np.ndarray]:
        self.looks += 1
        _, _, stats, middles = cv2.connectedComponentsWithStats((batch[0, 0] > 0.75).astype(np.uint8))
        rows = [
            [x, y, wide, high, min(0.2 + wide / 100, 0.99), 0]
            for (_, _, wide, high, _), (x, y) in zip(stats[1:], middles[1:], strict=True)
            if wide >= 4
        ]
        return [np.array(rows, np.float32).reshape(-1, 6).T[None]]


def spotted(size: tuple[int, int], spots: list[tuple[int, int, int]]) -> np.ndarray:
    picture = np.zeros((*size, 3), np.uint8)
    for x, y, side in spots:
        picture[y : y + side, x : x + side] = 255
    return picture


def near(boxes: np.ndarray, spots: list[tuple[int, int, int]]) -> bool:
    """Whether there is one box around each spot, to a few pixels."""
    due = sorted([x, y, x + side, y + side] for x, y, side in spots)
    return bool(len(boxes) == len(due) and np.abs(np.array(sorted(boxes.tolist())) - due).max() < 6)


def test_small_tiles_are_looked_at_once_more_and_closer() -> None:
    network = Spots()
    finder = Finder(network, (640, 640), ("face", "back"), 0.2, 0.5)  # type: ignore[arg-type]
    spots = [(1000 + 50 * k, 1500, 40) for k in range(6)]  # 10 pixels of the input each
    faint = (1170, 1600, 14)  # 3 pixels at first sight
    found = finder.find(spotted((2400, 2560), [*spots, faint]))
    assert network.looks == 2
    assert near(found.boxes, [*spots, faint])
    assert (np.diff(found.scores) <= 0).all()


@pytest.mark.parametrize(
    "spots",
    [
        [(100 + 200 * k, 1500, 150) for k in range(6)],  # large enough
        [(40 + 120 * k, 40 + 110 * k, 90) for k in range(20)],  # small, but all over the photo
    ],
)
def test_no_second_look_where_it_shows_no_more(spots: list[tuple[int, int, int]]) -> None:
    network = Spots()
    finder = Finder(network, (640, 640), ("face", "back"), 0.2, 0.5)  # type: ignore[arg-type]
    found = finder.find(spotted((2400, 2560), spots))
    assert network.looks == 1
    assert near(found.boxes, spots)


def test_a_tile_far_from_the_others_is_kept_and_none_counts_twice() -> None:
    network = Spots()
    finder = Finder(network, (640, 640), ("face", "back"), 0.2, 0.5)  # type: ignore[arg-type]
    spots = [(1000 + 50 * k, 1500, 40) for k in range(6)]
    lone = (200, 200, 24)  # 6 pixels, score 0.26: not sure enough to be part of the region
    found = finder.find(spotted((2400, 2560), [*spots, lone]))
    assert network.looks == 2
    assert near(found.boxes, [*spots, lone])


def test_a_large_photo_that_shows_nothing_is_looked_at_in_quarters() -> None:
    network = Spots()
    finder = Finder(network, (640, 640), ("face", "back"), 0.2, 0.5)  # type: ignore[arg-type]
    spots = [(300 + 20 * k, 2000, 14) for k in range(4)]  # 3.5 pixels of the input each
    found = finder.find(spotted((2400, 2560), spots))
    assert network.looks == 6  # the whole, four quarters, and closer
    assert near(found.boxes, spots)
    network.looks = 0
    assert not len(finder.find(spotted((600, 640), [])).boxes)
    assert network.looks == 1  # there is nothing more to see in a small one


def test_networks_of_another_shape_are_refused(tmp_path: Path) -> None:
    finder_bytes = pictures.finder_network(tmp_path / "f.onnx", np.zeros((1, 7, 3), np.float32), 96, 128)
    network = open_network(finder_bytes, "finder")
    with pytest.raises(ModelError) as refused:
        Finder(network, (96, 96), ("face", "back"), 0.25, 0.5)
    assert refused.value.code == "model_shape"
    with pytest.raises(ModelError) as refused:
        Finder(network, (96, 128), ("face", "back"), 0.25, 0.5).find(np.zeros((96, 128, 3), np.uint8))
    assert refused.value.code == "model_shape"
    with pytest.raises(ModelError) as refused:
        Namer(network, 64, 1.12)
    assert refused.value.code == "model_shape"
    namer_bytes = pictures.namer_network(tmp_path / "n.onnx", 32)
    with pytest.raises(ModelError) as refused:
        Namer(open_network(namer_bytes, "namer"), 64, 1.12)
    assert refused.value.code == "model_shape"


def test_answers_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    broken = finder(tmp_path, [[64, 48, float("nan"), 16, 0.9, 0.1]])
    with pytest.raises(ModelError) as refused:
        broken.find(np.zeros((96, 128, 3), np.uint8))
    assert refused.value.code == "model_output"


@pytest.mark.parametrize("data", [b"", b"not a network", b"\x80\x04\x95pickle"])
def test_bytes_that_are_no_network(data: bytes) -> None:
    with pytest.raises(ModelError) as refused:
        open_network(data, "finder")
    assert refused.value.code == "model_undecodable"


def test_threads_are_set() -> None:
    assert 1 <= default_threads() <= 2


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processors cannot be set here")
def test_one_processor_gets_one_thread() -> None:
    may = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(may)})
        assert default_threads() == 1
    finally:
        os.sched_setaffinity(0, may)


def coloured(places: list[tuple[int, int]], colours: list[tuple[int, int, int]]) -> np.ndarray:
    pixels = np.zeros((96, 128, 3), np.uint8)
    for (x, y), colour in zip(places, colours, strict=True):
        pixels[y - 14 : y + 14, x - 14 : x + 14] = colour[::-1]
    return pixels


def test_namer_names_each_crop(namer: Namer) -> None:
    pixels = coloured([(20, 20), (60, 20), (100, 20)], [(255, 0, 0), (0, 255, 0), (0, 0, 255)])
    boxes = np.array([[10, 10, 30, 30], [50, 10, 70, 30], [90, 10, 110, 30]], np.float32)
    named = namer.name(pixels, boxes)
    assert [CLASSES[i] for i in named.probabilities.argmax(axis=1)] == ["1m", "1p", "1s"]
    assert named.probabilities.sum(axis=1) == pytest.approx([1, 1, 1])
    assert named.up == pytest.approx(np.array([[1, 0], [0, -1], [0, 0]]), abs=1e-3)
    assert named.corners is None


def test_namer_batches_give_what_single_crops_give(namer: Namer) -> None:
    random = np.random.default_rng(5)
    pixels = random.integers(0, 256, (200, 300, 3), np.uint8)
    corners = random.uniform(0, 150, (75, 2))
    boxes = np.concatenate([corners, corners + random.uniform(8, 60, (75, 2))], axis=1).astype(np.float32)
    together = namer.name(pixels, boxes)
    one_by_one = [namer.name(pixels, box[None]) for box in boxes]
    assert together.probabilities == pytest.approx(
        np.concatenate([named.probabilities for named in one_by_one]), abs=1e-5
    )
    assert together.up == pytest.approx(np.concatenate([named.up for named in one_by_one]), abs=1e-5)


def test_corners_are_moved_from_each_crop_to_the_photo(tmp_path: Path) -> None:
    namer = Namer(open_network(pictures.namer_network(tmp_path / "n.onnx", corners=True), "namer"), 64, 1.2)
    boxes = np.array([[10, 10, 30, 50], [50, 20, 70, 30]], np.float32)
    corners = namer.name(np.zeros((96, 128, 3), np.uint8), boxes).corners
    assert corners is not None
    assert corners.shape == (2, 4, 2)
    # The crop of the first is 48 pixels wide around (20, 30): its middle half is 24 wide.
    assert corners[0] == pytest.approx(np.array([[8, 18], [32, 18], [32, 42], [8, 42]]), abs=1e-3)
    assert corners[1] == pytest.approx(np.array([[54, 19], [66, 19], [66, 31], [54, 31]]), abs=1e-3)


def test_the_detector_passes_corners_on_in_pixels_of_its_photo(tmp_path: Path) -> None:
    namer = Namer(open_network(pictures.namer_network(tmp_path / "n.onnx", corners=True), "namer"), 64, 1.2)
    detector = TwoStepDetector(finder(tmp_path, [[20, 20, 20, 20, 0.9, 0]]), namer)
    seen = detector.detect(np.zeros((96, 128, 3), np.uint8))
    assert seen.corners is not None
    assert seen.corners[0] == pytest.approx(np.array([[14, 14], [26, 14], [26, 26], [14, 26]]), abs=0.1)
    twice = seen.scaled(2).corners
    assert twice is not None
    assert twice == pytest.approx(seen.corners * 2)


def test_namer_without_tiles(namer: Namer) -> None:
    named = namer.name(np.zeros((96, 128, 3), np.uint8), np.zeros((0, 4), np.float32))
    assert (named.probabilities.shape, named.up.shape) == ((0, 47), (0, 2))


def test_two_steps_together(tmp_path: Path, namer: Namer) -> None:
    detector = TwoStepDetector(finder(tmp_path, [[20, 20, 20, 20, 0.9, 0], [60, 20, 20, 20, 0.8, 0]]), namer)
    assert isinstance(detector, Detector)
    pixels = coloured([(20, 20), (60, 20)], [(255, 0, 0), (0, 0, 255)])
    seen = detector.detect(pixels)
    assert [CLASSES[i] for i in seen.probabilities.argmax(axis=1)] == ["1m", "1s"]
    assert seen.boxes[0] == pytest.approx([10, 10, 30, 30])


@pytest.mark.parametrize(
    ("face", "back", "name", "low", "high"),
    [(0.9, 0.02, "1m", 0.97, 1), (0.02, 0.9, "0x", 0.45, 0.55), (0.6, 0.6, "1m", 0.7, 0.8)],
)
def test_disagreement_on_a_back_makes_a_doubt(
    tmp_path: Path, namer: Namer, face: float, back: float, name: str, low: float, high: float
) -> None:
    detector = TwoStepDetector(finder(tmp_path, [[20, 20, 20, 20, face, back]]), namer)
    seen = detector.detect(coloured([(20, 20)], [(255, 0, 0)]))
    probability = float(seen.probabilities[0, CLASSES.index(name)])
    assert low <= probability <= high
    assert seen.probabilities.sum() == pytest.approx(1)


def test_no_tiles_no_detections(tmp_path: Path, namer: Namer) -> None:
    detector = TwoStepDetector(finder(tmp_path, [[1, 1, 1, 1, 0, 0]]), namer)
    assert len(detector.detect(np.zeros((96, 128, 3), np.uint8))) == 0


def test_large_photos_are_worked_on_in_small_and_told_in_full(tmp_path: Path, namer: Namer) -> None:
    detector = TwoStepDetector(finder(tmp_path, [[64, 48, 32, 24, 0.9, 0]]), namer)
    seen = detector.detect(np.full((3000, 4000, 3), (0, 0, 255), np.uint8))
    assert seen.boxes[0] == pytest.approx([1500, 1125, 2500, 1875], abs=1)


def test_working_copy() -> None:
    small = np.zeros((100, 200, 3), np.uint8)
    assert working_copy(small)[0] is small
    for shape, longest, wanted, factor in [
        ((3024, 4032), 3000, (1512, 2016), 2),
        ((3000, 2000), 3000, (3000, 2000), 1),
        ((3001, 2000), 3000, (1500, 1000), 2),
        ((1000, 99), 100, (100, 9), 10),
        ((1000, 3), 100, (333, 1), 3),
    ]:
        copy, shrunk = working_copy(np.zeros((*shape, 3), np.uint8), longest)
        assert (copy.shape, shrunk) == ((*wanted, 3), factor)


def test_working_copy_averages() -> None:
    pixels = np.zeros((200, 200, 3), np.uint8)
    pixels[::2, ::2] = 200
    assert (working_copy(pixels, 100)[0] == 50).all()


def test_network_must_have_one_input() -> None:
    class Two:
        @staticmethod
        def get_inputs() -> list[None]:
            return [None, None]

    with pytest.raises(ModelError) as refused:
        Network(Two(), "finder")
    assert refused.value.code == "model_shape"

"""The reader as a whole: bytes in, a reading out, the same for every caller and every thread."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.vision import pictures
from vision import (
    CLASSES,
    Detections,
    ImageType,
    ModelError,
    NoTiles,
    PhotoLimits,
    Reader,
    load_reader,
    weights,
)
from vision.overlay import CHANGED, DOUBTED, SURE, WRONG, draw, svg
from vision.photo import decode
from vision.reading import read_detections


class Stub:
    """A detector that has seen a row of tiles wherever it looks."""

    def __init__(self, *names: str, sure: float = 1.0) -> None:
        self.names = names
        self.sure = sure

    def detect(self, pixels: np.ndarray) -> Detections:
        count = len(self.names)
        if not count:
            return Detections.none()
        x = np.arange(count) * 60 + 30
        boxes = np.stack([x, np.full(count, 60), x + 50, np.full(count, 130)], axis=1)
        probabilities = np.full((count, len(CLASSES)), (1 - self.sure) / 46, np.float32)
        probabilities[range(count), [CLASSES.index(name) for name in self.names]] = self.sure
        return Detections(boxes, np.ones(count), probabilities, np.tile([0, -1], (count, 1)))


def photo_bytes(kind: str = "PNG") -> bytes:
    picture = np.zeros((96, 128, 3), np.uint8)
    picture[6:34, 6:34], picture[6:34, 46:74] = (255, 0, 0), (0, 0, 255)
    return pictures.encode(picture, kind)


def test_reads_a_photo_with_loaded_networks(models: Path) -> None:
    reader = load_reader(models)
    reading = reader.read(photo_bytes(), name="hand.png")
    # The one face that shows a direction points right, so the tile to its right lies above it.
    assert [str(seen.tile) for seen in reading.tiles] == ["1s", "1m"]
    assert reading.angle == pytest.approx(90)
    assert reader.model == {
        "name": "mahjong-reader",
        "version": "0.0-test",
        "sha256": reading.model["sha256"],
    }
    assert reading.to_dict()["photo"] == "hand.png"
    assert load_reader(str(models)).model == reader.model


def test_threads_share_a_reader(models: Path) -> None:
    reader = load_reader(models)
    data = [photo_bytes(kind) for kind in ("PNG", "JPEG", "WEBP")] * 20
    alone = [json.dumps(reader.read(item).to_dict()) for item in data]
    with ThreadPoolExecutor(8) as pool:
        together = [json.dumps(reading.to_dict()) for reading in pool.map(reader.read, data)]
    assert together == alone


def test_refusals_pass_through() -> None:
    with pytest.raises(ImageType):
        Reader(Stub("1m"), {}).read(b"not a photo")
    with pytest.raises(NoTiles):
        Reader(Stub(), {}).read(photo_bytes())


def test_limits_are_held() -> None:
    reader = Reader(Stub("1m"), {}, PhotoLimits(bytes=10))
    assert reader.limits.bytes == 10
    with pytest.raises(Exception, match="bytes"):
        reader.read(photo_bytes())


def test_a_detector_that_answers_nonsense_is_a_model_error() -> None:
    class Broken:
        def detect(self, pixels: np.ndarray) -> Detections:
            return Detections(np.zeros((1, 4)), np.ones(1), np.ones((1, 47)), np.ones((1, 2)))

    with pytest.raises(ModelError) as refused:
        Reader(Broken(), {}).read(photo_bytes())
    assert refused.value.code == "model_output"


def test_the_model_cannot_be_changed() -> None:
    reader = Reader(Stub("1m"), {"name": "stub"})
    reader.model["name"] = "other"
    assert reader.model == {"name": "stub"}


@pytest.mark.parametrize(("name", "code"), [("x.pt", "model_missing"), ("x.onnx", "model_type")])
def test_single_step_detectors_that_are_none(tmp_path: Path, name: str, code: str) -> None:
    with pytest.raises(ModelError) as refused:
        load_reader(detector=tmp_path / name)
    assert refused.value.code == code


def test_single_step_detector_without_its_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ultralytics", None)
    (tmp_path / "x.pt").write_bytes(b"weights")
    with pytest.raises(ModelError) as refused:
        load_reader(detector=tmp_path / "x.pt")
    assert refused.value.code == "detector_unavailable"
    assert "train" in refused.value.detail


class FakeTensor:
    def __init__(self, value: object) -> None:
        self.value = np.array(value)

    def cpu(self) -> FakeTensor:
        return self

    def numpy(self) -> np.ndarray:
        return self.value


def fake_library(monkeypatch: pytest.MonkeyPatch, names: dict[int, str]) -> None:
    class Boxes:
        xyxy = FakeTensor([[10.0, 10, 30, 40], [40, 10, 60, 40], [5, 5, 5, 9]])
        conf = FakeTensor([0.9, 0.6, 0.5])
        cls = FakeTensor([1.0, 0, 0])

    class Result:
        boxes = Boxes()

    class Model:
        def __init__(self, path: str, task: str) -> None:
            self.names = names

        def predict(self, pixels: np.ndarray, **options: object) -> list[Result]:
            assert options["agnostic_nms"] is True
            return [Result()]

    module = type(sys)("ultralytics")
    module.YOLO = Model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ultralytics", module)


def test_single_step_detector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_library(monkeypatch, {0: "3p", 1: "0x"})
    (tmp_path / "best.pt").write_bytes(b"weights")
    reader = load_reader(detector=tmp_path / "best.pt")
    assert reader.model["name"] == "best"
    reading = reader.read(photo_bytes())
    assert [(str(seen.tile), round(seen.confidence, 3)) for seen in reading.tiles] == [
        ("0x", 0.9),
        ("3p", 0.6),
    ]
    assert reading.tiles[0].up is None


def test_single_step_detector_with_foreign_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_library(monkeypatch, {0: "3p", 1: "person"})
    (tmp_path / "best.pt").write_bytes(b"weights")
    with pytest.raises(ModelError) as refused:
        load_reader(detector=tmp_path / "best.pt")
    assert refused.value.code == "model_classes"


def test_importing_loads_no_training_library() -> None:
    code = (
        "import sys, vision, vision.overlay, vision.ultralytics_detector, vision.pipeline;"
        "unwanted = ('torch', 'ultralytics', 'onnx', 'matplotlib', 'pandas', 'scipy');"
        "print([name for name in unwanted if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


# ------------------------------------------------------------------------------------------------ overlay


def overlay(names: tuple[str, ...], sure: float = 1.0, size: tuple[int, int] = (400, 1000)) -> np.ndarray:
    pixels = np.full((*size, 3), 128, np.uint8)
    reading = read_detections(Stub(*names, sure=sure).detect(pixels), size[1], size[0])
    data = draw(pixels, reading)
    assert data.startswith(b"\x89PNG")
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))


def has(picture: np.ndarray, colour: tuple[int, int, int]) -> bool:
    return int((np.abs(picture.astype(int) - colour).sum(axis=2) < 12).sum()) > 50


HAND = ("1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "2z", "2z", "2z", "5z", "5z")


def test_overlay_colours_what_is_sure_in_doubt_and_impossible() -> None:
    sure = overlay(HAND)
    assert has(sure, SURE)
    assert not has(sure, DOUBTED)
    assert has(overlay(HAND, sure=0.7), DOUBTED)
    wrong = overlay((*("1m",) * 5, "2p"), sure=0.7)
    assert has(wrong, WRONG)
    assert has(wrong, DOUBTED)


def test_overlay_tells_what_a_person_has_named_from_what_was_seen() -> None:
    pixels = np.full((400, 1000, 3), 128, np.uint8)
    reading = read_detections(Stub(*HAND).detect(pixels), 1000, 400)
    plain, told = (
        np.asarray(cv2.imdecode(np.frombuffer(draw(pixels, reading, given), np.uint8), cv2.IMREAD_COLOR))
        for given in ({}, {3: "9s"})
    )
    assert not has(plain, CHANGED)
    assert has(told, CHANGED)
    assert ">9s&gt;4p</text>" in svg(reading, {3: "9s"})
    assert svg(reading, {3: "9s"}).count("&gt;") == 1


@pytest.mark.parametrize("size", [(40, 60), (400, 1000), (3000, 4000), (1600, 1600)])
def test_overlay_is_neither_tiny_nor_huge(size: tuple[int, int]) -> None:
    assert 900 <= max(overlay(HAND[:3], size=size).shape) <= 1600


def test_overlay_leaves_the_photo_alone_and_carries_no_metadata(models: Path) -> None:
    exif = Image.Exif()
    exif[0x010E] = "a secret place"
    photo = decode(
        pictures.encode(
            Image.fromarray(np.zeros((96, 128, 3), np.uint8)), "JPEG", exif=exif, comment=b"secret"
        )
    )
    before = photo.pixels.copy()
    data = draw(photo.pixels, read_detections(Stub("1m").detect(photo.pixels), photo.width, photo.height))
    assert np.array_equal(before, photo.pixels)
    assert b"secret" not in data
    kinds = set()
    position = 8
    while position < len(data):
        length = int.from_bytes(data[position : position + 4], "big")
        kinds.add(data[position + 4 : position + 8])
        position += 12 + length
    assert kinds == {b"IHDR", b"IDAT", b"IEND"}


# -------------------------------------------------------------------------------------------- real weights


@pytest.fixture(scope="module")
def trained() -> Reader:
    """The reader with the weights of this checkout."""
    try:
        folder = weights.find()
    except ModelError:
        pytest.skip("no trained weights in models/ (no manifest.json)")
    return load_reader(folder)


def test_trained_weights_answer_and_are_steady(trained: Reader) -> None:
    data = pictures.encode(pictures.scene(480, 640), "PNG")
    answers = set()
    for _ in range(3):
        try:
            answers.add(json.dumps(trained.read(data).to_dict()))
        except NoTiles:
            answers.add("no tiles")
    assert len(answers) == 1


@pytest.mark.corpus
def test_trained_weights_read_real_photos(trained: Reader, shared: Path) -> None:
    photos = sorted((shared / "photos" / "images" / "val").glob("*.jpg"))[:8]
    if not photos:
        pytest.skip("no shared validation photos")
    found = 0
    for path in photos:
        try:
            found += len(trained.read(path.read_bytes()).tiles)
        except NoTiles:
            continue
    assert found >= 3 * len(photos)


def test_the_svg_is_well_formed_and_names_every_tile() -> None:
    from xml.etree import ElementTree

    from tests.vision.test_reading import read

    reading = read("1z 3z 4s 1z 9p 9p 9m", "1m 2m 3m _ 5z 5z 5z _ 2s 3s 4s 5s 5s 6p 7p 8p")
    root = ElementTree.fromstring(svg(reading))
    space = "{http://www.w3.org/2000/svg}"
    groups = root.findall(f"{space}g")
    assert [group.get("data-tile") for group in groups] == [str(k) for k in range(len(reading.tiles))]
    assert sum(group.find(f"{space}text") is not None for group in groups) == 14
    assert len(root.findall(f"{space}polyline")) == 2

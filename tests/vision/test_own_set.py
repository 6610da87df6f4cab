"""Tile sets of one's own: learnt from a photo, kept in a file, weighed with what the namer says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scorer.notation import read_tiles
from scorer.tiles import Tile
from tests.vision import pictures
from vision import CLASSES, ModelError, OwnSet, OwnSetError, Reader
from vision._onnx import open_network
from vision.finder import Finder
from vision.namer import Namer
from vision.pipeline import TwoStepDetector

SHA = "ab" * 32
RED, GREEN, BLUE = (0, 0, 255), (0, 255, 0), (255, 0, 0)  # BGR


def tiles(text: str) -> list[Tile]:
    return [tile for tile, _ in read_tiles(text)]


def own_set(features: list[list[float]], text: str = "1m 1p 1s", model: str = SHA) -> OwnSet:
    return OwnSet("club", model, tuple(tiles(text)), np.array(features, np.float32))


@pytest.fixture
def three() -> OwnSet:
    return own_set([[1, 0, 0], [0, 2, 0], [0, 0, 3]])


def even(text: str) -> np.ndarray:
    row = np.zeros((1, len(CLASSES)), np.float32)
    for tile in tiles(text):
        row[0, tile.index] += 1
    return row / row.sum()


def test_a_face_is_named_by_what_it_looks_like(three: OwnSet) -> None:
    for index, name in enumerate(("1m", "1p", "1s")):
        seen = np.full((1, 3), 0.1, np.float32)
        seen[0, index] = 1
        weighed = three.weigh(even("1m 1p 1s"), seen)
        assert CLASSES[int(weighed[0].argmax())] == name
        assert weighed[0].max() > 0.9


def test_a_name_that_the_set_agrees_with_is_no_less_sure(three: OwnSet) -> None:
    """The face is a little like the others too: likeness alone would say 1m with 92 %."""
    sure = np.full((2, 47), 0.0005, np.float32)
    for row, name in enumerate(("1m", "1p")):
        sure[row, CLASSES.index(name)] = 1 - 46 * 0.0005
    seen = np.array([[1, 0.9, 0], [1, 0.6, 0]], np.float32)
    weighed = three.weigh(sure, seen)
    assert weighed[0] == pytest.approx(sure[0], abs=1e-6)
    assert weighed[1, CLASSES.index("1p")] < 0.5, "the set speaks for 1m"


def test_likeness_to_any_photo_of_a_face_counts(three: OwnSet) -> None:
    more = three.with_more(own_set([[0.6, 0, 0.8]], "1m"))
    seen = np.array([[0.55, 0, 0.83]], np.float32)
    before, after = three.weigh(even("1m 1s"), seen), more.weigh(even("1m 1s"), seen)
    assert CLASSES[int(before[0].argmax())] == "1s"
    assert CLASSES[int(after[0].argmax())] == "1m"


def test_what_the_set_does_not_know_is_neither_favoured_nor_ruled_out(three: OwnSet) -> None:
    probabilities = even("1m 1p 9s 0x")
    weighed = three.weigh(probabilities, np.array([[1, 0, 0]], np.float32))
    for code in ("9s", "0x"):
        assert weighed[0, CLASSES.index(code)] == pytest.approx(0.25)
    assert weighed[0, CLASSES.index("1m")] > 0.45


@given(
    arrays(np.float32, (4, 47), elements=st.floats(0, 1, width=32)),
    arrays(np.float32, (4, 3), elements=st.floats(-5, 5, width=32)),
)
def test_shares_stay_shares(raw: np.ndarray, features: np.ndarray) -> None:
    raw[:, 46] += 1e-3
    probabilities = raw / raw.sum(axis=1, keepdims=True)
    weighed = own_set([[1, 0, 0], [0, 1, 0], [0, 1, 1]], "1m 5z 5z").weigh(probabilities, features)
    assert weighed.sum(axis=1) == pytest.approx(np.ones(4), abs=1e-4)
    assert (weighed >= 0).all()


def test_a_set_survives_its_file(three: OwnSet) -> None:
    again = OwnSet.from_json(three.to_json().encode())
    assert (again.name, again.model, again.tiles) == (three.name, three.model, three.tiles)
    assert again.features == pytest.approx(three.features, abs=1e-4)


GOOD = {"format": 1, "name": "n", "model": SHA, "faces": [{"tile": "1m", "features": [1.0, 0.0]}]}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "own_set_file"),
        ("[", "own_set_file"),
        ("[" * 100_000, "own_set_file"),
        ("[]", "own_set_file"),
        (json.dumps({**GOOD, "format": 2}), "own_set_file"),
        (json.dumps({**GOOD, "name": None}), "own_set_file"),
        (json.dumps({**GOOD, "faces": {}}), "own_set_file"),
        (json.dumps({**GOOD, "faces": [1]}), "own_set_file"),
        (json.dumps({**GOOD, "faces": [{"tile": "1q", "features": [1]}]}), "own_set_file"),
        (json.dumps({**GOOD, "faces": [{"tile": "1m"}]}), "own_set_file"),
        (json.dumps({**GOOD, "faces": [{"tile": "1m", "features": ["a"]}]}), "own_set_file"),
        (json.dumps({**GOOD, "faces": GOOD["faces"] + [{"tile": "1p", "features": [1]}]}), "own_set_file"),
        (json.dumps({**GOOD, "faces": []}), "own_set_faces"),
        (json.dumps({**GOOD, "faces": [{"tile": "1m", "features": []}]}), "own_set_faces"),
        (json.dumps({**GOOD, "faces": [{"tile": "1m", "features": [0, 0]}]}), "own_set_faces"),
        (json.dumps({**GOOD, "faces": [{"tile": "1m", "features": [float("nan")]}]}), "own_set_faces"),
        (json.dumps({**GOOD, "faces": [{"tile": "1m", "features": 1}]}), "own_set_faces"),
        (" " * 20_000_001, "own_set_file"),
    ],
)
def test_files_that_hold_no_set(text: str, code: str) -> None:
    with pytest.raises(OwnSetError) as error:
        OwnSet.from_json(text)
    assert error.value.code == code


def test_other_weights_see_other_features(three: OwnSet) -> None:
    with pytest.raises(OwnSetError, match="other weights"):
        three.require_model("cd" * 32)
    with pytest.raises(OwnSetError, match="other weights"):
        three.with_more(own_set([[1, 0, 0]], "1m", "cd" * 32))
    with pytest.raises(OwnSetError, match="features"):
        three.weigh(even("1m"), np.ones((1, 4), np.float32))


def reader(path: Path, features: bool = True) -> Reader:
    """Finds three tiles side by side and names them by their colour."""
    output = np.array([[20, 20, 20, 20, 0.9, 0], [60, 20, 20, 20, 0.8, 0], [100, 20, 20, 20, 0.7, 0]])
    network = open_network(
        pictures.finder_network(path / "f.onnx", output.T[None].astype(np.float32), 96, 128), "finder"
    )
    finder = Finder(network, (96, 128), ("face", "back"), 0.25, 0.5)
    namer = Namer(open_network(pictures.namer_network(path / "n.onnx", features=features), "namer"), 64, 1.12)
    return Reader(TwoStepDetector(finder, namer), {"name": "stub", "version": "1", "sha256": SHA})


def photo(*colours: tuple[int, int, int]) -> bytes:
    pixels = np.full((96, 128, 3), 128, np.uint8)
    for at, colour in zip((20, 60, 100), colours, strict=True):
        pixels[8:32, at - 12 : at + 12] = colour[::-1]
    return pictures.encode(pixels, "PNG")


def test_learning_a_set_and_reading_with_it(tmp_path: Path) -> None:
    """A tile between blue and green is taken for a 1s, until the set says that it is its 1p."""
    plain = reader(tmp_path)
    shown = photo((125, 120, 0), BLUE, BLUE)
    before = plain.read(shown)
    assert [str(tile.tile) for tile in before.tiles] == ["1s", "1s", "1s"]
    taught = plain.with_set(plain.learn(shown, tiles("1p 1s 1s"), name="odd"))
    after = taught.read(shown)
    assert [str(tile.tile) for tile in after.tiles] == ["1p", "1s", "1s"]
    assert taught.model["set"] == "odd"
    assert "set" not in plain.model
    assert taught.unaided.read(shown).to_dict() == before.to_dict()


def test_a_photo_that_shows_other_tiles_than_named(tmp_path: Path) -> None:
    plain = reader(tmp_path)
    shown = photo(RED, BLUE, GREEN)
    with pytest.raises(OwnSetError, match=r"shows 3 tiles .* 2 are named") as error:
        plain.learn(shown, tiles("1m 1s"))
    assert error.value.code == "own_set_count"
    with pytest.raises(OwnSetError, match="another order") as error:
        plain.learn(shown, tiles("1p 1m 1s"))
    assert error.value.code == "own_set_order"


def test_networks_that_cannot_learn(tmp_path: Path, three: OwnSet) -> None:
    plain = reader(tmp_path, features=False)
    shown = photo(RED, BLUE, GREEN)
    with pytest.raises(ModelError, match="no features"):
        plain.learn(shown, tiles("1m 1s 1p"))
    with pytest.raises(ModelError, match="no features"):
        plain.with_set(three).read(shown)

"""One photo, stored turned and mirrored in all the ways that a camera can tell, in every format: the reading
is the same, and its boxes are those of the upright photo.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from api.jobs import PhotoReader, canary
from tests.vision.pictures import ORIENTATION, turned
from vision import ModelError, Reading, load_reader

KINDS: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": 95, "subsampling": 0},
    "PNG": {"compress_level": 1},
    "WEBP": {"lossless": True, "method": 0},
    "HEIF": {"quality": 95, "chroma": 444},
}

#: Pixels by which a box may differ: what a lossy format does to the photo.
_CLOSE = 6.0


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    try:
        return load_reader()
    except ModelError as error:
        pytest.skip(f"no trained models: {error.detail}")


@pytest.fixture(scope="module")
def upright(reader: PhotoReader) -> Reading:
    return reader.read(stored("PNG", 1))


def stored(kind: str, orientation: int) -> bytes:
    """The canary as a camera would store it that was held so."""
    if kind == "HEIF":
        pytest.importorskip("pi_heif", reason="the extra `heif` is not installed")
        encoder = pytest.importorskip("pillow_heif", reason="there is no encoder of HEIC here (pillow-heif)")
        encoder.register_heif_opener()
    with Image.open(io.BytesIO(canary().image)) as opened:
        picture = np.asarray(opened.convert("RGB"))
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    out = io.BytesIO()
    Image.fromarray(turned(picture, orientation)).save(out, kind, exif=exif.tobytes(), **KINDS[kind])
    return out.getvalue()


def seen(reading: Reading) -> list[str]:
    return [str(tile.tile) for tile in reading.tiles]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("orientation", range(1, 9))
def test_eight_orientations_same_reading(
    reader: PhotoReader, upright: Reading, kind: str, orientation: int
) -> None:
    reading = reader.read(stored(kind, orientation))
    assert seen(reading) == seen(upright) == list(canary().tiles)
    assert (reading.width, reading.height) == (upright.width, upright.height)
    assert str(reading.hand) == str(upright.hand)
    for tile, other in zip(reading.tiles, upright.tiles, strict=True):
        assert np.abs(np.subtract(tile.box, other.box)).max() <= _CLOSE

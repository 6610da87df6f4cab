from __future__ import annotations

import io
import struct
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from fastapi import FastAPI
from PIL import Image
from starlette.testclient import TestClient

from api.app import create_app
from api.settings import Settings
from api.threads import ThreadPool
from scorer import Hand, Tile
from vision import NoTiles, Reading, SeenTile
from vision.photo import decode

MODEL = {"name": "stub", "version": "1", "sha256": "0" * 64}
HAND = "111222333p45699s"


class StubReader:
    """Really decodes its photo, and then sees what it was told to. Black photos show no tiles."""

    def __init__(self, hand: str = HAND) -> None:
        self.hand = Hand.parse(hand)
        self.hold = threading.Event()
        self.hold.set()
        self.names: list[str | None] = []
        self.failure: Exception | None = None

    @property
    def model(self) -> Mapping[str, str]:
        return MODEL

    def read(self, data: bytes, *, name: str | None = None) -> Reading:
        photo = decode(data)
        self.names.append(name)
        self.hold.wait(10)
        if self.failure is not None:
            raise self.failure
        if not photo.pixels.any():
            raise NoTiles("no tile was found in the photo")
        tiles = tuple(
            SeenTile(tile, (10.0 * place, 10, 10.0 * place + 9, 24), 0.97, ((Tile.parse("9m"), 0.02),), 0)
            for place, tile in enumerate((*self.hand.tiles, *self.hand.bonus))
        )
        rows = (tuple(range(len(tiles))),)
        return Reading(photo.width, photo.height, tiles, rows, self.hand, (), model=MODEL, photo=name)


def photo_bytes(kind: str = "JPEG", size: tuple[int, int] = (320, 240), value: int | None = None) -> bytes:
    rng = np.random.default_rng(1)
    shape = (size[1], size[0], 3)
    pixels = rng.integers(0, 255, shape, np.uint8) if value is None else np.full(shape, value, np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, kind)
    return out.getvalue()


@lru_cache
def bomb(side: int = 30_000) -> bytes:
    """A PNG of 1-bit pixels: about 100 kB that unfold to gigabytes."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    row = bytes(1 + (side + 7) // 8)
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


#: Name of a bad file -> its bytes, the code it gets, the HTTP status.
BAD_FILES: dict[str, tuple[Callable[[], bytes], str, int]] = {
    "no tiles": (lambda: photo_bytes(value=0), "no_tiles", 422),
    "text named jpg": (lambda: b"These are thirteen words and no photo at all.\n" * 20, "image_type", 415),
    "truncated jpeg": (lambda: photo_bytes()[:9000], "image_undecodable", 422),
    "bomb": (bomb, "image_too_large", 422),
    "empty": (lambda: b"", "image_empty", 422),
    "tiny": (lambda: photo_bytes("PNG", (3, 3)), "image_too_small", 422),
}


@pytest.fixture
def reader() -> StubReader:
    return StubReader()


@pytest.fixture
def settings() -> Settings:
    return Settings(max_body_bytes=1024 * 1024, receive_timeout_s=5, queue=1)


@pytest.fixture
def service_app(settings: Settings, reader: StubReader) -> FastAPI:
    return create_app(settings, pool_of(reader, settings))


def pool_of(reader: StubReader, settings: Settings | None = None) -> ThreadPool:
    """One thread for photos, and one place to wait for it."""
    return ThreadPool(lambda: reader, workers=1, queue=1 if settings is None else settings.queue)


@pytest.fixture
def client(service_app: FastAPI) -> Iterator[TestClient]:
    with TestClient(service_app, raise_server_exceptions=False) as client:
        wait_until(lambda: client.get("/readyz").status_code == 200)
        yield client


def wait_until(done: Callable[[], bool], seconds: float = 10) -> None:
    import time

    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.01)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.jpg"
    path.write_bytes(photo_bytes())
    return path

"""HEIC photos, as far as they can be tested with files that the tests make: there is no encoder here, so the
containers are made by hand; real ones are in the corpora (`tests/corpora`).
"""

from __future__ import annotations

import struct
import sys

import pytest

from vision.containers import header, sniff
from vision.errors import ImageAnimated, ImageTooLarge, ImageType, ImageUndecodable
from vision.photo import decode


def box(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", 8 + len(body)) + kind + body


def full(kind: bytes, body: bytes, version: int = 0) -> bytes:
    return box(kind, bytes([version, 0, 0, 0]) + body)


def heif(
    size: tuple[int, int] = (640, 480),
    brand: bytes = b"heic",
    properties: tuple[bytes, ...] = (),
    extent: tuple[int, int] | None = None,
    before: tuple[bytes, ...] = (),
) -> bytes:
    """A container around sixteen bytes that are no picture."""
    ispe = full(b"ispe", struct.pack(">II", *size))
    known = (*before, ispe, *properties)
    of_item = struct.pack(">HB", 1, len(known)) + bytes(range(1, len(known) + 1))
    iprp = box(b"iprp", box(b"ipco", b"".join(known)) + full(b"ipma", struct.pack(">I", 1) + of_item))

    def whole(offset: int, length: int) -> bytes:
        where = struct.pack(">HHHHII", 1, 1, 0, 1, offset, length)
        iloc = full(b"iloc", bytes([0x44, 0x00]) + where)
        meta = full(b"meta", full(b"pitm", struct.pack(">H", 1)) + iloc + iprp)
        return box(b"ftyp", brand + bytes(4) + b"mif1heic") + meta + box(b"mdat", bytes(16))

    offset = len(whole(0, 0)) - 16
    return whole(*(extent or (offset, 16)))


def test_size_comes_from_the_primary_picture() -> None:
    found = header(heif())
    assert (found.format, found.width, found.height, found.orientation) == ("HEIF", 640, 480, 1)


@pytest.mark.parametrize(
    ("before", "after", "size"),
    [
        ((), (box(b"irot", b"\x01"),), (480, 640)),
        ((), (box(b"irot", b"\x02"),), (640, 480)),
        ((box(b"irot", b"\x03"),), (), (480, 640)),  # some cameras list the size last
        (
            (),
            (box(b"clap", struct.pack(">8I", 600, 1, 400, 1, 0, 1, 0, 1)), box(b"irot", b"\x01")),
            (400, 600),
        ),
    ],
)
def test_size_is_that_of_the_upright_picture(
    before: tuple[bytes, ...], after: tuple[bytes, ...], size: tuple[int, int]
) -> None:
    found = header(heif(before=before, properties=after))
    assert (found.width, found.height) == size


@pytest.mark.parametrize("brand", [b"heic", b"heix", b"mif1", b"msf1", b"hevc"])
def test_brands_that_are_read(brand: bytes) -> None:
    assert sniff(heif(brand=brand)) == "HEIF"


@pytest.mark.parametrize(
    "data", [heif(brand=b"avif"), box(b"ftyp", b"isom" + bytes(4) + b"mp42"), b"\0\0\0\x18ftyp"]
)
def test_brands_that_are_not(data: bytes) -> None:
    with pytest.raises(ImageType):
        sniff(data)


def test_a_film_is_refused() -> None:
    with pytest.raises(ImageAnimated):
        header(box(b"ftyp", b"hevc" + bytes(4) + b"heic") + box(b"moov", b""))


def test_size_is_held_to_the_limit_before_anything_is_decoded() -> None:
    with pytest.raises(ImageTooLarge):
        decode(heif((12_240, 16_320)))


@pytest.mark.parametrize("extent", [(10_000, 16), (0, 1 << 31)])
def test_data_that_is_not_there(extent: tuple[int, int]) -> None:
    with pytest.raises(ImageUndecodable, match="too early"):
        header(heif(extent=extent))


def test_every_truncation_is_refused() -> None:
    whole = heif()
    for length in range(20, len(whole)):
        with pytest.raises(ImageUndecodable):
            header(whole[:length])


def test_what_is_no_picture_is_refused_by_the_decoder() -> None:
    pytest.importorskip("pi_heif", reason="the extra heif is not installed")
    with pytest.raises(ImageUndecodable):
        decode(heif())


def test_without_the_extra_the_type_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pi_heif", None)
    with pytest.raises(ImageType, match="send a JPEG"):
        decode(heif())

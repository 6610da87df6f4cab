"""Files that are small and ask for much: more than twenty kinds, each with the code that it must get."""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache

from tests.vision.pictures import chunk, encode, png, png_bomb, scene, webp_bomb
from tests.vision.test_heif import heif

__all__ = ["bombs"]


def _png_head(width: int, height: int, depth: int = 8, colour: int = 2, *extra: bytes) -> bytes:
    return png(width, height, depth, colour, zlib.compress(bytes(64)), *extra)


def _jpeg_of(width: int, height: int, marker: int = 0xC0) -> bytes:
    """A small JPEG whose frame header claims another size."""
    data = bytearray(encode(scene(), "JPEG", progressive=marker == 0xC2))
    place = data.index(bytes([0xFF, marker]))
    data[place + 5 : place + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def _webp(kind: bytes, body: bytes) -> bytes:
    inner = b"WEBP" + kind + struct.pack("<I", len(body)) + body + bytes(len(body) & 1)
    return b"RIFF" + struct.pack("<I", len(inner)) + inner


def _vp8(width: int, height: int) -> bytes:
    return _webp(b"VP8 ", b"\x10\x00\x00\x9d\x01\x2a" + struct.pack("<HH", width, height) + bytes(40))


def _vp8x(width: int, height: int, flags: int = 0) -> bytes:
    size = struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
    return _webp(b"VP8X", bytes([flags, 0, 0, 0]) + size)


def _deflated(size: int) -> bytes:
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(bytes(1_000_000)) for _ in range(size // 1_000_000)) + packer.flush()


@lru_cache
def bombs() -> dict[str, tuple[bytes, tuple[str, ...]]]:
    """Name -> file and the codes that are right for it."""
    large, broken, type_ = ("image_too_large",), ("image_undecodable",), ("image_type",)
    segments = b"".join(b"\xff\xfe\x00\x04ab" for _ in range(150_000))
    jpeg, unfolding, much = encode(scene(), "JPEG"), png_bomb(), _deflated(60_000_000)
    return {
        "png of gigabytes, one bit": (unfolding, large),
        "png 16 bit": (_png_head(60_000, 60_000, 16, 6), large),
        "png of the largest size": (_png_head(0x7FFFFFFF, 0x7FFFFFFF), large),
        "png of no width": (_png_head(0, 100), ("image_too_small", *broken)),
        "png one pixel high": (_png_head(16_000, 1), ("image_too_small",)),
        "png longer than any side": (_png_head(20_000, 40), large),
        "png interlaced": (unfolding[:28] + b"\x01" + unfolding[29:], (*large, *broken)),
        "png with more data than pixels": (png(200, 200, 8, 2, much), ("read", *broken)),
        "png with less data than pixels": (_png_head(7000, 7000), broken),
        "png text that unfolds": (
            _png_head(200, 200, 8, 2, chunk(b"zTXt", b"k\0\0" + much)),
            broken,
        ),
        "png profile that unfolds": (
            _png_head(200, 200, 8, 2, chunk(b"iCCP", b"k\0\0" + much)),
            broken,
        ),
        "png with many chunks": (
            _png_head(200, 200, 8, 2, *(chunk(b"tEXt", b"k\0v") for _ in range(30_000))),
            broken,
        ),
        "jpeg of 4 gigapixels": (_jpeg_of(65_500, 65_500), large),
        "jpeg progressive of 4 gigapixels": (_jpeg_of(65_500, 65_500, 0xC2), large),
        "jpeg of more pixels than it has": (_jpeg_of(7000, 7000), broken),
        "jpeg of no height": (_jpeg_of(160, 0), ("image_too_small", *broken)),
        "jpeg with many segments": (jpeg[:2] + segments + jpeg[2:], broken),
        "webp of 34 bytes": (webp_bomb(), large),
        "webp lossy": (_vp8(16_383, 16_383), large),
        "webp canvas of its own": (_vp8x(16_000_000, 16_000_000), broken),
        "webp animation": (_vp8x(200, 200, 2), ("image_animated",)),
        "heif of 200 megapixels": (heif((12_240, 16_320)), large),
        "heif of 4 gigapixels": (heif((65_535, 65_535)), large),
        "heif of no picture": (heif((4000, 3000)), (*broken, "image_type")),
        "gif": (b"GIF89a" + struct.pack("<HH", 65_535, 65_535) + bytes(100), type_),
        "bmp": (b"BM" + bytes(12) + struct.pack("<Iii", 40, 60_000, 60_000) + bytes(60), type_),
        "tiff": (b"II*\0" + bytes(100), type_),
        "ico": (b"\0\0\1\0\1\0" + bytes(100), type_),
        "jp2": (b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(100), type_),
        "gzip": (b"\x1f\x8b\x08" + much, type_),
    }

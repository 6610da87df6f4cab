"""The outside of JPEG, PNG, WebP and HEIF files: size, orientation, animation, completeness, read without
decoding a pixel.

A decoder that meets the end of its data too early may hand out a picture whose lower half is grey, and
which decoder does so changes with versions. So the file's structure is walked first, in time linear in its
length: every segment must be there up to the end marker. (ITU T.81 annex B; PNG 3rd edition, chapters 5 and
11; RFC 9649.)
"""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass
from typing import Literal

from vision.errors import ImageAnimated, ImageEmpty, ImageType, ImageUndecodable
from vision.heif import BRANDS, heif_size

__all__ = ["Header", "ImageFormat", "header", "sniff"]

ImageFormat = Literal["JPEG", "PNG", "WEBP", "HEIF"]

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_ORIENTATION_TAG = 0x0112
_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""The first marker after entropy-coded data: neither a stuffed FF nor a restart. It begins with the last of
its FF: a pattern that begins with one plain byte is searched faster."""

_STANDALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_MAX_SEGMENTS = 100_000


@dataclass(frozen=True, slots=True)
class Header:
    """What the container says of its picture. `width` and `height` are as stored, before `orientation`
    (EXIF 1..8) is applied; `end` the offset at which the picture's data ends and its end marker begins."""

    format: ImageFormat
    width: int
    height: int
    orientation: int
    end: int


def sniff(data: bytes) -> ImageFormat:
    """Type by the first bytes, the only thing that a sender cannot mislabel.

    Raises `ImageEmpty` and `ImageType`.
    """
    if not data:
        raise ImageEmpty("the photo has no bytes")
    if data[:3] == b"\xff\xd8\xff":
        return "JPEG"
    if data[:8] == _PNG_SIGNATURE:
        return "PNG"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    if data[4:8] == b"ftyp" and _is_heif(data):
        return "HEIF"
    raise ImageType("not a JPEG, PNG, WebP or HEIC file")


def _is_heif(data: bytes) -> bool:
    """Whether a file of this family holds a picture that HEVC may have coded: AVIF and films are others."""
    (size,) = struct.unpack_from(">I", data)
    major, listed = data[8:12], data[16 : min(size, 256)]
    brands = {major, *(listed[at : at + 4] for at in range(0, len(listed), 4))}
    return bool(brands & BRANDS) and major not in (b"avif", b"avis")


def header(data: bytes) -> Header:
    """Walk the whole container; returns what it says.

    Raises `ImageEmpty`, `ImageType`, `ImageAnimated`, and `ImageUndecodable` where the structure is broken or
    ends early.
    """
    kind = sniff(data)
    try:
        if kind == "JPEG":
            return _jpeg(data)
        if kind == "PNG":
            return _png(data)
        if kind == "HEIF":
            # Orientation 1: the decoder turns the picture itself, as its container asks.
            return Header(kind, *heif_size(data), 1, len(data))
        return _webp(data)
    except (struct.error, IndexError):
        raise ImageUndecodable(f"the {kind} file ends too early") from None


def _orientation(exif: bytes) -> int:
    """EXIF orientation 1..8; 1 where there is none or it is nonsense, as every viewer does."""
    body = exif.removeprefix(b"Exif\0\0")
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(body[:4])
    if order is None:
        return 1
    try:
        (first,) = struct.unpack_from(order + "I", body, 4)
        (count,) = struct.unpack_from(order + "H", body, first)
        for entry in range(count):
            tag, kind, _, value = struct.unpack_from(order + "HHIH", body, first + 2 + 12 * entry)
            if tag == _ORIENTATION_TAG and kind == 3:
                return value if 1 <= value <= 8 else 1
    except struct.error:
        return 1
    return 1


def _jpeg(data: bytes) -> Header:
    """Segments up to the end-of-image marker of the first picture.

    What lies behind it (the second view of an MPO, a gain map, a vendor's trailer) is not ours.
    """
    position, size, exif, scans = 2, None, b"", 0
    for _ in range(_MAX_SEGMENTS):
        if data[position] != 0xFF:
            raise ImageUndecodable("the JPEG file is broken between two segments")
        while data[position] == 0xFF:
            position += 1
        marker = data[position]
        position += 1
        if marker == 0xD9:
            break
        if marker in _STANDALONE:
            continue
        (length,) = struct.unpack_from(">H", data, position)
        end = position + length
        if length < 2 or end > len(data):
            raise ImageUndecodable("the JPEG file ends too early")
        if marker in _FRAME and size is None:
            high, wide = struct.unpack_from(">HH", data, position + 3)
            size = (wide, high)
        elif marker == 0xE1 and not exif and data[position + 2 : position + 8] == b"Exif\0\0":
            exif = data[position + 2 : end]
        position = end
        if marker == 0xDA:
            scans += 1
            found = _MARKER.search(data, position)
            if found is None:
                raise ImageUndecodable("the JPEG file ends too early")
            position = found.start()
    else:
        raise ImageUndecodable("the JPEG file has too many segments")
    if size is None or not scans:
        raise ImageUndecodable("the JPEG file holds no picture")
    return Header("JPEG", size[0], size[1], _orientation(exif) if exif else 1, position - 2)


def _png(data: bytes) -> Header:
    """Chunks up to IEND, each with its checksum; `acTL` makes an animation."""
    position, size, exif, pixels = len(_PNG_SIGNATURE), None, b"", False
    while True:
        length, kind = struct.unpack_from(">I4s", data, position)
        body = position + 8
        (promised,) = struct.unpack_from(">I", data, body + length)
        if size is None:
            if kind != b"IHDR" or length != 13:
                raise ImageUndecodable("the PNG file does not begin with its header")
            size = struct.unpack_from(">II", data, body)
        if zlib.crc32(memoryview(data)[position + 4 : body + length]) != promised:
            raise ImageUndecodable("a part of the PNG file is damaged")
        if kind == b"acTL":
            raise ImageAnimated("an animated PNG: send one still picture")
        if kind == b"eXIf":
            exif = data[body : body + length]
        pixels = pixels or kind == b"IDAT"
        if kind == b"IEND":
            break
        position = body + length + 4
    if not pixels:
        raise ImageUndecodable("the PNG file holds no picture")
    return Header("PNG", size[0], size[1], _orientation(exif) if exif else 1, position)


def _webp(data: bytes) -> Header:
    """RIFF chunks; the picture is in `VP8 ` or `VP8L`, alone or after the extended header `VP8X`."""
    (promised,) = struct.unpack_from("<I", data, 4)
    end = promised + 8
    if end > len(data):
        raise ImageUndecodable("the WEBP file ends too early")
    position, canvas, size, exif = 12, None, None, b""
    while position + 8 <= end:
        kind, length = struct.unpack_from("<4sI", data, position)
        body = position + 8
        if body + length > end:
            raise ImageUndecodable("the WEBP file ends too early")
        if kind in (b"ANIM", b"ANMF") or (kind == b"VP8X" and data[body] & 0x02):
            raise ImageAnimated("an animated WebP: send one still picture")
        if kind == b"VP8X":
            canvas = _three_bytes(data, body + 4) + 1, _three_bytes(data, body + 7) + 1
        elif kind == b"VP8 " and size is None:
            wide, high = struct.unpack_from("<HH", data, body + 6)
            size = wide & 0x3FFF, high & 0x3FFF
        elif kind == b"VP8L" and size is None:
            (bits,) = struct.unpack_from("<I", data, body + 1)
            size = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        elif kind == b"EXIF" and not exif:
            exif = data[body : body + length]
        position = body + length + (length & 1)
    if size is None or (canvas is not None and canvas != size):
        raise ImageUndecodable("the WEBP file holds no picture of the size that it claims")
    return Header("WEBP", size[0], size[1], _orientation(exif) if exif else 1, end)


def _three_bytes(data: bytes, position: int) -> int:
    return data[position] | data[position + 1] << 8 | data[position + 2] << 16

"""HEIC and HEIF photos, as iPhones take them: the container's own words, and the decoder that is an extra.

A file may hold many pictures (thumbnails, depth and gain maps, a burst); the primary one is the photo. What
the container says of it is read here, in time linear in the length of its index, before any decoder sees the
file; the decoder (libheif, through pi-heif) turns the picture upright by itself. (ISO/IEC
14496-12 and 23008-12.)
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.errors import ImageAnimated, ImageType, ImageUndecodable

__all__ = ["BRANDS", "decode_heif", "heif_size"]

BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"mif1", b"mif2", b"heif"})
"""Major or compatible brands of still pictures coded with HEVC, or not said how."""

_MOST_BOXES = 20_000


@dataclass(frozen=True, slots=True)
class _Box:
    kind: bytes
    body: int
    end: int


def _boxes(data: bytes, position: int, end: int) -> Iterator[_Box]:
    """The boxes that lie between two offsets. Raises `ImageUndecodable` where one reaches out of them."""
    for _ in range(_MOST_BOXES):
        if position + 8 > end:
            return
        size, kind = struct.unpack_from(">I4s", data, position)
        body = position + 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, body)
            body += 8
        elif size == 0:
            size = end - position
        if position + size < body or position + size > end:
            raise ImageUndecodable("the HEIF file ends too early")
        yield _Box(kind, body, position + size)
        position += size
    raise ImageUndecodable("the HEIF file has too many parts")


def _only(data: bytes, kind: bytes, position: int, end: int) -> _Box:
    for box in _boxes(data, position, end):
        if box.kind == kind:
            return box
    raise ImageUndecodable("the HEIF file does not say what it holds")


def heif_size(data: bytes) -> tuple[int, int]:
    """Width and height of the primary picture, turned as the container asks.

    Raises `ImageAnimated` for a film, and `ImageUndecodable` where the index is broken or points at data that
    is not there. May raise struct.error for one that ends early.
    """
    boxes = list(_boxes(data, 0, len(data)))
    meta = next((box for box in boxes if box.kind == b"meta"), None)
    if meta is None:
        if any(box.kind == b"moov" for box in boxes):
            raise ImageAnimated("a film: send one still picture")
        raise ImageUndecodable("the HEIF file has no index")
    inside = meta.body + 4
    primary = _primary(data, _only(data, b"pitm", inside, meta.end))
    _require_all_data(data, _only(data, b"iloc", inside, meta.end), meta, inside)
    properties = _only(data, b"iprp", inside, meta.end)
    container = _only(data, b"ipco", properties.body, properties.end)
    known = list(_boxes(data, container.body, container.end))
    association = _only(data, b"ipma", properties.body, properties.end)
    indices = _associated(data, association, primary)
    if any(not 0 < index <= len(known) for index in indices):
        raise ImageUndecodable("the HEIF file's index points at nothing")
    return _turned_size(data, [known[index - 1] for index in indices])


def _turned_size(data: bytes, properties: list[_Box]) -> tuple[int, int]:
    """The size that `ispe` tells, once the picture is cut (`clap`) and turned (`irot`), in that order."""
    size = None
    for box in sorted(properties, key=lambda box: box.kind != b"ispe"):  # cameras list it last, too
        if box.kind == b"ispe":
            size = struct.unpack_from(">II", data, box.body + 4)
        elif size is None:
            break
        elif box.kind == b"clap":
            wide, of_wide, high, of_high = struct.unpack_from(">4I", data, box.body)
            if not of_wide or not of_high:
                raise ImageUndecodable("the HEIF file's picture is cut to no size")
            size = min(size[0], wide // of_wide), min(size[1], high // of_high)
        elif box.kind == b"irot" and data[box.body] & 1:
            size = size[1], size[0]
    if size is None:
        raise ImageUndecodable("the HEIF file does not say how large its picture is")
    return size[0], size[1]


def _primary(data: bytes, box: _Box) -> int:
    return int(struct.unpack_from(">I" if data[box.body] else ">H", data, box.body + 4)[0])


def _associated(data: bytes, box: _Box, item: int) -> list[int]:
    """Numbers of the properties, from 1, that an item has (14496-12, `ipma`)."""
    version, wide = data[box.body], data[box.body + 3] & 1
    (count,) = struct.unpack_from(">I", data, box.body + 4)
    position = box.body + 8
    for _ in range(min(count, _MOST_BOXES)):
        (found,) = struct.unpack_from(">I" if version else ">H", data, position)
        position += 4 if version else 2
        several = data[position]
        position += 1
        step = 2 if wide else 1
        if found == item:
            fields = struct.unpack_from(f">{several}{'H' if wide else 'B'}", data, position)
            return [field & (0x7FFF if wide else 0x7F) for field in fields]
        position += several * step
    raise ImageUndecodable("the HEIF file says nothing of its main picture")


def _require_all_data(data: bytes, box: _Box, meta: _Box, inside: int) -> None:
    """Raise `ImageUndecodable` unless every stretch of every item lies within the file.

    A decoder may make up what is missing. (14496-12, `iloc`.)
    """
    version = data[box.body]
    sizes, more = data[box.body + 4], data[box.body + 5]
    of_offset, of_length, of_base, of_index = sizes >> 4, sizes & 15, more >> 4, more & 15
    if not {of_offset, of_length, of_base} <= {0, 4, 8}:
        raise ImageUndecodable("the HEIF file's index is broken")
    wide = version == 2
    position = box.body + 6
    (count,) = struct.unpack_from(">I" if wide else ">H", data, position)
    position += 4 if wide else 2
    held = next((b.end - b.body for b in _boxes(data, inside, meta.end) if b.kind == b"idat"), 0)
    for _ in range(min(count, _MOST_BOXES)):
        position += 4 if wide else 2
        method = 0
        if version:
            method = data[position + 1] & 15
            position += 2
        position += 2
        base, position = _number(data, position, of_base)
        (extents,) = struct.unpack_from(">H", data, position)
        position += 2
        for _ in range(extents):
            position += of_index if version else 0
            offset, position = _number(data, position, of_offset)
            length, position = _number(data, position, of_length)
            most = {0: len(data), 1: held}.get(method)
            if most is not None and base + offset + length > most:
                raise ImageUndecodable("the HEIF file ends too early")


def _number(data: bytes, position: int, size: int) -> tuple[int, int]:
    if not size:
        return 0, position
    return int(struct.unpack_from(">I" if size == 4 else ">Q", data, position)[0]), position + size


def decode_heif(data: bytes, size: tuple[int, int]) -> NDArray[np.uint8]:
    """The primary picture, upright, (height, width, 3) BGR. `size` is what the container promised.

    Raises `ImageType` where the extra `heif` is not installed, and `ImageUndecodable`.
    """
    try:
        import pi_heif
    except ImportError:
        raise ImageType("HEIC photos are not read by this installation; send a JPEG") from None
    pi_heif.options.DECODE_THREADS = 2
    # Not even looked at: they are not the photo.
    pi_heif.options.THUMBNAILS = pi_heif.options.AUX_IMAGES = pi_heif.options.DEPTH_IMAGES = False
    try:
        picture = pi_heif.open_heif(data, convert_hdr_to_8bit=True, bgr_mode=True)
        if tuple(picture.size) != size:
            raise ImageUndecodable("the HEIF file contradicts itself about its size")
        # A copy: the array that pi-heif lends does not keep the decoder's memory alive.
        pixels = np.array(picture, copy=True)
    except (OSError, ValueError, RuntimeError, SyntaxError, EOFError, IndexError, TypeError, KeyError):
        raise ImageUndecodable("the HEIF file is broken or cut short") from None
    if pixels.dtype == np.uint16:  # ten and twelve bits of grey come spread over sixteen
        pixels = (pixels >> 8).astype(np.uint8)
    if pixels.ndim == 2:
        pixels = np.stack([pixels] * 3, axis=2)
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[:2] != (size[1], size[0]):
        raise ImageUndecodable("the HEIF file's picture is of another form than it says")
    return np.ascontiguousarray(pixels[:, :, :3])

"""From bytes to upright pixels, or to a refusal that costs next to nothing.

The gates stand in the order of their price: bytes, type, container, size, a second opinion on the header,
and only then a decoder. Nothing of the file but its pixels and its orientation survives: no place, no date,
no colour profile.
"""

from __future__ import annotations

import hashlib
import io
import struct
from dataclasses import dataclass, field

import numpy as np
import simplejpeg
from numpy.typing import NDArray
from PIL import Image

from vision._opencv import PIXEL_CEILING, cv2
from vision.containers import Header, ImageFormat, header
from vision.errors import ImageBytes, ImageEmpty, ImageTooLarge, ImageTooSmall, ImageUndecodable
from vision.heif import decode_heif

__all__ = ["Photo", "PhotoLimits", "decode"]

_FACTORS = (1, 2, 4, 8)
"""How many times smaller a JPEG is decoded at the cost of less than the whole."""

_NO_MEMORY = -4
"""OpenCV's code for memory that it did not get."""

_FLIP = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}
"""How OpenCV must flip, after transposing where the orientation is 5 or above: 0 top to bottom, 1 left to
right, -1 both."""


@dataclass(frozen=True, slots=True)
class PhotoLimits:
    """What a photo may measure: `bytes` of the file, `pixels` in all, and `shortest`..`longest` pixels for
        each side.

    The defaults take any phone's ordinary photo (48 megapixels included). Raises `ValueError` for limits that
    cannot be held.
    """

    bytes: int = 20 * 1024 * 1024
    pixels: int = 50_000_000
    shortest: int = 32
    longest: int = 16_384

    def __post_init__(self) -> None:
        if not self.bytes > 0 or not 0 < self.pixels <= PIXEL_CEILING:
            raise ValueError(f"a photo may have 1 byte or more, and 1 to {PIXEL_CEILING} pixels")
        if not 0 < self.shortest <= self.longest:
            raise ValueError("the shortest side allowed must be 1 pixel or more, and not above the longest")


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """An upright photo of `width` x `height` pixels.

    `pixels` (height, width, 3) uint8 BGR, read-only, turned as its EXIF orientation says; where `factor` is
    above 1 they were decoded that many times smaller, sides rounded up. `format` JPEG, PNG, WEBP or HEIF;
    `sha256` and `bytes` of the file as it came.
    """

    pixels: NDArray[np.uint8] = field(repr=False)
    width: int
    height: int
    format: ImageFormat
    sha256: str
    bytes: int
    factor: int = 1

    def __post_init__(self) -> None:
        shape = (-(-self.height // self.factor), -(-self.width // self.factor), 3)
        if self.pixels.shape != shape or self.pixels.dtype != np.uint8:
            raise ValueError(f"pixels must be {shape} uint8, not {self.pixels.shape} {self.pixels.dtype}")
        self.pixels.flags.writeable = False


def decode(data: bytes, limits: PhotoLimits | None = None, *, longest: int | None = None) -> Photo:
    """Decode a JPEG, PNG, WebP or (with the extra `heif`) HEIC file into an upright `Photo`.

    With `longest`, a JPEG whose longer side is above it is decoded 2, 4 or 8 times smaller, by the least of
    them that brings it there or else by the most: a JPEG's decoder does that in a third of the time.

    Raises `ImageEmpty`, `ImageBytes`, `ImageType`, `ImageAnimated`, `ImageTooLarge`, `ImageTooSmall` and
    `ImageUndecodable`; all of them before memory is taken for the pixels, except where only the decoder can
    tell that the file is broken.
    """
    limits = limits or PhotoLimits()
    if not data:
        raise ImageEmpty("the photo has no bytes")
    if len(data) > limits.bytes:
        raise ImageBytes(f"the photo has {len(data)} bytes; {limits.bytes} are allowed")
    head = header(data)
    _require_size(head, limits)
    factor = _factor(head, longest)
    if head.format == "HEIF":  # its decoder holds it to the size that the container promised
        pixels = decode_heif(data, (head.width, head.height))
    else:
        _require_second_opinion(data, head)
        pixels = _pixels(data, head, factor)
    turned = head.orientation >= 5
    return Photo(
        pixels=pixels,
        width=head.height if turned else head.width,
        height=head.width if turned else head.height,
        format=head.format,
        sha256=hashlib.sha256(data).hexdigest(),
        bytes=len(data),
        factor=factor,
    )


def _factor(head: Header, longest: int | None) -> int:
    if longest is None or head.format != "JPEG":
        return 1
    most = max(head.width, head.height)
    return next((factor for factor in _FACTORS if most <= longest * factor), max(_FACTORS))


def _require_size(head: Header, limits: PhotoLimits) -> None:
    size = f"{head.width} x {head.height} pixels"
    if head.width * head.height > limits.pixels or max(head.width, head.height) > limits.longest:
        raise ImageTooLarge(
            f"{size}: at most {limits.pixels} in all and {limits.longest} on a side are allowed"
        )
    if min(head.width, head.height) < limits.shortest:
        raise ImageTooSmall(f"{size}: each side needs {limits.shortest} or more")


def _require_second_opinion(data: bytes, head: Header) -> None:
    """Pillow must read the same header: a file on which two parsers differ is made to deceive one of them.

    Only the one plugin that the first bytes call for may run. Pillow's bomb warning, like its error,
    refuses the photo; since our own limit has been held already and lies below the warning's, it is never
    met in practice, and no filter (which all threads would share) has to be set. MPO is what Pillow calls
    a JPEG with further pictures behind the first.
    """
    # Hidden from Pillow, which else reads the whole of a JPEG's EXIF for its print size and warns if it
    # is damaged.
    plain = data.replace(b"Exif\0\0", b"Exif\0\xff") if head.format == "JPEG" else data
    try:
        with Image.open(io.BytesIO(plain), formats=[head.format]) as image:
            size, kind = image.size, image.format
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ImageTooLarge("the photo would unpack to far more than it seems") from None
    except (
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        IndexError,
        TypeError,
        KeyError,
        struct.error,
        RuntimeError,
    ):
        raise ImageUndecodable(f"the {head.format} file is broken") from None
    if size != (head.width, head.height) or kind not in (head.format, "MPO"):
        raise ImageUndecodable(f"the {head.format} file contradicts itself about its size or kind")


def _pixels(data: bytes, head: Header, factor: int) -> NDArray[np.uint8]:
    """Decode as stored and turn upright here, once: which of OpenCV's flags turn by themselves has changed
    with its versions."""
    stored = _jpeg(data, head, factor) if head.format == "JPEG" else _png_or_webp(data)
    if stored is None or stored.shape != (-(-head.height // factor), -(-head.width // factor), 3):
        raise ImageUndecodable(f"the {head.format} file is broken or cut short")
    return _upright(stored, head.orientation)


def _jpeg(data: bytes, head: Header, factor: int) -> NDArray[np.uint8] | None:
    """A JPEG decoder warns of damaged or missing data, fills the hole with something and goes on. Tiles there
    are lost, or turned into others: so here a warning refuses the photo. OpenCV only prints it."""
    try:
        pixels = simplejpeg.decode_jpeg(
            data,
            "BGR",
            min_width=-(-head.width // factor),
            min_height=-(-head.height // factor),
            min_factor=factor,
            strict=True,
        )
    except ValueError:
        return None
    return np.asarray(pixels, np.uint8)


def _png_or_webp(data: bytes) -> NDArray[np.uint8] | None:
    """PNG and WebP, of which a decoder gives all or nothing."""
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error as error:
        if error.code == _NO_MEMORY:  # our trouble, not the photo's
            raise MemoryError from None
        return None
    return None if pixels is None else np.asarray(pixels, np.uint8)


def _upright(stored: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Turn a picture as EXIF `orientation` 1..8 asks (CIPA DC-008, 4.6.4: where row 0 and column 0 of the
    scene lie)."""
    if orientation >= 5:
        stored = np.asarray(cv2.transpose(stored), np.uint8)
    if orientation in _FLIP:
        stored = np.asarray(cv2.flip(stored, _FLIP[orientation]), np.uint8)
    return stored

"""Bytes to upright pixels: good photos of every kind are taken, all else is refused by its code before it
costs anything."""

from __future__ import annotations

import hashlib
import io
import os
import struct
import subprocess
import sys
import zlib
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.vision import pictures
from vision import (
    ImageAnimated,
    ImageBytes,
    ImageEmpty,
    ImageTooLarge,
    ImageTooSmall,
    ImageType,
    ImageUndecodable,
    PhotoError,
    PhotoLimits,
)
from vision._opencv import cv2
from vision.containers import header
from vision.photo import decode

KINDS = ["JPEG", "PNG", "WEBP"]


@pytest.mark.parametrize("kind", KINDS)
def test_says_what_it_decoded(kind: str) -> None:
    data = pictures.encode(pictures.scene(96, 160), kind)
    photo = decode(data)
    assert (photo.width, photo.height, photo.format) == (160, 96, kind)
    assert photo.sha256 == hashlib.sha256(data).hexdigest()
    assert photo.bytes == len(data)
    assert photo.pixels.shape == (96, 160, 3)
    assert not photo.pixels.flags.writeable


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_lossless_pixels_are_exact_and_bgr(kind: str) -> None:
    picture = pictures.scene()
    options = {"lossless": True} if kind == "WEBP" else {}
    assert np.array_equal(decode(pictures.encode(picture, kind, **options)).pixels, picture[:, :, ::-1])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("orientation", range(1, 9))
def test_eight_orientations_same_pixels(kind: str, orientation: int) -> None:
    picture = pictures.scene(96, 160)
    photo = decode(pictures.oriented(picture, kind, orientation))
    assert (photo.width, photo.height) == (160, 96)
    difference = np.abs(photo.pixels.astype(int) - picture[:, :, ::-1])
    assert difference.max() <= (12 if kind == "JPEG" else 0)


@pytest.mark.parametrize("value", [0, 9, 65535])
def test_nonsense_orientation_is_upright(value: int) -> None:
    exif = Image.Exif()
    exif[pictures.ORIENTATION] = value
    assert decode(pictures.encode(pictures.scene(), "JPEG", exif=exif)).pixels.shape == (96, 160, 3)


def test_broken_exif_is_upright() -> None:
    data = pictures.encode(pictures.scene(), "JPEG", exif=b"Exif\0\0MM\0*\xff\xff\xff\xff")
    assert decode(data).pixels.shape == (96, 160, 3)


ODD_MODES = {
    "grey JPEG": ("L", "JPEG", {}),
    "CMYK JPEG": ("CMYK", "JPEG", {"quality": 95}),
    "progressive JPEG": ("RGB", "JPEG", {"progressive": True}),
    "restart markers": ("RGB", "JPEG", {"restart_marker_blocks": 4}),
    "grey PNG": ("L", "PNG", {}),
    "grey and alpha PNG": ("LA", "PNG", {}),
    "alpha PNG": ("RGBA", "PNG", {}),
    "palette PNG": ("P", "PNG", {}),
    "one-bit PNG": ("1", "PNG", {}),
    "16-bit grey PNG": ("I;16", "PNG", {}),
    "alpha WebP": ("RGBA", "WEBP", {"lossless": True}),
    "lossy WebP": ("RGB", "WEBP", {"quality": 95}),
}


@pytest.mark.parametrize("name", ODD_MODES)
def test_odd_but_good(name: str) -> None:
    mode, kind, options = ODD_MODES[name]
    picture = pictures.scene()
    grey = np.asarray(Image.fromarray(picture).convert("L"))
    if mode == "I;16":
        image = Image.fromarray(grey.astype(np.uint16) * 257)
    elif mode == "P":
        image = Image.fromarray(picture).quantize(256)
    else:
        image = Image.fromarray(picture).convert(mode)
    photo = decode(pictures.encode(image, kind, **options))
    wanted = np.asarray(Image.fromarray(grey).convert("RGB")) if mode in ("L", "LA", "I;16") else None
    if wanted is None:
        wanted = np.asarray((image if mode != "I;16" else Image.fromarray(grey)).convert("RGB"))
    assert photo.pixels.shape == (96, 160, 3)
    assert np.abs(photo.pixels[:, :, ::-1].astype(int) - wanted).mean() < 6


def test_palette_with_transparency() -> None:
    image = Image.fromarray(pictures.scene()).quantize(64)
    assert decode(pictures.encode(image, "PNG", transparency=3)).pixels.shape == (96, 160, 3)


def test_16_bit_colour_png() -> None:
    picture = pictures.scene(40, 50)
    rows = b"".join(b"\0" + (row.astype(">u2") * 257).tobytes() for row in picture)
    photo = decode(pictures.png(50, 40, 16, 2, zlib.compress(rows)))
    assert np.array_equal(photo.pixels[:, :, ::-1], picture)


def test_phone_photo_with_a_second_picture_gives_the_first() -> None:
    first, second = Image.fromarray(pictures.scene()), Image.new("RGB", (64, 48), "red")
    data = pictures.encode(first, "MPO", save_all=True, append_images=[second])
    photo = decode(data)
    assert (photo.width, photo.height, photo.format) == (160, 96, "JPEG")


def test_bytes_after_the_end_do_not_matter() -> None:
    for kind in KINDS:
        assert decode(pictures.encode(pictures.scene(), kind) + b"trailer" * 9).width == 160


@pytest.mark.parametrize("kind", KINDS)
def test_truncations_are_never_half_decoded(kind: str) -> None:
    data = pictures.encode(pictures.scene(), kind)
    lengths = {*range(12, len(data), max(len(data) // 60, 1)), len(data) - 1, len(data) - 2, len(data) - 5}
    for length in sorted(lengths):
        with pytest.raises(PhotoError) as refused:
            decode(data[:length])
        assert refused.value.code == "image_undecodable", length


def test_truncated_progressive_and_restart_jpegs() -> None:
    for options in ({"progressive": True}, {"restart_marker_blocks": 2}):
        data = pictures.encode(pictures.scene(), "JPEG", **options)
        for share in (0.3, 0.6, 0.9, 0.99):
            with pytest.raises(ImageUndecodable):
                decode(data[: int(len(data) * share)])


@pytest.mark.parametrize("options", [{}, {"restart_marker_blocks": 2}, {"progressive": True}])
@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
def test_jpeg_cut_short_and_given_an_end_marker(mode: str, options: dict[str, Any]) -> None:
    data = pictures.encode(Image.fromarray(pictures.scene(480, 640)).convert(mode), "JPEG", **options)
    start = data.index(b"\xff\xda") + 14
    shares = (0.02, 0.1) if options.get("progressive") else (0, 0.1, 0.4, 0.8)
    for share in shares:
        cut = data[: start + int((len(data) - start) * share)] + b"\xff\xd9"
        with pytest.raises(ImageUndecodable):
            decode(cut)


@pytest.mark.parametrize("fill", [0, 1, 2, 7])
@pytest.mark.parametrize("options", [{}, {"restart_marker_blocks": 2}, {"progressive": True}])
def test_fill_bytes_before_the_end_marker(options: dict[str, Any], fill: int) -> None:
    """Any number of FF may stand before a marker (ITU T.81, B.1.1.2)."""
    plain = pictures.encode(pictures.scene(480, 640), "JPEG", **options)
    filled = plain[:-2] + b"\xff" * fill + plain[-2:]
    assert header(filled).end == len(filled) - 2
    assert (decode(filled).pixels == decode(plain).pixels).all()


@pytest.mark.parametrize("options", [{}, {"restart_marker_blocks": 2}, {"progressive": True}])
@pytest.mark.parametrize("shade", [0, 128, 255])
@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
def test_a_plain_border_is_no_sign_of_a_cut(mode: str, shade: int, options: dict[str, Any]) -> None:
    picture = pictures.scene(240, 320)
    picture[100:] = shade
    image = Image.fromarray(picture).convert(mode)
    assert decode(pictures.encode(image, "JPEG", **options)).height == 240
    assert decode(pictures.encode(Image.new(mode, (67, 45)), "JPEG", **options)).height == 45


def test_a_thumbnail_does_not_end_the_photo() -> None:
    exif = b"Exif\0\0" + pictures.encode(pictures.scene(40, 40), "JPEG")
    data = pictures.encode(pictures.scene(), "JPEG", exif=exif)
    assert decode(data).width == 160
    with pytest.raises(ImageUndecodable):
        decode(data[: len(data) * 2 // 3])


def test_damaged_png_is_refused() -> None:
    data = bytearray(pictures.encode(pictures.scene(), "PNG"))
    data[len(data) // 2] ^= 0x10
    with pytest.raises(ImageUndecodable):
        decode(bytes(data))


def test_png_whose_pixels_end_early_behind_good_checksums() -> None:
    rows = zlib.compress(bytes(40 * 151))
    with pytest.raises(ImageUndecodable):
        decode(pictures.png(50, 60, 8, 2, rows))


REFUSED = {
    "nothing": (b"", "image_empty"),
    "text": (b"1m 2m 3m, and that is all\n" * 9, "image_type"),
    "one byte": (b"\xff", "image_type"),
    "a GIF": (pictures.encode(pictures.scene(), "GIF"), "image_type"),
    "a BMP": (pictures.encode(pictures.scene(), "BMP"), "image_type"),
    "a TIFF": (pictures.encode(pictures.scene(), "TIFF"), "image_type"),
    "an ICO": (pictures.encode(pictures.scene(), "ICO"), "image_type"),
    "a PDF": (b"%PDF-1.7\n" + bytes(99), "image_type"),
    "RIFF that is no WebP": (b"RIFF\x24\0\0\0WAVEfmt " + bytes(24), "image_type"),
    "JPEG magic only": (b"\xff\xd8\xff", "image_undecodable"),
    "PNG magic only": (b"\x89PNG\r\n\x1a\n", "image_undecodable"),
    "WebP magic only": (b"RIFF\x04\0\0\0WEBP", "image_undecodable"),
    "JPEG magic and noise": (b"\xff\xd8\xff" + bytes(range(256)) * 4, "image_undecodable"),
    "JPEG without a picture": (b"\xff\xd8\xff\xd9", "image_undecodable"),
    "PNG without a header": (b"\x89PNG\r\n\x1a\n" + pictures.chunk(b"IEND", b""), "image_undecodable"),
    "PNG without pixels": (
        pictures.encode(pictures.scene(), "PNG")[:33] + pictures.chunk(b"IEND", b""),
        "image_undecodable",
    ),
    "1 x 1": (pictures.encode(pictures.scene(2, 2)[:1, :1], "PNG"), "image_too_small"),
    "3 x 3": (pictures.encode(pictures.scene(3, 3), "PNG"), "image_too_small"),
    "4000 x 1": (pictures.encode(np.zeros((1, 4000, 3), np.uint8), "PNG"), "image_too_small"),
    "1 x 4000": (pictures.encode(np.zeros((4000, 1, 3), np.uint8), "JPEG"), "image_too_small"),
    "31 x 32": (pictures.encode(pictures.scene(31, 32), "WEBP"), "image_too_small"),
    "no width": (pictures.png(0, 64, 8, 2, zlib.compress(b"")), "image_too_small"),
    "too long a side": (pictures.encode(np.zeros((32, 16_385), np.uint8), "PNG"), "image_too_large"),
    "PNG bomb": (pictures.png_bomb(), "image_too_large"),
    "WebP bomb": (pictures.webp_bomb(), "image_too_large"),
    "PNG of 2^31 x 2^31": (pictures.png(2**31 - 1, 2**31 - 1, 8, 2, b"x"), "image_too_large"),
    "JPEG bomb": (
        pictures.encode(np.zeros((10_000, 10_000), np.uint8), "JPEG", quality=1),
        "image_too_large",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_code_before_a_pixel_is_decoded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data, code = REFUSED[name]
    decoded: list[int] = []
    original = cv2.imdecode

    def spy(*arguments: Any) -> Any:
        decoded.append(1)
        return original(*arguments)

    monkeypatch.setattr(cv2, "imdecode", spy)
    with pytest.raises(PhotoError) as refused:
        decode(data)
    assert refused.value.code == code
    assert refused.value.detail
    # Only what is broken inside of its pixels may get as far as the decoder.
    assert not decoded or code == "image_undecodable"


def test_bombs_are_small_files() -> None:
    assert len(REFUSED["PNG bomb"][0]) < 150_000
    assert len(REFUSED["WebP bomb"][0]) < 50


@pytest.mark.parametrize(
    ("kind", "options"), [("PNG", {"default_image": False}), ("WEBP", {"lossless": True})]
)
def test_animations_are_refused(kind: str, options: dict[str, bool]) -> None:
    frames = [Image.fromarray(pictures.scene()), Image.new("RGB", (160, 96), "red")]
    data = pictures.encode(frames[0], kind, save_all=True, append_images=frames[1:], duration=100, **options)
    with pytest.raises(ImageAnimated):
        decode(data)


def test_limits_at_their_edges() -> None:
    data = pictures.encode(pictures.scene(40, 50), "PNG")
    assert decode(data, PhotoLimits(bytes=len(data), pixels=2000, shortest=40, longest=50)).width == 50
    for limits, error in [
        (PhotoLimits(bytes=len(data) - 1), ImageBytes),
        (PhotoLimits(pixels=1999), ImageTooLarge),
        (PhotoLimits(longest=49), ImageTooLarge),
        (PhotoLimits(shortest=41), ImageTooSmall),
    ]:
        with pytest.raises(error):
            decode(data, limits)


@pytest.mark.parametrize(
    "limits", [{"bytes": 0}, {"pixels": 0}, {"pixels": 10**9}, {"shortest": 0}, {"shortest": 9, "longest": 8}]
)
def test_limits_that_cannot_be_held(limits: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"photo|side"):
        PhotoLimits(**limits)


def test_only_the_allowed_parsers_run(monkeypatch: pytest.MonkeyPatch) -> None:
    Image.init()
    opened: list[str] = []
    for kind, (factory, accept) in list(Image.OPEN.items()):

        def spy(stream: io.BytesIO, name: str, kind: str = kind, factory: object = factory) -> object:
            opened.append(kind)
            return factory(stream, name)  # type: ignore[operator]

        monkeypatch.setitem(Image.OPEN, kind, (spy, accept))
    for data, _ in REFUSED.values():
        with pytest.raises(PhotoError):
            decode(data)
    for kind in KINDS:
        decode(pictures.encode(pictures.scene(), kind))
    assert set(opened) <= set(KINDS)


def test_headers_that_contradict_each_other() -> None:
    data = bytearray(pictures.encode(pictures.scene(), "WEBP", lossless=True, exif=Image.Exif()))
    canvas = b"VP8X" + struct.pack("<IB3x", 10, 0) + (999).to_bytes(3, "little") + (95).to_bytes(3, "little")
    inner = b"WEBP" + canvas + bytes(data[12:])
    with pytest.raises(ImageUndecodable):
        decode(b"RIFF" + struct.pack("<I", len(inner)) + inner)


def test_errors_form_a_tree() -> None:
    for error in (
        ImageEmpty,
        ImageType,
        ImageUndecodable,
        ImageTooLarge,
        ImageTooSmall,
        ImageAnimated,
        ImageBytes,
    ):
        assert issubclass(error, PhotoError)
        assert error("why").detail == "why"


def test_flipped_bytes_never_escape_as_another_error() -> None:
    random = np.random.default_rng(7)
    for kind in KINDS:
        good = pictures.encode(pictures.scene(48, 64), kind)
        for _ in range(150):
            data = bytearray(good)
            for place in random.integers(0, len(data), 3):
                data[place] = int(random.integers(256))
            try:
                photo = decode(bytes(data))
            except PhotoError:
                continue
            assert min(photo.width, photo.height) >= 32


def test_header_is_read_without_decoding() -> None:
    head = header(pictures.oriented(pictures.scene(), "JPEG", 6))
    assert (head.format, head.width, head.height, head.orientation) == ("JPEG", 96, 160, 6)


def test_twelve_megapixels() -> None:
    small = Image.fromarray(pictures.scene(300, 400)).resize((4000, 3000))
    data = pictures.encode(small, "JPEG", quality=90)
    assert decode(data).pixels.shape == (3000, 4000, 3)


def test_opencv_has_its_own_limit_whoever_comes_first() -> None:
    code = "import vision.photo, os; print(os.environ['OPENCV_IO_MAX_IMAGE_PIXELS'])"
    environment = {key: value for key, value in os.environ.items() if key != "OPENCV_IO_MAX_IMAGE_PIXELS"}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert 50_000_000 <= int(result.stdout) < 100_000_000


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize(
    ("longest", "factor"), [(None, 1), (1000, 1), (160, 1), (159, 2), (80, 2), (41, 4), (3, 8)]
)
def test_a_large_jpeg_is_decoded_smaller_and_measured_in_full(
    longest: int | None, factor: int, orientation: int
) -> None:
    scene = pictures.scene()  # 160 wide, 96 high once upright
    photo = decode(pictures.oriented(scene, "JPEG", orientation), longest=longest)
    assert (photo.width, photo.height, photo.factor) == (160, 96, factor)
    assert photo.pixels.shape == (-(-96 // factor), -(-160 // factor), 3)
    whole = decode(pictures.oriented(scene, "JPEG", orientation)).pixels
    small = cv2.resize(whole, photo.pixels.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert np.abs(photo.pixels.astype(int) - small).mean() < 12


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_only_a_jpeg_is_decoded_smaller(kind: str) -> None:
    photo = decode(pictures.encode(Image.fromarray(pictures.scene()), kind), longest=20)
    assert photo.factor == 1


def test_a_jpeg_cut_short_is_refused_at_any_size() -> None:
    data = pictures.encode(Image.fromarray(pictures.scene(480, 640)), "JPEG", quality=90)
    short = data[: len(data) // 2] + b"\xff\xd9"
    for longest in (None, 320, 160, 80):
        with pytest.raises(ImageUndecodable):
            decode(short, longest=longest)

"""Photos to be spoilt: the canary in every form that is read, small, each with what it shows."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

from PIL import Image

from api.jobs import canary

__all__ = ["TILES", "seeds"]

TILES = canary().tiles
_ORIENTATION = 0x0112
_UPRIGHT = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}


def _encoded(picture: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def _turned(picture: Image.Image, orientation: int, kind: str) -> bytes:
    exif = Image.Exif()
    exif[_ORIENTATION] = orientation
    return _encoded(picture.transpose(_UPRIGHT[orientation]), kind, exif=exif)


@lru_cache
def seeds() -> dict[str, bytes]:
    """Twenty photos by name; a reader must see `TILES` in each."""
    with Image.open(io.BytesIO(canary().image)) as opened:
        whole = opened.convert("RGB")
    small = whole.resize((600, round(600 * whole.height / whole.width)), Image.Resampling.LANCZOS)
    grey = small.convert("L")
    return {
        "jpeg": _encoded(small, "JPEG", quality=85),
        "jpeg whole": canary().image,
        "jpeg progressive": _encoded(small, "JPEG", quality=85, progressive=True),
        "jpeg restarts": _encoded(small, "JPEG", quality=85, restart_marker_blocks=8),
        "jpeg 4:4:4": _encoded(small, "JPEG", quality=90, subsampling=0),
        "jpeg optimized": _encoded(small, "JPEG", quality=70, optimize=True),
        "jpeg cmyk": _encoded(small.convert("CMYK"), "JPEG", quality=90),
        "jpeg upside down": _turned(small, 3, "JPEG"),
        "jpeg left": _turned(small, 6, "JPEG"),
        "jpeg right": _turned(small, 8, "JPEG"),
        "jpeg commented": _encoded(small, "JPEG", quality=85, comment=b"c" * 3000),
        "png": _encoded(small, "PNG"),
        "png palette": _encoded(small.quantize(256), "PNG"),
        "png alpha": _encoded(small.convert("RGBA"), "PNG"),
        "png left": _turned(small, 6, "PNG"),
        "webp": _encoded(small, "WEBP", quality=85),
        "webp lossless": _encoded(small, "WEBP", lossless=True),
        "webp alpha": _encoded(small.convert("RGBA"), "WEBP", quality=85),
        "webp left": _turned(small, 6, "WEBP"),
        "png grey profile": _encoded(grey.convert("RGB"), "PNG", icc_profile=b"p" * 500),
    }

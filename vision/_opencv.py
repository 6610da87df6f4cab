"""Imports OpenCV with its own limit on pixels in force.

OpenCV reads `OPENCV_IO_MAX_IMAGE_PIXELS` once, when it loads; set later it is ignored, and its default of
2^30 lets 34 bytes of WebP claim 1.5 GB. So every module of this room that may be the first to need OpenCV
comes through here. The header check in `vision.photo` is the first gate and does not depend on this one.
"""

from __future__ import annotations

import os

PIXEL_CEILING = 89_478_485
"""Most pixels that any `PhotoLimits` can allow: the number from which Pillow, too, speaks of a
decompression bomb."""

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(PIXEL_CEILING))

import cv2  # noqa: E402

__all__ = ["PIXEL_CEILING", "cv2"]

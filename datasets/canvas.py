"""A canvas for tile faces: strokes, discs and characters in one ink, on a ground that stays transparent.

Lengths are in twelfths of the width of a face, so a face is 12 wide and 16 high, whatever its pixels.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

UNIT = 30  # pixels a twelfth while drawing; the face is handed out at half of it
WIDTH, HEIGHT = 12 * UNIT, 16 * UNIT
EM = 160  # pixels at which characters are set before they are fitted to their place
Ink = tuple[int, int, int] | None  # blue, green, red; None wipes
Point = tuple[float, float]


@functools.cache
def _font(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size)


@functools.cache
def _square(path: Path) -> tuple[float, float, float, float]:
    """Where a full character lies: fonts disagree, so it is measured on a few of them together."""
    font = _font(path, EM)
    boxes = [font.getbbox(c, anchor="ls") for c in "東春九菊中東" if has_glyphs(path, c)]
    return (*np.min(boxes, axis=0)[:2].tolist(), *np.max(boxes, axis=0)[2:].tolist())  # type: ignore[return-value]


@functools.lru_cache(512)
def glyph(path: Path, text: str, weight: int) -> NDArray[np.uint8]:
    """The mask of one character in the middle of its square, `weight` pixels bolder (negative: lighter)."""
    font = _font(path, EM)
    image = Image.new("L", (EM * max(1, len(text)), EM))
    left, top, right, bottom = _square(path) if ord(text[0]) > 0x2E80 else font.getbbox("8", anchor="ls")
    at = (image.width / 2 - (left + right) / 2, EM / 2 - (top + bottom) / 2)
    ImageDraw.Draw(image).text(at, text, font=font, fill=255, anchor="ls", stroke_width=max(0, weight))
    mask: NDArray[np.uint8] = np.array(image)
    if weight < 0:
        mask = np.asarray(cv2.erode(mask, np.ones((1 - weight, 1 - weight), np.uint8)), np.uint8)
    return mask


@functools.cache
def has_glyphs(path: Path, text: str) -> bool:
    """Whether the font draws every character of `text`: a missing one comes out as a box or as nothing."""
    try:
        font = _font(path, 40)
    except OSError:
        return False
    absent = {bytes(font.getmask(c)) for c in "\ue0ff\U0003fffd\U000e0fff"}

    def drawn(character: str) -> bool:
        mask = font.getmask(character)
        inked = np.asarray(mask, np.uint8)
        return bytes(mask) not in absent and inked.size > 0 and 0 < float((inked > 128).mean()) < 0.9

    return all(drawn(character) for character in text)


_EMPTY = np.full((HEIGHT, WIDTH, 4), (255, 255, 255, 0), np.uint8)


class Canvas:
    """One face while it is drawn."""

    def __init__(self) -> None:
        self.pixels: NDArray[np.uint8] = _EMPTY.copy()

    @staticmethod
    def _colour(ink: Ink) -> tuple[int, int, int, int]:
        return (255, 255, 255, 0) if ink is None else (*ink, 255)

    @staticmethod
    def _fixed(points: Sequence[Point]) -> NDArray[np.int32]:
        return np.round(np.asarray(points, np.float64) * UNIT * 16).astype(np.int32)[None]

    def line(self, points: Sequence[Point], width: float, ink: Ink, closed: bool = False) -> None:
        """A stroke with round ends through the points."""
        thick = max(2, round(width * UNIT))
        cv2.polylines(self.pixels, self._fixed(points), closed, self._colour(ink), thick, cv2.LINE_AA, 4)

    def fill(self, points: Sequence[Point], ink: Ink) -> None:
        """A filled outline."""
        cv2.fillPoly(self.pixels, self._fixed(points), self._colour(ink), cv2.LINE_AA, 4)

    def disc(self, x: float, y: float, r: float, ink: Ink) -> None:
        """A filled circle."""
        at = (round(x * UNIT * 16), round(y * UNIT * 16))
        cv2.circle(self.pixels, at, max(16, round(r * UNIT * 16)), self._colour(ink), -1, cv2.LINE_AA, 4)

    def ring(self, x: float, y: float, r: float, width: float, ink: Ink) -> None:
        """A circle of which the line's outer edge has radius `r`."""
        at = (round(x * UNIT * 16), round(y * UNIT * 16))
        radius = max(16, round((r - width / 2) * UNIT * 16))
        cv2.circle(self.pixels, at, radius, self._colour(ink), max(2, round(width * UNIT)), cv2.LINE_AA, 4)

    def character(
        self, text: str, font: Path, box: tuple[float, float, float, float], ink: Ink, bold: int = 0
    ) -> None:
        """A character fitted into `box` = (centre x, centre y, width, height) of its square."""
        x, y, wide, high = box
        mask = glyph(font, text, bold)
        width, height = max(4, round(wide * UNIT)), max(4, round(high * UNIT))
        mask = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
        left, top = round(x * UNIT - width / 2), round(y * UNIT - height / 2)
        x0, y0, x1, y1 = max(0, left), max(0, top), min(WIDTH, left + width), min(HEIGHT, top + height)
        if x1 <= x0 or y1 <= y0:
            return
        alpha = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.uint16)
        region = self.pixels[y0:y1, x0:x1]
        region[:] = (region * (255 - alpha) + np.array(self._colour(ink), np.uint16) * alpha) // 255

    def face(self) -> NDArray[np.uint8]:
        """(240, 180, 4) BGRA; the colour of half-covered pixels is the ink's, so no pale rim appears."""
        alpha = self.pixels[:, :, 3]
        inked = cv2.multiply(self.pixels[:, :, :3], cv2.merge([alpha] * 3), scale=1 / 255)
        half = (WIDTH // 2, HEIGHT // 2)
        inked = cv2.resize(inked, half, interpolation=cv2.INTER_AREA)
        cover = cv2.resize(alpha, half, interpolation=cv2.INTER_AREA)
        colour = cv2.divide(inked, cv2.merge([cv2.max(cover, 1)] * 3), scale=255)
        return np.asarray(cv2.merge([*cv2.split(colour), cover]), np.uint8)


def curve(start: Point, control: Point, end: Point, steps: int = 12) -> list[Point]:
    """Points of a quadratic Bézier curve."""
    t = np.linspace(0, 1, steps + 1)[:, None]
    points = (1 - t) ** 2 * np.array(start) + 2 * t * (1 - t) * np.array(control) + t**2 * np.array(end)
    return [(float(x), float(y)) for x, y in points]


def oval(
    x: float, y: float, rx: float, ry: float, angle: float = 0.0, point: float = 0.0, steps: int = 28
) -> list[Point]:
    """The outline of an ellipse, `point` between 0 (round) and 1 (pointed at both ends, like a leaf)."""
    t = np.linspace(0, 2 * np.pi, steps, endpoint=False)
    along, across = rx * np.cos(t), ry * np.sin(t) * (1 - point * np.abs(np.cos(t)) ** 1.5)
    c, s = np.cos(angle), np.sin(angle)
    return [
        (float(a), float(b))
        for a, b in zip(x + c * along - s * across, y + s * along + c * across, strict=True)
    ]

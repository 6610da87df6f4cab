"""The photo with its reading drawn on it, for an eye to check: a picture (PNG), or lines over it (SVG)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from vision._opencv import cv2
from vision.photo import decode
from vision.reading import Reading

__all__ = ["CHANGED", "DOUBTED", "OUTSIDE", "SET", "SURE", "WRONG", "draw", "svg", "to_print"]

SURE: Final = (80, 200, 60)
"""BGR colour of a tile that nothing speaks against."""
DOUBTED: Final = (0, 165, 255)
"""BGR colour of a tile whose name, place in the hand or being there is in doubt."""
WRONG: Final = (60, 60, 230)
"""BGR colour of a tile that cannot be as it was seen: the fifth of its kind, a flower seen twice."""
CHANGED: Final = (255, 168, 106)
"""BGR colour of a tile that a person has named otherwise than it was seen."""
SET: Final = (230, 90, 200)
"""BGR colour of the bracket under a set on the table."""
OUTSIDE: Final = (150, 150, 150)
"""BGR colour of a tile that is not of the hand."""

_LONGEST = 1600
_SMALLEST = 900
_PRINTED = 1200
_IMPOSSIBLE = frozenset({"five_of_a_tile", "duplicate_bonus"})
_LEFT_OUT = frozenset({"other_tiles", "face_down_tile"})
_FONT = cv2.FONT_HERSHEY_SIMPLEX

Colour = tuple[int, int, int]
#: Tiles, by position, that a person has named otherwise -> the name by which they were seen.
Seen = Mapping[int, str]
_NOTHING: Seen = MappingProxyType({})


def draw(pixels: NDArray[np.uint8], reading: Reading, changed: Seen = _NOTHING) -> bytes:
    """Draw boxes, names and brackets on a copy of the photo; returns a PNG without any metadata.

    `pixels` (height, width, 3) uint8 BGR, upright, of any size: boxes are scaled to it. Photos are brought to
    a longer side of 900 to 1600 pixels, so that names can be read and the file stays small.
    `changed` tiles show both names.
    """
    height, width = pixels.shape[:2]
    longest = max(height, width)
    scale = min(_LONGEST / longest, 1.0) if longest > _SMALLEST else _SMALLEST / longest
    size = max(round(width * scale), 1), max(round(height * scale), 1)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    canvas = np.array(cv2.resize(pixels, size, interpolation=how), np.uint8)
    factor = np.array([size[0] / reading.width, size[1] / reading.height] * 2)
    colours = _colours(reading, changed)
    corners = [tuple(int(v) for v in np.round(np.array(seen.box) * factor)) for seen in reading.tiles]
    for box, colour in zip(corners, colours, strict=True):
        thick = 1 if colour == OUTSIDE else 2
        cv2.rectangle(canvas, box[:2], box[2:], (0, 0, 0), thick + 2, cv2.LINE_AA)
        cv2.rectangle(canvas, box[:2], box[2:], colour, thick, cv2.LINE_AA)
    for position, (seen, box, colour) in enumerate(zip(reading.tiles, corners, colours, strict=True)):
        if colour != OUTSIDE:
            _label(canvas, _name(seen.tile.code, seen.role, changed.get(position)), box, colour)
    for line in _brackets(reading):
        points = np.round(np.array(line) * factor[:2]).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(canvas, [points], False, (0, 0, 0), 6, cv2.LINE_AA)
        cv2.polylines(canvas, [points], False, SET, 3, cv2.LINE_AA)
    done, encoded = cv2.imencode(".png", canvas)
    if not done:
        raise ValueError("the overlay could not be encoded")
    return encoded.tobytes()


def to_print(picture: bytes) -> tuple[bytes, int, int]:
    """A picture as a JPEG that is small enough for a page, with its width and height in pixels. Raises
    ImageError."""
    pixels = decode(picture).pixels
    height, width = pixels.shape[:2]
    scale = min(_PRINTED / max(height, width), 1.0)
    size = max(round(width * scale), 1), max(round(height * scale), 1)
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    done, encoded = cv2.imencode(".jpg", small, [int(cv2.IMWRITE_JPEG_QUALITY), 85])
    if not done:
        raise ValueError("the picture could not be encoded")
    return encoded.tobytes(), *size


def svg(reading: Reading, changed: Seen = _NOTHING) -> str:
    """The same lines as an SVG drawing of the photo's size, to be laid over it: scales without end, and each
    tile is an element with `data-tile`, its position."""
    width, height = reading.width, reading.height
    unit = _unit(reading)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-weight="bold">'
    ]
    for position, (seen, colour) in enumerate(zip(reading.tiles, _colours(reading, changed), strict=True)):
        x0, y0, x1, y1 = seen.box
        thin = colour == OUTSIDE
        paint = _hex(colour)
        parts.append(
            f'<g data-tile="{position}" data-role="{seen.role}"><title>{escape(seen.tile.name_en)}</title>'
            f'<rect x="{x0:.1f}" y="{y0:.1f}" width="{x1 - x0:.1f}" height="{y1 - y0:.1f}" fill="none" '
            f'stroke="{paint}" stroke-width="{unit * (0.03 if thin else 0.07):.1f}"/>'
        )
        if not thin:
            label = _name(seen.tile.code, seen.role, changed.get(position))
            name = escape(label)
            size = unit * 0.42
            wide = 0.66 * size * len(label)
            top = y0 - size * 1.15 if y0 >= size * 1.15 else y0
            parts.append(
                f'<rect x="{x0:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{size * 1.15:.1f}" '
                f'fill="{paint}"/>'
                f'<text x="{x0 + 0.05 * size:.1f}" y="{top + size * 0.95:.1f}" font-size="{size:.1f}" '
                f'fill="#000">{name}</text>'
            )
        parts.append("</g>")
    for line in _brackets(reading):
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{_hex(SET)}" stroke-width="{unit * 0.1:.1f}"/>'
        )
    parts.append("</svg>")
    return "".join(parts)


def _name(code: str, role: str, seen: str | None = None) -> str:
    name = f"+{code}" if role == "winning" else code
    return name if seen is None else f"{seen}>{name}"


def _hex(colour: Colour) -> str:
    return f"#{colour[2]:02x}{colour[1]:02x}{colour[0]:02x}"


def _unit(reading: Reading) -> float:
    """The middle width of a tile in pixels."""
    wide = sorted(min(seen.box[2] - seen.box[0], seen.box[3] - seen.box[1]) for seen in reading.tiles)
    return max(wide[len(wide) // 2], 8.0) if wide else 8.0


def _colours(reading: Reading, changed: Seen) -> list[Colour]:
    colours: list[Colour] = [OUTSIDE if seen.role == "outside" else SURE for seen in reading.tiles]
    for wrong in (False, True):
        for doubt in reading.doubts:
            if (doubt.code in _IMPOSSIBLE) is wrong and doubt.code not in _LEFT_OUT:
                for position in doubt.tiles:
                    colours[position] = WRONG if wrong else DOUBTED
    return [CHANGED if position in changed else colour for position, colour in enumerate(colours)]


def _brackets(reading: Reading) -> list[list[tuple[float, float]]]:
    """A bracket below each set on the table, as corner points in the photo's pixels: below as its player
    sees it, along its tiles."""
    up = np.radians(reading.angle)
    down = np.array([-np.sin(up), np.cos(up)])
    lines: list[list[tuple[float, float]]] = []
    for seen in reading.sets:
        boxes = np.array([reading.tiles[k].box for k in seen.members])
        centres = (boxes[:, :2] + boxes[:, 2:]) / 2
        half = float(np.median((boxes[:, 2:] - boxes[:, :2]).min(axis=1))) / 2
        right = np.array([down[1], -down[0]])
        order = np.argsort(centres @ right)
        first, last = centres[order[0]], centres[order[-1]]
        along = last - first
        along = along / max(float(np.linalg.norm(along)), 1e-6) if len(order) > 1 else right
        low = max(float(((centres - first) @ down).max()), 0.0) * 0.5 + half * 1.35
        left_end, right_end = first - along * half * 0.9, last + along * half * 0.9
        foot = down * low
        hook = down * (low - half * 0.45)
        corners = (left_end + hook, left_end + foot, right_end + foot, right_end + hook)
        lines.append([(float(x), float(y)) for x, y in corners])
    return lines


def _label(canvas: NDArray[np.uint8], text: str, box: tuple[int, ...], colour: Colour) -> None:
    """The tile's name in black on its colour, above the box or, where the photo ends there, inside it."""
    width = canvas.shape[1]
    # A tile with two names has a label as much wider.
    wanted = float(np.clip((box[2] - box[0]) * 0.6, 20, 60)) * max(len(text) / 3, 1.0)
    (base, _), _ = cv2.getTextSize(text, _FONT, 1.0, 2)
    font = wanted / base
    thick = 2 if font >= 0.7 else 1
    (wide, high), below = cv2.getTextSize(text, _FONT, font, thick)
    left = int(np.clip(box[0], 0, max(width - wide - 4, 0)))
    bottom = box[1] if box[1] >= high + below + 4 else box[1] + high + below + 4
    cv2.rectangle(canvas, (left, bottom - high - below - 4), (left + wide + 4, bottom), colour, cv2.FILLED)
    cv2.putText(canvas, text, (left + 2, bottom - below), _FONT, font, (0, 0, 0), thick, cv2.LINE_AA)

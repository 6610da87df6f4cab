"""The photo with its reading drawn on it, for an eye to check."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision._opencv import cv2
from vision.reading import Reading

__all__ = ["DOUBTED", "SURE", "WRONG", "draw"]

SURE: Final = (80, 200, 60)
"""BGR colour of a tile that nothing speaks against."""
DOUBTED: Final = (0, 165, 255)
"""BGR colour of a tile whose name, place in the hand or being there is in doubt."""
WRONG: Final = (60, 60, 230)
"""BGR colour of a tile that cannot be as it was seen: the fifth of its kind, a flower seen twice."""

_LONGEST = 1600
_SMALLEST = 900
_IMPOSSIBLE = frozenset({"five_of_a_tile", "duplicate_bonus"})
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def draw(pixels: NDArray[np.uint8], reading: Reading) -> bytes:
    """Draw boxes and names on a copy of the photo; returns a PNG without any metadata.

    `pixels` (height, width, 3) uint8 BGR, upright, of any size: boxes are scaled to it. Photos are brought to
    a longer side of 900 to 1600 pixels, so that names can be read and the file stays small.
    """
    height, width = pixels.shape[:2]
    longest = max(height, width)
    scale = min(_LONGEST / longest, 1.0) if longest > _SMALLEST else _SMALLEST / longest
    size = max(round(width * scale), 1), max(round(height * scale), 1)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    canvas = np.array(cv2.resize(pixels, size, interpolation=how), np.uint8)
    factor = np.array([size[0] / reading.width, size[1] / reading.height] * 2)
    colours = _colours(reading)
    corners = [tuple(int(v) for v in np.round(np.array(seen.box) * factor)) for seen in reading.tiles]
    for box, colour in zip(corners, colours, strict=True):
        cv2.rectangle(canvas, box[:2], box[2:], (0, 0, 0), 4, cv2.LINE_AA)
        cv2.rectangle(canvas, box[:2], box[2:], colour, 2, cv2.LINE_AA)
    for seen, box, colour in zip(reading.tiles, corners, colours, strict=True):
        _label(canvas, str(seen.tile), box, colour)
    done, encoded = cv2.imencode(".png", canvas)
    if not done:
        raise ValueError("the overlay could not be encoded")
    return encoded.tobytes()


def _colours(reading: Reading) -> list[tuple[int, int, int]]:
    colours: list[tuple[int, int, int]] = [SURE] * len(reading.tiles)
    for wrong in (False, True):
        for doubt in reading.doubts:
            if (doubt.code in _IMPOSSIBLE) is wrong:
                for position in doubt.tiles:
                    colours[position] = WRONG if wrong else DOUBTED
    return colours


def _label(canvas: NDArray[np.uint8], text: str, box: tuple[int, ...], colour: tuple[int, int, int]) -> None:
    """The tile's name in black on its colour, above the box or, where the photo ends there, inside it."""
    width = canvas.shape[1]
    wanted = float(np.clip((box[2] - box[0]) * 0.6, 20, 60))
    (base, _), _ = cv2.getTextSize(text, _FONT, 1.0, 2)
    font = wanted / base
    thick = 2 if font >= 0.7 else 1
    (wide, high), below = cv2.getTextSize(text, _FONT, font, thick)
    left = int(np.clip(box[0], 0, max(width - wide - 4, 0)))
    bottom = box[1] if box[1] >= high + below + 4 else box[1] + high + below + 4
    cv2.rectangle(canvas, (left, bottom - high - below - 4), (left + wide + 4, bottom), colour, cv2.FILLED)
    cv2.putText(canvas, text, (left + 2, bottom - below), _FONT, font, (0, 0, 0), thick, cv2.LINE_AA)

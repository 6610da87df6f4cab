"""What is wrong with a photo, where, and what to do about it: looked at on the tiles alone.

A photo may be read all the same; a flaw says why a reading may be wrong and how the next photo comes out
better. Measured on small copies of the tiles, so that it costs a few milliseconds whatever the photo's size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from vision._opencv import cv2

if TYPE_CHECKING:
    from vision.photo import Photo
    from vision.reading import Reading

__all__ = ["ADVICE", "Flaw", "assess", "flaws_of", "measure"]

ADVICE: Final[dict[str, tuple[str, str]]] = {
    "too_far": (
        "The tiles are too small in the photo: go nearer, or lay the hand across the whole width.",
        "牌在照片中太小：請靠近一點，讓手牌佔滿畫面寬度。",
    ),
    "blurred": (
        "The photo is blurred: hold the phone still, tap the tiles to focus, and take it again.",
        "照片模糊：請拿穩手機，點一下牌對焦後再拍。",
    ),
    "glare": (
        "Light is mirrored on these tiles: tilt the phone, or shade them from the lamp.",
        "牌面反光：請換個角度，或擋一下燈光。",
    ),
    "too_dark": (
        "The photo is too dark: turn on a light or step out of it.",
        "照片太暗：請開燈，或別擋住光線。",
    ),
    "cut_off": (
        "These tiles are cut off at the edge of the photo: get the whole hand into it.",
        "牌在照片邊緣被截斷：請把整副手牌拍進去。",
    ),
    "several_hands": (
        "There is more than one hand in the photo: take each by itself.",
        "照片中不止一副手牌：請逐副拍攝。",
    ),
}
"""Flaws by their stable code, with advice in English and Chinese."""

# Thresholds; how they were chosen, and how often they hit and miss: datasets/degrade.py prints it.
_FAR = 18.0
"""Short side of a tile in pixels of the photo under which names get lost."""
_FAR_SHARE = 0.014
"""The same as a share of the photo's longer side: tiles are looked for in a copy of the photo some 640 pixels
long, where this is nine."""
_BLUR = 2.3
"""Spread of an edge, in forty-eighths of a tile, from which names get lost."""
_DARK = 45.0
"""Brightness of the faces (0..255) under which noise swallows the print."""
_WASHED = 0.4
"""Share of the other faces' contrast under which the print of a bright face counts as washed out. Many faces
mirror a lamp and are read all the same: only those whose print goes are worth a word."""
_EDGE = 0.02
"""How near to the photo's edge, in tile widths, a box must come to count as cut off."""
_FULL_ROW = 10
"""Tiles in a row from which it may be a hand of its own."""

_FAINT = 0.4
"""Certainty of a box under which it may be no tile, and says nothing about the photo."""

_SIDE = 48
_RIM = 6
_MOST = 20
_BLANK = frozenset({"5z", "0x"})


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong with the photo: a stable `code` (see `ADVICE`) and the box (x0, y0, x1, y1 in pixels of
    the upright photo) where it is."""

    code: str
    box: tuple[float, float, float, float]

    def to_dict(self) -> dict[str, object]:
        """As in the `read --json` contract."""
        english, chinese = ADVICE[self.code]
        return {
            "code": self.code,
            "box": [round(side, 1) for side in self.box],
            "advice": {"en": english, "zh": chinese},
        }


@dataclass(frozen=True, slots=True)
class Measures:
    """What was measured on each tile: `spread` of its edges in forty-eighths of the tile (nan without
    edges), `face` brightness 0..255, `ink` brightness of its print."""

    spread: NDArray[np.float64]
    face: NDArray[np.float64]
    ink: NDArray[np.float64]


def measure(pixels: NDArray[np.uint8], boxes: NDArray[np.float64]) -> Measures:
    """Measure the tiles in `boxes` (n, 4) of `pixels` (height, width, 3) BGR; boxes in its own pixels."""
    height, width = pixels.shape[:2]
    small = np.empty((len(boxes), _SIDE, _SIDE), np.uint8)
    for index, (x0, y0, x1, y1) in enumerate(boxes):
        left, right = int(np.clip(x0, 0, width - 2)), int(np.clip(np.ceil(x1), 2, width))
        top, bottom = int(np.clip(y0, 0, height - 2)), int(np.clip(np.ceil(y1), 2, height))
        crop = pixels[top : max(bottom, top + 2), left : max(right, left + 2)]
        by = min(crop.shape[:2]) // _SIDE
        if by > 1:  # averaging whole squares first is many times quicker than any other scale
            high, wide = crop.shape[0] // by, crop.shape[1] // by
            whole = crop[: high * by, : wide * by]
            crop = np.asarray(cv2.resize(whole, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
        copy = cv2.resize(crop, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
        small[index] = cv2.cvtColor(copy, cv2.COLOR_BGR2GRAY)
    inner = small[:, _RIM:-_RIM, _RIM:-_RIM].astype(np.int16)
    ink, face = _share_below(inner, 0.04), _share_below(inner, 0.75)
    # An edge of contrast c spread by a Gaussian of width s rises by 0.4 c / s a pixel at most. A moving
    # camera spreads edges in one direction only, so the worst of four directions counts.
    steps = (
        (inner[:, :, 2:] - inner[:, :, :-2], 2.0),
        (inner[:, 2:] - inner[:, :-2], 2.0),
        (inner[:, 2:, 2:] - inner[:, :-2, :-2], 2.83),
        (inner[:, 2:, :-2] - inner[:, :-2, 2:], 2.83),
    )
    rise = np.min([_share_below(np.abs(step), 0.97) / length for step, length in steps], axis=0)
    spread = np.where(face - ink > 0.16 * face + 10, 0.4 * (face - ink) / np.maximum(rise, 1e-3), np.nan)
    return Measures(spread, face, ink)


def _share_below(values: NDArray[np.int16], share: float) -> NDArray[np.float64]:
    """For each picture (the first axis) the value that `share` of its pixels do not exceed."""
    flat = values.reshape(len(values), -1)
    place = int(share * (flat.shape[1] - 1))
    return np.partition(flat, place, axis=1)[:, place].astype(np.float64)


def assess(
    pixels: NDArray[np.uint8],
    boxes: NDArray[np.float64],
    names: Sequence[str],
    rows: Sequence[Sequence[int]],
    outside: Sequence[int] = (),
    factor: float = 1.0,
) -> tuple[Flaw, ...]:
    """The flaws of a photo, the gravest first.

    `pixels` are the photo shrunk by `factor`; `boxes` (n, 4) in pixels of the photo itself; `names` the codes
    of the tiles; `rows` their positions row by row; `outside` those that belong to no hand.
    """
    count = len(boxes)
    inside = np.array(sorted(set(range(count)) - set(outside)), int)
    if not len(inside):
        return ()
    flaws: list[Flaw] = []
    sides = np.minimum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    size = np.array([pixels.shape[1], pixels.shape[0]]) * factor
    small = float(np.median(sides[inside])) < max(_FAR, _FAR_SHARE * float(size.max()))
    if small:
        flaws.append(_flaw("too_far", boxes, inside))
    step = -(-len(inside) // _MOST)
    looked = inside[::step]
    seen = measure(pixels, boxes[looked] / factor)
    if float(np.median(seen.face)) < _DARK:
        flaws.append(_flaw("too_dark", boxes, inside))
    sharp = seen.spread[np.isfinite(seen.spread)]
    if len(sharp) and not small and float(np.median(sharp)) > _BLUR:
        flaws.append(_flaw("blurred", boxes, inside))
    edge = (_EDGE * sides + factor)[:, None]
    near = np.concatenate([boxes[:, :2] <= edge, boxes[:, 2:] >= size - edge], axis=1)
    face = np.array([name != "0x" for name in names])
    cut: NDArray[np.bool_] = np.asarray(near.any(axis=1) & face, np.bool_)
    # What is left of a tile that is cut off may hold no print, which is not the light's doing.
    dazzled = looked[_dazzled(seen, [names[i] for i in looked]) & ~cut[looked]]
    if len(dazzled):
        flaws.append(_flaw("glare", boxes, dazzled))
    if cut[inside].any():
        flaws.append(_flaw("cut_off", boxes, inside[cut[inside]]))
    faces = [[i for i in row if names[i] != "0x"] for row in rows]
    hands = [row for row in faces if len(row) >= _FULL_ROW and _laid_out(boxes[row])]
    if len(hands) > 1 and sum(map(len, hands)) > 2 * _FULL_ROW + 3:
        flaws.append(_flaw("several_hands", boxes, np.concatenate([np.array(row, int) for row in hands])))
    return tuple(flaws)


def _laid_out(boxes: NDArray[np.float64]) -> bool:
    """Whether tiles lie side by side in a straight line, as a hand does and discards do not."""
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    side = float(np.median((boxes[:, 2:] - boxes[:, :2]).min(axis=1)))
    middle = centres.mean(axis=0)
    _, _, axes = np.linalg.svd(centres - middle)
    along, across = ((centres - middle) @ axes.T).T
    steps = np.diff(np.sort(along))
    return bool(np.abs(across).max() <= 0.6 * side and np.percentile(steps, 80) <= 1.7 * side)


def flaws_of(photo: Photo, reading: Reading) -> tuple[Flaw, ...]:
    """The flaws of a photo that was read."""
    boxes = np.array([seen.box for seen in reading.tiles], np.float64).reshape(-1, 4)
    names = [str(seen.tile) for seen in reading.tiles]
    outside = [
        place for place, seen in enumerate(reading.tiles) if seen.role == "outside" or seen.found < _FAINT
    ]
    return assess(photo.pixels, boxes, names, reading.rows, outside, photo.factor)


def _dazzled(seen: Measures, names: Sequence[str]) -> NDArray[np.bool_]:
    """Which tiles mirror light so that their print is washed out."""
    printed = np.array([name not in _BLANK for name in names])
    # The hand's own light is the measure, so that a bright photo on a white table is none.
    if printed.sum() < 3:
        return np.zeros(len(names), bool)
    usual = float(np.median((seen.face - seen.ink)[printed]))
    bright = seen.face >= max(float(np.median(seen.face[printed])), 170.0)
    washed: NDArray[np.bool_] = printed & bright & (seen.face - seen.ink < _WASHED * usual)
    return washed


def _flaw(code: str, boxes: NDArray[np.float64], members: NDArray[np.int_]) -> Flaw:
    low, high = boxes[members, :2].min(0), boxes[members, 2:].max(0)
    return Flaw(code, (float(low[0]), float(low[1]), float(high[0]), float(high[1])))

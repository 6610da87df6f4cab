"""What is wrong with a photo, where, and what to do about it: looked at on the tiles alone.

A photo may be read all the same; a flaw says why a reading may be wrong and how the next photo comes out
better. Measured on small copies of the tiles, so that it costs a few milliseconds whatever the photo's size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision._opencv import cv2

__all__ = ["ADVICE", "Flaw", "assess", "measure"]

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
    "too_dark": ("The photo is too dark: turn on a light or step out of it.", "照片太暗：請開燈，或別擋住光線。"),
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
_FAR = 26.0
"""Short side of a tile in pixels of the photo under which names get lost."""
_BLUR = 3.2
"""Spread of an edge, in sixty-fourths of a tile, from which names get lost."""
_DARK = 62.0
"""Brightness of the faces (0..255) under which noise swallows the print."""
_WASHED = 0.4
"""Share of the other faces' contrast under which the print of a bright face counts as washed out. Many faces
mirror a lamp and are read all the same: only those whose print goes are worth a word."""
_EDGE = 0.02
"""How near to the photo's edge, in tile widths, a box must come to count as cut off."""
_FULL_ROW = 10
"""Tiles in a row from which it may be a hand of its own."""

_SIDE = 64
_MOST = 40
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
    """What was measured on each tile: `spread` of its edges in sixty-fourths of the tile (nan without
    edges), `face` brightness 0..255, `ink` brightness of its print."""

    spread: NDArray[np.float64]
    face: NDArray[np.float64]
    ink: NDArray[np.float64]


def measure(pixels: NDArray[np.uint8], boxes: NDArray[np.float64]) -> Measures:
    """Measure the tiles in `boxes` (n, 4) of `pixels` (height, width, 3) BGR; boxes in its own pixels."""
    height, width = pixels.shape[:2]
    rows = []
    for x0, y0, x1, y1 in boxes:
        left, right = int(np.clip(x0, 0, width - 2)), int(np.clip(np.ceil(x1), 2, width))
        top, bottom = int(np.clip(y0, 0, height - 2)), int(np.clip(np.ceil(y1), 2, height))
        crop = pixels[top : max(bottom, top + 2), left : max(right, left + 2)]
        small = cv2.resize(crop, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
        rows.append(_of_tile(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)))
    table = np.array(rows, np.float64).reshape(-1, 3)
    return Measures(table[:, 0], table[:, 1], table[:, 2])


def _of_tile(grey: NDArray[np.float32]) -> tuple[float, float, float]:
    """Spread, face and ink of one small copy."""
    inner = grey[8:-8, 8:-8]
    ink, face = (float(v) for v in np.percentile(inner, (4, 75)))
    spread = np.nan
    if face - ink > 0.16 * face + 10:
        # An edge of contrast c that is spread by a Gaussian of width s rises by 0.4 c / s a pixel at most, and
        # a moving camera spreads it in one direction only: the worse of the two counts.
        across = float(np.percentile(np.abs(inner[:, 2:] - inner[:, :-2]), 97)) / 2
        down = float(np.percentile(np.abs(inner[2:] - inner[:-2]), 97)) / 2
        spread = 0.4 * (face - ink) / max(min(across, down), 1e-3)
    return spread, face, ink


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
    small = float(np.median(sides[inside])) < _FAR
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
    dazzled = looked[_dazzled(seen, [names[i] for i in looked])]
    if len(dazzled):
        flaws.append(_flaw("glare", boxes, dazzled))
    size = np.array([pixels.shape[1], pixels.shape[0]]) * factor
    edge = _EDGE * sides[inside, None] + factor
    cut = (boxes[inside, :2] <= edge).any(1) | (boxes[inside, 2:] >= size - edge).any(1)
    if cut.any():
        flaws.append(_flaw("cut_off", boxes, inside[cut]))
    hands = [row for row in rows if len(row) >= _FULL_ROW]
    if len(hands) > 1 and count > 2 * _FULL_ROW + 3:
        flaws.append(_flaw("several_hands", boxes, np.concatenate([np.array(row, int) for row in hands])))
    return tuple(flaws)


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

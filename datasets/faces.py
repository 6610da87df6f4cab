"""Tile faces: folders of artwork, and one style that is drawn by this module.

A style is a function from tile code to an RGBA picture (uint8, BGR + alpha), or None where it has no such
face. The drawn style needs a font with Chinese characters (any; Debian: fonts-arphic-ukai), given by path.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

CODES: tuple[str, ...] = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *(f"{rank}z" for rank in range(1, 8)),
    *(f"{rank}f" for rank in range(1, 9)),
    *(f"{rank}a" for rank in range(1, 5)),
    "0x",
)
Face = NDArray[np.uint8]
Style = Callable[[str], Face | None]

WIDTH, HEIGHT = 240, 320
RED, GREEN, BLUE, BLACK = (178, 24, 32), (18, 110, 48), (24, 52, 130), (28, 28, 32)
DEFAULT_FONT = Path("/usr/share/fonts/truetype/arphic/ukai.ttc")

# Where the pips of each rank lie, as (column, row) in a 3 x 4 field of the face, in twelfths.
_DOTS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((6, 4), (6, 12)),
    3: ((3, 3), (6, 8), (9, 13)),
    4: ((3.5, 4), (8.5, 4), (3.5, 12), (8.5, 12)),
    5: ((3, 3.5), (9, 3.5), (6, 8), (3, 12.5), (9, 12.5)),
    6: ((3.5, 3.5), (8.5, 3.5), (3.5, 8.5), (8.5, 8.5), (3.5, 12.5), (8.5, 12.5)),
    7: ((2.7, 2.4), (6, 4), (9.3, 5.6), (3.7, 9.3), (8.3, 9.3), (3.7, 13), (8.3, 13)),
    8: tuple((x, y) for y in (2.5, 6.2, 9.9, 13.6) for x in (3.7, 8.3)),
    9: tuple((x, y) for y in (3, 8, 13) for x in (2.6, 6, 9.4)),
}
_STICKS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((6, 4.4), (6, 11.6)),
    3: ((6, 4.4), (3.5, 11.6), (8.5, 11.6)),
    4: ((3.5, 4.4), (8.5, 4.4), (3.5, 11.6), (8.5, 11.6)),
    5: ((2.8, 4.4), (9.2, 4.4), (6, 8), (2.8, 11.6), (9.2, 11.6)),
    6: tuple((x, y) for y in (4.4, 11.6) for x in (2.8, 6, 9.2)),
    7: ((6, 3), *((x, y) for y in (8, 13) for x in (2.8, 6, 9.2))),
    8: (),
    9: tuple((x, y) for y in (3, 8, 13) for x in (2.8, 6, 9.2)),
}
_RED_DOTS = {3: {1}, 5: {2}, 6: {2, 3, 4, 5}, 7: {3, 4, 5, 6}, 9: {3, 4, 5}}
_RED_STICKS = {5: {2}, 7: {0}, 9: {1, 4, 7}}


def folder_style(folder: Path, colour: bool = False, trim: float = 0.0) -> Style:
    """Faces from `folder/CODE.png` (transparent). `colour` paints one-colour artwork by suit; `trim` cuts a
    printed frame.
    """

    @functools.cache
    def face(code: str) -> Face | None:
        path = folder / f"{code}.png"
        if not path.exists():
            return None
        image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if image is None or image.ndim != 3 or image.shape[2] != 4:
            return None
        height, width = image.shape[:2]
        dy, dx = int(height * trim), int(width * trim)
        image = image[dy : height - dy, dx : width - dx]
        if colour:
            image = image.copy()
            image[:, :, :3] = _ink(code)[::-1]
        return np.ascontiguousarray(cv2.resize(image, (120, 160), interpolation=cv2.INTER_AREA), np.uint8)

    return face


def photo_style(folder: Path) -> Style:
    """Real faces cut out as `folder/CODE_NN.jpg` (whole face, no transparency), one of them at a time."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*.jpg")):
        found.setdefault(path.stem.split("_")[0], []).append(path)

    @functools.cache
    def face(code: str) -> Face | None:
        if code not in found:
            return None
        image = cv2.imread(str(found[code][0]))
        if image is None:
            return None
        image = cv2.resize(image, (120, 160), interpolation=cv2.INTER_AREA)
        return np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])

    return face


def _ink(code: str) -> tuple[int, int, int]:
    return {"m": RED, "p": BLUE, "s": GREEN}.get(code[-1], {"6z": GREEN, "7z": RED}.get(code, BLACK))


def drawn_style(font: Path = DEFAULT_FONT, numerals: bool = False) -> Style:
    """The faces that this module draws itself; `numerals` adds the Arabic numeral that many sets carry in a
    corner.
    """

    @functools.cache
    def face(code: str) -> Face | None:
        scale = 3
        image = Image.new("RGBA", (WIDTH * scale, HEIGHT * scale), (255, 255, 255, 0))
        pen = ImageDraw.Draw(image)
        _draw(pen, code, font, scale * WIDTH / 12)
        if numerals and code[-1] in "mpsf" and code != "0x":
            small = ImageFont.truetype(str(font), int(2.1 * scale * WIDTH / 12))
            pen.text(
                (0.4 * scale * WIDTH / 12, 0),
                str((int(code[0]) - 1) % 4 + 1 if code[-1] == "f" else code[0]),
                font=small,
                fill=(*RED, 255),
            )
        small_image = image.resize((WIDTH // 2, HEIGHT // 2), Image.Resampling.LANCZOS)
        return np.ascontiguousarray(np.asarray(small_image)[:, :, [2, 1, 0, 3]])

    return face


def _draw(pen: ImageDraw.ImageDraw, code: str, font: Path, unit: float) -> None:
    rank, suit = int(code[0]), code[-1]
    if suit == "m":
        _text(pen, "一二三四五六七八九"[rank - 1], font, 7.2 * unit, (6 * unit, 4.2 * unit), BLUE)
        _text(pen, "萬", font, 7.6 * unit, (6 * unit, 11.4 * unit), RED)
    elif suit == "p":
        _dots(pen, rank, unit)
    elif suit == "s":
        _sticks(pen, rank, unit)
    elif suit == "z":
        if rank == 5:
            for inset, width in ((1.4, 0.55), (2.4, 0.2)):
                pen.rectangle(
                    (inset * unit, inset * unit, (12 - inset) * unit, (16 - inset) * unit),
                    outline=(*BLUE, 255),
                    width=int(width * unit),
                )
        else:
            colour = {6: GREEN, 7: RED}.get(rank, BLUE)
            _text(pen, "東南西北 發中"[rank - 1], font, 10.5 * unit, (6 * unit, 8 * unit), colour)
    elif suit == "f":
        _flower(pen, rank, font, unit)
    elif suit == "a":
        _text(pen, "貓鼠雞蟲"[rank - 1], font, 8.4 * unit, (6 * unit, 9 * unit), GREEN if rank % 2 else RED)


def _text(
    pen: ImageDraw.ImageDraw,
    text: str,
    font: Path,
    size: float,
    centre: tuple[float, float],
    colour: tuple[int, int, int],
) -> None:
    pen.text(
        centre,
        text,
        font=ImageFont.truetype(str(font), int(size)),
        fill=(*colour, 255),
        anchor="mm",
        stroke_width=int(size / 60),
        stroke_fill=(*colour, 255),
    )


def _ring(pen: ImageDraw.ImageDraw, x: float, y: float, r: float, colour: tuple[int, int, int]) -> None:
    for radius, width in ((r, 0.3 * r), (0.45 * r, 0.2 * r)):
        pen.ellipse(
            (x - radius, y - radius, x + radius, y + radius), outline=(*colour, 255), width=int(width)
        )
    pen.ellipse((x - 0.14 * r, y - 0.14 * r, x + 0.14 * r, y + 0.14 * r), fill=(*colour, 255))


def _dots(pen: ImageDraw.ImageDraw, rank: int, unit: float) -> None:
    if rank == 1:
        _ring(pen, 6 * unit, 8 * unit, 4.6 * unit, GREEN)
        for step in range(12):
            angle = step * math.pi / 6
            x, y = 6 + 2.8 * math.cos(angle), 8 + 2.8 * math.sin(angle)
            pen.ellipse(
                ((x - 0.45) * unit, (y - 0.45) * unit, (x + 0.45) * unit, (y + 0.45) * unit), fill=(*RED, 255)
            )
        return
    radius = {2: 2.4, 3: 1.95, 4: 1.95, 5: 1.8}.get(rank, 1.6 if rank < 8 else 1.5)
    for index, (x, y) in enumerate(_DOTS[rank]):
        red = index in _RED_DOTS.get(rank, set())
        _ring(
            pen,
            x * unit,
            y * unit,
            radius * unit,
            RED if red else (GREEN if rank in (3, 7) and not red else BLUE),
        )


def _stick(
    pen: ImageDraw.ImageDraw,
    x: float,
    y: float,
    half: float,
    lean: float,
    unit: float,
    colour: tuple[int, int, int],
) -> None:
    dx, dy = half * math.sin(lean), half * math.cos(lean)
    pen.line(
        ((x - dx) * unit, (y - dy) * unit, (x + dx) * unit, (y + dy) * unit),
        fill=(*colour, 255),
        width=int(0.95 * unit),
    )
    for at in (-1.0, 0.0, 1.0):
        cx, cy = x + at * dx, y + at * dy
        pen.ellipse(
            ((cx - 0.72) * unit, (cy - 0.5) * unit, (cx + 0.72) * unit, (cy + 0.5) * unit),
            fill=(*colour, 255),
        )


def _sticks(pen: ImageDraw.ImageDraw, rank: int, unit: float) -> None:
    if rank == 1:
        _bird(pen, unit)
        return
    if rank == 8:
        for y, sign in ((4.4, 1), (11.6, -1)):
            for x, lean in ((2.2, 0.0), (4.7, 0.55 * sign), (7.3, -0.55 * sign), (9.8, 0.0)):
                _stick(pen, x, y, 2.5, lean, unit, GREEN)
        return
    half = 2.6 if rank in (2, 3, 4, 5, 6) else 1.9
    for index, (x, y) in enumerate(_STICKS[rank]):
        _stick(pen, x, y, half, 0.0, unit, RED if index in _RED_STICKS.get(rank, set()) else GREEN)


def _bird(pen: ImageDraw.ImageDraw, unit: float) -> None:
    """A peacock on a twig: head and beak up left, tail fanned out to the lower right."""
    for step in range(5):
        angle = math.pi * (0.18 + 0.09 * step)
        x, y = 5.5 + 6.5 * math.cos(angle), 7.0 + 7.2 * math.sin(angle)
        pen.line((5.5 * unit, 7 * unit, x * unit, y * unit), fill=(*GREEN, 255), width=int(0.7 * unit))
        pen.ellipse(
            ((x - 0.8) * unit, (y - 0.8) * unit, (x + 0.8) * unit, (y + 0.8) * unit), fill=(*RED, 255)
        )
    pen.ellipse((3 * unit, 4.6 * unit, 8.2 * unit, 9.6 * unit), fill=(*GREEN, 255))
    pen.ellipse((3 * unit, 2 * unit, 6 * unit, 5.2 * unit), fill=(*BLUE, 255))
    pen.polygon(
        [(3.2 * unit, 3 * unit), (1.2 * unit, 3.9 * unit), (3.2 * unit, 4.3 * unit)], fill=(*RED, 255)
    )
    pen.ellipse((3.9 * unit, 2.9 * unit, 4.5 * unit, 3.5 * unit), fill=(255, 255, 255, 255))
    pen.line((2 * unit, 14.6 * unit, 10 * unit, 14.6 * unit), fill=(*BLACK, 255), width=int(0.5 * unit))


def _flower(pen: ImageDraw.ImageDraw, rank: int, font: Path, unit: float) -> None:
    colour = RED if rank > 4 else BLUE
    _text(pen, "梅蘭菊竹春夏秋冬"[rank - 1], font, 5 * unit, (8.6 * unit, 3.6 * unit), colour)
    _text(pen, str((rank - 1) % 4 + 1), font, 3.6 * unit, (2.4 * unit, 2.6 * unit), colour)
    petals, centre = (4 + rank, (5.6 * unit, 10.4 * unit))
    for step in range(petals):
        angle = 2 * math.pi * step / petals
        x, y = centre[0] + 2.2 * unit * math.cos(angle), centre[1] + 2.2 * unit * math.sin(angle)
        pen.ellipse((x - unit, y - unit, x + unit, y + unit), fill=(*(GREEN if rank == 4 else RED), 255))
    pen.ellipse(
        (centre[0] - unit, centre[1] - unit, centre[0] + unit, centre[1] + unit), fill=(214, 170, 30, 255)
    )
    pen.line(
        (centre[0], centre[1] + 2 * unit, centre[0] + unit, 15.2 * unit),
        fill=(*GREEN, 255),
        width=int(0.5 * unit),
    )


def styles(
    art: Path | None = None, real: Path | None = None, font: Path | None = DEFAULT_FONT
) -> list[Style]:
    """Every style at hand: folders of `art`, folders of `real` faces, and the drawn one where the font is
    there.
    """
    found: list[Style] = []
    if art is not None:
        for folder in sorted(path for path in art.iterdir() if path.is_dir() and path.name != "animals"):
            engraved = folder.name.startswith("i-mahjong")
            one_colour = engraved or folder.name in {"noto-symbols2", "symbola"}
            found.append(folder_style(folder, colour=one_colour, trim=0.075 if engraved else 0.0))
    if real is not None:
        found += [photo_style(folder) for folder in sorted(real.iterdir()) if folder.is_dir()]
    if font is not None and font.exists():
        found += [drawn_style(font), drawn_style(font, numerals=True)]
    if not found:
        raise FileNotFoundError("no tile faces: give a folder of artwork or a font with Chinese characters")
    return found

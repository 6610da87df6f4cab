"""Styles of tile faces: folders of artwork, folders of real faces, and sets drawn by this project.

A fixed share of the styles is held out: training never sees them, so that a set rendered with them says how
a reader holds on tiles that it has not met.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from drawn import drawn_set, usable_fonts
from numpy.typing import NDArray

CODES: tuple[str, ...] = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *(f"{rank}z" for rank in range(1, 8)),
    *(f"{rank}f" for rank in range(1, 9)),
    *(f"{rank}a" for rank in range(1, 5)),
    "0x",
)
Face = NDArray[np.uint8]

# Blue, green, red of the paints for artwork that comes in one colour.
RED, GREEN, BLUE, BLACK = (32, 24, 178), (48, 110, 18), (130, 52, 24), (32, 28, 28)
DEFAULT_FONT = Path("/usr/share/fonts/truetype/arphic/ukai.ttc")

HELD_OUT_SHARE = 0.15
_SPLIT = "1984"  # fixes which styles are held out; another word would be another split


@dataclass(frozen=True, slots=True)
class Style:
    """A named tile set. Calling it with a tile code gives the face as BGRA (uint8), or None where the set has
    none; `0m`, `0p` and `0s` ask for red fives, `0x` for the print on a back.
    """

    name: str
    kind: str  # "art", "real" or "drawn"
    family: str  # styles of one family are held out together
    draw: Callable[[str], Face | None]

    def __call__(self, code: str) -> Face | None:
        """The face that belongs to `code`."""
        return self.draw(code)


def held_out(family: str) -> bool:
    """Whether a family of styles (or a font) is kept from training."""
    digest = hashlib.sha256(f"{family} {_SPLIT}".encode()).hexdigest()
    return int(digest[:8], 16) / 2**32 < HELD_OUT_SHARE


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
            image[:, :, :3] = _ink(code)
        return np.ascontiguousarray(cv2.resize(image, (180, 240), interpolation=cv2.INTER_AREA), np.uint8)

    return Style(folder.name, "art", folder.name.split("-")[0], face)


def photo_styles(folder: Path) -> list[Style]:
    """Real faces cut out as `folder/CODE_NN.jpg` (whole face, no transparency); a set that has several faces
    of a tile makes several styles.
    """
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*.jpg")):
        found.setdefault(path.stem.split("_")[0], []).append(path)

    def variant(number: int) -> Style:
        @functools.cache
        def face(code: str) -> Face | None:
            if code not in found:
                return None
            image = cv2.imread(str(found[code][number % len(found[code])]))
            if image is None:
                return None
            image = cv2.resize(image, (180, 240), interpolation=cv2.INTER_AREA)
            return np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])

        return Style(f"{folder.name}-{number}", "real", f"real {folder.name}", face)

    return [variant(number) for number in range(max(map(len, found.values()), default=0))]


def _ink(code: str) -> tuple[int, int, int]:
    return {"m": RED, "p": BLUE, "s": GREEN}.get(code[-1], {"6z": GREEN, "7z": RED}.get(code, BLACK))


def drawn_style(seed: int, fonts: Sequence[Path]) -> Style:
    """The set that belongs to `seed`, drawn by this project."""
    name = f"drawn-{seed:04d}"
    return Style(name, "drawn", name, drawn_set(seed, fonts))


def _drawn_styles(count: int, fonts: Sequence[Path]) -> list[Style]:
    """Drawn sets; those that are held out are lettered in fonts that the others never use."""
    kept = [font for font in fonts if held_out(font.stem)]
    free = [font for font in fonts if font not in kept]
    return [
        drawn_style(seed, (kept if held_out(f"drawn-{seed:04d}") else free) or fonts) for seed in range(count)
    ]


def styles(
    art: Path | None = None,
    real: Path | None = None,
    fonts: Sequence[Path] | None = None,
    drawn: int = 300,
    part: str = "all",
) -> list[Style]:
    """The styles at hand: folders of `art`, folders of `real` faces, and `drawn` sets lettered in `fonts`
    (none given: those that packages have installed). `part` is "all", "training" or "held-out".

    Raises FileNotFoundError where nothing is left.
    """
    found: list[Style] = []
    if art is not None:
        for folder in sorted(path for path in art.iterdir() if path.is_dir() and path.name != "animals"):
            engraved = folder.name.startswith("i-mahjong")
            one_colour = engraved or folder.name in {"noto-symbols2", "symbola"}
            found.append(folder_style(folder, colour=one_colour, trim=0.075 if engraved else 0.0))
    if real is not None:
        for folder in sorted(path for path in real.iterdir() if path.is_dir()):
            found += photo_styles(folder)
    lettered = usable_fonts(() if fonts is None else fonts)
    if lettered:
        found += _drawn_styles(drawn, lettered)
    if part != "all":
        found = [style for style in found if held_out(style.family) == (part == "held-out")]
    if not found:
        raise FileNotFoundError("no tile faces: give a folder of artwork or a font with Chinese characters")
    return found

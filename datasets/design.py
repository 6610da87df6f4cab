"""What one drawn tile set looks like: every choice of its maker as a number, drawn from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from canvas import Ink, has_glyphs

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Inks:
    """The paints of a set; a two-colour set has the same paint twice."""

    red: Ink
    green: Ink
    blue: Ink
    black: Ink


@dataclass(frozen=True, slots=True)
class Design:
    """A drawn set. `weight` scales every stroke. Kinds number the variants that the drawing modules know."""

    seed: int
    font: Path
    bold: int
    inks: Inks
    weight: float
    traditional: bool
    # Arabic numerals in the corners: "" (none), "tl", "tr", "both"
    corner: str
    corner_size: float
    corner_font: Path
    corner_ink: str
    letters: bool
    # characters
    rank_ink: str
    wan_ink: str
    old_five: bool
    # dots and bamboo
    pip: int
    big_pip: int
    dot_inks: int
    spread: float
    pip_size: float
    stick: int
    stick_inks: int
    bird: int
    bird_flip: bool
    # honours
    wind_ink: str
    white: int
    framed_honours: bool
    # flowers and seasons
    label: str
    swapped: bool
    flower_ink: str
    season_ink: str
    plant: int
    animal: int
    animal_label: str
    back: int


def _shade(rng: Rng, base: tuple[int, int, int], spread: float) -> Ink:
    b, g, r = (np.array(base) * rng.uniform(0.7, 1.2) + rng.normal(0, spread, 3)).clip(0, 235).astype(int)
    return int(b), int(g), int(r)


def _inks(rng: Rng) -> Inks:
    red = _shade(rng, [(36, 28, 190), (50, 40, 160), (40, 60, 215)][rng.integers(3)], 14)
    green = _shade(rng, [(50, 110, 20), (40, 80, 25), (70, 140, 30), (90, 110, 20)][rng.integers(4)], 12)
    blue = _shade(rng, [(140, 60, 25), (110, 40, 30), (190, 90, 30), (120, 30, 50)][rng.integers(4)], 14)
    black = _shade(rng, (40, 34, 32), 8)
    kind = rng.choice(["all", "all", "all", "all", "two", "dark", "one"])
    if kind == "two":  # one dark paint beside red
        dark = [green, blue, black][rng.integers(3)]
        return Inks(red, dark, dark, dark)
    if kind == "dark":
        return Inks(red, green, black, black)
    if kind == "one" and rng.random() < 0.5:
        return Inks(black, black, black, black)
    return Inks(red, green, blue, black)


TRADITIONAL, SIMPLIFIED = "萬東發蘭", "万东发兰"


def _traditional(rng: Rng, font: Path) -> bool:
    wanted = rng.random() < 0.85
    return has_glyphs(font, TRADITIONAL) and (bool(wanted) or not has_glyphs(font, SIMPLIFIED))


def design(seed: int, fonts: Sequence[Path]) -> Design:
    """The set that belongs to a seed; `fonts` are files with Chinese characters."""
    rng = np.random.default_rng([seed, 4711])
    font = fonts[int(rng.integers(len(fonts)))]
    dark = ["blue", "blue", "black", "green"]
    return Design(
        seed=seed,
        font=font,
        bold=int(rng.integers(-2, 6)),
        inks=_inks(rng),
        weight=float(rng.uniform(0.7, 1.35)),
        traditional=_traditional(rng, font),
        corner=str(rng.choice(["", "", "", "tl", "tl", "tl", "tr", "both"])),
        corner_size=float(rng.uniform(2.0, 3.3)),
        corner_font=fonts[int(rng.integers(len(fonts)))],
        corner_ink=str(rng.choice(["red", "blue", "black", "own"])),
        letters=bool(rng.random() < 0.7),
        rank_ink=str(rng.choice(["blue", "blue", "black", "black", "green", "red"])),
        wan_ink=str(rng.choice(["red", "red", "red", "red", "red", "black"])),
        old_five=bool(rng.random() < 0.6) and has_glyphs(font, "伍"),
        pip=int(rng.integers(8)),
        big_pip=int(rng.integers(6)),
        dot_inks=int(rng.integers(5)),
        spread=float(rng.uniform(0.92, 1.06)),
        pip_size=float(rng.uniform(0.92, 1.18)),
        stick=int(rng.integers(7)),
        stick_inks=int(rng.integers(5)),
        bird=int(rng.integers(7)),
        bird_flip=bool(rng.random() < 0.5),
        wind_ink=str(rng.choice([*dark, "blue"])),
        white=int(rng.integers(10)),
        framed_honours=bool(rng.random() < 0.07),
        label=str(rng.choice(LABELS, p=LABEL_SHARES)),
        swapped=bool(rng.random() < 0.4),
        flower_ink=str(rng.choice(["blue", "blue", "blue", "black", "green", "red"])),
        season_ink=str(rng.choice(["red", "red", "red", "black", "blue"])),
        plant=int(rng.integers(8)),
        animal=int(rng.integers(4)),
        animal_label=str(rng.choice(["", "", "", "number", "character"])),
        back=int(rng.integers(9)),
    )


# How a set tells its flowers and seasons apart: by character and Arabic numeral; by Arabic numerals on
# flowers and Chinese ones on seasons; by the character alone; by the character with a Chinese numeral; by
# numerals in two colours; by a large character without a picture; by another four-word saying with numerals.
LABELS = ("both", "arabic_chinese", "character", "character_chinese", "coloured", "large", "saying")
LABEL_SHARES = (0.52, 0.14, 0.12, 0.05, 0.07, 0.05, 0.05)

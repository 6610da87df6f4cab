"""Tile sets drawn by this project: any number of styles, each from its own seed."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from canvas import Canvas, has_glyphs
from creatures import animal_face, bird_face
from design import SIMPLIFIED, TRADITIONAL, Design, design
from numpy.typing import NDArray
from plants import flower_face
from suits import back_face, character_face, dot_face, honour_face, ink, stick_face

NEEDED = "一二三四五六七八九南西北中梅菊竹春夏秋冬"  # and the rest in one of the two scripts
# Where Debian's packages put fonts with Chinese characters; those that are there are used.
FONT_FOLDER = Path("/usr/share/fonts")
FONTS: tuple[str, ...] = (
    "truetype/arphic/ukai.ttc", "truetype/arphic/uming.ttc",
    "truetype/arphic-bkai00mp/bkai00mp.ttf", "truetype/arphic-bsmi00lp/bsmi00lp.ttf",
    "truetype/cns11643/TW-Kai-98_1.ttf", "truetype/cns11643/TW-Sung-98_1.ttf",
    "truetype/cwtex/cwfs.ttf", "truetype/cwtex/cwheib.ttf", "truetype/cwtex/cwkai.ttf",
    "truetype/cwtex/cwming.ttf", "truetype/cwtex/cwyen.ttf",
    "opentype/noto/NotoSansCJK-Bold.ttc", "opentype/noto/NotoSerifCJK-Bold.ttc",
    "opentype/noto/NotoSerifCJK-Regular.ttc",
    "truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf", "truetype/lxgw-wenkai/LXGWWenKai-Regular.ttf",
    "truetype/wqy/wqy-zenhei.ttc", "truetype/wqy/wqy-microhei.ttc",
    "truetype/kouzan-mouhitsu/kouzan-mouhitsu.ttf", "truetype/kouzan-mouhitsu/kouzan-mouhitsu-gyosho.ttf",
    "truetype/aoyagi-kouzan-t/AoyagiKouzanT.ttf", "opentype/ipafont-mincho/ipam.ttf",
    "truetype/horai-umefont/ume-tms3.ttf", "truetype/yusei-magic/YuseiMagic-Regular.ttf",
    "truetype/reggae/ReggaeOne-Regular.ttf", "opentype/klee/KleeOne-SemiBold.otf",
)  # fmt: skip


def usable_fonts(paths: Sequence[Path] = ()) -> list[Path]:
    """Those of `paths` (or of the fonts that packages install) that hold the characters of a set."""
    tried = list(paths) or [FONT_FOLDER / name for name in FONTS]
    scripts = [NEEDED + TRADITIONAL, NEEDED + SIMPLIFIED]
    return [p for p in tried if p.exists() and any(has_glyphs(p, text) for text in scripts)]


def drawn_face(look: Design, code: str) -> NDArray[np.uint8] | None:
    """One face, (240, 180, 4) BGRA. `0m`, `0p` and `0s` are red fives."""
    canvas, rank, suit = Canvas(), int(code[0]), code[-1]
    if code == "0x":
        if look.back > 3:
            return None
        back_face(canvas, look)
        return canvas.face()
    red = rank == 0
    rank = 5 if red else rank
    if suit == "m":
        character_face(canvas, look, rank, red)
    elif suit == "p":
        dot_face(canvas, look, rank, red)
    elif suit == "s":
        if rank == 1:
            bird_face(canvas, look)
        else:
            stick_face(canvas, look, rank, red)
    elif suit == "z":
        honour_face(canvas, look, rank)
    elif suit == "f":
        flower_face(canvas, look, rank)
    else:
        animal_face(canvas, look, rank)
    _corners(canvas, look, rank, suit, red)
    return canvas.face()


def _corners(canvas: Canvas, look: Design, rank: int, suit: str, red: bool) -> None:
    """The index in a corner that sets for export carry."""
    letters = "ESWN" + " P B"[1 + 2 * (look.seed % 2)] + "FC"
    text = str(rank) if suit in "mps" else letters[rank - 1] if suit == "z" and look.letters else ""
    if not look.corner or not text or (suit == "z" and rank == 5 and look.white < 2):
        return
    own = {"m": "red", "p": "blue", "s": "green"}.get(suit, "black")
    paint = look.inks.red if red else ink(look.inks, own if look.corner_ink == "own" else look.corner_ink)
    size, edge = look.corner_size, look.corner_size * 0.42
    if look.corner in ("tl", "both"):
        canvas.character(text, look.corner_font, (edge, edge, size, size), paint, 2)
    if look.corner in ("tr", "both"):
        canvas.character(text, look.corner_font, (12 - edge, edge, size, size), paint, 2)


def drawn_set(seed: int, fonts: Sequence[Path]) -> functools._lru_cache_wrapper[NDArray[np.uint8] | None]:
    """The faces of the set that belongs to `seed`, from tile code to picture."""
    look = design(seed, fonts)

    @functools.lru_cache(maxsize=64)
    def face(code: str) -> NDArray[np.uint8] | None:
        return drawn_face(look, code)

    return face

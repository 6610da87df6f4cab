"""The drawn faces of a hand as one SVG drawing, for paper: the same faces as on the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from scorer import Hand

__all__ = ["PAPERS", "hand_drawing"]

#: The sizes of a sheet.
PAPERS = ("a4", "letter")

_FACES = Path(__file__).parent / "page" / "tiles.svg"
_WIDE, _HIGH = 320, 420
_GAP = 120
_PART = re.compile(r'<(symbol|g) id="([^"]+)"[^>]*>(.*?)</\1>', re.DOTALL)
_REFERENCE = re.compile(r'href="#([^"]+)"')


@lru_cache(maxsize=1)
def _parts() -> dict[str, str]:
    """Every face and every piece of one, by its id."""
    return {match[2]: match[3] for match in _PART.finditer(_FACES.read_text(encoding="utf-8"))}


def hand_drawing(hand: Hand) -> tuple[str, float]:
    """The hand as SVG, and its width in heights of a tile.

    Sets on the table stand apart and, claimed, on a line; the outer tiles of a concealed kong lie face down;
    the winning tile stands apart in a frame; bonus tiles are last.
    """
    places: list[tuple[float, str, str]] = []
    lines: list[tuple[float, float]] = []
    at = 0.0
    for meld in hand.melds:
        codes = [str(tile) for tile in meld.tiles]
        if meld.concealed:
            codes = ["0x", codes[1], codes[2], "0x"]
        begin, at = at, _row(places, at, codes)
        if not meld.concealed:
            lines.append((begin, at - (_WIDE - 300)))
        at += _GAP
    at = _row(places, at, [str(tile) for tile in hand.concealed])
    if hand.winning is not None:
        at = _row(places, at + _GAP, [str(hand.winning)], "won")
    if hand.bonus:
        at = _row(places, at + 2 * _GAP, [str(tile) for tile in hand.bonus])
    return _drawn(places, lines, at), at / _HIGH


def _row(places: list[tuple[float, str, str]], at: float, codes: Sequence[str], kind: str = "") -> float:
    for code in codes:
        places.append((at, code, kind))
        at += _WIDE
    return at


def _drawn(
    places: Sequence[tuple[float, str, str]], lines: Sequence[tuple[float, float]], width: float
) -> str:
    body = []
    for at, code, kind in places:
        edge, thick = ("#c2242f", 14) if kind else ("#8a8575", 5)
        body.append(
            f'<rect x="{at:.0f}" y="0" width="300" height="400" rx="26" fill="#fffdf6" stroke="{edge}" '
            f'stroke-width="{thick}"/>'
            f'<g transform="translate({at + 21:.0f} 28) scale(0.86)"><use href="#t-{code}"/></g>'
        )
    for begin, end in lines:
        body.append(f'<path d="M{begin:.0f} 424H{end:.0f}" stroke="#26303d" stroke-width="10" fill="none"/>')
    needed = _needed([f"t-{code}" for _, code, _ in places])
    parts = _parts()
    defs = "".join(f'<g id="{name}">{parts[name]}</g>' for name in needed)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 {max(width, _WIDE) + 10:.0f} 450">'
        f"<defs>{defs}</defs>{''.join(body)}</svg>"
    )


def _needed(names: Sequence[str]) -> list[str]:
    """The parts that these are drawn with, each before those that use it."""
    parts, found = _parts(), list[str]()

    def add(name: str) -> None:
        if name in found or name not in parts:
            return
        for other in _REFERENCE.findall(parts[name]):
            add(other)
        found.append(name)

    for name in names:
        add(name)
    return found

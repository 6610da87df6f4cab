"""Drawn faces of the three suits and the honours."""

from __future__ import annotations

import math

import numpy as np
from canvas import Canvas, Ink, Point, curve, oval
from design import Design, Inks

# Where the pips of each rank lie, in twelfths.
_DOTS: dict[int, tuple[Point, ...]] = {
    2: ((6, 4), (6, 12)),
    3: ((3, 3), (6, 8), (9, 13)),
    4: ((3.3, 4), (8.7, 4), (3.3, 12), (8.7, 12)),
    5: ((3, 3.5), (9, 3.5), (6, 8), (3, 12.5), (9, 12.5)),
    6: ((3.5, 3.3), (8.5, 3.3), (3.5, 8.7), (8.5, 8.7), (3.5, 12.7), (8.5, 12.7)),
    7: ((2.7, 2.4), (6, 4), (9.3, 5.6), (3.6, 9.4), (8.4, 9.4), (3.6, 13.2), (8.4, 13.2)),
    8: tuple((x, y) for y in (2.5, 6.2, 9.9, 13.6) for x in (3.7, 8.3)),
    9: tuple((x, y) for y in (3, 8, 13) for x in (2.5, 6, 9.5)),
}
_RADIUS = {2: 2.5, 3: 2.0, 4: 2.0, 5: 1.85, 6: 1.75, 7: 1.65, 8: 1.65, 9: 1.6}
# Colours of the pips by rank, one table a kind of set; the last letter goes on for the rest.
_DOT_INKS: tuple[dict[int, str], ...] = (
    {2: "gb", 3: "brg", 4: "bggb", 5: "bgrgb", 6: "ggrrrr", 7: "gggrrrr", 8: "b", 9: "gggrrrbbb"},
    {2: "bg", 3: "grb", 4: "gbbg", 5: "gbrbg", 6: "bbrrrr", 7: "bbbrrrr", 8: "k", 9: "bbbrrrggg"},
    {2: "g", 3: "gbr", 4: "b", 5: "bbrbb", 6: "ggrrrr", 7: "gggrrrr", 8: "b", 9: "gggrrrggg"},
    {2: "gr", 3: "brg", 4: "bggb", 5: "bgrgb", 6: "ggrrrr", 7: "bbbrrrr", 8: "b", 9: "bbbrrrggg"},
    {2: "k", 3: "krk", 4: "k", 5: "kkrkk", 6: "kkrrrr", 7: "kkkrrrr", 8: "k", 9: "kkkrrrkkk"},
)
_STICKS: dict[int, tuple[Point, ...]] = {
    2: ((6, 4.4), (6, 11.6)),
    3: ((6, 4.4), (3.5, 11.6), (8.5, 11.6)),
    4: ((3.5, 4.4), (8.5, 4.4), (3.5, 11.6), (8.5, 11.6)),
    5: ((2.8, 4.4), (9.2, 4.4), (6, 8), (2.8, 11.6), (9.2, 11.6)),
    6: tuple((x, y) for y in (4.4, 11.6) for x in (2.8, 6, 9.2)),
    7: ((6, 3), *((x, y) for y in (8, 13) for x in (2.8, 6, 9.2))),
    9: tuple((x, y) for y in (3, 8, 13) for x in (2.8, 6, 9.2)),
}
_STICK_INKS: tuple[dict[int, str], ...] = (
    {2: "g", 3: "g", 4: "g", 5: "ggrgg", 6: "g", 7: "rgggggg", 8: "g", 9: "grggrggrg"},
    {2: "gb", 3: "bgg", 4: "bggb", 5: "gbrbg", 6: "gggbbb", 7: "rgbgbgb", 8: "ggggbbbb", 9: "grbgrbgrb"},
    {2: "bg", 3: "gbb", 4: "gbbg", 5: "bgrgb", 6: "bbbggg", 7: "rgggbbb", 8: "g", 9: "rrrgggbbb"},
    {2: "k", 3: "k", 4: "k", 5: "kkrkk", 6: "k", 7: "rkkkkkk", 8: "k", 9: "krkkrkkrk"},
    {2: "g", 3: "rgg", 4: "bbgg", 5: "ggrgg", 6: "gggggg", 7: "rggbbgg", 8: "g", 9: "gggrrrggg"},
)


def ink(inks: Inks, name: str) -> Ink:
    """A paint by its name or its letter (k is black)."""
    by_letter: dict[str, Ink] = {"r": inks.red, "g": inks.green, "b": inks.blue, "k": inks.black}
    return inks.black if name == "black" else by_letter[name[0]]


def _letter(table: dict[int, str], rank: int, index: int) -> str:
    letters = table[rank]
    return letters[min(index, len(letters) - 1)]


def character_face(canvas: Canvas, look: Design, rank: int, red: bool) -> None:
    """一萬 to 九萬."""
    rng = np.random.default_rng([look.seed, 1])
    numbers = "一二三四伍六七八九" if look.old_five else "一二三四五六七八九"
    high, wide = rng.uniform(5.4, 7.8), rng.uniform(6.0, 8.6)
    wan = "萬" if look.traditional else "万"
    first = look.inks.red if red else ink(look.inks, look.rank_ink)
    second = look.inks.red if red else ink(look.inks, look.wan_ink)
    canvas.character(numbers[rank - 1], look.font, (6, rng.uniform(3.7, 4.8), wide, high), first, look.bold)
    box = (6, rng.uniform(10.8, 12), wide * rng.uniform(0.9, 1.15), rng.uniform(6.2, 8.4))
    canvas.character(wan, look.font, box, second, look.bold)


def _pip(canvas: Canvas, kind: int, x: float, y: float, r: float, paint: Ink, look: Design) -> None:
    w = look.weight
    if kind == 0:  # rings around a dot
        canvas.ring(x, y, r, 0.28 * r * w, paint)
        canvas.disc(x, y, 0.38 * r, paint)
    elif kind == 1:  # filled, a pale star cut out
        canvas.disc(x, y, r, paint)
        for step in range(6):
            a = step * math.pi / 3
            canvas.line([(x, y), (x + 0.62 * r * math.cos(a), y + 0.62 * r * math.sin(a))], 0.09 * r, None)
    elif kind == 2:  # three rings
        for share in (1.0, 0.66, 0.32):
            canvas.ring(x, y, share * r, 0.15 * r * w, paint)
        canvas.disc(x, y, 0.12 * r, look.inks.red)
    elif kind == 3:  # flower in a ring
        canvas.ring(x, y, r, 0.16 * r * w, paint)
        for step in range(8):
            a = step * math.pi / 4
            canvas.disc(x + 0.5 * r * math.cos(a), y + 0.5 * r * math.sin(a), 0.17 * r, paint)
        canvas.disc(x, y, 0.2 * r, paint)
    elif kind == 4:  # filled, a ring cut out
        canvas.disc(x, y, r, paint)
        canvas.ring(x, y, 0.68 * r, 0.13 * r, None)
        canvas.disc(x, y, 0.2 * r, None)
    elif kind == 5:  # wheel
        canvas.ring(x, y, r, 0.2 * r * w, paint)
        for step in range(4):
            a = step * math.pi / 4 + 0.2
            dx, dy = 0.8 * r * math.cos(a), 0.8 * r * math.sin(a)
            canvas.line([(x - dx, y - dy), (x + dx, y + dy)], 0.12 * r * w, paint)
        canvas.disc(x, y, 0.3 * r, paint)
    elif kind == 6:  # cross in a thick ring
        canvas.ring(x, y, r, 0.34 * r * w, paint)
        canvas.line([(x - 0.4 * r, y), (x + 0.4 * r, y)], 0.2 * r * w, paint)
        canvas.line([(x, y - 0.4 * r), (x, y + 0.4 * r)], 0.2 * r * w, paint)
    else:  # plain disc with a pale middle
        canvas.disc(x, y, r, paint)
        canvas.disc(x, y, 0.34 * r, None)
        canvas.disc(x, y, 0.16 * r, paint)


def dot_face(canvas: Canvas, look: Design, rank: int, red: bool) -> None:
    """One to nine dots."""
    if rank == 1:
        _big_pip(canvas, look)
        return
    table = _DOT_INKS[look.dot_inks]
    shrink = 0.9 if look.corner and rank in (3, 5, 7, 9) else 1.0
    for index, (x, y) in enumerate(_DOTS[rank]):
        paint = look.inks.red if red else ink(look.inks, _letter(table, rank, index))
        at = 6 + (x - 6) * look.spread, 8 + (y - 8) * look.spread
        _pip(canvas, look.pip, *at, _RADIUS[rank] * look.pip_size * shrink, paint, look)


def _big_pip(canvas: Canvas, look: Design) -> None:
    rng = np.random.default_rng([look.seed, 2])
    inks, w, r = look.inks, look.weight, rng.uniform(3.6, 5.3)
    outer = ink(inks, str(rng.choice(["green", "blue", "black", "red"])))
    inner = ink(inks, str(rng.choice(["red", "red", "green", "blue"])))
    x, y = 6.0, 8.0
    if look.big_pip in (0, 3):
        canvas.ring(x, y, r, 0.14 * r * w, outer)
        if look.big_pip == 3:
            canvas.ring(x, y, 0.82 * r, 0.05 * r * w, outer)
    count = int(rng.integers(8, 18))
    reach = 0.62 if look.big_pip in (0, 3) else 0.8
    if look.big_pip in (0, 1, 2, 3):  # a wheel of petals
        for step in range(count):
            a = 2 * math.pi * step / count
            middle = (x + reach * r * math.cos(a), y + reach * r * math.sin(a))
            petal = oval(*middle, 0.2 * r, min(0.16, 2 / count) * r, a, 0.3)
            if look.big_pip == 1:
                canvas.line(petal, 0.05 * r * w, outer, closed=True)
            else:
                canvas.fill(petal, outer if look.big_pip == 2 else inner)
    if look.big_pip == 4:  # rings only
        for share in (1.0, 0.78, 0.56, 0.34):
            canvas.ring(x, y, share * r, 0.1 * r * w, outer if share != 0.56 else inner)
    if look.big_pip == 5:  # a filled disc with a pale pattern
        canvas.disc(x, y, r, outer)
        for step in range(count):
            a = 2 * math.pi * step / count
            canvas.disc(x + 0.78 * r * math.cos(a), y + 0.78 * r * math.sin(a), 0.08 * r, None)
        canvas.ring(x, y, 0.6 * r, 0.1 * r, None)
    canvas.ring(x, y, 0.36 * r, 0.09 * r * w, inner)
    canvas.disc(x, y, rng.uniform(0.1, 0.24) * r, inner)


def _stick(canvas: Canvas, look: Design, x: float, y: float, half: float, lean: float, paint: Ink) -> None:
    kind, w = look.stick, 0.85 + 0.5 * look.weight
    dx, dy = half * math.sin(lean), half * math.cos(lean)

    def at(along: float, across: float = 0.0) -> Point:
        c, s = math.cos(lean), math.sin(lean)
        return x + along * dx + across * c, y + along * dy - across * s

    if kind == 0:  # bone: three knobs
        canvas.line([at(-0.85), at(0.85)], 0.8 * w, paint)
        for place in (-0.85, 0.0, 0.85):
            canvas.fill(oval(*at(place), 0.75, 0.42, -lean), paint)
    elif kind == 1:  # two segments with a gap between
        for place in (-0.52, 0.52):
            canvas.line([at(place - 0.33), at(place + 0.33)], 1.05 * w, paint)
    elif kind == 2:  # outline with a joint
        shape = [at(-1, -0.5), at(-1, 0.5), at(0, 0.35), at(1, 0.5), at(1, -0.5), at(0, -0.35)]
        canvas.line(shape, 0.3 * w, paint, closed=True)
        canvas.line([at(0, -0.5), at(0, 0.5)], 0.34 * w, paint)
    elif kind == 3:  # solid with a pale line along it
        canvas.line([at(-0.85), at(0.85)], 1.2 * w, paint)
        canvas.line([at(-0.7), at(-0.15)], 0.22, None)
        canvas.line([at(0.15), at(0.7)], 0.22, None)
    elif kind == 4:  # bone of two rings
        for place in (-0.5, 0.5):
            canvas.line(oval(*at(place), half * 0.46, 0.5, math.pi / 2 - lean), 0.34 * w, paint, closed=True)
        canvas.line([at(0, -0.6), at(0, 0.6)], 0.4 * w, paint)
    elif kind == 5:  # flat bar with knobs only at its ends
        canvas.line([at(-0.8), at(0.8)], 0.62 * w, paint)
        for place in (-0.9, 0.9, 0):
            canvas.line([at(place, -0.5), at(place, 0.5)], 0.36 * w, paint)
    else:  # tapering halves
        for sign in (-1, 1):
            canvas.fill([at(0.06 * sign, -0.3), at(0.06 * sign, 0.3), at(sign, 0.62), at(sign, -0.62)], paint)
        canvas.line([at(0, -0.55), at(0, 0.55)], 0.26 * w, paint)


def stick_face(canvas: Canvas, look: Design, rank: int, red: bool) -> None:
    """Two to nine bamboo sticks; the bird of the first is drawn elsewhere."""
    table = _STICK_INKS[look.stick_inks]

    def paint(index: int) -> Ink:
        return look.inks.red if red else ink(look.inks, _letter(table, rank, index))

    if rank == 8:
        lean = 0.5 + 0.15 * ((look.seed % 7) / 7)
        for row, (y, sign) in enumerate(((4.4, 1), (11.6, -1))):
            for column, (x, turn) in enumerate(((2.2, 0.0), (4.7, sign), (7.3, -sign), (9.8, 0.0))):
                _stick(canvas, look, x, y, 2.8, lean * turn, paint(4 * row + column))
        return
    half = 2.9 if rank < 7 else 2.15
    for index, (x, y) in enumerate(_STICKS[rank]):
        _stick(canvas, look, 6 + (x - 6) * look.spread, y, half, 0.0, paint(index))


def honour_face(canvas: Canvas, look: Design, rank: int) -> None:
    """Winds and dragons."""
    if rank == 5:
        white_face(canvas, look)
        return
    rng = np.random.default_rng([look.seed, 3])
    text = "東南西北 發中" if look.traditional else "东南西北 发中"
    paint = {6: look.inks.green, 7: look.inks.red}.get(rank, ink(look.inks, look.wind_ink))
    size = rng.uniform(8.4, 11.4), rng.uniform(10, 14.2)
    if look.framed_honours:
        canvas.line([(1, 1), (11, 1), (11, 15), (1, 15)], 0.3 * look.weight, paint, closed=True)
        size = 8.0, 10.4
    canvas.character(text[rank - 1], look.font, (6, 8.2, *size), paint, look.bold)


def white_face(canvas: Canvas, look: Design) -> None:
    """The white dragon: blank, framed in several ways, with a letter or a word."""
    rng = np.random.default_rng([look.seed, 4])
    kind, w = look.white, look.weight
    paint = ink(look.inks, str(rng.choice(["blue", "blue", "blue", "black", "green"])))
    if kind < 2:
        return
    inset, high = rng.uniform(1.0, 2.4), rng.uniform(1.0, 2.2)

    def frame(more: float, width: float, cut: float) -> None:
        x0, y0 = inset + more, high + more
        x1, y1 = 12 - x0, 16 - y0
        points = [(x0 + cut, y0), (x1 - cut, y0), (x1, y0 + cut), (x1, y1 - cut)]
        points += [(x1 - cut, y1), (x0 + cut, y1), (x0, y1 - cut), (x0, y0 + cut)]
        canvas.line(points, width, paint, closed=True)

    if kind in (2, 3, 4):  # one thick frame, perhaps with a thin one within
        frame(0, rng.uniform(0.4, 0.9) * w, 0.0 if kind == 2 else rng.uniform(0.3, 1.0))
        if kind != 3:
            frame(rng.uniform(0.8, 1.1), 0.22 * w, 0.0 if kind == 2 else 0.9)
    elif kind in (5, 6):  # two thin frames with rungs between
        frame(0, 0.28 * w, 0.0)
        frame(1.3, 0.28 * w, 0.0)
        count = int(rng.integers(2, 6))
        for step in range(count + 1):
            x = inset + (12 - 2 * inset) * step / count
            y = high + (16 - 2 * high) * step / count
            for side in (high, 16 - high - 1.3):
                canvas.line([(x, side), (x, side + 1.3)], 0.24 * w, paint)
            for side in (inset, 12 - inset - 1.3):
                canvas.line([(side, y), (side + 1.3, y)], 0.24 * w, paint)
    elif kind in (7, 8):  # a frame of scallops or dashes
        frame(0, 0.3 * w, 0.5)
        for step in range(14):
            t = step / 14
            for x, y in (
                (inset + (12 - 2 * inset) * t, high),
                (12 - inset - (12 - 2 * inset) * t, 16 - high),
            ):
                canvas.disc(x, y, 0.4 * w, paint)
            for x, y in ((inset, high + (16 - 2 * high) * t), (12 - inset, 16 - high - (16 - 2 * high) * t)):
                canvas.disc(x, y, 0.4 * w, paint)
    if kind == 9 or rng.random() < 0.25:
        mark = str(rng.choice(["B", "P", "白", "B"]))
        size = (9.0, 11.0) if kind == 9 and mark == "白" else (4.4, 4.8)
        canvas.character(mark, look.font, (6, 8, *size), ink(look.inks, str(rng.choice(["red", "blue"]))))


def back_face(canvas: Canvas, look: Design) -> None:
    """What some sets print on their backs, in a paint that the renderer shades; most print nothing."""
    rng = np.random.default_rng([look.seed, 5])
    paint: Ink = tuple(int(v) for v in rng.uniform(120, 255, 3))  # type: ignore[assignment]
    kind = look.back
    if kind == 0:
        for step in range(-16, 28, 3):
            canvas.line([(step, 0), (step + 16, 16)], 0.25, paint)
            canvas.line([(step, 16), (step + 16, 0)], 0.25, paint)
    elif kind == 1:
        for x in np.arange(1.5, 12, 3):
            for y in np.arange(1.5, 16, 3):
                canvas.disc(float(x), float(y), 0.7, paint)
    elif kind == 2:
        canvas.line([(1.2, 1.2), (10.8, 1.2), (10.8, 14.8), (1.2, 14.8)], 0.5, paint, closed=True)
        canvas.character(str(rng.choice(list("福祿壽喜發"))), look.font, (6, 8, 8, 8), paint)
    elif kind == 3:
        for y in np.arange(0.0, 17, 1.6):
            canvas.line(curve((0, y), (6, y + 2), (12, y)), 0.25, paint)

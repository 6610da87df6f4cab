"""Drawn flowers and seasons: a plant, and the character or numeral by which players tell them apart."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
from blossoms import Palette, bloom
from canvas import Canvas, Ink, Point, curve, has_glyphs, oval
from design import Design, Rng
from suits import ink

NAMES = {True: "梅蘭菊竹春夏秋冬", False: "梅兰菊竹春夏秋冬"}
SAYINGS = ("琴棋書畫漁樵耕讀", "福祿壽喜東西南北", "富貴花開一帆風順", "春夏秋冬梅蘭菊竹"[:4] + "富貴榮華")
_HAN = "一二三四"


def _leaf(canvas: Canvas, rng: Rng, at: Point, angle: float, size: float, paint: Ink, kind: int) -> None:
    x, y = at[0] + 0.9 * size * math.cos(angle), at[1] + 0.9 * size * math.sin(angle)
    shape = oval(x, y, size, size * rng.uniform(0.34, 0.48), angle, 0.75)
    if kind == 0:
        canvas.fill(shape, paint)
        canvas.line([at, (x + 0.6 * size * math.cos(angle), y + 0.6 * size * math.sin(angle))], 0.1, None)
    elif kind == 1:
        canvas.line(shape, 0.22, paint, closed=True)
        canvas.line([at, (x, y)], 0.16, paint)
    elif kind == 2:
        canvas.line([at, (x + size * math.cos(angle), y + size * math.sin(angle))], 0.42, paint)
    else:
        canvas.fill(shape, paint)


def _stem(canvas: Canvas, rng: Rng, start: Point, end: Point, paints: Palette, leaves: int) -> None:
    bend = ((start[0] + end[0]) / 2 + rng.normal(0, 1.6), (start[1] + end[1]) / 2 + rng.normal(0, 0.8))
    points = curve(start, bend, end)
    canvas.line(points, rng.uniform(0.24, 0.46), paints.leaf)
    kind = int(rng.integers(4))
    for index in range(leaves):
        at = points[1 + int((len(points) - 3) * (index + 0.5) / leaves)]
        side = math.pi if index % 2 else 0.0
        angle = side + (1 if index % 2 else -1) * rng.uniform(0.1, 0.9)
        _leaf(canvas, rng, at, angle, rng.uniform(0.7, 1.25), paints.leaf, kind)


def _plum(canvas: Canvas, rng: Rng, paints: Palette, kind: int) -> None:
    point = (rng.uniform(3, 5), 14.8)
    trunk = [point]
    for _ in range(4):
        point = (point[0] + rng.uniform(-0.8, 1.9), point[1] - rng.uniform(1.6, 2.6))
        trunk.append(point)
    canvas.line(trunk, rng.uniform(0.4, 0.75), paints.wood)
    for at in trunk[1:]:
        tip = (at[0] + rng.uniform(-2.8, 2.8), at[1] - rng.uniform(0.4, 1.6))
        canvas.line([at, tip], 0.28, paints.wood)
        bloom(canvas, rng, *tip, rng.uniform(0.8, 1.5), paints, kind)
        if rng.random() < 0.7:
            canvas.disc(at[0] + rng.uniform(-1.2, 1.2), at[1] - 1.1, 0.34, paints.bloom)


def _grass(canvas: Canvas, rng: Rng, paints: Palette, kind: int) -> None:
    root = (rng.uniform(4.6, 7), 14.4)
    for index in range(int(rng.integers(5, 10))):
        side = 1 if index % 2 else -1
        end = (root[0] + side * rng.uniform(1.0, 4.8), rng.uniform(5.6, 12.4))
        mid = (root[0] + side * rng.uniform(0, 1.5), end[1] - rng.uniform(-1, 2.5))
        blade = curve(root, mid, end)
        if rng.random() < 0.5:
            canvas.line(blade, 0.36, paints.leaf)
        else:  # a blade that tapers
            canvas.line(blade[:7], 0.5, paints.leaf)
            canvas.line(blade[6:], 0.26, paints.leaf)
    for _ in range(int(rng.integers(1, 4))):
        at = (root[0] + rng.uniform(-2.2, 2.6), rng.uniform(7.5, 12))
        canvas.line([root, at], 0.2, paints.leaf)
        bloom(canvas, rng, *at, rng.uniform(0.6, 1.2), paints, kind)


def _bush(canvas: Canvas, rng: Rng, paints: Palette, kind: int) -> None:
    root = (rng.uniform(5, 7), 14.9)
    head = (rng.uniform(4.6, 7.4), rng.uniform(8.6, 11.2))
    for _ in range(int(rng.integers(1, 4))):
        tip = (head[0] + rng.uniform(-3.6, 3.6), rng.uniform(4.6, 8.2))
        _stem(canvas, rng, head, tip, paints, int(rng.integers(2, 6)))
        if rng.random() < 0.5:
            canvas.disc(*tip, rng.uniform(0.3, 0.6), paints.bloom)
    for side in (-1, 1):
        _stem(canvas, rng, root, (root[0] + side * rng.uniform(2, 4.2), rng.uniform(10.5, 14)), paints, 3)
    canvas.line(curve(root, (root[0] + rng.normal(0, 1), 13), head), 0.34, paints.leaf)
    bloom(canvas, rng, *head, rng.uniform(1.5, 2.4), paints, kind)


def _single(canvas: Canvas, rng: Rng, paints: Palette, kind: int) -> None:
    head = (rng.uniform(4, 8), rng.uniform(7, 9.5))
    root = (rng.uniform(4.4, 7.6), 15.0)
    _stem(canvas, rng, root, head, paints, int(rng.integers(2, 5)))
    bloom(canvas, rng, *head, rng.uniform(1.7, 2.5), paints, kind)
    if rng.random() < 0.6:
        other = (head[0] + (3.2 if head[0] < 6 else -3.2), head[1] + rng.uniform(0.5, 3))
        _stem(canvas, rng, (6, 13.6), other, paints, 1)
        bloom(canvas, rng, *other, rng.uniform(0.8, 1.4), paints, kind)


def _vine(canvas: Canvas, rng: Rng, paints: Palette, kind: int) -> None:
    swing, waves = rng.uniform(1.0, 2.6), rng.uniform(0.7, 1.4)
    points = [(6 + swing * math.sin(2 * math.pi * waves * t), 14.8 - 9.6 * t) for t in np.linspace(0, 1, 22)]
    canvas.line(points, 0.34, paints.leaf)
    leaf = int(rng.integers(4))
    for index in range(2, 21, 3):
        angle = rng.uniform(-0.8, 0.5) + (math.pi if index % 2 else 0)
        _leaf(canvas, rng, points[index], angle, rng.uniform(0.7, 1.2), paints.leaf, leaf)
    at = points[int(rng.integers(4, 16))]
    bloom(canvas, rng, *at, rng.uniform(1.2, 2.0), paints, kind)


def _water(canvas: Canvas, rng: Rng, paints: Palette, kind: int) -> None:
    canvas.line(oval(6, 13.2, 3.8, 1.1), 0.3, paints.leaf, closed=True)
    for x in (3.6, 6.1, 8.6):
        tip = (x + rng.normal(0, 0.7), rng.uniform(6.5, 10))
        canvas.line(curve((6 + (x - 6) * 0.4, 13), (x, 11), tip), 0.28, paints.leaf)
        if rng.random() < 0.6:
            bloom(canvas, rng, *tip, rng.uniform(1.0, 1.7), paints, 4 if rng.random() < 0.6 else kind)
        else:
            canvas.fill(oval(*tip, 1.4, 0.6, rng.normal(0, 0.2)), paints.leaf)
    for y in (14.4, 15.0):
        canvas.line([(3 + rng.uniform(0, 1), y), (9 - rng.uniform(0, 1), y)], 0.2, paints.base)


def _pine(canvas: Canvas, rng: Rng, paints: Palette, kind: int) -> None:
    canvas.line(curve((4, 15), (4, 10), (8.4, 6.4)), 0.7, paints.wood)
    for _ in range(int(rng.integers(4, 7))):
        x, y = rng.uniform(2.6, 9.6), rng.uniform(5.6, 12)
        for a in np.linspace(math.pi, 2 * math.pi, 9):
            canvas.line([(x, y), (x + 1.6 * math.cos(a), y + 1.3 * math.sin(a))], 0.18, paints.leaf)
        if rng.random() < 0.4:
            bloom(canvas, rng, x, y + 0.5, 0.9, paints, kind)


def _bamboo(canvas: Canvas, rng: Rng, paints: Palette, kind: int) -> None:
    hollow = bool(rng.random() < 0.5)
    for index in range(int(rng.integers(1, 4))):
        x, lean = 3.6 + 2.3 * index + rng.uniform(-0.4, 0.4), rng.normal(0, 0.12)
        top, width = rng.uniform(4.8, 7.4), rng.uniform(0.55, 1.1)
        cuts = np.linspace(15, top, int(rng.integers(4, 6)))
        for low, high in itertools.pairwise(cuts):
            a, b = (x + lean * (15 - low), low - 0.15), (x + lean * (15 - high), high + 0.15)
            if hollow:
                shape = [(a[0] - width / 2, a[1]), (b[0] - width / 2, b[1])]
                shape += [(b[0] + width / 2, b[1]), (a[0] + width / 2, a[1])]
                canvas.line(shape, 0.24, paints.culm, closed=True)
            else:
                canvas.line([a, b], width, paints.culm)
        for _ in range(int(rng.integers(2, 5))):
            at = (x + rng.uniform(-0.5, 0.5), rng.uniform(top, 13))
            side = 0.5 if rng.random() < 0.5 else math.pi - 0.5
            for turn in (-0.55, 0.0, 0.55)[: int(rng.integers(2, 4))]:
                _leaf(canvas, rng, at, side + turn, rng.uniform(0.9, 1.4), paints.leaf, 3 if hollow else 0)


def _pot(canvas: Canvas, rng: Rng, paints: Palette) -> None:
    top = rng.uniform(11.6, 12.6)
    shape = [(3.6, top), (8.4, top), (7.6, 14.6), (4.4, 14.6)]
    canvas.fill(shape, None)
    canvas.line(shape, 0.34, paints.base, closed=True)
    canvas.line([(3.2, top), (8.8, top)], 0.5, paints.wood)
    for x in (4.8, 6, 7.2):
        canvas.line([(x, top + 0.6), (x, 14.2)], 0.2, paints.base)
    canvas.line([(4, 15.3), (8, 15.3)], 0.4, paints.wood)


def _rock(canvas: Canvas, rng: Rng, paints: Palette) -> None:
    x = rng.uniform(2, 5)
    points = [(x + i * 0.9, 15.2 - (rng.uniform(0.2, 1.6) if 0 < i < 5 else 0)) for i in range(6)]
    canvas.fill(points, paints.base)


Plant = Callable[[Canvas, Rng, Palette, int], None]
_ANY: tuple[Plant, ...] = (_plum, _grass, _bush, _single, _vine, _water, _pine)
# Which plants stand for a tile; many sets draw one peony for all four seasons.
_OWN: dict[int, tuple[Plant, ...]] = {
    1: (_plum, _plum, _plum, _bush, _single, _vine),
    2: (_grass,),
    3: (_bush, _single, _bush, _vine),
    4: (_bamboo,),
    5: (_single, _bush, _vine, _plum, _grass),
    6: (_water, _water, _bush, _single, _vine, _grass),
    7: (_bush, _vine, _single, _plum),
    8: (_plum, _pine, _bush, _single, _water, _vine),
}


def _paints(look: Design, rng: Rng) -> Palette:
    named = ("red", "green", "blue", "black")
    colour = {name: ink(look.inks, name) for name in named}
    green = colour["green"] if rng.random() < 0.85 else colour[str(rng.choice(named[1:]))]
    woods = [green, colour["blue"], colour["black"], colour["red"]]
    return Palette(
        bloom=colour["red"] if rng.random() < 0.86 else colour[str(rng.choice(named))],
        heart=(60, 190, 225) if rng.random() < 0.2 else green,
        leaf=green,
        wood=woods[int(rng.choice(4, p=[0.6, 0.15, 0.15, 0.1]))],
        base=colour["blue"],
        culm=colour[str(rng.choice(["blue", "green", "green", "black"]))],
        weight=look.weight,
    )


def flower_face(canvas: Canvas, look: Design, rank: int) -> None:
    """Flowers (1 to 4) and seasons (5 to 8)."""
    shared = np.random.default_rng([look.seed, 9])
    paints = _paints(look, shared)
    kinds = shared.integers(0, 8, 2)
    alike = bool(shared.random() < 0.4)
    common = _ANY[int(shared.integers(len(_ANY)))]
    rooted, potted = bool(shared.random() < 0.3), bool(shared.random() < 0.1)
    rng = np.random.default_rng([look.seed, 10, rank])
    if look.label != "large":
        own = _OWN[rank][int(rng.integers(len(_OWN[rank])))]
        plant = common if alike and rank > 4 else own
        kind = int(kinds[int(rank > 4)]) if shared.random() < 0.6 else int(rng.integers(8))
        plant(canvas, rng, paints, kind)
        if potted:
            _pot(canvas, rng, paints)
        elif rooted:
            _rock(canvas, rng, paints)
    _label(canvas, look, rank)


def _label(canvas: Canvas, look: Design, rank: int) -> None:
    rng = np.random.default_rng([look.seed, 11])
    season, number = rank > 4, (rank - 1) % 4 + 1
    paint = ink(look.inks, look.season_ink if season else look.flower_ink)
    size = rng.uniform(3.0, 5.0)
    left, right = (
        (rng.uniform(2.0, 2.8), rng.uniform(2.2, 3.0)),
        (rng.uniform(9.2, 10), rng.uniform(2.2, 3.0)),
    )
    if look.swapped:
        left, right = right, left
    name = NAMES[look.traditional][rank - 1]
    if look.label == "saying":
        saying = SAYINGS[int(rng.integers(len(SAYINGS)))]
        name = saying[rank - 1]
    word = (*right, size, size * rng.uniform(0.9, 1.15))
    digit = (*left, size * rng.uniform(0.75, 1.0), size * rng.uniform(0.75, 1.0))
    if look.label in ("coloured", "saying") and look.flower_ink == look.season_ink:
        paint = look.inks.red if season else look.inks.blue
    if look.label == "large":
        canvas.character(name, look.font, (6.4, 9, 8.6, 9.6), paint, look.bold)
        canvas.character(str(number), look.corner_font, (1.8, 2, 3, 3), paint, 2)
        return
    if look.label in ("both", "character", "character_chinese", "saying"):
        own = paint if rng.random() < 0.7 else look.inks.black
        name = name if has_glyphs(look.font, name) else NAMES[look.traditional][rank - 1]
        canvas.character(name, look.font, word, own, look.bold)
    if look.label in ("both", "coloured", "saying"):
        own = paint if rng.random() < 0.7 else look.inks.red
        canvas.character(str(number), look.corner_font, digit, own, 2)
    elif look.label == "arabic_chinese":
        text, box = (_HAN[number - 1], word) if season else (str(number), digit)
        own = look.inks.red if season else look.inks.blue
        canvas.character(text, look.font if season else look.corner_font, box, own, 3)
    elif look.label == "character_chinese":
        canvas.character(_HAN[number - 1], look.font, digit, paint, look.bold)

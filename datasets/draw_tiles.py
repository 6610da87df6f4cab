"""Draw the project's own tile faces as one SVG file: `api/page/tiles.svg`, a symbol a tile.

Every face is drawn here, stroke by stroke: no font and no foreign picture. A character is a list of brush strokes,
each a centre line with a way of pressing the brush; the recipe turns strokes into outlines. A face is 300 x 400
units. The file also serves as a picture: opened by itself it shows the whole set.

The page, overlays and sheets take a face by its id, `t-` and the tile's notation: `<use href="#t-1m"/>`.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

WIDE, HIGH = 300, 400
RED, GREEN, BLUE, INK = "#c2242f", "#16774a", "#1f4fa3", "#26303d"
COLOURS = {"r": RED, "g": GREEN, "b": BLUE}
#: Lengths of the sticks of bamboo.
IVORY = "#fbf8ef"
STICKS = (112, 164, 250, 290)
Point = tuple[float, float]

#: A way of pressing the brush: width along the stroke (place 0..1, width in units of the brush).
PRESS: dict[str, tuple[tuple[float, float], ...]] = {
    "h": ((0, 0.75), (0.12, 1.0), (0.4, 0.74), (0.8, 0.82), (0.92, 1.3), (1, 0.7)),  # across
    "v": ((0, 1.0), (0.1, 1.3), (0.35, 1.05), (0.85, 1.05), (1, 0.9)),  # down
    "p": ((0, 1.0), (0.12, 1.3), (0.5, 1.0), (0.85, 0.55), (1, 0.1)),  # away to the left, ending in a point
    "n": ((0, 0.35), (0.3, 0.75), (0.7, 1.35), (0.82, 1.6), (1, 0.1)),  # pressed down to the right
    "d": ((0, 0.25), (0.5, 1.1), (0.8, 1.45), (1, 0.8)),  # dot
    "k": ((0, 1.0), (0.06, 1.2), (0.5, 1.0), (0.86, 1.1), (1, 0.12)),  # with a hook at its end
    "r": ((0, 1.2), (0.3, 1.0), (1, 0.15)),  # rising
}

#: Characters in a box of 100 x 100: strokes parted by `;`, each a way of pressing and points.
CHARACTERS: dict[str, tuple[float, str]] = {
    "一": (14, "h 6,54 94,48"),
    "二": (13.5, "h 20,30 80,25;h 6,80 94,75"),
    "三": (12.5, "h 16,20 82,15;h 22,49 78,45;h 5,83 95,78"),
    "四": (11, "v 13,24 17,86;h 13,25 88,20;v 87,20 83,86;p 40,24 39,44 26,62;k 59,23 59,52 64,58 76,54;h 17,81 84,78"),
    "五": (12, "h 16,17 82,13;v 48,17 37,84;h 22,48 70,43;v 70,43 66,84;h 5,86 95,82"),
    "六": (12.5, "d 44,4 56,22;h 5,39 95,33;p 38,50 30,70 8,94;d 58,50 76,70 90,92"),
    "七": (13, "h 5,54 94,36;k 44,8 45,70 54,84 88,83 93,62"),
    "八": (13.5, "p 38,20 31,58 5,90;n 50,12 64,54 98,90"),
    "九": (12.5, "p 42,6 40,42 30,70 5,94;h 12,36 70,30;k 69,30 66,64 70,84 92,84 96,62"),
    "萬": (
        8.2,
        "h 4,15 96,12;v 33,2 36,26;v 68,2 64,26;v 22,32 26,60;h 22,33 79,30;v 78,30 74,60;h 27,45 74,44;"
        "h 26,58 75,57;v 50,32 50,85;v 10,69 11,99;h 10,70 91,66;k 90,66 88,95 74,91;h 26,86 62,80;d 60,73 74,88",
    ),
    "東": (
        9.4,
        "h 10,21 90,17;v 21,36 26,66;h 21,37 80,33;v 79,33 74,66;h 26,50 74,48;h 26,64 75,62;v 50,3 50,98;"
        "p 46,65 34,80 4,94;n 54,64 70,80 98,93",
    ),
    "南": (
        8.8,
        "h 16,15 84,11;v 50,2 49,32;v 9,33 11,97;h 9,34 91,30;k 90,30 88,95 74,90;d 33,42 42,54;d 68,40 58,54;"
        "h 27,60 73,57;h 22,76 78,73;v 50,58 50,95",
    ),
    "西": (9.6, "h 6,16 94,12;v 13,37 17,93;h 13,38 88,34;v 87,34 83,93;p 40,15 39,50 25,68;k 60,15 60,52 66,60 79,54;h 17,87 84,84"),
    "北": (11, "h 6,35 34,32;v 36,6 36,94;r 3,82 37,66;p 90,26 78,38 58,48;k 58,4 58,76 66,88 92,87 96,66"),
    "中": (12.5, "v 11,28 16,68;h 11,29 90,24;v 89,24 84,67;h 16,64 84,61;v 50,2 50,100"),
    "發": (
        7.4,
        "h 12,13 40,9;p 40,9 32,28 3,46;d 16,22 27,33;n 54,4 66,26 98,44;p 70,4 64,11 57,16;p 88,10 80,19 69,25;"
        "h 12,48 42,45;v 42,45 40,60;h 13,60 42,58;v 14,60 11,75;h 11,75 44,72;k 43,72 39,96 23,92;"
        "p 58,47 57,58 49,67;h 58,48 80,45;k 79,45 80,60 93,60 95,54;h 52,70 86,67;p 86,67 72,85 46,99;"
        "n 56,72 70,86 98,98",
    ),
    "春": (
        8,
        "h 16,13 84,10;h 20,27 80,24;h 4,42 96,37;p 50,2 45,34 30,54 3,70;n 54,40 70,54 99,68;v 33,56 34,99;"
        "h 33,57 70,55;v 69,55 68,99;h 35,76 67,74;h 35,95 67,94",
    ),
    "夏": (
        7.4,
        "h 6,9 94,6;p 52,9 49,15 43,21;v 27,22 28,62;h 27,23 74,21;v 73,21 72,62;h 29,35 71,34;h 29,47 71,46;"
        "h 29,59 71,58;p 43,60 34,72 10,82;h 36,71 74,68;p 74,68 54,88 10,99;n 38,74 60,88 96,99",
    ),
    "秋": (
        8.6,
        "p 44,5 30,13 11,17;h 3,35 52,31;v 28,13 28,98;p 26,36 18,56 2,72;d 31,40 46,58;d 55,29 60,48;"
        "p 95,22 88,34 77,46;p 75,5 73,46 65,74 44,97;n 74,50 82,74 99,95",
    ),
    "冬": (9.4, "p 40,3 30,24 7,44;h 36,18 74,14;p 74,14 54,42 4,66;n 32,24 58,46 98,62;d 42,61 60,73;d 36,80 62,97"),
}  # fmt: skip


def curve(points: Sequence[Point], steps: int = 5) -> list[Point]:
    """Points along a smooth line through `points` (Catmull-Rom)."""
    if len(points) == 2:
        (x0, y0), (x1, y1) = points
        return [(x0 + (x1 - x0) * t / steps, y0 + (y1 - y0) * t / steps) for t in range(steps + 1)]
    ends = [points[0], *points, points[-1]]
    found = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for step in range(steps - 1):
            t = step / (steps - 1)
            found.append(
                tuple(
                    0.5
                    * (
                        2 * q
                        + (r - p) * t
                        + (2 * p - 5 * q + 4 * r - s) * t * t
                        + (3 * q - p - 3 * r + s) * t**3
                    )
                    for p, q, r, s in zip(a, b, c, d, strict=True)
                )
            )
    return [*found, points[-1]]  # type: ignore[list-item]


def pressed(kind: str, at: float) -> float:
    """Width of the brush at a place 0..1 of a stroke."""
    profile = PRESS[kind]
    for (a, wide), (b, wider) in pairwise(profile):
        if at <= b:
            return wide + (wider - wide) * (at - a) / (b - a)
    return profile[-1][1]


def outline(kind: str, points: Sequence[Point], brush: float) -> list[Point]:
    """The two banks of a brush stroke, once around."""
    line = curve(points)
    lengths = [0.0]
    for a, b in pairwise(line):
        lengths.append(lengths[-1] + math.dist(a, b))
    left, right = [], []
    for index, (x, y) in enumerate(line):
        (ax, ay), (bx, by) = line[max(index - 1, 0)], line[min(index + 1, len(line) - 1)]
        length = math.hypot(bx - ax, by - ay) or 1.0
        half = brush * pressed(kind, lengths[index] / lengths[-1]) / 2
        nx, ny = (by - ay) / length * half, -(bx - ax) / length * half
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    # Half a width past both ends, so that strokes meet.
    (x0, y0), (x1, y1) = line[0], line[1]
    (u0, v0), (u1, v1) = line[-2], line[-1]
    begin, end = math.dist(line[0], line[1]) or 1, math.dist(line[-2], line[-1]) or 1
    b, e = brush * pressed(kind, 0) / 2.2 / begin, brush * pressed(kind, 1) / 2.2 / end
    return [
        (x0 - (x1 - x0) * b, y0 - (y1 - y0) * b),
        *left,
        (u1 + (u1 - u0) * e, v1 + (v1 - v0) * e),
        *right[::-1],
    ]


def number(value: float) -> str:
    return f"{value:.0f}"


def smooth(points: Sequence[Point]) -> str:
    """A closed path that runs smoothly past `points`, in whole units relative to each other."""
    middles = [
        ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(points, [*points[1:], points[0]], strict=True)
    ]
    at = tuple(round(v) for v in middles[-1])
    parts = [f"M{at[0]} {at[1]}"]
    for corner, middle in zip(points, middles, strict=True):
        to = tuple(round(v) for v in middle)
        steps = [round(corner[0]) - at[0], round(corner[1]) - at[1], to[0] - at[0], to[1] - at[1]]
        parts.append("q" + " ".join(map(str, steps)).replace(" -", "-"))
        at = to
    return "".join(parts) + "z"


def character(name: str, left: float, top: float, wide: float, high: float) -> str:
    """Outlines of a character, scaled into a box of the face."""
    brush, strokes = CHARACTERS[name]
    paths = []
    for stroke in strokes.split(";"):
        kind, *pairs = stroke.split()
        points = [(float(x), float(y)) for x, y in (pair.split(",") for pair in pairs)]
        around = outline(kind, points, brush)
        paths.append(smooth([(left + x * wide / 100, top + y * high / 100) for x, y in around]))
    return "".join(paths)


def path(data: str, fill: str) -> str:
    return f'<path fill="{fill}" d="{data}"/>'


def disc(x: float, y: float, radius: float, fill: str) -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"/>'


def ring(x: float, y: float, radius: float, colour: str, wide: float) -> str:
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="none" stroke="{colour}" '
        f'stroke-width="{number(wide)}"/>'
    )


def around(count: int, radius: float, turn: float = 0.0, x: float = 0.0, y: float = 0.0) -> list[Point]:
    return [
        (x + radius * math.sin(math.radians(turn + 360 * i / count)), y - radius * math.cos(math.radians(turn + 360 * i / count)))
        for i in range(count)
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------------ the suits


def shared() -> dict[str, str]:
    """What many faces have in common, drawn once: id -> drawing about the origin, or in place."""
    parts = {"t-wan": path(character("萬", 52, 192, 196, 190), RED)}
    for letter, colour in COLOURS.items():
        parts[f"t-d{letter}"] = dot(60, colour)
        parts |= {f"t-{letter}{long}": stick(long, colour) for long in STICKS}
    return parts


def characters(rank: int) -> str:
    name = "一二三四五六七八九"[rank - 1]
    return path(character(name, 58, 18, 184, 156), INK) + '<use href="#t-wan"/>'


def dot(radius: float, colour: str) -> str:
    spokes = "".join(
        f"M{number(px)} {number(py)}l{number(qx - px)} {number(qy - py)}"
        for (px, py), (qx, qy) in zip(around(8, radius * 0.4), around(8, radius * 0.66), strict=True)
    )
    return (
        disc(0, 0, radius, colour)
        + ring(0, 0, radius * 0.76, IVORY, radius * 0.12)
        + f'<path stroke="{IVORY}" stroke-width="{number(radius * 0.13)}" d="{spokes}"/>'
        + disc(0, 0, radius * 0.25, IVORY)
    )


def dots(rank: int) -> str:
    if rank == 1:
        petals = [
            f'<ellipse cx="150" cy="120" rx="17" ry="34" fill="{RED}" transform="rotate({angle} 150 200)"/>'
            for angle in range(0, 360, 45)
        ]
        return (
            ring(150, 200, 118, GREEN, 18)
            + ring(150, 200, 98, GREEN, 5)
            + "".join(petals).replace('cy="120"', 'cy="140"')
            + disc(150, 200, 34, GREEN)
            + disc(150, 200, 20, IVORY)
            + disc(150, 200, 10, RED)
        )
    left, middle, right = 82, 150, 218
    places: dict[int, list[tuple[float, float, str]]] = {
        2: [(middle, 106, "g"), (middle, 294, "b")],
        3: [(76, 82, "b"), (middle, 200, "r"), (224, 318, "g")],
        4: [(left, 100, "b"), (right, 100, "g"), (left, 300, "g"), (right, 300, "b")],
        5: [(76, 82, "b"), (224, 82, "g"), (middle, 200, "r"), (76, 318, "g"), (224, 318, "b")],
        6: [(x, y, c) for y, c in ((72, "g"), (208, "r"), (326, "r")) for x in (left, right)],
        7: [(58, 56, "g"), (150, 98, "g"), (242, 140, "g")]
        + [(x, y, "r") for y in (238, 340) for x in (left + 4, right - 4)],
        8: [(x, y, "b") for y in (56, 152, 248, 344) for x in (left, right)],
        9: [(x, y, c) for y, c in ((70, "b"), (200, "r"), (330, "g")) for x in (54, 150, 246)],
    }
    radius = {2: 86, 3: 66, 4: 64, 5: 60, 6: 57, 7: 46, 8: 46, 9: 46}[rank]
    return "".join(
        f'<use href="#t-d{c}" transform="translate({x} {y}) scale({radius / 60:.2f})"/>'
        for x, y, c in places[rank]
    )


def stick(long: float, colour: str) -> str:
    """One stick of bamboo about the origin, `long` units from end to end."""
    end = round(long / 2)
    outer = (
        f"M-15 {10 - end}C-25 {-end - 4} 25 {-end - 4} 15 {10 - end}L15 -10C24 -10 24 10 15 10L15 {end - 10}"
        f"C25 {end + 4} -25 {end + 4} -15 {end - 10}L-15 10C-24 10 -24 -10 -15 -10z"
    )
    return (
        path(outer, colour)
        + f'<path stroke="{IVORY}" stroke-width="7" stroke-linecap="round" d="M0 {15 - end}V-19M0 19V{end - 15}"/>'
    )


def placed(x: float, y: float, long: int, colour: str, lean: float = 0.0) -> str:
    turn = f" rotate({lean})" if lean else ""
    return f'<use href="#t-{colour}{long}" transform="translate({x} {y}){turn}"/>'


def bamboo(rank: int) -> str:
    if rank == 1:
        return bird()
    three = (64, 150, 236)
    sticks: dict[int, list[tuple[float, float, int, str, float]]] = {
        2: [(150, 106, 164, "g", 0), (150, 294, 164, "b", 0)],
        3: [(150, 106, 164, "g", 0), (80, 294, 164, "b", 0), (220, 294, 164, "b", 0)],
        4: [(x, y, 164, c, 0) for x, y, c in ((80, 106, "g"), (220, 106, "b"), (80, 294, "b"), (220, 294, "g"))],
        5: [(x, y, 164, c, 0) for x, y, c in ((60, 106, "g"), (240, 106, "b"), (60, 294, "b"), (240, 294, "g"))]
        + [(150, 200, 164, "r", 0)],
        6: [(x, y, 164, c, 0) for y, c in ((106, "g"), (294, "b")) for x in three],
        7: [(150, 70, 112, "r", 0)] + [(x, y, 112, c, 0) for y, c in ((202, "g"), (332, "b")) for x in three],
        8: [(x, y, 164, c, lean) for x, y, c, lean in (
            (42, 104, "g", 0), (258, 104, "g", 0), (113, 116, "g", 36), (187, 116, "g", -36),
            (42, 296, "b", 0), (258, 296, "b", 0), (113, 284, "b", -36), (187, 284, "b", 36))],
        9: [(x, y, 112, c, 0) for y, c in ((68, "g"), (200, "r"), (332, "b")) for x in three],
    }  # fmt: skip
    return "".join(placed(*each) for each in sticks[rank])


def bird() -> str:
    """The bird of the 1 of bamboo: a peacock, head to the left, its train behind it."""
    train = "".join(
        f'<g transform="rotate({angle} 150 250)"><path fill="{GREEN}" d="M142 240C128 170 126 90 150 58C174 90 172 170 158 240z"/>'
        f'<ellipse cx="150" cy="92" rx="13" ry="18" fill="{IVORY}"/><ellipse cx="150" cy="92" rx="7" ry="11" fill="{RED}"/></g>'
        for angle in (-4, 26, 56)
    )
    body = path("M62 138C58 112 82 98 100 112C118 126 112 152 118 176C128 206 172 214 196 236C214 256 204 300 168 306C116 314 82 270 88 214C90 190 84 176 76 164L46 158C52 150 58 148 62 138z", BLUE)  # fmt: skip
    wing = path("M112 218C134 206 176 222 190 250C172 276 132 272 112 218z", GREEN)
    legs = f'<path stroke="{RED}" stroke-width="10" stroke-linecap="round" fill="none" d="M130 304l-10 52m-22 4l22-4 16 10M164 306l6 48m-18 6l18-6 18 8"/>'  # fmt: skip
    crest = f'<path stroke="{RED}" stroke-width="8" stroke-linecap="round" d="M84 104l-14-34M90 102l4-38"/>'
    return f'<g transform="translate(2 -4)">{train}{body}{wing}{legs}{crest}{disc(80, 128, 7, IVORY)}</g>'


# ----------------------------------------------------------------------------------------------- the honours


def honour(rank: int) -> str:
    if rank == 5:  # framed, so that it is neither a blank nor a back
        return (
            f'<rect x="42" y="44" width="216" height="312" rx="16" fill="none" stroke="{BLUE}" stroke-width="18"/>'
            f'<rect x="70" y="72" width="160" height="256" rx="8" fill="none" stroke="{BLUE}" stroke-width="6"/>'
        )
    name, colour = {
        1: ("東", INK),
        2: ("南", INK),
        3: ("西", INK),
        4: ("北", INK),
        6: ("發", GREEN),
        7: ("中", RED),
    }[rank]
    if rank == 7:
        return path(character(name, 48, 52, 204, 296), colour)
    return path(character(name, 32, 66, 236, 268), colour)


# ------------------------------------------------------------------------------------------------ the bonus


def petals(count: int, x: float, y: float, reach: float, wide: float, colour: str, turn: float = 0.0) -> str:
    one = f'<ellipse cx="{number(x)}" cy="{number(y - reach * 0.6)}" rx="{number(wide)}" ry="{number(reach * 0.44)}" '
    return f'<g fill="{colour}">' + "".join(
        f'{one}transform="rotate({number(turn + 360 * i / count)} {number(x)} {number(y)})"/>' for i in range(count)
    ) + "</g>"  # fmt: skip


def index(rank: int, colour: str) -> str:
    """The number of a bonus tile, in the corner where its neighbours in a hand of cards leave it visible."""
    digits = {
        1: "M32 44l20-16V92",
        2: "M26 44C28 20 66 22 62 48C60 62 34 72 26 90H64",
        3: "M26 38C32 20 64 24 60 44C58 56 42 56 42 56C42 56 64 58 62 76C58 98 28 96 24 78",
        4: "M54 92V26L22 72H68",
    }
    return f'<path fill="none" stroke="{colour}" stroke-width="11" stroke-linecap="round" stroke-linejoin="round" d="{digits[rank]}"/>'  # fmt: skip


def flower(rank: int) -> str:
    branch = '<path fill="none" stroke="{0}" stroke-width="{1}" stroke-linecap="round" d="{2}"/>'
    if rank == 1:  # plum
        drawn = branch.format(
            "#6b4a34", 15, "M60 374C110 330 120 280 196 214M128 300C190 300 230 280 256 244"
        )
        for x, y, reach in ((172, 158, 96), (82, 256, 50), (244, 300, 50)):
            drawn += petals(5, x, y, reach, reach * 0.34, "#d8436b") + disc(x, y, reach * 0.2, "#f4c445")
    elif rank == 2:  # orchid
        leaves = (
            "M140 376C128 280 90 200 34 160M150 376C150 280 170 190 214 120M156 376C172 310 212 262 272 240"
        )
        drawn = branch.format(GREEN, 15, leaves)
        for x, y, reach in ((122, 148, 78), (216, 176, 66)):
            drawn += petals(3, x, y, reach, reach * 0.28, "#8a4fb5") + petals(
                2, x, y, reach * 0.9, reach * 0.24, "#b17fd4", 75
            )
            drawn += disc(x, y, reach * 0.16, "#f4c445")
    elif rank == 3:  # chrysanthemum
        drawn = branch.format(
            GREEN, 15, "M150 380V250M150 340C110 340 84 320 70 296M150 350C190 350 216 330 232 306"
        )
        drawn += petals(14, 158, 166, 112, 15, "#e09a1c") + petals(10, 158, 166, 74, 13, "#f4c445", 18)
        drawn += disc(158, 166, 17, "#b5651d")
    else:  # bamboo
        drawn = placed(112, 250, 250, "g") + placed(176, 220, 290, "g")
        leaf = "M0 0C18 -34 60 -44 96 -30C70 -4 34 10 0 0z"
        for x, y, turn in ((186, 120, 0), (186, 190, 34), (104, 170, 186), (104, 250, 160), (186, 270, 16)):
            drawn += f'<path fill="#2c9a5f" transform="translate({x} {y}) rotate({turn})" d="{leaf}"/>'
    return drawn + index(rank, RED)


def season(rank: int) -> str:
    name = "春夏秋冬"[rank - 5]
    colour = {5: "#2c8a4f", 6: "#c8392f", 7: "#b8711a", 8: "#2c5fa8"}[rank]
    drawn = path(character(name, 60, 110, 180, 176), colour)
    if rank == 5:  # a shoot
        drawn += '<path fill="#2c9a5f" d="M150 376C146 346 150 336 150 322C120 326 96 312 88 294C122 292 144 302 150 322C156 302 178 292 212 294C204 312 180 326 152 324z"/>'  # fmt: skip
    elif rank == 6:  # the sun
        rays = "".join(f"M{number(a)} {number(b)}L{number(c)} {number(d)}" for (a, b), (c, d) in zip(around(9, 38, 0, 150, 338), around(9, 52, 0, 150, 338), strict=True))  # fmt: skip
        drawn += (
            disc(150, 338, 26, "#ee9b26")
            + f'<path stroke="#ee9b26" stroke-width="9" stroke-linecap="round" d="{rays}"/>'
        )
    elif rank == 7:  # a leaf
        drawn += '<path fill="#d9822b" d="M96 360C98 312 140 296 206 304C206 346 170 380 112 362z"/><path fill="none" stroke="#8f4f14" stroke-width="7" stroke-linecap="round" d="M82 374C112 348 140 334 172 324"/>'  # fmt: skip
    else:  # a flake of snow
        arms = "".join(
            f"M150 338L{number(a)} {number(b)}" for a, b in around(6, 44, 0, 150, 338)
        ) + "".join(f"M{number(a)} {number(b)}L{number(c)} {number(d)}" for turn in (-24, 24) for (a, b), (c, d) in zip(around(6, 26, 0, 150, 338), around(6, 40, turn, 150, 338), strict=True))  # fmt: skip
        drawn += f'<path stroke="#4a90cf" stroke-width="9" stroke-linecap="round" d="{arms}"/>'
    return drawn + index(rank - 4, BLUE)


def animal(rank: int) -> str:
    if rank == 1:  # cat
        return (
            path("M76 176L66 66L130 110C144 106 158 106 172 110L236 66L226 176C246 250 206 292 150 292C94 292 54 250 76 176z", "#e08a2e")
            + path("M84 102L90 140L114 120zM216 102L210 140L186 120z", "#f6c9a0")
            + path("M110 236C110 262 130 272 150 272C170 272 190 262 190 236C176 224 124 224 110 236z", "#fbeedd")
            + disc(112, 186, 17, INK) + disc(188, 186, 17, INK) + disc(117, 180, 6, "#fff") + disc(193, 180, 6, "#fff")
            + path("M136 224H164L150 242z", RED)
            + f'<path fill="none" stroke="{INK}" stroke-width="7" stroke-linecap="round" d="M150 240C148 258 128 260 122 250M150 240C152 258 172 260 178 250M92 234L34 224M92 250L36 260M208 234L266 224M208 250L264 260"/>'
            + '<path fill="none" stroke="#b5611a" stroke-width="11" stroke-linecap="round" d="M150 116V146M124 122V142M176 122V142"/>'
            + path("M98 316C130 300 170 300 202 316L196 340C170 326 130 326 104 340z", RED) + disc(150, 336, 17, "#f4c445")
        )  # fmt: skip
    if rank == 2:  # mouse
        return (
            disc(80, 116, 52, "#8d97a5") + disc(220, 116, 52, "#8d97a5") + disc(80, 116, 31, "#f0b7bd") + disc(220, 116, 31, "#f0b7bd")
            + path("M150 120C214 120 240 172 232 224C224 276 182 318 150 336C118 318 76 276 68 224C60 172 86 120 150 120z", "#a9b2be")
            + disc(112, 206, 16, INK) + disc(188, 206, 16, INK) + disc(117, 201, 5, "#fff") + disc(193, 201, 5, "#fff")
            + disc(150, 322, 20, "#d8436b")
            + f'<path fill="none" stroke="{INK}" stroke-width="6" stroke-linecap="round" d="M112 290L48 276M116 306L56 318M188 290L252 276M184 306L244 318"/>'
            + '<path fill="none" stroke="#d98f98" stroke-width="11" stroke-linecap="round" d="M196 366C232 384 268 358 244 336"/>'
        )  # fmt: skip
    if rank == 3:  # rooster
        return (
            path("M176 206C226 200 250 140 232 82C286 118 290 240 228 292z", GREEN)
            + path("M196 216C236 190 254 150 262 112C296 190 262 270 214 296z", BLUE)
            + path("M82 128C96 92 148 96 152 142C156 184 196 200 226 232C240 290 196 326 150 326C96 326 62 282 70 220C74 188 76 160 82 128z", "#d9702b")
            + path("M84 120C70 104 76 78 94 84C96 60 122 60 124 80C144 68 158 92 146 116C128 96 102 100 84 120z", RED)
            + path("M82 142L36 156L80 172z", "#f4b92e") + path("M84 172C66 184 68 214 84 218C100 210 98 186 96 172z", RED)
            + path("M124 226C152 206 200 228 204 264C182 292 134 286 124 226z", "#a84c16")
            + disc(110, 136, 11, IVORY) + disc(108, 136, 6, INK)
            + '<path fill="none" stroke="#f4b92e" stroke-width="11" stroke-linecap="round" d="M128 326V366M104 372L128 364 150 374M176 324V364M154 370L176 362 200 372"/>'
        )  # fmt: skip
    # centipede: a body in rings, winding, with a pair of legs each
    spine = curve([(92, 96), (206, 118), (214, 190), (96, 214), (92, 290), (212, 322)], 5)
    legs, rings = "", ""
    for (ax, ay), (x, y), (bx, by) in zip(spine, spine[1:], spine[2:], strict=False):
        length = math.hypot(bx - ax, by - ay)
        nx, ny = -(by - ay) / length * 38, (bx - ax) / length * 38
        legs += f"M{number(x - nx)} {number(y - ny)}L{number(x + nx)} {number(y + ny)}"
        rings += disc(x, y, 22, "#a8442a" if len(rings) % 2 else "#c25a2e")
    return (
        f'<path stroke="#7a2e18" stroke-width="8" stroke-linecap="round" d="{legs}"/>'
        + rings
        + '<path fill="none" stroke="#7a2e18" stroke-width="8" stroke-linecap="round" d="M78 78C66 60 50 52 36 56M100 72C104 54 96 38 82 32"/>'
        + disc(88, 94, 32, RED) + disc(76, 86, 7, "#fff") + disc(98, 82, 7, "#fff")
        + '<path fill="none" stroke="#7a2e18" stroke-width="8" stroke-linecap="round" d="M212 322C236 330 250 350 252 368M212 322C232 318 254 324 270 340"/>'
    )  # fmt: skip


def back() -> str:
    diamonds = "".join(
        f"M{x} {y - 34}l26 34-26 34-26-34z"
        for row, y in enumerate(range(72, 360, 64))
        for x in ((70, 150, 230) if row % 2 == 0 else (110, 190))
    )
    return (
        '<rect x="18" y="18" width="264" height="364" rx="24" fill="#1d7f56"/>'
        '<rect x="32" y="32" width="236" height="336" rx="16" fill="none" stroke="#7fd0ac" stroke-width="5"/>'
        f'<path fill="none" stroke="#7fd0ac" stroke-width="5" d="{diamonds}"/>'
    )


# -------------------------------------------------------------------------------------------------- the file


def faces() -> dict[str, str]:
    """Every face by its notation."""
    drawn: dict[str, str] = {}
    for rank in range(1, 10):
        drawn |= {f"{rank}m": characters(rank), f"{rank}p": dots(rank), f"{rank}s": bamboo(rank)}
    drawn |= {f"{rank}z": honour(rank) for rank in range(1, 8)}
    drawn |= {f"{rank}f": flower(rank) if rank < 5 else season(rank) for rank in range(1, 9)}
    drawn |= {f"{rank}a": animal(rank) for rank in range(1, 5)}
    return drawn | {"0x": back()}


def order(codes: Iterable[str]) -> list[str]:
    return sorted(codes, key=lambda code: ("mpszfax".index(code[1]), code))


def sheet(drawn: dict[str, str], columns: int = 9) -> str:
    """The file: symbols, and after them a picture of all of them."""
    symbols, shown = [], []
    place = 0
    suit = ""
    for code in order(drawn):
        if suit and code[1] != suit:
            place = -(-place // columns) * columns
        suit = code[1]
        row, column = divmod(place, columns)
        place += 1
        symbols.append(f'<symbol id="t-{code}" viewBox="0 0 {WIDE} {HIGH}">{drawn[code]}</symbol>')
        shown.append(f'<use href="#b" x="{column * 320}" y="{row * 420}"/><use href="#t-{code}" x="{column * 320 + 21}" y="{row * 420 + 28}" width="258" height="344"/>')  # fmt: skip
    rows = -(-place // columns)
    blank = (
        f'<rect id="b" width="300" height="400" rx="36" fill="{IVORY}" stroke="#b9b29d" stroke-width="4"/>'
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 {columns * 320} {rows * 420}" width="{columns * 320}" height="{rows * 420}">'
    note = "<!-- Made by datasets/draw_tiles.py. Licence: that of the project. -->"
    parts = [
        f'<g id="{name}">{drawn}</g>' for name, drawn in shared().items() if f'"#{name}"' in "".join(symbols)
    ]
    return "\n".join([head, note, "<defs>", *parts, *symbols, blank, "</defs>", *shown, "</svg>", ""])


def icon() -> str:
    """The page's icon: the red dragon on felt, with the air around it that phones cut off."""
    tile = f'<rect x="17" y="13" width="30" height="40" rx="4.5" fill="#0a3325"/><rect x="17" y="11" width="30" height="39" rx="4.5" fill="{IVORY}"/>'
    face = f'<g transform="translate(18.5 12.5) scale(.09)">{honour(7)}</g>'
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><g id="icon">'
        f'<rect width="64" height="64" rx="14" fill="#12694a"/>{tile}{face}</g></svg>\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = Path(__file__).resolve().parent.parent / "api" / "page"
    parser.add_argument("out", type=Path, nargs="?", default=default)
    args = parser.parse_args()
    for name, drawn in (("tiles.svg", sheet(faces())), ("icon.svg", icon())):
        (args.out / name).write_text(drawn, encoding="utf-8")
        print(f"{name}: {len(drawn.encode())} bytes")


if __name__ == "__main__":
    main()

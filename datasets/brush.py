"""Characters written with a brush, as outlines: a character is a list of strokes, each a centre line and a
way of pressing the brush.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

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

"""How tiles lie on a table: hands with claimed sets, rows, grids, scatters, heaps, walls, discards."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from faces import CODES
from table import Array, Block, flat, overlaps, standing, tilted

Rng = np.random.Generator
PLAY = [code for code in CODES if code[-1] in "mpsz"]
BONUS = [code for code in CODES if code[-1] in "fa"]


@dataclass(frozen=True, slots=True)
class Layout:
    """Tiles, where the camera looks (cm), its elevation and azimuth (rad), its distance (cm)."""

    blocks: list[Block]
    target: Array
    elevation: float
    azimuth: float
    distance: float
    racks: list[tuple[Array, Array]] = field(default_factory=list)  # boxes: centre, half sizes
    tray: tuple[float, float, float, float] | None = None  # x0, y0, x1, y1 of a box around the tiles


def _code(rng: Rng, bonus: float = 0.22) -> str:
    chance = rng.random()
    if chance < 0.05:
        return "0x"
    return str(rng.choice(BONUS if chance < 0.05 + bonus else PLAY))


def _hand_codes(rng: Rng) -> list[str]:
    """Tiles as a hand has them: runs, triplets and a pair more often than not, sorted more often than not."""
    if rng.random() < 0.35:
        codes = [_code(rng) for _ in range(int(rng.integers(11, 19)))]
    else:
        codes = []
        for _ in range(int(rng.integers(2, 5))):
            if rng.random() < 0.5:
                suit, first = rng.choice(list("mps")), int(rng.integers(1, 8))
                codes += [f"{first + step}{suit}" for step in range(3)]
            else:
                codes += [str(rng.choice(PLAY))] * 3
        codes += [str(rng.choice(PLAY))] * 2
        codes += [_code(rng) for _ in range(int(rng.integers(0, 4)))]
        codes += [str(rng.choice(BONUS)) for _ in range(int(rng.integers(0, 5)))]
    if rng.random() < 0.7:
        codes.sort(key=CODES.index)
    return codes


def row(
    rng: Rng, half: Array, codes: Sequence[str], y: float, upright: bool = False, bend: float = 0.0,
    lean: float = 0.0, gaps: float = 0.06,
) -> list[Block]:  # fmt: skip
    """Tiles side by side along x, centred, as hands push them together."""
    blocks: list[Block] = []
    x, slip = 0.0, rng.uniform(0, 0.1)
    height = half[1] * math.cos(lean) + half[2] * math.sin(lean) if upright else half[2]
    for index, code in enumerate(codes):
        gap = rng.uniform(0.5, 2.5) if index and rng.random() < gaps else 0.0
        x += 2 * half[0] + 0.02 + abs(rng.normal(0, 0.04)) + gap
        dy = rng.normal(0, slip) + bend * (x - 18) ** 2
        turn = rng.normal(0, 0.02)
        axes = standing(turn, lean) if upright else flat(turn)
        blocks.append(Block(code, np.array([x, y + dy, height]), axes))
    shift = (blocks[0].centre[0] + blocks[-1].centre[0]) / 2
    return [Block(b.code, b.centre - [shift, 0, 0], b.axes) for b in blocks]


def melds(rng: Rng, half: Array, count: int, y: float) -> list[Block]:
    """Claimed sets and kongs in a line: one tile turned, concealed kongs with two or four backs."""
    blocks: list[Block] = []
    x = 0.0
    for _ in range(count):
        kind = rng.choice(["chow", "pung", "kong", "hidden"])
        if kind == "chow":
            suit, first = rng.choice(list("mps")), int(rng.integers(1, 8))
            codes = [f"{first + step}{suit}" for step in range(3)]
        else:
            tile = str(rng.choice(PLAY))
            codes = [tile] * (3 if kind == "pung" else 4)
            if kind == "hidden":
                codes = ["0x", tile, tile, "0x"] if rng.random() < 0.6 else ["0x"] * 4
        turned = int(rng.integers(len(codes))) if kind != "hidden" and rng.random() < 0.6 else -1
        for index, code in enumerate(codes):
            wide = half[1] if index == turned else half[0]
            x += wide + 0.02 + abs(rng.normal(0, 0.03))
            angle = rng.normal(0, 0.02) + (rng.choice([-1, 1]) * math.pi / 2 if index == turned else 0)
            low = half[0] - half[1] if index == turned else 0.0  # a turned tile lies on the near edge
            blocks.append(Block(code, np.array([x, y + low + rng.normal(0, 0.05), half[2]]), flat(angle)))
            x += wide
        x += rng.uniform(0.2, 1.6)
    shift = (blocks[0].centre[0] + blocks[-1].centre[0]) / 2
    return [Block(b.code, b.centre - [shift, 0, 0], b.axes) for b in blocks]


def scatter(
    rng: Rng, half: Array, count: int, middle: tuple[float, float], spread: float,
    taken: Sequence[Block] = (), backs: float = 0.0,
) -> list[Block]:  # fmt: skip
    """Tiles thrown down around `middle`, each clear of the others and of those that lie there already."""
    blocks: list[Block] = []
    apart = 2.05 * float(np.hypot(half[0], half[1])) * rng.uniform(0.86, 1.0)
    for _ in range(count):
        code = "0x" if rng.random() < backs else _code(rng)
        for _try in range(12):
            dx, dy = rng.uniform(-spread, spread, 2)
            at = np.array([middle[0] + dx, middle[1] + dy, half[2]])
            block = Block(code, at, flat(rng.uniform(-math.pi, math.pi)))
            if not overlaps(block, (*taken, *blocks), apart):
                blocks.append(block)
                break
    return blocks


def heap(
    rng: Rng, half: Array, count: int, middle: tuple[float, float], spread: float, taken: Sequence[Block] = ()
) -> list[Block]:
    """Tiles pushed together: they lean on each other, and some lie on top of others."""
    blocks: list[Block] = []
    for _ in range(count):
        at = np.array([*(np.array(middle) + rng.normal(0, spread / 2, 2)), half[2]])
        below = [b for b in blocks if np.hypot(*(b.centre - at)[:2]) < 2.1 * half[0]]
        if overlaps(Block("0x", at, flat(0)), taken, 3.4):
            continue
        if below:
            if rng.random() < 0.65:
                continue
            at[2] = max(b.centre[2] for b in below) + 1.9 * half[2]
        axes = tilted(flat(rng.uniform(-math.pi, math.pi)), rng, 0.12 if below else 0.04)
        blocks.append(Block("0x" if rng.random() < 0.2 else _code(rng), at, axes))
    return blocks


def wall(rng: Rng, half: Array, count: int, start: tuple[float, float], angle: float) -> list[Block]:
    """A wall two tiles high, backs up, along `angle`; its ends are often half taken away."""
    along = np.array([math.cos(angle), math.sin(angle), 0.0])
    blocks = []
    turn = angle + (math.pi if rng.random() < 0.5 else 0.0)
    for index in range(count):
        place = np.array([*start, 0.0]) + along * (2 * half[0] + 0.03) * index
        levels = 1 if index in (0, count - 1) and rng.random() < 0.4 else 2
        for level in range(levels):
            slip = np.array([*rng.normal(0, 0.04, 2), half[2] * (2 * level + 1)])
            blocks.append(Block("0x", place + slip, flat(turn + rng.normal(0, 0.012))))
    return blocks


def _surroundings(rng: Rng, half: Array, blocks: list[Block], far: float) -> list[Block]:
    """Discards and walls beyond a hand."""
    around: list[Block] = []
    chance = rng.random()
    at = (rng.normal(0, 5), far + rng.uniform(9, 20))
    if chance < 0.35:
        around += scatter(rng, half, int(rng.integers(5, 30)), at, rng.uniform(6, 12), blocks, 0.1)
    elif chance < 0.6:
        around += heap(rng, half, int(rng.integers(10, 50)), at, rng.uniform(8, 14), blocks)
    elif chance < 0.7:
        for line in range(int(rng.integers(1, 4))):
            codes = [_code(rng, 0.05) for _ in range(int(rng.integers(3, 8)))]
            around += row(rng, half, codes, far + 7 + line * (2 * half[1] + 0.15))
    if rng.random() < 0.4:
        count, angle = int(rng.integers(4, 18)), rng.normal(0, 0.15)
        start = (rng.uniform(-24, 0), far + rng.uniform(5, 26))
        if rng.random() < 0.3:
            angle, start = math.pi / 2 + rng.normal(0, 0.1), (rng.choice([-1, 1]) * rng.uniform(14, 24), far)
        laid = wall(rng, half, count, start, angle)
        around = [b for b in around if not overlaps(b, laid, 3.6)] + laid
    return [b for b in around if not overlaps(b, blocks, 3.2)]


def lay_hand(rng: Rng, half: Array) -> Layout:
    bend = rng.normal(0, 0.003)
    blocks = row(rng, half, _hand_codes(rng), 0.0, False, bend, gaps=rng.choice([0.0, 0.05, 0.2]))
    far = 0.0
    if rng.random() < 0.45:  # claimed sets or flowers before or behind the hand
        side = 1 if rng.random() < 0.6 else -1
        y = side * (2 * half[1] + rng.uniform(0.1, 3.0))
        if rng.random() < 0.6:
            extra = melds(rng, half, int(rng.integers(1, 5)), y)
        else:
            extra = row(rng, half, [str(rng.choice(BONUS)) for _ in range(int(rng.integers(1, 9)))], y)
        shift = np.array([rng.normal(0, 3), 0, 0])
        extra = [Block(b.code, b.centre + shift, b.axes) for b in extra]
        blocks = [b for b in blocks if not overlaps(b, extra, 2 * float(half[0]))] + extra
        far = max(0.0, y)
    hand = list(blocks)
    if rng.random() < 0.75:
        blocks.extend(_surroundings(rng, half, blocks, far + 4))
    target = np.mean([b.centre for b in hand], axis=0) + np.array([0, rng.uniform(-2, 8), 0])
    distance = max(24.0, float(np.ptp([b.centre[0] for b in hand])) * rng.uniform(0.85, 1.6))
    return Layout(blocks, target, math.radians(rng.uniform(26, 88)), rng.normal(0, 0.3), distance)


def lay_standing_hand(rng: Rng, half: Array) -> Layout:
    lean = rng.uniform(0.1, 0.5) if rng.random() < 0.5 else 0.0
    blocks = row(rng, half, _hand_codes(rng), 0.0, True, 0.0, lean)
    racks = []
    if lean:
        y = -half[1] * math.sin(lean) - half[2]
        racks.append((np.array([0, y - 1.2, 0.35]), np.array([22, 1.2, 0.35])))
    hand = list(blocks)
    if rng.random() < 0.3:
        blocks += melds(rng, half, int(rng.integers(1, 4)), -5.5)
    if rng.random() < 0.7:
        blocks += _surroundings(rng, half, blocks, 5)
    if rng.random() < 0.25:  # another player's tiles seen from behind
        codes = ["0x"] * int(rng.integers(5, 14))
        blocks.extend(row(rng, half, codes, rng.uniform(22, 40), True))
    target = np.mean([b.centre for b in hand], axis=0) + np.array([0, rng.uniform(-1, 5), 0])
    elevation = math.radians(rng.uniform(10, 45))
    distance = max(24.0, float(np.ptp([b.centre[0] for b in hand])) * rng.uniform(0.9, 1.6))
    return Layout(blocks, target, elevation, rng.normal(0, 0.25), distance, racks)


def lay_rows(rng: Rng, half: Array) -> Layout:
    blocks = []
    wide, lines = int(rng.integers(3, 15)), int(rng.integers(1, 6))
    tight = bool(rng.random() < 0.6)
    space = rng.uniform(0.02, 0.12) if tight else rng.uniform(0.4, 3)
    for line in range(lines):
        upside = rng.random() < 0.15
        tiles = row(rng, half, [_code(rng) for _ in range(wide)], 0.0, gaps=0.02 if tight else 0.2)
        y = -line * (2 * half[1] + space)
        for b in tiles:
            axes = flat(math.pi) @ b.axes if upside or rng.random() < 0.06 else b.axes
            blocks.append(Block(b.code, b.centre + np.array([0, y, 0]), axes))
    target = np.mean([b.centre for b in blocks], axis=0)
    low, high = np.min([b.centre for b in blocks], axis=0), np.max([b.centre for b in blocks], axis=0)
    tray = None
    if tight and rng.random() < 0.3:
        edge = 2.2
        tray = (low[0] - edge, low[1] - edge, high[0] + edge, high[1] + edge)
    span = max(float(np.ptp([low[0], high[0]])), float(np.ptp([low[1], high[1]])), 8.0)
    distance = span * rng.uniform(1.1, 2.4) + 6
    azimuth = rng.normal(0, 0.5)
    return Layout(blocks, target, math.radians(rng.uniform(35, 89)), azimuth, distance, [], tray)


def lay_scattered(rng: Rng, half: Array) -> Layout:
    if rng.random() < 0.55:
        blocks = scatter(rng, half, int(rng.integers(4, 40)), (0, 0), rng.uniform(6, 14), (), 0.05)
    else:
        blocks = heap(rng, half, int(rng.integers(20, 80)), (0, 0), rng.uniform(7, 14))
    elevation = math.radians(rng.uniform(28, 89))
    return Layout(blocks, np.zeros(3), elevation, rng.uniform(-math.pi, math.pi), rng.uniform(24, 54))


def lay_whole_table(rng: Rng, half: Array) -> Layout:
    """The table seen from far: a hand, walls on several sides, discards in the middle."""
    blocks = row(rng, half, _hand_codes(rng), -28.0, bool(rng.random() < 0.3))
    for side in rng.permutation(4)[: int(rng.integers(1, 4))]:
        angle = side * math.pi / 2 + rng.normal(0, 0.04)
        count, reach = int(rng.integers(6, 18)), rng.uniform(17, 22)
        begin = flat(-angle) @ np.array([-count * half[0], -reach, 0])
        blocks += wall(rng, half, count, (begin[0], begin[1]), angle)
    discards = heap if rng.random() < 0.4 else scatter
    blocks += discards(rng, half, int(rng.integers(8, 45)), (0, 0), rng.uniform(8, 14), blocks)
    elevation = math.radians(rng.uniform(25, 85))
    target = np.array([rng.normal(0, 5), rng.uniform(-24, 0), 0])
    return Layout(blocks, target, elevation, rng.normal(0, 0.4), rng.uniform(55, 110))


def lay_close(rng: Rng, half: Array) -> Layout:
    codes = [_code(rng) for _ in range(int(rng.integers(1, 7)))]
    upright = bool(rng.random() < 0.25)
    blocks = row(rng, half, codes, 0.0, upright, gaps=0.15)
    if rng.random() < 0.3:
        blocks = melds(rng, half, int(rng.integers(1, 3)), 0.0)
    target = np.mean([b.centre for b in blocks], axis=0)
    elevation = math.radians(rng.uniform(15, 50) if upright else rng.uniform(30, 89))
    return Layout(blocks, target, elevation, rng.normal(0, 0.5), len(blocks) * 2.4 + rng.uniform(9, 22))


KINDS: tuple[tuple[Callable[[Rng, Array], Layout], float], ...] = (
    (lay_hand, 0.34), (lay_standing_hand, 0.17), (lay_rows, 0.15), (lay_scattered, 0.17),
    (lay_whole_table, 0.09), (lay_close, 0.08)
)  # fmt: skip


def lay_out(rng: Rng, half: Array) -> Layout:
    """One scene; `half` are half the width, height and thickness of its tiles (cm)."""
    kinds = [kind for kind, _ in KINDS]
    return kinds[int(rng.choice(len(kinds), p=[share for _, share in KINDS]))](rng, half)

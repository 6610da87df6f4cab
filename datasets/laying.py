"""A hand and what lies around it, put down on the table: rows, gaps, sets beside, in front and stacked;
discards, walls and what the neighbours have claimed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from dealing import OTHER, PLAY, Item, Rng, claimed_items, deal
from table import HALF, Array, Block

WIDTH, HEIGHT = 2 * HALF[0], 2 * HALF[1]


@dataclass(frozen=True, slots=True)
class Part:
    """One tile on the table, and what it is: standing, winning, bonus, set (with its number) or other."""

    block: Block
    role: str
    group: int = OTHER


@dataclass(frozen=True, slots=True)
class Hands:
    """How carefully this player lays tiles down: standard deviations in centimetres and radians, and the
    bend of rows."""

    gap: float
    slip: float
    twist: float
    bend: float


def axes_of(angle: float, upright: bool) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    if upright:
        right, up = np.array([c, s, 0.0]), np.array([0.0, 0.0, 1.0])
        return np.array([right, up, np.cross(right, up)])
    return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])


def line(
    rng: Rng, runs: list[tuple[list[Item], float]], left: float, y: float, how: Hands, upright: bool = False
) -> list[Part]:
    """Runs of tiles from `left` rightwards, each after a gap (cm); the reader's edge of the tiles at `y`."""
    parts: list[Part] = []
    x = left
    for items, gap in runs:
        x += gap
        for item in items:
            sideways = item.turn % 2 == 1
            half = HALF[1] if sideways else HALF[0]
            deep = HALF[0] if sideways else HALF[1]
            if item.over:  # on or above the tile before it
                below = parts[-1].block.centre
                centre = np.array([below[0] + rng.normal(0, 0.1), below[1] + item.shift, HALF[2] + item.lift])
            else:
                x += abs(rng.normal(0, how.gap))
                at = x + half
                off = abs(at - 16)
                drift = rng.normal(0, how.slip) + how.bend * (min(off, 20) ** 2 + 20 * max(off - 20, 0))
                centre = np.array([at, y + deep + drift, HALF[1] if upright and not sideways else HALF[2]])
                x += 2 * half
            flat = not upright or sideways
            axes = axes_of(item.turn * math.pi / 2 * flat + rng.normal(0, how.twist), not flat)
            parts.append(Part(Block(item.code, centre, axes), item.role, item.group))
    return parts


def _width(items: list[Item]) -> float:
    return sum(HEIGHT if item.turn % 2 else WIDTH for item in items if not item.over)


def gap_of(rng: Rng, low: float, high: float) -> float:
    return float(rng.uniform(low, high)) * WIDTH


def lay_hand(
    rng: Rng, standing: list[list[Item]], sets: list[list[Item]], bonus: list[Item], style: dict[str, str]
) -> list[Part]:
    """Put the hand down, the standing tiles from x = 0 along y = 0."""
    how = Hands(rng.uniform(0.01, 0.08), rng.uniform(0, 0.12), rng.uniform(0.01, 0.05), rng.normal(0, 0.0025))
    upright = style["tilt"] == "steep" and bool(rng.random() < 0.25)
    style["upright"] = str(upright)
    where = style["sets"]
    at_left = bool(rng.random() < 0.35)
    bonus_at = style["bonus"] = str(rng.choice(["row", "front", "end"], p=[0.35, 0.35, 0.3]))
    main: list[tuple[list[Item], float]] = []
    for run in standing:
        main.append((run, gap_of(rng, 0.5, 1.5) if main else 0.0))
    if bonus and bonus_at == "row":  # touching or nearly
        gap = gap_of(rng, 0.0, 1.0) if rng.random() < 0.5 else 0.02
        main = [(bonus, 0.0), (main[0][0], gap), *main[1:]] if rng.random() < 0.7 else [*main, (bonus, gap)]
    elif bonus and bonus_at == "end":
        gap = gap_of(rng, 0.8, 2.5)
        main = [(bonus, 0.0), (main[0][0], gap), *main[1:]] if rng.random() < 0.5 else [*main, (bonus, gap)]
    if sets and where == "side":
        beside = [(items, gap_of(rng, 0.4, 1.4)) for items in sets]
        apart = gap_of(rng, 0.7, 2.0)
        if at_left:
            main = [(beside[0][0], 0.0), *beside[1:], (main[0][0], apart), *main[1:]]
        else:
            main = [*main, (beside[0][0], apart), *beside[1:]]
    parts = line(rng, main, 0.0, 0.0, how, upright)
    whole = sum(_width(items) + gap for items, gap in main)
    if sets and where == "stacked":
        y, wide = 0.0, max(_width(items) for items in sets)
        apart = gap_of(rng, 0.8, 2.0)
        for items in sets:
            left = -apart - wide if at_left else whole + apart
            parts += line(rng, [(items, 0.0)], left, y, replace(how, bend=0.0))
            y += HEIGHT + rng.uniform(0.1, 0.8) + (WIDTH if any(i.over for i in items) else 0.0)
    front = list(sets) if where == "front" else []
    if bonus and bonus_at == "front":
        front.insert(int(rng.integers(2)) * len(front), bonus)
    return parts + _front(rng, front, whole, how, style)


def _front(rng: Rng, groups: list[list[Item]], whole: float, how: Hands, style: dict[str, str]) -> list[Part]:
    """Groups in rows away from the reader, beyond the standing tiles."""
    parts: list[Part] = []
    touching = len(groups) > 1 and bool(rng.random() < 0.3)
    style["front"] = "touching" if touching else "apart"
    y = HEIGHT + rng.uniform(0.2, 2.2)
    while groups:
        row, groups = groups[:4], groups[4:]
        if len(row) > 2 and rng.random() < 0.4:
            row, groups = row[:2], row[2:] + groups
        runs: list[tuple[list[Item], float]] = []
        for items in row:
            runs.append((items, 0.0 if not runs or touching else gap_of(rng, 0.4, 1.4)))
        wide = sum(_width(items) + gap for items, gap in runs)
        left = float(rng.uniform(min(0.0, whole - wide), max(0.0, whole - wide)))
        parts += line(rng, runs, left, y, how)
        y += HEIGHT + rng.uniform(0.1, 1.5) + (WIDTH if any(i.over for g in row for i in g) else 0.0)
    return parts


def _moved(parts: list[Part], angle: float, about: tuple[float, float]) -> list[Part]:
    """The parts as the player sees them who sits `angle` further round the table."""
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    middle = np.array([*about, 0.0])
    return [
        replace(p, block=Block(p.block.code, (p.block.centre - middle) @ turn + middle, p.block.axes @ turn))
        for p in parts
    ]


def _discards(rng: Rng, low: float, middle: float) -> list[Part]:
    how = Hands(0.05, 0.1, 0.05, 0.0)
    if rng.random() < 0.35:  # rows of six before each player, as in some games
        parts: list[Part] = []
        for row in range(int(rng.integers(1, 4))):
            codes = rng.choice(PLAY, int(rng.integers(3, 7))).tolist()
            parts += line(
                rng,
                [([Item(c, "other") for c in codes], 0.0)],
                middle - 8,
                low + 1.5 - (row - 2) * -(HEIGHT + 0.1),
                how,
            )
        return parts
    parts = []
    spread = float(rng.uniform(6, 11))
    for _ in range(int(rng.integers(4, 34))):
        at = np.array(
            [middle + rng.uniform(-1.3, 1.3) * spread, low + 3 + rng.uniform(0, 1.6) * spread, HALF[2]]
        )
        if all(np.hypot(*(at - p.block.centre)[:2]) > 3.4 for p in parts):
            code = "0x" if rng.random() < 0.05 else str(rng.choice(PLAY))
            parts.append(Part(Block(code, at, axes_of(rng.uniform(-math.pi, math.pi), False)), "other"))
    return parts


def _wall(rng: Rng, low: float, middle: float) -> list[Part]:
    how = Hands(0.02, 0.03, 0.01, 0.0)
    count = int(rng.integers(4, 18))
    left = middle - count * WIDTH / 2 + rng.normal(0, 5)
    y = low + rng.uniform(0.5, 8)
    row = line(rng, [([Item("0x", "other")] * count, 0.0)], left, y, how)
    if rng.random() < 0.6:
        up = np.array([0, 0, 2 * HALF[2]])
        row += [replace(p, block=Block("0x", p.block.centre + up, p.block.axes)) for p in row[: count - 1]]
    return row


def _neighbour(rng: Rng) -> list[Part]:
    """What another player has on the table: claimed sets, seen from this side, and standing backs."""
    how = Hands(0.05, 0.1, 0.03, 0.0)
    runs: list[tuple[list[Item], float]] = []
    for _ in range(int(rng.integers(1, 4))):
        codes, _pair = deal(rng)
        items, _ = claimed_items(rng, codes[0], OTHER, bool(rng.random() < 0.4))
        runs.append(([replace(item, role="other") for item in items], gap_of(rng, 0.3, 1.2)))
    if rng.random() < 0.5:
        count = int(rng.integers(3, 12))
        return line(rng, [*runs, ([Item("0x", "other")] * count, 2.0)], rng.uniform(-3, 12), 0.0, how)
    return line(rng, runs, rng.uniform(-3, 18), 0.0, how)


def others(rng: Rng, own: list[Part], style: dict[str, str]) -> list[Part]:
    """Discards, walls and neighbours, clear of the hand and of each other."""
    far = max(p.block.centre[1] for p in own) + HALF[1]
    xs = [p.block.centre[0] for p in own]
    middle = (min(xs) + max(xs)) / 2
    groups: list[list[Part]] = []
    if rng.random() < 0.65:
        groups.append(_discards(rng, far + rng.uniform(3, 8), middle))
    if rng.random() < 0.4:
        groups.append(_wall(rng, far + rng.uniform(3, 14), middle))
    reach = (max(xs) - min(xs)) / 2 + rng.uniform(8, 14)
    for angle in (math.pi / 2, math.pi, -math.pi / 2):
        if rng.random() < 0.35:
            about = (middle, far + rng.uniform(8, 12) if abs(angle) > 2 else reach)
            groups.append(_moved(_neighbour(rng), angle, about))
    style["others"] = str(len(groups))
    parts: list[Part] = []
    for group in groups:
        clear = [
            p
            for p in group
            if all(np.hypot(*(p.block.centre - q.block.centre)[:2]) > 5.5 for q in own)
            and all(np.hypot(*(p.block.centre - q.block.centre)[:2]) > 3.7 for q in parts)
        ]
        parts += clear
    return parts

"""Tables with a won hand whose structure is known: python datasets/hands.py OUT --count 300 --art FOLDER

The hand has its standing tiles, claimed sets (beside them, in front, stacked; touching or apart; one tile
turned), concealed kongs in three forms, added kongs, bonus tiles and a winning tile that lies in its place,
apart or turned. Around it may lie discards, walls and what the neighbours have claimed. The camera looks from
straight above to 45 degrees, rolled any way. Without painting a scene costs milliseconds: its labels are
projected. Scenes are set by their seed.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from blocks import ground_shadows, light_of, paint_block
from faces import CODES, Style, styles
from finish import photograph
from ground import ground
from looks import look_of
from numpy.typing import NDArray
from table import HALF, Array, Block, Camera

PLAY = [code for code in CODES if code[-1] in "mpsz"]
BONUS = [code for code in CODES if code[-1] in "fa"]

WIDTH, HEIGHT = 2 * HALF[0], 2 * HALF[1]
VISIBLE = 0.35  # a tile of which less is seen carries no label
OTHER = -1
Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Set:
    """One set on the table: `kind` chow, pung or kong, its tiles, and whether it is a concealed kong."""

    kind: str
    codes: tuple[str, ...]
    concealed: bool = False

    def __str__(self) -> str:
        left, right = "()" if self.concealed else "[]"
        return left + "".join(self.codes) + right


@dataclass(frozen=True, slots=True)
class Part:
    """One tile on the table, and what it is: standing, winning, bonus, set (with its number) or other."""

    block: Block
    role: str
    group: int = OTHER


@dataclass(frozen=True, slots=True)
class Seen:
    """One labelled tile: `part` its number in the scene, `box` of the whole visible block, `corners` of the
    face, `up` a unit vector, in pixels."""

    part: int
    code: str
    role: str
    group: int
    box: tuple[float, float, float, float]
    corners: tuple[tuple[float, float], ...]
    up: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scene:
    """A table, the camera, and what can be seen. `hand` in notation; all four down, a kong's name is not
    seen, and the notation leaves the kong out."""

    parts: tuple[Part, ...]
    sets: tuple[Set, ...]
    hand: str
    style: dict[str, str]
    camera: Camera
    size: int
    seen: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A tile before it is put down: `turn` in quarter turns counter-clockwise, `lift` in centimetres above
    the table and `shift` away from the reader, for a tile on or above another (`over`: takes no room)."""

    code: str
    role: str
    group: int = OTHER
    turn: int = 0
    lift: float = 0.0
    shift: float = 0.0
    over: bool = False


# ------------------------------------------------------------------------------------------------- the hand


def _deal(rng: Rng) -> tuple[list[tuple[str, ...]], str]:
    """Four sets and the tile of the pair, at most four of a tile."""
    while True:
        left: Counter[str] = Counter(dict.fromkeys(PLAY, 4))
        sets: list[tuple[str, ...]] = []
        suits = rng.choice(list("mpsz"), int(rng.integers(1, 5)), replace=False).tolist()
        while len(sets) < 4:
            suit = str(rng.choice(suits))
            rank = int(rng.integers(1, 8))
            if suit != "z" and rng.random() < 0.45:
                chosen = tuple(f"{rank + step}{suit}" for step in range(3))
            else:
                rank = rank if suit == "z" else int(rng.integers(1, 10))
                chosen = (f"{rank}{suit}",) * (4 if rng.random() < 0.35 else 3)
            need = Counter(chosen)
            if all(left[code] >= count for code, count in need.items()):
                left -= need
                sets.append(chosen)
            elif rng.random() < 0.05:
                break
        pairs = [code for code in PLAY if left[code] >= 2 and code[1] in suits]
        if len(sets) == 4 and pairs:
            return sets, str(rng.choice(pairs))


def _kind(codes: tuple[str, ...]) -> str:
    return "chow" if codes[0] != codes[1] else "kong" if len(codes) == 4 else "pung"


def _claimed_items(rng: Rng, codes: tuple[str, ...], group: int, turning: bool) -> tuple[list[Item], str]:
    """The tiles of a claimed set as they lie, left to right, and how."""
    order = list(codes)
    turned = int(rng.integers(3)) if turning else -1
    way = int(rng.choice([-1, 1]))
    if len(codes) == 3:
        if codes[0] != codes[1] and turned >= 0:  # the claimed tile lies turned, often first
            order.insert(turned, order.pop(int(rng.integers(3))))
        return [
            Item(c, "set", group, way if k == turned else 0) for k, c in enumerate(order)
        ], "turned" if turned >= 0 else "plain"
    if turned >= 0 and rng.random() < 0.6:  # added to a pung: the fourth tile on or above the turned one
        items = [Item(c, "set", group, way if k == turned else 0) for k, c in enumerate(order[:3])]
        on = bool(rng.random() < 0.5)
        shift = (0.5 if on else 1.0) * WIDTH + rng.uniform(0, 0.1)
        items.insert(
            turned + 1, Item(order[3], "set", group, way, 2 * HALF[2] if on else 0.0, shift, over=True)
        )
        return items, "added_on" if on else "added_above"
    turned = turned if turned < 0 else int(rng.integers(4))
    return [Item(c, "set", group, way if k == turned else 0) for k, c in enumerate(order)], "big"


def _concealed_items(rng: Rng, codes: tuple[str, ...], group: int) -> tuple[list[Item], str]:
    form = str(rng.choice(["bffb", "fbbf", "bbbb"], p=[0.45, 0.35, 0.2]))
    return [
        Item(code if mark == "f" else "0x", "set", group) for code, mark in zip(codes, form, strict=True)
    ], form


def _standing_items(rng: Rng, tiles: list[str], style: dict[str, str]) -> tuple[list[list[Item]], str | None]:
    """The standing tiles as runs with gaps between, and the winning tile if it shows."""
    how = str(rng.choice(["in_place", "apart", "turned", "turned_in_place"], p=[0.45, 0.3, 0.15, 0.1]))
    if len(tiles) == 2 and how != "in_place":
        how = "in_place"
    style["winning"] = how
    if how == "in_place":
        if rng.random() < 0.3:
            rng.shuffle(tiles)
        return [[Item(code, "standing") for code in tiles]], None
    place = int(rng.integers(len(tiles)))
    winning = tiles[place]
    if how == "turned_in_place":
        turn = int(rng.choice([-1, 1]))
        return [
            [
                Item(code, "winning" if k == place else "standing", turn=turn if k == place else 0)
                for k, code in enumerate(tiles)
            ]
        ], winning
    rest = [Item(code, "standing") for k, code in enumerate(tiles) if k != place]
    turn = int(rng.choice([-1, 1])) if how == "turned" else 0
    last = Item(winning, "winning", turn=turn)
    if how == "turned":
        return [[*rest, last]], winning
    return ([rest, [last]] if rng.random() < 0.8 else [[last], rest]), winning


# ---------------------------------------------------------------------------------------------- on the table


@dataclass(frozen=True, slots=True)
class Hands:
    """How carefully this player lays tiles down: standard deviations in centimetres and radians, and the
    bend of rows."""

    gap: float
    slip: float
    twist: float
    bend: float


def _axes(angle: float, upright: bool) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    if upright:
        right, up = np.array([c, s, 0.0]), np.array([0.0, 0.0, 1.0])
        return np.array([right, up, np.cross(right, up)])
    return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])


def _line(
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
            axes = _axes(item.turn * math.pi / 2 * flat + rng.normal(0, how.twist), not flat)
            parts.append(Part(Block(item.code, centre, axes), item.role, item.group))
    return parts


def _width(items: list[Item]) -> float:
    return sum(HEIGHT if item.turn % 2 else WIDTH for item in items if not item.over)


def _gap(rng: Rng, low: float, high: float) -> float:
    return float(rng.uniform(low, high)) * WIDTH


def _lay_hand(
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
        main.append((run, _gap(rng, 0.5, 1.5) if main else 0.0))
    if bonus and bonus_at == "row":  # touching or nearly
        gap = _gap(rng, 0.0, 1.0) if rng.random() < 0.5 else 0.02
        main = [(bonus, 0.0), (main[0][0], gap), *main[1:]] if rng.random() < 0.7 else [*main, (bonus, gap)]
    elif bonus and bonus_at == "end":
        gap = _gap(rng, 0.8, 2.5)
        main = [(bonus, 0.0), (main[0][0], gap), *main[1:]] if rng.random() < 0.5 else [*main, (bonus, gap)]
    if sets and where == "side":
        beside = [(items, _gap(rng, 0.4, 1.4)) for items in sets]
        apart = _gap(rng, 0.7, 2.0)
        if at_left:
            main = [(beside[0][0], 0.0), *beside[1:], (main[0][0], apart), *main[1:]]
        else:
            main = [*main, (beside[0][0], apart), *beside[1:]]
    parts = _line(rng, main, 0.0, 0.0, how, upright)
    whole = sum(_width(items) + gap for items, gap in main)
    if sets and where == "stacked":
        y, wide = 0.0, max(_width(items) for items in sets)
        apart = _gap(rng, 0.8, 2.0)
        for items in sets:
            left = -apart - wide if at_left else whole + apart
            parts += _line(rng, [(items, 0.0)], left, y, replace(how, bend=0.0))
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
            runs.append((items, 0.0 if not runs or touching else _gap(rng, 0.4, 1.4)))
        wide = sum(_width(items) + gap for items, gap in runs)
        left = float(rng.uniform(min(0.0, whole - wide), max(0.0, whole - wide)))
        parts += _line(rng, runs, left, y, how)
        y += HEIGHT + rng.uniform(0.1, 1.5) + (WIDTH if any(i.over for g in row for i in g) else 0.0)
    return parts


def _hand(rng: Rng, style: dict[str, str]) -> tuple[list[Part], list[Set], str]:
    dealt, pair = _deal(rng)
    down = int(rng.choice([0, 1, 2, 3, 4], p=[0.25, 0.2, 0.25, 0.2, 0.1]))
    dealt.sort(key=len)  # kongs lie on the table whatever else does
    down = max(down, sum(len(codes) == 4 for codes in dealt))
    sets: list[Set] = []
    laid: list[list[Item]] = []
    style["sets"] = str(rng.choice(["side", "front", "stacked"], p=[0.4, 0.4, 0.2]))
    # Four plain sets beside a pair look like a hand that was only sorted: there a turned tile must tell.
    turning = bool(rng.random() < 0.5) or (down == 4 and style["sets"] == "side")
    forms = []
    named: list[str] = []
    for codes in dealt[len(dealt) - down :]:
        concealed = len(codes) == 4 and bool(rng.random() < 0.5)
        made = Set(_kind(codes), codes, concealed)
        if concealed:
            items, form = _concealed_items(rng, codes, len(sets))
        else:
            items, form = _claimed_items(rng, codes, len(sets), turning)
        sets.append(made)
        laid.append(items)
        forms.append(form)
        if form != "bbbb":
            named.append(str(made))
    style["forms"] = " ".join(forms)
    tiles = [code for codes in dealt[: len(dealt) - down] for code in codes] + [pair, pair]
    if rng.random() < 0.75:
        tiles.sort(key=CODES.index)
    standing, winning = _standing_items(rng, tiles, style)
    count = int(rng.choice([0, 1, 2, 3, 4], p=[0.35, 0.25, 0.2, 0.12, 0.08]))
    bonus = [Item(code, "bonus") for code in rng.choice(BONUS, count, replace=False).tolist()]
    kept = [item.code for run in standing for item in run if item.role == "standing"]
    text = " ".join(named + kept + ([f"+{winning}"] if winning else []))
    text += " | " + " ".join(item.code for item in bonus) if bonus else ""
    return _lay_hand(rng, standing, laid, bonus, style), sets, text


# --------------------------------------------------------------------------------------------- the rest of it


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
        for line in range(int(rng.integers(1, 4))):
            codes = rng.choice(PLAY, int(rng.integers(3, 7))).tolist()
            parts += _line(
                rng,
                [([Item(c, "other") for c in codes], 0.0)],
                middle - 8,
                low + 1.5 - (line - 2) * -(HEIGHT + 0.1),
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
            parts.append(Part(Block(code, at, _axes(rng.uniform(-math.pi, math.pi), False)), "other"))
    return parts


def _wall(rng: Rng, low: float, middle: float) -> list[Part]:
    how = Hands(0.02, 0.03, 0.01, 0.0)
    count = int(rng.integers(4, 18))
    left = middle - count * WIDTH / 2 + rng.normal(0, 5)
    y = low + rng.uniform(0.5, 8)
    row = _line(rng, [([Item("0x", "other")] * count, 0.0)], left, y, how)
    if rng.random() < 0.6:
        up = np.array([0, 0, 2 * HALF[2]])
        row += [replace(p, block=Block("0x", p.block.centre + up, p.block.axes)) for p in row[: count - 1]]
    return row


def _neighbour(rng: Rng) -> list[Part]:
    """What another player has on the table: claimed sets, seen from this side, and standing backs."""
    how = Hands(0.05, 0.1, 0.03, 0.0)
    runs: list[tuple[list[Item], float]] = []
    for _ in range(int(rng.integers(1, 4))):
        codes, _pair = _deal(rng)
        items, _ = _claimed_items(rng, codes[0], OTHER, bool(rng.random() < 0.4))
        runs.append(([replace(item, role="other") for item in items], _gap(rng, 0.3, 1.2)))
    if rng.random() < 0.5:
        count = int(rng.integers(3, 12))
        return _line(rng, [*runs, ([Item("0x", "other")] * count, 2.0)], rng.uniform(-3, 12), 0.0, how)
    return _line(rng, runs, rng.uniform(-3, 18), 0.0, how)


def _others(rng: Rng, own: list[Part], style: dict[str, str]) -> list[Part]:
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


def _frame(rng: Rng, own: list[Part], elevation: float, size: int) -> Camera:
    """A camera rolled any way that has the whole hand in its picture, not always in the middle of it."""
    azimuth = rng.normal(0, 0.25) - math.pi / 2
    toward = np.array(
        [
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        ]
    )
    corners = np.array([p.block.centre + np.array(d) * 2 for p in own for d in ((-1, -1, 0), (1, 1, 0))])
    target = (corners.min(0) + corners.max(0)) / 2 * [1, 1, 0]
    reach = float(np.ptp(corners, axis=0).max())
    eye = target + toward * max(reach * rng.uniform(1.1, 1.9), 25)
    forward = -toward
    right = np.cross(forward, [0, 0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = rng.normal(0, 0.15) if rng.random() < 0.4 else rng.uniform(-math.pi, math.pi)
    c, s = math.cos(roll), math.sin(roll)
    rotation = np.stack([c * right + s * down, -s * right + c * down, forward])
    flat = Camera(eye, rotation, 1.0, (0.0, 0.0)).project(corners)
    low, high = flat.min(0), flat.max(0)
    focal = size * rng.uniform(0.6, 0.95) / float((high - low).max())
    slack = size - (high - low) * focal
    offset = rng.uniform(0.3, 0.7, 2) * slack - low * focal
    return Camera(eye, rotation, focal, (float(offset[0]), float(offset[1])))


_SIGNS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * HALF
_FACE = np.array([[-1, 1, 1], [1, 1, 1], [1, -1, 1], [-1, -1, 1]]) * HALF


def _look(parts: list[Part], camera: Camera, size: int) -> Iterator[Seen]:
    """Every tile that is seen well enough, by painting all of them in numbers, the farthest first."""
    distance = [float(np.linalg.norm(part.block.centre - camera.eye)) for part in parts]
    order = sorted(range(len(parts)), key=lambda k: -distance[k])
    owner = np.full((size, size), -1, np.int16)
    hulls: dict[int, NDArray[np.float32]] = {}
    for k in order:
        block = parts[k].block
        points = camera.project(block.centre + _SIGNS @ block.axes).astype(np.float32)
        hulls[k] = cv2.convexHull(points).reshape(-1, 2)
        cv2.fillConvexPoly(owner, hulls[k].astype(np.int32), k)
    areas = np.bincount(owner[owner >= 0].ravel(), minlength=len(parts))
    for k, part in enumerate(parts):
        hull, block = hulls[k], part.block
        low, high = hull.min(0).clip(0, size), hull.max(0).clip(0, size)
        face = block.centre + _FACE @ block.axes
        if areas[k] < VISIBLE * cv2.contourArea(hull) or (high - low).min() < 6:
            continue
        if (camera.eye - face.mean(0)) @ block.axes[2] <= 0:
            continue
        corners = camera.project(face)
        up = (corners[0] + corners[1] - corners[2] - corners[3]) / 2
        up /= max(float(np.linalg.norm(up)), 1e-6)
        yield Seen(
            k,
            block.code,
            part.role,
            part.group,
            (float(low[0]), float(low[1]), float(high[0]), float(high[1])),
            tuple((float(x), float(y)) for x, y in corners),
            (float(up[0]), float(up[1])),
        )


def table_scene(seed: int, size: int = 960) -> Scene:
    """One table, the same for the same seed. Every tile of the hand can be seen."""
    rng = np.random.default_rng([seed, 6])
    while True:
        style = {"tilt": "steep" if rng.random() < 0.5 else "flat"}
        elevation = math.radians(rng.uniform(45, 65) if style["tilt"] == "steep" else rng.uniform(65, 90))
        own, sets, text = _hand(rng, style)
        parts = own + _others(rng, own, style)
        camera = _frame(rng, own, elevation, size)
        seen = tuple(_look(parts, camera, size))
        if sum(label.part < len(own) for label in seen) == len(own):
            style["elevation"] = f"{math.degrees(elevation):.0f}"
            return Scene(tuple(parts), tuple(sets), text, style, camera, size, seen)


def painted(scene: Scene, seed: int, found: list[Style]) -> NDArray[np.uint8]:
    """The scene as a photo, (size, size, 3) BGR."""
    rng = np.random.default_rng([seed, 7])
    look = replace(look_of(rng, found), half=HALF)
    light = light_of(rng)
    blocks = [part.block for part in scene.parts]
    blocks.sort(key=lambda block: -float(np.linalg.norm(block.centre - scene.camera.eye)))
    image = ground(rng, scene.camera, scene.size, None, ())
    shade = ground_shadows(scene.camera, blocks, look, light, scene.size)
    image = (image * shade[:, :, None]).clip(0, 255).astype(np.uint8)
    for block in blocks:
        paint_block(rng, image, scene.camera, block, look, light)
    picture: NDArray[np.uint8] = photograph(rng, image)
    return picture


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder to write images/ and hands.jsonl to")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=960, help="side of the square picture in pixels")
    parser.add_argument("--art", type=Path, help="folder of STYLE/CODE.png, transparent faces")
    parser.add_argument("--real", type=Path, help="folder of SOURCE/CODE_NN.jpg, cut-out faces")
    parser.add_argument("--drawn", type=int, default=100, help="number of drawn styles")
    parser.add_argument("--styles", choices=["training", "held-out", "all"], default="held-out")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    found = styles(args.art, args.real, None, args.drawn, args.styles)
    (args.out / "images").mkdir(parents=True, exist_ok=True)
    with (args.out / "hands.jsonl").open("w") as lines:
        for seed in range(args.seed, args.seed + args.count):
            scene = table_scene(seed, args.size)
            name = f"{seed:06d}"
            picture = painted(scene, seed, found)
            cv2.imwrite(str(args.out / "images" / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
            tiles = [
                {"tile": s.code, "role": s.role, "group": s.group, "box": s.box, "up": s.up}
                for s in scene.seen
            ]
            sets = [{"kind": s.kind, "concealed": s.concealed, "tiles": s.codes} for s in scene.sets]
            line = {"name": name, "hand": scene.hand, "sets": sets, "style": scene.style, "tiles": tiles}
            lines.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()

"""How tiles lie on a table, and the camera that looks at them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from faces import CODES
from numpy.typing import NDArray

Array = NDArray[np.float64]
HALF = np.array([1.3, 1.75, 1.0])  # half width, height and thickness of a tile in centimetres
CLEAR = 3.55  # centres of turned tiles this far apart (cm) seldom touch
PLAY = [code for code in CODES if code[-1] in "mpsz"]
BONUS = [code for code in CODES if code[-1] in "fa"]


@dataclass(frozen=True, slots=True)
class Block:
    """One tile in the scene: class, centre (cm), rows of `axes` are its right, up and outward directions."""

    code: str
    centre: Array
    axes: Array


@dataclass(frozen=True, slots=True)
class Camera:
    eye: Array
    rotation: Array
    focal: float
    centre: tuple[float, float]

    def project(self, points: Array) -> Array:
        seen = (np.asarray(points, float) - self.eye) @ self.rotation.T
        depth = np.maximum(seen[..., 2], 0.5)
        return np.stack(
            [
                self.focal * seen[..., 0] / depth + self.centre[0],
                self.focal * seen[..., 1] / depth + self.centre[1],
            ],
            -1,
        )


def _flat(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])


def _standing(angle: float) -> Array:
    right = np.array([math.cos(angle), math.sin(angle), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    return np.array([right, up, np.cross(right, up)])


def _row(rng: np.random.Generator, codes: list[str], y: float, upright: bool, bend: float) -> list[Block]:
    blocks: list[Block] = []
    x, slip = 0.0, rng.uniform(0, 0.12)
    for index, code in enumerate(codes):
        x += (
            2 * HALF[0]
            + abs(rng.normal(0, 0.04))
            + (rng.uniform(0.5, 2.5) if index and rng.random() < 0.06 else 0)
        )
        dy = rng.normal(0, slip) + bend * (x - 18) ** 2
        axes = _standing(rng.normal(0, 0.03)) if upright else _flat(rng.normal(0, 0.03))
        blocks.append(Block(code, np.array([x, y + dy, HALF[1] if upright else HALF[2]]), axes))
    shift = blocks[0].centre[0] / 2 + blocks[-1].centre[0] / 2
    return [Block(b.code, b.centre - [shift, 0, 0], b.axes) for b in blocks]


def _scatter(
    rng: np.random.Generator,
    count: int,
    middle: tuple[float, float],
    spread: float,
    taken: Sequence[Block] = (),
) -> list[Block]:
    """Tiles thrown down around `middle`, each clear of the others and of those that lie there already."""
    blocks: list[Block] = []
    for _ in range(count):
        for _try in range(20):
            dx, dy = rng.uniform(-spread, spread, 2)
            at = np.array([middle[0] + dx, middle[1] + dy, HALF[2]])
            if all(np.hypot(*(at - other.centre)[:2]) > CLEAR for other in (*taken, *blocks)):
                blocks.append(Block(_code(rng), at, _flat(rng.uniform(-math.pi, math.pi))))
                break
    return blocks


def _code(rng: np.random.Generator) -> str:
    chance = rng.random()
    if chance < 0.06:
        return "0x"
    return str(rng.choice(BONUS if chance < 0.28 else PLAY))


def lay_out(rng: np.random.Generator) -> tuple[list[Block], float, float, float]:
    """Blocks, camera elevation (rad), camera azimuth relative to the reader's side, distance (cm)."""
    bend = rng.normal(0, 0.004)  # rows of one table curve alike, or they would run into each other
    kind = rng.choice(["hand", "hand", "hand", "rows", "grid", "scatter"])
    if kind == "hand":
        upright = bool(rng.random() < 0.45)
        codes = [_code(rng) for _ in range(int(rng.integers(11, 19)))]
        if rng.random() < 0.7:
            codes.sort(key=CODES.index)
        blocks = _row(rng, codes, 0.0, upright, bend)
        if rng.random() < 0.35:
            blocks += _row(rng, [_code(rng) for _ in range(int(rng.integers(3, 12)))], 4.2, False, bend)
        if rng.random() < 0.7:
            blocks += _scatter(
                rng, int(rng.integers(5, 26)), (rng.normal(0, 4), rng.uniform(16, 24)), 9, blocks
            )
        elevation = math.radians(rng.uniform(14, 50) if upright else rng.uniform(28, 88))
        return blocks, elevation, rng.normal(0, 0.3), rng.uniform(38, 62)
    if kind == "scatter":
        return (
            _scatter(rng, int(rng.integers(6, 40)), (0, 0), 12),
            math.radians(rng.uniform(32, 89)),
            rng.uniform(-math.pi, math.pi),
            rng.uniform(28, 52),
        )
    wide = int(rng.integers(5, 10)) if kind == "grid" else int(rng.integers(6, 15))
    blocks = []
    for line in range(int(rng.integers(1, 5))):
        blocks += _row(
            rng, [_code(rng) for _ in range(wide)], -line * (2 * HALF[1] + rng.uniform(0, 0.3)), False, bend
        )
    return blocks, math.radians(rng.uniform(35, 89)), rng.normal(0, 0.6), rng.uniform(26, 55)


def aim(
    rng: np.random.Generator,
    blocks: list[Block],
    elevation: float,
    azimuth: float,
    distance: float,
    size: int,
) -> Camera:
    azimuth -= math.pi / 2
    toward = np.array(
        [
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        ]
    )
    target = np.mean([b.centre for b in blocks], axis=0) * [1, 0.6, 0]
    eye = target + distance * toward
    forward = -toward
    right = np.cross(forward, [0, 0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = rng.normal(0, 0.15) if rng.random() < 0.6 else rng.uniform(-math.pi, math.pi)
    c, s = math.cos(roll), math.sin(roll)
    rotation = np.stack([c * right + s * down, -s * right + c * down, forward])
    focal = size * rng.uniform(0.9, 1.35)
    return Camera(eye, rotation, focal, (size * rng.uniform(0.42, 0.58), size * rng.uniform(0.42, 0.58)))

"""The table's geometry: tiles as blocks in centimetres, and the camera that looks at them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
HALF = np.array([1.3, 1.75, 1.0])  # half width, height and thickness of a common tile (cm)
NEAR = 1.0  # what lies nearer to the eye than this (cm) is cut away


@dataclass(frozen=True, slots=True)
class Block:
    """One tile in the scene: class, centre (cm), rows of `axes` are its right, up and outward directions."""

    code: str
    centre: Array
    axes: Array


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera: eye (cm), rows of `rotation` are its right, down and forward directions; pixels."""

    eye: Array
    rotation: Array
    focal: float
    centre: tuple[float, float]

    def seen(self, points: Array) -> Array:
        """Points in the camera's own axes; the third is the depth (cm)."""
        local: Array = (np.asarray(points, float) - self.eye) @ self.rotation.T
        return local

    def project(self, points: Array) -> Array:
        """Points (..., 3) in cm to pixels (..., 2)."""
        local = self.seen(points)
        depth = np.maximum(local[..., 2:], NEAR / 2)
        pixels: Array = self.focal * local[..., :2] / depth + self.centre
        return pixels

    def polygon(self, corners: Array) -> Array:
        """A flat outline (n, 3) in pixels, cut off where it comes too near to the eye; may be empty."""
        local, kept = self.seen(corners), []
        for one, other in zip(local, np.roll(local, -1, axis=0), strict=True):
            if one[2] > NEAR:
                kept.append(one)
            if (one[2] > NEAR) != (other[2] > NEAR):
                kept.append(one + (other - one) * (NEAR - one[2]) / (other[2] - one[2]))
        if len(kept) < 3:
            return np.zeros((0, 2))
        points = np.array(kept)
        pixels: Array = self.focal * points[:, :2] / points[:, 2:] + self.centre
        return pixels

    def scale(self, point: Array) -> float:
        """Pixels a centimetre at a point."""
        return float(self.focal / max(float(self.seen(point)[2]), NEAR))

    def plane(self, height: float) -> Array:
        """The matrix (3, 3) that takes ground coordinates (x, y, 1) at `height` to pixels."""
        inner = np.array([[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1.0]])
        outer = np.column_stack(
            [self.rotation[:, 0], self.rotation[:, 1], self.rotation @ (np.array([0, 0, height]) - self.eye)]
        )
        matrix: Array = inner @ outer
        return matrix


def flat(angle: float) -> Array:
    """Axes of a tile that lies face up, turned by `angle`."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])


def standing(angle: float, lean: float = 0.0) -> Array:
    """Axes of a tile that stands with its face toward the reader (-y), leaning back by `lean`."""
    right = np.array([math.cos(angle), math.sin(angle), 0.0])
    back = np.array([-math.sin(angle), math.cos(angle), 0.0])
    up = math.cos(lean) * np.array([0.0, 0.0, 1.0]) + math.sin(lean) * back
    return np.array([right, up, np.cross(right, up)])


def tilted(axes: Array, rng: np.random.Generator, spread: float) -> Array:
    """The same axes after a small turn about a random direction."""
    turn, _ = cv2.Rodrigues(rng.normal(0, spread, 3))
    return np.asarray(axes @ np.asarray(turn, float).T)


def corners_of(half: Array) -> Array:
    """The eight corners of a block around its middle, in its own axes."""
    return np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half


def aim(
    rng: np.random.Generator,
    target: Array,
    elevation: float,
    azimuth: float,
    distance: float,
    size: int,
) -> Camera:
    """A camera `distance` away from `target`, near the reader's side, hardly rolled or anyhow."""
    azimuth -= math.pi / 2
    toward = np.array(
        [
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        ]
    )
    forward = -toward
    right = np.cross(forward, [0, 0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    chance = rng.random()
    roll = rng.normal(0, 0.13)
    if chance > 0.6:  # a phone held in another quarter turn, or anyhow
        roll = rng.uniform(-math.pi, math.pi) if chance > 0.72 else roll + math.pi / 2 * rng.integers(1, 4)
    c, s = math.cos(roll), math.sin(roll)
    rotation = np.stack([c * right + s * down, -s * right + c * down, forward])
    focal = size * rng.uniform(0.9, 1.4)
    centre = (size * rng.uniform(0.42, 0.58), size * rng.uniform(0.42, 0.58))
    return Camera(np.asarray(target, float) + distance * toward, rotation, focal, centre)


def overlaps(one: Block, others: Sequence[Block], apart: float) -> bool:
    """Whether a block's middle lies nearer than `apart` (cm, seen from above) to that of another."""
    x, y = float(one.centre[0]), float(one.centre[1])
    return any((other.centre[0] - x) ** 2 + (other.centre[1] - y) ** 2 <= apart**2 for other in others)

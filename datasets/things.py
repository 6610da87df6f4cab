"""What else is on and around a table: hands, dice, racks, phones, coins. None of it carries a label."""

from __future__ import annotations

import itertools
import math

import cv2
import numpy as np
from blocks import Light, Picture, fill, shade_under
from numpy.typing import NDArray
from table import Array, Block, Camera, corners_of, flat, standing

Rng = np.random.Generator
Mask = NDArray[np.uint8]
SKINS = ((150, 180, 225), (120, 150, 205), (95, 125, 185), (60, 85, 140), (40, 55, 95), (140, 165, 210))


def paint_box(
    image: Picture, camera: Camera, centre: Array, half: Array, axes: Array, colour: Array, light: Light
) -> Array:
    """A plain box; its outline in pixels (empty where it lies behind the camera)."""
    corners = centre + corners_of(half) @ axes
    if (camera.seen(corners)[:, 2] < 1).any():
        return np.zeros((0, 2))
    points = camera.project(corners)
    hull = np.asarray(cv2.convexHull(points.astype(np.float32)), float).reshape(-1, 2)
    shade_under(image, hull, np.zeros(2), 0.35, 0.6 * camera.scale(centre))
    for axis in range(3):
        for sign in (-1, 1):
            normal = axes[axis] * sign
            side = centre + normal * half[axis]
            if (camera.eye - side) @ normal <= 0:
                continue
            lit = light.ambient + (1 - light.ambient) * 1.25 * max(0.0, float(normal @ light.toward))
            of_side = points[corners_of(np.ones(3))[:, axis] == sign]
            outline = cv2.convexHull(of_side.astype(np.float32)).reshape(-1, 2)
            fill(image, np.asarray(outline, float), (colour * lit).clip(0, 255))
    return hull


def paint_dice(rng: Rng, image: Picture, camera: Camera, at: Array, light: Light) -> Array:
    """A die: white, with pips on the sides that are seen."""
    half = rng.uniform(0.5, 0.8)
    axes = flat(rng.uniform(-math.pi, math.pi))
    centre = np.array([at[0], at[1], half])
    body = np.full(3, rng.uniform(215, 250)) if rng.random() < 0.8 else rng.uniform(20, 220, 3)
    hull = paint_box(image, camera, centre, np.full(3, half), axes, body, light)
    if not len(hull):
        return hull
    ink = np.array([40, 30, 30] if rng.random() < 0.5 else [40, 30, 190], float)
    for axis in range(3):
        for sign in (-1, 1):
            normal = axes[axis] * sign
            if (camera.eye - centre) @ normal <= half:
                continue
            one, other = axes[(axis + 1) % 3], axes[(axis + 2) % 3]
            for _ in range(int(rng.integers(1, 5))):
                u, v = rng.choice([-0.5, 0.0, 0.5], 2)
                pip = centre + half * (normal + u * one + v * other)
                ring = [
                    pip + 0.2 * half * (math.cos(a) * one + math.sin(a) * other)
                    for a in np.linspace(0, 2 * math.pi, 9)
                ]
                fill(image, camera.project(np.array(ring)), ink)
    return hull


def clutter(
    rng: Rng, image: Picture, camera: Camera, blocks: list[Block], light: Light, reach: float
) -> None:
    """Dice, coins, a phone, sticks, cards beside the tiles, painted before them."""
    for _ in range(int(rng.choice([0, 0, 1, 2, 4]))):
        at = np.array([*rng.uniform(-reach, reach, 2), 0.0])
        near = min((float(np.hypot(*(b.centre - at)[:2])) for b in blocks), default=99.0)
        kind = rng.choice(["dice", "dice", "coin", "slab", "stick", "card"])
        if near < (3 if kind in ("dice", "coin") else 6):
            continue
        axes, colour = flat(rng.uniform(-math.pi, math.pi)), rng.uniform(10, 245, 3)
        if kind == "dice":
            paint_dice(rng, image, camera, at, light)
        elif kind == "coin":
            ring = [
                at + rng.uniform(1, 2) * np.array([math.cos(a), math.sin(a), 0])
                for a in np.linspace(0, 6.3, 20)
            ]
            hull = camera.polygon(np.array(ring))
            if len(hull):
                fill(image, np.asarray(cv2.convexHull(hull.astype(np.float32)), float).reshape(-1, 2), colour)
        else:
            half = {"slab": (3.6, 7.4, 0.4), "stick": (0.3, 4.5, 0.12), "card": (3.1, 4.4, 0.02)}[str(kind)]
            tone = np.full(3, rng.uniform(10, 40)) if kind == "slab" and rng.random() < 0.7 else colour
            paint_box(image, camera, at + np.array([0, 0, half[2]]), np.array(half), axes, tone, light)


Limb = tuple[list[tuple[float, float]], list[float]]  # a rounded limb: its points, its width at each (pixels)


def _limb_mask(limb: Limb, origin: tuple[int, int], shape: tuple[int, int]) -> Mask:
    mask = np.zeros(shape, np.uint8)
    points, widths = limb
    for (one, other), (w0, w1) in zip(itertools.pairwise(points), itertools.pairwise(widths), strict=True):
        for t in np.linspace(0, 1, 9):
            x, y = one[0] + t * (other[0] - one[0]) - origin[0], one[1] + t * (other[1] - one[1]) - origin[1]
            cv2.circle(mask, (int(x), int(y)), max(1, int((w0 + t * (w1 - w0)) / 2)), 255, -1)
    return mask


def _lay_limb(image: Picture, limb: Limb, colour: Array, unit: float, covered: Mask) -> None:
    """Paint a limb with its shadow, darker toward its rim as round bodies are."""
    size, reach = image.shape[0], max(limb[1]) / 2 + 1.2 * unit
    points = np.array(limb[0])
    x0, y0 = (int(v) for v in (points.min(0) - reach).clip(0, size))
    x1, y1 = (int(v) for v in (points.max(0) + reach).clip(0, size))
    if x1 - x0 < 3 or y1 - y0 < 3:
        return
    mask = _limb_mask(limb, (x0, y0), (y1 - y0, x1 - x0))
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    depth = cv2.sqrt(inside * np.float32(1 / max(float(inside.max()), 1.0)))
    shade = cv2.blur(mask, (2 * int(0.8 * unit) + 1,) * 2).astype(np.float32)
    body = (0.55 + 0.5 * depth)[:, :, None] * colour.astype(np.float32)
    weight = cv2.blur(mask, (3, 3)).astype(np.float32)[:, :, None] * np.float32(1 / 255)
    region = image[y0:y1, x0:x1]
    under = region * (1 - shade * np.float32(0.4 / 255))[:, :, None]
    region[:] = (under + (body - under) * weight).clip(0, 255)
    covered[y0:y1, x0:x1][mask > 127] = 255


def _finger(rng: Rng, root: tuple[float, float], angle: float, long: float, unit: float) -> Limb:
    bend = angle + rng.normal(0, 0.25)
    knee = (root[0] + 0.5 * long * math.cos(angle), root[1] + 0.5 * long * math.sin(angle))
    tip = (knee[0] + 0.5 * long * math.cos(bend), knee[1] + 0.5 * long * math.sin(bend))
    return [root, knee, tip], [1.9 * unit, 1.7 * unit, 1.3 * unit]


def paint_hand(rng: Rng, image: Picture, camera: Camera, at: Array, covered: Mask) -> None:
    """A hand that reaches in from outside to `at` (cm), with its sleeve; marks it in `covered`."""
    size = image.shape[0]
    unit = camera.scale(at)  # pixels a centimetre
    if unit * 8 > size or unit < 2:
        return
    x, y = camera.project(at)
    toward = math.atan2(y - size / 2, x - size / 2) + rng.normal(
        0, 0.5
    )  # the arm comes from the nearest side
    c, s = math.cos(toward), math.sin(toward)
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.75, 1.1)
    palm = (x + 5 * unit * c, y + 5 * unit * s)

    def along(distance: float) -> tuple[float, float]:
        return palm[0] + distance * unit * c, palm[1] + distance * unit * s

    far = along(60)
    limbs: list[Limb] = [
        ([palm, along(7), far], [6 * unit, 5 * unit, 9 * unit]),
        ([palm, along(-1.5)], [8 * unit, 7 * unit]),
    ]
    spread, thumb = rng.uniform(0.1, 0.3), rng.choice([-1, 1])
    for index in range(5):
        offset = (index - 1.5) * spread if index < 4 else thumb * 1.1
        long = unit * (rng.uniform(5.5, 7.5) if index < 4 else rng.uniform(3.5, 5))
        side = ((index - 1.5) * 1.8 if index < 4 else thumb * 3.4) * unit
        root = (palm[0] - 2.5 * unit * c + side * s, palm[1] - 2.5 * unit * s - side * c)
        limbs.append(_finger(rng, root, toward + math.pi + offset, long, unit))
    for limb in limbs:
        _lay_limb(image, limb, skin, unit, covered)
    if rng.random() < 0.8:
        sleeve: Limb = ([along(rng.uniform(7, 15)), far], [7.5 * unit, 11 * unit])
        _lay_limb(image, sleeve, rng.uniform(10, 220, 3), unit, covered)


def paint_rack(image: Picture, camera: Camera, rack: tuple[Array, Array], tone: Array, light: Light) -> None:
    """A rack or a rail: a long low box."""
    centre, half = rack
    paint_box(image, camera, centre, half, standing(0.0)[[0, 2, 1]] * [[1], [-1], [1]], tone, light)

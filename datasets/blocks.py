"""Painting of tiles: rounded blocks with lit sides, gloss and the shade that they throw on each other."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from looks import TEX_H, TEX_W, Look, Texture, face_texture, side_texture
from numpy.typing import NDArray
from table import Array, Block, Camera, corners_of

Rng = np.random.Generator
Picture = NDArray[np.uint8]
_CIRCLE = np.array([(math.cos(a), math.sin(a)) for a in np.linspace(0, 2 * math.pi, 12, endpoint=False)])


@dataclass(frozen=True, slots=True)
class Light:
    """The lamp (direction to it), how much of the light comes from everywhere, and what glosses mirror:
    directions with a sharpness and a strength each.
    """

    toward: Array
    ambient: float
    mirrored: tuple[tuple[Array, float, float], ...]
    shadow: float
    softness: float


def light_of(rng: Rng) -> Light:
    """A random lamp in a random room."""
    toward = np.array([rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.6, 2.5)])
    toward /= np.linalg.norm(toward)
    lamps = [(toward, rng.uniform(12, 90), rng.uniform(0.2, 1.0))]
    for _ in range(int(rng.integers(0, 3))):
        other = np.array([rng.normal(0, 0.8), rng.normal(0.6, 0.8), rng.uniform(0.3, 1.5)])
        lamps.append((other / np.linalg.norm(other), rng.uniform(6, 60), rng.uniform(0.1, 0.8)))
    softness = float(np.exp(rng.uniform(math.log(1.5), math.log(22))))
    return Light(toward, rng.uniform(0.45, 0.8), tuple(lamps), rng.uniform(0.15, 0.6), softness)


def hull_of(camera: Camera, block: Block, look: Look, low: float = -1.0, high: float = 1.0) -> Array:
    """The outline of a rounded block in pixels, or of its slice between two heights (-1 back, 1 face)."""
    inner = look.half - look.radius
    corners = corners_of(inner)
    corners[:, 2] = np.where(corners[:, 2] > 0, high, low) * inner[2]
    world = block.centre + corners @ block.axes
    local = camera.seen(world)
    depth = np.maximum(local[:, 2:], 0.5)
    centres = camera.focal * local[:, :2] / depth + camera.centre
    points = centres[:, None] + _CIRCLE * (camera.focal * look.radius / depth)[:, None]
    hull = cv2.convexHull(points.reshape(-1, 2).astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), float)


def quads_of(block: Block, look: Look) -> list[tuple[str, Array, Array]]:
    """The five sides that may be seen: kind, corners (cm) from the one left of the face's top, normal."""
    inset = 0.45 * look.radius

    def at(x: int, y: int, z: int, flush: int) -> Array:
        half = look.half - inset
        half[flush] = look.half[flush]
        place: Array = block.centre + (np.array([x, y, z]) * half) @ block.axes
        return place

    right, up, out = block.axes
    return [
        ("side", np.array([at(x, -1, z, 1) for x, z in ((-1, 1), (1, 1), (1, -1), (-1, -1))]), -up),
        ("side", np.array([at(x, 1, z, 1) for x, z in ((1, 1), (-1, 1), (-1, -1), (1, -1))]), up),
        ("long", np.array([at(1, y, z, 0) for y, z in ((-1, 1), (1, 1), (1, -1), (-1, -1))]), right),
        ("long", np.array([at(-1, y, z, 0) for y, z in ((1, 1), (-1, 1), (-1, -1), (1, -1))]), -right),
        ("face", np.array([at(x, y, 1, 2) for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))]), out),
    ]


def face_of(block: Block, half: Array) -> Array:
    """The four corners of the face (cm): top left, top right, bottom right, bottom left as it stands."""
    signs = np.array([(-1, 1, 1), (1, 1, 1), (1, -1, 1), (-1, -1, 1)], float)
    place: Array = block.centre + (signs * half) @ block.axes
    return place


def _window(points: Array, size: int, margin: int) -> tuple[int, int, int, int] | None:
    x0, y0 = (int(v) for v in np.maximum(np.floor(points.min(0)) - margin, 0))
    x1, y1 = (int(v) for v in np.minimum(np.ceil(points.max(0)) + 1 + margin, size))
    return (x0, y0, x1, y1) if x1 - x0 > 1 and y1 - y0 > 1 else None


def _mask(hull: Array, window: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    x0, y0, x1, y1 = window
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    points = np.round((hull - [x0, y0]).clip(-4000, 4000) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, 4)
    return mask


def fill(image: Picture, hull: Array, colour: Array) -> None:
    """Paint a convex outline in one colour."""
    window = _window(hull, image.shape[0], 0)
    if window is None:
        return
    x0, y0, x1, y1 = window
    weight = _mask(hull, window).astype(np.float32)[:, :, None] * np.float32(1 / 255)
    region = image[y0:y1, x0:x1]
    region[:] = region + (colour.astype(np.float32) - region) * weight


def paste(image: Picture, texture: Texture, quad: Array) -> None:
    """Lay a texture over four pixels' corners (from its upper left, clockwise)."""
    window = _window(quad, image.shape[0], 1)
    if window is None:
        return
    x0, y0, x1, y1 = window
    height, width = texture.shape[:2]
    reach = max(float(np.linalg.norm(quad[3] - quad[0])), float(np.linalg.norm(quad[2] - quad[1])))
    if reach < height / 2:  # average first: plain sampling would drop thin strokes
        factor = max(reach / height * 1.3, 0.06)
        texture = cv2.resize(texture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        height, width = texture.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, (quad - [x0, y0]).astype(np.float32))
    warped = cv2.warpPerspective(texture, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    region = image[y0:y1, x0:x1]
    region[:] = (region + (warped[:, :, :3] - region) * warped[:, :, 3:]).clip(0, 255)


def _gloss(
    camera: Camera, quad: Array, normal: Array, look: Look, light: Light, tip: Array
) -> Texture | None:
    """What the face mirrors (0..1) on a coarse grid, or None where that is next to nothing."""
    if look.gloss < 0.05:
        return None
    t = np.linspace(0, 1, 7)
    across, down = np.meshgrid(t[:6], t)
    points = quad[0] + across[..., None] / t[5] * (quad[1] - quad[0]) + down[..., None] * (quad[3] - quad[0])
    view = camera.eye - points
    view /= np.linalg.norm(view, axis=2, keepdims=True)
    facing = normal + tip
    facing = facing / np.linalg.norm(facing)
    mirrored = 2 * (view @ facing)[..., None] * facing - view
    shine = np.zeros(across.shape)
    for toward, sharp, strength in light.mirrored:
        shine += strength * np.exp(sharp * ((mirrored @ toward) - 1))
    grazing = (1 - np.abs(view @ facing)) ** 4  # everything mirrors when seen flatly
    shine = look.gloss * (shine + 0.5 * grazing)
    return shine.astype(np.float32).clip(0, 0.9) if shine.max() > 0.03 else None


def shade_under(image: Picture, hull: Array, offset: Array, depth: float, pixels: float) -> None:
    """Darken what lies around a block already painted: neighbours take each other's light."""
    reach = int(max(2, 2.2 * pixels))
    window = _window(hull + offset, image.shape[0], reach)
    if window is None:
        return
    x0, y0, x1, y1 = window
    mask = cv2.blur(_mask(hull + offset, window), (2 * (reach // 2) + 1,) * 2)
    region = image[y0:y1, x0:x1]
    dark = 1 - mask.astype(np.float32)[:, :, None] * np.float32(depth / 255)
    region[:] = region * dark


def paint_block(rng: Rng, image: Picture, camera: Camera, block: Block, look: Look, light: Light) -> Array:
    """Paint one tile over what is there already; its outline in pixels."""
    hull = hull_of(camera, block, look)
    pixels = camera.scale(block.centre)
    drop = camera.project(block.centre - light.toward * 0.35) - camera.project(block.centre)
    shade_under(image, hull, drop, 0.34, 0.5 * pixels)
    face_down = block.code == "0x"
    out = block.axes[2]
    _paint_slices(image, camera, block, look, light, face_down)
    for kind, quad, normal in quads_of(block, look):
        if (camera.eye - quad.mean(0)) @ normal <= 0:
            continue
        lit = light.ambient + (1 - light.ambient) * 1.25 * max(0.0, float(normal @ light.toward))
        lit *= 0.9 + 0.1 * max(0.0, float(normal[2])) + rng.normal(0, 0.012)
        corners = camera.project(quad)
        if kind == "face":
            wide = float(np.linalg.norm(corners[1] - corners[0]))
            scale = 0.5 if wide < 40 else 1.0 if wide < 110 else 1.5
            slant = (float(block.axes[0] @ light.toward), -float(block.axes[1] @ light.toward))
            texture = face_texture(look, block.code, slant, int(rng.integers(3)), scale)
            texture = texture * np.array([lit, lit, lit, 1], np.float32)
            shine = _gloss(camera, quad, out, look, light, rng.normal(0, 0.02, 3))
            if shine is not None:
                glow = cv2.resize(shine, texture.shape[1::-1], interpolation=cv2.INTER_CUBIC)[:, :, None]
                texture[:, :, :3] += (250 - texture[:, :, :3]) * glow
        else:
            texture = side_texture(look, face_down, TEX_W if kind == "side" else TEX_H)
            texture = texture * np.array([lit, lit, lit, 1], np.float32)
        paste(image, texture, corners)
    return hull


def _paint_slices(
    image: Picture, camera: Camera, block: Block, look: Look, light: Light, face_down: bool
) -> None:
    """The rounded body under the sides: its layers, the farther first; what shows of it are the edges."""
    layers = look.layers[::-1] if face_down else look.layers
    edges = np.cumsum([0.0, *(share for share, _ in layers)])
    slices = [
        (1 - 2 * edges[i + 1], 1 - 2 * edges[i], np.array(colour)) for i, (_, colour) in enumerate(layers)
    ]
    if (camera.eye - block.centre) @ block.axes[2] > 0:
        slices = slices[::-1]
    lit = light.ambient + (1 - light.ambient) * max(0.1, float(light.toward[2]))
    for low, high, colour in slices:
        fill(image, hull_of(camera, block, look, low, high), colour * (0.93 * lit))


def ground_shadows(
    camera: Camera, blocks: list[Block], look: Look, light: Light, size: int
) -> NDArray[np.float32]:
    """What share of the light reaches the ground, (size, size)."""
    small = size // 2
    cast, contact = np.zeros((small, small), np.uint8), np.zeros((small, small), np.uint8)
    corners = corners_of(look.half)
    for block in blocks:
        world = block.centre + corners @ block.axes
        thrown = world - np.outer(world[:, 2] / light.toward[2], light.toward)
        hull = cv2.convexHull((camera.project(thrown) / 2).astype(np.float32))
        cv2.fillConvexPoly(cast, hull.astype(np.int32), 255)
        if block.centre[2] < 2 * look.half[1]:
            foot = block.centre + (world - block.centre) * [1.1, 1.1, 1]
            foot[:, 2] = 0.0
            hull = cv2.convexHull((camera.project(foot) / 2).astype(np.float32))
            cv2.fillConvexPoly(contact, hull.astype(np.int32), 255)
    scale = size / 640
    wide = cv2.GaussianBlur(cast, (0, 0), max(0.6, light.softness * scale / 2)).astype(np.float32)
    close = cv2.GaussianBlur(contact, (0, 0), 1.6 * scale).astype(np.float32)
    reached = (1 - light.shadow / 255 * wide) * (1 - 0.4 / 255 * close)
    return np.asarray(cv2.resize(reached, (size, size), interpolation=cv2.INTER_LINEAR), np.float32)

"""What lies under the tiles: cloth, wood, paper, stone, made from noise or taken from pictures."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from table import Array, Camera

Rng = np.random.Generator
Picture = NDArray[np.uint8]
SIDE = 384  # pixels of a texture's side
FLOOR = -70.0  # height of the floor (cm); the table's top is 0

# Blue, green, red of what tables are covered with; felt greens come first because they are the commonest.
CLOTHS = (
    (60, 120, 30), (50, 90, 25), (45, 70, 20), (60, 160, 40), (80, 140, 60), (70, 95, 10),
    (120, 70, 30), (90, 50, 25), (35, 30, 110), (40, 35, 80), (60, 80, 120), (40, 60, 90),
    (60, 60, 62), (35, 35, 38),
    (150, 150, 150), (200, 205, 210), (170, 190, 205), (130, 160, 190), (110, 120, 60), (140, 100, 80),
)  # fmt: skip
WOODS = (
    (60, 105, 160), (95, 145, 195), (40, 65, 110), (30, 42, 70), (130, 165, 200), (120, 130, 140),
    (70, 90, 120),
)  # fmt: skip


@functools.cache
def _bank(kind: int) -> NDArray[np.float32]:
    """Noise that repeats at its edges, (SIDE, SIDE), mean 0 and deviation 1; made once."""
    rng = np.random.default_rng([kind, 77])
    field = rng.standard_normal((SIDE, SIDE)).astype(np.float32)
    if kind % 4:
        wide = np.pad(field, 64, mode="wrap")
        sigma = (0.8, 1.0, 3.0, 14.0)[kind % 4]
        field = cv2.GaussianBlur(wide, (0, 0), sigma)[64:-64, 64:-64]
    return np.asarray((field - field.mean()) / field.std(), np.float32)


def noise(rng: Rng, grain: int) -> NDArray[np.float32]:
    """A random piece of the noise: grain 0 (a pixel) to 3 (large patches)."""
    field = _bank(grain + 4 * int(rng.integers(3)))
    dy, dx = rng.integers(SIDE, size=2)
    return np.roll(field, (int(dy), int(dx)), (0, 1))


def _tint(rng: Rng, palette: Sequence[tuple[int, int, int]]) -> NDArray[np.float32]:
    if rng.random() < 0.05:
        return rng.uniform(15, 230, 3).astype(np.float32)
    base = np.array(palette[int(rng.integers(len(palette)))], np.float32)
    return np.clip(base * rng.uniform(0.75, 1.25) + rng.normal(0, 8, 3), 6, 240).astype(np.float32)


def _mixed(base: NDArray[np.float32], field: NDArray[np.float32], depth: float) -> NDArray[np.float32]:
    return base * (1 + depth * field[:, :, None])


def felt(rng: Rng) -> NDArray[np.float32]:
    """Felt: even, with a fine grain and faint patches."""
    field = noise(rng, 0) * 0.5 + noise(rng, 1) * 0.6 + noise(rng, 3) * 0.4
    return _mixed(_tint(rng, CLOTHS), field, rng.uniform(0.01, 0.09))


def weave(rng: Rng) -> NDArray[np.float32]:
    """A woven or dotted cloth."""
    count = 2 * int(rng.integers(10, 44))
    t = np.arange(SIDE, dtype=np.float32) * (2 * math.pi * count / SIDE)
    waves = np.sin(t)[:, None] * np.sin(t)[None, :] if rng.random() < 0.5 else np.sin(t)[:, None] + np.sin(t)
    field = waves.astype(np.float32) + 0.4 * noise(rng, 0)
    return _mixed(_tint(rng, CLOTHS), field, rng.uniform(0.03, 0.15))


def wood(rng: Rng) -> NDArray[np.float32]:
    """Wood: fibres along x, rings, perhaps boards with gaps between."""
    base = _tint(rng, WOODS)
    stretch = int(rng.integers(8, 60))
    grain = cv2.resize(noise(rng, 1)[:, : SIDE // stretch], (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    bend = cv2.resize(noise(rng, 3)[:64, :64], (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    y = np.arange(SIDE, dtype=np.float32)[:, None] / SIDE
    rings = np.sin(2 * math.pi * (y * rng.uniform(3, 16) + bend * rng.uniform(0.1, 0.9)))
    picture = _mixed(base, 0.6 * grain + 0.5 * rings.astype(np.float32), rng.uniform(0.04, 0.14))
    if rng.random() < 0.4:
        for edge in range(0, SIDE, SIDE // int(rng.integers(2, 7))):
            picture[edge : edge + 2] *= 0.45
            picture[edge:] *= rng.uniform(0.9, 1.1)
    return picture


def plain(rng: Rng) -> NDArray[np.float32]:
    """Paper, plastic or paint."""
    base = _tint(rng, ((225, 228, 230), (205, 215, 225), (240, 240, 240), (160, 170, 180), (40, 40, 44)))
    return _mixed(base, noise(rng, 3) + 0.3 * noise(rng, 0), rng.uniform(0.003, 0.025))


def stone(rng: Rng) -> NDArray[np.float32]:
    """Granite or marble."""
    base = _tint(rng, ((170, 175, 180), (90, 95, 100), (210, 215, 220), (60, 70, 90)))
    field = noise(rng, 2) * 0.7 + noise(rng, 1) * rng.uniform(0, 0.7)
    veins = np.exp(-((noise(rng, 3) * 5) ** 2)) * rng.uniform(-3, 1)
    return _mixed(base, field + veins.astype(np.float32), rng.uniform(0.03, 0.16))


def printed(rng: Rng) -> NDArray[np.float32]:
    """A tablecloth with a repeated motif: lace, checks, dots, lozenges, flowers."""
    count = int(2 ** rng.integers(2, 5))
    cell = SIDE // count
    base, other = _tint(rng, CLOTHS), _tint(rng, CLOTHS)
    motif = np.zeros((cell, cell), np.uint8)
    middle, kind = cell // 2, int(rng.integers(6))
    thick = max(1, cell // int(rng.integers(10, 30)))
    if kind == 0:
        motif[:, :middle] = 120
        motif[:middle] += 110
    elif kind == 1:
        cv2.circle(motif, (middle, middle), int(cell * rng.uniform(0.15, 0.45)), 255, -1, cv2.LINE_AA)
    elif kind == 2:
        cv2.line(motif, (0, 0), (cell, cell), 255, thick, cv2.LINE_AA)
        cv2.line(motif, (cell, 0), (0, cell), 255, thick, cv2.LINE_AA)
    elif kind == 3:
        for a in np.linspace(0, 2 * math.pi, int(rng.integers(5, 9)), endpoint=False):
            at = (int(middle + 0.26 * cell * math.cos(a)), int(middle + 0.26 * cell * math.sin(a)))
            cv2.circle(motif, at, cell // 7, 255, thick, cv2.LINE_AA)
    elif kind == 4:
        for r in np.linspace(0.1, 0.48, int(rng.integers(2, 5))):
            cv2.circle(motif, (middle, middle), int(cell * r), 255, thick, cv2.LINE_AA)
    else:
        motif[:: max(4, cell // 6)] = 255
    field = np.tile(motif, (count, count)).astype(np.float32)[:, :, None] / 255 * rng.uniform(0.2, 0.9)
    picture = base * (1 - field) + other * field
    return np.asarray(picture * (1 + 0.04 * noise(rng, 0)[:, :, None]), np.float32)


def newspaper(rng: Rng) -> NDArray[np.float32]:
    """Paper with columns of print."""
    picture = np.full((SIDE, SIDE, 3), rng.uniform(190, 240), np.float32)
    pitch = int(rng.integers(8, 18))
    for y in range(0, SIDE, pitch):
        x = 0
        while x < SIDE:
            wide = int(rng.integers(4, 40))
            if (x // 120) % 2 or rng.random() < 0.85:
                picture[y : y + pitch // 2, x : x + wide] *= rng.uniform(0.35, 0.8)
            x += wide + int(rng.integers(3, 9))
    return picture


def carpet(rng: Rng) -> NDArray[np.float32]:
    """A coarse carpet in two colours."""
    blobs = (noise(rng, 2) > rng.uniform(-1, 1)).astype(np.float32)[:, :, None] * rng.uniform(0, 0.7)
    picture = _tint(rng, CLOTHS) * (1 - blobs) + _tint(rng, CLOTHS) * blobs
    return np.asarray(picture * (1 + 0.14 * noise(rng, 0)[:, :, None]), np.float32)


TOPS: tuple[tuple[Callable[[Rng], NDArray[np.float32]], float], ...] = (
    (felt, 0.4), (weave, 0.16), (wood, 0.14), (plain, 0.12), (printed, 0.08), (stone, 0.05),
    (carpet, 0.03), (newspaper, 0.02)
)  # fmt: skip
EDGES = (wood, wood, plain)
FLOORS = (wood, wood, carpet, stone, plain)


@functools.lru_cache(64)
def _picture(path: Path) -> Picture:
    image = cv2.imread(str(path))
    if image is None:
        raise FileNotFoundError(f"no picture: {path}")
    height, width = image.shape[:2]
    side = min(height, width)
    image = image[(height - side) // 2 :][:side, (width - side) // 2 :][:, :side]
    return np.asarray(cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)


def texture(rng: Rng, pictures: Sequence[Path] = ()) -> NDArray[np.float32]:
    """A table's top, (SIDE, SIDE, 3) BGR."""
    if pictures and rng.random() < 0.3:
        return _picture(pictures[int(rng.integers(len(pictures)))]).astype(np.float32)
    kinds = [kind for kind, _ in TOPS]
    return kinds[int(rng.choice(len(kinds), p=[share for _, share in TOPS]))](rng)


def _spread(
    camera: Camera, picture: NDArray[np.float32], height: float, pitch: float, turn: float, size: int
) -> Picture:
    """A texture laid on the plane at `height`, `pitch` pixels of it a centimetre, turned by `turn`."""
    c, s = math.cos(turn), math.sin(turn)
    place = np.array([[c * pitch, -s * pitch, 0], [s * pitch, c * pitch, 0], [0, 0, 1.0]])
    matrix = place @ np.linalg.inv(camera.plane(height))
    sharp = picture.clip(0, 255).astype(np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    near = cv2.warpPerspective(sharp, matrix, (size, size), flags=flags, borderMode=cv2.BORDER_WRAP)
    # Where many pixels of the texture fall into one, sampling would sparkle: take a shrunken copy there.
    small = cv2.resize(sharp, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    shrink = np.diag([0.25, 0.25, 1.0])
    far = cv2.warpPerspective(small, shrink @ matrix, (size, size), flags=flags, borderMode=cv2.BORDER_WRAP)
    weight = _footprint(matrix, size)
    mixed: Picture = np.asarray(cv2.blendLinear(near, far, 1 - weight, weight), np.uint8)
    return mixed


def _footprint(matrix: Array, size: int) -> NDArray[np.float32]:
    """How far (0..1) sampling should move to the shrunken copy, from the texture pixels a pixel covers."""
    steps = np.linspace(0, size, 17)
    u, v = np.meshgrid(steps, steps)
    points = np.stack([u, v, np.ones_like(u)], -1) @ matrix.T
    depth = np.where(np.abs(points[..., 2]) < 1e-9, 1e-9, points[..., 2])
    at = points[..., :2] / depth[..., None]
    step = np.maximum(
        np.linalg.norm(np.gradient(at, axis=0), axis=2), np.linalg.norm(np.gradient(at, axis=1), axis=2)
    )
    weight = ((step / (size / 16) - 1.2) / 2.0).clip(0, 1).astype(np.float32)
    return np.asarray(cv2.resize(weight, (size, size), interpolation=cv2.INTER_LINEAR), np.float32)


def _room(rng: Rng, size: int) -> Picture:
    tone = rng.uniform(30, 190, (5, 5, 1))
    coarse = (tone + rng.normal(0, 18, (5, 5, 3))).clip(5, 250) * rng.uniform(0.4, 1.0)
    blurred = cv2.resize(coarse.astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
    return np.asarray(blurred.clip(0, 255), np.uint8)


def _hide_sky(rng: Rng, image: Picture, camera: Camera) -> None:
    """The room, where rays would meet the ground very far away or never."""
    size = image.shape[0]
    across, down, ahead = camera.rotation[:, 2]
    u, v = np.arange(size) - camera.centre[0], np.arange(size) - camera.centre[1]
    rise = (across * u[None, :] + down * v[:, None]) / camera.focal + ahead
    sky = rise > -0.06
    if sky.any():
        image[sky] = _room(rng, size)[sky]


def _lay(image: Picture, cover: Picture, outline: Array) -> None:
    if not len(outline):
        return
    mask = np.zeros(image.shape[:2], np.uint8)
    points = np.round(outline.clip(-30000, 30000) * 16).astype(np.int32)
    cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
    weight = mask.astype(np.float32) * np.float32(1 / 255)
    image[:] = cv2.blendLinear(cover, image, weight, 1 - weight)


def _moulded_rim(
    rng: Rng, image: Picture, camera: Camera, inside: tuple[float, float, float, float], rim: float
) -> None:
    """The frame of a folding table: smooth plastic, mostly white, with shallow trays in it whose bottoms are
    as large and as plain as backs of tiles are."""
    x0, y0, x1, y1 = inside
    tone = np.full(3, rng.uniform(165, 250) if rng.random() < 0.75 else rng.uniform(25, 120)) + rng.normal(
        0, 5, 3
    )

    def lay(shade: float, *corners: float) -> None:
        colour = np.empty_like(image)
        colour[:] = (tone * shade).clip(0, 255)
        _lay(image, colour, camera.polygon(_rectangle(*corners)))

    lay(1.0, x0 - rim, y0 - rim, x1 + rim, y1 + rim)
    lay(rng.uniform(0.5, 0.9), x0 - 0.3, y0 - 0.3, x1 + 0.3, y1 + 0.3)
    deep, line = rng.uniform(0.88, 1.0), rng.uniform(0.08, 0.3)
    left, sides = rng.uniform(-25, 8), rng.uniform(2.5, 30, 4)
    for width in sides:  # trays along the reader's side, some as small as a tile
        low, high = y0 - rim * rng.uniform(0.7, 0.92), y0 - rim * rng.uniform(0.1, 0.35)
        lay(rng.uniform(0.7, 0.9), left - line, low - line, left + width + line, high + line)
        lay(1.06, left, low - line, left + width + line, high)
        lay(deep, left, low, left + width, high)
        left += width + rng.uniform(1, 8)


def ground(
    rng: Rng,
    camera: Camera,
    size: int,
    tray: tuple[float, float, float, float] | None,
    pictures: Sequence[Path],
) -> Picture:
    """The table, its edge, the floor and the room as the camera sees them, (size, size, 3) BGR."""
    turn = rng.normal(0, 0.05) + math.pi / 2 * int(rng.integers(4))
    pitch = rng.uniform(9, 26)
    top = _spread(camera, texture(rng, pictures), 0.0, pitch, turn, size)
    image = top
    if rng.random() < 0.6:  # the table ends somewhere
        reach = np.array([rng.uniform(28, 60), rng.uniform(6, 24), rng.uniform(28, 60), rng.uniform(40, 70)])
        x0, y0, x1, y1 = reach * [-1, -1, 1, 1]
        floor = FLOORS[int(rng.integers(len(FLOORS)))](rng)
        image = _spread(camera, floor * rng.uniform(0.35, 0.9), FLOOR, 4.0, turn, size)
        rim = rng.uniform(0, 12) if rng.random() < 0.7 else 0.0
        moulded = rng.random() < 0.35
        if moulded:
            rim, y0 = rng.uniform(7, 13), -rng.uniform(-1, 9)
            _moulded_rim(rng, image, camera, (x0, y0, x1, y1), rim)
        elif rim:
            edge = _spread(camera, EDGES[int(rng.integers(3))](rng), 0.0, 8.0, turn + math.pi / 2, size)
            _lay(image, edge, camera.polygon(_rectangle(x0 - rim, y0 - rim, x1 + rim, y1 + rim)))
            dark = (edge * 0.45).astype(np.uint8)
            _lay(image, dark, camera.polygon(_rectangle(x0 - 0.3, y0 - 0.3, x1 + 0.3, y1 + 0.3)))
        _lay(image, top, camera.polygon(_rectangle(x0, y0, x1, y1)))
    if tray is not None:
        x0, y0, x1, y1 = tray
        colour = np.full_like(image, rng.uniform(15, 90), np.uint8)
        _lay(image, colour, camera.polygon(_rectangle(x0 - 0.5, y0 - 0.5, x1 + 0.5, y1 + 0.5)))
        inner = (colour * rng.uniform(0.4, 0.8)).astype(np.uint8)
        _lay(image, inner, camera.polygon(_rectangle(x0, y0, x1, y1)))
    _hide_sky(rng, image, camera)
    return image


def _rectangle(x0: float, y0: float, x1: float, y1: float) -> Array:
    return np.array([[x0, y0, 0], [x1, y0, 0], [x1, y1, 0], [x0, y1, 0.0]])

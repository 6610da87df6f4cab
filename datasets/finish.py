"""What a camera makes of a scene: glare, shade, exposure, colour cast, blur, noise, sharpening."""

from __future__ import annotations

import functools
import math

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Picture = NDArray[np.uint8]


def light_field(rng: Rng, size: int) -> NDArray[np.float32]:
    """How much light falls where, about 1: lamps, a window's edge, the photographer's own shadow."""
    small = 40
    y, x = np.mgrid[0:small, 0:small].astype(np.float32) / small - 0.5
    angle, slope = rng.uniform(-math.pi, math.pi), rng.uniform(0, 0.5)
    field = 1 + slope * (x * math.cos(angle) + y * math.sin(angle))
    field -= rng.uniform(0, 0.5) * (x**2 + y**2)
    if rng.random() < 0.3:
        (cx, cy), r = rng.uniform(-0.6, 0.6, 2), rng.uniform(0.15, 0.6)
        field += rng.uniform(0.1, 0.5) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / r**2)
    blur = 0.0
    if rng.random() < 0.25:
        shade = np.zeros((small, small), np.float32)
        cx, cy = (int(v) for v in rng.uniform(0, small, 2))
        axes = (int(rng.integers(6, 22)), int(rng.integers(4, 14)))
        cv2.ellipse(shade, (cx, cy), axes, float(rng.uniform(0, 180)), 0, 360, 1, -1)
        blur = rng.uniform(0.8, 4)
        field *= 1 - rng.uniform(0.2, 0.55) * cv2.GaussianBlur(shade, (0, 0), blur)
    return np.asarray(cv2.resize(field, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def _glare(rng: Rng, image: Picture) -> Picture:
    """Soft bright patches over everything, as when a lamp shines into the lens."""
    size, small = image.shape[0], 80
    glare = np.zeros((small, small), np.float32)
    axes = (int(rng.integers(3, 26)), int(rng.integers(2, 10)))
    at = (int(rng.integers(small)), int(rng.integers(small)))
    cv2.ellipse(glare, at, axes, float(rng.uniform(0, 180)), 0, 360, 1, -1)
    glare = cv2.GaussianBlur(glare, (0, 0), rng.uniform(1, 8)) * rng.uniform(20, 130)
    wide = cv2.resize(glare, (size, size), interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    return np.asarray(cv2.add(image, cv2.merge([wide] * 3)), np.uint8)


def _exposed(rng: Rng, image: Picture) -> Picture:
    """White balance, exposure, contrast: one table a channel."""
    gain = rng.uniform(0.75, 1.5) if rng.random() < 0.85 else rng.uniform(0.3, 0.75)
    cast = rng.normal(0, 0.06, 3) + rng.normal(0, 0.07) * np.array([-1, 0, 1])
    gamma, lift = math.exp(rng.normal(0, 0.16)), rng.uniform(0, 18) if rng.random() < 0.3 else 0.0
    contrast = rng.uniform(0.0, 0.8)
    x = np.arange(256) / 255
    tables = []
    for channel in range(3):
        y = (x * gain * (1 + cast[channel])).clip(0, 1.35) ** gamma
        y = np.where(y > 0.8, 0.8 + 0.2 * np.tanh((y - 0.8) / 0.2), y)  # highlights roll off
        y = y + contrast * 0.25 * np.sin(2 * math.pi * (y - 0.5).clip(-0.5, 0.5)) / math.pi
        tables.append(lift + (255 - lift) * y)
    table = np.stack(tables, -1).clip(0, 255).astype(np.uint8)[None]
    out: Picture = np.asarray(cv2.LUT(image, table), np.uint8)
    if rng.random() < 0.07:
        out = cv2.merge([cv2.cvtColor(out, cv2.COLOR_BGR2GRAY)] * 3)
    return out


def _blurred(rng: Rng, image: Picture) -> Picture:
    size, chance = image.shape[0], rng.random()
    if chance < 0.5:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.5) * size / 900)
    elif chance < 0.58:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(1.5, 3.0) * size / 900)
    elif chance < 0.7:
        length = int(rng.integers(3, 9))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    elif chance < 0.78:  # enlarged from fewer pixels
        small = cv2.resize(image, None, fx=(f := rng.uniform(0.4, 0.8)), fy=f, interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, (size, size), interpolation=cv2.INTER_LINEAR)
    return image


@functools.cache
def _grain() -> NDArray[np.int8]:
    """Noise of deviation 30, larger than a picture; made once, and each picture takes another piece."""
    return np.random.default_rng(7).normal(0, 30, (1500, 1500, 3)).clip(-127, 127).astype(np.int8)


def _noisy(rng: Rng, image: Picture) -> Picture:
    size, strength = image.shape[0], rng.uniform(0, 7) if rng.random() < 0.8 else rng.uniform(7, 16)
    bank = _grain()
    times = -(-size // 1000)
    if times > 1:
        bank = np.tile(bank, (times, times, 1))
    y, x = rng.integers(bank.shape[0] - size, size=2)
    grain = bank[y : y + size, x : x + size].astype(np.int16)
    if rng.random() < 0.5:  # phones smooth the noise into blotches
        grain = cv2.blur(grain, (2, 2))
    return np.asarray(
        cv2.addWeighted(image.astype(np.int16), 1.0, grain, strength / 30, 0).clip(0, 255), np.uint8
    )


def photograph(rng: Rng, image: Picture) -> Picture:
    """The finished photo, (size, size, 3) BGR."""
    if rng.random() < 0.3:
        image = _glare(rng, image)
    image = _noisy(rng, _blurred(rng, _exposed(rng, image)))
    if rng.random() < 0.45:
        soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 1.6))
        image = cv2.addWeighted(image, 1 + (amount := rng.uniform(0.3, 1.4)), soft, -amount, 0)
    return image

"""Which tiles lie sideways: what a face seems to say, weighed with the room that the tile takes and the shape
of its box.

A face alone is a weak witness: a network that is unsure of a tile's name is unsure of its direction, too, and
some faces look much the same from all sides. A tile that lies sideways takes more room in its row, though.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["LOWER", "TALL", "askew_most", "lying_sideways"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

TALL = 1.35
"""Height over width of a face; sets are made between 1.25 and 1.45."""

_RARE = -2.2
"""How rare tiles lie sideways, as a logarithm: one in ten."""

_NEAR = 0.08
"""How exactly distances between neighbours are known, in widths."""

LOWER, _LEVEL = 0.16, 0.085
"""How much lower, in widths, the middle of a tile lies that lies sideways, its foot in line with the others';
and how exactly that is known."""

_FORM = 0.13
"""How exactly the shape of a box is known, as the logarithm of width over height."""


def askew_most(certainty: Floats) -> Floats:
    """How far, in radians, a face of this certainty may seem to point off a quarter turn and still lie
    straight. A face that hardly tells its direction says nothing against it."""
    return np.where(certainty < 0.55, math.pi, np.radians(np.interp(certainty, [0.55, 0.85], [42, 30])))


def lying_sideways(
    turned: NDArray[np.int64],
    certainty: Floats,
    usable: Flags,
    along: Floats,
    across: Floats,
    shape: Floats,
) -> Flags:
    """Which tiles lie sideways, (n,).

    `turned` (n,) quarter turns that faces seem to have, `certainty` (n,) 0..1 of that, 0 for backs;
    `usable` (n,) which lie straight at all; `along`, `across` (n, n) steps in widths; `shape` (n,) what the
    shape of each box says for lying sideways, as a logarithm.
    """
    # Of faces whose direction has certainty 0.4, three of four lie as they seem to; of those with 0.95 all.
    says = np.where(turned % 2 == 1, 1.0, -1.0) * np.clip(7 * certainty - 1.6, 0, None)
    own = np.where(certainty > 0, _RARE + says + shape, -np.inf)
    sideways: Flags = usable & (own > 0)
    beside = (np.abs(across) < 0.45) & (np.abs(along) > 0.55) & (np.abs(along) < 1.6)
    beside &= usable[:, None] & usable[None, :]
    right = _nearest(np.where(beside & (along > 0), along, np.inf))
    left = _nearest(np.where(beside & (along < 0), -along, np.inf))
    for _ in range(3):
        told = _level(left, right, across, sideways)
        for neighbour in (left, right):
            told += _room(neighbour, along, sideways)
        now: Flags = usable & (own + told > 0)
        if (now == sideways).all():
            break
        sideways = now
    return sideways


def _nearest(steps: Floats) -> NDArray[np.int64]:
    """The nearest neighbour of each tile, -1 where there is none."""
    return np.where(np.isfinite(steps.min(axis=1)), steps.argmin(axis=1), -1)


def _room(neighbour: NDArray[np.int64], along: Floats, sideways: Flags) -> Floats:
    """What the distance to a neighbour says for lying sideways."""
    has = neighbour >= 0
    rows = np.arange(len(neighbour))
    step = np.abs(along[rows, neighbour])
    near = (1 + np.where(sideways[neighbour], TALL, 1.0)) / 2
    wide = near + (TALL - 1) / 2
    told = ((step - near) ** 2 - (step - wide) ** 2) / (2 * _NEAR**2)
    # More room may also be a gap; less room than a tile takes speaks clearly.
    return np.where(has, np.clip(told, -4.0, 1.5), 0.0)


def _level(left: NDArray[np.int64], right: NDArray[np.int64], across: Floats, sideways: Flags) -> Floats:
    """What lying lower than its neighbours says for lying sideways; both together, where there are two, since
    a row may lean."""
    rows = np.arange(len(across))
    total, count = np.zeros(len(across)), np.zeros(len(across))
    for neighbour in (left, right):
        has = neighbour >= 0
        total += np.where(has, across[rows, neighbour] + LOWER * sideways[neighbour], 0.0)
        count += has
    lower = total / np.maximum(count, 1)
    sharp = np.where(count > 1, 1.0, 0.7)
    told: Floats = sharp * (lower**2 - (lower - LOWER) ** 2) / (2 * _LEVEL**2)
    return np.where(count > 0, np.clip(told, -2.0, 2.0), 0.0)


def shape_says(shape: Floats, stand: float, lie: float) -> Floats:
    """What shapes, as logarithms of width over height, say for lying sideways, given those of boxes of tiles
    that do not and that do."""
    told: Floats = ((shape - stand) ** 2 - (shape - lie) ** 2) / (2 * _FORM**2)
    return np.clip(told, -3.0, 3.0)

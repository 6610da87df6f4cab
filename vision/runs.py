"""Tiles that touch, side by side, as their player laid them: runs; and tiles that lie on or above another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frame import TALL, Frame
from vision.turns import LOWER

__all__ = ["Run", "find_runs", "gaps_between", "lying_over"]

_TOUCH = 0.3
"""Free space, in tile widths, up to which neighbours belong to one run."""

_ROW = 0.42
"""How far beside each other, across the row and in widths, neighbours of one run lie at most."""


_LARGER = 1.4
"""How much larger than its neighbour a tile may be."""


@dataclass(frozen=True, slots=True)
class Run:
    """Touching tiles from left to right, by the numbers of their boxes."""

    tiles: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.tiles)


def find_runs(frame: Frame, leave_out: frozenset[int] = frozenset()) -> list[Run]:
    """All runs of tiles that lie straight in this frame; every such tile is in one."""
    count = len(frame.widths)
    extent = np.where(frame.turned % 2 == 1, TALL, 1.0)
    free = frame.along - (extent[:, None] + extent[None, :]) / 2
    usable = frame.aligned.copy()
    usable[list(leave_out)] = False
    sideways = frame.turned % 2
    level = np.abs(frame.across + LOWER * (sideways[None, :] - sideways[:, None]))
    linked = (free <= _TOUCH) & (free >= -0.5) & (frame.along > 0.4) & (level <= _ROW)
    linked &= usable[:, None] & usable[None, :]
    ratio = frame.widths[:, None] / frame.widths[None, :]
    linked &= (ratio > 1 / _LARGER) & (ratio < _LARGER)
    reach = np.where(linked, frame.along + level, np.inf)
    after = np.where(np.isfinite(reach.min(axis=1)), reach.argmin(axis=1), -1)
    before = np.where(np.isfinite(reach.min(axis=0)), reach.argmin(axis=0), -1)
    runs: list[Run] = []
    for start in range(count):
        if not usable[start] or (before[start] >= 0 and after[before[start]] == start):
            continue
        tiles = [start]
        while after[tiles[-1]] >= 0 and before[after[tiles[-1]]] == tiles[-1]:
            tiles.append(int(after[tiles[-1]]))
        runs.append(Run(tuple(tiles)))
    return runs


def lying_over(
    frame: Frame, probabilities: NDArray[np.float32], leave_out: frozenset[int] = frozenset()
) -> dict[int, int]:
    """Tiles of a pung -> the fourth that lies on or above it: one just beyond the other, and alike.

    Both lie turned sideways. Where their faces do not tell that, it is enough that the lower one stands
    between or beside two that are alike, and that the upper one has none beside it.
    """
    usable = frame.aligned.copy()
    usable[list(leave_out)] = False
    sideways = usable & frame.told & (frame.turned % 2 == 1)
    above = (np.abs(frame.along) <= 0.5) & (frame.across >= 0.2) & (frame.across <= 1.35)
    above &= usable[:, None] & usable[None, :]
    plain = probabilities[:, :34].astype(np.float64)
    alike = plain @ plain.T
    beside = (np.abs(frame.along) > 0.6) & (np.abs(frame.along) < 1.5) & usable[:, None] & usable[None, :]
    level = beside & (np.abs(frame.across) < 0.42)
    found: dict[int, int] = {}
    both = sideways[:, None] & sideways[None, :]
    for low, high in np.argwhere(above & (alike >= np.where(both, 0.003, 0.05))):
        if int(low) in found or int(high) in found.values():
            continue
        if sideways[low] and sideways[high]:
            fits = bool((_row_of(frame, int(low)) & frame.aligned & (frame.turned % 2 == 0)).any())
        else:
            near = np.abs(frame.along[low, high]) <= 0.35 and not level[high].any()
            fits = bool(near and _in_pung(int(low), frame, level, alike))
        if fits:
            found[int(low)] = int(high)
    return {low: high for low, high in found.items() if high not in found}


def _in_pung(index: int, frame: Frame, level: NDArray[np.bool_], alike: NDArray[np.float64]) -> bool:
    """Whether two tiles of a tile's row, next to it or to each other, look like it."""
    own = np.flatnonzero(level[index] & (alike[index] >= 0.1))
    further = {int(tile) for near in own for tile in np.flatnonzero(level[near] & (alike[index] >= 0.1))}
    return len({*own.tolist(), *further} - {index}) >= 2


def _row_of(frame: Frame, index: int) -> NDArray[np.bool_]:
    """Which tiles stand just beside one that lies sideways."""
    near = np.abs(np.abs(frame.along[index]) - (1 + TALL) / 2) <= 0.4
    row: NDArray[np.bool_] = near & (np.abs(frame.across[index]) <= 0.6)
    return row


def gaps_between(frame: Frame, runs: list[Run]) -> NDArray[np.float64]:
    """Free space between runs in tile widths, (n, n): the nearest two tiles of each, rows a tile's height
    apart."""
    count = len(runs)
    gaps = np.full((count, count), np.inf)
    ends = [np.array(run.tiles) for run in runs]
    extent = np.where(frame.turned % 2 == 1, TALL, 1.0)
    free_along = np.maximum(np.abs(frame.along) - (extent[:, None] + extent[None, :]) / 2, 0)
    free_across = np.maximum(np.abs(frame.across) - 1.0, 0)
    free = np.hypot(free_along, free_across)
    for i in range(count):
        gaps[i, i] = 0
        for j in range(i):
            gaps[i, j] = gaps[j, i] = free[ends[i]][:, ends[j]].min()
    return gaps

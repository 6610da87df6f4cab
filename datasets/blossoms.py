"""Blossoms of the drawn flowers and seasons, from line drawings to filled heads."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from canvas import Canvas, Ink, Point, oval
from design import Rng


@dataclass(frozen=True, slots=True)
class Palette:
    """The paints of a plant, and how heavy its strokes are."""

    bloom: Ink
    heart: Ink
    leaf: Ink
    wood: Ink
    base: Ink
    culm: Ink
    weight: float


@dataclass(frozen=True, slots=True)
class _Head:
    """Where a blossom sits: centre, radius, the angles of its petals, its stroke."""

    x: float
    y: float
    r: float
    around: tuple[float, ...]
    stroke: float

    def at(self, angle: float, reach: float, flat: float = 1.0) -> Point:
        return (
            self.x + reach * self.r * math.cos(angle),
            self.y + flat * reach * self.r * math.sin(angle),
        )

    def arc(self, start: float, sweep: float, reach: float) -> list[Point]:
        return [self.at(start + t, reach) for t in np.linspace(0, sweep, 12)]


def _outlined(canvas: Canvas, head: _Head, paints: Palette) -> None:
    for a in head.around:
        petal = oval(*head.at(a, 0.6), 0.44 * head.r, 0.36 * head.r, a)
        canvas.line(petal, head.stroke, paints.bloom, closed=True)
    canvas.disc(head.x, head.y, 0.3 * head.r, None)
    canvas.ring(head.x, head.y, 0.3 * head.r, head.stroke, paints.bloom)


def _filled(canvas: Canvas, head: _Head, paints: Palette) -> None:
    for a in head.around:
        petal = oval(*head.at(a, 0.58), 0.46 * head.r, 0.4 * head.r, a)
        canvas.fill(petal, paints.bloom)
        canvas.line(petal, 0.09, None, closed=True)
    canvas.disc(head.x, head.y, 0.24 * head.r, paints.heart)


def _rose(canvas: Canvas, head: _Head, paints: Palette) -> None:
    for step in range(5):
        arc = head.arc(head.around[0] + 1.9 * step, 3.9, 1 - 0.18 * step)
        canvas.line(arc, 1.3 * head.stroke, paints.bloom)
    canvas.disc(head.x, head.y, 0.18 * head.r, paints.bloom)


def _peony(canvas: Canvas, head: _Head, paints: Palette) -> None:
    for a in head.around:
        canvas.disc(*head.at(a, 0.55, 0.9), 0.45 * head.r, paints.bloom)
    canvas.disc(head.x, head.y, 0.7 * head.r, paints.bloom)
    for step in range(4):
        canvas.line(head.arc(head.around[0] + 1.6 * step, 1.2, 0.5), 0.11, None)
    canvas.ring(head.x, head.y, 0.26 * head.r, 0.1, None)


def _lotus(canvas: Canvas, head: _Head, paints: Palette) -> None:
    for step, a in enumerate(np.linspace(-1.15, 1.15, 5)):
        at = (head.x + 0.6 * head.r * math.sin(a), head.y - 0.45 * head.r * math.cos(a))
        petal = oval(*at, 0.72 * head.r, 0.3 * head.r, float(a) - math.pi / 2, 0.8)
        if step % 2:
            canvas.fill(petal, None)
        canvas.line(petal, 1.1 * head.stroke, paints.bloom, closed=True)


def _chrysanthemum(canvas: Canvas, head: _Head, paints: Palette) -> None:
    for reach, count in ((1.0, 14), (0.55, 9)):
        for step in range(count):
            a = head.around[0] + 2 * math.pi * step / count
            canvas.line([head.at(a, 0.3 * reach), head.at(a, reach)], head.stroke, paints.bloom)
    canvas.disc(head.x, head.y, 0.2 * head.r, paints.heart)


def _berries(canvas: Canvas, head: _Head, paints: Palette) -> None:
    for a in head.around[:4]:
        canvas.disc(*head.at(a, 0.5), 0.4 * head.r, paints.bloom)
        canvas.disc(*head.at(a, 0.5), 0.13 * head.r, None)


def _netted(canvas: Canvas, head: _Head, paints: Palette) -> None:
    x, y, r = head.x, head.y, head.r
    for a in head.around:
        petal = oval(*head.at(a, 0.7), 0.36 * r, 0.3 * r, a)
        canvas.line(petal, head.stroke, paints.bloom, closed=True)
    heart = oval(x, y, 0.7 * r, 0.62 * r)
    canvas.fill(heart, None)
    canvas.line(heart, head.stroke, paints.bloom, closed=True)
    for t in (-0.3, 0.0, 0.3):
        canvas.line([(x - 0.6 * r, y + t * r), (x + 0.6 * r, y + t * r)], 0.6 * head.stroke, paints.bloom)
        canvas.line([(x + t * r, y - 0.5 * r), (x + t * r, y + 0.5 * r)], 0.6 * head.stroke, paints.bloom)


BLOOMS: tuple[Callable[[Canvas, _Head, Palette], None], ...] = (
    _outlined, _filled, _rose, _peony, _lotus, _chrysanthemum, _berries, _netted
)  # fmt: skip


def bloom(canvas: Canvas, rng: Rng, x: float, y: float, r: float, paints: Palette, kind: int) -> None:
    """One blossom of the given kind."""
    turn, count = rng.uniform(0, 2 * math.pi), int(rng.integers(5, 9))
    around = tuple(turn + 2 * math.pi * step / count for step in range(count))
    BLOOMS[kind](canvas, _Head(x, y, r, around, 0.22 * paints.weight), paints)

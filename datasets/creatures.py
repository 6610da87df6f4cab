"""Drawn birds of the first bamboo, and the four animals: cat, mouse, rooster, centipede."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
from canvas import Canvas, Ink, Point, curve, has_glyphs, oval
from design import Design, Rng
from suits import ink


class Posed:
    """A canvas on which everything is turned, scaled, moved or faces the other way."""

    def __init__(self, canvas: Canvas, rng: Rng, flip: bool, weight: float) -> None:
        self.canvas, self.weight = canvas, weight
        self.angle, self.scale = rng.normal(0, 0.09), rng.uniform(0.84, 1.03)
        self.flip = -1.0 if flip else 1.0
        self.stretch = rng.uniform(0.9, 1.1)

    def at(self, points: Sequence[Point]) -> list[Point]:
        c, s = math.cos(self.angle), math.sin(self.angle)
        out = []
        for x, y in points:
            u, v = (x - 6) * self.scale * self.stretch, (y - 8) * self.scale
            out.append((6 + self.flip * (c * u - s * v), 8 + s * u + c * v))
        return out

    def line(self, points: Sequence[Point], width: float, paint: Ink, closed: bool = False) -> None:
        self.canvas.line(self.at(points), width * self.weight, paint, closed)

    def fill(self, points: Sequence[Point], paint: Ink) -> None:
        self.canvas.fill(self.at(points), paint)

    def both(self, points: Sequence[Point], paint: Ink, solid: bool) -> None:
        """The shape filled, or its outline with the inside left clear."""
        self.fill(points, paint if solid else None)
        self.line(points, 0.36, paint, closed=True)

    def disc(self, x: float, y: float, r: float, paint: Ink) -> None:
        self.canvas.disc(*self.at([(x, y)])[0], r * self.scale, paint)


def _parrot(pen: Posed, rng: Rng, paints: list[Ink], solid: bool) -> None:
    first, second, third = paints
    for step in range(int(rng.integers(2, 5))):  # tail
        end = (8.2 + 0.8 * step + rng.normal(0, 0.2), 15.2 - 0.7 * step)
        pen.line(curve((7, 9.5), (7.6 + step, 12), end), rng.uniform(0.4, 0.9), paints[step % 3])
    pen.both(oval(6, 7.6, 3.6, 1.9, math.radians(rng.uniform(45, 65)), 0.35), second, solid)
    wing = oval(7.1, 8.0, 3.1, 1.2, math.radians(rng.uniform(50, 75)), 0.7)
    pen.both(wing, first, solid)
    for step in range(3):
        pen.line(curve((6.3, 6.4 + step), (7.2, 7.0 + step), (7.6, 8 + step)), 0.2, None if solid else third)
    pen.both(oval(4.3, 4.0, 1.6, 1.5), third, solid)
    pen.fill([(3.0, 3.4), (1.5, 4.4), (2.2, 5.0), (3.3, 4.7)], first)
    pen.disc(4.0, 3.7, 0.36, None)
    pen.disc(4.0, 3.7, 0.18, paints[0])
    for step in range(int(rng.integers(0, 4))):  # crest
        pen.line(curve((4.6, 2.7), (5.4, 1.6), (5.2 + 0.8 * step, 0.9 + 0.4 * step)), 0.32, first)
    for x in (5.3, 6.4):
        pen.line([(x, 10), (x - 0.5, 11.6), (x - 1.3, 12)], 0.3, third)
    if rng.random() < 0.5:
        pen.line(curve((1.5, 12.6), (4, 11.4), (9.4, 12.4)), 0.4, second)


def _peacock(pen: Posed, rng: Rng, paints: list[Ink], solid: bool) -> None:
    first, second, third = paints
    rows, high = int(rng.integers(2, 4)), rng.uniform(5.0, 6.6)
    for row in range(rows):
        reach = 2.2 + 1.65 * row
        count = 5 + 2 * row
        for step in range(count):
            a = math.pi * (1.02 + 0.96 * step / (count - 1))
            x, y = 6 + reach * math.cos(a), high + reach * 0.92 * math.sin(a)
            pen.line([(6, high + 2), (x, y)], 0.16, second)
            pen.disc(x, y, 0.78, second)
            pen.disc(x, y, 0.5, None)
            pen.disc(x, y, 0.28, third)
    pen.both(oval(6, high + 3.6, 2.6, 1.9, math.pi / 2, 0.3), first, solid)
    pen.line(curve((6, high + 2.4), (4.6, high + 1), (4.4, high - 0.6)), 0.9, first)
    pen.disc(4.4, high - 0.8, 0.75, first)
    pen.fill([(3.9, high - 1.2), (2.7, high - 0.6), (3.9, high - 0.4)], third)
    for side in (-1, 1):
        wing = oval(6 + side * 2.6, high + 4.2, 2.6, 0.9, math.radians(90 - side * 28), 0.7)
        pen.both(wing, third, not solid)
        pen.line([(6 + side, high + 6), (6 + side * 1.2, 14.4), (6 + side * 2.3, 15)], 0.32, second)


def _phoenix(pen: Posed, rng: Rng, paints: list[Ink], solid: bool) -> None:
    first, second, third = paints
    for step in range(int(rng.integers(4, 7))):  # wing feathers sweeping up
        end = (3.4 + 1.5 * step, 1.4 + 0.55 * abs(step - 2))
        pen.line(curve((5.6, 8), (4.6 + 1.2 * step, 5.4), end), rng.uniform(0.3, 0.55), paints[step % 2])
    for step in range(int(rng.integers(3, 6))):  # tail curling down
        end = (10.8 - 1.5 * step, 14.6 - 0.3 * step)
        pen.line(curve((7, 9), (11.5 - 2.4 * step, 11), end), 0.42, paints[(step + 1) % 3])
        if rng.random() < 0.6:
            pen.disc(*end, 0.5, third)
    pen.both(oval(5.6, 8.6, 2.5, 1.2, math.radians(25), 0.4), second, solid)
    pen.line(curve((4, 8), (2.6, 7), (2.6, 5.6)), 0.7, first)
    pen.disc(2.5, 5.4, 0.7, third)
    pen.fill([(2.1, 5.0), (0.8, 5.7), (2.1, 5.9)], first)
    pen.line([(5, 9.6), (4.2, 12), (3.2, 12.6)], 0.28, third)


def _sparrow(pen: Posed, rng: Rng, paints: list[Ink], solid: bool) -> None:
    first, second, third = paints
    pen.both(oval(5.6, 7.8, 3.4, 2.6, math.radians(35), 0.1), first, solid)
    pen.both(oval(3.9, 4.5, 1.8, 1.7), second if solid else first, solid)
    pen.disc(3.5, 4.2, 0.32, None if solid else second)
    pen.fill([(2.3, 4.1), (0.9, 4.9), (2.4, 5.3)], second)
    for step in range(int(rng.integers(3, 6))):
        pen.line(curve((5 + 0.3 * step, 6.2 + 0.5 * step), (6.8, 7.6), (7.8, 8.4 + 0.6 * step)), 0.3, third)
    for step in range(3):
        pen.line([(8, 9.6 + 0.2 * step), (9.6 + 0.5 * step, 13.6 - 0.9 * step)], 0.46, second)
    branch = curve((1, 13.4), (5, 11.6), (11, 14.6))
    pen.line(branch, 0.44, third)
    for x, y in branch[2:10:3]:
        pen.fill(oval(x, y + 1, 1.0, 0.42, rng.uniform(0.3, 1.4), 0.8), second)
    for x in (4.8, 6):
        pen.line([(x, 10), (x, 12.2)], 0.28, third)


def _crane(pen: Posed, rng: Rng, paints: list[Ink], solid: bool) -> None:
    first, second, third = paints
    pen.both(oval(6.6, 7.6, 3.0, 1.8, math.radians(20), 0.4), first, solid)
    pen.line(curve((4.4, 7), (2.6, 5), (4.0, 2.4)), 0.55, first)
    pen.disc(4.1, 2.3, 0.62, second)
    pen.line([(3.8, 2.3), (1.6, 3.0)], 0.3, third)
    for step in range(4):
        pen.line(curve((6, 7), (8, 7 + 0.4 * step), (10.4, 8.6 + 0.9 * step)), 0.4, paints[step % 3])
    pen.line([(6.2, 9.2), (6.2, 14.6), (5.2, 14.8)], 0.28, third)
    pen.line([(7.4, 9.2), (8.4, 11.6), (7.2, 12.4)], 0.28, third)
    if rng.random() < 0.5:
        pen.line([(2, 15), (10, 15)], 0.3, second)


BIRDS: tuple[Callable[[Posed, Rng, list[Ink], bool], None], ...] = (
    _parrot, _parrot, _peacock, _peacock, _phoenix, _sparrow, _crane
)  # fmt: skip


def bird_face(canvas: Canvas, look: Design) -> None:
    """The first bamboo."""
    rng = np.random.default_rng([look.seed, 6])
    paints = [ink(look.inks, name) for name in rng.permutation(["red", "green", "blue"])]
    pen = Posed(canvas, rng, look.bird_flip, look.weight)
    BIRDS[look.bird](pen, rng, paints, bool(rng.random() < 0.5))


def _cat(pen: Posed, rng: Rng, paints: list[Ink], kind: int, solid: bool) -> None:
    first, second, third = paints
    if kind % 2:  # the face alone or a cat seen from the front
        pen.fill([(3, 7), (3.2, 3.2), (6, 5.2)], first)
        pen.fill([(9, 7), (8.8, 3.2), (6, 5.2)], first)
        pen.both(oval(6, 7.4, 3.2, 2.8), first, solid)
        inner = None if solid else second
        for x in (4.7, 7.3):
            pen.fill(oval(x, 7.0, 0.5, 0.62), inner)
            pen.line([(x + (-0.6 if x < 6 else 0.6), 8.6), (x + (-3 if x < 6 else 3), 8.2)], 0.18, third)
            pen.line([(x + (-0.6 if x < 6 else 0.6), 9.0), (x + (-3 if x < 6 else 3), 9.4)], 0.18, third)
        pen.fill([(5.5, 8.2), (6.5, 8.2), (6, 8.8)], second)
        pen.both(oval(6, 12.4, 2.4, 2.6, 0, 0), first, solid)
        pen.line(curve((8, 14), (11, 14), (10.4, 10.6)), 0.6, second)
        return
    pen.both(oval(6.6, 10.4, 3.4, 2.5, math.radians(-55), 0.25), first, solid)
    pen.both(oval(4.3, 5.4, 1.9, 1.7), first, solid)
    for x in (3.0, 5.3):
        pen.fill([(x - 0.7, 4.6), (x, 2.5), (x + 0.8, 4.4)], first)
    pen.disc(3.8, 5.2, 0.3, None if solid else second)
    for step in range(3):
        pen.line([(3.2, 5.9), (1.1, 5.4 + 0.6 * step)], 0.17, third)
        pen.line(curve((6.6, 7.6 + 1.4 * step), (7.6, 8.2 + 1.4 * step), (8.6, 8 + 1.4 * step)), 0.26, second)
    pen.line(curve((8.2, 13), (11.6, 13), (10.2, rng.uniform(6, 8.5))), 0.7, first)
    for x in (4, 5.6, 7.4):
        pen.line([(x, 12), (x - 0.3, 14.4), (x - 1, 14.6)], 0.5, first)


def _mouse(pen: Posed, rng: Rng, paints: list[Ink], kind: int, solid: bool) -> None:
    first, second, third = paints
    low = 9.6 if kind % 2 else 8.8
    pen.line(curve((9, low + 1), (12, low + 3.5), (6.2, low + 5)), 0.42, second)
    pen.both(oval(6.8, low, 3.6, 2.2, math.radians(12), 0.2), first, solid)
    pen.both(oval(3.6, low - 0.8, 2.0, 1.3, math.radians(-160), 0.5), first, solid)
    for x in (4.4, 5.4)[: 1 + kind % 2]:
        pen.both(oval(x, low - 2.3, 1.1, 1.1), second, not solid)
    pen.disc(3.1, low - 1.0, 0.28, None if solid else second)
    for step in range(3):
        pen.line([(2, low - 0.4), (0.7, low - 1.1 + 0.6 * step)], 0.15, third)
    for x in (4.8, 6, 8, 9):
        pen.line([(x, low + 1.6), (x - 0.5, low + 2.9)], 0.36, first)
    if kind > 1:
        pen.fill([(1, 14.6), (5, 13.2), (5, 14.8)], second)
        pen.disc(3.6, 14.2, 0.3, None)


def _rooster(pen: Posed, rng: Rng, paints: list[Ink], kind: int, solid: bool) -> None:
    first, second, third = paints
    for step in range(int(rng.integers(4, 7))):
        end = (11.2 - 0.5 * step, 2.8 + 1.5 * step)
        pen.line(curve((7.6, 8.6), (8.4, 2.6 + 1.4 * step), end), 0.55, paints[step % 3])
    pen.both(oval(6, 8.8, 3.0, 2.3, math.radians(-20), 0.2), first, solid)
    pen.both([(4.4, 8.6), (3.2, 4.4), (4.6, 3.6), (6.8, 7.2)], first, solid)
    pen.disc(3.9, 3.6, 1.05, first)
    pen.disc(3.6, 3.4, 0.26, None)
    pen.fill([(3.0, 3.2), (1.4, 3.9), (3.0, 4.3)], third)
    for x, y in ((3.3, 2.4), (4.0, 2.0), (4.8, 2.4)):  # comb
        pen.disc(x, y, 0.62, second)
    pen.fill(oval(3.1, 5.2, 0.45, 0.8), second)
    for step in range(3):
        pen.line(curve((5, 8 + 0.6 * step), (6.4, 9.4 + 0.5 * step), (8, 8.6 + 0.5 * step)), 0.24, third)
    for x in (5.4, 7):
        pen.line([(x, 11), (x, 13.8)], 0.36, second)
        for dx in (-0.9, 0, 0.8):
            pen.line([(x, 13.8), (x + dx, 14.7)], 0.26, second)
    if kind == 3:
        pen.line([(1.2, 15), (10.8, 15)], 0.3, first)


def _centipede(pen: Posed, rng: Rng, paints: list[Ink], kind: int, solid: bool) -> None:
    first, second, third = paints
    count, swing = int(rng.integers(8, 14)), rng.uniform(0.8, 2.6)
    waves = rng.uniform(0.5, 1.2)
    spine = [
        (6 + swing * math.sin(2 * math.pi * waves * t), 2.4 + 11.8 * t) for t in np.linspace(0, 1, count)
    ]
    if kind % 2:  # lies across
        spine = [(1.2 + (y - 2.4) * 0.8, 8.4 + (x - 6) * 1.3) for x, y in spine]
    for (x0, y0), (x1, y1) in itertools.pairwise(spine):
        a = math.atan2(y1 - y0, x1 - x0) + math.pi / 2
        for sign in (-1, 1):
            knee = (x0 + sign * 1.5 * math.cos(a), y0 + sign * 1.5 * math.sin(a))
            foot = (knee[0] + 0.5 * (x1 - x0), knee[1] + 0.5 * (y1 - y0) + 0.3)
            pen.line([(x0, y0), knee, foot], 0.22, second)
    for index, (x, y) in enumerate(spine):
        pen.both(oval(x, y, 0.85, 0.75), first if index else third, solid)
    x, y = spine[0]
    for sign in (-1, 1):
        pen.line(curve((x, y), (x + 0.8 * sign, y - 1.2), (x + 1.5 * sign, y - 1.7)), 0.24, third)


_ANIMALS = (_cat, _mouse, _rooster, _centipede)


def animal_face(canvas: Canvas, look: Design, rank: int) -> None:
    """Cat, mouse, rooster, centipede."""
    rng = np.random.default_rng([look.seed, 7, rank])
    paints = [ink(look.inks, name) for name in rng.permutation(["red", "green", "blue"])]
    shared = np.random.default_rng([look.seed, 8])
    solid, flip = bool(shared.random() < 0.5), bool(shared.random() < 0.5)
    pen = Posed(canvas, rng, flip, look.weight)
    if look.animal_label:
        pen.scale *= 0.82
        pen.canvas = canvas
    _ANIMALS[rank - 1](pen, rng, paints, look.animal, solid)
    if look.animal_label == "number":
        canvas.character(str(rank), look.corner_font, (2, 2.2, 3.2, 3.2), paints[0], 2)
    elif look.animal_label == "character":
        text = ("貓鼠雞蚣" if look.traditional else "猫鼠鸡虫")[rank - 1]
        if has_glyphs(look.font, text):
            canvas.character(text, look.font, (9.8, 2.6, 3.8, 3.8), paints[1], look.bold)

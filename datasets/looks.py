"""How the tiles of one scene look: their shape, their layers of colour, and the textures of their sides."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from faces import Face, Style
from numpy.typing import NDArray
from table import HALF, Array

Rng = np.random.Generator
Texture = NDArray[np.float32]
TEX_W, TEX_H = 120, 160  # pixels of a face's texture at its commonest size

IVORIES = (
    (205, 222, 228), (232, 235, 236), (178, 208, 220), (215, 228, 240), (245, 245, 245), (228, 236, 240),
    (238, 240, 238), (190, 215, 230),
)  # fmt: skip
BACKS = (
    (40, 125, 45), (60, 150, 70), (30, 140, 225), (215, 150, 60), (190, 100, 30), (60, 110, 150),
    (45, 45, 45),
    (150, 40, 140), (60, 50, 190), (90, 150, 190), (170, 170, 60), (120, 170, 210),
    (200, 190, 60), (225, 225, 228),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Look:
    """A tile set as it lies there. `layers` go from the face to the back: share of the thickness, colour."""

    style: Style
    lender: Style  # gives the tiles that the style lacks
    half: Array
    radius: float  # of the rounded edges (cm)
    layers: tuple[tuple[float, tuple[float, float, float]], ...]
    fill: float  # share of the face that the drawing takes
    engraving: float
    gloss: float
    grain: float  # of the back: bamboo and wood have one
    numeral: bool = False
    blank_white: bool = False
    printed_back: bool = False
    red_fives: bool = False
    cache: dict[tuple[object, ...], Texture] = field(default_factory=dict, compare=False)

    @property
    def ivory(self) -> Array:
        """Colour of the face."""
        return np.array(self.layers[0][1])

    @property
    def back(self) -> Array:
        """Colour of the back."""
        return np.array(self.layers[-1][1])

    def face(self, code: str) -> Face | None:
        """The drawing of a tile; sets without flowers, seasons or animals get another's."""
        drawing = self.style(code)
        return self.lender(code) if drawing is None and code[-1] in "fa" else drawing


def _colour(rng: Rng, palette: tuple[tuple[int, int, int], ...], spread: float) -> tuple[float, float, float]:
    b, g, r = (np.array(palette[int(rng.integers(len(palette)))]) + rng.normal(0, spread, 3)).clip(10, 250)
    return float(b), float(g), float(r)


def _choose(rng: Rng, found: list[Style]) -> Style:
    """A style; the many drawn ones do not crowd out artwork and real faces."""
    kinds = sorted({style.kind for style in found})
    share = np.array([{"art": 0.25, "real": 0.12}.get(kind, 0.63) for kind in kinds])
    kind = kinds[int(rng.choice(len(kinds), p=share / share.sum()))]
    among = [style for style in found if style.kind == kind]
    return among[int(rng.integers(len(among)))]


def look_of(rng: Rng, found: list[Style]) -> Look:
    """A random tile set with faces of one of the styles."""
    style = _choose(rng, found)
    drawn = [other for other in found if other.kind == "drawn"] or [style]
    size = rng.uniform(0.86, 1.14)
    half = HALF * size * np.array([rng.uniform(0.93, 1.07), 1.0, rng.uniform(0.72, 1.15)])
    ivory, back = _colour(rng, IVORIES, 6), _colour(rng, BACKS, 14)
    body = rng.choice(["two", "two", "two", "three", "one"])
    front = rng.uniform(0.5, 0.8)
    layers: tuple[tuple[float, tuple[float, float, float]], ...] = ((front, ivory), (1 - front, back))
    if body == "three":
        thin = rng.uniform(0.06, 0.2)
        layers = ((front, ivory), (thin, _colour(rng, BACKS + IVORIES, 14)), (1 - front - thin, back))
    elif body == "one":
        layers = ((1.0, ivory),) if rng.random() < 0.6 else ((0.97, ivory), (0.03, back))
    art = style.kind == "art"
    return Look(
        style,
        drawn[int(rng.integers(len(drawn)))],
        half,
        float(half[0] * rng.uniform(0.07, 0.2)),
        layers,
        rng.uniform(0.72, 0.96),
        rng.uniform(0, 0.7),
        rng.uniform(0, 1) ** 1.5,
        rng.uniform(0.02, 0.2) if rng.random() < 0.25 else 0.0,
        art and bool(rng.random() < 0.25),
        art and bool(rng.random() < 0.3),
        bool(rng.random() < 0.35),
        bool(rng.random() < 0.3),
    )


def _drawing(look: Look, code: str, pick: int) -> Face | None:
    """The print on a tile, if any; `pick` (0 to 2) differs from tile to tile."""
    if code == "0x":
        return look.style(code) if look.printed_back and look.style.kind == "drawn" else None
    if code == "5z" and look.blank_white:
        return None
    if code in ("5m", "5p", "5s") and look.red_fives and pick == 0:
        red = look.style("0" + code[-1])
        if red is not None:
            return red
    return look.face(code)


def _edge_mask(width: int, height: int, radius: int) -> NDArray[np.float32]:
    """1 inside a rounded rectangle, falling off softly over its rim."""
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (radius, 1), (width - 1 - radius, height - 2), 255, -1)
    cv2.rectangle(mask, (1, radius), (width - 2, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius - 1, 255, -1, cv2.LINE_AA)
    soft = cv2.blur(mask, (5, 5)).astype(np.float32) / 255
    return np.asarray((2 * soft - 1).clip(0, 1), np.float32)


def _engrave(region: Texture, alpha: NDArray[np.float32], depth: float, slant: tuple[float, float]) -> None:
    """Shade the walls of the carved strokes: the wall toward the light is dark, the one beyond it bright."""
    soft = cv2.GaussianBlur(alpha, (0, 0), 1.1 * alpha.shape[0] / TEX_H)
    slope = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3) * slant[0]
    slope += cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3) * slant[1]
    region *= np.clip(1 + depth * slope, 0.35, 1.7)[:, :, None]


def face_texture(look: Look, code: str, slant: tuple[float, float], pick: int, scale: float) -> Texture:
    """BGR and cover (0..1) of the face, unlit, (H, W, 4); `slant` is the way along it to the light."""
    slant = (round(slant[0] * 4) / 4, round(slant[1] * 4) / 4)
    key = (code, slant, pick if look.red_fives or look.grain else 0, scale)
    if key not in look.cache:
        look.cache[key] = _face_texture(look, code, slant, pick, scale)
    return look.cache[key]


def _face_texture(look: Look, code: str, slant: tuple[float, float], pick: int, scale: float) -> Texture:
    wide, high = int(TEX_W * scale), int(TEX_H * scale)
    texture = np.empty((high, wide, 4), np.float32)
    texture[:, :, :3] = look.back if code == "0x" else look.ivory
    if code == "0x" and look.grain:
        streaks = np.random.default_rng(pick).standard_normal((6, wide // 4)).astype(np.float32)
        texture[:, :, :3] *= 1 + look.grain * cv2.resize(streaks, (wide, high))[:, :, None]
    drawing = _drawing(look, code, pick)
    if drawing is not None:
        whole = bool(drawing[:, :, 3].min() == 255)
        share = 1.0 if whole or code == "0x" else look.fill
        width, height = int(wide * share), int(high * share)
        drawing = cv2.resize(drawing, (width, height), interpolation=cv2.INTER_AREA)
        y, x = (high - height) // 2, (wide - width) // 2
        alpha = drawing[:, :, 3].astype(np.float32) * ((0.35 if code == "0x" else 1.0) / 255)
        region = texture[y : y + height, x : x + width, :3]
        region[:] = region * (1 - alpha[:, :, None]) + drawing[:, :, :3] * (alpha[:, :, None] * 0.96)
        if not whole:
            _engrave(region, alpha, look.engraving, slant)
        if look.numeral and code[-1] in "mpsf" and not whole:
            _corner_numeral(texture, code, scale)
    texture[:, :, 3] = _edge_mask(wide, high, max(3, int(look.radius / look.half[0] * wide / 1.6)))
    return texture


def _corner_numeral(texture: Texture, code: str, scale: float) -> None:
    mark = np.zeros(texture.shape[:2], np.uint8)
    text = str((int(code[0]) - 1) % 4 + 1) if code[-1] == "f" else code[0]
    at, thick = (int(7 * scale), int(27 * scale)), max(1, round(2 * scale))
    cv2.putText(mark, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.75 * scale, 255, thick, cv2.LINE_AA)
    weight = mark[:, :, None].astype(np.float32) / 255
    texture[:, :, :3] = texture[:, :, :3] * (1 - weight) + np.array([40, 30, 170], np.float32) * weight


def side_texture(look: Look, face_down: bool, width: int) -> Texture:
    """BGR and cover of a side, from the face (first row) to the back, unlit."""
    key = ("side", face_down, width)
    if key not in look.cache:
        high, rows = 64, []
        for share, colour in look.layers:
            rows += [colour] * round(high * share)
        rows = (rows + [rows[-1]] * high)[:high]
        column = np.array(rows[::-1] if face_down else rows, np.float32)[:, None, :]
        texture = np.empty((high, width, 4), np.float32)
        texture[:, :, :3] = column * np.linspace(1.02, 0.86, high, dtype=np.float32)[:, None, None]
        texture[:, :, 3] = _edge_mask(width, high, 6)
        look.cache[key] = texture
    return look.cache[key]

"""Render labelled scenes of mahjong tiles: python datasets/render.py OUT --count 1000 --art FOLDER

Every tile is a block with five visible faces, seen in perspective, with bevel, engraving, cast and contact
shadow, glare, colour cast, blur and noise. Scenes are set by their seed alone. A label holds the class, the
box of the whole visible block, the four corners of the face and the direction in which the face stands
upright. Never mirrored.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from faces import CODES, Style, styles
from numpy.typing import NDArray
from table import HALF, Array, Block, Camera, aim, lay_out

TEX_W, TEX_H = 120, 160
VISIBLE = 0.35  # a tile of which less is seen carries no label


@dataclass(frozen=True, slots=True)
class Label:
    """What is known of one visible tile, in pixels: `up` is a unit vector (x right, y down)."""

    code: str
    box: tuple[float, float, float, float]
    corners: tuple[tuple[float, float], ...]
    up: tuple[float, float]


def _noise(rng: np.random.Generator, size: int, scale: int) -> NDArray[np.float32]:
    return cv2.resize(
        rng.standard_normal((scale, scale)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC
    )


def _table(rng: np.random.Generator, size: int) -> NDArray[np.float32]:
    base = (
        rng.uniform(15, 225, 3)
        if rng.random() < 0.6
        else np.array([rng.uniform(10, 80), rng.uniform(50, 170), rng.uniform(5, 70)])
    )
    field = sum(_noise(rng, size, scale) * rng.uniform(2, 9) for scale in (4, 16, 64, size))
    if rng.random() < 0.35:
        y = np.arange(size, dtype=np.float32)[:, None]
        field = field + 8 * np.sin(y * rng.uniform(0.02, 0.25) + 3 * _noise(rng, size, 5))
    picture = (base + np.asarray(field)[:, :, None]).astype(np.float32)
    for _ in range(int(rng.integers(0, 4))):  # trays, rails, sleeves: plain shapes that are no tiles
        at, wide = rng.uniform(0, size, 2), rng.uniform(0.1, 0.7, 2) * size
        shape = cv2.boxPoints(
            ((float(at[0]), float(at[1])), (float(wide[0]), float(wide[1])), float(rng.uniform(0, 180)))
        )
        cv2.fillConvexPoly(picture, shape.astype(np.int32), [float(v) for v in rng.uniform(10, 245, 3)])
    return picture


def _bevel(
    width: int, height: int, radius: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    mask = np.zeros((height, width), np.float32)
    cv2.rectangle(mask, (radius, 0), (width - radius, height), 1, -1)
    cv2.rectangle(mask, (0, radius), (width, height - radius), 1, -1)
    for x, y in (
        (radius, radius),
        (width - radius, radius),
        (radius, height - radius),
        (width - radius, height - radius),
    ):
        cv2.circle(mask, (x, y), radius, 1, -1, cv2.LINE_AA)
    padded = cv2.GaussianBlur(
        cv2.copyMakeBorder(mask, 12, 12, 12, 12, cv2.BORDER_CONSTANT, value=0), (0, 0), 4
    )[12:-12, 12:-12]
    return (
        mask,
        cv2.Sobel(padded, cv2.CV_32F, 1, 0, ksize=3) / 4,
        cv2.Sobel(padded, cv2.CV_32F, 0, 1, ksize=3) / 4,
    )


FACE_MASK, FACE_GX, FACE_GY = _bevel(TEX_W, TEX_H, 13)


@dataclass(frozen=True, slots=True)
class Look:
    """How the set of one scene looks: face style, the style that lends it tiles it lacks, colours, share of
    the face that the drawing fills, engraving.
    """

    style: Style
    lender: Style
    ivory: Array
    back: Array
    fill: float
    engraving: float
    numeral: bool
    blank_white: bool
    printed_back: bool
    red_fives: bool

    def face(self, code: str) -> NDArray[np.uint8] | None:
        """The drawing of a tile; sets without flowers, seasons or animals get another's."""
        drawing = self.style(code)
        return self.lender(code) if drawing is None and code[-1] in "fa" else drawing


def _choose(rng: np.random.Generator, found: list[Style]) -> Style:
    """A style; the many drawn ones do not crowd out artwork and real faces."""
    kinds = sorted({style.kind for style in found})
    share = np.array([{"art": 0.25, "real": 0.12}.get(kind, 0.63) for kind in kinds])
    kind = kinds[int(rng.choice(len(kinds), p=share / share.sum()))]
    among = [style for style in found if style.kind == kind]
    return among[int(rng.integers(len(among)))]


def _look(rng: np.random.Generator, found: list[Style]) -> Look:
    ivory = np.array([(205, 222, 228), (232, 235, 236), (170, 203, 216), (215, 228, 240), (245, 245, 245)])[
        rng.integers(5)
    ]
    style = _choose(rng, found)
    drawn = [other for other in found if other.kind == "drawn"] or [style]
    return Look(
        style,
        drawn[int(rng.integers(len(drawn)))],
        ivory + rng.uniform(-8, 8, 3),
        np.array(
            [(30, 120, 40), (30, 140, 225), (190, 110, 30), (60, 110, 150), (40, 40, 40), (130, 40, 150)]
        )[rng.integers(6)]
        + rng.uniform(-15, 15, 3),
        rng.uniform(0.66, 0.94),
        rng.uniform(0, 0.5),
        style.kind == "art" and bool(rng.random() < 0.25),
        style.kind == "art" and bool(rng.random() < 0.3),
        bool(rng.random() < 0.35),
        bool(rng.random() < 0.3),
    )


def _drawing(look: Look, code: str, pick: float) -> NDArray[np.uint8] | None:
    """The print on a tile, if any; `pick` (0..1) differs from tile to tile."""
    if code == "0x":
        return look.style(code) if look.printed_back and look.style.kind == "drawn" else None
    if code == "5z" and look.blank_white:
        return None
    if code in ("5m", "5p", "5s") and look.red_fives and pick < 0.4:
        red = look.style("0" + code[-1])
        if red is not None:
            return red
    return look.face(code)


def _face(look: Look, code: str, light: tuple[float, float], pick: float) -> NDArray[np.float32]:
    """RGBA texture (float) of the upper face."""
    texture = np.empty((TEX_H, TEX_W, 3), np.float32)
    texture[:] = look.back if code == "0x" else look.ivory
    drawing = _drawing(look, code, pick)
    if drawing is not None:
        whole = bool(drawing[:, :, 3].min() == 255)
        fill = 1.0 if whole or code == "0x" else look.fill
        width, height = int(TEX_W * fill), int(TEX_H * fill)
        drawing = cv2.resize(drawing, (width, height), interpolation=cv2.INTER_AREA)
        y, x = (TEX_H - height) // 2, (TEX_W - width) // 2
        alpha = drawing[:, :, 3].astype(np.float32) / 255
        if code == "0x":
            alpha *= 0.35
        region = texture[y : y + height, x : x + width]
        region[:] = region * (1 - alpha[:, :, None]) + drawing[:, :, :3] * alpha[:, :, None] * 0.95
        if not whole:
            soft = cv2.GaussianBlur(alpha, (0, 0), 1.2)
            slope = (
                cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3) * light[0]
                + cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3) * light[1]
            )
            region *= (1 + look.engraving * slope)[:, :, None].clip(0.4, 1.6)
        if look.numeral and code[-1] in "mpsf" and not whole:
            mark = np.zeros((TEX_H, TEX_W), np.uint8)
            text = str((int(code[0]) - 1) % 4 + 1) if code[-1] == "f" else code[0]
            cv2.putText(mark, text, (6, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.75, 255, 2, cv2.LINE_AA)
            weight = mark[:, :, None].astype(np.float32) / 255
            texture[:] = texture * (1 - weight) + np.array([40, 30, 170], np.float32) * weight
    texture *= (1 - 1.1 * (FACE_GX * light[0] + FACE_GY * light[1]))[:, :, None].clip(0.6, 1.35)
    return np.dstack([texture, FACE_MASK])


def _side(look: Look, width: int, shade: float) -> NDArray[np.float32]:
    texture = np.empty((90, width, 3), np.float32)
    texture[:56], texture[56:] = look.ivory, look.back
    texture *= np.linspace(1.05, 0.8, 90, dtype=np.float32)[:, None, None] * shade
    return np.dstack([texture, np.ones((90, width), np.float32)])


def _paste(image: NDArray[np.float32], texture: NDArray[np.float32], quad: Array) -> None:
    size = image.shape[0]
    x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, size)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    height, width = texture.shape[:2]
    reach = max(float(np.ptp(quad[:, 0])), float(np.ptp(quad[:, 1])))
    if reach < height / 2:  # average first: plain sampling would drop thin strokes
        factor = max(reach / height * 1.3, 0.1)
        texture = cv2.resize(texture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        height, width = texture.shape[:2]
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32),
        (quad - [x0, y0]).astype(np.float32),
    )
    warped = cv2.warpPerspective(texture, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    region, alpha = image[y0:y1, x0:x1], warped[:, :, 3:]
    region[:] = region * (1 - alpha) + warped[:, :, :3] * alpha


def _quads(block: Block) -> list[tuple[str, Array, Array]]:
    def at(x: int, y: int, z: int) -> Array:
        return block.centre + (np.array([x, y, z]) * HALF) @ block.axes

    right, up, out = block.axes
    return [
        ("side", np.array([at(-1, -1, 1), at(1, -1, 1), at(1, -1, -1), at(-1, -1, -1)]), -up),
        ("side", np.array([at(1, 1, 1), at(-1, 1, 1), at(-1, 1, -1), at(1, 1, -1)]), up),
        ("long", np.array([at(1, -1, 1), at(1, 1, 1), at(1, 1, -1), at(1, -1, -1)]), right),
        ("long", np.array([at(-1, 1, 1), at(-1, -1, 1), at(-1, -1, -1), at(-1, 1, -1)]), -right),
        ("face", np.array([at(-1, 1, 1), at(1, 1, 1), at(1, -1, 1), at(-1, -1, 1)]), out),
    ]


def _hull(camera: Camera, block: Block) -> NDArray[np.float32]:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * HALF
    hull: NDArray[np.float32] = cv2.convexHull(
        camera.project(block.centre + corners @ block.axes).astype(np.float32)
    ).reshape(-1, 2)
    return hull


def _shadows(
    rng: np.random.Generator, camera: Camera, blocks: list[Block], light: Array, size: int
) -> NDArray[np.float32]:
    cast, contact = np.zeros((size, size), np.float32), np.zeros((size, size), np.float32)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * HALF
    for block in blocks:
        world = block.centre + corners @ block.axes
        ground = world - np.outer(world[:, 2] / light[2], light)
        cv2.fillConvexPoly(
            cast, cv2.convexHull(camera.project(ground).astype(np.float32)).astype(np.int32), 1
        )
        foot = block.centre + (world[world[:, 2] < 0.6] - block.centre) * [1.12, 1.12, 1]
        cv2.fillConvexPoly(
            contact, cv2.convexHull(camera.project(foot).astype(np.float32)).astype(np.int32), 1
        )
    scale = size / 960
    cast = cv2.GaussianBlur(cast, (0, 0), rng.uniform(2, 14) * scale)
    contact = cv2.GaussianBlur(contact, (0, 0), 5 * scale)
    return (1 - rng.uniform(0.15, 0.6) * cast) * (1 - 0.35 * contact)


def _labels(camera: Camera, blocks: list[Block], hulls: list[NDArray[np.float32]], size: int) -> list[Label]:
    owner = np.full((size, size), -1, np.int16)
    for index, hull in enumerate(hulls):
        cv2.fillConvexPoly(owner, hull.astype(np.int32), index)
    seen = np.bincount(owner[owner >= 0].ravel(), minlength=len(blocks))
    labels = []
    for index, (block, hull) in enumerate(zip(blocks, hulls, strict=True)):
        area = cv2.contourArea(hull)
        _, quad, normal = _quads(block)[-1]
        low, high = hull.min(0).clip(0, size), hull.max(0).clip(0, size)
        if area < 30 or seen[index] < VISIBLE * area or (high - low).min() < 6:
            continue
        if (camera.eye - quad.mean(0)) @ normal <= 0:
            continue
        corners = camera.project(quad)
        up = (corners[0] + corners[1] - corners[2] - corners[3]) / 2
        up /= max(float(np.linalg.norm(up)), 1e-6)
        labels.append(
            Label(
                block.code,
                (*low.tolist(), *high.tolist()),
                tuple((float(x), float(y)) for x, y in corners),
                (float(up[0]), float(up[1])),
            )
        )
    return labels


def _finish(rng: np.random.Generator, image: NDArray[np.float32]) -> NDArray[np.uint8]:
    size = image.shape[0]
    if rng.random() < 0.55:
        glare = np.zeros((size // 8, size // 8), np.float32)
        cv2.ellipse(
            glare,
            (int(rng.integers(size // 8)), int(rng.integers(size // 8))),
            (int(rng.integers(4, 30)), int(rng.integers(3, 12))),
            float(rng.uniform(0, 180)),
            0,
            360,
            1,
            -1,
        )
        glare = cv2.resize(cv2.GaussianBlur(glare, (0, 0), rng.uniform(2, 8)), (size, size))
        image = image + (glare * rng.uniform(20, 120))[:, :, None]
    image = (
        image
        * rng.uniform([0.82, 0.92, 0.85], [1.12, 1.05, 1.15]).astype(np.float32)
        * np.float32(rng.uniform(0.55, 1.2))
    )
    if rng.random() < 0.6:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.6) * size / 960)
    if rng.random() < 0.15:
        length = int(rng.integers(3, 8))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    image = image + rng.standard_normal((size, size, 1)).astype(np.float32) * np.float32(rng.uniform(0, 7))
    return image.clip(0, 255).astype(np.uint8)


def paint(
    rng: np.random.Generator, blocks: list[Block], camera: Camera, look: Look, size: int
) -> tuple[NDArray[np.float32], list[Label]]:
    """Draw the blocks on a table, the farthest first; (size, size, 3) BGR as float and the labels."""
    light = np.array([rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.8, 2.5)])
    light /= np.linalg.norm(light)
    blocks = sorted(blocks, key=lambda b: -float(np.linalg.norm(b.centre - camera.eye)))
    image = _table(rng, size) * _shadows(rng, camera, blocks, light, size)[:, :, None]
    for block in blocks:
        for kind, quad, normal in _quads(block):
            if (camera.eye - quad.mean(0)) @ normal <= 0:
                continue
            shade = 0.55 + 0.5 * max(0.0, float(normal @ light))
            if kind == "face":
                slant = (float(block.axes[0] @ light), -float(block.axes[1] @ light))
                texture = _face(look, block.code, slant, float(rng.random()))
                texture[:, :, :3] *= shade
            else:
                texture = _side(look, TEX_W if kind == "side" else TEX_H, shade)
            _paste(image, texture, camera.project(quad))
    return image, _labels(camera, blocks, [_hull(camera, b) for b in blocks], size)


def scene(seed: int, found: list[Style], size: int = 640) -> tuple[NDArray[np.uint8], list[Label]]:
    """One scene, the same for the same seed: (size, size, 3) BGR and its labels."""
    rng = np.random.default_rng(seed)
    look = _look(rng, found)
    blocks, elevation, azimuth, distance = lay_out(rng)
    # A style that lacks a face must not be labelled with one: a blank tile would pass for a white dragon.
    blocks = [b for b in blocks if b.code in ("0x", "5z") or look.face(b.code) is not None] or blocks[:0]
    if not blocks:
        return scene(seed + 1_000_003, found, size)
    camera = aim(rng, blocks, elevation, azimuth, distance, size)
    image, labels = paint(rng, blocks, camera, look, size)
    return _finish(rng, image), labels


def yolo(labels: list[Label], size: int) -> str:
    """Labels in YOLO form, a line a tile: class, then centre, width and height as shares of the picture."""
    lines = []
    for label in labels:
        x0, y0, x1, y1 = label.box
        lines.append(
            f"{CODES.index(label.code)} {(x0 + x1) / 2 / size:.6f} {(y0 + y1) / 2 / size:.6f} "
            f"{(x1 - x0) / size:.6f} {(y1 - y0) / size:.6f}"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder to write images/, labels/ and scenes.jsonl to")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=640, help="side of the square picture in pixels")
    parser.add_argument("--art", type=Path, help="folder of STYLE/CODE.png, transparent faces")
    parser.add_argument("--real", type=Path, help="folder of SOURCE/CODE_NN.jpg, real faces cut out")
    parser.add_argument(
        "--font",
        type=Path,
        action="append",
        help="font with Chinese characters for the drawn faces; may be repeated (default: those installed)",
    )
    parser.add_argument("--drawn", type=int, default=300, help="number of drawn styles")
    parser.add_argument(
        "--styles",
        choices=["training", "held-out", "all"],
        default="training",
        help="which styles: a fixed share is held out, to test with and never to train with",
    )
    args = parser.parse_args()
    found = styles(args.art, args.real, args.font, args.drawn, args.styles)
    (args.out / "images").mkdir(parents=True, exist_ok=True)
    (args.out / "labels").mkdir(exist_ok=True)
    with (args.out / "scenes.jsonl").open("a") as log:
        for index in range(args.count):
            picture, labels = scene(args.seed + index, found, args.size)
            name = f"scene_{args.seed + index:07d}"
            quality = int(np.random.default_rng(args.seed + index).integers(55, 96))
            cv2.imwrite(
                str(args.out / "images" / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, quality]
            )
            (args.out / "labels" / f"{name}.txt").write_text(yolo(labels, args.size))
            log.write(
                json.dumps(
                    {
                        "image": f"{name}.jpg",
                        "tiles": [
                            {"tile": t.code, "box": t.box, "corners": t.corners, "up": t.up} for t in labels
                        ],
                    }
                )
                + "\n"
            )


if __name__ == "__main__":
    main()

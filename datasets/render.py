"""Render labelled scenes of mahjong tiles: python datasets/render.py OUT --count 1000 --art FOLDER

Every tile is a rounded block of several layers, seen in perspective, with engraved face, gloss and shadow, on
a table with its edge, other tiles, racks, dice and hands. Scenes are set by their seed and the faces. A label
holds the class, the box of the visible block, the four corners of the face and the direction in which the
face stands upright. Never mirrored.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from blocks import face_of, ground_shadows, light_of, paint_block
from faces import CODES, Style, styles
from finish import light_field, photograph
from ground import ground
from layouts import Layout, lay_out
from looks import Look, look_of
from numpy.typing import NDArray
from table import Array, Block, Camera, aim
from things import clutter, paint_hand, paint_rack

Rng = np.random.Generator
Picture = NDArray[np.uint8]
VISIBLE = 0.35  # a tile of which less is seen carries no label


@dataclass(frozen=True, slots=True)
class Label:
    """What is known of one visible tile, in pixels: `up` is a unit vector (x right, y down)."""

    code: str
    box: tuple[float, float, float, float]
    corners: tuple[tuple[float, float], ...]
    up: tuple[float, float]


def _label(camera: Camera, block: Block, look: Look, box: Array) -> Label:
    corners = camera.project(face_of(block, look.half))
    up = (corners[0] + corners[1] - corners[2] - corners[3]) / 2
    up /= max(float(np.linalg.norm(up)), 1e-6)
    return Label(
        block.code,
        tuple(float(v) for v in box),  # type: ignore[arg-type]
        tuple((float(x), float(y)) for x, y in corners),
        (float(up[0]), float(up[1])),
    )


def labels_of(
    camera: Camera, blocks: Sequence[Block], hulls: Sequence[Array], look: Look, covered: Picture
) -> list[Label]:
    """Labels of the tiles whose face is turned to the camera and of which enough is seen."""
    size = covered.shape[0]
    owner = np.full((size, size), -1, np.int16)
    for index, hull in enumerate(hulls):
        cv2.fillConvexPoly(owner, hull.clip(-9999, 9999).astype(np.int32), index)
    owner[covered > 0] = -1
    labels = []
    for index, (block, hull) in enumerate(zip(blocks, hulls, strict=True)):
        low, high = hull.min(0).clip(0, size), hull.max(0).clip(0, size)
        area = cv2.contourArea(hull.astype(np.float32))
        if area < 30 or (high - low).min() < 6:
            continue
        if (camera.eye - face_of(block, look.half).mean(0)) @ block.axes[2] <= 0:
            continue
        x0, y0, x1, y1 = (int(v) for v in (*np.floor(low), *np.ceil(high)))
        mine = owner[y0:y1, x0:x1] == index
        seen = int(mine.sum())
        if seen < VISIBLE * area:
            continue
        box = np.array([*low, *high])
        if seen < 0.9 * area:  # the part that is seen
            ys, xs = np.nonzero(mine.any(1))[0], np.nonzero(mine.any(0))[0]
            box = np.array([x0 + xs[0], y0 + ys[0], x0 + xs[-1] + 1, y0 + ys[-1] + 1], float)
        labels.append(_label(camera, block, look, box))
    return labels


def paint(
    rng: Rng, layout: Layout, camera: Camera, look: Look, size: int, pictures: Sequence[Path] = ()
) -> tuple[Picture, list[Label]]:
    """The scene before the camera's own doing, (size, size, 3) BGR, and its labels."""
    light = light_of(rng)
    blocks = sorted(layout.blocks, key=lambda b: -float(np.linalg.norm(b.centre - camera.eye)))
    image = ground(rng, camera, size, layout.tray, pictures)
    reached = ground_shadows(camera, blocks, look, light, size)
    image = (
        (image * (reached * light_field(rng, size) if rng.random() < 0.3 else reached)[:, :, None])
        .clip(0, 255)
        .astype(np.uint8)
    )
    clutter(rng, image, camera, blocks, light, 0.6 * layout.distance)
    for rack in layout.racks:
        paint_rack(image, camera, rack, rng.uniform(20, 220, 3), light)
    hulls = [paint_block(rng, image, camera, block, look, light) for block in blocks]
    covered = np.zeros((size, size), np.uint8)
    if rng.random() < 0.22:
        for _ in range(int(rng.integers(1, 3))):
            reach = rng.uniform(6, 26)
            angle = rng.uniform(-math.pi, math.pi)
            spot = layout.target + reach * np.array([math.cos(angle), math.sin(angle), 0.0])
            paint_hand(rng, image, camera, spot, covered)
    field = light_field(rng, size)
    image = cv2.multiply(image, cv2.merge([field] * 3), dtype=cv2.CV_8U)
    return image, labels_of(camera, blocks, hulls, look, covered)


def scene(
    seed: int, found: list[Style], size: int = 640, pictures: Sequence[Path] = ()
) -> tuple[Picture, list[Label]]:
    """One scene, the same for the same seed: (size, size, 3) BGR and its labels."""
    rng = np.random.default_rng(seed)
    look = look_of(rng, found)
    layout = lay_out(rng, look.half)
    # A style that lacks a face must not be labelled with one: a blank tile would pass for a white dragon.
    blocks = [b for b in layout.blocks if b.code in ("0x", "5z") or look.face(b.code) is not None]
    if not blocks:
        return scene(seed + 1_000_003, found, size, pictures)
    layout = Layout(
        blocks, layout.target, layout.elevation, layout.azimuth, layout.distance, layout.racks, layout.tray
    )
    camera = aim(rng, layout.target, layout.elevation, layout.azimuth, layout.distance, size)
    image, labels = paint(rng, layout, camera, look, size, pictures)
    return photograph(rng, image), labels


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


def _arguments() -> argparse.Namespace:
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
    parser.add_argument("--backgrounds", type=Path, help="folder of pictures to lay under some of the scenes")
    return parser.parse_args()


def main() -> None:
    args = _arguments()
    cv2.setNumThreads(1)  # the strokes are small: threads would only wait for each other
    found = styles(args.art, args.real, args.font, args.drawn, args.styles)
    pictures = (
        sorted(p for p in args.backgrounds.iterdir() if p.suffix.lower() in (".jpg", ".png"))
        if args.backgrounds
        else []
    )
    (args.out / "images").mkdir(parents=True, exist_ok=True)
    (args.out / "labels").mkdir(exist_ok=True)
    with (args.out / "scenes.jsonl").open("a") as log:
        for seed in range(args.seed, args.seed + args.count):
            picture, labels = scene(seed, found, args.size, pictures)
            name = f"scene_{seed:07d}"
            quality = int(np.random.default_rng(seed).integers(55, 96))
            cv2.imwrite(
                str(args.out / "images" / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, quality]
            )
            (args.out / "labels" / f"{name}.txt").write_text(yolo(labels, args.size))
            tiles = [{"tile": t.code, "box": t.box, "corners": t.corners, "up": t.up} for t in labels]
            log.write(json.dumps({"image": f"{name}.jpg", "tiles": tiles}) + "\n")


if __name__ == "__main__":
    main()

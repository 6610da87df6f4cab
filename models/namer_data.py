"""What the namer is trained on and checked with: crops of photos, of rendered scenes and of single faces."""

from __future__ import annotations

import json
import math
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from drawn import usable_fonts
from faces import CODES, drawn_style
from faces import held_out as kept_from_training
from looks import face_texture, look_of
from namer_net import SIZE
from numpy.typing import NDArray
from torch import Tensor

from vision.crops import cut

# A crop is kept with what lies around it, so that a turned tile shows its neighbours, not a smeared border.
# Both margins are of the box's longer side.
CUT = 13 * SIZE // 8
KEPT = 1.6
MARGIN = 1.12
# Side in pixels of the smallest tile of a scene that is trained on: a crop that nobody can read teaches
# nothing.
SMALLEST = 18
# What is drawn most of all: small numerals and characters tell these apart, everything else looks alike.
HARD = [f"{rank}f" for rank in range(1, 9)] * 2 + ["1s", "1a", "2a", "3a", "4a"]


@dataclass
class Crops:
    """Crops (n, 3, CUT, CUT) uint8 RGB, class numbers (n,), up vectors (n, 2) that are zero where unknown,
    corners of the face (n, 4, 2) that are nan where unknown (see models/namer_net.py), the outline (n, 4, 2)
    that tells how a tile's box grows when it is turned, and how much each crop counts (n,). Points are seen
    from the middle of the crop, -1..1 at its edges."""

    pixels: Tensor
    classes: Tensor
    up: Tensor
    corners: Tensor
    outline: Tensor
    counts: Tensor

    @staticmethod
    def of(
        pixels: list[NDArray[np.uint8]],
        classes: list[int],
        up: list[tuple[float, float]],
        outline: list[NDArray[np.float64]],
        faces_known: bool = False,
        count: float = 1.0,
    ) -> Crops:
        """`outline`: the corners of the faces if `faces_known`, else those of the boxes."""
        stacked = np.concatenate(pixels)[:, :, :, ::-1].transpose(0, 3, 1, 2)
        points = torch.tensor(np.array(outline), dtype=torch.float32)
        return Crops(
            torch.from_numpy(np.ascontiguousarray(stacked)),
            torch.tensor(classes),
            torch.tensor(up, dtype=torch.float32),
            points if faces_known else torch.full_like(points, math.nan),
            points,
            torch.full((len(classes),), count),
        )


def _within(box: list[float], corners: list[list[float]]) -> NDArray[np.float64]:
    """Corners in pixels of the photo, as seen from the middle of the crop around `box`."""
    x0, y0, x1, y1 = box
    half = max(x1 - x0, y1 - y0) * KEPT / 2
    within: NDArray[np.float64] = (np.array(corners) - [(x0 + x1) / 2, (y0 + y1) / 2]) / half
    return within


def _edges(wide: float, high: float) -> NDArray[np.float64]:
    """The corners of a box of this shape, as seen from the middle of the crop around it."""
    across, along = wide / max(wide, high) / KEPT, high / max(wide, high) / KEPT
    return np.array([[-across, -along], [across, -along], [across, along], [-across, along]])


def _side(box: list[float]) -> float:
    """The longer side of a box."""
    return max(box[2] - box[0], box[3] - box[1])


def held_out(name: str, one_in: int) -> bool:
    """Whether a photo is one of those kept out of training, the same in every run; all versions of a photo
    (NAME_0, NAME_1, ...) go together."""
    return one_in > 0 and zlib.crc32(re.sub(r"_\d$", "", name).encode()) % one_in == 0


def photo_crops(root: Path, split: str, one_in: int = 0, held: bool = False, count: float = 1.0) -> Crops:
    """Crops around the labelled tiles of photos in YOLO form; which way they are up is not known.

    With `one_in` without the photos that are held out, or, with `held`, of those alone.
    """
    pixels, classes, outline = [], [], []
    for path in sorted((root / "images" / split).glob("*.jpg")):
        if held_out(path.stem, one_in) is not held:
            continue
        image = cv2.imread(str(path))
        height, width = image.shape[:2]
        label = root / "labels" / split / f"{path.stem}.txt"
        rows = np.loadtxt(label, ndmin=2) if label.stat().st_size > 1 else np.zeros((0, 5))
        if not len(rows):
            continue
        centre, half = rows[:, 1:3] * [width, height], rows[:, 3:5] * [width, height] / 2
        pixels.append(cut(image, np.hstack([centre - half, centre + half]).astype(np.float32), CUT, KEPT))
        classes += rows[:, 0].astype(int).tolist()
        outline += [_edges(float(wide), float(high)) for wide, high in half]
    return Crops.of(pixels, classes, [(0.0, 0.0)] * len(classes), outline, count=count)


def scene_crops(root: Path) -> Crops:
    """Crops of rendered scenes, with their corners and up directions; a back has none."""
    pixels, classes, up, corners = [], [], [], []
    for line in (root / "scenes.jsonl").read_text().splitlines():
        record = json.loads(line)
        tiles = [t for t in record["tiles"] if _side(t["box"]) >= SMALLEST]
        if not tiles:
            continue
        image = cv2.imread(str(root / "images" / record["image"]))
        pixels.append(cut(image, np.array([t["box"] for t in tiles], np.float32), CUT, KEPT))
        classes += [CODES.index(t["tile"]) for t in tiles]
        up += [(0.0, 0.0) if t["tile"] == "0x" else tuple(t["up"]) for t in tiles]
        corners += [_within(t["box"], t["corners"]) for t in tiles]
    return Crops.of(pixels, classes, up, corners, faces_known=True)


def face_crops(root: Path, count: float = 1.0) -> Crops:
    """Crops of single upright faces, SOURCE/CODE_NN.jpg, on a plain ground."""
    pixels, classes, outline = [], [], []
    for path in sorted(root.glob("*/*.jpg")):
        image = cv2.imread(str(path))
        height, width = image.shape[:2]
        side = int(max(height, width) * KEPT)
        ground = np.full((side, side, 3), np.median(image, axis=(0, 1)) * 0.6, np.uint8)
        y, x = (side - height) // 2, (side - width) // 2
        ground[y : y + height, x : x + width] = image
        pixels.append(cv2.resize(ground, (CUT, CUT), interpolation=cv2.INTER_AREA)[None])
        classes.append(CODES.index(path.stem.split("_")[0]))
        outline.append(_edges(width, height))
    return Crops.of(pixels, classes, [(0.0, -1.0)] * len(classes), outline, count=count)


def drawn_crops(sets: int, count: float = 1.0) -> Crops:
    """Faces of drawn sets, as large as the network can see them, on plain grounds: mostly those that small
    numerals and characters tell apart. No set that scenes of held-out styles show."""
    fonts = [font for font in usable_fonts() if not kept_from_training(font.stem)]
    pixels, classes, outline = [], [], []
    for seed in range(10_000, 10_000 + sets):
        style, rng = drawn_style(seed, fonts), np.random.default_rng(seed)
        if kept_from_training(style.family):
            continue
        look = look_of(rng, [style])
        others = [CODES[int(k)] for k in rng.integers(len(CODES) - 1, size=6)]
        for code in {*rng.choice(HARD, 8).tolist(), *others}:
            slant = rng.uniform(-1, 1, 2)
            texture = face_texture(look, code, (float(slant[0]), float(slant[1])), 0, 1.0)
            pixels.append(_on_ground(rng, texture, look.half[0] / look.half[1]))
            classes.append(CODES.index(code))
            outline.append(_edges(float(look.half[0]), float(look.half[1])))
    return Crops.of(pixels, classes, [(0.0, -1.0)] * len(classes), outline, count=count)


def _on_ground(rng: np.random.Generator, texture: NDArray[np.float32], shape: float) -> NDArray[np.uint8]:
    """A face (h, w, 4) upright in the middle of a crop, (1, CUT, CUT, 3), `shape` wide for its height."""
    high = round(CUT / KEPT)
    wide = round(high * shape)
    crop = np.empty((CUT, CUT, 3), np.float32)
    crop[:] = rng.uniform(15, 230, 3)
    y, x = (CUT - high) // 2, (CUT - wide) // 2
    face = cv2.resize(texture, (wide, high), interpolation=cv2.INTER_AREA)
    region = crop[y : y + high, x : x + wide]
    region += (face[:, :, :3] * rng.uniform(0.7, 1.05) - region) * face[:, :, 3:]
    return crop.clip(0, 255).astype(np.uint8)[None]


def plain(pixels: Tensor) -> Tensor:
    """Crops as serving sees them: no more around them than its margin, at the network's size, 0..1."""
    edge = round(CUT * (1 - MARGIN / KEPT) / 2)
    within = pixels[:, :, edge : CUT - edge, edge : CUT - edge]
    return F.interpolate(within.float() / 255, size=(SIZE, SIZE), mode="area")

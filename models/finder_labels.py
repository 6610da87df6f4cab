"""What the finder is trained on: outlines of tiles, so that a photo can be turned by any angle and its boxes
stay tight."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import cv2
import numpy as np
from faces import CODES
from numpy.typing import NDArray

Array = NDArray[np.float64]
BACK = CODES.index("0x")
ASPECT = 0.74  # width over height of a face
NEAR_AXIS = math.radians(10)


def leaning_rectangle(box: Array, up: tuple[float, float]) -> Array:
    """Corners (4, 2) of the tile that fills an upright `box` (x0, y0, x1, y1) and stands along `up`.

    The two equations of its width and height are solved for the sides; near 45 degrees, where they say the
    same twice, and where they give no tile, its usual shape is taken. Without a direction, or near an axis,
    it is the box.
    """
    wide, high = box[2] - box[0], box[3] - box[1]
    middle = np.array([box[0] + box[2], box[1] + box[3]]) / 2
    angle = math.atan2(up[0], -up[1])  # clockwise from upright
    off = abs((angle + math.pi / 4) % (math.pi / 2) - math.pi / 4)
    if up == (0.0, 0.0) or off < NEAR_AXIS:
        return np.array([[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]]])
    c, s = abs(math.cos(angle)), abs(math.sin(angle))
    short = long = 0.0
    if abs(c * c - s * s) > 0.35:
        short, long = np.linalg.solve([[c, s], [s, c]], [wide, high])
    if not 0 < 0.5 * long < short < 1.1 * long:
        long = (wide / (ASPECT * c + s) + high / (ASPECT * s + c)) / 2
        short = ASPECT * long
    across = np.array([math.cos(angle), math.sin(angle)]) * short / 2
    along = np.array([math.sin(angle), -math.cos(angle)]) * long / 2
    corners = np.array([along - across, along + across, across - along, -along - across])
    return middle + corners * [wide, high] / np.ptp(corners, axis=0)


def block_outline(box: Array, face: Array) -> Array:
    """Outline (n, 2) of a rendered block from its box and the corners of its face: the face, and the face
    moved by as much as the box reaches beyond it."""
    low, high = box[:2] - face.min(0), box[2:] - face.max(0)
    moved = np.where(np.abs(low) > np.abs(high), low, high)
    hull = cv2.convexHull(np.concatenate([face, face + moved]).astype(np.float32)).reshape(-1, 2)
    return np.asarray(hull, float).clip(box[:2], box[2:])


def without(image: NDArray[np.uint8], hidden: list[Array], shown: list[Array]) -> NDArray[np.uint8]:
    """The picture with the `hidden` outlines blurred until no tile is left, but not what lies in `shown`."""
    high, wide = image.shape[:2]
    mask = np.zeros((high, wide), np.uint8)
    for colour, outlines in ((255, hidden), (0, shown)):
        for outline in outlines:
            cv2.fillConvexPoly(mask, outline.round().astype(np.int32), colour)
    side = max(float(np.ptp(outline, axis=0).max()) for outline in hidden)
    blurred = cv2.GaussianBlur(image, (0, 0), max(side / 3, 1.0))
    soft = cv2.GaussianBlur(mask, (0, 0), 2.0)[:, :, None] / 255
    return np.asarray((image + (blurred - image.astype(np.float32)) * soft).round(), np.uint8)


def _write(path: Path, classes: list[int], outlines: list[Array], size: tuple[int, int]) -> None:
    lines = (
        f"{kind} " + " ".join(f"{v:.5f}" for v in (outline / size).clip(0, 1).ravel())
        for kind, outline in zip(classes, outlines, strict=True)
    )
    path.write_text("".join(f"{line}\n" for line in lines))


def _add_photos(root: Path, split: str, seen: dict[str, dict[str, list[list[float]]]], out: Path) -> None:
    for path in sorted((root / "images" / split).glob("*.jpg")):
        source = root / "labels" / split / f"{path.stem}.txt"
        filled = source.exists() and source.stat().st_size > 1
        rows = np.loadtxt(source, ndmin=2) if filled else np.zeros((0, 5))
        high, wide = cv2.imread(str(path)).shape[:2]
        centre, half = rows[:, 1:3] * [wide, high], rows[:, 3:5] * [wide, high] / 2
        boxes = np.hstack([centre - half, centre + half])
        known = seen.get(path.name, {}) if split == "train" else {}
        ups = known.get("up", [[0.0, 0.0]] * len(boxes))
        outlines = [
            leaning_rectangle(box, (float(up[0]), float(up[1]))) for box, up in zip(boxes, ups, strict=True)
        ]
        classes = [int(row[0] == BACK) for row in rows]
        for kind, *points in known.get("more", []):
            outlines.append(np.array(points).reshape(-1, 2))
            classes.append(int(kind))
        hidden = [np.array(points).reshape(-1, 2) for points in known.get("hidden", [])]
        if hidden:
            picture = without(np.asarray(cv2.imread(str(path)), np.uint8), hidden, outlines)
            cv2.imwrite(str(out / "images" / split / path.name), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
        else:
            shutil.copy(path, out / "images" / split / path.name)
        _write(out / "labels" / split / f"{path.stem}.txt", classes, outlines, (wide, high))


def _add_scenes(root: Path, out: Path) -> None:
    for line in (root / "scenes.jsonl").read_text().splitlines():
        record = json.loads(line)
        path = root / "images" / record["image"]
        high, wide = cv2.imread(str(path)).shape[:2]
        tiles = record["tiles"]
        outlines = [block_outline(np.array(t["box"]), np.array(t["corners"])) for t in tiles]
        shutil.copy(path, out / "images" / "train" / path.name)
        _write(
            out / "labels" / "train" / f"{path.stem}.txt",
            [int(t["tile"] == "0x") for t in tiles],
            outlines,
            (wide, high),
        )


def finder_data(photos: Path | None, scenes: list[Path], relabelled: Path | None, out: Path) -> Path:
    """Lay out a YOLO data set of two classes, face and back, with outlines for boxes; the path of its YAML
    file.

    `relabelled` is what models/relabel.py found: directions of labelled tiles, tiles without a label, and
    what may be one, which is hidden.
    """
    shutil.rmtree(out, ignore_errors=True)
    splits = ["train", "val"] if photos and (photos / "images" / "val").exists() else ["train"]
    for split in splits:
        (out / "images" / split).mkdir(parents=True)
        (out / "labels" / split).mkdir(parents=True)
    seen = json.loads(relabelled.read_text()) if relabelled else {}
    for split in splits if photos else ():
        _add_photos(photos, split, seen, out)
    for folder in scenes:
        _add_scenes(folder, out)
    data = out / "finder.yaml"
    data.write_text(
        f"path: {out.resolve()}\ntrain: images/train\nval: images/{splits[-1]}\nnames: [face, back]\n"
    )
    return data

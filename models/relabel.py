"""Look at labelled photos with the present models, for the next training of the finder.

Writes one JSON file: for each photo which way every labelled tile stands ("up"), and tiles that carry no
label though both models are sure of them ("more": class, x0, y0, x1, y1), such as discards beside the hand.
Unlabelled they would teach the finder to overlook tiles. --sheet draws what was added, to check by eye.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

sys.path[:0] = [
    str(Path(__file__).parent),
    str(Path(__file__).parents[1] / "datasets"),
    str(Path(__file__).parents[1]),
]

from evaluate import labelled  # noqa: E402
from faces import CODES  # noqa: E402

from vision import weights  # noqa: E402
from vision._onnx import open_network  # noqa: E402
from vision.boxes import iou  # noqa: E402
from vision.finder import Finder  # noqa: E402
from vision.namer import Namer  # noqa: E402

Boxes = NDArray[np.float32]
PLAIN = ("5z", "0x")  # a plain surface is no evidence of a tile
CELL = 100


def unlabelled(found: Boxes, truth: Boxes) -> NDArray[np.bool_]:
    """Which boxes lie on no label: neither overlapping one nor with their middle in one."""
    if not len(truth) or not len(found):
        return np.ones(len(found), bool)
    middle = (found[:, :2] + found[:, 2:]) / 2
    inside = ((middle[:, None] >= truth[:, :2]) & (middle[:, None] <= truth[:, 2:])).all(2).any(1)
    free: NDArray[np.bool_] = (iou(found, truth).max(1) < 0.3) & ~inside
    return free


def sure(score: float, name: str, probability: float, surest: float) -> bool:
    """Whether both models together are sure of a tile: the finder alone from `surest` up, else the namer
    must know it, and not by a plain surface."""
    return score >= surest or (name not in PLAIN and score * probability >= 0.1 and probability >= 0.75)


def sheet(cells: list[NDArray[np.uint8]], path: Path) -> None:
    """Pictures of what was added, 15 a row."""
    blank = np.zeros((CELL, CELL, 3), np.uint8)
    cells = cells + [blank] * (-len(cells) % 15)
    cv2.imwrite(str(path), np.vstack([np.hstack(cells[i : i + 15]) for i in range(0, len(cells), 15)]))


def _cell(image: NDArray[np.uint8], box: Boxes) -> NDArray[np.uint8]:
    middle, reach = (box[:2] + box[2:]) / 2, float((box[2:] - box[:2]).max())
    x, y = np.maximum(middle - reach, 0).astype(int)
    part = image[y : int(middle[1] + reach), x : int(middle[0] + reach)].copy()
    corner = (box - np.tile([x, y], 2)).astype(int)
    cv2.rectangle(part, corner[:2].tolist(), corner[2:].tolist(), (0, 0, 255), 1)
    return np.asarray(cv2.resize(part, (CELL, CELL)), np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("photos", type=Path, help="folder with images/train and labels/train, 47 classes")
    parser.add_argument("out", type=Path, help="JSON file to write")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--surest", type=float, default=0.6, help="score from which the finder is believed")
    parser.add_argument("--sheet", type=Path, help="PNG file of what was added")
    args = parser.parse_args()
    loaded = weights.load(args.models)
    finder = Finder(
        open_network(loaded.finder.data, "finder"), loaded.finder.size, loaded.finder.classes, 0.1, 0.5
    )
    namer = Namer(open_network(loaded.namer.data, "namer"), loaded.namer.size, loaded.namer.margin)
    photos: dict[str, dict[str, list[list[float]]]] = {}
    cells: list[NDArray[np.uint8]] = []
    for path in sorted((args.photos / "images" / "train").glob("*.jpg")):
        truth, _ = labelled(args.photos, "train", path)
        image = np.asarray(cv2.imread(str(path)), np.uint8)
        found = finder.find(image)
        free = np.flatnonzero(unlabelled(found.boxes, truth))
        named = namer.name(image, np.concatenate([truth, found.boxes[free]]))
        more = []
        for index, row in zip(free, named.probabilities[len(truth) :], strict=True):
            best = int(row.argmax())
            if sure(float(found.scores[index]), CODES[best], float(row[best]), args.surest):
                kind = float(found.classes[index].argmax())
                more.append([kind, *(round(float(v), 1) for v in found.boxes[index])])
                cells.append(_cell(image, found.boxes[index]))
        photos[path.name] = {"up": np.round(named.up[: len(truth)], 3).tolist(), "more": more}
    args.out.write_text(json.dumps(photos))
    print(f"{len(photos)} photos, {sum(len(p['more']) for p in photos.values())} tiles added")
    if args.sheet and cells:
        sheet(cells, args.sheet)


if __name__ == "__main__":
    main()

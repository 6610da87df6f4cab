"""How the served weights hold on tile sets that no training saw.

    python models/evaluate_unseen.py --faces FOLDER     single upright faces, SOURCE/CODE_NN.jpg
    python models/evaluate_unseen.py --scenes FOLDER    what `render.py --styles held-out` made

Faces: the share named right, and whose top is seen within 45 degrees. Scenes: the share of tiles found (by
centre), and named right at their true boxes. Each kind of tile has its row, with what is taken for what,
and in scenes each size of tile.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "datasets"), str(HERE.parent)]

from evaluate import matched  # noqa: E402

from vision import CLASSES  # noqa: E402
from vision import weights as weights_of  # noqa: E402
from vision._onnx import open_network  # noqa: E402
from vision.finder import Finder  # noqa: E402
from vision.namer import Namer  # noqa: E402

SIZES = 0, 32, 48, 72  # least shorter side of a box, in pixels
KINDS = {"m": "characters", "p": "dots", "s": "bamboo", "z": "honours", "f": "flowers", "a": "animals"}
Pairs = list[tuple[str, str]]


def on_ground(face: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A face on a plain ground darker than itself, and its box."""
    high, wide = face.shape[:2]
    edge = max(high, wide) // 2
    colour = (np.median(face, axis=(0, 1)) * 0.6).tolist()
    picture = cv2.copyMakeBorder(face, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=colour)
    return np.asarray(picture, np.uint8), np.array([[edge, edge, edge + wide, edge + high]], np.float32)


def name_faces(namer: Namer, folder: Path) -> tuple[Pairs, float]:
    """What each face is and what it is named, and the share whose top is seen."""
    pairs, upright = [], 0
    for path in sorted(folder.glob("*/*.jpg")):
        named = namer.name(*on_ground(np.asarray(cv2.imread(str(path)), np.uint8)))
        pairs.append((path.stem.split("_")[0], CLASSES[int(named.probabilities[0].argmax())]))
        upright += -float(named.up[0, 1]) > math.cos(math.pi / 4) * float(np.hypot(*named.up[0]))
    return pairs, upright / max(len(pairs), 1)


def read_scenes(finder: Finder, namer: Namer, folder: Path) -> tuple[Pairs, list[float], float]:
    """What each tile is and what it is named at its true box, the box's shorter side, and the share of tiles
    that are found."""
    pairs: Pairs = []
    sides: list[float] = []
    found = 0
    for line in (folder / "scenes.jsonl").read_text().splitlines():
        record = json.loads(line)
        tiles = record["tiles"]
        if not tiles:
            continue
        pixels = np.asarray(cv2.imread(str(folder / "images" / record["image"])), np.uint8)
        boxes = np.array([tile["box"] for tile in tiles], np.float32)
        sides += (boxes[:, 2:] - boxes[:, :2]).min(axis=1).tolist()
        found += len(matched(boxes, finder.find(pixels).boxes, centre=True))
        best = namer.name(pixels, boxes).probabilities.argmax(axis=1)
        pairs += [(tile["tile"], CLASSES[int(k)]) for tile, k in zip(tiles, best, strict=True)]
    return pairs, sides, found / max(len(pairs), 1)


def show_sizes(pairs: Pairs, sides: list[float]) -> None:
    """The share named right of tiles of each size."""
    of_size = np.searchsorted(SIZES, sides, side="right") - 1
    for size, least in enumerate(SIZES):
        own = [a == b for (a, b), each in zip(pairs, of_size, strict=True) if each == size]
        if own:
            print(
                f"    {f'from {least} px':20} {np.mean(own):8.2%} of {len(own)}, {len(own) - sum(own)} wrong"
            )


def show(pairs: Pairs) -> None:
    """The share named right, of all and of each kind, and what is taken for what."""
    print(f"named right              {np.mean([a == b for a, b in pairs]):8.2%} of {len(pairs)}")
    kinds = ["backs" if code == "0x" else KINDS[code[-1]] for code, _ in pairs]
    for kind in dict.fromkeys([*KINDS.values(), "backs"]):
        own = [a == b for (a, b), each in zip(pairs, kinds, strict=True) if each == kind]
        if own:
            print(f"    {kind:20} {np.mean(own):8.2%} of {len(own)}, {len(own) - sum(own)} wrong")
    wrong = Counter(pair for pair in pairs if pair[0] != pair[1]).most_common(12)
    print("    " + "  ".join(f"{a} as {b}: {count}" for (a, b), count in wrong))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faces", type=Path)
    parser.add_argument("--scenes", type=Path)
    parser.add_argument("--models", type=Path, help="folder with the weights (those that came along)")
    args = parser.parse_args()
    loaded = weights_of.load(args.models)
    namer = Namer(open_network(loaded.namer.data, "namer"), loaded.namer.size, loaded.namer.margin)
    if args.faces:
        pairs, upright = name_faces(namer, args.faces)
        print(f"top seen                 {upright:8.2%}")
        show(pairs)
    if args.scenes:
        part = loaded.finder
        network = open_network(part.data, "finder")
        finder = Finder(network, part.size, part.classes, part.confidence, part.iou)
        pairs, sides, found = read_scenes(finder, namer, args.scenes)
        print(f"found by centre          {found:8.2%}")
        show(pairs)
        show_sizes(pairs, sides)


if __name__ == "__main__":
    main()

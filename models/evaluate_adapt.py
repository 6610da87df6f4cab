"""What a tile set of one's own is worth: python models/evaluate_adapt.py --sets 30

Of each of so many tile sets that no training saw, one photo of its faces is rendered and several of other
tables with the same set; tiles at their true boxes are named without the set, with the faces that one hand
shows, and with all of them. Prints shares named right and the mean negative log likelihood of the truth.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "datasets"), str(HERE.parent)]

import layouts  # noqa: E402
from faces import styles  # noqa: E402
from finish import photograph  # noqa: E402
from looks import Look, look_of  # noqa: E402
from render import paint  # noqa: E402
from table import Array, Block, aim  # noqa: E402

from scorer.tiles import Tile  # noqa: E402
from vision import CLASSES  # noqa: E402
from vision import weights as weights_of  # noqa: E402
from vision._onnx import open_network  # noqa: E402
from vision.namer import Namer  # noqa: E402
from vision.own_set import OwnSet  # noqa: E402

ROWS = ("123456789m", "123456789p", "123456789s", "1234567z", "12345678f")
TABLES = (layouts.lay_hand, layouts.lay_hand, layouts.lay_rows, layouts.lay_close, layouts.lay_scattered)
SMALLEST = 20  # pixels of a tile's longer side

Rng = np.random.Generator
Photo = tuple[NDArray[np.uint8], NDArray[np.float32], list[int]]


def faces_laid_out(rng: Rng, half: Array) -> layouts.Layout:
    """One tile of each face, row under row, photographed from above."""
    blocks = []
    for number, text in enumerate(ROWS):
        down = np.array([0, -number * (2 * half[1] + 0.4), 0])
        line = layouts.row(rng, half, [f"{rank}{text[-1]}" for rank in text[:-1]], 0.0)
        blocks += [Block(b.code, b.centre + down, b.axes) for b in line]
    target = np.mean([b.centre for b in blocks], axis=0)
    return layouts.Layout(blocks, target, math.radians(rng.uniform(55, 85)), rng.normal(0, 0.1), 36)


def shot(rng: Rng, layout: layouts.Layout, look: Look, size: int) -> Photo:
    """A photo, the boxes of its tiles and their classes."""
    has = [b for b in layout.blocks if b.code in ("0x", "5z") or look.face(b.code) is not None]
    layout = replace(layout, blocks=has)
    camera = aim(rng, layout.target, layout.elevation, layout.azimuth, layout.distance, size)
    picture, labels = paint(rng, layout, camera, look, size)
    kept = [t for t in labels if max(t.box[2] - t.box[0], t.box[3] - t.box[1]) >= SMALLEST]
    boxes = np.array([t.box for t in kept], np.float32).reshape(-1, 4)
    return photograph(rng, picture), boxes, [CLASSES.index(t.code) for t in kept]


def learnt(namer: Namer, photo: Photo, faces: int | None = None) -> OwnSet:
    """The set as one photo shows it, or so many of its faces."""
    pixels, boxes, classes = photo
    chosen = np.arange(len(classes))
    if faces is not None:
        chosen = np.random.default_rng(len(classes)).permutation(len(classes))[:faces]
    tiles = tuple(Tile.parse(CLASSES[classes[k]]) for k in chosen)
    return OwnSet("rendered", "", tiles, namer.features(pixels, boxes[chosen]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--models", type=Path, help="folder with the weights (default: those that came along)"
    )
    parser.add_argument("--sets", type=int, default=30)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--art", type=Path, help="folder of STYLE/CODE.png, transparent faces")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    loaded = weights_of.load(args.models)
    namer = Namer(open_network(loaded.namer.data, "namer"), loaded.namer.size, loaded.namer.margin)
    found = styles(args.art, None, None, 20 * args.sets, "held-out")
    rng = np.random.default_rng(args.seed)
    ways = ("without the set", "14 of its faces", "one photo of its faces")
    right, doubt, tiles = np.zeros(3), np.zeros(3), 0
    for number in rng.permutation(len(found))[: args.sets]:
        look = look_of(rng, [found[number]])
        faces = shot(rng, faces_laid_out(rng, look.half), look, 1280)
        known = (None, learnt(namer, faces, 14), learnt(namer, faces))
        for lay in TABLES:
            pixels, boxes, classes = shot(rng, lay(rng, look.half), look, 800)
            if not classes:
                continue
            named = namer.name(pixels, boxes)
            assert named.features is not None
            tiles += len(classes)
            for way, own in enumerate(known):
                p = named.probabilities if own is None else own.weigh(named.probabilities, named.features)
                right[way] += int((p.argmax(1) == classes).sum())
                doubt[way] -= float(np.log(np.maximum(p[np.arange(len(classes)), classes], 1e-9)).sum())
    print(f"{args.sets} sets, {tiles} tiles         right     -log p")
    for name, share, loss in zip(ways, right / tiles, doubt / tiles, strict=True):
        print(f"    {name:24}{share:8.1%}{loss:10.3f}")


if __name__ == "__main__":
    main()

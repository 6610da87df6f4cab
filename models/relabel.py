"""Look at labelled photos with the present models, for the next training of the finder.

Writes one JSON file: for each photo which way every labelled tile stands ("up"), tiles that carry no label
though the models are sure of them ("more": class and the corners of an outline), such as discards beside the
hand, and what may be one ("hidden": outlines; training blurs them). Unlabelled they teach the finder to
overlook tiles. It has learnt that from such photos already, as they stand: so they are looked at from nearer
and turned, where it has not. --sheet draws what was added, red, and what is hidden, blue, to check by eye.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import dataclass
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
from finder_labels import leaning_rectangle  # noqa: E402

from vision import weights  # noqa: E402
from vision._onnx import open_network  # noqa: E402
from vision.boxes import iou  # noqa: E402
from vision.finder import Finder  # noqa: E402
from vision.namer import Namer  # noqa: E402

Boxes = NDArray[np.float32]
Points = NDArray[np.float64]
PLAIN = ("5z", "0x")  # a plain surface is no evidence of a tile
CELL = 100
TURN = 225.0  # degrees, as unlike the photo as can be
NEARER = 1.6  # times the scale of the first look
OVERLAP = 0.2  # of a part that is looked at
GREY, RED, BLUE = (114, 114, 114), (0, 0, 255), (255, 0, 0)


@dataclass
class Sight:
    """What one look found: a box in pixels of the look, its score and its class, and the map (2, 3) from the
    look to the photo."""

    box: Points
    score: float
    kind: int
    back: Points

    def outline(self, up: tuple[float, float] = (0.0, 0.0)) -> Points:
        """The corners (4, 2) in the photo: of the box, or of the tile in it that stands along `up` there."""
        turn = self.back[:, :2] / math.hypot(*self.back[0, :2])
        there = np.array(up) @ turn  # the other way round: from the photo to the look
        corners = leaning_rectangle(self.box, (float(there[0]), float(there[1])))
        return np.asarray(corners @ self.back[:, :2].T + self.back[:, 2])

    @property
    def middle(self) -> Points:
        """The middle in the photo."""
        return np.asarray(self.outline().mean(axis=0))

    @property
    def side(self) -> float:
        """The shorter side in pixels of the photo."""
        return float((self.box[2:] - self.box[:2]).min()) * math.hypot(*self.back[0, :2])


def box_of(outline: Points) -> Boxes:
    """The upright box (4,) around an outline."""
    return np.concatenate([outline.min(0), outline.max(0)]).astype(np.float32)


def parts(extent: int, side: int) -> list[int]:
    """Where parts of this side begin that cover the extent, overlapping."""
    count = max(1, -(-(extent - side) // round(side * (1 - OVERLAP))) + 1)
    return np.linspace(0, max(extent - side, 0), count).round().astype(int).tolist()


def turned(image: NDArray[np.uint8], angle: float, scale: float) -> tuple[NDArray[np.uint8], Points]:
    """The whole picture turned about its middle and scaled, and the map (2, 3) that does it."""
    high, wide = image.shape[:2]
    move = cv2.getRotationMatrix2D((wide / 2, high / 2), angle, scale)
    c, s = np.abs(move[0, :2])
    new = np.array([wide * c + high * s, wide * s + high * c]).astype(int)
    move[:, 2] += new / 2 - [wide / 2, high / 2]
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    picture = cv2.warpAffine(image, move, new.tolist(), flags=method, borderValue=GREY)
    return np.asarray(picture, np.uint8), np.asarray(move)


def _cut_off(boxes: Boxes, part: tuple[int, int], side: int, whole: tuple[int, int]) -> NDArray[np.bool_]:
    """Which boxes of a part end where it ends though the picture goes on there."""
    low, high = np.array(part), np.minimum(np.array(part) + side, whole)
    off = ((boxes[:, :2] < 3) & (low > 0)) | ((boxes[:, 2:] > high - low - 3) & (high < whole))
    return np.asarray(off.any(axis=1))


def look(finder: Finder, image: NDArray[np.uint8], angle: float) -> list[Sight]:
    """What the finder sees in the picture turned by `angle` and from nearer, part by part."""
    side = finder.height
    picture, move = turned(image, angle, NEARER * side / max(image.shape[:2]))
    back = cv2.invertAffineTransform(move)
    whole = (picture.shape[1], picture.shape[0])
    there = cv2.warpAffine(np.full(image.shape[:2], 255, np.uint8), move, whole)
    sights = []
    for y in parts(picture.shape[0], side):
        for x in parts(picture.shape[1], side):
            if not there[y : y + side, x : x + side].any():
                continue
            found = finder.find(np.ascontiguousarray(picture[y : y + side, x : x + side]))
            for k in np.flatnonzero(~_cut_off(found.boxes, (x, y), side, whole)):
                box = found.boxes[k] + np.array([x, y, x, y], float)
                sights.append(Sight(box, float(found.scores[k]), int(found.classes[k].argmax()), back))
    return sights


def same(one: Sight, other: Sight) -> bool:
    """Whether both are of the same tile."""
    return math.hypot(*(one.middle - other.middle)) < 0.4 * min(one.side, other.side)


def once(sights: list[Sight]) -> list[Sight]:
    """The surest sight of each tile."""
    kept: list[Sight] = []
    for sight in sorted(sights, key=lambda one: -one.score):
        if not any(same(sight, other) for other in kept):
            kept.append(sight)
    return kept


def outline_of(sight: Sight, up: tuple[float, float] | None, upright: list[Sight]) -> Points | None:
    """The outline (n, 2) of a tile that stands along `up`, or, where nobody knows (faces that are alike
    upside down say nothing), what lies in its boxes of both looks. None if only one look saw it."""
    if up:
        return sight.outline(up)
    partner = next((one for one in upright if same(one, sight)), None)
    if not partner:
        return None
    first, second = (one.outline().astype(np.float32) for one in (sight, partner))
    shared, corners = cv2.intersectConvexConvex(first, second)
    return np.asarray(corners, float).reshape(-1, 2) if shared > 0 else None


def unlabelled(found: Boxes, truth: Boxes) -> NDArray[np.bool_]:
    """Which boxes lie on no label: neither overlapping one nor with their middle in one."""
    if not len(truth) or not len(found):
        return np.ones(len(found), bool)
    middle = (found[:, :2] + found[:, 2:]) / 2
    inside = ((middle[:, None] >= truth[:, :2]) & (middle[:, None] <= truth[:, 2:])).all(2).any(1)
    free: NDArray[np.bool_] = (iou(found, truth).max(1) < 0.3) & ~inside
    return free


def sure(score: float, name: str, probability: float, surest: float) -> bool:
    """Whether both models together are sure of a tile. From nearer the finder takes cloth and wood for tiles:
    the namer must know what it sees, and not by a plain surface."""
    likely = (score >= 0.12 and probability >= 0.8) or (score >= surest and probability >= 0.5)
    return name not in PLAIN and likely


def possible(score: float, name: str, probability: float) -> bool:
    """Whether it may be a tile, so that it is better not shown at all than shown as none."""
    return probability >= 0.4 and score >= (0.3 if name in PLAIN else 0.1)


def sheet(cells: list[NDArray[np.uint8]], path: Path) -> None:
    """Pictures of what was added, 15 a row."""
    blank = np.zeros((CELL, CELL, 3), np.uint8)
    cells = cells + [blank] * (-len(cells) % 15)
    cv2.imwrite(str(path), np.vstack([np.hstack(cells[i : i + 15]) for i in range(0, len(cells), 15)]))


def _cell(image: NDArray[np.uint8], outline: Points, colour: tuple[int, int, int]) -> NDArray[np.uint8]:
    middle, reach = outline.mean(0), float(np.ptp(outline, axis=0).max())
    x, y = np.maximum(middle - reach, 0).astype(int)
    part = image[y : int(middle[1] + reach), x : int(middle[0] + reach)].copy()
    cv2.polylines(part, [(outline - [x, y]).round().astype(np.int32)], True, colour, 1)
    return np.asarray(cv2.resize(part, (CELL, CELL)), np.uint8)


def relabel(
    finder: Finder, namer: Namer, image: NDArray[np.uint8], truth: Boxes, surest: float
) -> dict[str, list[list[float]]]:
    """What one photo's labels do not say; see the head of this module."""
    sights = once(look(finder, image, TURN))
    boxes = np.array([box_of(one.outline()) for one in sights], np.float32).reshape(-1, 4)
    free = np.flatnonzero(unlabelled(boxes, truth))
    named = namer.name(image, np.concatenate([truth, boxes[free]]))
    upright: list[Sight] | None = None
    more, hidden = [], []
    rest = zip(free, named.probabilities[len(truth) :], named.up[len(truth) :], strict=True)
    for index, row, up in rest:
        sight, best = sights[index], int(row.argmax())
        if not possible(sight.score, CODES[best], float(row[best])):
            continue
        outline = None
        if sure(sight.score, CODES[best], float(row[best]), surest):
            known = CODES[best] != "0x" and math.hypot(*up) > 0.5
            if not known and upright is None:
                upright = look(finder, image, 0.0)
            outline = outline_of(sight, (float(up[0]), float(up[1])) if known else None, upright or [])
        if outline is not None:
            more.append([float(sight.kind), *outline.round(1).ravel().tolist()])
        else:
            hidden.append(sight.outline().round(1).ravel().tolist())
    return {"up": np.round(named.up[: len(truth)], 3).tolist(), "more": more, "hidden": hidden}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("photos", type=Path, help="folder with images/train and labels/train, 47 classes")
    parser.add_argument("out", type=Path, help="JSON file to write")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--surest", type=float, default=0.6, help="score from which the finder is believed")
    parser.add_argument("--sheet", type=Path, help="PNG file of what was added and hidden")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--every", type=int, default=1, help="only every so many-th photo")
    args = parser.parse_args()
    loaded = weights.load(args.models)
    network = open_network(loaded.finder.data, "finder", args.threads)
    finder = Finder(network, loaded.finder.size, loaded.finder.classes, 0.1, 0.5)
    network = open_network(loaded.namer.data, "namer", args.threads)
    namer = Namer(network, loaded.namer.size, loaded.namer.margin)
    photos: dict[str, dict[str, list[list[float]]]] = {}
    cells: list[NDArray[np.uint8]] = []
    for path in sorted((args.photos / "images" / "train").glob("*.jpg"))[:: args.every]:
        truth, _ = labelled(args.photos, "train", path)
        image = np.asarray(cv2.imread(str(path)), np.uint8)
        found = photos[path.name] = relabel(finder, namer, image, truth, args.surest)
        for points, colour in [(row[1:], RED) for row in found["more"]] + [
            (r, BLUE) for r in found["hidden"]
        ]:
            cells.append(_cell(image, np.array(points).reshape(-1, 2), colour))
    args.out.write_text(json.dumps(photos))
    added, hidden = (sum(len(p[what]) for p in photos.values()) for what in ("more", "hidden"))
    print(f"{len(photos)} photos, {added} tiles added, {hidden} hidden")
    if args.sheet and cells:
        sheet(cells, args.sheet)


if __name__ == "__main__":
    main()

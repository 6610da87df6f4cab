"""Measure the reader as it is served on photos in YOLO form: python models/evaluate.py PHOTOS --split val

Prints, and with --json writes: mAP50 and mAP50-95 of the finder (one class, by pycocotools), the namer's
accuracy on true boxes, and what matters to people: tiles found, tiles right, photos in which every tile is
right. A tile is found if a box overlaps its label by half (IoU >= 0.5), right if its name is right too. A
photo is right if every labelled tile is, and the reading takes nothing else among them for the hand's. Tiles
that a photo leaves unlabelled count against mAP, and against nothing else. The same again by centre: there a
box fits whose middle lies in the label, whatever its size. Then how honest the confidence of the tiles found
by centre is: the expected calibration error, and the share of photos with misnamed tiles in which each of
them is doubted. Last the same with the labels put right that are plainly wrong (`label_errors.json`: photo,
line of its label file, what the tile is, null for a box that lies on no such tile). Only tiles that the
reader named otherwise than their label were looked at, so these figures may flatter it a little.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "datasets"), str(HERE.parent)]

from faces import CODES  # noqa: E402
from reliability import Reliability  # noqa: E402

from vision import weights  # noqa: E402
from vision._onnx import open_network  # noqa: E402
from vision.boxes import iou  # noqa: E402
from vision.errors import NoTiles  # noqa: E402
from vision.finder import Finder  # noqa: E402
from vision.namer import Namer  # noqa: E402
from vision.reader import load_reader  # noqa: E402
from vision.reading import Reading  # noqa: E402

Boxes = NDArray[np.float32]


PER_CLASS = ("found", "right", "found by centre", "right by centre", "named")


@dataclass
class Tally:
    """Counts over all photos; `classes` per tile code: labelled, found, right, both by centre, named right on
    true boxes."""

    photos: int = 0
    photos_right: int = 0
    photos_found: int = 0
    tiles: int = 0
    found: int = 0
    right: int = 0
    extra: int = 0
    named: int = 0
    classes: dict[str, Counter[str]] = field(default_factory=dict)
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    reliability: Reliability = field(default_factory=Reliability)


def put_right(path: Path, truth: Boxes, codes: list[str]) -> tuple[Boxes, list[str]]:
    """The labels of a photo without those errors that are known."""
    known = json.loads((HERE / "label_errors.json").read_text()).get(path.stem, {})
    better = [known.get(str(line), code) for line, code in enumerate(codes)]
    kept = [line for line, code in enumerate(better) if code is not None]
    return truth[kept], [better[line] for line in kept]


def labelled(root: Path, split: str, path: Path) -> tuple[Boxes, list[str]]:
    """Boxes (n, 4) in pixels and tile codes of one photo."""
    image = cv2.imread(str(path))
    height, width = image.shape[:2]
    label = root / "labels" / split / f"{path.stem}.txt"
    rows = np.loadtxt(label, ndmin=2) if label.stat().st_size > 1 else np.zeros((0, 5))
    centre, half = rows[:, 1:3] * [width, height], rows[:, 3:5] * [width, height] / 2
    return np.hstack([centre - half, centre + half]).astype(np.float32), [CODES[int(k)] for k in rows[:, 0]]


def farther(image: NDArray[np.uint8], truth: Boxes, factor: float) -> tuple[NDArray[np.uint8], Boxes]:
    """The photo in the middle of a plain ground, as if taken from `factor` times the distance by a camera
    of as many more pixels; and its boxes there."""
    height, width = image.shape[:2]
    top, left = int(height * (factor - 1) / 2), int(width * (factor - 1) / 2)
    colour = np.median(image, axis=(0, 1)).tolist()
    padded = cv2.copyMakeBorder(image, top, top, left, left, cv2.BORDER_CONSTANT, value=colour)
    return np.asarray(padded, np.uint8), truth + np.array([left, top] * 2, np.float32)


def matched(truth: Boxes, seen: Boxes, least: float = 0.5, centre: bool = False) -> dict[int, int]:
    """Label number -> box number, the best overlaps first, each used once.

    With `centre` a box fits whose middle lies in the label, whatever its size: the fairer measure where
    labels hold only the print on a tile and boxes hold the tile.
    """
    if not len(truth) or not len(seen):
        return {}
    overlap = iou(truth, seen)
    if centre:
        middle = (seen[:, :2] + seen[:, 2:]) / 2
        inside = (middle >= truth[:, None, :2]) & (middle <= truth[:, None, 2:])
        overlap = np.where(inside.all(axis=2), overlap, 0)
        least = 0.05
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for flat in np.argsort(-overlap, axis=None):
        i, j = divmod(int(flat), overlap.shape[1])
        if overlap[i, j] < least:
            break
        if i not in pairs and j not in used:
            pairs[i] = j
            used.add(j)
    return pairs


def judge(
    tally: Tally,
    name: str,
    truth: Boxes,
    codes: list[str],
    seen: Boxes,
    names: list[str],
    centre: bool = False,
    outside: Collection[int] = (),
) -> None:
    """Count one photo; `outside` are boxes that the reading itself does not take for tiles of the hand."""
    pairs = matched(truth, seen, centre=centre)
    right = 0
    for index, code in enumerate(codes):
        row = tally.classes.setdefault(code, Counter())
        row["labelled"] += 1
        if index in pairs:
            row["found"] += 1
            if names[pairs[index]] == code:
                row["right"] += 1
                right += 1
            else:
                tally.confused[code, names[pairs[index]]] += 1
    extra = 0
    if len(truth):
        hull = cv2.convexHull(
            np.concatenate([truth[:, :2], truth[:, 2:], truth[:, [0, 3]], truth[:, [2, 1]]])
        )
        for j in set(range(len(seen))) - set(pairs.values()) - set(outside):
            centre = (float(seen[j, 0] + seen[j, 2]) / 2, float(seen[j, 1] + seen[j, 3]) / 2)
            extra += cv2.pointPolygonTest(hull, centre, False) > 0
    tally.photos += 1
    tally.tiles += len(codes)
    tally.found += len(pairs)
    tally.right += right
    tally.extra += extra
    tally.photos_found += len(pairs) == len(codes)
    tally.photos_right += right == len(codes) and not extra
    if right < len(codes) or extra:
        tally.wrong.append(
            f"{name}: {len(codes)} labelled, {len(pairs)} found, {right} right, {extra} more among them"
        )


def mean_precision(
    records: list[tuple[Boxes, Boxes, NDArray[np.float32]]], sizes: list[tuple[int, int]]
) -> tuple[float, float]:
    """mAP50 and mAP50-95 of boxes of one class, over (truth, boxes, scores) of each photo."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    def xywh(box: NDArray[np.float32]) -> list[float]:
        return [float(box[0]), float(box[1]), float(box[2] - box[0]), float(box[3] - box[1])]

    annotations, results = [], []
    for number, (truth, boxes, scores) in enumerate(records, 1):
        for box in truth:
            wide = xywh(box)
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": number,
                    "category_id": 1,
                    "bbox": wide,
                    "area": wide[2] * wide[3],
                    "iscrowd": 0,
                }
            )
        results += [
            {"image_id": number, "category_id": 1, "bbox": xywh(b), "score": float(s)}
            for b, s in zip(boxes, scores, strict=True)
        ]
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO()
        coco.dataset = {
            "images": [{"id": n, "width": w, "height": h} for n, (w, h) in enumerate(sizes, 1)],
            "annotations": annotations,
            "categories": [{"id": 1, "name": "tile"}],
        }
        coco.createIndex()
        judged = COCOeval(coco, coco.loadRes(results) if results else COCO(), "bbox")
        judged.params.maxDets = [1, 100, 300]
        judged.evaluate()
        judged.accumulate()
    precision = judged.eval["precision"][:, :, 0, 0, 2]
    return float(precision[0].mean()), float(precision.mean())


def _rows(truth: Boxes, codes: list[str], reading: Reading) -> list[tuple[float, bool, bool]]:
    """Confidence, right and doubted of every labelled tile that was found, by centre."""
    boxes = np.array([tile.box for tile in reading.tiles], np.float32)
    doubted = {position for doubt in reading.doubts for position in doubt.tiles}
    return [
        (reading.tiles[j].confidence, str(reading.tiles[j].tile) == codes[i], j in doubted)
        for i, j in matched(truth, boxes, centre=True).items()
    ]


def evaluate(
    root: Path, split: str, models: Path | None, limit: int | None, far: float = 1.0, every: int = 1
) -> tuple[Tally, dict[str, float]]:
    """Read every photo through the serving path and count."""
    reader = load_reader(models)
    loaded = weights.load(models)
    finder = Finder(
        open_network(loaded.finder.data, "finder", None), loaded.finder.size, loaded.finder.classes, 0.01, 0.6
    )
    namer = Namer(open_network(loaded.namer.data, "namer", None), loaded.namer.size, loaded.namer.margin)
    tally, by_centre, mended, records, sizes = Tally(), Tally(), Tally(), [], []
    for path in sorted((root / "images" / split).glob("*.jpg"))[::every][:limit]:
        truth, codes = labelled(root, split, path)
        image, data = np.asarray(cv2.imread(str(path)), np.uint8), path.read_bytes()
        if far > 1:
            image, truth = farther(image, truth, far)
            data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
        try:
            reading = reader.read(data)
            tally.reliability.add(_rows(truth, codes, reading))
            seen = np.array([t.box for t in reading.tiles], np.float32).reshape(-1, 4)
            names = [str(t.tile) for t in reading.tiles]
            outside = [j for j, t in enumerate(reading.tiles) if t.role == "outside"]
            mended.reliability.add(_rows(*put_right(path, truth, codes), reading))
        except NoTiles:
            seen, names, outside = np.zeros((0, 4), np.float32), [], []
        judge(tally, path.name, truth, codes, seen, names, outside=outside)
        judge(by_centre, path.name, truth, codes, seen, names, centre=True, outside=outside)
        better = put_right(path, truth, codes)
        judge(mended, path.name, *better, seen, names, centre=True, outside=outside)
        found = finder.find(image)
        records.append((truth, found.boxes, found.scores))
        sizes.append((image.shape[1], image.shape[0]))
        probabilities = namer.name(image, truth).probabilities
        for code, best in zip(codes, probabilities.argmax(1), strict=True):
            tally.named += CODES[int(best)] == code
            tally.classes[code]["named"] += CODES[int(best)] == code
    for code, row in by_centre.classes.items():
        tally.classes[code].update({f"{key} by centre": row[key] for key in ("found", "right")})
    map50, map5095 = mean_precision(records, sizes)
    tiles, photos = max(tally.tiles, 1), max(tally.photos, 1)
    return tally, {
        "photos": tally.photos,
        "tiles": tally.tiles,
        "finder_map50": round(map50, 4),
        "finder_map50_95": round(map5095, 4),
        "namer_accuracy_true_boxes": round(tally.named / tiles, 4),
        "tiles_found": round(tally.found / tiles, 4),
        "tiles_right": round(tally.right / tiles, 4),
        "photos_all_found": round(tally.photos_found / photos, 4),
        "photos_right": round(tally.photos_right / photos, 4),
        "extra_among_labelled": tally.extra,
        "tiles_found_by_centre": round(by_centre.found / tiles, 4),
        "tiles_right_by_centre": round(by_centre.right / tiles, 4),
        "photos_right_by_centre": round(by_centre.photos_right / photos, 4),
        "calibration_error": round(tally.reliability.error, 4),
        "misnamed_photos_doubted": round(tally.reliability.doubted / max(tally.reliability.misnamed, 1), 4),
        "labels_put_right_tiles_right": round(mended.right / max(mended.tiles, 1), 4),
        "labels_put_right_photos_right": round(mended.photos_right / photos, 4),
        "labels_put_right_doubted": round(
            mended.reliability.doubted / max(mended.reliability.misnamed, 1), 4
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", type=Path, help="folder with images/SPLIT and labels/SPLIT, 47 classes")
    parser.add_argument("--split", default="val")
    parser.add_argument("--models", type=Path, help="folder of manifest.json; the project's own if not given")
    parser.add_argument("--limit", type=int, help="only the first so many photos")
    parser.add_argument("--every", type=int, default=1, help="only every so manieth photo")
    parser.add_argument(
        "--far", type=float, default=1.0, help="lay each photo into one so many times as wide and high"
    )
    parser.add_argument(
        "--per-class", action="store_true", help="a row for each tile, and the commonest confusions"
    )
    parser.add_argument("--reliability", action="store_true", help="confidence against the share right")
    parser.add_argument("--show-wrong", action="store_true", help="name every photo that is not right")
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument(
        "--manifest", action="store_true", help="write the figures into the manifest of the models folder"
    )
    args = parser.parse_args()
    tally, figures = evaluate(args.photos, args.split, args.models, args.limit, args.far, args.every)
    for key, value in figures.items():
        print(f"{key:28} {value:.2%}" if isinstance(value, float) else f"{key:28} {value}")
    if args.per_class:
        print("\ntile  labelled  found  right  found and right by centre, named on true boxes")
        for code in sorted(tally.classes, key=CODES.index):
            row = tally.classes[code]
            print(
                f"{code:4}  {row['labelled']:8}  "
                + "  ".join(f"{row[key] / row['labelled']:5.0%}" for key in PER_CLASS)
            )
        print("\nlabelled as, read as, times")
        for (code, name), count in tally.confused.most_common(20):
            print(f"{code:4} {name:4} {count}")
    if args.reliability:
        print("\nconfidence    tiles  mean    right")
        for low, high, count, mean, share in tally.reliability.table():
            print(f"{low:4.0%}-{high:4.0%}  {count:7}  {mean:6.1%}  {share:6.1%}")
    if args.show_wrong:
        print("\n" + "\n".join(tally.wrong))
    if args.json:
        args.json.write_text(json.dumps(figures, indent=2) + "\n")
    if args.manifest:
        path = weights.find(args.models) / "manifest.json"
        manifest = json.loads(path.read_text())
        keys = {
            "finder": ("finder_map50", "finder_map50_95", "tiles_found"),
            "namer": ("namer_accuracy_true_boxes", "tiles_right", "photos_right"),
        }
        for part, names in keys.items():
            manifest[part]["metrics"] = {
                "split": args.split,
                "photos": figures["photos"],
                "tiles": figures["tiles"],
            } | {k: figures[k] for k in names}
        path.write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    main()

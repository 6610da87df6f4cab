"""Run the published package `mahjong-detector` and this reader on the same labelled photos.

python models/compare_peer.py PHOTOS --split val

The package is installed from the package index into an environment of its own and runs in a process of its
own; its tiles are judged as ours are (models/evaluate.py), on all labels and on the 34 kinds that it knows.
The times are of a whole read from the bytes of the file, both on the same cores.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from evaluate import Boxes, Tally, judge, labelled, load_reader  # noqa: E402

from vision.errors import NoTiles  # noqa: E402

PACKAGE = "mahjong-detector==0.0.6"
NAMES = {"tou": "1z", "nan": "2z", "sha": "3z", "pe": "4z", "haku": "5z", "hatsu": "6z", "chun": "7z"}
RUNNER = """
import json, sys, time
from PIL import Image
from mahjong_detector import CLASS_NAMES, predict, preprocess_image
for line in sys.stdin:
    start = time.perf_counter()
    seen = predict(*preprocess_image(Image.open(line.strip())))
    took = time.perf_counter() - start
    rows = [[d.x1, d.y1, d.x2, d.y2, CLASS_NAMES[d.class_id]] for d in seen]
    print(json.dumps({"seconds": took, "tiles": rows}), flush=True)
"""
Seen = tuple[Boxes, list[str], float]


def peer_environment(folder: Path) -> Path:
    """The Python of an environment in which the package is installed."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", PACKAGE], check=True)
    return python


def read_with_peer(python: Path, photos: list[Path]) -> list[Seen]:
    """Boxes, tile codes and seconds of each photo."""
    given = "".join(f"{path.resolve()}\n" for path in photos)
    done = subprocess.run(
        [str(python), "-c", RUNNER], input=given, capture_output=True, text=True, check=True
    )
    answers = []
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        boxes = np.array([row[:4] for row in answer["tiles"]], np.float32).reshape(-1, 4)
        names = [NAMES.get(row[4], row[4]) for row in answer["tiles"]]
        answers.append((boxes, names, float(answer["seconds"])))
    return answers


def read_with_ours(photos: list[Path], models: Path | None) -> list[Seen]:
    """The same of this reader."""
    reader = load_reader(models)
    answers: list[Seen] = []
    for path in photos:
        data, start = path.read_bytes(), time.perf_counter()
        try:
            tiles = reader.read(data).tiles
        except NoTiles:
            tiles = ()
        took = time.perf_counter() - start
        boxes = np.array([tile.box for tile in tiles], np.float32).reshape(-1, 4)
        answers.append((boxes, [str(tile.tile) for tile in tiles], took))
    return answers


def row(name: str, photos: list[Path], labels: list[tuple[Boxes, list[str]]], seen: list[Seen]) -> str:
    """One line of the table; tiles are found by centre, which asks less of the boxes."""
    tally, known = Tally(), Tally()
    for path, (truth, codes), (boxes, names, _) in zip(photos, labels, seen, strict=True):
        judge(tally, path.name, truth, codes, boxes, names, centre=True)
        kept = [index for index, code in enumerate(codes) if code[1] in "mpsz"]
        judge(known, path.name, truth[kept], [codes[i] for i in kept], boxes, names, centre=True)
    figures = (
        tally.found / tally.tiles,
        tally.right / tally.tiles,
        known.right / known.tiles,
        tally.photos_right / tally.photos,
    )
    middle = statistics.median(seconds for _, _, seconds in seen)
    return f"{name:28}" + "".join(f"{value:>12.1%}" for value in figures) + f"{1000 * middle:>12.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("photos", type=Path, help="folder with images/SPLIT and labels/SPLIT, 47 classes")
    parser.add_argument("--split", default="val")
    parser.add_argument("--models", type=Path)
    parser.add_argument(
        "--environment", type=Path, help="folder for the package; a temporary one if not given"
    )
    args = parser.parse_args()
    photos = sorted((args.photos / "images" / args.split).glob("*.jpg"))
    labels = [labelled(args.photos, args.split, path) for path in photos]
    with tempfile.TemporaryDirectory() as temporary:
        python = peer_environment(args.environment or Path(temporary) / "peer")
        peer = read_with_peer(python, photos)
    ours = read_with_ours(photos, args.models)
    print(f"{len(photos)} photos, {sum(len(codes) for _, codes in labels)} tiles")
    print(f"{'':28}{'found':>12}{'right':>12}{'of 34 kinds':>12}{'photos':>12}{'median ms':>12}")
    print(row(PACKAGE, photos, labels, peer))
    print(row("this reader", photos, labels, ours))


if __name__ == "__main__":
    main()

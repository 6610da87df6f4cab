"""What the page loses by sending a smaller photo: tiles read right against the size that is sent.

    python tests/load/bench_sent_size.py PHOTOS [--split train] [--every 10]

PHOTOS is a folder in YOLO form. Each photo is laid into one so many times as wide (`far`), as a camera of 12
megapixels takes it from farther away, then scaled down and packed as the page does (`api/page/photo.js`).
A tile is right if a box's middle lies in its label and bears its name.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HERE / "models"), str(HERE / "datasets"), str(HERE)]

from evaluate import farther, labelled, matched  # noqa: E402

from vision.errors import NoTiles  # noqa: E402
from vision.reader import Reader, load_reader  # noqa: E402

CAMERA = 4032
FARS = (1.0, 2.0, 4.0)
SENT = ((4032, 95), (2400, 90), (2400, 85), (2016, 90), (2016, 85), (2016, 75), (1600, 85), (1280, 85))


def resized(image: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)


def count(
    reader: Reader, photos: list[Path], far: float, longest: int, quality: int
) -> tuple[int, int, int, float]:
    """Tiles, tiles right, bytes sent, and seconds that reading took."""
    tiles = right = size = 0
    seconds = 0.0
    for path in photos:
        truth, codes = labelled(path.parents[2], path.parent.name, path)
        image, boxes = farther(np.asarray(cv2.imread(str(path)), np.uint8), truth, far)
        grown = CAMERA / max(image.shape[:2])
        image = resized(image, grown)
        scale = longest / CAMERA
        if scale < 1:
            image = resized(image, scale)
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        began = time.perf_counter()
        try:
            found = list(reader.read(data).tiles)
        except NoTiles:
            found = []
        seconds += time.perf_counter() - began
        seen = np.array([tile.box for tile in found], np.float32).reshape(-1, 4)
        pairs = matched(boxes * grown * min(scale, 1), seen, centre=True)
        tiles += len(codes)
        right += sum(codes[i] == str(found[j].tile) for i, j in pairs.items())
        size += len(data)
    return tiles, right, size, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", type=Path)
    parser.add_argument("--split", default="train")
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--far", type=float, nargs="+", default=FARS)
    parser.add_argument("--sent", type=int, nargs="+", help="only these longer sides")
    args = parser.parse_args()
    photos = sorted((args.photos / "images" / args.split).glob("*.jpg"))[:: args.every]
    reader = load_reader()
    print(f"{len(photos)} photos\n\n| farther | longer side | quality | right | kB | reading |")
    print(f"|{' --- |' * 6}")
    for far in args.far:
        for longest, quality in (one for one in SENT if not args.sent or one[0] in args.sent):
            tiles, right, size, seconds = count(reader, photos, far, longest, quality)
            print(
                f"| {far:g} × | {longest} | {quality} | {right / tiles:.2%} of {tiles} "
                f"| {size / len(photos) / 1000:.0f} | {seconds / len(photos) * 1000:.0f} ms |",
                flush=True,
            )


if __name__ == "__main__":
    main()

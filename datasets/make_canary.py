"""Render the photo that the service reads before it calls itself ready, and write what it shows.

A row of faces that no trained namer takes for others, small, so that reading it costs little:

    python datasets/make_canary.py api
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
from faces import DEFAULT_FONT
from make_sample import photo

TILES = "1m 1m 1m 2s 2s 2s 1z 1z 1z 5z 5z 5z 1p 1p"
SIDE = 1000
SEED = 31


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path, help="folder for canary.jpg and canary.json")
    parser.add_argument("--tiles", default=TILES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--font", type=Path, default=DEFAULT_FONT)
    arguments = parser.parse_args()
    codes = arguments.tiles.split()
    picture = photo(codes, 0.0, 72.0, arguments.font, arguments.seed)
    small = cv2.resize(
        picture, (SIDE, round(SIDE * picture.shape[0] / picture.shape[1])), interpolation=cv2.INTER_AREA
    )
    rows = small.shape[0]
    strip = small[rows // 4 : rows - rows // 4]
    cv2.imwrite(str(arguments.out / "canary.jpg"), strip, [cv2.IMWRITE_JPEG_QUALITY, 88])
    (arguments.out / "canary.json").write_text(json.dumps({"tiles": codes}) + "\n")


if __name__ == "__main__":
    main()

"""Render the bundled sample photos with the faces that datasets/faces.py draws.

Needs a font with Chinese characters (Debian: fonts-arphic-ukai). Writes one JPEG a hand and samples.json
with what it shows.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

import cv2
import numpy as np
from faces import DEFAULT_FONT, drawn_style
from layouts import Layout
from looks import Look
from render import paint
from table import HALF, Block, Camera

SIZE = 1600
STYLE = 3  # seed of the drawn set
HANDS = {
    "hand": ("2m 3m 4m 6m 6m 6m 7m 8m 9m 1z 1z 7z 7z 7z", 0.0, 62.0),
    "turned": ("1p 2p 3p 4p 5p 6p 7p 8p 9p 9p 9p 2s 3s 4s", 90.0, 70.0),
    "short": ("2s 3s 4s 5s 6s 7s 3p 3p 3p 5z 5z 5z 1m", 0.0, 66.0),
}


def photo(codes: list[str], roll: float, elevation: float, font: Path, seed: int) -> np.ndarray:
    """One row of tiles lying on green cloth, seen from `elevation` degrees, the camera rolled by `roll`
    degrees.
    """
    rng = np.random.default_rng(seed)
    wide = 2 * HALF[0] + 0.06
    blocks = []
    for index, code in enumerate(codes):
        turn = rng.normal(0, 0.012)
        c, s = math.cos(turn), math.sin(turn)
        axes = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        blocks.append(
            Block(code, np.array([(index - (len(codes) - 1) / 2) * wide, rng.normal(0, 0.04), HALF[2]]), axes)
        )
    tilt, turn = math.radians(elevation), math.radians(roll)
    toward = np.array([0.0, -math.cos(tilt), math.sin(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    down = np.cross(-toward, right)
    rotation = np.stack(
        [
            math.cos(turn) * right + math.sin(turn) * down,
            -math.sin(turn) * right + math.cos(turn) * down,
            -toward,
        ]
    )
    camera = Camera(52 * toward, rotation, SIZE * 1.22, (SIZE / 2, SIZE / 2))
    style = drawn_style(STYLE, [font])
    layers = ((0.62, (222.0, 234.0, 240.0)), (0.38, (50.0, 140.0, 70.0)))
    look = Look(style, style, HALF, 0.16, layers, 0.9, 0.3, 0.2, 0.0)
    layout = Layout(blocks, np.zeros(3), tilt, 0.0, 52.0)
    image, _ = paint(rng, layout, camera, look, SIZE)
    image = cv2.GaussianBlur(image, (0, 0), 0.8) + rng.normal(0, 2.5, (SIZE, SIZE, 1)).astype(np.float32)
    low = SIZE // 8
    whole: np.ndarray = image.clip(0, 255).astype(np.uint8)
    return whole[:, low : SIZE - low] if roll else whole[low : SIZE - low]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, nargs="?", default=Path(__file__).parent / "samples")
    parser.add_argument("--font", type=Path, default=DEFAULT_FONT)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for seed, (name, (tiles, roll, elevation)) in enumerate(HANDS.items(), 20):
        picture = photo(tiles.split(), roll, elevation, args.font, seed)
        cv2.imwrite(str(args.out / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 85])
    shown = {f"{name}.jpg": tiles.split() for name, (tiles, _, _) in HANDS.items()}
    (args.out / "samples.json").write_text(json.dumps(shown, indent=2) + "\n")


if __name__ == "__main__":
    main()

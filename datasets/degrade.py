"""Spoil labelled photos on purpose, and say how often each flaw is named: python datasets/degrade.py PHOTOS

For each way of spoiling and each strength: how often `vision.quality` names that flaw, how often another,
and what share of the tiles the namer still names right (true boxes). A flaw is to be named where names get
lost, and not before; the first line is photos as they are, where every flaw named is a false alarm.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from faces import CODES
from numpy.typing import NDArray

from vision import weights
from vision._onnx import open_network
from vision.layout import arrange
from vision.namer import Namer
from vision.quality import ADVICE, assess

Rng = np.random.Generator
Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A photo with the boxes (n, 4, pixels) and the class numbers (n,) of its tiles."""

    pixels: Picture
    boxes: NDArray[np.float64]
    classes: NDArray[np.int_]

    @property
    def side(self) -> float:
        """Short side of its tiles in pixels."""
        return float(np.median((self.boxes[:, 2:] - self.boxes[:, :2]).min(axis=1)))

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Positions of the tiles row by row."""
        return arrange(self.boxes.astype(np.float32), np.zeros((len(self.boxes), 2), np.float32)).rows

    @property
    def longest_row(self) -> int:
        """Number of tiles in the longest row."""
        return max(map(len, self.rows), default=0)


def blurred(rng: Rng, photo: Labelled, strength: float) -> Labelled:
    """Out of focus: a Gaussian of `strength` tile widths."""
    return replace(photo, pixels=cv2.GaussianBlur(photo.pixels, (0, 0), strength * photo.side))


def shaken(rng: Rng, photo: Labelled, strength: float) -> Labelled:
    """Moved while it was taken, by `strength` tile widths."""
    length = max(2, round(strength * photo.side))
    kernel = np.zeros((length, length), np.float32)
    middle, last = length // 2, length - 1
    ends = [((0, middle), (last, middle)), ((0, 0), (last, last)), ((middle, 0), (middle, last))]
    cv2.line(kernel, *ends[int(rng.integers(3))], 1)
    return replace(photo, pixels=cv2.filter2D(photo.pixels, -1, kernel / kernel.sum()))


def far(rng: Rng, photo: Labelled, strength: float) -> Labelled:
    """So far away that a tile's short side has `strength` pixels."""
    factor = min(strength / photo.side, 1.0)
    small = cv2.resize(photo.pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return Labelled(small, photo.boxes * factor, photo.classes)


def dark(rng: Rng, photo: Labelled, strength: float) -> Labelled:
    """Faces brought down to a brightness of `strength`, with the noise that comes with it."""
    bright = float(np.percentile(photo.pixels, 85))
    noise = 5 * rng.standard_normal(photo.pixels.shape, np.float32)
    return replace(photo, pixels=(photo.pixels * (strength / bright) + noise).clip(0, 255).astype(np.uint8))


def glaring(rng: Rng, photo: Labelled, strength: float) -> Labelled:
    """Light mirrored on one printed tile, adding `strength` in its middle."""
    printed = [i for i, k in enumerate(photo.classes) if CODES[k] not in ("5z", "0x")]
    x0, y0, x1, y1 = photo.boxes[printed[int(rng.integers(len(printed)))]]
    yy, xx = np.mgrid[: photo.pixels.shape[0], : photo.pixels.shape[1]].astype(np.float32)
    reach = 0.55 * np.array([x1 - x0, y1 - y0])
    away = ((xx - (x0 + x1) / 2) / reach[0]) ** 2 + ((yy - (y0 + y1) / 2) / reach[1]) ** 2
    light = strength * np.exp(-(away**2))[:, :, None]
    return replace(photo, pixels=(photo.pixels + light).clip(0, 255).astype(np.uint8))


def cut(rng: Rng, photo: Labelled, strength: float) -> Labelled:
    """The photo ends within its rightmost tile, of which `strength` is left."""
    last = photo.boxes[int(photo.boxes[:, 2].argmax())]
    edge = int(last[0] + strength * (last[2] - last[0]))
    kept = photo.boxes[:, 0] < edge - 2
    boxes = photo.boxes[kept]
    boxes = np.column_stack([boxes[:, :2], np.minimum(boxes[:, 2], edge), boxes[:, 3]])
    return Labelled(photo.pixels[:, :edge].copy(), boxes, photo.classes[kept])


def doubled(rng: Rng, photo: Labelled, strength: float) -> Labelled:
    """The same hand a second time, below."""
    height = photo.pixels.shape[0]
    return Labelled(
        np.vstack([photo.pixels, photo.pixels]),
        np.vstack([photo.boxes, photo.boxes + np.array([0, height, 0, height])]),
        np.concatenate([photo.classes, photo.classes]),
    )


def unspoilt(rng: Rng, photo: Labelled, strength: float) -> Labelled:
    """The photo as it is."""
    return photo


WAYS: tuple[tuple[str, Callable[[Rng, Labelled, float], Labelled], tuple[float, ...]], ...] = (
    ("", unspoilt, (0.0,)),
    ("blurred", blurred, (0.02, 0.035, 0.05, 0.07)),
    ("blurred", shaken, (0.06, 0.12, 0.2, 0.3)),
    ("too_far", far, (36, 28, 22, 16, 11)),
    ("too_dark", dark, (120, 80, 50, 30)),
    ("glare", glaring, (40, 90, 160, 240)),
    ("cut_off", cut, (0.85, 0.6, 0.3)),
    ("several_hands", doubled, (0.0,)),
)


def photos(root: Path, split: str, count: int, seed: int) -> Iterator[Labelled]:
    """Up to `count` photos with a row of ten tiles or more that touch no edge."""
    paths = sorted((root / "images" / split).glob("*.jpg"))
    np.random.default_rng(seed).shuffle(paths)  # type: ignore[arg-type]
    for path in paths:
        rows = np.loadtxt(root / "labels" / split / f"{path.stem}.txt", ndmin=2)
        pixels = cv2.imread(str(path))
        if len(rows) < 10 or pixels is None:
            continue
        size = np.array(pixels.shape[1::-1])
        centre, half = rows[:, 1:3] * size, rows[:, 3:5] * size / 2
        boxes = np.hstack([centre - half, centre + half])
        if (boxes[:, :2] < 3).any() or (boxes[:, 2:] > size - 3).any():
            continue
        yield Labelled(np.asarray(pixels, np.uint8), boxes, rows[:, 0].astype(int))
        count -= 1
        if not count:
            return


def named_right(namer: Namer, photo: Labelled) -> float:
    """Share of the tiles that the namer names right, given their boxes."""
    named = namer.name(photo.pixels, photo.boxes.astype(np.float32))
    return float((named.probabilities.argmax(axis=1) == photo.classes).mean())


def codes(photo: Labelled) -> set[str]:
    """The flaws that are named."""
    names = [CODES[k] for k in photo.classes]
    return {flaw.code for flaw in assess(photo.pixels, photo.boxes, names, photo.rows)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", type=Path, help="folder in YOLO form")
    parser.add_argument("--split", default="train")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--names", action="store_true", help="measure what the namer still reads (slow)")
    parser.add_argument("--flaw", action="append", choices=list(ADVICE), help="only these (may be repeated)")
    args = parser.parse_args()
    found = list(photos(args.photos, args.split, args.count, args.seed))
    namer = None
    if args.names:
        part = weights.load(None).namer
        namer = Namer(open_network(part.data, "namer", None), part.size, part.margin)
    print(f"{len(found)} photos of {args.split}")
    print("| spoilt by | strength | flaw named | other flaws named | tiles named right |")
    print("|---|---|---|---|---|")
    for code, spoil, strengths in WAYS:
        if args.flaw and code not in args.flaw:
            continue
        for strength in strengths:
            fit = [photo for photo in found if code != "several_hands" or photo.longest_row >= 10]
            spoilt = [spoil(np.random.default_rng(i), photo, strength) for i, photo in enumerate(fit)]
            named = [codes(photo) for photo in spoilt]
            hit = f"{100 * np.mean([code in flaws for flaws in named]):.0f} %" if code else "-"
            rest = ", ".join(
                f"{other} {100 * share:.0f} %"
                for other in ADVICE
                if other != code and (share := np.mean([other in flaws for flaws in named])) > 0
            )
            right = "" if namer is None else f"{100 * np.mean([named_right(namer, p) for p in spoilt]):.1f} %"
            print(f"| {spoil.__name__} | {strength:g} | {hit} | {rest or '-'} | {right or '-'} |", flush=True)


if __name__ == "__main__":
    main()

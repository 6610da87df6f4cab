"""Tables with a won hand whose structure is known: python datasets/hands.py OUT --count 300 --art FOLDER

The hand has its standing tiles, claimed sets (beside them, in front, stacked; touching or apart; one tile
turned), concealed kongs in three forms, added kongs, bonus tiles and a winning tile that lies in its place,
apart or turned. Around it may lie discards, walls and what the neighbours have claimed. The camera looks from
straight above to 45 degrees, rolled any way. Without painting a scene costs milliseconds: its labels are
projected. Scenes are set by their seed.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from blocks import ground_shadows, light_of, paint_block
from dealing import BONUS, PLAY, Item, Rng, Set, claimed_items, concealed_items, deal, kind_of, standing_items
from faces import CODES, Style, styles
from finish import photograph
from ground import ground
from laying import Part, lay_hand, others
from looks import look_of
from numpy.typing import NDArray
from table import HALF, Camera

VISIBLE = 0.35  # a tile of which less is seen carries no label


@dataclass(frozen=True, slots=True)
class Seen:
    """One labelled tile: `part` its number in the scene, `box` of the whole visible block, `corners` of the
    face, `up` a unit vector, in pixels."""

    part: int
    code: str
    role: str
    group: int
    box: tuple[float, float, float, float]
    corners: tuple[tuple[float, float], ...]
    up: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scene:
    """A table, the camera, and what can be seen. `hand` in notation; all four down, a kong's name is not
    seen, and the notation leaves the kong out."""

    parts: tuple[Part, ...]
    sets: tuple[Set, ...]
    hand: str
    style: dict[str, str]
    camera: Camera
    size: int
    seen: tuple[Seen, ...]


def _hand(rng: Rng, style: dict[str, str]) -> tuple[list[Part], list[Set], str]:
    dealt, pair = deal(rng)
    down = int(rng.choice([0, 1, 2, 3, 4], p=[0.25, 0.2, 0.25, 0.2, 0.1]))
    dealt.sort(key=len)  # kongs lie on the table whatever else does
    down = max(down, sum(len(codes) == 4 for codes in dealt))
    sets: list[Set] = []
    laid: list[list[Item]] = []
    style["sets"] = str(rng.choice(["side", "front", "stacked"], p=[0.4, 0.4, 0.2]))
    # Four plain sets beside a pair look like a hand that was only sorted: there a turned tile must tell.
    turning = bool(rng.random() < 0.5) or (down == 4 and style["sets"] == "side")
    forms = []
    named: list[str] = []
    for codes in dealt[len(dealt) - down :]:
        concealed = len(codes) == 4 and bool(rng.random() < 0.5)
        made = Set(kind_of(codes), codes, concealed)
        if concealed:
            items, form = concealed_items(rng, codes, len(sets))
        else:
            items, form = claimed_items(rng, codes, len(sets), turning)
        sets.append(made)
        laid.append(items)
        forms.append(form)
        if form != "bbbb":
            named.append(str(made))
    style["forms"] = " ".join(forms)
    tiles = [code for codes in dealt[: len(dealt) - down] for code in codes] + [pair, pair]
    if rng.random() < 0.75:
        tiles.sort(key=CODES.index)
    standing, winning = standing_items(rng, tiles, style)
    count = int(rng.choice([0, 1, 2, 3, 4], p=[0.35, 0.25, 0.2, 0.12, 0.08]))
    bonus = [Item(code, "bonus") for code in rng.choice(BONUS, count, replace=False).tolist()]
    kept = [item.code for run in standing for item in run if item.role == "standing"]
    text = " ".join(named + kept + ([f"+{winning}"] if winning else []))
    text += " | " + " ".join(item.code for item in bonus) if bonus else ""
    return lay_hand(rng, standing, laid, bonus, style), sets, text


def _frame(rng: Rng, own: list[Part], elevation: float, size: int) -> Camera:
    """A camera rolled any way that has the whole hand in its picture, not always in the middle of it."""
    azimuth = rng.normal(0, 0.25) - math.pi / 2
    toward = np.array(
        [
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        ]
    )
    corners = np.array([p.block.centre + np.array(d) * 2 for p in own for d in ((-1, -1, 0), (1, 1, 0))])
    target = (corners.min(0) + corners.max(0)) / 2 * [1, 1, 0]
    reach = float(np.ptp(corners, axis=0).max())
    eye = target + toward * max(reach * rng.uniform(1.1, 1.9), 25)
    forward = -toward
    right = np.cross(forward, [0, 0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = rng.normal(0, 0.15) if rng.random() < 0.4 else rng.uniform(-math.pi, math.pi)
    c, s = math.cos(roll), math.sin(roll)
    rotation = np.stack([c * right + s * down, -s * right + c * down, forward])
    flat = Camera(eye, rotation, 1.0, (0.0, 0.0)).project(corners)
    low, high = flat.min(0), flat.max(0)
    focal = size * rng.uniform(0.6, 0.95) / float((high - low).max())
    slack = size - (high - low) * focal
    offset = rng.uniform(0.3, 0.7, 2) * slack - low * focal
    return Camera(eye, rotation, focal, (float(offset[0]), float(offset[1])))


_SIGNS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * HALF
_FACE = np.array([[-1, 1, 1], [1, 1, 1], [1, -1, 1], [-1, -1, 1]]) * HALF


def _look(parts: list[Part], camera: Camera, size: int) -> Iterator[Seen]:
    """Every tile that is seen well enough, by painting all of them in numbers, the farthest first."""
    distance = [float(np.linalg.norm(part.block.centre - camera.eye)) for part in parts]
    order = sorted(range(len(parts)), key=lambda k: -distance[k])
    owner = np.full((size, size), -1, np.int16)
    hulls: dict[int, NDArray[np.float32]] = {}
    for k in order:
        block = parts[k].block
        points = camera.project(block.centre + _SIGNS @ block.axes).astype(np.float32)
        hulls[k] = cv2.convexHull(points).reshape(-1, 2)
        cv2.fillConvexPoly(owner, hulls[k].astype(np.int32), k)
    areas = np.bincount(owner[owner >= 0].ravel(), minlength=len(parts))
    for k, part in enumerate(parts):
        hull, block = hulls[k], part.block
        low, high = hull.min(0).clip(0, size), hull.max(0).clip(0, size)
        face = block.centre + _FACE @ block.axes
        if areas[k] < VISIBLE * cv2.contourArea(hull) or (high - low).min() < 6:
            continue
        if (camera.eye - face.mean(0)) @ block.axes[2] <= 0:
            continue
        corners = camera.project(face)
        up = (corners[0] + corners[1] - corners[2] - corners[3]) / 2
        up /= max(float(np.linalg.norm(up)), 1e-6)
        yield Seen(
            k,
            block.code,
            part.role,
            part.group,
            (float(low[0]), float(low[1]), float(high[0]), float(high[1])),
            tuple((float(x), float(y)) for x, y in corners),
            (float(up[0]), float(up[1])),
        )


def table_scene(seed: int, size: int = 960) -> Scene:
    """One table, the same for the same seed. Every tile of the hand can be seen."""
    rng = np.random.default_rng([seed, 6])
    while True:
        style = {"tilt": "steep" if rng.random() < 0.5 else "flat"}
        elevation = math.radians(rng.uniform(45, 65) if style["tilt"] == "steep" else rng.uniform(65, 90))
        own, sets, text = _hand(rng, style)
        parts = own + others(rng, own, style)
        camera = _frame(rng, own, elevation, size)
        seen = tuple(_look(parts, camera, size))
        if sum(label.part < len(own) for label in seen) == len(own):
            style["elevation"] = f"{math.degrees(elevation):.0f}"
            return Scene(tuple(parts), tuple(sets), text, style, camera, size, seen)


def short(scene: Scene, seed: int) -> Scene:
    """The same table with one standing tile that is another, so that the hand (but for rare luck) does not
    win; still at most four of a tile."""
    rng = np.random.default_rng([seed, 8])
    standing = [k for k, part in enumerate(scene.parts) if part.role == "standing"]
    place = int(rng.choice(standing))
    was = scene.parts[place].block.code
    held = Counter(part.block.code for part in scene.parts if part.role in ("standing", "winning"))
    held += Counter(code for made in scene.sets for code in made.codes)
    now = str(rng.choice([code for code in PLAY if code != was and held[code] < 4]))
    parts = list(scene.parts)
    parts[place] = replace(parts[place], block=replace(parts[place].block, code=now))
    seen = tuple(replace(label, code=now) if label.part == place else label for label in scene.seen)
    words = scene.hand.split(" ")
    words[words.index(was)] = now
    return replace(scene, parts=tuple(parts), seen=seen, hand=" ".join(words))


def painted(scene: Scene, seed: int, found: list[Style]) -> NDArray[np.uint8]:
    """The scene as a photo, (size, size, 3) BGR."""
    rng = np.random.default_rng([seed, 7])
    look = replace(look_of(rng, found), half=HALF)
    light = light_of(rng)
    blocks = [part.block for part in scene.parts]
    blocks.sort(key=lambda block: -float(np.linalg.norm(block.centre - scene.camera.eye)))
    image = ground(rng, scene.camera, scene.size, None, ())
    shade = ground_shadows(scene.camera, blocks, look, light, scene.size)
    image = (image * shade[:, :, None]).clip(0, 255).astype(np.uint8)
    for block in blocks:
        paint_block(rng, image, scene.camera, block, look, light)
    picture: NDArray[np.uint8] = photograph(rng, image)
    return picture


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder to write images/ and hands.jsonl to")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=960, help="side of the square picture in pixels")
    parser.add_argument("--art", type=Path, help="folder of STYLE/CODE.png, transparent faces")
    parser.add_argument("--real", type=Path, help="folder of SOURCE/CODE_NN.jpg, cut-out faces")
    parser.add_argument("--drawn", type=int, default=100, help="number of drawn styles")
    parser.add_argument("--short", action="store_true", help="hands with one wrong tile, which do not win")
    parser.add_argument("--styles", choices=["training", "held-out", "all"], default="held-out")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    found = styles(args.art, args.real, None, args.drawn, args.styles)
    (args.out / "images").mkdir(parents=True, exist_ok=True)
    with (args.out / "hands.jsonl").open("w") as lines:
        for seed in range(args.seed, args.seed + args.count):
            scene = table_scene(seed, args.size)
            scene = short(scene, seed) if args.short else scene
            name = f"{seed:06d}"
            picture = painted(scene, seed, found)
            cv2.imwrite(str(args.out / "images" / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
            tiles = [
                {"tile": s.code, "role": s.role, "group": s.group, "box": s.box, "up": s.up}
                for s in scene.seen
            ]
            sets = [{"kind": s.kind, "concealed": s.concealed, "tiles": s.codes} for s in scene.sets]
            style = {**scene.style, "faces": look_of(np.random.default_rng([seed, 7]), found).style.name}
            line = {"name": name, "hand": scene.hand, "sets": sets, "style": style, "tiles": tiles}
            lines.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()

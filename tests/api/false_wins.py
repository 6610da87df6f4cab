"""Photos of hands that are one tile short of winning, through the claim audit.

    python -m tests.api.false_wins --count 500 [--out FOLDER]

A won hand (`datasets/hands.py` lays and paints the table) has one standing tile taken away, or changed into
another so that no form of any rule set wins; the photo is read, and a win is claimed. Counted: how many are
called a win of any kind, and how many verdicts name the tile that is missing.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "datasets"), str(ROOT)]

import cv2  # noqa: E402
import hands  # noqa: E402
from faces import styles  # noqa: E402

from api.verify import VerifyRequest, photo_verdict  # noqa: E402
from scorer import Hand, Tile, check  # noqa: E402
from scorer.shapes import shapes  # noqa: E402
from scorer.tiles import ALL_TILES  # noqa: E402

#: Verdicts that take the hand for complete.
WINS = frozenset({"valid", "over_claimed", "under_claimed", "below_minimum"})
RULES = ("hk", "mcr", "tvb", "singapore")


@dataclass(frozen=True)
class Short:
    """A table whose hand is one tile short: the scene, the tile that is missing, the tile that lies in its
    place (None: none does), and the hand as it lies."""

    scene: hands.Scene
    missing: Tile
    instead: Tile | None
    lies: Hand


def wins(hand: Hand) -> bool:
    return not check(hand) and bool(shapes(hand))


def short_of_a_win(seed: int, size: int = 960) -> Short | None:
    """A won table with one standing tile taken or changed; None where that still wins, or cannot lie so."""
    chance = random.Random(seed)
    scene = hands.table_scene(seed, size)
    hand = Hand.parse(scene.hand)
    if not wins(hand):
        return None  # a kong whose name is not seen is left out of the notation
    number = chance.choice([n for n, part in enumerate(scene.parts) if part.role == "standing"])
    part = scene.parts[number]
    was = Tile.parse(part.block.code)
    left = list(hand.concealed)
    left.remove(was)
    if chance.random() < 0.5:
        parts = (*scene.parts[:number], *scene.parts[number + 1 :])
        return Short(replace(scene, parts=parts), was, None, replace(hand, concealed=tuple(left)))
    other = chance.choice([tile for tile in ALL_TILES[:34] if hand.tiles.count(tile) < 4 and tile != was])
    lies = replace(hand, concealed=(*left, other))
    if wins(lies):
        return None
    changed = replace(part, block=replace(part.block, code=str(other)))
    parts = (*scene.parts[:number], changed, *scene.parts[number + 1 :])
    return Short(replace(scene, parts=parts), was, other, lies)


def photos(count: int, seed: int) -> Iterator[tuple[int, Short, bytes]]:
    """That many photos: the seed of each, what lies there, and a JPEG."""
    found = styles(None, None, None, 100, "held-out")
    made = 0
    while made < count:
        seed += 1
        short = short_of_a_win(seed)
        if short is not None:
            made += 1
            picture = hands.painted(short.scene, seed, found)
            _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
            yield seed, short, encoded.tobytes()


def judged(reader: Any, short: Short, image: bytes, rules: str) -> dict[str, Any]:
    """The verdict on a claim for the photo, with the hand that was read."""
    request = VerifyRequest.from_data(
        {
            "rules": rules,
            "context": {"win": "self_draw", "seat": "1z", "round": "1z"},
            "claim": {"total": 8},
        }
    )
    reading = reader.read(image)
    return {**photo_verdict(reading, request), "seen": str(reading.hand)}


def names_it(answer: dict[str, Any], short: Short) -> bool:
    """Whether the verdict says that this very tile is missing."""
    far = answer["distance"]
    return far is not None and str(short.missing) in [swap["missing"] for swap in far["swaps"]]


def measure(count: int, seed: int, out: Path | None = None) -> dict[str, Any]:
    """Every photo judged; figures by name. Photos that are called a win go to `out`."""
    from vision import NoTiles, load_reader

    reader = load_reader(None)
    verdicts: Counter[str] = Counter()
    named = told = right = 0
    for number, (which, short, image) in enumerate(photos(count, seed)):
        try:
            answer = judged(reader, short, image, RULES[number % len(RULES)])
        except NoTiles:
            verdicts["no_tiles"] += 1
            continue
        verdicts[answer["verdict"]] += 1
        as_it_lies = sorted(Hand.parse(answer["seen"]).tiles) == sorted(short.lies.tiles)
        right += as_it_lies
        told += answer["distance"] is not None and bool(answer["distance"]["missing"])
        named += names_it(answer, short)
        if answer["verdict"] in WINS:
            print(f"{which}: {short.lies} was read as {answer['seen']}: {answer['verdict']}", flush=True)
        if out is not None and (answer["verdict"] in WINS or number < 3):
            (out / f"{which:06d}.jpg").write_bytes(image)
    return {
        "photos": count,
        "called a win": sum(verdicts[verdict] for verdict in WINS),
        "read as it lies": right,
        "something is said to be missing": told,
        "the very tile is named": named,
        **{f"verdict {verdict}": times for verdict, times in verdicts.most_common()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=900_000)
    parser.add_argument("--out", type=Path, help="folder for photos to look at")
    args = parser.parse_args()
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
    for name, figure in measure(args.count, args.seed, args.out).items():
        print(f"{name:34} {figure}")


if __name__ == "__main__":
    main()

"""Measure how the table is read: python models/evaluate_layout.py scenes --count 1000

    scenes   structure of tables of known structure (datasets/hands.py), given true boxes and names
    painted  the same from pixels, of a folder that datasets/hands.py painted
    photos   hands told from discards and walls, exact hands, and how probabilities fit, on real photos
    false    hands one tile short of a win: none may be turned into a win unmarked; with a folder that
             datasets/hands.py --short painted, from pixels
    time     what layout and joint reading add to a read

A structure is right if every tile of the hand is what it is: standing, winning, bonus, of which set and of
what kind, and nothing else is of the hand.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "datasets"), str(HERE.parent)]

import hands  # noqa: E402

from scorer import Hand, check  # noqa: E402
from scorer.shapes import shapes  # noqa: E402
from vision import CLASSES, Detections, NoTiles, Reading, load_reader  # noqa: E402
from vision.boxes import iou  # noqa: E402
from vision.joint import Candidate  # noqa: E402
from vision.reading import read_detections  # noqa: E402

SURE = 0.97
Parts = tuple[frozenset[int], frozenset[tuple[str, bool, frozenset[int]]], frozenset[int], int | None]


def given(scene: hands.Scene, seed: int) -> Detections:
    """What a detector with no fault would find: true boxes, right names, directions of faces."""
    rng = np.random.default_rng(seed)
    count = len(scene.seen)
    probabilities = np.full((count, len(CLASSES)), (1 - SURE) / (len(CLASSES) - 1), np.float32)
    up = np.array([label.up for label in scene.seen], np.float32) * np.float32(0.95)
    for index, label in enumerate(scene.seen):
        probabilities[index, CLASSES.index(label.code)] = SURE
        if label.code == "0x":  # a back has no direction; a network says some
            up[index] = 0.4 * np.array([np.cos(a := rng.uniform(0, 2 * np.pi)), np.sin(a)])
    boxes = np.array([label.box for label in scene.seen], np.float32)
    return Detections(boxes, np.full(count, 0.95, np.float32), probabilities, up)


def parts_of(labels: Iterable[tuple[int, str, int]], sets: list[tuple[str, bool]]) -> Parts:
    """The true structure, of (number, role, set) of each tile."""
    by_role: dict[str, set[int]] = defaultdict(set)
    members: dict[int, set[int]] = defaultdict(set)
    for number, role, group in labels:
        by_role[role].add(number)
        if role == "set":
            members[group].add(number)
    made = frozenset((kind, hidden, frozenset(members[k])) for k, (kind, hidden) in enumerate(sets))
    won = next(iter(by_role["winning"]), None)
    return frozenset(by_role["standing"]), made, frozenset(by_role["bonus"]), won


def parts_read(reading: Reading, number: list[int]) -> Parts:
    """The structure that was read, in the numbers of the labels."""
    roles: dict[str, set[int]] = defaultdict(set)
    for position, tile in enumerate(reading.tiles):
        roles[tile.role].add(number[position])
    sets = frozenset(
        (s.kind.value, s.concealed, frozenset(number[k] for k in s.members)) for s in reading.sets
    )
    won = next(iter(roles["winning"]), None)
    return frozenset(roles["standing"]), sets, frozenset(roles["bonus"]), won


def _numbers(reading: Reading, boxes: np.ndarray) -> list[int]:
    """The label on which each tile lies, -1 - position where none does."""
    overlap = iou(np.array([tile.box for tile in reading.tiles], np.float32), boxes.astype(np.float32))
    numbers = [-1 - k for k in range(len(reading.tiles))]
    for flat in np.argsort(-overlap, axis=None):
        k, label = divmod(int(flat), overlap.shape[1])
        if overlap[k, label] < 0.4:
            break
        if numbers[k] < 0 and label not in numbers:
            numbers[k] = label
    return numbers


def scenes(count: int, seed: int, verbose: bool) -> dict[str, Any]:
    """Structure given true boxes."""
    right, by_style = 0, defaultdict(Counter)
    for k in range(seed, seed + count):
        scene = hands.table_scene(k)
        detections = given(scene, k)
        reading = read_detections(detections, scene.size, scene.size)
        labels = [(n, label.role, label.group) for n, label in enumerate(scene.seen)]
        truth = parts_of(labels, [(s.kind, s.concealed) for s in scene.sets])
        good = parts_read(reading, _numbers(reading, detections.boxes)) == truth
        right += good
        for key in ("tilt", "sets", "winning", "bonus", "upright", "others"):
            by_style[f"{key} {scene.style[key]}"][good] += 1
        if verbose and not good:
            print(f"  wrong: {k} {scene.hand} {scene.style}; read {reading.hand}")
    for style in sorted(by_style):
        tally = by_style[style]
        print(f"  {style:24} {tally[True] / tally.total():7.2%} of {tally.total()}")
    return {"scenes": count, "structure_right_given_boxes": right / count}


def painted(folder: Path, limit: int | None, verbose: bool) -> dict[str, Any]:
    """Structure from pixels: as it is read; and, so that errors of the networks and of the layout can be told
    apart, with the true names, and with the true names and directions, given to the tiles that were found."""
    detector = load_reader()
    right: Counter[str] = Counter()
    whole = total = 0
    by_style: dict[str, Counter[bool]] = defaultdict(Counter)
    for line in (folder / "hands.jsonl").read_text().splitlines()[:limit]:
        told = json.loads(line)
        total += 1
        labels = [(n, t["role"], t["group"]) for n, t in enumerate(told["tiles"])]
        truth = parts_of(labels, [(s["kind"], s["concealed"]) for s in told["sets"]])
        boxes = np.array([t["box"] for t in told["tiles"]], np.float32)
        try:
            reading = detector.read((folder / "images" / f"{told['name']}.jpg").read_bytes())
        except NoTiles:
            continue
        number = _numbers(reading, boxes)
        own = {n for n, role, _ in labels if role != "other"}
        good = parts_read(reading, number) == truth
        right["from_pixels"] += good
        right["where_found"] += good and own <= set(number)
        hand = _sets_sorted(Hand.parse(told["hand"]))
        right["hand"] += _sets_sorted(reading.hand) == hand
        right["joint"] += any(_sets_sorted(best.hand) == hand for best in reading.likely[:1])
        right["won"] += any(_sets_sorted(best.hand) == hand for best in _if_it_wins(reading)[:1])
        whole += own <= set(number)
        if reading.source is not None:
            for what, with_up in (("given_names", False), ("given_names_and_directions", True)):
                helped = _told_truth(reading.source.detections, told["tiles"], with_up)
                again = read_detections(helped, reading.width, reading.height)
                right[what] += parts_read(again, _numbers(again, boxes)) == truth
        for key in ("tilt", "sets", "winning", "upright", "faces"):
            value = told["style"].get(key, "")
            by_style[f"{key} {value.rstrip('-0123456789') if key == 'faces' else value}"][good] += 1
        if verbose and not good:
            missed = len(own - set(number))
            print(f"  wrong: {told['name']} {told['hand']}; read {reading.hand}; {missed} tiles not found")
    for style in sorted(by_style):
        tally = by_style[style]
        print(f"  {style:24} {tally[True] / tally.total():7.2%} of {tally.total()}")
    return {
        "painted": total,
        "structure_right_from_pixels": right["from_pixels"] / total,
        "every_tile_found": whole / total,
        "structure_right_where_found": right["where_found"] / max(whole, 1),
        "structure_right_given_names": right["given_names"] / total,
        "given_names_and_directions": right["given_names_and_directions"] / total,
        "hand_exact_tile_by_tile": right["hand"] / total,
        "hand_exact_joint": right["joint"] / total,
        "hand_exact_if_it_wins": right["won"] / total,
    }


def _told_truth(found: Detections, tiles: list[dict[str, Any]], with_up: bool) -> Detections:
    """What was found, with true names (and directions) where a labelled tile lies."""
    overlap = iou(found.boxes, np.array([t["box"] for t in tiles], np.float32))
    probabilities, up = found.probabilities.copy(), found.up.copy()
    taken: set[int] = set()
    for flat in np.argsort(-overlap, axis=None):
        k, label = divmod(int(flat), overlap.shape[1])
        if overlap[k, label] < 0.4:
            break
        if k in taken or -1 - label in taken:
            continue
        taken |= {k, -1 - label}
        probabilities[k] = (1 - SURE) / (len(CLASSES) - 1)
        probabilities[k, CLASSES.index(tiles[label]["tile"])] = SURE
        if with_up and tiles[label]["tile"] != "0x":
            up[k] = np.array(tiles[label]["up"], np.float32) * np.float32(0.95)
    return Detections(found.boxes, found.scores, probabilities, up, found.corners)


def false_painted(folder: Path, limit: int | None, verbose: bool) -> dict[str, Any]:
    """Photos of hands that do not win (`datasets/hands.py --short`): how many are read as winning hands, by
    tiles misread, and how many of those carry no doubt on any tile that is misread."""
    reader = load_reader()
    total = read = unmarked = joint = 0
    for line in (folder / "hands.jsonl").read_text().splitlines()[:limit]:
        told = json.loads(line)
        if wins(Hand.parse(told["hand"])):
            continue
        total += 1
        try:
            reading = reader.read((folder / "images" / f"{told['name']}.jpg").read_bytes())
        except NoTiles:
            continue
        number = _numbers(reading, np.array([t["box"] for t in told["tiles"]], np.float32))
        wrong = {
            k
            for k, tile in enumerate(reading.tiles)
            if number[k] < 0 or str(tile.tile) != told["tiles"][number[k]]["tile"]
        }
        codes = ("other_tiles", "face_down_tile")
        doubted = any(wrong.intersection(d.tiles) for d in reading.doubts if d.code not in codes)
        won = wins(reading.hand)
        joint += any(wins(best.hand) and not best.changes and not doubted for best in reading.likely[:1])
        read += won
        unmarked += won and not doubted
        if verbose and won:
            print(f"  {told['name']} {told['hand']}; read {reading.hand}; {'' if doubted else 'not '}doubted")
    return {
        "painted_false_wins": total,
        "read_as_wins": read,
        "read_as_wins_unmarked": unmarked,
        "joint_wins_unmarked": joint,
    }


def golden(path: Path) -> dict[str, Hand]:
    """File names and hands, `#` begins a comment."""
    lines = (line.split("  ", 1) for line in path.read_text().splitlines() if line and line[0] != "#")
    return {name: Hand.parse(text) for name, text in lines}


def tiles_of(hand: Hand) -> Counter[str]:
    """All tiles of a hand by name, wherever they lie; a concealed kong shows two."""
    shown = Counter(str(tile) for tile in (*hand.tiles, *hand.bonus))
    for meld in hand.melds:
        if meld.concealed:
            shown[str(meld.tile)] -= 2
    return shown


def _sets_sorted(hand: Hand) -> Hand:
    """The same hand whichever way round its sets were laid or read."""
    return replace(hand, melds=tuple(sorted(hand.melds, key=str)))


def _if_it_wins(reading: Reading) -> tuple[Candidate, ...]:
    """The most probable hands, where somebody claims that it wins."""
    return (() if wins(reading.hand) else reading.suggestions(wins)) or reading.likely


def photos(folder: Path, path: Path, verbose: bool) -> dict[str, Any]:
    """Real photos: the hand told from the rest, exact hands, calibration."""
    reader = load_reader()
    truth = golden(path)
    apart = seen = joint = won = 0
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for name, hand in truth.items():
        reading = reader.read((folder / name).read_bytes())
        tiles = tiles_of(hand)
        read = sum(tile.role != "outside" for tile in reading.tiles)
        off = (tiles - tiles_of(reading.hand)).total()
        good = read == tiles.total() and off <= 4
        apart += good
        seen += off == 0 and read == tiles.total()
        for best in reading.likely[:1]:  # there need not be any
            right = tiles_of(best.hand) == tiles
            joint += right
            bins[min(int(best.probability * 5), 4)].append((best.probability, right))
        won += any(tiles_of(best.hand) == tiles for best in _if_it_wins(reading)[:1])
        if verbose and not good:
            print(
                f"  not told apart: {name}: {read} tiles of {tiles.total()}; read {reading.hand}; is {hand}"
            )
    print("  probability  photos  said  right")
    for k in sorted(bins):
        said = statistics.fmean(p for p, _ in bins[k])
        print(
            f"  {k / 5:.1f}-{k / 5 + 0.2:.1f}      {len(bins[k]):6}  {said:.2f}  "
            f"{statistics.fmean(r for _, r in bins[k]):.2f}"
        )
    count = len(truth)
    return {
        "photos": count,
        "told_apart": apart / count,
        "hand_exact_tile_by_tile": seen / count,
        "hand_exact_joint": joint / count,
        "hand_exact_if_it_wins": won / count,
    }


def wins(hand: Hand) -> bool:
    """Whether the tiles make a winning shape under any rule set."""
    return not check(hand) and bool(shapes(hand))


def false_wins(count: int, seed: int) -> dict[str, Any]:
    """Won hands with one tile changed so that they do not win, and names as unsure as networks can be."""
    turned = marked = done = 0
    k = seed
    while done < count:
        k += 1
        scene, rng = hands.table_scene(k), np.random.default_rng([k, 9])
        detections = given(scene, k)
        probabilities = detections.probabilities.copy()
        standing = [n for n, label in enumerate(scene.seen) if label.role == "standing"]
        place, other = int(rng.choice(standing)), int(rng.integers(34))
        was = CLASSES.index(scene.seen[place].code)
        if other == was:
            continue
        certainty = float(rng.uniform(0.5, 0.97))
        probabilities[place] = 0
        probabilities[place, [other, was]] += [certainty, 1 - certainty]
        changed = Detections(detections.boxes, detections.scores, probabilities, detections.up)
        reading = read_detections(changed, scene.size, scene.size)
        truth = Counter(label.code for label in scene.seen if label.role == "standing")
        truth[scene.seen[place].code] -= 1
        truth[CLASSES[other]] += 1
        lying = Hand.parse(" ".join(truth.elements()))
        melds = tuple(seen.meld for seen in reading.sets if seen.meld is not None)
        if wins(Hand(lying.concealed, melds, reading.hand.winning)):
            continue
        lies = [*lying.concealed, *(tile for meld in melds for tile in meld.tiles), reading.hand.winning]
        if max(Counter(lies).values()) > 4:
            continue  # a fifth of a tile cannot lie there: to read another in its place bends nothing
        done += 1
        turned += wins(reading.hand) or any(wins(best.hand) for best in reading.likely[:1])
        marked += all(s.given_win and s.changes for s in reading.suggestions(wins))
    return {"false_wins": done, "turned_into_wins_unmarked": turned, "suggestions_all_marked": marked / done}


def timing(count: int) -> dict[str, Any]:
    """Milliseconds of processor time that layout, doubts and joint reading take for a table."""
    spent = []
    for k in range(count):
        scene = hands.table_scene(500_000 + k)
        detections = given(scene, k)
        begin = time.thread_time()
        read_detections(detections, scene.size, scene.size)
        spent.append((time.thread_time() - begin) * 1000)
    return {
        "tables": count,
        "median_ms": statistics.median(spent),
        "p95_ms": sorted(spent)[int(0.95 * count)],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["scenes", "painted", "photos", "false", "time"])
    parser.add_argument("folder", type=Path, nargs="?", help="of painted scenes, or of the photos")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--golden", type=Path, default=HERE.parent / "tests/vision/golden/photos.hands")
    parser.add_argument("--verbose", action="store_true", help="name what is wrong")
    args = parser.parse_args()
    if args.what == "scenes":
        figures = scenes(args.count, args.seed, args.verbose)
    elif args.what == "painted":
        figures = painted(args.folder, args.count, args.verbose)
    elif args.what == "photos":
        figures = photos(args.folder, args.golden, args.verbose)
    elif args.what == "false" and args.folder is not None:
        figures = false_painted(args.folder, args.count, args.verbose)
    elif args.what == "false":
        figures = false_wins(args.count, args.seed)
    else:
        figures = timing(args.count)
    for key, value in figures.items():
        print(f"{key:30} {value:.3f}" if isinstance(value, float) else f"{key:30} {value}")


if __name__ == "__main__":
    main()

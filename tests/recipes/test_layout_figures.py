"""Tables of known structure, and real photos of known hands, read: what the recipes measure, on a sample."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import evaluate_layout
import hands
import pytest

from scorer import Hand
from vision import load_reader
from vision.reading import read_detections

GOLDEN = Path(__file__).resolve().parents[1] / "vision/golden/photos.hands"


def test_the_same_seed_gives_the_same_table() -> None:
    one, again, other = hands.table_scene(4), hands.table_scene(4), hands.table_scene(5)
    assert one.hand == again.hand != other.hand
    assert one.seen == again.seen


@pytest.mark.parametrize("seed", range(8))
def test_a_table_shows_the_whole_hand(seed: int) -> None:
    scene = hands.table_scene(seed)
    hand = Hand.parse(scene.hand)
    roles = Counter(label.role for label in scene.seen)
    hidden = sum(scene.style["forms"].split().count(form) for form in ("bbbb",))
    assert roles["bonus"] == len(hand.bonus)
    assert roles["winning"] == (hand.winning is not None)
    assert roles["standing"] + roles["winning"] == 14 - 3 * len(scene.sets)
    assert len(hand.melds) == len(scene.sets) - hidden


def test_structure_given_true_boxes() -> None:
    """A sample of what `evaluate_layout.py scenes` measures on a thousand."""
    figures = evaluate_layout.scenes(60, 20_000, False)
    assert figures["structure_right_given_boxes"] >= 0.94


def test_no_false_win_becomes_one_unmarked() -> None:
    figures = evaluate_layout.false_wins(30, 30_000)
    assert figures["false_wins"] == 30
    assert figures["turned_into_wins_unmarked"] == 0
    assert figures["suggestions_all_marked"] == 1


def test_what_does_not_fit_is_counted_wrong() -> None:
    scene = hands.table_scene(7)
    detections = evaluate_layout.given(scene, 7)
    reading = read_detections(detections, scene.size, scene.size)
    number = evaluate_layout._numbers(reading, detections.boxes)
    labels = [(n, label.role, label.group) for n, label in enumerate(scene.seen)]
    truth = evaluate_layout.parts_of(labels, [(s.kind, s.concealed) for s in scene.sets])
    read = evaluate_layout.parts_read(reading, number)
    assert read == truth
    moved = [(n, "bonus" if role == "standing" else role, group) for n, role, group in labels]
    assert evaluate_layout.parts_of(moved, [(s.kind, s.concealed) for s in scene.sets]) != read


@pytest.mark.corpus
def test_hands_on_real_photos_are_told_from_the_rest(shared: Path) -> None:
    """Every photo by name; nineteen in twenty must be told from discards and walls, whatever names are."""
    truth = evaluate_layout.golden(GOLDEN)
    assert len(truth) >= 40
    reader = load_reader()
    wrong = []
    for name, hand in truth.items():
        reading = reader.read((shared / "photos/images/val" / name).read_bytes())
        tiles = evaluate_layout.tiles_of(hand)
        read = sum(tile.role != "outside" for tile in reading.tiles)
        if read != tiles.total() or (tiles - evaluate_layout.tiles_of(reading.hand)).total() > 4:
            wrong.append(f"{name}: {read} tiles of {tiles.total()}, {reading.hand}")
    assert len(wrong) <= 0.05 * len(truth), "\n".join(wrong)


@pytest.mark.parametrize("seed", range(4))
def test_a_short_hand_differs_in_one_standing_tile(seed: int) -> None:
    whole = hands.table_scene(seed)
    short = hands.short(whole, seed)
    changed = [(a, b) for a, b in zip(whole.seen, short.seen, strict=True) if a != b]
    ((was, now),) = changed
    assert was.role == "standing"
    assert (was.box, was.role) == (now.box, now.role)
    lost, gained = Hand.parse(whole.hand).tiles, Hand.parse(short.hand).tiles
    assert len(Counter(lost) - Counter(gained)) == 1
    assert Hand.parse(short.hand).winning == Hand.parse(whole.hand).winning

"""From detections to a hand with all its doubts: what was seen is said, nothing is repaired."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scorer import Hand, Tile, check
from scorer.tiles import ALL_TILES
from vision import CLASSES, Detections, NoTiles, Reading
from vision.reading import read_detections
from vision.roles import Overrides

WIDTH, HEIGHT = 40, 54


def detections(
    *rows: str, certainty: dict[int, tuple[float, str]] | None = None, found: float = 0.9
) -> Detections:
    """Rows of tile codes; `_` leaves a tile's width free. `certainty` of a tile, and what takes the rest
    of the probability."""
    boxes, names = [], []
    for number, row in enumerate(rows):
        x = 100.0
        for code in row.split():
            if code != "_":
                y = 100 + number * (HEIGHT + 10)
                boxes.append((x, y, x + WIDTH, y + HEIGHT))
                names.append(code)
            x += WIDTH + 1
    probabilities = np.zeros((len(names), len(CLASSES)), np.float32)
    for index, name in enumerate(names):
        sure, other = (certainty or {}).get(index, (0.98, "1z" if name != "1z" else "2z"))
        probabilities[index, CLASSES.index(name)] = sure
        probabilities[index, CLASSES.index(other)] += 1 - sure
    up = np.tile(np.array([0, -0.9], np.float32), (len(names), 1))
    return Detections(np.array(boxes, np.float32), np.full(len(names), found, np.float32), probabilities, up)


def read(*rows: str, certainty: dict[int, tuple[float, str]] | None = None, found: float = 0.9) -> Reading:
    return read_detections(
        detections(*rows, certainty=certainty, found=found), 1000, 800, {"name": "stub"}, "a.jpg"
    )


def codes(reading: Reading) -> list[str]:
    return [doubt.code for doubt in reading.doubts]


def test_a_plain_hand() -> None:
    reading = read("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z")
    assert reading.hand == Hand.parse("123m 456p 789s 22255z")
    assert reading.hand.winning is None
    assert not reading.doubts
    assert not check(reading.hand)
    assert reading.rows == (tuple(range(14)),)
    assert [str(seen.tile) for seen in reading.tiles][:4] == ["1m", "2m", "3m", "4p"]
    assert reading.tiles[0].up == pytest.approx(0)


def test_bonus_tiles_go_behind_the_bar_from_any_row() -> None:
    reading = read("1f 3a 6f", "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z")
    assert reading.hand.bonus == tuple(map(Tile.parse, ("1f", "6f", "3a")))
    assert len(reading.hand.concealed) == 14
    assert not reading.doubts
    assert reading.rows == ((0, 1, 2), tuple(range(3, 17)))


@pytest.mark.parametrize("kong", ["0x 1p 1p 0x", "1p 0x 0x 1p"])
def test_concealed_kong(kong: str) -> None:
    reading = read(f"{kong} _ 1m 2m 3m 4p 5p 6p 7s 8s 9s 5z 5z")
    assert str(reading.hand).startswith("(1111p) ")
    assert len(reading.hand.concealed) == 11
    assert not check(reading.hand)
    assert "face_down_tile" not in codes(reading)


@pytest.mark.parametrize("kong", ["0x 1p 1p 0x", "1p 0x 0x 1p"])
def test_concealed_kong_amid_its_row(kong: str) -> None:
    reading = read(f"1m 2m 3m {kong} 4p 5p 6p 7s 8s 9s 5z 5z")
    assert [str(meld) for meld in reading.hand.melds] == ["(1111p)"]
    assert not reading.doubts


def test_two_concealed_kongs_side_by_side() -> None:
    reading = read("0x 1p 1p 0x 0x 7z 7z 0x 1m 2m 3m 7s 8s 9s 5z 5z".replace("7s 8s 9s", "2m 2m 2m"))
    assert [str(meld) for meld in reading.hand.melds] == ["(1111p)", "(7777z)"]
    assert not check(reading.hand)


@pytest.mark.parametrize(
    "row",
    [
        "0x 1p 2p 0x",  # two different faces
        "0x 1p 1p",  # a side missing
        "0x 1p 0x 1p",  # not the order in which a kong is laid
        "0x 0x 0x 0x",  # beside five tiles: with it they are no hand either
        "0x 1p 1p _ 0x",  # a gap in it
        "0x 1f 1f 0x",  # no kong of flowers
        "0x",
    ],
)
def test_other_face_down_tiles_are_left_out_and_doubted(row: str) -> None:
    reading = read(f"1m 2m 3m 5z 5z _ {row}")
    assert not any(meld.concealed for meld in reading.hand.melds)
    assert not any(tile.is_back for tile in reading.hand.tiles)
    doubt = next(doubt for doubt in reading.doubts if doubt.code == "face_down_tile")
    assert all(reading.tiles[position].tile.is_back for position in doubt.tiles)
    assert len(doubt.tiles) == row.count("0x")


def test_sets_apart_from_a_block_are_claimed() -> None:
    reading = read("1m 2m 3m _ 5z 5z 5z _ 2s 3s 4s 5s 5s 6p 7p 8p")
    assert reading.hand == Hand.parse("[123m] [555z] 23455s 678p")
    assert codes(reading) == ["claimed_set", "claimed_set"]
    assert reading.doubts[0].tiles == (0, 1, 2)
    assert not check(reading.hand)


def test_sets_in_a_row_of_their_own_are_claimed() -> None:
    reading = read("1m 1m 1m 1m _ 5z 5z 5z", "2s 3s 4s 5s 5s 6p 7p 8p")
    assert reading.hand == Hand.parse("[1111m] [555z] 23455s 678p")


@pytest.mark.parametrize(
    "row",
    [
        "1m 2m 3m _ 5z 5z 5z _ 2s 3s 4s _ 6p 7p 8p _ 5s 5s",  # every set apart: sorted, not claimed
        "1m 2m 3m 5z 5z 5z 2s 3s 4s 5s 5s 6p 7p 8p",  # no gap at all
        "1m 2m 4m _ 5z 5z 5z 2s 3s 4s 5s 5s 6p 7p 8p",  # three tiles that are no set
        "1m 2m 3m 4p 5p _ 5z 5z 5z _ 2s 3s 4s 5s 5s 6p",  # two blocks
    ],
)
def test_no_evidence_no_claim(row: str) -> None:
    reading = read(row)
    assert reading.hand.melds == ()
    assert len(reading.hand.concealed) == len(reading.tiles)


def test_a_bonus_tile_may_lie_beside_a_claimed_set() -> None:
    reading = read("1m 2m 3m 1f _ 5z 5z 5z 2s 3s 4s 5s 5s 6p 7p 8p")
    assert reading.hand == Hand.parse("[123m] 555z 23455s 678p | 1f")


def test_one_row_among_many_tiles_is_the_hand() -> None:
    """Discards lie in the middle of the table: more tiles than a hand has, and one row that could be one."""
    hand = "1f 1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z"
    reading = read("0x 1z 3z _ 4s 1f", "9p 9p _ _ _ _ 1z", hand, certainty={0: (0.6, "5z")})
    assert reading.hand == Hand.parse("123m 456p 789s 22255z | 1f")
    assert [(doubt.code, doubt.tiles) for doubt in reading.doubts] == [("other_tiles", tuple(range(8)))]
    assert len(reading.tiles) == 23


def test_sets_are_still_claimed_among_many_tiles() -> None:
    reading = read("1z 3z 4s 1z 9p 9p 9m", "1m 2m 3m _ 5z 5z 5z _ 2s 3s 4s 5s 5s 6p 7p 8p")
    assert reading.hand == Hand.parse("[123m] [555z] 23455s 678p")
    assert codes(reading) == ["claimed_set", "claimed_set", "other_tiles"]


def test_of_two_whole_hands_one_is_taken_and_the_other_offered() -> None:
    row = "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z"
    reading = read(row, row)
    assert reading.hand == Hand.parse("123m 456p 789s 22255z")
    doubt = next(doubt for doubt in reading.doubts if doubt.code == "unsure_boundary")
    assert len(doubt.candidates) == 2
    assert doubt.candidates[1].probability == pytest.approx(0.5, abs=0.1)
    assert "other_tiles" in codes(reading)


def test_bonus_tiles_are_not_left_out_without_need() -> None:
    reading = read("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z", "1f 2f 3f 4f 5f 6f")
    assert "other_tiles" not in codes(reading)
    assert len(reading.hand.bonus) == 6


def test_an_unsure_tile_is_doubted_with_its_rival() -> None:
    reading = read("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z", certainty={3: (0.8, "6z"), 6: (0.88, "9s")})
    assert codes(reading) == ["unsure_tile", "unsure_tile"]
    assert [doubt.tiles for doubt in reading.doubts] == [(3,), (6,)]
    assert "6z" in reading.doubts[0].detail
    assert reading.tiles[3].alternatives[0] == (Tile.parse("6z"), pytest.approx(0.2, abs=1e-5))
    assert str(reading.tiles[3].tile) == "4p"


def test_a_sure_tile_is_not_doubted() -> None:
    assert not read("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z", certainty={3: (0.97, "6z")}).doubts


def test_a_faint_box_is_doubted() -> None:
    assert codes(read("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z", found=0.3)) == ["faint_tile"] * 14


def test_five_of_a_tile_points_at_all_five() -> None:
    reading = read("1m 1m 1m 4p 5p 6p 1m 8s 9s 2z 2z 2z 1m 5z")
    doubt = next(doubt for doubt in reading.doubts if doubt.code == "five_of_a_tile")
    assert doubt.tiles == (0, 1, 2, 6, 12)
    assert len(reading.hand.concealed) == 14


def test_a_fifth_tile_beside_a_concealed_kong() -> None:
    reading = read("0x 1p 1p 0x _ 1p 2p 3p 4p 5p 6p 7s 8s 9s 5z 5z")
    doubt = next(doubt for doubt in reading.doubts if doubt.code == "five_of_a_tile")
    assert doubt.tiles == (1, 2, 4)


def test_the_same_flower_twice() -> None:
    reading = read("1f 1f 2f", "1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z")
    doubt = next(doubt for doubt in reading.doubts if doubt.code == "duplicate_bonus")
    assert doubt.tiles == (0, 1)


@pytest.mark.parametrize(
    ("count", "code"), [(1, "too_few_tiles"), (13, "too_few_tiles"), (15, "too_many_tiles")]
)
def test_wrong_counts(count: int, code: str) -> None:
    tiles = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "2z", "2z", "2z", "5z", "5z", "7z"][:count]
    assert code in codes(read(" ".join(tiles)))


def test_unsure_direction_is_doubted() -> None:
    seen = detections("1m 2m 3m")
    flat = Detections(seen.boxes, seen.scores, seen.probabilities, np.zeros_like(seen.up))
    assert "unsure_direction" in codes(read_detections(flat, 1000, 800))


def test_no_tiles() -> None:
    with pytest.raises(NoTiles) as refused:
        read_detections(Detections.none(), 100, 100)
    assert refused.value.code == "no_tiles"


def test_the_contract_of_read_json() -> None:
    reading = read("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 0x", certainty={0: (0.8, "2m")})
    told = json.loads(json.dumps(reading.to_dict(photo="b.jpg")))
    assert list(told)[:7] == ["photo", "width", "height", "tiles", "hand", "doubts", "model"]
    assert (told["photo"], told["width"], told["height"]) == ("b.jpg", 1000, 800)
    assert told["model"] == {"name": "stub"}
    assert told["tiles"][0] == {
        "tile": "1m",
        "box": [100.0, 100.0, 140.0, 154.0],
        "confidence": 0.8,
        "alternatives": [{"tile": "2m", "probability": 0.2}],
        "row": 0,
        "role": "standing",
        "role_confidence": 1.0,
        "up": 0.0,
        "found": 0.9,
    }
    assert told["hand"] == str(reading.hand)
    assert Hand.parse(told["hand"]) == reading.hand
    assert {"code", "detail", "tiles", "candidates"} == set(told["doubts"][0])
    assert reading.to_dict()["photo"] == "a.jpg"


def test_boxes_are_kept_inside_the_photo() -> None:
    seen = detections("1m")
    out = Detections(np.array([[-5, -3, 1200, 900]], np.float32), seen.scores, seen.probabilities, seen.up)
    assert read_detections(out, 1000, 800).tiles[0].box == (0, 0, 1000, 800)


def test_any_tiles_make_a_hand() -> None:
    """Whatever is seen, a hand is made of it, and it holds every face, neither more nor fewer."""
    random = np.random.default_rng(3)
    for _ in range(150):
        row = [
            str(ALL_TILES[i]) for i in random.choice([*range(47), 46, 46, 0, 0], int(random.integers(1, 20)))
        ]
        for place in sorted(random.integers(0, len(row) + 1, 3), reverse=True):
            row.insert(place, "_")
        reading = read(" ".join(row))
        assert Hand.parse(str(reading.hand)) == reading.hand
        faces = sum(not seen.tile.is_back for seen in reading.tiles)
        hidden = sum(2 for meld in reading.hand.melds if meld.concealed)
        left_out = [doubt for doubt in reading.doubts if doubt.code == "other_tiles"]
        outside = sum(not reading.tiles[i].tile.is_back for doubt in left_out for i in doubt.tiles)
        assert len(reading.hand.tiles) + len(reading.hand.bonus) == faces + hidden - outside


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("boxes", [[5, 5, 5, 9]]),
        ("boxes", [[5, 5, np.nan, 9]]),
        ("boxes", [[5, 5, 9]]),
        ("scores", [1.5]),
        ("scores", [[1]]),
        ("probabilities", [[0.5] * 47]),
        ("probabilities", [[1] + [0] * 45]),
        ("probabilities", [[2, -1] + [0] * 45]),
        ("up", [[1, 1]]),
        ("up", [[np.inf, 0]]),
        ("corners", [[[0, 0], [1, 0], [1, 1]]]),
        ("corners", [[[0, 0], [1, 0], [1, 1], [np.nan, 1]]]),
    ],
)
def test_detections_are_validated(field: str, value: list[float]) -> None:
    good = {"boxes": [[0, 0, 9, 9]], "scores": [1], "probabilities": [[1] + [0] * 46], "up": [[0, -1]]}
    assert len(Detections(**good)) == 1  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"must|may"):
        Detections(**{**good, field: value})  # type: ignore[arg-type]


def test_detections_cannot_be_changed() -> None:
    seen = detections("1m")
    with pytest.raises(ValueError, match="read-only"):
        seen.boxes[0, 0] = 1


def test_a_tile_that_a_person_has_named_is_one() -> None:
    """What looks a little like all tiles may be none, until somebody says which it is."""
    seen = detections("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z")
    blurred = np.array(seen.probabilities)
    blurred[3] = 1 / len(CLASSES)
    reading = read_detections(Detections(seen.boxes, seen.scores, blurred, seen.up), 1000, 800)
    assert ("faint_tile", (3,)) in [(doubt.code, doubt.tiles) for doubt in reading.doubts]
    told = reading.revised(Overrides(names={3: Tile.parse("4p")}))
    assert str(told.tiles[3].tile) == "4p"
    assert (3,) not in [doubt.tiles for doubt in told.doubts]

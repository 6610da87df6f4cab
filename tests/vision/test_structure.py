"""How tiles lie: sets stacked, kongs added, tiles turned, where faces and networks are unsure."""

from __future__ import annotations

import numpy as np
import pytest

from scorer import Hand
from vision import CLASSES, Detections, Reading
from vision.reading import read_detections
from vision.turns import askew_most, lying_sideways

WIDTH, HEIGHT = 40, 54

Tile = tuple[str, float, float, str]
"""Code, left and foot in pixels, and how it lies: `|` upright, `-` sideways."""


def lay(
    tiles: list[Tile],
    certainty: dict[int, float] | None = None,
    names: dict[int, dict[str, float]] | None = None,
) -> Reading:
    """Read tiles that lie so. `certainty` of a tile's direction, which then seems to be upright; `names`
    that a tile seems to have."""
    boxes, up = [], []
    probabilities = np.zeros((len(tiles), len(CLASSES)), np.float32)
    for k, (code, left, foot, lies) in enumerate(tiles):
        wide, high = (HEIGHT, WIDTH) if lies == "-" else (WIDTH, HEIGHT)
        boxes.append((left, foot - high, left + wide, foot))
        unsure = (certainty or {}).get(k)
        up.append((0.9, 0.0) if lies == "-" and unsure is None else (0.0, -(unsure or 0.9)))
        for name, chance in (names or {}).get(k, {code: 0.98, "1z" if code != "1z" else "2z": 0.02}).items():
            probabilities[k, CLASSES.index(name)] += chance
    found = np.full(len(tiles), 0.9, np.float32)
    return read_detections(
        Detections(np.array(boxes, np.float32), found, probabilities, np.array(up, np.float32)), 1600, 900
    )


def row(codes: str, left: float = 100, foot: float = 600) -> list[Tile]:
    """Upright tiles side by side; a `-` before a code turns it."""
    tiles: list[Tile] = []
    for word in codes.split():
        lies, code = ("-", word[1:]) if word[0] == "-" else ("|", word)
        tiles.append((code, left, foot, lies))
        left += (HEIGHT if lies == "-" else WIDTH) + 1
    return tiles


STANDING = "1m 2m 3m 4p 4p"


def test_sets_stacked_beside_the_hand_are_all_claimed() -> None:
    """The one in line with the standing tiles is a set like those on it, however far off the stack lies."""
    tiles = row(STANDING)
    for level, codes in enumerate(("7s 7s 7s", "2z 2z 2z", "5s 6s 7s")):
        tiles += row(codes, left=380, foot=600 - level * (HEIGHT + 6))
    assert lay(tiles).hand == Hand.parse("[567s] [222z] [777s] 123m 44p")


@pytest.mark.parametrize("unsure", [False, True])
def test_an_added_kong_is_found_though_its_faces_do_not_tell_their_direction(unsure: bool) -> None:
    tiles = row(STANDING + " 6p 7p 8p") + row("9s -9s 9s", left=480)
    fourth: Tile = ("9s", tiles[9][1], 600 - WIDTH - 2, "-")
    tiles += [fourth]
    reading = lay(tiles, certainty={9: 0.3, 11: 0.3} if unsure else None)
    assert reading.hand == Hand.parse("[9999s] 123m 44p 678p")
    assert "added_tile" in reading.sets[0].evidence


def test_a_fourth_tile_that_has_a_row_of_its_own_is_not_added() -> None:
    """A pung and, close in front of it, a chow with one more of the same."""
    tiles = row(STANDING + " 2z 2z 2z") + row("9s 9s 9s", left=480) + row("7s 8s 9s", left=480, foot=600 - 58)
    assert not any("added_tile" in seen.evidence for seen in lay(tiles).sets)


def test_a_winning_tile_is_seen_to_lie_sideways_by_the_room_it_takes() -> None:
    tiles = row("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z -5z")
    for reading in (lay(tiles), lay(tiles, certainty={13: 0.3})):
        assert reading.winning == 13
        assert reading.tiles[13].role == "winning"
    sure = lay(tiles, certainty={13: 0.95})  # a face that plainly stands upright is believed
    assert sure.winning is None


def test_backs_that_look_like_white_dragons_are_still_a_concealed_kong() -> None:
    """Four tiles apart, two alike within two blank ones, can be nothing else; that stays in doubt."""
    blank = {"5z": 0.8, "0x": 0.2}
    tiles = row("1m 2m 3m 4p 4p 6p 7p 8p 2z 2z 2z") + row("5z 9s 9s 5z", left=620)
    reading = lay(tiles, names={11: blank, 14: blank})
    (seen,) = reading.sets
    assert (seen.concealed, str(seen.likely)) == (True, "(9999s)")
    assert [seen.tile.code for seen in reading.tiles][-1] == "5z"  # called what it looks most like
    assert "broken_set" in [doubt.code for doubt in reading.doubts]
    assert Hand.parse("(9999s) 123m 44p 678p 222z") in [candidate.hand for candidate in reading.likely]


def test_white_dragons_in_a_hand_stay_what_they_are() -> None:
    blank = {"5z": 0.97, "0x": 0.03}
    tiles = row("1m 2m 3m 4p 5p 6p 7s 8s 9s 5z 2z 2z 2z 5z")
    reading = lay(tiles, names={9: blank, 13: blank})
    assert not reading.sets
    assert reading.hand == Hand.parse("123m 456p 789s 55z 222z")


def test_how_many_tiles_a_hand_has_tells_an_unsure_flower() -> None:
    unsure = {"3z": 0.55, "1f": 0.45}
    tiles = row("3z 1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z")
    reading = lay(tiles, names={0: unsure})
    assert reading.tiles[0].role == "bonus"
    assert reading.tiles[0].tile.code == "3z"  # called what it looks most like
    fourteen = row("3z 3z 1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z")
    assert lay(fourteen, names={0: unsure}).tiles[0].role == "standing"


def test_a_role_says_how_sure_it_is() -> None:
    reading = lay(row("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z") + row("5z", left=690))
    assert reading.tiles[13].role == "winning"
    assert 0.5 < reading.tiles[13].role_confidence < 1
    assert all(0 <= tile.role_confidence <= 1 for tile in reading.tiles)


def test_a_vague_face_may_point_anywhere_and_a_clear_one_not() -> None:
    vague, fair, clear = np.degrees(askew_most(np.array([0.3, 0.7, 0.95])))
    assert vague == pytest.approx(180)
    assert 30 < fair < 42
    assert clear == pytest.approx(30)


def test_what_stands_where_an_upright_tile_has_room_is_upright() -> None:
    """Ten tiles a width apart: a face that seems to lie sideways, but is unsure of it, is outvoted."""
    places = np.arange(10.0)
    along = places[None] - places[:, None]
    turned, certainty = np.zeros(10, np.int64), np.full(10, 0.9)
    turned[4], certainty[4] = 1, 0.5
    usable, level = np.ones(10, np.bool_), np.zeros((10, 10))
    assert not lying_sideways(turned, certainty, usable, along, level, np.zeros(10)).any()
    certainty[4] = 0.95
    wider = along.copy()
    wider[4, 5:] += 0.175
    wider[:4, 4] += 0.175
    wider[5:, 4] -= 0.175
    wider[4, :4] -= 0.175
    assert np.flatnonzero(lying_sideways(turned, certainty, usable, wider, level, np.zeros(10))).tolist() == [
        4
    ]


BACKS_UNKNOWN = row("1m 2m 3m 4p 4p 6p 7p 8p 2z 2z 2z") + row("5z 9s 9s 5z", left=620)


@pytest.mark.parametrize(("chance", "is_kong"), [(0.02, True), (0.0001, False)])
def test_backs_of_an_unknown_make_need_only_be_thought_of(chance: float, is_kong: bool) -> None:
    """Hardly any face has as much as a hundredth for being a back; what has none of it is none."""
    blank = {"5z": 1 - chance, "0x": chance}
    reading = lay(BACKS_UNKNOWN, names={11: blank, 14: blank})
    assert [seen.concealed for seen in reading.sets] == [True] * is_kong
    assert reading.tiles[-1].tile.code == "5z"


@pytest.mark.parametrize(("chance", "roles"), [(0.02, {"set"}), (0.0, {"standing"})])
def test_a_claimed_set_with_a_misread_tile_is_a_set_if_the_tile_may_be_of_it(
    chance: float, roles: set[str]
) -> None:
    tiles = row("1m 2m 3m 4p 4p 6p 7p 8p 2z 2z 2z") + row("5s 6s 7s", left=620)
    reading = lay(tiles, names={13: {"9p": 0.98 - chance, "7s": chance, "8p": 0.02}})
    assert {tile.role for tile in reading.tiles[11:]} == roles
    assert reading.tiles[13].tile.code == "9p"  # called what it looks like, whatever the set says
    assert len(reading.sets) == (roles == {"set"})
    if reading.sets:
        assert (reading.sets[0].meld, str(reading.sets[0].likely)) == (None, "[567s]")
        assert "broken_set" in [doubt.code for doubt in reading.doubts]


@pytest.mark.parametrize(
    ("codes", "role"),
    [
        ("1f 3f 3z", "bonus"),  # two that are sure speak for what touches them
        ("1s 2z 3z", "outside"),  # nothing there is one
    ],
)
def test_sure_bonus_tiles_speak_for_one_that_is_called_something_else(codes: str, role: str) -> None:
    tiles = row("1m 2m 3m 4p 4p 6p 7p 8p 2z 2z 2z 7s 7s 7s") + row(codes, left=780)
    reading = lay(tiles, names={16: {"3z": 0.98, "5f": 0.02}})
    assert reading.tiles[16].role == role
    assert reading.tiles[16].tile.code == "3z"


def test_a_winning_tile_that_touches_bonus_tiles_is_none_of_them() -> None:
    tiles = row("1m 2m 3m 4p 4p 6p 7p 8p 2z 2z 2z 7s 7s") + row("1f 3f 7s", left=740)
    assert [tile.role for tile in lay(tiles).tiles[13:]] == ["bonus", "bonus", "winning"]


def test_four_of_a_tile_in_one_set_leave_none_for_another() -> None:
    """A kong of north winds lies there: what else seems to be a north wind is misread flowers."""
    flowers = {14: {"4z": 0.9, "5f": 0.02, "1s": 0.08}, 15: {"4z": 0.9, "7f": 0.02, "1s": 0.08}}
    flowers[16] = {"1s": 0.7, "4z": 0.2, "8f": 0.1}
    standing, four = row("1m 2m 3m 4p 4p 6p 7p 8p 2z 2z 2z"), row("4z 4z 1s 1a", left=580)
    alone = lay(standing + four, names={k - 3: name for k, name in flowers.items()})
    assert [seen.members for seen in alone.sets] == [(11, 12, 13)]
    beside = lay(standing[:10] + row("4z 4z 4z 4z", left=860) + four, names=flowers)
    assert [tile.role for tile in beside.tiles[10:14]] == ["bonus"] * 4
    assert [seen.members for seen in beside.sets] == [(14, 15, 16, 17)]


def test_a_back_among_standing_tiles_is_a_bare_face() -> None:
    tiles = row("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z")
    unsure = lay(tiles, names={13: {"0x": 0.55, "5z": 0.45}})
    assert unsure.tiles[13].role == "standing"
    sure = lay(tiles, names={13: {"0x": 0.99, "5z": 0.01}})
    assert sure.tiles[13].role == "outside"


def test_a_wall_of_backs_is_no_hand_though_some_are_called_white_dragons() -> None:
    wall = row("0x 5z 0x 0x 5z 0x 5z 0x 0x 0x", foot=400)
    reading = lay(wall + row("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z"))
    assert reading.hand == Hand.parse("123m 456p 789s 222z 55z")


def faint(score: float) -> Reading:
    """A hand of fourteen, and behind it in the row a box of this certainty."""
    tiles = row("1m 2m 3m 4p 5p 6p 7s 8s 9s 2z 2z 2z 5z 5z 3s")
    reading = lay(tiles)
    assert reading.source is not None
    given = reading.source.detections
    scores = np.where(np.arange(15) == 14, score, 0.9).astype(np.float32)
    changed = Detections(given.boxes, scores, given.probabilities, given.up)
    return read_detections(changed, 1600, 900)


def test_a_faint_box_beyond_fourteen_tiles_is_none() -> None:
    assert faint(0.3).tiles[14].role == "outside"
    assert faint(0.6).tiles[14].role == "standing"


def test_a_row_whose_faces_tell_no_direction_is_read_though_thrown_tiles_point_anywhere() -> None:
    """Dots are alike upside down: only what was thrown says where it points, and that is not where the row
    lies."""
    rng = np.random.default_rng(3)
    hand = ["1p", "1p", "2p", "2p", "3p", "3p", "3p", "3p", "4p", "5p", "6p", "7p", "8p", "9p"]
    boxes = [(100 + 41 * k, 546, 140 + 41 * k, 600) for k in range(14)]
    up = [(0.0, -0.1)] * 14
    thrown = [(150, 60), (240, 75), (205, 150), (320, 50), (345, 140), (430, 95), (520, 60), (505, 150)]
    names = ["4s", "9s", "3z", "1s", "7z", "5m", "2m", "8m"]
    for (x, y), slant in zip(
        thrown, rng.permutation(np.radians([35, 40, 48, 52, 125, 130, 140, 215])), strict=True
    ):
        boxes.append((x, y, x + 52, y + 56))
        up.append((0.95 * np.sin(slant), -0.95 * np.cos(slant)))
    probabilities = np.full((22, len(CLASSES)), 0.0004, np.float32)
    for k, code in enumerate([*hand, *names]):
        probabilities[k, CLASSES.index(code)] = 0.98
    found = Detections(
        np.array(boxes, np.float32), np.full(22, 0.9, np.float32), probabilities, np.array(up, np.float32)
    )
    reading = read_detections(found, 900, 700)
    assert sorted(str(tile) for tile in reading.hand.tiles) == sorted(hand)
    assert "unsure_direction" in {doubt.code for doubt in reading.doubts}  # which way up is a guess, and said


def test_a_row_alone_whose_faces_tell_no_direction_says_so() -> None:
    codes = "1p 1p 2p 2p 3p 3p 3p 3p 4p 5p 6p 7p 8p 9p"
    vague = lay(row(codes), certainty=dict.fromkeys(range(14), 0.1))
    assert "unsure_direction" in {doubt.code for doubt in vague.doubts}
    assert "unsure_direction" not in {doubt.code for doubt in lay(row(codes)).doubts}

from __future__ import annotations

import pytest

from scorer import NotationError, Tile
from scorer.tiles import ALL_TILES, BACK, DRAGONS, WINDS, spell


def test_the_tiles_stand_in_class_order() -> None:
    codes = [str(tile) for tile in ALL_TILES]
    assert len(codes) == len(set(codes)) == 47
    assert codes[:9] == [f"{rank}m" for rank in range(1, 10)]
    assert codes[27:34] == ["1z", "2z", "3z", "4z", "5z", "6z", "7z"]
    assert codes[-5:] == ["1a", "2a", "3a", "4a", "0x"]
    assert list(ALL_TILES) == sorted(ALL_TILES)


@pytest.mark.parametrize("tile", ALL_TILES, ids=str)
def test_every_tile_parses_from_what_it_prints_and_has_names(tile: Tile) -> None:
    assert Tile.parse(str(tile)) == tile
    assert repr(tile) == str(tile) == tile.code == f"{tile.rank}{tile.suit}"
    assert Tile.parse(tile.name_zh) == tile if tile != BACK else tile.is_back
    assert tile.name_en


@pytest.mark.parametrize(
    ("code", "bonus", "honour", "suited", "terminal"),
    [
        ("1m", False, False, True, True),
        ("5p", False, False, True, False),
        ("9s", False, False, True, True),
        ("1z", False, True, False, False),
        ("8f", True, False, False, False),
        ("4a", True, False, False, False),
        ("0x", False, False, False, False),
    ],
)
def test_what_a_tile_is(code: str, bonus: bool, honour: bool, suited: bool, terminal: bool) -> None:
    tile = Tile.parse(code)
    assert (tile.is_bonus, tile.is_honour, tile.is_suited, tile.is_terminal) == (
        bonus,
        honour,
        suited,
        terminal,
    )


def test_winds_dragons_and_back() -> None:
    assert spell(WINDS) == "1234z"
    assert spell(DRAGONS) == "567z"
    assert BACK.is_back
    assert spell([]) == ""


@pytest.mark.parametrize("index", [-1, 47])
def test_there_are_no_other_tiles(index: int) -> None:
    with pytest.raises(ValueError, match="tile index"):
        Tile(index)


@pytest.mark.parametrize("text", ["", " ", "0m", "8z", "9f", "5a", "1x", "1q", "11m", "m", "1"])
def test_what_is_no_single_tile_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Tile.parse(text)

from __future__ import annotations

import pytest

from scorer import NotationError, Tile
from scorer.notation import read_tile, read_tiles
from scorer.tiles import spell


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("123m", "123m"),
        ("1m2m 3m,5z", "123m5z"),
        ("🀀🀁🀂🀃🀄🀅🀆", "1234765z"),
        ("🀇🀏🀐🀘🀙🀡", "19m19s19p"),
        ("🀢🀣🀤🀥🀦🀧🀨🀩", "12435678f"),
        ("🀄︎🀫", "7z0x"),
        ("一萬九万", "19m"),
        ("一二三筒", "123p"),
        ("五餅六饼七索八條九条", "56p789s"),
        ("東南西北白發中", "1234567z"),
        ("东風红中发财白板", "1765z"),
        ("梅蘭菊竹春夏秋冬", "12345678f"),
        ("貓鼠雞蜈蚣", "1234a"),
        ("W1 T1 B1", "1m1s1p"),
        ("W1T9B5", "1m9s5p"),
        ("1B", "1s"),
        ("1B 2D 3C", "1s2p3m"),
        ("123B55D", "123s55p"),
        ("1M 2P 3S 4Z", "1m2p3s4z"),
        ("5W", "5m"),
        ("E S W N C F P", "1234765z"),
        ("EEESSS", "111222z"),
        ("0x", "0x"),
    ],
)
def test_foreign_forms_are_read(text: str, tiles: str) -> None:
    assert spell(tile for tile, _ in read_tiles(text)) == tiles


@pytest.mark.parametrize(
    ("text", "position", "word"),
    [
        ("F1", 0, "flower"),
        ("1F", 1, "flower"),
        ("S2", 0, "season"),
        ("1T", 1, "bamboo"),
        ("W1 2B", 4, "bamboo"),
        ("1D B2", 3, "bamboo"),
        ("B", 0, "several"),
        ("D1", 0, "dragon"),
        ("C3", 0, "settled"),
        ("W12", 0, "apart"),
        ("E1", 0, "no suit"),
        ("123", 0, "without a suit"),
        ("12m 8z", 4, "no tile"),
        ("12m 3q", 5, "no suit"),
        ("12m ?", 4, "not part"),
        ("一二", 0, "Chinese digits"),
        ("紅", 0, "not part"),
    ],
)
def test_what_cannot_be_read_names_its_place(text: str, position: int, word: str) -> None:
    with pytest.raises(NotationError, match=word) as caught:
        read_tiles(text)
    assert caught.value.position == position
    assert caught.value.text == text
    assert caught.value.code == "bad_notation"


def test_offsets_are_those_of_the_whole_text() -> None:
    assert read_tiles("[12m 3m]", 1, 7) == [
        (Tile.parse("1m"), 1),
        (Tile.parse("2m"), 2),
        (Tile.parse("3m"), 5),
    ]


@pytest.mark.parametrize(("text", "position"), [("", 0), ("1m2m", 2)])
def test_one_tile_is_one_tile(text: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        read_tile(text)
    assert caught.value.position == position

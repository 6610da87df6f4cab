from __future__ import annotations

import pytest

from scorer import Hand, MeldKind, Tile
from scorer.shapes import IN_PAIR, Form, places, readings, shapes


def _spelled(text: str) -> list[str]:
    found = []
    for shape in shapes(Hand.parse(text)):
        sets = sorted(f"{group.kind.value[0]}{Tile(group.tile)}" for group in shape.groups)
        found.append(" ".join([shape.form.value, *sets]))
    return sorted(found)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[123m] [456p] 789s 555z 1z +1z", ["standard c1m c4p c7s p5z"]),
        ("111222333m 456p 99s", ["standard c1m c1m c1m c4p", "standard c4p p1m p2m p3m"]),
        (
            "112233m 112233p 11z",
            ["seven_pairs", "standard c1m c1m c1p c1p"],
        ),
        (
            "1122334455667m +7m",
            [
                "seven_pairs",
                *["standard c1m c1m c4m c4m"],
                "standard c1m c1m c5m c5m",
                "standard c2m c2m c5m c5m",
            ],
        ),
        ("1111m 2222p 3333s 44z", ["repeated_pairs"]),
        ("1122m 3344p 5566s 77z", ["seven_pairs"]),
        ("19m 19p 19s 1234567z +7z", ["thirteen_orphans"]),
        ("(1111m) (2222p) (3333s) (4444z) 5z +5z", ["standard k1m k2p k3s k4z"]),
        ("2223334445556m", []),
        ("891m 123p 456s 789s 11z", []),
        ("123z 111m 222p 333s 11z", []),
        ("19m 19p 19s 123456z 2m +1m", []),
        ("[123m] 19p 19s 1234567z", []),
        ("11111m 222m 333m 444p", []),
        ("1f 23m 456p 789s 11122z", []),
        ("", []),
    ],
)
def test_every_shape_is_found(text: str, wanted: list[str]) -> None:
    assert _spelled(text) == sorted(wanted)


@pytest.mark.parametrize(
    ("text", "winning", "count"),
    [
        ("[123m] [456p] 789s 55z 11z +5z", "5z", 1),
        ("[222m] 22333444p 66p +6p", "6p", 1),
        ("[111z] 123m 33m 456p 78p +9p", "9p", 1),
        ("[111z] 12m 33m 456p 789p +3m", "3m", 2),
        ("11222333m 456p 99s +1m", "1m", 2),
        ("123m 123m 456p 789s 1z +1z", "1z", 1),
    ],
)
def test_the_winning_tile_sits_wherever_it_can(text: str, winning: str, count: int) -> None:
    hand = Hand.parse(text)
    tile = Tile.parse(winning)
    found = readings(shapes(hand), tile.index)
    assert len(found) == len(set(found)) == count
    for reading in found:
        if reading.place == IN_PAIR:
            assert reading.shape.pair == tile.index
        else:
            group = reading.shape.groups[reading.place]
            assert group.holds(tile.index)
            assert not group.on_table


def test_equal_sets_are_one_place() -> None:
    hand = Hand.parse("12m 123m 456p 789s 11z +3m")
    (shape,) = shapes(hand)
    assert len(places(shape, Tile.parse("3m").index)) == 1


def test_the_place_can_be_a_set_or_the_pair() -> None:
    hand = Hand.parse("[111z] 123m 33m 456p 78p +9p")
    (shape,) = shapes(hand)
    assert len(places(shape, Tile.parse("3m").index)) == 2
    assert places(shape, Tile.parse("1z").index) == ()  # on the table: it did not win by that


def test_special_forms_have_one_place() -> None:
    (shape,) = shapes(Hand.parse("19m 19p 19s 1234567z +7z"))
    assert shape.form is Form.THIRTEEN_ORPHANS
    assert places(shape, shape.pair) == (IN_PAIR,)


def test_groups_know_their_tiles() -> None:
    (shape,) = shapes(Hand.parse("[123m] (1111p) 999s 456s 7z +7z"))
    by_kind = {group.kind: group for group in shape.groups if group.on_table}
    assert len(by_kind[MeldKind.KONG].tiles()) == 4
    assert by_kind[MeldKind.CHOW].claimed
    assert not by_kind[MeldKind.KONG].claimed

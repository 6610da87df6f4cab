from __future__ import annotations

import pytest

from scorer import BadMeld, Meld, MeldKind, NotationError, Tile


@pytest.mark.parametrize(
    ("text", "kind", "concealed", "printed"),
    [
        ("[123m]", MeldKind.CHOW, False, "[123m]"),
        ("[978s]", MeldKind.CHOW, False, "[789s]"),
        ("[555z]", MeldKind.PUNG, False, "[555z]"),
        (" [1111p] ", MeldKind.KONG, False, "[1111p]"),
        ("(1111p)", MeldKind.KONG, True, "(1111p)"),
        ("(0x 11p 0x)", MeldKind.KONG, True, "(1111p)"),
        ("[一二三萬]", MeldKind.CHOW, False, "[123m]"),
    ],
)
def test_melds_parse_and_print(text: str, kind: MeldKind, concealed: bool, printed: str) -> None:
    meld = Meld.parse(text)
    assert (meld.kind, meld.concealed) == (kind, concealed)
    assert str(meld) == repr(meld) == printed
    assert Meld.parse(printed) == meld
    assert meld.tile == meld.tiles[0]


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("123m", 0),
        ("", 0),
        ("[123m", 0),
        ("[124m]", 0),
        ("[891m]", 0),
        ("[123z]", 0),
        ("[9m1p2p]", 0),
        ("[11m]", 0),
        ("[11111m]", 0),
        ("[111f]", 0),
        ("[]", 0),
        ("(123m)", 0),
        ("(111m)", 0),
        ("(0x0x0x0x)", 0),
        ("[123m] 4m", 6),
        ("[12?m]", 3),
    ],
)
def test_what_is_no_meld_is_refused(text: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        Meld.parse(text)
    assert caught.value.position == position


def test_a_meld_is_validated_where_it_is_made() -> None:
    tiles = tuple(Tile.parse(text) for text in ("1m", "2m", "3m"))
    with pytest.raises(BadMeld):
        Meld(MeldKind.PUNG, tiles)
    with pytest.raises(BadMeld):
        Meld(MeldKind.CHOW, tiles, concealed=True)
    assert Meld(MeldKind.CHOW, tiles[::-1]) == Meld.parse("[123m]")

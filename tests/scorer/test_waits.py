from __future__ import annotations

import random

import pytest

from scorer import Hand, Tile
from scorer.rulesets.mcr_patterns import FORMS
from scorer.shapes import KNITTED, ORPHANS, Form, shapes
from scorer.tiles import ALL_TILES, counts_of, spell
from scorer.waits import waits


def _waits(text: str, forms: frozenset[Form] = FORMS) -> str:
    found = waits(counts_of(Hand.parse(text).standing), forms)
    return spell([ALL_TILES[kind] for kind in range(34) if found >> kind & 1])


@pytest.mark.parametrize(
    ("standing", "wanted"),
    [
        ("123m456p789s1z55z", ""),
        ("123m456p789s11z45s", "36s"),
        ("123m456p789s11z12s", "3s"),
        ("123m456p789s11z13s", "2s"),
        ("123m456p789s333z1z", "1z"),
        ("123m456p11z22z333z", "12z"),
        ("1112345678999s", "123456789s"),
        ("3333555p234m789s", "34p"),  # the three in form only: all four are held
        ("1111z234m567p888s", "1z"),  # and here too
        ("1111z22z234m567p", ""),
        ("334455p2266668s", "78s"),  # the eight as seven pairs
        ("112233m445566p7s", "7s"),
        ("19m19p19s1234567z", "19m19p19s1234567z"),
        ("19m19p199s123456z", "7z"),
        ("147m258p369s1234z", "567z"),
        ("147m25p369s12345z", "8p67z"),
        ("147m258p369s456m7z", "7z"),
        ("147m258p36s123p77z", "9s"),
        ("147m258p369s22p46m", "5m"),
        ("2z", "2z"),
        ("2345m", "25m"),
        ("147m258p369s5m", "5m"),
        ("147m258p36s55z", "9s"),
        ("147m258p3s555z", ""),
    ],
)
def test_what_a_hand_waits_for(standing: str, wanted: str) -> None:
    assert _waits(standing) == wanted


def test_forms_that_a_rule_set_does_not_know_win_nothing() -> None:
    assert _waits("1155m3388p2299s4z", frozenset({Form.STANDARD})) == ""
    assert _waits("147m258p369s456m7z", frozenset({Form.STANDARD})) == ""


def _nearly(chance: random.Random) -> list[int]:
    """Thirteen tiles that are not far from a win."""
    form = chance.randrange(4)
    if form == 0:
        low = 9 * chance.randrange(3)
        tiles = chance.sample([kind for kind in range(low, low + 9) for _ in range(4)], 13)
    elif form == 1:
        tiles = [kind for kind in chance.sample(range(34), 7) for _ in range(2)][1:]
    elif form == 2:
        tiles = [*chance.choice(KNITTED), *chance.sample(range(34), 4)]
    else:
        tiles = [*ORPHANS[:12], chance.randrange(34)]
    return tiles


def test_waits_are_the_tiles_that_make_a_winning_shape() -> None:
    chance = random.Random(13)
    waiting = 0
    for _ in range(400):
        kinds = _nearly(chance)
        counts = counts_of([ALL_TILES[kind] for kind in kinds])
        if max(counts) > 4:
            continue
        found = waits(counts, FORMS)
        waiting += bool(found)
        for kind in range(34):
            if counts[kind] < 4:
                hand = Hand(tuple(ALL_TILES[each] for each in kinds), (), Tile(kind))
                assert bool(shapes(hand, FORMS)) is bool(found >> kind & 1), hand
    assert waiting > 200

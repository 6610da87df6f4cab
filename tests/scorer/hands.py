"""What the tests of scoring share: reading the golden files, and random hands.

Golden files are lines of fields parted by |; the hand itself may hold one.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from scorer import Breakdown, Context, Hand, Meld, MeldKind, Tile, check
from scorer.tiles import ALL_TILES

GOLDEN = Path(__file__).parent / "golden"


def context_of(text: str) -> Context:
    win, seat, wind, *flags = text.split()
    return Context.from_dict({"win": win, "seat": seat, "round": wind, "flags": flags})


def lines(name: str, fields: int) -> list[ParameterSet]:
    found = []
    for number, line in enumerate((GOLDEN / name).read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            parts = [part.strip() for part in line.rsplit("|", fields - 1)]
            assert len(parts) == fields, f"{name}:{number} has {len(parts)} fields"
            found.append(pytest.param(*parts, id=f"{name}:{number}"))
    return found


def fan_ids(answer: Breakdown) -> list[str]:
    """The ids of the fans that count, each as often as it counts, sorted."""
    return sorted(line.fan.id for line in answer.fans for _ in range(line.times))


def random_hand(chance: random.Random, bonus: str = "") -> Hand:
    """Four sets and a pair of one set of tiles, often of one suit, any of the sets on the table.

    `bonus` names the suits of bonus tiles that may lie beside it.
    """
    extras = [tile for tile in ALL_TILES if tile.suit in bonus]
    while True:
        kinds = range(34) if chance.random() < 0.5 else [*range(9), *range(27, 34)]
        standing: list[Tile] = []
        melds = []
        for _ in range(4):
            first = chance.choice(kinds)
            chow = chance.random() < 0.5 and first < 27 and first % 9 < 7
            four = not chow and chance.random() < 0.2
            tiles = ALL_TILES[first : first + 3] if chow else (ALL_TILES[first],) * (4 if four else 3)
            kind = MeldKind.CHOW if chow else MeldKind.KONG if four else MeldKind.PUNG
            if four or chance.random() < 0.5:
                melds.append(Meld(kind, tiles, four and chance.random() < 0.5))
            else:
                standing.extend(tiles)
        standing.extend([ALL_TILES[chance.choice(kinds)]] * 2)
        chance.shuffle(standing)
        beside = chance.sample(extras, chance.choice((0, 0, 1, 2, 4, 8))) if extras else []
        hand = Hand(tuple(standing[1:]), tuple(melds), standing[0], tuple(beside))
        if not check(hand):
            return hand


def renamed(hand: Hand, turns: int) -> Hand:
    """The same hand with the suits renamed in turn, so many times."""

    def other(tile: Tile) -> Tile:
        return tile if tile.index >= 27 else ALL_TILES[(tile.index + 9 * turns) % 27]

    melds = tuple(Meld(meld.kind, tuple(map(other, meld.tiles)), meld.concealed) for meld in hand.melds)
    winning = None if hand.winning is None else other(hand.winning)
    return Hand(tuple(map(other, hand.concealed)), melds, winning, hand.bonus)

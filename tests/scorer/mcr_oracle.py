"""Random winning hands of the Chinese Official rules, and what an independent scorer says of them.

The hands are drawn by seed, with claimed sets, kongs, winds and circumstances, and with more of the rare
forms than chance would give. Only circumstances that can be are drawn: the other scorer drops the rest
unasked.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from scorer import RULESETS, Context, Hand, Meld, MeldKind, Win
from scorer.shapes import KNITTED, ORPHANS
from scorer.tiles import ALL_TILES, WINDS, Tile

#: Fan ids by the names that the other scorer uses. It has names of its own for the three waits.
IDS = {fan.name.zh: fan.id for fan in RULESETS["mcr"].fans} | {
    "独听・边张": "edge_wait",
    "独听・嵌张": "closed_wait",
    "独听・单钓": "single_wait",
}

#: How often each form is drawn. The great hands are four sets and a pair too.
FORMS: Mapping[str, int] = {"sets": 90, "pairs": 3, "orphans": 1, "honours": 2, "knitted": 4, "great": 2}


@dataclass(frozen=True, slots=True)
class Case:
    """A hand, the circumstances of its win, and the number of flowers."""

    hand: Hand
    context: Context


def cases(count: int, seed: int, forms: Mapping[str, int] = FORMS) -> list[Case]:
    """That many winning hands of these forms; the same for the same seed."""
    chance = random.Random(seed)
    found: list[Case] = []
    while len(found) < count:
        hand = _hand(chance, forms)
        if hand is not None:
            found.append(Case(hand, _context(chance, hand)))
    return found


def _hand(chance: random.Random, forms: Mapping[str, int]) -> Hand | None:
    form = chance.choices(list(forms), list(forms.values()))[0]
    if form == "sets":
        return _of_sets(chance, 4, ())
    if form == "knitted":
        return _of_sets(chance, 1, chance.choice(KNITTED))
    if form == "pairs":
        kinds = _near(chance)
        tiles = [kind for kind in chance.choices(kinds, k=7) for _ in range(2)]
    elif form == "orphans":
        tiles = [*ORPHANS, chance.choice(ORPHANS)]
    elif form == "great":
        return _great(chance)
    else:
        tiles = chance.sample([*chance.choice(KNITTED), *range(27, 34)], 14)
    return _standing(chance, tiles, ())


def _great(chance: random.Random) -> Hand | None:
    """One of the hands that chance does not bring."""
    low, middle, high = (9 * suit for suit in chance.sample(range(3), 3))
    form = chance.randrange(7)
    if form == 0:  # nine gates
        gates = [low + rank for rank in (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8)]
        return Hand(tuple(ALL_TILES[kind] for kind in gates), (), ALL_TILES[low + chance.randrange(9)])
    if form == 1:  # terminal chows of one suit, or of three
        one, other, pair = chance.choice(((low, low, low), (low, middle, high)))
        chows = [suit + rank for suit in (one, other) for rank in (0, 1, 2, 6, 7, 8)]
        return _standing(chance, [*chows, pair + 4, pair + 4], ())
    if form == 2:  # pairs in a row
        first = low + chance.randrange(3)
        return _standing(chance, [kind for kind in range(first, first + 7) for _ in range(2)], ())
    if form == 3:  # green tiles
        kinds = [chance.choice((19, 20, 21, 23, 25, 32)) for _ in range(5)]
        return _standing(chance, [kind for kind in kinds[1:] for _ in range(3)] + kinds[:1] * 2, ())
    if form == 4:  # pungs in a row
        first = low + chance.randrange(6)
        pungs = [kind for kind in range(first, first + 4) for _ in range(3)]
        return _standing(chance, pungs + [middle + chance.randrange(9)] * 2, ())
    if form == 5:  # sets that have nothing to do with each other
        claimed = [Meld(MeldKind.CHOW, ALL_TILES[start : start + 3]) for start in (low, middle + 2)]
        return _standing(
            chance, [*range(low + 4, low + 7), *range(high + 5, high + 8), 30, 30], tuple(claimed)
        )
    kinds = chance.sample(range(34) if chance.random() < 0.5 else range(27, 34), 5)  # kongs
    kongs = [Meld(MeldKind.KONG, (ALL_TILES[kind],) * 4, chance.random() < 0.5) for kind in kinds[1:]]
    return _standing(chance, kinds[:1] * 2, tuple(kongs))


def _near(chance: random.Random) -> list[int]:
    """The kinds of tile that a hand is drawn from: all of them, or few, so that great fans are not rare."""
    style = chance.random()
    if style < 0.03:
        return list(range(27, 34))
    if style < 0.35:
        return list(range(34))
    if style < 0.55:
        suit = chance.randrange(3)
        return [*range(9 * suit, 9 * suit + 9), *(range(27, 34) if chance.random() < 0.3 else ())]
    if style < 0.65:
        return list(ORPHANS)
    first = chance.randrange(6)
    return [
        9 * suit + rank
        for suit in range(3)
        for rank in range(first, min(9, first + chance.choice((3, 4, 5))))
    ]


def _of_sets(chance: random.Random, size: int, knitted: tuple[int, ...]) -> Hand | None:
    kinds = _near(chance)
    starts = [kind for kind in kinds if kind < 27 and kind % 9 < 7 and {kind + 1, kind + 2} <= set(kinds)]
    chows = chance.choice((0.2, 0.6, 0.9)) if starts else 0.0
    melds: list[Meld] = []
    standing = list(knitted)
    claims = chance.choice((0.0, 0.0, 0.3, 0.6, 1.0))
    for _ in range(size):
        if chance.random() < chows:
            low = chance.choice(starts)
            tiles = ALL_TILES[low : low + 3]
            kind = MeldKind.CHOW
        else:
            kind = MeldKind.KONG if chance.random() < 0.3 else MeldKind.PUNG
            tiles = (ALL_TILES[chance.choice(kinds)],) * (4 if kind is MeldKind.KONG else 3)
        if kind is MeldKind.KONG:
            melds.append(Meld(kind, tiles, chance.random() < 0.5))
        elif chance.random() < claims:
            melds.append(Meld(kind, tiles))
        else:
            standing.extend(tile.index for tile in tiles)
    pair = chance.choice(kinds)
    return _standing(chance, [*standing, pair, pair], tuple(melds))


def _standing(chance: random.Random, kinds: list[int], melds: tuple[Meld, ...]) -> Hand | None:
    """The hand, or None where it holds five of a kind."""
    winning = kinds.pop(chance.randrange(len(kinds)))
    hand = Hand(tuple(ALL_TILES[kind] for kind in kinds), melds, ALL_TILES[winning])
    return hand if max(Counter(hand.tiles).values()) <= 4 else None


def _context(chance: random.Random, hand: Hand) -> Context:
    win = chance.choice((Win.DISCARD, Win.SELF_DRAW))
    flags = set()
    others = Counter(hand.tiles)[hand.winning] - 1
    kongs = any(meld.kind is MeldKind.KONG for meld in hand.melds)
    if chance.random() < 0.1:
        flags.add("last_wall_tile")
    if win is Win.SELF_DRAW and kongs and chance.random() < 0.2:
        flags.add("kong_replacement")
    if win is Win.DISCARD and not others and not flags and chance.random() < 0.1:
        win = Win.ROB_KONG
    if hand.winning not in hand.concealed and chance.random() < 0.1:
        flags.add("last_of_its_kind")
    seat, wind = chance.choice(WINDS), chance.choice(WINDS)
    return Context(win, seat, wind, frozenset(flags), chance.choice((0, 0, 1, 3)))


def _spelled(tile: Tile) -> str:
    if tile.is_honour:
        return f"{'F' if tile.rank < 5 else 'J'}{ {5: 3, 6: 2, 7: 1}.get(tile.rank, tile.rank) }"
    return {"m": "W", "p": "B", "s": "T"}[tile.suit] + str(tile.rank)


def asked(case: Case) -> tuple[object, ...]:
    """The hand as the other scorer is asked for it.

    It names a chow by its middle tile, and takes a kong offered by nobody for a concealed one.
    """
    words = {MeldKind.CHOW: "CHI", MeldKind.PUNG: "PENG", MeldKind.KONG: "GANG"}
    packs = tuple(
        (words[meld.kind], _spelled(meld.tiles[1]), 0 if meld.concealed else 1) for meld in case.hand.melds
    )
    context, flags = case.context, case.context.flags
    assert case.hand.winning is not None
    assert context.seat is not None
    assert context.round is not None
    return (
        packs,
        tuple(_spelled(tile) for tile in case.hand.concealed),
        _spelled(case.hand.winning),
        context.flowers or 0,
        context.win is Win.SELF_DRAW,
        "last_of_its_kind" in flags,
        "kong_replacement" in flags or context.win is Win.ROB_KONG,
        "last_wall_tile" in flags,
        context.seat.rank - 1,
        context.round.rank - 1,
    )

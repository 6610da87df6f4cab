"""A won hand, dealt: its sets and pair, and the tiles of each as they lie, left to right."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from faces import CODES
from table import HALF

PLAY = [code for code in CODES if code[-1] in "mpsz"]
BONUS = [code for code in CODES if code[-1] in "fa"]

OTHER = -1
Rng = np.random.Generator
WIDTH = 2 * HALF[0]


@dataclass(frozen=True, slots=True)
class Set:
    """One set on the table: `kind` chow, pung or kong, its tiles, and whether it is a concealed kong."""

    kind: str
    codes: tuple[str, ...]
    concealed: bool = False

    def __str__(self) -> str:
        left, right = "()" if self.concealed else "[]"
        return left + "".join(self.codes) + right


@dataclass(frozen=True, slots=True)
class Item:
    """A tile before it is put down: `turn` in quarter turns counter-clockwise, `lift` in centimetres above
    the table and `shift` away from the reader, for a tile on or above another (`over`: takes no room)."""

    code: str
    role: str
    group: int = OTHER
    turn: int = 0
    lift: float = 0.0
    shift: float = 0.0
    over: bool = False


def deal(rng: Rng) -> tuple[list[tuple[str, ...]], str]:
    """Four sets and the tile of the pair, at most four of a tile."""
    while True:
        left: Counter[str] = Counter(dict.fromkeys(PLAY, 4))
        sets: list[tuple[str, ...]] = []
        suits = rng.choice(list("mpsz"), int(rng.integers(1, 5)), replace=False).tolist()
        while len(sets) < 4:
            suit = str(rng.choice(suits))
            rank = int(rng.integers(1, 8))
            if suit != "z" and rng.random() < 0.45:
                chosen = tuple(f"{rank + step}{suit}" for step in range(3))
            else:
                rank = rank if suit == "z" else int(rng.integers(1, 10))
                chosen = (f"{rank}{suit}",) * (4 if rng.random() < 0.35 else 3)
            need = Counter(chosen)
            if all(left[code] >= count for code, count in need.items()):
                left -= need
                sets.append(chosen)
            elif rng.random() < 0.05:
                break
        pairs = [code for code in PLAY if left[code] >= 2 and code[1] in suits]
        if len(sets) == 4 and pairs:
            return sets, str(rng.choice(pairs))


def kind_of(codes: tuple[str, ...]) -> str:
    return "chow" if codes[0] != codes[1] else "kong" if len(codes) == 4 else "pung"


def claimed_items(rng: Rng, codes: tuple[str, ...], group: int, turning: bool) -> tuple[list[Item], str]:
    """The tiles of a claimed set as they lie, left to right, and how."""
    order = list(codes)
    turned = int(rng.integers(3)) if turning else -1
    way = int(rng.choice([-1, 1]))
    if len(codes) == 3:
        if codes[0] != codes[1] and turned >= 0:  # the claimed tile lies turned, often first
            order.insert(turned, order.pop(int(rng.integers(3))))
        return [
            Item(c, "set", group, way if k == turned else 0) for k, c in enumerate(order)
        ], "turned" if turned >= 0 else "plain"
    if turned >= 0 and rng.random() < 0.6:  # added to a pung: the fourth tile on or above the turned one
        items = [Item(c, "set", group, way if k == turned else 0) for k, c in enumerate(order[:3])]
        on = bool(rng.random() < 0.5)
        shift = (0.5 if on else 1.0) * WIDTH + rng.uniform(0, 0.1)
        items.insert(
            turned + 1, Item(order[3], "set", group, way, 2 * HALF[2] if on else 0.0, shift, over=True)
        )
        return items, "added_on" if on else "added_above"
    turned = turned if turned < 0 else int(rng.integers(4))
    return [Item(c, "set", group, way if k == turned else 0) for k, c in enumerate(order)], "big"


def concealed_items(rng: Rng, codes: tuple[str, ...], group: int) -> tuple[list[Item], str]:
    form = str(rng.choice(["bffb", "fbbf", "bbbb"], p=[0.45, 0.35, 0.2]))
    return [
        Item(code if mark == "f" else "0x", "set", group) for code, mark in zip(codes, form, strict=True)
    ], form


def standing_items(rng: Rng, tiles: list[str], style: dict[str, str]) -> tuple[list[list[Item]], str | None]:
    """The standing tiles as runs with gaps between, and the winning tile if it shows."""
    how = str(rng.choice(["in_place", "apart", "turned", "turned_in_place"], p=[0.45, 0.3, 0.15, 0.1]))
    if len(tiles) == 2 and how != "in_place":
        how = "in_place"
    style["winning"] = how
    if how == "in_place":
        if rng.random() < 0.3:
            rng.shuffle(tiles)
        return [[Item(code, "standing") for code in tiles]], None
    place = int(rng.integers(len(tiles)))
    winning = tiles[place]
    if how == "turned_in_place":
        turn = int(rng.choice([-1, 1]))
        return [
            [
                Item(code, "winning" if k == place else "standing", turn=turn if k == place else 0)
                for k, code in enumerate(tiles)
            ]
        ], winning
    rest = [Item(code, "standing") for k, code in enumerate(tiles) if k != place]
    turn = int(rng.choice([-1, 1])) if how == "turned" else 0
    last = Item(winning, "winning", turn=turn)
    if how == "turned":
        return [[*rest, last]], winning
    return ([rest, [last]] if rng.random() < 0.8 else [[last], rest]), winning

"""What the rule texts say of fans that cannot stand together, for the recipe of the golden claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scorer import Hand, Tile

#: A fan -> fans that every hand with it has too, and that are never counted beside it.
SHUT_OUT: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "mcr": {  # the notes "do not add" of the 1998 table, and annex 1 of the supplementary rules
        "big_four_winds": ("all_pungs", "seat_wind", "prevalent_wind"),
        "big_three_dragons": ("dragon_pung",),
        "little_three_dragons": ("dragon_pung",),
        "four_kongs": ("all_pungs",),
        "seven_shifted_pairs": ("full_flush",),
        "nine_gates": ("full_flush",),
        "four_concealed_pungs": ("all_pungs",),
        "pure_terminal_chows": ("full_flush", "all_chows"),
        "three_suited_terminal_chows": ("all_chows",),
        "four_pure_shifted_pungs": ("all_pungs",),
        "all_even_pungs": ("all_pungs", "all_simples"),
        "full_flush": ("no_honors",),
        "upper_tiles": ("upper_four", "no_honors"),
        "middle_tiles": ("all_simples", "no_honors"),
        "lower_tiles": ("lower_four", "no_honors"),
        "all_fives": ("all_simples",),
        "upper_four": ("no_honors",),
        "lower_four": ("no_honors",),
        "triple_pung": ("double_pung",),
        "last_tile_draw": ("self_drawn",),
        "out_with_replacement_tile": ("self_drawn",),
        "melded_hand": ("single_wait",),
        "two_dragon_pungs": ("dragon_pung",),
        "fully_concealed_hand": ("self_drawn",),
        "all_chows": ("no_honors",),
        "all_simples": ("no_honors",),
        "reversible_tiles": ("one_voided_suit",),
    },
    "hk": {  # the greater pattern holds the smaller; a full set is paid instead of the own flower (zh)
        "big_four_winds": ("all_pungs",),
        "all_kongs": ("all_pungs",),
        "all_honours": ("all_pungs",),
        "all_terminals": ("all_pungs",),
        "nine_gates": ("full_flush",),
        "four_concealed_pungs": ("all_pungs",),
        "all_flowers": ("own_flower",),
        "all_seasons": ("own_season",),
    },
    "tvb": {  # appendix 3: A7 and A8 not with B3; a hand of ten fan holds its smaller patterns
        "big_four_winds": ("all_pungs",),
        "all_honours": ("all_pungs",),
        "small_three_dragons": ("first_dragon_pung", "second_dragon_pung"),
        "big_three_dragons": ("first_dragon_pung", "second_dragon_pung"),
    },
    "singapore": {  # sgm: the price holds the pungs; a limit hand holds the smaller patterns
        "big_three_dragons": ("dragon_pung",),
        "big_four_winds": ("all_pungs",),
        "all_terminals": ("all_pungs",),
        "nine_gates": ("full_flush",),
        "hidden_treasure": ("all_pungs",),
        "eighteen_arhats": ("all_pungs",),
        "small_three_dragons": ("dragon_pung",),
        "kong_on_kong": ("kong_replacement",),
    },
}


@dataclass(frozen=True)
class Known:
    """A golden hand: what it is, how it was won, and what is known to count."""

    hand: str
    context: str
    total: int
    fans: tuple[str, ...]
    source: str

    @property
    def tiles(self) -> Hand:
        return Hand.parse(self.hand)

    @property
    def drawn(self) -> bool:
        return self.context.startswith("self_draw")


def suits(hand: Hand) -> int:
    return len({tile.suit for tile in hand.tiles if tile.is_suited})


def claimed(hand: Hand, chow: bool) -> bool:
    return any((meld.kind.value == "chow") is chow for meld in hand.melds)


def thrice(hand: Hand, suit: str, ranks: range) -> bool:
    return any(hand.tiles.count(Tile.parse(f"{rank}{suit}")) >= 3 for rank in ranks)


_Asks = Callable[[Known], bool]
#: Fans that a hand plainly cannot have: what must be so, and why.
ABSENT: Mapping[str, tuple[_Asks, str]] = {
    "all_pungs": (lambda known: claimed(known.tiles, chow=True), "a chow was claimed"),
    "full_flush": (lambda known: suits(known.tiles) > 1, "tiles of several suits"),
    "half_flush": (lambda known: suits(known.tiles) > 1, "tiles of several suits"),
    "dragon_pung": (lambda known: not thrice(known.tiles, "z", range(5, 8)), "no three dragons alike"),
    "first_dragon_pung": (lambda known: not thrice(known.tiles, "z", range(5, 8)), "no three dragons alike"),
    "all_chows": (lambda known: claimed(known.tiles, chow=False), "a pung or kong lies on the table"),
    "ping_hu": (lambda known: claimed(known.tiles, chow=False), "a pung or kong lies on the table"),
    "self_draw": (lambda known: not known.drawn, "it was not drawn"),
    "self_drawn": (lambda known: not known.drawn, "it was not drawn"),
    "fully_concealed_hand": (lambda known: not known.drawn, "it was not drawn"),
    "fully_concealed": (lambda known: not known.drawn, "it was not drawn"),
    "last_tile_draw": (lambda known: "last" not in known.context, "not the last tile of the wall"),
    "kong_replacement": (lambda known: "kong" not in known.context, "no kong was replaced"),
    "no_flowers": (lambda known: bool(known.tiles.bonus), "a flower was set aside"),
    "animal": (lambda known: not any(t.suit == "a" for t in known.tiles.bonus), "no animal"),
    "seat_wind": (lambda known: not thrice(known.tiles, "z", range(1, 5)), "no three winds alike"),
    "all_honours": (lambda known: suits(known.tiles) > 0, "tiles of a suit"),
    "all_types": (lambda known: suits(known.tiles) < 3, "fewer than three suits"),
    "no_honors": (lambda known: any(t.is_honour for t in known.tiles.tiles), "an honour"),
    "all_simples": (lambda known: any(t.is_honour for t in known.tiles.tiles), "an honour"),
}

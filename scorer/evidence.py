"""Which tiles make a fan, so that a line of the score can point at them."""

from __future__ import annotations

from collections.abc import Callable, Container

from scorer.combinations import pung_combinations, read_chows
from scorer.facts import Facts
from scorer.restrictions import held_four_kinds
from scorer.shapes import ORPHANS, Group
from scorer.tiles import ALL_TILES, Tile

__all__ = [
    "animal_tiles", "bonus_tiles", "chow_tiles", "chows_of", "concealed_kong_tiles", "concealed_pung_tiles",
    "dragon_pung_tiles", "dragon_tiles", "flower_tiles", "four_of_a_kind_tiles", "hand_tiles",
    "knitted_tiles", "kong_tiles", "melded_kong_tiles", "outside_pung_tiles", "own_flower_tile",
    "own_season_tile", "pung_tiles", "pungs_of", "round_wind_tiles", "season_tiles", "seat_wind_tiles",
    "standing_tiles", "wind_tiles", "winning_tile",
]  # fmt: skip


#: The tiles of a chow, by its lowest one.
_RUNS = tuple(ALL_TILES[start : start + 3] for start in range(27))


def hand_tiles(facts: Facts) -> tuple[Tile, ...]:
    """Every tile of the hand."""
    return facts.tally.hand.tiles


def standing_tiles(facts: Facts) -> tuple[Tile, ...]:
    """The standing tiles, the winning one included."""
    return facts.tally.hand.standing


def winning_tile(facts: Facts) -> tuple[Tile, ...]:
    """The winning tile, if it is known."""
    return () if facts.winning < 0 else (ALL_TILES[facts.winning],)


def _of(chosen: list[Group]) -> tuple[Tile, ...]:
    return tuple([tile for group in chosen for tile in group.tiles()])


def _pungs(facts: Facts, kinds: Container[int]) -> tuple[Tile, ...]:
    """The pungs and kongs of certain kinds."""
    groups = facts.shape.groups
    return _of([group for group in groups if not group.is_chow and group.tile in kinds])


def _pair(facts: Facts, low: int, high: int) -> tuple[Tile, ...]:
    return (ALL_TILES[facts.pair],) * 2 if low <= facts.pair < high else ()


def chow_tiles(facts: Facts) -> tuple[Tile, ...]:
    """The tiles of the chows."""
    return tuple([tile for start in facts.chows for tile in _RUNS[start]])


def pung_tiles(facts: Facts) -> tuple[Tile, ...]:
    """The tiles of the pungs and kongs."""
    return _pungs(facts, range(34))


def kong_tiles(facts: Facts) -> tuple[Tile, ...]:
    """The tiles of the kongs."""
    return tuple(ALL_TILES[tile] for tile in facts.kongs for _ in range(4))


def dragon_tiles(facts: Facts) -> tuple[Tile, ...]:
    """Pungs and pair of dragons."""
    return _pungs(facts, range(31, 34)) + _pair(facts, 31, 34)


def dragon_pung_tiles(facts: Facts) -> tuple[Tile, ...]:
    """Pungs of dragons."""
    return _pungs(facts, range(31, 34))


def wind_tiles(facts: Facts) -> tuple[Tile, ...]:
    """Pungs and pair of winds."""
    return _pungs(facts, range(27, 31)) + _pair(facts, 27, 31)


def seat_wind_tiles(facts: Facts) -> tuple[Tile, ...]:
    """The pung of the winner's own wind."""
    return _pungs(facts, range(26 + facts.seat, 27 + facts.seat))


def round_wind_tiles(facts: Facts) -> tuple[Tile, ...]:
    """The pung of the wind of the round."""
    return _pungs(facts, range(26 + facts.round, 27 + facts.round))


def _bonus(facts: Facts, ranks: range) -> tuple[Tile, ...]:
    return tuple(tile for tile in facts.tally.hand.bonus if tile.suit == "f" and tile.rank in ranks)


def own_flower_tile(facts: Facts) -> tuple[Tile, ...]:
    """The flower of the seat."""
    return _bonus(facts, range(facts.seat, facts.seat + 1))


def own_season_tile(facts: Facts) -> tuple[Tile, ...]:
    """The season of the seat."""
    return _bonus(facts, range(facts.seat + 4, facts.seat + 5))


def flower_tiles(facts: Facts) -> tuple[Tile, ...]:
    """Plum, orchid, chrysanthemum, bamboo."""
    return _bonus(facts, range(1, 5))


def season_tiles(facts: Facts) -> tuple[Tile, ...]:
    """Spring, summer, autumn, winter."""
    return _bonus(facts, range(5, 9))


def bonus_tiles(facts: Facts) -> tuple[Tile, ...]:
    """Every flower and season."""
    return _bonus(facts, range(1, 9))


def animal_tiles(facts: Facts) -> tuple[Tile, ...]:
    """The animals."""
    return tuple(tile for tile in facts.tally.hand.bonus if tile.suit == "a")


def chows_of(fan: str) -> Callable[[Facts], tuple[Tile, ...]]:
    """The chows that make a fan under account-once."""

    def where(facts: Facts) -> tuple[Tile, ...]:
        chows = facts.chows
        at = read_chows(chows, facts.pair).selection.at(fan)
        return tuple([tile for place in at for tile in _RUNS[chows[place]]])

    return where


def pungs_of(fan: str) -> Callable[[Facts], tuple[Tile, ...]]:
    """The pungs and kongs that make a fan by their ranks."""

    def where(facts: Facts) -> tuple[Tile, ...]:
        found = pung_combinations(facts.pungs)
        return _pungs(facts, {facts.pungs[place] for item in found if item.fan == fan for place in item.at})

    return where


def outside_pung_tiles(facts: Facts) -> tuple[Tile, ...]:
    """Pungs of terminals and honours."""
    return _pungs(facts, ORPHANS)


def concealed_pung_tiles(facts: Facts) -> tuple[Tile, ...]:
    """Pungs and kongs none of whose tiles was claimed."""
    opened = facts.place if not facts.self_drawn else len(facts.shape.groups)
    groups = enumerate(facts.shape.groups)
    kinds = {group.tile for place, group in groups if not group.claimed and place != opened}
    return _pungs(facts, kinds)


def concealed_kong_tiles(facts: Facts) -> tuple[Tile, ...]:
    """Concealed kongs."""
    return tuple(tile for meld in facts.tally.hand.melds if meld.concealed for tile in meld.tiles)


def melded_kong_tiles(facts: Facts) -> tuple[Tile, ...]:
    """Claimed kongs."""
    melds = facts.tally.hand.melds
    return tuple(tile for meld in melds if not meld.concealed and len(meld.tiles) == 4 for tile in meld.tiles)


def four_of_a_kind_tiles(facts: Facts) -> tuple[Tile, ...]:
    """Four of a kind that are no kong."""
    return tuple(ALL_TILES[kind] for kind in held_four_kinds(facts) for _ in range(4))


def knitted_tiles(facts: Facts) -> tuple[Tile, ...]:
    """The knitted tiles."""
    return tuple(ALL_TILES[kind] for kind in facts.shape.knitted)

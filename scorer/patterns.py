"""The patterns of mahjong as predicates over `Facts`: each returns how many times it is there.

Rule sets give these names, prices and exclusions; nothing here knows any of the three.
"""

from __future__ import annotations

from scorer.facts import Facts
from scorer.hand import Win
from scorer.needs import Need, needs
from scorer.restrictions import full_flush, half_flush
from scorer.shapes import Form

__all__ = [
    "all_animals", "all_chows", "all_chows_suited_pair", "all_flowers", "all_honours", "all_kongs",
    "all_pungs", "all_seasons", "all_terminals", "animals", "big_four_winds", "big_three_dragons",
    "concealed_hand", "double_flower", "double_kong", "dragon_pungs", "earthly_hand", "flower_replacement",
    "four_concealed_pungs", "four_concealed_self_drawn", "full_flush", "fully_standing",
    "half_flush", "heavenly_hand", "humanly_hand", "kong_replacement", "last_tile",
    "last_tile_discard", "last_tile_draw", "mixed_terminals", "nine_gates", "nine_sided_gates",
    "no_flowers", "own_flower", "own_season", "rob_kong", "robbed_concealed_kong", "round_wind",
    "seat_wind", "self_draw", "seven_pairs", "small_four_winds", "small_three_dragons",
    "thirteen_orphans",
]  # fmt: skip

_STANDARD, _PAIRS = Form.STANDARD, (Form.SEVEN_PAIRS, Form.REPEATED_PAIRS)
_ORPHANS = Form.THIRTEEN_ORPHANS
_ROBBED = Win.ROB_KONG
_WIND = range(27, 31)
_DRAGON = range(31, 34)
_GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)


# Sets


@needs(Need.FOUR_CHOWS)
def all_chows(facts: Facts) -> int:
    """Four chows and any pair 平糊."""
    return int(len(facts.chows) == 4)


@needs(Need.FOUR_CHOWS)
def all_chows_suited_pair(facts: Facts) -> int:
    """Four chows and a pair of a suit: no honours at all 平胡."""
    return int(len(facts.chows) == 4 and facts.pair < 27)


@needs(Need.FOUR_PUNGS)
def all_pungs(facts: Facts) -> int:
    """Four pungs or kongs and a pair 對對糊."""
    return int(len(facts.pungs) == 4)


@needs(Need.FOUR_PUNGS, Need.KONG)
def all_kongs(facts: Facts) -> int:
    """Four kongs and a pair 十八羅漢."""
    return int(len(facts.kongs) == 4)


@needs(Need.FOUR_PUNGS)
def four_concealed_pungs(facts: Facts) -> int:
    """Four pungs or kongs none of whose tiles was claimed 坎坎糊: a discard may complete the pair only."""
    return int(facts.concealed_pungs == 4)


@needs(Need.FOUR_PUNGS, Need.DRAWN)
def four_concealed_self_drawn(facts: Facts) -> int:
    """Four pungs or kongs none of whose tiles was claimed, and the winning tile drawn."""
    return int(facts.concealed_pungs == 4 and facts.self_drawn)


@needs(Need.FOUR_PUNGS, Need.NO_CLAIM)
def four_pungs_in_hand(facts: Facts) -> int:
    """Four pungs without a claimed set on the table, whichever of them the winning tile completed."""
    return int(len(facts.pungs) == 4 and not facts.tally.is_open)


@needs(Need.NO_SETS)
def seven_pairs(facts: Facts) -> int:
    """Seven pairs 七對子."""
    return int(facts.form in _PAIRS)


@needs(Need.NO_SETS, Need.ONLY_OUTSIDE)
def thirteen_orphans(facts: Facts) -> int:
    """One of each terminal and honour and one more of them 十三么."""
    return int(facts.form is _ORPHANS)


# Suits


@needs(Need.NO_SUIT)
def all_honours(facts: Facts) -> int:
    """Winds and dragons only 字一色."""
    return int(not facts.tally.suits)


@needs(Need.ONLY_OUTSIDE, Need.HONOURS)
def mixed_terminals(facts: Facts) -> int:
    """Four pungs and a pair of terminals and honours, both present 花么九."""
    counted = facts.tally
    return int(
        counted.only_orphans and counted.has_honours and counted.has_terminals and facts.form is _STANDARD
    )


@needs(Need.ONLY_OUTSIDE, Need.NO_HONOURS)
def all_terminals(facts: Facts) -> int:
    """Four pungs and a pair of ones and nines 清么九."""
    return int(facts.tally.only_orphans and not facts.tally.has_honours and facts.form is _STANDARD)


@needs(Need.ONE_SUIT, Need.NO_HONOURS, Need.NO_TABLE)
def nine_gates(facts: Facts) -> int:
    """1112345678999 and one more tile of one suit, nothing on the table 九子連環."""
    counted = facts.tally
    if len(counted.suits) != 1 or counted.has_honours or counted.hand.melds:
        return 0
    low = 9 * next(iter(counted.suits))
    return int(all(counted.counts[low + rank] >= need for rank, need in enumerate(_GATES)))


@needs(Need.ONE_SUIT, Need.NO_HONOURS, Need.NO_TABLE)
def nine_sided_gates(facts: Facts) -> int:
    """Nine gates where the tiles before the win were 1112345678999, so that all nine tiles of the suit would
    win."""
    if not nine_gates(facts) or facts.winning < 0:
        return 0
    rank = facts.winning % 9
    return int(facts.tally.counts[facts.winning] == _GATES[rank] + 1)


# Honours


@needs(Need.DRAGON_PUNG)
def dragon_pungs(facts: Facts) -> int:
    """Pungs of dragons, each once 三元牌."""
    return sum([tile in _DRAGON for tile in facts.pungs])


@needs(Need.TWO_PUNGS, Need.DRAGON_PUNG)
def small_three_dragons(facts: Facts) -> int:
    """Two pungs of dragons and a pair of the third 小三元."""
    return int(dragon_pungs(facts) == 2 and facts.pair in _DRAGON)


@needs(Need.THREE_PUNGS, Need.DRAGON_PUNG)
def big_three_dragons(facts: Facts) -> int:
    """Pungs of all three dragons 大三元."""
    return int(dragon_pungs(facts) == 3)


@needs(Need.WIND_PUNG)
def wind_pungs(facts: Facts) -> int:
    """Pungs of winds, each once."""
    return sum([tile in _WIND for tile in facts.pungs])


@needs(Need.THREE_PUNGS, Need.WIND_PUNG)
def small_four_winds(facts: Facts) -> int:
    """Three pungs of winds and a pair of the fourth 小四喜."""
    return int(wind_pungs(facts) == 3 and facts.pair in _WIND)


@needs(Need.FOUR_PUNGS, Need.WIND_PUNG)
def big_four_winds(facts: Facts) -> int:
    """Pungs of all four winds 大四喜."""
    return int(wind_pungs(facts) == 4)


@needs(Need.WIND_PUNG)
def seat_wind(facts: Facts) -> int:
    """A pung of the winner's own wind 門風."""
    return int(26 + facts.seat in facts.pungs)


@needs(Need.WIND_PUNG)
def round_wind(facts: Facts) -> int:
    """A pung of the wind of the round 圈風."""
    return int(26 + facts.round in facts.pungs)


# The way of winning


@needs(Need.DRAWN)
def self_draw(facts: Facts) -> int:
    """The winner drew the winning tile 自摸."""
    return int(facts.self_drawn)


@needs(Need.NO_TABLE)
def fully_standing(facts: Facts) -> int:
    """No set on the table at all, not even a concealed kong 門前清."""
    return int(not facts.tally.hand.melds)


@needs(Need.NO_CLAIM)
def concealed_hand(facts: Facts) -> int:
    """No claimed set; concealed kongs do not open the hand 門前清."""
    return int(not facts.tally.is_open)


@needs(Need.ROBBED)
def rob_kong(facts: Facts) -> int:
    """Won on the tile that another player added to a pung 搶槓."""
    return int(facts.win is _ROBBED)


@needs(Need.ROBBED, Need.FLAGS)
def robbed_concealed_kong(facts: Facts) -> int:
    """Won on the fourth tile of another player's concealed kong 搶暗槓."""
    return int(facts.win is _ROBBED and "robbed_concealed_kong" in facts.flags)


@needs(Need.FLAGS)
def kong_replacement(facts: Facts) -> int:
    """Drew the winning tile to replace a kong's fourth tile 槓上開花."""
    return int("kong_replacement" in facts.flags)


@needs(Need.FLAGS)
def flower_replacement(facts: Facts) -> int:
    """Drew the winning tile to replace a flower 花上, also the second in a row."""
    return int("flower_replacement" in facts.flags or "double_flower" in facts.flags)


@needs(Need.FLAGS)
def double_flower(facts: Facts) -> int:
    """Drew the winning tile to replace a flower that had replaced one 花上花."""
    return int("double_flower" in facts.flags)


@needs(Need.FLAGS)
def double_kong(facts: Facts) -> int:
    """Drew the winning tile after two kongs in a row 槓上槓."""
    return int("double_kong" in facts.flags)


@needs(Need.FLAGS, Need.DRAWN)
def last_tile_draw(facts: Facts) -> int:
    """Drew the last tile of the wall 海底撈月."""
    return int("last_wall_tile" in facts.flags and facts.self_drawn)


@needs(Need.FLAGS)
def last_tile_discard(facts: Facts) -> int:
    """Won on the discard after the last tile of the wall 河底撈魚."""
    return int("last_wall_tile" in facts.flags and not facts.self_drawn)


@needs(Need.FLAGS)
def last_tile(facts: Facts) -> int:
    """Won on the last tile of the wall, drawn or discarded 海底撈月."""
    return int("last_wall_tile" in facts.flags)


@needs(Need.FLAGS)
def heavenly_hand(facts: Facts) -> int:
    """The dealer wins with the tiles dealt 天糊."""
    return int("heavenly" in facts.flags)


@needs(Need.FLAGS)
def earthly_hand(facts: Facts) -> int:
    """Another player wins on the dealer's first discard 地糊."""
    return int("earthly" in facts.flags)


@needs(Need.FLAGS)
def humanly_hand(facts: Facts) -> int:
    """Won on a discard of the first go-around 人糊."""
    return int("humanly" in facts.flags)


# Flowers


@needs(Need.NO_FLOWERS)
def no_flowers(facts: Facts) -> int:
    """No flower or season 無花."""
    return int(facts.tally.flower_count == 0)


@needs(Need.FLOWERS)
def own_flower(facts: Facts) -> int:
    """The flower of the winner's seat 正花."""
    return int(facts.seat in facts.tally.flowers)


@needs(Need.FLOWERS)
def own_season(facts: Facts) -> int:
    """The season of the winner's seat 正季."""
    return int(facts.seat + 4 in facts.tally.flowers)


@needs(Need.FOUR_FLOWERS)
def all_flowers(facts: Facts) -> int:
    """Plum, orchid, chrysanthemum and bamboo 一台花."""
    return int(facts.tally.flowers >= {1, 2, 3, 4})


@needs(Need.FOUR_FLOWERS)
def all_seasons(facts: Facts) -> int:
    """Spring, summer, autumn and winter 一台花."""
    return int(facts.tally.flowers >= {5, 6, 7, 8})


@needs(Need.FOUR_FLOWERS)
def seven_flowers(facts: Facts) -> int:
    """Seven of the eight flowers and seasons 花糊."""
    return int(len(facts.tally.flowers) == 7)


@needs(Need.FOUR_FLOWERS)
def eight_flowers(facts: Facts) -> int:
    """All eight flowers and seasons 大花糊."""
    return int(len(facts.tally.flowers) == 8)


# Animals


@needs(Need.ANIMALS)
def animals(facts: Facts) -> int:
    """Cat, mouse, rooster and centipede, each once."""
    return len({tile.rank for tile in facts.tally.hand.bonus if tile.suit == "a"})


@needs(Need.ANIMALS)
def all_animals(facts: Facts) -> int:
    """All four animals."""
    return int(animals(facts) == 4)

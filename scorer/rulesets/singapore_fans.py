"""The records of Singapore's table, at the default prices and a limit that the rule set fills in."""

from __future__ import annotations

from scorer import evidence as tiles_of
from scorer import patterns, restrictions
from scorer.facts import Facts
from scorer.fan import Exclusion, Fan, FanGroup
from scorer.needs import Need, needs
from scorer.rulesets import singapore_patterns as own
from scorer.rulesets.records import excludes as _excludes
from scorer.rulesets.records import fan as _fan
from scorer.rulesets.singapore_payments import UNLIMITED

__all__ = ["fans"]

_SAME_TILES = "the greater pattern cannot be without the smaller one"
_INCLUDED = "the price includes the pungs in it"
_ONCE = "the draw is paid once, at the higher price"
_NOT_LAST = "a replacement tile is not the last tile of the wall"


def _limits(limit: int, wonders: int) -> tuple[Fan, ...]:
    hand, group = tiles_of.hand_tiles, FanGroup.LIMIT
    return (
        _fan("thirteen_wonders", wonders, "Thirteen Wonders", "十三幺", patterns.thirteen_orphans,
             hand, group, "sgm: 13, at most the limit"),
        _fan("big_three_dragons", min(10, limit), "Big Three Dragons", "大三元", patterns.big_three_dragons,
             tiles_of.dragon_tiles, group, "sgm: 10, at most the limit",
             _excludes(_SAME_TILES, "dragon_pung")),
        _fan("big_four_winds", limit, "Big Four Winds", "大四喜", patterns.big_four_winds,
             tiles_of.wind_tiles, group, "sgm: limit",
             _excludes(_SAME_TILES, "seat_wind", "round_wind", "all_pungs")),
        _fan("all_honours", limit, "All Honours", "字一色", patterns.all_honours, hand, group, "sgm: limit"),
        _fan("all_terminals", limit, "All Terminals", "清么九", patterns.all_terminals, hand, group,
             "sgm: limit", _excludes(_SAME_TILES, "all_pungs")),
        _fan("nine_gates", limit, "Nine Gates", "九莲宝灯", patterns.nine_gates, hand, group, "sgm: limit",
             _excludes(_SAME_TILES, "full_flush")),
        _fan("hidden_treasure", limit, "Hidden Treasure", "四暗刻", patterns.four_concealed_self_drawn,
             tiles_of.pung_tiles, group, "sgm: limit, self-drawn", _excludes(_SAME_TILES, "all_pungs")),
        _fan("eighteen_arhats", limit, "Eighteen Arhats", "十八罗汉", patterns.all_kongs, tiles_of.kong_tiles,
             group, "sgm: limit", _excludes(_SAME_TILES, "all_pungs")),
        _fan("heavenly_hand", limit, "Heavenly Hand", "天胡", patterns.heavenly_hand, hand, group,
             "sgm: limit"),
        _fan("earthly_hand", limit, "Earthly Hand", "地胡", patterns.earthly_hand, hand, group, "sgm: limit"),
        _fan("humanly_hand", limit, "Humanly Hand", "人胡", patterns.humanly_hand, hand, group, "sgm: limit"),
    )  # fmt: skip


def _shapes() -> tuple[Fan, ...]:
    hand, shape = tiles_of.hand_tiles, FanGroup.SHAPE
    return (
        _fan("ping_hu", 4, "Ping Hu", "平胡", own.ping_hu("hand", True), tiles_of.chow_tiles, shape,
             "sgm: 4, without bonus tiles"),
        _fan("full_flush", 4, "Full Flush", "清一色", patterns.full_flush, hand, shape, "sgm"),
        _fan("seven_pairs", 4, "Seven Pairs", "七对子", patterns.seven_pairs, hand, shape, "house rule"),
        _fan("all_green", 4, "All Green", "绿一色", restrictions.made_of("all_green"), hand, shape,
             "sgm: optional", _excludes(_SAME_TILES, "half_flush", "full_flush")),
        _fan("small_three_dragons", 3, "Small Three Dragons", "小三元", patterns.small_three_dragons,
             tiles_of.dragon_tiles, shape, "sgm: 3 with its two pungs", _excludes(_INCLUDED, "dragon_pung")),
        _fan("small_four_winds", 2, "Small Four Winds", "小四喜", patterns.small_four_winds,
             tiles_of.wind_tiles, shape, "sgm: 2 beside the winds"),
        _fan("mixed_terminals", 2, "Mixed Terminals", "混么九", patterns.mixed_terminals, hand, shape,
             "sgm: 2 beside the pungs"),
        _fan("half_flush", 2, "Half Flush", "半色", patterns.half_flush, hand, shape, "sgm"),
        _fan("all_pungs", 2, "All Pungs", "碰碰胡", patterns.all_pungs, tiles_of.pung_tiles, shape, "sgm"),
        _fan("lesser_ping_hu", 1, "Lesser Ping Hu", "小平胡", own.lesser_ping_hu(False, "hand", True),
             tiles_of.chow_tiles, shape, "sgm: 1, with bonus tiles"),
        _fan("dragon_pung", 1, "Dragon Pung", "三元牌", patterns.dragon_pungs, tiles_of.dragon_pung_tiles,
             shape, "sgm"),
        _fan("seat_wind", 1, "Seat Wind", "门风", patterns.seat_wind, tiles_of.seat_wind_tiles, shape, "sgm"),
        _fan("round_wind", 1, "Round Wind", "圈风", patterns.round_wind, tiles_of.round_wind_tiles, shape,
             "sgm"),
    )  # fmt: skip


def _circumstances(limit: int) -> tuple[Fan, ...]:
    tile, event = tiles_of.winning_tile, FanGroup.CIRCUMSTANCE
    return (
        _fan("kong_on_kong", min(10, limit), "Kong on Kong", "杠杠胡", patterns.double_kong, tile, event,
             "sgm: 10, at most the limit",
             (Exclusion(("kong_replacement",), _ONCE), Exclusion(("last_tile",), _NOT_LAST))),
        _fan("kong_replacement", 1, "Win on Kong Replacement", "杠上", patterns.kong_replacement, tile, event,
             "sgm", _excludes(_NOT_LAST, "last_tile")),
        _fan("flower_on_flower", 5, "Flower on Flower", "花上花", patterns.double_flower, tile, event,
             "house rule: 5 in some tables",
             (Exclusion(("flower_replacement",), _ONCE), Exclusion(("last_tile",), _NOT_LAST))),
        _fan("flower_replacement", 1, "Win on Flower Replacement", "花上", patterns.flower_replacement, tile,
             event, "sgm", _excludes(_NOT_LAST, "last_tile")),
        _fan("rob_kong", 1, "Robbing the Kong", "抢杠", patterns.rob_kong, tile, event, "sgm"),
        _fan("last_tile", 1, "Last Tile", "海底捞月", patterns.last_tile, tile, event,
             "sgm: not on a replacement tile"),
        _fan("self_draw", 1, "Self-Draw", "自摸", patterns.self_draw, tile, event, "house rule"),
        _fan("fully_concealed", 1, "Fully Concealed", "门清", own.fully_concealed(True),
             tiles_of.standing_tiles, event, "sgm: self-drawn; a concealed kong is no claim"),
    )  # fmt: skip


@needs(Need.FOUR_FLOWERS, Need.ROBBED)
def _seven_rob_one(facts: Facts) -> int:
    return int(patterns.eight_flowers(facts) and patterns.rob_kong(facts))


def _bonuses(limit: int) -> tuple[Fan, ...]:
    bonus, wins = FanGroup.BONUS, FanGroup.FLOWER_WIN
    flowers = ("complete_flower_group", "complete_season_group", "own_flower", "own_season")
    in_it = _excludes("eight flowers take in what the flowers are worth", *flowers)
    return (
        _fan("seven_rob_one", limit, "Seven Rob One", "七抢一", _seven_rob_one, tiles_of.bonus_tiles, wins,
             "sgm: limit, the eighth flower of another",
             (*in_it, Exclusion(("eight_flowers", "rob_kong"), "it is how the eight flowers came"))),
        _fan("eight_flowers", limit, "Eight Flowers", "花胡", patterns.eight_flowers, tiles_of.bonus_tiles,
             wins, "sgm: limit", in_it),
        _fan("complete_flower_group", 1, "Complete Flower Group", "一台花", patterns.all_flowers,
             tiles_of.flower_tiles, bonus, "sgm: 1 beside the own flower"),
        _fan("complete_season_group", 1, "Complete Season Group", "一台花", patterns.all_seasons,
             tiles_of.season_tiles, bonus, "sgm: 1 beside the own season"),
        _fan("all_animals", 1, "All Animals", "四兽", patterns.all_animals, tiles_of.animal_tiles, bonus,
             "sgm: 1 beside the four animals"),
        _fan("own_flower", 1, "Own Flower", "正花", patterns.own_flower, tiles_of.own_flower_tile, bonus,
             "sgm"),
        _fan("own_season", 1, "Own Season", "正季", patterns.own_season, tiles_of.own_season_tile, bonus,
             "sgm"),
        _fan("animal", 1, "Animal", "动物", patterns.animals, tiles_of.animal_tiles, bonus, "sgm"),
    )  # fmt: skip


def fans(limit: int | None) -> tuple[Fan, ...]:
    """Every record, limit hands at the limit or their own lower price."""
    price = UNLIMITED if limit is None else limit
    wonders = 13 if limit is None else min(13, limit)
    return (*_limits(price, wonders), *_shapes(), *_circumstances(price), *_bonuses(price))

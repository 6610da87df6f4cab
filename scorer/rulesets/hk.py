"""Hong Kong Old Style 香港舊章: the table that Chinese-language references and the Hong Kong associations
share.

Where they differ, the difference is a house rule (see `OPTIONS`); the defaults follow the majority. `source`
of a fan
names who prices it so: `zh` the Chinese and Cantonese Wikipedia articles, `hkma` the Hong Kong Mahjong
Association
rule book of 2023, `wikidot` mahjong.wikidot.com.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorer import evidence as tiles_of
from scorer import patterns
from scorer.bars import nobody_robs_concealed, orphans_rob_concealed
from scorer.facts import Facts
from scorer.fan import Exclusion, Fan, FanGroup, Name, Option, OptionValue
from scorer.ruleset import Bar, RuleSet, Table, closed
from scorer.rulesets.hk_payments import PAYMENT_OPTIONS, liability, of_several, pay, rotation
from scorer.rulesets.records import Count
from scorer.rulesets.records import excludes as _excludes
from scorer.rulesets.records import fan as _fan
from scorer.shapes import Form

__all__ = ["HONG_KONG", "OPTIONS"]

_YES_NO = (True, False)

#: The house rules, each with the default that most tables play.
OPTIONS: tuple[Option, ...] = (
    Option("min_faan", 3, "Fewest faan that win", low=0, high=13),
    Option("cap", 10, "Most faan that are paid; null for no limit", low=1, high=100, nullable=True,
           aliases=("limit",)),
    Option("bonus_counts_to_minimum", True, "Flowers, and having none, count toward the minimum 花計番",
           _YES_NO),
    Option("flowers", True, "Flowers and seasons are in play; otherwise nothing about them counts", _YES_NO),
    Option("flower_win", True, "Seven or eight flowers win at once 花糊", _YES_NO),
    Option("flower_set", "replaces", "A full set of flowers replaces the own flower or adds to it",
           ("replaces", "adds")),
    Option("full_flush", 7, "Faan of a full flush 清一色", low=4, high=10),
    Option("composites", "add",
           "Small/big dragons and small winds: 3, 5 and 3 beside the pungs in them; 5, 8 and 6 with them; or "
           "those and the pungs again", ("add", "include", "double")),
    Option("limit_hands_absorb", True, "A limit hand takes in every smaller pattern of its tiles", _YES_NO),
    Option("all_chows_pair", "any", "The pair of all chows 平糊", ("any", "suited")),
    Option("four_concealed_pungs", "pair_discard",
           "Four concealed pungs 坎坎糊 with a discard: never, for the pair, or any",
           ("self_draw", "pair_discard", "any_discard")),
    Option("nine_sided_wait", False, "Nine gates must wait for all nine tiles", _YES_NO),
    Option("concealed_kong_keeps_concealed", False, "A concealed kong does not open the hand", _YES_NO),
    Option("concealed_hand", "always", "When a concealed hand 門前清 counts",
           ("always", "without_flowers", "discard_only", "never")),
    Option("concealed_beside_limit", True,
           "A concealed hand counts beside a limit hand that must be concealed", _YES_NO),
    Option("flower_replacement_counts", False, "A win on the replacement of a flower counts as 槓上開花",
           _YES_NO),
    Option("last_tile_with_kong", True, "Last tile and kong replacement count together", _YES_NO),
    Option("double_kong", 8, "Faan of a win after two kongs in a row 槓上槓", low=2, high=13),
    Option("seven_pairs", None, "Faan of seven pairs 七對子; null where they do not win",
           (3, 4, 5, 10, 13), nullable=True),
    Option("heavenly_earthly", 13, "Faan of a heavenly or earthly hand; null where there is none", (10, 13),
           nullable=True),
    Option("humanly_hand", None, "Faan of a humanly hand 人糊; null where there is none", (3, 13),
           nullable=True),
    Option("rob_concealed_kong", "thirteen_orphans", "Which hand may rob a concealed kong",
           ("thirteen_orphans", "never")),
    *PAYMENT_OPTIONS,
)  # fmt: skip

_ABSORBS = "a limit hand takes in the smaller patterns of its tiles (zh)"
_SAME_TILES = "the greater pattern cannot be without the smaller one"
_IN_IT = "house rule: the price includes the pungs in it"
_ONCE = "the circumstance is paid once, at the higher price"
#: The prices of composite patterns with the pungs in them.
_WHOLE = {"big_three_dragons": 8, "small_three_dragons": 5, "small_four_winds": 6}


def _any_replacement(facts: Facts) -> int:
    return int(patterns.kong_replacement(facts) or patterns.flower_replacement(facts))


def _limits() -> tuple[Fan, ...]:
    hand, limit = tiles_of.hand_tiles, FanGroup.LIMIT
    return (
        _fan("big_four_winds", 13, "Big Four Winds", "大四喜", patterns.big_four_winds, tiles_of.wind_tiles,
             limit,
             "zh", _excludes(_SAME_TILES, "seat_wind", "round_wind", "all_pungs")),
        _fan("all_kongs", 13, "All Kongs", "十八羅漢", patterns.all_kongs, tiles_of.kong_tiles, limit,
             "zh", _excludes(_SAME_TILES, "all_pungs", "four_concealed_pungs")),
        _fan("thirteen_orphans", 13, "Thirteen Orphans", "十三么", patterns.thirteen_orphans, hand, limit,
             "zh"),
        _fan("heavenly_hand", 13, "Heavenly Hand", "天糊", patterns.heavenly_hand, hand, limit, "zh"),
        _fan("earthly_hand", 13, "Earthly Hand", "地糊", patterns.earthly_hand, hand, limit, "zh"),
        _fan("humanly_hand", 13, "Humanly Hand", "人糊", patterns.humanly_hand, hand, limit, "zh"),
        _fan("all_honours", 10, "All Honours", "字一色", patterns.all_honours, hand, limit,
             "zh, hkma, wikidot", _excludes(_SAME_TILES, "all_pungs", "mixed_terminals")),
        _fan("all_terminals", 10, "All Terminals", "清么九", patterns.all_terminals, hand, limit,
             "zh, hkma", _excludes(_SAME_TILES, "all_pungs")),
        _fan("nine_gates", 10, "Nine Gates", "九子連環", patterns.nine_gates, hand, limit,
             "zh, hkma", _excludes(_SAME_TILES, "full_flush")),
    )  # fmt: skip


def _shapes() -> tuple[Fan, ...]:
    hand, shape = tiles_of.hand_tiles, FanGroup.SHAPE
    return (
        _fan("four_concealed_pungs", 8, "Four Concealed Pungs", "坎坎糊", patterns.four_concealed_pungs,
             tiles_of.pung_tiles, shape, "zh, wikidot", _excludes(_SAME_TILES, "all_pungs")),
        _fan("full_flush", 7, "Full Flush", "清一色", patterns.full_flush, hand, shape, "zh, hkma, wikidot"),
        _fan("big_three_dragons", 5, "Big Three Dragons", "大三元", patterns.big_three_dragons,
             tiles_of.dragon_tiles,
             shape, "zh, hkma: 5 and its three pungs"),
        _fan("seven_pairs", 4, "Seven Pairs", "七對子", patterns.seven_pairs, hand, shape, "zh: optional"),
        _fan("small_four_winds", 3, "Small Four Winds", "小四喜", patterns.small_four_winds,
             tiles_of.wind_tiles,
             shape, "zh: 3 and its parts"),
        _fan("small_three_dragons", 3, "Small Three Dragons", "小三元", patterns.small_three_dragons,
             tiles_of.dragon_tiles, shape, "zh, hkma: 3 and its two pungs"),
        _fan("half_flush", 3, "Half Flush", "混一色", patterns.half_flush, hand, shape, "zh, hkma, wikidot"),
        _fan("all_pungs", 3, "All Pungs", "對對糊", patterns.all_pungs, tiles_of.pung_tiles, shape,
             "zh, hkma, wikidot"),
        _fan("mixed_terminals", 1, "Mixed Terminals", "花么九", patterns.mixed_terminals, hand, shape,
             "zh, hkma: 1 beside all pungs"),
        _fan("all_chows", 1, "All Chows", "平糊", patterns.all_chows, tiles_of.chow_tiles, shape, "zh, hkma"),
        _fan("dragon_pung", 1, "Dragon Pung", "三元牌", patterns.dragon_pungs, tiles_of.dragon_pung_tiles,
             shape,
             "zh, hkma, wikidot"),
        _fan("seat_wind", 1, "Seat Wind", "門風", patterns.seat_wind, tiles_of.seat_wind_tiles, shape,
             "zh, hkma, wikidot"),
        _fan("round_wind", 1, "Round Wind", "圈風", patterns.round_wind, tiles_of.round_wind_tiles, shape,
             "zh, hkma, wikidot"),
    )  # fmt: skip


def _circumstances() -> tuple[Fan, ...]:
    tile, event = tiles_of.winning_tile, FanGroup.CIRCUMSTANCE
    return (
        _fan("double_kong", 8, "Win after Double Kong", "槓上槓", patterns.double_kong, tile, event,
             "zh, wikidot", _excludes(_ONCE, "kong_replacement")),
        _fan("kong_replacement", 1, "Win on Kong Replacement", "槓上開花", patterns.kong_replacement, tile,
             event,
             "zh, hkma: 1 beside self-draw"),
        _fan("rob_kong", 1, "Robbing the Kong", "搶槓", patterns.rob_kong, tile, event, "zh, hkma, wikidot"),
        _fan("last_tile_draw", 1, "Last Tile Draw", "海底撈月", patterns.last_tile_draw, tile, event,
             "zh, hkma, wikidot"),
        _fan("last_tile_discard", 1, "Last Tile Discard", "河底撈魚", patterns.last_tile_discard, tile, event,
             "zh, hkma, wikidot"),
        _fan("self_draw", 1, "Self-Draw", "自摸", patterns.self_draw, tile, event, "zh, hkma"),
        _fan("concealed_hand", 1, "Concealed Hand", "門前清", patterns.fully_standing,
             tiles_of.standing_tiles, event,
             "zh, hkma"),
    )  # fmt: skip


def _bonuses() -> tuple[Fan, ...]:
    bonus, wins = FanGroup.BONUS, FanGroup.FLOWER_WIN
    replaces = "a full set is paid instead of the own tile in it (zh)"
    return (
        _fan("eight_flowers", 8, "Eight Flowers", "大花糊", patterns.eight_flowers, tiles_of.bonus_tiles,
             wins,
             "zh, wikidot"),
        _fan("seven_flowers", 3, "Seven Flowers", "花糊", patterns.seven_flowers, tiles_of.bonus_tiles, wins,
             "zh: 2 and 1 for the draw"),
        _fan("all_flowers", 2, "All Flowers", "一台花", patterns.all_flowers, tiles_of.flower_tiles, bonus,
             "zh, wikidot", _excludes(replaces, "own_flower")),
        _fan("all_seasons", 2, "All Seasons", "一台花", patterns.all_seasons, tiles_of.season_tiles, bonus,
             "zh, wikidot", _excludes(replaces, "own_season")),
        _fan("own_flower", 1, "Own Flower", "正花", patterns.own_flower, tiles_of.own_flower_tile, bonus,
             "zh, wikidot"),
        _fan("own_season", 1, "Own Season", "正季", patterns.own_season, tiles_of.own_season_tile, bonus,
             "zh, wikidot"),
        _fan("no_flowers", 1, "No Flowers", "無花", patterns.no_flowers, tiles_of.bonus_tiles, bonus,
             "zh, wikidot"),
    )  # fmt: skip


def _concealed(options: Mapping[str, OptionValue]) -> Count:
    keeps = patterns.concealed_hand if options["concealed_kong_keeps_concealed"] else patterns.fully_standing
    when = options["concealed_hand"]
    if when == "without_flowers":
        return lambda facts: int(keeps(facts) and not facts.tally.flower_count)
    if when == "discard_only":
        return lambda facts: int(keeps(facts) and not facts.self_drawn)
    return keeps


def _without(options: Mapping[str, OptionValue]) -> set[str]:
    """The fans that the house rules take off the table."""
    off: set[str] = set()
    if options["seven_pairs"] is None:
        off.add("seven_pairs")
    if options["heavenly_earthly"] is None:
        off |= {"heavenly_hand", "earthly_hand"}
    if options["humanly_hand"] is None:
        off.add("humanly_hand")
    if options["concealed_hand"] == "never":
        off.add("concealed_hand")
    if not options["flowers"]:
        off |= {fan.id for fan in _bonuses()}
    return off


def _house_rule(fan: Fan, options: Mapping[str, OptionValue]) -> Fan:
    """The record as the house rules change it."""
    prices = {
        "full_flush": options["full_flush"],
        "double_kong": options["double_kong"],
        "seven_pairs": options["seven_pairs"],
        "heavenly_hand": options["heavenly_earthly"],
        "earthly_hand": options["heavenly_earthly"],
        "humanly_hand": options["humanly_hand"],
    }
    price = prices.get(fan.id)
    if isinstance(price, int):
        fan = replace(fan, points=price)
    if options["composites"] != "add" and fan.id in _WHOLE:
        fan = replace(fan, points=_WHOLE[fan.id])
        if options["composites"] == "include":
            parts = ("seat_wind", "round_wind") if fan.id == "small_four_winds" else ("dragon_pung",)
            fan = replace(fan, excludes=_excludes(_IN_IT, *parts))
    if fan.id in ("all_flowers", "all_seasons") and options["flower_set"] == "adds":
        fan = replace(fan, excludes=())
    if fan.id == "humanly_hand" and options["humanly_hand"] == 3:
        fan = replace(fan, group=FanGroup.CIRCUMSTANCE)
    if fan.id == "kong_replacement" and not options["last_tile_with_kong"]:
        fan = replace(fan, excludes=_excludes("house rule: not both", "last_tile_draw"))
    return _house_pattern(fan, options)


def _house_pattern(fan: Fan, options: Mapping[str, OptionValue]) -> Fan:
    """The record with the predicate that the house rules choose."""
    if fan.id == "concealed_hand":
        return replace(fan, when=_concealed(options))
    if fan.id == "nine_gates" and options["nine_sided_wait"]:
        return replace(fan, when=patterns.nine_sided_gates)
    if fan.id == "all_chows" and options["all_chows_pair"] == "suited":
        return replace(fan, when=patterns.all_chows_suited_pair)
    if fan.id == "kong_replacement" and options["flower_replacement_counts"]:
        return replace(fan, when=_any_replacement)
    if fan.id == "four_concealed_pungs":
        choices: dict[OptionValue, Count] = {
            "self_draw": patterns.four_concealed_self_drawn,
            "any_discard": patterns.four_pungs_in_hand,
        }
        return replace(fan, when=choices.get(options["four_concealed_pungs"], fan.when))
    return fan


def _absorbing(fan: Fan, fans: tuple[Fan, ...], options: Mapping[str, OptionValue]) -> Fan:
    """A limit hand with everything that it takes in. Limit hands of one price stand beside each other."""
    if fan.group is FanGroup.LIMIT and options["limit_hands_absorb"]:
        smaller = tuple(
            other.id
            for other in fans
            if other.group is FanGroup.SHAPE or (other.group is FanGroup.LIMIT and other.points < fan.points)
        )
        # What it contains in any case is named last, and so for that reason.
        fan = replace(fan, excludes=(Exclusion(smaller, _ABSORBS), *fan.excludes))
    # The all-kongs hand and four winds may be open; these can only ever be concealed.
    concealed = {"thirteen_orphans", "nine_gates", "four_concealed_pungs", "heavenly_hand", "earthly_hand"}
    if fan.id in concealed and not options["concealed_beside_limit"]:
        implied = Exclusion(("concealed_hand",), "house rule: such a hand is concealed anyway")
        fan = replace(fan, excludes=(*fan.excludes, implied))
    return fan


def _robbing(options: Mapping[str, OptionValue]) -> Bar:
    rule = "house rule rob_concealed_kong"
    if options["rob_concealed_kong"] == "never":
        return nobody_robs_concealed(rule)
    return orphans_rob_concealed(rule)


def _table(options: Mapping[str, OptionValue]) -> Table:
    off = _without(options)
    records = (*_limits(), *_shapes(), *_circumstances(), *_bonuses())
    fans = tuple(_house_rule(fan, options) for fan in records if fan.id not in off)
    fans = tuple(_absorbing(fan, fans, options) for fan in fans)
    forms = {Form.STANDARD, Form.THIRTEEN_ORPHANS}
    if options["seven_pairs"] is not None:
        forms.add(Form.SEVEN_PAIRS)
    minimum, cap = options["min_faan"], options["cap"]
    if not isinstance(minimum, int) or not (cap is None or isinstance(cap, int)):
        raise TypeError("house rules must have passed require_options")
    return Table(
        fans=fans,
        shut=closed(fans),
        forms=frozenset(forms),
        minimum=minimum,
        cap=cap,
        bonus_to_minimum=bool(options["bonus_counts_to_minimum"]),
        flower_win=7 if options["flowers"] and options["flower_win"] else None,
        bonus_suits=frozenset("f" if options["flowers"] else ""),
        bars=(_robbing(options),),
    )


HONG_KONG = RuleSet(
    id="hk",
    name=Name("Hong Kong Old Style", "香港舊章麻雀"),
    options=OPTIONS,
    build=_table,
    sources=(
        "Chinese and Cantonese Wikipedia, articles on Hong Kong mahjong (zh)",
        "Hong Kong Mahjong Association rule book, 2023 (hkma)",
        "mahjong.wikidot.com, Hong Kong Old Style (wikidot)",
    ),
    pay=pay,
    rotation=rotation,
    of_several=of_several,
    liability=liability,
)

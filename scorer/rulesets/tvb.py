"""The TVB Mahjong Brain Fitness Championship 2026: seventeen patterns and nothing else, one to ten fan, no
flowers.

The profile `aus` follows the English text of the Australian entry with the table of the Chinese text;
`usa` the Chinese text of the other station. Where the text is silent, an option says how it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from scorer import evidence as tiles_of
from scorer import patterns
from scorer.bars import nobody_robs_concealed
from scorer.facts import Facts
from scorer.fan import Exclusion, Fan, FanGroup, Name, Option, OptionValue
from scorer.needs import Need, needs
from scorer.ruleset import Bar, RuleSet, Table, closed
from scorer.rulesets.tvb_payments import liability, minor_fault, of_several, pay, rotation
from scorer.shapes import Form
from scorer.tiles import Tile

__all__ = ["OPTIONS", "TVB"]

_Tiles = Callable[[Facts], tuple[Tile, ...]]

_YES_NO = (True, False)

OPTIONS: tuple[Option, ...] = (
    Option("profile", "aus", "Whose text the other options start from", ("aus", "usa")),
    Option("min_fan", 1, "Fewest fan that win (rule 5b)", low=0, high=10),
    Option("cap", 10, "Most fan that are paid (rule 5b)", low=1, high=10, aliases=("max_fan",)),
    Option("limit_hands_absorb", True,
           "A hand of ten fan takes in the smaller patterns of its tiles; the total is ten either way",
           _YES_NO),
    Option("dragon_pungs_in_big_dragons", False,
           "First and second dragon pung (A7, A8) count beside big three dragons 大三元", _YES_NO),
    Option("wind_pungs_in_four_winds", False,
           "Seat and round wind (A3, A4) count beside small four winds 小四喜", _YES_NO),
    Option("kong_replacement_with_self_draw", True,
           "Self-draw (A2) counts beside the win on a kong's replacement (A6)", _YES_NO),
    Option("last_tile_with_self_draw", True, "Self-draw (A2) counts beside the last tile (A5)", _YES_NO),
    Option("rob_concealed_kong", False, "A concealed kong may be robbed like another (rules 5b and 5e)",
           _YES_NO),
    Option("concealed_kong_counts", True,
           "A hand with a declared concealed kong may win; no: the other reading of rule 5b", _YES_NO),
    Option("intercept", "turn_order",
           "Who wins among several (rule 5d): the first in turn after the discarder, or the one before him",
           ("turn_order", "previous_player")),
)  # fmt: skip

#: What the profile `usa` reads otherwise.
USA: Mapping[str, OptionValue] = {"rob_concealed_kong": True}

_ABSORBS = "a hand of ten fan takes in the smaller patterns of its tiles"
_NOT_WITH_SMALL = "appendix 3, A7 and A8: not with small three dragons"
_IN_DRAGONS = "reading: the price of big three dragons includes its pungs"
_IN_WINDS = "reading: the price of small four winds includes its pungs, as small three dragons does"
_NOT_BOTH = "reading: the draw is paid once"
_SAME_TILES = "the greater pattern cannot be without the smaller one"


@needs(Need.DRAGON_PUNG)
def _first_dragon(facts: Facts) -> int:
    return int(patterns.dragon_pungs(facts) >= 1)


@needs(Need.DRAGON_PUNG, Need.TWO_PUNGS)
def _second_dragon(facts: Facts) -> int:
    return int(patterns.dragon_pungs(facts) >= 2)


def _fan(
    number: int, ident: str, points: int, en: str, zh: str, when: Callable[[Facts], int], where: _Tiles,
    group: FanGroup, code: str, *excludes: Exclusion,
) -> Fan:  # fmt: skip
    source = f"TVB 2026, appendix 3, {code}"
    return Fan(ident, points, Name(en, zh), when, group, source, excludes, where, number=number)


def _records() -> tuple[Fan, ...]:
    """The table; a fan stands before those that it shuts out, `number` is its place in appendix 3."""
    hand, pungs, tile = tiles_of.hand_tiles, tiles_of.pung_tiles, tiles_of.winning_tile
    limit, shape, event = FanGroup.LIMIT, FanGroup.SHAPE, FanGroup.CIRCUMSTANCE
    dragons = ("second_dragon_pung", "first_dragon_pung")
    return (
        _fan(15, "big_four_winds", 10, "Big Four Winds", "大四喜", patterns.big_four_winds,
             tiles_of.wind_tiles, limit, "X2",
             Exclusion(("all_pungs", "seat_wind", "round_wind"), _SAME_TILES)),
        _fan(16, "thirteen_orphans", 10, "Thirteen Orphans", "十三幺", patterns.thirteen_orphans, hand, limit,
             "X3"),
        _fan(17, "all_honours", 10, "All Honours", "字一色", patterns.all_honours, hand, limit, "X4",
             Exclusion(("all_pungs",), _SAME_TILES)),
        _fan(14, "big_three_dragons", 8, "Big Three Dragons", "大三元", patterns.big_three_dragons,
             tiles_of.dragon_tiles, shape, "X1", Exclusion(dragons, _IN_DRAGONS)),
        _fan(13, "full_flush", 7, "Full Flush", "清一色", patterns.full_flush, hand, shape, "B5"),
        _fan(12, "small_four_winds", 5, "Small Four Winds", "小四喜", patterns.small_four_winds,
             tiles_of.wind_tiles, shape, "B4", Exclusion(("seat_wind", "round_wind"), _IN_WINDS)),
        _fan(11, "small_three_dragons", 4, "Small Three Dragons", "小三元", patterns.small_three_dragons,
             tiles_of.dragon_tiles, shape, "B3", Exclusion(dragons, _NOT_WITH_SMALL)),
        _fan(10, "half_flush", 3, "Half Flush", "混一色", patterns.half_flush, hand, shape, "B2"),
        _fan(9, "all_pungs", 3, "All Pungs", "對對胡", patterns.all_pungs, pungs, shape, "B1"),
        _fan(1, "all_chows", 1, "All Chows", "平胡", patterns.all_chows_suited_pair, tiles_of.chow_tiles,
             shape, "A1"),
        _fan(3, "round_wind", 1, "Round Wind", "圈風刻", patterns.round_wind, tiles_of.round_wind_tiles,
             shape, "A3"),
        _fan(4, "seat_wind", 1, "Seat Wind", "門風刻", patterns.seat_wind, tiles_of.seat_wind_tiles, shape,
             "A4"),
        _fan(7, "first_dragon_pung", 1, "First Dragon Pung", "中發白其中一刻", _first_dragon,
             tiles_of.dragon_pung_tiles, shape, "A7"),
        _fan(8, "second_dragon_pung", 1, "Second Dragon Pung", "中發白其中第二刻", _second_dragon,
             tiles_of.dragon_pung_tiles, shape, "A8"),
        _fan(5, "last_tile", 1, "Last Tile", "海底撈月", patterns.last_tile, tile, event, "A5"),
        _fan(6, "kong_replacement", 1, "Win on Kong Replacement", "槓上自摸", patterns.kong_replacement, tile,
             event, "A6"),
        _fan(2, "self_draw", 1, "Self-Draw", "自摸", patterns.self_draw, tile, event, "A2"),
    )  # fmt: skip


def _read(fan: Fan, fans: tuple[Fan, ...], options: Mapping[str, OptionValue]) -> Fan:
    """The record as the options change it."""
    if fan.id == "big_three_dragons" and options["dragon_pungs_in_big_dragons"]:
        return replace(fan, excludes=())
    if fan.id == "small_four_winds" and options["wind_pungs_in_four_winds"]:
        return replace(fan, excludes=())
    if fan.id in ("kong_replacement", "last_tile") and not options[f"{fan.id}_with_self_draw"]:
        return replace(fan, excludes=(Exclusion(("self_draw",), _NOT_BOTH),))
    if fan.group is FanGroup.LIMIT and options["limit_hands_absorb"]:
        smaller = tuple(other.id for other in fans if other.group is FanGroup.SHAPE)
        return replace(fan, excludes=(Exclusion(smaller, _ABSORBS), *fan.excludes))
    return fan


def _holds_concealed_kong(facts: Facts) -> str | None:
    if facts.tally.concealed_kongs:
        return "a concealed kong cannot be used to win (rule 5b, option concealed_kong_counts)"
    return None


def _bars(options: Mapping[str, OptionValue]) -> tuple[Bar, ...]:
    robs = nobody_robs_concealed("rule 5b, option rob_concealed_kong")
    bars = {robs: options["rob_concealed_kong"], _holds_concealed_kong: options["concealed_kong_counts"]}
    return tuple(bar for bar, allowed in bars.items() if not allowed)


def _table(options: Mapping[str, OptionValue]) -> Table:
    records = _records()
    fans = tuple(_read(fan, records, options) for fan in records)
    minimum, cap = options["min_fan"], options["cap"]
    if not isinstance(minimum, int) or not isinstance(cap, int):
        raise TypeError("house rules must have passed require_options")
    return Table(
        fans=fans,
        shut=closed(fans),
        forms=frozenset({Form.STANDARD, Form.THIRTEEN_ORPHANS}),
        minimum=minimum,
        cap=cap,
        bonus_suits=frozenset(),
        bars=_bars(options),
    )


TVB = RuleSet(
    id="tvb",
    name=Name("TVB Mahjong Brain Fitness Championship 2026", "無綫麻雀健腦大賽 2026"),
    options=OPTIONS,
    build=_table,
    sources=(
        "TVB Mahjong Brain Fitness Championship 2026, Mahjong Rules of the Australian entry",
        "The Chinese text of the United States station, appendices 1 to 3",
    ),
    profiles={"usa": USA},
    pay=pay,
    rotation=rotation,
    fault=minor_fault,
    of_several=of_several,
    liability=liability,
)

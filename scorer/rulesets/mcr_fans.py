"""The 81 fans of the Chinese Official rules 国标麻将, and the kong fan that the supplementary rules add.

A record's number, points and names are those of the 1998 competition table. `source` cites what its
exclusions rest on: `1998` the notes of that table, `MIL` annex 1 of the supplementary rules of the Mahjong
International League of 2025 by item, `non-repeat` the principle that a fan implied by another is not counted
beside it.
"""

from __future__ import annotations

from collections.abc import Callable

from scorer import evidence as tiles_of
from scorer import patterns, restrictions
from scorer.facts import Facts
from scorer.fan import Exclusion, Fan, FanGroup, Name
from scorer.rulesets import mcr_patterns as mcr
from scorer.tiles import Tile

__all__ = ["fans"]

_Count = Callable[[Facts], int]
_Tiles = Callable[[Facts], tuple[Tile, ...]]

_IMPLIED = "non-repeat: the greater fan cannot be without it"
_NOTE = "the note of the 1998 table"
_MIL = "MIL annex 1, item "

_HAND = tiles_of.hand_tiles
_LAST = tiles_of.winning_tile
_SHAPE, _EVENT = FanGroup.SHAPE, FanGroup.CIRCUMSTANCE


def _fan(
    number: int | None, ident: str, points: int, en: str, zh: str, when: _Count, where: _Tiles, source: str,
    *excludes: Exclusion, group: FanGroup = _SHAPE,
) -> Fan:  # fmt: skip
    return Fan(ident, points, Name(en, zh), when, group, source, excludes, where, number=number)


def _no(*fans: str, rule: str = _IMPLIED) -> Exclusion:
    return Exclusion(fans, rule)


def _own(*fans: str, rule: str = "non-repeat: for the sets in the greater fan") -> Exclusion:
    return Exclusion(fans, rule, own_sets=True)


_OUTSIDE_PUNG = "pung_of_terminals_or_honors"
#: Hands that cannot be but concealed, and wait for one tile of a pair.
_CONCEALED = _no("fully_concealed_hand", "concealed_hand", rule=f"{_MIL}1; 1998")
_ONE_BY_ONE = _no("single_wait", rule=_NOTE)


def _of_88() -> tuple[Fan, ...]:
    return (
        _fan(1, "big_four_winds", 88, "Big Four Winds", "大四喜", patterns.big_four_winds,
             tiles_of.wind_tiles,
             "1998; MIL 7",
             _no("big_three_winds", "all_pungs", "prevalent_wind", "seat_wind", _OUTSIDE_PUNG)),
        _fan(2, "big_three_dragons", 88, "Big Three Dragons", "大三元", patterns.big_three_dragons,
             tiles_of.dragon_pung_tiles, "1998; MIL 8", _no("two_dragon_pungs", "dragon_pung"),
             _own(_OUTSIDE_PUNG)),
        _fan(3, "all_green", 88, "All Green", "绿一色", restrictions.made_of("all_green"), _HAND,
             "1998; MIL 13",
             _no("half_flush", rule=f"{_NOTE}; {_MIL}13")),
        _fan(4, "nine_gates", 88, "Nine Gates", "九莲宝灯", patterns.nine_sided_gates, _HAND, "1998; MIL 12",
             _no("full_flush", "no_honors"), _CONCEALED,
             Exclusion((_OUTSIDE_PUNG,), f"{_MIL}12: one fewer", times=1)),
        _fan(5, "four_kongs", 88, "Four Kongs", "四杠", mcr.kongs(4), tiles_of.kong_tiles, "1998; MIL 5",
             _no("three_kongs", "all_pungs", "two_concealed_kongs", "two_melded_kongs", "concealed_kong",
                 "melded_kong", "concealed_kong_and_melded_kong", "single_wait")),
        _fan(6, "seven_shifted_pairs", 88, "Seven Shifted Pairs", "连七对", mcr.seven_shifted_pairs, _HAND,
             "1998; MIL 1", _no("seven_pairs", "full_flush", "no_honors"), _CONCEALED, _ONE_BY_ONE),
        _fan(7, "thirteen_orphans", 88, "Thirteen Orphans", "十三幺", patterns.thirteen_orphans, _HAND,
             "1998; MIL 1", _no("all_terminals_and_honors", "all_types"), _CONCEALED, _ONE_BY_ONE),
    )  # fmt: skip


def _of_64_and_48() -> tuple[Fan, ...]:
    return (
        _fan(8, "all_terminals", 64, "All Terminals", "清幺九", restrictions.made_of("all_terminals"), _HAND,
             "1998; MIL 14",
             _no("all_terminals_and_honors", "all_pungs", "outside_hand", _OUTSIDE_PUNG, "no_honors"),
             _no("double_pung", rule=f"{_NOTE}; {_MIL}14")),
        _fan(9, "little_four_winds", 64, "Little Four Winds", "小四喜", patterns.small_four_winds,
             tiles_of.wind_tiles, "1998; MIL 7", _no("big_three_winds"), _own(_OUTSIDE_PUNG)),
        _fan(10, "little_three_dragons", 64, "Little Three Dragons", "小三元", patterns.small_three_dragons,
             tiles_of.dragon_tiles, "1998; MIL 8", _no("two_dragon_pungs", "dragon_pung"),
             _own(_OUTSIDE_PUNG)),
        _fan(11, "all_honors", 64, "All Honors", "字一色", restrictions.made_of("all_honors"), _HAND,
             "1998; non-repeat",
             _no("all_terminals_and_honors", "all_pungs", "outside_hand", _OUTSIDE_PUNG)),
        _fan(12, "four_concealed_pungs", 64, "Four Concealed Pungs", "四暗刻", mcr.concealed_pungs(4),
             tiles_of.concealed_pung_tiles, "1998; MIL 1, 5",
             _no("three_concealed_pungs", "all_pungs", "two_concealed_pungs"), _CONCEALED),
        _fan(13, "pure_terminal_chows", 64, "Pure Terminal Chows", "一色双龙会",
             mcr.chows("pure_terminal_chows"),
             _HAND, "1998; non-repeat",
             _no("seven_pairs", "full_flush", "all_chows", "pure_double_chow", "two_terminal_chows",
                 "no_honors")),
        _fan(14, "quadruple_chow", 48, "Quadruple Chow", "一色四同顺", mcr.chows("quadruple_chow"),
             tiles_of.chow_tiles, "1998; MIL 11",
             _no("pure_triple_chow", "pure_shifted_pungs", "tile_hog", "pure_double_chow")),
        _fan(15, "four_pure_shifted_pungs", 48, "Four Pure Shifted Pungs", "一色四节高",
             mcr.pungs("four_pure_shifted_pungs"), tiles_of.pung_tiles, "1998; non-repeat",
             _no("pure_triple_chow", "pure_shifted_pungs", "all_pungs")),
    )  # fmt: skip


def _of_32() -> tuple[Fan, ...]:
    return (
        _fan(16, "four_pure_shifted_chows", 32, "Four Pure Shifted Chows", "一色四步高",
             mcr.chows("four_pure_shifted_chows"), tiles_of.chow_tiles, "1998; MIL 11",
             _no("pure_shifted_chows", "short_straight", "two_terminal_chows", rule=f"{_MIL}11")),
        _fan(17, "three_kongs", 32, "Three Kongs", "三杠", mcr.kongs(3), tiles_of.kong_tiles, "1998; MIL 5",
             _no("two_concealed_kongs", "two_melded_kongs", "concealed_kong", "melded_kong",
                 "concealed_kong_and_melded_kong")),
        _fan(18, "all_terminals_and_honors", 32, "All Terminals and Honors", "混幺九",
             restrictions.all_terminals_and_honours, _HAND, "1998; non-repeat",
             _no("all_pungs", "outside_hand", _OUTSIDE_PUNG)),
    )  # fmt: skip


def _of_24() -> tuple[Fan, ...]:
    return (
        _fan(19, "seven_pairs", 24, "Seven Pairs", "七对", mcr.seven_pairs, _HAND, "1998; MIL 1, 2",
             _CONCEALED,
             _ONE_BY_ONE),
        _fan(20, "greater_honors_and_knitted_tiles", 24, "Greater Honors and Knitted Tiles", "七星不靠",
             mcr.greater_honours_and_knitted, _HAND, "1998; MIL 1",
             _no("lesser_honors_and_knitted_tiles", "all_types"), _CONCEALED, _ONE_BY_ONE),
        _fan(21, "all_even_pungs", 24, "All Even Pungs", "全双刻", mcr.all_even_pungs, _HAND, "1998; MIL 2",
             _no("all_pungs", "all_simples", "no_honors")),
        _fan(22, "full_flush", 24, "Full Flush", "清一色", restrictions.full_flush, _HAND, "1998",
             _no("no_honors")),
        _fan(23, "pure_triple_chow", 24, "Pure Triple Chow", "一色三同顺", mcr.chows("pure_triple_chow"),
             tiles_of.chows_of("pure_triple_chow"), "1998; MIL 11", _no("pure_shifted_pungs"),
             _own("pure_double_chow")),
        _fan(24, "pure_shifted_pungs", 24, "Pure Shifted Pungs", "一色三节高",
             mcr.pungs("pure_shifted_pungs"),
             tiles_of.pungs_of("pure_shifted_pungs"), "1998", _no("pure_triple_chow")),
        _fan(25, "upper_tiles", 24, "Upper Tiles", "全大", restrictions.made_of("upper_tiles"), _HAND,
             "1998; non-repeat",
             _no("upper_four", "no_honors")),
        _fan(26, "middle_tiles", 24, "Middle Tiles", "全中", restrictions.made_of("middle_tiles"),
             _HAND, "1998",
             _no("all_simples", "no_honors")),
        _fan(27, "lower_tiles", 24, "Lower Tiles", "全小", restrictions.made_of("lower_tiles"), _HAND,
             "1998; non-repeat",
             _no("lower_four", "no_honors")),
    )  # fmt: skip


def _of_16() -> tuple[Fan, ...]:
    return (
        _fan(28, "pure_straight", 16, "Pure Straight", "清龙", mcr.chows("pure_straight"),
             tiles_of.chows_of("pure_straight"), "1998; MIL 11",
             _own("short_straight", "two_terminal_chows")),
        _fan(29, "three_suited_terminal_chows", 16, "Three-Suited Terminal Chows", "三色双龙会",
             mcr.chows("three_suited_terminal_chows"), _HAND, "1998; MIL 11",
             _no("all_chows", "mixed_double_chow", "two_terminal_chows", "no_honors")),
        _fan(30, "pure_shifted_chows", 16, "Pure Shifted Chows", "一色三步高",
             mcr.chows("pure_shifted_chows"),
             tiles_of.chows_of("pure_shifted_chows"), "1998; MIL 11"),
        _fan(31, "all_fives", 16, "All Fives", "全带五", mcr.all_fives, _HAND, "1998; MIL 2",
             _no("all_simples", "no_honors")),
        _fan(32, "triple_pung", 16, "Triple Pung", "三同刻", mcr.pungs("triple_pung"),
             tiles_of.pungs_of("triple_pung"), "1998; non-repeat", _own("double_pung")),
        _fan(33, "three_concealed_pungs", 16, "Three Concealed Pungs", "三暗刻", mcr.concealed_pungs(3),
             tiles_of.concealed_pung_tiles, "1998; MIL 5", _no("two_concealed_pungs")),
    )  # fmt: skip


def _of_12() -> tuple[Fan, ...]:
    return (
        _fan(34, "lesser_honors_and_knitted_tiles", 12, "Lesser Honors and Knitted Tiles", "全不靠",
             mcr.lesser_honours_and_knitted, _HAND, "1998; MIL 1", _no("all_types"), _CONCEALED,
             _ONE_BY_ONE),
        _fan(35, "knitted_straight", 12, "Knitted Straight", "组合龙", mcr.knitted_straight,
             tiles_of.knitted_tiles, "1998; MIL 9"),
        _fan(36, "upper_four", 12, "Upper Four", "大于五", restrictions.made_of("upper_four"), _HAND, "1998",
             _no("no_honors")),
        _fan(37, "lower_four", 12, "Lower Four", "小于五", restrictions.made_of("lower_four"), _HAND, "1998",
             _no("no_honors")),
        _fan(38, "big_three_winds", 12, "Big Three Winds", "三风刻", mcr.big_three_winds, tiles_of.wind_tiles,
             "1998; MIL 7", _own(_OUTSIDE_PUNG)),
    )  # fmt: skip


def _of_8() -> tuple[Fan, ...]:
    return (
        _fan(39, "mixed_straight", 8, "Mixed Straight", "花龙", mcr.chows("mixed_straight"),
             tiles_of.chows_of("mixed_straight"), "1998; MIL 11"),
        _fan(40, "reversible_tiles", 8, "Reversible Tiles", "推不倒",
             restrictions.made_of("reversible_tiles"), _HAND,
             "1998; MIL 8", _no("one_voided_suit")),
        _fan(41, "mixed_triple_chow", 8, "Mixed Triple Chow", "三色三同顺", mcr.chows("mixed_triple_chow"),
             tiles_of.chows_of("mixed_triple_chow"), "1998; MIL 11", _own("mixed_double_chow")),
        _fan(42, "mixed_shifted_pungs", 8, "Mixed Shifted Pungs", "三色三节高",
             mcr.pungs("mixed_shifted_pungs"),
             tiles_of.pungs_of("mixed_shifted_pungs"), "1998"),
        _fan(43, "chicken_hand", 8, "Chicken Hand", "无番和", lambda facts: 1, _HAND, "1998",
             group=FanGroup.LAST),
        _fan(44, "last_tile_draw", 8, "Last Tile Draw", "妙手回春", patterns.last_tile_draw, _LAST, "1998",
             _no("self_drawn"), group=_EVENT),
        _fan(45, "last_tile_claim", 8, "Last Tile Claim", "海底捞月", patterns.last_tile_discard,
             _LAST, "1998",
             group=_EVENT),
        _fan(46, "out_with_replacement_tile", 8, "Out with Replacement Tile", "杠上开花",
             mcr.out_with_replacement_tile, _LAST, "1998", _no("self_drawn"), group=_EVENT),
        _fan(47, "robbing_the_kong", 8, "Robbing the Kong", "抢杠和", mcr.rob_kong, _LAST, "1998",
             _no("last_tile"), group=_EVENT),
    )  # fmt: skip


def _of_6_and_5() -> tuple[Fan, ...]:
    return (
        _fan(48, "all_pungs", 6, "All Pungs", "碰碰和", patterns.all_pungs, tiles_of.pung_tiles,
             "1998; MIL 2"),
        _fan(49, "half_flush", 6, "Half Flush", "混一色", restrictions.half_flush, _HAND, "1998"),
        _fan(50, "mixed_shifted_chows", 6, "Mixed Shifted Chows", "三色三步高",
             mcr.chows("mixed_shifted_chows"),
             tiles_of.chows_of("mixed_shifted_chows"), "1998; MIL 11"),
        _fan(51, "all_types", 6, "All Types", "五门齐", mcr.all_types, _HAND, "1998; MIL 2"),
        _fan(52, "melded_hand", 6, "Melded Hand", "全求人", mcr.melded_hand, _HAND, "1998; MIL 6",
             _no("single_wait"), group=_EVENT),
        _fan(53, "two_concealed_kongs", 6, "Two Concealed Kongs", "双暗杠", mcr.two_concealed_kongs,
             tiles_of.concealed_kong_tiles, "1998; MIL 4, 5",
             _no("two_concealed_pungs", "concealed_kong", rule=f"{_MIL}5")),
        _fan(54, "two_dragon_pungs", 6, "Two Dragon Pungs", "双箭刻", mcr.two_dragon_pungs,
             tiles_of.dragon_pung_tiles, "1998; MIL 8", _no("dragon_pung"), _own(_OUTSIDE_PUNG)),
        _fan(None, "concealed_kong_and_melded_kong", 5, "Concealed Kong and Melded Kong", "明暗杠",
             mcr.concealed_and_melded_kong, tiles_of.kong_tiles, "MIL 4, 5; not one of the 81",
             _no("concealed_kong", "melded_kong")),
    )  # fmt: skip


def _of_4() -> tuple[Fan, ...]:
    return (
        _fan(55, "outside_hand", 4, "Outside Hand", "全带幺", mcr.outside_hand, _HAND, "1998; MIL 2"),
        _fan(56, "fully_concealed_hand", 4, "Fully Concealed Hand", "不求人", mcr.fully_concealed_hand,
             tiles_of.standing_tiles, "1998; non-repeat", _no("concealed_hand", "self_drawn"), group=_EVENT),
        _fan(57, "two_melded_kongs", 4, "Two Melded Kongs", "双明杠", mcr.two_melded_kongs,
             tiles_of.melded_kong_tiles, "1998; MIL 5", _no("melded_kong")),
        _fan(58, "last_tile", 4, "Last Tile", "和绝张", mcr.last_tile, _LAST, "1998", group=_EVENT),
    )  # fmt: skip


def _of_2() -> tuple[Fan, ...]:
    return (
        _fan(59, "dragon_pung", 2, "Dragon Pung", "箭刻", mcr.dragon_pung, tiles_of.dragon_pung_tiles,
             "1998; MIL 8", _own(_OUTSIDE_PUNG)),
        _fan(60, "prevalent_wind", 2, "Prevalent Wind", "圈风刻", patterns.round_wind,
             tiles_of.round_wind_tiles,
             "1998; MIL 7", _own(_OUTSIDE_PUNG)),
        _fan(61, "seat_wind", 2, "Seat Wind", "门风刻", patterns.seat_wind, tiles_of.seat_wind_tiles,
             "1998; MIL 7", _own(_OUTSIDE_PUNG)),
        _fan(62, "concealed_hand", 2, "Concealed Hand", "门前清", mcr.concealed_hand, tiles_of.standing_tiles,
             "1998", group=_EVENT),
        _fan(63, "all_chows", 2, "All Chows", "平和", mcr.all_chows, _HAND, "1998; MIL 9", _no("no_honors")),
        _fan(64, "tile_hog", 2, "Tile Hog", "四归一", restrictions.tile_hog, tiles_of.four_of_a_kind_tiles,
             "1998"),
        _double_pung(),
        _fan(66, "two_concealed_pungs", 2, "Two Concealed Pungs", "双暗刻", mcr.concealed_pungs(2),
             tiles_of.concealed_pung_tiles, "1998; MIL 5"),
        _fan(67, "concealed_kong", 2, "Concealed Kong", "暗杠", mcr.concealed_kong,
             tiles_of.concealed_kong_tiles, "1998; MIL 5"),
        _fan(68, "all_simples", 2, "All Simples", "断幺", restrictions.made_of("all_simples"), _HAND,
             "1998; non-repeat",
             _no("no_honors")),
    )  # fmt: skip


def _double_pung() -> Fan:
    return Fan("double_pung", 2, Name("Double Pung", "双同刻"), mcr.pungs("double_pung"), _SHAPE, "1998",
               where=tiles_of.pungs_of("double_pung"), parts=mcr.double_pung_parts, number=65)  # fmt: skip


def _of_1() -> tuple[Fan, ...]:
    return (
        _fan(69, "pure_double_chow", 1, "Pure Double Chow", "一般高", mcr.chows("pure_double_chow"),
             tiles_of.chows_of("pure_double_chow"), "1998; MIL 11"),
        _fan(70, "mixed_double_chow", 1, "Mixed Double Chow", "喜相逢", mcr.chows("mixed_double_chow"),
             tiles_of.chows_of("mixed_double_chow"), "1998; MIL 11"),
        _fan(71, "short_straight", 1, "Short Straight", "连六", mcr.chows("short_straight"),
             tiles_of.chows_of("short_straight"), "1998; MIL 11"),
        _fan(72, "two_terminal_chows", 1, "Two Terminal Chows", "老少副", mcr.chows("two_terminal_chows"),
             tiles_of.chows_of("two_terminal_chows"), "1998; MIL 11"),
        Fan(_OUTSIDE_PUNG, 1, Name("Pung of Terminals or Honors", "幺九刻"), mcr.pung_of_terminals_or_honours,
            _SHAPE, "1998; MIL 7, 8", where=tiles_of.outside_pung_tiles, parts=mcr.outside_pungs, number=73),
        _fan(74, "melded_kong", 1, "Melded Kong", "明杠", mcr.melded_kong, tiles_of.melded_kong_tiles,
             "1998; MIL 5"),
        _fan(75, "one_voided_suit", 1, "One Voided Suit", "缺一门", restrictions.one_voided_suit, _HAND,
             "1998; MIL 8"),
        _fan(76, "no_honors", 1, "No Honors", "无字", restrictions.made_of("no_honors"), _HAND, "1998"),
        _fan(77, "edge_wait", 1, "Edge Wait", "边张", mcr.edge_wait, _LAST, "1998; MIL 9, 10", group=_EVENT),
        _fan(78, "closed_wait", 1, "Closed Wait", "坎张", mcr.closed_wait, _LAST, "1998; MIL 9, 10",
             group=_EVENT),
        _fan(79, "single_wait", 1, "Single Wait", "单钓将", mcr.single_wait, _LAST, "1998; MIL 9, 10",
             group=_EVENT),
        _fan(80, "self_drawn", 1, "Self-Drawn", "自摸", patterns.self_draw, _LAST, "1998", group=_EVENT),
        _fan(81, "flower_tiles", 1, "Flower Tiles", "花牌", mcr.flowers,
             tiles_of.bonus_tiles, "1998", group=FanGroup.BONUS),
    )  # fmt: skip


def fans() -> tuple[Fan, ...]:
    """Every record, greatest first, as the default profile has them."""
    return (
        *_of_88(), *_of_64_and_48(), *_of_32(), *_of_24(), *_of_16(), *_of_12(), *_of_8(), *_of_6_and_5(),
        *_of_4(), *_of_2(), *_of_1(),
    )  # fmt: skip

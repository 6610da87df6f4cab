"""The Chinese Official rules 国标麻将, also called Mahjong Competition Rules: 81 fans, eight points to win.

The default profile `mil` is the 1998 competition table as the supplementary rules of the Mahjong
International League of 2025 (annex 1) settle its open cases. The profile `ema` is the reading of the World
Mahjong Organization's rules of 2006 that European tournaments play. What the two read differently is an
option each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorer import restrictions
from scorer.combinations import FOUR_CHOWS, PUNGS, SMALL_CHOWS, THREE_CHOWS
from scorer.fan import Breakdown, Exclusion, Fan, Name, Option, OptionValue
from scorer.game import Rotation
from scorer.needs import Need
from scorer.ruleset import Family, RuleSet, Table, direct
from scorer.rulesets import mcr_patterns as mcr
from scorer.rulesets.mcr_fans import fans
from scorer.rulesets.mcr_principles import (
    CONCEALED_PUNGS,
    KONGS,
    account_once,
    non_identical,
    non_repeat_per_set,
    one_of_family,
)
from scorer.settlement import OfSeveral, Payment, Seats, in_turn

__all__ = ["CHINESE_OFFICIAL", "EMA", "OPTIONS"]

_YES_NO = (True, False)
#: What every player pays, and what a hand must be worth to win.
_BASE = _MINIMUM = 8

OPTIONS: tuple[Option, ...] = (
    Option("profile", "mil", "Whose reading of the rules the other options start from", ("mil", "ema")),
    Option("two_concealed_kongs", 6, "Points of two concealed kongs 双暗杠", (6, 8)),
    Option("concealed_and_melded_kong", 5,
           "Points of one concealed and one melded kong 明暗杠; null: each kong by itself", (5, 6),
           nullable=True),
    Option("fully_concealed_special", False,
           "A self-drawn hand that cannot be but concealed counts as fully concealed 不求人", _YES_NO),
    Option("knitted_straight_wait", True,
           "A tile that is also one of a knitted straight may count as edge, closed or single wait", _YES_NO),
    Option("knitted_straight_in_lesser", True,
           "A knitted straight counts inside lesser honors and knitted tiles 全不靠", _YES_NO),
    Option("seven_pairs_all_types", True, "Seven pairs may count as all types 五门齐", _YES_NO),
    Option("all_green_half_flush", False, "Half flush counts beside all green 绿一色", _YES_NO),
    Option("all_terminals_double_pung", False, "Double pung counts beside all terminals 清幺九", _YES_NO),
    Option("nine_gates_pungs", "one_fewer", "Pungs of terminals beside nine gates 九莲宝灯",
           ("one_fewer", "none")),
    Option("false_win", None, "Points that a false win pays to each other player; null: the referee decides",
           low=0, high=1000, nullable=True),
    Option("cap", None, "Most points that are paid; null for no limit", low=8, high=1000, nullable=True),
)  # fmt: skip

#: What the profile `ema` reads otherwise.
EMA: Mapping[str, OptionValue] = {
    "two_concealed_kongs": 8,
    "concealed_and_melded_kong": 6,
    "fully_concealed_special": True,
    "knitted_straight_wait": False,
    "all_green_half_flush": True,
    "all_terminals_double_pung": True,
    "nine_gates_pungs": "none",
}

#: The hands that cannot be but concealed.
_SPECIAL = frozenset(
    {
        "nine_gates",
        "seven_shifted_pairs",
        "thirteen_orphans",
        "four_concealed_pungs",
        "seven_pairs",
        "greater_honors_and_knitted_tiles",
        "lesser_honors_and_knitted_tiles",
    }
)
_FAMILIES: tuple[tuple[frozenset[str], Family], ...] = (
    (frozenset((*FOUR_CHOWS, *THREE_CHOWS, *SMALL_CHOWS)), mcr.chow_family),
    (frozenset(PUNGS), mcr.pung_family),
    (frozenset(restrictions.MADE_OF), restrictions.made_of_all),
)
_WAITS = frozenset({"edge_wait", "closed_wait", "single_wait"})


def _without(fan: Fan, *others: str) -> Fan:
    """The record without its exclusions of some fans."""
    kept = [
        replace(item, fans=tuple(each for each in item.fans if each not in others)) for item in fan.excludes
    ]
    return replace(fan, excludes=tuple(item for item in kept if item.fans))


def _priced(fan: Fan, options: Mapping[str, OptionValue]) -> Fan:
    prices = {
        "two_concealed_kongs": options["two_concealed_kongs"],
        "concealed_kong_and_melded_kong": options["concealed_and_melded_kong"],
    }
    price = prices.get(fan.id)
    return replace(fan, points=price) if isinstance(price, int) else fan


def _read(fan: Fan, options: Mapping[str, OptionValue]) -> Fan:
    """The record as the options change it."""
    fan = _priced(fan, options)
    if fan.id in _SPECIAL and options["fully_concealed_special"]:
        return _without(_nine_gates(fan, options), "fully_concealed_hand")
    if fan.id == "nine_gates":
        return _nine_gates(fan, options)
    if fan.id in _WAITS and not options["knitted_straight_wait"]:
        return replace(fan, when=mcr.outside_knitted(fan.when))
    if fan.id == "knitted_straight" and not options["knitted_straight_in_lesser"]:
        return replace(fan, when=mcr.knitted_straight_with_sets)
    if fan.id == "all_types" and not options["seven_pairs_all_types"]:
        return replace(fan, when=mcr.all_types_in_sets)
    if fan.id == "all_green" and options["all_green_half_flush"]:
        return _without(fan, "half_flush")
    if fan.id == "all_terminals" and options["all_terminals_double_pung"]:
        return _without(fan, "double_pung")
    return fan


def _nine_gates(fan: Fan, options: Mapping[str, OptionValue]) -> Fan:
    if fan.id != "nine_gates" or options["nine_gates_pungs"] == "one_fewer":
        return fan
    none = Exclusion(("pung_of_terminals_or_honors",), "house rule: the gates hold the pungs of terminals")
    return replace(_without(fan, *none.fans), excludes=(*_without(fan, *none.fans).excludes, none))


def _table(options: Mapping[str, OptionValue]) -> Table:
    off = set() if options["concealed_and_melded_kong"] is not None else {"concealed_kong_and_melded_kong"}
    records = tuple(_read(fan, options) for fan in fans() if fan.id not in off)
    # Each kong by itself is what the family rule must not forbid.
    kongs = () if off else (one_of_family(KONGS, Need.KONG, Need.TWO_PUNGS),)
    cap = options["cap"]
    if not (cap is None or isinstance(cap, int)):
        raise TypeError("house rules must have passed require_options")
    return Table(
        fans=records,
        shut=direct(records),
        forms=mcr.FORMS,
        minimum=_MINIMUM,
        cap=cap,
        bonus_to_minimum=False,
        families=_FAMILIES,
        principles=(
            non_identical,
            account_once,
            *kongs,
            one_of_family(CONCEALED_PUNGS, Need.THREE_PUNGS),
            non_repeat_per_set(records),
        ),
    )


def pay(answer: Breakdown, seats: Seats) -> tuple[Payment, ...]:
    """Eight points from each player, and those of the hand from the one who discarded, or from all.

    1998, payment; flowers are paid though they do not count toward the eight that win. A hand that was shown
    and does not win is a false win: a fixed penalty, which the table names, and not a score.
    """
    if not answer.legal:
        return _false_win(answer, seats)
    if seats.discarder is not None and seats.also_won:
        first = in_turn(seats.discarder, (seats.winner, *seats.also_won))[0]
        if first != seats.winner:
            return (Payment(seats.discarder, seats.winner, 0, f"only the first in turn wins, {first}"),)
    lines = []
    for payer in seats.others:
        pays = seats.discarder in (None, payer)
        amount = _BASE + (answer.total if pays else 0)
        why = f"{_BASE} and {answer.total} of the hand" if pays else f"{_BASE}, as every player"
        lines.append(Payment(payer, seats.winner, amount * seats.unit, why))
    return tuple(lines)


def of_several(_: Mapping[str, OptionValue]) -> OfSeveral:
    """Only the first in turn wins."""
    return OfSeveral.ONE


def rotation(_: Mapping[str, OptionValue]) -> Rotation:
    """The deal always passes; after each round the players change seats, so that each has sat in every seat
    and beside everyone. Places at a table are worth 4, 2, 1 and 0 in a competition.

    After the first and the third round east and south change places, and west and north; after the second
    east goes to west, south to north, west to south and north to east, as the clubs that play so describe it.
    """
    return Rotation(
        seating=((0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 1, 0), (3, 2, 0, 1)), place_points=(4, 2, 1, 0)
    )


def _false_win(answer: Breakdown, seats: Seats) -> tuple[Payment, ...]:
    penalty = answer.options["false_win"]
    if not isinstance(penalty, int):
        return ()
    why = f"false win: {penalty} to each player"
    return tuple(Payment(seats.winner, other, penalty * seats.unit, why) for other in seats.others)


CHINESE_OFFICIAL = RuleSet(
    id="mcr",
    name=Name("Chinese Official", "国标麻将"),
    options=OPTIONS,
    build=_table,
    sources=(
        "Competition rules of Chinese mahjong, State Sports Commission, 1998 (1998)",
        "Supplementary rules of the Mahjong International League, 2025, annex 1 (MIL)",
        "Mahjong Competition Rules, World Mahjong Organization, 2006 (the profile ema)",
    ),
    profiles={"ema": EMA},
    pay=pay,
    rotation=rotation,
    of_several=of_several,
)

"""Singapore mahjong 新加坡麻将: tai with animals, flowers and seasons, one tai to win, five paid.

The default table is that of singaporemahjong.com (`sgm` in the source of a fan); where other tables differ,
the difference is a house rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorer import patterns
from scorer.bars import nobody_robs_concealed, orphans_rob_concealed
from scorer.fan import Exclusion, Fan, FanGroup, Name, Option, OptionValue
from scorer.game import DrawnHand
from scorer.ruleset import Bar, RuleSet, Table, closed
from scorer.rulesets import singapore_patterns as own
from scorer.rulesets.singapore_fans import fans
from scorer.rulesets.singapore_payments import (
    UNLIMITED,
    instant_items,
    instant_payments,
    liability,
    of_several,
    pay,
    priced_at_once,
    rotation,
    settle_declared,
)
from scorer.shapes import Form

__all__ = ["OPTIONS", "SINGAPORE"]

_YES_NO = (True, False)
_ABSORBS = "a limit hand takes in the smaller patterns of its tiles"
#: The limit hands that cannot be but concealed.
_CONCEALED = frozenset({"thirteen_wonders", "nine_gates", "hidden_treasure", "heavenly_hand", "earthly_hand"})

#: The house rules: of the score first, then of the payments.
OPTIONS: tuple[Option, ...] = (
    Option("min_tai", 1, "Fewest tai that win", low=1, high=10),
    Option("bonus_counts_to_minimum", True, "Animals, flowers and seasons count toward the minimum", _YES_NO),
    Option("limit", 5, "Most tai that are paid; null for no limit", low=1, high=20, nullable=True,
           aliases=("cap",)),
    Option("limit_hands_absorb", True, "A limit hand takes in every smaller pattern of its tiles", _YES_NO),
    Option("concealed_beside_limit", True,
           "A fully concealed hand counts beside a limit hand that must be concealed", _YES_NO),
    Option("self_draw_tai", 0, "Tai of a self-drawn win 自摸", (0, 1)),
    Option("ping_hu", 4, "Tai of ping hu 平胡", (1, 4)),
    Option("ping_hu_wait", "hand",
           "A discard for ping hu needs two waits: over the whole hand, as four chows, or it needs none",
           ("hand", "reading", "none")),
    Option("exhausted_tiles_wait", True, "A tile of which the winner holds all four is a wait", _YES_NO),
    Option("lesser_ping_hu_wait", False, "Lesser ping hu 小平胡 needs the wait of ping hu", _YES_NO),
    Option("fully_concealed", True, "A fully concealed hand 门清 counts", _YES_NO),
    Option("concealed_kong_keeps_concealed", True, "A concealed kong does not open the hand", _YES_NO),
    Option("all_green", 4, "Tai of all green 绿一色; null where it is not known", (4, 5), nullable=True),
    Option("small_three_dragons", 3, "Tai of small three dragons 小三元", (1, 3, 4, 5)),
    Option("small_three_dragons_pungs", "include", "That price includes the two pungs, or is beside them",
           ("include", "beside")),
    Option("small_four_winds", 2, "Tai of small four winds 小四喜 beside the winds", (2, 4)),
    Option("big_three_dragons", 10, "Tai of big three dragons 大三元, at most the limit; null: the limit",
           (10,), nullable=True),
    Option("hidden_treasure_on_discard", False, "Hidden treasure 四暗刻 with a discard for the pair",
           _YES_NO),
    Option("seven_pairs", None, "Tai of seven pairs; null where they do not win", (4, 5), nullable=True),
    Option("flower_on_flower", None,
           "Tai of a win on the second flower replacement in a row 花上花; null: like one", low=1, high=20,
           nullable=True),
    Option("rob_concealed_kong", "thirteen_wonders", "Which hand may rob a concealed kong",
           ("thirteen_wonders", "never")),
    Option("all_animals", 1, "Tai of the four animals beside one each", (0, 1)),
    Option("complete_group", 1, "Tai of all flowers, or all seasons, beside the own one", (0, 1, 2)),
    Option("shooter", "shares",
           "A discard is paid by all, a share each; by the shooter, every share; or the shooter, one share",
           ("shares", "pays_all", "own_share")),
    Option("double_share", True, "The shooter, and every player for a self-drawn win, pays twice", _YES_NO),
    Option("self_draw_bonus", 0, "Points that each player pays more for a self-drawn win", low=0, high=100),
    Option("round_up_to", 1, "Each share is rounded up to a multiple of this", low=1, high=1000),
    Option("limit_hands_doubled", False, "A limit hand is paid twice", _YES_NO),
    Option("thirteen_wonders_as_self_draw", True, "All pay for thirteen wonders as if self-drawn", _YES_NO,
           aliases=("thirteen_pays_as_self_draw",)),
    Option("three_winners", True, "A discard that three players win is paid to all three", _YES_NO),
    Option("zha_hu", "limit", "What a false win 诈胡 pays: a limit hand to each, or nothing here",
           ("limit", "none")),
    Option("zha_hu_tai", None, "Tai that a false win pays for; null: those of the limit", low=1, high=20,
           nullable=True),
    Option("liability_dragons", False, "包三元: who feeds big or small three dragons pays for all", _YES_NO),
    Option("liability_winds", False, "包四喜: who feeds the big or small four winds pays for all", _YES_NO),
    Option("liability_flush", False, "包清一色, 包字一色: who feeds a full flush or all honours pays for all",
           _YES_NO),
    Option("liability_green", False, "包绿一色: who feeds all green pays for all", _YES_NO),
    Option("liability_terminals", False, "包清老头: who feeds all terminals pays for all", _YES_NO),
    Option("liability_kongs", False, "包十八罗汉: who feeds the eighteen arhats pays for all", _YES_NO),
    Option("liability_limit", False, "包满贯: who feeds a hand of the limit pays for all", _YES_NO),
    Option("liability_fresh", False, "包杠, 包生: who discards a fresh tile late pays for all", _YES_NO),
    Option("instant_animal_pair", 2, "Units that cat and mouse, or rooster and centipede, take at once",
           low=0, high=20),
    Option("instant_all_animals", 4, "Units that all four animals take beside their pairs", low=0, high=20),
    Option("instant_own_pair", 2, "Units that the own flower and own season take together", low=0, high=20),
    Option("instant_group", 4, "Units that all flowers, or all seasons, take", low=0, high=20),
    Option("instant_eight", 0, "Units that all flowers and seasons take beside the rest", low=0, high=20),
    Option("instant_exposed_kong", 2, "Units that an exposed kong takes", low=0, high=20),
    Option("instant_concealed_kong", 4, "Units that a concealed kong takes", low=0, high=20),
    Option("instant_double_opening", False, "Bonus tiles held before the first replacement take twice",
           _YES_NO),
    Option("dealer_stays_on_win", True, "The dealer who wins deals again", _YES_NO),
    Option("dealer_on_draw", "stays",
           "After a drawn hand the dealer deals again, does not, does with a kong of his own, or does unless "
           "somebody has a kong",
           tuple(drawn.value for drawn in DrawnHand)),
)  # fmt: skip


def _off(options: Mapping[str, OptionValue]) -> set[str]:
    """The fans that the house rules take off the table."""
    off = {name for name in ("all_green", "seven_pairs", "flower_on_flower") if options[name] is None}
    if not options["self_draw_tai"]:
        off.add("self_draw")
    if not options["fully_concealed"]:
        off.add("fully_concealed")
    if not options["all_animals"]:
        off.add("all_animals")
    if not options["complete_group"]:
        off |= {"complete_flower_group", "complete_season_group"}
    return off


def _priced(fan: Fan, options: Mapping[str, OptionValue], limit: int) -> Fan:
    named = {"complete_flower_group": "complete_group", "complete_season_group": "complete_group"}
    priced = (
        "ping_hu", "all_green", "small_three_dragons", "small_four_winds", "seven_pairs",
        "flower_on_flower", "complete_flower_group", "complete_season_group",
    )  # fmt: skip
    if fan.id in priced:
        price = options[named.get(fan.id, fan.id)]
        return replace(fan, points=price) if isinstance(price, int) else fan
    if fan.id == "big_three_dragons" and options["big_three_dragons"] is None:
        return replace(fan, points=limit)
    return fan


def _read(fan: Fan, options: Mapping[str, OptionValue], limit: int) -> Fan:
    """The record as the house rules change it."""
    fan = _priced(fan, options, limit)
    over, exhausted = str(options["ping_hu_wait"]), bool(options["exhausted_tiles_wait"])
    if fan.id == "ping_hu":
        return replace(fan, when=own.ping_hu(over, exhausted))
    if fan.id == "lesser_ping_hu":
        wait = bool(options["lesser_ping_hu_wait"])
        return replace(fan, when=own.lesser_ping_hu(wait, over, exhausted))
    if fan.id == "fully_concealed":
        return replace(fan, when=own.fully_concealed(bool(options["concealed_kong_keeps_concealed"])))
    if fan.id == "small_three_dragons" and options["small_three_dragons_pungs"] == "beside":
        return replace(fan, excludes=())
    if fan.id == "hidden_treasure" and options["hidden_treasure_on_discard"]:
        return replace(fan, when=patterns.four_concealed_pungs)
    return fan


def _absorbing(fan: Fan, others: tuple[Fan, ...]) -> Fan:
    """A limit hand with everything that it takes in. Limit hands of one price stand beside each other."""
    if fan.group is not FanGroup.LIMIT:
        return fan
    smaller = tuple(
        other.id
        for other in others
        if other.group is FanGroup.SHAPE or (other.group is FanGroup.LIMIT and other.points < fan.points)
    )
    return replace(fan, excludes=(Exclusion(smaller, _ABSORBS), *fan.excludes))


def _concealed_alone(fan: Fan) -> Fan:
    """A limit hand that can only be concealed, without a tai for that."""
    if fan.id not in _CONCEALED:
        return fan
    implied = Exclusion(("fully_concealed",), "house rule: such a hand is concealed anyway")
    return replace(fan, excludes=(*fan.excludes, implied))


def _robbing(options: Mapping[str, OptionValue]) -> Bar:
    rule = "house rule rob_concealed_kong"
    if options["rob_concealed_kong"] == "never":
        return nobody_robs_concealed(rule)
    return orphans_rob_concealed(rule)


def _table(options: Mapping[str, OptionValue]) -> Table:
    minimum, limit = options["min_tai"], options["limit"]
    if not isinstance(minimum, int) or not (limit is None or isinstance(limit, int)):
        raise TypeError("house rules must have passed require_options")
    price, off = UNLIMITED if limit is None else limit, _off(options)
    records = tuple(_read(fan, options, price) for fan in fans(limit) if fan.id not in off)
    if options["limit_hands_absorb"]:
        records = tuple(_absorbing(fan, records) for fan in records)
    if not options["concealed_beside_limit"]:
        records = tuple(_concealed_alone(fan) for fan in records)
    forms = {Form.STANDARD, Form.THIRTEEN_ORPHANS}
    if options["seven_pairs"] is not None:
        forms.add(Form.SEVEN_PAIRS)
    return Table(
        fans=records,
        shut=closed(records),
        forms=frozenset(forms),
        minimum=minimum,
        cap=limit,
        bonus_to_minimum=bool(options["bonus_counts_to_minimum"]),
        flower_win=8,
        bonus_suits=frozenset("fa"),
        flowers_beside=True,
        robbed_last_tile=True,
        bars=(_robbing(options),),
    )


SINGAPORE = RuleSet(
    id="singapore",
    name=Name("Singapore", "新加坡麻将"),
    options=OPTIONS,
    build=_table,
    sources=(
        "singaporemahjong.com, scoring and payments (sgm)",
        "singaporemahjong.com, playing the game: three winners on one discard",
    ),
    pay=pay,
    at_once=instant_payments,
    named_at_once=instant_items,
    declared=settle_declared,
    rotation=rotation,
    of_several=of_several,
    liability=liability,
    priced_at_once=priced_at_once,
)

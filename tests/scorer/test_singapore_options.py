"""Singapore's house rules: each, at each of its values, changes what it should and nothing else.

What it should is written out here; that nothing else changes is held over all golden hands and near misses.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest

from scorer import RULESETS, BadOption, Breakdown, Hand, score
from scorer.fan import FanGroup
from tests.scorer.hands import context_of, lines

SINGAPORE = RULESETS["singapore"]
BY_GROUP = {group: {fan.id for fan in SINGAPORE.fans if fan.group is group} for group in FanGroup}
#: The hands that are worth the limit, whatever it is.
AT_LIMIT = BY_GROUP[FanGroup.LIMIT] | BY_GROUP[FanGroup.FLOWER_WIN] | {"kong_on_kong"}
DISCARD, DRAWN = "discard 2z 1z", "self_draw 2z 1z"
PUNGS = "[222p] [666m] [999s] 33m 44s +3m"
CHOWS = "[123m] [456p] 789m 34s 88p +5s"
#: Before the win it waits for fours and for a seven, of which it holds all four.
EXHAUSTED = "4556667777889p +4p"
#: Before the win it waits for twos, which make pungs, and for sevens, which make chows.
TWO_READINGS = "[234p] 2277888999p +7p"
CONCEALED_PUNGS = "111m 333p 555s 777s 2z +2z"


@dataclass(frozen=True, slots=True)
class Change:
    """A house rule at one value: a hand that it changes, from one sum to another, and the fans that it may
    touch in any hand. `beside`: house rules that are there before and after."""

    option: str
    value: object
    hand: str
    context: str
    before: tuple[int, bool]
    after: tuple[int, bool]
    touches: frozenset[str] = frozenset()
    beside: dict[str, object] = field(default_factory=dict)


def _change(
    option: str, value: object, hand: str, context: str, before: int, after: int, *touches: str,
    legal: tuple[bool, bool] = (True, True), **beside: object,
) -> Change:  # fmt: skip
    return Change(
        option, value, hand, context, (before, legal[0]), (after, legal[1]), frozenset(touches), beside
    )


#: `before` and `after` are all tai added up, without the limit.
CHANGES = (
    _change("min_tai", 2, "[555z] 345m 678p 111s 9s +9s", DISCARD, 1, 1, legal=(True, False)),
    _change("min_tai", 2, "[123m] [999p] 456s 78s 55z +9s | 2f", DISCARD, 1, 1, legal=(True, False)),
    _change("bonus_counts_to_minimum", False, "[123m] [999p] 456s 78s 55z +9s | 2f", DISCARD, 1, 1,
            legal=(True, False)),
    _change("limit", 6, "[111z] [222z] [333z] [444z] 8p +8p", "discard 3z 1z", 5, 6, *AT_LIMIT),
    _change("limit", 8, "119m 19p 19s 123456z +7z", DISCARD, 5, 8, *AT_LIMIT),
    _change("limit", 10, "[3333m] (5555p) 78m 22s 999s +9m", "self_draw 2z 1z double_kong", 5, 10, *AT_LIMIT),
    _change("limit", 15, "119m 19p 19s 123456z +7z", DISCARD, 5, 13, *AT_LIMIT),
    _change("limit", 15, "[555z] [666z] [777z] 12m 44p +3m", DISCARD, 5, 10, *AT_LIMIT),
    _change("limit", 15, "1112345678999p +5p", DISCARD, 5, 15, *AT_LIMIT),
    _change("limit", None, "1112345678999p +5p", DISCARD, 5, 10, *AT_LIMIT),
    _change("limit", None, "119m 19p 19s 123456z +7z", DISCARD, 5, 13, *AT_LIMIT),
    _change("limit_hands_absorb", False, "[555z] [666z] [777z] 11m 44m +1m", DISCARD, 5, 9,
            *BY_GROUP[FanGroup.SHAPE]),
    _change("concealed_beside_limit", False, "19m 19p 19s 1234567z +9s", DRAWN, 6, 5, "fully_concealed"),
    _change("self_draw_tai", 1, "[222p] [666m] [9999s] 33m 44s +4s", DRAWN, 2, 3, "self_draw"),
    _change("ping_hu", 1, CHOWS, DISCARD, 4, 1, "ping_hu"),
    _change("ping_hu_wait", "reading", TWO_READINGS, DISCARD, 8, 4, "ping_hu"),
    _change("ping_hu_wait", "none", "[123m] [456p] 789m 12s 88p +3s", DISCARD, 0, 4, "ping_hu",
            legal=(False, True)),
    _change("exhausted_tiles_wait", False, EXHAUSTED, DISCARD, 8, 4, "ping_hu"),
    _change("lesser_ping_hu_wait", True, "[123m] [456p] 789m 12s 88p +3s | 3f", DISCARD, 1, 0,
            "lesser_ping_hu", legal=(True, False)),
    _change("fully_concealed", False, "123m 456p 78m 22s 999s +9m", DRAWN, 1, 0, "fully_concealed",
            legal=(True, False)),
    _change("concealed_kong_keeps_concealed", False, "(1111m) 456p 78m 22s 999s +9m", DRAWN, 1, 0,
            "fully_concealed", legal=(True, False)),
    _change("all_green", 5, "[234s] [666s] 888s 234s 6z +6z", DISCARD, 4, 5, "all_green"),
    _change("all_green", None, "[234s] [666s] 888s 234s 6z +6z", DISCARD, 4, 2, "all_green", "half_flush",
            "full_flush"),
    _change("small_three_dragons", 1, "[555z] [666z] 12m 77z 789p +3m", DISCARD, 3, 1, "small_three_dragons"),
    _change("small_three_dragons", 4, "[555z] [666z] 12m 77z 789p +3m", DISCARD, 3, 4, "small_three_dragons"),
    _change("small_three_dragons", 5, "[555z] [666z] 12m 77z 789p +3m", DISCARD, 3, 5, "small_three_dragons"),
    _change("small_three_dragons_pungs", "beside", "[555z] [666z] 12m 77z 789p +3m", DISCARD, 3, 5,
            "dragon_pung"),
    _change("small_four_winds", 4, "[222z] [333z] [444z] 1z 78p 9p +1z", "discard 1z 1z", 4, 6,
            "small_four_winds"),
    _change("big_three_dragons", None, "[555z] [666z] [777z] 12m 44p +3m", DISCARD, 10, 15,
            "big_three_dragons", limit=15),
    _change("hidden_treasure_on_discard", True, CONCEALED_PUNGS, DISCARD, 2, 5, "hidden_treasure",
            "all_pungs"),
    _change("seven_pairs", 4, "1133557799m 22p 4s +4s", DISCARD, 0, 4, "seven_pairs", "fully_concealed",
            legal=(False, True)),
    _change("seven_pairs", 5, "1133557799m 22p 4s +4s", DRAWN, 0, 6, "seven_pairs", "fully_concealed",
            legal=(False, True)),
    _change("flower_on_flower", 5, "[123m] 456p 78m 22s 999s +9m | 3f 4f", "self_draw 2z 1z double_flower",
            1, 5, "flower_on_flower", "flower_replacement"),
    _change("rob_concealed_kong", "never", "119m 19p 19s 123456z +7z",
            "rob_kong 2z 1z robbed_concealed_kong", 6, 6, legal=(True, False)),
    _change("all_animals", 0, PUNGS + " | 1a 2a 3a 4a", DISCARD, 7, 6, "all_animals"),
    _change("complete_group", 0, PUNGS + " | 1f 2f 3f 4f", DISCARD, 4, 3, "complete_flower_group",
            "complete_season_group"),
    _change("complete_group", 2, PUNGS + " | 5f 6f 7f 8f", DISCARD, 4, 5, "complete_flower_group",
            "complete_season_group"),
)  # fmt: skip

_GOLDEN = [
    (str(line.values[0]), str(line.values[1]))
    for name, fields in (("singapore.hands", 5), ("singapore_near.hands", 4))
    for line in lines(name, fields)
]
_CHANGED = [(change.hand, change.context) for change in CHANGES]
#: Every hand that the change is held against.
HANDS = tuple(dict.fromkeys([*_GOLDEN, *_CHANGED, (EXHAUSTED, DRAWN), (CONCEALED_PUNGS, DRAWN)]))


def _score(hand: str, context: str, options: dict[str, object]) -> Breakdown:
    return score(Hand.parse(hand), context_of(context), "singapore", options)


def _counted(answer: Breakdown) -> Counter[tuple[str, int, int]]:
    return Counter((line.fan.id, line.fan.points, line.times) for line in answer.fans)


def _named(change: Change) -> str:
    return f"{change.option}={change.value}"


@pytest.mark.parametrize("change", CHANGES, ids=_named)
def test_a_house_rule_changes_what_it_should(change: Change) -> None:
    before = _score(change.hand, change.context, change.beside)
    answer = _score(change.hand, change.context, {**change.beside, change.option: change.value})
    assert (before.uncapped, before.legal) == change.before
    assert (answer.uncapped, answer.legal) == change.after
    limit = answer.options["limit"]
    assert answer.total == (answer.uncapped if limit is None else min(answer.uncapped, int(limit)))
    assert answer.options[change.option] == change.value


@pytest.mark.parametrize("change", CHANGES, ids=_named)
def test_a_house_rule_changes_nothing_else(change: Change) -> None:
    touched = 0
    for hand, context in HANDS:
        before = _score(hand, context, change.beside)
        answer = _score(hand, context, {**change.beside, change.option: change.value})
        differing = (_counted(before) - _counted(answer)) + (_counted(answer) - _counted(before))
        wrong = {ident for ident, _, _ in differing} - change.touches
        assert not wrong, f"{hand}: {sorted(wrong)}"
        touched += bool(differing) or (before.legal, before.is_win) != (answer.legal, answer.is_win)
    assert touched


def _values(option: str) -> set[object]:
    found = next(each for each in SINGAPORE.options if each.id == option)
    values: set[object] = {(type(value), value) for value in found.choices}
    if found.nullable:
        values.add((type(None), None))
    return values - {(type(found.default), found.default)}


def _of_score() -> list[str]:
    """The house rules of the score: those before the first one of the payments."""
    ids = [option.id for option in SINGAPORE.options]
    return ids[: ids.index("shooter")]


@pytest.mark.parametrize("option", _of_score())
def test_each_value_of_each_house_rule_is_tried(option: str) -> None:
    tried = {(type(change.value), change.value) for change in CHANGES if change.option == option}
    assert tried
    assert _values(option) <= tried


@pytest.mark.parametrize(
    "options",
    [
        {"min_tai": 0},
        {"limit": 0},
        {"limit": 21},
        {"self_draw_tai": 2},
        {"self_draw_tai": True},
        {"ping_hu": 2},
        {"ping_hu_wait": "both"},
        {"seven_pairs": 3},
        {"rob_concealed_kong": "thirteen_orphans"},
        {"flower_on_flower": 0},
        {"zha_hu_tai": 0},
        {"shooter": "all"},
        {"jokers": 4},
    ],
)
def test_a_bad_house_rule_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(BadOption) as caught:
        _score(CHOWS, DISCARD, options)
    assert caught.value.option == next(iter(options))


def test_the_names_of_others_for_a_house_rule_are_known() -> None:
    values = SINGAPORE.require_options({"cap": 8, "thirteen_pays_as_self_draw": False})
    assert (values["limit"], values["thirteen_wonders_as_self_draw"]) == (8, False)


def test_only_thirteen_wonders_may_rob_a_concealed_kong() -> None:
    robbed = "rob_kong 2z 1z robbed_concealed_kong"
    assert _score("119m 19p 19s 123456z +7z", robbed, {}).legal
    other = _score(CHOWS, robbed, {})
    assert not other.legal
    assert [problem["code"] for problem in other.problems] == ["barred"]

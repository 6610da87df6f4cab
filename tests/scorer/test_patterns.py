from __future__ import annotations

from collections.abc import Callable

import pytest

from scorer import Context, Hand, patterns
from scorer.facts import Facts, facts_of, tally
from scorer.shapes import Form, readings, shapes
from tests.scorer.hands import context_of


def _all_facts(text: str, context: str) -> list[Facts]:
    hand = Hand.parse(text)
    assert hand.winning is not None
    counted = tally(hand)
    found = readings(shapes(hand), hand.winning.index)
    return [facts_of(counted, reading, hand.winning, context_of(context)) for reading in found]


def _most(pattern: Callable[[Facts], int], text: str, context: str) -> int:
    return max(pattern(facts) for facts in _all_facts(text, context))


@pytest.mark.parametrize(
    ("pattern", "times", "hand", "context"),
    [
        (patterns.dragon_pungs, 2, "[555z] (6666z) 12m 44p 789p +3m", "discard 2z 1z"),
        (patterns.dragon_pungs, 0, "[444z] 66z 123m 456m 78p +9p", "discard 2z 1z"),
        (patterns.wind_pungs, 3, "[222z] [333z] [444z] 1z 789p +1z", "discard 3z 1z"),
        (patterns.four_concealed_pungs, 1, "111m 333p 555s 777s 2z +2z", "discard 2z 1z"),
        (patterns.four_concealed_pungs, 0, "111m 333p 555s 77s 22p +7s", "rob_kong 2z 1z"),
        (patterns.four_pungs_in_hand, 1, "111m 333p 555s 77s 22p +7s", "discard 2z 1z"),
        (patterns.four_pungs_in_hand, 0, "[111m] 333p 555s 77s 22p +7s", "discard 2z 1z"),
        (patterns.concealed_hand, 1, "(1111m) 333p 55s 77s 22p 7s +5s", "self_draw 2z 1z"),
        (patterns.fully_standing, 0, "(1111m) 333p 55s 77s 22p 7s +5s", "self_draw 2z 1z"),
        (patterns.nine_sided_gates, 1, "1112345678999p +5p", "discard 2z 1z"),
        (patterns.nine_sided_gates, 0, "1123456789999s +1s", "discard 2z 1z"),
        (patterns.mixed_terminals, 0, "19m 19p 19s 1234567z +9s", "discard 2z 1z"),
        (patterns.all_honours, 1, "111222333z 5566z +5z", "discard 2z 1z"),
        (patterns.half_flush, 0, "111222333z 5566z +5z", "discard 2z 1z"),
        (patterns.seven_pairs, 1, "1122m 3344p 5566s 7z +7z", "discard 2z 1z"),
        (patterns.last_tile_draw, 1, "[123m] 456p 78m 22s 999s +9m", "self_draw 2z 1z last_wall_tile"),
        (patterns.last_tile_draw, 0, "[123m] 456p 78m 22s 999s +9m", "discard 2z 1z last_wall_tile"),
    ],
)
def test_patterns_count_what_is_there(
    pattern: Callable[[Facts], int], times: int, hand: str, context: str
) -> None:
    assert _most(pattern, hand, context) == times


def test_a_claimed_pung_is_open_only_where_the_claim_sits() -> None:
    concealed = {facts.concealed_pungs for facts in _all_facts("11222333m 456p 99s +1m", "discard 2z 1z")}
    # 111 222 333 with the claimed pung open, or three chows.
    assert concealed == {2, 0}


def test_facts_name_form_and_pair() -> None:
    (facts,) = _all_facts("19m 19p 19s 1234567z +9s", "self_draw 2z 1z")
    assert facts.form is Form.THIRTEEN_ORPHANS
    assert facts.self_drawn
    assert facts.in_pair
    assert facts.pair == 26


def test_facts_need_a_context_without_unknowns() -> None:
    hand = Hand.parse("[123m] 456p 78m 22s 999s +9m")
    (reading,) = readings(shapes(hand), 8)
    with pytest.raises(ValueError, match="without unknowns"):
        facts_of(tally(hand), reading, hand.winning, Context())


def test_a_count_of_flowers_stands_in_for_unlisted_ones() -> None:
    assert tally(Hand.parse("1m | 1f 1a"), None).flower_count == 1
    assert tally(Hand.parse("1m"), 3).flower_count == 3

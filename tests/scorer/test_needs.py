"""What a pattern says it needs, it needs: asked of a reading without it, it is not there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import RULESETS, Context, Hand, Tile, Win
from scorer.facts import Facts, facts_of, tally
from scorer.hand import FLAGS
from scorer.needs import Need, needed, needs
from scorer.shapes import readings, shapes
from scorer.tiles import ALL_TILES, WINDS
from tests.scorer.hands import context_of
from tests.scorer.mcr_oracle import Case, cases

_BONUS = st.frozensets(st.sampled_from(ALL_TILES[34:46]), max_size=12)
_CASES = st.integers(0, 10**9).map(lambda seed: cases(1, seed)[0])
_CONTEXTS = st.builds(
    Context,
    st.sampled_from(Win),
    st.sampled_from(WINDS),
    st.sampled_from(WINDS),
    st.frozensets(st.sampled_from(FLAGS), max_size=4),
)


def _every_facts(hand: Hand, context: Context) -> list[Facts]:
    assert hand.winning is not None
    found = readings(shapes(hand), hand.winning.index)
    return [facts_of(tally(hand), reading, hand.winning, context) for reading in found]


@pytest.mark.parametrize("rules", RULESETS)
def test_some_patterns_of_every_table_say_what_they_need(rules: str) -> None:
    marked = [fan.id for fan in RULESETS[rules].fans if needed(fan.when)]
    assert len(marked) > len(RULESETS[rules].fans) / 2


@settings(max_examples=400, deadline=None)
@given(_CASES, _CONTEXTS, _BONUS)
def test_no_fan_is_there_without_what_it_needs(case: Case, context: Context, bonus: frozenset[Tile]) -> None:
    for facts in _every_facts(replace(case.hand, bonus=tuple(bonus)), context):
        for rules in RULESETS.values():
            for fan in rules.fans:
                if needed(fan.when) & ~facts.traits:
                    assert not fan.when(facts), (rules.id, fan.id)


@pytest.mark.parametrize(
    ("hand", "context", "there", "absent"),
    [
        (
            "[555z] 123m 456p 78s 22z +9s",
            "discard 2z 1z",
            Need.DRAGON_PUNG | Need.THREE_CHOWS,
            Need.WIND_PUNG,
        ),
        ("[555z] 123m 456p 78s 22z +9s", "discard 2z 1z", Need.CHOW_COMPLETED, Need.PAIR_COMPLETED),
        (
            "(1111z) 22z 333m 444p 55s +2z",
            "self_draw 2z 1z",
            Need.KONG | Need.DRAWN | Need.NO_CLAIM,
            Need.NO_TABLE,
        ),
        (
            "1122m 3344p 5566s 7z +7z",
            "rob_kong 2z 1z",
            Need.NO_SETS | Need.ROBBED | Need.PAIR_COMPLETED,
            Need.CHOW,
        ),
        (
            "19m 19p 19s 1234567z +9s",
            "discard 2z 1z last_wall_tile",
            Need.ONLY_OUTSIDE | Need.FLAGS,
            Need.ONE_SUIT,
        ),
        (
            "123m 456m 789m 11m 99m +1m | 1f 1a",
            "discard 2z 1z",
            Need.FLOWERS | Need.ANIMALS | Need.ONE_SUIT,
            Need.KONG,
        ),
        (
            "111222333z 5566z +5z",
            "discard 2z 1z",
            Need.NO_SUIT | Need.HONOURS | Need.FOUR_PUNGS,
            Need.NO_HONOURS,
        ),
    ],
)
def test_a_reading_has_the_traits_that_its_tiles_say(
    hand: str, context: str, there: Need, absent: Need
) -> None:
    (facts, *_) = _every_facts(Hand.parse(hand), context_of(context))
    assert facts.traits & there == there
    assert not facts.traits & absent


def test_a_mark_adds_up_what_is_needed() -> None:
    @needs(Need.KONG, Need.DRAWN)
    def when(facts: Facts) -> int:
        return 0

    assert needed(when) == Need.KONG | Need.DRAWN
    assert needed(lambda facts: 1) == 0

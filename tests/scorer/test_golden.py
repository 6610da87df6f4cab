from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet

from scorer import RULESETS, Hand, score
from tests.scorer.hands import context_of, fan_ids, lines

TABLES = ("hk", "mcr", "singapore", "tvb")
#: Missed by any hand that does not say so: there is no near miss of tiles.
WITHOUT_NEAR_MISS = {
    "hk": {
        "dragon_pung",
        "thirteen_orphans",
        "big_three_dragons",
        "big_four_winds",
        "last_tile_draw",
        "all_seasons",
    },
    "mcr": set[str](),
    "singapore": set[str](),
    "tvb": set[str](),
}


def _wanted(fans: str) -> list[str]:
    found = []
    for item in fans.split(", "):
        name, _, times = item.partition(" x")
        found.extend([name] * int(times or 1))
    return sorted(found)


def _of_every_table(suffix: str, fields: int) -> list[ParameterSet]:
    """The lines of every table's file, each with the id of its rule set before its fields."""
    return [
        pytest.param(table, *line.values, id=line.id)
        for table in TABLES
        for line in lines(f"{table}{suffix}", fields)
    ]


@pytest.mark.parametrize(
    ("rules", "hand", "context", "total", "fans", "source"), _of_every_table(".hands", 5)
)
def test_a_golden_hand_is_worth_what_the_file_says(
    rules: str, hand: str, context: str, total: str, fans: str, source: str
) -> None:
    answer = score(Hand.parse(hand), context_of(context), rules)
    assert fan_ids(answer) == _wanted(fans)
    assert answer.total == int(total)
    assert answer.is_win
    assert answer.legal is (answer.toward_minimum >= RULESETS[rules].minimum)
    assert source


@pytest.mark.parametrize(("rules", "hand", "context", "fans", "why"), _of_every_table("_near.hands", 4))
def test_a_near_miss_does_not_score(rules: str, hand: str, context: str, fans: str, why: str) -> None:
    answer = score(Hand.parse(hand), context_of(context), rules)
    unwanted = set(fans.split(", "))
    if "win" in unwanted:
        assert not answer.is_win
        assert answer.problems
    else:
        assert answer.is_win
    assert not unwanted & set(fan_ids(answer))
    assert why


@pytest.mark.parametrize("rules", TABLES)
def test_every_default_fan_has_a_golden_hand_and_a_near_miss(rules: str) -> None:
    known = {fan.id for fan in RULESETS[rules].fans}
    golden = {name for line in lines(f"{rules}.hands", 5) for name in _wanted(str(line.values[3]))}
    near = {name for line in lines(f"{rules}_near.hands", 4) for name in str(line.values[2]).split(", ")}
    assert known - golden == set()
    assert golden - known == set()
    assert known - near <= WITHOUT_NEAR_MISS[rules]

from __future__ import annotations

import pytest

from scorer import RULESETS, Hand, score
from tests.scorer.hands import context_of, fan_ids, lines


def _wanted(fans: str) -> list[str]:
    found = []
    for item in fans.split(", "):
        name, _, times = item.partition(" x")
        found.extend([name] * int(times or 1))
    return sorted(found)


@pytest.mark.parametrize(("hand", "context", "total", "fans", "source"), lines("hk.hands", 5))
def test_a_golden_hand_is_worth_what_the_file_says(
    hand: str, context: str, total: str, fans: str, source: str
) -> None:
    answer = score(Hand.parse(hand), context_of(context))
    assert fan_ids(answer) == _wanted(fans)
    assert answer.total == int(total)
    assert answer.is_win
    assert answer.legal is (answer.uncapped >= 3)
    assert source


@pytest.mark.parametrize(("hand", "context", "fans", "why"), lines("hk_near.hands", 4))
def test_a_near_miss_does_not_score(hand: str, context: str, fans: str, why: str) -> None:
    answer = score(Hand.parse(hand), context_of(context))
    unwanted = set(fans.split(", "))
    if "win" in unwanted:
        assert not answer.is_win
        assert answer.problems
    else:
        assert answer.is_win
    assert not unwanted & set(fan_ids(answer))
    assert why


def test_every_default_fan_has_a_golden_hand_and_a_near_miss() -> None:
    known = {fan.id for fan in RULESETS["hk"].fans}
    golden = {name for line in lines("hk.hands", 5) for name in _wanted(str(line.values[3]))}
    near = {name for line in lines("hk_near.hands", 4) for name in str(line.values[2]).split(", ")}
    assert known - golden == set()
    # These two are missed by any hand that does not say so: there is no near miss of tiles.
    assert known - near <= {
        "dragon_pung",
        "thirteen_orphans",
        "big_three_dragons",
        "big_four_winds",
        "last_tile_draw",
        "all_seasons",
    }

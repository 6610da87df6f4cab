"""The Chinese Official rules against an independent scorer, over random winning hands drawn by seed."""

from __future__ import annotations

import pytest

from scorer import RULESETS, score
from tests.scorer.mcr_oracle import IDS, Case, asked, cases

oracle = pytest.importorskip("MahjongGB", reason="PyMahjongGB, the other scorer, is not installed")


def _differs(case: Case) -> str | None:
    """What the two say otherwise. Of several fan lists that are worth as much either may be named."""
    theirs = oracle.MahjongFanCalculator(*asked(case), True)
    points = sum(each * times for each, times, _, _ in theirs)
    answer = score(case.hand, case.context, "mcr")
    assert answer.problems == ()
    if answer.uncapped != points:
        return f"{case.hand} {case.context.to_dict()}: {answer.uncapped} points, not {points}"
    wanted = {IDS[name]: times for _, times, name, _ in theirs}
    lists = [answer.fans, *(tie.fans for tie in answer.ties)]
    if not any(wanted == {line.fan.id: line.times for line in found} for found in lists):
        return f"{case.hand} {case.context.to_dict()}: not {wanted}"
    return None


def _compare(count: int, seed: int) -> None:
    found = [each for each in map(_differs, cases(count, seed)) if each]
    print(f"PyMahjongGB: {count} hands, {count - len(found)} equal")
    assert found == []


def test_a_sample_of_random_hands_agrees() -> None:
    _compare(2_000, seed=81)


@pytest.mark.slow
def test_many_random_hands_agree() -> None:
    _compare(100_000, seed=1998)


def test_the_random_hands_hold_every_fan() -> None:
    seen = {
        line.fan.id for case in cases(4_000, seed=8) for line in score(case.hand, case.context, "mcr").fans
    }
    assert {fan.id for fan in RULESETS["mcr"].fans} - seen == set()

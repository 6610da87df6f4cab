"""The table of the Chinese Official rules, checked as data."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from scorer import RULESETS
from scorer.combinations import FOUR_CHOWS, SMALL_CHOWS, THREE_CHOWS, TIERS
from scorer.fan import Fan, FanGroup
from scorer.rulesets.mcr import EMA, OPTIONS
from scorer.rulesets.mcr_principles import CONCEALED_PUNGS, KONGS, REPEATABLE

RULES = RULESETS["mcr"]
FANS = {fan.id: fan for fan in RULES.fans}
#: How many fans of each price the 1998 table has.
PARTED = {"double_pung", "pung_of_terminals_or_honors"}
PUBLISHED = {88: 7, 64: 6, 48: 2, 32: 3, 24: 9, 16: 6, 12: 5, 8: 9, 6: 7, 4: 4, 2: 10, 1: 13}


def test_the_table_has_the_81_fans_in_their_order_and_one_more() -> None:
    numbers = [fan.number for fan in RULES.fans if fan.number is not None]
    assert numbers == list(range(1, 82))
    assert [fan.id for fan in RULES.fans if fan.number is None] == ["concealed_kong_and_melded_kong"]


def test_the_prices_are_those_of_the_published_table() -> None:
    assert Counter(fan.points for fan in RULES.fans if fan.number is not None) == PUBLISHED
    points = [fan.points for fan in RULES.fans]
    assert points == sorted(points, reverse=True)


@pytest.mark.parametrize("fan", RULES.fans, ids=lambda fan: str(fan.id))
def test_a_record_is_whole(fan: Fan) -> None:
    assert fan.id == fan.name.en.lower().replace("-", "_").replace(" ", "_")
    assert fan.name.zh
    assert fan.source
    assert all(item.rule for item in fan.excludes)
    for item in fan.excludes:
        for other in item.fans:
            assert other in FANS, f"{fan.id} shuts out {other}, which is no fan"
            assert other != fan.id
            assert FANS[other].points <= fan.points
            if item.times or (item.own_sets and other not in SMALL_CHOWS):
                assert other in PARTED, f"{other} says no tiles of its occurrences"


def test_a_fan_is_listed_before_those_that_it_shuts_out() -> None:
    place = {fan.id: number for number, fan in enumerate(RULES.fans)}
    # Two names for one set of tiles: whichever is there, the other is not.
    both = {("pure_triple_chow", "pure_shifted_pungs"), ("pure_shifted_pungs", "pure_triple_chow")}
    wrong = [
        (fan.id, other)
        for fan in RULES.fans
        for item in fan.excludes
        for other in item.fans
        if place[other] <= place[fan.id] and (fan.id, other) not in both
    ]
    assert wrong == []


def test_the_principles_name_fans_that_are_there() -> None:
    named = {*REPEATABLE, *KONGS, *CONCEALED_PUNGS, *FOUR_CHOWS, *THREE_CHOWS, *SMALL_CHOWS}
    assert named <= FANS.keys()
    for family in (KONGS, CONCEALED_PUNGS):
        points = [FANS[name].points for name in family]
        assert points == sorted(points, reverse=True)


def test_great_chow_fans_are_ranked_by_their_prices() -> None:
    assert TIERS.keys() == {*FOUR_CHOWS, *THREE_CHOWS}
    prices = {tier: {FANS[name].points for name in TIERS if TIERS[name] == tier} for tier in TIERS.values()}
    assert all(len(each) == 1 for each in prices.values())
    ordered = [prices[tier].pop() for tier in sorted(prices)]
    # One small fan can join a three-chow fan, and it is worth one point.
    assert all(before - after >= 2 for before, after in pairwise(ordered))


def test_only_flowers_are_a_bonus_and_only_the_chicken_hand_is_last() -> None:
    assert [fan.id for fan in RULES.fans if fan.group is FanGroup.BONUS] == ["flower_tiles"]
    assert [fan.id for fan in RULES.fans if fan.group is FanGroup.LAST] == ["chicken_hand"]


def test_every_disputed_point_is_an_option_and_the_profiles_are_whole() -> None:
    options = {option.id: option for option in OPTIONS}
    assert EMA.keys() <= options.keys()
    for name, value in EMA.items():
        assert options[name].require_value(value) == value
        assert options[name].default != value
    assert RULES.require_options({"profile": "ema"}) == {
        option.id: EMA.get(option.id, option.default) for option in OPTIONS
    } | {"profile": "ema"}


def test_an_option_outweighs_the_profile() -> None:
    values = RULES.require_options({"two_concealed_kongs": 6, "profile": "ema"})
    assert (values["two_concealed_kongs"], values["concealed_and_melded_kong"]) == (6, 6)


def test_the_description_is_plain_data() -> None:
    table = RULES.describe({"profile": "ema"})
    assert len(table["fans"]) == 82
    assert table["minimum"] == 8
    assert table["fans"][0]["number"] == 1
    assert {"id": "pung_of_terminals_or_honors", "own_sets": True, "times": 0}.items() <= next(
        each for each in table["fans"][1]["excludes"] if each["own_sets"]
    ).items()

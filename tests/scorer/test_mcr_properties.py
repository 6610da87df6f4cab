"""What must hold for every hand under the Chinese Official rules."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import RULESETS, Hand, Meld, Tile, score
from scorer.facts import facts_of, tally
from scorer.shapes import readings, shapes
from scorer.tiles import ALL_TILES
from tests.scorer.mcr_oracle import Case, cases

_CASES = st.integers(0, 10**9).map(lambda seed: cases(1, seed)[0])
RULES = RULESETS["mcr"]
#: The two fans that look at particular suits.
BY_SUIT = {"all_green", "reversible_tiles"}


def _points_by_fan(case: Case) -> dict[str, int]:
    return {line.fan.id: line.times for line in score(case.hand, case.context, "mcr").fans}


@settings(max_examples=150, deadline=None)
@given(_CASES, st.randoms(use_true_random=False))
def test_the_order_of_tiles_and_sets_is_nothing(case: Case, chance: random.Random) -> None:
    concealed, melds = list(case.hand.concealed), list(case.hand.melds)
    chance.shuffle(concealed)
    chance.shuffle(melds)
    other = Hand(tuple(concealed), tuple(melds), case.hand.winning)
    first, second = score(case.hand, case.context, "mcr"), score(other, case.context, "mcr")
    assert (first.total, first.legal, len(first.ties)) == (second.total, second.legal, len(second.ties))
    assert [(line.fan.id, line.times) for line in first.fans] == [
        (line.fan.id, line.times) for line in second.fans
    ]
    assert [drop.to_dict() for drop in first.dropped] == [drop.to_dict() for drop in second.dropped]


def _relabelled(hand: Hand, suits: list[int]) -> Hand:
    def other(tile: Tile) -> Tile:
        return tile if tile.index >= 27 else ALL_TILES[9 * suits[tile.index // 9] + tile.index % 9]

    assert hand.winning is not None
    melds = tuple(replace(meld, tiles=tuple(map(other, meld.tiles))) for meld in hand.melds)
    return Hand(tuple(map(other, hand.concealed)), melds, other(hand.winning), hand.bonus)


@settings(max_examples=200, deadline=None)
@given(_CASES, st.permutations(range(3)))
def test_other_suits_change_nothing_but_two_fans(case: Case, suits: list[int]) -> None:
    first = _points_by_fan(case)
    second = _points_by_fan(replace(case, hand=_relabelled(case.hand, suits)))
    if not BY_SUIT & (first.keys() | second.keys()):
        assert first == second


@settings(max_examples=150, deadline=None)
@given(_CASES)
def test_a_hand_is_what_it_prints_and_its_points_are_those_of_its_lines(case: Case) -> None:
    assert Hand.parse(str(case.hand)) == case.hand
    assert all(Meld.parse(str(meld)) == meld for meld in case.hand.melds)
    answer = score(case.hand, case.context, "mcr")
    assert answer.is_win
    assert answer.uncapped == answer.total == sum(line.points for line in answer.fans)
    assert answer.legal is (answer.toward_minimum >= 8)
    assert answer.uncapped - answer.toward_minimum == (case.context.flowers or 0)
    held = set(case.hand.tiles)
    assert all(set(line.tiles) <= held for line in answer.fans)
    assert all(tie.fans for tie in answer.ties)


@settings(max_examples=150, deadline=None)
@given(_CASES, st.sampled_from(["win", "seat", "round", "winning"]))
def test_the_range_holds_what_is_known(case: Case, unknown: str) -> None:
    known = score(case.hand, case.context, "mcr")
    hand, context = case.hand, case.context
    if unknown == "winning":
        assert hand.winning is not None
        hand = Hand((*hand.concealed, hand.winning), hand.melds)
    else:
        context = replace(context, **{unknown: None})
    answer = score(hand, context, "mcr")
    span = (answer.total, answer.total) if answer.range is None else (answer.range.low, answer.range.high)
    assert span[0] <= known.total <= span[1]
    if answer.range is None or not answer.range.legal_depends:
        assert answer.legal is known.legal


@settings(max_examples=150, deadline=None)
@given(_CASES)
def test_a_family_says_what_its_fans_say_alone(case: Case) -> None:
    counted = tally(case.hand, case.context.flowers)
    table = RULES.table(RULES.require_options(None))
    assert case.hand.winning is not None
    for reading in readings(shapes(case.hand, table.forms), case.hand.winning.index):
        facts = facts_of(counted, reading, case.hand.winning, case.context)
        for ids, family in table.families:
            alone = {fan.id: fan.when(facts) for fan in RULES.fans if fan.id in ids}
            assert {ident: times for ident, times in alone.items() if times} == dict(family(facts))


@settings(max_examples=100, deadline=None)
@given(_CASES)
def test_the_european_profile_answers_every_hand(case: Case) -> None:
    answer = score(case.hand, case.context, "mcr", {"profile": "ema"})
    assert answer.is_win
    assert answer.uncapped == sum(line.points for line in answer.fans)

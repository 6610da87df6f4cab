from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scorer import (
    RULESETS,
    Breakdown,
    Context,
    Hand,
    Meld,
    MeldKind,
    Tile,
    Win,
    score,
)
from scorer.tiles import WINDS
from tests.scorer.hands import context_of, fan_ids, random_hand


def _score(hand: str, context: str, **options: object) -> Breakdown:
    return score(Hand.parse(hand), context_of(context), "tvb", options)


def _hand(vector: Mapping[str, Any]) -> Hand:
    melds = [
        Meld(MeldKind(meld["kind"]), tuple(Tile.parse(tile) for tile in meld["tiles"]), meld["concealed"])
        for meld in vector["melds"]
    ]
    concealed = tuple(Tile.parse(tile) for tile in vector["concealed"])
    return Hand(concealed, tuple(melds), Tile.parse(vector["winning_tile"]))


def _mismatch(vector: Mapping[str, Any]) -> str | None:
    flags = ["last_wall_tile" if flag == "last_tile" else flag for flag in vector["flags"]]
    context = Context.from_dict(
        {"win": vector["win"], "seat": vector["seat"], "round": vector["round"], "flags": flags}
    )
    options = dict(vector["options"])
    assert options.pop("flowers") is False
    assert not vector["bonus"]
    answer, wanted = score(_hand(vector), context, "tvb", options), vector["expect"]
    got = {
        "patterns": fan_ids(answer),
        "total": answer.uncapped,
        "capped": answer.total,
        "legal": answer.legal,
    }
    expected = {**wanted, "patterns": sorted(wanted["patterns"])}
    return None if got == expected else f"{vector['id']}: {got}, not {expected}"


@pytest.mark.corpus
def test_every_vector_agrees(shared: Path) -> None:
    text = (shared / "rules/vectors/tvb.jsonl").read_text(encoding="utf-8")
    vectors = [json.loads(line) for line in text.splitlines() if line.strip()]
    found = [wrong for wrong in map(_mismatch, vectors) if wrong]
    print(f"tvb: {len(vectors)} checked, {len(vectors) - len(found)} equal, 0 set aside")
    assert found == []
    assert len(vectors) >= 23


def test_the_table_is_the_seventeen_patterns() -> None:
    fans = RULESETS["tvb"].fans
    assert sorted(fan.number or 0 for fan in fans) == list(range(1, 18))
    assert sum(fan.points for fan in fans) == 8 + 3 + 3 + 4 + 5 + 7 + 8 + 10 + 10 + 10


def test_flowers_are_not_in_play() -> None:
    answer = _score("[123m] [456p] 789m 34s 88p +5s | 1f", "discard 1z 1z")
    assert answer.total == 1
    assert answer.problems[0]["code"] == "bonus_not_in_play"


@pytest.mark.parametrize(
    ("hand", "context", "option", "value", "before", "after"),
    [
        ("[555z] [666z] [777z] 345m 9s +9s", "discard 2z 3z", "dragon_pungs_in_big_dragons", True, 8, 10),
        ("[111z] [222z] [333z] 345m 4z +4z", "discard 1z 2z", "wind_pungs_in_four_winds", True, 8, 10),
        ("[1111s] 345m 678p 222s 9p +9p", "self_draw 2z 3z kong_replacement",
         "kong_replacement_with_self_draw", False, 2, 1),
        ("[111s] 345m 678p 222s 9p +9p", "self_draw 2z 3z last_wall_tile", "last_tile_with_self_draw", False,
         2, 1),
        ("[111z] [222z] [333z] [444z] 9m +9m", "discard 1z 2z", "limit_hands_absorb", False, 10, 13),
        ("[123m] [345m] 99m 678m 55m +5m", "discard 2z 3z", "cap", 5, 7, 7),
    ],
)  # fmt: skip
def test_a_disputed_point_is_an_option(
    hand: str, context: str, option: str, value: object, before: int, after: int
) -> None:
    assert _score(hand, context).uncapped == before
    assert _score(hand, context, **{option: value}).uncapped == after


def test_the_minimum_is_an_option() -> None:
    hand, context = "[123m] [456p] 789m 34s 88p +5s", "discard 1z 1z"
    assert _score(hand, context).legal
    assert not _score(hand, context, min_fan=2).legal


def test_a_robbed_concealed_kong_wins_by_option_or_profile_only() -> None:
    hand, context = "[123m] [456p] 789m 34s 88p +5s", "rob_kong 1z 1z robbed_concealed_kong"
    answer = _score(hand, context)
    assert not answer.legal
    assert [problem["code"] for problem in answer.problems] == ["barred"]
    assert _score(hand, context, rob_concealed_kong=True).legal
    assert _score(hand, context, profile="usa").legal
    assert _score(hand, "rob_kong 1z 1z").legal
    drawn = _score(hand, "self_draw 1z 1z robbed_concealed_kong")
    assert drawn.legal
    assert [problem["code"] for problem in drawn.problems] == ["robbed_concealed_kong_ignored"]


def test_a_concealed_kong_forbids_to_win_by_option() -> None:
    hand, context = "[111m] (2222p) 444s 777m 9p +9p", "discard 2z 3z"
    assert _score(hand, context).legal
    assert not _score(hand, context, concealed_kong_counts=False).legal
    assert _score("[111m] [2222p] 444s 777m 9p +9p", context, concealed_kong_counts=False).legal


@pytest.mark.parametrize("hand", ["[123m] [456p] 789m 34s 8p +5s", "[123m] [456p] 789m 345s 88p +5s"])
def test_a_wrong_number_of_tiles_cannot_win(hand: str) -> None:
    answer = _score(hand, "discard 1z 1z")
    assert not answer.is_win
    assert answer.problems[0]["code"] in ("too_few_tiles", "too_many_tiles")


def _counted_anew(answer: Breakdown, context: Context) -> int:
    """The total of a hand without special circumstances from its sets, written apart from the predicates."""
    *sets, pair = answer.sets
    honour = pair.endswith("z")
    pungs = [text for text in sets if text[0] == text[1]]
    suits = {text[-1] for text in answer.sets}
    fans = 1 if context.win is Win.SELF_DRAW else 0
    fans += 0 if pungs or honour else 1
    fans += 3 if len(pungs) == 4 else 0
    winds = {text[0] for text in pungs if text[-1] == "z" and text[0] in "1234"}
    dragons = {text[0] for text in pungs if text[-1] == "z" and text[0] in "567"}
    if suits == {"z"} or len(winds) == 4:
        return 10
    fans += 3 if len(suits) == 2 and "z" in suits else 7 if len(suits) == 1 else 0
    if len(winds) == 3 and honour and pair[0] in "1234":
        fans += 5
    else:
        fans += sum(str(wind)[0] in winds for wind in (context.seat, context.round))
    small = len(dragons) == 2 and honour and pair[0] in "567"
    fans += 8 if len(dragons) == 3 else 4 if small else len(dragons)
    return min(10, fans)


def test_random_hands_are_worth_what_a_second_count_says() -> None:
    chance = random.Random(12)
    for _ in range(500):
        hand = random_hand(chance)
        win = chance.choice([Win.SELF_DRAW, Win.DISCARD])
        context = Context(win, chance.choice(WINDS), chance.choice(WINDS))
        answer = score(hand, context, "tvb")
        assert answer.total == _counted_anew(answer, context), str(hand)

from __future__ import annotations

import json

import pytest

from scorer import RULESETS, BadOption, Context, Hand, Tile, UnknownRuleSet, score
from tests.scorer.hands import context_of, fan_ids

PUNGS = "[222p] [666m] [999s] 33m 44s +3m"


def test_the_answer_has_the_fields_of_the_contract_and_is_plain_data() -> None:
    answer = score(Hand.parse("[555z] 123m 456m 789p 2s +2s"), context_of("discard 2z 1z")).to_dict()
    assert list(answer) == [
        "rules",
        "options",
        "is_win",
        "legal",
        "minimum",
        "toward_minimum",
        "uncapped",
        "total",
        "fans",
        "dropped",
        "sets",
        "range",
        "problems",
        "ties",
    ]
    assert json.loads(json.dumps(answer)) == answer
    assert answer["sets"] == ["555z", "123m", "456m", "789p", "22s"]
    dragon = answer["fans"][0]
    assert dragon == {
        "id": "dragon_pung",
        "name": {"en": "Dragon Pung", "zh": "三元牌"},
        "points": 1,
        "times": 1,
        "tiles": ["5z", "5z", "5z"],
    }
    assert (answer["legal"], answer["minimum"], answer["total"]) == (False, 3, 2)


def test_dropped_lines_name_the_fan_and_the_rule() -> None:
    answer = score(Hand.parse("[111z] [222z] [333z] [444z] 6z +6z"), context_of("discard 3z 1z"))
    dropped = {drop.id: drop for drop in answer.dropped}
    assert set(dropped) == {"all_honours", "all_pungs", "seat_wind", "round_wind"}
    assert all(drop.because == "big_four_winds" and drop.rule for drop in answer.dropped)
    assert dropped["all_honours"].rule != dropped["all_pungs"].rule


def test_every_tile_of_a_line_is_in_the_hand() -> None:
    hand = Hand.parse("[555z] [666z] 7z 123m 789m +7z | 2f 6f")
    held = {*hand.tiles, *hand.bonus}
    lines = {line.fan.id: line.tiles for line in score(hand, context_of("self_draw 2z 1z")).fans}
    assert all(set(tiles) <= held for tiles in lines.values())
    assert len(lines["dragon_pung"]) == 6
    assert len(lines["small_three_dragons"]) == 8
    assert lines["own_flower"] == (Tile.parse("2f"),)
    assert lines["own_season"] == (Tile.parse("6f"),)
    assert lines["self_draw"] == (Tile.parse("7z"),)


@pytest.mark.parametrize(
    ("hand", "codes"),
    [
        ("123m", ["too_few_tiles"]),
        ("11111m 22p +2p | 3f 3f", ["too_few_tiles", "five_of_a_tile", "duplicate_bonus"]),
        ("123m 456p 789s 55z 7z 6z +7z", ["not_a_winning_hand"]),
        ("", ["too_few_tiles"]),
    ],
)
def test_a_hand_that_cannot_win_is_an_answer(hand: str, codes: list[str]) -> None:
    answer = score(Hand.parse(hand), Context())
    assert [problem["code"] for problem in answer.problems] == codes
    assert (answer.is_win, answer.legal, answer.total, answer.fans) == (False, False, 0, ())


@pytest.mark.parametrize(
    ("hand", "context", "code", "legal"),
    [
        (PUNGS, "rob_kong 2z 1z", "rob_kong_impossible", False),
        (PUNGS, "self_draw 2z 1z kong_replacement", "kong_replacement_without_kong", False),
        (PUNGS, "discard 2z 1z double_kong", "double_kong_ignored", True),
        (PUNGS, "discard 2z 1z flower_replacement", "flower_replacement_ignored", True),
        (PUNGS, "discard 2z 1z heavenly", "heavenly_ignored", True),
        (PUNGS, "discard 1z 1z earthly", "earthly_ignored", True),
        (PUNGS, "self_draw 2z 1z humanly", "humanly_ignored", True),
        (PUNGS, "discard 2z 1z last_of_its_kind", "last_of_its_kind_ignored", True),
        ("[123m] 456p 78m 22s 999s +9m", "rob_kong 2z 1z last_wall_tile", "last_wall_tile_ignored", False),
        ("[222p] [666m] [999s] 33m 44s +3m | 1a", "discard 2z 1z", "bonus_not_in_play", True),
    ],
)
def test_circumstances_that_cannot_be_are_problems(hand: str, context: str, code: str, legal: bool) -> None:
    answer = score(Hand.parse(hand), context_of(context))
    assert code in [problem["code"] for problem in answer.problems]
    assert answer.is_win
    assert answer.legal is legal


def test_the_rob_of_a_pair_that_the_winner_holds_is_still_counted_but_not_legal() -> None:
    answer = score(Hand.parse(PUNGS), context_of("rob_kong 2z 1z"))
    assert "rob_kong" in fan_ids(answer)
    assert not answer.legal


@pytest.mark.parametrize(
    ("hand", "context", "low", "high", "decides"),
    [
        (PUNGS, {"seat": "2z", "round": "1z"}, 4, 5, ("win",)),
        (PUNGS + " | 2f", {"win": "discard", "round": "1z"}, 3, 4, ("seat",)),
        ("[222z] 345m 678p 111s 9s +9s", {"win": "discard"}, 1, 3, ("seat", "round")),
        (
            "111m 333p 555s 777s 22z",
            {"win": "discard", "seat": "1z", "round": "1z"},
            5,
            10,
            ("winning_tile",),
        ),
        ("111m 333p 555s 777s 22z", {"seat": "1z", "round": "1z"}, 5, 10, ("win", "winning_tile")),
    ],
)
def test_what_is_not_known_gives_a_range(
    hand: str, context: dict[str, object], low: int, high: int, decides: tuple[str, ...]
) -> None:
    answer = score(Hand.parse(hand), Context.from_dict(context))
    assert answer.range is not None
    assert (answer.range.low, answer.range.high, answer.range.decides) == (low, high, decides)
    assert answer.total == low
    assert sum(line.points for line in answer.fans) == answer.uncapped


@pytest.mark.parametrize(
    ("hand", "context"),
    [
        (PUNGS, {"win": "discard"}),
        ("[111z] [222z] [333z] [444z] 6z +6z", {}),
        ("123m 456p 78m 22s 999s +9m", {"heavenly": True}),
        ("[222p] [666m] [999s] 33m 44s +3m | 1f 2f 3f 4f 5f 6f 7f 8f", {}),
    ],
)
def test_what_does_not_matter_gives_no_range(hand: str, context: dict[str, object]) -> None:
    assert score(Hand.parse(hand), Context.from_dict(context)).range is None


def test_a_flag_narrows_what_is_not_known() -> None:
    answer = score(Hand.parse("[3333m] 456p 78m 22s 999s +9m"), Context.from_dict({"kong_replacement": True}))
    assert {"self_draw", "kong_replacement"} <= set(fan_ids(answer))
    assert answer.problems == ()


def test_the_best_reading_counts() -> None:
    answer = score(Hand.parse("111222333m 999p 1s +1s"), context_of("self_draw 2z 1z"))
    assert "four_concealed_pungs" in fan_ids(answer)
    # The winning tile makes the chow of threes or the pair: read for the pair, all four pungs stay concealed.
    assert answer.sets == ("111m", "222m", "333m", "999p", "11s")


def test_flowers_given_as_a_count_rule_out_no_flowers() -> None:
    plain = score(
        Hand.parse(PUNGS), Context.from_dict({"win": "discard", "seat": "1z", "round": "1z", "flowers": 2})
    )
    assert fan_ids(plain) == ["all_pungs"]


def test_unknown_rule_sets_and_options_are_errors() -> None:
    with pytest.raises(UnknownRuleSet, match="riichi") as unknown:
        score(Hand.parse(PUNGS), Context(), "riichi")
    assert unknown.value.code == "unknown_ruleset"
    with pytest.raises(BadOption, match="no such house rule") as bad:
        score(Hand.parse(PUNGS), Context(), "hk", {"riichi": True})
    assert (bad.value.code, bad.value.option) == ("bad_option", "riichi")
    assert score(Hand.parse(PUNGS), Context(), RULESETS["hk"]).rules == "hk"

from __future__ import annotations

import json

import pytest

from scorer import RULESETS, BadOption, Hand, score
from scorer.ruleset import closed
from tests.scorer.hands import context_of, fan_ids

HK = RULESETS["hk"]
PUNGS = "[222p] [666m] [999s] 33m 44s +3m"


def test_the_table_is_sound() -> None:
    ids = [fan.id for fan in HK.fans]
    assert len(ids) == len(set(ids))
    everything = HK.table(HK.require_options({"seven_pairs": 4, "humanly_hand": 13})).fans
    known = {fan.id for fan in everything}
    for fan in everything:
        assert fan.name.en
        assert fan.name.zh
        assert fan.source
        assert fan.points > 0
        for exclusion in fan.excludes:
            assert set(exclusion.fans) <= known
            assert exclusion.rule
    shut = closed(everything)
    for fan, others in shut.items():
        assert fan not in dict(others)
        for other, _ in others:
            assert set(dict(shut[other])) <= set(dict(others)), "the exclusions are closed"


def test_the_default_prices_and_figures() -> None:
    prices = {fan.id: fan.points for fan in HK.fans}
    assert HK.minimum == 3
    assert HK.describe()["cap"] == 10
    assert prices == {
        "big_four_winds": 13,
        "all_kongs": 13,
        "thirteen_orphans": 13,
        "heavenly_hand": 13,
        "earthly_hand": 13,
        "all_honours": 10,
        "all_terminals": 10,
        "nine_gates": 10,
        "four_concealed_pungs": 8,
        "full_flush": 7,
        "big_three_dragons": 5,
        "small_four_winds": 3,
        "small_three_dragons": 3,
        "half_flush": 3,
        "all_pungs": 3,
        "mixed_terminals": 1,
        "all_chows": 1,
        "dragon_pung": 1,
        "seat_wind": 1,
        "round_wind": 1,
        "double_kong": 8,
        "kong_replacement": 1,
        "rob_kong": 1,
        "last_tile_draw": 1,
        "last_tile_discard": 1,
        "self_draw": 1,
        "concealed_hand": 1,
        "eight_flowers": 8,
        "seven_flowers": 3,
        "all_flowers": 2,
        "all_seasons": 2,
        "own_flower": 1,
        "own_season": 1,
        "no_flowers": 1,
    }


def test_the_description_is_plain_data() -> None:
    described = HK.describe({"cap": None})
    assert json.loads(json.dumps(described)) == described
    assert described["cap"] is None
    kinds = {option["id"]: option["type"] for option in described["options"]}
    assert (kinds["min_faan"], kinds["flowers"], kinds["composites"]) == ("integer", "boolean", "string")
    assert kinds["seven_pairs"] == "integer"


@pytest.mark.parametrize(
    ("hand", "context", "options", "total", "there", "gone"),
    [
        (PUNGS, "discard 2z 1z", {"min_faan": 5}, 4, "all_pungs", ""),
        ("[123s] [777s] 456s 99s 33s +9s", "discard 4z 1z", {"full_flush": 6}, 7, "full_flush", ""),
        (
            "[111z] [222z] [333z] [444z] 6z +6z",
            "discard 3z 1z",
            {"cap": None},
            14,
            "big_four_winds",
            "all_honours",
        ),
        ("[111z] [222z] [333z] [444z] 6z +6z", "discard 3z 1z", {"limit": 8}, 8, "big_four_winds", ""),
        (
            "[111z] [222z] [333z] [444z] 6z +6z",
            "discard 3z 1z",
            {"cap": None, "limit_hands_absorb": False},
            24,
            "all_honours",
            "all_pungs",
        ),
        (
            "[555z] [666z] 12m 77z 789p +3m",
            "discard 2z 1z",
            {"composites": "include"},
            6,
            "small_three_dragons",
            "dragon_pung",
        ),
        (
            "[555z] [666z] 12m 77z 789p +3m",
            "discard 2z 1z",
            {"composites": "double"},
            8,
            "dragon_pung",
            "",
        ),
        (
            "[222z] [333z] [444z] 1z 789p +1z",
            "discard 3z 1z",
            {"composites": "double", "cap": None},
            11,
            "seat_wind",
            "",
        ),
        (PUNGS + " | 2f", "discard 2z 1z", {"flowers": False}, 3, "all_pungs", "own_flower"),
        (PUNGS, "discard 2z 1z", {"flowers": False}, 3, "all_pungs", "no_flowers"),
        (PUNGS + " | 1f 2f 3f 4f", "discard 2z 1z", {"flower_set": "adds"}, 6, "own_flower", ""),
        (
            PUNGS + " | 1f 2f 3f 4f 5f 6f 7f",
            "discard 2z 1z",
            {"flower_win": False},
            6,
            "all_pungs",
            "seven_flowers",
        ),
        ("[123m] [456p] 789m 34s 66z +5s", "discard 2z 1z", {"all_chows_pair": "suited"}, 1, "", "all_chows"),
        (
            "111m 333p 555s 777s 2z +2z",
            "discard 3z 1z",
            {"four_concealed_pungs": "self_draw"},
            5,
            "all_pungs",
            "four_concealed_pungs",
        ),
        (
            "111m 333p 555s 77s 22p +7s",
            "discard 2z 1z",
            {"four_concealed_pungs": "any_discard"},
            10,
            "four_concealed_pungs",
            "all_pungs",
        ),
        ("1123456789999s +1s", "discard 2z 1z", {"nine_sided_wait": True}, 9, "full_flush", "nine_gates"),
        ("1112345678999p +5p", "discard 2z 1z", {"nine_sided_wait": True}, 10, "nine_gates", "full_flush"),
        (
            "(1111m) 333p 55s 77s 22p 7s +5s",
            "self_draw 2z 1z",
            {"concealed_kong_keeps_concealed": True},
            10,
            "concealed_hand",
            "",
        ),
        (
            "123m 456p 789s 23m 55p +4m",
            "discard 3z 2z",
            {"concealed_hand": "without_flowers"},
            3,
            "concealed_hand",
            "",
        ),
        (
            "123m 456p 789s 23m 55p +4m | 1f",
            "discard 3z 2z",
            {"concealed_hand": "without_flowers"},
            1,
            "all_chows",
            "concealed_hand",
        ),
        (
            "123m 456p 789s 23m 55p +4m",
            "self_draw 3z 2z",
            {"concealed_hand": "discard_only"},
            3,
            "self_draw",
            "concealed_hand",
        ),
        (
            "123m 456p 789s 23m 55p +4m",
            "self_draw 3z 2z",
            {"concealed_hand": "never"},
            3,
            "self_draw",
            "concealed_hand",
        ),
        (
            "19m 19p 19s 1234567z +9s",
            "discard 2z 1z",
            {"concealed_beside_limit": False, "cap": None},
            14,
            "thirteen_orphans",
            "concealed_hand",
        ),
        (
            "[123m] 456p 78m 22s 999s +9m",
            "self_draw 2z 1z flower_replacement",
            {"flower_replacement_counts": True},
            3,
            "kong_replacement",
            "",
        ),
        (
            "[3333m] 456p 78m 22s 999s +9m",
            "self_draw 2z 1z kong_replacement last_wall_tile",
            {"last_tile_with_kong": False},
            3,
            "kong_replacement",
            "last_tile_draw",
        ),
        (
            "[3333m] (5555p) 78m 22s 999s +9m",
            "self_draw 2z 1z double_kong",
            {"double_kong": 2},
            4,
            "double_kong",
            "",
        ),
        ("1133557799m 22p 4s +4s", "discard 2z 1z", {"seven_pairs": 4}, 6, "seven_pairs", ""),
        (
            "123m 456p 78m 22s 999s +9m",
            "self_draw 1z 1z heavenly",
            {"heavenly_earthly": None},
            3,
            "self_draw",
            "heavenly_hand",
        ),
        (
            "123m 456p 78m 22s 999s +9m",
            "discard 2z 1z earthly",
            {"heavenly_earthly": 10, "cap": None},
            12,
            "earthly_hand",
            "",
        ),
        ("123m 456p 78m 22s 999s +9m", "discard 2z 1z humanly", {"humanly_hand": 3}, 5, "humanly_hand", ""),
        ("123m 456p 78m 22s 999s +9m", "discard 2z 1z humanly", {"humanly_hand": 13}, 10, "humanly_hand", ""),
    ],
)
def test_each_house_rule_changes_what_it_says(
    hand: str, context: str, options: dict[str, object], total: int, there: str, gone: str
) -> None:
    answer = score(Hand.parse(hand), context_of(context), "hk", options)
    assert answer.total == total
    assert not there or there in fan_ids(answer)
    assert not gone or gone not in fan_ids(answer)
    for name, value in options.items():
        assert answer.options["cap" if name == "limit" else name] == value


def test_flowers_may_not_count_toward_the_minimum() -> None:
    hand = Hand.parse("[555z] [222z] 123m 456m 9s +9s")
    plain = score(hand, context_of("discard 2z 1z"))
    strict = score(hand, context_of("discard 2z 1z"), "hk", {"bonus_counts_to_minimum": False})
    assert (plain.total, plain.toward_minimum, plain.legal) == (3, 3, True)
    assert (strict.total, strict.toward_minimum, strict.legal) == (3, 2, False)


@pytest.mark.parametrize(
    "options",
    [
        {"min_faan": "three"},
        {"min_faan": -1},
        {"min_faan": True},
        {"min_faan": None},
        {"cap": 0},
        {"flowers": 1},
        {"composites": "both"},
        {"seven_pairs": 7},
        {"seven_pairs": True},
        {"full_flush": 6.5},
        {"nothing": 1},
    ],
)
def test_a_bad_house_rule_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(BadOption) as caught:
        score(Hand.parse(PUNGS), context_of("discard 2z 1z"), "hk", options)
    assert caught.value.option == next(iter(options))


def test_a_table_that_shuts_itself_out_is_refused() -> None:
    from dataclasses import replace

    from scorer.fan import Exclusion

    first, second = HK.fans[:2]
    loop = (
        replace(first, excludes=(Exclusion((second.id,), "a"),)),
        replace(second, excludes=(Exclusion((first.id,), "b"),)),
    )
    with pytest.raises(ValueError, match="shuts out itself"):
        closed(loop)


def test_only_thirteen_orphans_may_rob_a_concealed_kong() -> None:
    orphans = Hand.parse("119m 19p 19s 123456z +7z")
    context = context_of("rob_kong 2z 1z robbed_concealed_kong")
    assert score(orphans, context).legal
    never = score(orphans, context, "hk", {"rob_concealed_kong": "never"})
    other = score(Hand.parse("[123s] [777s] 46s 999s 11z +5s"), context)
    for answer in (never, other):
        assert not answer.legal
        assert [problem["code"] for problem in answer.problems] == ["barred"]

"""The Chinese Official rules: what an answer says beside its points."""

from __future__ import annotations

import pytest

from scorer import Breakdown, Context, Hand, Tile, score
from scorer.facts import facts_of, tally
from scorer.rulesets.mcr_principles import account_once
from scorer.shapes import readings, shapes
from tests.scorer.hands import context_of, fan_ids

CHICKEN = "[123m] [345p] 567m 78s 22z +6s"


def _score(hand: str, context: str = "discard 1z 1z", **options: object) -> Breakdown:
    return score(Hand.parse(hand), context_of(context), "mcr", options)


def _dropped(answer: Breakdown) -> dict[str, tuple[str, int]]:
    return {drop.id: (drop.because, drop.times) for drop in answer.dropped}


def _tiles(answer: Breakdown) -> dict[str, str]:
    return {line.fan.id: "".join(str(tile) for tile in line.tiles) for line in answer.fans}


# What does not count, and why


@pytest.mark.parametrize(
    ("hand", "context", "dropped", "because", "times"),
    [
        ("[111z] [222z] [333z] 444z 5p +5p", "discard 1z 2z", "seat_wind", "big_four_winds", 1),
        ("[111z] [222z] [333z] 444z 5p +5p", "discard 1z 2z", "big_three_winds", "big_four_winds", 1),
        ("[222z] 2999m 345p 678s +2m", "discard 2z 1z", "pung_of_terminals_or_honors", "seat_wind", 1),
        ("[222z] 2999m 345p 678s +2m", "discard 2z 2z", "pung_of_terminals_or_honors", "prevalent_wind", 1),
        ("[666z] 2999m 345p 678s +2m", "discard 2z 2z", "pung_of_terminals_or_honors", "dragon_pung", 1),
        ("[333m] [333p] 44m 99p 333s +4m", "discard 1z 1z", "double_pung", "triple_pung", 3),
        ("1112345678999m +5m", "discard 1z 1z", "pung_of_terminals_or_honors", "nine_gates", 1),
        ("[123m] 456789m 23p 55s +1p", "discard 1z 1z", "short_straight", "pure_straight", 2),
        ("[123m] [789m] 12378p 22z +9p", "discard 1z 1z", "two_terminal_chows", "account_once", 1),
        ("[345p] 333444555p 7z +7z", "discard 1z 1z", "tile_hog", "quadruple_chow", 3),
        ("[345p] 333444555p 7z +7z", "discard 1z 1z", "pure_double_chow", "quadruple_chow", 6),
        ("(2222m) (9999p) 345p 678s 5z +5z", "discard 1z 1z", "concealed_kong", "two_concealed_kongs", 1),
        ("[2222m] [5555p] (9999s) 678m 3z +3z", "discard 1z 1z", "melded_kong", "three_kongs", 1),
        ("1155m 337788p 229s +9s", "self_draw 1z 1z", "fully_concealed_hand", "seven_pairs", 1),
        ("[123m] 999p 45678s 55z +3s", "rob_kong 1z 1z last_of_its_kind", "last_tile", "robbing_the_kong", 1),
        ("[123m] [555p] [789s] [222z] 4m +4m", "discard 1z 1z", "single_wait", "melded_hand", 1),
    ],
)
def test_what_is_dropped_names_the_fan_or_the_principle(
    hand: str, context: str, dropped: str, because: str, times: int
) -> None:
    answer = _score(hand, context)
    found = [drop for drop in answer.dropped if drop.id == dropped]
    assert [(drop.because, drop.times) for drop in found] == [(because, times)]
    assert all(drop.rule for drop in answer.dropped)


def test_of_two_great_chow_fans_one_counts() -> None:
    # No four chows hold two different ones that the records leave beside each other; the principle says it.
    hand, context = Hand.parse("[123m] 456789m 23p 55s +1p"), context_of("discard 1z 1z")
    reading = readings(shapes(hand), Tile.parse("1p").index)[0]
    facts = facts_of(tally(hand), reading, hand.winning, context)
    losses = list(account_once(facts, {"pure_straight": 1, "mixed_shifted_chows": 1}))
    assert [(loss.fan, loss.times, loss.because) for loss in losses] == [
        ("mixed_shifted_chows", 1, "pure_straight")
    ]


def test_a_fan_counts_once_however_many_choices_of_sets_make_it() -> None:
    answer = _score("[123m] [234m] [345m] 67m 55z +5m")
    assert fan_ids(answer).count("pure_shifted_chows") == 1
    assert _dropped(answer)["pure_shifted_chows"] == ("pure_shifted_chows", 1)


def test_the_lines_point_at_their_tiles() -> None:
    tiles = _tiles(_score("[222z] [111m] 999m 345p 6s +6s", "discard 2z 1z"))
    assert tiles["seat_wind"] == "2z2z2z"
    assert tiles["pung_of_terminals_or_honors"] == "1m1m1m9m9m9m"
    assert tiles["single_wait"] == "6s"
    tiles = _tiles(_score("[123m] 456789m 23p 55s +1p"))
    assert tiles["pure_straight"] == "1m2m3m4m5m6m7m8m9m"
    assert tiles["mixed_double_chow"] == "1m2m3m1p2p3p"
    assert _tiles(_score("14467m 22258p 369s +5m"))["knitted_straight"] == "1m4m7m2p5p8p3s6s9s"


@pytest.mark.parametrize(
    "hand",
    ["(1111m) [2222m] [333m] 234s 5p +5p", "22233344m 555p 66s +4m", "147m258p369s 1567z +2z", CHICKEN],
)
def test_every_tile_of_a_line_is_in_the_hand(hand: str) -> None:
    answer = _score(hand)
    assert answer.fans
    assert all(set(line.tiles) <= set(Hand.parse(hand).tiles) for line in answer.fans)


def test_readings_that_are_worth_as_much_are_named() -> None:
    answer = _score("[345p] 66777888s 22m +6s")
    assert answer.sets == ("345p", "678s", "678s", "678s", "22m")
    assert {"pure_triple_chow", "all_chows"} <= set(fan_ids(answer))
    assert [{line.fan.id for line in tie.fans} for tie in answer.ties] == [
        {"pure_shifted_pungs", "two_concealed_pungs", "all_simples"}
    ]
    assert all(sum(line.points for line in tie.fans) == answer.uncapped for tie in answer.ties)
    assert answer.to_dict()["ties"][0]["sets"] == ["345p", "666s", "777s", "888s", "22m"]
    assert _score("[345p] 66777888s 11z +6s").ties == ()


# Eight points


def test_a_chicken_hand_wins_and_one_point_more_loses() -> None:
    answer = _score(CHICKEN)
    assert (fan_ids(answer), answer.toward_minimum, answer.legal) == (["chicken_hand"], 8, True)
    drawn = _score(CHICKEN, "self_draw 1z 1z")
    assert (fan_ids(drawn), drawn.toward_minimum, drawn.legal) == (["self_drawn"], 1, False)


def test_flowers_are_paid_but_do_not_help_to_win() -> None:
    answer = _score("[234m] 55566p 34678s +5s | 1f 2f 3f 4f 5f")
    assert (answer.toward_minimum, answer.uncapped, answer.legal) == (3, 8, False)
    assert _score(CHICKEN + " | 1f 2f").total == 10
    known = {"win": "discard", "seat": "1z", "round": "1z", "flowers": 3}
    known = {"win": "discard", "seat": "1z", "round": "1z", "flowers": 3}
    counted = score(Hand.parse(CHICKEN), Context.from_dict(known), "mcr")
    assert (counted.total, counted.toward_minimum, counted.legal) == (11, 8, True)


# Circumstances that cannot be


@pytest.mark.parametrize(
    ("hand", "context", "code", "legal", "absent"),
    [
        ("[123m] 678s 33s 999p 45s +3s", "rob_kong 1z 1z", "rob_kong_impossible", False, "last_tile"),
        (
            "[123m] 678s 33s 999p 45s +3s",
            "discard 1z 1z last_of_its_kind",
            "last_of_its_kind_ignored",
            False,
            "last_tile",
        ),
        (
            "[123m] 678s 55z 999p 45s +3s",
            "self_draw 1z 1z kong_replacement",
            "kong_replacement_without_kong",
            False,
            "self_drawn",
        ),
        (
            "[2222m] 678s 55z 999p 45s +3s",
            "discard 1z 1z kong_replacement",
            "kong_replacement_ignored",
            False,
            "out_with_replacement_tile",
        ),
        (
            "[123m] 678s 55z 999p 45s +3s",
            "rob_kong 1z 1z last_wall_tile",
            "last_wall_tile_ignored",
            True,
            "last_tile_claim",
        ),
    ],
)
def test_an_impossible_circumstance_is_refused_with_a_reason(
    hand: str, context: str, code: str, legal: bool, absent: str
) -> None:
    answer = _score(hand, context)
    assert [problem["code"] for problem in answer.problems] == [code]
    assert all(problem["detail"] for problem in answer.problems)
    assert answer.legal is legal
    assert absent not in fan_ids(answer)


def test_the_last_tile_shows_in_the_winners_own_claimed_sets() -> None:
    assert "last_tile" in fan_ids(_score("[333s] 999p 45678s 55z +3s"))
    assert "last_tile" in fan_ids(_score("[123s] [123s] [123s] 99p 12s +3s"))
    assert "last_tile" not in fan_ids(_score("[123s] [123s] 123s 99p 12s +3s"))
    stated = _score("[123s] [345s] 99p 12s 678m +3s", "discard 1z 1z last_of_its_kind")
    assert "last_tile" in fan_ids(stated)
    assert stated.problems == ()


def test_a_second_kong_gives_a_replacement_too() -> None:
    answer = _score("[2222m] (3333s) 55z 999p 45s +6s", "self_draw 1z 1z double_kong")
    assert "out_with_replacement_tile" in fan_ids(answer)


def test_who_wins_with_the_tiles_dealt_waited_for_nothing() -> None:
    hand = "123m 456p 789s 333z 5s +5s"
    assert "single_wait" in fan_ids(_score(hand, "self_draw 1z 1z"))
    assert "single_wait" not in fan_ids(_score(hand, "self_draw 1z 1z heavenly"))


# What is not known


def _open(hand: str, **context: object) -> Breakdown:
    return score(Hand.parse(hand), Context.from_dict(context), "mcr")


@pytest.mark.parametrize(
    ("hand", "context", "low", "high", "decides", "legal_depends"),
    [
        (CHICKEN, {"seat": "1z", "round": "1z"}, 1, 8, ("win",), True),
        ("[222z] 2999m 345p 678s +2m", {"win": "discard"}, 3, 6, ("seat", "round"), False),
        (
            "[123m] [345p] 567m 678s 22z",
            {"win": "discard", "seat": "1z", "round": "1z"},
            1,
            8,
            ("winning_tile",),
            True,
        ),
        (
            "[123m] 678s 55z 999p 45s +3s",
            {"win": "discard", "seat": "1z", "round": "1z", "last_of_its_kind": None},
            2,
            6,
            ("last_of_its_kind",),
            False,
        ),
        (
            "[123m] 678s 55z 999p 45s +3s",
            {"win": "discard", "seat": "1z", "round": "1z", "last_wall_tile": None},
            2,
            10,
            ("last_wall_tile",),
            True,
        ),
    ],
)
def test_what_is_not_known_gives_a_range(
    hand: str, context: dict[str, object], low: int, high: int, decides: tuple[str, ...], legal_depends: bool
) -> None:
    answer = _open(hand, **context)
    assert answer.range is not None
    assert (answer.range.low, answer.range.high) == (low, high)
    assert answer.range.decides == decides
    assert answer.range.legal_depends is legal_depends
    assert answer.total == low


def test_an_open_circumstance_that_cannot_be_changes_nothing() -> None:
    known = {"win": "discard", "seat": "1z", "round": "1z"}
    assert _open("[123m] 678s 33s 999p 45s +3s", **known, last_of_its_kind=None).range is None
    assert _open("[123m] 678s 55z 999p 45s +3s", **known, kong_replacement=None).range is None


# Whose rules


@pytest.mark.parametrize(
    ("hand", "context", "option", "value", "default", "changed"),
    [
        ("(2222m) (9999p) 345p 678s 5z +5z", "discard 1z 1z", "two_concealed_kongs", 8, 10, 12),
        ("(2222m) [9999p] 345p 678s 5z +5z", "discard 1z 1z", "concealed_and_melded_kong", 6, 7, 8),
        ("(2222m) [9999p] 345p 678s 5z +5z", "discard 1z 1z", "concealed_and_melded_kong", None, 7, 5),
        ("1155m 337788p 229s +9s", "self_draw 1z 1z", "fully_concealed_special", True, 26, 29),
        ("147m25p36s123456z +7z", "self_draw 1z 1z", "fully_concealed_special", True, 25, 28),
        ("13457m 22258p 369s +4m", "discard 1z 1z", "knitted_straight_wait", False, 17, 16),
        ("147m258p369s1235z +6z", "discard 1z 1z", "knitted_straight_in_lesser", False, 24, 12),
        ("1199m 1199p 11s 33z 5z +5z", "discard 1z 1z", "seven_pairs_all_types", False, 62, 56),
        ("22334466888s 66z +6z", "discard 1z 1z", "all_green_half_flush", True, 93, 99),
        ("[111m] [999m] 111999p 9s +9s", "discard 1z 1z", "all_terminals_double_pung", True, 67, 71),
        ("1112345678999m +5m", "discard 1z 1z", "nine_gates_pungs", "none", 91, 90),
        ("[111z] [222z] [333z] 444z 5p +5p", "discard 1z 2z", "cap", 88, 95, 88),
    ],
)
def test_each_disputed_point_is_an_option_that_the_answer_echoes(
    hand: str, context: str, option: str, value: object, default: int, changed: int
) -> None:
    answers = _score(hand, context), _score(hand, context, **{option: value})
    assert [answer.total for answer in answers] == [default, changed]
    assert answers[1].options[option] == value


def test_the_european_profile_reads_all_of_them_together() -> None:
    answer = _score("(2222m) (9999p) 345p 678s 5z +5z", profile="ema")
    assert answer.total == 12
    assert answer.options["profile"] == "ema"
    assert _score("(2222m) (9999p) 345p 678s 5z +5z", profile="ema", two_concealed_kongs=6).total == 10

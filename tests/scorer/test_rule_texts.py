"""What the texts of the rules of play say in figures and examples: the Hong Kong guide, the rules of play of
Singapore, the championship of 2026, and the advanced Chinese Official rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scorer import (
    RULESETS,
    Breakdown,
    Hand,
    Outcome,
    Seats,
    Settlement,
    score,
    settle,
    settle_claims,
)
from scorer.tiles import ALL_TILES, WINDS
from tests.scorer.hands import context_of, fan_ids

SCORER = Path(__file__).resolve().parents[2] / "scorer"
EAST, SOUTH, WEST, NORTH = WINDS
DISCARD, DRAWN = "discard 2z 1z", "self_draw 2z 1z"
#: The house rules of the guide to Hong Kong mahjong.
GUIDE: dict[str, object] = {
    "sharing": "full_each",
    "dealer_doubles": True,
    "concealed_kong_keeps_concealed": True,
    "several_winners": "first",
    "false_win": "limit",
    "seven_pairs": 10,
}
PUNGS = "[222p] [666m] [999s] 33m 44s +3m"


def _score(hand: str, context: str, rules: str, **options: object) -> Breakdown:
    return score(Hand.parse(hand), context_of(context), rules, options)


def _guide(hand: str, context: str, **table: object) -> list[int]:
    known = context_of(context)
    answer = score(Hand.parse(hand), known, "hk", GUIDE)
    found = settle(answer, known, Seats.from_dict({"winner": str(known.seat), **table}))
    return [found.payments[wind] for wind in WINDS]


def test_what_the_readme_names_as_carrying_a_rule_is_there() -> None:
    readme = (SCORER / "README.md").read_text(encoding="utf-8")
    tables = readme.split("## The rules of play, rule by rule")[1].split("\n## ")[0]
    code = " ".join(path.read_text(encoding="utf-8") for path in SCORER.rglob("*.py"))
    known = set(re.findall(r"\w+", code + code.lower()))  # problems are named after an enumeration
    named = {word for span in re.findall(r"`([^`]+)`", tables) for word in re.findall(r"[A-Za-z_]\w+", span)}
    outside = {"mahjong", "reader", "tests", "test_rule_texts", "py"}  # the command, and these tests
    assert len(named) > 100
    assert named - known <= outside
    rows = [line for line in tables.splitlines() if line.startswith("| ")]
    assert all(len(row.strip("|").split("|")) == 2 and row.strip("|").split("|")[1].strip() for row in rows)


# The guide to Hong Kong mahjong


def test_the_example_of_a_winning_hand_wins() -> None:
    # A pung of seven dots, 345 bamboo, 123 characters, a pung of east, a pair of red dragons.
    assert _score("777p 345s 123m 111z 7z +7z", "discard 1z 1z", "hk").is_win


def test_four_of_a_kind_are_not_two_pairs() -> None:
    assert _score("1133557799m 22p 4s +4s", DISCARD, "hk", **GUIDE).total == 10
    assert not _score("1111557799m 22p 4s +4s", DISCARD, "hk", **GUIDE).is_win


def test_a_concealed_kong_keeps_the_hand_concealed() -> None:
    hand = "(1111m) 456p 78m 22s 999s +9m"
    assert "concealed_hand" in fan_ids(_score(hand, DISCARD, "hk", **GUIDE))
    assert "concealed_hand" not in fan_ids(_score(hand, DISCARD, "hk"))


def test_who_pays_in_the_guide() -> None:
    # Four faan by discard, five self-drawn: 16 and 24.
    assert _guide(PUNGS, "discard 2z 1z", discarder="3z") == [0, 16, -16, 0]
    assert _guide(PUNGS, DRAWN) == [-48, 96, -24, -24]
    assert _guide(PUNGS, "self_draw 1z 2z") == [144, -48, -48, -48]
    assert _guide(PUNGS, "discard 1z 2z", discarder="3z") == [32, 0, -32, 0]


def test_of_two_who_call_the_first_in_turn_wins() -> None:
    assert _guide(PUNGS, "discard 2z 1z", discarder="3z", also_won=["4z"]) == [0, 0, 0, 0]
    assert _guide(PUNGS, "discard 4z 1z", discarder="3z", also_won=["2z"]) == [0, 0, -16, 16]


def test_a_false_declaration_pays_each_the_limit() -> None:
    chicken = "[123m] [999p] 45678s 55z +3s"
    assert _guide(chicken, DISCARD, discarder="3z") == [128, -384, 128, 128]


def test_the_dealer_stays_who_wins_or_where_nobody_does() -> None:
    game = RULESETS["hk"].game(GUIDE)
    known = context_of("self_draw 1z 2z")
    answer = score(Hand.parse(PUNGS), known, "hk", GUIDE)
    won = Outcome(answer, Seats(EAST), settle(answer, known, Seats(EAST)))
    assert (game.after(won).dealer, game.after().dealer) == (0, 0)


# The rules of play of Singapore


def test_the_tiles_of_singapore_are_148() -> None:
    # Beside 34 kinds of four: eight flowers and seasons, four animals. A face-down tile is none.
    kinds = [tile for tile in ALL_TILES if tile.suit != "x"]
    assert sum(4 if tile.index < 34 else 1 for tile in kinds) == 148


def _tai(tai: int) -> Breakdown:
    values = RULESETS["singapore"].require_options(None)
    return Breakdown("singapore", values, True, True, 1, tai, tai, tai)


def test_east_loses_640_160_and_320() -> None:
    found = settle_claims({SOUTH: _tai(5), WEST: _tai(3), NORTH: _tai(4)}, EAST, unit=10)
    assert {line.payee: line.amount for line in found.lines} == {SOUTH: 640, WEST: 160, NORTH: 320}
    assert {line.payer for line in found.lines} == {EAST}


def test_north_wins_before_east_on_a_discard_of_south() -> None:
    found: Settlement = settle_claims({EAST: _tai(3), NORTH: _tai(2)}, SOUTH)
    assert [found.payments[wind] for wind in WINDS] == [-2, -4, -2, 8]


def test_a_session_of_singapore_has_sixteen_hands_at_least() -> None:
    game = RULESETS["singapore"].game({"dealer_on_draw": "passes"})
    while not game.over:
        game = game.after()
    assert game.hands == 16
    assert game.round == NORTH


# The championship of 2026


def test_the_tiles_of_the_championship_are_136() -> None:
    assert RULESETS["tvb"].table(RULESETS["tvb"].require_options(None)).bonus_suits == frozenset()
    assert sum(4 for tile in ALL_TILES if tile.index < 34) == 136


# The advanced Chinese Official rules


@pytest.mark.parametrize(
    ("hand", "context", "there", "gone"),
    [
        # A four in 33-3(4)5: a five would win too.
        ("[123m] [789p] [111m] 3335s +4s", DISCARD, "tile_hog", "closed_wait"),
        ("[123m] [789p] [111m] 9935s +4s", DISCARD, "closed_wait", "single_wait"),
        # A three in 12(3)-345: a six would win too.
        ("[567m] [789p] 99p 12345s +3s", DISCARD, "all_chows", "edge_wait"),
        ("[567m] [789p] 99p 12567s +3s", DISCARD, "edge_wait", "closed_wait"),
        # A one in (1)1-234: a four would win too.
        ("[567m] [789p] [444p] 1234s +1s", DISCARD, "no_honors", "single_wait"),
        # Nothing but the pair can be completed where four sets lie on the table.
        ("[123m] [789p] [456s] [555p] 9s +9s", DISCARD, "melded_hand", "single_wait"),
        # Three shifted chows may be all chows or not.
        ("[123m] [234p] 345s 567m 5p +5p", DISCARD, "mixed_shifted_chows all_chows", ""),
        ("[123m] [234p] 345s 567m 5z +5z", DISCARD, "mixed_shifted_chows", "all_chows"),
        # The wind of the seat and that of the round, each two; any other wind one.
        ("[111z] [222z] [123m] 456p 9s +9s", DISCARD, "seat_wind prevalent_wind",
         "pung_of_terminals_or_honors"),
        ("[111z] [333z] [123m] 456p 9s +9s", "discard 1z 1z",
         "seat_wind prevalent_wind pung_of_terminals_or_honors", ""),
        ("[555z] 123m 456p 789s 9s +9s", DISCARD, "dragon_pung", "pung_of_terminals_or_honors"),
        ("[111m] 123m 456p 789s 5s +5s", DISCARD, "pung_of_terminals_or_honors", ""),
        # Concealed, fully concealed, self-drawn: 2, 4, 1, and never two of them.
        ("123m 456p 789s 234m 9s +9s", DISCARD, "concealed_hand", "self_drawn fully_concealed_hand"),
        ("123m 456p 789s 234m 9s +9s", DRAWN, "fully_concealed_hand", "self_drawn concealed_hand"),
        ("[123m] 456p 789s 234m 9s +9s", DRAWN, "self_drawn", "concealed_hand fully_concealed_hand"),
        ("(1111m) 456p 789s 234m 9s +9s", DISCARD, "concealed_hand", ""),
        # The fourth of a tile of which three are seen, and none of them stands in the hand.
        ("[123m] 456p 78s 234m 55p +9s", "discard 2z 1z last_of_its_kind", "last_tile", ""),
        ("[123m] 456p 789s 234m 9s +9s", "discard 2z 1z last_of_its_kind", "", "last_tile"),
    ],
)  # fmt: skip
def test_the_examples_of_the_chinese_official_rules(hand: str, context: str, there: str, gone: str) -> None:
    answer = _score(hand, context, "mcr")
    found = set(fan_ids(answer))
    assert set(there.split()) <= found
    assert not set(gone.split()) & found


def test_one_wait_is_counted_however_many_are_seen() -> None:
    found = fan_ids(_score("[567m] [789p] [444p] 7789s +7s", DISCARD, "mcr"))
    assert sum(found.count(name) for name in ("edge_wait", "closed_wait", "single_wait")) == 1


def test_the_prices_of_the_advanced_text() -> None:
    prices = {fan.id: fan.points for fan in RULESETS["mcr"].fans}
    told = {
        "dragon_pung": 2,
        "seat_wind": 2,
        "prevalent_wind": 2,
        "pung_of_terminals_or_honors": 1,
        "self_drawn": 1,
        "concealed_hand": 2,
        "fully_concealed_hand": 4,
        "last_tile": 4,
        "closed_wait": 1,
        "edge_wait": 1,
        "single_wait": 1,
        "melded_hand": 6,
    }
    assert {name: prices[name] for name in told} == told
    assert prices["mixed_shifted_chows"] + prices["all_chows"] == 8
    assert RULESETS["mcr"].minimum == 8

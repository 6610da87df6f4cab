"""Who pays whom, through every door."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from api.answers import ScoreRequest, score_answer
from api.errors import ApiError
from tests.api.conftest import StubReader, photo_bytes
from tests.api.test_cli import lines, run, stubbed  # noqa: F401 (the command reads with a stub)
from tests.api.test_http import hands, problem

#: Nineteen points under the Chinese rules.
STRAIGHT = "[123m] 456789m 23p 55s +1p"
#: Three points: a win that is none.
SHORT = "[123m] 999p 45678s 55z +3s"
NO_HAND = "123m 456p 789s 55z 7z 6z +7z"
DISCARD = {"win": "discard", "seat": "2z", "round": "1z"}


def asked(**changed: Any) -> dict[str, Any]:
    return {
        "hand": STRAIGHT,
        "rules": "mcr",
        "context": DISCARD,
        "table": {"discarder": "1z"},
        **changed,
    }


def answered(**changed: Any) -> dict[str, Any]:
    return score_answer(ScoreRequest.from_data(asked(**changed)))


def test_the_settlement_is_that_of_the_contract(client: TestClient) -> None:
    table = {"winner": "2z", "discarder": "1z", "liable": None, "dealer": "1z", "unit": 1}
    answer = client.post("/v1/score", json=asked(table=table)).json()
    assert answer["settlement"] == {
        "payments": {"1z": -27, "2z": 43, "3z": -8, "4z": -8},
        "lines": [
            {"from": "1z", "to": "2z", "amount": 27, "why": "8 and 19 of the hand"},
            {"from": "3z", "to": "2z", "amount": 8, "why": "8, as every player"},
            {"from": "4z", "to": "2z", "amount": 8, "why": "8, as every player"},
        ],
    }
    assert list(answer)[-1] == "settlement"
    assert answer["problems"] == []


def test_no_table_no_settlement(client: TestClient) -> None:
    for words in ({}, {"table": None}):
        answer = client.post("/v1/score", json={"hand": STRAIGHT, "rules": "mcr", **words}).json()
        assert answer["settlement"] is None
        assert answer["problems"] == []


def test_command_batch_and_http_say_the_same(client: TestClient) -> None:
    table = {"winner": "2z", "discarder": "1z", "liable": "3z", "dealer": "1z", "unit": 5}
    over_http = client.post("/v1/score", json=asked(table=table))
    words = ("--rules", "mcr", "--win", "discard", "--seat", "south", "--round", "1z", "--json")
    seats = ("--winner", "2z", "--discarder", "east", "--liable", "West", "--dealer", "1z", "--unit", "5")
    result = run("score", STRAIGHT, *words, *seats)
    assert result.exit_code == 0
    assert result.stdout.strip().encode() == over_http.content
    assert run("score", "--batch", stdin=json.dumps(asked(table=table))).stdout == result.stdout


def test_hand_says_what_http_says(client: TestClient, photo: Path) -> None:
    told = ("--rules", "mcr", "--winning-tile", "9s", "--seat", "1z", "--round", "1z", "--win", "discard")
    (answer,) = lines(run("hand", photo, *told, "--discarder", "north", "--unit", "2", "--json").stdout)
    over_http = hands(
        client,
        rules="mcr",
        winning_tile="9s",
        context={"win": "discard", "seat": "1z", "round": "1z"},
        table={"discarder": "4z", "unit": 2},
    ).json()
    assert answer["score"] == over_http["score"]
    assert over_http["score"]["settlement"]["payments"]["2z"] == -16
    assert over_http["score"]["settlement"]["lines"][2]["from"] == "4z"


def test_where_the_winner_sits_is_told_once() -> None:
    whole = answered(table={"winner": "2z", "discarder": "1z"})
    assert answered() == whole
    context = {"win": "discard", "round": "1z"}
    assert answered(context=context, table={"winner": "2z", "discarder": "1z"}) == whole
    drawn = run("score", STRAIGHT, "--rules", "mcr", "--seat", "2z", "--self-draw", "--payments", "--json")
    assert lines(drawn.stdout)[0]["settlement"]["payments"] == {"1z": -28, "2z": 84, "3z": -28, "4z": -28}


@pytest.mark.parametrize("hand", [SHORT, NO_HAND])
def test_a_win_that_was_none_is_settled_as_the_rules_say(hand: str) -> None:
    fined = answered(hand=hand, options={"false_win": 10})
    assert not fined["legal"]
    assert fined["settlement"]["payments"] == {"1z": 10, "2z": -30, "3z": 10, "4z": 10}
    assert all(line["from"] == "2z" and "false win" in line["why"] for line in fined["settlement"]["lines"])
    free = answered(hand=hand)["settlement"]
    assert free == {"payments": {"1z": 0, "2z": 0, "3z": 0, "4z": 0}, "lines": []}


@pytest.mark.parametrize(
    ("changed", "detail"),
    [
        ({"rules": "hk", "options": {"min_faan": 0, "flowers": False, "sharing": "half"}}, "a unit of 2"),
        ({"context": {}, "table": {"winner": "2z"}}, "who pays depends on win"),
        (
            {"hand": "[123m] [345p] 567m 78s 22z +6s", "context": {}, "table": {"winner": "1z"}},
            "whether the hand wins depends on",
        ),
        (
            {"context": {"win": "self_draw", "kong_replacement": True}, "table": {"winner": "2z"}},
            "what is stated about the win cannot be",
        ),
    ],
)
def test_where_nobody_can_say_who_pays_the_score_is_still_an_answer(
    client: TestClient, changed: dict[str, Any], detail: str
) -> None:
    response = client.post("/v1/score", json=asked(**changed))
    assert response.status_code == 200
    answer = response.json()
    assert answer["settlement"] is None
    assert answer["total"] > 0
    assert answer["problems"][-1]["code"] == "no_settlement"
    assert detail in answer["problems"][-1]["detail"]


BAD_TABLES: list[tuple[Any, dict[str, Any], str]] = [
    ("east", DISCARD, "table"),
    ([], DISCARD, "table"),
    ({"winner": "1z", "discarder": "3z"}, DISCARD, "winner"),
    ({"discarder": "1z"}, {"win": "discard"}, "winner"),
    ({"winner": "2z"}, DISCARD, "discarder"),
    ({"discarder": "2z"}, DISCARD, "discarder"),
    ({"discarder": "5z"}, DISCARD, "discarder"),
    ({"discarder": 1}, DISCARD, "discarder"),
    ({"discarder": "1z"}, {"win": "self_draw", "seat": "2z"}, "discarder"),
    ({"discarder": "1z", "liable": "up"}, DISCARD, "liable"),
    ({"discarder": "1z", "dealer": "1m"}, DISCARD, "dealer"),
    ({"discarder": "1z", "unit": 0}, DISCARD, "unit"),
    ({"discarder": "1z", "unit": 1.5}, DISCARD, "unit"),
    ({"discarder": "1z", "unit": 10**4000}, DISCARD, "unit"),
    ({"discarder": "1z", "loser": "1z"}, DISCARD, "loser"),
]


@pytest.mark.parametrize(("table", "context", "field"), BAD_TABLES)
@pytest.mark.parametrize("rules", ["mcr", "hk"])
def test_a_table_that_cannot_be_names_its_field(
    client: TestClient, rules: str, table: Any, context: dict[str, Any], field: str
) -> None:
    request = asked(table=table, context=context, rules=rules)
    detail = problem(client.post("/v1/score", json=request), "bad_table", 400)["detail"]
    assert detail.startswith(f"{field}: ")
    batch = run("score", "--batch", stdin=json.dumps(request))
    assert batch.exit_code == 1
    assert lines(batch.stdout) == [{"error": {"code": "bad_table", "detail": detail}}]


def test_a_bad_table_is_found_before_the_photo_is_read(client: TestClient, reader: StubReader) -> None:
    reader.failure = AssertionError("the photo was read")
    problem(hands(client, photo_bytes(), table={"winner": "9z"}), "bad_table")


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (("--winner", "up"), "winner"),
        (("--payments",), "winner"),
        (("--winner", "1z", "--discarder", "East"), "discarder"),
        (("--seat", "1z", "--self-draw", "--discarder", "2z"), "discarder"),
        (("--seat", "1z", "--unit", "0"), "unit"),
    ],
)
def test_options_that_cannot_be(photo: Path, options: tuple[str, ...], field: str) -> None:
    for command in (("score", STRAIGHT), ("hand", photo)):
        result = run(*command, *options, "--json")
        assert result.exit_code == 1
        error = lines(result.stdout)[0]["error"]
        assert error["code"] == "bad_table"
        assert error["detail"].startswith(f"{field}: ")


def test_people_are_told_who_pays_whom() -> None:
    told = ("--rules", "mcr", "--seat", "2z", "--round", "1z", "--win", "discard", "--discarder", "1z")
    paid = run("score", STRAIGHT, *told).stdout
    for words in ("East 東 pays", "South 南", "27", "8 and 19 of the hand", "South 南 +43", "West 西 -8"):
        assert words in paid
    assert "false win" not in paid
    fined = run("score", SHORT, *told, "--option", "false_win=10").stdout
    for words in ("false win: 10 to each player", "South 南 -30", "East 東 +10"):
        assert words in fined
    assert "nobody pays" in run("score", NO_HAND, *told).stdout
    assert "payments" not in run("score", STRAIGHT, *told[:-2]).stdout
    uneven = ("--option", "min_faan=0", "--option", "flowers=false", "--option", "sharing=half")
    lost = run("score", NO_HAND, "--rules", "tvb", *told[2:]).stdout
    assert "nobody" in lost
    assert "South 南 -150" in lost
    nobody = run("score", STRAIGHT, "--seat", "2z", "--win", "discard", "--discarder", "1z", *uneven)
    assert nobody.exit_code == 0
    assert "no_settlement" in nobody.stdout
    assert "of the low end" in run("score", STRAIGHT, *told[:4], *told[8:]).stdout


_SEATS = st.sampled_from(["1z", "2z", "3z", "4z"])
_TABLES = st.fixed_dictionaries(
    {"winner": _SEATS},
    optional={
        "discarder": _SEATS,
        "liable": _SEATS,
        "dealer": _SEATS,
        "unit": st.integers(1, 1_000_000),
    },
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    hand=st.sampled_from([STRAIGHT, SHORT, NO_HAND, "11m"]),
    table=_TABLES,
    win=st.sampled_from([None, "discard", "self_draw", "rob_kong"]),
    fine=st.sampled_from([None, 0, 10]),
)
def test_payments_add_up_to_nothing(
    hand: str, table: dict[str, Any], win: str | None, fine: int | None
) -> None:
    request = asked(hand=hand, context={"win": win}, table=table, options={"false_win": fine})
    contradicts = win is not None and (win == "self_draw") == ("discarder" in table)
    if contradicts or table["winner"] in (table.get("discarder"), table.get("liable")):
        with pytest.raises(ApiError) as bad:
            score_answer(ScoreRequest.from_data(request))
        assert bad.value.code == "bad_table"
        return
    found = score_answer(ScoreRequest.from_data(request))["settlement"]
    if found is None:
        return
    assert list(found["payments"]) == ["1z", "2z", "3z", "4z"]
    assert sum(found["payments"].values()) == 0
    sums = dict.fromkeys(found["payments"], 0)
    for line in found["lines"]:
        assert line["why"]
        sums[line["from"]] -= line["amount"]
        sums[line["to"]] += line["amount"]
    assert sums == found["payments"]

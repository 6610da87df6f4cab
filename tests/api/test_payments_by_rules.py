"""Who pays whom under each rule set, through every door."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.api.test_cli import lines, run

#: A full flush: four tai, eight faan with the one for no flowers, and seven fan of the championship.
FLUSH = "[123s] [777s] 456s 99s 33s +9s"
DISCARD = {"win": "discard", "seat": "2z", "round": "1z"}
TOLD = ("--win", "discard", "--seat", "south", "--round", "1z")


def asked(client: TestClient, rules: str, hand: str = FLUSH, **changed: Any) -> dict[str, Any]:
    request = {"hand": hand, "rules": rules, "context": DISCARD, "table": {"discarder": "1z"}, **changed}
    answer = client.post("/v1/score", json=request).json()
    # The batch of the command line says the same.
    assert lines(run("score", "--batch", stdin=json.dumps(request)).stdout) == [answer]
    paid: dict[str, Any] = answer["settlement"]
    return paid


@pytest.mark.parametrize(
    ("rules", "paid"),
    [
        ("hk", {"1z": -64, "2z": 64, "3z": 0, "4z": 0}),
        ("tvb", {"1z": -70, "2z": 70, "3z": 0, "4z": 0}),
        ("singapore", {"1z": -16, "2z": 32, "3z": -8, "4z": -8}),
    ],
)
def test_a_discard_is_paid_as_the_rules_say(client: TestClient, rules: str, paid: dict[str, int]) -> None:
    assert asked(client, rules)["payments"] == paid
    shown = run("score", FLUSH, "--rules", rules, *TOLD, "--discarder", "east").stdout
    assert f"South 南 +{paid['2z']}" in shown
    assert f"East 東 {paid['1z']}" in shown


def test_the_settlement_of_singapore_says_why(client: TestClient) -> None:
    assert asked(client, "singapore")["lines"] == [
        {"from": "1z", "to": "2z", "amount": 16, "why": "4 tai, the shooter"},
        {"from": "3z", "to": "2z", "amount": 8, "why": "4 tai, as every player"},
        {"from": "4z", "to": "2z", "amount": 8, "why": "4 tai, as every player"},
    ]


def test_three_winners_of_singapore_are_asked_one_by_one(client: TestClient) -> None:
    seats = {"2z", "3z", "4z"}
    for seat in sorted(seats):
        table = {"winner": seat, "discarder": "1z", "also_won": sorted(seats - {seat}), "unit": 10}
        paid = asked(client, "singapore", context={**DISCARD, "seat": seat}, table=table)
        assert paid["payments"] == {**dict.fromkeys(seats, 0), "1z": -320, seat: 320}
    others = ("--also-won", "west", "--also-won", "4z", "--discarder", "1z", "--unit", "10")
    shown = run("score", FLUSH, "--rules", "singapore", *TOLD, *others, "--json")
    assert lines(shown.stdout)[0]["settlement"]["payments"] == {"1z": -320, "2z": 320, "3z": 0, "4z": 0}


@pytest.mark.parametrize(("rules", "first"), [("hk", 64), ("tvb", 0), ("singapore", 0), ("mcr", 0)])
def test_who_wins_later_in_turn_is_paid_where_all_are(client: TestClient, rules: str, first: int) -> None:
    table = {"winner": "4z", "discarder": "1z", "also_won": ["2z"]}
    paid = asked(client, rules, context={**DISCARD, "seat": "4z"}, table=table)
    assert paid["payments"]["4z"] == first
    assert first or "2z" in paid["lines"][0]["why"]


def test_a_zha_hu_is_paid_by_who_said_so(client: TestClient) -> None:
    paid = asked(client, "singapore", "[123m] [999p] 456s 78s 55z +9s")
    assert paid["payments"] == {"1z": 32, "2z": -64, "3z": 16, "4z": 16}
    assert {line["from"] for line in paid["lines"]} == {"2z"}


def test_house_rules_of_payment_are_options_of_a_request(client: TestClient) -> None:
    paid = asked(client, "singapore", options={"shooter": "pays_all"})
    assert paid["payments"] == {"1z": -32, "2z": 32, "3z": 0, "4z": 0}
    shown = run(
        "score", FLUSH, "--rules", "singapore", *TOLD, "--discarder", "1z", "--option", "shooter=pays_all"
    )
    assert "the shooter pays for all three" in shown.stdout


def test_what_is_paid_at_once_is_said_where_it_is_asked(client: TestClient) -> None:
    hand = "[1111m] 456p 78m 22s 999s +9m | 1a 2a"
    request = {"hand": hand, "rules": "singapore", "context": DISCARD}
    asks = {"discarder": "1z", "at_once": True, "unit": 2}
    answer = client.post("/v1/score", json={**request, "table": asks}).json()
    assert answer["at_once"]["payments"] == {"1z": -8, "2z": 24, "3z": -8, "4z": -8}
    assert {line["why"] for line in answer["at_once"]["lines"]} == {
        "cat rat: 2 from each, at once",
        "exposed kong: 2 from each, at once",
    }
    plain = client.post("/v1/score", json={**request, "table": {"discarder": "1z", "unit": 2}}).json()
    assert plain == {name: value for name, value in answer.items() if name != "at_once"}
    words = ("--rules", "singapore", *TOLD, "--discarder", "1z", "--unit", "2", "--at-once")
    assert lines(run("score", hand, *words, "--json").stdout) == [answer]
    shown = run("score", hand, *words).stdout
    assert "paid at once" in shown
    assert "South 南 +24" in shown


@pytest.mark.parametrize("rules", ["hk", "mcr", "tvb"])
def test_nothing_is_paid_at_once_elsewhere(client: TestClient, rules: str) -> None:
    request = {
        "hand": FLUSH,
        "rules": rules,
        "context": DISCARD,
        "table": {"discarder": "1z", "at_once": True},
    }
    assert client.post("/v1/score", json=request).json()["at_once"] is None


def test_at_once_is_a_yes_or_no(client: TestClient) -> None:
    table = {"discarder": "1z", "at_once": 1}
    request = {"hand": FLUSH, "rules": "singapore", "context": DISCARD, "table": table}
    answer = client.post("/v1/score", json=request)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_table")
    assert answer.json()["detail"].startswith("at_once: ")

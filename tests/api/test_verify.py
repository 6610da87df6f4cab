from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from api.cli import app
from api.verify import VerifyRequest, photo_verdict
from scorer import Hand
from tests.api.conftest import StubReader, photo_bytes
from tests.api.test_http import problem
from vision.doubts import Choice, Doubt
from vision.joint import Candidate, Change

DRAGONS = "[555z] [666z] 234m 99p 77z +7z"
WON = {"win": "discard", "seat": "1z", "round": "1z"}
runner = CliRunner()


@pytest.fixture(autouse=True)
def stubbed(monkeypatch: pytest.MonkeyPatch, reader: StubReader) -> None:
    monkeypatch.setattr("vision.load_reader", lambda models=None, detector=None, own_set=None: reader)


def verify(client: TestClient, **request: Any) -> Any:
    return client.post("/v1/verify", json=request)


def with_photo(client: TestClient, **request: Any) -> Any:
    files = {"image": ("x.jpg", photo_bytes()), "request": (None, json.dumps(request), "application/json")}
    return client.post("/v1/verify", files=files)


def test_a_claim_for_a_hand_in_notation(client: TestClient) -> None:
    claim = {"fans": "大三元, Dragon Pung x3", "total": 94}
    answer = verify(client, hand=DRAGONS, rules="mcr", context=WON, claim=claim).json()
    assert answer["verdict"] == "over_claimed"
    assert answer["stands"]["total"] == 88
    lines = {line["code"]: line for line in answer["lines"]}
    assert lines["excluded"]["fan"] == "dragon_pung"
    assert lines["excluded"]["because"] == "big_three_dragons"
    assert lines["excluded"]["rule"]["article"].startswith("fan 2 ")
    assert lines["excluded"]["tiles"]
    assert (answer["reading"], answer["look_at"]) == (None, [])


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"hand": DRAGONS}, "bad_claim"),
        ({"hand": DRAGONS, "claim": {}}, "bad_claim"),
        ({"hand": DRAGONS, "claim": {"fans": "All Pongz"}, "rules": "mcr"}, "bad_claim"),
        ({"hand": DRAGONS, "claim": {"fans": [1]}}, "bad_claim"),
        ({"hand": DRAGONS, "claim": {"total": True}}, "bad_claim"),
        ({"hand": DRAGONS, "claim": {"total": 3, "fan": "x"}}, "bad_claim"),
        ({"claim": {"total": 3}}, "bad_request"),
        ({"hand": DRAGONS, "claim": {"total": 3}, "tell_more": 1}, "bad_request"),
        ({"hand": DRAGONS, "claim": {"total": 3}, "overrides": {"angle": 3}}, "bad_request"),
        ({"hand": "qq", "claim": {"total": 3}}, "bad_notation"),
        ({"hand": DRAGONS, "claim": {"total": 3}, "rules": "riichi"}, "unknown_ruleset"),
        ({"hand": DRAGONS, "claim": {"total": 3}, "options": {"x": 1}}, "bad_option"),
        ({"hand": DRAGONS, "claim": {"total": 3}, "winning_tile": "1s"}, "winning_tile_not_in_hand"),
    ],
)
def test_what_cannot_be_judged(client: TestClient, request_: dict[str, Any], code: str) -> None:
    problem(client.post("/v1/verify", json=request_), code)


def test_a_photo_without_a_claim_is_refused_before_it_is_read(client: TestClient, reader: StubReader) -> None:
    before = len(reader.names)
    raw = client.post("/v1/verify", content=photo_bytes(), headers={"content-type": "image/jpeg"})
    problem(raw, "bad_claim")
    problem(with_photo(client, claim={"fans": "nothing"}), "bad_claim")
    assert len(reader.names) == before


def test_a_photo_is_judged_as_its_hand_is(client: TestClient, reader: StubReader) -> None:
    told = {"rules": "mcr", "context": WON, "winning_tile": "9s", "claim": {"fans": "Pure Triple Chow"}}
    answer = with_photo(client, **told).json()
    in_words = verify(client, **told, hand="111222333p45699s").json()
    assert answer["reading"]["hand"] == "111222333p 45699s"
    assert {**answer, "reading": None, "timings": None} == in_words
    assert answer["verdict"] == "valid"


def _doubtful(reader: StubReader, seen: str, other: str) -> Any:
    """A reading of `seen` whose ninth tile may make it `other`."""
    reader.hand = Hand.parse(seen)
    reading = reader.read(photo_bytes())
    choices = (Choice("3p", 0.8, Hand.parse(seen)), Choice("9p", 0.2, Hand.parse(other)))
    return replace(
        reading, doubts=(Doubt("unsure_tile", "seen as 3p (80%), perhaps 9p (20%)", (8,), choices),)
    )


def _asked(**more: Any) -> VerifyRequest:
    told = {"rules": "mcr", "context": WON, "claim": {"fans": "Pure Triple Chow"}, **more}
    return VerifyRequest.from_data(told)


WIN, NO_WIN = "111222333p45699s", "11122233p9p45699s"


@pytest.mark.parametrize(("seen", "other"), [(WIN, NO_WIN), (NO_WIN, WIN)])
def test_a_doubt_that_matters_decides_nothing_and_points_at_its_tile(
    reader: StubReader, seen: str, other: str
) -> None:
    answer = photo_verdict(_doubtful(reader, seen, other), _asked(winning_tile="9s"))
    assert answer["verdict"] == "cannot_be_decided"
    assert set(answer["possible"]) == {"valid", "not_winning"}
    assert answer["look_at"][0]["tiles"] == [8]
    assert answer["look_at"][0]["matters"] is True
    assert {choice["verdict"] for choice in answer["look_at"][0]["candidates"]} == {"valid", "not_winning"}


def test_a_doubt_that_does_not_matter_is_only_told(reader: StubReader) -> None:
    # Whether the pair is of nines or of eights is nothing to what is claimed.
    reading = _doubtful(reader, WIN, "111222333p45688s")
    answer = photo_verdict(reading, _asked(context={**WON, "win": "self_draw"}))
    assert answer["verdict"] == "valid"
    assert answer["look_at"][0]["matters"] is False


def test_what_a_person_has_settled_is_no_longer_doubted(reader: StubReader) -> None:
    answer = photo_verdict(_doubtful(reader, NO_WIN, WIN), _asked(hand="111222333p4569s +9s"))
    assert (answer["verdict"], answer["look_at"]) == ("valid", [])


def test_several_tiles_together_may_be_others(reader: StubReader) -> None:
    reader.hand = Hand.parse(NO_WIN)
    changes = (Change(8, "9p", "3p"), Change(9, "4s", "4s"))
    likely = Candidate(Hand.parse(WIN), 0.2, changes)
    reading = replace(reader.read(photo_bytes()), likely=(likely,))
    answer = photo_verdict(reading, _asked(winning_tile="9s"))
    assert answer["verdict"] == "cannot_be_decided"
    assert answer["look_at"][0]["tiles"] == [8, 9]
    unlikely = replace(reading, likely=(replace(likely, probability=0.01),))
    assert photo_verdict(unlikely, _asked(winning_tile="9s"))["verdict"] == "not_winning"


def run(*arguments: str | Path) -> Any:
    return runner.invoke(app, [str(argument) for argument in arguments])


def test_the_command_says_what_http_says(client: TestClient, photo: Path) -> None:
    told = ["--rules", "mcr", "--seat", "east", "--round", "E", "--win", "discard", "--json"]
    claim = ["--claim", "Big Three Dragons, Dragon Pung", "--claim-total", "90"]
    found = run("verify", DRAGONS, *claim, *told)
    assert found.exit_code == 1
    request = {"hand": DRAGONS, "rules": "mcr", "context": {**WON, "flags": []}}
    over_http = verify(
        client, **request, claim={"fans": "Big Three Dragons, Dragon Pung", "total": 90}
    ).json()
    assert json.loads(found.stdout) == over_http
    good = run("verify", photo, "--claim", "Pure Triple Chow", "--winning-tile", "9s", *told)
    assert good.exit_code == 0
    assert json.loads(good.stdout)["verdict"] == "valid"


def test_the_command_shows_articles_and_tiles(photo: Path) -> None:
    told = ["--rules", "mcr", "--seat", "east", "--round", "E", "--win", "discard"]
    shown = run("verify", DRAGONS, "--claim", "Big Three Dragons, Dragon Pung", *told)
    assert "Over-claimed  多報" in shown.stdout
    assert "fan 2 大三元" in shown.stdout
    assert "what stands: 88" in shown.stdout
    short = run("verify", DRAGONS.replace("+7z", "+6p"), "--claim-total", "88", *told)
    assert short.exit_code == 1
    assert "one tile would have to be another" in short.stdout
    bad = run("verify", DRAGONS, "--claim", "All Pongz", *told)
    assert (bad.exit_code, "perhaps All Pungs" in bad.stderr) == (1, True)
    assert run("verify", "absent.jpg", "--claim-total", "8").exit_code == 1

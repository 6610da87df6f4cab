"""Games through the HTTP API, on both databases; who may write when; what is answered twice."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from pydantic import TypeAdapter
from starlette.testclient import TestClient

from api.ledger import schemas
from api.ledger.exports import replay_export
from tests.ledger.golden import NAMES, game, points_of, require_deals, require_final

MATCH = {"match": {"rules": "tvb", "players": ["Chan", "Lee", "Wong", "Ho"]}, "by": "referee Au"}
PUNGS = "[111p] [666m] [999s] 33m 44s +3m"
WON = {"kind": "win", "discarder": 0, "claims": [{"winner": 1, "hand": PUNGS}]}
FAULT = {"kind": "fault", "player": 1, "reason": "table talk"}


def begin(client: TestClient, match: dict[str, Any] = MATCH, **headers: str) -> str:
    answer = client.post("/v1/matches", json=match, headers=headers)
    assert answer.status_code == 201, answer.text
    identity: str = answer.json()["id"]
    assert answer.headers["location"] == f"/v1/matches/{identity}"
    assert answer.headers["etag"] == '"0"'
    return identity


def enter(client: TestClient, match: str, entry: Any, known: str = "*", by: str = "", **headers: str) -> Any:
    told = {"If-Match": known, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return client.post(f"/v1/matches/{match}/entries", json={"entry": entry, "by": by}, headers=told)


def problem(answer: Any, status: int, code: str) -> str:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    detail: str = answer.json()["detail"]
    return detail


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game(ledger: TestClient, name: str) -> None:
    told = game(name)
    identity = begin(ledger, {"match": told["match"], "by": "referee"})
    tag = '"0"'
    before = [0, 0, 0, 0]
    for number, step in enumerate(told["steps"], 1):
        answer = enter(ledger, identity, step["entry"], tag, by=f"referee {number % 2}")
        assert answer.status_code == 201, (step, answer.text)
        body = answer.json()
        TypeAdapter(schemas.EntryAnswer).validate_python(body)
        assert body["entry"]["points"] == step["points"], step["because"]
        before = step.get("table") or [a + b for a, b in zip(before, step["points"], strict=True)]
        assert points_of(body["table"]) == before, step["because"]
        assert sum(points_of(body["table"])) + body["table"]["to_nobody"] == 0
        tag = answer.headers["etag"]
        assert tag == f'"{number}"'
    table = ledger.get(f"/v1/matches/{identity}/table")
    assert table.headers["etag"] == tag
    require_final(table.json()["table"], told["final"])
    entries = ledger.get(f"/v1/matches/{identity}/entries").json()["entries"]
    require_deals(entries, told)
    assert [each["by"] for each in entries] == [f"referee {n % 2}" for n in range(1, len(entries) + 1)]
    assert [each["at"] for each in entries] == sorted(each["at"] for each in entries)
    assert all(each["at"].endswith("Z") for each in entries)
    exported = ledger.get(f"/v1/matches/{identity}/export.json")
    replayed, same = replay_export(exported.content)
    assert same
    assert replayed.to_dict() == table.json()["table"]


def test_answers_fit_their_shapes(ledger: TestClient) -> None:
    identity = begin(ledger)
    assert enter(ledger, identity, WON).status_code == 201
    for path, model in (
        ("/v1/matches", schemas.MatchesAnswer),
        (f"/v1/matches/{identity}", schemas.MatchAnswer),
        (f"/v1/matches/{identity}/entries", schemas.EntriesAnswer),
        (f"/v1/matches/{identity}/table", schemas.LedgerTableAnswer),
        (f"/v1/matches/{identity}/export.json", schemas.ExportAnswer),
    ):
        TypeAdapter(model).validate_json(ledger.get(path).content)


def test_who_has_not_seen_the_table_does_not_write(ledger: TestClient) -> None:
    identity = begin(ledger)
    path = f"/v1/matches/{identity}/entries"
    problem(ledger.post(path, json={"entry": WON}), 428, "precondition_required")
    problem(enter(ledger, identity, WON, "seven"), 400, "bad_request")
    assert enter(ledger, identity, WON, '"0"').status_code == 201
    refused = enter(ledger, identity, WON, '"0"')
    problem(refused, 412, "stale_table")
    assert refused.headers["etag"] == '"1"'
    problem(enter(ledger, identity, WON, 'W/"1"'), 412, "stale_table")
    assert enter(ledger, identity, {"kind": "draw"}, '"0", "1"').status_code == 201
    assert ledger.get(f"{path}?after=1").json()["entries"][0]["entry"] == {"kind": "draw"}
    assert ledger.get(f"/v1/matches/{identity}/table").json()["table"]["hands"] == 2


def test_what_is_sent_twice_is_entered_once(ledger: TestClient) -> None:
    identity = begin(ledger, **{"Idempotency-Key": "begin"})
    assert begin(ledger, **{"Idempotency-Key": "begin"}) == identity
    assert len(ledger.get("/v1/matches").json()["matches"]) == 1
    first = enter(ledger, identity, WON, '"0"', Idempotency_Key="a")
    # The table has moved on since, and the answer is still the first one: the client had only lost it.
    assert enter(ledger, identity, FAULT, '"1"').status_code == 201
    again = enter(ledger, identity, WON, '"0"', Idempotency_Key="a")
    assert (again.status_code, again.content, again.headers["etag"]) == (201, first.content, '"1"')
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    problem(enter(ledger, identity, FAULT, Idempotency_Key="a"), 422, "idempotency_mismatch")
    problem(enter(ledger, identity, FAULT, Idempotency_Key="\x7f"), 400, "bad_request")
    other = begin(ledger)
    problem(enter(ledger, other, WON, Idempotency_Key="a"), 422, "idempotency_mismatch")
    assert ledger.get(f"/v1/matches/{identity}/table").json()["table"]["entries"] == 2
    # What was refused was not entered, and may be sent again under its key.
    problem(enter(ledger, identity, FAULT, '"9"', Idempotency_Key="b"), 412, "stale_table")
    assert enter(ledger, identity, FAULT, '"2"', Idempotency_Key="b").status_code == 201


def test_what_is_known_is_not_sent_again(ledger: TestClient) -> None:
    identity = begin(ledger)
    for what in ("", "/table", "/entries", "/export.json", "/export.csv"):
        path = f"/v1/matches/{identity}{what}"
        tag = ledger.get(path).headers["etag"]
        answer = ledger.get(path, headers={"If-None-Match": f'"x", W/{tag}'})
        assert (answer.status_code, answer.content) == (304, b"")
        assert ledger.get(path, headers={"If-None-Match": '"77"'}).status_code == 200


def test_what_cannot_be_is_refused_and_not_written(ledger: TestClient) -> None:
    identity = begin(ledger)
    path = f"/v1/matches/{identity}"
    weak = {
        "kind": "win",
        "discarder": 0,
        "claims": [{"winner": 1, "hand": "[123m] [456p] 789m 34s 66z +5s"}],
    }
    assert "does not win" in problem(enter(ledger, identity, weak), 409, "entry_refused")
    assert "claims[0].winner" in problem(
        enter(ledger, identity, {"kind": "win", "claims": [{"winner": 4, "total": 1}]}), 400, "bad_entry"
    )
    problem(enter(ledger, identity, {"kind": "shrug"}), 400, "bad_entry")
    problem(enter(ledger, identity, {**WON, "claims": [{"winner": 1, "hand": "123q"}]}), 400, "bad_notation")
    problem(ledger.post(f"{path}/entries", json=[], headers={"If-Match": "*"}), 400, "bad_entry")
    problem(
        ledger.post(f"{path}/entries", json={"entry": WON, "url": "x"}, headers={"If-Match": "*"}),
        400,
        "bad_entry",
    )
    problem(enter(ledger, "0" * 32, WON), 404, "not_found")
    problem(enter(ledger, "..", WON), 404, "not_found")
    problem(ledger.get(f"/v1/matches/{'0' * 32}/table"), 404, "not_found")
    problem(ledger.get("/v1/matches/x%00y"), 404, "not_found")
    problem(ledger.get("/v1/matches?limit=0"), 400, "bad_request")
    problem(ledger.get("/v1/matches?before=two"), 400, "bad_request")
    assert ledger.get(path).json()["table"]["entries"] == 0
    three = {"match": {"rules": "tvb", "players": ["a", "b", "c"]}}
    problem(ledger.post("/v1/matches", json=three), 400, "bad_match")
    problem(
        ledger.post("/v1/matches", json={"match": {**MATCH["match"], "rules": "riichi"}}),  # type: ignore[dict-item]
        400,
        "unknown_ruleset",
    )
    assert len(ledger.get("/v1/matches").json()["matches"]) == 1


def test_the_list_has_pages(ledger: TestClient) -> None:
    made = [begin(ledger) for _ in range(5)]
    first = ledger.get("/v1/matches?limit=2").json()
    assert [each["id"] for each in first["matches"]] == [made[4], made[3]]
    rest = ledger.get(f"/v1/matches?limit=3&before={first['next']}").json()
    assert [each["id"] for each in rest["matches"]] == [made[2], made[1], made[0]]
    assert ledger.get(f"/v1/matches?before={rest['next']}").json() == {"matches": [], "next": None}


def test_csv_is_safe_in_a_spreadsheet(ledger: TestClient) -> None:
    names = ["=HYPERLINK(1)", "+Lee", "@Wong", "陳大文"]
    identity = begin(ledger, {"match": {"rules": "tvb", "players": names}})
    assert enter(ledger, identity, WON, by="-1+1").status_code == 201
    assert enter(ledger, identity, {**FAULT, "reason": ' =cmd|"/c calc"!A1, "x"'}).status_code == 201
    answer = ledger.get(f"/v1/matches/{identity}/export.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == f'attachment; filename="match-{identity}.csv"'
    assert answer.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert len(rows) == 3
    assert rows[0][-8:-4] == ["'=HYPERLINK(1)", "'+Lee", "'@Wong", "陳大文"]
    assert rows[1][-8:] == ["-30", "30", "0", "0", "-30", "30", "0", "0"]
    assert rows[1][2] == "'-1+1"
    for row in rows:
        for cell in row:
            assert cell.lstrip("-").isdigit() or not cell.lstrip().startswith(("=", "+", "-", "@")), cell

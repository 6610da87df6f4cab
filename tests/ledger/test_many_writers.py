"""Twenty write at once, through two services over one database: nothing is lost, nothing is there twice."""

from __future__ import annotations

import random
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.app import create_app
from api.ledger.exports import replay_export
from api.settings import Settings
from tests.api.conftest import StubReader, pool_of
from tests.ledger.golden import points_of
from tests.ledger.test_http import begin, enter

CLIENTS = 20


def entries_of(client: int) -> list[dict[str, Any]]:
    """What one client has to enter; the reason tells whose it is, and which."""
    rng = random.Random(client)
    payer, payee = rng.sample(range(4), 2)
    return [
        {
            "kind": "penalty",
            "player": payer,
            "amount": rng.randint(1, 50),
            "to": [payee],
            "reason": f"{client}/0",
        },
        {"kind": "penalty", "player": payee, "amount": rng.randint(1, 50), "reason": f"{client}/1"},
        {"kind": "adjustment", "points": [3, -1, -1, -1], "reason": f"{client}/2"},
    ]


def write(client: TestClient, match: str, number: int, start: Barrier) -> Counter[int]:
    """One client: some entries whatever was entered since, others only on the table it has seen, each sent
    again after it was taken, as a phone does that has lost the answer."""
    seen: Counter[int] = Counter()
    start.wait(60)
    for place, entry in enumerate(entries_of(number)):
        key = f"{number}-{place}"
        while True:
            known = "*" if place == 0 else client.get(f"/v1/matches/{match}/table").headers["etag"]
            answer = enter(client, match, entry, known, by=f"client {number}", Idempotency_Key=key)
            seen[answer.status_code] += 1
            if answer.status_code == 201:
                break
            assert answer.status_code == 412, answer.text
        again = enter(client, match, entry, known, by=f"client {number}", Idempotency_Key=key)
        assert (again.status_code, again.content) == (201, answer.content)
    return seen


def test_twenty_clients_at_once(database: str) -> None:
    told = Settings(database=database)
    apps = [create_app(told, pool_of(StubReader(), told)) for _ in range(2)]
    with TestClient(apps[0]) as one, TestClient(apps[1]) as other, ThreadPoolExecutor(CLIENTS) as threads:
        match = begin(one)
        start = Barrier(CLIENTS)
        writers = [
            threads.submit(write, (one, other)[number % 2], match, number, start) for number in range(CLIENTS)
        ]
        seen = sum((writer.result(timeout=300) for writer in writers), Counter())
        entries = one.get(f"/v1/matches/{match}/entries").json()["entries"]
        table = other.get(f"/v1/matches/{match}/table").json()["table"]
        exported = one.get(f"/v1/matches/{match}/export.json").content
    sent = [entry for number in range(CLIENTS) for entry in entries_of(number)]
    assert seen[201] == len(sent)
    assert [each["sequence"] for each in entries] == list(range(1, len(sent) + 1))
    assert Counter(each["entry"]["reason"] for each in entries) == Counter(each["reason"] for each in sent)
    # Worked out beside the ledger: what each entry moves does not depend on the order.
    expected = [0, 0, 0, 0]
    nobody = 0
    for entry in sent:
        if entry["kind"] == "adjustment":
            expected = [a + b for a, b in zip(expected, entry["points"], strict=True)]
            continue
        expected[entry["player"]] -= entry["amount"]
        for payee in entry.get("to", []):
            expected[payee] += entry["amount"]
        nobody += 0 if "to" in entry else entry["amount"]
    assert points_of(table) == expected
    assert table["to_nobody"] == nobody
    assert sum(points_of(table)) + nobody == 0
    replayed, same = replay_export(exported)
    assert same
    assert replayed.to_dict() == table
    print(f"{database.partition(':')[0]}: {dict(seen)}", file=sys.stderr)


def test_the_same_key_at_the_same_moment(database: str) -> None:
    """Ten at once with one key: one entry, one answer; and one match where each begins it."""
    told = Settings(database=database)
    with (
        TestClient(create_app(told, pool_of(StubReader(), told))) as client,
        ThreadPoolExecutor(10) as threads,
    ):
        begun = set(threads.map(lambda _: begin(client, **{"Idempotency-Key": "one"}), range(10)))
        assert len(begun) == 1
        (match,) = begun
        entry = {"kind": "draw"}
        answers = list(
            threads.map(lambda _: enter(client, match, entry, '"0"', Idempotency_Key="same"), range(10))
        )
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.content for answer in answers}) == 1
        assert len(client.get(f"/v1/matches/{match}/entries").json()["entries"]) == 1
        assert len(client.get("/v1/matches").json()["matches"]) == 1


@pytest.mark.parametrize("matches", [3])
def test_matches_do_not_wait_for_each_other(ledger: TestClient, matches: int) -> None:
    made = [begin(ledger) for _ in range(matches)]
    with ThreadPoolExecutor(matches * 4) as threads:
        jobs = [(match, place) for match in made for place in range(8)]
        answers = list(
            threads.map(
                lambda job: enter(
                    ledger, job[0], {"kind": "penalty", "player": job[1] % 4, "amount": 1, "reason": "x"}
                ),
                jobs,
            )
        )
    assert {answer.status_code for answer in answers} == {201}
    for match in made:
        assert points_of(ledger.get(f"/v1/matches/{match}/table").json()["table"]) == [-2, -2, -2, -2]

"""The ledger as a part of the service: off unless told, behind the key, beside photos; and its command."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from api.app import create_app
from api.cli import app as command
from api.commands import serve_until_told
from api.keys import new_key
from api.ledger.store import Store
from api.settings import Settings, check_settings
from tests.api.conftest import StubReader, pool_of
from tests.ledger.test_http import FAULT, MATCH, WON, begin, enter, problem

PATHS = ("", "/{id}", "/{id}/entries", "/{id}/table", "/{id}/export.json", "/{id}/export.csv")


def client_of(**told: Any) -> TestClient:
    settings = Settings(**told)
    return TestClient(create_app(settings, pool_of(StubReader(), settings)), raise_server_exceptions=False)


def test_without_a_database_nothing_is_kept() -> None:
    with client_of() as client:
        for path in PATHS:
            problem(client.get(f"/v1/matches{path.format(id='0' * 32)}"), 404, "ledger_off")
        problem(client.post("/v1/matches", json=MATCH), 404, "ledger_off")
        problem(enter(client, "0" * 32, WON), 404, "ledger_off")


def test_without_a_database_none_is_loaded(root: Path) -> None:
    code = (
        "import sys, api.app, api.cli, api.settings; api.app.create_app(api.settings.Settings(), object());"
        "print({name.partition('.')[0] for name in sys.modules} & {'sqlalchemy', 'alembic', 'psycopg'})"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_key_is_asked_for_and_kept_beside_each_entry(tmp_path: Path) -> None:
    made = {name: new_key(name) for name in ("club", "federation")}
    keys = ",".join(entry for _, entry in made.values())
    with client_of(database=f"sqlite:///{tmp_path / 'l.db'}", auth="on", api_keys=keys) as client:
        for path in PATHS:
            problem(client.get(f"/v1/matches{path.format(id='0' * 32)}"), 401, "unauthorized")
        problem(client.post("/v1/matches", json=MATCH), 401, "unauthorized")
        club, federation = ({"X-API-Key": secret} for secret, _ in made.values())
        match = begin(client, **club)
        path = f"/v1/matches/{match}/entries"
        told = {"If-Match": "*", "Idempotency-Key": "1"}
        assert client.post(path, json={"entry": WON, "by": "Au"}, headers={**club, **told}).status_code == 201
        # Another caller's keys are other keys.
        assert client.post(path, json={"entry": FAULT}, headers={**federation, **told}).status_code == 201
        entries = client.get(path, headers=federation).json()["entries"]
        assert [(each["by"], each["key"]) for each in entries] == [("Au", "club"), ("", "federation")]


def test_a_database_that_waits_keeps_nobody_else_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event loop answers on while every thread of the ledger is held."""
    held, go = threading.Event(), threading.Event()

    def wait(self: Store, most: int, before: int | None) -> list[Any]:
        held.set()
        assert go.wait(30)
        return []

    monkeypatch.setattr(Store, "matches", wait)
    with client_of(database=f"sqlite:///{tmp_path / 'l.db'}") as client:
        answers: list[Any] = []
        threads = [
            threading.Thread(target=lambda: answers.append(client.get("/v1/matches"))) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        assert held.wait(30)
        assert client.get("/livez").status_code == 200
        assert client.post("/v1/score", json={"hand": "123m"}).status_code == 200
        assert answers == []
        go.set()
        for thread in threads:
            thread.join(30)
        assert [answer.status_code for answer in answers] == [200] * 4


def test_a_database_that_cannot_be_used_ends_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert serve_until_told({"database": f"sqlite:///{tmp_path}/none/l.db"}, check=False) == 2
    assert "error [ledger_unavailable]" in capsys.readouterr().err


def test_settings_show_no_password() -> None:
    told = Settings(database="postgresql://au:secret@db.example/ledger")
    assert told.shown()["database"] == "postgresql://au:***@db.example/ledger"
    assert "secret" not in repr(told)
    assert Settings().shown()["database"] is None
    settings, wrong = check_settings({"database": "oracle://au:secret@x"})
    assert settings is None
    assert "sqlite:///FILE" in wrong[0]
    assert "secret" not in wrong[0]


@pytest.fixture
def kept(tmp_path: Path) -> tuple[str, str]:
    """The URL of a ledger with one match, and the match's id."""
    url = f"sqlite:///{tmp_path / 'l.db'}"
    with client_of(database=url) as client:
        match = begin(client)
        enter(client, match, WON)
        enter(client, match, {"kind": "false_win", "player": 3})
    return url, match


def test_a_match_is_exported_and_replayed(kept: tuple[str, str], tmp_path: Path) -> None:
    url, match = kept
    run = CliRunner()
    listed = run.invoke(command, ["ledger", "matches", "--database", url])
    assert [json.loads(line)["id"] for line in listed.output.splitlines()] == [match]
    out = tmp_path / "match.json"
    done = run.invoke(command, ["ledger", "export", match, "--database", url, "--out", str(out)])
    assert done.exit_code == 0, done.output
    replayed = run.invoke(command, ["ledger", "replay", str(out)])
    assert replayed.exit_code == 0
    assert "the same as in the file" in replayed.output
    assert "150 to nobody" in replayed.output
    sheet = run.invoke(command, ["ledger", "export", match, "--csv"], env={"MAHJONG_READER_DATABASE": url})
    assert sheet.output.count("\n") == 3


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        (lambda data: data["table"]["players"][0].update(points=0), 1, "NOT the same"),
        (lambda data: data["entries"][0].update(points=[0, 0, 0, 0]), 1, "NOT the same"),
        (lambda data: data["entries"][1]["entry"].update(player=2), 1, "NOT the same"),
        (lambda data: data["match"]["players"].reverse(), 1, "NOT the same"),
        (lambda data: data["entries"].pop(0), 1, "bad_export"),
        (lambda data: data["entries"][0]["entry"].update(kind="shrug"), 1, "bad_export"),
        (lambda data: data["entries"][0]["entry"]["claims"][0].update(total=9), 1, "entry_refused"),
        (lambda data: data.update(format="another/1"), 1, "bad_export"),
        (lambda data: data.update(entries={}), 1, "bad_export"),
    ],
)
def test_a_file_that_was_changed_is_found_out(
    kept: tuple[str, str], tmp_path: Path, change: Any, status: int, says: str
) -> None:
    url, match = kept
    run = CliRunner()
    data = json.loads(run.invoke(command, ["ledger", "export", match, "--database", url]).output)
    file = tmp_path / "match.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert json.loads(run.invoke(command, ["ledger", "replay", "--json", str(file)]).output)["same"] is True
    change(data)
    file.write_text(json.dumps(data), encoding="utf-8")
    done = run.invoke(command, ["ledger", "replay", str(file)])
    assert (done.exit_code, says in done.output) == (status, True), done.output


def test_the_command_says_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAHJONG_READER_DATABASE", raising=False)
    run = CliRunner()
    url = f"sqlite:///{tmp_path / 'l.db'}"
    for arguments, code in (
        (["matches"], "ledger_off"),
        (["export", "x", "--database", url], "not_found"),
        (["matches", "--database", "nonsense"], "ledger_unavailable"),
        (["replay", str(tmp_path / "none")], "file_unreadable"),
    ):
        done = run.invoke(command, ["ledger", *arguments])
        assert (done.exit_code, f"error [{code}]" in done.output) == (1, True), done.output

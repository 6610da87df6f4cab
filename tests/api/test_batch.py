"""Archives: every photo once, whatever happens between."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api import batch as module
from api.batch import Archive, Tally, read_archive
from api.cli import app
from api.nursery import Nursery, Plan
from api.pool import Pool, WorkerPool
from api.threads import ThreadPool
from tests.api.stubs import load


def pool() -> Pool:
    return ThreadPool(load, workers=2, queue=10)


def run(archive: Archive, with_pool: Pool | None = None, **options: Any) -> Tally:
    async def work() -> Tally:
        used = with_pool or pool()
        try:
            return await read_archive(archive, used, 3, **options)
        finally:
            await used.close()

    return asyncio.run(work())


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    folder = tmp_path / "photos"
    (folder / "2025" / ".thumbs").mkdir(parents=True)
    for name in ("a.jpg", "b.JPEG", "2025/c.heic", "2025/.thumbs/d.jpg", ".hidden.png", "notes.txt"):
        (folder / name).write_bytes(b"x")
    return Archive(folder, tmp_path / "out.jsonl")


def lines(archive: Archive) -> list[dict[str, Any]]:
    return [json.loads(line) for line in archive.out.read_text("utf-8").splitlines()]


def test_every_photo_gets_a_line_and_nothing_else_does(archive: Archive) -> None:
    told: list[tuple[int, int]] = []
    tally = run(archive, progress=lambda done, of: told.append((done, of)))
    assert (tally.read, tally.failed, tally.before) == (3, 0, 0)
    assert sorted(line["photo"] for line in lines(archive)) == ["2025/c.heic", "a.jpg", "b.JPEG"]
    assert lines(archive)[0]["hand"] == "111222333p 45699s"
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_it_goes_on_where_it_was(archive: Archive) -> None:
    run(archive)
    first = archive.out.read_bytes()
    assert run(archive).before == 3
    assert archive.out.read_bytes() == first
    (archive.folder / "new.png").write_bytes(b"x")
    tally = run(archive)
    assert (tally.read, tally.before) == (1, 3)
    assert len(lines(archive)) == 4


def test_a_line_that_was_cut_short_is_written_again(archive: Archive) -> None:
    run(archive)
    whole = archive.out.read_bytes()
    archive.out.write_bytes(whole[:-40])
    tally = run(archive)
    assert (tally.read, tally.before) == (1, 2)
    assert sorted(line["photo"] for line in lines(archive)) == ["2025/c.heic", "a.jpg", "b.JPEG"]


def test_what_is_wrong_with_a_photo_is_final_and_what_is_wrong_with_us_is_not(archive: Archive) -> None:
    errors = [("a.jpg", "image_undecodable"), ("b.JPEG", "deadline")]
    archive.out.write_text(
        "".join(json.dumps({"photo": name, "error": {"code": code}}) + "\n" for name, code in errors)
        + "no json\n[1]\n"
    )
    tally = run(archive)
    assert (tally.read, tally.before) == (2, 1)
    assert archive.done() == {"a.jpg", "b.JPEG", "2025/c.heic"}


def test_hands_are_scored_where_a_request_says_so(archive: Archive) -> None:
    run(archive, request={"rules": "mcr"})
    assert {line["score"]["rules"] for line in lines(archive)} == {"mcr"}


def test_a_photo_that_kills_its_worker_is_tried_twice_and_then_told(archive: Archive) -> None:
    (archive.folder / "a.jpg").write_bytes(b"die")
    used = WorkerPool(Nursery(Plan("tests.api.stubs:load", canary=False)), workers=1, queue=5)
    tally = run(archive, used)
    assert (tally.read, tally.failed) == (2, 1)
    (bad,) = [line for line in lines(archive) if "error" in line]
    assert (bad["photo"], bad["error"]["code"]) == ("a.jpg", "worker_lost")
    assert used.losses["died"] == 2


def test_a_photo_that_cannot_be_opened(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(module.Path, "read_bytes", refuse)
    assert run(archive).failed == 3
    assert {line["error"]["code"] for line in lines(archive)} == {"photo_unreadable"}


def test_the_command_reads_a_folder(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.commands._pool", lambda workers, ray, models: pool())
    result = CliRunner().invoke(
        app, ["batch", str(archive.folder), "--out", str(archive.out), "--rules", "hk"]
    )
    assert result.exit_code == 0
    assert "3 read, 0 failed, 0 done before" in result.stderr
    assert lines(archive)[0]["score"]["rules"] == "hk"
    wrong = CliRunner().invoke(app, ["batch", str(archive.folder), "--out", str(archive.out), "--rules", "x"])
    assert wrong.exit_code == 2


def test_the_command_makes_keys() -> None:
    from api.keys import Keys

    shown = CliRunner().invoke(app, ["key", "club"]).stdout.split()
    entry = next(word for word in shown if word.startswith("MAHJONG_READER_API_KEYS=")).partition("=")[2]
    secret = next(word for word in shown if word.startswith("mjr_"))
    assert Keys([entry]).require([(b"x-api-key", secret.encode())]) == "club"
    assert CliRunner().invoke(app, ["key", "no spaces"]).exit_code == 2

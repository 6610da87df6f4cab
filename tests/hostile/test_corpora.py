"""The public collections through the door: every file gets an answer or a problem document, none ends a
worker, and nothing is scored that is no hand. What becomes of each file is written down in `expected.txt`, so
that a new version of a decoder that sees it otherwise shows.

    python -m tests.hostile.test_corpora      write expected.txt anew, to be read as a diff
"""

from __future__ import annotations

import hashlib
import http.client
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from api.errors import PROBLEMS
from tests.api.live import REAL, Live
from tests.hostile.corpora import CORPORA, Corpus, Unavailable
from tests.load.bench_hands import memory_of
from vision import ModelError, load_reader

EXPECTED = Path(__file__).with_name("expected.txt")

#: What may be said of a file that is no photo of a hand.
RIGHT = {
    "photo",
    *(f"image_{kind}" for kind in ["undecodable", "type", "empty", "too_large", "too_small", "animated"]),
}

#: By how many MB the service's own process, which decodes nothing, may grow.
GROWTH_MB = 50

_DIGITS = 16
_CLIENTS = 2


class Door:
    """A running service, and what became of each file: its digest -> `photo` or a problem's code."""

    def __init__(self) -> None:
        self.service = Live(REAL, workers=2, threads=1, deadline_s=120, log_level="error").until_ready()
        self.found: dict[str, str] = {}
        self.wrong: list[str] = []

    def send(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Send the files, two at a time."""
        waiting, lock = iter(files), threading.Lock()

        def client() -> None:
            while True:
                with lock:
                    name, data = next(waiting, (None, b""))
                if name is None:
                    return
                self._one(name, data)

        threads = [threading.Thread(target=client) for _ in range(_CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _one(self, name: str, data: bytes) -> None:
        try:
            answer = self.service.photo(data, "/v1/hands", timeout=120)
            body = answer.json
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.wrong.append(f"{name}: {error!r}")
            return
        if answer.status == 200:
            code = "photo"
            if body["score"]["is_win"]:
                self.wrong.append(f"{name}: scored as {body['scored_hand']}")
        else:
            code = "photo" if body["code"] in ("no_tiles", "winning_tile_not_in_hand") else body["code"]
            if answer.status != PROBLEMS[body["code"]].status or code not in RIGHT:
                self.wrong.append(f"{name}: {answer.status} {body}")
        self.found[digest(data)] = code

    def lost(self) -> float:
        """Workers that were lost, whatever for."""
        lines = self.service.get("/metrics").body.decode().splitlines()
        return sum(
            float(line.split()[-1]) for line in lines if line.startswith("mahjong_workers_lost_total{")
        )


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_DIGITS]


def expected() -> dict[str, str]:
    return dict(line.split() for line in EXPECTED.read_text("utf-8").splitlines())


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    try:
        load_reader()
    except ModelError as error:
        pytest.skip(f"no trained models: {error.detail}")
    door = Door()
    try:
        yield door
    finally:
        door.service.stop()


def require_harmless(door: Door, one: Corpus) -> None:
    try:
        files = list(one.items())
    except Unavailable as error:
        pytest.skip(str(error))
    assert len(files) == one.files
    before = memory_of(door.service.process.pid)["Rss"]
    door.send(files)
    after = memory_of(door.service.process.pid)["Rss"]
    found = {digest(data): door.found.get(digest(data), "none") for _, data in files}
    print(one.name, len(files), dict(Counter(found.values())), f"grown by {after - before:.0f} MB")
    assert door.wrong == []
    assert not door.lost()
    known = expected()
    assert {key: (known[key], code) for key, code in found.items() if known[key] != code} == {}
    assert after - before < GROWTH_MB
    assert door.service.get("/livez").status == 200


@pytest.mark.parametrize("one", CORPORA[:2], ids=lambda one: one.name)
def test_collections_of_a_few_megabytes(door: Door, one: Corpus) -> None:
    require_harmless(door, one)


@pytest.mark.soak
@pytest.mark.parametrize("one", CORPORA[2:], ids=lambda one: one.name)
def test_collections_of_many_megabytes(door: Door, one: Corpus) -> None:
    require_harmless(door, one)


def test_there_are_files_enough() -> None:
    assert sum(one.files for one in CORPORA) >= 1900
    assert set(expected().values()) <= RIGHT


def main() -> None:
    door = Door()
    try:
        for one in CORPORA:
            door.send(one.items())
            print(
                one.name,
                dict(Counter(door.found.values())),
                door.wrong,
                "workers lost:",
                door.lost(),
                flush=True,
            )
    finally:
        door.service.stop()
    lines = (f"{key} {code}\n" for key, code in sorted(door.found.items()))
    EXPECTED.write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()

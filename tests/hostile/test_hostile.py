"""Files made to deceive, and files spoilt by chance, through the process that really reads them."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from api.errors import ApiError
from api.jobs import Job, Outcome
from api.nursery import Nursery, Plan
from api.pool import WorkerPool
from scorer import Hand
from tests.hostile.bombs import bombs
from tests.hostile.mutants import mutant, truncations
from tests.hostile.seeds import TILES, seeds
from vision import ModelError, load_reader

Result = TypeVar("Result")

#: Memory that a bomb may cost, beyond what the process holds once it is loaded: the pixels of the largest
#: photo that is allowed, twice, and a little.
MEMORY_MIB = 400

#: How a file may be refused.
HARMLESS = {
    f"image_{kind}" for kind in ("undecodable", "type", "empty", "too_large", "too_small", "animated")
}


def with_workers(work: Callable[[WorkerPool], Awaitable[Result]], loader: str, memory_mib: int) -> Result:
    async def run() -> Result:
        plan = Plan(loader, canary=False, memory_mib=memory_mib, room_bytes=16 * 1024 * 1024)
        pool = WorkerPool(Nursery(plan), workers=2, queue=10_000, deadline_s=120)
        try:
            await pool.start()
            return await work(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


async def verdict(pool: WorkerPool, image: bytes, kind: str = "read") -> Outcome:
    """The outcome; an error of its own for a photo that cost a worker."""
    try:
        outcome = await pool.run(Job("read" if kind == "read" else "hand", image))
    except ApiError as error:
        return Outcome(b"", {}, (error.code, error.detail))
    assert outcome.trouble is None, outcome.trouble
    return outcome


def test_bombs_are_refused_within_little_memory() -> None:
    """A worker that took more than it may would die, and its photo be lost."""
    files = bombs()
    assert len(files) >= 16

    async def work(pool: WorkerPool) -> dict[str, str]:
        found = {}
        for name, (data, _) in files.items():
            outcome = await verdict(pool, data)
            found[name] = outcome.error[0] if outcome.error else "read"
        assert not pool.losses
        return found

    found = with_workers(work, "tests.hostile.reading:load_decoder", MEMORY_MIB)
    assert {name: code for name, code in found.items() if code not in files[name][1]} == {}


def test_every_truncation_is_refused() -> None:
    """Half a hand is a wrong score: of a photo that is cut short nothing is read."""

    async def work(pool: WorkerPool) -> Counter[str]:
        found: Counter[str] = Counter()
        for name, data in seeds().items():
            for number, cut in enumerate(truncations(data)):
                outcome = await verdict(pool, cut)
                code = outcome.error[0] if outcome.error else f"read: {name} {number}"
                found[code] += 1
        assert not pool.losses
        return found

    found = with_workers(work, "tests.hostile.reading:load_decoder", MEMORY_MIB)
    assert sum(found.values()) == 2000
    assert set(found) <= {"image_undecodable", "image_type", "image_empty"}, found


@pytest.mark.soak
def test_ten_thousand_mutants_are_decoded_or_refused() -> None:
    """Others than those that the networks read, and through the decoder alone, so that many take little."""

    async def one(pool: WorkerPool, data: bytes) -> str:
        outcome = await verdict(pool, data)
        return outcome.error[0] if outcome.error else "decoded"

    async def work(pool: WorkerPool) -> Counter[str]:
        found: Counter[str] = Counter()
        for name, data in seeds().items():
            for start in range(1000, 1500, 4):
                spoilt = (mutant(name, data, number) for number in range(start, start + 4))
                found.update(await asyncio.gather(*(one(pool, each) for each in spoilt)))
        assert not pool.losses
        return found

    found = with_workers(work, "tests.hostile.reading:load_decoder", MEMORY_MIB)
    print(dict(found))
    assert sum(found.values()) == 10_000
    assert set(found) <= {"decoded", *HARMLESS}, found


@pytest.fixture(scope="module")
def trained() -> None:
    try:
        load_reader()
    except ModelError as error:
        pytest.skip(f"no trained models: {error.detail}")


def tally(numbers: range) -> Counter[str]:
    """What became of these mutants of every seed, read and scored by the real networks."""

    async def one(pool: WorkerPool, name: str, data: bytes, number: int, found: Counter[str]) -> None:
        outcome = await verdict(pool, mutant(name, data, number), "hand")
        if outcome.error is not None:
            found[outcome.error[0]] += 1
            return
        answer = json.loads(outcome.answer)
        # The hand that is scored; the reading may show a smear beside it that it leaves out.
        seen = [str(tile) for tile in Hand.parse(answer["scored_hand"]).tiles]
        if sorted(seen) == sorted(TILES):
            found["same"] += 1
        elif answer["score"]["is_win"] and answer["reading"]["doubts"]:
            found["another hand won, in doubt"] += 1
        elif answer["score"]["is_win"]:
            found[f"another hand won: {name} {number} {answer['scored_hand']}"] += 1
        else:
            found["another hand, not a win"] += 1

    async def work(pool: WorkerPool) -> Counter[str]:
        found: Counter[str] = Counter()
        for name, data in seeds().items():
            for start in range(numbers.start, numbers.stop, 4):
                some = range(start, min(start + 4, numbers.stop))
                await asyncio.gather(*(one(pool, name, data, number, found) for number in some))
        found["workers lost"] = sum(pool.losses.values())
        return found

    return with_workers(work, "vision:load_reader", 1536)


def require_harmless(found: Counter[str]) -> None:
    """Refused, read as it was, no win, or a win with its doubts shown: nothing lost, nothing failed, no
    other hand that wins as if it were certain. Data may be damaged so that it decodes without an error.
    """
    assert not found.pop("workers lost")
    read = {"same", "another hand, not a win", "another hand won, in doubt", "no_tiles"}
    assert set(found) <= read | HARMLESS, found


@pytest.mark.usefixtures("trained")
def test_seeds_are_read_rightly() -> None:
    async def work(pool: WorkerPool) -> dict[str, list[str]]:
        wrong = {}
        for name, data in seeds().items():
            outcome = await verdict(pool, data)
            seen = [tile["tile"] for tile in json.loads(outcome.require_answer())["tiles"]]
            if sorted(seen) != sorted(TILES):
                wrong[name] = seen
        return wrong

    assert with_workers(work, "vision:load_reader", 1536) == {}


@pytest.mark.usefixtures("trained")
def test_some_mutants_do_no_harm() -> None:
    require_harmless(tally(range(4)))


@pytest.mark.soak
@pytest.mark.usefixtures("trained")
def test_ten_thousand_mutants_do_no_harm(record_property: Callable[[str, object], None]) -> None:
    found = tally(range(4, 504))
    assert sum(found.values()) - found["workers lost"] == 10_000
    print(dict(found))
    record_property("mutants", dict(found))
    require_harmless(found)

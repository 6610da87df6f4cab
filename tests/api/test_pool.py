"""Workers' processes: what becomes of photo, worker and the next photo when one of them goes wrong."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

from api.errors import ApiError
from api.jobs import Job
from api.nursery import Nursery, Plan
from api.pool import StartFailed, WorkerPool
from tests.api.stubs import MODEL

Result = TypeVar("Result")


def with_pool(
    work: Callable[[WorkerPool], Awaitable[Result]], plan: dict[str, Any] | None = None, **options: Any
) -> Result:
    """Run `work` with a started pool of obedient workers: the common one, or one of its own."""
    if plan is None and not options:
        return common().run(work)

    async def run() -> Result:
        told = {"loader": "tests.api.stubs:load", "canary": False, "room_bytes": 1000, **(plan or {})}
        pool = WorkerPool(Nursery(Plan(**told)), **{"deadline_s": 10.0, **options})
        try:
            await pool.start()
            return await work(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


class Common:
    """One worker for all tests that ask for nothing else, on a loop that outlives them."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        plan = Plan("tests.api.stubs:load", canary=False, room_bytes=1000)
        self.pool = self.runner.run(self._started(plan))

    async def _started(self, plan: Plan) -> WorkerPool:
        pool = WorkerPool(Nursery(plan))
        await pool.start()
        return pool

    def run(self, work: Callable[[WorkerPool], Awaitable[Result]]) -> Result:
        self.pool.losses.clear()

        async def run() -> Result:
            return await work(self.pool)

        return self.runner.run(run())

    def close(self) -> None:
        self.runner.run(self.pool.close())
        self.runner.close()


common = lru_cache(Common)


@pytest.fixture(scope="module", autouse=True)
def _close_the_common_pool() -> Iterator[None]:
    yield
    common().close()
    common.cache_clear()


def job(order: str) -> Job:
    return Job("read", order.encode())


async def failure(pool: WorkerPool, order: str) -> str:
    with pytest.raises(ApiError) as caught:
        await pool.run(job(order))
    return caught.value.code


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not done():
            await asyncio.sleep(0.01)


def test_a_job_is_done_and_a_scored_one_too() -> None:
    async def work(pool: WorkerPool) -> None:
        assert pool.model == MODEL
        read = await pool.run(job("x"))
        assert json.loads(read.require_answer())["hand"] == "111222333p 45699s"
        assert read.facts["tiles"] == 14
        scored = await pool.run(Job("hand", b"x", {"rules": "hk", "winning_tile": "9s"}))
        assert json.loads(scored.require_answer())["score"]["is_win"]
        bad = await pool.run(Job("hand", b"x", {"winning_tile": "7z"}))
        assert bad.error is not None
        assert bad.error[0] == "winning_tile_not_in_hand"
        assert pool.taken == 0

    with_pool(work)


@pytest.mark.parametrize("size", [0, 999, 1000, 1001, 3_000_000])
def test_photos_of_any_size_arrive_whole(size: int) -> None:
    """Below the shared room they go through memory, above it through the socket."""
    import hashlib

    image = os.urandom(size)

    async def work(pool: WorkerPool) -> None:
        for _ in range(2):
            outcome = await pool.run(Job("read", image))
            assert outcome.facts["sha256"] == hashlib.sha256(image).hexdigest()[:12]

    with_pool(work)


@pytest.mark.parametrize(
    ("order", "code", "reason", "options"),
    [
        ("die", "worker_lost", "died", {}),
        ("stop", "deadline", "deadline", {"deadline_s": 0.3}),
        ("loop", "deadline", "deadline", {"deadline_s": 0.3}),
        ("eat:400", "worker_lost", "died", {"plan": {"memory_mib": 100}}),
    ],
)
def test_a_worker_that_goes_wrong_costs_one_photo(
    order: str, code: str, reason: str, options: dict[str, Any]
) -> None:
    async def work(pool: WorkerPool) -> None:
        (first,) = pool.workers
        assert await failure(pool, order) == code
        assert pool.losses == {reason: 1}
        pool._deadline_s = 10.0
        outcome = await pool.run(job("pid"))
        assert json.loads(outcome.answer)["width"] != first
        await until(lambda: not is_alive(first))
        assert pool.healthy

    with_pool(work, **options)


def test_memory_within_the_bound_is_given() -> None:
    async def work(pool: WorkerPool) -> None:
        assert (await pool.run(job("eat:40"))).error is None

    with_pool(work, plan={"memory_mib": 100})


def test_a_worker_killed_while_idle_is_replaced() -> None:
    async def work(pool: WorkerPool) -> None:
        (first,) = pool.workers
        os.kill(first, signal.SIGKILL)
        await until(lambda: set(pool.workers) not in (set(), {first}))
        assert (await pool.run(job("x"))).error is None

    with_pool(work)


def test_a_nursery_that_died_is_started_again() -> None:
    async def work(pool: WorkerPool) -> None:
        process = pool._nursery._process
        assert process is not None
        process.kill()
        process.wait()
        assert await failure(pool, "die") == "worker_lost"
        assert (await pool.run(job("x"))).error is None

    with_pool(work)


def test_one_too_many_is_refused_at_once() -> None:
    """Two workers, one place to wait: of four, three are answered."""

    async def work(pool: WorkerPool) -> None:
        running = [asyncio.create_task(pool.run(job("wait:0.3"))) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(ApiError) as caught:
            pool.require_place()
        assert caught.value.code == "overloaded"
        assert caught.value.headers["Retry-After"] == "1"
        assert await failure(pool, "x") == "overloaded"
        assert [outcome.error for outcome in await asyncio.gather(*running)] == [None] * 3
        pool.require_place()

    with_pool(work, workers=2, queue=1)


def test_who_would_wait_too_long_is_refused_at_once() -> None:
    """Places are free, but photos take so long just now that the last of them would wait in vain."""

    async def work(pool: WorkerPool) -> None:
        assert (await pool.run(job("wait:1"))).error is None  # which is how long one takes
        running = [asyncio.create_task(pool.run(job("wait:0.1"))) for _ in range(5)]
        await asyncio.sleep(0)
        outcomes = await asyncio.gather(*running, return_exceptions=True)
        refused = [outcome for outcome in outcomes if isinstance(outcome, ApiError)]
        assert [error.code for error in refused] == ["overloaded"] * 2
        assert refused[0].headers["Retry-After"]
        # And they come in again once photos take less.
        for _ in range(10):
            assert (await pool.run(job("x"))).error is None
        running = [asyncio.create_task(pool.run(job("x"))) for _ in range(5)]
        assert all(outcome.error is None for outcome in await asyncio.gather(*running))

    with_pool(work, workers=1, queue=8, deadline_s=4.9)


def test_who_waits_too_long_for_a_worker_is_told_so() -> None:
    async def work(pool: WorkerPool) -> None:
        hog = asyncio.create_task(pool.run(job("wait:0.4")))
        await asyncio.sleep(0.05)
        pool._deadline_s, pool._pace_s = 0.1, 0.0  # the hog has its own; nothing says that it takes so long
        assert await failure(pool, "x") == "overloaded"
        pool._deadline_s = 8.0
        assert (await hog).error is None

    with_pool(work)


def test_a_client_that_leaves_kills_no_worker() -> None:
    async def work(pool: WorkerPool) -> None:
        leaving = asyncio.create_task(pool.run(job("wait:0.2")))
        await asyncio.sleep(0.05)
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
        assert pool.taken == 1
        assert (await pool.run(job("x"))).error is None
        assert pool.taken == 0
        assert not pool.losses

    with_pool(work)


def test_workers_are_recycled_without_a_gap() -> None:
    async def work(pool: WorkerPool) -> None:
        pids = set()
        for _ in range(12):
            pids.add(json.loads((await pool.run(job("pid"))).answer)["width"])
            await asyncio.sleep(0.05)
        assert len(pids) > 1
        assert not pool.losses
        await until(lambda: len(pool.workers) == 1)

    with_pool(work, recycle_after=3)


def test_trouble_of_ours_comes_with_a_trace_and_an_error_without_its_text() -> None:
    async def work(pool: WorkerPool) -> None:
        outcome = await pool.run(job("break"))
        assert outcome.error is not None
        assert outcome.error[0] == "internal"
        assert "secret" not in outcome.error[1]
        assert "secret of ours" in (outcome.trouble or "")

    with_pool(work)


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        ({"loader": "tests.api.stubs:load", "options": {"refuse": "no"}}, "RuntimeError"),
        ({"loader": "tests.api.stubs:no_such"}, "AttributeError"),
        ({"loader": "no_such_module:load"}, "worker_lost"),
        ({"loader": "tests.api.stubs:load", "canary": True}, "canary_failed"),
    ],
)
def test_a_pool_that_cannot_start_says_why(plan: dict[str, Any], code: str) -> None:
    async def work(pool: WorkerPool) -> None:
        raise AssertionError("it started")

    with pytest.raises(StartFailed) as caught:
        with_pool(work, plan=plan)
    assert caught.value.code == code


def test_a_worker_gone_blind_is_noticed_and_replaced(tmp_path: Path) -> None:
    sighted = tmp_path / "sighted"
    sighted.touch()

    async def work(pool: WorkerPool) -> None:
        (first,) = pool.workers
        await pool.check()
        assert pool.healthy
        sighted.unlink()
        await pool.check()
        assert not pool.healthy
        assert pool.losses["blind"] == 1
        sighted.touch()
        await until(lambda: set(pool.workers) not in (set(), {first}))
        await pool.check()
        assert pool.healthy

    with_pool(work, plan={"canary": True, "options": {"sighted": str(sighted)}})


def test_deadlines_do_not_follow_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(pool: WorkerPool) -> None:
        real = time.time
        for jump in (3600, -3600):
            running = asyncio.create_task(pool.run(job("wait:0.1")))
            await asyncio.sleep(0.02)
            monkeypatch.setattr(time, "time", lambda jump=jump: real() + jump)
            assert (await running).error is None
        assert not pool.losses

    with_pool(work, deadline_s=5.0)


def test_no_process_is_left() -> None:
    async def work(pool: WorkerPool) -> list[int]:
        asyncio.get_running_loop().create_task(pool.run(job("loop")))
        await asyncio.sleep(0.1)
        process = pool._nursery._process
        assert process is not None
        return [*pool.workers, process.pid]

    left = with_pool(work, workers=1)
    end = time.monotonic() + 10
    while any(is_alive(pid) for pid in left):
        assert time.monotonic() < end, "a process outlived the pool"
        time.sleep(0.01)

"""Workers in processes of their own, a bounded queue before them, and a deadline on what they do.

A thread cannot be stopped: a decoder that loops for ever in one is lost, and with it a part of the service. A
process can be killed, whatever it does. So a photo that takes too long costs its sender an error and the
service one worker, which is replaced.

A queue without a bound only hides that a service is too slow: every client then waits until it has given up.
Here one too many is told so at once, and when to come back. One too many is who finds every place taken, and
who would wait too long as fast as photos are being read just now: a machine that is slow today has a shorter
queue, and nobody waits only to be refused in the end.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Coroutine, Mapping
from typing import Any, Protocol, TypeVar

from api.errors import ApiError
from api.jobs import Job, Outcome, canary
from api.nursery import Channel, Nursery, WorkerLost

__all__ = ["Pool", "StartFailed", "WorkerPool"]

_log = logging.getLogger("mahjong_reader")

_LONGEST_BACKOFF_S = 30.0

#: How much the last photo counts in the seconds that one is expected to take.
_NEWEST = 0.2

#: The wait that is expected may be so much of the deadline; a real one may be all of it.
_PATIENCE = 0.5

Result = TypeVar("Result")


class StartFailed(Exception):
    """No worker could be started: what `code` and `detail` say is for our log, not for clients."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class Pool(Protocol):
    """Where jobs are done: in workers' processes, in threads, or on other machines."""

    @property
    def model(self) -> Mapping[str, str] | None:
        """Name, version and sha256 of the model, once it is loaded."""
        ...

    @property
    def taken(self) -> int:
        """Jobs that run or wait."""
        ...

    @property
    def workers(self) -> Mapping[int, int]:
        """Number of each living worker's process -> bytes of memory it held after its last job."""
        ...

    @property
    def losses(self) -> Mapping[str, int]:
        """How many workers were lost, by why: `died`, `deadline`, `blind`."""
        ...

    @property
    def healthy(self) -> bool:
        """Whether photos are being read rightly, as far as is known."""
        ...

    async def start(self) -> None:
        """Load the models and read the canary. Raises StartFailed."""
        ...

    def require_place(self) -> None:
        """Raise ApiError `overloaded` if no place is free; takes none."""
        ...

    async def run(self, job: Job) -> Outcome:
        """Do the job. Raises ApiError `overloaded`, `deadline`, `worker_lost` and `not_ready`."""
        ...

    async def check(self) -> None:
        """Have the canary read once more by whoever is idle; sets `healthy`."""
        ...

    async def close(self) -> None:
        """End the workers."""
        ...


class WorkerPool:
    """`workers` processes, and `queue` places to wait for one.

    A job has `deadline_s` seconds once a worker has it, and waits as long for one at most. A worker ends
    after `recycle_after` jobs, once its successor is ready.
    """

    def __init__(
        self,
        nursery: Nursery,
        *,
        workers: int = 1,
        queue: int = 8,
        deadline_s: float = 8.0,
        start_timeout_s: float = 120.0,
        recycle_after: int = 2000,
        retry_after_s: int = 1,
    ) -> None:
        self._nursery = nursery
        self._expected = canary() if nursery.plan.canary else None
        self._wanted = workers
        self._places = workers + queue
        self._deadline_s = deadline_s
        self._start_timeout_s = start_timeout_s
        self._recycle_after = recycle_after
        self._retry_after_s = retry_after_s
        self._taken = 0
        self._pace_s = 0.0
        self._alive: set[Channel] = set()
        self._idle: asyncio.Queue[Channel] = asyncio.Queue()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._failures = 0
        self._blind = False
        self.model: Mapping[str, str] | None = None
        self.losses: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """Jobs that run or wait."""
        return self._taken

    @property
    def workers(self) -> Mapping[int, int]:
        """Number of each living worker's process -> bytes of memory it held after its last job."""
        return {worker.pid: worker.rss for worker in self._alive}

    @property
    def healthy(self) -> bool:
        """Whether the last canary was read rightly and lost workers can be replaced."""
        return not self._blind and self._failures < 2 and not self._closed

    async def start(self) -> None:
        """Start the first worker, and the others once it is ready. Raises StartFailed."""
        first = await self._spawn()
        self.model = first.model
        self._idle.put_nowait(first)
        for _ in range(self._wanted - 1):
            self._in_background(self._refill(0.0))

    def require_place(self) -> None:
        """Raise ApiError `overloaded` if no place is free, or the wait would be too long; takes none. For a
        refusal before a body is even read.
        """
        if self._taken >= self._places or self._expected_wait_s() > _PATIENCE * self._deadline_s:
            raise ApiError("overloaded", "as many photos are waiting as may; try again shortly", self._wait())

    def _expected_wait_s(self) -> float:
        """Seconds until a worker is free for one more job, as fast as they have been of late."""
        before = self._taken + 1 - max(len(self._alive), 1)
        return max(before, 0) * self._pace_s / max(len(self._alive), 1)

    async def run(self, job: Job) -> Outcome:
        """The outcome of a job. Raises ApiError `overloaded`, `deadline`, `worker_lost` and `not_ready`.

        Where the caller gives up, the job is done all the same, and its place is taken until then: a worker
        cannot be asked to stop, and killing one for each client that leaves would be a way to kill them all.
        """
        if self._closed:
            raise ApiError("not_ready", "the service is shutting down", self._wait())
        self.require_place()
        self._taken += 1
        task = self._in_background(self._run(job))
        task.add_done_callback(self._leave)
        return await asyncio.shield(task)

    async def check(self) -> None:
        """Have the canary read by a worker, if one is idle; one that misreads it is replaced."""
        if self._expected is None or self._idle.empty() or self._closed:
            return
        self._taken += 1
        try:
            outcome = await self._run(Job("canary", self._expected.image))
            seen = outcome.facts.get("tiles") if outcome.error is None else outcome.error[0]
            right = outcome.error is None and _tiles(outcome.answer) == self._expected.tiles
        except ApiError as error:
            right, seen = False, error.code
        finally:
            self._taken -= 1
        if not right and not self._blind:
            _log.error("the canary photo was not read as it should be", extra={"seen": seen})
        self._blind = not right
        if not right:
            await self._renew()

    async def close(self) -> None:
        """Take no more work and end the workers, whatever they do."""
        self._closed = True
        for task in list(self._tasks):
            task.cancel()
        for worker in list(self._alive):
            self._alive.discard(worker)
            worker.kill()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._nursery.close()

    async def _run(self, job: Job) -> Outcome:
        worker = await self._next()
        begin = time.monotonic()
        try:
            async with asyncio.timeout(self._deadline_s):
                words, answer = await worker.ask(job)
        except TimeoutError:
            self._replace(worker, "deadline")
            raise ApiError("deadline", f"the photo could not be read within {self._deadline_s:g} s") from None
        except WorkerLost:
            self._replace(worker, "died")
            raise ApiError(
                "worker_lost", "the process that read the photo ended; another takes its place", self._wait()
            ) from None
        except asyncio.CancelledError:
            worker.kill()
            raise
        took = time.monotonic() - begin
        self._pace_s += (took - self._pace_s) * (_NEWEST if self._pace_s else 1.0)
        self._give_back(worker)
        error = words.get("error")
        return Outcome(answer, words["facts"], (error[0], error[1]) if error else None, words.get("trouble"))

    async def _next(self) -> Channel:
        """An idle worker that lives. Raises ApiError `overloaded` where none comes free in time."""
        try:
            async with asyncio.timeout(self._deadline_s):
                while True:
                    worker = await self._idle.get()
                    if worker in self._alive and not worker.gone:
                        return worker
        except TimeoutError:
            raise ApiError("overloaded", "no worker came free in time", self._wait()) from None

    def _give_back(self, worker: Channel) -> None:
        self._idle.put_nowait(worker)
        if worker.jobs >= self._recycle_after and not worker.retiring and not self._closed:
            worker.retiring = True
            self._in_background(self._succeed(worker))

    async def _succeed(self, worker: Channel) -> None:
        """Let a fresh worker take the place of one that has done its share."""
        try:
            fresh = await self._spawn()
        except StartFailed:
            worker.retiring = False
            return
        self._idle.put_nowait(fresh)
        # Its last job, if it has one, is waited for; the queue skips it once it is no longer alive.
        while worker.busy:
            await asyncio.sleep(0.05)
        self._drop(worker)

    async def _renew(self) -> None:
        """Replace every idle worker: they see what is not there, or nothing."""
        while not self._idle.empty():
            worker = self._idle.get_nowait()
            if worker in self._alive:
                self._replace(worker, "blind")

    def _replace(self, worker: Channel, reason: str) -> None:
        if worker not in self._alive:
            return
        _log.warning("a worker was lost", extra={"reason": reason, "pid": worker.pid, "jobs": worker.jobs})
        self.losses[reason] += 1
        self._drop(worker)
        if not self._closed:
            self._in_background(self._refill(0.0))

    def _drop(self, worker: Channel) -> None:
        self._alive.discard(worker)
        worker.kill()
        self._in_background(self._nursery.bury(worker.pid))

    async def _refill(self, wait_s: float) -> None:
        """Start a worker, again and again at growing intervals where that fails."""
        while not self._closed:
            await asyncio.sleep(wait_s)
            try:
                worker = await self._spawn()
            except StartFailed as error:
                self._failures += 1
                wait_s = min(0.2 * 2**self._failures, _LONGEST_BACKOFF_S)
                _log.error("a worker could not be started", extra={"reason": error.code})
                continue
            self._failures = 0
            self._idle.put_nowait(worker)
            return

    async def _spawn(self) -> Channel:
        """A worker that has loaded its models and read the canary. Raises StartFailed."""
        worker = None
        try:
            async with asyncio.timeout(self._start_timeout_s):
                worker = await self._nursery.fork(self._on_gone)
                words = await worker.greeting()
        except asyncio.CancelledError:
            if worker is not None:
                worker.kill()
            raise
        except TimeoutError:
            if worker is not None:
                worker.kill()
            raise StartFailed("start_timeout", f"no worker within {self._start_timeout_s:g} s") from None
        except WorkerLost as error:
            raise StartFailed("worker_lost", str(error)) from error
        if "failed" in words:
            worker.kill()
            self._in_background(self._nursery.bury(worker.pid))
            raise StartFailed(words["failed"], words["detail"])
        worker.model = words["model"]
        self._alive.add(worker)
        return worker

    def _on_gone(self, worker: Channel) -> None:
        """A worker died while it had nothing to do; with a job, whoever waits for it finds out."""
        if not worker.busy:
            self._replace(worker, "died")

    def _in_background(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _leave(self, task: asyncio.Task[Outcome]) -> None:
        self._taken -= 1
        if not task.cancelled():
            task.exception()  # its caller may have left: then nobody else looks at it

    def _wait(self) -> dict[str, str]:
        return {"Retry-After": str(self._retry_after_s)}


def _tiles(answer: bytes) -> tuple[str, ...]:
    import json

    return tuple(tile["tile"] for tile in json.loads(answer)["tiles"])

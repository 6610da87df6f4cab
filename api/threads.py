"""Threads for work that must not run on the event loop: scores, and photos where the process is a worker
itself (a replica of Ray Serve, a test, an application that embeds this one).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

from api.errors import ApiError
from api.jobs import Canary, Job, Outcome, PhotoReader, perform, require_sight
from api.pool import StartFailed

__all__ = ["ThreadPool", "Threads"]

Result = TypeVar("Result")


class Threads:
    """`workers` threads and `queue` places to wait for one."""

    def __init__(self, name: str, workers: int, queue: int, retry_after_s: int) -> None:
        self._threads = ThreadPoolExecutor(max_workers=workers, thread_name_prefix=name)
        self._places = workers + queue
        self._retry_after_s = retry_after_s
        self._taken = 0
        self._lock = Lock()

    @property
    def taken(self) -> int:
        """Jobs that run or wait."""
        return self._taken

    def require_place(self) -> None:
        """Raise ApiError `overloaded` if no place is free; takes none."""
        if self._taken >= self._places:
            raise ApiError(
                "overloaded", "as many requests are waiting as may; try again shortly", self._wait()
            )

    async def run(self, job: Callable[[], Result]) -> Result:
        """The result of `job`, from a thread. Raises ApiError `overloaded` at once when every place is taken.

        A place is free again when the thread is done, not when the client has gone away: a thread cannot be
        stopped.
        """
        with self._lock:
            self.require_place()
            self._taken += 1
        try:
            future = self._threads.submit(job)
        except RuntimeError as error:  # closed: the service is going down
            self._leave()
            raise ApiError("not_ready", "the service is shutting down", self._wait()) from error
        future.add_done_callback(self._done)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Take no more work and drop what still waits; what runs is let run to its end."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _done(self, future: Future[Result]) -> None:
        self._leave()

    def _leave(self) -> None:
        with self._lock:
            self._taken -= 1

    def _wait(self) -> dict[str, str]:
        return {"Retry-After": str(self._retry_after_s)}


class ThreadPool:
    """A pool of photos within this process: no deadline and no protection from a decoder that crashes.

    `load` gives the reader when the pool starts. With `expected` it must read that canary first.
    """

    def __init__(
        self,
        load: Callable[[], PhotoReader],
        *,
        workers: int = 1,
        queue: int = 8,
        retry_after_s: int = 1,
        expected: Canary | None = None,
    ) -> None:
        self._load = load
        self._expected = expected
        self._threads = Threads("photos", workers, queue, retry_after_s)
        self._reader: PhotoReader | None = None
        self._blind = False

    @property
    def model(self) -> Mapping[str, str] | None:
        """Name, version and sha256 of the model, once it is loaded."""
        return None if self._reader is None else self._reader.model

    @property
    def taken(self) -> int:
        """Jobs that run or wait."""
        return self._threads.taken

    @property
    def workers(self) -> Mapping[int, int]:
        """This process alone, whose memory nobody has asked for."""
        return {os.getpid(): 0}

    @property
    def losses(self) -> Mapping[str, int]:
        """None: a thread is not lost without the process."""
        return {}

    @property
    def healthy(self) -> bool:
        """Whether the last canary was read rightly."""
        return not self._blind

    async def start(self) -> None:
        """Load the reader and read the canary. Raises StartFailed."""
        try:
            self._reader = await self._threads.run(self._loaded)
        except Exception as error:
            code = getattr(error, "code", type(error).__name__)
            raise StartFailed(str(code), str(getattr(error, "detail", error))) from error

    def require_place(self) -> None:
        """Raise ApiError `overloaded` if no place is free; takes none."""
        self._threads.require_place()

    async def run(self, job: Job) -> Outcome:
        """The outcome of a job. Raises ApiError `overloaded` and `not_ready`."""
        reader = self._reader
        if reader is None:
            raise ApiError("not_ready", "the models are still being loaded", {"Retry-After": "1"})
        return await self._threads.run(lambda: perform(reader, job))

    async def check(self) -> None:
        """Read the canary once more; sets `healthy`."""
        reader, expected = self._reader, self._expected
        if reader is None or expected is None:
            return
        try:
            await self._threads.run(lambda: require_sight(reader, expected))
        except ApiError as error:
            self._blind = error.code == "canary_failed"
        else:
            self._blind = False

    async def close(self) -> None:
        """End the threads once what they run is done."""
        await asyncio.to_thread(self._threads.close)

    def _loaded(self) -> PhotoReader:
        reader = self._load()
        if self._expected is not None:
            require_sight(reader, self._expected)
        return reader

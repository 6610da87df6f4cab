"""A few threads for work that must not run on the event loop, and a bounded queue before them.

A queue without a bound only hides that a service is too slow: every client then waits until it has given up.
Here one too many is told so at once, and when to come back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

from api.errors import ApiError

__all__ = ["Workers"]

Result = TypeVar("Result")


class Workers:
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
        """Raise ApiError `overloaded` if no place is free; takes none. For a refusal before a body is even
        read.
        """
        if self._taken >= self._places:
            raise self._overloaded()

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

    def _overloaded(self) -> ApiError:
        return ApiError("overloaded", "as many photos are waiting as may; try again shortly", self._wait())

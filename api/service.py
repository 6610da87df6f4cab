"""The life of the service: it starts its workers, says whether it is ready, hands photos out, and ends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

from api.answers import HandRequest, ScoreRequest, score_answer
from api.bundle import BundleRequest
from api.errors import ApiError
from api.jobs import Job, Outcome
from api.pool import StartFailed
from api.settings import Settings
from api.threads import Threads
from api.verify import VerifyRequest, verify_answer

if TYPE_CHECKING:
    from api.metrics import Metrics
    from api.pool import Pool

__all__ = ["Service", "State"]

_log = logging.getLogger("mahjong_reader")


class State(Enum):
    """Where the service is in its life."""

    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"
    STOPPING = "stopping"


class Service:
    """A pool of workers for photos, a thread for scores, and the state they are in."""

    def __init__(
        self, settings: Settings, pool: Pool, *, on_failure: Callable[[], None] | None = None
    ) -> None:
        self.settings = settings
        self.pool = pool
        self.state = State.LOADING
        self.failed = False
        self.metrics: Metrics | None = None
        self._on_failure = on_failure
        self._watch: asyncio.Task[None] | None = None
        # Scores take milliseconds; they must not wait behind photos.
        self._scores = Threads("scores", 1, 64, settings.retry_after_s)

    async def start(self) -> None:
        """Start the pool, which reads the canary; from then on the service is ready. Never raises: failing is
        a state.
        """
        begin = time.perf_counter()
        try:
            await self.pool.start()
        except StartFailed as error:
            _log.error("the service cannot start", extra={"reason": error.code, "detail": error.detail})
            self.failed = True
            if self.state is State.LOADING:
                self.state = State.FAILED
            if self._on_failure is not None:
                self._on_failure()
            return
        if self.state is State.LOADING:
            self.state = State.READY
            self._watch = asyncio.get_running_loop().create_task(self._keep_watch())
            waited = round(time.perf_counter() - begin, 2)
            _log.info("ready", extra={"seconds": waited, "model": dict(self.pool.model or {})})
            # A fifth of a second to import, which nobody need wait for.
            await asyncio.to_thread(self.measured)

    def measured(self) -> Metrics:
        """The metrics; what was asked before they were first wanted is not counted."""
        if self.metrics is None:
            from api.metrics import Metrics, Now

            self.metrics = Metrics(
                lambda: Now(self.ready, self.pool.taken, self.pool.workers, self.pool.losses)
            )
        return self.metrics

    async def _keep_watch(self) -> None:
        """Have the canary read again and again."""
        while True:
            await asyncio.sleep(self.settings.canary_interval_s)
            await self.pool.check()

    def stop_admitting(self) -> None:
        """From now on the service is not ready; what was admitted is still answered."""
        self.state = State.STOPPING

    async def close(self) -> None:
        """End the workers and the threads."""
        self.stop_admitting()
        if self._watch is not None:
            self._watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watch
        await self.pool.close()
        await asyncio.to_thread(self._scores.close)

    def require_ready(self) -> Mapping[str, str]:
        """The model. Raises ApiError `not_ready` before a worker is warm, while none reads as it should, and
        after the service was told to stop.
        """
        wait = {"Retry-After": str(self.settings.retry_after_s)}
        model = self.pool.model
        if self.state is not State.READY or model is None:
            detail = {
                State.FAILED: "the models could not be loaded; the service's log says why",
                State.STOPPING: "the service is shutting down",
            }.get(self.state, "the models are still being loaded")
            raise ApiError("not_ready", detail, wait)
        if not self.pool.healthy:
            raise ApiError("not_ready", "photos are not being read as they should; the log says why", wait)
        return model

    @property
    def ready(self) -> bool:
        """Whether photos may be sent."""
        try:
            self.require_ready()
        except ApiError:
            return False
        return True

    def require_place(self) -> None:
        """Raise what would refuse a photo anyway, before its body is read."""
        self.require_ready()
        self.pool.require_place()

    async def read(self, image: bytes) -> Outcome:
        """What comes of `/v1/read`."""
        return await self._photo(Job("read", image))

    async def hand(self, image: bytes, request: object) -> Outcome:
        """What comes of `/v1/hands`: read and scored by one worker, one trip instead of two. `request` is
        parsed JSON, None where the client sent none.

        Raises what is wrong with the request before time is spent on its photo.
        """
        asked = HandRequest() if request is None else HandRequest.from_data(request)
        asked.require_valid()
        told = request if isinstance(request, Mapping) else None
        return await self._photo(Job("hand", image, told))

    async def verify_photo(self, image: bytes, request: object) -> Outcome:
        """What comes of `/v1/verify` for a photo. Raises what is wrong with the request before time is spent
        on it."""
        VerifyRequest.from_data(request).require_valid()
        told = request if isinstance(request, Mapping) else None
        return await self._photo(Job("verify", image, told))

    async def bundle(self, image: bytes, request: object) -> Outcome:
        """What comes of `/v1/bundles`: an unsigned bundle, made by the worker that read the photo."""
        BundleRequest.from_data(request).require_valid()
        told = request if isinstance(request, Mapping) else None
        return await self._photo(Job("bundle", image, told))

    async def sheet(self, bundle: bytes, paper: str) -> Outcome:
        """What comes of `/v1/sheets`."""
        return await self._photo(Job("sheet", bundle, {"paper": paper}))

    async def _photo(self, job: Job) -> Outcome:
        self.require_ready()
        outcome = await self.pool.run(job)
        if outcome.trouble is not None:
            _log.error("a photo could not be read", extra={"trouble": outcome.trouble})
        if self.metrics is not None and "ms" in outcome.facts:
            self.metrics.reading_seconds.observe(outcome.facts["ms"] / 1000)
        return outcome

    async def score(self, request: ScoreRequest) -> dict[str, Any]:
        """The answer to `/v1/score`; needs no worker."""
        return await self._scores.run(lambda: score_answer(request))

    async def verify(self, request: VerifyRequest) -> dict[str, Any]:
        """The answer to `/v1/verify` for a hand in notation; needs no worker."""
        return await self._scores.run(lambda: verify_answer(request))

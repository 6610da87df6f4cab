"""The life of the service: it loads and warms its reader, says whether it is ready, and reads photos off the
event loop.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from enum import Enum
from importlib import resources
from typing import TYPE_CHECKING, Any, Protocol

from api.answers import HandRequest, ScoreRequest, hand_answer, read_answer, score_answer
from api.errors import PROBLEMS, ApiError, problem_of
from api.settings import Settings
from api.workers import Workers

if TYPE_CHECKING:
    from vision import Reading

__all__ = ["PhotoReader", "Service", "State", "canary"]

_log = logging.getLogger("mahjong_reader")


class PhotoReader(Protocol):
    """What the doors need of a reader of photos; `vision.Reader` is one."""

    @property
    def model(self) -> Mapping[str, str]:
        """Name, version and sha256 of the model."""
        ...

    def read(self, data: bytes, *, name: str | None = None) -> Reading:
        """The reading of a photo; raises `vision.VisionError`."""
        ...


class State(Enum):
    """Where the service is in its life."""

    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"
    STOPPING = "stopping"


def canary() -> bytes:
    """A small photo of tiles that comes with the package: a reader that finds none in it has gone blind."""
    return resources.files("api").joinpath("canary.jpg").read_bytes()


def _read(reader: PhotoReader, image: bytes) -> Reading:
    """The reading of a photo; what `vision` says against it becomes an ApiError of the same code.

    So the app need not know the errors of a room that costs a second to import.
    """
    try:
        return reader.read(image)
    except Exception as error:
        code, detail = problem_of(error)
        if code == "internal":
            raise
        if PROBLEMS[code].status >= 500:
            _log.exception("a photo could not be read")
        raise ApiError(code, detail) from error


class Service:
    """One reader, the threads that run it, and the state they are in."""

    def __init__(
        self,
        settings: Settings,
        reader: PhotoReader | None = None,
        *,
        load: Callable[[], PhotoReader] | None = None,
        on_failure: Callable[[], None] | None = None,
    ) -> None:
        self.settings = settings
        self.state = State.LOADING
        self.failed = False
        self._reader = reader
        self._load_given = load
        self._on_failure = on_failure
        self._photos = Workers("photos", settings.workers, settings.queue, settings.retry_after_s)
        # Scores take milliseconds; they must not wait behind photos.
        self._scores = Workers("scores", 1, 64, settings.retry_after_s)

    async def start(self) -> None:
        """Load the reader and read the canary with it; from then on the service is ready. Never raises:
        failing is a state.
        """
        begin = time.perf_counter()
        try:
            self._reader = await self._photos.run(self._load)
        except Exception:  # noqa: BLE001 - whatever it is, it is logged, and the service is unready
            _log.exception("the service cannot start")
            self.failed = True
            if self.state is State.LOADING:
                self.state = State.FAILED
            if self._on_failure is not None:
                self._on_failure()
            return
        if self.state is State.LOADING:
            self.state = State.READY
            _log.info(
                "ready after %.2f s with model %s", time.perf_counter() - begin, dict(self._reader.model)
            )

    def stop_admitting(self) -> None:
        """From now on the service is not ready; what was admitted is still answered."""
        self.state = State.STOPPING

    async def close(self) -> None:
        """End the threads once what they run is done."""
        self.stop_admitting()
        await asyncio.to_thread(self._photos.close)
        await asyncio.to_thread(self._scores.close)

    @property
    def model(self) -> Mapping[str, str] | None:
        """The model that is served, once it is loaded."""
        return None if self._reader is None else self._reader.model

    def require_ready(self) -> PhotoReader:
        """The reader. Raises ApiError `not_ready` before it is warm and after it was told to stop."""
        if self.state is not State.READY or self._reader is None:
            detail = {
                State.LOADING: "the models are still being loaded",
                State.FAILED: "the models could not be loaded; the service's log says why",
                State.STOPPING: "the service is shutting down",
            }.get(self.state, "the models are not loaded")
            raise ApiError("not_ready", detail, {"Retry-After": str(self.settings.retry_after_s)})
        return self._reader

    def require_place(self) -> None:
        """Raise what would refuse a photo anyway, before its body is read."""
        self.require_ready()
        self._photos.require_place()

    async def read(self, image: bytes) -> dict[str, Any]:
        """The answer to `/v1/read`."""
        reader = self.require_ready()
        return await self._photos.run(lambda: read_answer(_read(reader, image), None))

    async def hand(self, image: bytes, request: HandRequest) -> dict[str, Any]:
        """The answer to `/v1/hands`: read and score on the same thread, one trip instead of two."""
        reader = self.require_ready()

        def job() -> dict[str, Any]:
            begin = time.perf_counter()
            reading = _read(reader, image)
            return hand_answer(reading, request, None, time.perf_counter() - begin)

        return await self._photos.run(job)

    async def score(self, request: ScoreRequest) -> dict[str, Any]:
        """The answer to `/v1/score`; needs no reader."""
        return await self._scores.run(lambda: score_answer(request))

    def _load(self) -> PhotoReader:
        reader = self._reader
        if reader is None and self._load_given is not None:
            reader = self._load_given()
        if reader is None:
            from vision import load_reader

            reader = load_reader(self.settings.models)
        # Raises NoTiles when the reader is blind. Networks are slow the first time: better here than on a
        # person's photo.
        reader.read(canary())
        return reader

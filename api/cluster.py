"""The same service on Ray: an engine that exists for batching, replicas and autoscaling (extra `ray`).

    serve run api.cluster:application

The doors (`Door`: HTTP, keys, limits, scores) and the readers (`PhotoReaders`) are deployments of their own,
so that readers are scaled by the photos that wait. A replica is a process already: its reader runs in threads
of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Mapping
from typing import Any

from api.errors import ApiError
from api.jobs import Job, Outcome, canary, perform, require_sight
from api.pool import Pool, StartFailed

__all__ = ["RayPool", "application", "ray_pool"]  # noqa: F822 - made by __getattr__

#: What a job and an outcome are on the way between two processes.
Packed = tuple[Any, ...]

_BATCH = 4
_BATCH_WAIT_S = 0.005


def _load(models: str | None, threads: int) -> Any:
    from vision import load_reader

    reader = load_reader(models, threads=threads)
    require_sight(reader, canary())
    return reader


def _performed(reader: Any, packed: Packed) -> Packed:
    try:
        outcome = perform(reader, Job(*packed))
    except MemoryError:
        return (b"", {}, ("worker_lost", "there was not memory enough for the photo"), None)
    return (outcome.answer, dict(outcome.facts), outcome.error, outcome.trouble)


class Actor:
    """A reader in a process of a Ray cluster, for archives."""

    def __init__(self, models: str | None, threads: int) -> None:
        self._reader = _load(models, threads)

    def model(self) -> dict[str, str]:
        """Name, version and sha256 of the model."""
        return dict(self._reader.model)

    def perform(self, packed: Packed) -> Packed:
        """Do a job."""
        return _performed(self._reader, packed)


class RayPool:
    """Workers on a Ray cluster: the pool of `api.pool`, on other machines.

    `ask` sends a packed job to whoever is free; what it raises means that the worker is lost.
    """

    def __init__(self, places: int, deadline_s: float) -> None:
        self._places = places
        self._deadline_s = deadline_s
        self._taken = 0
        self.model: Mapping[str, str] | None = None
        self.losses: dict[str, int] = {}

    @property
    def taken(self) -> int:
        """Jobs that run or wait."""
        return self._taken

    @property
    def workers(self) -> Mapping[int, int]:
        """Ray counts its own workers."""
        return {}

    @property
    def healthy(self) -> bool:
        """Ray replaces what is not."""
        return True

    async def start(self) -> None:
        """Wait for the models. Raises StartFailed."""
        try:
            self.model = await self._model()
        except Exception as error:
            raise StartFailed("ray", str(error)) from error

    def require_place(self) -> None:
        """Raise ApiError `overloaded` if no place is free; takes none."""
        if self._taken >= self._places:
            raise ApiError("overloaded", "as many photos are waiting as may", {"Retry-After": "1"})

    async def run(self, job: Job) -> Outcome:
        """The outcome of a job. Raises ApiError `overloaded`, `deadline` and `worker_lost`."""
        self.require_place()
        self._taken += 1
        try:
            async with asyncio.timeout(self._deadline_s):
                answer, facts, wrong, trouble = await self._ask((job.kind, job.image, job.request))
        except TimeoutError:
            raise ApiError("deadline", f"no reading within {self._deadline_s:g} s") from None
        except Exception as error:
            self.losses["died"] = self.losses.get("died", 0) + 1
            raise ApiError("worker_lost", "the photo was lost on the way", {"Retry-After": "1"}) from error
        finally:
            self._taken -= 1
        return Outcome(answer, facts, (wrong[0], wrong[1]) if wrong else None, trouble)

    async def check(self) -> None:
        """Replicas check themselves (`check_health`)."""

    async def close(self) -> None:
        """Leave the cluster."""

    async def _model(self) -> Mapping[str, str]:
        raise NotImplementedError

    async def _ask(self, packed: Packed) -> Packed:
        raise NotImplementedError


class _ActorPool(RayPool):
    """Actors of a cluster, one job each at a time; one that dies is started anew by Ray."""

    def __init__(self, address: str, workers: int, models: str | None, deadline_s: float) -> None:
        super().__init__(2 * workers, deadline_s)
        self._address = address
        self._workers = workers
        self._models = models
        self._idle: asyncio.Queue[Any] = asyncio.Queue()

    async def _model(self) -> Mapping[str, str]:
        import ray

        local = self._address == "local"
        ray.init(
            address=self._address,
            num_cpus=self._workers if local else None,
            include_dashboard=False if local else None,
            log_to_driver=False,
        )
        kind = ray.remote(num_cpus=1, max_restarts=-1)(Actor)
        actors = [kind.remote(self._models, 1) for _ in range(self._workers)]
        models = await asyncio.gather(*(actor.model.remote() for actor in actors))
        for actor in actors:
            self._idle.put_nowait(actor)
        found: Mapping[str, str] = models[0]
        return found

    async def _ask(self, packed: Packed) -> Packed:
        actor = await self._idle.get()
        try:
            found: Packed = await actor.perform.remote(packed)
            return found
        finally:
            self._idle.put_nowait(actor)

    async def close(self) -> None:
        """Leave the cluster; one that was started for this ends."""
        import ray

        await asyncio.to_thread(ray.shutdown)


def ray_pool(address: str, workers: int, models: str | None, deadline_s: float = 600.0) -> Pool:
    """Readers on the cluster at `address` (`auto`, `ray://...`, or `local` for one that ends with us)."""
    return _ActorPool(address, workers, models, deadline_s)


class _ServePool(RayPool):
    """The deployment `PhotoReaders`, which Ray Serve scales."""

    def __init__(self, places: int, deadline_s: float) -> None:
        super().__init__(places, deadline_s)
        self.readers: Any = None

    async def _model(self) -> Mapping[str, str]:
        while self.readers is None:  # the application starts before the replica has its handle
            await asyncio.sleep(0.05)
        found: Mapping[str, str] = await self.readers.model.remote()
        return found

    async def _ask(self, packed: Packed) -> Packed:
        found: Packed = await self.readers.perform.remote(packed)
        return found


def _application() -> Any:
    """The two deployments, bound."""
    from ray import serve

    from api.app import create_app
    from api.settings import check_settings

    settings, wrong = check_settings({})
    if settings is None:
        raise ValueError("; ".join(wrong))
    pool = _ServePool(places=100, deadline_s=settings.deadline_s)

    @serve.deployment(
        name="PhotoReaders",
        max_ongoing_requests=8,
        autoscaling_config={"min_replicas": 1, "max_replicas": 8, "target_ongoing_requests": 2},
        ray_actor_options={"num_cpus": 1},
    )
    class PhotoReaders:
        def __init__(self) -> None:
            self._reader = _load(os.environ.get("MAHJONG_READER_MODELS"), 1)

        async def model(self) -> dict[str, str]:
            return dict(self._reader.model)

        def check_health(self) -> None:
            require_sight(self._reader, canary())

        @serve.batch(max_batch_size=_BATCH, batch_wait_timeout_s=_BATCH_WAIT_S)  # type: ignore[untyped-decorator]
        async def perform(self, several: list[Packed]) -> list[Packed]:
            jobs = (asyncio.to_thread(_performed, self._reader, packed) for packed in several)
            return list(await asyncio.gather(*jobs))

    @serve.deployment(name="Door", max_ongoing_requests=200, ray_actor_options={"num_cpus": 0.5})
    @serve.ingress(lambda: create_app(settings, pool))
    class Door:
        def __init__(self, readers: Any) -> None:
            pool.readers = readers

    door: Any = Door
    readers: Any = PhotoReaders
    return door.bind(readers.bind())


def __getattr__(name: str) -> Any:
    """`application`, made when Ray Serve asks for it: importing this module starts and needs nothing."""
    if name == "application":
        with contextlib.suppress(ImportError):
            return _application()
        raise AttributeError("api.cluster:application needs the extra `ray`")
    raise AttributeError(name)

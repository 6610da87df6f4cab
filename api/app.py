"""The HTTP application, made by a function: no app, no settings and no model exist before it is called."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from api.docs import describe
from api.errors import ApiError, problem_of
from api.keys import Keys, Quota
from api.ledger.routes import router as ledger_routes
from api.limits import Gate, note, request_id_of
from api.nursery import Nursery, plan_of
from api.pages import router as pages
from api.pool import Pool, WorkerPool
from api.problems import router as problem_pages
from api.referee_routes import router as referee
from api.replies import ProblemResponse, problem_response
from api.routes import router
from api.service import Service
from api.settings import Settings
from scorer import ScorerError

if TYPE_CHECKING:
    from api.ledger.desk import Desk

__all__ = ["create_app", "worker_pool"]

_log = logging.getLogger("mahjong_reader")

#: Not of any standard, but what proxies write into their logs.
_CLIENT_LEFT = 499


def create_app(
    settings: Settings,
    pool: Pool | None = None,
    *,
    on_failure: Callable[[], None] | None = None,
) -> FastAPI:
    """The service as an ASGI application.

    Once started it starts `pool`, or the workers of `settings`, in the background. Where that fails
    `on_failure` is called, and the app stays alive and unready.
    """
    service = Service(settings, pool or worker_pool(settings), on_failure=on_failure)
    app = FastAPI(
        title="Mahjong hand reader",
        description="Reads a photo of a winning mahjong hand: the tiles, the sets, the score and why.",
        version=metadata.version("mahjong-reader"),
        lifespan=partial(_lifespan, service),
    )
    app.state.service = service
    app.state.desk = None
    app.include_router(router)
    app.include_router(ledger_routes)
    app.include_router(referee)
    app.include_router(problem_pages)
    app.include_router(pages)
    app.add_middleware(
        Gate,
        most=settings.max_body_bytes,
        deadline_s=settings.receive_timeout_s,
        keys=Keys(settings.keys),
        quota=Quota(settings.requests_per_minute),
        metrics=lambda: service.metrics,
    )
    app.add_exception_handler(ApiError, _answer_error)
    app.add_exception_handler(ScorerError, _answer_error)
    app.add_exception_handler(HTTPException, _answer_http)
    app.add_exception_handler(ClientDisconnect, _answer_nobody)
    app.add_exception_handler(Exception, _answer_unforeseen)
    app.openapi = partial(describe, app)  # type: ignore[method-assign]
    return app


def worker_pool(settings: Settings, nursery: Nursery | None = None) -> WorkerPool:
    """The workers that these settings ask for; `nursery` where it has been started already."""
    if nursery is None:
        nursery = Nursery(
            plan_of(
                settings.models,
                settings.threads,
                settings.worker_memory_mib,
                settings.max_body_bytes,
                settings.own_set,
            )
        )
    return WorkerPool(
        nursery,
        workers=settings.workers,
        queue=settings.queue,
        deadline_s=settings.deadline_s,
        recycle_after=settings.recycle_after,
        retry_after_s=settings.retry_after_s,
    )


@asynccontextmanager
async def _lifespan(service: Service, app: FastAPI) -> AsyncIterator[None]:
    desk = await _opened(service.settings)
    loading = asyncio.create_task(service.start())
    app.state.desk = desk
    try:
        yield
    finally:
        service.stop_admitting()
        await loading
        await service.close()
        if desk is not None:
            await desk.close()


async def _opened(settings: Settings) -> Desk | None:
    """The ledger, where a database is named; loaded only then."""
    if settings.database is None:
        return None
    from api.ledger.desk import open_desk

    return await asyncio.to_thread(open_desk, settings.database.get_secret_value(), settings.retry_after_s)


async def _answer_error(request: Request, error: Exception) -> ProblemResponse:
    note(request.scope, code=problem_of(error)[0])
    return problem_response(error, request_id_of(request.scope))


async def _answer_http(request: Request, error: Exception) -> ProblemResponse:
    """What the framework itself refuses: no such address, no such method."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    path, method = request.scope["path"][:200], request.scope["method"]
    own = {
        404: ApiError("not_found", f"{path!r} is no address of this service", headers),
        405: ApiError("method_not_allowed", f"this address does not answer to {method}", headers),
    }.get(status)
    note(request.scope, code=problem_of(own or error)[0])
    return problem_response(own or error, request_id_of(request.scope))


async def _answer_nobody(request: Request, error: Exception) -> Response:
    """The client left while sending: nobody hears the answer, and nothing is wrong here."""
    note(request.scope, code="client_left")
    return Response(status_code=_CLIENT_LEFT)


async def _answer_unforeseen(request: Request, error: Exception) -> ProblemResponse:
    """A mistake of ours: the client is told its code and the request's id, and nothing of its text."""
    identity = request_id_of(request.scope)
    response = problem_response(error, identity)
    response.headers["X-Request-Id"] = identity
    _log.error("a request failed", exc_info=error, extra={"request_id": identity})
    return response

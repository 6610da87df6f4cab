"""Runs the HTTP application with uvicorn until it is told to stop."""

from __future__ import annotations

import logging
from collections.abc import Callable

import uvicorn

from api.app import create_app
from api.service import PhotoReader
from api.settings import Settings

__all__ = ["run"]

#: Exit status of a service whose models cannot be used.
MODELS_FAILED = 3


def run(settings: Settings, load: Callable[[], PhotoReader] | None = None) -> int:
    """Serve until a signal; returns the exit status: 0, or 3 where the models cannot be used.

    `load` waits for a reader that is being loaded already; without it, it is loaded from `settings`.

    Two signals end it: on the first it stops admitting and lets running requests end within
    `shutdown_timeout_s`.
    """
    logging.basicConfig(
        level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )

    def stop() -> None:
        server.should_exit = True

    application = create_app(settings, on_failure=stop, load=load)
    server = uvicorn.Server(
        uvicorn.Config(
            application,
            host=settings.host,
            port=settings.port,
            log_level=settings.log_level,
            limit_concurrency=settings.max_connections,
            timeout_graceful_shutdown=settings.shutdown_timeout_s,
            server_header=False,
            access_log=False,
        )
    )
    server.run()
    return MODELS_FAILED if application.state.service.failed else 0

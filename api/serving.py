"""Runs the HTTP application with uvicorn until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import signal
from types import FrameType

import uvicorn
from fastapi import FastAPI

from api import logs
from api.app import create_app, worker_pool
from api.nursery import Nursery
from api.protocol import Deadlines, protocol_class
from api.settings import Settings

__all__ = ["run"]

_log = logging.getLogger("mahjong_reader")

#: Exit status of a service whose models cannot be used.
MODELS_FAILED = 3

#: Descriptors that the process needs beside its connections: its own files, and two for each worker.
_OWN_DESCRIPTORS = 24


class _Server(uvicorn.Server):
    """uvicorn, which on the first signal first says that it is no longer ready, and on the second stops at
    once. It ends with status 0, as somebody who did what it was told.
    """

    def __init__(self, config: uvicorn.Config, application: FastAPI, drain_s: float) -> None:
        super().__init__(config)
        self._application = application
        self._drain_s = drain_s
        self._told = 0

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal came."""
        self._told += 1
        self._application.state.service.stop_admitting()
        if self._told > 1:
            self.should_exit = self.force_exit = True
            return
        try:
            asyncio.get_running_loop().call_later(self._drain_s, self.stop)
        except RuntimeError:  # the loop does not run yet: nobody has connected
            self.stop()

    def stop(self) -> None:
        """Take no more connections, let running requests end, then end."""
        self.should_exit = True


def _connections(settings: Settings) -> int:
    """As many as are wanted, and as the process may have descriptors for."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return settings.max_connections
    fit = max(soft - _OWN_DESCRIPTORS - 2 * settings.workers, 1)
    if fit < settings.max_connections:
        _log.warning("fewer connections than wanted: too few file descriptors", extra={"connections": fit})
    return min(settings.max_connections, fit)


def run(settings: Settings, nursery: Nursery | None = None) -> int:
    """Serve until a signal; returns the exit status: 0, or 3 where the models cannot be used.

    `nursery` where it has been started already. On the first signal the service stops admitting and lets
    running requests end within `shutdown_timeout_s`; on the second it ends.
    """
    log = logs.configure(settings.log_level)
    application = create_app(settings, worker_pool(settings, nursery), on_failure=lambda: server.stop())  # noqa: PLW0108 - made below
    deadlines = Deadlines(
        settings.header_timeout_s,
        settings.receive_timeout_s,
        _connections(settings),
        settings.retry_after_s,
    )
    server = _Server(
        uvicorn.Config(
            application,
            host=settings.host,
            port=settings.port,
            http=protocol_class(deadlines),
            ws="none",
            log_config=None,
            timeout_graceful_shutdown=settings.shutdown_timeout_s,
            server_header=False,
            access_log=False,
        ),
        application,
        settings.drain_s,
    )
    for number in (signal.SIGTERM, signal.SIGINT):  # until uvicorn listens for them itself
        signal.signal(number, server.handle_exit)
    gc.freeze()  # what is loaded stays: no collection need walk through it again
    gc.enable()
    server.run()
    log.finish()
    return MODELS_FAILED if application.state.service.failed else 0

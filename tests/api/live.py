"""A service as a process of its own, and clients that misbehave."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
STUB = ("-m", "tests.api.stubs")
REAL = ("-m", "api", "serve")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Live:
    """A running service. Its standard error is a pipe that nobody reads, unless a test does."""

    def __init__(
        self, command: tuple[str, ...] = STUB, prefix: tuple[str, ...] = (), **environment: Any
    ) -> None:
        self.port = free_port()
        told = {f"MAHJONG_READER_{name.upper()}": str(value) for name, value in environment.items()}
        told["MAHJONG_READER_PORT"] = str(self.port)
        self.process = subprocess.Popen(
            [*prefix, sys.executable, *command],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), **told},
            stderr=subprocess.PIPE,
        )

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, None, headers)

    def photo(
        self, order: str | bytes, path: str = "/v1/read", timeout: float = 60, **headers: str
    ) -> Answer:
        body = order.encode() if isinstance(order, str) else order
        return self.ask("POST", path, body, {"Content-Type": "image/jpeg", **headers}, timeout)

    def ask(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str], timeout: float = 60
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return Answer(
                response.status,
                {name.lower(): value for name, value in response.headers.items()},
                response.read(),
            )
        finally:
            connection.close()

    def until_ready(self, seconds: float = 300) -> Live:
        wait_until(self._is_ready, seconds)
        return self

    def _is_ready(self) -> bool:
        assert self.process.poll() is None, f"ended with status {self.process.returncode}"
        try:
            return self.get("/readyz").status == 200
        except OSError:
            return False

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()


@contextlib.contextmanager
def live(*arguments: Any, **environment: Any) -> Iterator[Live]:
    service = Live(*arguments, **environment)
    try:
        yield service.until_ready()
    finally:
        service.stop()


def wait_until(done: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.02)


def is_closed(connection: socket.socket) -> bool:
    """Whether the other side has ended a connection; what it still says is read."""
    connection.setblocking(False)
    try:
        while connection.recv(65536):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True

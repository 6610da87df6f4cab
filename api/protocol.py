"""uvicorn's HTTP protocol with what it lacks: a deadline for a request's arrival, a limit on connections that
is answered as every other refusal, and problem documents for what is not HTTP.
"""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from api.answers import dumps
from api.errors import PROBLEM_TYPE, PROBLEMS, problem_document

__all__ = ["Deadlines", "protocol_class"]

#: How much longer than its deadline a body may take before the connection is cut without a word: the gate
#: answers at the deadline, where it is still listening.
_GRACE_S = 1.0

_PHRASES = {400: "Bad Request", 408: "Request Timeout", 503: "Service Unavailable"}


class Deadlines:
    """Seconds that a request's headers and its body may take, and connections at the same time."""

    __slots__ = ("body_s", "connections", "header_s", "retry_after_s")

    def __init__(self, header_s: float, body_s: float, connections: int, retry_after_s: int = 1) -> None:
        self.header_s = header_s
        self.body_s = body_s
        self.connections = connections
        self.retry_after_s = retry_after_s


def protocol_class(limits: Deadlines) -> type[asyncio.Protocol]:
    """uvicorn's protocol, held to these limits."""

    class Patient(_Patient):
        deadlines = limits

    return Patient


class _Patient(H11Protocol):
    """One connection. The clock runs from a request's first byte (or the connection's) to its last."""

    deadlines: Deadlines

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._clock: asyncio.TimerHandle | None = None
        self._receiving_body = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there: let in, or turned away while too many are."""
        super().connection_made(transport)
        if len(self.connections) > self.deadlines.connections:
            self._refuse("too_many_connections", "as many are connected as may; try again shortly")
            return
        self._set_clock(self.deadlines.header_s, self._headers_late)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._stop_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes of a request, or of the next one."""
        if self._clock is None and self.conn.their_state in (h11.IDLE, h11.DONE):
            self._set_clock(self.deadlines.header_s, self._headers_late)
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        """The answer is out; the next request may have arrived already."""
        super().on_response_complete()
        self._follow()

    def send_400_response(self, msg: str) -> None:
        """What was sent is not HTTP."""
        self._refuse("bad_http", "the request is not HTTP/1.1 as it should be")

    def _follow(self) -> None:
        """Set the clock by how much of a request is there."""
        if self.transport.is_closing():
            self._stop_clock()
            return
        state = self.conn.their_state
        if state is h11.SEND_BODY and not self._receiving_body:
            self._receiving_body = True
            self._set_clock(self.deadlines.body_s + _GRACE_S, self._body_late)
        elif state not in (h11.IDLE, h11.SEND_BODY):
            self._receiving_body = False
            self._stop_clock()

    def _set_clock(self, seconds: float, late: Any) -> None:
        self._stop_clock()
        self._clock = self.loop.call_later(seconds, late)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _headers_late(self) -> None:
        self._clock = None
        if self.transport.is_closing():
            return
        if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0] == b"":
            self.transport.close()  # it has not even begun
            return
        self._refuse("header_timeout", f"the headers must arrive within {self.deadlines.header_s:g} s")

    def _body_late(self) -> None:
        self._clock = None
        self.transport.abort()

    def _refuse(self, code: str, detail: str) -> None:
        """Answer outside of the application, and end the connection."""
        if self.conn.our_state is h11.SEND_BODY:  # half of an answer is out: nothing can be said any more
            self.transport.abort()
            return
        identity = uuid.uuid4().hex
        status = PROBLEMS[code].status
        body = dumps(problem_document(code, detail, identity)).encode("utf-8")
        lines = [
            f"HTTP/1.1 {status} {_PHRASES[status]}",
            f"Content-Type: {PROBLEM_TYPE}",
            f"Content-Length: {len(body)}",
            f"X-Request-Id: {identity}",
            "Connection: close",
        ]
        if status == 503:
            lines.append(f"Retry-After: {self.deadlines.retry_after_s}")
        self.transport.write("\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body)
        self.transport.close()

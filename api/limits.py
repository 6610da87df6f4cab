"""The outermost gate, as plain ASGI: a request id, the API key and its quota, a limit on the body while it
streams in, a deadline for its arrival; and a line in the log and the metrics for each request.

It must be outside of the framework: that one reads a body to its end before anything of ours runs.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.errors import ApiError
from api.replies import problem_response

if TYPE_CHECKING:
    from api.keys import Keys, Quota
    from api.metrics import Metrics

__all__ = ["Gate", "caller_of", "note", "request_id_of"]

_log = logging.getLogger("mahjong_reader.request")

_ID = "mahjong_request_id"
_NOTES = "mahjong_notes"

#: Addresses behind the key: what works, and what tells of others. The rest is for everyone to look at.
_KEPT = ("/v1/", "/metrics")
_UNCOUNTED = frozenset({"/livez", "/healthz", "/readyz", "/metrics"})
_ROUTES = frozenset(
    {*_UNCOUNTED, "/v1/read", "/v1/hands", "/v1/score", "/v1/rulesets", "/v1/matches", "/", "/openapi.json"}
)

_OF_A_MATCH = frozenset({"entries", "table", "export.csv", "export.json"})

#: The rest of a body that is refused is not worth reading: the connection ends with the answer.
_CLOSE = {"Connection": "close"}


def request_id_of(scope: Scope) -> str:
    """The id that the gate has given to this request."""
    found: str = scope.get(_ID, "")
    return found


def caller_of(scope: Scope) -> str:
    """The name of the API key of this request; `-` where none is asked for."""
    notes: MutableMapping[str, Any] = scope.get(_NOTES, {})
    return str(notes.get("key", "-"))


def note(scope: Scope, **facts: Any) -> None:
    """Have the request's line in the log say this too."""
    notes: MutableMapping[str, Any] = scope.setdefault(_NOTES, {})
    notes.update(facts)


class Gate:
    """Gives each request an id (answered as `X-Request-Id`), asks for its key, and holds its body to `most`
    bytes and `deadline_s` seconds.

    A client that says beforehand that it will send too much, or that has no key, is refused before a byte is
    read; one that does not say, or says it wrongly, after the limit and at most one chunk.
    """

    def __init__(
        self,
        app: ASGIApp,
        most: int,
        deadline_s: float,
        keys: Keys | None = None,
        quota: Quota | None = None,
        metrics: Callable[[], Metrics | None] = lambda: None,
    ) -> None:
        self._app = app
        self._most = most
        self._deadline_s = deadline_s
        self._keys = keys
        self._quota = quota
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        identity = uuid.uuid4().hex
        scope[_ID] = identity
        notes: dict[str, Any] = {}
        scope[_NOTES] = notes
        begin = time.perf_counter()
        status = 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), (b"x-request-id", identity.encode())]
            await send(message)

        try:
            try:
                self._require(scope)
            except ApiError as error:
                note(scope, code=error.code)
                await problem_response(error, identity)(scope, receive, send_with_id)
                return
            await self._app(scope, self._counted(scope, receive), send_with_id)
        except Exception:
            # Answered further out, where the framework keeps its last resort.
            status = status or 500
            notes.setdefault("code", "internal")
            raise
        finally:
            self._record(scope, status, notes, time.perf_counter() - begin)

    def _require(self, scope: Scope) -> None:
        """Raise what can be said against a request by its headers alone."""
        if scope["path"].startswith(_KEPT):
            caller = "-"
            if self._keys:
                caller = self._keys.require(scope["headers"])
                note(scope, key=caller)
            if self._quota is not None and scope["path"].startswith("/v1/"):
                self._quota.require(caller)
        declared = _declared(scope)
        if declared is not None and declared > self._most:
            raise self._too_large()

    def _counted(self, scope: Scope, receive: Receive) -> Receive:
        total = 0
        ended = False
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._deadline_s

        async def counted() -> Message:
            nonlocal total, ended
            if ended:  # what follows the body is the wait for the client to leave, which has no deadline
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError as error:
                ended = True
                raise ApiError(
                    "body_timeout", f"the body must arrive within {self._deadline_s:g} s", _CLOSE
                ) from error
            if message["type"] == "http.request":
                total += len(message.get("body", b""))
                note(scope, bytes=total)
                ended = not message.get("more_body", False)
                if total > self._most:
                    ended = True
                    raise self._too_large()
            return message

        return counted

    def _too_large(self) -> ApiError:
        return ApiError("body_too_large", f"a body may have {self._most} bytes at most", _CLOSE)

    def _record(self, scope: Scope, status: int, notes: MutableMapping[str, Any], seconds: float) -> None:
        route = _route(scope["path"])
        quiet = route in _UNCOUNTED and status < 400
        _log.log(
            logging.DEBUG if quiet else logging.INFO,
            "request",
            extra={
                "request_id": request_id_of(scope),
                "method": scope["method"],
                "route": route,
                "status": status,
                "total_ms": round(seconds * 1000, 1),
                **notes,
            },
        )
        metrics = self._metrics()
        if metrics is not None:
            metrics.requests.labels(route, str(status), notes.get("code", "")).inc()
            metrics.seconds.labels(route).observe(seconds)
            if notes.get("bytes"):
                metrics.body_bytes.labels(route).observe(notes["bytes"])


def _route(path: str) -> str:
    """A path as a label: known ones by name, so that nobody can make us count without end."""
    if path in _ROUTES:
        return path
    if path.startswith("/v1/matches/"):
        what = path.removeprefix("/v1/matches/").partition("/")[2]
        return f"/v1/matches/{{id}}/{what}" if what in _OF_A_MATCH else "/v1/matches/{id}"
    return "/v1/rulesets/{id}" if path.startswith("/v1/rulesets/") else "other"


def _declared(scope: Scope) -> int | None:
    for name, value in scope["headers"]:
        if name == b"content-length":
            # More digits than any length has are too many bytes, whatever they say.
            return int(value[:18]) if value.isdigit() else None
    return None

"""The outermost gate, as plain ASGI: a request id, a limit on the body while it streams in, a deadline for
its arrival.

It must be outside of the framework: that one reads a body to its end before anything of ours runs.
"""

from __future__ import annotations

import asyncio
import uuid

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.errors import ApiError
from api.replies import problem_response

__all__ = ["Gate", "request_id_of"]

_ID = "mahjong_request_id"


def request_id_of(scope: Scope) -> str:
    """The id that the gate has given to this request."""
    found: str = scope.get(_ID, "")
    return found


class Gate:
    """Gives each request an id (answered as `X-Request-Id`) and holds its body to `most` bytes and
    `deadline_s` seconds.

    A client that says beforehand that it will send too much is refused before a byte is read; one that does
    not say, or says it wrongly, after the limit and at most one chunk. Both get the same problem document.
    """

    def __init__(self, app: ASGIApp, most: int, deadline_s: float) -> None:
        self._app = app
        self._most = most
        self._deadline_s = deadline_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        identity = uuid.uuid4().hex
        scope[_ID] = identity

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), (b"x-request-id", identity.encode())]
            await send(message)

        declared = _declared(scope)
        if declared is not None and declared > self._most:
            await problem_response(self._too_large(), identity)(scope, receive, send_with_id)
            return
        await self._app(scope, self._counted(receive), send_with_id)

    def _counted(self, receive: Receive) -> Receive:
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
                ended = not message.get("more_body", False)
                if total > self._most:
                    ended = True
                    raise self._too_large()
            return message

        return counted

    def _too_large(self) -> ApiError:
        return ApiError("body_too_large", f"a body may have {self._most} bytes at most", _CLOSE)


#: The rest of a body that is refused is not worth reading: the connection ends with the answer.
_CLOSE = {"Connection": "close"}


def _declared(scope: Scope) -> int | None:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else None
    return None

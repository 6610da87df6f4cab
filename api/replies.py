"""Answers as HTTP responses: JSON as every door prints it, and problem documents."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse, Response

from api.answers import dumps
from api.errors import PROBLEM_TYPE, PROBLEMS, problem_document, problem_of

__all__ = ["AnswerResponse", "ProblemResponse", "ReadyMadeResponse", "problem_response"]


class AnswerResponse(JSONResponse):
    """JSON exactly as the command line prints it."""

    def render(self, content: Any) -> bytes:
        """The body."""
        return dumps(content).encode("utf-8")


class ReadyMadeResponse(Response):
    """JSON that is bytes already."""

    media_type = "application/json"


class ProblemResponse(AnswerResponse):
    """A problem document (RFC 9457)."""

    media_type = PROBLEM_TYPE


def problem_response(error: Exception, request_id: str, code: str | None = None) -> ProblemResponse:
    """The response for any error; `code` overrides the error's own where a route gives it another meaning."""
    own_code, detail = problem_of(error)
    used = code or own_code
    headers = dict(getattr(error, "headers", None) or {})
    if PROBLEMS[used].status == 503:
        headers.setdefault("Retry-After", "1")
    return ProblemResponse(problem_document(used, detail, request_id), PROBLEMS[used].status, headers)

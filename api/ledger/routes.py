"""The routes of the ledger. A match has one entity tag, which is that of everything said about it: it changes
with every entry and with nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.docs import ledger_operation, responses
from api.errors import ApiError
from api.limits import caller_of
from api.replies import AnswerResponse, ReadyMadeResponse
from api.uploads import read_json

if TYPE_CHECKING:  # a service without a ledger loads no database
    from api.ledger.desk import Desk
    from api.ledger.store import Author, Kept, Reply, Ticket

__all__ = ["router"]

router = APIRouter(default_response_class=AnswerResponse)

_ID = re.compile(r"[0-9a-f]{32}")
_TAG = re.compile(r'\s*(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"\s*')
_NUMBER = re.compile(r"[0-9]{1,9}")
_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_MOST_LISTED = 100
_LONGEST_TAGS = 1000


def _desk(request: Request) -> Desk:
    desk: Desk | None = request.app.state.desk
    if desk is None:
        raise ApiError("ledger_off", "this service keeps no ledger: no database is named in its settings")
    return desk


def _match_id(request: Request) -> str:
    found: str = request.path_params["id"]
    if not _ID.fullmatch(found):
        raise ApiError("not_found", f"there is no match {found[:40]!r}")
    return found


def _number(request: Request, name: str, low: int, high: int, default: int | None) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return default
    if not _NUMBER.fullmatch(text) or not low <= int(text) <= high:
        raise ApiError("bad_request", f"{name}: must be a whole number from {low} to {high}")
    return int(text)


def _known(request: Request) -> frozenset[int] | None:
    """The numbers of entries that the header If-Match allows; None where it allows any.

    Raises ApiError `precondition_required` without the header.
    """
    told = ",".join(request.headers.getlist("if-match")).strip()
    if not told:
        raise ApiError(
            "precondition_required",
            "send If-Match with the ETag of the table that you have seen, or If-Match: * to enter it anyway",
        )
    if told == "*":
        return None
    return frozenset(int(tag) for tag in _tags(told, "If-Match") if _NUMBER.fullmatch(tag))


def _tags(told: str, header: str) -> list[str]:
    """The strong entity tags of a header, unquoted; a weak one never matches what is to be changed."""
    parts = told.split(",") if len(told) <= _LONGEST_TAGS else [""]
    if not all(_TAG.fullmatch(part) for part in parts):
        raise ApiError("bad_request", f'{header}: must be * or entity tags such as "7"')
    return [part.strip().strip('"') for part in parts if not part.strip().startswith("W/")]


def _ticket(request: Request, asked: object) -> Ticket | None:
    from api.ledger.store import Ticket, digest_of

    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    key = key.strip().strip('"')
    if not _KEY.fullmatch(key):
        raise ApiError("bad_request", "Idempotency-Key: must be 1 to 255 printable characters")
    return Ticket(key, digest_of([request.url.path, asked]))


async def _asked(request: Request, what: str) -> tuple[object, Author, object]:
    """The field `what` of the body; who writes it; and the body as it came."""
    from api.ledger.store import Author
    from scorer.ledger.fields import LONGEST_NAME, BadEntry, Fields

    body = await read_json(request, request.app.state.service.settings.max_json_bytes)
    fields = Fields(body, BadEntry, "")
    asked, by = fields.value(what), fields.text("by", LONGEST_NAME)
    fields.end()
    return asked, Author(by, caller_of(request.scope)), body


def _written(reply: Reply) -> ReadyMadeResponse:
    headers = {"Location": reply.location, "ETag": reply.entity_tag}
    if reply.again:
        headers["Idempotent-Replayed"] = "true"
    return ReadyMadeResponse(reply.answer.encode("utf-8"), 201, headers)


async def _read(request: Request, tell: Callable[[Kept], Any]) -> tuple[str, Any, bool]:
    """Entity tag, what `tell` says, and whether the client has it already."""
    tag, answer = await _desk(request).told(_match_id(request), tell)
    told = request.headers.get("if-none-match", "")
    return (
        tag,
        answer,
        told.strip() == "*" or tag in [part.strip().removeprefix("W/") for part in told.split(",")],
    )


async def _answered(request: Request, tell: Callable[[Kept], Any]) -> Response:
    tag, answer, had = await _read(request, tell)
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    return Response(status_code=304, headers=headers) if had else AnswerResponse(answer, headers=headers)


@router.post(
    "/v1/matches",
    operation_id="create_match",
    summary="Begin a match",
    status_code=201,
    responses=responses("create_match"),
    openapi_extra=ledger_operation("create_match"),
)
async def create_match(request: Request) -> Response:
    """Four players, a rule set with its house rules, what a point is worth. Its ledger is empty."""
    desk = _desk(request)
    asked, author, body = await _asked(request, "match")
    return _written(await desk.create(asked, author, _ticket(request, body)))


@router.get(
    "/v1/matches",
    operation_id="list_matches",
    summary="The matches",
    responses=responses("list_matches"),
    openapi_extra=ledger_operation("list_matches"),
)
async def list_matches(request: Request) -> AnswerResponse:
    """The matches in brief, the newest first; `next` is the `before` of the following page."""
    from api.ledger.answers import matches_answer

    desk = _desk(request)
    most = _number(request, "limit", 1, _MOST_LISTED, 50) or 50
    before = _number(request, "before", 1, 10**9 - 1, None)
    return AnswerResponse(matches_answer(await desk.matches(most, before), most))


@router.get(
    "/v1/matches/{id}",
    operation_id="get_match",
    summary="A match",
    responses=responses("get_match"),
    openapi_extra=ledger_operation("get_match"),
)
async def get_match(request: Request) -> Response:
    """What was agreed, and the table as it stands."""
    _desk(request)
    from api.ledger.answers import match_answer

    return await _answered(request, match_answer)


@router.post(
    "/v1/matches/{id}/entries",
    operation_id="add_entry",
    summary="Enter a hand, a penalty, a correction",
    status_code=201,
    responses=responses("add_entry"),
    openapi_extra=ledger_operation("add_entry"),
)
async def add_entry(request: Request) -> Response:
    """One more entry, if the table is still the one that the writer has seen (If-Match). Nothing is ever
    changed: what was wrong is corrected or undone by another entry.
    """
    desk, match_id = _desk(request), _match_id(request)
    from scorer.ledger import entry_from_dict

    known = _known(request)
    asked, author, body = await _asked(request, "entry")
    entry = entry_from_dict(asked)
    return _written(await desk.append(match_id, entry, author, known, _ticket(request, body)))


@router.get(
    "/v1/matches/{id}/entries",
    operation_id="list_entries",
    summary="What was entered",
    responses=responses("list_entries"),
    openapi_extra=ledger_operation("list_entries"),
)
async def list_entries(request: Request) -> Response:
    """Every entry after a number: who made it and when, whether it still counts, who paid whom and why."""
    _desk(request)
    from api.ledger.answers import entries_answer

    after = _number(request, "after", 0, 10**6, 0) or 0
    return await _answered(request, lambda kept: entries_answer(kept, after))


@router.get(
    "/v1/matches/{id}/table",
    operation_id="get_table",
    summary="The table",
    responses=responses("get_table"),
    openapi_extra=ledger_operation("get_table"),
)
async def get_table(request: Request) -> Response:
    """Points, seats, round and dealer, and the places by the rule set's tie-breaks."""
    _desk(request)
    from api.ledger.answers import table_answer

    return await _answered(request, table_answer)


@router.get(
    "/v1/matches/{id}/export.json",
    operation_id="export_json",
    summary="A match as JSON",
    responses=responses("export_json"),
    openapi_extra=ledger_operation("export_json"),
)
async def export_json(request: Request) -> Response:
    """Everything about a match; `mahjong-reader ledger replay` works the table out again from it."""
    _desk(request)
    from api.ledger import exports

    response = await _answered(request, exports.export_json)
    response.headers["Content-Disposition"] = f'attachment; filename="match-{_match_id(request)}.json"'
    return response


@router.get(
    "/v1/matches/{id}/export.csv",
    operation_id="export_csv",
    summary="A match as CSV",
    response_class=Response,
    responses=responses("export_csv"),
    openapi_extra=ledger_operation("export_csv"),
)
async def export_csv(request: Request) -> Response:
    """One line an entry, for a spreadsheet."""
    _desk(request)
    from api.ledger import exports

    tag, text, had = await _read(request, exports.export_csv)
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if had:
        return Response(status_code=304, headers=headers)
    headers["Content-Disposition"] = f'attachment; filename="match-{_match_id(request)}.csv"'
    return Response(text.encode("utf-8"), media_type="text/csv; charset=utf-8", headers=headers)

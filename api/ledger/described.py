"""What the description of the service (OpenAPI) says of the ledger's routes: parameters, bodies, answers,
errors. `docs.py` puts it into the whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pydantic import BaseModel

from api.ledger import examples, schemas

__all__ = ["ANSWERS", "BODIES", "ERRORS", "PARAMETERS", "STATUS", "csv_example"]

_READING = ("ledger_off", "ledger_unavailable", "overloaded", "bad_request")
_ONE = (*_READING, "not_found", "ledger_contradiction")
_WRITING = ("bad_json", "bad_entry", "bad_notation", "bad_context", "idempotency_mismatch", "not_ready")

#: Beside those that every route has, and those of a body.
ERRORS: Mapping[str, tuple[str, ...]] = {
    "create_match": (*_READING, *_WRITING, "bad_match", "bad_option", "unknown_ruleset"),
    "list_matches": _READING,
    "get_match": _ONE,
    "add_entry": (
        *(*_READING, *_WRITING, "not_found", "entry_refused", "stale_table", "precondition_required"),
        "ledger_full",
    ),
    "list_entries": _ONE,
    "get_table": _ONE,
    "export_json": _ONE,
    "export_csv": _ONE,
}

_MODELS: Mapping[str, type[BaseModel]] = {
    "create_match": schemas.MatchAnswer,
    "list_matches": schemas.MatchesAnswer,
    "get_match": schemas.MatchAnswer,
    "add_entry": schemas.EntryAnswer,
    "list_entries": schemas.EntriesAnswer,
    "get_table": schemas.LedgerTableAnswer,
    "export_json": schemas.ExportAnswer,
}
#: Operation -> the shape of its answer, and what makes the example. CSV has no shape.
ANSWERS: Mapping[str, tuple[type[BaseModel], Callable[[], Any]]] = {
    name: (model, partial(examples.answer_example, name)) for name, model in _MODELS.items()
}
#: What is not answered with 200.
STATUS: Mapping[str, int] = {"create_match": 201, "add_entry": 201}
#: Operation -> the shape of its body, and examples by what they show.
BODIES: Mapping[str, tuple[type[BaseModel], Mapping[str, Any]]] = {
    "create_match": (schemas.MatchRequestBody, examples.MATCH_REQUESTS),
    "add_entry": (schemas.EntryRequestBody, examples.ENTRY_REQUESTS),
}

_MATCH: dict[str, Any] = {
    "name": "id",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
    "example": "5f0d7c6e2b9a4c118e3fd2a4c7b60915",
}
_ONCE = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "The same key with the same body is answered the same and entered once, for seven days.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}
_IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "required": True,
    "description": "The ETag of the table that the writer has seen; * enters it whatever was entered since.",
    "schema": {"type": "string", "default": "*"},
    "example": '"7"',
}
_IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "An ETag that is known; where nothing was entered since, the answer is 304.",
    "schema": {"type": "string"},
}


def _query(name: str, low: int, high: int, default: int | None, description: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "integer", "minimum": low, "maximum": high}
    if default is not None:
        schema["default"] = default
    return {"name": name, "in": "query", "description": description, "schema": schema}


_READS: list[dict[str, Any]] = [_MATCH, _IF_NONE_MATCH]
PARAMETERS: Mapping[str, list[dict[str, Any]]] = {
    "create_match": [_ONCE],
    "list_matches": [
        _query("limit", 1, 100, 50, "How many."),
        _query("before", 1, 10**9 - 1, None, "Matches before this number; `next` of the page before."),
    ],
    "get_match": _READS,
    "add_entry": [_MATCH, _IF_MATCH, _ONCE],
    "list_entries": [*_READS, _query("after", 0, 10**6, 0, "Entries after this number.")],
    "get_table": _READS,
    "export_json": _READS,
    "export_csv": _READS,
}


def csv_example() -> str:
    """The CSV of a small match."""
    text: str = examples.answer_example("export_csv")
    return text

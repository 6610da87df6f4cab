"""From an error's code to its HTTP status: the one table, and the problem document (RFC 9457) that a client
gets.

The room that knows a mistake names it (`code`, `detail`); here it only gets a status and a title. A code that
the table does not hold is a fault of ours: the client then learns that something failed, and nothing of what.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["PROBLEMS", "PROBLEM_TYPE", "ApiError", "Problem", "problem_document", "problem_of"]

#: Media type of every error body.
PROBLEM_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Problem:
    """A kind of error: its HTTP status and a title that is the same every time."""

    status: int
    title: str


PROBLEMS: Mapping[str, Problem] = {
    # What was asked.
    "bad_json": Problem(400, "The text is not JSON"),
    "bad_request": Problem(400, "The request is not of the expected form"),
    "bad_multipart": Problem(400, "The multipart body is malformed"),
    "missing_image": Problem(400, "The request holds no photo"),
    "bad_notation": Problem(400, "The hand is not tile notation"),
    "bad_context": Problem(400, "The circumstances of the win are not understood"),
    "bad_table": Problem(400, "The table is not understood, or contradicts how the hand was won"),
    "bad_claim": Problem(400, "What is claimed is not understood"),
    "bad_option": Problem(400, "The rule set has no such house rule or value"),
    "unknown_ruleset": Problem(400, "No rule set has this name"),
    "bad_match": Problem(400, "The match is not understood, or cannot be"),
    "bad_entry": Problem(400, "The entry is not understood"),
    "bad_http": Problem(400, "This is not HTTP as it should be"),
    "unauthorized": Problem(401, "An API key is needed"),
    "not_found": Problem(404, "Nothing is here"),
    "ledger_off": Problem(404, "This service keeps no ledger"),
    "method_not_allowed": Problem(405, "This cannot be done here"),
    "header_timeout": Problem(408, "The request took too long to arrive"),
    "body_timeout": Problem(408, "The body took too long to arrive"),
    # Of the ledger.
    "entry_refused": Problem(409, "The entry cannot be true of this table"),
    "ledger_contradiction": Problem(409, "An entry is kept that is no longer possible"),
    "ledger_full": Problem(409, "The match has as many entries as it may"),
    "stale_table": Problem(412, "The match was changed meanwhile"),
    "idempotency_mismatch": Problem(422, "The Idempotency-Key was used for another request"),
    "precondition_required": Problem(428, "The header If-Match is needed"),
    "body_too_large": Problem(413, "The body is too large"),
    "image_bytes": Problem(413, "The photo has too many bytes"),
    "unsupported_media_type": Problem(415, "The body is of a type that is not read here"),
    "image_type": Problem(415, "The file is no photo of a known type"),
    # What was seen.
    "image_empty": Problem(422, "The photo is empty"),
    "image_error": Problem(422, "The photo cannot be read"),
    "image_undecodable": Problem(422, "The photo is damaged or cut short"),
    "image_too_large": Problem(422, "The photo has too many pixels"),
    "image_too_small": Problem(422, "The photo is too small"),
    "image_animated": Problem(422, "The file is an animation"),
    "no_tiles": Problem(422, "No tile was found in the photo"),
    "winning_tile_not_in_hand": Problem(422, "The winning tile is not among the standing tiles"),
    "no_bundle": Problem(422, "The file is no bundle"),
    "bundle_changed": Problem(422, "The bundle is not as it was made"),
    "bundle_too_new": Problem(422, "The bundle is of a later form"),
    "bundle_too_large": Problem(413, "The bundle is too large"),
    # How much was asked.
    "quota_exceeded": Problem(429, "This key has asked too often"),
    # What is wrong here.
    "internal": Problem(500, "Something failed here"),
    "overloaded": Problem(503, "Too many photos are waiting"),
    "too_many_connections": Problem(503, "Too many are connected"),
    "not_ready": Problem(503, "The service is not ready"),
    "worker_lost": Problem(503, "The photo was lost on the way"),
    "canary_failed": Problem(503, "The reader does not see what it should"),
    "ledger_unavailable": Problem(503, "The ledger's database cannot be used"),
    "model_unavailable": Problem(503, "The models cannot be used"),
    "deadline": Problem(504, "The photo took too long to read"),
    # Of the command line only.
    "bad_export": Problem(400, "The file is no export of a ledger"),
    "file_unreadable": Problem(404, "The file cannot be opened"),
    "file_unwritable": Problem(400, "The file cannot be written"),
    "photo_unreadable": Problem(404, "The file cannot be opened"),
    "overlay_unwritable": Problem(400, "The overlay cannot be written"),
    "bad_key": Problem(400, "The key for signing is not one"),
    "bad_signature": Problem(422, "The bundle is not signed as it should be"),
    "font_unusable": Problem(400, "The font cannot be used"),
    "own_set_file": Problem(400, "The file holds no tile set"),
    "own_set_faces": Problem(400, "The faces of the tile set do not fit"),
    "own_set_model": Problem(400, "The tile set was learnt with other weights"),
    "own_set_count": Problem(422, "The photo shows another number of tiles"),
    "own_set_order": Problem(422, "The tiles lie in another order"),
}


class ApiError(Exception):
    """A mistake that a door itself finds: in a request's form, or in how busy the service is."""

    def __init__(self, code: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        if code not in PROBLEMS:
            raise ValueError(f"a code that the table of problems does not hold: {code}")
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})


def problem_of(error: Exception) -> tuple[str, str]:
    """Code and detail of any error, as a client may learn them.

    Errors of the rooms and of the doors carry both. Trouble with the models becomes `model_unavailable`, and
    anything else `internal`, both without the error's own text, which can hold paths and values of ours.
    """
    code, detail = getattr(error, "code", None), getattr(error, "detail", None)
    if isinstance(code, str) and isinstance(detail, str):
        if code in PROBLEMS:
            return code, detail
        if code.startswith(("model_", "detector_")):
            return "model_unavailable", "The models cannot be used; the service's log says why."
    return "internal", "The request could not be answered; the service's log says why under this request id."


def problem_document(code: str, detail: str, request_id: str, status: int | None = None) -> dict[str, object]:
    """The body of an error: RFC 9457 fields, the stable `code`, and the request's id."""
    problem = PROBLEMS[code]
    return {
        "type": f"/problems/{code}",
        "title": problem.title,
        "status": problem.status if status is None else status,
        "detail": detail,
        "code": code,
        "request_id": request_id,
    }

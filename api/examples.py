"""One example of every request, answer and error, shown in the description of the service. The tests hold
them to their shapes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from api.errors import problem_document

__all__ = [
    "ERROR_DETAILS",
    "HAND_REQUEST",
    "HEALTH_ANSWER",
    "READY_ANSWER",
    "READ_ANSWER",
    "SCORE_REQUESTS",
    "hand_example",
    "problem_example",
    "ruleset_example",
    "rulesets_example",
    "score_examples",
]

_MODEL = {
    "name": "mahjong-reader",
    "version": "1",
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
}

_HAND = "111222333p 45699s"

_STRAIGHT = "[123m] 456789m 23p 55s +1p"
_BY_DISCARD = {"win": "discard", "seat": "2z", "round": "1z"}

#: What each shows -> the request.
SCORE_REQUESTS: Mapping[str, dict[str, Any]] = {
    "A score": {
        "hand": "[555z] 123m456m789m1p +1p",
        "rules": "hk",
        "context": {"win": "self_draw", "seat": "2z", "round": "1z"},
        "options": {},
    },
    "A score and who pays whom": {
        "hand": _STRAIGHT,
        "rules": "mcr",
        "context": _BY_DISCARD,
        "options": {},
        "table": {"winner": "2z", "discarder": "1z", "liable": None, "dealer": "1z", "unit": 1},
    },
    "A win that was none": {
        "hand": "[123m] 999p 45678s 55z +3s",
        "rules": "mcr",
        "context": _BY_DISCARD,
        "options": {"false_win": 10},
        "table": {"winner": "2z", "discarder": "1z"},
    },
    "Nobody can say who pays": {
        "hand": _STRAIGHT,
        "rules": "mcr",
        "context": {"round": "1z"},
        "options": {},
        "table": {"winner": "2z"},
    },
}

HAND_REQUEST: dict[str, Any] = {
    "rules": "mcr",
    "context": {"win": "discard", "seat": "1z", "round": "1z"},
    "options": {},
    "winning_tile": "9s",
    "table": {"discarder": "3z"},
}


def _tile(code: str, place: int) -> dict[str, Any]:
    left = 120.0 + 96 * place
    return {
        "tile": code,
        "box": [left, 400.0, left + 92, 524.0],
        "confidence": 0.98,
        "alternatives": [],
        "row": 0,
        "role": "standing",
        "role_confidence": 0.99,
        "up": 1.5,
        "found": 0.93,
    }


def _reading() -> dict[str, Any]:
    codes = ["1p"] * 3 + ["2p"] * 3 + ["3p"] * 3 + ["4s", "5s", "6s", "9s", "9s"]
    tiles = [_tile(code, place) for place, code in enumerate(codes)]
    tiles[4] |= {"confidence": 0.81, "alternatives": [{"tile": "3p", "probability": 0.17}]}
    other = "111223333p 45699s"
    choices = [("2p", 0.81, _HAND), ("3p", 0.17, other)]
    doubt = {
        "code": "unsure_tile",
        "detail": "seen as 2p (81%), perhaps 3p (17%)",
        "tiles": [4],
        "candidates": [
            {"value": value, "probability": p, "hand": hand, "score": None} for value, p, hand in choices
        ],
        "matters": None,
    }
    unseen: dict[str, Any] = {"seen": False, "value": None, "confidence": None, "tiles": []}
    return {
        "photo": None,
        "width": 4032,
        "height": 3024,
        "tiles": tiles,
        "hand": _HAND,
        "doubts": [doubt],
        "model": _MODEL,
        "angle": 1.2,
        "sets": [],
        "winning": None,
        "facts": [
            {"fact": "winning_tile", "detail": "no tile lies apart or turned", **unseen},
            {"fact": "win", "detail": "whether it was drawn is never seen in a photo", **unseen},
        ],
        "readings": [
            {"hand": _HAND, "probability": 0.82, "changes": [], "score": None},
            {
                "hand": other,
                "probability": 0.13,
                "changes": [{"tile": 4, "seen": "2p", "instead": "3p"}],
                "score": None,
            },
        ],
        "suggestions": [],
        "quality": [],
    }


READ_ANSWER: dict[str, Any] = _reading()

HEALTH_ANSWER: dict[str, Any] = {"status": "ok"}

READY_ANSWER: dict[str, Any] = {"status": "ready", "model": _MODEL}


def _scored(request: Mapping[str, Any]) -> dict[str, Any]:
    """The real answer, so that no example can grow stale."""
    from api.answers import ScoreRequest, score_answer

    return score_answer(ScoreRequest.from_data(request))


def score_examples() -> dict[str, dict[str, Any]]:
    """The answer to each of `SCORE_REQUESTS`."""
    return {shows: _scored(request) for shows, request in SCORE_REQUESTS.items()}


def hand_example() -> dict[str, Any]:
    """The answer to a photo of `READ_ANSWER` with `HAND_REQUEST`."""
    hand = "111222333p 4569s +9s"
    told = {name: value for name, value in HAND_REQUEST.items() if name != "winning_tile"}
    return {
        "reading": READ_ANSWER,
        "scored_hand": hand,
        "score": _scored({"hand": hand, **told}),
        "timings": {"read_ms": 140.2, "score_ms": 1.3},
    }


def rulesets_example() -> dict[str, Any]:
    """The rule sets there are."""
    from api.answers import rulesets_answer

    return rulesets_answer()


def ruleset_example() -> dict[str, Any]:
    """The table of Hong Kong Old Style."""
    from api.answers import ruleset_answer

    return ruleset_answer("hk")


#: What each error may say. Codes of the command line alone are left out.
ERROR_DETAILS: Mapping[str, str] = {
    "bad_json": "the text is not JSON at line 1, column 9",
    "bad_request": "hand: is missing; it is a hand in notation, such as 123m456p789s11z555z",
    "bad_multipart": "the multipart body cannot be read",
    "missing_image": "the multipart body has no part `image`",
    "bad_notation": "'q' is no suit; suits are m p s z f a (at position 3 of '123q')",
    "bad_context": "seat: 5z is no wind; winds are 1z 2z 3z 4z",
    "bad_table": "discarder: nobody discards a tile that the winner drew",
    "bad_claim": "fans: 'All Pongz' is no fan of mcr; perhaps All Pungs, All Even Pungs, All Honors",
    "no_bundle": "the file is no bundle, or its beginning or end was changed",
    "bundle_changed": "the file is not as it was made: its SHA-256 is another",
    "bundle_too_new": "the bundle is of form 2; this version knows 1",
    "bundle_too_large": "a bundle has 67108864 bytes at most",
    "bad_option": "min_faan: 99 is no whole number from 0 to 13",
    "unknown_ruleset": "'riichi' is none of hk, mcr, singapore, tvb",
    "bad_http": "the request is not HTTP/1.1 as it should be",
    "unauthorized": "no API key was sent",
    "not_found": "'riichi' is none of hk, mcr, singapore, tvb",
    "method_not_allowed": "this address does not answer to DELETE",
    "header_timeout": "the headers must arrive within 10 s",
    "quota_exceeded": "this key may ask 60 times a minute",
    "body_timeout": "the body must arrive within 30 s",
    "body_too_large": "a body may have 12582912 bytes at most",
    "image_bytes": "the photo has 25000000 bytes; 20971520 are allowed",
    "unsupported_media_type": "this is asked with application/json, not 'text/plain'",
    "image_type": "not a JPEG, PNG, WebP or HEIC file",
    "image_empty": "the photo has no bytes",
    "image_undecodable": "the JPEG file ends too early",
    "image_too_large": "30000 x 30000 pixels: at most 50000000 in all and 16384 on a side are allowed",
    "image_too_small": "16 x 16 pixels: each side needs 32 or more",
    "image_animated": "an animated WebP: send one still picture",
    "no_tiles": "no tile was found in the photo",
    "winning_tile_not_in_hand": "7z is not among the standing tiles of 111222333p 45699s",
    "bad_match": "players: four are needed: east, south, west and north at the first hand",
    "bad_entry": "claims[0].winner: must be a whole number from 0 to 3",
    "ledger_off": "this service keeps no ledger: no database is named in its settings",
    "entry_refused": "Lee does not win: 0 of the 1 that win; a win that is none is entered as `false_win`",
    "ledger_contradiction": "entry 7 would not be possible then: the session is over",
    "ledger_full": "a match has at most 1000 entries; begin another",
    "stale_table": "the match has 8 entries by now; look at what is new, and decide again",
    "idempotency_mismatch": "this Idempotency-Key was used for another request; make a new one",
    "precondition_required": "send If-Match with the ETag of the table that you have seen, or If-Match: * to "
    "enter it anyway",
    "ledger_unavailable": "the ledger's database does not answer as it should",
    "internal": "The request could not be answered; the service's log says why under this request id.",
    "overloaded": "as many photos are waiting as may; try again shortly",
    "too_many_connections": "as many are connected as may; try again shortly",
    "not_ready": "the models are still being loaded",
    "worker_lost": "the process that read the photo ended; another takes its place",
    "deadline": "the photo could not be read within 8 s",
    "model_unavailable": "The models cannot be used; the service's log says why.",
}


def problem_example(code: str) -> dict[str, object]:
    """A whole problem document with this code."""
    return problem_document(code, ERROR_DETAILS[code], "0f8fad5bd9cb469fa16570867728950e")

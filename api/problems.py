"""A page for every error code: what it means and what to do about it.

`type` in a problem document leads here.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from api.errors import PROBLEMS, ApiError
from api.examples import ERROR_DETAILS, problem_example

__all__ = ["PAGES", "Page", "router"]


class Page(NamedTuple):
    """What a code means, and what a client should do."""

    means: str
    remedy: str


_NOTATION = "Put the hand right: the detail names the place in the text."
_FIELD = "Put the field right that the detail begins with, and ask again."
_AGAIN = "Send the same request again after as many seconds as the header Retry-After says."
_OTHER_PHOTO = "Take the photo again, or export it anew, and send that. The same bytes will be refused again."

PAGES: Mapping[str, Page] = {
    "bad_json": Page(
        "The body, or the part `request`, is not JSON (NaN and endless nesting are not).", _FIELD
    ),
    "bad_request": Page("A field is missing, has the wrong form, or is not known here.", _FIELD),
    "bad_multipart": Page(
        "The multipart body is cut short, has no boundary, or has parts that are not expected.",
        "Send one part `image` and, to /v1/hands, one part `request`. Let a library build the body.",
    ),
    "missing_image": Page("The multipart body has no part `image`.", "Name the photo's part `image`."),
    "bad_notation": Page("A hand or a tile is not written in the notation.", _NOTATION),
    "bad_context": Page("A circumstance of the win is not known, or two cannot be together.", _FIELD),
    "bad_table": Page("The table is not understood, or contradicts how the hand was won.", _FIELD),
    "bad_claim": Page(
        "A fan that is claimed is none of the rule set's, or the claim has neither fans nor a total.",
        "The detail names the nearest fans; all of them are at /v1/rulesets/{id}.",
    ),
    "no_bundle": Page("The file does not begin and end as a bundle does.", "Send the bundle as it was made."),
    "bundle_changed": Page(
        "A byte of the bundle is not what it was: in a member, a header or the digest.",
        "Get the bundle anew from whoever made it. A changed one proves nothing.",
    ),
    "bundle_too_new": Page(
        "A later version has made the bundle, in a form that this one does not know.",
        "Check it with the version that made it, or a later one.",
    ),
    "bundle_too_large": Page("The bundle has more bytes than any has.", "Send the bundle as it was made."),
    "bad_option": Page(
        "The rule set has no such house rule, or the rule has no such value.",
        "Look the options up at /v1/rulesets/{id}.",
    ),
    "unknown_ruleset": Page("No rule set has this name.", "Look them up at /v1/rulesets."),
    "bad_http": Page(
        "What arrived is not a request of HTTP/1.1.", "Use an HTTP library; send headers of 16 KiB at most."
    ),
    "bad_match": Page("A match needs a rule set that is known, four players and a stake.", _FIELD),
    "bad_entry": Page("The entry is of no known kind, or a field of it has the wrong form.", _FIELD),
    "ledger_off": Page(
        "No database is named in the service's settings, so it stores nothing.",
        "Whoever runs the service sets MAHJONG_READER_DATABASE.",
    ),
    "entry_refused": Page(
        "It is well formed and cannot be true: the hand does not win, the session is over, the player's "
        "hand is dead, there is nothing to undo; or a later entry would no longer be possible.",
        "The detail says why; nothing was written. Where a later entry is against it, undo that one first.",
    ),
    "ledger_contradiction": Page(
        "An entry was taken by an earlier version of the service, and by the rules as this one knows them it "
        "cannot be.",
        "The entries are still in the database. Undo or correct the one that the detail names.",
    ),
    "ledger_full": Page("A match has as many entries as one may have.", "Begin another match."),
    "stale_table": Page(
        "Somebody has entered something since the table that If-Match names; this entry was not written.",
        "Ask for the table again, show what is new, and send the entry with the new ETag if it still holds.",
    ),
    "idempotency_mismatch": Page(
        "An Idempotency-Key stands for one request; this one was sent with another body before.",
        "Make a new key for each new entry, and keep it only while the same entry is sent again.",
    ),
    "precondition_required": Page(
        "Who enters something says what table it was decided on.",
        "Send If-Match with the ETag of the last answer, or `If-Match: *` where that does not matter.",
    ),
    "ledger_unavailable": Page("The ledger's database does not answer, or not as it should.", _AGAIN),
    "bad_export": Page(
        "(Command line) The file is not what /export.json or `ledger export` has written.",
        "Export the match again.",
    ),
    "file_unreadable": Page("(Command line) The file cannot be opened.", "Check its path and its rights."),
    "file_unwritable": Page("(Command line) The file cannot be written.", "Check the path and its rights."),
    "unauthorized": Page(
        "This service asks for an API key, and none was sent or it is not known.",
        "Send `Authorization: Bearer KEY` or `X-API-Key: KEY`. Whoever runs the service gives keys out.",
    ),
    "not_found": Page("Nothing is at this address.", "Look at /docs for what is."),
    "method_not_allowed": Page(
        "The address exists, but not for this method.", "The header Allow names those that it has."
    ),
    "header_timeout": Page(
        "The request's headers did not arrive in time.", "Send the request without pausing."
    ),
    "body_timeout": Page(
        "The body did not arrive in time.", "Send a smaller photo, or the same from a better connection."
    ),
    "body_too_large": Page(
        "The body has more bytes than may be sent.", "Send a smaller photo: 12 megapixels as JPEG are plenty."
    ),
    "image_bytes": Page(
        "The photo's file has more bytes than may be read.", "Save it with a lower quality or size."
    ),
    "unsupported_media_type": Page(
        "The body is of a type that this address does not read.",
        "Send multipart/form-data or a raw image/* to read a photo, and application/json to score a hand.",
    ),
    "image_type": Page(
        "The file is no photo of a known type, whatever its name says: its own first bytes decide.",
        "Send JPEG, PNG or WebP, or HEIC where the service has it.",
    ),
    "image_empty": Page("The photo has no bytes.", "Send the file's content."),
    "image_error": Page("The photo cannot be read.", _OTHER_PHOTO),
    "image_undecodable": Page(
        "The file is damaged or cut short. It is never read half: half a hand is a wrong score.", _OTHER_PHOTO
    ),
    "image_too_large": Page("The photo has more pixels than are decoded here.", "Send it smaller."),
    "image_too_small": Page(
        "A side of the photo is too short to tell tiles apart.", "Send the original photo."
    ),
    "image_animated": Page(
        "The file is an animation: which of its pictures is the hand?", "Send one still picture."
    ),
    "no_tiles": Page(
        "The photo is fine, but no tile was found in it.",
        "Lay the hand out face up, come closer, and mind the light.",
    ),
    "winning_tile_not_in_hand": Page(
        "The winning tile that the request names is not among the standing tiles that were read.",
        "Look at the reading (/v1/read); give the hand in notation if it is wrong.",
    ),
    "quota_exceeded": Page("This key has asked more often than it may.", _AGAIN),
    "internal": Page(
        "Something failed here, through no fault of the request.",
        "Tell whoever runs the service the request_id: the log says what happened.",
    ),
    "overloaded": Page("As many photos are waiting as may; this one was refused at once.", _AGAIN),
    "too_many_connections": Page("As many clients are connected as may be.", _AGAIN),
    "not_ready": Page("The service is starting, ending, or not reading as it should.", _AGAIN),
    "worker_lost": Page(
        "The process that read the photo ended. Another has taken its place.",
        "Send it once more. If it happens again with the same photo, the photo is the reason: send another.",
    ),
    "canary_failed": Page(
        "The reader does not read the photo that came with it as it should.",
        "For whoever runs the service: the models do not fit, or something is broken.",
    ),
    "model_unavailable": Page("The models failed.", "Tell whoever runs the service the request_id."),
    "deadline": Page(
        "The photo could not be read in the time that each photo has; its reading was stopped.",
        "Send a smaller photo, or as JPEG rather than HEIC.",
    ),
    "photo_unreadable": Page("(Command line) The file cannot be opened.", "Check its path and its rights."),
    "bad_signature": Page(
        "(Command line) The bundle's signature does not fit it, or is not of the key that was told.",
        "Ask the organiser for the bundle, and for the public key.",
    ),
    "font_unusable": Page(
        "(Command line) The font is none, or lacks what is to be written.",
        "Name another, or install the extra `sheet`, which brings one.",
    ),
    "bad_key": Page(
        "(Command line) The file holds no Ed25519 key as PEM.", "Make one with `mahjong-reader bundle key`."
    ),
    "own_set_file": Page("(Command line) The file holds no tile set.", "Make one with `adapt`."),
    "own_set_faces": Page(
        "(Command line) The faces of the tile set are damaged or of another kind.",
        "Make it anew with `adapt`.",
    ),
    "own_set_model": Page(
        "(Command line) The tile set was learnt with other weights, to which the faces look different.",
        "Make it anew with `adapt`, from the same photos.",
    ),
    "own_set_count": Page(
        "(Command line) The photo shows more or fewer tiles than were named.",
        "Lay the tiles apart from everything else, in straight rows, and count them; the detail says what "
        "was seen in each row.",
    ),
    "own_set_order": Page(
        "(Command line) Several tiles are plainly others than those named in their place.",
        "Name the tiles row by row, each row in the direction in which the faces stand.",
    ),
    "overlay_unwritable": Page(
        "(Command line) The overlay cannot be written.", "Check the path and its rights."
    ),
}

router = APIRouter(include_in_schema=False)

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "code,pre{font:14px/1.4 ui-monospace,monospace;background:#f3f3f3;border-radius:4px}"
    "code{padding:.1em .3em}pre{padding:1rem;overflow:auto}td,th{text-align:left;padding:.2rem 1rem .2rem 0}"
)


@router.get("/problems")
async def index(request: Request) -> HTMLResponse:
    """Every code, by status."""
    rows = "".join(
        f'<tr><td>{problem.status}</td><td><a href="problems/{code}"><code>{code}</code></a></td>'
        f"<td>{html.escape(problem.title)}</td></tr>"
        for code, problem in sorted(PROBLEMS.items(), key=lambda item: (item[1].status, item[0]))
    )
    return _page("Error codes", f"<table><tr><th>Status<th>Code<th>Title</tr>{rows}</table>")


@router.get("/problems/{code}")
async def page(request: Request) -> HTMLResponse:
    """What one code means."""
    code = request.path_params["code"]
    if code not in PROBLEMS:
        raise ApiError("not_found", f"{code[:80]!r} is no error code of this service")
    problem, text = PROBLEMS[code], PAGES[code]
    example = ""
    if code in ERROR_DETAILS:
        shown = json.dumps(problem_example(code), indent=2, ensure_ascii=False)
        example = f"<h2>Example</h2><pre>{html.escape(shown)}</pre>"
    return _page(
        problem.title,
        f"<p><code>{code}</code>, status {problem.status}</p>"
        f"<h2>What it means</h2><p>{html.escape(text.means)}</p>"
        f"<h2>What to do</h2><p>{html.escape(text.remedy)}</p>{example}"
        f"<p><a href='../problems'>All codes</a></p>",
    )


def _page(title: str, body: str) -> HTMLResponse:
    shown = html.escape(title)
    return HTMLResponse(
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>{shown}</title><style>{_STYLE}</style><h1>{shown}</h1>{body}</html>",
        headers=_HEADERS,
    )

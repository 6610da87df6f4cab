"""The evidence of one hand: what was seen, what a person settled, what was declared, and the verdict.

A bundle is made on request and never kept here. It holds all that is needed to come to the verdict again,
offline and years later: `api.recheck` does that.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any

from api.answers import HandRequest, fields_of, hand_answer, read_answer
from api.archive import canonical, pack
from api.errors import ApiError
from api.readings import revised
from api.verify import VerifyRequest, photo_verdict
from scorer import RULESETS, Hand

if TYPE_CHECKING:
    from vision import Reading

__all__ = ["BundleRequest", "make_bundle", "rules_record"]

_OWN = ("claim", "tell_more", "confirmed", "include_photo", "place")
_SUPPORTED = (
    "hand", "rules", "context", "options", "table", "winning_tile", "overrides", *_OWN,
)  # fmt: skip
_PLACE = ("event", "table", "hand", "winner", "discarder", "referee")
_LONGEST = 100
_ACTS = ("locked", "unlocked")
_MOST_ACTS = 50
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)")


@dataclass(frozen=True, slots=True)
class BundleRequest:
    """What goes with a photo into a bundle.

    `asked` is the request for the score; `claim` and `tell_more` as in a `VerifyRequest`, None where nothing
    is claimed. `confirmed` says `by` whom, and `at` what time, the hand was settled: needed where a person
    says otherwise than was read. `log` says who locked it, and who unlocked it again and why, in order.
    `place` names event, table, hand and people, as they are to stand on the sheet.
    """

    asked: HandRequest
    claim: Mapping[str, object] | None = None
    tell_more: bool = False
    confirmed: Mapping[str, str] | None = None
    include_photo: bool = False
    place: Mapping[str, str] = field(default_factory=dict)
    log: tuple[Mapping[str, str], ...] = ()

    @classmethod
    def from_data(cls, data: object) -> BundleRequest:
        """From parsed JSON. Raises ApiError naming the field that is not as it should be."""
        fields = fields_of({} if data is None else data, _SUPPORTED)
        flags = {name: fields.get(name, False) for name in ("tell_more", "include_photo")}
        for name, value in flags.items():
            if not isinstance(value, bool):
                raise ApiError("bad_request", f"{name}: must be true or false")
        claim = fields.get("claim")
        if claim is not None and not isinstance(claim, Mapping):
            raise ApiError("bad_claim", "claim: is an object with fans, a total, or both")
        asked = HandRequest.from_data({name: value for name, value in fields.items() if name not in _OWN})
        confirmed, log = _confirmed(fields)
        if confirmed is None and (asked.overrides or asked.hand is not None):
            raise ApiError("bad_request", "confirmed: who says otherwise than was read must be told")
        place = _texts(fields, "place", _PLACE) or {}
        return cls(
            asked, claim, bool(flags["tell_more"]), confirmed, bool(flags["include_photo"]), place, log
        )

    def require_valid(self) -> None:
        """Raise what is wrong with the request, before time is spent on a photo."""
        self.asked.require_valid()
        verify = self.verify()
        if verify is not None:
            verify.require_valid()

    def verify(self) -> VerifyRequest | None:
        """The same as a question about the claim; None where nothing is claimed."""
        if self.claim is None:
            return None
        asked = self.asked
        return VerifyRequest(
            self.claim, asked.hand, asked.rules, asked.context, asked.options, self.tell_more,
            asked.winning_tile, asked.overrides,
        )  # fmt: skip


def _confirmed(
    fields: Mapping[str, object],
) -> tuple[dict[str, str] | None, tuple[Mapping[str, str], ...]]:
    """Who settled the hand and when, and how often it was locked and unlocked before."""
    told = fields.get("confirmed")
    acts: object = []
    if isinstance(told, Mapping):
        acts = told.get("log", [])
        told = {name: value for name, value in told.items() if name != "log"}
    confirmed = _texts({"confirmed": told}, "confirmed", ("by", "at"))
    if confirmed is not None:
        _require_when_and_who(confirmed, "confirmed")
    if not isinstance(acts, list) or len(acts) > _MOST_ACTS:
        raise ApiError("bad_request", f"confirmed: log: is a list of {_MOST_ACTS} entries at most")
    return confirmed, tuple(_act({"log": act}) for act in acts)


def _act(fields: Mapping[str, object]) -> dict[str, str]:
    act = _texts(fields, "log", ("act", "by", "at", "reason", "hand")) or {}
    if act.get("act") not in _ACTS:
        raise ApiError("bad_request", f"confirmed: log: act is one of {', '.join(_ACTS)}")
    _require_when_and_who(act, "confirmed: log")
    if act["act"] == "unlocked" and not act.get("reason", "").strip():
        raise ApiError("bad_request", "confirmed: log: who unlocks says why")
    return act


def _require_when_and_who(told: Mapping[str, str], where: str) -> None:
    if not told.get("by", "").strip():
        raise ApiError("bad_request", f"{where}: by whom is missing")
    if not _TIME.fullmatch(told.get("at", "2000-01-01T00:00:00Z")):
        raise ApiError("bad_request", f"{where}: at is a time such as 2026-11-30T12:00:00Z")


def _texts(fields: Mapping[str, object], name: str, known: tuple[str, ...]) -> dict[str, str] | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise ApiError("bad_request", f"{name}: must be a JSON object")
    for key, text in value.items():
        if key not in known:
            raise ApiError("bad_request", f"{name}: {key!r}: no such field; known are {', '.join(known)}")
        if not isinstance(text, str) or len(text) > _LONGEST or not text.isprintable():
            raise ApiError("bad_request", f"{name}: {key}: must be a text of {_LONGEST} characters at most")
    return {key: str(text) for key, text in value.items()}


def make_bundle(image: bytes, reading: Reading, request: BundleRequest, made_at: str | None = None) -> bytes:
    """The unsigned bundle of one photo. `made_at` is now unless told.

    Raises the scorer's own errors, and ApiError.
    """
    from vision.overlay import draw, svg
    from vision.photo import decode

    corrected = revised(reading, request.asked.overrides)
    pairs = enumerate(zip(reading.tiles, corrected.tiles, strict=True))
    changed = {place: str(seen.tile) for place, (seen, now) in pairs if seen.tile != now.tile}
    at = made_at or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    members = {
        "record.json": canonical(_record(image, reading, corrected, request, at)),
        "overlay.png": draw(decode(image).pixels, corrected, changed),
        "overlay.svg": svg(corrected, changed).encode("utf-8"),
    }
    if request.include_photo:
        members["photo"] = image
    return pack(members)


def _record(
    image: bytes, reading: Reading, corrected: Reading, request: BundleRequest, at: str
) -> dict[str, Any]:
    asked = request.asked
    scored = hand_answer(reading, asked, None, 0.0)
    verify = request.verify()
    verdict = audit = None
    if verify is not None:
        verdict = photo_verdict(corrected, verify)
        audit = verify.judged(Hand.parse(scored["scored_hand"])).to_dict()
    confirmed = None
    if request.confirmed is not None:
        confirmed = {
            "by": request.confirmed["by"],
            "at": request.confirmed.get("at", at),
            "changes": _changes(reading, corrected),
            "hand": asked.hand,
            "overrides": None if asked.overrides is None else dict(asked.overrides),
            "log": [dict(act) for act in request.log],
        }
    return {
        "format": "mahjong-reader-bundle",
        "version": 1,
        "made": {
            "at": at,
            "software": {"name": "mahjong-reader", "version": metadata.version("mahjong-reader")},
        },
        "place": dict(request.place),
        "photo": {
            "sha256": hashlib.sha256(image).hexdigest(),
            "bytes": len(image),
            "width": reading.width,
            "height": reading.height,
            "included": request.include_photo,
        },
        "seen": read_answer(reading, None),
        "confirmed": confirmed,
        "hand": scored["scored_hand"],
        # No photo shows these: somebody has said so.
        "declared": {
            "context": dict(asked.context),
            "winning_tile": asked.winning_tile,
            "table": None if asked.table is None else dict(asked.table),
        },
        "rules": rules_record(asked.rules, asked.options),
        "model": dict(reading.model),
        "claim": None if request.claim is None else dict(request.claim),
        "tell_more": request.tell_more,
        "verdict": verdict,
        "audit": audit,
        "score": scored["score"],
    }


def rules_record(rules: str, options: Mapping[str, object]) -> dict[str, Any]:
    """The rule set with every option, the whole table, and the hash by which two versions are told apart."""
    chosen = RULESETS[rules]
    told = chosen.describe(options)
    values = chosen.require_options(options)
    table = {"options": values, "fans": told["fans"], "minimum": told["minimum"], "cap": told["cap"]}
    return {
        "id": rules,
        "name": told["name"],
        "sources": told["sources"],
        **table,
        "sha256": hashlib.sha256(canonical(table)).hexdigest(),
    }


def _changes(reading: Reading, corrected: Reading) -> list[dict[str, Any]]:
    """Tile by tile, what a person says otherwise than was read."""
    found = []
    for place, (seen, now) in enumerate(zip(reading.tiles, corrected.tiles, strict=True)):
        if seen.tile != now.tile:
            found.append({"tile": place, "seen": str(seen.tile), "instead": str(now.tile)})
        if seen.role != now.role:
            found.append({"tile": place, "seen": seen.role, "instead": now.role})
    return found

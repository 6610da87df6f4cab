"""A winner's claim, judged: for a hand in notation, and for a photo with its doubts.

The doubts of a photo are part of the question. Where what a tile may be instead would change the verdict,
nothing is decided, and the answer says which tile to look at: a referee may not bend a false win into a win,
nor a win into a false one.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from api.answers import HandRequest, fields_of, read_answer, won_on
from api.errors import ApiError
from api.readings import revised
from scorer import RULESETS, Audit, BadClaim, Claim, Context, Hand, Tile, UnknownRuleSet, Verdict, audit
from scorer.audit_records import VERDICT_NAMES

if TYPE_CHECKING:  # a hand in notation must not load OpenCV
    from vision import Reading

__all__ = ["VerifyRequest", "photo_verdict", "verify_answer", "verify_photo_answer"]

_SUPPORTED = (
    "hand", "rules", "context", "options", "claim", "tell_more", "winning_tile", "overrides",
)  # fmt: skip
_LIKELY = 0.03
"""Probability from which another reading of the photo is worth a verdict of its own."""
_MOST = 24
"""Readings that are judged beside the one that was seen: each costs a few milliseconds."""


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """What is claimed, and everything that a score would be told.

    `hand` is judged instead of what was read, where there is a photo. `claim` holds `fans` (a text with
    commas, or a list) and `total`, of which one may be absent. `tell_more` asks what could have been claimed
    as well.
    """

    claim: Mapping[str, object]
    hand: str | None = None
    rules: str = "hk"
    context: Mapping[str, object] = field(default_factory=dict)
    options: Mapping[str, object] = field(default_factory=dict)
    tell_more: bool = False
    winning_tile: str | None = None
    overrides: Mapping[str, object] | None = None

    @classmethod
    def from_data(cls, data: object) -> VerifyRequest:
        """From parsed JSON. Raises ApiError naming the field that is not as it should be."""
        fields = fields_of(data, _SUPPORTED)
        claim, more = fields.get("claim"), fields.get("tell_more", False)
        if not isinstance(claim, Mapping):
            raise ApiError("bad_claim", "claim: is missing; it is an object with fans, a total, or both")
        if not isinstance(more, bool):
            raise ApiError("bad_request", "tell_more: must be true or false")
        rest = {name: value for name, value in fields.items() if name not in ("claim", "tell_more")}
        plain = HandRequest.from_data(rest)
        return cls(
            claim,
            plain.hand,
            plain.rules,
            plain.context,
            plain.options,
            more,
            plain.winning_tile,
            plain.overrides,
        )

    def require_valid(self) -> None:
        """Raise what is wrong with the request, before time is spent on a photo."""
        HandRequest(
            self.rules, self.context, self.options, self.winning_tile, self.hand, None, self.overrides
        ).require_valid()
        self.claimed()

    def claimed(self) -> Claim:
        """What is claimed. Raises ApiError and BadClaim."""
        if self.rules not in RULESETS:
            raise UnknownRuleSet(f"{self.rules!r} is none of {', '.join(RULESETS)}")
        for name in self.claim:
            if name not in ("fans", "total"):
                raise BadClaim(f"no such field as {name!r}; known are fans, total", "claim")
        fans, total = self.claim.get("fans"), self.claim.get("total")
        if total is not None and (isinstance(total, bool) or not isinstance(total, int)):
            raise BadClaim("must be a whole number", "total")
        if isinstance(fans, list):
            if not all(isinstance(name, str) for name in fans):
                raise BadClaim("must be texts", "fans")
        elif fans is not None and not isinstance(fans, str):
            raise BadClaim("must be a text or a list of texts", "fans")
        return Claim.read(fans, total, RULESETS[self.rules])

    def judged(self, hand: Hand) -> Audit:
        """The audit of the claim for a hand."""
        return audit(
            hand,
            Context.from_dict(self.context),
            self.claimed(),
            self.rules,
            self.options,
            tell_more=self.tell_more,
        )


def verify_answer(request: VerifyRequest) -> dict[str, Any]:
    """The verdict on a hand in notation. Raises the scorer's own errors, and ApiError."""
    if request.hand is None:
        raise ApiError("bad_request", "hand: is missing; it is a hand in notation")
    if request.overrides:
        raise ApiError("bad_request", "overrides: are for a photo")
    hand = Hand.parse(request.hand)
    if request.winning_tile is not None:
        hand = won_on(hand, Tile.parse(request.winning_tile))
    return {**request.judged(hand).to_dict(), "look_at": [], "reading": None, "timings": None}


def verify_photo_answer(
    reading: Reading, request: VerifyRequest, photo: str | None, read_s: float
) -> dict[str, Any]:
    """The verdict on the hand in a photo, with what was read and what must be looked at again."""
    begin = time.perf_counter()
    corrected = revised(reading, request.overrides)
    answer = photo_verdict(corrected, request)
    answer["reading"] = read_answer(corrected, photo)
    took = time.perf_counter() - begin
    answer["timings"] = {"read_ms": round(read_s * 1000, 1), "score_ms": round(took * 1000, 1)}
    return answer


def photo_verdict(reading: Reading, request: VerifyRequest) -> dict[str, Any]:
    """The verdict on the hand of a reading, without the reading itself.

    Where a person gives the hand, it is judged as given: what was unsure in the photo has been settled.
    """
    winning = None if request.winning_tile is None else Tile.parse(request.winning_tile)
    if request.hand is not None:
        hand = Hand.parse(request.hand)
        if winning is not None:
            hand = won_on(hand, winning)
        return {**request.judged(hand).to_dict(), "look_at": []}
    hand = reading.hand if winning is None else won_on(reading.hand, winning)
    found = request.judged(hand)
    look_at, verdicts = _doubts(reading, request, found, winning)
    answer = {**found.to_dict(), "look_at": look_at}
    if verdicts - {found.verdict}:
        # What was seen would be judged so; but it may have been seen wrongly.
        answer["verdict"] = Verdict.CANNOT_BE_DECIDED.value
        answer["says"] = VERDICT_NAMES[Verdict.CANNOT_BE_DECIDED].to_dict()
        answer["possible"] = [each.value for each in Verdict if each in verdicts | set(found.possible)]
    return answer


def _doubts(
    reading: Reading, request: VerifyRequest, found: Audit, winning: Tile | None
) -> tuple[list[dict[str, Any]], set[Verdict]]:
    """Each doubt of the photo with the verdicts that it could lead to, and all those verdicts."""
    known: dict[str, Verdict] = {}

    def verdict_of(hand: Hand) -> Verdict | None:
        if winning is not None and winning in hand.standing:
            hand = won_on(hand, winning)
        name = str(hand)
        if name not in known and len(known) < _MOST:
            known[name] = request.judged(hand).verdict
        return known.get(name)

    seen = found.verdict
    look_at: list[dict[str, Any]] = []
    for doubt in reading.doubts:
        verdicts = [verdict_of(choice.hand) for choice in doubt.candidates]
        look_at.append(
            _entry(
                doubt.code,
                doubt.detail,
                doubt.tiles,
                [
                    (choice.value, choice.probability, verdict)
                    for choice, verdict in zip(doubt.candidates, verdicts, strict=True)
                ],
                seen,
            )
        )
    for other in reading.likely:
        if other.probability >= _LIKELY and other.hand != reading.hand:
            verdict = verdict_of(other.hand)
            if verdict is not seen:
                tiles = tuple(change.tile for change in other.changes)
                choice = (str(other.hand), other.probability, verdict)
                detail = "several tiles together may be others"
                look_at.append(_entry("other_reading", detail, tiles, [choice], seen))
    matter = {
        Verdict(choice["verdict"])
        for entry in look_at
        if entry["matters"]
        for choice in entry["candidates"]
        if choice["verdict"] is not None
    }
    look_at.sort(key=lambda entry: not entry["matters"])
    return look_at, matter | ({found.verdict} if matter else set())


def _entry(
    code: str,
    detail: str,
    tiles: Sequence[int],
    choices: Sequence[tuple[str, float, Verdict | None]],
    seen: Verdict,
) -> dict[str, Any]:
    return {
        "code": code,
        "detail": detail,
        "tiles": list(tiles),
        "matters": any(verdict is None or verdict is not seen for _, _, verdict in choices),
        "candidates": [
            {
                "value": value,
                "probability": round(probability, 4),
                "verdict": None if verdict is None else verdict.value,
            }
            for value, probability, verdict in choices
        ],
    }

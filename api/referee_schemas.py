"""The shapes of a referee's requests and answers: claims, verdicts, evidence."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from api.common_schemas import Names, Shape
from api.schemas import (
    ContextBody,
    HandProblemBody,
    ModelBody,
    OptionValue,
    OverridesBody,
    ReadAnswer,
    TableBody,
    TimingsBody,
)

__all__ = ["BundleAnswer", "BundleRequestBody", "VerifyAnswer", "VerifyRequestBody"]

Verdict = Literal[
    "valid", "over_claimed", "under_claimed", "below_minimum", "not_winning", "wrong_number_of_tiles",
    "cannot_be_decided",
]  # fmt: skip


class ClaimBody(Shape):
    """What the winner claims: fans, a total, or both."""

    fans: str | list[str] | None = Field(
        None,
        description="Names in English or Chinese, ids, or numbers as `#48`, with commas or as a list; `x2` "
        "claims one twice, `= 6` at a price.",
    )
    total: int | None = Field(None, ge=0, le=100_000)


class VerifyRequestBody(Shape):
    """A claim, and everything that a score would be told. `hand` is needed where there is no photo."""

    claim: ClaimBody
    hand: str | None = Field(None, max_length=1000, description="Judged instead of what was read.")
    rules: str = Field("hk", description="Id of a rule set, as in /v1/rulesets.")
    context: ContextBody = Field(default_factory=ContextBody.model_construct)
    options: dict[str, OptionValue] = Field(
        default_factory=dict, description="House rules, as in /v1/rulesets/{id}."
    )
    tell_more: bool = Field(False, description="Whether to tell what could have been claimed as well.")
    winning_tile: str | None = Field(None, description="Which of the standing tiles won.")
    overrides: OverridesBody | None = Field(None, description="Beside a photo: what a person knows better.")


class RuleBody(Shape):
    """A rule, by edition and article, and what of it matters here."""

    edition: str
    article: str
    says: str


class LineBody(Shape):
    """One part of a verdict."""

    code: str = Field(
        description="`counts`; `not_held`, `excluded`, `too_often`, `mispriced`, `not_in_table`; `total`, "
        "`capped`, `minimum`; `missing`, `too_few_tiles`, `too_many_tiles`; `unknown`; `unclaimed`, `worth`; "
        "or a problem's code."
    )
    fan: str | None
    name: Names | None
    times: int
    points: int
    because: str = Field(description="The fan or the principle that shuts it out; else empty.")
    says: Names
    rule: RuleBody
    tiles: list[str]


class StandsBody(Shape):
    """What of a claim stands; `total` is to be paid on."""

    total: int
    uncapped: int
    toward_minimum: int
    reaches_minimum: bool


class SwapBody(Shape):
    """One tile that would have to be another; null where one is only missing, or only too many."""

    missing: str | None
    spare: str | None


class DistanceBody(Shape):
    """How far from winning a hand is."""

    tiles: int = Field(description="How many of the standing tiles would have to be others.")
    nearest: list[str] = Field(description="The standing tiles of one nearest winning shape.")
    missing: list[str]
    spare: list[str]
    swaps: list[SwapBody] = Field(description="At a distance of one: every single tile that would do.")


class ClaimedBody(Shape):
    """A fan as it was claimed and understood."""

    ids: list[str] = Field(description="The fans that its name can mean.")
    text: str
    times: int
    points: int | None


class UnderstoodBody(Shape):
    """The claim as it was understood."""

    fans: list[ClaimedBody]
    total: int | None


class OutcomeBody(Shape):
    """What a doubtful thing may be, and the verdict that it would lead to."""

    value: str
    probability: float = Field(ge=0, le=1)
    verdict: Verdict | None = Field(description="Null where there were too many to judge.")


class LookBody(Shape):
    """A doubt of the photo; `tiles` are positions in the reading's tiles."""

    code: str
    detail: str
    tiles: list[int]
    matters: bool = Field(description="Whether it could change the verdict.")
    candidates: list[OutcomeBody]


class VerifyAnswer(Shape):
    """The verdict on a claim, with a line for each part of it and what to look at."""

    verdict: Verdict
    says: Names
    rules: str
    options: dict[str, OptionValue]
    hand: str
    context: dict[str, object]
    claim: UnderstoodBody
    minimum: int
    stands: StandsBody
    lines: list[LineBody]
    sets: list[str] = Field(description="The reading of the hand that the lines speak of.")
    distance: DistanceBody | None
    depends: list[str] = Field(description="Unknown circumstances that decide.")
    possible: list[Verdict]
    look_at: list[LookBody] = Field(description="The photo's doubts, those that matter first.")
    reading: ReadAnswer | None = Field(description="Null for a hand in notation.")
    timings: TimingsBody | None


class ActBody(Shape):
    """The hand was locked, or unlocked again."""

    act: Literal["locked", "unlocked"]
    by: str = Field(min_length=1, max_length=100)
    at: str = Field("", max_length=100, description="Such as 2026-11-30T12:00:00Z.")
    reason: str = Field("", max_length=100, description="Needed where it is unlocked.")
    hand: str = Field("", max_length=100, description="The hand at that time.")


class ConfirmedBody(Shape):
    """Who has settled the hand, and when."""

    by: str = Field(min_length=1, max_length=100)
    at: str | None = Field(None, description="Such as 2026-11-30T12:00:00Z; now, if it is not told.")
    log: list[ActBody] = Field(
        default_factory=list, max_length=50, description="Who locked and unlocked it before, in order."
    )


class PlaceBody(Shape):
    """What stands at the head of the sheet."""

    event: str = Field("", max_length=100)
    table: str = Field("", max_length=100)
    hand: str = Field("", max_length=100)
    winner: str = Field("", max_length=100)
    discarder: str = Field("", max_length=100)
    referee: str = Field("", max_length=100)


class BundleRequestBody(Shape):
    """What goes with a photo into a bundle. Where `hand` or `overrides` say otherwise than was read,
    `confirmed` must say who does."""

    rules: str = Field("hk", description="Id of a rule set, as in /v1/rulesets.")
    context: ContextBody = Field(default_factory=ContextBody.model_construct)
    options: dict[str, OptionValue] = Field(
        default_factory=dict, description="House rules, as in /v1/rulesets/{id}."
    )
    table: TableBody | None = None
    winning_tile: str | None = Field(None, description="Which of the standing tiles won.")
    hand: str | None = Field(None, max_length=1000, description="The hand as a person has settled it.")
    overrides: OverridesBody | None = Field(None, description="What a person knows better than the reading.")
    claim: ClaimBody | None = None
    tell_more: bool = False
    confirmed: ConfirmedBody | None = None
    include_photo: bool = Field(False, description="Whether the photo itself goes in, and not its hash only.")
    place: PlaceBody | None = None


class SignatureBody(Shape):
    """Who signed a bundle."""

    state: Literal["none", "good"]
    key: str | None = Field(description="The public key in hexadecimal digits. Is it the organiser's?")
    expected: bool | None = Field(description="Whether it is the key that was told; null where none was.")


class DifferenceBody(Shape):
    """What comes out otherwise today."""

    what: str
    then: object
    now: object


class AgainBody(Shape):
    """What today's version says of a bundle."""

    version: str
    then: str = Field(description="The version that made the bundle.")
    otherwise: bool | None = Field(description="Null where it cannot be scored again; `why` says why.")
    differences: list[DifferenceBody]
    why: list[str]


class BundleBriefBody(Shape):
    """What a bundle says in brief."""

    sha256: str
    record_sha256: str
    made: dict[str, object]
    place: dict[str, str]
    photo: dict[str, object]
    model: ModelBody
    rules: str
    options: dict[str, OptionValue]
    seen: str
    confirmed: dict[str, object] | None
    hand: str
    declared: dict[str, object]
    claim: dict[str, object] | None
    verdict: Verdict | None
    total: int


class BundleAnswer(Shape):
    """What can be said of a bundle. Where it is not intact, nothing of its content is told."""

    intact: bool
    problems: list[HandProblemBody]
    signature: SignatureBody | None
    bundle: BundleBriefBody | None
    again: AgainBody | None

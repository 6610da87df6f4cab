"""The shapes of requests and answers, for the description of the service (OpenAPI) and for those who write
clients.

The answers themselves are made by the rooms; the tests hold them against these shapes.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from api.common_schemas import FlawBody, Names
from api.common_schemas import Shape as _Shape
from scorer.settlement import MOST_A_POINT

__all__ = [
    "HandAnswer",
    "HandRequestBody",
    "HealthAnswer",
    "ProblemBody",
    "ReadAnswer",
    "ReadyAnswer",
    "RulesetAnswer",
    "RulesetsAnswer",
    "ScoreAnswer",
    "ScoreRequestBody",
]

Wind = Literal["1z", "2z", "3z", "4z"]
OptionValue = bool | int | str | None


class ContextBody(_Shape):
    """What no photo can show. What is left out is unknown, and the score is then a range; a flag left out is
    false.
    """

    win: Literal["discard", "self_draw", "rob_kong"] | None = Field(
        None, description="How the winning tile came."
    )
    seat: Wind | None = Field(None, description="The winner's seat wind.")
    round: Wind | None = Field(None, description="The wind of the round.")
    flowers: int | None = Field(
        None, ge=0, le=8, description="Number of flowers, where the tiles are not listed."
    )
    last_of_its_kind: bool = Field(False, description="The other three of the winning tile lie open.")
    last_wall_tile: bool = Field(
        False, description="Won on the last tile of the wall, or the discard after it."
    )
    kong_replacement: bool = Field(False, description="Won on the tile drawn after a kong.")
    flower_replacement: bool = Field(False, description="Won on the tile drawn after a flower.")
    double_flower: bool = Field(
        False, description="Won on the tile drawn after a flower that had replaced a flower."
    )
    double_kong: bool = Field(
        False, description="Won on the tile drawn after a kong made with one drawn after a kong."
    )
    heavenly: bool = Field(False, description="The dealer won with the tiles dealt.")
    earthly: bool = Field(False, description="Won on the dealer's first discard, or one's own first draw.")
    humanly: bool = Field(False, description="Won on a discard before one's own first draw.")
    robbed_concealed_kong: bool = Field(False, description="The robbed kong was a concealed one.")


class TableBody(_Shape):
    """Who sits where, by seat wind. A request that names the table asks who pays whom."""

    winner: Wind | None = Field(
        None, description="Who won, or said so; need not be told beside the context's seat."
    )
    discarder: Wind | None = Field(
        None,
        description="Whose the winning tile was; nobody's if the winner drew it.",
    )
    liable: Wind | None = Field(
        None, description="Who must pay for others, in rule sets that know such a thing."
    )
    dealer: Wind | None = Field(None, description="Who deals, for rule sets in which that is paid for.")
    unit: int = Field(1, ge=1, le=MOST_A_POINT, description="What a point is worth.")
    at_once: bool = Field(
        False, description="Ask too for what kongs and bonus tiles take by themselves, where rules know that."
    )
    also_won: list[Wind] = Field(
        default_factory=list, description="Who else won on the same tile; each hand is asked by itself."
    )


class ScoreRequestBody(_Shape):
    """A hand to be scored."""

    hand: str = Field(
        max_length=1000,
        description="Such as `[123m] (1111z) 23455s +6s | 1f`: claimed sets in [], concealed kongs in (), "
        "standing tiles, after + the winning tile, after | the bonus tiles.",
    )
    rules: str = Field("hk", description="Id of a rule set, as in /v1/rulesets.")
    context: ContextBody = Field(default_factory=ContextBody.model_construct)
    options: dict[str, OptionValue] = Field(
        default_factory=dict, description="House rules, as in /v1/rulesets/{id}."
    )
    table: TableBody | None = Field(None, description="Who sits where; null asks for no payments.")


class GivenSetBody(_Shape):
    """A set that a person names."""

    tiles: list[int] = Field(min_length=3, max_length=4, description="Positions in the reading's tiles.")
    concealed: bool = False


class OverridesBody(_Shape):
    """What is to hold instead of what the picture seems to say, by the positions that the reading's tiles had
    without it. What is not named stays as it was read.
    """

    names: dict[int, str] = Field(default_factory=dict, description="Position: tile.")
    roles: dict[int, Literal["standing", "winning", "bonus", "outside"]] = Field(
        default_factory=dict, description="Position: what the tile is; outside is not of the hand."
    )
    sets: list[GivenSetBody] = Field(default_factory=list)
    angle: float | None = Field(
        None, description="Degrees clockwise from the photo's top in which the faces stand upright."
    )


class HandRequestBody(_Shape):
    """What goes with a photo that is to be scored."""

    rules: str = Field("hk", description="Id of a rule set, as in /v1/rulesets.")
    context: ContextBody = Field(default_factory=ContextBody.model_construct)
    options: dict[str, OptionValue] = Field(
        default_factory=dict, description="House rules, as in /v1/rulesets/{id}."
    )
    table: TableBody | None = Field(None, description="Who sits where; null asks for no payments.")
    winning_tile: str | None = Field(None, description="Which of the standing tiles won.")
    hand: str | None = Field(None, max_length=1000, description="Scored instead of what was read.")
    overrides: OverridesBody | None = Field(None, description="What a person knows better than the reading.")
    overlay: bool = Field(
        False, description="Whether the reading comes as a drawing to lay over the photo, too."
    )


class Alternative(_Shape):
    """What a tile could be instead."""

    tile: str
    probability: float = Field(ge=0, le=1)


class SeenTileBody(_Shape):
    """One tile as it was seen."""

    tile: str
    box: list[float] = Field(
        min_length=4, max_length=4, description="x0, y0, x1, y1 in pixels of the upright photo."
    )
    confidence: float = Field(ge=0, le=1)
    alternatives: list[Alternative]
    row: int = Field(ge=0)
    role: Literal["standing", "winning", "bonus", "set", "outside"] = Field(
        description="What it is taken for; outside is not of the hand."
    )
    role_confidence: float = Field(ge=0, le=1, description="How sure it is that this is what it is.")
    up: float | None = Field(
        description="Angle of its face, degrees clockwise from the photo's top; null if unsure."
    )
    found: float = Field(ge=0, le=1, description="How sure it is that a tile lies there.")


class BriefBody(_Shape):
    """A score in brief."""

    is_win: bool
    legal: bool
    total: int
    range: SpanBody | None = Field(description="Where unknown circumstances matter.")


class SpanBody(_Shape):
    """Lowest and highest total."""

    low: int
    high: int


class ChoiceBody(_Shape):
    """What a doubtful thing may be."""

    value: str = Field(description="A tile, or words such as `claimed`; empty where nothing is there.")
    probability: float = Field(ge=0, le=1)
    hand: str = Field(description="The hand that it would make.")
    score: BriefBody | None = Field(description="Null where no rule set was asked for.")


class DoubtBody(_Shape):
    """A reason to look again; `tiles` are positions in the reading's tiles."""

    code: str
    detail: str
    tiles: list[int]
    candidates: list[ChoiceBody]
    matters: bool | None = Field(
        description="Whether any candidate changes the score; null where that is not known."
    )


class SetBody(_Shape):
    """A set on the table."""

    meld: str | None = Field(description="Null where the faces, as they were seen, make no such set.")
    kind: Literal["chow", "pung", "kong"]
    concealed: bool
    tiles: list[int]
    confidence: float = Field(ge=0, le=1)
    evidence: list[str]
    likely: str | None = Field(description="The most probable set.")


class FactBody(_Shape):
    """A circumstance of the win, and whether the photo shows it."""

    fact: str
    seen: bool
    value: str | None
    confidence: float | None
    detail: str
    tiles: list[int]


class ChangeBody(_Shape):
    """What is otherwise than it was seen: a tile's name, or its role."""

    tile: int
    seen: str
    instead: str


class CandidateBody(_Shape):
    """A hand that the picture may show."""

    hand: str
    probability: float = Field(ge=0, le=1)
    changes: list[ChangeBody] = Field(description="Against what was seen; empty if it is just that.")
    score: BriefBody | None = Field(description="Null where no rule set was asked for.")


class SuggestionBody(CandidateBody):
    """A hand that wins, offered where the one that was seen does not. Never put in its place."""

    given: Literal["the hand wins"] = Field(description="What its probability rests on.")
    support: float | None = Field(
        description="Probability that the picture by itself gives to there being any winning hand."
    )


class ModelBody(_Shape):
    """What read the photo."""

    name: str
    version: str
    sha256: str
    set: str = Field("", description="The tile set that all photos are known to show, where one is.")


class ReadAnswer(_Shape):
    """What was seen in a photo."""

    photo: str | None = Field(description="The name given on the command line; null over HTTP.")
    width: int
    height: int
    tiles: list[SeenTileBody] = Field(description="In reading order.")
    hand: str = Field(description="What the tiles make, in notation.")
    doubts: list[DoubtBody]
    model: ModelBody
    angle: float = Field(
        description="Degrees clockwise from the photo's top in which the hand's faces stand upright."
    )
    sets: list[SetBody]
    winning: int | None = Field(
        description="Position of the winning tile, where it lies apart or turned; null where it is not seen."
    )
    facts: list[FactBody]
    readings: list[CandidateBody] = Field(
        description="The most probable hands with all tiles weighed together, the best first. `hand` is what "
        "was seen; the first of these need not be the same."
    )
    suggestions: list[SuggestionBody] = Field(
        description="Where the hand that was seen does not win: what it may be if it does, as is claimed."
    )
    quality: list[FlawBody] = Field(description="What is wrong with the photo, the gravest first.")
    overlay: str | None = Field(None, description="If asked for: SVG to lay over the upright photo.")


class FanBody(_Shape):
    """A fan that counts."""

    id: str
    name: Names
    points: int
    times: int
    tiles: list[str]


class DroppedBody(_Shape):
    """Occurrences of a fan that do not count, and the fan or principle that shuts them out."""

    id: str
    because: str
    rule: str
    times: int


class TieBody(_Shape):
    """Another reading of the hand that is worth as much."""

    sets: list[str]
    fans: list[FanBody]


class RangeBody(_Shape):
    """Lowest and highest total that the unknown circumstances allow, and which of them decide."""

    low: int
    high: int
    decides: list[str]
    legal_depends: bool = Field(description="Whether the hand wins at all depends on it too.")


class HandProblemBody(_Shape):
    """Something that is wrong with the hand, or (`no_settlement`) why nobody can say who pays."""

    code: str
    detail: str


class PaymentBody(_Shape):
    """One payment, and why."""

    payer: Wind = Field(alias="from")
    payee: Wind | None = Field(alias="to", description="Null for a penalty that nobody receives.")
    amount: int = Field(ge=0)
    why: str


class SettlementBody(_Shape):
    """Who pays whom for the hand, or for a win that was none."""

    payments: dict[Wind, int] = Field(
        description="What each of the four seats wins or loses; they add up to nothing, but for penalties "
        "that nobody receives."
    )
    lines: list[PaymentBody]


class ScoreAnswer(_Shape):
    """The score of a hand, and why. A hand that does not win is an answer too."""

    rules: str
    options: dict[str, OptionValue]
    is_win: bool
    legal: bool
    minimum: int
    toward_minimum: int
    uncapped: int
    total: int
    fans: list[FanBody]
    dropped: list[DroppedBody]
    sets: list[str]
    range: RangeBody | None
    problems: list[HandProblemBody]
    ties: list[TieBody]
    settlement: SettlementBody | None = Field(
        description="Null where the request names no table, or where a problem `no_settlement` says why not. "
        "Where the score is a range, its low end is paid."
    )
    at_once: SettlementBody | None = Field(
        None,
        description="Only where the table asks for it: what the winner's kongs and bonus tiles take by "
        "themselves, whoever wins. Null in rule sets that know no such thing.",
    )


class TimingsBody(_Shape):
    """Milliseconds."""

    read_ms: float
    score_ms: float


class HandAnswer(_Shape):
    """Reading and score of one photo; `scored_hand` is what was scored."""

    reading: ReadAnswer
    scored_hand: str
    score: ScoreAnswer
    timings: TimingsBody


class RulesetBrief(_Shape):
    """A rule set in brief."""

    id: str
    name: Names
    minimum: int
    fans: int


class RulesetsAnswer(_Shape):
    """Every rule set."""

    rulesets: list[RulesetBrief]


class RulesetAnswer(BaseModel):
    """The whole table of a rule set: names, minimum, house rules, fans, and more as the rule set has it."""

    model_config = ConfigDict(extra="allow", defer_build=True)

    id: str
    name: Names
    minimum: int
    options: list[dict[str, object]]
    fans: list[dict[str, object]]


class HealthAnswer(_Shape):
    """The process answers."""

    status: Literal["ok"]


class ReadyAnswer(_Shape):
    """The models are loaded and have read a photo."""

    status: Literal["ready"]
    model: ModelBody


class ProblemBody(_Shape):
    """An error (RFC 9457). `code` is stable, `detail` is for people."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str

"""The shapes of what the ledger is asked and answers, for the description of the service (OpenAPI)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel

from api.common_schemas import Names, Shape
from scorer.ledger.fields import LONGEST_NAME, LONGEST_REASON, MOST_POINTS
from scorer.ledger.match import MOST_ROUNDS
from scorer.settlement import MOST_A_POINT

__all__ = [
    "EntriesAnswer",
    "EntryAnswer",
    "EntryRequestBody",
    "ExportAnswer",
    "LedgerTableAnswer",
    "MatchAnswer",
    "MatchRequestBody",
    "MatchesAnswer",
]

Wind = Literal["1z", "2z", "3z", "4z"]
Value = bool | int | str | None
Player = Annotated[int, Field(ge=0, le=3, description="A player, by the seat at the first hand: 0 is east.")]
Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Reason = Annotated[str, Field(min_length=1, max_length=LONGEST_REASON, pattern=r"\S")]
Four = Annotated[list[int], Field(min_length=4, max_length=4)]


class MatchBody(Shape):
    """What is agreed before the first hand. What is left out is as the rule set has it."""

    title: Annotated[str, Field(max_length=2 * LONGEST_NAME)] = ""
    rules: str = Field(description="Id of a rule set, as in /v1/rulesets.")
    options: dict[str, Value] = Field(default_factory=dict, description="House rules; answered all of them.")
    players: list[Name] = Field(
        min_length=4, max_length=4, description="Who sits east, south, west and north at the first hand."
    )
    unit: int = Field(1, ge=1, le=MOST_A_POINT, description="What a point is worth.")
    rounds: int = Field(4, ge=1, le=MOST_ROUNDS, description="How many rounds are played.")
    seat_changes: bool | None = Field(
        None, description="Whether players change seats between rounds, where the rule set knows that."
    )
    faults: Four = Field(
        default=[0, 0, 0, 0],
        description="Minor faults of each earlier in the stage.",
    )


class ClaimBody(Shape):
    """One who wins: by the hand, which is scored, or by a total that is declared."""

    winner: Player
    hand: str | None = Field(None, max_length=300, description="The hand in notation.")
    context: dict[str, Value | list[str]] = Field(
        default_factory=dict,
        description="Rare circumstances as in /v1/score; how the tile came, seat and round are known.",
    )
    total: int | None = Field(
        None, ge=0, le=1000, description="Without a hand what is won; beside one what was announced."
    )
    fans: list[str] = Field(default_factory=list, description="Without a hand: fans that a liability asks.")
    claimed_sets: int = Field(0, ge=0, le=4, description="Without a hand: sets that were claimed.")
    liable: Player | None = Field(None, description="Who fed the set that makes one pay for others.")
    informer: Player | None = Field(None, description="In Singapore: who says that another worth is right.")


class WinBody(Shape):
    """A hand that is won, by one or by several on the same tile."""

    kind: Literal["win"]
    claims: list[ClaimBody] = Field(min_length=1, max_length=3)
    discarder: Player | None = Field(None, description="Whose the tile was; nobody's if it was drawn.")
    robbed: bool = Field(False, description="The tile was to make a kong.")


class DrawBody(Shape):
    """A hand that nobody wins."""

    kind: Literal["draw"]
    kongs: list[Player] = Field(
        default_factory=list, description="Who has declared a kong, where that decides the deal."
    )


class RedealBody(Shape):
    """A deal that does not count; the same dealer deals again."""

    kind: Literal["redeal"]
    reason: Reason


class FalseWinBody(Shape):
    """A win that was declared and is none. Who declared it cannot win this hand any more."""

    kind: Literal["false_win"]
    player: Player
    discarder: Player | None = Field(None, description="Whose tile was claimed; nobody's if it was drawn.")
    hand: str | None = Field(None, max_length=300, description="Refused if it does win.")
    context: dict[str, Value | list[str]] = Field(default_factory=dict)
    reason: str = Field("", max_length=LONGEST_REASON)


class PlayerBody(Shape):
    """`fault`: a minor fault, priced by the rule set. `dead_hand`: who cannot win this hand, having too few
    or too many tiles. `disqualification`: who is removed and has no place."""

    kind: Literal["fault", "dead_hand", "disqualification"]
    player: Player
    reason: Reason


class PenaltyBody(Shape):
    """Points that a referee takes, beside what the rules price."""

    kind: Literal["penalty"]
    player: Player
    amount: int = Field(ge=1, le=MOST_POINTS, description="To each of `to`, or once to nobody.")
    to: list[Player] = Field(default_factory=list)
    reason: Reason


class InstantBody(Shape):
    """What the others pay at once, whoever wins, in rule sets that know such a thing."""

    kind: Literal["instant"]
    player: Player
    items: list[str] = Field(
        min_length=1, max_length=12, description="Such as exposed_kong, concealed_kong, cat_rat, all_animals."
    )
    opening: bool = Field(False, description="The bonus tiles were held before the first replacement.")


class AdjustmentBody(Shape):
    """Points moved between players; they add up to nothing."""

    kind: Literal["adjustment"]
    points: Four
    reason: Reason


class CloseBody(Shape):
    """The end of the match."""

    kind: Literal["close"]
    reason: str = Field("", max_length=LONGEST_REASON)


class UndoBody(Shape):
    """An earlier entry does not count; undoing an undoing brings back what that took away."""

    kind: Literal["undo"]
    of: int = Field(ge=1, le=1_000_000)
    reason: Reason


Plain = (
    WinBody
    | DrawBody
    | RedealBody
    | FalseWinBody
    | PlayerBody
    | PenaltyBody
    | InstantBody
    | AdjustmentBody
    | CloseBody
)


class PlainEntryBody(RootModel[Annotated[Plain, Field(discriminator="kind")]]):
    """An entry that something can be corrected into."""


class CorrectionBody(Shape):
    """An earlier entry counts as another, in its old place."""

    kind: Literal["correction"]
    of: int = Field(ge=1, le=1_000_000)
    entry: PlainEntryBody
    reason: Reason


class EntryBody(RootModel[Annotated[Plain | UndoBody | CorrectionBody, Field(discriminator="kind")]]):
    """What happened."""


class MatchRequestBody(Shape):
    """A match to begin."""

    match: MatchBody
    by: Name = Field("", description="Who begins it; kept beside the name of the API key.")


class EntryRequestBody(Shape):
    """Something to enter."""

    entry: EntryBody
    by: Name = Field("", description="Who enters it; kept beside the name of the API key.")


class TablePlayerBody(Shape):
    """A player at the table: where, with what, in which place."""

    player: Player
    name: str
    seat: Wind = Field(description="In the hand that is played next.")
    points: int
    fan: int = Field(description="Of all hands won.")
    wins: int
    deal_ins: int
    faults: int
    dead_hand: bool
    disqualified: bool
    place: int | None = Field(description="Shared where no tie-break tells apart; null: disqualified.")
    place_points: float | None = Field(description="What the place is worth, where the rules price places.")


class LedgerTableBody(Shape):
    """Where a match stands."""

    entries: int
    hands: int = Field(description="Hands that are over, won or drawn.")
    drawn_hands: int
    round: Wind
    dealer: Player
    kept: int = Field(description="How often in a row the dealer has kept the deal.")
    over: bool = Field(description="All rounds are played.")
    closed: bool
    to_nobody: int = Field(description="Points paid to nobody; with the players' they add up to nothing.")
    tie_break: list[str]
    players: list[TablePlayerBody]
    ranking: list[list[int]]


class MoveBody(Shape):
    """Points that went from one player to another, or to nobody, and why."""

    from_: Player = Field(alias="from")
    to: Player | None
    amount: int
    why: str


class ScoredFanBody(Shape):
    """A fan that counted."""

    id: str
    points: int
    times: int


class ScoredClaimBody(Shape):
    """What a claim was worth."""

    winner: Player
    total: int
    fans: list[ScoredFanBody]


class LedgerEntryBody(Shape):
    """An entry: who made it and when, whether it counts, what it did."""

    sequence: int
    at: str = Field(description="UTC, ISO 8601.")
    by: str
    key: str = Field(description="Name of the API key; - where none is asked for.")
    version: str = Field(description="Of the service that took it.")
    entry: EntryBody
    standing: Literal["counts", "corrected", "undone"]
    by_entry: int | None = Field(description="The entry that undid or corrected it.")
    counts_as: PlainEntryBody | None
    hand: int = Field(description="The number of the hand that was played.")
    round: Wind
    dealer: Player
    moves: list[MoveBody]
    points: Four
    after: Four
    scores: list[ScoredClaimBody]


class LiableHandBody(Shape):
    """A hand for which somebody can be liable."""

    id: str
    name: Names


class LiabilityBody(Shape):
    """When one player may have to pay for others."""

    fans: list[LiableHandBody]
    others: bool = Field(description="Other hands too, by their total or by the tile that was discarded.")
    drawn_only: bool = Field(description="Never for a discard.")
    asks_sets: bool = Field(description="It depends on how many sets were claimed.")


class InstantOfferBody(Shape):
    """Something that is paid at once."""

    id: str
    units: int = Field(description="What each other player pays, in units of the match.")


class OffersBody(Shape):
    """What can be entered beside wins and draws, by the rule set and the house rules of the match."""

    of_several: Literal["all", "one", "three_or_one"] | None = Field(
        description="Who is paid of several who win on one tile."
    )
    liability: LiabilityBody | None = Field(description="Null: nobody is ever liable.")
    instants: list[InstantOfferBody] = Field(description="What `instant` may name and takes something.")
    opening: bool = Field(description="Whether `opening` of an `instant` changes what it takes.")
    faults: bool = Field(description="Whether minor faults are priced.")
    announced: bool = Field(description="Whether an announced total is paid though the hand has another.")
    draw_kongs: bool = Field(description="Whether the deal after a draw depends on kongs.")


class MatchAnswer(Shape):
    """A match, what can be entered into it, and its table."""

    id: str
    created_at: str
    by: str
    key: str
    match: MatchBody
    offers: OffersBody
    table: LedgerTableBody


class BriefMatchBody(Shape):
    """A match in a list."""

    id: str
    number: int
    created_at: str
    title: str
    rules: str
    players: list[str]
    entries: int


class MatchesAnswer(Shape):
    """Matches, the newest first."""

    matches: list[BriefMatchBody]
    next: int | None = Field(description="The `before` of the following page.")


class EntryAnswer(Shape):
    """What was entered, and the table after it."""

    id: str
    entry: LedgerEntryBody
    table: LedgerTableBody


class EntriesAnswer(Shape):
    """What was entered, in order."""

    id: str
    entries: list[LedgerEntryBody]


class LedgerTableAnswer(Shape):
    """The table of a match."""

    id: str
    table: LedgerTableBody


class ExportAnswer(Shape):
    """Everything about a match."""

    format: str
    version: str
    id: str
    created_at: str
    by: str
    key: str
    match: MatchBody
    entries: list[LedgerEntryBody]
    table: LedgerTableBody

"""What can be entered: wins, drawn hands, penalties, what is paid at once, corrections and undoing.

Players are told by number, 0 to 3 as they sat at the first hand, because seats move with the deal. Each kind
reads itself from plain data and prints itself as the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

from scorer.errors import ScorerError
from scorer.hand import Context, Hand
from scorer.ledger.fields import LONGEST_NAME, LONGEST_REASON, MOST_POINTS, BadEntry, Fields

__all__ = [
    "KINDS",
    "Adjustment",
    "Claim",
    "Close",
    "Correction",
    "DeadHand",
    "Disqualification",
    "Drawn",
    "Entry",
    "FalseWin",
    "Fault",
    "Instants",
    "Penalty",
    "Redeal",
    "Undo",
    "Won",
    "entry_from_dict",
    "entry_to_dict",
]

#: A hand in notation has no use for more.
_LONGEST_HAND = 300
#: More than any hand is worth that is not limited.
_MOST_TOTAL = 1000
_MOST_SEQUENCE = 1_000_000


@dataclass(frozen=True, slots=True)
class Claim:
    """One who wins: the hand and its circumstances, from which it is scored, or a total that is declared.

    `context` holds what the ledger does not know by itself; how the tile came, seat and round it does.
    Beside a hand, `total` is what the winner announced: it must be right, or, in Singapore, is paid as the
    rules say (`informer`: who says that it was another). Without a hand, `fans` and `claimed_sets` are what
    a liability asks. `liable` is who fed the set that makes one pay for others.
    """

    winner: int
    hand: str | None = None
    context: Mapping[str, object] = field(default_factory=dict)
    total: int | None = None
    fans: tuple[str, ...] = ()
    claimed_sets: int = 0
    liable: int | None = None
    informer: int | None = None

    @classmethod
    def read(cls, data: object, where: str) -> Claim:
        """A claim from plain data. Raises BadEntry, NotationError and BadContext."""
        told = Fields(data, BadEntry, where)
        claim = cls(
            winner=told.required_player("winner"),
            hand=_hand(told),
            context=_context(told),
            total=told.number("total", 0, _MOST_TOTAL),
            fans=told.names("fans", 30),
            claimed_sets=told.number("claimed_sets", 0, 4) or 0,
            liable=told.player("liable"),
            informer=told.player("informer"),
        )
        told.end()
        if claim.hand is None and claim.total is None:
            raise told.wrong("hand", "is missing; a win is told by its hand or by its total")
        if claim.hand is not None and (claim.fans or claim.claimed_sets):
            raise told.wrong("fans", "the hand itself says which fans it holds and what was claimed")
        if claim.winner in (claim.liable, claim.informer):
            raise told.wrong("winner", "cannot be liable, or inform against himself")
        return claim


@dataclass(frozen=True, slots=True)
class Won:
    """A hand that is won: by one, or by several on the same tile.

    `discarder` is whose the winning tile was, nobody's where it was drawn. `robbed`: it was to be a kong.
    """

    kind: ClassVar[str] = "win"
    claims: tuple[Claim, ...]
    discarder: int | None = None
    robbed: bool = False

    @classmethod
    def read(cls, told: Fields) -> Won:
        """From plain data. Raises BadEntry."""
        listed = told.items("claims", 3)
        won = cls(
            claims=tuple(Claim.read(each, f"claims[{place}]") for place, each in enumerate(listed)),
            discarder=told.player("discarder"),
            robbed=told.yes("robbed"),
        )
        winners = [claim.winner for claim in won.claims]
        if not winners:
            raise told.wrong("claims", "nobody wins; a hand without a winner is a `draw`")
        if len(set(winners)) != len(winners):
            raise told.wrong("claims", "a player wins a hand once")
        if won.discarder is None and (len(winners) > 1 or won.robbed):
            raise told.wrong("discarder", "is missing: several win, or rob a kong, on another's tile")
        if won.discarder in winners:
            raise told.wrong("discarder", "cannot be a winner")
        return won


@dataclass(frozen=True, slots=True)
class Drawn:
    """A hand that nobody wins. `kongs` are the players who have declared one, where that decides the deal."""

    kind: ClassVar[str] = "draw"
    kongs: tuple[int, ...] = ()

    @classmethod
    def read(cls, told: Fields) -> Drawn:
        """From plain data. Raises BadEntry."""
        return cls(told.players("kongs"))


@dataclass(frozen=True, slots=True)
class Redeal:
    """A deal that does not count and is dealt again by the same dealer."""

    kind: ClassVar[str] = "redeal"
    reason: str

    @classmethod
    def read(cls, told: Fields) -> Redeal:
        """From plain data. Raises BadEntry."""
        return cls(_reason(told))


@dataclass(frozen=True, slots=True)
class FalseWin:
    """A win that was declared and is none: it costs what the rules say, and this player cannot win the hand.

    Where the hand is told, it is scored, and refused here if it does win. `discarder` is whose tile was
    claimed, nobody's where it was drawn.
    """

    kind: ClassVar[str] = "false_win"
    player: int
    discarder: int | None = None
    hand: str | None = None
    context: Mapping[str, object] = field(default_factory=dict)
    reason: str = ""

    @classmethod
    def read(cls, told: Fields) -> FalseWin:
        """From plain data. Raises BadEntry, NotationError and BadContext."""
        found = cls(
            told.required_player("player"),
            told.player("discarder"),
            _hand(told),
            _context(told),
            told.text("reason", LONGEST_REASON),
        )
        if found.discarder == found.player:
            raise told.wrong("discarder", "cannot be the one who claims the tile")
        return found


@dataclass(frozen=True, slots=True)
class _OfPlayer:
    """What is told of one player, and why."""

    player: int
    reason: str

    @classmethod
    def read(cls, told: Fields) -> Self:
        """From plain data. Raises BadEntry."""
        return cls(told.required_player("player"), _reason(told))


@dataclass(frozen=True, slots=True)
class Fault(_OfPlayer):
    """A minor fault by the rule set's own list: what it costs depends on how many went before."""

    kind: ClassVar[str] = "fault"


@dataclass(frozen=True, slots=True)
class DeadHand(_OfPlayer):
    """Who cannot win this hand any more: too many or too few tiles."""

    kind: ClassVar[str] = "dead_hand"


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points that a referee takes from a player, beside what the rules price: `amount` to each of `to`, or
    once to nobody."""

    kind: ClassVar[str] = "penalty"
    player: int
    amount: int
    reason: str
    to: tuple[int, ...] = ()

    @classmethod
    def read(cls, told: Fields) -> Penalty:
        """From plain data. Raises BadEntry."""
        found = cls(
            told.required_player("player"),
            told.required_number("amount", 1, MOST_POINTS),
            _reason(told),
            told.players("to"),
        )
        if found.player in found.to:
            raise told.wrong("to", "nobody pays a penalty to himself")
        return found


@dataclass(frozen=True, slots=True)
class Disqualification(_OfPlayer):
    """Who is removed: the points stay, and the place is the last."""

    kind: ClassVar[str] = "disqualification"


@dataclass(frozen=True, slots=True)
class Instants:
    """What the others pay a player at once, whoever wins: kongs and bonus tiles, by the rule set's names.

    `opening`: the bonus tiles were held before the first replacement.
    """

    kind: ClassVar[str] = "instant"
    player: int
    items: tuple[str, ...]
    opening: bool = False

    @classmethod
    def read(cls, told: Fields) -> Instants:
        """From plain data. Raises BadEntry."""
        items = told.names("items", 12)
        if not items:
            raise told.wrong("items", 'is missing; it is a list such as ["exposed_kong"]')
        return cls(told.required_player("player"), items, told.yes("opening"))


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points that are moved between players, with the reason: what no other entry can say. They add up to
    nothing."""

    kind: ClassVar[str] = "adjustment"
    points: tuple[int, int, int, int]
    reason: str

    @classmethod
    def read(cls, told: Fields) -> Adjustment:
        """From plain data. Raises BadEntry."""
        listed = told.items("points", 4)
        wrong = told.wrong("points", "four whole numbers, one for each player, that add up to nothing")
        if len(listed) != 4 or not all(type(each) is int and abs(each) <= MOST_POINTS for each in listed):
            raise wrong
        east, south, west, north = (each if isinstance(each, int) else 0 for each in listed)
        if east + south + west + north:
            raise wrong
        return cls((east, south, west, north), _reason(told))


@dataclass(frozen=True, slots=True)
class Close:
    """The end, whether all rounds are played or not: nothing is entered after it but undoing and
    correcting."""

    kind: ClassVar[str] = "close"
    reason: str = ""

    @classmethod
    def read(cls, told: Fields) -> Close:
        """From plain data. Raises BadEntry."""
        return cls(told.text("reason", LONGEST_REASON))


@dataclass(frozen=True, slots=True)
class Undo:
    """An earlier entry does not count. Undoing an undoing brings back what that one took away."""

    kind: ClassVar[str] = "undo"
    of: int
    reason: str

    @classmethod
    def read(cls, told: Fields) -> Undo:
        """From plain data. Raises BadEntry."""
        return cls(told.required_number("of", 1, _MOST_SEQUENCE), _reason(told))


@dataclass(frozen=True, slots=True)
class Correction:
    """An earlier entry counts as this one, in its old place. The latest correction counts."""

    kind: ClassVar[str] = "correction"
    of: int
    entry: Entry
    reason: str

    @classmethod
    def read(cls, told: Fields) -> Correction:
        """From plain data. Raises BadEntry."""
        inner = entry_from_dict(told.value("entry"), "entry")
        if isinstance(inner, Undo | Correction):
            raise told.wrong("entry", f"an entry is not corrected into a `{inner.kind}`")
        return cls(told.required_number("of", 1, _MOST_SEQUENCE), inner, _reason(told))


Entry = (
    Won
    | Drawn
    | Redeal
    | FalseWin
    | Fault
    | DeadHand
    | Penalty
    | Disqualification
    | Instants
    | Adjustment
    | Close
    | Undo
    | Correction
)

KINDS: Mapping[str, Callable[[Fields], Entry]] = {
    each.kind: each.read
    for each in (
        *(Won, Drawn, Redeal, FalseWin, Fault, DeadHand, Penalty, Disqualification, Instants, Adjustment),
        *(Close, Undo, Correction),
    )
}


def entry_from_dict(data: object, where: str = "") -> Entry:
    """An entry from plain data: `kind`, and what that kind holds.

    Raises BadEntry naming the field, NotationError and BadContext.
    """
    told = Fields(data, BadEntry, where, "entry")
    kind = told.text("kind", LONGEST_NAME, required=True)
    if kind not in KINDS:
        raise told.wrong("kind", f"{kind!r} is none of {', '.join(KINDS)}")
    entry = KINDS[kind](told)
    told.end()
    return entry


def entry_to_dict(entry: Entry) -> dict[str, Any]:
    """As plain data; `entry_from_dict` reads it back. What says nothing is left out."""
    return {"kind": entry.kind, **_plain(entry)}


def _plain(record: Entry | Claim) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for each in fields(record):
        value = getattr(record, each.name)
        if each.name == "claims":
            value = [_plain(claim) for claim in value]
        elif each.name == "entry":
            value = entry_to_dict(value)
        elif isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, Mapping):
            value = dict(value)
        if value is not None and value is not False and value not in ("", [], {}):
            data[each.name] = value
    if isinstance(record, Claim) and not record.claimed_sets:
        data.pop("claimed_sets", None)
    return data


def _reason(told: Fields) -> str:
    return told.text("reason", LONGEST_REASON, required=True)


def _hand(told: Fields) -> str | None:
    """The hand as this project writes it, whatever way it was written."""
    text = told.text("hand", _LONGEST_HAND)
    return str(Hand.parse(text)) if text else None


def _context(told: Fields) -> dict[str, object]:
    """What is told of the circumstances, checked by those who know them; nothing may be left open."""
    given = told.mapping("context")
    try:
        context = Context.from_dict(given)
    except ScorerError as error:
        raise told.wrong("context", error.detail) from error
    if context.unknown:
        raise told.wrong("context", f"{min(context.unknown)} is left open, and a ledger must know it")
    return context.to_dict()

"""Who pays whom for a win, or for a win that was none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from scorer.errors import BadContext, ScorerError
from scorer.fan import Breakdown
from scorer.hand import Context, Win
from scorer.tiles import WINDS, Tile

__all__ = [
    "BARRED",
    "MOST_A_POINT",
    "Liability",
    "NoSettlement",
    "OfSeveral",
    "Pay",
    "Payment",
    "Seats",
    "Settlement",
    "in_turn",
    "settlement_of",
]

#: The problem of a hand that its rules forbid to win: it is settled as a false win.
BARRED = "barred"
#: What a point can be worth at most: sums must stay numbers that everyone can write and read.
MOST_A_POINT = 1_000_000


class NoSettlement(ScorerError):
    """A rule set that says nothing about payments, or a hand of which it is not clear who pays."""

    code = "no_settlement"


class OfSeveral(Enum):
    """Who is paid of several who win on one tile."""

    ALL = "all"
    ONE = "one"
    #: All three where three win, and one of two.
    THREE_OR_ONE = "three_or_one"


@dataclass(frozen=True, slots=True)
class Liability:
    """When one player may have to pay for the others.

    `fans` are the hands for which somebody can be liable, `others`: hands without those too, by their total
    or by the tile that was discarded. `drawn_only`: never for a discard. `asks_sets`: it depends on how many
    sets were claimed.
    """

    fans: frozenset[str]
    others: bool = False
    drawn_only: bool = False
    asks_sets: bool = False


@dataclass(frozen=True, slots=True)
class Seats:
    """Who sits where: the winner, who discarded the winning tile (nobody: it was drawn), and what a point is
    worth.

    `liable` (who fed the set that makes one pay for the others), `dealer` and `also_won` (who else won on the
    same tile) are for rule sets that ask for them. Raises BadContext for seats that cannot be.
    """

    winner: Tile
    discarder: Tile | None = None
    liable: Tile | None = None
    dealer: Tile | None = None
    unit: int = 1
    also_won: tuple[Tile, ...] = ()

    def __post_init__(self) -> None:
        for name in ("winner", "discarder", "liable", "dealer"):
            wind = getattr(self, name)
            if wind is not None and wind not in WINDS:
                raise BadContext(f"{wind} is no wind; winds are 1z 2z 3z 4z", name)
        for name in ("discarder", "liable"):
            if getattr(self, name) == self.winner:
                raise BadContext("cannot be the winner", name)
        for wind in self.also_won:
            if wind not in WINDS:
                raise BadContext(f"{wind} is no wind; winds are 1z 2z 3z 4z", "also_won")
            if wind in (self.winner, self.discarder) or self.discarder is None:
                raise BadContext("others win only on the tile of a player who did not win", "also_won")
        if not 1 <= self.unit <= MOST_A_POINT:
            raise BadContext(f"a point is worth from 1 to {MOST_A_POINT}", "unit")

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Seats:
        """Seats from plain data. Raises BadContext naming the field that is not understood."""
        if not isinstance(data, Mapping):
            raise BadContext("must be an object", "table")
        for key in data:
            if key not in ("winner", "discarder", "liable", "dealer", "unit", "also_won"):
                raise BadContext("no such field", str(key))
        winner = _seat(data, "winner")
        if winner is None:
            raise BadContext("is missing", "winner")
        unit = data.get("unit", 1)
        if not isinstance(unit, int) or isinstance(unit, bool):
            raise BadContext("must be a whole number", "unit")
        also = data.get("also_won") or ()
        if not isinstance(also, (list, tuple)):
            raise BadContext("must be a list of winds", "also_won")
        won = tuple(wind for each in also if (wind := _seat({"also_won": each}, "also_won")) is not None)
        seats = (winner, _seat(data, "discarder"), _seat(data, "liable"), _seat(data, "dealer"))
        return cls(*seats, unit, won)

    def require_fit(self, context: Context) -> None:
        """Raises BadContext naming the seat that contradicts how the hand was won."""
        if context.seat is not None and context.seat != self.winner:
            raise BadContext(f"sits {self.winner}, but the hand was scored for {context.seat}", "winner")
        if context.win is Win.SELF_DRAW and self.discarder is not None:
            raise BadContext("nobody discards a tile that the winner drew", "discarder")
        if context.win not in (None, Win.SELF_DRAW) and self.discarder is None:
            raise BadContext("is missing: the winning tile was another player's", "discarder")

    @property
    def others(self) -> tuple[Tile, ...]:
        """The seats beside that of the winner."""
        return tuple(wind for wind in WINDS if wind != self.winner)

    @property
    def losers(self) -> tuple[Tile, ...]:
        """The seats of those who did not win."""
        return tuple(wind for wind in self.others if wind not in self.also_won)


def in_turn(after: Tile, seats: Iterable[Tile]) -> list[Tile]:
    """Seats in the order of play, beginning with the one whose turn follows that of `after`."""
    return sorted(seats, key=lambda seat: (seat.rank - after.rank - 1) % 4)


def _seat(data: Mapping[str, object], name: str) -> Tile | None:
    value = data.get(name)
    if value is None or isinstance(value, Tile):
        return value
    if not isinstance(value, str):
        raise BadContext("must be a wind such as 1z", name)
    try:
        return Tile.parse(value)
    except ScorerError as error:
        raise BadContext(error.detail, name) from error


@dataclass(frozen=True, slots=True)
class Payment:
    """One payment and its reason. A penalty that nobody receives has no payee."""

    payer: Tile
    payee: Tile | None
    amount: int
    why: str

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        payee = None if self.payee is None else str(self.payee)
        return {"from": str(self.payer), "to": payee, "amount": self.amount, "why": self.why}


@dataclass(frozen=True, slots=True)
class Settlement:
    """All payments of one hand. What is paid and what is received add up to nothing, but for penalties that
    nobody receives."""

    lines: tuple[Payment, ...]

    @property
    def payments(self) -> dict[Tile, int]:
        """What each seat wins or loses."""
        sums = dict.fromkeys(WINDS, 0)
        for line in self.lines:
            sums[line.payer] -= line.amount
            if line.payee is not None:
                sums[line.payee] += line.amount
        return sums

    @property
    def forfeited(self) -> int:
        """What is paid to nobody."""
        return sum(line.amount for line in self.lines if line.payee is None)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "payments": {str(seat): amount for seat, amount in self.payments.items()},
            "lines": [line.to_dict() for line in self.lines],
        }


#: How a rule set pays: from an answer and the seats to the payments.
Pay = Callable[[Breakdown, Seats], tuple[Payment, ...]]


def settlement_of(pay: Pay, answer: Breakdown, context: Context, seats: Seats) -> Settlement:
    """The payments for an answer.

    Raises BadContext where the seats contradict the context, NoSettlement while it is open whether the hand
    wins or whose the winning tile was.
    """
    seats.require_fit(context)
    if answer.range is not None and answer.range.legal_depends:
        raise NoSettlement(f"whether the hand wins depends on {', '.join(answer.range.decides)}")
    barred = any(problem["code"] == BARRED for problem in answer.problems)
    if answer.is_win and not answer.legal and not barred and answer.toward_minimum >= answer.minimum:
        raise NoSettlement("what is stated about the win cannot be; that must be settled first")
    if answer.legal and context.win is None and seats.discarder is None:
        raise NoSettlement("who pays depends on win: a discarder is named, or the tile was drawn")
    return Settlement(pay(answer, seats))

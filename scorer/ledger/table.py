"""What the entries come to: the table after each of them, and what each has moved."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scorer.fan import Breakdown
from scorer.game import Game
from scorer.ledger.entries import entry_to_dict
from scorer.ledger.history import Line, Standing
from scorer.ledger.match import Match

__all__ = ["Effect", "LedgerTable", "Move"]


@dataclass(frozen=True, slots=True)
class Move:
    """Points that go from one player to another, or to nobody, and why."""

    payer: int
    payee: int | None
    amount: int
    why: str

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"from": self.payer, "to": self.payee, "amount": self.amount, "why": self.why}


@dataclass(frozen=True, slots=True)
class Effect:
    """What one entry did: the hand, round and dealer that it met, what it moved, and what each had after.

    `answers` are the scores of its claims, by winner.
    """

    line: Line
    hand: int
    round: str
    dealer: int
    moves: tuple[Move, ...] = ()
    after: tuple[int, ...] = (0, 0, 0, 0)
    answers: tuple[tuple[int, Breakdown], ...] = ()

    @property
    def points(self) -> tuple[int, ...]:
        """What each player won or lost by it."""
        sums = [0, 0, 0, 0]
        for move in self.moves:
            sums[move.payer] -= move.amount
            if move.payee is not None:
                sums[move.payee] += move.amount
        return tuple(sums)

    def to_dict(self) -> dict[str, Any]:
        """As plain data: the entry as it was made, what counts instead of it, and the effect."""
        line = self.line
        instead = line.counts if line.standing is Standing.CORRECTED else None
        return {
            "sequence": line.sequence,
            "entry": entry_to_dict(line.entry),
            "standing": line.standing.value,
            "by_entry": line.by,
            "counts_as": None if instead is None else entry_to_dict(instead),
            "hand": self.hand,
            "round": self.round,
            "dealer": self.dealer,
            "moves": [move.to_dict() for move in self.moves],
            "points": list(self.points),
            "after": list(self.after),
            "scores": [
                {
                    "winner": winner,
                    "total": answer.total,
                    "fans": [
                        {"id": fan.fan.id, "points": fan.fan.points, "times": fan.times}
                        for fan in answer.fans
                    ],
                }
                for winner, answer in self.answers
            ],
        }


@dataclass(frozen=True, slots=True)
class LedgerTable:
    """A match after some entries. Each step gives a new value.

    `dead` are players who cannot win the hand that is played, `paid` what was paid at once in it, `faults`
    how many each has committed in the stage, `forfeited` what was paid to nobody.
    """

    match: Match
    game: Game
    faults: tuple[int, ...]
    effects: tuple[Effect, ...] = ()
    dead: frozenset[int] = frozenset()
    paid: frozenset[tuple[int, str]] = frozenset()
    forfeited: int = 0
    disqualified: frozenset[int] = frozenset()
    closed: bool = False
    #: Counts that decide nothing yet, kept for the sheet: hands that nobody won.
    drawn: int = 0

    @property
    def points(self) -> tuple[int, ...]:
        """What each player has."""
        return tuple(standing.points for standing in self.game.standings)

    @property
    def final(self) -> bool:
        """Whether no more hand can be entered."""
        return self.closed or self.game.over

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """The players from first to last by points and the rule set's tie-breaks; those whom nothing tells
        apart share a place, and who is disqualified has none."""
        ranked = (
            tuple(player for player in place if player not in self.disqualified)
            for place in self.game.ranking
        )
        return tuple(place for place in ranked if place)

    def _place_of(self, player: int) -> int | None:
        before = 1
        for place in self.places:
            if player in place:
                return before
            before += len(place)
        return None

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data: where the game is, and each player with seat, figures and place."""
        game = self.game
        worth = game.place_points
        return {
            "entries": len(self.effects),
            "hands": game.hands,
            "drawn_hands": self.drawn,
            "round": str(game.round),
            "dealer": game.dealer,
            "kept": game.kept,
            "over": game.over,
            "closed": self.closed,
            "to_nobody": self.forfeited,
            "tie_break": ["points", *game.rotation.tie_break],
            "players": [
                {
                    "player": player,
                    "name": self.match.players[player],
                    "seat": str(game.seat_of(player)),
                    **game.standings[player].to_dict(),
                    "faults": self.faults[player],
                    "dead_hand": player in self.dead,
                    "disqualified": player in self.disqualified,
                    "place": self._place_of(player),
                    "place_points": _plain(worth, player, player in self.disqualified),
                }
                for player in range(4)
            ],
            "ranking": [list(place) for place in self.places],
        }


def _plain(worth: tuple[Fraction, ...] | None, player: int, disqualified: bool) -> float | None:
    """Two digits are what score sheets write of a third."""
    if worth is None:
        return None
    return 0.0 if disqualified else round(float(worth[player]), 2)

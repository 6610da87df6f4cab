"""A session of many hands: who deals, which wind the round has, and what each player has won so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any

from scorer.errors import ScorerError
from scorer.fan import Breakdown
from scorer.settlement import Payment, Seats, Settlement
from scorer.tiles import WINDS, Tile

__all__ = ["BadGame", "DrawnHand", "Game", "Outcome", "Rotation", "Standing"]


class BadGame(ScorerError):
    """A hand that cannot be entered: the session is over, or the hand was not won as it is told."""

    code = "bad_game"


class DrawnHand(Enum):
    """What a drawn hand does to the deal."""

    PASSES = "passes"
    STAYS = "stays"
    #: The dealer deals again who has declared a kong, and passes the deal otherwise.
    OWN_KONG_STAYS = "own_kong_stays"
    #: The deal passes where anybody has declared a kong, and stays otherwise.
    ANY_KONG_PASSES = "any_kong_passes"

    @property
    def asks_kongs(self) -> bool:
        """Whether it depends on who has declared a kong."""
        return self in (DrawnHand.OWN_KONG_STAYS, DrawnHand.ANY_KONG_PASSES)

    def stays(self, kongs: frozenset[Tile]) -> bool:
        """Whether the dealer deals again after a drawn hand in which these seats have declared kongs."""
        if self is DrawnHand.OWN_KONG_STAYS:
            return WINDS[0] in kongs
        if self is DrawnHand.ANY_KONG_PASSES:
            return not kongs
        return self is DrawnHand.STAYS


@dataclass(frozen=True, slots=True)
class Rotation:
    """How the deal passes, and how those who have won as much are told apart.

    The deal passes to the next player unless the dealer keeps it; when it comes back to the first dealer the
    round has the next wind. The session is over after four rounds, so after sixteen hands where the deal
    always passes. `tie_break` names figures of `Standing` in their order; of deal-ins, fewer are better.

    `seating` names, for each round in turn, the players who sit east, south, west and north at its first
    hand; empty: nobody changes seats. `place_points` are what the places of one table are worth beside the
    points, and are shared by those who share a place.
    """

    stays_on_win: bool = False
    on_draw: DrawnHand = DrawnHand.PASSES
    tie_break: tuple[str, ...] = ()
    rounds: int = 4
    seating: tuple[tuple[int, int, int, int], ...] = ()
    place_points: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """One winner of a hand: the answer, the seats, and who paid whom."""

    answer: Breakdown
    seats: Seats
    settlement: Settlement

    @property
    def paid(self) -> bool:
        """Whether the winner was paid: not so where another one's win goes before."""
        return any(line.amount for line in self.settlement.lines)


@dataclass(frozen=True, slots=True)
class Standing:
    """What one player has come to: points, fan of the hands won, hands won, and hands dealt into."""

    points: int = 0
    fan: int = 0
    wins: int = 0
    deal_ins: int = 0

    def to_dict(self) -> dict[str, int]:
        """As plain data."""
        return {"points": self.points, "fan": self.fan, "wins": self.wins, "deal_ins": self.deal_ins}


@dataclass(frozen=True, slots=True)
class Game:
    """A session after some hands. Players are numbered 0 to 3 by their seats at its start; 0 deals first.

    `passed` is how often the deal has passed. Each method gives a new value.

    >>> game = Game(Rotation())
    >>> game.dealer, str(game.round), str(game.seat_of(3))
    (0, '1z', '4z')
    >>> game = game.after()
    >>> game.dealer, str(game.round), str(game.seat_of(0))
    (1, '1z', '4z')
    """

    rotation: Rotation
    standings: tuple[Standing, ...] = (Standing(), Standing(), Standing(), Standing())
    hands: int = 0
    passed: int = 0
    #: How often in a row the dealer has kept the deal.
    kept: int = 0

    @property
    def over(self) -> bool:
        """Whether all rounds are played."""
        return self.passed >= 4 * self.rotation.rounds

    @property
    def dealer(self) -> int:
        """The player who deals, whose seat is east."""
        return self._order[self.passed % 4]

    @property
    def _rounds_begun(self) -> int:
        return min(self.passed // 4, self.rotation.rounds - 1)

    @property
    def _order(self) -> tuple[int, int, int, int]:
        """The players in the order of play, beginning with the first dealer of this round."""
        seating = self.rotation.seating
        return seating[self._rounds_begun % len(seating)] if seating else (0, 1, 2, 3)

    @property
    def round(self) -> Tile:
        """The wind of the round; after the last hand that of the last round."""
        return WINDS[self._rounds_begun % 4]

    def seat_of(self, player: int) -> Tile:
        """The seat wind of a player in this hand."""
        return WINDS[(self._order.index(player) - self.passed) % 4]

    def player_at(self, seat: Tile) -> int:
        """The player who has a seat wind in this hand."""
        return self._order[(WINDS.index(seat) + self.passed) % 4]

    def after(self, *outcomes: Outcome, kongs: Iterable[Tile] = ()) -> Game:
        """The session after a hand: with its winner, with each of several, or with none, a drawn hand.

        `kongs` are the seats that have declared one, which may decide who deals after a drawn hand. Raises
        BadGame for a session that is over and for a win that is none, which `fined` is for.
        """
        if self.over:
            raise BadGame("the session is over")
        if any(not outcome.answer.legal for outcome in outcomes):
            raise BadGame("a win that is none does not end the hand; it is a penalty")
        winners = [outcome.seats.winner for outcome in outcomes if outcome.paid]
        if len(set(winners)) != len(winners):
            raise BadGame("a player wins a hand once")
        game = self
        for outcome in outcomes:
            game = game._with(outcome)
        if winners:
            stays = self.rotation.stays_on_win and WINDS[0] in winners
        else:
            stays = self.rotation.on_draw.stays(frozenset(kongs))
        if stays:
            return replace(game, hands=self.hands + 1, kept=self.kept + 1)
        return replace(game, hands=self.hands + 1, passed=self.passed + 1, kept=0)

    def fined(self, lines: Iterable[Payment]) -> Game:
        """The session after what is paid beside a win: a false win, a fault, kongs and bonus tiles."""
        return self._paid(Settlement(tuple(lines)))

    def _paid(self, settlement: Settlement) -> Game:
        sums = settlement.payments
        standings = tuple(
            replace(standing, points=standing.points + sums[self.seat_of(player)])
            for player, standing in enumerate(self.standings)
        )
        return replace(self, standings=standings)

    def _with(self, outcome: Outcome) -> Game:
        game = self._paid(outcome.settlement)
        if not outcome.paid:
            return game
        standings = list(game.standings)
        winner = self.player_at(outcome.seats.winner)
        won = standings[winner]
        standings[winner] = replace(won, fan=won.fan + outcome.answer.total, wins=won.wins + 1)
        if outcome.seats.discarder is not None:
            loser = self.player_at(outcome.seats.discarder)
            standings[loser] = replace(standings[loser], deal_ins=standings[loser].deal_ins + 1)
        return replace(game, standings=tuple(standings))

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The players from first to last; those whom nothing tells apart share a place."""
        keys = [self._key(standing) for standing in self.standings]
        return tuple(
            tuple(player for player, other in enumerate(keys) if other == key)
            for key in sorted(set(keys), reverse=True)
        )

    @property
    def place_points(self) -> tuple[Fraction, ...] | None:
        """What each player's place is worth, where the rules price places: those who share one share its
        points and those of the places that they leave empty."""
        worth = self.rotation.place_points
        if not worth:
            return None
        found = [Fraction(0)] * 4
        first = 0
        for players in self.ranking:
            share = Fraction(sum(worth[first : first + len(players)]), len(players))
            for player in players:
                found[player] = share
            first += len(players)
        return tuple(found)

    def _key(self, standing: Standing) -> tuple[int, ...]:
        figures = standing.to_dict()
        signs = {"deal_ins": -1}
        names = ("points", *self.rotation.tie_break)
        return tuple(signs.get(name, 1) * figures[name] for name in names)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "hands": self.hands,
            "round": str(self.round),
            "dealer": self.dealer,
            "kept": self.kept,
            "over": self.over,
            "seats": [str(self.seat_of(player)) for player in range(4)],
            "standings": [standing.to_dict() for standing in self.standings],
            "ranking": [list(place) for place in self.ranking],
        }

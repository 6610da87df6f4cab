"""What is agreed before the first hand: who plays, by which rules, for what stake."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.engine import require_ruleset
from scorer.fan import OptionValue
from scorer.game import Game
from scorer.ledger.fields import LONGEST_NAME, BadMatch, Fields
from scorer.ruleset import RuleSet
from scorer.settlement import MOST_A_POINT

__all__ = ["MOST_ROUNDS", "Match"]

#: Four rounds are a game everywhere; an evening may play several in a row.
MOST_ROUNDS = 16

Players = tuple[str, str, str, str]
Counts = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Match:
    """A match of four players at one table.

    `players` sit east, south, west and north at the first hand and are numbered 0 to 3 in that order.
    `options` holds every house rule with its value, so that a default that is changed later changes no match.
    `unit` is what a point is worth, `rounds` how many are played, `seat_changes` whether players change seats
    between rounds where the rule set knows that. `faults` are those that each has come with: where a stage is
    several matches, a warning is given once in the stage.
    """

    rules: str
    players: Players
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    unit: int = 1
    rounds: int = 4
    seat_changes: bool = False
    faults: Counts = (0, 0, 0, 0)
    title: str = ""

    @classmethod
    def from_dict(cls, data: object) -> Match:
        """A match from plain data; what is left out is as the rule set has it.

        Raises BadMatch naming the field, UnknownRuleSet and BadOption.
        """
        told = Fields(data, BadMatch, "", "match")
        rules = require_ruleset(told.text("rules", LONGEST_NAME, required=True))
        options = rules.require_options(told.mapping("options"))
        rotation = rules.game(options).rotation
        faults = _faults(told)
        changes = told.yes("seat_changes", bool(rotation.seating))
        if changes and not rotation.seating:
            raise told.wrong("seat_changes", f"the rule set {rules.id} knows no change of seats")
        match = cls(
            rules=rules.id,
            players=_players(told),
            options=options,
            unit=told.number("unit", 1, MOST_A_POINT) or 1,
            rounds=told.number("rounds", 1, MOST_ROUNDS) or rotation.rounds,
            seat_changes=changes,
            faults=faults,
            title=told.text("title", LONGEST_NAME * 2),
        )
        told.end()
        return match

    @property
    def ruleset(self) -> RuleSet:
        """The rule set that is played."""
        return require_ruleset(self.rules)

    def game(self) -> Game:
        """The session before its first hand."""
        game = self.ruleset.game(self.options)
        seating = game.rotation.seating if self.seat_changes else ()
        return replace(game, rotation=replace(game.rotation, rounds=self.rounds, seating=seating))

    def to_dict(self) -> dict[str, Any]:
        """As plain data; `from_dict` reads it back."""
        return {
            "title": self.title,
            "rules": self.rules,
            "options": dict(self.options),
            "players": list(self.players),
            "unit": self.unit,
            "rounds": self.rounds,
            "seat_changes": self.seat_changes,
            "faults": list(self.faults),
        }


def _players(told: Fields) -> Players:
    listed = told.items("players", 4)
    if len(listed) != 4:
        raise told.wrong("players", "four are needed: east, south, west and north at the first hand")
    seats = dict(zip(("east", "south", "west", "north"), listed, strict=True))
    named = Fields(seats, BadMatch, "players")
    east, south, west, north = (named.text(seat, LONGEST_NAME, required=True) for seat in seats)
    if len({east, south, west, north}) != 4:
        raise told.wrong("players", "two have the same name")
    return east, south, west, north


def _faults(told: Fields) -> Counts:
    listed = told.items("faults", 4) or (0, 0, 0, 0)
    if len(listed) != 4 or not all(type(each) is int and 0 <= each <= 100 for each in listed):
        raise told.wrong("faults", "four whole numbers from 0 to 100, one for each player")
    east, south, west, north = (each if isinstance(each, int) else 0 for each in listed)
    return east, south, west, north

"""The records that rule sets and answers are made of: fans, their exclusions, house rules, and the breakdown
of a score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from scorer.errors import BadOption
from scorer.facts import Facts
from scorer.tiles import Tile

__all__ = [
    "Breakdown",
    "Dropped",
    "Exclusion",
    "Fan",
    "FanGroup",
    "FanLine",
    "Name",
    "Option",
    "OptionValue",
    "Range",
    "Tie",
]

OptionValue = bool | int | str | None


@dataclass(frozen=True, slots=True)
class Name:
    """A name for people in English and Chinese."""

    en: str
    zh: str

    def to_dict(self) -> dict[str, str]:
        """As plain data."""
        return {"en": self.en, "zh": self.zh}


class FanGroup(Enum):
    """What a fan is about. Limit hands absorb shapes; bonus fans may not count toward the minimum; the last
    group counts only where no other fan but bonus fans does."""

    SHAPE = "shape"
    LIMIT = "limit"
    CIRCUMSTANCE = "circumstance"
    BONUS = "bonus"
    FLOWER_WIN = "flower_win"  # wins by itself, whatever the standing tiles are
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Fans that are not counted beside the one that holds this record, and the rule that says so.

    `own_sets`: only the occurrences whose tiles are all among the tiles of that one. `times`: only so many
    occurrences (0: all).
    """

    fans: tuple[str, ...]
    rule: str
    own_sets: bool = False
    times: int = 0

    @property
    def whole(self) -> bool:
        """Whether the fans are shut out however often they are there."""
        return not self.own_sets and not self.times


def _no_tiles(facts: Facts) -> tuple[Tile, ...]:
    return ()


def _no_parts(facts: Facts) -> tuple[tuple[int, ...], ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Fan:
    """One line of a rule set's table.

    `when` says how many times the fan is there, `where` which tiles make it, `parts` the kinds of tile of
    each occurrence where a rule shuts fans out set by set. `source` cites the rule; the engine reads neither
    names nor source. `number` is the fan's place in the published table, if that numbers its fans.
    """

    id: str
    points: int
    name: Name
    when: Callable[[Facts], int]
    group: FanGroup
    source: str
    excludes: tuple[Exclusion, ...] = ()
    where: Callable[[Facts], tuple[Tile, ...]] = _no_tiles
    parts: Callable[[Facts], tuple[tuple[int, ...], ...]] = _no_parts
    number: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The record as plain data, without its predicate."""
        return {
            "id": self.id,
            "points": self.points,
            "name": self.name.to_dict(),
            "number": self.number,
            "group": self.group.value,
            "excludes": [
                {"id": fan, "rule": item.rule, "own_sets": item.own_sets, "times": item.times}
                for item in self.excludes
                for fan in item.fans
            ],
            "source": self.source,
        }


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule: its values, its default, and what it means."""

    id: str
    default: OptionValue
    description: str
    choices: tuple[OptionValue, ...] = ()  # empty: any whole number within `low` and `high`
    low: int = 0
    high: int = 100
    nullable: bool = False
    aliases: tuple[str, ...] = ()

    @property
    def type(self) -> str:
        """`boolean`, `integer` or `string`."""
        sample = next((value for value in (self.default, *self.choices) if value is not None), 0)
        return "boolean" if isinstance(sample, bool) else "integer" if isinstance(sample, int) else "string"

    def require_value(self, value: object) -> OptionValue:
        """`value` if the house rule can take it; raises BadOption otherwise."""
        if value is None and self.nullable:
            return None
        if self.choices:
            for choice in self.choices:
                # True == 1 in Python, but a yes is not a number.
                if choice == value and type(choice) is type(value):
                    return choice
            raise BadOption(
                f"{value!r} is none of {', '.join(str(c).lower() for c in self.choices)}", self.id
            )
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            raise BadOption(f"{value!r} is no whole number from {self.low} to {self.high}", self.id)
        return value

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        data: dict[str, Any] = {"id": self.id, "type": self.type, "default": self.default}
        if self.choices:
            data["choices"] = list(self.choices)
        else:
            data["minimum"], data["maximum"] = self.low, self.high
        data["nullable"] = self.nullable
        data["description"] = self.description
        return data


@dataclass(frozen=True, slots=True)
class FanLine:
    """A fan that counts: how often, and the tiles that make it."""

    fan: Fan
    times: int
    tiles: tuple[Tile, ...] = ()

    @property
    def points(self) -> int:
        """Points of the whole line: `times` occurrences of the fan."""
        return self.fan.points * self.times

    def to_dict(self) -> dict[str, Any]:
        """As plain data; `points` is the price of one occurrence."""
        return {
            "id": self.fan.id,
            "name": self.fan.name.to_dict(),
            "points": self.fan.points,
            "times": self.times,
            "tiles": [str(tile) for tile in self.tiles],
        }


@dataclass(frozen=True, slots=True)
class Dropped:
    """A fan that is there but does not count, the fan or the principle that shuts it out, and the rule.

    `times` is how many of its occurrences are lost so; others may still count.
    """

    id: str
    because: str
    rule: str
    times: int = 1

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"id": self.id, "because": self.because, "rule": self.rule, "times": self.times}


@dataclass(frozen=True, slots=True)
class Tie:
    """Another reading of the hand that is worth as much: its sets, and the fans that count in it."""

    sets: tuple[str, ...]
    fans: tuple[FanLine, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"sets": list(self.sets), "fans": [line.to_dict() for line in self.fans]}


@dataclass(frozen=True, slots=True)
class Range:
    """Lowest and highest total that the unknown circumstances allow, and which of them decide.

    `legal_depends` says that they also decide whether the hand wins at all.
    """

    low: int
    high: int
    decides: tuple[str, ...]
    legal_depends: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "low": self.low,
            "high": self.high,
            "decides": list(self.decides),
            "legal_depends": self.legal_depends,
        }


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The whole answer: what counts, what does not and why, and what it comes to.

    `uncapped` is everything added up, `total` that under the cap, `toward_minimum` what the minimum is
    measured by. `legal` says that the hand wins, has no problem and reaches the minimum. `ties` are other
    readings worth as much.
    """

    rules: str
    options: Mapping[str, OptionValue]
    is_win: bool
    legal: bool
    minimum: int
    toward_minimum: int = 0
    uncapped: int = 0
    total: int = 0
    fans: tuple[FanLine, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    sets: tuple[str, ...] = ()
    range: Range | None = None
    problems: tuple[Mapping[str, str], ...] = field(default=())
    ties: tuple[Tie, ...] = ()
    #: How many sets of the hand were claimed: what a liability for twelve tiles asks.
    claimed_sets: int = 0

    @property
    def held(self) -> frozenset[str]:
        """The fans that are there, whether they count or others shut them out."""
        return frozenset({line.fan.id for line in self.fans} | {drop.id for drop in self.dropped})

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {
            "rules": self.rules,
            "options": dict(self.options),
            "is_win": self.is_win,
            "legal": self.legal,
            "minimum": self.minimum,
            "toward_minimum": self.toward_minimum,
            "uncapped": self.uncapped,
            "total": self.total,
            "fans": [line.to_dict() for line in self.fans],
            "dropped": [drop.to_dict() for drop in self.dropped],
            "sets": list(self.sets),
            "range": None if self.range is None else self.range.to_dict(),
            "problems": [dict(problem) for problem in self.problems],
            "ties": [tie.to_dict() for tie in self.ties],
        }

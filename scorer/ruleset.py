"""What a rule set is: a table of fans and a handful of figures, made from its house rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import or_
from typing import Any, NamedTuple

from scorer.errors import BadOption
from scorer.facts import Facts
from scorer.fan import Breakdown, Fan, FanGroup, Name, Option, OptionValue
from scorer.game import Game, Rotation
from scorer.hand import Hand
from scorer.needs import needed
from scorer.settlement import Liability, OfSeveral, Pay, Payment, Seats, Settlement
from scorer.shapes import Form
from scorer.tiles import Tile

__all__ = [
    "AtOnce",
    "Bar",
    "Declared",
    "Family",
    "Fault",
    "Loss",
    "NamedAtOnce",
    "Principle",
    "RuleSet",
    "Table",
    "closed",
    "direct",
]

#: For each fan: the fan that it is shut out by, and the rule, under each fan that does.
Shut = Mapping[str, tuple[tuple[str, str], ...]]


class Loss(NamedTuple):
    """Occurrences of a fan that do not count: how many, what takes them away, and the rule.

    `kinds` are the tiles of those occurrences, where the rest of the fan is made of other tiles.
    """

    fan: str
    times: int
    because: str
    rule: str
    kinds: tuple[int, ...] = ()


#: Fans that are counted together: from one reading to those that it holds, by id and how often.
Family = Callable[[Facts], Mapping[str, int]]
#: What forbids a hand to win that its fans would let: the reason, or None.
Bar = Callable[[Facts], str | None]
#: What the others pay a player at once, whoever wins: from the hand, the seat, the house rules and the unit.
AtOnce = Callable[[Hand, Tile, Mapping[str, OptionValue], int], Settlement]
#: The same for what is named, as it comes up: from the names, the seat, the house rules, the unit, and
#: whether it lay there before the first replacement.
NamedAtOnce = Callable[[Iterable[str], Tile, Mapping[str, OptionValue], int, bool], Settlement]
#: What is paid where the winner has announced another worth: the answer, the seats, what was announced, and
#: who said so.
Declared = Callable[[Breakdown, Seats, int, Tile | None], Settlement]
#: What a minor fault costs: from the seat, how many went before it, and the unit.
Fault = Callable[[Tile, int, int], Payment]
#: What the exclusions of single fans cannot say: from one reading and the fans that still count, by id and
#: how often, to what does not count either.
Principle = Callable[[Facts, Mapping[str, int]], Iterable[Loss]]


@dataclass(frozen=True, slots=True)
class Table:
    """A rule set under given house rules.

    `fans` lists a fan before those that it shuts out. `shut` maps a fan to all that it shuts out while it
    counts itself; `principles` then take away, in their order. `cap` None means no limit. `flower_win` says
    from how many flowers on a hand wins by flowers (None: never).
    """

    fans: tuple[Fan, ...]
    shut: Shut
    forms: frozenset[Form]
    minimum: int
    cap: int | None
    bonus_to_minimum: bool = True
    flower_win: int | None = None
    bonus_suits: frozenset[str] = frozenset("f")
    principles: tuple[Principle, ...] = ()
    bars: tuple[Bar, ...] = ()
    #: Whether a complete hand is counted beside the flowers that win.
    flowers_beside: bool = False
    #: Whether a robbed kong may be made of the last tile of the wall.
    robbed_last_tile: bool = False
    #: The same as the predicates of those fans say, found at once.
    families: tuple[tuple[frozenset[str], Family], ...] = ()
    by_id: Mapping[str, Fan] = field(init=False)
    #: Where in the table each fan is.
    place: Mapping[str, int] = field(init=False)
    price: Mapping[str, int] = field(init=False)
    #: The fans, as (id, predicate), that must be asked one by one of a reading with these traits.
    asked: Callable[[int], tuple[tuple[str, Callable[[Facts], int]], ...]] = field(init=False)
    #: The traits that decide which are asked, as bits.
    decisive: int = field(init=False)
    #: The principles, each with the traits that it needs, as bits.
    applied: tuple[tuple[Principle, int], ...] = field(init=False)
    #: The fan for a hand without any other, if there is one.
    last: Fan | None = field(init=False)
    bonus: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        apart = {FanGroup.LAST} if self.flowers_beside else {FanGroup.FLOWER_WIN, FanGroup.LAST}
        together = frozenset[str]().union(*(family for family, _ in self.families))
        asked = [fan for fan in self.fans if fan.group not in apart and fan.id not in together]
        last = next((fan for fan in self.fans if fan.group is FanGroup.LAST), None)
        object.__setattr__(self, "by_id", {fan.id: fan for fan in self.fans})
        object.__setattr__(self, "place", {fan.id: place for place, fan in enumerate(self.fans)})
        object.__setattr__(self, "price", {fan.id: fan.points for fan in self.fans})
        object.__setattr__(self, "asked", _asking(asked))
        object.__setattr__(self, "decisive", reduce(or_, [needed(fan.when) for fan in asked], 0))
        object.__setattr__(self, "applied", tuple((each, needed(each)) for each in self.principles))
        object.__setattr__(self, "last", last)
        bonus = frozenset(fan.id for fan in self.fans if fan.group is FanGroup.BONUS)
        object.__setattr__(self, "bonus", bonus)


def _asking(fans: list[Fan]) -> Callable[[int], tuple[tuple[str, Callable[[Facts], int]], ...]]:
    every = [(fan.id, fan.when, needed(fan.when)) for fan in fans]

    @lru_cache(maxsize=4096)
    def asked(traits: int) -> tuple[tuple[str, Callable[[Facts], int]], ...]:
        return tuple([(ident, when) for ident, when, need in every if not need & ~traits])

    return asked


@dataclass(frozen=True, slots=True, eq=False)
class RuleSet:
    """A rule set: names, house rules and the way to make its table from them. It equals only itself."""

    id: str
    name: Name
    options: tuple[Option, ...]
    build: Callable[[Mapping[str, OptionValue]], Table]
    sources: tuple[str, ...] = ()
    #: House rules that go together: for each value of the option `profile`, the defaults of others.
    profiles: Mapping[str, Mapping[str, OptionValue]] = field(default_factory=dict)
    pay: Pay | None = None
    at_once: AtOnce | None = None
    named_at_once: NamedAtOnce | None = None
    declared: Declared | None = None
    fault: Fault | None = None
    #: Who is paid of several winners, when one pays for others, and how many units what is named takes at
    #: once, if it lay there before the first replacement or not; names that take nothing are left out. Each
    #: under house rules that `require_options` has passed.
    of_several: Callable[[Mapping[str, OptionValue]], OfSeveral] | None = None
    liability: Callable[[Mapping[str, OptionValue]], Liability | None] | None = None
    priced_at_once: Callable[[Mapping[str, OptionValue], bool], Mapping[str, int]] | None = None
    #: How the deal passes under house rules that `require_options` has passed.
    rotation: Callable[[Mapping[str, OptionValue]], Rotation] | None = None

    def require_options(self, given: Mapping[str, object] | None) -> dict[str, OptionValue]:
        """Every house rule with its value. Raises BadOption for one that is unknown or takes no such
        value."""
        values = dict(_defaults(self))
        if given is None:
            return values
        if not isinstance(given, Mapping):
            raise BadOption("house rules are given by name", "options")
        chosen: dict[str, OptionValue] = {}
        for name, value in given.items():
            option = next((option for option in self.options if name in (option.id, *option.aliases)), None)
            if option is None:
                raise BadOption(f"{self.id} has no such house rule; it has {', '.join(values)}", str(name))
            chosen[option.id] = option.require_value(value)
        values |= self.profiles.get(str(chosen.get("profile")), {})
        return values | chosen

    def table(self, options: Mapping[str, OptionValue]) -> Table:
        """The table under house rules that `require_options` has passed."""
        if options == _defaults(self):
            return _default_table(self)
        return _table(self, tuple(options.items()))

    def game(self, options: Mapping[str, object] | None = None) -> Game:
        """A session before its first hand. Without a rotation of its own, the deal always passes."""
        values = self.require_options(options)
        return Game(Rotation() if self.rotation is None else self.rotation(values))

    @property
    def fans(self) -> tuple[Fan, ...]:
        """The fans under the default house rules."""
        return self.table(self.require_options(None)).fans

    @property
    def minimum(self) -> int:
        """The fewest points that win, under the default house rules."""
        return self.table(self.require_options(None)).minimum

    def describe(self, options: Mapping[str, object] | None = None) -> dict[str, Any]:
        """The whole table as plain data: fans, house rules, minimum, cap and sources."""
        values = self.require_options(options)
        table = self.table(values)
        return {
            "id": self.id,
            "name": self.name.to_dict(),
            "minimum": table.minimum,
            "cap": table.cap,
            "forms": sorted(form.value for form in table.forms),
            "options": [{**option.to_dict(), "value": values[option.id]} for option in self.options],
            "fans": [fan.to_dict() for fan in table.fans],
            "sources": list(self.sources),
        }


@lru_cache(maxsize=32)
def _defaults(rules: RuleSet) -> Mapping[str, OptionValue]:
    return {option.id: option.default for option in rules.options}


@lru_cache(maxsize=32)
def _default_table(rules: RuleSet) -> Table:
    return rules.build(_defaults(rules))


@lru_cache(maxsize=256)
def _table(rules: RuleSet, options: tuple[tuple[str, OptionValue], ...]) -> Table:
    return rules.build(dict(options))


def direct(fans: tuple[Fan, ...]) -> Shut:
    """The exclusions of a table as they are written, without those that are only for some occurrences."""
    known = {fan.id for fan in fans}
    return {
        fan.id: tuple(
            {
                other: item.rule
                for item in fan.excludes
                if item.whole
                for other in item.fans
                if other in known
            }.items()
        )
        for fan in fans
    }


def closed(fans: tuple[Fan, ...]) -> Shut:
    """The exclusions of a table, closed: each fan with everything it shuts out and the rule for each.

    Fans that the table does not hold (a house rule has taken them off) are skipped. Raises ValueError when a
    fan would shut out itself.
    """
    named = {ident: dict(others) for ident, others in direct(fans).items()}
    shut: dict[str, tuple[tuple[str, str], ...]] = {}
    for fan in fans:
        reached: dict[str, str] = {}
        waiting = list(named[fan.id].items())
        while waiting:
            other, rule = waiting.pop(0)
            if other == fan.id:
                raise ValueError(f"{fan.id} shuts out itself")
            if other not in reached:
                reached[other] = rule
                waiting.extend(named[other].items())
        shut[fan.id] = tuple(reached.items())
    return shut

"""What a rule set is: a table of fans and a handful of figures, made from its house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scorer.errors import BadOption
from scorer.fan import Fan, Name, Option, OptionValue
from scorer.shapes import Form

__all__ = ["RuleSet", "Table", "closed"]

#: For each fan: the fan that it is shut out by, and the rule, under each fan that does.
Shut = Mapping[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Table:
    """A rule set under given house rules.

    `shut` maps a fan to all that it shuts out, closed: what is shut out by something shut out is in it too.
    `cap` None means no limit. `flower_win` says from how many flowers on a hand wins by flowers (None:
    never).
    """

    fans: tuple[Fan, ...]
    shut: Shut
    forms: frozenset[Form]
    minimum: int
    cap: int | None
    bonus_to_minimum: bool = True
    flower_win: int | None = None
    bonus_suits: frozenset[str] = frozenset("f")


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rule set: names, house rules and the way to make its table from them."""

    id: str
    name: Name
    options: tuple[Option, ...]
    build: Callable[[Mapping[str, OptionValue]], Table]
    sources: tuple[str, ...] = ()

    def require_options(self, given: Mapping[str, object] | None) -> dict[str, OptionValue]:
        """Every house rule with its value. Raises BadOption for one that is unknown or takes no such
        value."""
        values = {option.id: option.default for option in self.options}
        if given is not None and not isinstance(given, Mapping):
            raise BadOption("house rules are given by name", "options")
        for name, value in (given or {}).items():
            option = next((option for option in self.options if name in (option.id, *option.aliases)), None)
            if option is None:
                raise BadOption(f"{self.id} has no such house rule; it has {', '.join(values)}", str(name))
            values[option.id] = option.require_value(value)
        return values

    def table(self, options: Mapping[str, OptionValue]) -> Table:
        """The table under house rules that `require_options` has passed."""
        return _table(self, tuple(options.items()))

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


@lru_cache(maxsize=256)
def _table(rules: RuleSet, options: tuple[tuple[str, OptionValue], ...]) -> Table:
    return rules.build(dict(options))


def closed(fans: tuple[Fan, ...]) -> Shut:
    """The exclusions of a table, closed: each fan with everything it shuts out and the rule for each.

    Fans that the table does not hold (a house rule has taken them off) are skipped. Raises ValueError when a
    fan would shut out itself.
    """
    known = {fan.id: fan for fan in fans}
    direct: dict[str, dict[str, str]] = {
        fan.id: {other: item.rule for item in fan.excludes for other in item.fans if other in known}
        for fan in fans
    }
    shut: dict[str, tuple[tuple[str, str], ...]] = {}
    for fan in fans:
        reached: dict[str, str] = {}
        waiting = list(direct[fan.id].items())
        while waiting:
            other, rule = waiting.pop(0)
            if other == fan.id:
                raise ValueError(f"{fan.id} shuts out itself")
            if other not in reached:
                reached[other] = rule
                waiting.extend(direct[other].items())
        shut[fan.id] = tuple(reached.items())
    return shut

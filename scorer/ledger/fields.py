"""Plain data taken apart, field by field, with errors that begin with the field's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer.errors import ScorerError
from scorer.settlement import MOST_A_POINT

__all__ = [
    "LONGEST_NAME",
    "LONGEST_REASON",
    "MOST_POINTS",
    "BadEntry",
    "BadMatch",
    "EntryRefused",
    "Fields",
]

#: A name, a title, a reason: texts that a score sheet has room for.
LONGEST_NAME = 60
LONGEST_REASON = 500
#: The most that one line of a ledger may move: 256 fan at the dearest point stay far below it.
MOST_POINTS = 1000 * MOST_A_POINT


class BadEntry(ScorerError):
    """An entry that is not of the expected form; `detail` begins with the field."""

    code = "bad_entry"

    def __init__(self, detail: str, field: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field


class BadMatch(ScorerError):
    """A match whose players, rules or stakes cannot be; `detail` begins with the field."""

    code = "bad_match"

    def __init__(self, detail: str, field: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field


class EntryRefused(ScorerError):
    """An entry that is well formed and cannot be true of this table as it stands."""

    code = "entry_refused"


class Fields:
    """The fields of a JSON object. Each is asked for by name; what nobody asked for is refused by `end`."""

    def __init__(
        self, data: object, error: type[BadEntry] | type[BadMatch], where: str = "", whole: str = "body"
    ) -> None:
        if not isinstance(data, Mapping):
            raise error("must be a JSON object", where or whole)
        self._data: Mapping[object, object] = data
        self._error = error
        self._where = f"{where}." if where else ""
        self._asked: set[str] = set()

    def wrong(self, name: str, detail: str) -> ScorerError:
        """The error about one of the fields."""
        return self._error(detail, self._where + name)

    def end(self) -> None:
        """Raises where a field is there that nobody asked for."""
        for name in self._data:
            if name not in self._asked:
                raise self.wrong(
                    str(name)[:80], f"no such field here; known are {', '.join(sorted(self._asked))}"
                )

    def value(self, name: str) -> object:
        """The field as it is; None where it is absent."""
        self._asked.add(name)
        return self._data.get(name)

    def text(self, name: str, longest: int, required: bool = False) -> str:
        """A text without control characters; empty where it is absent."""
        value = self.value(name)
        if value is None:
            value = ""
        if not isinstance(value, str):
            raise self.wrong(name, "must be a text")
        if len(value) > longest:
            raise self.wrong(name, f"is longer than {longest} characters")
        if any(ord(char) < 32 or 0xD800 <= ord(char) <= 0xDFFF for char in value):
            raise self.wrong(name, "holds characters that cannot be printed")
        value = value.strip()
        if required and not value:
            raise self.wrong(name, "is missing")
        return value

    def number(self, name: str, low: int, high: int) -> int | None:
        """A whole number from `low` to `high`; None where it is absent."""
        value = self.value(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.wrong(name, f"must be a whole number from {low} to {high}")
        return value

    def required_number(self, name: str, low: int, high: int) -> int:
        """The same, where it must be there."""
        value = self.number(name, low, high)
        if value is None:
            raise self.wrong(name, "is missing")
        return value

    def player(self, name: str) -> int | None:
        """A player, 0 to 3."""
        return self.number(name, 0, 3)

    def required_player(self, name: str) -> int:
        """A player that must be named."""
        return self.required_number(name, 0, 3)

    def yes(self, name: str, default: bool = False) -> bool:
        """True or false; `default` where it is absent."""
        value = self.value(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.wrong(name, "must be true or false")
        return value

    def items(self, name: str, most: int) -> Sequence[object]:
        """A list; empty where it is absent."""
        value = self.value(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            raise self.wrong(name, "must be a list")
        if len(value) > most:
            raise self.wrong(name, f"has more than {most} items")
        return value

    def players(self, name: str) -> tuple[int, ...]:
        """A list of players, each once."""
        found = []
        for value in self.items(name, 4):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 3:
                raise self.wrong(name, "must be a list of players, 0 to 3")
            found.append(value)
        if len(set(found)) != len(found):
            raise self.wrong(name, "names a player twice")
        return tuple(found)

    def names(self, name: str, most: int) -> tuple[str, ...]:
        """A list of words."""
        found = []
        for value in self.items(name, most):
            if not isinstance(value, str) or len(value) > LONGEST_NAME:
                raise self.wrong(name, "must be a list of words")
            found.append(value)
        return tuple(found)

    def mapping(self, name: str) -> dict[str, object]:
        """A JSON object; empty where it is absent."""
        value = self.value(name)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise self.wrong(name, "must be a JSON object")
        return {str(key): each for key, each in value.items()}

"""What the options of the command line say, as the plain data of a request. Whether it makes sense is for the
request to find.
"""

from __future__ import annotations

from collections.abc import Mapping

from api.answers import loads
from api.errors import ApiError

__all__ = ["context_told", "options_told", "overrides_told", "table_told"]

_WINDS = {"east": "1z", "south": "2z", "west": "3z", "north": "4z"}


def context_told(
    seat: str | None, round_: str | None, win: str | None, self_draw: bool, flags: list[str] | None
) -> dict[str, object]:
    """The context of a request. Raises ApiError `bad_request` where two options exclude each other."""
    if self_draw:
        if win not in (None, "self_draw"):
            raise ApiError("bad_request", f"--self-draw and --win {win} exclude each other")
        win = "self_draw"
    context: dict[str, object] = {"flags": flags or []}
    for name, value in (("win", win), ("seat", seat), ("round", round_)):
        if value is not None:
            context[name] = _wind(value) if name != "win" else value.replace("-", "_")
    return context


def overrides_told(text: str | None) -> Mapping[str, object] | None:
    """What a person knows better than the reading, from JSON. Raises ApiError."""
    if text is None:
        return None
    told = loads(text)
    if not isinstance(told, Mapping):
        raise ApiError("bad_request", "--overrides takes a JSON object")
    return told


def options_told(given: list[str] | None) -> dict[str, object]:
    """House rules from `ID=VALUE`: true, false, none, whole numbers, and words as they are.

    Raises ApiError `bad_request` for what has no equals sign.
    """
    options: dict[str, object] = {}
    words: dict[str, object] = {
        "true": True,
        "yes": True,
        "false": False,
        "no": False,
        "null": None,
        "none": None,
    }
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise ApiError("bad_request", f"--option takes ID=VALUE, not {text!r}")
        whole = value.removeprefix("-").isdecimal() and len(value) < 10
        options[name.strip()] = int(value) if whole else words.get(value.lower(), value)
    return options


def table_told(
    payments: bool,
    winner: str | None,
    discarder: str | None,
    liable: str | None,
    dealer: str | None,
    unit: int | None,
    also_won: list[str] | None,
    at_once: bool,
) -> dict[str, object] | None:
    """The table of a request; None where no option asks who pays whom."""
    seats = {"winner": winner, "discarder": discarder, "liable": liable, "dealer": dealer}
    table: dict[str, object] = {name: _wind(seat) for name, seat in seats.items() if seat is not None}
    if unit is not None:
        table["unit"] = unit
    if at_once:
        table["at_once"] = True
    if also_won:
        table["also_won"] = [_wind(seat) for seat in also_won]
    return table if table or payments else None


def _wind(text: str) -> str:
    """A seat in notation; a word that is no wind stays as it is."""
    return _WINDS.get(text.lower(), text)

"""What a reading may be instead, and what that would be worth: hands ranked by probability, suggestions
where a win is claimed, and whether a doubt matters.

Nothing here replaces what was seen. The score of the answer stays the score of the hand that was seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from api.errors import ApiError
from scorer import Hand, HandProblem, ScorerError, Tile, check
from scorer.shapes import shapes

if TYPE_CHECKING:  # the command `score` must not load OpenCV
    from vision import Reading
    from vision.roles import Overrides

__all__ = ["Brief", "ranked", "revised", "wins"]

#: Score of a hand in brief.
Brief = Callable[[Hand], dict[str, Any] | None]

_MOST_SCORED = 16
"""Hands that are scored beside the one that was seen: each costs about a millisecond."""

_OVERRIDES = ("names", "roles", "sets", "angle")


def wins(hand: Hand) -> bool:
    """Whether the tiles make a winning shape under any rule set.

    A kong that lies face down is no tile of the hand that is known, and such a hand makes none.
    """
    return check(hand) is HandProblem.NONE and bool(shapes(hand))


def ranked(reading: Reading, answer: dict[str, Any], brief: Brief | None, won: bool | None) -> dict[str, Any]:
    """The answer about a reading with its readings and suggestions scored, and each doubt with whether it
    matters. `brief` None scores nothing; `won` says whether the hand as it was seen wins, if that is known.
    """
    known: dict[str, dict[str, Any] | None] = {}

    def scored(hand: Hand) -> dict[str, Any] | None:
        name = str(hand)
        if brief is None or (name not in known and len(known) >= _MOST_SCORED):
            return known.get(name)
        if name not in known:
            known[name] = brief(hand)
        return known[name]

    seen = scored(reading.hand)
    if won is None:
        won = wins(reading.hand) if seen is None else bool(seen["is_win"])
    for told, candidate in zip(answer["readings"], reading.likely, strict=True):
        told["score"] = scored(candidate.hand)
    answer["suggestions"] = []
    if not won:
        for candidate in reading.suggestions(wins):
            answer["suggestions"].append({**candidate.to_dict(), "score": scored(candidate.hand)})
    for told, doubt in zip(answer["doubts"], reading.doubts, strict=True):
        for choice, candidate_choice in zip(told["candidates"], doubt.candidates, strict=True):
            choice["score"] = scored(candidate_choice.hand)
        told["matters"] = _matters(seen, [choice["score"] for choice in told["candidates"]])
    return answer


def _matters(seen: Mapping[str, Any] | None, others: list[dict[str, Any] | None]) -> bool | None:
    """Whether any of the scores is another than the one that was seen; None where that is not known."""
    if seen is None or not others or any(other is None for other in others):
        return None
    return any(other != seen for other in others)


def revised(reading: Reading, told: Mapping[str, object] | None) -> Reading:
    """The reading with what the request says better. Raises ApiError `bad_request` naming what does not
    fit."""
    if not told:
        return reading
    from vision.roles import GivenSet

    overrides = _overrides(told, GivenSet)
    try:
        return reading.revised(overrides)
    except ValueError as error:
        raise ApiError("bad_request", f"overrides: {error}") from error


def _overrides(told: Mapping[str, object], given_set: Any) -> Overrides:
    from vision.roles import Overrides

    for key in told:
        if key not in _OVERRIDES:
            raise ApiError(
                "bad_request", f"overrides: {key!r}: no such field; known are {', '.join(_OVERRIDES)}"
            )
    try:
        names = {int(k): Tile.parse(str(v)) for k, v in _object(told, "names").items()}
        roles = {int(k): str(v) for k, v in _object(told, "roles").items()}
        sets = told.get("sets") or []
        if not isinstance(sets, list):
            raise TypeError("sets must be a list")
        given = tuple(
            given_set(tuple(int(tile) for tile in entry["tiles"]), entry.get("concealed", False) is True)
            for entry in sets
        )
        angle = told.get("angle")
        if angle is not None and (isinstance(angle, bool) or not isinstance(angle, int | float)):
            raise TypeError("angle must be a number of degrees")
        return Overrides(names, roles, given, None if angle is None else float(angle))
    except ScorerError as error:
        raise ApiError("bad_request", f"overrides: names: {error.detail}") from error
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise ApiError("bad_request", f"overrides: cannot be understood: {error}") from error


def _object(told: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = told.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a JSON object")
    return value

"""What every door answers, in one place, so that command line and HTTP cannot say different things.

Requests come as plain data (parsed JSON, or what the command line's options make of it); answers leave as
plain data.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from api.errors import ApiError, problem_of
from api.readings import Brief, ranked, revised
from scorer import (
    RULESETS,
    BadContext,
    Context,
    Hand,
    NoSettlement,
    Seats,
    Tile,
    UnknownRuleSet,
    score,
    settle,
    settle_at_once,
)

if TYPE_CHECKING:  # the command `score` must not load OpenCV
    from vision import Reading

__all__ = [
    "HandRequest",
    "ScoreRequest",
    "dumps",
    "error_line",
    "fields_of",
    "hand_answer",
    "loads",
    "read_answer",
    "ruleset_answer",
    "rulesets_answer",
    "score_answer",
    "won_on",
]

_LONGEST_HAND = 1000
_SUPPORTED = ("hand", "rules", "context", "options", "table")
_PHOTO_SUPPORTED = (*_SUPPORTED, "winning_tile", "overrides", "overlay")


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """A hand to be scored: notation, rule set, what no tile shows, and house rules.

    `table` says who sits where, and asks who pays whom.
    """

    hand: str
    rules: str = "hk"
    context: Mapping[str, object] = field(default_factory=dict)
    options: Mapping[str, object] = field(default_factory=dict)
    table: Mapping[str, object] | None = None

    @classmethod
    def from_data(cls, data: object) -> ScoreRequest:
        """From parsed JSON. Raises ApiError naming the field that is not as it should be."""
        fields = fields_of(data, _SUPPORTED)
        hand = _text(fields, "hand")
        if hand is None:
            raise ApiError(
                "bad_request", "hand: is missing; it is a hand in notation, such as 123m456p789s11z555z"
            )
        return cls(
            hand,
            _text(fields, "rules") or "hk",
            _mapping(fields, "context"),
            _mapping(fields, "options"),
            _table(fields),
        )


@dataclass(frozen=True, slots=True)
class HandRequest:
    """What goes with a photo that is to be scored.

    `hand` is scored instead of what was read; `winning_tile` says which of the standing tiles won;
    `overrides` corrects the reading tile by tile, by the positions that it had without them; `overlay` asks
    for the reading as a drawing to lay over the photo.
    """

    rules: str = "hk"
    context: Mapping[str, object] = field(default_factory=dict)
    options: Mapping[str, object] = field(default_factory=dict)
    winning_tile: str | None = None
    hand: str | None = None
    table: Mapping[str, object] | None = None
    overrides: Mapping[str, object] | None = None
    overlay: bool = False

    @classmethod
    def from_data(cls, data: object) -> HandRequest:
        """From parsed JSON. Raises ApiError naming the field that is not as it should be."""
        fields = fields_of(data, _PHOTO_SUPPORTED)
        return cls(
            rules=_text(fields, "rules") or "hk",
            context=_mapping(fields, "context"),
            options=_mapping(fields, "options"),
            winning_tile=_text(fields, "winning_tile"),
            hand=_text(fields, "hand"),
            table=_table(fields),
            overrides=_mapping(fields, "overrides") or None,
            overlay=_flag(fields, "overlay"),
        )

    def require_valid(self) -> None:
        """Raise what is wrong with the request, before time is spent on its photo."""
        _require_rules(self.rules)
        _told(self.context, self.table)
        RULESETS[self.rules].require_options(self.options)
        if self.winning_tile is not None:
            Tile.parse(self.winning_tile)
        if self.hand is not None:
            Hand.parse(self.hand)


def fields_of(data: object, known: tuple[str, ...]) -> Mapping[str, object]:
    """The fields of a request. Raises ApiError for what is no object, and for a field that is not known."""
    if not isinstance(data, Mapping):
        raise ApiError("bad_request", "the request must be a JSON object")
    for key in data:
        if key not in known:
            raise ApiError("bad_request", f"{key!r}: no such field; known are {', '.join(known)}")
    return data


def _flag(fields: Mapping[str, object], name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise ApiError("bad_request", f"{name}: must be true or false")
    return value


def _text(fields: Mapping[str, object], name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise ApiError("bad_request", f"{name}: must be a text")
    if value is not None and len(value) > _LONGEST_HAND:
        raise ApiError("bad_request", f"{name}: is longer than {_LONGEST_HAND} characters")
    return value


def _mapping(fields: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = fields.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ApiError("bad_request", f"{name}: must be a JSON object")
    return value


def _table(fields: Mapping[str, object]) -> Mapping[str, object] | None:
    value = fields.get("table")
    if value is not None and not isinstance(value, Mapping):
        raise ApiError("bad_table", "table: must be a JSON object")
    return value


def _require_rules(rules: str) -> None:
    if rules not in RULESETS:
        raise UnknownRuleSet(f"{rules!r} is none of {', '.join(RULESETS)}")


def score_answer(request: ScoreRequest) -> dict[str, Any]:
    """The breakdown of a hand in notation. Raises the scorer's own errors."""
    return _scored(Hand.parse(request.hand), request)


def read_answer(reading: Reading, photo: str | None) -> dict[str, Any]:
    """What was read in a photo. `photo` is the name the person gave on the command line; None over HTTP."""
    return ranked(reading, {**reading.to_dict(photo=photo or ""), "photo": photo}, None, None)


def hand_answer(reading: Reading, request: HandRequest, photo: str | None, read_s: float) -> dict[str, Any]:
    """Reading and score of one photo, and the milliseconds that each took (`read_s` in seconds).

    Raises the scorer's own errors, and ApiError `winning_tile_not_in_hand`.
    """
    begin = time.perf_counter()
    reading = revised(reading, request.overrides)
    hand = reading.hand if request.hand is None else Hand.parse(request.hand)
    if request.winning_tile is not None:
        hand = won_on(hand, Tile.parse(request.winning_tile))
    scored = _scored(hand, request)
    brief = None if request.hand is not None else _brief_of(request)
    told = {**reading.to_dict(photo=photo or ""), "photo": photo}
    told = ranked(reading, told, brief, scored["is_win"])
    if request.overlay:
        from vision.overlay import svg  # here, since the service's own process loads no OpenCV

        told["overlay"] = svg(reading)
    score_s = time.perf_counter() - begin
    return {
        "reading": told,
        "scored_hand": str(hand),
        "score": scored,
        "timings": {"read_ms": round(read_s * 1000, 1), "score_ms": round(score_s * 1000, 1)},
    }


def _scored(hand: Hand, request: ScoreRequest | HandRequest) -> dict[str, Any]:
    """The score and, where the table is named, who pays whom.

    Where nobody can say who pays, the score is an answer all the same: `settlement` is then null, and
    `problems` says why. Where the table asks for it, `at_once` is what the winner's kongs and bonus tiles
    take by themselves; null in rule sets that know no such thing.
    """
    _require_rules(request.rules)
    context, seats = _told(request.context, request.table)
    found = score(hand, context, request.rules, dict(request.options))
    answer = {**found.to_dict(), "settlement": None}
    if seats is not None:
        try:
            answer["settlement"] = settle(found, context, seats).to_dict()
        except NoSettlement as error:
            answer["problems"].append({"code": error.code, "detail": error.detail})
        if request.table is not None and request.table.get("at_once"):
            answer["at_once"] = _at_once(hand, request, seats)
    return answer


def _at_once(hand: Hand, request: ScoreRequest | HandRequest, seats: Seats) -> dict[str, Any] | None:
    if RULESETS[request.rules].at_once is None:
        return None
    return settle_at_once(hand, seats.winner, request.rules, request.options, seats.unit).to_dict()


def _brief_of(request: HandRequest) -> Brief:
    """Scores other hands under the same request: whether it wins, and the total or its range."""
    context, _ = _told(request.context, request.table)
    winning = None if request.winning_tile is None else Tile.parse(request.winning_tile)

    def brief(hand: Hand) -> dict[str, Any]:
        if winning is not None and winning in hand.standing:
            hand = won_on(hand, winning)
        found = score(hand, context, request.rules, dict(request.options)).to_dict()
        span = found["range"]
        return {
            "is_win": found["is_win"],
            "legal": found["legal"],
            "total": found["total"],
            "range": None if span is None else {"low": span["low"], "high": span["high"]},
        }

    return brief


def _told(context: Mapping[str, object], table: Mapping[str, object] | None) -> tuple[Context, Seats | None]:
    """What is told about the win and the table.

    Where the winner sits need be told only once, as the context's seat or as the table's winner.
    """
    known = Context.from_dict(context)
    if table is None:
        return known, None
    if not isinstance(table.get("at_once", False), bool):
        raise ApiError("bad_table", "at_once: must be true or false")
    table = {name: value for name, value in table.items() if name != "at_once"}
    if table.get("winner") is None and known.seat is not None:
        table["winner"] = known.seat
    try:
        seats = Seats.from_dict(table)
        seats.require_fit(known)
    except BadContext as error:
        raise ApiError("bad_table", error.detail) from error
    return replace(known, seat=seats.winner), seats


def won_on(hand: Hand, tile: Tile) -> Hand:
    """The same tiles, with `tile` taken from the standing ones as the winning tile."""
    standing = list(hand.standing)
    if tile not in standing:
        raise ApiError(
            "winning_tile_not_in_hand",
            f"{tile} is not among the standing tiles of {hand}; correct the reading by giving the hand",
        )
    standing.remove(tile)
    return replace(hand, concealed=tuple(standing), winning=tile)


def rulesets_answer() -> dict[str, Any]:
    """Every rule set, in brief."""
    return {
        "rulesets": [
            {
                "id": rules.id,
                "name": rules.describe()["name"],
                "minimum": rules.minimum,
                "fans": len(rules.fans),
            }
            for rules in RULESETS.values()
        ]
    }


def ruleset_answer(rules: str) -> dict[str, Any]:
    """The whole table of one rule set. Raises UnknownRuleSet."""
    _require_rules(rules)
    return RULESETS[rules].describe()


def error_line(error: Exception) -> dict[str, Any]:
    """An error as the command line prints it: `{"error": {"code", "detail"}}`.

    Unlike a client of the service, the person at the command line may know what is wrong with the models.
    """
    code, detail = getattr(error, "code", None), getattr(error, "detail", None)
    if not isinstance(code, str) or not isinstance(detail, str):
        code, detail = problem_of(error)
    return {"error": {"code": code, "detail": detail}}


def loads(text: str | bytes) -> object:
    """Parse JSON. Raises ApiError `bad_json` for anything that is not JSON, NaN, and nesting without end."""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        parsed: object = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        place = (
            f" at line {error.lineno}, column {error.colno}"
            if isinstance(error, json.JSONDecodeError)
            else ""
        )
        raise ApiError("bad_json", f"the text is not JSON{place}") from error
    return parsed


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def dumps(data: object) -> str:
    """One line of JSON, Chinese left as it is. A lone surrogate, which no encoding can write, stays a JSON
    escape.
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")

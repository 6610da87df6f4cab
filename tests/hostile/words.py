"""What people and programs may write, each as a function of bytes that raises AssertionError where the answer
is not as it must be: the targets of the fuzzer (`fuzz.py`) and of the properties (`test_words.py`).

Whatever is written gets an answer or an error of ours, with a code that the table of problems knows; any
other exception is a finding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from api.answers import HandRequest, ScoreRequest, dumps, loads, score_answer
from api.errors import PROBLEMS, ApiError, problem_of
from scorer import RULESETS, BadClaim, BadContext, Context, Hand, NotationError, ScorerError, Seats
from scorer.claim_text import read_claim
from vision import VisionError
from vision.containers import header

__all__ = ["EXAMPLES", "TARGETS"]

_RULES = tuple(RULESETS)


def notation(data: bytes) -> None:
    """A hand is read or refused at a place in its text; what was read prints to what reads the same."""
    text = data.decode("utf-8", "replace")
    hand, position = Hand(), 0
    try:
        hand = Hand.parse(text)
    except NotationError as error:
        position = error.position
    assert 0 <= position <= len(text)
    assert Hand.parse(str(hand)) == hand


def context(data: bytes) -> None:
    """A context and a table are understood or refused; what was understood is understood again."""
    try:
        told = loads(data)
        known = Context.from_dict(told)  # type: ignore[arg-type]  # that is the question
    except (ApiError, BadContext):
        return
    assert Context.from_dict(known.to_dict()) == known


def table(data: bytes) -> None:
    """Who sits where is understood or refused."""
    try:
        Seats.from_dict(loads(data)).require_fit(Context())  # type: ignore[arg-type]
    except (ApiError, BadContext):
        return


def request(data: bytes) -> None:
    """A whole request is answered in JSON, or refused with a code that clients are told of."""
    refused: list[Exception] = []
    answer: dict[str, Any] = {}
    for ask in (_checked, _scored):
        try:
            answer = ask(data)
        except (ApiError, ScorerError) as error:
            refused.append(error)
    assert all(problem_of(error)[0] in set(PROBLEMS) - {"internal"} for error in refused)
    assert isinstance(loads(dumps(answer)), dict)
    assert answer.get("is_win") or not answer.get("fans")


def _checked(data: bytes) -> dict[str, Any]:
    HandRequest.from_data(loads(data)).require_valid()
    return {}


def _scored(data: bytes) -> dict[str, Any]:
    return score_answer(ScoreRequest.from_data(loads(data)))


def claim(data: bytes) -> None:
    """Fans that a person claims are found in a rule set, or refused."""
    text = data.decode("utf-8", "replace")
    for name in _RULES:
        try:
            fans = read_claim(text, RULESETS[name])
        except BadClaim:
            continue
        for fan in fans:
            assert fan.ids
            assert fan.times >= 1


def container(data: bytes) -> None:
    """The outside of a photo is walked to its end, or refused."""
    try:
        found = header(data)
    except VisionError:
        return
    assert 0 < found.end <= len(data)
    assert 1 <= found.orientation <= 8


TARGETS: dict[str, Callable[[bytes], None]] = {
    each.__name__: each for each in (notation, context, table, request, claim, container)
}

#: What each begins with.
EXAMPLES: dict[str, tuple[bytes, ...]] = {
    "notation": (
        b"[123m] (1111z) 23455s +6s | 1f 6f",
        "🀀🀁🀂 一萬九万 東南西北 EEESSS W1 T1 B1 0x".encode(),
    ),
    "context": (
        b'{"win": "self_draw", "seat": "1z", "round": "2z", "flags": ["heavenly"], "flowers": 2}',
        b'{"win": "rob_kong", "last_wall_tile": true, "kong_replacement": null}',
    ),
    "table": (
        b'{"winner": "2z", "discarder": "1z", "liable": null, "dealer": "1z", "unit": 1, "also_won": ["3z"]}',
    ),
    "request": (
        b'{"hand": "[123m] 456789m 23p 55s +1p", "rules": "mcr", "context": {"win": "discard", "seat": "2z"},'
        b' "table": {"discarder": "1z", "unit": 2}, "options": {}}',
        b'{"hand": "111222333p45699s", "rules": "singapore", "table": {"winner": "1z", "at_once": true}}',
    ),
    "claim": ("All Pungs x2, half flush = 6; #80 + 碰碰和、一台花".encode(),),
    "container": (),
}

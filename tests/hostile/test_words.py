"""Properties of what people and programs may write, over what is nearly right and over any bytes at all."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import RULESETS, Breakdown, Context, Tile, score, settle_claims
from scorer.hand import FLAGS
from tests.hostile.words import EXAMPLES, TARGETS, claim, context, notation, request, table
from tests.scorer.hands import random_hand

_PIECES = st.sampled_from(
    [*"[]()+| ", "1m", "9m", "123p", "55s", "1z", "7z", "8z", "1f", "4a", "0x", "東", "🀄", "W1", "B"]
)
_WINDS = st.sampled_from(["1z", "2z", "3z", "4z", "5z", "E", "東", "", "1"])
_ANYTHING: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8) | _WINDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def _objects(**fields: Any) -> Any:
    """Objects with any of these fields, each of them mostly of its kind and sometimes of any other."""
    return st.fixed_dictionaries(
        {}, optional={name: kind | kind | _ANYTHING for name, kind in fields.items()}
    )


_CONTEXTS = _objects(
    win=st.sampled_from(["discard", "self_draw", "rob_kong"]),
    seat=_WINDS,
    round=_WINDS,
    flags=st.lists(st.sampled_from(sorted(FLAGS)), max_size=3),
    flowers=st.integers(-1, 9),
    **{flag: st.none() | st.booleans() for flag in sorted(FLAGS)},
)
_TABLES = _objects(
    winner=_WINDS,
    discarder=_WINDS,
    liable=_WINDS,
    dealer=_WINDS,
    unit=st.integers(-1, 10**6),
    also_won=st.lists(_WINDS, max_size=3),
    at_once=st.booleans(),
)
_HANDS = st.lists(_PIECES, max_size=16).map("".join) | st.integers(0, 10**6).map(
    lambda number: str(random_hand(random.Random(number), "f"))
)
_OPTIONS = {name for rules in RULESETS.values() for name in (option.id for option in rules.options)}
_REQUESTS = _objects(
    hand=_HANDS,
    rules=st.sampled_from(tuple(RULESETS)),
    context=_CONTEXTS,
    table=_TABLES,
    options=st.dictionaries(st.sampled_from(sorted(_OPTIONS)), _ANYTHING, max_size=2),
)
_CLAIMS = st.lists(
    st.sampled_from(
        [fan.name.en for rules in RULESETS.values() for fan in rules.fans]
        + [fan.name.zh for rules in RULESETS.values() for fan in rules.fans]
        + ["x2", "2x", "= 6", "#48", "#999", ",", ";", "+", "、", "99 fan", "番", "(3)"]
    ),
    max_size=8,
).map(" ".join)


def bytes_of(value: Any) -> bytes:
    return json.dumps(value).encode()


@settings(max_examples=300, deadline=None)
@given(_HANDS | st.text(max_size=40))
def test_notation(text: str) -> None:
    notation(text.encode("utf-8", "replace"))


@settings(max_examples=300, deadline=None)
@given(_CONTEXTS | _ANYTHING)
def test_contexts(told: Any) -> None:
    context(bytes_of(told))


@settings(max_examples=300, deadline=None)
@given(_TABLES | _ANYTHING)
def test_tables(told: Any) -> None:
    table(bytes_of(told))


@settings(max_examples=300, deadline=None)
@given(_REQUESTS)
def test_requests(told: Any) -> None:
    request(bytes_of(told))


@settings(max_examples=200, deadline=None)
@given(_CLAIMS | st.text(max_size=60))
def test_claimed_fans(text: str) -> None:
    claim(text.encode("utf-8", "replace"))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(TARGETS)), st.binary(max_size=80))
def test_any_bytes(target: str, data: bytes) -> None:
    TARGETS[target](data)


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_examples(target: str) -> None:
    for example in EXAMPLES[target]:
        TARGETS[target](example)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["mcr", "singapore", "tvb"]), st.integers(1, 3))
def test_claims_to_one_discard_take_what_they_give(number: int, rules: str, winners: int) -> None:
    """However many claim it: what some lose the others win, and nobody who claims nothing wins."""
    chance = random.Random(number)
    seats = [Tile.parse(f"{number}z") for number in (1, 2, 3, 4)]
    answers: dict[Tile, Breakdown] = {}
    for seat in seats[1 : winners + 1]:
        told = {"win": "discard", "seat": str(seat), "round": "1z"}
        found = score(random_hand(chance, ""), Context.from_dict(told), rules)
        if not found.legal:
            return
        answers[seat] = found
    paid = settle_claims(answers, seats[0]).payments
    assert sum(paid.values()) == 0
    assert all(amount <= 0 for seat, amount in paid.items() if seat not in answers)


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_a_short_run_of_the_fuzzer(target: str, tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="the extra `fuzz` is not installed")
    from tests.hostile.fuzz import run

    status, line = run(target, None, 3000, tmp_path)
    assert status == 0, line

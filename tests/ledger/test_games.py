"""Whole games against figures that were worked out by hand from the rules."""

from __future__ import annotations

import pytest

from scorer.ledger import Match, entry_from_dict, entry_to_dict, replayed
from tests.ledger.golden import NAMES, game, points_of, require_deals, require_final


def test_every_rule_set_has_a_game() -> None:
    from scorer import RULESETS

    assert set(NAMES) == set(RULESETS)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_comes_to_what_the_rules_say(name: str) -> None:
    told = game(name)
    match = Match.from_dict(told["match"])
    entries = []
    before = [0, 0, 0, 0]
    for step in told["steps"]:
        entries.append(entry_from_dict(step["entry"]))
        table = replayed(match, entries)
        assert list(table.effects[-1].points) == step["points"], step["because"]
        expected = step.get("table") or [a + b for a, b in zip(before, step["points"], strict=True)]
        assert list(table.points) == expected, step["because"]
        before = expected
    plain = table.to_dict()
    require_final(plain, told["final"])
    require_deals([effect.to_dict() for effect in table.effects], told)
    assert points_of(plain) == before


@pytest.mark.parametrize("name", NAMES)
def test_entries_read_back_what_they_print(name: str) -> None:
    told = game(name)
    match = Match.from_dict(told["match"])
    assert Match.from_dict(match.to_dict()) == match
    for step in told["steps"]:
        entry = entry_from_dict(step["entry"])
        assert entry_from_dict(entry_to_dict(entry)) == entry

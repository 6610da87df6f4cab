"""Four hundred claims, and what a referee must say to each. `make_claims` says whence the verdicts."""

from __future__ import annotations

from collections import Counter

import pytest
from _pytest.mark import ParameterSet

from scorer import RULESETS, Audit, Claim, Hand, audit
from scorer.audit_lines import AuditLine
from tests.scorer.hands import context_of, lines

TABLES = ("hk", "mcr", "singapore", "tvb")


def _claims() -> list[ParameterSet]:
    return [
        pytest.param(rules, *line.values, id=line.id)
        for rules in TABLES
        for line in lines(f"{rules}.claims", 10)
    ]


def _options(text: str) -> dict[str, object]:
    return {} if text == "-" else {name: int(value) for name, _, value in [text.partition("=")]}


def _audited(rules: str, hand: str, context: str, options: str, claim: str, total: str, more: bool) -> Audit:
    claimed = Claim.read(
        None if claim == "-" else claim, None if total == "-" else int(total), RULESETS[rules]
    )
    told = context_of(context)
    return audit(Hand.parse(hand), told, claimed, rules, _options(options), tell_more=more)


def _line_of(found: Audit, fault: str) -> AuditLine:
    """The line that says the fault."""
    code, _, rest = fault.partition(" ")
    fan, _, because = rest.partition(" by ")
    if code in ("minimum", "total"):
        return next(line for line in found.lines if line.code == code)
    if code == "not_valid":
        return next(line for line in found.lines if line.fan and line.fan.id == fan and line.code != "counts")
    if code in ("missing", "spare", "shape"):
        return found.lines[0]
    line = next(line for line in found.lines if line.code == code and line.fan and line.fan.id == fan)
    assert line.because == because
    return line


@pytest.mark.parametrize(
    ("rules", "hand", "context", "options", "claim", "total", "verdict", "stands", "fault", "article", "why"),
    _claims(),
)
def test_a_claim_is_judged_as_the_file_says(
    rules: str, hand: str, context: str, options: str, claim: str, total: str,
    verdict: str, stands: str, fault: str, article: str, why: str,
) -> None:  # fmt: skip
    found = _audited(rules, hand, context, options, claim, total, more=verdict == "under_claimed")
    assert found.verdict.value == verdict
    assert found.stands.total == int(stands)
    assert found.depends == ()
    assert why
    for line in found.lines:
        assert line.rule.edition
        assert line.rule.article
        assert line.says.en
        assert line.says.zh
    if fault == "-":
        assert {line.code for line in found.lines} <= {"counts", "capped", "unclaimed", "worth"}
        return
    line = _line_of(found, fault)
    if article != "-":
        assert article in f"{line.rule.article} {line.rule.says}"
    code, _, tile = fault.partition(" ")
    if code in ("missing", "spare"):
        assert found.distance is not None
        assert found.distance.tiles == 1
        swaps = found.distance.swaps
        named = [swap.missing if code == "missing" else swap.spare for swap in swaps]
        assert tile in [str(each) for each in named]


@pytest.mark.parametrize("rules", TABLES)
def test_there_are_a_hundred_claims_of_every_kind(rules: str) -> None:
    verdicts = Counter(str(line.values[5]) for line in lines(f"{rules}.claims", 10))
    assert verdicts.total() == 100
    assert min(
        verdicts[verdict]
        for verdict in ("valid", "over_claimed", "under_claimed", "not_winning", "wrong_number_of_tiles")
    ) >= 8  # fmt: skip
    assert verdicts["below_minimum"] >= 4


@pytest.mark.parametrize("rules", TABLES)
def test_an_under_claim_is_valid_unless_it_is_asked_for(rules: str) -> None:
    for line in lines(f"{rules}.claims", 10):
        hand, context, options, claim, total, verdict, stands, *_ = map(str, line.values)
        if verdict == "under_claimed":
            found = _audited(rules, hand, context, options, claim, total, more=False)
            assert (found.verdict.value, found.stands.total) == ("valid", int(stands))
            assert {line.code for line in found.lines} <= {"counts", "capped"}


def test_the_file_is_what_its_recipe_makes() -> None:
    pytest.importorskip("MahjongGB", reason="PyMahjongGB, which prices near misses, is not installed")
    from tests.scorer.make_claims import Maker

    for rules in TABLES:
        made = [line.text() for line in Maker(rules).lines()]
        assert made == [" | ".join(map(str, line.values)) for line in lines(f"{rules}.claims", 10)]

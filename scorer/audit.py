"""The referee's question: is what the winner claims for this hand a legal scoring of it?

Not "what is it worth at best": in competitions nobody may help the winner count, and only what is too much
may be objected to. What the winner could have claimed as well is told only where it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scorer.audit_lines import (
    AuditLine,
    Scope,
    counted_lines,
    fault_lines,
    look_line,
    missing_line,
    number_line,
    over_total_line,
    paid_line,
    short_line,
    unclaimed_lines,
    unknown_line,
)
from scorer.audit_records import Audit, Claim, Stands, Verdict
from scorer.distance import Distance, distance
from scorer.engine import Count, Possible, deciding, possibilities, require_ruleset, sets_of
from scorer.fan import OptionValue
from scorer.hand import Context, Hand, HandProblem, problems_of
from scorer.judging import Judgement, judge
from scorer.ruleset import RuleSet, Table

__all__ = ["audit"]

#: What the tiles cannot be: somebody must look at them before anything is decided.
_IMPOSSIBLE = (
    HandProblem.FIVE_OF_A_TILE
    | HandProblem.DUPLICATE_BONUS
    | HandProblem.FACE_DOWN_TILE
    | HandProblem.BONUS_IN_HAND
    | HandProblem.NOT_A_BONUS
)

_NOTHING = Stands(0, 0, 0, False)


class _Asked(NamedTuple):
    """What is asked, made ready."""

    hand: Hand
    context: Context
    claim: Claim
    rules: RuleSet
    values: Mapping[str, OptionValue]
    table: Table
    tell_more: bool

    @property
    def scope(self) -> Scope:
        """What the lines are written under."""
        return self.rules, self.values, self.table


class _Outcome(NamedTuple):
    """What comes of the claim in one scenario."""

    verdict: Verdict
    stands: Stands
    best: Count
    judged: Judgement | None
    case: Possible


def audit(
    hand: Hand,
    context: Context,
    claim: Claim,
    rules: str | RuleSet = "hk",
    options: Mapping[str, object] | None = None,
    *,
    tell_more: bool = False,
) -> Audit:
    """Whether a claim stands: the verdict, what of it stands, and a line with its article for each part.

    `tell_more` lets the verdict be that the winner has claimed less than the hand is worth, and names what
    was left unclaimed. Where unknown circumstances decide, nothing is decided and `depends` names them.
    Raises UnknownRuleSet and BadOption.

    >>> from scorer.rulesets import RULESETS
    >>> claim = Claim.read("All Pungs, Half Flush", 12, RULESETS["mcr"])
    >>> hand = Hand.parse("[111m] [222p] 333s 44m 55z +4m")
    >>> found = audit(hand, Context.from_dict({"win": "discard", "seat": "1z", "round": "1z"}), claim, "mcr")
    >>> found.verdict.value, found.stands.total, found.lines[1].says.en
    ('over_claimed', 6, 'Half Flush is not there: the tiles are not of one suit')
    """
    chosen = require_ruleset(rules)
    values = chosen.require_options(options)
    asked = _Asked(hand, context, claim, chosen, values, chosen.table(values), tell_more)
    found, cases = possibilities(hand, context, asked.table)
    if found & _IMPOSSIBLE:
        return _to_look_at(asked, found & _IMPOSSIBLE)
    if found:
        return _of_tiles(asked, found)
    if not any(case.counts for case in cases):
        return _not_winning(asked)
    outcomes = [_outcome(asked, case) for case in cases if case.counts]
    verdicts = [outcome.verdict for outcome in outcomes]
    scenarios = [outcome.case.scenario for outcome in outcomes]
    if len(set(verdicts)) > 1:
        depends = deciding(scenarios, verdicts, hand, context)
        return _undecided(asked, outcomes, depends)
    shown = max(outcomes, key=lambda outcome: (outcome.stands.total, outcome.stands.uncapped))
    depends = deciding(scenarios, [outcome.stands for outcome in outcomes], hand, context)
    return _answer(asked, shown, depends)


def _outcome(asked: _Asked, case: Possible) -> _Outcome:
    claim, table = asked.claim, asked.table
    best = max(case.counts, key=lambda count: count.rank)
    judged = None
    if claim.fans:
        judged = max((judge(table, count, claim.fans) for count in case.counts), key=lambda item: item.rank)
    stands = _stands(asked, best, judged)
    return _Outcome(_verdict(asked, case, best, judged, stands), stands, best, judged, case)


def _stands(asked: _Asked, best: Count, judged: Judgement | None) -> Stands:
    """What the winner is to be paid on: never more than was claimed."""
    table, total = asked.table, asked.claim.total
    uncapped = best.uncapped if judged is None else judged.uncapped
    toward = best.toward_minimum if judged is None else judged.toward_minimum
    if total is not None:
        uncapped = min(uncapped, total)
        toward = min(toward, total)
    capped = uncapped if table.cap is None else min(uncapped, table.cap)
    return Stands(capped, uncapped, toward, toward >= table.minimum)


def _verdict(asked: _Asked, case: Possible, best: Count, judged: Judgement | None, stands: Stands) -> Verdict:
    table, claim = asked.table, asked.claim
    if any(item.blocks for item in case.scenario.contradictions):
        return Verdict.CANNOT_BE_DECIDED
    if _barred(table, best):
        return Verdict.NOT_WINNING
    if max(count.toward_minimum for count in case.counts) < table.minimum:
        return Verdict.BELOW_MINIMUM
    counted = best.uncapped if judged is None else judged.uncapped
    if (judged is not None and judged.faults) or (claim.total is not None and claim.total > counted):
        return Verdict.OVER_CLAIMED
    if not stands.reaches_minimum:
        return Verdict.BELOW_MINIMUM
    if asked.tell_more and stands.total < best.total:
        return Verdict.UNDER_CLAIMED
    return Verdict.VALID


def _barred(table: Table, count: Count) -> list[str]:
    """What forbids the hand to win although its fans would let it."""
    return [reason for bar in table.bars if (reason := bar(count.facts)) is not None]


def _answer(asked: _Asked, outcome: _Outcome, depends: tuple[str, ...]) -> Audit:
    """The audit with every line, of the scenario that is fairest to the winner."""
    verdict, judged, best, table = outcome.verdict, outcome.judged, outcome.best, asked.table
    shown = best if judged is None else judged.counted
    lines: list[AuditLine] = []
    scope = asked.scope
    lines.extend(counted_lines(scope, shown, dict(shown.counts) if judged is None else judged.stands))
    if judged is not None:
        lines.extend(fault_lines(scope, judged, outcome.case.counts))
    counted = best.uncapped if judged is None else judged.uncapped
    if asked.claim.total is not None:
        lines.extend(over_total_line(scope, asked.claim.total, counted))
    lines.extend(paid_line(scope, outcome.stands.uncapped))
    for item in outcome.case.scenario.contradictions:
        lines.append(look_line(scope, item.code, item.detail, ()))
    lines.extend(look_line(scope, "barred", reason, asked.hand.tiles) for reason in _barred(table, best))
    if verdict is Verdict.BELOW_MINIMUM or not outcome.stands.reaches_minimum:
        lines.append(short_line(scope, outcome.stands.toward_minimum))
    if asked.tell_more and verdict in (Verdict.UNDER_CLAIMED, Verdict.BELOW_MINIMUM, Verdict.OVER_CLAIMED):
        lines.extend(unclaimed_lines(scope, best, {} if judged is None else judged.stands))
    far = Distance(0, (), (), ()) if verdict is Verdict.NOT_WINNING else None
    return _made(asked, verdict, outcome.stands, lines, shown=shown, far=far, depends=depends)


def _undecided(asked: _Asked, outcomes: list[_Outcome], depends: tuple[str, ...]) -> Audit:
    winning = asked.hand.winning
    tiles = () if winning is None else (winning,)
    lines = [
        unknown_line(asked.scope, name, asked.hand.standing if name == "winning_tile" else tiles)
        for name in depends
    ]
    low = min((outcome.stands for outcome in outcomes), key=lambda stands: stands.total)
    possible = tuple(dict.fromkeys(outcome.verdict for outcome in outcomes))
    return _made(asked, Verdict.CANNOT_BE_DECIDED, low, lines, depends=depends, possible=possible)


def _to_look_at(asked: _Asked, found: HandProblem) -> Audit:
    hand = asked.hand
    twice = {tile for tile in hand.bonus if hand.bonus.count(tile) > 1}
    many = {tile for tile in hand.tiles if hand.tiles.count(tile) > 4}
    where = {
        HandProblem.FIVE_OF_A_TILE: tuple(tile for tile in hand.tiles if tile in many),
        HandProblem.DUPLICATE_BONUS: tuple(tile for tile in hand.bonus if tile in twice),
        HandProblem.FACE_DOWN_TILE: tuple(tile for tile in (*hand.tiles, *hand.bonus) if tile.is_back),
        HandProblem.BONUS_IN_HAND: tuple(tile for tile in hand.tiles if tile.is_bonus),
        HandProblem.NOT_A_BONUS: tuple(tile for tile in hand.bonus if not tile.is_bonus),
    }
    lines = [
        look_line(asked.scope, entry["code"], entry["detail"], where[problem])
        for problem in where
        if problem & found
        for entry in problems_of(problem, hand)
    ]
    # What is missing is told of the tiles that can be: a fifth of its kind, or a back, is spare.
    far = distance(hand, asked.table.forms)
    return _made(asked, Verdict.CANNOT_BE_DECIDED, _NOTHING, lines, far=far)


def _of_tiles(asked: _Asked, found: HandProblem) -> Audit:
    far = distance(asked.hand, asked.table.forms)
    entries = problems_of(found, asked.hand)
    lines = [number_line(asked.scope, entry["code"], asked.hand, far) for entry in entries]
    return _made(asked, Verdict.WRONG_NUMBER_OF_TILES, _NOTHING, lines, far=far)


def _not_winning(asked: _Asked) -> Audit:
    far = distance(asked.hand, asked.table.forms)
    lines = [missing_line(asked.scope, far)]
    return _made(asked, Verdict.NOT_WINNING, _NOTHING, lines, far=far)


def _made(
    asked: _Asked,
    verdict: Verdict,
    stands: Stands,
    lines: list[AuditLine],
    *,
    shown: Count | None = None,
    far: Distance | None = None,
    depends: tuple[str, ...] = (),
    possible: tuple[Verdict, ...] = (),
) -> Audit:
    return Audit(
        verdict=verdict,
        rules=asked.rules.id,
        options=asked.values,
        hand=asked.hand,
        context=asked.context,
        claim=asked.claim,
        minimum=asked.table.minimum,
        stands=stands,
        lines=tuple(lines),
        sets=() if shown is None else sets_of(shown.facts),
        distance=far,
        depends=depends,
        possible=possible or (verdict,),
    )

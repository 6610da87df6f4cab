"""What forbids a hand to win that its fans would let: robbing a concealed kong, which few hands may."""

from __future__ import annotations

from scorer import patterns
from scorer.facts import Facts
from scorer.ruleset import Bar

__all__ = ["nobody_robs_concealed", "orphans_rob_concealed"]


def orphans_rob_concealed(rule: str) -> Bar:
    """Only thirteen orphans may rob a concealed kong; `rule` says by which rule."""

    def bar(facts: Facts) -> str | None:
        if patterns.robbed_concealed_kong(facts) and not patterns.thirteen_orphans(facts):
            return f"only thirteen orphans may rob a concealed kong ({rule})"
        return None

    return bar


def nobody_robs_concealed(rule: str) -> Bar:
    """A concealed kong cannot be robbed; `rule` says by which rule."""

    def bar(facts: Facts) -> str | None:
        if patterns.robbed_concealed_kong(facts):
            return f"a concealed kong cannot be robbed ({rule})"
        return None

    return bar

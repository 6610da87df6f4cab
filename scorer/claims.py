"""What is paid beside one win: for several claims to one discard, and at once whoever wins."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.engine import require_ruleset
from scorer.fan import Breakdown
from scorer.hand import Hand
from scorer.ruleset import RuleSet
from scorer.settlement import NoSettlement, Payment, Seats, Settlement, in_turn
from scorer.tiles import Tile

__all__ = ["settle_at_once", "settle_claims"]


def settle_claims(
    answers: Mapping[Tile, Breakdown], discarder: Tile, unit: int = 1, dealer: Tile | None = None
) -> Settlement:
    """The payments of all who claim one discard, by the seat of each: who of them is paid, and by whom, is
    for the rule set.

    Raises NoSettlement where nobody claims, or where a claim is no win, which is to be settled by itself;
    BadContext for seats that cannot be.
    """
    if not answers:
        raise NoSettlement("nobody claims the discard")
    lines: list[Payment] = []
    for seat in in_turn(discarder, answers):
        answer = answers[seat]
        if not answer.legal:
            raise NoSettlement(f"the claim of {seat} is no win, which is to be settled first")
        rules = require_ruleset(answer.rules)
        if rules.pay is None:
            raise NoSettlement(f"the rule set {rules.id} says nothing about payments")
        others = tuple(other for other in answers if other != seat)
        lines.extend(rules.pay(answer, Seats(seat, discarder, None, dealer, unit, others)))
    return Settlement(tuple(lines))


def settle_at_once(
    hand: Hand,
    seat: Tile,
    rules: str | RuleSet,
    options: Mapping[str, object] | None = None,
    unit: int = 1,
) -> Settlement:
    """What the others pay a player at once for what lies in the hand, whoever wins it: kongs and bonus tiles.

    Raises NoSettlement for a rule set in which nothing is paid so, UnknownRuleSet and BadOption.
    """
    chosen = require_ruleset(rules)
    if chosen.at_once is None:
        raise NoSettlement(f"the rule set {chosen.id} pays nothing at once")
    return chosen.at_once(hand, seat, chosen.require_options(options), unit)

"""One claim against one reading of the hand: what of it stands, and what of it does not and why.

A claim is fair where its fans are a legal scoring of some reading, the best one or not. So exclusions are
asked between the fans that are claimed, and nothing is shut out by a fan that the winner leaves unclaimed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import combinations
from typing import NamedTuple

from scorer.claim_text import ClaimedFan
from scorer.combinations import FOUR_CHOWS, SMALL_CHOWS, THREE_CHOWS, Combination, chow_combinations
from scorer.engine import Count, present_in, take_out
from scorer.facts import Facts
from scorer.ruleset import Loss, Table
from scorer.rulesets.mcr_principles import account_once
from scorer.shapes import Form

__all__ = ["Fault", "FaultCode", "Judgement", "judge"]

_GREAT = frozenset((*FOUR_CHOWS, *THREE_CHOWS))
_ONE_GREAT = "account-once: only one fan of three or four chows counts (MIL annex 1, 11)"
_ONCE = (
    "account-once: sets that are joined may be joined again only to a set that is not (1998; MIL annex 1, 11)"
)


class FaultCode(Enum):
    """What is wrong with a fan that was claimed."""

    NOT_HELD = "not_held"  # it is not there in this reading
    EXCLUDED = "excluded"  # it is there, and another claimed fan or a principle shuts it out
    TOO_OFTEN = "too_often"  # it is there, but not so many times
    NOT_IN_TABLE = "not_in_table"  # these house rules do not know it
    MISPRICED = "mispriced"  # it stands, at a lower price than was claimed


class Fault(NamedTuple):
    """Occurrences of a claimed fan that do not count, `price` the points claimed for one where that is what
    is wrong."""

    code: FaultCode
    fan: str
    times: int
    because: str = ""
    rule: str = ""
    price: int = 0


class Judgement(NamedTuple):
    """What stands of a claim in one reading: how often each fan, and what it comes to."""

    counted: Count
    stands: Mapping[str, int]
    faults: tuple[Fault, ...]
    uncapped: int
    toward_minimum: int

    @property
    def rank(self) -> tuple[bool, int, int]:
        """What the reading that is fairest to the winner is the best in."""
        return (not self.faults, self.uncapped, -len(self.faults))


def judge(table: Table, count: Count, claimed: Sequence[ClaimedFan]) -> Judgement:
    """What stands of the claimed fans in the reading that `count` was made of."""
    facts = count.facts
    present = present_in(table, facts)
    if table.last is not None and table.last.id in count.counts:
        present[table.last.id] = count.counts[table.last.id]
    wanted = _resolved(table, present, claimed)
    faults = [
        Fault(FaultCode.NOT_IN_TABLE, fan, times) for fan, times in wanted.items() if fan not in table.place
    ]
    here = {fan: present[fan] for fan in table.place if fan in wanted and present.get(fan)}
    losses = _shut_out(table, facts, here, wanted)
    stands: dict[str, int] = {}
    for fan, times in wanted.items():
        if fan not in table.place:
            continue
        allowed = here.get(fan, 0)
        if allowed:
            stands[fan] = min(times, allowed)
        if times > allowed:
            faults.append(_fault(fan, times - allowed, present.get(fan, 0), allowed, losses))
    faults.extend(_mispriced(table, stands, claimed))
    uncapped = sum(table.price[fan] * times for fan, times in stands.items())
    bonus = sum(table.price[fan] * times for fan, times in stands.items() if fan in table.bonus)
    toward = uncapped if table.bonus_to_minimum or facts.form is Form.FLOWERS else uncapped - bonus
    return Judgement(count, stands, tuple(faults), uncapped, toward)


def _resolved(table: Table, present: Mapping[str, int], claimed: Sequence[ClaimedFan]) -> dict[str, int]:
    """How often each fan is claimed; a name of several meanings is taken for one that is there."""
    wanted: dict[str, int] = {}
    # What is named without a doubt first: it leaves to the doubtful names what it does not use.
    for item in sorted(claimed, key=lambda item: len(item.ids)):
        for _ in range(item.times):
            free = [fan for fan in item.ids if wanted.get(fan, 0) < present.get(fan, 0)]
            known = [fan for fan in item.ids if fan in table.place and fan not in wanted]
            fan = (free or known or list(item.ids))[0]
            wanted[fan] = wanted.get(fan, 0) + 1
    return wanted


def _shut_out(table: Table, facts: Facts, here: dict[str, int], wanted: Mapping[str, int]) -> list[Loss]:
    """Take from `here`, the claimed fans that are there, what others of them and the principles shut out."""

    def fairest(facts: Facts, left: Mapping[str, int]) -> Iterable[Loss]:
        return _account_once(table, facts, left, wanted)

    applied = [(fairest if each is account_once else each, needed) for each, needed in table.applied]
    return take_out(table, facts, here, applied)


def _account_once(
    table: Table, facts: Facts, here: Mapping[str, int], wanted: Mapping[str, int]
) -> Iterator[Loss]:
    """The chow fans that cannot count together, choosing the sets that make them in the winner's favour.

    The engine chooses what is worth most; a winner who joins the same chows by other fans is as right.
    """
    asked = {fan: min(times, here[fan]) for fan, times in wanted.items() if fan in here}
    found = [item for item in chow_combinations(facts.chows, facts.pair) if item.fan in asked]
    greats: list[Combination | None] = [item for item in found if item.fan in _GREAT]
    small = [item for item in found if item.fan in SMALL_CHOWS]
    best: dict[str, int] = {}
    for great in greats or [None]:
        for chosen in _joined(len(facts.chows), great, small, asked):
            if _worth(table, chosen) > _worth(table, best):
                best = chosen
    named = next((fan for fan in best if fan in _GREAT), "account_once")
    for fan in (*_GREAT, *SMALL_CHOWS):
        lost = asked.get(fan, 0) - best.get(fan, 0)
        if lost > 0:
            # All that is there goes, but for what was chosen: the principle leaves no other occurrence.
            rule = _ONE_GREAT if fan in _GREAT else _ONCE
            yield Loss(fan, here[fan] - best.get(fan, 0), named, rule)


def _worth(table: Table, chosen: Mapping[str, int]) -> int:
    return sum(table.price[fan] * times for fan, times in chosen.items())


def _joined(
    chows: int, great: Combination | None, small: Sequence[Combination], asked: Mapping[str, int]
) -> Iterator[dict[str, int]]:
    """Every choice of combinations that joins no two chows twice, by fan and how often."""
    for size in range(len(small), -1, -1):
        for chosen in combinations(small, size):
            part = list(range(chows))
            if great is not None:
                part = [great.at[0] if place in great.at else place for place in part]
            counts: dict[str, int] = {} if great is None else {great.fan: 1}
            for item in chosen:
                one, other = part[item.at[0]], part[item.at[1]]
                counts[item.fan] = counts.get(item.fan, 0) + 1
                if one == other or counts[item.fan] > asked[item.fan]:
                    break
                part = [one if each == other else each for each in part]
            else:
                yield counts


def _fault(fan: str, times: int, present: int, allowed: int, losses: Sequence[Loss]) -> Fault:
    """Why so many occurrences of a fan do not count."""
    if not present:
        return Fault(FaultCode.NOT_HELD, fan, times)
    loss = next((loss for loss in losses if loss.fan == fan), None)
    if loss is None or (loss.because == fan and allowed):
        rule = "" if loss is None else loss.rule
        return Fault(FaultCode.TOO_OFTEN, fan, times, "", rule)
    return Fault(FaultCode.EXCLUDED, fan, times, loss.because, loss.rule)


def _mispriced(table: Table, stands: Mapping[str, int], claimed: Sequence[ClaimedFan]) -> Iterator[Fault]:
    """Fans that stand and were claimed at a higher price, of one occurrence or of all that were claimed."""
    for item in claimed:
        if item.points is None:
            continue
        for fan in item.ids:
            if fan in stands:
                price = table.price[fan]
                if item.points not in (price, price * item.times) and item.points > price:
                    yield Fault(FaultCode.MISPRICED, fan, item.times, price=item.points)
                break

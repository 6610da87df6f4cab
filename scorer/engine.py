"""The one scoring engine: count every fan of the table, shut out what others contain, and keep the best
reading."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from scorer.circumstances import Contradiction, Scenario, contradictions, scenarios
from scorer.errors import UnknownRuleSet
from scorer.facts import Facts, Tally, facts_of, tally
from scorer.fan import Breakdown, Dropped, FanGroup, FanLine, OptionValue, Range, Tie
from scorer.hand import Context, Hand, HandProblem, check, problems_of
from scorer.ruleset import Loss, Principle, RuleSet, Table
from scorer.settlement import BARRED, NoSettlement, Seats, Settlement, settlement_of
from scorer.shapes import IN_PAIR, Form, Reading, Shape, readings, shapes_of, table_groups
from scorer.tiles import ALL_TILES, KINDS, spell

__all__ = [
    "Count", "Possible", "deciding", "possibilities", "present_in", "require_ruleset", "score",
    "sets_of", "settle", "take_out",
]  # fmt: skip

_STANDARD = Form.STANDARD
#: A pair of each kind in notation.
_PAIRS = tuple(spell([tile] * 2) for tile in ALL_TILES[:KINDS])
_UNKNOWNS = ("win", "seat", "round", "winning_tile")


class Count(NamedTuple):
    """One reading, counted: how often each fan counts, and what is lost."""

    facts: Facts
    counts: Mapping[str, int]
    losses: list[Loss]
    uncapped: int
    toward_minimum: int
    total: int
    legal: bool

    @property
    def rank(self) -> tuple[bool, int, int]:
        """What the best reading is the best in."""
        return (self.legal, self.uncapped, self.toward_minimum)


def score(
    hand: Hand,
    context: Context,
    rules: str | RuleSet = "hk",
    options: Mapping[str, object] | None = None,
) -> Breakdown:
    """What the hand is worth under a rule set and its house rules, and why.

    A hand that does not win or whose tiles have a problem is an answer too: `is_win` false and `problems`
    listed.
    Where the context or the winning tile is unknown and matters, `range` holds what is possible and the
    answer is that
    of its low end. Raises UnknownRuleSet and BadOption.

    >>> from scorer.hand import Win
    >>> from scorer.tiles import Tile
    >>> context = Context(Win.DISCARD, Tile.parse("2z"), Tile.parse("1z"))
    >>> [line.fan.id for line in score(Hand.parse("[111m] 333m 55p 777s 99s +5p"), context).fans]
    ['all_pungs', 'no_flowers']
    """
    chosen = require_ruleset(rules)
    values = chosen.require_options(options)
    table = chosen.table(values)
    counted = tally(hand, context.flowers)
    found = check(hand, counted.counts)
    possible = (
        () if found else shapes_of(counted.standing, counted.held_standing, table_groups(hand), table.forms)
    )
    if _flowers_win(table, counted, found, possible):
        answer = _flower_win(chosen, values, table, counted, context)
        if answer is not None:
            return answer
    if not possible:
        problems = problems_of(found, hand)
        if not found:
            detail = "the tiles form no winning shape of this rule set"
            problems.append({"code": "not_a_winning_hand", "detail": detail})
        stated = contradictions(counted, context, hand.winning, table.robbed_last_tile)
        problems.extend(item.to_dict() for item in stated)
        return Breakdown(chosen.id, values, False, False, table.minimum, problems=tuple(problems))
    cases = scenarios(counted, context, table.robbed_last_tile)
    if len(cases) == 1:
        best = _best(table, counted, possible, cases[0])
        return _answer(chosen, values, table, best, cases[0].contradictions, None)
    equals = [_best(table, counted, possible, case) for case in cases]
    counts = [best for best, *_ in equals]
    low = min(range(len(cases)), key=lambda index: (counts[index].total, counts[index].rank, index))
    spread = _range(cases, counts, hand, context)
    return _answer(chosen, values, table, equals[low], cases[low].contradictions, spread)


def settle(answer: Breakdown, context: Context, seats: Seats) -> Settlement:
    """Who pays whom for a hand that `score` has answered: for the win, or for a win that was none.

    Where the score is a range, it is paid at its low end. Raises NoSettlement for a rule set without payments
    and BadContext for seats that contradict the context.
    """
    rules = require_ruleset(answer.rules)
    if rules.pay is None:
        raise NoSettlement(f"the rule set {rules.id} says nothing about payments")
    return settlement_of(rules.pay, answer, context, seats)


def require_ruleset(rules: str | RuleSet) -> RuleSet:
    """The rule set of that id. Raises UnknownRuleSet, naming those that there are."""
    if isinstance(rules, RuleSet):
        return rules
    known = _registry()
    found = known.get(rules)
    if found is None:
        raise UnknownRuleSet(f"no rule set {rules!r}; there are {', '.join(known)}")
    return found


@cache
def _registry() -> Mapping[str, RuleSet]:
    # Here and not above: the registry imports the rule sets, and they import the records beside this module.
    from scorer.rulesets import RULESETS

    return RULESETS


def _best(table: Table, counted: Tally, possible: tuple[Shape, ...], case: Scenario) -> list[Count]:
    """The readings of the hand that are worth most in one scenario, all of equal worth.

    Fans are counted on one reading at a time: tiles that make a set of one fan are never parted anew for
    another.
    """
    winning, context = case.winning, case.context
    blocked = any(item.blocks for item in case.contradictions) if case.contradictions else False
    found = readings(possible, -1 if winning is None else winning.index)
    counts = [_count(table, facts_of(counted, reading, winning, context), blocked) for reading in found]
    if len(counts) == 1:
        return counts
    best = max([count.rank for count in counts])
    equals = [count for count in counts if count.rank == best]
    if len(equals) > 1:
        # Nothing may depend on the order of the tiles: the fans that the table lists first go first.
        equals.sort(key=lambda count: sorted(table.place[ident] for ident in count.counts))
    return equals


def present_in(table: Table, facts: Facts) -> dict[str, int]:
    """How many times each fan is there in one reading, whether it counts or not, in the table's order."""
    if facts.form is Form.FLOWERS:
        groups = {FanGroup.FLOWER_WIN, FanGroup.BONUS} if table.flowers_beside else {FanGroup.FLOWER_WIN}
        counts = {fan.id: fan.when(facts) for fan in table.fans if fan.group in groups}
        return {ident: times for ident, times in counts.items() if times}
    present = {}
    for ident, when in table.asked(facts.traits & table.decisive):
        times = when(facts)
        if times:
            present[ident] = times
    if table.families:
        for _, family in table.families:
            present.update(family(facts))
        present = {ident: present[ident] for ident in sorted(present, key=table.place.__getitem__)}
    return present


def _count(table: Table, facts: Facts, blocked: bool) -> Count:
    return _settle(table, facts, present_in(table, facts), blocked)


def take_out(
    table: Table, facts: Facts, counts: dict[str, int], applied: Iterable[tuple[Principle, int]]
) -> list[Loss]:
    """Take from `counts`, which is in the table's order, what is shut out or against a principle.

    `applied` are the principles with the traits without which each has nothing to say, as in `Table.applied`.
    """
    losses: list[Loss] = []
    shut = table.shut
    for ident in tuple(counts):
        # A fan that is itself shut out shuts out nothing. The first to shut a fan out is named.
        if ident in counts:
            for other, rule in shut[ident]:
                if other in counts:
                    losses.append(Loss(other, counts.pop(other), ident, rule))
    missing = ~facts.traits
    for principle, needed in applied:
        if needed & missing:
            continue
        for loss in principle(facts, counts):
            losses.append(loss)
            counts[loss.fan] -= loss.times
            if counts[loss.fan] <= 0:
                del counts[loss.fan]
    return losses


def _settle(table: Table, facts: Facts, counts: dict[str, int], blocked: bool) -> Count:
    """Take out what is shut out or against a principle, and add up the rest."""
    losses = take_out(table, facts, counts, table.applied)
    bonus_fans = table.bonus
    if table.last is not None and counts.keys() <= bonus_fans:
        counts[table.last.id] = table.last.when(facts)
    uncapped = bonus = 0
    price = table.price
    for ident, times in counts.items():
        points = price[ident] * times
        uncapped += points
        if ident in bonus_fans:
            bonus += points
    cap = table.cap
    total = uncapped if cap is None or uncapped < cap else cap
    toward = uncapped if table.bonus_to_minimum else uncapped - bonus
    legal = toward >= table.minimum and not blocked and not (table.bars and _barred(table, facts))
    return Count(facts, counts, losses, uncapped, toward, total, legal)


def _flowers_win(table: Table, counted: Tally, found: HandProblem, possible: tuple[Shape, ...]) -> bool:
    """Whether there are flowers enough to win whatever stands in the hand, before the replacement is drawn or
    after it."""
    if table.flower_win is None or len(counted.flowers) < table.flower_win:
        return False
    if table.flowers_beside and possible:
        return False
    hand = counted.hand
    standing = len(hand.standing) + 3 * len(hand.melds)
    return not found & ~(HandProblem.TOO_FEW_TILES if standing == 13 else HandProblem.NONE)


def _flower_win(
    rules: RuleSet,
    values: Mapping[str, OptionValue],
    table: Table,
    counted: Tally,
    context: Context,
) -> Breakdown | None:
    """The answer for a hand that wins by its flowers, or None when it does not."""
    case = scenarios(counted, context, table.robbed_last_tile)[0]
    count = _flower_count(table, counted, case)
    if count is None:
        return None
    # A flower win is legal by itself, so its points count toward the minimum whatever bonus tiles do
    # otherwise.
    return _answer(rules, values, table, [count], (), None)


def _flower_count(table: Table, counted: Tally, case: Scenario) -> Count | None:
    facts = facts_of(counted, Reading(Shape(Form.FLOWERS), IN_PAIR), case.winning, case.context)
    present = present_in(table, facts)
    if not any(table.by_id[ident].group is FanGroup.FLOWER_WIN for ident in present):
        return None
    return _settle(table, facts, present, blocked=False)


class Possible(NamedTuple):
    """A hand in one scenario: every reading of it, counted; empty where the tiles win in none."""

    scenario: Scenario
    counts: tuple[Count, ...]


def possibilities(hand: Hand, context: Context, table: Table) -> tuple[HandProblem, tuple[Possible, ...]]:
    """Every reading of the hand in every scenario that fits, and the problems of its tiles.

    `score` keeps the best of them; who must judge another count than the best one asks for all.
    """
    counted = tally(hand, context.flowers)
    found = check(hand, counted.counts)
    cases = scenarios(counted, context, table.robbed_last_tile)
    possible = (
        () if found else shapes_of(counted.standing, counted.held_standing, table_groups(hand), table.forms)
    )
    if _flowers_win(table, counted, found, possible):
        counts = [_flower_count(table, counted, case) for case in cases]
        if all(count is not None for count in counts):
            pairs = zip(cases, counts, strict=True)
            return HandProblem.NONE, tuple(
                Possible(case, (count,)) for case, count in pairs if count is not None
            )
    every = []
    for case in cases:
        winning = -1 if case.winning is None else case.winning.index
        blocked = any(item.blocks for item in case.contradictions)
        ways = readings(possible, winning) if possible else []
        facts = [facts_of(counted, way, case.winning, case.context) for way in ways]
        every.append(Possible(case, tuple([_count(table, each, blocked) for each in facts])))
    return found, tuple(every)


def _range(cases: tuple[Scenario, ...], counts: list[Count], hand: Hand, context: Context) -> Range | None:
    """Lowest and highest total over the scenarios, and the unknowns of which one alone can change it."""
    outcome = [(count.total, count.legal) for count in counts]
    if len(set(outcome)) == 1:
        return None
    decides = deciding(cases, outcome, hand, context)
    totals = [total for total, _ in outcome]
    depends = len({legal for _, legal in outcome}) > 1
    return Range(min(totals), max(totals), decides, depends)


def deciding(
    cases: Sequence[Scenario], outcomes: Sequence[Hashable], hand: Hand, context: Context
) -> tuple[str, ...]:
    """The unknowns of which one alone can change the outcome; `outcomes` holds that of each scenario."""
    flags = sorted(context.unknown)
    keys = [
        (case.context.win, case.context.seat, case.context.round, case.winning, *_said(case.context, flags))
        for case in cases
    ]
    known = (context.win, context.seat, context.round, hand.winning)
    decides = []
    for place, name in enumerate((*_UNKNOWNS, *flags)):
        if place < len(known) and known[place] is not None:
            continue
        seen: dict[tuple[object, ...], Hashable] = {}
        for key, result in zip(keys, outcomes, strict=True):
            others = key[:place] + key[place + 1 :]
            if seen.setdefault(others, result) != result:
                decides.append(name)
                break
    return tuple(decides)


def _said(context: Context, flags: list[str]) -> tuple[bool, ...]:
    return tuple(flag in context.flags for flag in flags)


def _answer(
    rules: RuleSet,
    values: Mapping[str, OptionValue],
    table: Table,
    equals: list[Count],
    stated: tuple[Contradiction, ...],
    spread: Range | None,
) -> Breakdown:
    count = equals[0]
    facts = count.facts
    return Breakdown(
        rules=rules.id,
        options=values,
        is_win=True,
        legal=count.legal,
        minimum=table.minimum,
        toward_minimum=count.toward_minimum,
        uncapped=count.uncapped,
        total=count.total,
        fans=_lines(table, count),
        dropped=_dropped(table, count),
        sets=sets_of(facts),
        range=spread,
        problems=tuple(
            [item.to_dict() for item in stated]
            + _barred(table, facts)
            + _not_in_play(table, facts.tally.hand)
        ),
        ties=_ties(table, equals),
        claimed_sets=facts.tally.claimed_sets,
    )


def _lines(table: Table, count: Count) -> tuple[FanLine, ...]:
    facts, counts, losses = count.facts, count.counts, count.losses
    lost: dict[str, tuple[int, ...]] = {}
    for loss in losses:
        if loss.kinds:
            lost[loss.fan] = (*lost.get(loss.fan, ()), *loss.kinds)
    lines = []
    for ident, times in counts.items():
        fan = table.by_id[ident]
        tiles = fan.where(facts)
        if ident in lost:
            tiles = tuple([tile for tile in tiles if tile.index not in lost[ident]])
        lines.append(FanLine(fan, times, tiles))
    return tuple(lines)


def _dropped(table: Table, count: Count) -> tuple[Dropped, ...]:
    losses = count.losses
    if len(losses) > 1:
        losses = sorted(losses, key=lambda loss: table.place[loss.fan])
    return tuple([Dropped(loss.fan, loss.because, loss.rule, loss.times) for loss in losses])


def _ties(table: Table, equals: list[Count]) -> tuple[Tie, ...]:
    """The readings of equal worth with other sets or other fans than the first one, each once."""
    if len(equals) == 1:
        return ()
    seen: list[tuple[list[str], Mapping[str, int]]] = []
    found = []
    for count in equals:
        sets = sets_of(count.facts)
        key = (sorted(sets), count.counts)
        if key not in seen:
            seen.append(key)
            found.append(Tie(sets, _lines(table, count)))
    return tuple(found[1:])


def _barred(table: Table, facts: Facts) -> list[dict[str, str]]:
    """What forbids the hand to win although its fans would let it."""
    reasons = [bar(facts) for bar in table.bars]
    return [{"code": BARRED, "detail": reason} for reason in reasons if reason is not None]


def _not_in_play(table: Table, hand: Hand) -> list[dict[str, str]]:
    """Bonus tiles that these rules do not know: worth nothing, but whoever set them aside should be told."""
    unknown = [tile for tile in hand.bonus if tile.suit not in table.bonus_suits]
    if not unknown:
        return []
    detail = f"these rules play without {' '.join(str(tile) for tile in unknown)}; nothing is counted for it"
    return [{"code": "bonus_not_in_play", "detail": detail}]


def sets_of(facts: Facts) -> tuple[str, ...]:
    """The sets and the pair of one reading in notation."""
    shape, form = facts.shape, facts.form
    if form is _STANDARD:
        return (*[group.text for group in shape.groups], _PAIRS[shape.pair])
    if form is Form.KNITTED_STRAIGHT:
        knitted = spell([ALL_TILES[kind] for kind in shape.knitted])
        return (knitted, *[group.text for group in shape.groups], _PAIRS[shape.pair])
    if form in (Form.THIRTEEN_ORPHANS, Form.HONOURS_AND_KNITTED):
        return (spell(facts.tally.hand.standing),)
    return tuple([_PAIRS[kind] for kind in shape.pairs])

"""What a claim is worth and who pays it, in a hand of which the ledger knows seats and round."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from scorer.engine import score, settle
from scorer.fan import Breakdown, FanLine, OptionValue
from scorer.game import Game, Outcome
from scorer.hand import Context, Hand, Win
from scorer.ledger.entries import Claim, FalseWin, Won
from scorer.ledger.fields import EntryRefused
from scorer.ledger.match import Match
from scorer.settlement import Seats, Settlement
from scorer.tiles import Tile

__all__ = ["false_win", "outcome"]


@lru_cache(maxsize=4096)
def _scored(
    hand: str, context: Context, rules: str, options: tuple[tuple[str, OptionValue], ...]
) -> Breakdown:
    """A ledger is worked out anew whenever it is looked at, and its hands stay the same."""
    return score(Hand.parse(hand), context, rules, dict(options))


def outcome(match: Match, game: Game, won: Won, claim: Claim) -> Outcome:
    """One claim of a hand that is won, with its payments. Raises EntryRefused where it is no win."""
    context = _context(game, claim.winner, claim.context, _way(won))
    others = tuple(game.seat_of(each.winner) for each in won.claims if each is not claim)
    seats = Seats(
        winner=game.seat_of(claim.winner),
        discarder=_seat(game, won.discarder),
        liable=_seat(game, claim.liable),
        dealer=game.seat_of(game.dealer),
        unit=match.unit,
        also_won=others,
    )
    answer = _declared(match, claim) if claim.hand is None else _answer(match, claim.hand, context)
    if not answer.legal:
        raise EntryRefused(
            f"{match.players[claim.winner]} does not win: {_why(answer)}; a win that is none is entered as "
            "`false_win`"
        )
    if answer.range is not None:
        raise EntryRefused(f"what the hand is worth depends on {', '.join(answer.range.decides)}")
    return Outcome(answer, seats, _settled(match, claim, answer, context, seats, _seat(game, claim.informer)))


def _settled(
    match: Match, claim: Claim, answer: Breakdown, context: Context, seats: Seats, informer: Tile | None
) -> Settlement:
    declared = match.ruleset.declared
    if claim.hand is not None and claim.total is not None:
        if declared is not None:
            return declared(answer, seats, claim.total, informer)
        if claim.total != answer.total:
            raise EntryRefused(f"the hand is worth {answer.total}, not the {claim.total} that are declared")
    if informer is not None:
        raise EntryRefused(
            "nobody informs unless the hand and what was announced are told, where rules ask that"
        )
    return settle(answer, context, seats)


def false_win(match: Match, game: Game, entry: FalseWin) -> Settlement:
    """What a win that was none costs. Raises EntryRefused where the hand does win."""
    way = Win.SELF_DRAW if entry.discarder is None else Win.DISCARD
    told = entry.context.get("win")
    context = _context(game, entry.player, entry.context, Win.ROB_KONG if told == "rob_kong" else way)
    if entry.hand is not None:
        answer = _answer(match, entry.hand, context)
        if answer.legal:
            raise EntryRefused(f"this hand wins, with {answer.total}: it is no false win")
        if answer.range is not None and answer.range.legal_depends:
            raise EntryRefused(f"whether the hand wins depends on {', '.join(answer.range.decides)}")
    # Why a declared win is none changes nothing about what it costs.
    fails = Breakdown(match.rules, match.options, is_win=False, legal=False, minimum=0)
    seats = Seats(
        winner=game.seat_of(entry.player),
        discarder=_seat(game, entry.discarder),
        dealer=game.seat_of(game.dealer),
        unit=match.unit,
    )
    return settle(fails, context, seats)


def _way(won: Won) -> Win:
    if won.discarder is None:
        return Win.SELF_DRAW
    return Win.ROB_KONG if won.robbed else Win.DISCARD


def _seat(game: Game, player: int | None) -> Tile | None:
    return None if player is None else game.seat_of(player)


def _context(game: Game, player: int, told: Mapping[str, object], way: Win) -> Context:
    """The circumstances as they are told and as the ledger knows them. Raises EntryRefused where the two
    differ."""
    known = {"win": way.value, "seat": str(game.seat_of(player)), "round": str(game.round)}
    for name, value in known.items():
        if told.get(name, value) != value:
            raise EntryRefused(f"{name} is told as {told[name]}, and by this ledger it is {value}")
    return Context.from_dict({**told, **known})


def _answer(match: Match, hand: str, context: Context) -> Breakdown:
    return _scored(hand, context, match.rules, tuple(match.options.items()))


def _declared(match: Match, claim: Claim) -> Breakdown:
    """The answer that a total stands for, of whose hand nobody has told more."""
    table = match.ruleset.table(match.options)
    total = claim.total or 0
    if table.cap is not None and total > table.cap:
        raise EntryRefused(f"{total} are declared, and {table.cap} are the most that is paid")
    unknown = [fan for fan in claim.fans if fan not in table.by_id]
    if unknown:
        raise EntryRefused(f"the rule set {match.rules} has no fan {unknown[0]!r} under these house rules")
    return Breakdown(
        match.rules,
        match.options,
        is_win=True,
        legal=total >= table.minimum,
        minimum=table.minimum,
        toward_minimum=total,
        uncapped=total,
        total=total,
        fans=tuple(FanLine(table.by_id[fan], 1) for fan in claim.fans),
        claimed_sets=claim.claimed_sets,
    )


def _why(answer: Breakdown) -> str:
    if answer.problems:
        return "; ".join(problem["detail"] for problem in answer.problems)
    return f"{answer.toward_minimum} of the {answer.minimum} that win"

"""From entries to the table: each kind of entry and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.errors import ScorerError
from scorer.fan import Breakdown
from scorer.game import Game
from scorer.ledger.entries import (
    Adjustment,
    Close,
    DeadHand,
    Disqualification,
    Drawn,
    Entry,
    FalseWin,
    Fault,
    Instants,
    Penalty,
    Redeal,
    Won,
)
from scorer.ledger.fields import EntryRefused
from scorer.ledger.history import Line, resolved
from scorer.ledger.match import Match
from scorer.ledger.table import Effect, LedgerTable, Move
from scorer.ledger.worth import false_win, outcome
from scorer.settlement import Payment
from scorer.tiles import Tile

__all__ = ["replayed"]


def replayed(match: Match, entries: Sequence[Entry]) -> LedgerTable:
    """The table after all these entries.

    Raises EntryRefused for an entry that cannot be true where it stands. Undoing or correcting one changes
    what the later ones met: where one of those is no longer possible, that is refused, and its number told.
    """
    table = LedgerTable(match, match.game(), match.faults)
    for line in resolved(entries):
        try:
            table = _after(table, line)
        except ScorerError as error:
            last = line.sequence == len(entries)
            told = (
                error.detail if last else f"entry {line.sequence} would not be possible then: {error.detail}"
            )
            raise EntryRefused(told) from error
    return table


@dataclass(frozen=True, slots=True)
class _Step:
    """What an entry does to the table: the game after it, its payments, and the table's other figures."""

    game: Game
    lines: tuple[Payment, ...] = ()
    answers: tuple[tuple[int, Breakdown], ...] = ()
    #: Whether the hand is over: who was dead lives again, and what was paid at once can come again.
    ends_hand: bool = False


def _after(table: LedgerTable, line: Line) -> LedgerTable:
    entry = line.counts
    game = table.game
    met = (game.hands + 1, str(game.round), game.dealer)
    if entry is None:
        return replace(table, effects=(*table.effects, Effect(line, *met, after=table.points)))
    if table.closed:
        raise EntryRefused("the match is closed; undo the closing first")
    step, changes = _KINDS[type(entry)](table, entry)
    moves = tuple(_move(game, payment) for payment in step.lines)
    after = tuple(standing.points for standing in step.game.standings)
    if step.ends_hand:
        changes = {"dead": frozenset(table.disqualified), "paid": frozenset(), **changes}
    return replace(
        table,
        game=step.game,
        effects=(*table.effects, Effect(line, *met, moves, after, step.answers)),
        forfeited=table.forfeited + sum(move.amount for move in moves if move.payee is None),
        **changes,
    )


def _move(game: Game, payment: Payment) -> Move:
    payee = None if payment.payee is None else game.player_at(payment.payee)
    return Move(game.player_at(payment.payer), payee, payment.amount, payment.why)


_Found = tuple[_Step, dict[str, Any]]


def _won(table: LedgerTable, entry: Won) -> _Found:
    for claim in entry.claims:
        if claim.winner in table.dead:
            raise EntryRefused(f"{table.match.players[claim.winner]} cannot win this hand")
    found = [outcome(table.match, table.game, entry, claim) for claim in entry.claims]
    game = table.game.after(*found)
    lines = tuple(payment for each in found for payment in each.settlement.lines)
    answers = tuple((claim.winner, each.answer) for claim, each in zip(entry.claims, found, strict=True))
    return _Step(game, lines, answers, ends_hand=True), {}


def _drawn(table: LedgerTable, entry: Drawn) -> _Found:
    kongs = [table.game.seat_of(player) for player in entry.kongs]
    return _Step(table.game.after(kongs=kongs), ends_hand=True), {"drawn": table.drawn + 1}


def _redeal(table: LedgerTable, entry: Redeal) -> _Found:
    if table.game.over:
        raise EntryRefused("the session is over")
    return _Step(table.game, ends_hand=True), {}


def _paid(table: LedgerTable, lines: Iterable[Payment], **changes: object) -> _Found:
    lines = tuple(lines)
    return _Step(table.game.fined(lines), lines), changes


def _false_win(table: LedgerTable, entry: FalseWin) -> _Found:
    _require_alive(table, entry.player)
    lines = false_win(table.match, table.game, entry).lines
    return _paid(table, lines, dead=table.dead | {entry.player})


def _fault(table: LedgerTable, entry: Fault) -> _Found:
    rule = table.match.ruleset.fault
    if rule is None:
        raise EntryRefused(f"the rule set {table.match.rules} prices no minor faults; enter a `penalty`")
    before = table.faults[entry.player]
    line = rule(table.game.seat_of(entry.player), before, table.match.unit)
    faults = tuple(count + (player == entry.player) for player, count in enumerate(table.faults))
    return _paid(table, [line], faults=faults)


def _dead_hand(table: LedgerTable, entry: DeadHand) -> _Found:
    _require_alive(table, entry.player)
    return _Step(table.game), {"dead": table.dead | {entry.player}}


def _require_alive(table: LedgerTable, player: int) -> None:
    """Whose hand is dead declares no more win in it, and after the last hand there is none to win."""
    if table.game.over:
        raise EntryRefused("the session is over: no hand is being played")
    if player in table.dead:
        raise EntryRefused(f"the hand of {table.match.players[player]} is dead already")


def _penalty(table: LedgerTable, entry: Penalty) -> _Found:
    seat = table.game.seat_of(entry.player)
    payees: list[Tile | None] = [table.game.seat_of(player) for player in entry.to]
    return _paid(table, [Payment(seat, payee, entry.amount, entry.reason) for payee in payees or [None]])


def _disqualified(table: LedgerTable, entry: Disqualification) -> _Found:
    if entry.player in table.disqualified:
        raise EntryRefused(f"{table.match.players[entry.player]} is disqualified already")
    gone = {entry.player}
    return _Step(table.game), {"disqualified": table.disqualified | gone, "dead": table.dead | gone}


def _instants(table: LedgerTable, entry: Instants) -> _Found:
    rule = table.match.ruleset.named_at_once
    if rule is None:
        raise EntryRefused(f"the rule set {table.match.rules} pays nothing at once")
    if table.game.over:
        raise EntryRefused("the session is over: no hand is being played")
    bonus = [item for item in entry.items if not item.endswith("_kong")]
    for item in bonus:
        if (entry.player, item) in table.paid or bonus.count(item) > 1:
            raise EntryRefused(f"{item} was paid already in this hand")
    seat = table.game.seat_of(entry.player)
    lines = rule(entry.items, seat, table.match.options, table.match.unit, entry.opening).lines
    return _paid(table, lines, paid=table.paid | {(entry.player, item) for item in bonus})


def _adjusted(table: LedgerTable, entry: Adjustment) -> _Found:
    """Who gives pays those who get, in the order of their numbers."""
    owed = [max(-points, 0) for points in entry.points]
    due = [max(points, 0) for points in entry.points]
    lines = []
    for payer in range(4):
        for payee in range(4):
            amount = min(owed[payer], due[payee])
            if amount:
                owed[payer] -= amount
                due[payee] -= amount
                seats = table.game.seat_of(payer), table.game.seat_of(payee)
                lines.append(Payment(*seats, amount, entry.reason))
    return _paid(table, lines)


def _closed(table: LedgerTable, entry: Close) -> _Found:
    return _Step(table.game), {"closed": True}


_KINDS: dict[type, Callable[[LedgerTable, Any], _Found]] = {
    Won: _won,
    Drawn: _drawn,
    Redeal: _redeal,
    FalseWin: _false_win,
    Fault: _fault,
    DeadHand: _dead_hand,
    Penalty: _penalty,
    Disqualification: _disqualified,
    Instants: _instants,
    Adjustment: _adjusted,
    Close: _closed,
}

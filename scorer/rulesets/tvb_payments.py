"""Score card and penalties of the TVB Mahjong Brain Fitness Championship 2026 (appendix 1, rules 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.fan import Breakdown, OptionValue
from scorer.game import Rotation
from scorer.settlement import Liability, OfSeveral, Payment, Seats, in_turn
from scorer.tiles import Tile

__all__ = ["FALSE_WIN", "LIABLE", "MINOR_FAULT", "liability", "minor_fault", "of_several", "pay", "rotation"]

#: What the discarder loses for each fan, and what each of three loses of a self-drawn hand.
_DISCARD, _SELF_DRAW = 10, 5
#: What a false win and a minor fault that is repeated cost; nobody receives it.
FALSE_WIN, MINOR_FAULT = 150, 10
#: The hands that make the feeder of the twelfth tile liable (rule 5f).
LIABLE = frozenset({"full_flush", "big_three_dragons", "big_four_winds", "all_honours"})


def rotation(_: Mapping[str, OptionValue]) -> Rotation:
    """The deal always passes, sixteen hands in all; points, fan, wins and fewer deal-ins decide (rule 3)."""
    return Rotation(tie_break=("fan", "wins", "deal_ins"))


def of_several(_: Mapping[str, OptionValue]) -> OfSeveral:
    """One wins before the others (rule 5d)."""
    return OfSeveral.ONE


def liability(_: Mapping[str, OptionValue]) -> Liability:
    """Who feeds the twelfth tile pays for all where the hand is then drawn (rule 5f)."""
    return Liability(LIABLE, drawn_only=True, asks_sets=True)


def pay(answer: Breakdown, seats: Seats) -> tuple[Payment, ...]:
    """Ten points a fan from the one who discarded, or five from each for a self-drawn hand.

    Among several winners only one is paid. A win that is none costs 150 points, which nobody receives.
    """
    if not answer.legal:
        why = f"false win: {FALSE_WIN} points, and this hand cannot win (rule 6)"
        return (Payment(seats.winner, None, FALSE_WIN * seats.unit, why),)
    if seats.discarder is not None:
        return _discarded(answer, seats, seats.discarder)
    return _drawn(answer, seats)


def _discarded(answer: Breakdown, seats: Seats, discarder: Tile) -> tuple[Payment, ...]:
    order = in_turn(discarder, (seats.winner, *seats.also_won))
    first = order[-1 if answer.options["intercept"] == "previous_player" else 0]
    if first != seats.winner:
        return (Payment(discarder, seats.winner, 0, f"intercepted: {first} wins before (rule 5d)"),)
    why = f"{answer.total} fan at {_DISCARD}: who discards pays all (rule 5c){_not_liable(answer, seats)}"
    return (Payment(discarder, seats.winner, _DISCARD * answer.total * seats.unit, why),)


def _drawn(answer: Breakdown, seats: Seats) -> tuple[Payment, ...]:
    amount = _SELF_DRAW * answer.total * seats.unit
    share = f"{answer.total} fan at {_SELF_DRAW}"
    note = _not_liable(answer, seats)
    if seats.liable is None or note:
        why = f"{share}: all pay for a self-drawn hand (rule 5c){note}"
        return tuple(Payment(payer, seats.winner, amount, why) for payer in seats.others)
    lines = []
    for owes in seats.others:
        who = "his own loss" if owes == seats.liable else f"the loss of {owes}"
        why = f"{share}: {who}, liable for the twelfth tile (rule 5f)"
        lines.append(Payment(seats.liable, seats.winner, amount, why))
    return tuple(lines)


def _not_liable(answer: Breakdown, seats: Seats) -> str:
    """Why the one who was named as liable is not, or an empty text."""
    if seats.liable is None:
        return ""
    if seats.discarder is not None:
        reason = "only for a self-drawn hand"
    elif not answer.held & LIABLE:
        reason = "not for this hand"
    elif answer.claimed_sets < 4:
        reason = "fewer than twelve tiles are revealed"
    else:
        return ""
    return f"; {seats.liable} is not liable: {reason} (rule 5f)"


def minor_fault(offender: Tile, before: int, unit: int = 1) -> Payment:
    """A minor fault: a warning the first time in a stage, ten points each time after it (rule 6)."""
    if before == 0:
        return Payment(offender, None, 0, "minor fault: a warning the first time (rule 6)")
    return Payment(
        offender, None, MINOR_FAULT * unit, f"minor fault, repeated: {MINOR_FAULT} points (rule 6)"
    )

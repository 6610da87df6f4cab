"""Who pays whom in Hong Kong Old Style: ladders from faan to payment, how it is shared, and house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorer.fan import Breakdown, FanGroup, Option, OptionValue
from scorer.game import DrawnHand, Rotation
from scorer.settlement import Liability, NoSettlement, OfSeveral, Payment, Seats, in_turn
from scorer.tiles import WINDS, Tile

__all__ = ["LIABLE", "PAYMENT_OPTIONS", "liability", "of_several", "pay", "price", "rotation"]

_YES_NO = (True, False)

PAYMENT_OPTIONS: tuple[Option, ...] = (
    Option("ladder", "half_spicy",
           "From faan to payment: half-spicy 半辣上, full-spicy 全辣上, or doubled at 4, 7 and 10 番辣",
           ("half_spicy", "full_spicy", "4-7-10")),
    Option("sharing", "discarder",
           "Who pays how much of the price: the discarder all and each half for a drawn hand 全銃; the "
           "discarder half and the others a quarter 半銃; by units, discarder two and others one; the "
           "discarder all and each all for a drawn hand",
           ("discarder", "half", "unit", "full_each")),
    Option("dealer_doubles", False, "What the dealer wins or pays is doubled", _YES_NO),
    Option("liability", "off",
           "Who fed the set that made a great hand certain pays for all 包: never, for a drawn hand, always",
           ("off", "self_draw", "always")),
    Option("several_winners", "all", "Who is paid of several that win on one tile: all, or the first in turn",
           ("all", "first")),
    Option("robbed_kong", "discard",
           "A robbed kong is paid like a discard, or by who made it like a drawn hand",
           ("discard", "self_draw")),
    Option("false_win", "self_draw",
           "What a false win pays to each player: all of a drawn hand at the limit, the limit, or nothing",
           ("self_draw", "limit", "none")),
    Option("dealer_stays_on_win", True, "The dealer who wins deals again", _YES_NO),
    Option("dealer_stays_on_draw", True, "The dealer deals again after a drawn hand", _YES_NO),
)  # fmt: skip

#: Quarters of the price that the discarder pays, each other player beside him, and each for a drawn hand.
_SHARES: Mapping[OptionValue, tuple[int, int, int]] = {
    "discarder": (4, 0, 2),
    "half": (2, 1, 2),
    "unit": (8, 4, 8),
    "full_each": (4, 0, 4),
}
#: The hands for which somebody can be liable, and how many sets must have been claimed.
LIABLE: Mapping[str, int] = {
    "full_flush": 4,
    "all_honours": 4,
    "big_four_winds": 4,
    "big_three_dragons": 3,
    "all_kongs": 1,
}
#: The limit of a false win where the house rules have no cap.
_LIMIT = 13


def rotation(options: Mapping[str, OptionValue]) -> Rotation:
    """How the deal passes."""
    drawn = DrawnHand.STAYS if options["dealer_stays_on_draw"] else DrawnHand.PASSES
    return Rotation(bool(options["dealer_stays_on_win"]), drawn)


def of_several(options: Mapping[str, OptionValue]) -> OfSeveral:
    """Who is paid of several winners."""
    return OfSeveral.ONE if options["several_winners"] == "first" else OfSeveral.ALL


def liability(options: Mapping[str, OptionValue]) -> Liability | None:
    """When one pays for all 包, where the house rules know it."""
    if options["liability"] == "off":
        return None
    drawn_only = options["liability"] == "self_draw"
    return Liability(frozenset(LIABLE), drawn_only=drawn_only, asks_sets=True)


def price(faan: int, ladder: OptionValue) -> int:
    """What a hand of so many faan is worth on a ladder, in units.

    >>> [price(faan, "half_spicy") for faan in (0, 3, 4, 5, 6, 7, 10, 13)]
    [1, 8, 16, 24, 32, 48, 128, 384]
    >>> [price(faan, "4-7-10") for faan in (3, 4, 6, 7, 10, 13)]
    [8, 16, 16, 32, 64, 64]
    """
    if faan <= 4 or ladder == "full_spicy":
        return 1 << faan
    if ladder == "4-7-10":
        return 16 if faan < 7 else 32 if faan < 10 else 64
    # Two faan double; the one between adds half.
    even = 1 << faan // 2 + 2
    return even * 3 // 2 if faan % 2 else even


def pay(answer: Breakdown, seats: Seats) -> tuple[Payment, ...]:
    """The price of the hand, shared as the house rules say; a win that was none is paid by who claimed it."""
    if not answer.legal:
        return _false_win(answer, seats)
    if any(line.fan.group is FanGroup.FLOWER_WIN for line in answer.fans):
        # The flower was drawn, whatever tile had been discarded before.
        seats = replace(seats, discarder=None, also_won=())
    if seats.discarder is not None and answer.options["several_winners"] == "first":
        first = in_turn(seats.discarder, (seats.winner, *seats.also_won))[0]
        if first != seats.winner:
            why = f"house rule: only the first in turn wins, {first}"
            return (Payment(seats.discarder, seats.winner, 0, why),)
    robbed = any(line.fan.id == "rob_kong" for line in answer.fans)
    if seats.discarder is not None and robbed and answer.options["robbed_kong"] == "self_draw":
        why = f"for {{}}, as for a drawn hand: {seats.discarder} made the robbed kong"
        return _for_all(answer, seats, seats.discarder, why, None)
    note = _not_liable(answer, seats)
    if seats.liable is not None and not note:
        return _for_all(answer, seats, seats.liable, f"for {{}}: {seats.liable} is liable", seats.discarder)
    lines = []
    for payer in seats.losers:
        amount, why = _share(answer, seats, payer, seats.discarder)
        if amount:
            lines.append(Payment(payer, seats.winner, amount, why + note))
    return tuple(lines)


def _for_all(
    answer: Breakdown, seats: Seats, payer: Tile, reason: str, discarder: Tile | None
) -> tuple[Payment, ...]:
    """One pays what every loser owes, a line for each of them."""
    lines = []
    for owes in seats.losers:
        amount, why = _share(answer, seats, owes, discarder)
        if amount:
            lines.append(Payment(payer, seats.winner, amount, f"{why}; {reason.format(owes)}"))
    return tuple(lines)


def _share(answer: Breakdown, seats: Seats, payer: Tile, discarder: Tile | None) -> tuple[int, str]:
    """What one player owes for the hand, and why."""
    ladder, sharing = answer.options["ladder"], answer.options["sharing"]
    discards, beside, draws = _SHARES[sharing]
    if discarder is None:
        quarters, who = draws, "each for a drawn hand"
    else:
        quarters, who = (discards, "as discarder") if payer == discarder else (beside, "beside the discarder")
    whole = price(answer.total, ladder)
    why = f"{answer.total} faan, {whole} {ladder}: {_part(quarters)} {who}"
    times = seats.unit
    dealer = seats.dealer or WINDS[0]
    if answer.options["dealer_doubles"] and dealer in (seats.winner, payer):
        times, why = 2 * times, f"{why}, doubled for the dealer"
    return _whole(whole * quarters * times, seats.unit), why


def _part(quarters: int) -> str:
    names = {1: "a quarter", 2: "half", 4: "all", 8: "twice that"}
    return names.get(quarters, "nothing")


def _whole(quarters: int, unit: int) -> int:
    """Quarters as a sum. Raises NoSettlement where there is no whole one."""
    if quarters % 4:
        times = 2 if quarters % 2 == 0 else 4
        raise NoSettlement(f"the shares are no whole sums; a unit of {times * unit} makes them whole")
    return quarters // 4


def _not_liable(answer: Breakdown, seats: Seats) -> str:
    """Why the one who was named as liable is not, or an empty text."""
    if seats.liable is None:
        return ""
    needed = [sets for fan, sets in LIABLE.items() if fan in answer.held]
    if answer.options["liability"] == "off":
        reason = "the house rule liability is off"
    elif answer.options["liability"] == "self_draw" and seats.discarder is not None:
        reason = "only for a drawn hand"
    elif not needed:
        reason = "not for this hand"
    elif answer.claimed_sets < min(needed):
        reason = "too few sets were claimed"
    else:
        return ""
    return f"; {seats.liable} is not liable: {reason}"


def _false_win(answer: Breakdown, seats: Seats) -> tuple[Payment, ...]:
    rule, cap = answer.options["false_win"], answer.options["cap"]
    if rule == "none":
        return ()
    faan = cap if isinstance(cap, int) else _LIMIT
    whole = price(faan, answer.options["ladder"])
    quarters, what = 4, f"the limit of {faan} faan"
    if rule == "self_draw":
        quarters, what = 3 * _SHARES[answer.options["sharing"]][2], f"all of a drawn hand of {faan} faan"
    amount = _whole(whole * quarters * seats.unit, seats.unit)
    why = f"false win: {what} to each player"
    return tuple(Payment(seats.winner, other, amount, why) for other in seats.others)

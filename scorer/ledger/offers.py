"""What can be entered into a match beside wins and draws: what its rule set knows under its house rules."""

from __future__ import annotations

from typing import Any

from scorer.ledger.match import Match

__all__ = ["offers"]


def offers(match: Match) -> dict[str, Any]:
    """As plain data, for whoever draws a form: nothing of it is asked where the rule set has no use for it.

    `of_several` is who is paid of several winners on one tile, `liability` when one pays for others (null:
    never), `instants` what is paid at once with the units that each other player pays, `opening` whether it
    matters that bonus tiles lay there before the first replacement, `faults` whether minor faults are priced,
    `announced` whether a worth that is announced is paid though the hand has another, and `draw_kongs`
    whether the deal after a drawn hand depends on who has declared a kong.
    """
    rules = match.ruleset
    price = rules.priced_at_once
    priced, opening = ({}, {}) if price is None else (price(match.options, False), price(match.options, True))
    several = None if rules.of_several is None else rules.of_several(match.options)
    return {
        "of_several": None if several is None else several.value,
        "liability": _liability(match),
        "instants": [{"id": name, "units": units} for name, units in priced.items()],
        "opening": priced != opening,
        "faults": rules.fault is not None,
        "announced": rules.declared is not None,
        "draw_kongs": match.game().rotation.on_draw.asks_kongs,
    }


def _liability(match: Match) -> dict[str, Any] | None:
    rules = match.ruleset
    known = None if rules.liability is None else rules.liability(match.options)
    if known is None:
        return None
    # Only those that the house rules leave in the table, in its order.
    fans = [fan for fan in rules.table(match.options).fans if fan.id in known.fans]
    return {
        "fans": [{"id": fan.id, "name": fan.name.to_dict()} for fan in fans],
        "others": known.others,
        "drawn_only": known.drawn_only,
        "asks_sets": known.asks_sets,
    }

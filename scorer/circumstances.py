"""Whether the circumstances of a win can be true of a hand, and which circumstances are possible where some
are unknown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

from scorer.facts import Tally
from scorer.hand import Context, Hand, Win
from scorer.tiles import WINDS, Tile

__all__ = ["Contradiction", "Scenario", "contradictions", "scenarios"]

_DRAW, _ROB = Win.SELF_DRAW, Win.ROB_KONG
#: The circumstances of a tile that the winner drew.
_DRAWN = ("kong_replacement", "flower_replacement", "double_flower", "double_kong", "heavenly")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A stated circumstance that cannot be.

    When the rules themselves void the claim (a heavenly hand of one who is not the dealer) it is not counted,
    and
    `voids` names the flag. When only the tiles speak against it (a kong replacement where no kong lies)
    somebody is
    mistaken: the claim stands in the answer, and `blocks` says that the win is not legal until that is
    settled.
    """

    code: str
    detail: str
    voids: str | None = None
    blocks: bool = False

    def to_dict(self) -> dict[str, str]:
        """As a problem of the answer."""
        return {"code": self.code, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class Scenario:
    """One way in which the unknowns may be: a context without unknowns (flags that cannot count are taken
    out)."""

    context: Context
    winning: Tile | None
    contradictions: tuple[Contradiction, ...]


def contradictions(
    counted: Tally, context: Context, winning: Tile | None, robbed_last_tile: bool = False
) -> tuple[Contradiction, ...]:
    """What in `context` cannot be true of the hand. Unknown circumstances contradict nothing.

    `robbed_last_tile`: in these rules the tile of a robbed kong may be the last of the wall.
    """
    win, flags = context.win, context.flags
    if not flags and win is not _ROB:
        return ()
    found: list[Contradiction] = []
    others = 0 if winning is None or winning.index >= 34 else counted.counts[winning.index] - 1
    if win is _ROB and others > 0:
        found.append(
            Contradiction(
                "rob_kong_impossible",
                f"nobody else can have made a kong of {winning}: this hand holds {others} more of it",
                blocks=True,
            )
        )
    if not flags:
        return tuple(found)
    if win is not None and win is not _DRAW:
        for flag in _DRAWN:
            if flag in flags:
                found.append(_void(flag, f"needs a self-drawn win, not {win.value}"))
    if "robbed_concealed_kong" in flags and win not in (None, Win.ROB_KONG):
        found.append(_void("robbed_concealed_kong", f"needs a robbed kong, not {win.value}"))
    if win is Win.ROB_KONG and "last_wall_tile" in flags and not robbed_last_tile:
        found.append(_void("last_wall_tile", "a robbed kong is neither the last draw nor the last discard"))
    found.extend(_kong_claims(counted, flags))
    found.extend(_first_turn_claims(counted, context))
    if "last_of_its_kind" in flags and winning is not None:
        hidden = _hidden(counted, winning)
        if hidden > 0:
            found.append(_void("last_of_its_kind", f"this hand itself holds {hidden} more of {winning}"))
    return tuple(found)


def _hidden(counted: Tally, winning: Tile) -> int:
    """How many more of the winning tile nobody but the winner sees. What lies open in claimed sets is seen by
    all."""
    return counted.standing[winning.index] - 1 if winning.index < 34 else 0


def _void(flag: str, detail: str) -> Contradiction:
    return Contradiction(f"{flag}_ignored", f"{flag}: {detail}", voids=flag)


def _kong_claims(counted: Tally, flags: frozenset[str]) -> list[Contradiction]:
    kongs = counted.concealed_kongs + counted.claimed_kongs
    found = []
    if "double_kong" in flags and kongs < 2:
        found.append(
            _void("double_kong", f"needs two kongs on the table; here {'is one' if kongs else 'is none'}")
        )
    if "kong_replacement" in flags and kongs == 0:
        detail = "kong_replacement: no kong lies on the table"
        found.append(Contradiction("kong_replacement_without_kong", detail, blocks=True))
    return found


def _first_turn_claims(counted: Tally, context: Context) -> list[Contradiction]:
    found = []
    dealer = context.seat == WINDS[0]
    for flag in ("heavenly", "earthly", "humanly"):
        if flag not in context.flags:
            continue
        if context.seat is not None and dealer is not (flag == "heavenly"):
            who = "only the dealer (seat 1z)" if flag == "heavenly" else "not the dealer (seat 1z)"
            found.append(_void(flag, f"{who} can win so"))
        elif counted.hand.melds:
            found.append(_void(flag, "no set can lie on the table yet"))
        elif flag == "humanly" and context.win is not None and context.win is not Win.DISCARD:
            found.append(_void(flag, f"needs a discard, not {context.win.value}"))
    return found


def _winning_tiles(hand: Hand) -> tuple[Tile | None, ...]:
    if hand.winning is not None:
        return (hand.winning,)
    return tuple(sorted(set(hand.concealed))) or (None,)


def _winds(counted: Tally, asked: Tile | None, flowers: bool) -> tuple[Tile, ...]:
    """The winds worth telling apart: those that the hand holds twice, or whose flower it has, and one of the
    rest."""
    if asked is not None:
        return (asked,)
    telling = [
        wind
        for wind in WINDS
        if counted.counts[wind.index] >= 2
        or (flowers and {wind.rank, wind.rank + 4} & counted.flowers)
        or (flowers and wind is WINDS[0])  # the dealer
    ]
    rest = [wind for wind in WINDS if wind not in telling]
    return (*telling, *rest[:1])


def _open_flags(context: Context) -> list[tuple[str, ...]]:
    """Every choice among the circumstances that are left open."""
    unknown = sorted(context.unknown)
    return [chosen for size in range(len(unknown) + 1) for chosen in combinations(unknown, size)]


def scenarios(counted: Tally, context: Context, robbed_last_tile: bool = False) -> tuple[Scenario, ...]:
    """Every way in which the unknowns can be, leaving out those that contradict what is known.

    Only when all of them contradict it are they all returned.
    """
    known = (
        context.win is not None
        and context.seat is not None
        and context.round is not None
        and counted.hand.winning is not None
    )
    if known and not context.unknown:
        return (_scenario(counted, context, counted.hand.winning, robbed_last_tile),)
    wins = (context.win,) if context.win is not None else tuple(Win)
    found = [
        _scenario(
            counted,
            Context(win, seat, wind, context.flags.union(flags), context.flowers),
            winning,
            robbed_last_tile,
        )
        for winning in _winning_tiles(counted.hand)
        for win in wins
        for seat in _winds(counted, context.seat, True)
        for wind in _winds(counted, context.round, False)
        for flags in _open_flags(context)
    ]
    fewest = min(len(scenario.contradictions) for scenario in found)
    return tuple(scenario for scenario in found if len(scenario.contradictions) == fewest)


def _scenario(counted: Tally, context: Context, winning: Tile | None, robbed_last_tile: bool) -> Scenario:
    found = contradictions(counted, context, winning, robbed_last_tile)
    voided = {item.voids for item in found if item.voids}
    counting = replace(context, flags=context.flags - voided) if voided else context
    return Scenario(counting, winning, found)

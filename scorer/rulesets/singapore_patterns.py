"""What only Singapore's rules ask of a hand: the pair, wait and bonus tiles of ping hu, and a drawn win of a
concealed hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scorer import patterns
from scorer.facts import Facts
from scorer.needs import Need, needs
from scorer.shapes import Form, shapes
from scorer.tiles import ALL_TILES
from scorer.waits import waits

__all__ = ["fully_concealed", "lesser_ping_hu", "ping_hu"]

_Count = Callable[[Facts], int]
_SETS = frozenset({Form.STANDARD})


def _worthless(facts: Facts, pair: int) -> bool:
    """Whether a pair is of a suit, or of a wind that is neither the seat's nor the round's."""
    return pair < 27 or (pair < 31 and pair not in (26 + facts.seat, 26 + facts.round))


def _four_chows(facts: Facts) -> bool:
    return bool(patterns.all_chows(facts)) and _worthless(facts, facts.pair)


def _with_bonus(facts: Facts) -> bool:
    return bool(facts.tally.hand.bonus) or facts.tally.flower_count > 0


def _only_pair_stands(facts: Facts) -> bool:
    return len(facts.tally.hand.standing) == 2


def _completes_chows(facts: Facts, kind: int) -> bool:
    """Whether the tiles before the win and one of that kind read as four chows and a worthless pair."""
    hand = facts.tally.hand
    standing = list(hand.standing)
    standing.remove(ALL_TILES[facts.winning])
    other = replace(hand, concealed=tuple(standing), winning=ALL_TILES[kind])
    return any(
        sum(len(set(group.tiles())) == 3 for group in shape.groups) == 4 and _worthless(facts, shape.pair)
        for shape in shapes(other, _SETS)
    )


def _waits_for_two(facts: Facts, over: str, exhausted: bool) -> bool:
    """Whether at least two kinds of tile would have won.

    `over`: `none` asks for nothing, `hand` for any two kinds that win, `reading` for two with which the hand
    is four chows. `exhausted`: a kind counts too of which the winner holds all four.
    """
    if over == "none":
        return True
    if facts.winning < 0:
        return False
    before = list(facts.tally.standing)
    before[facts.winning] -= 1
    held = list(facts.tally.counts)
    held[facts.winning] -= 1
    wanted = waits(tuple(before), _SETS)
    kinds = [kind for kind in range(34) if wanted >> kind & 1 and (exhausted or held[kind] < 4)]
    if over == "reading":
        kinds = [kind for kind in kinds if _completes_chows(facts, kind)]
    return len(kinds) >= 2


def ping_hu(over: str, exhausted: bool) -> _Count:
    """Four chows, a worthless pair and no bonus tile 平胡.

    A discard must complete a hand that waits for two kinds at least. A drawn tile need not, but where four
    chows lie on the table the wait for the pair never counts.
    """

    @needs(Need.FOUR_CHOWS)
    def when(facts: Facts) -> int:
        if not _four_chows(facts) or _with_bonus(facts) or _only_pair_stands(facts):
            return 0
        return int(facts.self_drawn or _waits_for_two(facts, over, exhausted))

    return when


def lesser_ping_hu(wait: bool, over: str, exhausted: bool) -> _Count:
    """The same with bonus tiles 小平胡; where `wait` is false, however the hand waits."""

    @needs(Need.FOUR_CHOWS)
    def when(facts: Facts) -> int:
        if not _four_chows(facts) or not _with_bonus(facts):
            return 0
        if not wait:
            return 1
        if _only_pair_stands(facts):
            return 0
        return int(facts.self_drawn or _waits_for_two(facts, over, exhausted))

    return when


def fully_concealed(kong_keeps: bool) -> _Count:
    """No claimed set, and the winning tile drawn 门清. `kong_keeps`: a concealed kong opens nothing."""
    concealed = patterns.concealed_hand if kong_keeps else patterns.fully_standing
    return needs(Need.DRAWN, Need.NO_CLAIM)(lambda facts: int(facts.self_drawn and concealed(facts)))

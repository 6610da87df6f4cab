"""What the fans of the Chinese Official rules ask of a hand beyond the patterns that other rule sets share.

The pattern of a fan says that it is there, not that it counts: what others contain is for the table and for
`mcr_principles` to take away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scorer import restrictions
from scorer.combinations import chow_fans, pung_combinations, pung_fans
from scorer.facts import Facts
from scorer.hand import Win
from scorer.melds import MeldKind
from scorer.shapes import IN_PAIR, ORPHANS, Form, Group
from scorer.waits import waits

__all__ = ["FORMS", "chows", "pungs"]

#: The winning forms of these rules.
FORMS = frozenset(
    {
        Form.STANDARD,
        Form.SEVEN_PAIRS,
        Form.REPEATED_PAIRS,
        Form.THIRTEEN_ORPHANS,
        Form.KNITTED_STRAIGHT,
        Form.HONOURS_AND_KNITTED,
    }
)
_PAIRS = (Form.SEVEN_PAIRS, Form.REPEATED_PAIRS)
_ORPHAN = frozenset(ORPHANS)
_NONE: Mapping[str, int] = {}


# Families of sets


def chows(fan: str) -> Callable[[Facts], int]:
    """How many combinations of chows make the fan."""

    def when(facts: Facts) -> int:
        return chow_fans(facts.chows, facts.pair).get(fan, 0) if len(facts.chows) > 1 else 0

    return when


def pungs(fan: str) -> Callable[[Facts], int]:
    """How many combinations of pungs and kongs make the fan."""

    def when(facts: Facts) -> int:
        return pung_fans(facts.pungs).get(fan, 0) if len(facts.pungs) > 1 else 0

    return when


def chow_family(facts: Facts) -> Mapping[str, int]:
    """All the fans that the chows make."""
    return chow_fans(facts.chows, facts.pair) if len(facts.chows) > 1 else _NONE


def pung_family(facts: Facts) -> Mapping[str, int]:
    """All the fans that the pungs and kongs make by their ranks."""
    return pung_fans(facts.pungs) if len(facts.pungs) > 1 else _NONE


def double_pung_parts(facts: Facts) -> tuple[tuple[int, ...], ...]:
    """The tiles of each pair of pungs of one rank."""
    return tuple(
        tuple(facts.pungs[place] for place in item.at)
        for item in pung_combinations(facts.pungs)
        if item.fan == "double_pung"
    )


def all_chows(facts: Facts) -> int:
    """Nothing but chows and a suited pair; a knitted straight stands for three of them 平和."""
    needed = 1 if facts.form is Form.KNITTED_STRAIGHT else 4
    return int(len(facts.chows) == needed and facts.pair < 27)


# Whole hands


def all_even_pungs(facts: Facts) -> int:
    """Pungs and a pair of even tiles 全双刻."""
    return int(len(facts.pungs) == 4 and restrictions.all_even(facts))


def all_fives(facts: Facts) -> int:
    """A five in every set and in the pair 全带五."""
    if facts.form is not Form.STANDARD or facts.pair >= 27 or facts.pair % 9 != 4:
        return 0
    return int(all(_holds_five(group) for group in facts.shape.groups))


def _holds_five(group: Group) -> bool:
    rank = group.tile % 9
    return group.tile < 27 and (2 <= rank <= 4 if group.kind is MeldKind.CHOW else rank == 4)


def outside_hand(facts: Facts) -> int:
    """A terminal or honour in every set and in the pair 全带幺."""
    if facts.form is not Form.STANDARD or facts.pair not in _ORPHAN:
        return 0
    return int(
        all(tile in _ORPHAN for tile in facts.pungs) and all(tile % 9 in (0, 6) for tile in facts.chows)
    )


def seven_pairs(facts: Facts) -> int:
    """Seven pairs; four of a kind are two of them 七对."""
    return int(facts.form in _PAIRS)


def seven_shifted_pairs(facts: Facts) -> int:
    """Seven pairs of one suit in a row 连七对."""
    pairs = facts.shape.pairs
    if facts.form is not Form.SEVEN_PAIRS or pairs[-1] >= 27:
        return 0
    return int(pairs[-1] - pairs[0] == 6 and pairs[0] // 9 == pairs[-1] // 9)


def lesser_honours_and_knitted(facts: Facts) -> int:
    """Fourteen single tiles: honours, and suited tiles of one knitted pattern 全不靠."""
    return int(facts.form is Form.HONOURS_AND_KNITTED)


def greater_honours_and_knitted(facts: Facts) -> int:
    """The same with all seven honours 七星不靠."""
    return int(facts.form is Form.HONOURS_AND_KNITTED and len(facts.shape.knitted) == 7)


def knitted_straight(facts: Facts) -> int:
    """147, 258 and 369 of three suits, beside a set and a pair or beside five honours 组合龙."""
    return int(len(facts.shape.knitted) == 9)


def knitted_straight_with_sets(facts: Facts) -> int:
    """The same beside a set and a pair only."""
    return int(facts.form is Form.KNITTED_STRAIGHT)


def all_types(facts: Facts) -> int:
    """Three suits, winds and dragons 五门齐."""
    return restrictions.all_types(facts)


def all_types_in_sets(facts: Facts) -> int:
    """The same, seven pairs left out."""
    return 0 if facts.form in _PAIRS else restrictions.all_types(facts)


# Honours


def wind_pungs(facts: Facts) -> int:
    """How many pungs of winds."""
    return sum(27 <= tile < 31 for tile in facts.pungs)


def big_three_winds(facts: Facts) -> int:
    """Pungs of three winds 三风刻."""
    return int(wind_pungs(facts) >= 3)


def dragon_pung(facts: Facts) -> int:
    """Pungs of dragons, each once 箭刻."""
    return sum(tile >= 31 for tile in facts.pungs)


def two_dragon_pungs(facts: Facts) -> int:
    """Pungs of two dragons 双箭刻."""
    return int(dragon_pung(facts) >= 2)


def outside_pungs(facts: Facts) -> tuple[tuple[int, ...], ...]:
    """The pungs of terminals and honours, each by its tile."""
    return tuple((tile,) for tile in facts.pungs if tile in _ORPHAN)


def pung_of_terminals_or_honours(facts: Facts) -> int:
    """Pungs of terminals and honours, each once 幺九刻."""
    return sum(tile in _ORPHAN for tile in facts.pungs)


# Kongs and concealed pungs


def kongs(least: int) -> Callable[[Facts], int]:
    """So many kongs, in whatever way they were made."""
    return lambda facts: int(len(facts.kongs) >= least)


def two_concealed_kongs(facts: Facts) -> int:
    """Two concealed kongs 双暗杠."""
    return int(facts.tally.concealed_kongs >= 2)


def two_melded_kongs(facts: Facts) -> int:
    """Two claimed kongs 双明杠."""
    return int(facts.tally.claimed_kongs >= 2)


def concealed_and_melded_kong(facts: Facts) -> int:
    """A concealed kong and a claimed one 明暗杠."""
    return int(facts.tally.concealed_kongs >= 1 and facts.tally.claimed_kongs >= 1)


def concealed_kong(facts: Facts) -> int:
    """A concealed kong 暗杠."""
    return int(facts.tally.concealed_kongs >= 1)


def melded_kong(facts: Facts) -> int:
    """A claimed kong 明杠."""
    return int(facts.tally.claimed_kongs >= 1)


def concealed_pungs(least: int) -> Callable[[Facts], int]:
    """So many pungs and kongs none of whose tiles was claimed."""
    return lambda facts: int(facts.concealed_pungs >= least)


# The way of winning


def concealed_hand(facts: Facts) -> int:
    """No claimed set, won on another player's tile 门前清."""
    return int(not facts.tally.is_open and not facts.self_drawn)


def fully_concealed_hand(facts: Facts) -> int:
    """No claimed set, self-drawn 不求人."""
    return int(not facts.tally.is_open and facts.self_drawn)


def melded_hand(facts: Facts) -> int:
    """Four claimed sets, and another player's tile for the pair 全求人."""
    melds = facts.tally.hand.melds
    return int(len(melds) == 4 and not facts.self_drawn and not any(meld.concealed for meld in melds))


def out_with_replacement_tile(facts: Facts) -> int:
    """Drew the winning tile to replace the fourth tile of a kong; of a flower does not count 杠上开花."""
    return int("kong_replacement" in facts.flags or "double_kong" in facts.flags)


def last_tile(facts: Facts) -> int:
    """The fourth of its kind when the other three lie open to all: as stated, or in the winner's own claimed
    sets 和绝张."""
    if "last_of_its_kind" in facts.flags:
        return 1
    if facts.tally.counts[facts.winning] < 4 or facts.winning < 0:
        return 0
    shown = [tile.index for meld in facts.tally.hand.melds if not meld.concealed for tile in meld.tiles]
    return int(shown.count(facts.winning) == 3)


def rob_kong(facts: Facts) -> int:
    """Won on the tile that another player added to a claimed pung 抢杠和."""
    return int(facts.win is Win.ROB_KONG)


# Waits


def edge_wait(facts: Facts) -> int:
    """Waited for nothing but the three of 12 or the seven of 89 边张."""
    tile = _completed_chow(facts)
    if tile < 0:
        return 0
    at_edge = (tile % 9 == 0 and facts.winning == tile + 2) or (tile % 9 == 6 and facts.winning == tile)
    return int(at_edge and sole_wait(facts))


def closed_wait(facts: Facts) -> int:
    """Waited for nothing but the middle tile of a chow 坎张."""
    tile = _completed_chow(facts)
    return int(tile >= 0 and facts.winning == tile + 1 and sole_wait(facts))


def single_wait(facts: Facts) -> int:
    """Waited for nothing but a tile of the pair 单钓将."""
    return int(facts.place == IN_PAIR and sole_wait(facts))


def _completed_chow(facts: Facts) -> int:
    """The lowest tile of the chow that the winning tile completed, or -1."""
    if facts.place < 0:
        return -1
    group = facts.shape.groups[facts.place]
    return group.tile if group.kind is MeldKind.CHOW else -1


def sole_wait(facts: Facts) -> bool:
    """Whether one kind of tile only would have completed the hand, over all kinds and all winning forms.

    Kinds of which the winner already held all four are counted too (MIL 2025 annex 1, items 9 and 10). One
    who wins with the tiles dealt waited for nothing.
    """
    winning = facts.winning
    if winning < 0 or "heavenly" in facts.flags:
        return False
    before = list(facts.tally.standing)
    before[winning] -= 1
    return waits(tuple(before), FORMS) == 1 << winning


def outside_knitted(wait: Callable[[Facts], int]) -> Callable[[Facts], int]:
    """The wait, unless the tile is also one of the nine of a knitted straight."""
    return lambda facts: 0 if facts.winning in facts.shape.knitted else wait(facts)

"""What the fans of the Chinese Official rules ask of a hand beyond the patterns that other rule sets share.

The pattern of a fan says that it is there, not that it counts: what others contain is for the table and for
`mcr_principles` to take away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scorer import restrictions
from scorer.combinations import pung_combinations, pung_fans, read_chows
from scorer.facts import Facts
from scorer.hand import Win
from scorer.needs import Need, needs
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
_STANDARD, _SINGLES, _STRAIGHT = Form.STANDARD, Form.HONOURS_AND_KNITTED, Form.KNITTED_STRAIGHT
_SEVEN_PAIRS, _PAIRS = Form.SEVEN_PAIRS, (Form.SEVEN_PAIRS, Form.REPEATED_PAIRS)
_ROBBED = Win.ROB_KONG
_SO_MANY_PUNGS = {2: Need.TWO_PUNGS, 3: Need.THREE_PUNGS, 4: Need.FOUR_PUNGS}
_ORPHAN = frozenset(ORPHANS)
_END_CHOWS = frozenset({0, 6, 9, 15, 18, 24})
_NONE: Mapping[str, int] = {}


# Families of sets


def chows(fan: str) -> Callable[[Facts], int]:
    """How many combinations of chows make the fan."""
    return needs(Need.TWO_CHOWS)(lambda facts: chow_family(facts).get(fan, 0))


def pungs(fan: str) -> Callable[[Facts], int]:
    """How many combinations of pungs and kongs make the fan."""
    return needs(Need.TWO_PUNGS)(lambda facts: pung_family(facts).get(fan, 0))


def chow_family(facts: Facts) -> Mapping[str, int]:
    """All the fans that the chows make."""
    return read_chows(facts.chows, facts.pair).fans if len(facts.chows) > 1 else _NONE


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


@needs(Need.CHOW)
def all_chows(facts: Facts) -> int:
    """Nothing but chows and a suited pair; a knitted straight stands for three of them 平和."""
    needed = 1 if facts.form is _STRAIGHT else 4
    return int(len(facts.chows) == needed and facts.pair < 27)


# Whole hands


@needs(Need.FOUR_PUNGS)
def all_even_pungs(facts: Facts) -> int:
    """Pungs and a pair of even tiles 全双刻."""
    return int(len(facts.pungs) == 4 and restrictions.all_even(facts))


@needs(Need.NO_HONOURS)
def all_fives(facts: Facts) -> int:
    """A five in every set and in the pair 全带五."""
    if facts.form is not _STANDARD or facts.pair >= 27 or facts.pair % 9 != 4:
        return 0
    return int(all(_holds_five(group) for group in facts.shape.groups))


def _holds_five(group: Group) -> bool:
    rank = group.tile % 9
    return group.tile < 27 and (2 <= rank <= 4 if group.is_chow else rank == 4)


def outside_hand(facts: Facts) -> int:
    """A terminal or honour in every set and in the pair 全带幺."""
    if facts.form is not _STANDARD or facts.pair not in _ORPHAN:
        return 0
    return int(_ORPHAN.issuperset(facts.pungs) and _END_CHOWS.issuperset(facts.chows))


@needs(Need.NO_SETS)
def seven_pairs(facts: Facts) -> int:
    """Seven pairs; four of a kind are two of them 七对."""
    return int(facts.form in _PAIRS)


@needs(Need.NO_SETS, Need.ONE_SUIT, Need.NO_HONOURS)
def seven_shifted_pairs(facts: Facts) -> int:
    """Seven pairs of one suit in a row 连七对."""
    pairs = facts.shape.pairs
    if facts.form is not _SEVEN_PAIRS or pairs[-1] >= 27:
        return 0
    return int(pairs[-1] - pairs[0] == 6 and pairs[0] // 9 == pairs[-1] // 9)


@needs(Need.NO_SETS, Need.KNITTED)
def lesser_honours_and_knitted(facts: Facts) -> int:
    """Fourteen single tiles: honours, and suited tiles of one knitted pattern 全不靠."""
    return int(facts.form is _SINGLES)


@needs(Need.NO_SETS, Need.KNITTED)
def greater_honours_and_knitted(facts: Facts) -> int:
    """The same with all seven honours 七星不靠."""
    return int(facts.form is _SINGLES and len(facts.shape.knitted) == 7)


@needs(Need.KNITTED)
def knitted_straight(facts: Facts) -> int:
    """147, 258 and 369 of three suits, beside a set and a pair or beside five honours 组合龙."""
    return int(len(facts.shape.knitted) == 9)


@needs(Need.KNITTED)
def knitted_straight_with_sets(facts: Facts) -> int:
    """The same beside a set and a pair only."""
    return int(facts.form is _STRAIGHT)


@needs(Need.HONOURS)
def all_types(facts: Facts) -> int:
    """Three suits, winds and dragons 五门齐."""
    return restrictions.all_types(facts)


@needs(Need.HONOURS)
def all_types_in_sets(facts: Facts) -> int:
    """The same, seven pairs left out."""
    return 0 if facts.form in _PAIRS else restrictions.all_types(facts)


# Honours


@needs(Need.WIND_PUNG)
def wind_pungs(facts: Facts) -> int:
    """How many pungs of winds."""
    return sum([27 <= tile < 31 for tile in facts.pungs])


@needs(Need.THREE_PUNGS, Need.WIND_PUNG)
def big_three_winds(facts: Facts) -> int:
    """Pungs of three winds 三风刻."""
    return int(wind_pungs(facts) >= 3)


@needs(Need.DRAGON_PUNG)
def dragon_pung(facts: Facts) -> int:
    """Pungs of dragons, each once 箭刻."""
    return sum([tile >= 31 for tile in facts.pungs])


@needs(Need.TWO_PUNGS, Need.DRAGON_PUNG)
def two_dragon_pungs(facts: Facts) -> int:
    """Pungs of two dragons 双箭刻."""
    return int(dragon_pung(facts) >= 2)


def outside_pungs(facts: Facts) -> tuple[tuple[int, ...], ...]:
    """The pungs of terminals and honours, each by its tile."""
    return tuple((tile,) for tile in facts.pungs if tile in _ORPHAN)


@needs(Need.PUNG)
def pung_of_terminals_or_honours(facts: Facts) -> int:
    """Pungs of terminals and honours, each once 幺九刻."""
    return sum([tile in _ORPHAN for tile in facts.pungs])


# Kongs and concealed pungs


def kongs(least: int) -> Callable[[Facts], int]:
    """So many kongs, in whatever way they were made."""
    return needs(Need.KONG, _SO_MANY_PUNGS[least])(lambda facts: int(len(facts.kongs) >= least))


@needs(Need.KONG, Need.TWO_PUNGS)
def two_concealed_kongs(facts: Facts) -> int:
    """Two concealed kongs 双暗杠."""
    return int(facts.tally.concealed_kongs >= 2)


@needs(Need.KONG, Need.TWO_PUNGS)
def two_melded_kongs(facts: Facts) -> int:
    """Two claimed kongs 双明杠."""
    return int(facts.tally.claimed_kongs >= 2)


@needs(Need.KONG, Need.TWO_PUNGS)
def concealed_and_melded_kong(facts: Facts) -> int:
    """A concealed kong and a claimed one 明暗杠."""
    return int(facts.tally.concealed_kongs >= 1 and facts.tally.claimed_kongs >= 1)


@needs(Need.KONG)
def concealed_kong(facts: Facts) -> int:
    """A concealed kong 暗杠."""
    return int(facts.tally.concealed_kongs >= 1)


@needs(Need.KONG)
def melded_kong(facts: Facts) -> int:
    """A claimed kong 明杠."""
    return int(facts.tally.claimed_kongs >= 1)


def concealed_pungs(least: int) -> Callable[[Facts], int]:
    """So many pungs and kongs none of whose tiles was claimed."""
    return needs(_SO_MANY_PUNGS[least])(lambda facts: int(facts.concealed_pungs >= least))


# The way of winning


@needs(Need.NO_CLAIM)
def concealed_hand(facts: Facts) -> int:
    """No claimed set, won on another player's tile 门前清."""
    return int(not facts.tally.is_open and not facts.self_drawn)


@needs(Need.NO_CLAIM, Need.DRAWN)
def fully_concealed_hand(facts: Facts) -> int:
    """No claimed set, self-drawn 不求人."""
    return int(not facts.tally.is_open and facts.self_drawn)


@needs(Need.PAIR_COMPLETED)
def melded_hand(facts: Facts) -> int:
    """Four claimed sets, and another player's tile for the pair 全求人."""
    return int(facts.tally.claimed_sets == 4 and not facts.self_drawn)


@needs(Need.FLAGS)
def out_with_replacement_tile(facts: Facts) -> int:
    """Drew the winning tile to replace the fourth tile of a kong; of a flower does not count 杠上开花."""
    return int("kong_replacement" in facts.flags or "double_kong" in facts.flags)


def last_tile(facts: Facts) -> int:
    """The fourth of its kind when the other three lie open to all: as stated, or in the winner's own claimed
    sets 和绝张."""
    counted = facts.tally
    if "last_of_its_kind" in facts.flags:
        return 1
    if counted.claimed_sets == 0 or counted.counts[facts.winning] < 4 or facts.winning < 0:
        return 0
    shown = [tile.index for meld in counted.hand.melds if not meld.concealed for tile in meld.tiles]
    return int(shown.count(facts.winning) == 3)


@needs(Need.ROBBED)
def rob_kong(facts: Facts) -> int:
    """Won on the tile that another player added to a claimed pung 抢杠和."""
    return int(facts.win is _ROBBED)


@needs(Need.FLOWERS)
def flowers(facts: Facts) -> int:
    """Flowers and seasons, each once, listed or only counted 花牌."""
    return facts.tally.flower_count


# Waits


@needs(Need.CHOW_COMPLETED)
def edge_wait(facts: Facts) -> int:
    """Waited for nothing but the three of 12 or the seven of 89 边张."""
    tile = _completed_chow(facts)
    if tile < 0:
        return 0
    at_edge = (tile % 9 == 0 and facts.winning == tile + 2) or (tile % 9 == 6 and facts.winning == tile)
    return int(at_edge and sole_wait(facts))


@needs(Need.CHOW_COMPLETED)
def closed_wait(facts: Facts) -> int:
    """Waited for nothing but the middle tile of a chow 坎张."""
    tile = _completed_chow(facts)
    return int(tile >= 0 and facts.winning == tile + 1 and sole_wait(facts))


@needs(Need.PAIR_COMPLETED)
def single_wait(facts: Facts) -> int:
    """Waited for nothing but a tile of the pair 单钓将."""
    return int(facts.place == IN_PAIR and sole_wait(facts))


def _completed_chow(facts: Facts) -> int:
    """The lowest tile of the chow that the winning tile completed, or -1."""
    if facts.place < 0:
        return -1
    group = facts.shape.groups[facts.place]
    return group.tile if group.is_chow else -1


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

    def when(facts: Facts) -> int:
        return 0 if facts.winning in facts.shape.knitted else wait(facts)

    return when

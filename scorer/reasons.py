"""Why a fan that is claimed is not there, as far as what it needs can tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from scorer import evidence
from scorer.facts import Facts
from scorer.fan import Fan, FanGroup, Name
from scorer.needs import Need, needed
from scorer.ruleset import Table
from scorer.tiles import Tile

__all__ = ["why_absent"]

#: What a hand lacks, the plainest first.
_LACKS: Mapping[Need, Name] = {
    Need.DRAWN: Name("the winning tile was not drawn", "和牌張並非自摸"),
    Need.ROBBED: Name("no kong was robbed", "並非搶槓"),
    Need.FLAGS: Name("no such circumstance is stated", "未聲明此情況"),
    Need.NO_CLAIM: Name("a set was claimed", "有吃碰明槓"),
    Need.NO_TABLE: Name("a set lies on the table", "有副露"),
    Need.KONG: Name("there is no kong", "沒有槓"),
    Need.DRAGON_PUNG: Name("there is no pung of dragons", "沒有三元牌刻子"),
    Need.WIND_PUNG: Name("there is no pung of winds", "沒有風牌刻子"),
    Need.FOUR_CHOWS: Name("the sets are not four chows", "並非四副順子"),
    Need.THREE_CHOWS: Name("there are fewer than three chows", "順子不足三副"),
    Need.TWO_CHOWS: Name("there are fewer than two chows", "順子不足兩副"),
    Need.CHOW: Name("there is no chow", "沒有順子"),
    Need.FOUR_PUNGS: Name("the sets are not four pungs or kongs", "並非四副刻子"),
    Need.THREE_PUNGS: Name("there are fewer than three pungs or kongs", "刻子不足三副"),
    Need.TWO_PUNGS: Name("there are fewer than two pungs or kongs", "刻子不足兩副"),
    Need.PUNG: Name("there is no pung or kong", "沒有刻子"),
    Need.NO_SETS: Name("the hand is made of sets", "此牌由面子組成"),
    Need.KNITTED: Name("there are no knitted tiles", "沒有組合牌"),
    Need.ONE_SUIT: Name("the tiles are not of one suit", "並非一種花色"),
    Need.TWO_SUITS: Name("the tiles are not of two suits", "並非兩種花色"),
    Need.NO_SUIT: Name("there are tiles of a suit", "有數牌"),
    Need.HONOURS: Name("there are no honours", "沒有字牌"),
    Need.NO_HONOURS: Name("there are honours", "有字牌"),
    Need.ONLY_OUTSIDE: Name("there are tiles from two to eight", "有二至八的數牌"),
    Need.FOUR_ALIKE: Name("there are not four of any tile", "沒有四張相同的牌"),
    Need.CHOW_COMPLETED: Name("the winning tile completes no chow", "和牌張並非組成順子"),
    Need.PAIR_COMPLETED: Name("the winning tile does not make the pair", "和牌張並非組成將牌"),
    Need.FOUR_FLOWERS: Name("there are not four flowers or seasons", "花牌不足四張"),
    Need.FLOWERS: Name("there is no flower or season", "沒有花牌"),
    Need.NO_FLOWERS: Name("there are flowers or seasons", "有花牌"),
    Need.ANIMALS: Name("there is no animal", "沒有動物牌"),
}


def _off_suit(facts: Facts) -> tuple[Tile, ...]:
    """The suited tiles that are not of the suit that most are of."""
    suited = [tile for tile in facts.tally.hand.tiles if tile.is_suited]
    if not suited:
        return ()
    most = Counter(tile.suit for tile in suited).most_common(1)[0][0]
    return tuple(tile for tile in suited if tile.suit != most)


def _claimed(facts: Facts) -> tuple[Tile, ...]:
    return tuple(tile for meld in facts.tally.hand.melds if not meld.concealed for tile in meld.tiles)


def _honours(facts: Facts) -> tuple[Tile, ...]:
    return tuple(tile for tile in facts.tally.hand.tiles if tile.is_honour)


def _inside(facts: Facts) -> tuple[Tile, ...]:
    return tuple(tile for tile in facts.tally.hand.tiles if tile.is_suited and not tile.is_terminal)


#: The tiles that stand in the way.
_IN_THE_WAY: Mapping[Need, Callable[[Facts], tuple[Tile, ...]]] = {
    Need.DRAWN: evidence.winning_tile,
    Need.ROBBED: evidence.winning_tile,
    Need.NO_CLAIM: _claimed,
    Need.NO_TABLE: _claimed,
    Need.FOUR_CHOWS: evidence.pung_tiles,
    Need.FOUR_PUNGS: evidence.chow_tiles,
    Need.THREE_PUNGS: evidence.chow_tiles,
    Need.ONE_SUIT: _off_suit,
    Need.NO_HONOURS: _honours,
    Need.ONLY_OUTSIDE: _inside,
    Need.CHOW_COMPLETED: evidence.winning_tile,
    Need.PAIR_COMPLETED: evidence.winning_tile,
    Need.NO_FLOWERS: evidence.bonus_tiles,
}


def why_absent(table: Table, facts: Facts, fan: Fan) -> tuple[Name, tuple[Tile, ...]]:
    """Why the fan is not there in this reading of the hand, and the tiles that stand in its way."""
    if fan.group is FanGroup.LAST:
        return Name("other fans count, and it is for a hand without any", "另有番種，此番不成立"), ()
    lacking = needed(fan.when) & ~facts.traits
    for need, words in _LACKS.items():
        if need.value & lacking:
            where = _IN_THE_WAY.get(need)
            return words, () if where is None else where(facts)
    if fan.group is FanGroup.CIRCUMSTANCE:
        return Name("the win was not of that kind", "和牌方式不符"), evidence.winning_tile(facts)
    return Name("the tiles do not make it", "牌組不符"), fan.where(facts)

"""The scoring principles of the Chinese Official rules, one function each.

Each takes one reading of the hand and the fans that still count, and gives what a principle takes away. The
articles are those of the 1998 competition rules (principles of scoring) and of annex 1 of the supplementary
rules of the Mahjong International League of 2025 (MIL).

Three more principles need no function here. *Non-separation*: fans are counted on one reading at a time, so
sets are never parted anew. *Eight points without flowers* is a figure of the table, whose bonus fans do not
count toward the minimum. *Chicken Hand last* is the table's last group: it counts where nothing but flowers
does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scorer.combinations import FOUR_CHOWS, SMALL_CHOWS, THREE_CHOWS, read_chows
from scorer.facts import Facts
from scorer.fan import Exclusion, Fan
from scorer.needs import Need, needs
from scorer.ruleset import Loss, Principle

__all__ = [
    "CONCEALED_PUNGS", "KONGS", "REPEATABLE", "account_once", "non_identical", "non_repeat_per_set",
    "one_of_family",
]  # fmt: skip

#: The fans that count as often as they are there.
REPEATABLE = frozenset(
    {*SMALL_CHOWS, "tile_hog", "double_pung", "pung_of_terminals_or_honors", "flower_tiles"}
)
#: At most one of each of these families counts, the first that is there.
KONGS = (
    "four_kongs",
    "three_kongs",
    "two_concealed_kongs",
    "concealed_kong_and_melded_kong",
    "two_melded_kongs",
    "concealed_kong",
    "melded_kong",
)
CONCEALED_PUNGS = ("four_concealed_pungs", "three_concealed_pungs", "two_concealed_pungs")

_GREAT = frozenset((*FOUR_CHOWS, *THREE_CHOWS))
_CHOWS = _GREAT.union(SMALL_CHOWS)
_ONCE = (
    "account-once: sets that are joined may be joined again only to a set that is not (1998; MIL annex 1, 11)"
)
_ONE_GREAT = "account-once: only one fan of three or four chows counts (MIL annex 1, 11)"
_IDENTICAL = "non-identical: a fan counts once (1998)"
_FAMILY = "only one fan of the family counts (MIL annex 1, 5)"


def non_identical(facts: Facts, counts: Mapping[str, int]) -> Iterable[Loss]:
    """A fan counts once, however many choices of sets make it, unless it is one of the repeatable ones.

    1998, principles of scoring.
    """
    if not counts or max(counts.values()) == 1:
        return ()
    return [
        Loss(ident, times - 1, ident, _IDENTICAL)
        for ident, times in counts.items()
        if times > 1 and ident not in REPEATABLE
    ]


@needs(Need.TWO_CHOWS)
def account_once(facts: Facts, counts: Mapping[str, int]) -> Iterable[Loss]:
    """One great chow fan at most, and small ones only where they join what is not joined yet.

    1998, principles of scoring; MIL annex 1, item 11. `combinations.select` says which of them count.
    """
    if len(facts.chows) < 2 or _CHOWS.isdisjoint(counts):
        return ()
    selection = read_chows(facts.chows, facts.pair).selection
    great, losses = selection.great, []
    because = "account_once" if great is None else great.fan
    if great is not None:
        losses = [
            Loss(ident, counts[ident], because, _ONE_GREAT)
            for ident in counts
            if ident != because and ident in _GREAT
        ]
    for ident in SMALL_CHOWS:
        if ident in counts:
            lost = counts[ident] - [item.fan for item in selection.small].count(ident)
            if lost > 0:
                losses.append(Loss(ident, lost, because, _ONCE))
    return losses


def one_of_family(family: tuple[str, ...], *wanted: Need) -> Principle:
    """The greatest of a family takes the place of the rest: kongs, and concealed pungs.

    MIL annex 1, item 5. One of each family may stand beside the other. `wanted`: without these traits no two
    of the family are there.
    """

    @needs(*wanted)
    def principle(facts: Facts, counts: Mapping[str, int]) -> Iterable[Loss]:
        there = [ident for ident in family if ident in counts]
        return [Loss(ident, counts[ident], there[0], _FAMILY) for ident in there[1:]]

    return principle


def non_repeat_per_set(fans: tuple[Fan, ...]) -> Principle:
    """What a greater fan implies does not count beside it, for the sets in the greater one only.

    1998, principles of scoring (non-repeat); MIL annex 1, items 7, 8 and 12. The records say which fans: an
    exclusion for `own_sets`, or for a number of `times`.
    """
    known = {fan.id: fan for fan in fans}
    partial: list[tuple[str, Fan, Exclusion]] = []
    for fan in fans:
        for item in fan.excludes:
            if not item.whole:
                # Small chow fans have no tiles of their own here: account-once is what parts them.
                others = (known[other] for other in item.fans if other not in SMALL_CHOWS)
                partial.extend((fan.id, other, item) for other in others)
    targets = frozenset(other.id for _, other, _ in partial)

    @needs(Need.PUNG)  # all that is implied set by set is made of pungs
    def principle(facts: Facts, counts: Mapping[str, int]) -> Iterable[Loss]:
        if targets.isdisjoint(counts):
            return ()
        return _implied(facts, counts, known, partial)

    return principle


def _implied(
    facts: Facts,
    counts: Mapping[str, int],
    known: Mapping[str, Fan],
    partial: list[tuple[str, Fan, Exclusion]],
) -> list[Loss]:
    losses: list[Loss] = []
    left: dict[str, list[tuple[int, ...]]] = {}
    for greater, other, exclusion in partial:
        if greater not in counts or other.id not in counts:
            continue
        parts = left.setdefault(other.id, list(known[other.id].parts(facts)))
        if exclusion.own_sets:
            carried = {tile.index for tile in known[greater].where(facts)}
            lost = [part for part in parts if carried.issuperset(part)]
        else:
            lost = parts[: exclusion.times]
        if lost:
            kinds = tuple(kind for part in lost for kind in part)
            losses.append(Loss(other.id, len(lost), greater, exclusion.rule, kinds))
            left[other.id] = [part for part in parts if part not in lost]
    return losses

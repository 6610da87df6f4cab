"""How the tables of Hong Kong and Singapore write a fan down."""

from __future__ import annotations

from collections.abc import Callable

from scorer.facts import Facts
from scorer.fan import Exclusion, Fan, FanGroup, Name
from scorer.tiles import Tile

__all__ = ["Count", "Tiles", "excludes", "fan"]

Count = Callable[[Facts], int]
Tiles = Callable[[Facts], tuple[Tile, ...]]


def excludes(rule: str, *fans: str) -> tuple[Exclusion, ...]:
    """These fans do not count beside the one that excludes them, by this rule."""
    return (Exclusion(fans, rule),)


def fan(
    ident: str, points: int, en: str, zh: str, when: Count, where: Tiles, group: FanGroup, source: str,
    excludes: tuple[Exclusion, ...] = (),
) -> Fan:  # fmt: skip
    """One record: how often it counts, which tiles show it, and where the rule comes from."""
    return Fan(ident, points, Name(en, zh), when, group, source, excludes, where)

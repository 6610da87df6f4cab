"""What a reading must have for a pattern to be in it at all: what can be told without asking the pattern.

A pattern that says what it needs is asked only of the readings that have it. It stays a whole answer by
itself: asked of any other reading, it says that it is not there.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntFlag, auto
from typing import TypeVar

__all__ = ["Need", "needed", "needs"]


class Need(IntFlag):
    """Traits of a reading."""

    CHOW = auto()
    TWO_CHOWS = auto()
    THREE_CHOWS = auto()
    FOUR_CHOWS = auto()
    PUNG = auto()  # or kong
    TWO_PUNGS = auto()
    THREE_PUNGS = auto()
    FOUR_PUNGS = auto()
    KONG = auto()
    DRAGON_PUNG = auto()
    WIND_PUNG = auto()
    NO_SETS = auto()  # a form that is not made of sets
    KNITTED = auto()
    CHOW_COMPLETED = auto()  # the winning tile sits in a chow
    PAIR_COMPLETED = auto()  # it sits in the pair, or in a form without sets
    HONOURS = auto()
    NO_HONOURS = auto()
    NO_SUIT = auto()
    ONE_SUIT = auto()
    TWO_SUITS = auto()
    ONLY_OUTSIDE = auto()  # nothing but terminals and honours
    FOUR_ALIKE = auto()  # four of a kind, as a kong or not
    NO_CLAIM = auto()  # no claimed set
    NO_TABLE = auto()  # no set on the table at all
    FLOWERS = auto()  # flowers or seasons, listed or only counted
    NO_FLOWERS = auto()
    FOUR_FLOWERS = auto()  # at least four of them listed
    ANIMALS = auto()
    DRAWN = auto()  # the winning tile was drawn
    ROBBED = auto()  # it was to make another player's kong
    FLAGS = auto()  # a circumstance is stated


_MARK = "needs"
_When = TypeVar("_When", bound=Callable[..., object])


def needs(*wanted: Need) -> Callable[[_When], _When]:
    """Mark a pattern with the traits without which it is not there."""
    every = 0
    for need in wanted:
        every |= need.value

    def mark(when: _When) -> _When:
        setattr(when, _MARK, every)
        return when

    return mark


def needed(when: Callable[..., object]) -> int:
    """The traits, as bits, that a pattern is marked with; 0 for one that must always be asked."""
    found: int = getattr(when, _MARK, 0)
    return found

"""Which tiles complete a hand: over all kinds, fifth copies included, and over every winning form.

A wait is formal: a tile of which the winner already holds all four still counts as one that would win.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import lru_cache

from scorer.shapes import HONOURS, KNITTED, ORPHANS, Form, held_of, mask_of

__all__ = ["waits"]

_RANGES = ((0, 9), (9, 18), (18, 27), (27, 34))
_KNITTED_SIZE = 9
_KNITTED_MASKS = tuple(mask_of(kinds) for kinds in KNITTED)
_ORPHANS = mask_of(ORPHANS)


@lru_cache(maxsize=4096)
def waits(counts: tuple[int, ...], forms: frozenset[Form]) -> int:
    """The kinds, as bits, that complete the standing tiles before the win: 13 of them, or three fewer for
    each set on the table."""
    held = held_of(counts)
    found = _standard_waits(counts)
    size = sum(counts)
    if size >= 10 and held.bit_count() >= _KNITTED_SIZE - 1 and Form.KNITTED_STRAIGHT in forms:
        found |= _knitted_waits(counts, held)
    if size == 13:
        found |= _setless_waits(counts, held, forms)
    return found


def _sets_only(counts: list[int]) -> bool:
    """Whether the tiles of a suit part into sets; `counts` is used up."""
    for at, count in enumerate(counts):
        # Three chows of the same tiles are three pungs, so the least number of chows is enough to try.
        chows = count % 3
        if chows:
            if at > 6 or counts[at + 1] < chows or counts[at + 2] < chows:
                return False
            counts[at + 1] -= chows
            counts[at + 2] -= chows
    return True


def _rank_sum(counts: Sequence[int]) -> int:
    """The ranks of all tiles added up, modulo three: nothing for tiles that part into sets."""
    _, b, c, _, e, f, _, h, i = counts
    return (b + e + h - c - f - i) % 3


@lru_cache(maxsize=65536)
def _complete(counts: tuple[int, ...]) -> bool:
    """Whether the tiles of one suit part into sets, or into sets and a pair, as their number demands."""
    if sum(counts) % 3 == 0:
        return _rank_sum(counts) == 0 and _sets_only(list(counts))
    # The ranks of a set add up to a multiple of three, which leaves three ranks for the pair.
    for rank in range(2 * _rank_sum(counts) % 3, 9, 3):
        if counts[rank] >= 2:
            rest = list(counts)
            rest[rank] -= 2
            if _sets_only(rest):
                return True
    return False


@lru_cache(maxsize=65536)
def _suit_waits(counts: tuple[int, ...]) -> int:
    """The ranks, as bits, each of which completes the tiles of one suit."""
    if sum(counts) % 3 == 2:
        return _set_waits(counts)
    # The tile makes the pair with one like it, or a set beside the pair.
    found = 0
    over = _rank_sum(counts)
    for rank, count in enumerate(counts):
        if count and rank % 3 == over:
            rest = list(counts)
            rest[rank] -= 1
            if _sets_only(rest):
                found |= 1 << rank
        if count >= 2:
            found |= _set_waits((*counts[:rank], count - 2, *counts[rank + 1 :]))
    return found


@lru_cache(maxsize=65536)
def _set_waits(counts: tuple[int, ...]) -> int:
    """The ranks, as bits, each of which makes nothing but sets of the tiles of one suit."""
    found = 0
    for rank in range(-_rank_sum(counts) % 3, 9, 3):
        more = list(counts)
        more[rank] += 1
        if _sets_only(more):
            found |= 1 << rank
    return found


def _honours_complete(counts: tuple[int, ...]) -> bool:
    # Five of one are a pung and a pair: a wait on a fifth copy is formal, but it is one.
    pairs = counts.count(2) + counts.count(5)
    return 1 not in counts and 4 not in counts and pairs == (1 if sum(counts) % 3 == 2 else 0)


@lru_cache(maxsize=16384)
def _honour_waits(counts: tuple[int, ...]) -> int:
    found = 0
    for kind, count in enumerate(counts):
        if count:
            more = (*counts[:kind], count + 1, *counts[kind + 1 :])
            if _honours_complete(more):
                found |= 1 << kind
    return found


def _part_complete(place: int, counts: tuple[int, ...]) -> bool:
    return _honours_complete(counts) if place == 3 else _complete(counts)


def _standard_waits(counts: Sequence[int]) -> int:
    """The kinds that complete sets and a pair."""
    parts = [tuple(counts[low:high]) for low, high in _RANGES]
    over = [sum(part) % 3 for part in parts]
    # One part waits with two tiles or one too many; every other part is complete as it is.
    odd = [place for place in range(4) if over[place]]
    if [over[place] for place in odd] not in ([1], [2, 2]):
        return 0
    if not all(_part_complete(place, parts[place]) for place in range(4) if not over[place]):
        return 0
    found = 0
    for place in odd:
        if all(_part_complete(other, parts[other]) for other in odd if other != place):
            own = _honour_waits(parts[place]) if place == 3 else _suit_waits(parts[place])
            found |= own << _RANGES[place][0]
    return found


def _knitted_waits(counts: Sequence[int], held: int) -> int:
    """The kinds that complete a knitted straight with one more set and a pair."""
    found = 0
    for kinds, mask in zip(KNITTED, _KNITTED_MASKS, strict=True):
        missing = mask & ~held
        if missing & (missing - 1):
            continue
        rest = list(counts)
        for kind in kinds:
            rest[kind] -= rest[kind] > 0
        if not missing:
            found |= _standard_waits(rest)
        elif (
            all(_part_complete(place, tuple(rest[low:high])) for place, (low, high) in enumerate(_RANGES))
            and sum(sum(rest[low:high]) % 3 == 2 for low, high in _RANGES) == 1
        ):
            found |= missing
    return found


def _setless_waits(counts: Sequence[int], held: int, forms: Container[Form]) -> int:
    """The kinds that complete seven pairs, thirteen orphans, or single honours and knitted tiles."""
    found, kinds = 0, held.bit_count()
    if kinds <= 7 and Form.SEVEN_PAIRS in forms:
        odd = [kind for kind, count in enumerate(counts) if count & 1]
        if len(odd) == 1:
            found |= 1 << odd[0]
    if not held & ~_ORPHANS and Form.THIRTEEN_ORPHANS in forms:
        missing = _ORPHANS & ~held
        if not missing & (missing - 1):
            found |= missing or _ORPHANS
    if kinds == 13 and Form.HONOURS_AND_KNITTED in forms:
        for mask in _KNITTED_MASKS:
            if not held & ~(mask | HONOURS):
                found |= (mask | HONOURS) & ~held
    return found

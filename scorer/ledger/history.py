"""Which entries count: what was undone, what was undone again, what was corrected.

An entry is undone while any undoing of it counts itself. An undoing points at an earlier entry only, so that
this can be told from the last entry to the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from scorer.ledger.entries import Correction, Entry, Undo
from scorer.ledger.fields import EntryRefused

__all__ = ["Line", "Standing", "resolved"]


class Standing(Enum):
    """What has become of an entry."""

    COUNTS = "counts"
    CORRECTED = "corrected"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Line:
    """One entry with its number, what has become of it, and what counts in its place.

    `counts` is None for what is undone and for what only says so of others; `by` is the number of the entry
    that undid or corrected it last.
    """

    sequence: int
    entry: Entry
    standing: Standing
    counts: Entry | None
    by: int | None = None


def _undone(entries: Sequence[Entry]) -> dict[int, int]:
    """The numbers of entries that are undone -> the number of the undoing."""
    undone: dict[int, int] = {}
    for number in range(len(entries), 0, -1):
        entry = entries[number - 1]
        if isinstance(entry, Undo) and number not in undone:
            undone.setdefault(entry.of, number)
    return undone


def resolved(entries: Sequence[Entry]) -> tuple[Line, ...]:
    """Every entry with what counts in its place. Raises EntryRefused for undoing and correcting what cannot
    be."""
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, Undo | Correction):
            _require_possible(entries[: number - 1], entry)
    undone = _undone(entries)
    corrected: dict[int, tuple[int, Entry]] = {}
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, Correction) and number not in undone:
            corrected[entry.of] = number, entry.entry
    lines = []
    for number, entry in enumerate(entries, 1):
        counts = None if isinstance(entry, Undo | Correction) else entry
        if number in undone:
            lines.append(Line(number, entry, Standing.UNDONE, None, undone[number]))
        elif number in corrected:
            by, instead = corrected[number]
            lines.append(Line(number, entry, Standing.CORRECTED, instead, by))
        else:
            lines.append(Line(number, entry, Standing.COUNTS, counts))
    return tuple(lines)


def _require_possible(before: Sequence[Entry], entry: Undo | Correction) -> None:
    """Raises EntryRefused where there is no such entry, it is undone already, or it is no entry that can be
    corrected."""
    if not 1 <= entry.of <= len(before):
        raise EntryRefused(f"there is no entry {entry.of} before this one")
    by = _undone(before).get(entry.of)
    if by is not None:
        raise EntryRefused(f"entry {entry.of} is undone already, by entry {by}")
    target = before[entry.of - 1]
    if isinstance(entry, Correction) and isinstance(target, Undo | Correction):
        raise EntryRefused(
            f"entry {entry.of} is itself a {target.kind}: undo it, or correct the entry that it is about"
        )

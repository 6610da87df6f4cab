"""What the ledger answers, as plain data: the same over HTTP, in an export and on the command line."""

from __future__ import annotations

from typing import Any

from api.errors import ApiError
from api.ledger.store import Author, Kept, Posted
from scorer.ledger import Effect, EntryRefused, LedgerTable, offers, replayed

__all__ = [
    "entries_answer",
    "entry_answer",
    "match_answer",
    "matches_answer",
    "table_answer",
    "table_of",
    "told_entry",
]


def table_of(kept: Kept) -> LedgerTable:
    """The table of a match as it is kept.

    Raises ApiError `ledger_contradiction` where an entry that an earlier version has taken is one that this
    version would refuse: the entries are still in the database.
    """
    try:
        return replayed(kept.match, kept.entries)
    except EntryRefused as error:
        raise ApiError("ledger_contradiction", error.detail) from error


def told_entry(posted: Posted, effect: Effect) -> dict[str, Any]:
    """An entry with who made it and what it did."""
    told = effect.to_dict()
    return {
        "sequence": told.pop("sequence"),
        "at": posted.at,
        **_told_author(posted.author),
        "version": posted.version,
        **told,
    }


def _told_author(author: Author) -> dict[str, str]:
    return {"by": author.by, "key": author.key}


def match_answer(kept: Kept) -> dict[str, Any]:
    """A match: what was agreed, what can be entered by its rules, and its table."""
    return {
        "id": kept.id,
        "created_at": kept.created_at,
        **_told_author(kept.author),
        "match": kept.match.to_dict(),
        "offers": offers(kept.match),
        "table": table_of(kept).to_dict(),
    }


def entry_answer(kept: Kept) -> dict[str, Any]:
    """The last entry of a match and the table after it. Raises EntryRefused where it cannot be."""
    table = replayed(kept.match, kept.entries)
    told = told_entry(kept.posted[-1], table.effects[-1])
    return {"id": kept.id, "entry": told, "table": table.to_dict()}


def entries_answer(kept: Kept, after: int) -> dict[str, Any]:
    """The entries of a match beginning after a number, each with what it did."""
    effects = table_of(kept).effects
    told = [told_entry(posted, effect) for posted, effect in zip(kept.posted, effects, strict=True)]
    return {"id": kept.id, "entries": told[after:]}


def table_answer(kept: Kept) -> dict[str, Any]:
    """The table of a match."""
    return {"id": kept.id, "table": table_of(kept).to_dict()}


def matches_answer(found: list[tuple[int, int, Kept]], most: int) -> dict[str, Any]:
    """Matches in brief, and from which number the list goes on."""
    return {
        "matches": [
            {
                "id": kept.id,
                "number": number,
                "created_at": kept.created_at,
                "title": kept.match.title,
                "rules": kept.match.rules,
                "players": list(kept.match.players),
                "entries": entries,
            }
            for number, entries, kept in found
        ],
        "next": found[-1][0] if len(found) == most else None,
    }

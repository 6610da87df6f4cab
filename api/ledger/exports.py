"""A match as a file: JSON that can be replayed, and CSV for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from importlib import metadata
from typing import Any

from api.answers import loads
from api.errors import ApiError
from api.ledger.answers import entries_answer, match_answer, table_of
from api.ledger.store import Kept
from scorer import ScorerError
from scorer.ledger import Effect, Entry, LedgerTable, Match, entry_from_dict, replayed

__all__ = ["FORMAT", "export_csv", "export_json", "replay_export"]

#: Named in every export, so that a later version knows what it reads.
FORMAT = "mahjong-reader-ledger/1"

#: What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")

_COLUMNS = ("entry", "at", "by", "key", "kind", "standing", "by_entry", "hand", "round", "dealer", "what")


def export_json(kept: Kept) -> dict[str, Any]:
    """Everything about a match: what was agreed, every entry with who made it and what it did, the table."""
    answer = match_answer(kept)
    return {
        "format": FORMAT,
        "version": metadata.version("mahjong-reader"),
        **{name: value for name, value in answer.items() if name not in ("table", "offers")},
        "entries": entries_answer(kept, 0)["entries"],
        "table": answer["table"],
    }


def replay_export(text: str | bytes) -> tuple[LedgerTable, bool]:
    """The table that the entries of an export come to here, and whether it is the one that the export holds.

    Raises ApiError `bad_export` where the text is no such export, and the scorer's errors for its entries.
    """
    data = loads(text)
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise ApiError("bad_export", f"the file is not of the format {FORMAT}")
    entries = data.get("entries")
    if not isinstance(entries, list) or not all(isinstance(each, Mapping) for each in entries):
        raise ApiError("bad_export", "entries: must be a list of JSON objects")
    if [each.get("sequence") for each in entries] != list(range(1, len(entries) + 1)):
        raise ApiError("bad_export", "entries: must be numbered from 1 without a gap")
    table = replayed(
        Match.from_dict(data.get("match")), [_entry(place, each) for place, each in enumerate(entries, 1)]
    )
    same = table.to_dict() == data.get("table") and all(
        list(effect.points) == told.get("points") for effect, told in zip(table.effects, entries, strict=True)
    )
    return table, same


def _entry(place: int, told: Mapping[str, object]) -> Entry:
    try:
        return entry_from_dict(told.get("entry"))
    except ScorerError as error:
        raise ApiError("bad_export", f"entry {place}: {error.detail}") from error


def export_csv(kept: Kept) -> str:
    """One line an entry: when, who, what, and what each player won by it and had after it.

    Beginning with a byte order mark, without which spreadsheets take the names for another alphabet. Texts
    that a spreadsheet would take for a formula begin with an apostrophe; figures are figures.
    """
    table = table_of(kept)
    names = kept.match.players
    out = io.StringIO()
    out.write("\ufeff")
    sheet = csv.writer(out, lineterminator="\r\n")
    columns = (*_COLUMNS, *names, *(f"{name} (after)" for name in names))
    sheet.writerow([_safe(column) for column in columns])
    for posted, effect in zip(kept.posted, table.effects, strict=True):
        line = effect.line
        told = (
            line.sequence,
            posted.at,
            posted.author.by,
            posted.author.key.removeprefix("-"),
            posted.entry.kind,
            line.standing.value,
            line.by or "",
            effect.hand,
            effect.round,
            names[effect.dealer],
            _what(kept.match, effect),
            *effect.points,
            *effect.after,
        )
        sheet.writerow([_safe(cell) for cell in told])
    return out.getvalue()


def _safe(cell: str | int) -> str | int:
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA):
        return f"'{cell}"
    return cell


def _what(match: Match, effect: Effect) -> str:
    """An entry in a few words, for people: who paid whom and why, or the reason that was given."""
    moves = [
        f"{match.players[move.payer]} > {'nobody' if move.payee is None else match.players[move.payee]} "
        f"{move.amount}: {move.why}"
        for move in effect.moves
    ]
    entry = effect.line.entry
    about = f"of entry {entry.of}" if entry.kind in ("undo", "correction") and hasattr(entry, "of") else ""
    reason = getattr(entry, "reason", "")
    return "; ".join(part for part in (about, reason if not moves or about else "", *moves) if part)

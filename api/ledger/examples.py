"""Examples of what the ledger is asked and answers; answers are worked out, so that none can grow stale."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

__all__ = ["ENTRY_REQUESTS", "MATCH_REQUESTS", "answer_example"]

_ID = "5f0d7c6e2b9a4c118e3fd2a4c7b60915"

#: What each shows -> the request.
MATCH_REQUESTS: Mapping[str, dict[str, Any]] = {
    "A game of the championship": {
        "match": {"title": "Table 3", "rules": "tvb", "players": ["Chan", "Lee", "Wong", "Ho"]},
        "by": "referee Au",
    },
    "An evening in Singapore": {
        "match": {
            "rules": "singapore",
            "options": {"limit": 5, "dealer_on_draw": "own_kong_stays"},
            "players": ["Tan", "Lim", "Goh", "Ong"],
            "unit": 10,
        }
    },
}

#: What each shows -> the request. The first are entered one after the other in the examples of answers.
ENTRY_REQUESTS: Mapping[str, dict[str, Any]] = {
    "A win on a discard": {
        "entry": {
            "kind": "win",
            "discarder": 0,
            "claims": [{"winner": 1, "hand": "[111p] [666m] [999s] 33m 44s +3m"}],
        },
        "by": "referee Au",
    },
    "Two win on one tile": {
        "entry": {
            "kind": "win",
            "discarder": 1,
            "claims": [{"winner": 2, "total": 3}, {"winner": 3, "total": 1}],
        },
        "by": "referee Au",
    },
    "A false win": {
        "entry": {"kind": "false_win", "player": 0, "discarder": 3, "reason": "the hand has no fan"},
        "by": "referee Au",
    },
    "A drawn hand": {"entry": {"kind": "draw"}},
    "A self-drawn win for which one pays": {
        "entry": {
            "kind": "win",
            "claims": [
                {"winner": 3, "total": 8, "fans": ["full_flush", "self_draw"], "claimed_sets": 4, "liable": 2}
            ],
        }
    },
    "A minor fault": {"entry": {"kind": "fault", "player": 1, "reason": "drew before the discard"}},
    "A correction": {
        "entry": {
            "kind": "correction",
            "of": 2,
            "reason": "the second claim was not made",
            "entry": {"kind": "win", "discarder": 1, "claims": [{"winner": 2, "total": 3}]},
        },
        "by": "head referee Yu",
    },
    "Undoing": {"entry": {"kind": "undo", "of": 3, "reason": "the hand had a fan after all"}},
    "Paid at once": {"entry": {"kind": "instant", "player": 2, "items": ["concealed_kong"]}},
}


@lru_cache(maxsize=1)
def _kept() -> Any:
    from datetime import UTC, datetime, timedelta

    from api.ledger.store import Author, Kept, Posted, stamp
    from scorer.ledger import Match, entry_from_dict

    begin = datetime(2026, 3, 14, 6, 30, tzinfo=UTC)
    terms = MATCH_REQUESTS["A game of the championship"]
    posted = tuple(
        Posted(
            place,
            entry_from_dict(request["entry"]),
            stamp(begin + place * timedelta(minutes=7)),
            Author(request.get("by", ""), "club"),
            "0.1.0",
        )
        for place, request in enumerate(list(ENTRY_REQUESTS.values())[:4], 1)
    )
    match = Match.from_dict(terms["match"])
    return Kept(_ID, match, stamp(begin), Author(terms["by"], "club"), posted)


def answer_example(operation: str) -> Any:
    """The answer of an operation about one small match."""
    from api.ledger import answers, exports

    kept = _kept()
    tell = {
        "create_match": answers.match_answer,
        "get_match": answers.match_answer,
        "list_matches": lambda kept: answers.matches_answer([(12, len(kept.posted), kept)], 50),
        "add_entry": answers.entry_answer,
        "list_entries": lambda kept: answers.entries_answer(kept, 0),
        "get_table": answers.table_answer,
        "export_json": exports.export_json,
        "export_csv": exports.export_csv,
    }
    return tell[operation](kept)

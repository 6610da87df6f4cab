"""The ledger of a match: what happened, entry by entry, and the table that the entries come to.

Entries are never changed: one that was wrong is corrected or undone by a later one. The table is a function
of the match and its entries, so that whoever has both can work it out again.
"""

from scorer.ledger.entries import (
    Adjustment,
    Claim,
    Close,
    Correction,
    DeadHand,
    Disqualification,
    Drawn,
    Entry,
    FalseWin,
    Fault,
    Instants,
    Penalty,
    Redeal,
    Undo,
    Won,
    entry_from_dict,
    entry_to_dict,
)
from scorer.ledger.fields import BadEntry, BadMatch, EntryRefused
from scorer.ledger.fold import replayed
from scorer.ledger.history import Line, resolved
from scorer.ledger.match import Match
from scorer.ledger.offers import offers
from scorer.ledger.table import Effect, LedgerTable, Move

__all__ = [
    "Adjustment",
    "BadEntry",
    "BadMatch",
    "Claim",
    "Close",
    "Correction",
    "DeadHand",
    "Disqualification",
    "Drawn",
    "Effect",
    "Entry",
    "EntryRefused",
    "FalseWin",
    "Fault",
    "Instants",
    "LedgerTable",
    "Line",
    "Match",
    "Move",
    "Penalty",
    "Redeal",
    "Undo",
    "Won",
    "entry_from_dict",
    "entry_to_dict",
    "offers",
    "replayed",
    "resolved",
]

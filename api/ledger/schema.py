"""The tables of the ledger's database. `migrations/` makes them; a test holds the two to each other."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

__all__ = ["ENTRIES", "MATCHES", "METADATA", "REQUESTS"]

METADATA = MetaData()

#: One row a match: what was agreed, and how many entries it has. `number` counts matches, for the list.
MATCHES = Table(
    "ledger_matches",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False),
    Column("terms", Text, nullable=False),
    Column("entries", Integer, nullable=False),
    Column("created_at", String(24), nullable=False),
    Column("created_by", String(60), nullable=False),
    Column("created_key", String(64), nullable=False),
    UniqueConstraint("id", name="uq_ledger_matches_id"),
    CheckConstraint("entries >= 0", name="ck_ledger_matches_entries"),
)

#: One row an entry. Triggers refuse to change or delete one.
ENTRIES = Table(
    "ledger_entries",
    METADATA,
    Column("match_id", String(32), ForeignKey("ledger_matches.id"), nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("entry", Text, nullable=False),
    Column("at", String(24), nullable=False),
    Column("by", String(60), nullable=False),
    Column("key", String(64), nullable=False),
    Column("version", String(40), nullable=False),
    PrimaryKeyConstraint("match_id", "sequence", name="pk_ledger_entries"),
    CheckConstraint("sequence >= 1", name="ck_ledger_entries_sequence"),
)

#: What was answered to a request that named an Idempotency-Key, by who asked.
REQUESTS = Table(
    "ledger_requests",
    METADATA,
    Column("caller", String(64), nullable=False),
    Column("key", String(255), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("location", String(100), nullable=False),
    Column("entity_tag", String(24), nullable=False),
    Column("answer", Text, nullable=False),
    Column("at", String(24), nullable=False),
    PrimaryKeyConstraint("caller", "key", name="pk_ledger_requests"),
)

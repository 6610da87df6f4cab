"""Matches, entries that cannot be changed, and answers that can be given twice."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_REFUSAL = "entries of a ledger are never changed"

_ON_SQLITE = (
    f"CREATE TRIGGER ledger_entries_{{name}} BEFORE {{what}} ON ledger_entries "
    f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
)
_ON_POSTGRESQL = (
    "CREATE TRIGGER ledger_entries_{name} BEFORE {what} ON ledger_entries "
    "FOR EACH {each} EXECUTE FUNCTION ledger_refuse()"
)


def upgrade() -> None:
    """Make the tables, and the triggers that keep entries as they are."""
    op.create_table(
        "ledger_matches",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("entries", sa.Integer, nullable=False),
        sa.Column("created_at", sa.String(24), nullable=False),
        sa.Column("created_by", sa.String(60), nullable=False),
        sa.Column("created_key", sa.String(64), nullable=False),
        sa.UniqueConstraint("id", name="uq_ledger_matches_id"),
        sa.CheckConstraint("entries >= 0", name="ck_ledger_matches_entries"),
    )
    op.create_table(
        "ledger_entries",
        sa.Column("match_id", sa.String(32), sa.ForeignKey("ledger_matches.id"), nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.Column("at", sa.String(24), nullable=False),
        sa.Column("by", sa.String(60), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "sequence", name="pk_ledger_entries"),
        sa.CheckConstraint("sequence >= 1", name="ck_ledger_entries_sequence"),
    )
    op.create_table(
        "ledger_requests",
        sa.Column("caller", sa.String(64), nullable=False),
        sa.Column("key", sa.String(255), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("location", sa.String(100), nullable=False),
        sa.Column("entity_tag", sa.String(24), nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("caller", "key", name="pk_ledger_requests"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{_REFUSAL}'; END $$"
        )
        for name, what, each in (
            ("no_change", "UPDATE OR DELETE", "ROW"),
            ("no_truncate", "TRUNCATE", "STATEMENT"),
        ):
            op.execute(_ON_POSTGRESQL.format(name=name, what=what, each=each))
    else:
        for name, what in (("no_update", "UPDATE"), ("no_delete", "DELETE")):
            op.execute(_ON_SQLITE.format(name=name, what=what))


def downgrade() -> None:
    """A ledger is not taken back: what was entered would be lost."""
    raise NotImplementedError("the first step has nothing before it; drop the database instead")

"""What the database holds: tables as described, entries that nobody changes, trouble as a problem."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.exc import DatabaseError, IntegrityError

from api.errors import ApiError
from api.ledger.answers import entry_answer, match_answer, table_of
from api.ledger.database import migrate, open_database, writing
from api.ledger.schema import ENTRIES, MATCHES, METADATA, REQUESTS
from api.ledger.store import MOST_ENTRIES, Author, Kept, Reply, Store, Ticket, digest_of, entity_tag, stamp
from scorer.ledger import Match, entry_from_dict

MATCH = Match.from_dict({"rules": "tvb", "players": ["Chan", "Lee", "Wong", "Ho"]})
AU = Author("referee Au", "club")
DRAW = entry_from_dict({"kind": "draw"})
NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


class Clock:
    """A time that a test sets."""

    now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(database: str, clock: Clock) -> Any:
    engine = open_database(database)
    migrate(engine)
    made = Store(engine, clock)
    yield made
    made.close()


def begin(store: Store, ticket: Ticket | None = None) -> str:
    def reply(kept: Kept) -> Reply:
        return Reply(f"/v1/matches/{kept.id}", entity_tag(0), json.dumps(match_answer(kept)))

    return store.create(MATCH, AU, ticket, reply).location.rpartition("/")[2]


def add(store: Store, match: str, ticket: Ticket | None = None, author: Author = AU) -> Reply:
    def reply(kept: Kept) -> Reply:
        return Reply("/", entity_tag(len(kept.posted)), json.dumps(entry_answer(kept)))

    return store.append(match, DRAW, author, None, ticket, reply)


def test_the_tables_are_those_that_the_migrations_make(database: str) -> None:
    engine = open_database(database)
    migrate(engine)
    migrate(engine)  # nothing to do
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    engine.dispose()


def test_entries_are_never_changed_nor_deleted(database: str, store: Store) -> None:
    match = begin(store)
    add(store, match)
    engine = open_database(database)
    for statement in (update(ENTRIES).values(by="somebody else"), delete(ENTRIES)):
        with pytest.raises(DatabaseError, match="never changed"), engine.begin() as connection:
            connection.execute(statement)
    with engine.connect() as connection:
        row = dict(connection.execute(select(ENTRIES)).one()._mapping)
    with pytest.raises(IntegrityError), engine.begin() as connection:
        connection.execute(insert(ENTRIES).values(row))
    if engine.dialect.name == "postgresql":
        with pytest.raises(DatabaseError, match="never changed"), engine.begin() as connection:
            connection.execute(text("TRUNCATE ledger_entries"))
    engine.dispose()
    assert store.match(match).posted[0].author == AU


def test_what_was_entered_is_there_after_a_restart(database: str, store: Store, clock: Clock) -> None:
    match = begin(store)
    clock.now = NOON.astimezone(timezone(timedelta(hours=8))) + timedelta(seconds=1.5)
    add(store, match)
    store.close()
    engine = open_database(database)
    migrate(engine)
    kept = Store(engine).match(match)
    engine.dispose()
    assert kept.match == MATCH
    assert (kept.created_at, kept.author) == ("2026-03-14T12:00:00.000Z", AU)
    assert [(each.sequence, each.at, each.entry) for each in kept.posted] == [
        (1, "2026-03-14T12:00:01.500Z", DRAW)
    ]


def test_an_entry_that_is_refused_leaves_nothing_behind(store: Store, database: str) -> None:
    match = begin(store)

    def refuse(kept: Kept) -> Reply:
        raise ApiError("not_found", "no")

    with pytest.raises(ApiError):
        store.append(match, DRAW, AU, None, Ticket("k", "d"), refuse)
    assert store.match(match).posted == ()
    engine = open_database(database)
    with engine.connect() as connection:
        assert connection.execute(select(REQUESTS)).all() == []
        assert connection.execute(select(MATCHES.c.entries)).scalar() == 0
    engine.dispose()


def test_answers_are_remembered_for_seven_days_by_caller(store: Store, clock: Clock) -> None:
    match = begin(store)
    ticket = Ticket("key", digest_of(["a"]))
    first = add(store, match, ticket)
    assert add(store, match, ticket) == Reply(first.location, first.entity_tag, first.answer, again=True)
    assert not add(store, match, ticket, Author("Ip", "other club")).again
    clock.now += timedelta(days=8)
    # Forgotten when something else is remembered.
    add(store, match, Ticket("another", "d"))
    assert not add(store, match, ticket).again
    assert len(store.match(match).posted) == 4


def test_digests_tell_requests_apart_and_not_their_spelling() -> None:
    one = digest_of(json.loads('{"a": 1, "b": "\\u9673"}'))
    assert one == digest_of(json.loads('{"b":"陳","a":1}'))
    assert one != digest_of({"a": True, "b": "陳"})
    assert digest_of("\ud800")


def test_a_match_has_an_end(store: Store, database: str) -> None:
    match = begin(store)
    engine = open_database(database)
    with writing(engine) as connection:
        connection.execute(update(MATCHES).values(entries=MOST_ENTRIES))
    engine.dispose()
    with pytest.raises(ApiError, match="begin another") as caught:
        add(store, match)
    assert caught.value.code == "ledger_full"


def test_an_entry_that_is_no_longer_possible_is_named(store: Store, database: str) -> None:
    """As if an earlier version had taken what this one refuses."""
    match = begin(store)
    add(store, match)
    row = {"match_id": match, "sequence": 2, "kind": "undo", "at": stamp(NOON), "by": "", "key": "-"}
    engine = open_database(database)
    with writing(engine) as connection:
        entry = json.dumps({"kind": "undo", "of": 9, "reason": "r"})
        connection.execute(insert(ENTRIES).values(**row, version="0.0.1", entry=entry))
        connection.execute(update(MATCHES).values(entries=2))
    engine.dispose()
    kept = store.match(match)
    assert len(kept.posted) == 2
    with pytest.raises(ApiError, match="no entry 9") as caught:
        table_of(kept)
    assert caught.value.code == "ledger_contradiction"


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://a@b/c", "nonsense"])
def test_a_url_that_cannot_be_used_is_a_problem(url: str) -> None:
    with pytest.raises(ApiError) as caught:
        open_database(url)
    assert caught.value.code == "ledger_unavailable"


def test_a_database_that_does_not_open_is_a_problem(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path}/none/x.db", f"postgresql://a@/b?host={tmp_path}"):
        engine = open_database(url)
        with pytest.raises(ApiError, match="cannot be used") as caught:
            migrate(engine)
        assert caught.value.code == "ledger_unavailable"
        assert str(tmp_path) not in caught.value.detail
        engine.dispose()


def test_a_database_that_breaks_is_a_problem(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'ledger.db'}")
    with pytest.raises(ApiError, match="does not answer") as caught:
        Store(engine).matches(1, None)  # not migrated: there are no tables
    assert caught.value.code == "ledger_unavailable"
    engine.dispose()

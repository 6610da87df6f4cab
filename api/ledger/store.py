"""Matches and entries in a database: added, read, never changed.

Every method is one transaction and blocks; it belongs on a thread. Whoever writes holds the match until the
transaction ends, so that entries of one match are written one after the other, each by somebody who knew of
the one before it, or who said that it does not matter.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib import metadata
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from api.errors import ApiError
from api.ledger.database import writing
from api.ledger.schema import ENTRIES, MATCHES, REQUESTS
from scorer.ledger import Entry, Match, entry_from_dict, entry_to_dict

__all__ = [
    "MOST_ENTRIES",
    "Author",
    "Kept",
    "Posted",
    "Reply",
    "Store",
    "Ticket",
    "digest_of",
    "entity_tag",
]

_log = logging.getLogger("mahjong_reader")

#: A whole weekend at one table stays far below it.
MOST_ENTRIES = 1000
#: How long the answer to a request with an Idempotency-Key can be asked for again.
_REMEMBERED = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Author:
    """Who writes: the name that is told, and the API key that was used (`-` where none is asked for)."""

    by: str
    key: str


@dataclass(frozen=True, slots=True)
class Ticket:
    """An Idempotency-Key with the digest of what was asked under it."""

    key: str
    digest: str


@dataclass(frozen=True, slots=True)
class Posted:
    """An entry as it is kept: its number, when and by whom it was made, and the version that took it."""

    sequence: int
    entry: Entry
    at: str
    author: Author
    version: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A match as it is kept, with its entries."""

    id: str
    match: Match
    created_at: str
    author: Author
    posted: tuple[Posted, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries alone, as the scorer wants them."""
        return tuple(each.entry for each in self.posted)


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to something that was written: where it is, its entity tag, and the JSON body."""

    location: str
    entity_tag: str
    answer: str
    again: bool = False


def _now() -> datetime:
    return datetime.now(UTC)


class Store:
    """The ledger in a database. `clock` tells the time, with its zone."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime] = _now) -> None:
        self._engine = engine
        self._clock = clock
        self._version = metadata.version("mahjong-reader")

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    def create(
        self, match: Match, author: Author, ticket: Ticket | None, reply: Callable[[Kept], Reply]
    ) -> Reply:
        """A new match. `reply` makes the answer, which is kept under the ticket.

        Raises ApiError `idempotency_mismatch`.
        """
        kept = Kept(secrets.token_hex(16), match, self._stamp(), author)
        answer = reply(kept)
        row = {
            "id": kept.id,
            "terms": _json(match.to_dict()),
            "entries": 0,
            "created_at": kept.created_at,
            "created_by": author.by,
            "created_key": author.key,
        }

        def write(connection: Connection) -> Reply:
            before = self._answered(connection, author, ticket)
            if before is not None:
                return before
            connection.execute(insert(MATCHES).values(row))
            self._remember(connection, author, ticket, answer)
            return answer

        return self._once(author, ticket, write)

    def append(
        self,
        match_id: str,
        entry: Entry,
        author: Author,
        known: frozenset[int] | None,
        ticket: Ticket | None,
        reply: Callable[[Kept], Reply],
    ) -> Reply:
        """One more entry. `known` are the numbers of entries that the writer may know of, None: any. `reply`
        makes the answer, and raises where the entry cannot be; nothing is then written.

        Raises ApiError `not_found`, `stale_table`, `ledger_full` and `idempotency_mismatch`.
        """

        def write(connection: Connection) -> Reply:
            row = self._row(connection, match_id, lock=True)
            before = self._answered(connection, author, ticket)
            if before is not None:
                return before
            _require_place(row.entries, known)
            kept = self._kept(connection, row)
            posted = Posted(row.entries + 1, entry, self._stamp(), author, self._version)
            answer = reply(replace(kept, posted=(*kept.posted, posted)))
            self._insert(connection, match_id, posted)
            self._remember(connection, author, ticket, answer)
            return answer

        return self._once(author, ticket, write)

    def _once(self, author: Author, ticket: Ticket | None, write: Callable[[Connection], Reply]) -> Reply:
        """What `write` answers, in a transaction; or, where another request under the same key was faster at
        the same moment, the answer of that one."""
        try:
            with self._writing() as connection:
                return write(connection)
        except IntegrityError:
            with self._reading() as connection:
                before = self._answered(connection, author, ticket)
            if before is None:
                raise
            return before

    def _insert(self, connection: Connection, match_id: str, posted: Posted) -> None:
        connection.execute(
            insert(ENTRIES).values(
                match_id=match_id,
                sequence=posted.sequence,
                kind=posted.entry.kind,
                entry=_json(entry_to_dict(posted.entry)),
                at=posted.at,
                by=posted.author.by,
                key=posted.author.key,
                version=posted.version,
            )
        )
        counted = update(MATCHES).where(MATCHES.c.id == match_id, MATCHES.c.entries == posted.sequence - 1)
        if connection.execute(counted.values(entries=posted.sequence)).rowcount != 1:
            # The lock on the row holds this off; without it the number of the entry would be there twice.
            raise ApiError("stale_table", "the match was changed at the same moment; decide again")

    def match(self, match_id: str) -> Kept:
        """A match with its entries. Raises ApiError `not_found`."""
        with self._reading() as connection:
            return self._kept(connection, self._row(connection, match_id))

    def matches(self, most: int, before: int | None) -> list[tuple[int, int, Kept]]:
        """The newest matches, each with its number, how many entries it has, and no entries; those before a
        number where one is told."""
        wanted = select(MATCHES).order_by(MATCHES.c.number.desc()).limit(most)
        if before is not None:
            wanted = wanted.where(MATCHES.c.number < before)
        with self._reading() as connection:
            return [(row.number, row.entries, _match_of(row)) for row in connection.execute(wanted)]

    def _stamp(self) -> str:
        """Now, in UTC to the millisecond, the same way always: texts then sort as times do."""
        return stamp(self._clock())

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with _told(), writing(self._engine) as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with _told(), self._engine.connect() as connection, connection.begin():
            yield connection

    def _row(self, connection: Connection, match_id: str, lock: bool = False) -> Row[Any]:
        wanted = select(MATCHES).where(MATCHES.c.id == match_id)
        row = connection.execute(wanted.with_for_update() if lock else wanted).one_or_none()
        if row is None:
            raise ApiError("not_found", f"there is no match {match_id[:40]!r}")
        return row

    def _kept(self, connection: Connection, row: Row[Any]) -> Kept:
        # Not past what the row has said: a writer may have come between.
        wanted = (
            select(ENTRIES)
            .where(ENTRIES.c.match_id == row.id, ENTRIES.c.sequence <= row.entries)
            .order_by(ENTRIES.c.sequence)
        )
        posted = tuple(
            Posted(
                each.sequence,
                entry_from_dict(json.loads(each.entry)),
                each.at,
                Author(each.by, each.key),
                each.version,
            )
            for each in connection.execute(wanted)
        )
        return replace(_match_of(row), posted=posted)

    def _answered(self, connection: Connection, author: Author, ticket: Ticket | None) -> Reply | None:
        """What was answered before under this key by this caller."""
        if ticket is None:
            return None
        row = connection.execute(
            select(REQUESTS).where(REQUESTS.c.caller == author.key, REQUESTS.c.key == ticket.key)
        ).one_or_none()
        if row is None:
            return None
        if row.digest != ticket.digest:
            raise ApiError(
                "idempotency_mismatch", "this Idempotency-Key was used for another request; make a new one"
            )
        return Reply(row.location, row.entity_tag, row.answer, again=True)

    def _remember(self, connection: Connection, author: Author, ticket: Ticket | None, answer: Reply) -> None:
        if ticket is None:
            return
        oldest = stamp(self._clock() - _REMEMBERED)
        connection.execute(delete(REQUESTS).where(REQUESTS.c.at < oldest))
        connection.execute(
            insert(REQUESTS).values(
                caller=author.key,
                key=ticket.key,
                digest=ticket.digest,
                location=answer.location,
                entity_tag=answer.entity_tag,
                answer=answer.answer,
                at=self._stamp(),
            )
        )


def _require_place(entries: int, known: frozenset[int] | None) -> None:
    if known is not None and entries not in known:
        raise ApiError(
            "stale_table",
            f"the match has {entries} entries by now; look at what is new, and decide again",
            {"ETag": entity_tag(entries)},
        )
    if entries >= MOST_ENTRIES:
        raise ApiError("ledger_full", f"a match has at most {MOST_ENTRIES} entries; begin another")


def entity_tag(entries: int) -> str:
    """The entity tag of a match with so many entries: nothing else about it ever changes."""
    return f'"{entries}"'


def stamp(at: datetime) -> str:
    """A time as it is kept: UTC, to the millisecond."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def digest_of(asked: object) -> str:
    """What tells one request from another, however its JSON is spaced or ordered."""
    text = json.dumps(asked, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _match_of(row: Row[Any]) -> Kept:
    author = Author(row.created_by, row.created_key)
    return Kept(row.id, Match.from_dict(json.loads(row.terms)), row.created_at, author)


@contextmanager
def _told() -> Iterator[None]:
    """Trouble with the database as the problem that a client may know of; its own words stay in the log."""
    try:
        yield
    except IntegrityError:
        raise
    except SQLAlchemyError as error:
        _log.error("the ledger's database failed", exc_info=error)
        raise ApiError("ledger_unavailable", "the ledger's database does not answer as it should") from error

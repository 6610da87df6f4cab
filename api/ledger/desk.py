"""The ledger as the service sees it: the store on threads of its own, so that the event loop never waits for
a database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from api.answers import dumps
from api.errors import ApiError
from api.ledger.answers import entry_answer, match_answer
from api.ledger.database import migrate, open_database
from api.ledger.store import Author, Kept, Reply, Store, Ticket, entity_tag
from api.threads import Threads
from scorer.ledger import Entry, Match

__all__ = ["Desk", "open_desk"]

Result = TypeVar("Result")

#: A writer waits for the one before it, and readers should not wait behind both.
_THREADS, _QUEUE = 4, 64


class Desk:
    """A store and the threads on which it is asked."""

    def __init__(self, store: Store, retry_after_s: int) -> None:
        self._store = store
        self._threads = Threads("ledger", _THREADS, _QUEUE, retry_after_s)

    async def close(self) -> None:
        """Let what runs end, and give the connections back."""
        await asyncio.to_thread(self._threads.close)
        await asyncio.to_thread(self._store.close)

    async def create(self, asked: object, author: Author, ticket: Ticket | None) -> Reply:
        """A new match. Raises the scorer's errors for one that cannot be."""
        match = Match.from_dict(asked)
        return await self._threads.run(
            lambda: self._store.create(
                match,
                author,
                ticket,
                lambda kept: Reply(f"/v1/matches/{kept.id}", entity_tag(0), dumps(match_answer(kept))),
            )
        )

    async def append(
        self, match_id: str, entry: Entry, author: Author, known: frozenset[int] | None, ticket: Ticket | None
    ) -> Reply:
        """One more entry. Raises EntryRefused where it cannot be, and what `Store.append` raises."""

        def reply(kept: Kept) -> Reply:
            location = f"/v1/matches/{kept.id}/entries?after={len(kept.posted) - 1}"
            return Reply(location, entity_tag(len(kept.posted)), dumps(entry_answer(kept)))

        return await self._threads.run(
            lambda: self._store.append(match_id, entry, author, known, ticket, reply)
        )

    async def told(self, match_id: str, tell: Callable[[Kept], Result]) -> tuple[str, Result]:
        """What `tell` says of a match, and the match's entity tag."""

        def ask() -> tuple[str, Result]:
            kept = self._store.match(match_id)
            return entity_tag(len(kept.posted)), tell(kept)

        return await self._threads.run(ask)

    async def matches(self, most: int, before: int | None) -> list[tuple[int, int, Kept]]:
        """The newest matches."""
        return await self._threads.run(lambda: self._store.matches(most, before))


def open_desk(url: str, retry_after_s: int = 1) -> Desk:
    """The ledger in this database, whose tables are made or brought up to date first. Blocks.

    Raises ApiError `ledger_unavailable`.
    """
    engine = open_database(url)
    try:
        migrate(engine)
    except ApiError:
        engine.dispose()
        raise
    return Desk(Store(engine), retry_after_s)

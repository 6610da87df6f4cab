"""From a database's URL to an engine, and its tables brought up to date."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from api.errors import ApiError

_log = logging.getLogger("mahjong_reader")

__all__ = ["migrate", "open_database", "writing"]

#: How long a writer waits for another one, in seconds.
_PATIENCE_S = 10
#: A number of our own among the locks that a PostgreSQL database is asked for by number.
_MIGRATION_LOCK = 7_211_446_001
_WRITING = "ledger_writing"


def open_database(url: str) -> Engine:
    """An engine for `sqlite:///FILE` or `postgresql://...`; nothing is connected yet.

    Raises ApiError `ledger_unavailable` for a URL that cannot be used here.
    """
    parsed = _parsed(url)
    if parsed.get_backend_name() == "sqlite":
        engine = create_engine(parsed, hide_parameters=True, connect_args={"timeout": _PATIENCE_S})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    # A connection that the server has closed meanwhile is found out before it is used, not by a client.
    return create_engine(
        parsed,
        pool_pre_ping=True,
        hide_parameters=True,
        pool_size=5,
        max_overflow=0,
        connect_args={"connect_timeout": _PATIENCE_S},
    )


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise ApiError("ledger_unavailable", "the database's URL cannot be read") from error
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        if not parsed.database or parsed.database == ":memory:":
            raise ApiError("ledger_unavailable", "a ledger in SQLite needs a file: sqlite:///ledger.db")
        return parsed.set(drivername="sqlite")
    if backend != "postgresql":
        raise ApiError("ledger_unavailable", "a ledger is kept in SQLite or PostgreSQL")
    if find_spec("psycopg") is None:
        raise ApiError(
            "ledger_unavailable", "PostgreSQL needs the extra: pip install 'mahjong-reader[postgres]'"
        )
    return parsed.set(drivername="postgresql+psycopg")


def _prepare_sqlite(connection: Any, _: object) -> None:
    """What SQLite wants to be told on each connection; the driver's own transactions are turned off, because
    they begin too late to keep two writers apart."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get(_WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A connection in a transaction that will write. Nobody waits for another writer without end: in SQLite
    for the whole file, in PostgreSQL for the rows of one match."""
    with engine.connect() as connection, connection.execution_options(**{_WRITING: True}).begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text(f"SET LOCAL lock_timeout = '{_PATIENCE_S}s'"))
        yield connection


def migrate(engine: Engine) -> None:
    """Make the tables, or bring them up to date; a no-op where they are. Raises ApiError
    `ledger_unavailable`."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    try:
        with writing(engine) as connection:
            if engine.dialect.name == "postgresql":
                # Several services may start at once; all but the first then find nothing to do.
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except SQLAlchemyError as error:
        _log.error("the ledger's database cannot be used", exc_info=error)
        raise ApiError(
            "ledger_unavailable", f"the ledger's database cannot be used: {type(error).__name__}"
        ) from error

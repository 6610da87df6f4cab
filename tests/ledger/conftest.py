from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from api.app import create_app
from api.settings import Settings
from tests.api.conftest import StubReader, pool_of
from tests.ledger.postgres import Absent, cluster


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a running PostgreSQL; skips where there is none."""
    running = cluster()
    try:
        url = running.__enter__()
    except Absent as error:
        pytest.skip(str(error))
    yield url
    running.__exit__(None, None, None)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ledger.db'}"
    import psycopg

    url: str = request.getfixturevalue("postgresql")
    name = f"ledger_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return url.replace("/postgres?", f"/{name}?")


@pytest.fixture
def ledger_app(database: str) -> FastAPI:
    settings = Settings(database=database)
    return create_app(settings, pool_of(StubReader(), settings))


@pytest.fixture
def ledger(ledger_app: FastAPI) -> Iterator[TestClient]:
    """The service with an empty ledger."""
    with TestClient(ledger_app, raise_server_exceptions=False) as client:
        yield client

"""Requests made from the description of the ledger's own routes, with a ledger behind them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from starlette.testclient import TestClient

from tests.api.test_schema_fuzz import require_known, send
from tests.ledger.test_http import WON, begin, enter

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is in the extra dev")

ROUTES = [
    ("POST", "/v1/matches"),
    ("POST", "/v1/matches/{id}/entries"),
    ("GET", "/v1/matches/{id}/entries"),
]


@pytest.fixture
def database(tmp_path: Path) -> str:
    """One kind of database is enough: what is asked is refused, or not, before it."""
    return f"sqlite:///{tmp_path / 'ledger.db'}"


@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_whatever_is_asked(ledger: TestClient, method: str, path: str, mode: str) -> None:
    match = begin(ledger)
    assert enter(ledger, match, WON).status_code == 201
    schema = schemathesis.openapi.from_dict(ledger.get("/openapi.json").json())
    strategy = schema[path][method].as_strategy(generation_mode=schemathesis.GenerationMode[mode])
    seen: Counter[int] = Counter()
    told = settings(max_examples=12, deadline=None, database=None, derandomize=True)

    @settings(told, suppress_health_check=list(HealthCheck))
    @given(case=strategy)
    def run(case: Any) -> None:
        if "id" in (case.path_parameters or {}) and mode == "POSITIVE":
            case.path_parameters["id"] = match
        require_known(send(ledger, case), seen)

    run()
    assert sum(seen.values()) >= 10
    assert mode == "NEGATIVE" or method == "POST" or seen[200] + seen[304], dict(seen)

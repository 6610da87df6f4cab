"""Requests made from our own description of the service: whatever fits it, and whatever does not, gets an
answer that the description knows, and never a 500.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from api.app import create_app
from api.errors import PROBLEMS
from api.settings import Settings
from tests.api.conftest import StubReader, photo_bytes, pool_of, wait_until

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is in the extra dev")
requests = pytest.importorskip("requests", reason="schemathesis brings it")

#: Real photos, and bytes that are none.
schemathesis.openapi.media_type("application/zip", st.binary(max_size=300))
for _media in ("image/jpeg", "image/png", "image/webp", "image/heic"):
    _kinds = st.sampled_from(["JPEG", "PNG", "WEBP"]).map(photo_bytes)
    schemathesis.openapi.media_type(_media, _kinds | st.binary(max_size=300))

POSTED = (
    "/v1/read",
    "/v1/score",
    "/v1/hands",
    "/v1/verify",
    "/v1/bundles",
    "/v1/bundles/check",
    "/v1/sheets",
)
OPERATIONS = (*POSTED, "/v1/rulesets", "/v1/rulesets/{id}", "/livez", "/readyz")


def require_known(response: Any, seen: Counter[int]) -> None:
    """An answer, or a problem document of a known code under its own status."""
    seen[response.status_code] += 1
    assert response.status_code != 500, response.text
    if response.status_code < 400:
        return
    assert response.headers["content-type"] == "application/problem+json", response.text
    body = response.json()
    assert body["status"] == response.status_code == PROBLEMS[body["code"]].status


def fuzz(path: str, cases: int, mode: Any) -> Counter[int]:
    reader, told = StubReader(), Settings(queue=5)
    seen: Counter[int] = Counter()
    with TestClient(create_app(told, pool_of(reader, told)), raise_server_exceptions=False) as client:
        wait_until(lambda: client.get("/readyz").status_code == 200)
        schema = schemathesis.openapi.from_dict(client.get("/openapi.json").json())
        method = "POST" if path in POSTED else "GET"
        strategy = schema[path][method].as_strategy(generation_mode=mode)

        @settings(
            max_examples=cases,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        def run(case: Any) -> None:
            require_known(send(client, case), seen)

        from hypothesis import given

        given(case=strategy)(run)()
    return seen


def send(client: TestClient, case: Any) -> Any:
    """The case as `requests` would put it on the wire, sent to the application."""
    told = case.as_transport_kwargs(base_url="http://testserver")
    told.pop("cookies", None)
    if not isinstance(told.get("data"), bytes | str | dict | list | tuple | None):
        told["data"] = str(told["data"])
    wire = requests.Request(**told).prepare()
    headers = {name: value for name, value in wire.headers.items() if name.lower() != "content-length"}
    return client.request(wire.method or "GET", wire.url or "", content=wire.body, headers=headers)


@pytest.mark.parametrize("path", OPERATIONS)
def test_what_fits_the_description(path: str) -> None:
    seen = fuzz(path, 25, schemathesis.GenerationMode.POSITIVE)
    assert sum(seen.values()) >= (1 if path in ("/v1/rulesets", "/livez", "/readyz") else 20)


@pytest.mark.parametrize("path", ["/v1/score", "/v1/verify"])
def test_what_does_not(path: str) -> None:
    seen = fuzz(path, 40, schemathesis.GenerationMode.NEGATIVE)
    assert seen[400] > 10


@pytest.mark.soak
@pytest.mark.parametrize("path", ["/v1/read", "/v1/score", "/v1/hands", "/v1/rulesets/{id}"])
def test_thousands_of_cases(path: str) -> None:
    seen = fuzz(path, 600, schemathesis.GenerationMode.POSITIVE)
    print(path, dict(seen))
    assert sum(seen.values()) >= 500

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import BaseModel, TypeAdapter
from starlette.testclient import TestClient

from api import docs, examples, referee_examples, referee_schemas, schemas
from api.errors import PROBLEMS
from api.ledger import schemas as ledger_schemas
from tests.api.conftest import photo_bytes

LEDGER = (
    *("create_match", "list_matches", "get_match", "add_entry", "list_entries", "get_table"),
    *("export_json", "export_csv"),
)
OPERATIONS = (
    "read", "score", "hands", "verify", "bundles", "check_bundle", "sheets", "rulesets", "ruleset",
    "livez", "healthz", "readyz", *LEDGER,
)  # fmt: skip
#: What answers with a file.
FILES = {"bundles": "application/zip", "sheets": "application/pdf"}


@pytest.fixture
def document(service_app: FastAPI) -> dict[str, Any]:
    return service_app.openapi()


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = [operation for methods in document["paths"].values() for operation in methods.values()]
    return {operation["operationId"]: operation for operation in found}


def model_of(schema: dict[str, str]) -> type[BaseModel]:
    name = schema["$ref"].rpartition("/")[2]
    homes = (schemas, referee_schemas, ledger_schemas)
    model: type[BaseModel] = next(getattr(home, name) for home in homes if hasattr(home, name))
    return model


def test_every_operation_is_described(document: dict[str, Any]) -> None:
    assert set(operations(document)) == set(OPERATIONS)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_examples_of_answers_and_errors_fit_their_shapes(document: dict[str, Any], operation: str) -> None:
    responses = operations(document)[operation]["responses"]
    codes = set()
    for status, response in responses.items():
        assert response["description"]
        for media, content in response.get("content", {}).items():
            if status == "200" and operation in FILES:
                assert media == FILES[operation]
                continue
            if media == "text/csv":
                assert status == "200"
                assert content["example"].startswith("\ufeffentry,at,by,key,kind")
                continue
            model = model_of(content["schema"])
            if status in ("200", "201"):
                assert media == "application/json"
                shown = content.get("examples", {"one": {"value": content.get("example")}})
                for example in shown.values():
                    model.model_validate(example["value"], strict=True)
                continue
            assert media == "application/problem+json"
            assert content["examples"]
            for code, example in content["examples"].items():
                model.model_validate(example["value"], strict=True)
                assert example["value"]["code"] == code
                assert example["value"]["status"] == int(status) == PROBLEMS[code].status
                codes.add(code)
    assert codes == set(docs.ERRORS[operation])


def test_every_error_is_on_some_route_or_of_the_command_line(document: dict[str, Any]) -> None:
    shown = {code for codes in docs.ERRORS.values() for code in codes}
    assert set(PROBLEMS) - shown == {
        "method_not_allowed",
        "image_error",
        "canary_failed",
        "photo_unreadable",
        "bad_export",
        "file_unreadable",
        "file_unwritable",
        "overlay_unwritable",
        "bad_key",
        "bad_signature",
        "font_unusable",
        "own_set_file",
        "own_set_faces",
        "own_set_model",
        "own_set_count",
        "own_set_order",
    }
    assert shown <= set(examples.ERROR_DETAILS)


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    known = document["components"]["schemas"]

    def references(node: Any) -> list[str]:
        if isinstance(node, dict):
            own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
            return own + [ref for value in node.values() for ref in references(value)]
        return [ref for value in node for ref in references(value)] if isinstance(node, list) else []

    found = references(document)
    assert found
    assert {ref.rpartition("/")[2] for ref in found} <= set(known)
    assert "HTTPValidationError" not in known


def test_no_address_is_ever_fetched(document: dict[str, Any]) -> None:
    for operation in operations(document).values():
        for parameter in operation.get("parameters", []):
            assert "url" not in parameter["name"].lower()
    for name in ("ScoreRequestBody", "HandRequestBody"):
        assert not [
            field for field in document["components"]["schemas"][name]["properties"] if "url" in field
        ]


def test_bodies_have_examples_that_work(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    asked = operations(document)
    requests = asked["score"]["requestBody"]["content"]["application/json"]["examples"]
    answers = asked["score"]["responses"]["200"]["content"]["application/json"]["examples"]
    assert list(requests) == list(answers)
    for name, request in requests.items():
        schemas.ScoreRequestBody.model_validate(request["value"])
        assert client.post("/v1/score", json=request["value"]).json() == answers[name]["value"]
    assert answers["a_score"]["value"]["settlement"] is None
    assert answers["a_score_and_who_pays_whom"]["value"]["settlement"]["payments"]["2z"] > 0
    assert answers["a_win_that_was_none"]["value"]["settlement"]["payments"]["2z"] < 0
    assert answers["nobody_can_say_who_pays"]["value"]["problems"][0]["code"] == "no_settlement"
    for name, request in referee_examples.VERIFY_REQUESTS.items():
        referee_schemas.VerifyRequestBody.model_validate(request)
        answer = client.post("/v1/verify", json=request).json()
        assert answer == referee_examples.verify_examples()[name]
    schemas.HandRequestBody.model_validate(examples.HAND_REQUEST)
    assert examples.hand_example()["score"]["is_win"]
    assert examples.hand_example()["score"]["settlement"]["lines"]


def _form(request: dict[str, Any]) -> dict[str, Any]:
    image = photo_bytes(value=200)
    return {"files": {"image": ("a.jpg", image), "request": (None, json.dumps(request), "application/json")}}


def _zipped(client: TestClient) -> dict[str, Any]:
    told = {"claim": {"total": 8}, "confirmed": {"by": "Wong"}, "place": {"table": "3"}}
    bundle = client.post("/v1/bundles", **_form(told))
    return {"content": bundle.content, "headers": {"content-type": "application/zip"}}


def test_real_answers_fit_their_shapes(client: TestClient) -> None:
    image = {"content": photo_bytes(), "headers": {"content-type": "image/jpeg"}}
    checks: list[tuple[Any, type[BaseModel]]] = [
        (client.post("/v1/read", **image), schemas.ReadAnswer),
        (client.post("/v1/hands", **image), schemas.HandAnswer),
        (client.post("/v1/score", json={"hand": "123m"}), schemas.ScoreAnswer),
        (client.post("/v1/verify", **_form({"claim": {"total": 8}})), referee_schemas.VerifyAnswer),
        (
            client.post("/v1/verify", json={"hand": "123m", "claim": {"total": 8}}),
            referee_schemas.VerifyAnswer,
        ),
        (client.post("/v1/bundles/check", **_zipped(client)), referee_schemas.BundleAnswer),
        (client.get("/v1/rulesets"), schemas.RulesetsAnswer),
        (client.get("/v1/rulesets/hk"), schemas.RulesetAnswer),
        (client.get("/readyz"), schemas.ReadyAnswer),
        (client.get("/healthz"), schemas.HealthAnswer),
    ]
    for response, model in checks:
        assert response.status_code == 200
        TypeAdapter(model).validate_json(response.content)


def test_requests_that_are_taken_are_those_described() -> None:
    from api.answers import HandRequest, ScoreRequest
    from api.bundle import BundleRequest
    from api.verify import VerifyRequest
    from scorer import Seats
    from scorer.hand import FLAGS

    for asked, shape in ((ScoreRequest, schemas.ScoreRequestBody), (HandRequest, schemas.HandRequestBody)):
        assert set(asked.__dataclass_fields__) == set(shape.model_fields)
    asked = set(VerifyRequest.__dataclass_fields__)
    assert asked == set(referee_schemas.VerifyRequestBody.model_fields)
    own = set(BundleRequest.__dataclass_fields__) - {"asked"} | set(HandRequest.__dataclass_fields__)
    own -= {"overlay", "log"}  # a bundle always holds an overlay; the log is told within `confirmed`
    assert own == set(referee_schemas.BundleRequestBody.model_fields)
    assert set(schemas.TableBody.model_fields) == {*Seats.__dataclass_fields__, "at_once"}
    assert set(schemas.ContextBody.model_fields) == {"win", "seat", "round", "flowers", *FLAGS}

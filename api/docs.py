"""The description of the service (OpenAPI): which route answers what, with an example of every answer and
every error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from api import examples, schemas
from api.errors import PROBLEM_TYPE, PROBLEMS
from api.ledger import described as ledger

__all__ = ["describe", "json_body", "ledger_operation", "photo_body", "responses"]

_REF = "#/components/schemas/{model}"
_IMAGES = ("image/jpeg", "image/png", "image/webp", "image/heic")
_BINARY = {"type": "string", "format": "binary"}

_EVERY = ("internal", "bad_http", "header_timeout", "too_many_connections")
_KEY = ("unauthorized", "quota_exceeded")
_BODY = (*_EVERY, *_KEY, "body_timeout", "body_too_large", "unsupported_media_type", "overloaded")
_SCORING = (
    *("bad_request", "bad_notation", "bad_context", "bad_table", "bad_option", "unknown_ruleset", "bad_json"),
)
_PHOTO = (
    *("bad_multipart", "missing_image", "image_bytes", "image_type", "image_empty", "image_undecodable"),
    *("image_too_large", "image_too_small", "image_animated", "no_tiles", "not_ready", "model_unavailable"),
    *("worker_lost", "deadline"),
)
ERRORS: dict[str, tuple[str, ...]] = {
    "read": (*_BODY, *_PHOTO),
    "score": (*_BODY, *_SCORING, "not_ready"),
    "hands": (*_BODY, *_PHOTO, *_SCORING, "winning_tile_not_in_hand"),
    "rulesets": (*_EVERY, *_KEY),
    "ruleset": (*_EVERY, *_KEY, "not_found"),
    "livez": _EVERY,
    "healthz": _EVERY,
    "readyz": (*_EVERY, "not_ready"),
    **{
        name: (*(_BODY if name in ledger.BODIES else (*_EVERY, *_KEY)), *codes)
        for name, codes in ledger.ERRORS.items()
    },
}
_ANSWERS: dict[str, tuple[type[BaseModel], Any]] = {
    "read": (schemas.ReadAnswer, lambda: examples.READ_ANSWER),
    "score": (schemas.ScoreAnswer, examples.score_examples),
    "hands": (schemas.HandAnswer, examples.hand_example),
    "rulesets": (schemas.RulesetsAnswer, examples.rulesets_example),
    "ruleset": (schemas.RulesetAnswer, examples.ruleset_example),
    "livez": (schemas.HealthAnswer, lambda: examples.HEALTH_ANSWER),
    "healthz": (schemas.HealthAnswer, lambda: examples.HEALTH_ANSWER),
    "readyz": (schemas.ReadyAnswer, lambda: examples.READY_ANSWER),
    **ledger.ANSWERS,
}
#: Routes whose example is a table of several, by what they show.
_SEVERAL = frozenset({"score"})


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _REF.format(model=model.__name__)}


def responses(route: str) -> dict[int | str, dict[str, Any]]:
    """Every status that a route answers with, and under each error status an example of every code."""
    found: dict[int | str, dict[str, Any]] = {ledger.STATUS.get(route, 200): _success(route)}
    if any(each["name"] == "If-None-Match" for each in ledger.PARAMETERS.get(route, ())):
        found[304] = {"description": "Nothing was entered since."}
    for code in sorted(set(ERRORS[route]), key=lambda code: (PROBLEMS[code].status, code)):
        status = PROBLEMS[code].status
        entry = found.setdefault(
            status,
            {
                "description": "",
                "content": {PROBLEM_TYPE: {"schema": _ref(schemas.ProblemBody), "examples": {}}},
            },
        )
        entry["content"][PROBLEM_TYPE]["examples"][code] = {
            "summary": PROBLEMS[code].title,
            "value": examples.problem_example(code),
        }
        entry["description"] = "; ".join(
            example["summary"] for example in entry["content"][PROBLEM_TYPE]["examples"].values()
        )
        if status in (429, 503):
            entry["headers"] = {
                "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}
            }
    return found


def _success(route: str) -> dict[str, Any]:
    # The examples of answers are scored when somebody asks for the description, not when the service starts.
    if route not in _ANSWERS:
        return {
            "description": "One line an entry.",
            "content": {"text/csv": {"schema": {"type": "string"}}},
        }
    model, _ = _ANSWERS[route]
    answer: dict[str, Any] = {
        "description": (model.__doc__ or "").strip(),
        "content": {"application/json": {"schema": _ref(model)}},
    }
    if route in ledger.PARAMETERS and route != "list_matches":
        answer["headers"] = {
            "ETag": {"description": "Changes with every entry.", "schema": {"type": "string"}}
        }
    return answer


def ledger_operation(name: str) -> dict[str, Any]:
    """Parameters and body of a route of the ledger."""
    operation: dict[str, Any] = {"parameters": ledger.PARAMETERS[name]}
    if name in ledger.BODIES:
        model, shown = ledger.BODIES[name]
        content = {"schema": _ref(model), "examples": _shown(shown)}
        operation["requestBody"] = {"required": True, "content": {"application/json": content}}
    return operation


def json_body() -> dict[str, Any]:
    """The body of `/v1/score`."""
    shown = _shown(examples.SCORE_REQUESTS)
    content = {"schema": _ref(schemas.ScoreRequestBody), "examples": shown}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}


def _shown(several: Mapping[str, Any]) -> dict[str, Any]:
    return {
        shows.lower().replace(" ", "_"): {"summary": shows, "value": value}
        for shows, value in several.items()
    }


def photo_body(*, with_request: bool) -> dict[str, Any]:
    """A body with a photo: multipart, or the raw file."""
    properties: dict[str, Any] = {"image": {**_BINARY, "description": "A JPEG, PNG, WebP or HEIC file."}}
    form: dict[str, Any] = {"schema": {"type": "object", "required": ["image"], "properties": properties}}
    if with_request:
        properties["request"] = _ref(schemas.HandRequestBody)
        form["encoding"] = {"request": {"contentType": "application/json"}}
    raw: dict[str, Any] = {image: {"schema": _BINARY} for image in _IMAGES}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": form, **raw}}}


def describe(app: FastAPI) -> dict[str, Any]:
    """The whole description, made once for each app."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        components = document.setdefault("components", {})
        components.setdefault("schemas", {}).update(_components())
        components["securitySchemes"] = {
            "bearer": {"type": "http", "scheme": "bearer", "description": "An API key."},
            "header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        }
        for methods in document["paths"].values():
            for operation in methods.values():
                name = operation["operationId"]
                if "unauthorized" in ERRORS[name]:
                    # The empty one: where the service listens to its own machine alone, no key is asked for.
                    operation["security"] = [{"bearer": []}, {"header": []}, {}]
                success = operation["responses"][str(ledger.STATUS.get(name, 200))]["content"]
                if name not in _ANSWERS:
                    success["text/csv"]["example"] = ledger.csv_example()
                    continue
                example = _ANSWERS[name][1]()
                content = success["application/json"]
                content |= {"examples": _shown(example)} if name in _SEVERAL else {"example": example}
        app.openapi_schema = document
    return app.openapi_schema


def _components() -> dict[str, Any]:
    answers: Literal["serialization"] = "serialization"
    asked: Literal["validation"] = "validation"
    wanted: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        (model, answers) for model, _ in _ANSWERS.values()
    ]
    wanted += [
        (schemas.ProblemBody, answers),
        (schemas.ScoreRequestBody, asked),
        (schemas.HandRequestBody, asked),
        *((model, asked) for model, _ in ledger.BODIES.values()),
    ]
    _, document = models_json_schema(wanted, ref_template=_REF)
    definitions: dict[str, Any] = document["$defs"]
    return definitions

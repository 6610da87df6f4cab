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

from api import examples, referee_examples, referee_schemas, schemas
from api.errors import PROBLEM_TYPE, PROBLEMS
from api.faces import PAPERS
from api.ledger import described as ledger

__all__ = [
    "bundle_body", "describe", "json_body", "ledger_operation", "paper_parameter", "photo_body", "responses",
]  # fmt: skip

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
_BUNDLE = ("no_bundle", "bundle_changed", "bundle_too_new", "bundle_too_large")
ERRORS: dict[str, tuple[str, ...]] = {
    "read": (*_BODY, *_PHOTO),
    "score": (*_BODY, *_SCORING, "not_ready"),
    "hands": (*_BODY, *_PHOTO, *_SCORING, "winning_tile_not_in_hand"),
    "verify": (*_BODY, *_PHOTO, *_SCORING, "bad_claim", "winning_tile_not_in_hand"),
    "bundles": (*_BODY, *_PHOTO, *_SCORING, "bad_claim", "winning_tile_not_in_hand"),
    "check_bundle": (*_BODY,),
    "sheets": (*_BODY, "bad_request", *_BUNDLE, "not_ready", "worker_lost", "deadline"),
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
    "verify": (referee_schemas.VerifyAnswer, referee_examples.verify_examples),
    "check_bundle": (referee_schemas.BundleAnswer, referee_examples.bundle_examples),
    "rulesets": (schemas.RulesetsAnswer, examples.rulesets_example),
    "ruleset": (schemas.RulesetAnswer, examples.ruleset_example),
    "livez": (schemas.HealthAnswer, lambda: examples.HEALTH_ANSWER),
    "healthz": (schemas.HealthAnswer, lambda: examples.HEALTH_ANSWER),
    "readyz": (schemas.ReadyAnswer, lambda: examples.READY_ANSWER),
    **ledger.ANSWERS,
}
#: Routes whose example is a table of several, by what they show.
_SEVERAL = frozenset({"score", "verify", "check_bundle"})
#: Routes that answer with a file: its type, and what it is.
_FILES = {
    "bundles": ("application/zip", "The bundle: a zip in which every byte is spoken for."),
    "sheets": ("application/pdf", "One page to print and to sign."),
}


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _REF.format(model=model.__name__)}


def responses(route: str) -> dict[int | str, dict[str, Any]]:
    """Every status that a route answers with, and under each error status an example of every code."""
    found: dict[int | str, dict[str, Any]] = {ledger.STATUS.get(route, 200): _good(route)}
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


def _good(route: str) -> dict[str, Any]:
    """What a route answers where nothing is wrong."""
    # The examples of answers are scored when somebody asks for the description, not when the service starts.
    if route in _FILES:
        media, what = _FILES[route]
        return {"description": what, "content": {media: {"schema": _BINARY}}}
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


#: The JSON that each route is asked with, and examples of it.
_ASKED: dict[str, tuple[type[BaseModel], Mapping[str, Any]]] = {
    "score": (schemas.ScoreRequestBody, examples.SCORE_REQUESTS),
    "verify": (referee_schemas.VerifyRequestBody, referee_examples.VERIFY_REQUESTS),
    "hands": (schemas.HandRequestBody, {}),
    "bundles": (referee_schemas.BundleRequestBody, {}),
}


def json_body(route: str, *, photo: bool = False) -> dict[str, Any]:
    """A body of JSON; with `photo`, a form with a photo may be sent instead."""
    model, several = _ASKED[route]
    content: dict[str, Any] = {"application/json": {"schema": _ref(model), "examples": _shown(several)}}
    if photo:
        content["multipart/form-data"] = _form(route)
    return {"requestBody": {"required": True, "content": content}}


def bundle_body() -> dict[str, Any]:
    """A bundle as it was made."""
    return {"requestBody": {"required": True, "content": {"application/zip": {"schema": _BINARY}}}}


def paper_parameter() -> dict[str, Any]:
    """The size of a sheet."""
    schema = {"type": "string", "enum": list(PAPERS), "default": "a4"}
    return {"parameters": [{"name": "paper", "in": "query", "schema": schema}]}


def _form(route: str | None) -> dict[str, Any]:
    """A form with a photo, and the JSON of a route beside it."""
    properties: dict[str, Any] = {"image": {**_BINARY, "description": "A JPEG, PNG, WebP or HEIC file."}}
    form: dict[str, Any] = {"schema": {"type": "object", "required": ["image"], "properties": properties}}
    if route is not None:
        properties["request"] = _ref(_ASKED[route][0])
        form["encoding"] = {"request": {"contentType": "application/json"}}
    return form


def _shown(several: Mapping[str, Any]) -> dict[str, Any]:
    return {
        shows.lower().replace(" ", "_"): {"summary": shows, "value": value}
        for shows, value in several.items()
    }


def photo_body(*, with_request: str | None = None) -> dict[str, Any]:
    """A body with a photo: multipart, with the JSON of a route if there is one, or the raw file."""
    raw: dict[str, Any] = {image: {"schema": _BINARY} for image in _IMAGES}
    content = {"multipart/form-data": _form(with_request), **raw}
    return {"requestBody": {"required": True, "content": content}}


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
                if name in _FILES:
                    continue
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
    wanted += [(schemas.ProblemBody, answers), *((model, asked) for model, _ in _ASKED.values())]
    wanted += [(model, asked) for model, _ in ledger.BODIES.values()]
    _, document = models_json_schema(wanted, ref_template=_REF)
    definitions: dict[str, Any] = document["$defs"]
    return definitions

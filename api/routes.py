"""The routes: each takes a request apart, asks the service, and wraps its answer. Errors are the app's to
answer.
"""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.answers import ScoreRequest, ruleset_answer, rulesets_answer
from api.docs import json_body, photo_body, responses
from api.errors import ApiError
from api.jobs import Outcome
from api.limits import note
from api.replies import AnswerResponse, ReadyMadeResponse
from api.service import Service
from api.uploads import read_json, read_upload
from scorer import UnknownRuleSet

__all__ = ["answered", "router", "service_of"]

router = APIRouter(default_response_class=AnswerResponse)


def service_of(request: Request) -> Service:
    """The service of the application that was asked."""
    service: Service = request.app.state.service
    return service


def answered(request: Request, outcome: Outcome) -> ReadyMadeResponse:
    """The answer that a worker made; what it learned of the photo goes into the log."""
    note(request.scope, photo={name: value for name, value in outcome.facts.items() if name != "rss"})
    return ReadyMadeResponse(outcome.require_answer())


@router.post(
    "/v1/read",
    operation_id="read",
    summary="Read the tiles in a photo",
    responses=responses("read"),
    openapi_extra=photo_body(),
)
async def read(request: Request) -> ReadyMadeResponse:
    """The tiles in the photo, the hand that they make, and every reason to look again. Nothing is stored."""
    service = service_of(request)
    service.require_place()
    settings = service.settings
    upload = await read_upload(request, settings.max_body_bytes, settings.max_json_bytes)
    return answered(request, await service.read(upload.image))


@router.post(
    "/v1/score",
    operation_id="score",
    summary="Score a hand",
    responses=responses("score"),
    openapi_extra=json_body("score"),
)
async def score(request: Request) -> AnswerResponse:
    """The fans that count, those that do not and why, and the total. A hand that does not win is an answer,
    too.
    """
    service = service_of(request)
    asked = ScoreRequest.from_data(await read_json(request, service.settings.max_json_bytes))
    return AnswerResponse(await service.score(asked))


@router.post(
    "/v1/hands",
    operation_id="hands",
    summary="Read a photo and score its hand",
    responses=responses("hands"),
    openapi_extra=photo_body(with_request="hands"),
)
async def hands(request: Request) -> ReadyMadeResponse:
    """Reading and score in one. What the photo cannot show goes into the part `request`; without it, the
    score is a range.
    """
    service = service_of(request)
    service.require_place()
    settings = service.settings
    upload = await read_upload(request, settings.max_body_bytes, settings.max_json_bytes, with_request=True)
    return answered(request, await service.hand(upload.image, upload.request))


@router.get("/v1/rulesets", operation_id="rulesets", summary="The rule sets", responses=responses("rulesets"))
async def rulesets(request: Request) -> AnswerResponse:
    """Every rule set in brief."""
    return AnswerResponse(rulesets_answer())


@router.get(
    "/v1/rulesets/{id}",
    operation_id="ruleset",
    summary="One rule set",
    responses=responses("ruleset"),
    openapi_extra={
        "parameters": [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}, "example": "hk"}
        ]
    },
)
async def ruleset(request: Request) -> AnswerResponse:
    """The whole table of a rule set: fans with their points and exclusions, house rules with their values."""
    try:
        return AnswerResponse(ruleset_answer(request.path_params["id"]))
    except UnknownRuleSet as error:
        # In an address it is a thing that is not there; in a request it is a word that is not understood.
        raise ApiError("not_found", error.detail) from error


@router.get("/livez", operation_id="livez", summary="Is the process alive?", responses=responses("livez"))
async def livez(request: Request) -> AnswerResponse:
    """Answers as long as the process does."""
    return AnswerResponse({"status": "ok"})


@router.get("/healthz", operation_id="healthz", summary="The same as /livez", responses=responses("healthz"))
async def healthz(request: Request) -> AnswerResponse:
    """The older name of `/livez`."""
    return await livez(request)


@router.get("/readyz", operation_id="readyz", summary="May photos be sent?", responses=responses("readyz"))
async def readyz(request: Request) -> AnswerResponse:
    """Ready once a worker has read the bundled photo and found exactly the tiles that it shows."""
    return AnswerResponse({"status": "ready", "model": dict(service_of(request).require_ready())})


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    """Counters and gauges for Prometheus."""
    from api.metrics import CONTENT_TYPE

    return Response(service_of(request).measured().text(), media_type=CONTENT_TYPE)

"""The routes for a referee: a claim judged, evidence made and checked, and the sheet to sign."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.docs import bundle_body, json_body, paper_parameter, photo_body, responses
from api.errors import ApiError
from api.faces import PAPERS
from api.limits import note
from api.recheck import check_bundle
from api.replies import AnswerResponse
from api.routes import answered, service_of
from api.uploads import media_type, read_json, read_raw, read_upload
from api.verify import VerifyRequest

__all__ = ["router"]

router = APIRouter(default_response_class=AnswerResponse)


@router.post(
    "/v1/verify",
    operation_id="verify",
    summary="Judge a claim",
    responses=responses("verify"),
    openapi_extra=json_body("verify", photo=True),
)
async def verify(request: Request) -> Response:
    """Whether what a winner claims is a legal scoring of the hand: of one in notation (JSON), or of one in a
    photo (multipart, with the claim in the part `request`). What the winner could have claimed as well is
    told only where `tell_more` asks for it.
    """
    service = service_of(request)
    settings = service.settings
    if media_type(request) == "application/json":
        asked = VerifyRequest.from_data(await read_json(request, settings.max_json_bytes))
        asked.require_valid()
        return AnswerResponse(await service.verify(asked))
    service.require_place()
    upload = await read_upload(request, settings.max_body_bytes, settings.max_json_bytes, with_request=True)
    return answered(request, await service.verify_photo(upload.image, upload.request or {}))


@router.post(
    "/v1/bundles",
    operation_id="bundles",
    response_class=Response,
    summary="Make the evidence of a hand",
    responses=responses("bundles"),
    openapi_extra=photo_body(with_request="bundles"),
)
async def bundles(request: Request) -> Response:
    """A zip with what was seen, what a person settled, what was declared, and the verdict. It is not kept
    here. Where the service has a key, it is signed.
    """
    service = service_of(request)
    service.require_place()
    settings = service.settings
    upload = await read_upload(request, settings.max_body_bytes, settings.max_json_bytes, with_request=True)
    outcome = await service.bundle(upload.image, upload.request)
    note(request.scope, photo={name: value for name, value in outcome.facts.items() if name != "rss"})
    made = outcome.require_answer()
    if settings.signing_key is not None:
        # Not in the worker, which reads hostile files and holds no key.
        from api.signing import load_private, signed

        made = await asyncio.to_thread(signed, made, load_private(settings.signing_key))
    headers = {"Content-Disposition": 'attachment; filename="hand.zip"'}
    return Response(made, media_type="application/zip", headers=headers)


@router.post(
    "/v1/bundles/check",
    operation_id="check_bundle",
    summary="Check the evidence of a hand",
    responses=responses("check_bundle"),
    openapi_extra=bundle_body(),
)
async def check(request: Request) -> AnswerResponse:
    """Whether every byte is as it was made, who signed it, and whether today's version would decide
    otherwise. A bundle that was changed is an answer too.
    """
    data = await read_raw(request, "application/zip", service_of(request).settings.max_body_bytes)
    return AnswerResponse(await asyncio.to_thread(check_bundle, data))


@router.post(
    "/v1/sheets",
    operation_id="sheets",
    response_class=Response,
    summary="The sheet to sign",
    responses=responses("sheets"),
    openapi_extra={**bundle_body(), **paper_parameter()},
)
async def sheets(request: Request) -> Response:
    """One page (PDF) of a bundle: picture, hand, fans, verdict and places to sign, in English and Chinese."""
    paper = request.query_params.get("paper", "a4")
    if paper not in PAPERS:
        raise ApiError("bad_request", f"paper: {paper[:20]!r} is none of {', '.join(PAPERS)}")
    service = service_of(request)
    service.require_place()
    data = await read_raw(request, "application/zip", service.settings.max_body_bytes)
    page = (await service.sheet(data, paper)).require_answer()
    headers = {"Content-Disposition": 'attachment; filename="hand.pdf"'}
    return Response(page, media_type="application/pdf", headers=headers)

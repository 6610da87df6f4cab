"""From a request's body to the bytes of a photo and the words that came with it, all in memory.

A photo arrives as the part `image` of a multipart body, or as a raw body of type `image/*`. The name that a
client gives a file, and the type that it declares for it, decide nothing: what it is, its own first bytes
say.
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from api.answers import loads
from api.errors import ApiError

__all__ = ["Upload", "media_type", "read_json", "read_raw", "read_upload"]


@dataclass(frozen=True, slots=True)
class Upload:
    """The bytes of a photo, and the parsed JSON part `request` (None where there is none)."""

    image: bytes
    request: object = None


async def read_upload(request: Request, most: int, most_json: int, *, with_request: bool = False) -> Upload:
    """The photo of `request`, and its JSON part `request` if `with_request`. Raises ApiError.

    `most` is the limit of the whole body, which the gate holds; nothing below it is ever written to disk.
    """
    declared = media_type(request)
    if declared.startswith("image/") or declared == "application/octet-stream":
        return Upload(await request.body())
    if declared != "multipart/form-data":
        raise ApiError(
            "unsupported_media_type",
            f"a photo comes as multipart/form-data (part `image`) or as a raw image/*, not as {declared!r}",
        )
    form = await _form(request, most, most_json, 2 if with_request else 1)
    try:
        image = await _single(form, "image")
        if image is None:
            raise ApiError("missing_image", "the multipart body has no part `image`")
        extra = sorted(set(form.keys()) - ({"image", "request"} if with_request else {"image"}))
        if extra:
            raise ApiError("bad_multipart", f"no such part is expected: {extra[0][:80]!r}")
        words = await _single(form, "request")
    finally:
        await form.close()
    if words is not None and len(words) > most_json:
        raise ApiError("body_too_large", f"the part `request` may have {most_json} bytes at most")
    return Upload(image, None if words is None else loads(words))


async def read_json(request: Request, most: int) -> object:
    """The parsed JSON body. Raises ApiError `unsupported_media_type`, `body_too_large` and `bad_json`."""
    declared = media_type(request)
    if declared != "application/json":
        raise ApiError("unsupported_media_type", f"this is asked with application/json, not {declared!r}")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise ApiError(
                "body_too_large", f"a JSON body may have {most} bytes at most", {"Connection": "close"}
            )
    return loads(bytes(body))


async def read_raw(request: Request, media: str, most: int) -> bytes:
    """The body, of one type only. Raises ApiError `unsupported_media_type` and `body_too_large`."""
    declared = media_type(request)
    if declared != media:
        raise ApiError("unsupported_media_type", f"this is asked with {media}, not {declared!r}")
    body = await request.body()
    if len(body) > most:
        raise ApiError("body_too_large", f"a body may have {most} bytes at most")
    return body


def media_type(request: Request) -> str:
    """The type that the body is declared to be, without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _form(request: Request, most: int, most_json: int, parts: int) -> FormData:
    parser = MultiPartParser(
        request.headers, request.stream(), max_files=parts, max_fields=parts, max_part_size=most_json
    )
    # Larger than any body: a photo of a person's table is never spooled to disk.
    parser.spool_max_size = most + 1
    try:
        return await parser.parse()
    except MultiPartException as error:
        raise ApiError("bad_multipart", f"the multipart body cannot be read: {error.message}") from error
    except (KeyError, UnicodeDecodeError, ValueError) as error:  # no boundary; names that are no text
        raise ApiError("bad_multipart", "the multipart body cannot be read") from error


async def _single(form: FormData, name: str) -> bytes | None:
    """The content of the one part of this name, whether it came as a file or as a field."""
    found = form.getlist(name)
    if len(found) > 1:
        raise ApiError("bad_multipart", f"there is more than one part `{name}`")
    if not found:
        return None
    part = found[0]
    return await part.read() if isinstance(part, UploadFile) else part.encode("utf-8", "surrogatepass")

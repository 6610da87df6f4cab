"""The web page: a handful of files, served by the process that reads the photos.

The page uses nothing but the public HTTP API. What it may load is said by its
Content-Security-Policy: its own files and nothing else, no inline script or style, no other host.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.errors import ApiError

__all__ = ["CONTENT_SECURITY_POLICY", "MEDIA_TYPES", "page_file", "router"]

router = APIRouter(include_in_schema=False)

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",  # blob: the photo, which never leaves the browser but to be read
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",  # no text ever becomes markup or code
        "trusted-types page",  # its one policy: the address of the service worker
    )
)

#: Files of other kinds (the sources of the type check) are not served.
MEDIA_TYPES: Mapping[str, str] = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}
_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    # A file is asked for again each time and answered with 304: a new release is there at the next load.
    "Cache-Control": "no-cache",
    "Vary": "Accept-Encoding",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file of the page: its bytes plain and gzipped, its media type, and its entity tag."""

    plain: bytes
    packed: bytes | None
    media_type: str
    tag: str


@cache
def page_file(name: str) -> PageFile | None:
    """The file of that name; None where the page has no such file. Kept in memory once it was asked for."""
    media_type = MEDIA_TYPES.get(name.rpartition(".")[2])
    folder = resources.files("api").joinpath("page")
    # The names that there are decide, not the file system: nothing outside the folder can be named.
    if media_type is None or name not in {entry.name for entry in folder.iterdir()}:
        return None
    plain = folder.joinpath(name).read_bytes()
    packed = None if media_type == "image/png" else gzip.compress(plain, 9, mtime=0)
    return PageFile(plain, packed, media_type, f'"{hashlib.sha256(plain).hexdigest()[:32]}"')


def _answer(request: Request, name: str) -> Response:
    found = page_file(name)
    if found is None:
        raise ApiError("not_found", f"the page has no file {name[:100]!r}")
    headers = {**_HEADERS, "ETag": found.tag}
    if found.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    body = found.plain
    if found.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body = found.packed
        headers["Content-Encoding"] = "gzip"
    return Response(body, media_type=found.media_type, headers=headers)


@router.api_route("/", methods=["GET", "HEAD"])
async def page(request: Request) -> Response:
    """The page."""
    return _answer(request, "index.html")


@router.get("/sw.js")
async def service_worker(request: Request) -> Response:
    """The service worker: at the root, because it may only care for what lies under its own address."""
    return _answer(request, "sw.js")


@router.get("/favicon.ico")
async def favicon(request: Request) -> Response:
    """The icon that browsers ask for by themselves."""
    return _answer(request, "icon.svg")


@router.get("/page/{name}")
async def file(request: Request, name: str) -> Response:
    """One of the page's files."""
    return _answer(request, name)

"""One piece of work on a photo, and what comes of it, the same in a worker's process and in a thread.

The answer leaves as the JSON that the client gets, so that a process that only passes it on need not take it
apart.
"""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from api.answers import HandRequest, dumps, hand_answer, read_answer
from api.errors import PROBLEMS, ApiError, problem_of

if TYPE_CHECKING:
    from vision import Reading

__all__ = ["Canary", "Job", "Outcome", "PhotoReader", "canary", "perform", "require_sight", "unaided"]

#: Digits of a photo's digest that a log shows: enough to tell two photos apart, too few to be of other use.
_DIGITS = 12


class PhotoReader(Protocol):
    """What the doors need of a reader of photos; `vision.Reader` is one."""

    @property
    def model(self) -> Mapping[str, str]:
        """Name, version and sha256 of the model."""
        ...

    def read(self, data: bytes, *, name: str | None = None) -> Reading:
        """The reading of a photo; raises `vision.VisionError`."""
        ...


@dataclass(frozen=True, slots=True)
class Job:
    """A photo to be read, and what is to be made of the reading; or a bundle of which a sheet is made, here
    because its picture is as good a hiding place as any photo.

    `request` is the parsed JSON of a `HandRequest`, a `VerifyRequest` or a `BundleRequest`, None where the
    client sent none; a `read` has none. A `canary` is read as it looks to the networks,
    whatever tile set all other photos show.
    """

    kind: Literal["read", "hand", "verify", "bundle", "sheet", "canary"]
    image: bytes = field(repr=False)
    request: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job.

    `answer` is the body for the client (JSON, or a bundle), empty where `error` (code, detail) says why there
    is none. `facts` says what a log and the metrics may know of the photo: digest, width, height, tiles,
    milliseconds.
    `trouble` is a traceback for our log where the fault was ours.
    """

    answer: bytes = field(repr=False)
    facts: Mapping[str, Any]
    error: tuple[str, str] | None = None
    trouble: str | None = None

    def require_answer(self) -> bytes:
        """The answer. Raises ApiError with the error's code."""
        if self.error is not None:
            raise ApiError(*self.error)
        return self.answer


def perform(reader: PhotoReader, job: Job) -> Outcome:
    """Do the job. Raises nothing but MemoryError: whatever goes wrong with the photo is an outcome too."""
    facts: dict[str, Any] = {"sha256": hashlib.sha256(job.image).hexdigest()[:_DIGITS]}
    begin = time.perf_counter()
    try:
        if job.kind == "sheet":
            return Outcome(_sheet(job), facts)
        reading = (unaided(reader) if job.kind == "canary" else reader).read(job.image)
        read_s = time.perf_counter() - begin
        facts |= {"width": reading.width, "height": reading.height, "tiles": len(reading.tiles)}
        body = _made(job, reading, read_s)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - its code says what it is; one without a code is ours
        facts["ms"] = _since(begin)
        code, detail = problem_of(error)
        trouble = traceback.format_exc() if PROBLEMS[code].status >= 500 else None
        return Outcome(b"", facts, (code, detail), trouble)
    facts["ms"] = _since(begin)
    return Outcome(body, facts)


def _made(job: Job, reading: Reading, read_s: float) -> bytes:
    """What the client gets for the reading of its photo."""
    if job.kind in ("read", "canary"):
        return dumps(read_answer(reading, None)).encode("utf-8")
    if job.kind == "verify":
        from api.verify import VerifyRequest, verify_photo_answer

        claim = VerifyRequest.from_data(job.request)
        return dumps(verify_photo_answer(reading, claim, None, read_s)).encode("utf-8")
    if job.kind == "bundle":
        from api.bundle import BundleRequest, make_bundle

        return make_bundle(job.image, reading, BundleRequest.from_data(job.request))
    request = HandRequest() if job.request is None else HandRequest.from_data(job.request)
    return dumps(hand_answer(reading, request, None, read_s)).encode("utf-8")


def _sheet(job: Job) -> bytes:
    from api.sheet import chinese_font, make_sheet

    return make_sheet(job.image, "a4" if job.request is None else job.request["paper"], chinese_font())


def unaided(reader: PhotoReader) -> PhotoReader:
    """The reader without what it was told about the tile set of all photos: the canary shows another."""
    plain: PhotoReader = getattr(reader, "unaided", reader)
    return plain


def _since(begin: float) -> float:
    return round((time.perf_counter() - begin) * 1000, 1)


@dataclass(frozen=True, slots=True)
class Canary:
    """A small photo, and the tiles that it shows in reading order.

    A reader that has gone blind finds nothing and says so in the best of health; this is how it is found out.
    """

    image: bytes = field(repr=False)
    tiles: tuple[str, ...]


def canary() -> Canary:
    """The canary that comes with the package (`datasets/make_canary.py` makes it)."""
    import json

    room = Path(__file__).parent
    shown = json.loads((room / "canary.json").read_text("utf-8"))
    return Canary((room / "canary.jpg").read_bytes(), tuple(shown["tiles"]))


def require_sight(reader: PhotoReader, expected: Canary) -> None:
    """Read the canary; raise ApiError `canary_failed` unless the reading is exactly what the photo shows.

    It also warms the networks, which are slow the first time: better here than on a person's photo.
    """
    try:
        seen = tuple(str(tile.tile) for tile in unaided(reader).read(expected.image).tiles)
    except Exception as error:
        raise ApiError("canary_failed", f"the canary photo could not be read: {error}") from error
    if seen != expected.tiles:
        raise ApiError(
            "canary_failed", f"the canary photo shows {' '.join(expected.tiles)}, not {' '.join(seen)}"
        )

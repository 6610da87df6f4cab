"""Reading an archive: every photo of a folder, as JSON Lines, with as many workers as there are, and again
from where it was broken off.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from api.answers import dumps
from api.errors import ApiError
from api.jobs import Job

if TYPE_CHECKING:
    from collections.abc import Callable

    from api.pool import Pool

__all__ = ["Archive", "Tally", "read_archive"]

_SUFFIXES = frozenset({".jpg", ".jpeg", ".jpe", ".png", ".webp", ".heic", ".heif", ".hif", ".mpo"})

#: What says nothing of the photo: it is worth another try, now or in the next run.
_PASSING = frozenset({"worker_lost", "overloaded", "not_ready", "deadline", "model_unavailable", "internal"})


@dataclass(slots=True)
class Tally:
    """How many photos were read, could not be, and had been before."""

    read: int = 0
    failed: int = 0
    before: int = 0


class Archive:
    """A folder of photos, and the file that their answers go to, one JSON object a line.

    A line that was cut short when a run was broken off is taken away; photos whose answer is there already
    are not read again, but for those that failed for reasons of ours.
    """

    def __init__(self, folder: Path, out: Path) -> None:
        self.folder = folder
        self.out = out

    def photos(self) -> list[Path]:
        """Every photo by its name's ending, in order; nothing hidden."""
        found = (path for path in self.folder.rglob("*") if path.suffix.lower() in _SUFFIXES)
        shown = (path for path in found if not _is_hidden(path.relative_to(self.folder)))
        return sorted(path for path in shown if path.is_file())

    def name(self, photo: Path) -> str:
        """How a photo is called in the answers."""
        return photo.relative_to(self.folder).as_posix()

    def done(self) -> set[str]:
        """Names of the photos whose answers are there; mends the end of the file."""
        if not self.out.exists():
            return set()
        with self.out.open("r+b") as file:
            text = file.read()
            whole = text[: text.rfind(b"\n") + 1]
            file.truncate(len(whole))
        return {line["photo"] for line in _lines(whole) if _is_final(line)}


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _lines(text: bytes) -> Iterator[Mapping[str, Any]]:
    for line in text.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict) and isinstance(found.get("photo"), str):
            yield found


def _is_final(line: Mapping[str, Any]) -> bool:
    error = line.get("error")
    return not (isinstance(error, dict) and error.get("code") in _PASSING)


async def read_archive(
    archive: Archive,
    pool: Pool,
    in_flight: int,
    request: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Tally:
    """Read what is not read yet, `in_flight` photos at a time; with `request` score it too.

    `progress` is told how many are done, and of how many. Raises OSError where the answers cannot be written,
    and StartFailed.
    """
    photos, done = archive.photos(), archive.done()
    waiting = [photo for photo in photos if archive.name(photo) not in done]
    tally = Tally(before=len(photos) - len(waiting))
    progress(tally.before, len(photos))
    if not waiting:
        return tally
    await pool.start()
    places = asyncio.Semaphore(in_flight)
    kind: Literal["read", "hand"] = "read" if request is None else "hand"

    with archive.out.open("ab") as out:

        async def one(photo: Path) -> None:
            async with places:
                line = await _line(archive, pool, photo, kind, request)
            tally.failed += "error" in line
            tally.read += "error" not in line
            _write(out, line)
            progress(tally.before + tally.read + tally.failed, len(photos))

        async with asyncio.TaskGroup() as group:
            for photo in waiting:
                group.create_task(one(photo))
    return tally


async def _line(
    archive: Archive,
    pool: Pool,
    photo: Path,
    kind: Literal["read", "hand"],
    request: Mapping[str, Any] | None,
) -> dict[str, Any]:
    name = archive.name(photo)
    try:
        image = await asyncio.to_thread(photo.read_bytes)
        outcome = await _tried(pool, Job(kind, image, request))
        answer: dict[str, Any] = json.loads(outcome)
    except OSError as error:
        detail = error.strerror or "cannot be opened"
        return {"photo": name, "error": {"code": "photo_unreadable", "detail": detail}}
    except ApiError as error:
        return {"photo": name, "error": {"code": error.code, "detail": error.detail}}
    return {**answer, "photo": name}


async def _tried(pool: Pool, job: Job) -> bytes:
    """The answer, at the second try where the first was lost for reasons of ours."""
    try:
        return (await pool.run(job)).require_answer()
    except ApiError as error:
        if error.code not in ("worker_lost", "overloaded"):
            raise
    return (await pool.run(job)).require_answer()


def _write(out: IO[bytes], line: Mapping[str, Any]) -> None:
    out.write(dumps(line).encode("utf-8") + b"\n")
    out.flush()

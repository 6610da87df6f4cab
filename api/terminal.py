"""What the commands share: reading photos, printing answers, and saying what went wrong."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from api.answers import dumps, error_line
from api.errors import ApiError, problem_of

if TYPE_CHECKING:
    from rich.console import Console

    from vision import Reader, Reading

__all__ = [
    "console_of",
    "draw_overlay",
    "fail",
    "file_bytes",
    "photo_bytes",
    "print_line",
    "read_photo",
    "reader_of",
    "write_file",
]


def reader_of(models: Path | None, detector: Path | None, json: bool, own_set: Path | None = None) -> Reader:
    """The reader; ends the command with status 3 where the models, or the tile set, cannot be used, for then
    no photo can be read.
    """
    from vision import ModelError, OwnSetError, load_reader

    try:
        return load_reader(models, detector=detector, own_set=own_set)
    except (ModelError, OwnSetError) as error:
        fail(error_line(error), json)
        raise typer.Exit(3) from error


def photo_bytes(path: Path) -> bytes:
    """The content of a photo's file. Raises ApiError `photo_unreadable`."""
    return file_bytes(path, "photo_unreadable")


def file_bytes(path: Path, code: str = "file_unreadable") -> bytes:
    """The content of a file. Raises ApiError with the code."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise ApiError(code, f"{path}: {error.strerror or 'cannot be opened'}") from error


def write_file(path: Path, data: bytes) -> None:
    """Write a file; `-` is standard output. Raises ApiError `file_unwritable`."""
    if str(path) == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        path.write_bytes(data)
    except OSError as error:
        raise ApiError("file_unwritable", f"{path}: {error.strerror or 'cannot be written'}") from error


def read_photo(reader: Reader, data: bytes, path: Path) -> Reading:
    """The reading of a photo. Raises ApiError with the code of what is wrong with it."""
    from vision import VisionError

    try:
        return reader.read(data, name=str(path))
    except VisionError as error:
        raise ApiError(*problem_of(error)) from error


def draw_overlay(overlay: Path | None, data: bytes, reading: Reading) -> None:
    """Write the reading drawn on its photo, where somebody asked for it. Raises ApiError."""
    if overlay is None:
        return
    from vision.overlay import draw, svg
    from vision.photo import decode

    try:
        if overlay.suffix.lower() == ".svg":
            overlay.write_text(svg(reading), encoding="utf-8")
        else:
            overlay.write_bytes(draw(decode(data).pixels, reading))
    except OSError as error:
        raise ApiError("overlay_unwritable", f"{overlay}: {error.strerror or 'cannot be written'}") from error


def print_line(answer: Mapping[str, Any]) -> None:
    """One line of JSON."""
    typer.echo(dumps(answer))


def fail(line: Mapping[str, Any], json: bool) -> None:
    """An error as a JSON line among the answers, or as a sentence beside them."""
    if json:
        print_line(line)
        return
    photo = f"{line['photo']}: " if "photo" in line else ""
    typer.echo(f"error [{line['error']['code']}]: {photo}{line['error']['detail']}", err=True)


def console_of() -> Console:
    """Where answers for people are printed."""
    from rich.console import Console

    return Console(highlight=False)

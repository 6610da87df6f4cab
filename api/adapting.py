"""The command `mahjong-reader adapt`: learn the faces of a player's own set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.answers import error_line
from api.errors import ApiError, problem_of
from api.terminal import fail, file_bytes, photo_bytes, reader_of, write_file
from api.told_options import Models
from scorer.errors import ScorerError

__all__ = ["ALL_FACES", "adapt"]

#: The rows in which the faces of a set lie, where nobody says otherwise.
ALL_FACES = "123456789m 123456789p 123456789s 1234567z 12345678f"


def adapt(
    photos: Annotated[list[Path], typer.Argument(help="Photos of the faces, or of hands that you confirm.")],
    out: Annotated[Path, typer.Option(help="The file to keep the set in; added to, if it is there.")],
    tiles: Annotated[
        list[str] | None,
        typer.Option(
            help="What a photo shows, row by row, in notation; once for each photo. "
            f"Not given: one of each face, as {ALL_FACES}."
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="A name for the set.")] = "own",
    models: Models = None,
) -> None:
    """Learn the faces of your own tile set from a photo of them, for `read --set` and the like.

    Lay one of each tile out in rows: characters 1-9, dots 1-9, bamboo 1-9, the winds and dragons (east,
    south, west, north, white, green, red), flowers and seasons. Or photograph a hand and say what it is. The
    file holds numbers by which the faces are told apart, no picture.
    """
    try:
        _adapt(photos, out, tiles or [ALL_FACES] * len(photos), name, models)
    except (ScorerError, ApiError) as error:
        fail(error_line(error), False)
        raise typer.Exit(1) from error


def _adapt(photos: list[Path], out: Path, told: list[str], name: str, models: Path | None) -> None:
    from scorer.notation import read_tiles
    from vision import OwnSet, VisionError

    if len(told) != len(photos):
        raise ApiError("bad_request", f"--tiles is given {len(told)} times for {len(photos)} photos")
    tiles = [[tile for tile, _ in read_tiles(text)] for text in told]
    reader = reader_of(models, None, json=False)
    try:
        known = OwnSet.from_json(file_bytes(out)) if out.exists() else None
        for path, shown in zip(photos, tiles, strict=True):
            learnt = reader.learn(photo_bytes(path), shown, name=name if known is None else known.name)
            known = learnt if known is None else known.with_more(learnt)
    except VisionError as error:
        raise ApiError(*problem_of(error)) from error
    assert known is not None  # typer takes no command without a photo
    write_file(out, known.to_json().encode("utf-8"))
    kinds = len(set(known.tiles))
    typer.echo(f"{out}: the set {known.name!r} with {len(known.tiles)} faces of {kinds} tiles")

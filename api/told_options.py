"""The options that several commands share, each said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "AsJson",
    "Flags",
    "Models",
    "Options",
    "Overlay",
    "OwnSetFile",
    "Round",
    "Rules",
    "Seat",
    "SelfDraw",
    "WinBy",
    "WinningTile",
]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
Models = Annotated[Path | None, typer.Option(help="Folder with the weights and their manifest.")]
OwnSetFile = Annotated[
    Path | None, typer.Option("--set", help="The tile set that the photos show, as `adapt` keeps it.")
]
Rules = Annotated[str, typer.Option(help="Rule set; see `rules`.")]
Seat = Annotated[str | None, typer.Option(help="The winner's seat wind: 1z-4z or east, south, west, north.")]
Round = Annotated[str | None, typer.Option("--round", help="The wind of the round.")]
WinBy = Annotated[str | None, typer.Option("--win", help="How it was won: discard, self_draw or rob_kong.")]
SelfDraw = Annotated[bool, typer.Option("--self-draw", help="The same as --win self_draw.")]
WinningTile = Annotated[str | None, typer.Option(help="Which of the standing tiles won.")]
Flags = Annotated[
    list[str] | None, typer.Option("--flag", help="A circumstance such as last_wall_tile; may be repeated.")
]
Options = Annotated[
    list[str] | None, typer.Option("--option", help="A house rule as ID=VALUE; may be repeated.")
]
Overlay = Annotated[
    Path | None, typer.Option(help="Write the reading drawn on the photo (PNG), or to lay over it (SVG).")
]

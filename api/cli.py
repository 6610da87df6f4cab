"""The command `mahjong-reader`. Photos and the service are imported by the commands that need them: a score
needs neither.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from api.adapting import adapt
from api.answers import (
    HandRequest,
    ScoreRequest,
    error_line,
    hand_answer,
    loads,
    read_answer,
    ruleset_answer,
    rulesets_answer,
    score_answer,
)
from api.arguments import context_told, options_told, overrides_told, table_told
from api.errors import ApiError
from api.ledger.command import app as ledger
from api.referee_cli import register
from api.terminal import console_of, draw_overlay, fail, photo_bytes, print_line, read_photo, reader_of
from api.told_options import (
    AsJson,
    Flags,
    Models,
    Options,
    Overlay,
    OwnSetFile,
    Round,
    Rules,
    Seat,
    SelfDraw,
    WinBy,
    WinningTile,
)
from scorer import ScorerError

__all__ = ["app", "main"]

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Reads a photo of a winning mahjong hand: the tiles, the sets, the score and why.",
)

app.add_typer(ledger, name="ledger")

DetectorFile = Annotated[
    Path | None,
    typer.Option("--detector", help="A single-step ultralytics .pt file to use instead (extra: train)."),
]
Payments = Annotated[
    bool, typer.Option("--payments", help="Say who pays whom too; so does each of the next seven options.")
]
Winner = Annotated[str | None, typer.Option(help="The winner's seat, if --seat does not tell it.")]
Discarder = Annotated[str | None, typer.Option(help="The seat of who discarded the winning tile.")]
Liable = Annotated[str | None, typer.Option(help="The seat of who must pay for others.")]
Dealer = Annotated[str | None, typer.Option(help="The dealer's seat.")]
Unit = Annotated[int | None, typer.Option(help="What a point is worth [1].")]
AtOnce = Annotated[
    bool, typer.Option("--at-once", help="Say too what kongs and bonus tiles take by themselves.")
]
AlsoWon = Annotated[
    list[str] | None, typer.Option(help="The seat of who else won on the same tile; may be repeated.")
]
Photos = Annotated[list[Path], typer.Argument(help="JPEG, PNG, WebP or HEIC files.")]


@app.command()
def read(
    photos: Photos,
    json: AsJson = False,
    overlay: Overlay = None,
    models: Models = None,
    detector: DetectorFile = None,
    own_set: OwnSetFile = None,
) -> None:
    """Read the tiles in photos. A photo that cannot be read is reported, and the next one is read."""
    if overlay is not None and len(photos) != 1:
        raise typer.BadParameter("an overlay is drawn for one photo at a time", param_hint="--overlay")
    reader = reader_of(models, detector, json, own_set)
    failed = False
    for path in photos:
        try:
            data = photo_bytes(path)
            reading = read_photo(reader, data, path)
            draw_overlay(overlay, data, reading)
        except ApiError as error:
            failed = True
            fail({"photo": str(path), **error_line(error)}, json)
            continue
        answer = read_answer(reading, str(path))
        if json:
            print_line(answer)
        else:
            from api.show import show_reading

            show_reading(console_of(), answer)
    raise typer.Exit(1 if failed else 0)


@app.command()
def score(
    hand: Annotated[
        str | None, typer.Argument(help="A hand in notation: '[123m] (1111z) 23455s +6s | 1f'.")
    ] = None,
    rules: Rules = "hk",
    seat: Seat = None,
    round_: Round = None,
    win: WinBy = None,
    self_draw: SelfDraw = False,
    flag: Flags = None,
    option: Options = None,
    payments: Payments = False,
    winner: Winner = None,
    discarder: Discarder = None,
    liable: Liable = None,
    dealer: Dealer = None,
    unit: Unit = None,
    also_won: AlsoWon = None,
    at_once: AtOnce = False,
    json: AsJson = False,
    batch: Annotated[
        bool, typer.Option("--batch", help="Read requests as JSON Lines, answer one a line.")
    ] = False,
) -> None:
    """Score a hand, or with --batch one request a line from standard input."""
    if batch:
        raise typer.Exit(1 if _batch() else 0)
    if hand is None:
        raise typer.BadParameter("give a hand in notation, or --batch", param_hint="HAND")
    try:
        context = context_told(seat, round_, win, self_draw, flag)
        table = table_told(payments, winner, discarder, liable, dealer, unit, also_won, at_once)
        request = ScoreRequest(hand, rules, context, options_told(option), table)
        answer = score_answer(request)
    except (ScorerError, ApiError) as error:
        fail(error_line(error), json)
        raise typer.Exit(1) from error
    if json:
        print_line(answer)
    else:
        from api.show import show_score

        show_score(console_of(), answer, hand)


@app.command()
def hand(
    photo: Annotated[Path, typer.Argument(help="A JPEG, PNG, WebP or HEIC file.")],
    rules: Rules = "hk",
    seat: Seat = None,
    round_: Round = None,
    win: WinBy = None,
    self_draw: SelfDraw = False,
    winning_tile: WinningTile = None,
    flag: Flags = None,
    option: Options = None,
    payments: Payments = False,
    winner: Winner = None,
    discarder: Discarder = None,
    liable: Liable = None,
    dealer: Dealer = None,
    unit: Unit = None,
    also_won: AlsoWon = None,
    at_once: AtOnce = False,
    given: Annotated[str | None, typer.Option("--hand", help="Score this instead of what was read.")] = None,
    overrides: Annotated[
        str | None,
        typer.Option(
            help='Corrects the reading, as JSON: \'{"names": {"3": "2s"}}\'; also roles, sets, angle.'
        ),
    ] = None,
    json: AsJson = False,
    overlay: Overlay = None,
    models: Models = None,
    detector: DetectorFile = None,
    own_set: OwnSetFile = None,
) -> None:
    """Read a photo and score its hand."""
    try:
        context = context_told(seat, round_, win, self_draw, flag)
        table = table_told(payments, winner, discarder, liable, dealer, unit, also_won, at_once)
        request = HandRequest(rules, context, options_told(option), winning_tile, given, table)
        request = replace(request, overrides=overrides_told(overrides))
        request.require_valid()
        data = photo_bytes(photo)
        reader = reader_of(models, detector, json, own_set)
        begin = time.perf_counter()
        reading = read_photo(reader, data, photo)
        read_s = time.perf_counter() - begin
        # Before scoring: where the reading does not fit the winning tile, the overlay is what shows why.
        draw_overlay(overlay, data, reading)
        answer = hand_answer(reading, request, str(photo), read_s)
    except (ScorerError, ApiError) as error:
        fail({"photo": str(photo), **error_line(error)}, json)
        raise typer.Exit(1) from error
    if json:
        print_line(answer)
        return
    from api.show import show_reading, show_score

    console = console_of()
    show_reading(console, answer["reading"])
    show_score(console, answer["score"], answer["scored_hand"])


@app.command()
def rules(
    id: Annotated[str | None, typer.Argument(help="A rule set; without it, all are listed.")] = None,
    json: AsJson = False,
) -> None:
    """List the rule sets, or show the table of one."""
    try:
        answer = rulesets_answer() if id is None else ruleset_answer(id)
    except ScorerError as error:
        fail(error_line(error), json)
        raise typer.Exit(1) from error
    if json:
        print_line(answer)
        return
    from api.show import show_ruleset, show_rulesets

    (show_rulesets if id is None else show_ruleset)(console_of(), answer)


@app.command()
def batch(
    folder: Annotated[
        Path, typer.Argument(help="Folder with photos, and folders with photos.", file_okay=False)
    ],
    out: Annotated[Path, typer.Option(help="JSON Lines: one answer a photo; added to, if it is there.")],
    workers: Annotated[
        int | None, typer.Option(help="Processes that read [one for each core].", min=1)
    ] = None,
    rules: Annotated[str | None, typer.Option(help="Score each hand too, by this rule set.")] = None,
    ray: Annotated[str | None, typer.Option(help="Read on this Ray cluster: auto, ray://..., local.")] = None,
    models: Models = None,
) -> None:
    """Read every photo of a folder. Broken off and started again, it goes on where it was."""
    from api.commands import read_folder

    raise typer.Exit(read_folder(folder, out, workers, rules, ray, models))


@app.command()
def key(name: Annotated[str, typer.Argument(help="Who the key is for: letters, digits, . _ -")]) -> None:
    """Make an API key for a client. The key is shown this once; the service is told its hash."""
    from api.keys import new_key

    try:
        secret, entry = new_key(name)
    except ValueError as error:
        raise typer.BadParameter(
            "letters, digits, . _ - and 64 of them at most", param_hint="NAME"
        ) from error
    typer.echo(f"key for the client:  {secret}")
    typer.echo(f"for the service:     MAHJONG_READER_API_KEYS={entry}")


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on [127.0.0.1].")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on [8000].")] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Print every setting and its value, and what is wrong; serve nothing."),
    ] = False,
) -> None:
    """Serve the same over HTTP. Everything else is set by MAHJONG_READER_* in the environment."""
    from api.commands import serve_until_told

    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    raise typer.Exit(serve_until_told(given, check=check))


app.command()(adapt)


def main() -> None:
    """The entry point."""
    for stream in (sys.stdout, sys.stderr):
        # Chinese names and odd file names must not end the command on a terminal that is not UTF-8.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    app()


def _batch() -> bool:
    """Answer every line of standard input in order; true if any of them failed."""
    failed = False
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            answer = score_answer(ScoreRequest.from_data(loads(line)))
        except (ScorerError, ApiError) as error:
            failed = True
            answer = error_line(error)
        print_line(answer)
    return failed


register(app)

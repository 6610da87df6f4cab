"""The commands of a referee: `verify`, `bundle make`, `bundle check`, `bundle key` and `sheet`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from api.arguments import context_told, options_told, overrides_told
from api.errors import ApiError
from api.terminal import (
    console_of,
    draw_overlay,
    fail,
    file_bytes,
    photo_bytes,
    print_line,
    read_photo,
    reader_of,
    write_file,
)
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

__all__ = ["register"]

Claimed = Annotated[
    str | None,
    typer.Option("--claim", help="The fans that are claimed, with commas: names, ids, or numbers as #48."),
]
ClaimTotal = Annotated[int | None, typer.Option("--claim-total", help="The total that is claimed.")]
TellMore = Annotated[bool, typer.Option("--tell-more", help="Say too what could have been claimed as well.")]
Given = Annotated[str | None, typer.Option("--hand", help="The hand as a person has settled it.")]
Overrides = Annotated[
    str | None, typer.Option(help='Corrects the reading, as JSON: \'{"names": {"3": "2s"}}\'.')
]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command()(verify)
    bundles = typer.Typer(no_args_is_help=True, help="The evidence of a hand: make it, check it.")
    bundles.command("make")(make)
    bundles.command("check")(check)
    bundles.command("key")(key)
    app.add_typer(bundles, name="bundle")
    app.command()(sheet)


def verify(
    photo_or_hand: Annotated[str, typer.Argument(help="A photo's file, or a hand in notation.")],
    claim: Claimed = None,
    claim_total: ClaimTotal = None,
    rules: Rules = "hk",
    seat: Seat = None,
    round_: Round = None,
    win: WinBy = None,
    self_draw: SelfDraw = False,
    winning_tile: WinningTile = None,
    flag: Flags = None,
    option: Options = None,
    tell_more: TellMore = False,
    given: Given = None,
    overrides: Overrides = None,
    json: AsJson = False,
    overlay: Overlay = None,
    models: Models = None,
    own_set: OwnSetFile = None,
) -> None:
    """Judge what a winner claims. Exit status 0 where the claim is valid, 1 where it is not."""
    from api.verify import VerifyRequest, verify_answer, verify_photo_answer

    photo = Path(photo_or_hand)
    is_photo = _is_file(photo)
    try:
        told: dict[str, Any] = {
            "claim": _claim(claim, claim_total),
            "rules": rules,
            "context": context_told(seat, round_, win, self_draw, flag),
            "options": options_told(option),
            "tell_more": tell_more,
            "winning_tile": winning_tile,
            "overrides": overrides_told(overrides),
            "hand": given if is_photo else photo_or_hand,
        }
        request = VerifyRequest.from_data(told)
        request.require_valid()
        if is_photo:
            data = photo_bytes(photo)
            reader = reader_of(models, None, json, own_set)
            begin = time.perf_counter()
            reading = read_photo(reader, data, photo)
            read_s = time.perf_counter() - begin
            draw_overlay(overlay, data, reading)
            answer = verify_photo_answer(reading, request, str(photo), read_s)
        else:
            answer = verify_answer(request)
    except (ScorerError, ApiError) as error:
        from api.answers import error_line

        fail(error_line(error), json)
        raise typer.Exit(1) from error
    if json:
        print_line(answer)
    else:
        from api.show_audit import show_verdict

        show_verdict(console_of(), answer)
    raise typer.Exit(0 if answer["verdict"] == "valid" else 1)


def make(
    photo: Annotated[Path, typer.Argument(help="A JPEG, PNG, WebP or HEIC file.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The bundle's file.")],
    claim: Claimed = None,
    claim_total: ClaimTotal = None,
    rules: Rules = "hk",
    seat: Seat = None,
    round_: Round = None,
    win: WinBy = None,
    self_draw: SelfDraw = False,
    winning_tile: WinningTile = None,
    flag: Flags = None,
    option: Options = None,
    tell_more: TellMore = False,
    given: Given = None,
    overrides: Overrides = None,
    confirmed_by: Annotated[
        str | None, typer.Option(help="Who has settled the hand; needed with --hand and --overrides.")
    ] = None,
    confirmed_at: Annotated[str | None, typer.Option(help="When: 2026-11-30T12:00:00Z [now].")] = None,
    with_photo: Annotated[bool, typer.Option("--with-photo", help="Put the photo itself in.")] = False,
    place: Annotated[
        list[str] | None,
        typer.Option(
            "--place", help="event=, table=, hand=, winner=, discarder=, referee=; may be repeated."
        ),
    ] = None,
    key: Annotated[Path | None, typer.Option(help="Sign with this Ed25519 key (PEM).")] = None,
    models: Models = None,
    own_set: OwnSetFile = None,
) -> None:
    """Make the evidence of a hand: a zip with what was seen, settled, declared and decided."""
    from api.answers import error_line
    from api.bundle import BundleRequest, make_bundle
    from api.signing import load_private, signed

    told: dict[str, Any] = {
        "rules": rules,
        "winning_tile": winning_tile,
        "hand": given,
        "tell_more": tell_more,
        "include_photo": with_photo,
    }
    if claim is not None or claim_total is not None:
        told["claim"] = _claim(claim, claim_total)
    if confirmed_by is not None:
        told["confirmed"] = {"by": confirmed_by, **({} if confirmed_at is None else {"at": confirmed_at})}
    try:
        told["context"] = context_told(seat, round_, win, self_draw, flag)
        told["options"] = options_told(option)
        told["overrides"] = overrides_told(overrides)
        told["place"] = dict(_pair(entry) for entry in place or ())
        request = BundleRequest.from_data(told)
        request.require_valid()
        signer = None if key is None else load_private(key)
        data = photo_bytes(photo)
        made = make_bundle(data, read_photo(reader_of(models, None, False, own_set), data, photo), request)
        write_file(out, made if signer is None else signed(made, signer))
    except (ScorerError, ApiError) as error:
        fail({"photo": str(photo), **error_line(error)}, False)
        raise typer.Exit(1) from error


def check(
    file: Annotated[Path, typer.Argument(help="A bundle.")],
    key: Annotated[Path | None, typer.Option(help="It must be signed with this public key (PEM).")] = None,
    json: AsJson = False,
) -> None:
    """Check a bundle: every byte, the signature, and whether today's version would decide otherwise."""
    from api.answers import error_line
    from api.recheck import check_bundle
    from api.signing import load_public

    try:
        found = check_bundle(file_bytes(file), None if key is None else load_public(key))
    except ApiError as error:
        fail(error_line(error), json)
        raise typer.Exit(1) from error
    if json:
        print_line(found)
    else:
        from api.show_audit import show_check

        show_check(console_of(), found)
    raise typer.Exit(0 if found["intact"] else 1)


def key(
    private: Annotated[Path, typer.Argument(help="File for the private key; the public one goes beside it.")],
) -> None:
    """Make the organiser's key: PRIVATE, and PRIVATE.pub to give to whoever checks."""
    from api.signing import new_key

    secret, public = new_key()
    try:
        with private.open("xb") as file:
            private.chmod(0o600)
            file.write(secret)
        private.with_name(private.name + ".pub").write_bytes(public)
    except OSError as error:
        fail({"error": {"code": "bad_key", "detail": f"{private}: {error.strerror}"}}, False)
        raise typer.Exit(1) from error


def sheet(
    bundle: Annotated[Path, typer.Argument(help="A bundle.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The sheet's file (PDF).")],
    paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4",
    font: Annotated[
        Path | None, typer.Option(help="A font with Chinese characters [the one of the extra `sheet`].")
    ] = None,
) -> None:
    """Make the sheet to sign: one page with picture, hand, fans, verdict and places to sign."""
    from api.answers import error_line
    from api.archive import Broken
    from api.sheet import PAPERS, chinese_font, make_sheet

    if paper not in PAPERS:
        raise typer.BadParameter(f"one of {', '.join(PAPERS)}", param_hint="--paper")
    try:
        found = font or chinese_font()
        if found is None:
            typer.echo("note: no font with Chinese characters; the sheet is in English alone", err=True)
        write_file(out, make_sheet(file_bytes(bundle), paper, found))
    except (Broken, ApiError) as error:
        fail(error_line(error), False)
        raise typer.Exit(1) from error


def _claim(fans: str | None, total: int | None) -> dict[str, Any]:
    return {"fans": fans, "total": total}


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ApiError("bad_request", f"--place takes NAME=TEXT, not {text!r}")
    return name.strip(), value


def _is_file(path: Path) -> bool:
    """Whether a text is the name of something that is there; a hand never is."""
    try:
        return path.exists() or path.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp", ".heic")
    except (OSError, ValueError):
        return False

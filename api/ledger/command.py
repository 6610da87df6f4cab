"""`mahjong-reader ledger`: matches out of the database as files, and files worked out again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.answers import dumps, error_line
from api.errors import ApiError
from api.terminal import file_bytes, write_file
from scorer import ScorerError

if TYPE_CHECKING:
    from api.ledger.store import Store
    from scorer.ledger import LedgerTable

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True, help="Matches as files: export them, and work their tables out again."
)

_VARIABLE = "MAHJONG_READER_DATABASE"

Database = Annotated[
    str | None, typer.Option(help=f"sqlite:///FILE or postgresql://...; without it, what {_VARIABLE} says.")
]


@app.command()
def matches(database: Database = None) -> None:
    """List the matches, one JSON object a line, the newest first."""
    try:
        store = _store(database)
        before = None
        while found := store.matches(100, before):
            for number, entries, kept in found:
                typer.echo(
                    dumps(
                        {
                            "id": kept.id,
                            "created_at": kept.created_at,
                            "title": kept.match.title,
                            "rules": kept.match.rules,
                            "players": list(kept.match.players),
                            "entries": entries,
                        }
                    )
                )
                before = number
    except (ApiError, ScorerError) as error:
        raise _failed(error) from error


@app.command()
def export(
    match: Annotated[str, typer.Argument(help="The id of a match.")],
    database: Database = None,
    csv: Annotated[bool, typer.Option("--csv", help="For a spreadsheet; JSON otherwise.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write here; standard output otherwise.")] = None,
) -> None:
    """Write everything about a match: what was agreed, every entry, the table."""
    from api.ledger.exports import export_csv, export_json

    try:
        kept = _store(database).match(match)
        text = export_csv(kept) if csv else f"{dumps(export_json(kept))}\n"
        if out is None:
            typer.echo(text, nl=False)
        else:
            write_file(out, text.encode("utf-8"))
    except (ApiError, ScorerError) as error:
        raise _failed(error) from error


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="What /export.json or `ledger export` has written.")],
    json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
) -> None:
    """Work the table out again from the entries. Status 1 where it is not the one in the file."""
    from api.ledger.exports import replay_export

    try:
        table, same = replay_export(file_bytes(file))
    except (ApiError, ScorerError) as error:
        raise _failed(error) from error
    if json:
        typer.echo(dumps({"same": same, "table": table.to_dict()}))
    else:
        _show(table)
        typer.echo("the same as in the file" if same else "NOT the same as in the file")
    raise typer.Exit(0 if same else 1)


def _store(database: str | None) -> Store:
    url = database or os.environ.get(_VARIABLE)
    if not url:
        raise ApiError("ledger_off", f"no database is named: --database, or {_VARIABLE}")
    from api.ledger.database import migrate, open_database
    from api.ledger.store import Store

    engine = open_database(url)
    migrate(engine)
    return Store(engine)


def _failed(error: Exception) -> typer.Exit:
    told: dict[str, Any] = error_line(error)["error"]
    typer.echo(f"error [{told['code']}]: {told['detail']}", err=True)
    return typer.Exit(1)


def _show(table: LedgerTable) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    told = table.to_dict()
    shown = Table("place", "player", "points", "fan", "wins", "deal-ins")
    for player in sorted(told["players"], key=lambda each: (each["place"] or 9, each["player"])):
        place = "-" if player["place"] is None else str(player["place"])
        figures = [str(player[name]) for name in ("points", "fan", "wins", "deal_ins")]
        shown.add_row(place, escape(player["name"]), *figures)
    Console(highlight=False).print(shown)
    if told["to_nobody"]:
        typer.echo(f"{told['to_nobody']} to nobody")

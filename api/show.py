"""Answers as a person likes to read them in a terminal. Takes the same plain data that `--json` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from scorer import Tile

__all__ = ["show_reading", "show_ruleset", "show_rulesets", "show_score"]

_COLOURS = {"m": "red", "p": "cyan", "s": "green", "z": "magenta", "f": "yellow", "a": "yellow", "x": "dim"}
_INDENT = 9
_CELL = 5
_DECIDES = {
    "win": "how it was won (--win)",
    "seat": "the seat wind (--seat)",
    "round": "the round wind (--round)",
    "winning_tile": "the winning tile (--winning-tile, or + in the notation)",
    "winning": "the winning tile (--winning-tile, or + in the notation)",
}


def show_reading(console: Console, reading: Mapping[str, Any]) -> None:
    """Tiles row by row, the hand, and what to look at again."""
    tiles: Sequence[Mapping[str, Any]] = reading["tiles"]
    doubted = {place for doubt in reading["doubts"] for place in doubt["tiles"]}
    title = f"{reading['photo']}  " if reading["photo"] else ""
    console.print(
        f"[bold]{escape(title)}[/bold][dim]{reading['width']} x {reading['height']}, {len(tiles)} tiles[/dim]"
    )
    fitting = max((console.width - _INDENT) // _CELL, 1)
    for row in sorted({tile["row"] for tile in tiles}):
        places = [place for place, tile in enumerate(tiles) if tile["row"] == row]
        for begin in range(0, len(places), fitting):
            _tiles(console, row if begin == 0 else None, places[begin : begin + fitting], tiles, doubted)
    console.print("  hand   ", Text(reading["hand"], style="bold"))
    for doubt in reading["doubts"]:
        where = ", ".join(f"{place + 1}." for place in doubt["tiles"])
        at = f" (tile {where.rstrip('.')})" if where else ""
        console.print(f"  [yellow]look again[/yellow]{at}: {escape(doubt['detail'])}")
    for flaw in reading["quality"]:
        console.print(f"  [yellow]photo[/yellow]: {escape(flaw['advice']['en'])} [dim]({flaw['code']})[/dim]")


def _tiles(
    console: Console,
    row: int | None,
    places: Sequence[int],
    tiles: Sequence[Mapping[str, Any]],
    doubted: set[int],
) -> None:
    """Codes, Chinese names beneath them; `row` is None where a row goes on that did not fit in one line."""
    codes = Text("" if row is None else f"  row {row + 1}", style="dim")
    codes.append(" " * (_INDENT - len(codes)))
    names = Text(" " * _INDENT)
    for place in places:
        tile = Tile.parse(tiles[place]["tile"])
        style = _COLOURS[tile.suit]
        mark = "?" if place in doubted else ""
        codes.append(f"{tile.code}{mark}".ljust(_CELL), style=f"bold {style}")
        # A Chinese sign is two columns wide; the one tile of more than two signs is cut.
        name = tile.name_zh[:2]
        names.append(name + " " * (_CELL - 2 * len(name)), style=style)
    console.print(codes)
    console.print(names)


def show_score(console: Console, score: Mapping[str, Any], hand: str) -> None:
    """Sets, fans with both names, what was dropped, the total, what decides an open range, who pays whom."""
    console.print(Text.assemble(("  scored  ", "dim"), (hand, "bold"), (f"   rules {score['rules']}", "dim")))
    for problem in score["problems"]:
        console.print(f"  [red]problem[/red]: {escape(problem['detail'])} [dim]({problem['code']})[/dim]")
    if score["sets"]:
        console.print(Text.assemble(("  sets    ", "dim"), "  ".join(score["sets"])))
    if score["fans"]:
        console.print(_fans(score["fans"]))
    for dropped in score["dropped"]:
        console.print(
            f"  [dim]not counted: {escape(dropped['id'])}, because of {escape(dropped['because'])}"
            f" - {escape(dropped['rule'])}[/dim]"
        )
    _verdict(console, score)
    if score["settlement"] is not None:
        _settlement(console, score)
    if score.get("at_once") is not None:
        _payments(console, "  [dim]paid at once, whoever wins[/dim]", score["at_once"])


def _fans(fans: Sequence[Mapping[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for name, justify in (("  Fan", "left"), ("番種", "left"), ("Tiles", "left"), ("Points", "right")):
        table.add_column(name, justify="right" if justify == "right" else "left", header_style="dim")
    for fan in fans:
        points = f"{fan['points']} x {fan['times']}" if fan["times"] != 1 else str(fan["points"])
        table.add_row(f"  {fan['name']['en']}", fan["name"]["zh"], " ".join(fan["tiles"]), points)
    return table


def _verdict(console: Console, score: Mapping[str, Any]) -> None:
    if not score["is_win"]:
        console.print("  [bold red]no winning hand[/bold red]")
        return
    total = f"[bold]total {score['total']}[/bold]"
    if score["uncapped"] != score["total"]:
        total += f" [dim](all added up: {score['uncapped']})[/dim]"
    if score["toward_minimum"] >= score["minimum"]:
        met = f"[green]minimum {score['minimum']} met[/green]"
    else:
        met = f"[red]minimum {score['minimum']} not met, with {score['toward_minimum']}[/red]"
    console.print(f"  {total}, {met}")
    if score["range"]:
        low, high, decides = (score["range"][name] for name in ("low", "high", "decides"))
        facts = ", ".join(_DECIDES.get(fact, fact) for fact in decides)
        console.print(f"  [yellow]from {low} to {high}[/yellow], decided by {escape(facts)}")


def _settlement(console: Console, score: Mapping[str, Any]) -> None:
    """Each payment with its reason, and what each seat wins or loses in all."""
    settlement = score["settlement"]
    kind = ""
    if not score["legal"]:
        kind = "  [red]false win[/red]"
    elif score["range"]:
        kind = f"  [yellow]of the low end, {score['range']['low']}[/yellow]"
    _payments(console, f"  [dim]payments[/dim]{kind}", settlement)


def _payments(console: Console, title: str, settlement: Mapping[str, Any]) -> None:
    console.print(title)
    if not settlement["lines"]:
        console.print("  nobody pays")
        return
    lines = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2))
    for column in range(4):
        lines.add_column(justify="right" if column == 2 else "left")
    for line in settlement["lines"]:
        lines.add_row(
            f"  {_seat(line['from'])} pays",
            _seat(line["to"]) if line["to"] else "nobody",
            str(line["amount"]),
            escape(line["why"]),
        )
    console.print(lines)
    sums = "   ".join(f"{_seat(seat)} {amount:+}" for seat, amount in settlement["payments"].items())
    console.print(f"  [bold]{sums}[/bold]")


def _seat(wind: str) -> str:
    tile = Tile.parse(wind)
    return f"{tile.name_en.removesuffix(' Wind')} {tile.name_zh}"


def show_rulesets(console: Console, answer: Mapping[str, Any]) -> None:
    """The rule sets, one a line."""
    for rules in answer["rulesets"]:
        name = rules["name"]
        console.print(
            f"  [bold]{rules['id']:<12}[/bold]{name['en']} {name['zh']}  "
            f"[dim]{rules['fans']} fans, minimum {rules['minimum']}[/dim]"
        )


def show_ruleset(console: Console, rules: Mapping[str, Any]) -> None:
    """A rule set's fans, what each shuts out, its house rules and its sources."""
    most = "" if rules["cap"] is None else f", at most {rules['cap']} are paid"
    console.print(
        f"[bold]{rules['name']['en']}  {rules['name']['zh']}[/bold]   minimum {rules['minimum']}{most}"
    )
    listed = sorted(rules["fans"], key=lambda fan: -fan["points"])
    _columns(console, listed)
    _exclusions(console, listed)
    if rules["options"]:
        console.print("\n[bold]House rules[/bold] (--option ID=VALUE)")
    for option in rules["options"]:
        console.print(
            f"  [bold]{option['id']}[/bold] = {_plain(option['default'])} "
            f"[dim]{escape(f'[{_values(option)}]')}[/dim]  {escape(option['description'])}"
        )
    console.print("\n[bold]Sources[/bold]")
    for source in rules["sources"]:
        console.print(f"  {escape(source)}")


def _columns(console: Console, fans: Sequence[Mapping[str, Any]]) -> None:
    """Fans below each other. Not a table of rich's, which cuts names on a narrow terminal."""
    rows = [("Fan", "番種", "Points", "Id", "Rule")]
    for fan in fans:
        rows.append((fan["name"]["en"], fan["name"]["zh"], str(fan["points"]), fan["id"], fan["source"]))
    widths = [max(cell_len(row[column]) for row in rows) for column in range(5)]
    for place, row in enumerate(rows):
        line = "   ".join(set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True))
        console.print(Text(f"  {line.rstrip()}", style="" if place else "dim"), soft_wrap=True)


def _exclusions(console: Console, fans: Sequence[Mapping[str, Any]]) -> None:
    """What is not counted beside which fans, and the rule; fans that shut out the same stand together."""
    together: dict[tuple[str, str], list[str]] = {}
    for fan in fans:
        by_rule: dict[str, list[str]] = {}
        for item in fan["excludes"]:
            only = " (in its sets)" if item["own_sets"] else f" ({item['times']} x)" if item["times"] else ""
            by_rule.setdefault(item["rule"], []).append(item["id"] + only)
        for rule, others in by_rule.items():
            together.setdefault((", ".join(others), rule), []).append(fan["id"])
    if together:
        console.print("\n[bold]Not counted beside[/bold]")
    for (shut, rule), by in together.items():
        console.print(f"  [bold]{', '.join(by)}[/bold]: {escape(shut)} [dim]({escape(rule)})[/dim]")


def _values(option: Mapping[str, Any]) -> str:
    """The values that a house rule takes, as they are given on the command line."""
    values = [_plain(choice) for choice in option.get("choices", ())]
    if not values:
        values = [f"{option['minimum']} to {option['maximum']}"]
    return ", ".join([*values, "none"] if option["nullable"] else values)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)

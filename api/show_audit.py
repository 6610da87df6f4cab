"""Verdicts and checks as a person likes to read them in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

__all__ = ["show_check", "show_verdict"]

_COLOUR = {"valid": "green", "under_claimed": "yellow", "cannot_be_decided": "yellow"}
_GOOD = ("counts", "capped", "unclaimed", "worth")


def show_verdict(console: Console, answer: Mapping[str, Any]) -> None:
    """The verdict, its lines with their articles, and what to look at."""
    says, verdict = answer["says"], answer["verdict"]
    colour = _COLOUR.get(verdict, "red")
    console.print(
        Text.assemble(("  judged  ", "dim"), (answer["hand"], "bold"), (f"   rules {answer['rules']}", "dim"))
    )
    console.print(f"  [bold {colour}]{says['en']}  {says['zh']}[/bold {colour}] [dim]({verdict})[/dim]")
    for line in answer["lines"]:
        mark = "[green]+[/green]" if line["code"] in _GOOD else "[red]-[/red]"
        tiles = f"  [dim]{' '.join(line['tiles'])}[/dim]" if line["tiles"] else ""
        console.print(f"  {mark} {escape(line['says']['en'])}  {escape(line['says']['zh'])}{tiles}")
        rule = line["rule"]
        more = f": {rule['says']}" if rule["says"] and rule["says"] not in line["says"]["en"] else ""
        console.print(Text(f"      {rule['article']}{more} - {rule['edition']}", style="dim"))
    for entry in answer["look_at"]:
        if entry["matters"]:
            where = ", ".join(f"{place + 1}." for place in entry["tiles"]).rstrip(".")
            console.print(f"  [yellow]look at tile {where}[/yellow]: {escape(entry['detail'])}")
            for choice in entry["candidates"]:
                told = f"{choice['value']} ({choice['probability']:.0%}): {choice['verdict']}"
                console.print(Text(f"      {told}", style="dim"))
    stands = answer["stands"]
    if answer["lines"] and verdict not in ("not_winning", "wrong_number_of_tiles", "cannot_be_decided"):
        console.print(f"  [bold]what stands: {stands['total']}[/bold], minimum {answer['minimum']}")
    if answer["depends"] and verdict != "cannot_be_decided":
        console.print(f"  [yellow]how much is left depends on {', '.join(answer['depends'])}[/yellow]")


def show_check(console: Console, found: Mapping[str, Any]) -> None:
    """Whether a bundle is as it was made, and what today's version says of it."""
    if not found["intact"]:
        console.print("  [bold red]not as it was made[/bold red]")
        for problem in found["problems"]:
            console.print(f"  {escape(problem['detail'])} [dim]({problem['code']})[/dim]")
        return
    bundle, signature, again = found["bundle"], found["signature"], found["again"]
    console.print("  [bold green]every byte is as it was made[/bold green]")
    console.print(Text(f"  sha256 {bundle['sha256']}", style="dim"))
    if signature["state"] == "none":
        console.print("  [yellow]not signed[/yellow]: whoever made it could make another")
    else:
        known = "the key that was told" if signature["expected"] else "a key that was not compared"
        console.print(f"  [green]signed[/green] with {known}: [dim]{signature['key']}[/dim]")
    console.print(Text(f"  made    {bundle['made']['at']} by version {again['then']}"))
    console.print(Text(f"  photo   {bundle['photo']['sha256']}"))
    console.print(Text(f"  hand    {bundle['hand']}   (seen: {bundle['seen']})"))
    if bundle["confirmed"]:
        console.print(Text(f"  settled by {bundle['confirmed']['by']}, {bundle['confirmed']['at']}"))
    console.print(Text(f"  verdict {bundle['verdict']}, total {bundle['total']}, rules {bundle['rules']}"))
    if again["otherwise"] is None:
        console.print(f"  [yellow]version {again['version']} cannot score it again[/yellow]")
    elif again["otherwise"]:
        console.print(f"  [bold yellow]version {again['version']} would decide otherwise[/bold yellow]")
    else:
        console.print(f"  [green]version {again['version']} says the same[/green]")
    for item in again["differences"]:
        console.print(Text(f"      {item['what']}: {item['then']} then, {item['now']} now"))
    for reason in again["why"]:
        console.print(Text(f"      because {reason}"))

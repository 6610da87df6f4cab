"""What stands beside the picture of a sheet: what was declared, who has settled the hand, what is claimed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["FLAGS", "Fact", "both", "facts"]

_WINS = {
    "discard": ("by discard", "出銃"),
    "self_draw": ("self-drawn", "自摸"),
    "rob_kong": ("robbed kong", "搶槓"),
}
_WINDS = {"1z": ("east", "東"), "2z": ("south", "南"), "3z": ("west", "西"), "4z": ("north", "北")}
#: Rare circumstances, as a sheet names them.
FLAGS: Mapping[str, tuple[str, str]] = {
    "last_of_its_kind": ("last of its kind", "和絕張"),
    "last_wall_tile": ("last tile of the wall", "最後一張"),
    "kong_replacement": ("after a kong", "槓上開花"),
    "flower_replacement": ("after a flower", "花上補牌"),
    "double_kong": ("after two kongs", "槓上槓"),
    "double_flower": ("after two flowers", "花上花"),
    "heavenly": ("heavenly hand", "天糊"),
    "earthly": ("earthly hand", "地糊"),
    "humanly": ("humanly hand", "人糊"),
    "robbed_concealed_kong": ("the kong was concealed", "所搶為暗槓"),
}
#: As many house rules, and changed tiles, as a sheet names; the bundle has all.
_MOST_OPTIONS, _MOST_CHANGES = 3, 4


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact, and on how many lines it may stand. `aside`: it only says what the next one is, or how sure."""

    text: str
    aside: bool = False
    lines: int = 2


def both(en: str, zh: str, chinese: bool) -> str:
    """The words in both languages, or in the one that can be written."""
    return f"{en}  {zh}" if chinese and zh else en


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def facts(record: Mapping[str, Any], chinese: bool) -> list[Fact]:
    """What was declared and not seen, by which rules, who has settled the hand, and what is claimed."""
    name = record["rules"]["name"]
    return [
        Fact(both(name["en"], name["zh"], chinese)),
        *_options(record["rules"], chinese),
        Fact(both("Declared, not seen:", "聲明，非照片所見：", chinese), aside=True),
        *(Fact(both(en, zh, chinese)) for en, zh in _declared(record["declared"]["context"])),
        *_settled(record, chinese),
        *_claimed(record["claim"], chinese),
    ]


def _options(rules: Mapping[str, Any], chinese: bool) -> list[Fact]:
    """The house rules that are not the default ones of this version."""
    from scorer import RULESETS

    known = RULESETS.get(rules["id"])
    defaults = {} if known is None else {option.id: option.default for option in known.options}
    found = [(name, value) for name, value in rules["options"].items() if defaults.get(name, value) != value]
    found.sort(key=lambda item: item[0] != "profile")
    words: dict[object, str] = {True: "yes", False: "no", None: "none"}
    told = [
        Fact(f"{option} = {value if type(value) is int else words.get(value, value)}", aside=True)
        for option, value in found[:_MOST_OPTIONS]
    ]
    left = len(found) - len(told)
    if left:
        more = f"and {_number(left, 'more house rule', 'more house rules')}, in the bundle"
        told.append(Fact(both(more, f"另有細則{left}項，見證據檔", chinese), aside=True))
    return told


def _declared(context: Mapping[str, Any]) -> list[tuple[str, str]]:
    entries = []
    if context.get("win"):
        entries.append(_WINS[context["win"]])
    for key, zh in (("seat", "門風"), ("round", "圈風")):
        if context.get(key) in _WINDS:
            wind = _WINDS[context[key]]
            entries.append((f"{key}: {wind[0]}", f"{zh} {wind[1]}"))
    flags = [flag for flag in context if context[flag] is True] + list(context.get("flags") or [])
    entries += [FLAGS.get(flag, (flag.replace("_", " "), "")) for flag in flags]
    if context.get("flowers") is not None:
        entries.append((f"flowers: {context['flowers']}", f"花牌{context['flowers']}張"))
    return entries


def _settled(record: Mapping[str, Any], chinese: bool) -> list[Fact]:
    confirmed = record["confirmed"]
    if confirmed is None:
        return [Fact(both("As read; settled by nobody", "照片所讀，未經確認", chinese), aside=True)]
    # A hand that is given as it was read is no change; and one renamed tile is not two.
    told = confirmed["hand"] is not None and record["hand"] != record["seen"]["hand"]
    named = confirmed["changes"]
    changes = _number(max(len(named), int(told)), "change to the reading", "changes to the reading")
    found = [
        Fact(both(f"Settled by {confirmed['by']}", f"確認：{confirmed['by']}", chinese)),
        Fact(both(changes, f"更改{max(len(named), int(told))}處", chinese), aside=True),
    ]
    if named:
        listed = [f"{one['seen']} > {one['instead']}" for one in named[:_MOST_CHANGES]]
        found.append(Fact(", ".join(listed) + (" ..." if named[_MOST_CHANGES:] else "")))
    opened = sum(act["act"] == "unlocked" for act in confirmed.get("log", ()))
    if opened:
        times = "once" if opened == 1 else f"{opened} times"
        found.append(Fact(both(f"unlocked again {times}", f"解鎖{opened}次", chinese), aside=True))
    return found


def _claimed(claim: Mapping[str, Any] | None, chinese: bool) -> list[Fact]:
    if claim is None:
        return []
    fans = claim.get("fans")
    words = fans if isinstance(fans, str) else ", ".join(fans or ())
    total = "" if claim.get("total") is None else f"{claim['total']}  "
    return [Fact(both("Claimed:", "申報：", chinese), aside=True), Fact(f"{total}{words}", lines=4)]

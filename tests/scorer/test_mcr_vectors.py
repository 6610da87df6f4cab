"""Hands of rule texts and other programs, where the shared vectors are present, all of them checked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scorer import RULESETS, Breakdown, Context, Hand, Meld, MeldKind, Tile, score

pytestmark = pytest.mark.corpus

IDS = {fan.name.en: fan.id for fan in RULESETS["mcr"].fans}
#: How many hands each file holds at least: a file that shrinks unseen would check less.
FILES = {"mcr": 473, "mcr_bugs": 14, "mcr_engines": 1997}


def _read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _hand(vector: Mapping[str, Any]) -> Hand:
    melds = [
        Meld(MeldKind(meld["kind"]), tuple(Tile.parse(tile) for tile in meld["tiles"]), meld["concealed"])
        for meld in vector["melds"]
    ]
    concealed = tuple(Tile.parse(tile) for tile in vector["concealed"])
    return Hand(concealed, tuple(melds), Tile.parse(vector["winning_tile"]))


def _context(vector: Mapping[str, Any]) -> Context:
    flags = [flag for flag in vector["flags"] if flag != "robbing_the_kong"]
    win = vector["win"] if len(flags) == len(vector["flags"]) else "rob_kong"
    fields = {name: vector[name] for name in ("seat", "round", "flowers")}
    return Context.from_dict({**fields, "win": win, "flags": flags})


def _answer(vector: Mapping[str, Any], profile: str) -> Breakdown:
    return score(_hand(vector), _context(vector), "mcr", {"profile": profile})


def _points(answer: Breakdown) -> int | None:
    """Points without flowers, as the vectors give them; None for a hand that does not win."""
    return answer.toward_minimum if answer.is_win else None


def _fans(lines: Any) -> dict[str, int]:
    return {line.fan.id: line.times for line in lines if line.fan.id != "flower_tiles"}


def _mismatch(vector: Mapping[str, Any]) -> str | None:
    answer, wanted = _answer(vector, "mil"), vector["expect"]
    if _points(answer) != wanted["mil_points"]:
        return f"{vector['id']}: {_points(answer)} points, not {wanted['mil_points']}"
    fans = {IDS[name]: times for name, times in (wanted["mil_fans"] or {}).items()}
    lists = [_fans(answer.fans), *(_fans(tie.fans) for tie in answer.ties)]
    # Where several lists are worth as much, any of them will do, and the answer names them all.
    return None if fans in lists else f"{vector['id']}: {lists}, not {fans}"


@pytest.mark.parametrize("name", FILES)
def test_every_hand_has_the_points_and_fans_of_the_default_profile(shared: Path, name: str) -> None:
    vectors = _read(shared / f"rules/vectors/{name}.jsonl")
    mismatches = [found for found in map(_mismatch, vectors) if found]
    print(f"{name}: {len(vectors)} checked, {len(vectors) - len(mismatches)} equal")
    assert mismatches == []
    assert len(vectors) >= FILES[name]


def _differs(vector: Mapping[str, Any]) -> list[str]:
    """What the source says and the profile `ema` does not."""
    answer, wanted = _answer(vector, "ema"), vector["expect"]
    got, found = _fans(answer.fans), []
    if wanted["source_points"] is not None and _points(answer) != wanted["source_points"]:
        found.append(f"{_points(answer)} points, not {wanted['source_points']}")
    if wanted["source_fans"] is not None:
        fans = {IDS[name]: times for name, times in wanted["source_fans"].items()}
        found += [] if got == fans else [f"{got}, not {fans}"]
    found += [f"no {name}" for name in wanted["source_contains"] or () if IDS[name] not in got]
    found += [name for name in wanted["source_forbids"] or () if IDS[name] in got]
    return [f"{vector['id']}: {each}" for each in found]


def test_european_hands_have_their_own_points_or_a_known_disagreement(shared: Path) -> None:
    vectors = [each for each in _read(shared / "rules/vectors/mcr.jsonl") if each["profile"] == "ema"]
    unexplained, counts = [], Counter[str]()
    for vector in vectors:
        differs = _differs(vector)
        counts["explained" if differs else "equal"] += 1
        if differs and not vector["disagreement"]:
            unexplained += differs
    print(f"mcr, profile ema: {len(vectors)} checked, {dict(counts)}")
    assert unexplained == []
    assert len(vectors) >= 89


def test_the_published_table_is_ours(shared: Path) -> None:
    published = json.loads((shared / "rules/mcr_fans.json").read_text(encoding="utf-8"))
    rows = {(row["en"], row["zh"], row["points"]) for row in published}
    assert rows == {(fan.name.en, fan.name.zh, fan.points) for fan in RULESETS["mcr"].fans}
    numbers = {row["en"]: row["id"] for row in published if row["id"] <= 81}
    assert numbers == {fan.name.en: fan.number for fan in RULESETS["mcr"].fans if fan.number}


def test_every_published_exclusion_is_in_the_records(shared: Path) -> None:
    published = json.loads((shared / "rules/mcr_fans.json").read_text(encoding="utf-8"))
    records = {fan.name.en: fan for fan in RULESETS["mcr"].fans}
    missing, checked = [], 0
    for row in published:
        for text in row["not_added_mil"]:
            name, _, scope = text.partition(" (")
            kept = [item for item in records[row["en"]].excludes if IDS[name] in item.fans]
            checked += 1
            if not any(
                item.own_sets == scope.startswith("own sets") and bool(item.times) == scope.startswith("one")
                for item in kept
            ):
                missing.append(f"{row['en']}: {text}")
    print(f"mcr_fans: {checked} exclusions checked")
    assert missing == []

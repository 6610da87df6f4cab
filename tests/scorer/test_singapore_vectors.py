"""Singapore's hands and payments of other programs, where the shared vectors are present: matched or
explained."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from scorer import Breakdown, Context, Hand, Meld, MeldKind, Seats, Tile, score, settle
from scorer.tiles import WINDS
from tests.scorer.hands import fan_ids

pytestmark = pytest.mark.corpus

#: How the default table names what an option of ours says.
SPLITS = {"discarder 2x, others 1x": "shares"}
#: The house rules of each source.
HOUSES: dict[str, dict[str, object]] = {
    "sg_7brayden": {
        "all_green": None,
        "small_three_dragons": 1,
        "small_three_dragons_pungs": "beside",
        "concealed_beside_limit": False,
    },
    "sg_khengsaurus": {
        "seven_pairs": 5,
        "all_green": 5,
        "concealed_kong_keeps_concealed": False,
        "lesser_ping_hu_wait": True,
    },
    "sg_hmhm0": {
        "self_draw_tai": 1,
        "limit": None,
        "small_three_dragons": 4,
        "small_three_dragons_pungs": "beside",
        "concealed_beside_limit": False,
    },
    "sg_choonang": {
        "ping_hu_wait": "none",
        "fully_concealed": False,
        "limit_hands_absorb": False,
        "all_green": None,
    },
}
#: What a source leaves out of its lists.
UNLISTED: dict[str, set[str]] = {"sg_choonang": {"mixed_terminals"}}
#: What a source pays where its table has another price.
PRICES: dict[str, dict[str, int]] = {
    "sg_hmhm0": {
        "small_three_dragons": 4 + 1,
        "eighteen_arhats": 18,
        "hidden_treasure": 8,
        "eight_flowers": 12,
    },
}
#: Hands of the limit that a source lists alone, whatever else is there.
ALONE: dict[str, set[str]] = {"sg_khengsaurus": {"all_green", "all_terminals", "seven_pairs"}}
#: What a vector lacks of what its own note and prices say.
COMPLETED: dict[str, list[str]] = {"sg-kh-29": ["last_tile"]}
#: Sources that list one of the bonus tiles by a name that covers several.
OWN = {"own_flower", "own_season", "animal"}
#: Vectors that our rules answer otherwise, and why.
EXPLAINED: dict[str, str] = {
    "sg-7b-37": "two kongs in a row are stated where one kong lies",
    "sg-7b-39": "an earthly hand of the dealer",
    "sg-7b-40": "a humanly hand of the dealer, and self-drawn",
    "sg-hm-12": "the source takes concealed pungs for none of all pungs",
    "sg-hm-13": "the source takes concealed pungs for none of all pungs",
    "sg-hm-16": "the source lists a heavenly hand alone, without the drawn win",
}
#: Thirteen tiles that stand in where a source lists none beside its flowers.
STAND_IN = Hand.parse("1m 4m 7m 2p 5p 8p 3s 6s 9s 1z 2z 3z 5z").concealed


def _read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _hand(vector: Mapping[str, Any]) -> Hand:
    melds = [
        Meld(MeldKind(meld["kind"]), tuple(Tile.parse(tile) for tile in meld["tiles"]), meld["concealed"])
        for meld in vector["melds"]
    ]
    winning = vector["winning_tile"]
    concealed = tuple(Tile.parse(tile) for tile in vector["concealed"])
    return Hand(
        concealed or (() if melds else STAND_IN),
        tuple(melds),
        Tile.parse(winning) if winning else None,
        tuple(Tile.parse(tile) for tile in vector["bonus"]),
    )


def _context(vector: Mapping[str, Any]) -> Context:
    names = {"last_tile": "last_wall_tile", "kong_on_kong": "double_kong"}
    flags = [names.get(flag, flag) for flag in (*vector["flags"], *COMPLETED.get(vector["id"], ()))]
    # The eighth flower of another player is robbed as the fourth tile of a kong is.
    robbed = "seven_rob_one" in flags and len(vector["bonus"]) == 8
    flags = [flag for flag in flags if flag not in ("seven_rob_one", "eight_flowers")]
    win = "rob_kong" if robbed else vector["win"]
    return Context.from_dict({"win": win, "seat": vector["seat"], "round": vector["round"], "flags": flags})


def _options(vector: Mapping[str, Any]) -> dict[str, object]:
    given = dict(vector.get("options") or {})
    if vector.get("default_table", True):
        if "discard_split" in given:
            given["shooter"] = SPLITS[given.pop("discard_split")]
        return given
    return HOUSES[vector["table"]] | given


def _mismatch(vector: Mapping[str, Any]) -> str | None:
    """What differs in patterns, totals, legality and payments; all of them bind."""
    context = _context(vector)
    answer, wanted = score(_hand(vector), context, "singapore", _options(vector)), vector["expect"]
    got: dict[str, object] = {
        "patterns": fan_ids(answer),
        "total": answer.uncapped,
        "capped": answer.total,
        "legal": answer.legal,
        "is_win": answer.is_win,
        "limit": any(line.fan.group.value == "limit" for line in answer.fans),
        "pay": _pay(answer, context, vector),
    }
    for key in got.keys() & wanted.keys():
        expected = sorted(wanted[key]) if key == "patterns" else wanted[key]
        if got[key] != expected:
            return f"{vector['id']}: {key} {got[key]}, not {expected}"
    return None


def _pay(answer: Breakdown, context: Context, vector: Mapping[str, Any]) -> dict[str, int | None] | None:
    if not answer.legal or "pay" not in vector["expect"] or context.seat is None:
        return None
    others = [wind for wind in WINDS if wind != context.seat]
    drawn = vector["win"] == "self_draw"
    seats = Seats(context.seat, None if drawn else others[0])
    found = settle(answer, context, seats).payments
    shooter = None if drawn else -found[others[0]]
    if drawn and vector["expect"]["pay"]["discarder"] is not None:
        # The source writes what a shooter would pay, though the tile was drawn.
        shooter = -found[others[0]]
    return {"discarder": shooter, "each_other": -found[others[1]], "winner_total": found[context.seat]}


def test_machine_made_hands_agree(shared: Path) -> None:
    vectors = _read(shared / "rules/vectors/singapore_random.jsonl")
    assert [found for found in map(_mismatch, vectors) if found] == []
    print(f"singapore_random: {len(vectors)} checked, {len(vectors)} equal")
    assert len(vectors) >= 750


def test_hands_of_the_default_table_agree(shared: Path) -> None:
    vectors = [
        vector for vector in _read(shared / "rules/vectors/singapore.jsonl") if vector["default_table"]
    ]
    assert [found for found in map(_mismatch, vectors) if found] == []
    print(f"singapore, default table: {len(vectors)} checked, {len(vectors)} equal")
    assert len(vectors) >= 56


def _listed(vector: Mapping[str, Any], answer: Breakdown) -> list[str]:
    """The fans of our answer, as far as the source's table goes."""
    table, wanted = vector["table"], set(vector["expect"]["patterns"])
    got = [name for name in fan_ids(answer) if name not in UNLISTED.get(table, set())]
    if wanted & ALONE.get(table, set()):
        got = [name for name in got if name in wanted]
    return got


def _wrong_sum(vector: Mapping[str, Any], answer: Breakdown, listed: list[str]) -> str | None:
    """What differs in the sum at the source's prices, and in that sum under its limit."""
    points = {line.fan.id: line.fan.points for line in answer.fans}
    total = sum(PRICES.get(vector["table"], {}).get(name, points[name]) for name in listed)
    limit = answer.options["limit"]
    found = {"total": total, "capped": total if limit is None else min(total, int(limit))}
    wrong = {key: value for key, value in found.items() if vector["expect"].get(key, value) != value}
    return f"{wrong} at the source's prices" if wrong else None


def _as_source(vector: Mapping[str, Any], names: list[str]) -> list[str]:
    """The names of fans as a source gives them, where it has one for several of ours."""
    if "own_flower_or_season" in vector["expect"]["patterns"]:
        names = ["own_bonus" if name in OWN | {"own_flower_or_season"} else name for name in names]
    if vector["table"] != "sg_khengsaurus":
        return sorted(names)
    groups = {"complete_flower_group", "complete_season_group", "complete_flower_or_season_group"}
    names = ["complete_group" if name in groups else name for name in names]
    if "all_animals" in names:
        # The four animals and their bonus are one line of five.
        names = [name for name in names if name != "animal"]
    # It lists a pattern once however often it is there.
    return sorted(set(names))


def _differs(vector: Mapping[str, Any]) -> str | None:
    """Whether patterns, sums at the source's prices or the win differ, as far as the source's table goes."""
    answer = score(_hand(vector), _context(vector), "singapore", _options(vector))
    listed = _listed(vector, answer)
    got, wanted = (_as_source(vector, names) for names in (listed, vector["expect"]["patterns"]))
    if answer.legal is not vector["expect"].get("legal", True) or got != wanted:
        return f"{vector['id']}: {got}, not {wanted}"
    wrong = _wrong_sum(vector, answer, listed)
    return wrong and f"{vector['id']}: {wrong}"


def census(shared: Path) -> Iterator[tuple[str, int, dict[str, str], dict[str, str]]]:
    """For each file: how many vectors there are, those explained with the reason, and those that differ."""
    for name in ("singapore", "singapore_random"):
        vectors = _read(shared / f"rules/vectors/{name}.jsonl")
        found = {
            vector["id"]: wrong
            for vector in vectors
            if (wrong := (_mismatch if vector.get("default_table", True) else _differs)(vector))
        }
        aside = {ident: EXPLAINED[ident] for ident in found if ident in EXPLAINED}
        yield name, len(vectors), aside, {key: value for key, value in found.items() if key not in aside}


def test_hands_of_other_tables_agree_or_are_explained(shared: Path) -> None:
    every = _read(shared / "rules/vectors/singapore.jsonl")
    vectors = [vector for vector in every if not vector["default_table"]]
    differing = {vector["id"]: found for vector in vectors if (found := _differs(vector))}
    unexplained = [found for name, found in differing.items() if name not in EXPLAINED]
    counts = Counter("explained" if vector["id"] in differing else "matched" for vector in vectors)
    print(f"singapore, other tables: {len(vectors)} checked, {dict(counts)}")
    for name in sorted(differing):
        print(f"  {name}: {EXPLAINED.get(name, 'unexplained')}")
    assert unexplained == []
    assert sorted(set(EXPLAINED) - set(differing)) == []

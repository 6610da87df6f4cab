"""Hands of other programs and rule texts, where the shared vectors are present: matched or explained."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from scorer import Breakdown, Context, Hand, Meld, MeldKind, Seats, Tile, Win, score, settle
from scorer.fan import FanGroup
from scorer.tiles import WINDS
from tests.scorer.hands import fan_ids

pytestmark = pytest.mark.corpus

#: The house rules that each source plays.
HOUSES: dict[str, dict[str, object]] = {
    "augwalts_hkos_standard": {
        "composites": "include",
        "limit_hands_absorb": False,
        "concealed_beside_limit": False,
        "concealed_kong_keeps_concealed": True,
        "full_flush": 6,
        "cap": 13,
    },
    "points_harness": {"flowers": False, "concealed_hand": "never"},
    "oscarhkli": {"four_concealed_pungs": "self_draw"},
    "hk_nyc_social_v1": {
        "all_chows_pair": "suited",
        "four_concealed_pungs": "self_draw",
        "nine_sided_wait": True,
        "seven_pairs": 4,
        "composites": "include",
        "limit_hands_absorb": False,
        "concealed_beside_limit": False,
    },
    "hk_modern_13f_v1": {
        "all_chows_pair": "suited",
        "four_concealed_pungs": "self_draw",
        "nine_sided_wait": True,
        "seven_pairs": 4,
        "composites": "include",
        "limit_hands_absorb": False,
    },
    "jelrod27": {"seven_pairs": 4, "composites": "add"},
    "smart828": {"concealed_hand": "discard_only", "seven_pairs": 4, "concealed_kong_keeps_concealed": True},
    "riichi_advanced_hk": {
        "humanly_hand": 13,
        "concealed_kong_keeps_concealed": True,
        "limit_hands_absorb": False,
    },
    "hskpeter": {
        "composites": "include",
        "concealed_hand": "never",
        "four_concealed_pungs": "self_draw",
        "limit_hands_absorb": False,
    },
}

#: What a source leaves out of its lists although its rules know it, or does not know at all.
UNLISTED: dict[str, set[str]] = {
    "hk_nyc_social_v1": {"mixed_terminals"},
    "hk_modern_13f_v1": {"mixed_terminals"},
    "jelrod27": {"mixed_terminals"},
    "hskpeter": {"no_flowers"},
}
#: Sources that test shapes alone.
MOCKED = {
    "seat_wind",
    "round_wind",
    "dragon_pung",
    "no_flowers",
    "own_flower",
    "own_season",
    "self_draw",
    "concealed_hand",
    "rob_kong",
}
#: Sources that pay a limit hand alone and list nothing beside it.
LIMIT_ALONE = {"hk_nyc_social_v1", "hk_modern_13f_v1", "smart828", "jelrod27", "hskpeter"}
LIMITS = {
    "big_four_winds",
    "all_kongs",
    "thirteen_orphans",
    "heavenly_hand",
    "earthly_hand",
    "all_honours",
    "all_terminals",
    "nine_gates",
    "four_concealed_pungs",
    "big_three_dragons",
    "small_four_winds",
    "double_kong",
}

#: What a source pays where its table has another price; "limit" is its most, whatever else is there.
PRICES: dict[str, dict[str, int | str]] = {
    "augwalts_hkos_standard": {"four_concealed_pungs": 13, "all_terminals": 7, "nine_gates": 13,
                               "big_four_winds": 10, "all_kongs": 10},
    "points_harness": {"all_terminals": 13},
    "hk_nyc_social_v1": {"small_three_dragons": 4, "full_flush": 6, **dict.fromkeys(LIMITS, "limit")},
    "hk_modern_13f_v1": {**dict.fromkeys(LIMITS, 10), "small_three_dragons": 5, "big_three_dragons": 8,
                         "small_four_winds": 8, "thirteen_orphans": 13, "all_kongs": 13,
                         "heavenly_hand": "limit", "earthly_hand": "limit"},
    "jelrod27": {"big_three_dragons": 10},
    "smart828": {**dict.fromkeys(LIMITS, "limit"), "small_three_dragons": 5, "big_three_dragons": 8,
                 "small_four_winds": 8, "big_four_winds": 10, "all_honours": 10, "double_kong": 2},
    "riichi_advanced_hk": {"small_three_dragons": 5, "big_three_dragons": 8, "all_terminals": 13,
                           "nine_gates": 13, "mixed_terminals": 1},
    "hskpeter": dict.fromkeys(LIMITS, "limit"),
}  # fmt: skip
MOST = {"hk_nyc_social_v1": 10, "hk_modern_13f_v1": 13, "augwalts_hkos_standard": 13}
FEWEST = {"training_relaxed_v1": 0, "riichi_advanced_hk": 0}
#: Patterns of a source that no table of ours knows; what they add is taken off its total.
FOREIGN = {"缺一門"}

#: Vectors that our rules answer otherwise, and why.
EXPLAINED: dict[str, str] = {
    "hk-aug-kongs-14": "the source does not take its own double-kong flag for two kongs in a row",
    "hk-osc-api-3": "the source adds seven flowers to a complete hand; here they win by themselves",
    "hk-ra-all-sequences-full-flush": "the tiles form no winning shape: that test uses jokers",
    "hk-ra-shousangen-renhou": "the tiles form no winning shape: that test uses jokers",
    "hk-ra-daisangen-tsuuiisou-suuankou": "the source counts no dragon pungs in big three dragons",
    "hk-ra-kokushi-tenhou": "the source sees a heavenly hand that no flag states",
    "hk-ra-thirteen-heavenly": "the source leaves self-draw and concealed hand out",
    "hk-x4-023": "a robbed concealed kong pays nothing there, and this one cannot be",
    "hk-jel-03": "the source sees the hand as open, though no set lies on the table",
    "hk-smart-01": "a heavenly hand is drawn, the vector says discard",
    "hk-smart-11": "the source takes chows of terminals for mixed terminals",
    "hk-smart-22": "two kongs in a row are stated where no kong lies",
    "hk-hsk-020": "two kongs in a row are stated where no kong lies",
    "hk-hsk-023": "a heavenly hand with four claimed sets",
}

ITEMS = {
    "common hand": "all_chows",
    "mixed one suit": "half_flush",
    "all one suit": "full_flush",
    "all in triplets": "all_pungs",
    "對對糊": "all_pungs",
    "dragons": "dragon_pung",
    "small dragon": "small_three_dragons",
    "great dragon": "big_three_dragons",
    "small wind": "small_four_winds",
    "great wind": "big_four_winds",
    "all honors": "all_honours",
    "orphans": "all_terminals",
    "all Kongs": "all_kongs",
    "圈風": "round_wind",
    "門風": "seat_wind",
}


def _hand(vector: Mapping[str, Any]) -> Hand:
    melds = [
        Meld(MeldKind(meld["kind"]), tuple(Tile.parse(tile) for tile in meld["tiles"]), meld["concealed"])
        for meld in vector["melds"]
    ]
    winning = vector["winning_tile"]
    return Hand(
        tuple(Tile.parse(tile) for tile in vector["concealed"]),
        tuple(melds),
        Tile.parse(winning) if winning else None,
        tuple(Tile.parse(tile) for tile in vector["bonus"]),
    )


def _context(vector: Mapping[str, Any]) -> Context:
    # A first draw is no circumstance of this project.
    flags = [flag for flag in vector["flags"] if flag != "first_draw"]
    flags = ["last_wall_tile" if flag == "last_tile" else flag for flag in flags]
    return Context.from_dict(
        {"win": vector["win"], "seat": vector["seat"], "round": vector["round"], "flags": flags}
    )


def _options(vector: Mapping[str, Any]) -> dict[str, object]:
    given = dict(vector.get("options") or {})
    if vector.get("default_table", True):
        if "discarder_pays_all" in given:
            assert given.pop("discarder_pays_all") is True
            given["sharing"] = "discarder"
        return given
    house = dict(HOUSES.get(vector["table"], {}))
    if given.get("concealed_flag") is False:
        house["concealed_hand"] = "never"
    return house


def _read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _mismatch(vector: Mapping[str, Any]) -> str | None:
    """What differs in patterns, totals, legality and payments; all of them bind."""
    context = _context(vector)
    answer, wanted = score(_hand(vector), context, "hk", _options(vector)), vector["expect"]
    got = {
        "patterns": fan_ids(answer),
        "total": answer.uncapped,
        "capped": answer.total,
        "legal": answer.legal,
        "pay": _pay(answer, context, vector),
    }
    for key in got.keys() & wanted.keys():
        expected = sorted(wanted[key]) if key == "patterns" else wanted[key]
        if got[key] != expected:
            return f"{vector['id']}: {key} {got[key]}, not {expected}"
    return None


def _pay(answer: Breakdown, context: Context, vector: Mapping[str, Any]) -> dict[str, float | None] | None:
    """Who pays what, where the vector says so; in units of two, of which a half is whole."""
    if "pay" not in vector["expect"] or context.seat is None or not answer.legal:
        return None
    first, second, _ = (wind for wind in WINDS if wind != context.seat)
    drawn = context.win is Win.SELF_DRAW
    found = settle(answer, context, Seats(context.seat, None if drawn else first, unit=2)).payments
    # A win by flowers is a drawn hand, and has no discarder in the source.
    nobody = drawn or any(line.fan.group is FanGroup.FLOWER_WIN for line in answer.fans)
    return {
        "discarder": None if nobody else -found[first] / 2,
        "each_other": -found[second] / 2,
        "winner_total": found[context.seat] / 2,
    }


def test_machine_made_hands_agree(shared: Path) -> None:
    vectors = _read(shared / "rules/vectors/hk_random.jsonl")
    assert [found for found in map(_mismatch, vectors) if found] == []
    print(f"hk_random: {len(vectors)} checked")
    assert len(vectors) >= 1000


def test_hands_of_the_default_table_agree(shared: Path) -> None:
    vectors = [vector for vector in _read(shared / "rules/vectors/hk.jsonl") if vector["default_table"]]
    assert [found for found in map(_mismatch, vectors) if found] == []
    print(f"hk, default table: {len(vectors)} checked")
    assert len(vectors) >= 58


def _expected(vector: Mapping[str, Any]) -> list[str]:
    wanted = vector["expect"]
    if "patterns" in wanted:
        return sorted(wanted["patterns"])
    found = []
    for name, _ in wanted["items"]:
        if name == "正花":
            ranks = {int(tile[0]) for tile in vector["bonus"]}
            full = ranks >= {5, 6, 7, 8} or ranks >= {1, 2, 3, 4}
            own = "own_season" if min(ranks) > 4 else "own_flower"
            found.append(("all_seasons" if min(ranks) > 4 else "all_flowers") if full else own)
        else:
            found.append(ITEMS.get(name, name))
    return sorted(found)


def _listed(vector: Mapping[str, Any], answer: Breakdown, wanted: Sequence[str]) -> list[str]:
    """The fans of our answer, as far as the source's table goes."""
    table = vector["table"]
    got = [name for name in fan_ids(answer) if name not in UNLISTED.get(table, set())]
    if vector["expect"].get("patterns_partial"):
        got = [name for name in got if name not in MOCKED]
    if table in LIMIT_ALONE and LIMITS & set(wanted):
        got = [name for name in got if name in wanted]
    return got


def _wrong_sum(vector: Mapping[str, Any], answer: Breakdown, listed: Sequence[str]) -> str | None:
    """What differs in the sum at the source's prices, in that sum under its cap, or in whether it wins."""
    table, wanted = vector["table"], vector["expect"]
    if "total" not in wanted:
        return None
    points = {line.fan.id: line.fan.points for line in answer.fans}
    prices = [PRICES.get(table, {}).get(name, points[name]) for name in listed]
    most = MOST.get(table, 10)
    foreign = sum(points for name, points in wanted.get("items", ()) if name in FOREIGN)
    if wanted["total"] == "limit":
        got = "limit" if "limit" in prices or sum(map(int, prices)) >= most else str(prices)
        return None if got == "limit" else f"{got}, not the limit"
    total = most if "limit" in prices else sum(map(int, prices)) + foreign
    found = {"total": total, "capped": min(total, most), "legal": total >= FEWEST.get(table, 3)}
    wrong = {key: value for key, value in found.items() if wanted.get(key, value) != value}
    return f"{wrong} at the source's prices" if wrong else None


def _differs(vector: Mapping[str, Any]) -> str | None:
    """Whether patterns, sums at the source's prices or the win differ, as far as the source's table goes."""
    wanted = _expected(vector)
    answer = score(_hand(vector), _context(vector), "hk", _options(vector))
    got = _listed(vector, answer, wanted)
    wrong = _wrong_sum(vector, answer, got)
    if vector["table"] in ("hk_nyc_social_v1", "hk_modern_13f_v1", "hskpeter"):
        # These list a pattern once however often it is there.
        got, wanted = sorted(set(got)), sorted(set(wanted))
    if answer.is_win is not vector["expect"].get("is_win", True) or got != wanted:
        return f"{vector['id']}: {got}, not {wanted}"
    return wrong and f"{vector['id']}: {wrong}"


def census(shared: Path) -> Iterator[tuple[str, int, dict[str, str], dict[str, str]]]:
    """For each file: how many vectors there are, those explained with the reason, and those that differ."""
    for name in ("hk", "hk_random"):
        vectors = _read(shared / f"rules/vectors/{name}.jsonl")
        found = {
            vector["id"]: wrong
            for vector in vectors
            if (wrong := (_mismatch if vector.get("default_table", True) else _differs)(vector))
        }
        aside = {ident: EXPLAINED[ident] for ident in found if ident in EXPLAINED}
        yield name, len(vectors), aside, {key: value for key, value in found.items() if key not in aside}


def test_hands_of_other_tables_agree_or_are_explained(shared: Path) -> None:
    vectors = [vector for vector in _read(shared / "rules/vectors/hk.jsonl") if not vector["default_table"]]
    differing = {vector["id"]: found for vector in vectors if (found := _differs(vector))}
    unexplained = [found for name, found in differing.items() if name not in EXPLAINED]
    stale = sorted(set(EXPLAINED) - set(differing))
    counts = Counter("explained" if vector["id"] in differing else "matched" for vector in vectors)
    print(f"hk, other tables: {len(vectors)} checked, {dict(counts)}")
    assert unexplained == []
    assert stale == []

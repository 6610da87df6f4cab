"""What each entry does and what each is refused for."""

from __future__ import annotations

from typing import Any

import pytest

from scorer import ScorerError, UnknownRuleSet
from scorer.errors import BadOption
from scorer.ledger import (
    BadEntry,
    BadMatch,
    EntryRefused,
    LedgerTable,
    Match,
    entry_from_dict,
    replayed,
)

NAMES = ["Ann", "Ben", "Cat", "Dan"]
PUNGS = "[111p] [666m] [999s] 33m 44s +3m"
CHOWS = "[123m] [456p] 789s 55s 23p +1p"


def played(rules: str, *entries: dict[str, Any], **match: Any) -> LedgerTable:
    told = Match.from_dict({"rules": rules, "players": NAMES, **match})
    return replayed(told, [entry_from_dict(entry) for entry in entries])


def won(winner: int, discarder: int | None = None, total: int | None = None, **claim: Any) -> dict[str, Any]:
    """A win by a hand, by a total, or by one that wins everywhere."""
    if total is None and "hand" not in claim:
        total = 8
    return {"kind": "win", "discarder": discarder, "claims": [{"winner": winner, "total": total, **claim}]}


def about(kind: str, of: int, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "of": of, "reason": "r", **more}


def refused(text: str, rules: str, *entries: dict[str, Any], **match: Any) -> None:
    played(rules, *entries[:-1], **match)  # all but the last are taken
    with pytest.raises(EntryRefused, match=text):
        played(rules, *entries, **match)


DRAW = {"kind": "draw"}
CLOSE = {"kind": "close"}


def fault(player: int) -> dict[str, Any]:
    return {"kind": "fault", "player": player, "reason": "r"}


def false_win(player: int, **more: Any) -> dict[str, Any]:
    return {"kind": "false_win", "player": player, **more}


def instant(player: int, *items: str, opening: bool = False) -> dict[str, Any]:
    return {"kind": "instant", "player": player, "items": list(items), "opening": opening}


def test_a_false_win_costs_a_hundred_and_fifty_and_the_hand() -> None:
    table = played("tvb", false_win(2))
    assert (table.points, table.forfeited, table.dead) == ((0, 0, -150, 0), 150, {2})
    refused("Cat cannot win this hand", "tvb", false_win(2), won(2))
    refused("dead already", "tvb", false_win(2), false_win(2))
    # The next hand is another one.
    assert played("tvb", false_win(2), DRAW, won(2, 0, 3)).points == (-30, 0, -120, 0)
    assert played("tvb", false_win(2), DRAW).dead == frozenset()


def test_a_win_is_no_false_win_and_the_other_way_round() -> None:
    refused("is no false win", "tvb", false_win(1, discarder=0, hand=PUNGS))
    refused("does not win", "tvb", won(1, 0, hand="[123m] [456p] 789m 34s 66z +5s"))
    refused("does not win", "tvb", won(1, 0, hand="123m 456p +5s"))
    refused("0 of the 3 that win", "hk", won(1, 0, 0))


def test_faults_are_counted_over_the_stage() -> None:
    assert played("tvb", fault(1)).points == (0, 0, 0, 0)
    assert played("tvb", fault(1), DRAW, fault(1), fault(0)).points == (0, -10, 0, 0)
    later = played("tvb", fault(1), fault(3), faults=[0, 1, 0, 0])
    assert (later.points, later.faults) == ((0, -10, 0, 0), (0, 2, 0, 1))
    assert played("tvb", fault(1), fault(1), about("undo", 1)).points == (0, 0, 0, 0)
    refused("prices no minor faults", "hk", fault(1))


def test_the_twelfth_tile_is_paid_for_only_where_the_rule_says_so() -> None:
    flush = {"fans": ["full_flush"], "claimed_sets": 4, "liable": 2}
    assert played("tvb", won(0, None, 8, **flush)).points == (120, 0, -120, 0)
    assert played("tvb", won(0, None, 8, **{**flush, "claimed_sets": 3})).points == (120, -40, -40, -40)
    assert played("tvb", won(0, None, 8, **{**flush, "fans": ["half_flush"]})).points == (120, -40, -40, -40)
    assert played("tvb", won(0, 1, 8, **flush)).points == (80, -80, 0, 0)


def test_what_is_declared_must_be_possible() -> None:
    refused("10 are the most", "tvb", won(0, 1, 11))
    refused("has no fan 'nine_gates'", "tvb", won(0, 1, 8, fans=["nine_gates"]))
    refused("worth 3, not the 4", "tvb", won(1, 0, total=4, hand=PUNGS))
    assert played("tvb", won(1, 0, total=3, hand=PUNGS)).points == (-30, 30, 0, 0)
    refused("seat is told as 1z", "tvb", won(1, 0, hand=PUNGS, context={"seat": "1z"}))
    refused("win is told as self_draw", "tvb", won(1, 0, hand=PUNGS, context={"win": "self_draw"}))
    assert played("tvb", won(1, 0, hand=PUNGS, context={"seat": "2z", "round": "1z"})).points[1] == 30
    refused("depends on winning", "mcr", won(2, None, hand="[123m] [456m] [789m] 123p 55s"))
    refused("nobody informs", "tvb", won(1, 0, hand=PUNGS, informer=2))


def test_too_high_too_low_and_who_says_so() -> None:
    """Singapore: what is announced is paid, unless it is too much and somebody says so; who says that it is
    too little pays the difference for all."""
    pungs = {"hand": PUNGS}
    assert played("singapore", won(1, 0, **pungs)).points == (-4, 8, -2, -2)
    over = {"kind": "win", "discarder": 0, "claims": [{"winner": 1, "total": 3, **pungs}]}
    assert played("singapore", over).points == (-8, 16, -4, -4)
    over["claims"][0]["informer"] = 2  # type: ignore[index]
    assert played("singapore", over).points == (-4, 8, -2, -2)
    under = {"kind": "win", "discarder": 0, "claims": [{"winner": 1, "total": 1, "informer": 3, **pungs}]}
    assert played("singapore", under).points == (-2, 8, -1, -5)


def test_what_is_paid_at_once() -> None:
    assert played("singapore", instant(1, "cat_rat", "exposed_kong")).points == (-4, 12, -4, -4)
    double = {"instant_double_opening": True}
    held = instant(1, "cat_rat", "exposed_kong", opening=True)
    assert played("singapore", held, options=double).points == (-6, 18, -6, -6)
    assert played("singapore", held).points == (-4, 12, -4, -4)
    # Where the house rules pay nothing for it, nothing moves.
    assert played("singapore", instant(1, "all_flowers_and_seasons")).effects[-1].moves == ()
    refused("cat_rat was paid already", "singapore", instant(1, "cat_rat"), instant(1, "cat_rat"))
    refused("cat_rat was paid already", "singapore", instant(1, "cat_rat", "cat_rat"))
    twice = played(
        "singapore",
        instant(1, "exposed_kong"),
        instant(1, "exposed_kong"),
        instant(1, "cat_rat"),
        DRAW,
        instant(1, "cat_rat"),
    )
    assert twice.points == (-8, 24, -8, -8)
    refused("is none of exposed_kong", "singapore", instant(1, "dog"))
    refused("pays nothing at once", "hk", instant(1, "exposed_kong"))


def test_liability_in_singapore_is_a_house_rule() -> None:
    claim = won(1, None, 5, fans=["full_flush"], claimed_sets=4, liable=3)
    assert played("singapore", claim).points == (-32, 96, -32, -32)
    assert played("singapore", claim, options={"liability_flush": True}).points == (0, 96, 0, -96)


def test_who_is_disqualified_has_no_place_and_no_win() -> None:
    gone = {"kind": "disqualification", "player": 1, "reason": "swapped tiles"}
    table = played("tvb", won(1, 0, 3), gone)
    told = table.to_dict()
    assert [player["place"] for player in told["players"]] == [3, None, 1, 1]
    assert (told["ranking"], table.points) == ([[2, 3], [0]], (-30, 30, 0, 0))
    refused("Ben cannot win", "tvb", gone, DRAW, won(1, 0))
    refused("disqualified already", "tvb", gone, gone)


def test_ties_are_broken_by_the_rule_set() -> None:
    entries = (won(0, 1, 3), won(1, 0, 3))
    assert played("tvb", *entries).places == ((0, 1), (2, 3))
    assert played("hk", *entries).places == ((0, 1, 2, 3),)
    assert played("tvb", *entries, fault(2), fault(2)).places == ((0, 1), (3,), (2,))
    # As many points, more fan; then as many fan, more wins; then fewer deal-ins.
    penalty = {"kind": "adjustment", "points": [-30, 30, 40, -40], "reason": "r"}
    assert played("tvb", won(0, 1, 3), won(2, 3, 4), penalty | {"points": [-30, 30, -40, 40]}).places[0] == (
        2,
    )
    shared = played("mcr", won(0, None, 8)).to_dict()
    assert [player["place_points"] for player in shared["players"]] == [4.0, 1.0, 1.0, 1.0]
    two = played("mcr", won(0, 2, 8), won(1, 2, 8)).to_dict()
    assert [player["place_points"] for player in two["players"]] == [3.0, 3.0, 0.0, 1.0]


def test_seats_change_between_rounds_where_the_match_says_so() -> None:
    seats = [[str(played("mcr", *[DRAW] * n).game.seat_of(p)) for p in range(4)] for n in (0, 4, 8, 12)]
    # Each player has been in each seat; player 2 goes west, north, east, south, and player 3 the other way.
    assert [row[2] for row in seats] == ["3z", "4z", "1z", "2z"]
    assert [row[3] for row in seats] == ["4z", "3z", "2z", "1z"]
    assert all(len({row[p] for row in seats}) == 4 for p in range(4))
    assert played("mcr", *[DRAW] * 4, seat_changes=False).game.dealer == 0
    assert played("mcr", *[DRAW] * 4).game.dealer == 1
    with pytest.raises(BadMatch, match="knows no change of seats"):
        played("tvb", seat_changes=True)


def test_nothing_follows_the_end() -> None:
    refused("the session is over", "tvb", *[DRAW] * 16, DRAW)
    refused("the session is over", "tvb", *[DRAW] * 4, won(0), rounds=1)
    refused("no hand is being played", "tvb", *[DRAW] * 4, false_win(0), rounds=1)
    refused("the session is over", "tvb", *[DRAW] * 4, {"kind": "redeal", "reason": "r"}, rounds=1)
    refused(
        "no hand is being played",
        "singapore",
        *[won(1, 0, 1), won(2, 0, 1), won(3, 0, 1), won(0, 1, 1)],
        instant(0, "cat_rat"),
        rounds=1,
    )
    # A referee may still decide about what has been.
    table = played("tvb", *[DRAW] * 4, {"kind": "penalty", "player": 0, "amount": 5, "reason": "r"}, rounds=1)
    assert table.points == (-5, 0, 0, 0)
    refused("the match is closed", "tvb", CLOSE, DRAW)
    assert played("tvb", DRAW, CLOSE, about("undo", 2), DRAW).game.hands == 2
    assert played("tvb", DRAW, CLOSE, about("correction", 1, entry=won(0, 1, 3))).points == (30, -30, 0, 0)


def test_undoing_and_correcting() -> None:
    first = won(1, 0, 3)
    assert played("tvb", first, about("undo", 1)).points == (0, 0, 0, 0)
    assert played("tvb", first, about("undo", 1), about("undo", 2)).points == (-30, 30, 0, 0)
    fixed = (first, about("correction", 1, entry=won(1, 0, 4)), about("correction", 1, entry=won(1, 0, 5)))
    assert played("tvb", *fixed).points == (-50, 50, 0, 0)
    assert played("tvb", *fixed, about("undo", 3)).points == (-40, 40, 0, 0)
    assert played("tvb", *fixed, about("undo", 3), about("undo", 2)).points == (-30, 30, 0, 0)
    assert played("tvb", *fixed, about("undo", 1)).points == (0, 0, 0, 0)
    refused("no entry 2 before", "tvb", first, about("undo", 2))
    refused("undone already, by entry 2", "tvb", first, about("undo", 1), about("undo", 1))
    refused("undone already", "tvb", first, about("undo", 1), about("correction", 1, entry=DRAW))
    refused("is itself a undo", "tvb", first, about("undo", 1), about("correction", 2, entry=DRAW))
    effects = played("tvb", *fixed, about("undo", 3)).effects
    told = [(each.line.standing.value, each.line.by) for each in effects]
    assert told == [("corrected", 2), ("counts", None), ("undone", 4), ("counts", None)]


def test_what_later_entries_need_is_not_taken_away() -> None:
    """East in the first hand is another player after an undoing, and then the second hand is no win."""
    east = won(1, None, hand="[111z] 234m 678p 99s 34s +5s")
    # Round and seat wind, self-draw, no flowers: four faan; and in the first hand three.
    house = {"min_faan": 4, "dealer_stays_on_win": False}
    assert played("hk", won(1, 0, 4), east, options=house).points == (-24, 40, -8, -8)
    text = "entry 2 would not be possible then: Ben does not win: 3 of the 4"
    refused(text, "hk", won(1, 0, 4), east, about("undo", 1), options=house)


def test_a_deal_that_does_not_count() -> None:
    redeal = {"kind": "redeal", "reason": "all four discarded the same tile"}
    table = played("singapore", false_win(2), redeal, won(2, 0, 1))
    assert (table.game.hands, table.game.dealer, table.effects[1].dealer) == (1, 1, 0)


def test_adjustments_name_who_pays_whom() -> None:
    table = played("hk", {"kind": "adjustment", "points": [-7, 4, 5, -2], "reason": "r"})
    moves = [(move.payer, move.payee, move.amount) for move in table.effects[0].moves]
    assert moves == [(0, 1, 4), (0, 2, 3), (3, 2, 2)]


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (None, "entry"),
        ({}, "kind"),
        ({"kind": 3}, "kind"),
        ({"kind": "win"}, "claims"),
        ({"kind": "win", "claims": [{}]}, r"claims\[0\].winner"),
        ({"kind": "win", "claims": [{"winner": 0}]}, r"claims\[0\].hand"),
        ({"kind": "win", "claims": [{"winner": True, "total": 3}]}, r"claims\[0\].winner"),
        ({"kind": "win", "claims": [{"winner": 0, "total": 3.5}]}, r"claims\[0\].total"),
        ({"kind": "win", "claims": [{"winner": 0, "total": 3, "liable": 0}]}, r"claims\[0\].winner"),
        ({"kind": "win", "claims": [{"winner": 0, "hand": PUNGS, "fans": ["x"]}]}, r"claims\[0\].fans"),
        (
            {"kind": "win", "claims": [{"winner": 0, "hand": PUNGS, "context": {"x": 1}}]},
            r"claims\[0\].context",
        ),
        ({"kind": "win", "claims": [{"winner": 0, "hand": PUNGS, "context": {"heavenly": None}}]}, "context"),
        ({"kind": "win", "claims": [{"winner": 0, "total": 3}] * 2, "discarder": 1}, "claims"),
        ({"kind": "win", "claims": [{"winner": 0, "total": 3}, {"winner": 1, "total": 3}]}, "discarder"),
        ({"kind": "win", "claims": [{"winner": 0, "total": 3}], "discarder": 0}, "discarder"),
        ({"kind": "win", "claims": [{"winner": 0, "total": 3}], "robbed": True}, "discarder"),
        ({"kind": "draw", "kongs": [4]}, "kongs"),
        ({"kind": "draw", "kongs": [1, 1]}, "kongs"),
        ({"kind": "draw", "kongs": "1"}, "kongs"),
        ({"kind": "draw", "player": 1}, "player"),
        ({"kind": "redeal", "reason": "  "}, "reason"),
        ({"kind": "redeal", "reason": "a\x00b"}, "reason"),
        ({"kind": "redeal", "reason": "\ud800"}, "reason"),
        ({"kind": "redeal", "reason": "x" * 501}, "reason"),
        ({"kind": "false_win", "player": 1, "discarder": 1}, "discarder"),
        ({"kind": "penalty", "player": 1, "amount": 0, "reason": "r"}, "amount"),
        ({"kind": "penalty", "player": 1, "amount": 1, "to": [1], "reason": "r"}, "to"),
        ({"kind": "instant", "player": 1, "items": []}, "items"),
        ({"kind": "instant", "player": 1, "items": [1]}, "items"),
        ({"kind": "adjustment", "points": [1, 0, 0, 0], "reason": "r"}, "points"),
        ({"kind": "adjustment", "points": [1, -1], "reason": "r"}, "points"),
        ({"kind": "undo", "of": 0, "reason": "r"}, "of"),
        ({"kind": "undo", "of": 1}, "reason"),
        ({"kind": "correction", "of": 1, "reason": "r"}, "entry"),
        (
            {"kind": "correction", "of": 1, "reason": "r", "entry": {"kind": "undo", "of": 1, "reason": "r"}},
            "entry",
        ),
    ],
)
def test_what_is_not_understood_is_named(data: object, field: str) -> None:
    with pytest.raises(BadEntry, match=rf"^(\w+(\[\d\])?\.)?{field}: "):
        entry_from_dict(data)


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"players": NAMES[:3]}, BadMatch, "players: four"),
        ({"players": ["Ann", "Ann", "Cat", "Dan"]}, BadMatch, "same name"),
        ({"players": ["Ann", " ", "Cat", "Dan"]}, BadMatch, "players.south: is missing"),
        ({"players": ["Ann", 2, "Cat", "Dan"]}, BadMatch, "players.south: must be a text"),
        ({"rules": "riichi"}, UnknownRuleSet, "riichi"),
        ({"rules": None}, BadMatch, "rules: is missing"),
        ({"options": {"cap": 11.5}}, BadOption, "cap"),
        ({"options": []}, BadMatch, "options: must be a JSON object"),
        ({"unit": 0}, BadMatch, "unit"),
        ({"rounds": 17}, BadMatch, "rounds"),
        ({"seat_changes": 1}, BadMatch, "seat_changes"),
        ({"faults": [0, 0, 0]}, BadMatch, "faults"),
        ({"title": "x" * 121}, BadMatch, "title"),
        ({"stake": 5}, BadMatch, "stake: no such field"),
    ],
)
def test_a_match_that_cannot_be_is_named(change: dict[str, Any], error: type[ScorerError], text: str) -> None:
    with pytest.raises(error, match=text):
        Match.from_dict({"rules": "tvb", "players": NAMES, **change})


def test_house_rules_are_written_out() -> None:
    match = Match.from_dict({"rules": "tvb", "players": NAMES})
    assert match.options["profile"] == "aus"
    assert set(match.options) == {option.id for option in match.ruleset.options}

"""What a match offers to be entered is what its rules then do."""

from __future__ import annotations

from typing import Any

import pytest

from scorer import RULESETS
from scorer.ledger import EntryRefused, Match, offers
from tests.ledger.test_rules import NAMES, fault, instant, played, won


def offered(rules: str, **options: Any) -> dict[str, Any]:
    return offers(Match.from_dict({"rules": rules, "players": NAMES, "options": options}))


@pytest.mark.parametrize(
    ("rules", "options", "paid", "of_two"),
    [
        ("mcr", {}, "one", 1),
        ("tvb", {}, "one", 1),
        ("tvb", {"intercept": "previous_player"}, "one", 1),
        ("hk", {}, "all", 2),
        ("hk", {"several_winners": "first"}, "one", 1),
        ("singapore", {}, "three_or_one", 1),
        ("singapore", {"three_winners": False}, "one", 1),
    ],
)
def test_who_of_several_winners_is_paid(rules: str, options: dict[str, Any], paid: str, of_two: int) -> None:
    assert offered(rules, **options)["of_several"] == paid
    total = 8 if rules == "mcr" else 4
    for winners, right in ((2, of_two), (3, {"all": 3, "one": 1, "three_or_one": 3}[paid])):
        claims = [{"winner": winner, "total": total} for winner in range(1, winners + 1)]
        table = played(rules, {"kind": "win", "discarder": 0, "claims": claims}, options=options)
        assert sum(points > 0 for points in table.points) == right


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("tvb", {}),
        ("hk", {"liability": "always"}),
        ("hk", {"liability": "self_draw"}),
        ("singapore", {"liability_flush": True, "liability_winds": True}),
    ],
)
def test_who_is_liable_pays_for_the_hands_that_are_offered(rules: str, options: dict[str, Any]) -> None:
    known = offered(rules, **options)["liability"]
    assert known["fans"]
    for discarder in (None, 1):
        for fan in known["fans"]:
            assert all(fan["name"].values())
            claim = {"fans": [fan["id"]], "claimed_sets": 4, "liable": 2}
            table = played(rules, won(0, discarder, 5, **claim), options=options)
            payers = [player for player, points in enumerate(table.points) if points < 0]
            assert (payers == [2]) == (discarder is None or not known["drawn_only"]), fan
    without = played(rules, won(0, None, 5, liable=2), options=options)
    assert sum(points < 0 for points in without.points) == 3
    asked = played(rules, won(0, None, 5, fans=[known["fans"][0]["id"]], liable=2), options=options)
    assert (sum(points < 0 for points in asked.points) == 3) == known["asks_sets"]


def test_liability_is_not_offered_where_nobody_is_ever_liable() -> None:
    assert offered("mcr")["liability"] is None
    assert offered("hk", liability="off")["liability"] is None
    assert offered("singapore")["liability"] is None
    limit = offered("singapore", liability_limit=True)["liability"]
    assert (limit["fans"], limit["others"]) == ([], True)
    # A hand that the house rules have taken off the table is none for which one could be liable.
    assert offered("singapore", liability_green=True)["liability"]["fans"][0]["id"] == "all_green"
    assert offered("singapore", liability_green=True, all_green=None)["liability"]["fans"] == []


def test_what_is_offered_to_be_paid_at_once_is_paid() -> None:
    known = offered("singapore")["instants"]
    assert "all_flowers_and_seasons" not in [one["id"] for one in known], "worth nothing by the usual rules"
    for one in known:
        assert played("singapore", instant(1, one["id"])).points[0] == -one["units"]
    assert offered("singapore", instant_eight=3)["instants"][-1] == {
        "id": "all_flowers_and_seasons",
        "units": 3,
    }
    assert not offered("singapore")["opening"]
    assert offered("singapore", instant_double_opening=True)["opening"]


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_what_is_not_offered_is_refused(rules: str) -> None:
    known = offered(rules)
    tries = [(known["instants"], instant(0, "exposed_kong")), (known["faults"], fault(0))]
    for offer, entry in tries:
        if offer:
            played(rules, entry)
        else:
            with pytest.raises(EntryRefused):
                played(rules, entry)


def test_announced_total_beside_a_hand_is_paid_where_that_is_offered() -> None:
    hand = "[111p] [666m] [999s] 33m 44s +3m"
    for rules in RULESETS:
        honest = played(rules, won(1, 0, hand=hand))
        right = honest.effects[-1].answers[0][1].total
        if offered(rules)["announced"]:
            assert played(rules, won(1, 0, right + 1, hand=hand)).points[1] > honest.points[1]
        else:
            with pytest.raises(EntryRefused, match="that are declared"):
                played(rules, won(1, 0, right + 1, hand=hand))


def test_kongs_are_asked_for_where_they_decide_who_deals() -> None:
    assert not offered("tvb")["draw_kongs"]
    for choice in ("passes", "stays", "own_kong_stays", "any_kong_passes"):
        dealers = {
            played(
                "singapore", {"kind": "draw", "kongs": kongs}, options={"dealer_on_draw": choice}
            ).game.dealer
            for kongs in ([], [0], [1])
        }
        assert offered("singapore", dealer_on_draw=choice)["draw_kongs"] == (len(dealers) > 1)

"""The ledger in the page's referee mode, in a real browser against the real service."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from fastapi.testclient import TestClient

from api.app import create_app
from api.settings import Settings
from tests.api.conftest import StubReader
from tests.page.conftest import DESKTOP, Visiting
from tests.page.test_referee import (
    DRAGONS,
    begin,
    downloaded,
    entered,
    judge,
    lock,
    other,
    points,
    referee,
    verdict,
)


def test_small_match_with_a_win_a_draw_a_penalty_and_an_undo(visit: Visiting) -> None:
    one = referee(visit, DRAGONS, DESKTOP)
    begin(one)
    assert "Lock a hand" in one.page.inner_text("#audited")
    assert judge(one, "Big Three Dragons, One Voided Suit", "89") == "valid"
    lock(one)
    verdict(one)
    one.page.wait_for_selector("#enter-hand")
    assert one.page.input_value("#enter-hand-winner-0") == "0"
    assert one.page.input_value("#enter-hand-from") == "1"
    one.page.click("#enter-hand button[type=submit]")
    entered(one, 1)
    # What stands of the discarder, and the base of eight of each.
    won = {0: 89 + 3 * 8, 1: -89 - 8, 2: -8, 3: -8}
    assert points(one) == won
    assert "entered as number 1" in one.page.inner_text("#audited"), "one hand is entered once"
    one.page.click("#enter-draw")
    entered(one, 2)
    other(one, "penalty")
    one.page.select_option("#other-player", "2")
    one.page.fill("#other-amount", "10")
    one.page.click("#other button[type=submit]")
    assert one.page.get_attribute("#other-reason", "aria-invalid") == "true"
    one.page.fill("#other-reason", "遲到")
    one.page.click("#other button[type=submit]")
    entered(one, 3)
    assert points(one)[2] == -18
    other(one, "penalty")
    assert one.page.input_value("#other-reason") == "", "it is not offered for another player"
    one.page.click("[data-undo='3']")
    one.page.click("#undo-entry")
    assert one.page.get_attribute("#undo-reason", "aria-invalid") == "true"
    one.page.fill("#undo-reason", "誤記")
    one.page.click("#undo-entry")
    entered(one, 4)
    assert one.page.get_attribute(".entries [data-sequence='3']", "data-standing") == "undone"
    assert points(one) == won
    lines = downloaded(one, "#csv").decode("utf-8-sig").splitlines()
    assert len(lines) == 5
    assert "誤記" in lines[4]
    one.page.click("#enter-close")
    entered(one, 5)
    assert one.page.inner_text("#standings caption") == "Final places"
    assert one.page.locator("#standings tbody tr").first.get_attribute("data-player") == "0"
    one.page.reload()
    one.page.wait_for_selector("html.ready")
    one.page.click("#ledger-card summary")
    entered(one, 5)


def test_hand_that_does_not_win_is_entered_as_a_false_win(visit: Visiting) -> None:
    one = referee(visit, DRAGONS.replace("%2B7z", "%2B6p"), DESKTOP)
    begin(one)
    assert judge(one, "", "88") == "not_winning"
    assert one.page.locator("#verdict .swaps li").count() >= 1
    lock(one)
    verdict(one)
    one.page.wait_for_selector("#enter-hand")
    one.page.click("#enter-hand button[type=submit]")
    entered(one, 1)
    assert "False win" in one.page.inner_text(".entries [data-sequence='1']")


def test_hand_that_was_judged_for_another_seat_is_not_entered(visit: Visiting) -> None:
    one = referee(visit, DRAGONS, DESKTOP)
    begin(one)
    judge(one, "", "88")
    lock(one)
    verdict(one)
    one.page.select_option("#enter-hand-winner-0", "2")
    one.page.click("#enter-hand button[type=submit]")
    assert "another seat" in one.page.inner_text("#entry-said")
    assert one.page.locator(".entries [data-sequence]").count() == 0


def test_entry_is_made_once_and_never_over_another_ones(visit: Visiting) -> None:
    one = referee(visit, DRAGONS, DESKTOP)
    begin(one)
    match = one.page.get_attribute(".match", "data-match")
    lost = []

    def lose_the_answer(route: Any) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch())
            route.abort("connectionreset")
        else:
            route.continue_()

    one.page.route("**/entries", lose_the_answer)
    one.page.click("#enter-draw")
    one.page.wait_for_selector("#ledger .problem[data-code=unreachable]")
    assert lost[0].status == 201
    one.page.click("#enter-draw")
    entered(one, 1)
    assert one.page.locator(".entries [data-sequence='2']").count() == 0
    request = urllib.request.Request(
        f"{one.service}/v1/matches/{match}/entries",
        json.dumps({"entry": {"kind": "draw"}, "by": "another"}).encode(),
        {"content-type": "application/json", "if-match": "*"},
    )
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30).close()
    one.page.click("#enter-draw")
    one.page.wait_for_selector("#ledger .problem[data-code=stale_table]")
    entered(one, 2)
    assert "another" in one.page.inner_text(".entries [data-sequence='2']")
    assert one.page.locator(".entries [data-sequence='3']").count() == 0


def test_service_without_a_ledger_is_told_as_a_sentence(visit: Visiting) -> None:
    refusal = TestClient(create_app(Settings(), StubReader())).get("/v1/matches")
    assert refusal.status_code == 404
    one = referee(visit)
    one.page.route("**/v1/matches*", lambda route: route.fulfill(status=404, body=refusal.text))
    one.page.click("#ledger-card summary")
    one.page.wait_for_selector("#ledger [data-code=ledger_off]")
    assert one.page.inner_text("#ledger") == "This service keeps no ledger."

"""What the page enters into a match beside the audited hand, in a real browser against the real service."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.conftest import PHONE, Visit, Visiting
from tests.page.test_chinese import latin, open_all
from tests.page.test_referee import begin, entered, judge, lock, other, points, referee, verdict
from tests.page.test_use import THEMES, found_by

FLUSH = "#hand=[123p] [456p] [789p] [111p] 9p %2B9p&rules=tvb&win=self_draw&seat=1z&round=1z"
DISCARDED = "#hand=[111p] [666m] [999s] 33m 44s %2B3m&rules={}&win=discard&seat=2z&round=1z&discarder=1z"
LIABLE = "[id$='-liable-0']"


def match_of(visit: Visiting, rules: str, **more: Any) -> Visit:
    one = referee(visit, DISCARDED.format(rules), **more)
    begin(one)
    return one


def submit(one: Visit, number: int, form: str = "other") -> None:
    one.page.click(f"#{form} button[type=submit]")
    entered(one, number)


def win(one: Visit, discarder: str, *claims: tuple[str, str]) -> None:
    """Fill in a win by totals: who, and how much."""
    other(one, "win")
    one.page.select_option("#other-from", discarder)
    for at, (winner, total) in enumerate(claims):
        if at:
            one.page.click("#other-more")
        one.page.select_option(f"#other-winner-{at}", winner)
        one.page.fill(f"#other-total-{at}", total)


def kinds(one: Visit) -> set[str]:
    other(one, "win")
    found = one.page.eval_on_selector_all("#other-kind option", "all => all.map(one => one.value)")
    return set(found)


def audited(one: Visit, fans: str, total: str) -> None:
    assert judge(one, fans, total) == "valid"
    lock(one)
    verdict(one)
    one.page.wait_for_selector("#enter-hand")


def audited_total(one: Visit, total: str) -> None:
    """The same by a total alone, with the ledger opened after it."""
    judge(one, "", total)
    lock(one)
    verdict(one)
    one.page.click("#ledger-card summary")
    one.page.wait_for_selector("#enter-hand")


def test_evening_with_a_penalty_a_liability_two_winners_and_a_correction(visit: Visiting) -> None:
    one = referee(visit, FLUSH)
    begin(one)
    other(one, "fault")
    one.page.select_option("#other-player", "3")
    one.page.fill("#other-reason", "drew too early")
    submit(one, 1)
    assert "faults: 1" in one.page.inner_text("#standings [data-player='3']")
    other(one, "penalty")
    one.page.select_option("#other-player", "2")
    one.page.fill("#other-amount", "10")
    one.page.select_option("#other-to", "each")
    one.page.fill("#other-reason", "talking")
    submit(one, 2)
    assert points(one) == {0: 10, 1: 10, 2: -30, 3: 10}
    audited(one, "清一色, 自摸", "8")
    one.page.select_option("#enter-hand-liable-0", "3")
    submit(one, 3, "enter-hand")
    assert points(one) == {0: 130, 1: 10, 2: -30, 3: -110}, "one pays for all three"
    line = one.page.locator(".entries [data-sequence='3']")
    assert "歐陽 (8 fan), self-drawn · 黃 liable" in line.inner_text()
    line.locator(".paid summary").click()
    assert "liable for the twelfth tile (rule 5f)" in line.inner_text()
    win(one, "1", ("0", "3"), ("2", "2"))
    assert one.page.get_attribute("[data-several]", "data-several") == "one"
    submit(one, 4)
    assert points(one) == {0: 130, 1: -10, 2: -10, 3: -110}, "the first in turn is paid"
    one.page.click("#correct-4")
    assert one.page.input_value("#fix-total-1") == "2"
    one.page.fill("#fix-total-1", "4")
    one.page.click("#fix button[type=submit]")
    assert one.page.get_attribute("#fix-why", "aria-invalid") == "true", "a correction has a reason"
    one.page.fill("#fix-why", "the hand was worth four")
    submit(one, 5, "fix")
    assert points(one) == {0: 130, 1: -30, 2: 10, 3: -110}
    mended = one.page.locator(".entries [data-sequence='4']")
    assert mended.get_attribute("data-standing") == "corrected"
    assert mended.locator("s").inner_text() == "歐陽 (3 fan), 李 (2 fan) from 陳"
    assert "corrected by 5" in mended.inner_text()
    assert mended.locator("[data-instead]").inner_text() == "Now: 歐陽 (3 fan), 李 (4 fan) from 陳"
    told = one.page.inner_text(".entries [data-sequence='5']")
    assert "Corrects 4 into: 歐陽 (3 fan), 李 (4 fan) from 陳" in told
    assert "the hand was worth four" in told
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # What a correction has said can itself be taken back, and the first version counts again.
    one.page.click("#undo-5")
    one.page.fill("#undo-reason", "it was two after all")
    one.page.click("#undo-entry")
    entered(one, 6)
    assert points(one) == {0: 130, 1: -10, 2: -10, 3: -110}
    assert one.page.get_attribute(".entries [data-sequence='4']", "data-standing") == "counts"


def test_evening_in_singapore_with_payments_at_once(visit: Visiting) -> None:
    one = match_of(visit, "singapore")
    assert "instant" in kinds(one)
    assert "fault" not in kinds(one), "the rules price none"
    other(one, "instant")
    one.page.select_option("#other-player", "1")
    one.page.click("#other button[type=submit]")
    assert one.page.locator(".entries [data-sequence]").count() == 0, "nothing is chosen"
    one.page.click("#other-item-concealed_kong")
    one.page.click("#other-item-cat_rat")
    assert one.page.get_attribute("#other-item-cat_rat", "aria-pressed") == "true"
    submit(one, 1)
    assert points(one) == {0: -6, 1: 18, 2: -6, 3: -6}
    assert "Concealed kong, Cat and rat" in one.page.inner_text(".entries [data-sequence='1']")
    other(one, "instant")
    one.page.select_option("#other-player", "1")
    one.page.click("#other-item-cat_rat")
    one.page.click("#other button[type=submit]")
    one.page.wait_for_selector("#ledger .problem[data-code=entry_refused]")
    assert one.page.get_attribute("#other-item-cat_rat", "aria-pressed") == "true", "what was chosen stays"
    # The hand is worth 2; 3 are announced, and one says that this is too much.
    judge(one, "", "3")
    lock(one)
    verdict(one)
    one.page.select_option("#enter-hand-informer-0", "2")
    submit(one, 2, "enter-hand")
    assert points(one) == {0: -10, 1: 26, 2: -8, 3: -8}
    assert "announced as 3" in one.page.inner_text(".entries [data-sequence='2']")
    other(one, "adjustment")
    for player, sum_ in (("0", "5"), ("1", "-4")):
        one.page.fill(f"#other-points-{player}", sum_)
    one.page.fill("#other-reason", "a tip")
    one.page.click("#other button[type=submit]")
    assert one.page.get_attribute("#other-points-0", "aria-invalid") == "true", "it adds up to nothing"
    one.page.fill("#other-points-1", "-5")
    submit(one, 3)
    assert points(one) == {0: -5, 1: 21, 2: -8, 3: -8}
    one.page.click("#correct-1")
    assert one.page.get_attribute("#fix-item-concealed_kong", "aria-pressed") == "true"
    one.page.click("#fix-item-cat_rat")
    one.page.fill("#fix-why", "no rat")
    submit(one, 4, "fix")
    assert points(one) == {0: -3, 1: 15, 2: -6, 3: -6}
    assert (
        one.page.inner_text(".entries [data-sequence='1'] [data-instead]")
        == "Now: Paid at once · 陳 · Concealed kong"
    )


def test_three_winners_are_paid_where_the_rules_say_so(visit: Visiting) -> None:
    one = match_of(visit, "hk")
    win(one, "0", ("1", "3"), ("2", "4"), ("3", "5"))
    assert one.page.get_attribute("[data-several]", "data-several") == "all"
    assert one.page.locator("#other-more").count() == 0, "there is no fourth"
    one.page.click("#other-fewer")
    assert one.page.locator("#other [data-claim]").count() == 2
    submit(one, 1)
    won = points(one)
    assert won[1] > 0
    assert won[2] > won[1]
    assert won[3] == 0
    assert won[0] == -won[1] - won[2]
    win(one, "0", ("1", "3"), ("2", "4"))
    one.page.select_option("#other-from", "")
    assert one.page.locator("#other [data-claim]").count() == 1, "a tile that was drawn has one winner"


def test_second_audited_hand_joins_the_first_on_its_tile(visit: Visiting) -> None:
    one = match_of(visit, "hk")
    audited(one, "對對和", "3")
    assert one.page.locator("#enter-hand-joins").count() == 0, "there is no hand that it could join"
    submit(one, 1, "enter-hand")
    alone = points(one)
    second = "#hand=[222z] [555z] 111s 88s 99p %2B9p&rules=hk&win=discard&seat={}&round=1z&discarder=1z"
    for seat in ("2z", "3z"):
        one.page.goto("about:blank")
        one.page.goto(f"{one.service}/{second.format(seat)}")
        one.page.wait_for_selector("#answer[aria-busy=false] .figure", state="attached")
        one.page.wait_for_selector("#audit")
        audited_total(one, "4")
        one.page.select_option("#enter-hand-joins", "1")
        # Who has won on it already, and who discarded it, are not offered.
        assert one.page.locator("#enter-hand-winner-0 option").count() == 2
        if seat == "3z":
            assert one.page.input_value("#enter-hand-winner-0") == "2", "who sat there then"
        one.page.select_option("#enter-hand-winner-0", "2")
        one.page.click("#enter-hand button[type=submit]")
        if seat == "2z":
            one.page.wait_for_selector("#ledger .problem[data-code=entry_refused]")
            assert points(one) == alone, "it was judged for another seat"
    entered(one, 2)
    both = points(one)
    assert both[1] == alone[1]
    assert both[2] > 0
    assert both[0] == -both[1] - both[2]
    assert one.page.locator(".entries [data-sequence='3']").count() == 0
    assert "Another winner on this tile" in one.page.inner_text(".entries [data-sequence='2']")
    assert "entered as number 2" in one.page.inner_text("#audited")
    assert "Hands over: 1" in one.page.inner_text(".match")


@pytest.mark.parametrize(
    ("rules", "drawn", "discarded"), [("tvb", 1, 0), ("hk", 0, 0), ("singapore", 0, 0), ("mcr", 0, 0)]
)
def test_liability_is_asked_only_where_the_rules_know_it(
    visit: Visiting, rules: str, drawn: int, discarded: int
) -> None:
    one = match_of(visit, rules)
    win(one, "", ("1", "8"))
    assert one.page.locator(LIABLE).count() == drawn
    one.page.select_option("#other-from", "0")
    assert one.page.locator(LIABLE).count() == discarded
    assert ("fault" in kinds(one)) == (rules == "tvb")
    assert ("instant" in kinds(one)) == (rules == "singapore")


def test_liability_for_a_total_asks_for_what_it_depends_on(visit: Visiting) -> None:
    one = match_of(visit, "tvb")
    win(one, "", ("1", "8"))
    one.page.select_option("#other-liable-0", "0")
    one.page.click("#other button[type=submit]")
    assert one.page.get_attribute("#other-fan-0", "aria-invalid") == "true"
    one.page.select_option("#other-fan-0", "full_flush")
    one.page.click("#other button[type=submit]")
    assert one.page.get_attribute("#other-sets-0", "aria-invalid") == "true"
    one.page.select_option("#other-sets-0", "3")
    submit(one, 1)
    assert points(one) == {0: -40, 1: 120, 2: -40, 3: -40}, "fewer than twelve tiles are revealed"
    one.page.locator(".entries .paid summary").click()
    assert "is not liable: fewer than twelve tiles" in one.page.inner_text(".entries [data-sequence='1']")
    one.page.click("#correct-1")
    assert (one.page.input_value("#fix-fan-0"), one.page.input_value("#fix-liable-0")) == ("full_flush", "0")
    one.page.select_option("#fix-sets-0", "4")
    one.page.fill("#fix-why", "four sets")
    submit(one, 2, "fix")
    assert points(one) == {0: -120, 1: 120, 2: 0, 3: 0}


def test_audited_hand_is_corrected_as_the_hand_that_it_was(visit: Visiting) -> None:
    one = match_of(visit, "tvb")
    audited(one, "對對和", "3")
    submit(one, 1, "enter-hand")
    before = points(one)
    one.page.click("#correct-1")
    assert one.page.input_value("#fix-hand-0") == "[111p] [666m] [999s] 33m 44s +3m"
    one.page.select_option("#fix-from", "3")
    one.page.fill("#fix-why", "it was the other one's tile")
    submit(one, 2, "fix")
    after = points(one)
    assert (after[1], after[3], after[0]) == (before[1], before[0], 0)
    assert "entered as number 1" in one.page.inner_text("#audited"), "one hand is entered once"


def test_correction_that_somebody_was_faster_with_stays_to_be_decided(visit: Visiting) -> None:
    one = match_of(visit, "tvb")
    one.page.click("#enter-draw")
    entered(one, 1)
    one.page.click("#correct-1")
    assert one.page.evaluate("document.activeElement.id") == "fix-kind"
    one.page.select_option("#fix-kind", "win")
    one.page.fill("#fix-total-0", "2")
    one.page.fill("#fix-why", "there was a win")
    sent: list[dict[str, str]] = []
    one.page.on("request", lambda request: request.method == "POST" and sent.append(request.headers))
    match = one.page.get_attribute(".match", "data-match")
    done = one.page.request.post(
        f"{one.service}/v1/matches/{match}/entries",
        data={"entry": {"kind": "draw"}},
        headers={"if-match": "*"},
    )
    assert done.status == 201
    one.page.click("#fix button[type=submit]")
    one.page.wait_for_selector("#ledger .problem[data-code=stale_table]")
    entered(one, 2)
    assert one.page.input_value("#fix-why") == "there was a win"
    submit(one, 3, "fix")
    assert points(one)[0] == 30
    assert [headers["if-match"] for headers in sent] == ['"1"', '"2"']
    assert len({headers["idempotency-key"] for headers in sent}) == 2


def test_kongs_are_asked_where_they_decide_who_deals(visit: Visiting) -> None:
    one = referee(visit, DISCARDED.format("singapore"))
    one.page.click(".house")
    one.page.select_option("#option-dealer_on_draw", label="stays if the dealer has a kong")
    one.page.keyboard.press("Escape")
    begin(one)
    assert one.page.locator("#enter-draw").count() == 0
    other(one, "draw")
    one.page.click("#other-kong-0")
    submit(one, 1)
    assert "歐陽 deals" in one.page.inner_text(".match")
    other(one, "draw")
    submit(one, 2)
    assert "陳 deals" in one.page.inner_text(".match")


@pytest.mark.parametrize("locale", ["zh-HK", "zh-CN"])
def test_every_form_and_entry_is_in_chinese(visit: Visiting, locale: str) -> None:
    one = match_of(visit, "tvb", locale=locale)
    for kind in sorted(kinds(one)):
        other(one, kind)
        assert latin(one.page) == [], kind
    win(one, "0", ("1", "3"), ("2", "2"))
    submit(one, 1)
    win(one, "", ("1", "8"))
    one.page.select_option("#other-liable-0", "0")
    one.page.select_option("#other-fan-0", "full_flush")
    one.page.select_option("#other-sets-0", "4")
    assert latin(one.page) == []
    submit(one, 2)
    one.page.click("#correct-2")
    assert latin(one.page) == []
    one.page.select_option("#fix-sets-0", "3")
    one.page.fill("#fix-why", "三副")
    submit(one, 3, "fix")
    open_all(one)
    assert latin(one.page) == []
    told = one.page.inner_text(".entries")
    assert "包牌不成立" in told
    assert "截糊" in told
    two = match_of(visit, "singapore", locale=locale)
    other(two, "instant")
    two.page.click("#other-item-exposed_kong")
    assert latin(two.page) == []
    submit(two, 1)
    open_all(two)
    assert latin(two.page) == []
    assert ("明槓" if locale == "zh-HK" else "明杠") in two.page.inner_text(".entries .paid")


@THEMES
def test_axe_finds_nothing_serious_in_the_forms(visit: Visiting, axe: str, theme: str) -> None:
    one = match_of(visit, "singapore", color_scheme=theme, reduced_motion="reduce")
    win(one, "0", ("1", "3"), ("2", "2"), ("3", "1"))
    assert found_by(axe, one.page) == []
    submit(one, 1)
    other(one, "instant")
    one.page.click("#other-item-cat_rat")
    one.page.click("#correct-1")
    one.page.fill("#fix-why", "two did")
    one.page.click("#fix-fewer")
    assert found_by(axe, one.page) == []
    submit(one, 2, "fix")
    open_all(one)
    assert found_by(axe, one.page) == []


def test_entry_is_made_by_keyboard_alone(visit: Visiting) -> None:
    one = match_of(visit, "tvb", device={**PHONE, "has_touch": False})
    one.page.focus("#other-entry > summary")
    press = one.page.keyboard.press
    press("Enter")
    press("Tab")
    assert one.page.evaluate("document.activeElement.id") == "other-kind"
    one.page.keyboard.type("Min")
    assert one.page.input_value("#other-kind") == "fault"
    press("Tab")
    press("ArrowDown")
    assert one.page.evaluate("document.activeElement.id") == "other-player", "drawing it again loses no place"
    press("ArrowDown")
    press("Tab")
    assert one.page.evaluate("document.activeElement.id") == "other-reason"
    one.page.keyboard.type("late")
    press("Enter")
    entered(one, 1)
    assert "Minor fault · 李" in one.page.inner_text(".entries [data-sequence='1']")
    one.page.focus("#correct-1")
    press("Enter")
    assert one.page.evaluate("document.activeElement.id") == "fix-kind"
    one.page.focus("#fix-leave")
    press("Enter")
    assert one.page.locator("#fix").count() == 0
    assert one.page.evaluate("document.activeElement.id") == "correct-1"

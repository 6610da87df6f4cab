"""The page's referee mode, in a real browser against the real service: claims, evidence, the ledger."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.page.conftest import DESKTOP, PHONE, Visit, Visiting
from tests.page.test_browser import HAND
from tests.page.test_chinese import latin, open_all
from tests.page.test_use import THEMES, found_by

DRAGONS = "#hand=[555z] [666z] 234m 99p 77z %2B7z&rules=mcr&win=discard&seat=1z&round=1z&discarder=2z"
OPEN_WIN = "#hand=[123m] [456p] 789m 34s 88p %2B5s&rules=tvb&seat=2z&round=1z"
PLAYERS = ("歐陽", "陳", "李", "黃")


def referee(visit: Visiting, fragment: str = "", device: dict[str, Any] | None = None, **more: Any) -> Visit:
    """A page in referee mode, with the hand of a link."""
    one = visit(device or PHONE, **more)
    one.page.evaluate("localStorage['mahjong-reader.referee'] = 'yes'")
    one.page.goto("about:blank")
    one.page.goto(f"{one.service}/{fragment}")
    one.page.wait_for_selector("html.ready")
    one.page.wait_for_selector("#audit", state="attached")
    if fragment:
        scored(one)
    return one


def scored(one: Visit) -> None:
    """Wait for the score, which is there but not shown."""
    one.page.wait_for_selector("#answer[aria-busy=false] .figure", state="attached")


def photographed(one: Visit) -> Visit:
    one.page.set_input_files("#camera", str(HAND))
    scored(one)
    return one


def judge(one: Visit, fans: str, total: str = "") -> str:
    """Claim this, and say what the verdict is."""
    one.page.fill("#claim-fans", fans)
    one.page.fill("#claim-total", total)
    one.page.click("#judge")
    return verdict(one)


def verdict(one: Visit) -> str:
    found = one.page.wait_for_selector("#verdict[aria-busy=false] [data-verdict]")
    told: str = found.get_attribute("data-verdict")
    return told


def lock(one: Visit, name: str = "歐") -> None:
    one.page.fill("#lock-by", name)
    one.page.click("#lock")
    one.page.wait_for_selector(".lock.shut")


def downloaded(one: Visit, button: str) -> bytes:
    with one.page.expect_download() as download:
        one.page.click(button)
    return Path(download.value.path()).read_bytes()


def begin(one: Visit) -> None:
    """Open the ledger and begin a match by the rules that are chosen."""
    if not one.page.locator("#ledger-card[open]").count():
        one.page.click("#ledger-card summary")
    one.page.wait_for_selector("#begin, #leave")
    if one.page.locator("#leave").count():
        one.page.click("#leave")
        one.page.wait_for_selector("#begin")
    for at, name in enumerate(PLAYERS):
        one.page.fill(f"#player-{at}", name)
    one.page.click("#begin button[type=submit]")
    one.page.wait_for_selector("#standings")


def entered(one: Visit, number: int) -> None:
    one.page.wait_for_selector(f".entries [data-sequence='{number}']")


def other(one: Visit, kind: str) -> None:
    """Open the form for an entry that is no audited hand, of this kind."""
    if not one.page.locator("#other-entry[open]").count():
        one.page.click("#other-entry > summary")
    one.page.select_option("#other-kind", kind)


def points(one: Visit) -> dict[int, int]:
    rows = one.page.locator("#standings [data-player]").all()
    return {int(row.get_attribute("data-player")): int(row.locator(".points").inner_text()) for row in rows}


def test_mode_is_loaded_when_it_is_opened_and_remembered(visit: Visiting) -> None:
    one = visit()
    one.page.wait_for_timeout(1500)  # whatever is fetched when nobody waits for it
    assert not [url for url in one.asked if re.search(r"referee|audit|ledger|verdict", url)]
    assert one.page.locator("#audit").count() == 0
    one.page.click("#open-settings")
    one.page.click("#referee-mode")
    one.page.wait_for_selector("#audit", state="attached")
    one.page.keyboard.press("Escape")
    assert one.page.locator("#ledger-card").is_visible()
    one.page.reload()
    one.page.wait_for_selector("html.ready")
    assert one.page.locator("#ledger-card").is_visible()
    one.page.click("#open-settings")
    one.page.click("#referee-mode")
    one.page.keyboard.press("Escape")
    assert one.page.locator("#desk").is_hidden()
    assert one.page.evaluate("localStorage['mahjong-reader.referee']") is None


def test_valid_claim_is_told_with_its_rules_and_the_best_score_is_not(visit: Visiting) -> None:
    one = referee(visit, DRAGONS)
    assert judge(one, "Big Three Dragons, One Voided Suit", "89") == "valid"
    assert "89 points of the claim stand" in one.page.inner_text("#verdict")
    line = one.page.locator("#verdict [data-fan=big_three_dragons]")
    assert "fan 2" in line.locator(".source").inner_text()
    assert "1998" in line.locator(".source").inner_text()
    line.locator("button").click()
    assert one.page.locator("#board .tile.lit").count() == 9
    for hidden in ("#answer-card", "#bar"):
        assert one.page.locator(hidden).is_hidden(), hidden
    assert "point" not in one.page.inner_text("#said")
    one.page.click("#best")
    assert one.page.locator("#answer .figure").is_visible()
    one.page.click("#best")
    assert one.page.locator("#answer-card").is_hidden()
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
        "the page scrolls sideways"
    )


def test_too_much_is_told_with_what_shuts_it_out(visit: Visiting) -> None:
    one = referee(visit, DRAGONS)
    one.page.fill("#claim-fans", "Big Three Dragons, dragon p")
    one.page.locator("#claim-options [data-fan=dragon_pung]").click()
    assert one.page.input_value("#claim-fans") == "Big Three Dragons, Dragon Pung, "
    assert judge(one, "Big Three Dragons, One Voided Suit, Dragon Pung x3", "95") == "over_claimed"
    shut = one.page.locator("#verdict [data-line=excluded][data-fan=dragon_pung]")
    assert "does not count beside Big Three Dragons" in shut.inner_text()
    assert "89 points of the claim stand" in one.page.inner_text("#verdict")
    one.page.fill("#claim-total", "90")
    assert one.page.locator("#verdict [data-verdict]").count() == 0, "the verdict was on another claim"


def test_what_was_not_claimed_is_told_only_if_it_is_asked(visit: Visiting) -> None:
    one = referee(visit, DRAGONS)
    assert judge(one, "One Voided Suit, Big Three Dragons") == "valid"
    assert judge(one, "Dragon Pung x2") != "under_claimed"
    assert one.page.locator("#verdict [data-line=unclaimed]").count() == 0
    one.page.click("#claim-more")
    judge(one, "Big Three Dragons")
    assert one.page.locator("#verdict [data-line=unclaimed]").count() >= 1


def test_nonsense_and_nothing_are_told_as_sentences(visit: Visiting) -> None:
    one = referee(visit, DRAGONS)
    one.page.click("#judge")
    one.page.wait_for_selector("#verdict .problem[data-code=no_claim]")
    one.page.fill("#claim-fans", "Grand Piano")
    one.page.click("#judge")
    one.page.wait_for_selector("#verdict .problem[data-code=bad_claim]")
    assert "Grand Piano" in one.page.inner_text("#verdict").replace("grand piano", "Grand Piano")


@pytest.mark.parametrize(
    ("locale", "typed", "name", "said"),
    [
        ("en-GB", "big thr", "Big Three Dragons", "The claim is valid"),
        ("zh-HK", "大三", "大三元", "申報有效"),
        ("zh-CN", "大三", "大三元", "申报有效"),
    ],
)
def test_fans_are_offered_while_they_are_typed(
    visit: Visiting, locale: str, typed: str, name: str, said: str
) -> None:
    one = referee(visit, DRAGONS, locale=locale)
    one.page.fill("#claim-fans", typed)
    one.page.wait_for_selector("#claim-options li")
    one.page.keyboard.press("ArrowDown")
    chosen = one.page.get_attribute("#claim-fans", "aria-activedescendant")
    assert one.page.get_attribute(f"#{chosen}", "aria-selected") == "true"
    one.page.keyboard.press("Enter")
    assert one.page.input_value("#claim-fans") == f"{name}, "
    assert one.page.locator("#claim-options").is_hidden()
    one.page.keyboard.press("Enter")
    assert verdict(one) == "valid"
    assert said in one.page.inner_text("#verdict .figure")


def test_what_is_unknown_leads_to_where_it_is_told(visit: Visiting) -> None:
    one = referee(visit, OPEN_WIN)
    assert judge(one, "平胡, 自摸") == "cannot_be_decided"
    one.page.click("#verdict [data-line=unknown] .chip")
    assert one.page.evaluate("document.activeElement.closest('[data-ask]').dataset.ask") == "win"
    one.page.click("[data-ask=win] [data-value=self_draw]")
    scored(one)
    assert one.page.locator("#verdict [data-verdict]").count() == 0
    one.page.click("#judge")
    assert verdict(one) == "valid"


def test_doubtful_tile_decides_nothing_until_somebody_has_looked(visit: Visiting) -> None:
    one = photographed(referee(visit))
    asked: list[str] = []

    def doubt(route: Any) -> None:
        asked.append(route.request.headers["content-type"])
        answer = route.fetch().json()
        if "multipart" in asked[-1]:
            answer |= {
                "verdict": "cannot_be_decided",
                "says": {"en": "Cannot be decided yet", "zh": "未能裁定"},
                "look_at": [
                    {
                        "code": "unsure_tile",
                        "detail": "",
                        "tiles": [3],
                        "matters": True,
                        "candidates": [{"value": "1m", "probability": 0.3, "verdict": "not_winning"}],
                    }
                ],
            }
        route.fulfill(json=answer)

    one.page.route("**/v1/verify", doubt)
    assert judge(one, "Half Flush") == "cannot_be_decided"
    assert "not a winning hand" in one.page.inner_text("#verdict .look")
    one.page.click("#verdict .look button")
    one.page.wait_for_selector("#sheet[open]")
    assert one.page.locator("#board .looked-at").count() == 1
    one.page.keyboard.press("Escape")
    lock(one)
    assert verdict(one) == "valid", "what a person has confirmed is judged as it lies"
    assert asked[0].startswith("multipart/form-data")
    assert asked[-1] == "application/json"


def test_correction_changes_nothing_while_the_hand_is_locked(visit: Visiting) -> None:
    one = referee(visit, DRAGONS)
    judge(one, "Big Three Dragons", "88")
    lock(one, "Wong")
    verdict(one)
    before = one.tiles()
    score_requests = len([url for url in one.asked if url.endswith("/v1/score")])
    one.page.locator("#board [data-place=standing] .tile").first.click()
    one.page.click("#sheet .picker [data-code='9s']")
    one.page.wait_for_selector("#toast.shown")
    assert "Locked" in one.page.inner_text("#toast")
    one.page.click("[data-ask=win] [data-value=self_draw]")
    one.page.click("[data-ask=rules] [data-value=hk]")
    one.page.click("#home")
    assert one.tiles() == before
    assert one.page.get_attribute("[data-ask=win] [data-value=discard]", "aria-pressed") == "true"
    assert one.page.get_attribute("[data-ask=rules] [data-value=mcr]", "aria-pressed") == "true"
    assert one.page.locator("#claim-fans").is_disabled()
    assert one.page.locator("#verdict [data-verdict=valid]").count() == 1
    assert len([url for url in one.asked if url.endswith("/v1/score")]) == score_requests
    one.page.click("#open-settings")
    one.page.click("#referee-mode")
    assert one.page.locator("#referee-mode").is_checked(), "a locked hand is not left"
    one.page.keyboard.press("Escape")
    one.page.click("#unlock")
    assert one.page.get_attribute("#unlock-reason", "aria-invalid") == "true"
    one.page.fill("#unlock-reason", "the pair was named wrongly")
    one.page.click("#unlock")
    one.page.wait_for_selector("#lock")
    assert "the pair was named wrongly" in one.page.inner_text(".acts [data-act=unlocked]")
    one.page.locator("#board [data-place=standing] .tile").first.click()
    one.page.click("#sheet .picker [data-code='9s']")
    assert one.tiles() != before
    assert one.page.locator("#verdict [data-verdict]").count() == 0


def test_bundle_and_sheets_are_downloaded_and_the_bundle_checks(visit: Visiting) -> None:
    one = photographed(referee(visit, device=DESKTOP))
    assert one.page.locator("#bundle").is_disabled()
    one.page.locator("#board [data-place=standing] .tile").first.click()
    one.page.click("#sheet .picker [data-code='9p']")
    scored(one)
    assert judge(one, "Half Flush", "3") == "not_winning"
    lock(one)
    one.page.fill("#unlock-by", "Yu")
    one.page.fill("#unlock-reason", "one more look")
    one.page.click("#unlock")
    lock(one)
    assert verdict(one) == "not_winning"
    one.page.click("#evidence details summary")
    one.page.fill("#place-table", "3 號檯")
    bundle = downloaded(one, "#bundle")
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        record = json.loads(archive.read("record.json"))
        assert archive.read("photo")[:2] == b"\xff\xd8"
        assert b"2m&gt;9p" in archive.read("overlay.svg"), "what was changed is not shown as if it was seen"
    confirmed = record["confirmed"]
    assert [(act["act"], act["by"]) for act in confirmed["log"]] == [
        ("locked", "歐"),
        ("unlocked", "Yu"),
        ("locked", "歐"),
    ]
    assert confirmed["log"][1]["reason"] == "one more look"
    assert confirmed["changes"] == [{"tile": 0, "seen": "2m", "instead": "9p"}]
    assert (record["verdict"]["verdict"], record["place"]) == ("not_winning", {"table": "3 號檯"})
    a4, letter = downloaded(one, "#sheet_a4"), downloaded(one, "#sheet_letter")
    sizes = [re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf) for pdf in (a4, letter)]
    assert [[tuple(map(float, box)) for box in boxes] for boxes in sizes] == [
        [(595.28, 841.89)],
        [(612.0, 792.0)],
    ]
    one.page.click("#check-card summary")
    one.page.set_input_files(
        "#check-file", {"name": "hand.zip", "mimeType": "application/zip", "buffer": bundle}
    )
    one.page.wait_for_selector("#checked [data-intact=yes]")
    told = one.page.inner_text("#checked")
    assert "not a winning hand" in told
    assert "one more look" in told
    assert "decides the same" in told
    changed = bundle.replace(b"record.json", b"recard.json", 1)
    one.page.set_input_files(
        "#check-file", {"name": "other.zip", "mimeType": "application/zip", "buffer": changed}
    )
    one.page.wait_for_selector("#checked [data-intact=no], #checked .problem")


@pytest.mark.parametrize("locale", ["zh-HK", "zh-CN"])
def test_nothing_of_it_is_left_in_english(visit: Visiting, locale: str) -> None:
    one = referee(visit, DRAGONS, DESKTOP, locale=locale)
    judge(one, "大三元, 缺一門, 箭刻", "95")
    begin(one)
    lock(one)
    verdict(one)
    one.page.click("#enter-draw")
    entered(one, 1)
    open_all(one)
    one.page.wait_for_selector("#other-kind")
    assert latin(one.page) == []
    one.page.fill("#unlock-reason", "再看")
    one.page.click("#unlock")
    one.page.fill("#claim-fans", "")
    one.page.fill("#claim-total", "")
    one.page.click("#judge")
    one.page.wait_for_selector("#verdict .problem")
    assert latin(one.page) == []


@THEMES
def test_axe_finds_nothing_serious_in_it(visit: Visiting, axe: str, theme: str) -> None:
    one = referee(visit, color_scheme=theme, reduced_motion="reduce")
    assert found_by(axe, one.page) == []
    photographed(one)
    judge(one, "Half Flush, Self-drawn", "9")
    open_all(one)
    begin(one)
    assert found_by(axe, one.page) == []
    lock(one)
    verdict(one)
    open_all(one)
    assert found_by(axe, one.page) == []

"""The page in a real browser, against the real service with its real models: from a photo to a score,
corrected, told about, refused, offline, in every language.
"""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from PIL import Image

from tests.page.conftest import DESKTOP, PHONE, SAMPLES, Visit, Visiting

HAND = SAMPLES / "hand.jpg"
DEVICES = pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
TABLE = "#hand=[123m] (5555z) 345m 6799m %2B8m | 2f&rules=hk&win=discard&seat=2z&round=1z&discarder=4z&unit=2"


def file_of(name: str, data: bytes, kind: str = "image/jpeg") -> dict[str, Any]:
    return {"name": name, "mimeType": kind, "buffer": data}


def shown(visit: Visit, fragment: str) -> Visit:
    """A page that somebody was sent."""
    visit.page.goto("about:blank")
    visit.page.goto(f"{visit.service}/{fragment}")
    visit.page.wait_for_selector("html.ready")
    return visit.answered()


@DEVICES
def test_photo_becomes_a_score_and_nobody_else_is_asked(visit: Visiting, device: dict[str, Any]) -> None:
    one = visit(device).photograph(str(HAND))
    assert re.search(r"\d faan", one.figure)
    assert len(one.tiles()) == 14
    assert "Two of Characters" in one.tiles("standing")[0]
    assert one.page.locator("#overlay .mark").count() == 14
    assert one.page.locator("#legend li").count() >= 1
    assert one.page.locator("#answer .fans li[data-fan]").count() >= 2
    elsewhere = [url for url in one.asked if not url.startswith((one.service, "blob:"))]
    assert elsewhere == []
    assert {url.removeprefix(one.service).split("?")[0] for url in one.asked if "/v1/" in url} <= {
        *("/v1/hands", "/v1/score", "/v1/rulesets"),
        *(f"/v1/rulesets/{rules}" for rules in ("hk", "mcr", "tvb", "singapore")),
    }
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
        "the page scrolls sideways"
    )


@DEVICES
def test_correction_changes_the_score_and_stays_apart_from_what_was_seen(
    visit: Visiting, device: dict[str, Any]
) -> None:
    one = visit(device).photograph(str(HAND))
    before = one.figure
    first = one.page.locator("#board [data-place=standing] .tile").first
    first.click()
    one.does(lambda: one.page.click("#sheet .picker [data-code='9p']"))
    assert one.figure == "No win"
    assert one.page.locator("#board .tile.changed").count() == 1
    assert "seen as Two of Characters, now Nine of Dots" in one.page.inner_text("#changes-list")
    assert one.page.locator("#overlay .mark.changed").count() == 1
    hands = [url for url in one.asked if url.endswith("/v1/hands")]
    assert len(hands) == 1, "the photo was sent again"
    one.does(lambda: one.page.click("#undo"))
    assert one.figure == before
    assert one.page.locator("#changes").is_hidden()


def test_doubtful_tile_offers_its_candidates_first(visit: Visiting) -> None:
    one = visit()

    def doubt(route: Any) -> None:
        answer = route.fetch().json()
        answer["reading"]["tiles"][0] |= {
            "confidence": 0.6,
            "alternatives": [{"tile": "1m", "probability": 0.35}],
        }
        answer["reading"]["doubts"] = [{"code": "unsure_tile", "detail": "seen as 2m", "tiles": [0]}]
        route.fulfill(json=answer)

    one.page.route("**/v1/hands", doubt)
    one.photograph(str(HAND))
    assert one.page.locator("#overlay .mark.doubt").count() == 1
    one.page.click("#doubts-list button")
    offered = one.page.locator("#sheet .candidates .tile")
    assert [offered.nth(at).get_attribute("data-code") for at in range(2)] == ["2m", "1m"]
    assert one.page.locator("#sheet canvas.crop").count() == 1
    one.does(lambda: offered.nth(1).click())
    assert "One of Characters" in one.tiles("standing")[0]
    assert one.page.locator("#doubts").is_hidden(), "what was put right is still doubted"


def test_unknown_context_is_a_range_and_telling_it_ends_the_range(visit: Visiting) -> None:
    one = visit().photograph(str(HAND))
    assert re.search(r"\d+ – \d+ faan", one.figure)
    asked = one.page.locator(".ask.decides")
    assert asked.count() >= 1
    assert "The score depends on" in one.page.inner_text("#answer .range")
    one.does(lambda: one.page.click("[data-ask=win] [data-value=self_draw]"))
    one.does(lambda: one.page.click("[data-ask=seat] [data-value='3z']"))
    one.does(lambda: one.page.click("[data-ask=round] [data-value='2z']"))
    one.does(lambda: one.page.click("[data-ask=winning_tile] [data-value='9m']"))
    assert re.fullmatch(r"\d+ faan", one.figure)
    assert one.page.locator("#answer .range").count() == 0
    assert one.page.locator("li[data-fan=self_draw]").count() == 1
    one.does(lambda: one.page.click("[data-ask=win] [data-value=self_draw]"))
    assert "–" in one.figure, "what is untold again is unknown again"


@pytest.mark.parametrize(
    ("name", "data", "code", "said"),
    [
        ("note.jpg", b"dear diary", "image_type", "no photo of a known type"),
        ("IMG_1.HEIC", b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00heicmif1" + b"\x00" * 64, "image_", "photo"),
        ("cut.jpg", HAND.read_bytes()[:20_000], "image_undecodable", "damaged or cut short"),
    ],
)
def test_bad_file_shows_the_message_of_its_problem(
    visit: Visiting, name: str, data: bytes, code: str, said: str
) -> None:
    one = visit().photograph(file_of(name, data))
    problem = one.page.locator("#answer .problem")
    assert (problem.get_attribute("data-code") or "").startswith(code)
    assert said in problem.inner_text()
    assert problem.locator(".detail").inner_text()
    one.photograph(str(HAND))
    assert "faan" in one.figure


def test_photo_without_tiles_says_how_to_take_one(visit: Visiting) -> None:
    blank = io.BytesIO()
    Image.new("RGB", (640, 480), (40, 90, 60)).save(blank, "JPEG")
    one = visit().photograph(file_of("cloth.jpg", blank.getvalue()))
    assert one.page.get_attribute("#answer .problem", "data-code") == "no_tiles"
    assert "from above" in one.page.inner_text("#answer .problem")


def test_offline_shows_so_and_the_page_still_opens(visit: Visiting) -> None:
    one = visit()
    one.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    shown(one, TABLE)
    one.page.context.set_offline(True)
    one.page.wait_for_selector("#offline:not([hidden])")
    one.page.click("[data-ask=win] [data-value=self_draw]")
    one.page.wait_for_selector("#answer .problem[data-code=offline]")
    one.page.reload()
    one.page.wait_for_selector("html.ready")
    assert len(one.tiles()) == 16, "the hand of the link is laid without the service"
    assert one.page.locator("#offline").is_visible()
    one.page.context.set_offline(False)
    one.page.wait_for_selector("#answer .figure")


def early(visit: Visiting, **more: Any) -> tuple[Visit, dict[str, bool]]:
    """A page as it is before its larger part is there; `there` says whether that part can be fetched."""
    one, there = visit(service_workers="block", **more), {"all": False}

    def fetch(route: Any) -> None:
        if there["all"]:
            route.continue_()
        else:
            route.abort()

    one.page.context.route("**/page/work.js", fetch)
    one.page.reload()
    one.page.wait_for_selector("html.ready")
    return one, there


def test_what_is_asked_before_the_page_is_whole_is_done_once_it_is(visit: Visiting) -> None:
    one = visit(service_workers="block")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    one.page.context.route("**/page/viewer.js", hold)
    one.page.reload()
    one.page.wait_for_selector("html.ready:not(.whole)")
    one.page.set_input_files("#camera", str(HAND))
    one.page.wait_for_selector("#toast.shown")
    assert "Loading" in one.page.inner_text("#toast")
    assert one.page.get_attribute("body", "data-view") == "start"
    while not held:
        one.page.wait_for_timeout(50)
    held[0].continue_()
    one.answered()
    assert len(one.tiles()) == 14
    assert one.page.locator("#toast.shown").count() == 0


@pytest.mark.parametrize("way", ["photo", "tiles", "link", "referee"])
def test_page_that_cannot_be_loaded_whole_says_so_and_goes_on(visit: Visiting, way: str) -> None:
    one, there = early(visit)
    page = one.page
    if way == "photo":
        page.set_input_files("#camera", str(HAND))
    elif way == "tiles":
        page.click("#by-hand")
    elif way == "link":
        page.evaluate(f"location.hash = {TABLE!r}")
    else:
        page.click("#open-settings")
        page.click("label[for=referee-mode] > span")
    page.wait_for_selector("#unable .problem[data-code=unreachable]")
    assert page.locator("html.whole").count() == 0
    assert page.locator("#toast.shown").count() == 0
    page.click("#unable button")
    page.wait_for_selector("#unable .problem")
    there["all"] = True
    if way == "tiles":
        page.click("#by-hand")  # another tap does as well
    else:
        page.click("#unable button")
    page.wait_for_selector("html.whole")
    page.wait_for_selector("#unable", state="hidden")
    if way == "tiles":
        page.wait_for_selector("#sheet[open]")
    elif way == "referee":
        page.wait_for_selector("body[data-mode=referee] #desk")
    else:
        one.answered()
        assert len(one.tiles()) == (14 if way == "photo" else 16)


def test_photo_taken_without_a_network_is_read_once_there_is_one(visit: Visiting) -> None:
    one, there = early(visit)
    one.page.context.set_offline(True)
    one.page.set_input_files("#camera", str(HAND))
    one.page.wait_for_selector("#unable .problem[data-code=offline]")
    there["all"] = True
    one.page.context.set_offline(False)
    one.answered()
    assert len(one.tiles()) == 14


def test_service_that_does_not_answer_can_be_asked_again(visit: Visiting) -> None:
    one = visit()
    one.page.route("**/v1/hands", lambda route: route.abort("connectionrefused"))
    one.photograph(str(HAND))
    assert one.page.get_attribute("#answer .problem", "data-code") == "unreachable"
    one.page.unroute("**/v1/hands")
    one.page.click("#answer .problem button")
    one.page.wait_for_selector("#answer .figure")
    assert len(one.tiles()) == 14


def test_busy_service_is_asked_again_by_itself(visit: Visiting) -> None:
    one, refused = visit(), []

    def refuse_once(route: Any) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route)
        problem = {"code": "overloaded", "title": "busy", "detail": "busy", "status": 503}
        route.fulfill(status=503, body=json.dumps(problem), headers={"retry-after": "1"})

    one.page.route("**/v1/hands", refuse_once)
    one.photograph(str(HAND))
    assert "faan" in one.figure
    assert len(refused) == 1


@pytest.mark.parametrize(
    ("locale", "lang", "title", "fan", "unit"),
    [
        ("en-GB", "en", "The score", "Half Flush", "faan"),
        ("zh-HK", "zh-Hant", "番數", "混一色", "番"),
        ("zh-CN", "zh-Hans", "番数", "混一色", "番"),
    ],
)
def test_languages(visit: Visiting, locale: str, lang: str, title: str, fan: str, unit: str) -> None:
    one = visit(locale=locale).photograph(str(HAND))
    assert one.page.get_attribute("html", "lang") == lang
    assert one.page.inner_text("#answer-title") == title
    assert fan in one.page.inner_text("#answer .fans")
    assert unit in one.figure


def test_language_changes_at_once_and_is_remembered(visit: Visiting) -> None:
    one = shown(visit(), TABLE)
    one.page.click("#open-settings")
    one.page.click("#languages [lang=zh-Hans]")
    assert one.page.inner_text("#settings-title") == "设定"
    one.page.keyboard.press("Escape")
    assert "三元牌" in one.page.inner_text("#answer .fans")
    one.page.reload()
    one.page.wait_for_selector("html.ready")
    assert one.page.get_attribute("html", "lang") == "zh-Hans"
    assert one.page.inner_text("#home") == "麻雀读牌计番"


def test_photo_is_turned_upright_and_scaled_down_before_it_is_sent(visit: Visiting) -> None:
    big = Image.open(HAND).resize((4032, 3024)).transpose(Image.Transpose.ROTATE_90)
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held upright: turn it a quarter clockwise
    data = io.BytesIO()
    big.save(data, "JPEG", quality=90, exif=exif)
    one = visit()
    one.page.evaluate(
        "() => { const send = XMLHttpRequest.prototype.send;"
        "XMLHttpRequest.prototype.send = function (form) {"
        "if (form instanceof FormData) window.sent = form.get('image'); send.call(this, form); } }"
    )
    one.photograph(file_of("IMG_0001.jpg", data.getvalue()))
    sent = bytes(one.page.evaluate("sent.arrayBuffer().then(bytes => Array.from(new Uint8Array(bytes)))"))
    photo = Image.open(io.BytesIO(sent))
    assert photo.size == (2016, 1512)
    assert photo.getexif().get(0x0112, 1) == 1
    assert len(sent) < len(data.getvalue()) / 2
    assert len(one.tiles()) == 14


def test_payments_name_who_pays_whom(visit: Visiting) -> None:
    one = shown(visit(), TABLE)
    sums = [int(text.replace("−", "-")) for text in one.page.locator("#answer .seat b").all_inner_texts()]
    assert sum(sums) == 0
    assert sums[1] > 0
    assert "North pays South" in one.page.inner_text("#answer .lines")
    before = sums[1]
    one.page.fill("#unit", "4")
    one.does(lambda: one.page.keyboard.press("Tab"))
    assert one.page.locator("#answer .seat b").nth(1).inner_text() == f"+{before * 2}"


def test_house_rules_change_the_score_and_are_remembered(visit: Visiting) -> None:
    one = shown(visit(), TABLE)
    assert one.page.locator("#answer .total.good, #answer .total.bad").count() == 1
    one.page.click(".house")
    one.page.fill("#option-min_faan", "13")
    one.does(lambda: one.page.keyboard.press("Tab"))
    one.page.keyboard.press("Escape")
    assert "13 faan are needed" in one.page.inner_text("#answer .verdict")
    one.page.goto("about:blank")
    one.page.goto(one.service)
    one.page.wait_for_selector("html.ready")
    kept = json.loads(one.page.evaluate("localStorage['mahjong-reader.settings']"))
    assert kept["options"]["hk"] == {"min_faan": 13}


def test_rule_set_changes_the_answer(visit: Visiting) -> None:
    one = shown(visit(), TABLE)
    cited = one.page.locator("#answer p.source")
    cited.wait_for()
    assert "rule book, 2023 (hkma)" in cited.inner_text(), "what the abbreviations under the fans stand for"
    one.does(lambda: one.page.click("[data-ask=rules] [data-value=mcr]"))
    assert "point" in one.figure
    one.page.wait_for_selector("#answer .dropped")
    one.page.click("#answer .dropped summary")
    assert "because of" in one.page.inner_text("#answer .dropped")
    assert "No." in one.page.inner_text("#answer .fans"), "the fan's number in the rule book"
    assert "(hkma)" not in cited.inner_text()

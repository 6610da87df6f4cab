"""Using the page: with a mouse, fingers, a keyboard and a screen reader; by hand, shared, printed."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.page.conftest import DESKTOP, PHONE, SAMPLES, Visit, Visiting
from tests.page.test_browser import DEVICES, HAND, TABLE, shown

THEMES = pytest.mark.parametrize("theme", ["light", "dark"])


def found_by(axe: str, page: Any) -> list[str]:
    """What axe finds that is serious: rule, place, and what it says."""
    # Evaluated by the test itself, which the page's policy does not bind.
    page.evaluate(axe)
    result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{violation['id']} at {node['target']}: {node.get('failureSummary', '')}"
        for violation in result["violations"]
        if violation["impact"] in {"serious", "critical"}
        for node in violation["nodes"]
    ]


@THEMES
def test_axe_finds_nothing_serious(visit: Visiting, axe: str, theme: str) -> None:
    one = visit(color_scheme=theme, reduced_motion="reduce")
    assert found_by(axe, one.page) == []
    one.photograph(str(HAND))
    one.page.locator("#board .tile").first.click()
    assert found_by(axe, one.page) == []
    one.does(lambda: one.page.click("#sheet .picker [data-code='9p']"))
    assert found_by(axe, one.page) == []
    one.page.click(".house")
    one.page.wait_for_selector("#house-list .option")
    assert found_by(axe, one.page) == []
    one.page.keyboard.press("Escape")
    shown(one, TABLE)
    assert found_by(axe, one.page) == []


def test_axe_would_find_something(visit: Visiting, axe: str) -> None:
    one = visit()
    one.page.evaluate("document.querySelector('#example').replaceChildren()")
    assert any("button-name" in line for line in found_by(axe, one.page))


@DEVICES
def test_tile_can_be_dragged_out_of_the_hand(visit: Visiting, device: dict[str, Any]) -> None:
    one = shown(visit(device), TABLE)
    tile = one.page.locator("#board [data-place=standing] .tile").first
    set_box = one.page.locator("#board [data-place='meld:0']").bounding_box()
    box = tile.bounding_box()
    page = one.page
    page.mouse.move(box["x"] + 15, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 30, box["y"] + 10, steps=3)
    assert page.locator("#board.dragging").count() == 1
    page.mouse.move(set_box["x"] + 30, set_box["y"] + 40, steps=4)
    assert page.locator("[data-place='meld:0'].over").count() == 1
    page.mouse.up()
    page.wait_for_selector("#answer .problem[data-code=unfinished_set]")
    assert len(one.tiles("meld:0")) == 4
    assert page.locator("#sheet[open]").count() == 0, "a drag is no tap"
    one.does(lambda: page.click("#undo"))
    assert len(one.tiles("meld:0")) == 3


def test_finger_that_rests_takes_a_tile_up(visit: Visiting) -> None:
    one = shown(visit(PHONE), TABLE)
    fingers = one.page.context.new_cdp_session(one.page)
    tile = one.page.locator("#board [data-place=standing] .tile").nth(1).bounding_box()
    bonus = one.page.locator("#board [data-place='meld:0']").bounding_box()

    def touch(kind: str, x: float = 0, y: float = 0) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", tile["x"] + 20, tile["y"] + 25)
    one.page.wait_for_selector("#board.dragging")
    for step in range(1, 6):
        x = tile["x"] + (bonus["x"] + 20 - tile["x"]) * step / 5
        touch("touchMove", x, tile["y"] + (bonus["y"] + 40 - tile["y"]) * step / 5)
    touch("touchEnd")
    one.page.wait_for_selector("#board:not(.dragging)")
    assert len(one.tiles("meld:0")) == 4


def test_set_is_claimed_with_two_taps_and_taken_back_with_one(visit: Visiting) -> None:
    one = visit().photograph(str(HAND))
    one.does(lambda: one.page.click("[data-ask=win] [data-value=discard]"))
    assert one.page.locator("li[data-fan=concealed_hand]").count() == 1
    one.page.locator("#board .tile").first.click()
    one.does(lambda: one.page.click("#sheet .chip.set"))
    assert one.tiles("meld:0") == ["Two of Characters", "Three of Characters", "Four of Characters"]
    assert one.page.locator("#overlay .bracket.claimed").count() == 1
    assert one.page.locator("li[data-fan=concealed_hand]").count() == 0
    assert "moved to: Claimed set" in one.page.inner_text("#changes-list")
    one.does(lambda: one.page.click("[data-place='meld:0'] .quiet"))
    assert len(one.tiles("standing")) == 14
    assert one.page.locator("li[data-fan=concealed_hand]").count() == 1


def test_kong_is_claimed_or_concealed(visit: Visiting) -> None:
    one = shown(visit(), TABLE)
    assert one.page.inner_text("[data-place='meld:1'] h3") == "Concealed kong"
    one.does(one.page.locator("[data-place='meld:1'] .quiet").first.click)
    assert one.page.inner_text("[data-place='meld:1'] h3") == "Claimed set"


def test_hand_is_laid_with_the_keyboard_alone(visit: Visiting) -> None:
    one = visit(DESKTOP)
    one.page.focus("#by-hand")
    one.page.keyboard.press("Enter")
    one.page.wait_for_selector("#sheet[open]")
    for code in ("1m", "1m", "1m", "2p", "3p", "4p", "5s", "6s", "7s", "7z", "7z", "7z", "9m"):
        one.page.focus(f"#sheet .picker [data-code='{code}']")
        one.page.keyboard.press("Enter")
    one.page.focus("#sheet .picker [data-code='9m']")
    one.does(lambda: one.page.keyboard.press("Enter"))
    assert one.page.inner_text("#sheet .held-tiles > span:last-child") == "14 / 14"
    assert one.page.locator("#sheet .picker [data-code='1f']").is_enabled()
    one.page.keyboard.press("Escape")
    assert "faan" in one.figure
    one.page.focus("#board .tile")
    one.page.keyboard.press("ArrowRight")
    one.does(lambda: one.page.keyboard.press("w"))
    assert one.page.locator("#board .tile.won").count() == 1
    one.does(lambda: one.page.keyboard.press("Delete"))
    assert len(one.tiles("standing")) == 13
    assert one.page.inner_text("#count") == "13 of 14 tiles"
    one.page.keyboard.press("Enter")
    one.page.wait_for_selector("#sheet[open]")
    one.page.keyboard.press("Escape")
    assert one.page.evaluate("document.activeElement.closest('#board') !== null"), (
        "the keyboard's place is lost"
    )


def test_fifth_tile_of_a_kind_is_not_offered(visit: Visiting) -> None:
    one = visit()
    one.page.click("#by-hand")
    for _ in range(4):
        one.page.click("#sheet .picker [data-code='3s']")
    assert one.page.locator("#sheet .picker [data-code='3s']").is_disabled()
    assert one.page.locator("#sheet .picker [data-code='4s']").is_enabled()


def test_link_opens_the_same_hand_with_the_same_score(visit: Visiting) -> None:
    one = visit(DESKTOP).photograph(str(HAND))
    one.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one.page.evaluate("Object.defineProperty(navigator, 'share', {value: undefined})")
    for name, value in (("win", "self_draw"), ("seat", "1z"), ("round", "1z"), ("winning_tile", "9m")):
        one.does(lambda name=name, value=value: one.page.click(f"[data-ask={name}] [data-value='{value}']"))
    one.page.click("#share-link")
    one.page.wait_for_selector("#toast.shown")
    link = one.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{one.service}/#hand=")
    other = shown(visit(DESKTOP), link.removeprefix(f"{one.service}/"))
    assert other.figure == one.figure
    assert sorted(other.tiles()) == sorted(one.tiles())
    assert not [url for url in other.asked if "#" not in url and "hand=" in url], (
        "the hand was sent as an address"
    )


def test_picture_of_the_hand(visit: Visiting, tmp_path: Path) -> None:
    one = shown(visit(DESKTOP), TABLE)
    with one.page.expect_download() as download:
        one.page.click("#share-picture")
    path = tmp_path / "hand.png"
    download.value.save_as(path)
    picture = Image.open(path)
    assert picture.width == 1080
    assert picture.height > 600
    colours = picture.convert("RGB").getcolors(1 << 24) or []
    assert len(colours) > 1000, "tiles are drawn on it"


def test_paper_shows_the_hand_and_room_to_sign(visit: Visiting) -> None:
    one = shown(visit(DESKTOP), TABLE)
    one.page.evaluate("window.print = () => {}")
    one.page.click("#print")
    one.page.emulate_media(media="print")
    assert one.page.locator(".paper").is_visible()
    assert "[123m] (5555z)" in one.page.inner_text("#print-stamp")
    assert one.page.locator("#answer .fans").is_visible()
    assert one.page.locator(".share").is_hidden()


def test_photo_is_moved_and_zoomed_by_one_transform(visit: Visiting) -> None:
    one = visit(DESKTOP).photograph(str(HAND))
    one.page.wait_for_timeout(400)
    box = one.page.locator("#viewer").bounding_box()
    where = "getComputedStyle(document.querySelector('#stage')).transform"

    def matrix() -> list[float]:
        one.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return [float(part) for part in re.findall(r"-?[\d.]+", one.page.evaluate(where))]

    resting = matrix()
    one.page.focus("#viewer")
    one.page.keyboard.press("+")
    one.page.wait_for_timeout(400)
    closer = matrix()
    assert closer[0] == pytest.approx(resting[0] * 1.3, rel=0.01)
    one.page.mouse.move(box["x"] + 300, box["y"] + 40)
    one.page.mouse.down()
    one.page.mouse.move(box["x"] + 240, box["y"] + 40, steps=6)
    one.page.mouse.up()
    moved = matrix()
    assert moved[4] == pytest.approx(closer[4] - 60, abs=8)
    assert one.page.locator("#sheet[open]").count() == 0
    one.page.click("#zoom-hand")
    one.page.wait_for_timeout(400)
    assert matrix()[0] == pytest.approx(resting[0], rel=0.01)


def test_tap_on_a_tile_in_the_photo_opens_it(visit: Visiting) -> None:
    one = visit(PHONE).photograph(str(HAND))
    one.page.wait_for_timeout(500)
    one.page.locator("#overlay .mark rect").first.tap(force=True)
    one.page.wait_for_selector("#sheet[open]")
    assert one.page.inner_text("#sheet-title") == "Two of Characters"
    one.page.mouse.click(5, 5)  # beside it
    one.page.wait_for_selector("#sheet:not([open])", state="attached")


def test_what_the_service_adds_to_a_reading_is_shown(visit: Visiting) -> None:
    """Roles, sets, the winning tile, ranked readings and suggestions, as the answers hold them."""
    one = visit()

    def more(route: Any) -> None:
        answer = route.fetch().json()
        reading = answer["reading"]
        for at, tile in enumerate(reading["tiles"]):
            tile["role"] = "set" if at < 3 else "winning" if at == 13 else "standing"
        reading["hand"] = answer["scored_hand"] = "[234m] 666789m 1177z +7z"
        reading["winning"] = 13
        reading["doubts"] = [
            {"code": "claimed_set", "detail": "lies apart", "tiles": [0, 1, 2], "matters": True,
             "candidates": [
                {"value": "claimed", "probability": 0.8, "hand": reading["hand"], "score": None},
                {"value": "standing", "probability": 0.2, "hand": "234666789m 1177z +7z",
                 "score": {"is_win": True, "legal": True, "total": 7, "range": None}}]},
            {"code": "glare", "detail": "glare over a tile", "tiles": [4]},
        ]  # fmt: skip
        reading["quality"] = [{"code": "too_dark", "box": [0, 0, 99, 99], "advice": {"en": "x", "zh": "x"}}]
        reading["sets"] = [{"meld": "[234m]", "kind": "chow", "concealed": False, "tiles": [0, 1, 2]}]
        brief = {"is_win": True, "legal": True, "total": 6, "range": {"low": 6, "high": 7}}
        reading["readings"] = [
            {"hand": reading["hand"], "probability": 0.8, "changes": [], "score": brief},
            {"hand": "[234m] 666788m 1177z +7z", "probability": 0.1, "score": {**brief, "is_win": False},
             "changes": [{"tile": 8, "seen": "9m", "instead": "8m"}]},
        ]  # fmt: skip
        reading["suggestions"] = [
            {"hand": "[234m] 666777m 1177z +7z", "probability": 0.5, "given": "the hand wins", "support": 0.1,
             "changes": [{"tile": 7, "seen": "8m", "instead": "7m"},
                         {"tile": 8, "seen": "9m", "instead": "7m"}],
             "score": brief},
        ]  # fmt: skip
        route.fulfill(json=answer)

    one.page.route("**/v1/hands", more)
    one.photograph(str(HAND))
    assert one.tiles("meld:0") == ["Two of Characters", "Three of Characters", "Four of Characters"]
    assert one.page.get_attribute("#board .tile.won", "aria-label") == "Red Dragon, winning tile"
    assert "Too dark" in one.page.inner_text("#advice")
    assert one.page.locator("#overlay .flaw").count() == 1
    others = one.page.locator("#answer .others li")
    assert others.count() == 2
    assert "Eight of Characters instead of Nine of Characters" in others.nth(0).inner_text()
    assert "No win" in others.nth(0).inner_text()
    assert "suggestion" in others.nth(1).inner_text()
    assert "6 – 7 faan" in others.nth(1).inner_text()
    assert len(one.tiles("standing")) == 11, "nothing is replaced unasked"
    one.does(lambda: others.nth(0).locator("button").click())
    assert "seen as Nine of Characters, now Eight of Characters" in one.page.inner_text("#changes-list")
    one.does(lambda: one.page.click("#undo"))
    assert one.page.locator("#changes").is_hidden()


def test_key_is_asked_for_and_sent(visit: Visiting) -> None:
    one, keys = visit(), []

    def locked(route: Any) -> None:
        key = route.request.headers.get("authorization")
        keys.append(key)
        if key == "Bearer open sesame":
            route.continue_(headers={k: v for k, v in route.request.headers.items() if k != "authorization"})
        else:
            problem = {
                "code": "unauthorized",
                "title": "An API key is needed",
                "detail": "none was sent",
                "status": 401,
            }
            route.fulfill(status=401, body=json.dumps(problem), content_type="application/problem+json")

    one.page.route("**/v1/hands", locked)
    one.photograph(str(HAND))
    one.page.wait_for_selector("#key[open]")
    one.page.fill("#key-text", "open sesame")
    one.page.click("#key-keep")
    one.page.wait_for_selector("#answer .figure")
    assert keys == [None, "Bearer open sesame"]


def test_motion_stops_for_those_who_ask(visit: Visiting) -> None:
    one = visit(reduced_motion="reduce")
    assert one.page.evaluate("getComputedStyle(document.querySelector('#bar')).transitionDuration") == "0s"


def test_dark_theme_can_be_chosen(visit: Visiting) -> None:
    one = visit(color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = one.page.evaluate(ground)
    one.page.click("#open-settings")
    one.page.locator("#themes button").nth(2).click()
    assert one.page.evaluate(ground) != light
    one.page.reload()
    one.page.wait_for_selector("html.ready")
    assert one.page.evaluate(ground) != light


def test_photo_held_sideways_is_read_upright(visit: Visiting) -> None:
    one: Visit = visit().photograph(str(SAMPLES / "turned.jpg"))
    data = Image.open(io.BytesIO((SAMPLES / "turned.jpg").read_bytes()))
    assert one.page.get_attribute("#overlay", "viewBox") == f"0 0 {data.width} {data.height}"
    assert one.page.locator("#overlay .mark").count() >= 13


def test_photo_is_read_even_if_what_scales_it_down_cannot_be_loaded(visit: Visiting) -> None:
    one = visit(service_workers="block")  # it would answer instead of the network
    refused: list[str] = []

    def refuse(route: Any) -> None:
        refused.append(route.request.url)
        route.abort()

    one.page.context.route("**/shrink.js", refuse)
    one.page.reload()
    one.page.wait_for_selector("html.ready")
    one.page.wait_for_selector("html.whole")
    one.page.wait_for_timeout(1500)  # the worker is started when nobody waits for it
    assert refused, "it was not asked for ahead"
    one.photograph(str(HAND))
    assert len(refused) == 2, "a photo tries it again"
    assert len(one.tiles()) == 14

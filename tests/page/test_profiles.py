"""House rules kept under a name: made, chosen, deleted, and given to others with a link."""

from __future__ import annotations

import json
from typing import Any

from tests.page.conftest import DESKTOP, Visit, Visiting
from tests.page.test_browser import TABLE, shown


def keep(one: Visit, name: str, least: str) -> None:
    """Keep house rules that ask for so many faan under a name."""
    one.page.click(".house")
    one.page.fill("#option-min_faan", least)
    one.does(lambda: one.page.keyboard.press("Tab"))
    one.page.fill("#profile-name", name)
    one.page.keyboard.press("Enter")
    one.page.wait_for_selector(f"#profiles [data-profile='{name}'][aria-pressed=true]")
    one.page.keyboard.press("Escape")


def kept(one: Visit) -> Any:
    return json.loads(one.page.evaluate("localStorage['mahjong-reader.settings']"))["profiles"]


def again(one: Visit) -> Visit:
    """The page opened anew."""
    one.page.goto("about:blank")
    one.page.goto(one.service)
    one.page.wait_for_selector("html.ready")
    return one


def test_profiles_are_kept_chosen_and_deleted(visit: Visiting) -> None:
    one = shown(visit(), TABLE)
    keep(one, "Friday club", "13")
    keep(one, "Grandmother", "1")
    assert kept(one) == {"hk": {"Friday club": {"min_faan": 13}, "Grandmother": {"min_faan": 1}}}
    assert "Grandmother" in one.page.inner_text(".house")
    one.page.evaluate("window.print = () => {}")
    one.page.click("#print")
    assert "Grandmother" in (one.page.text_content("#print-stamp") or ""), "by which rules it was signed"
    again(one)
    shown(one, TABLE.replace("hk", "mcr"))
    one.page.click(".house")
    assert one.page.locator("#profiles button").count() == 1, "names of another rule set"
    one.page.keyboard.press("Escape")
    one.does(lambda: one.page.click("[data-ask=rules] [data-value=hk]"))
    one.page.click(".house")
    one.does(lambda: one.page.click("#profiles [data-profile='Friday club']"))
    one.page.wait_for_selector("#option-min_faan")
    assert one.page.input_value("#option-min_faan") == "13"
    assert "13 faan are needed" in one.page.inner_text("#answer .verdict")
    one.page.click("#profile-delete")
    assert kept(one)["hk"] == {"Grandmother": {"min_faan": 1}}
    assert one.page.input_value("#option-min_faan") == "13", "the rules stay, only their name is gone"
    one.does(lambda: one.page.click("#profiles [data-profile='']"))
    assert "13 faan" not in one.page.inner_text("#answer .verdict")


def test_link_carries_the_profile_and_its_name(visit: Visiting) -> None:
    one = shown(visit(DESKTOP), TABLE)
    keep(one, "週五局 & friends", "13")
    one.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one.page.evaluate("Object.defineProperty(navigator, 'share', {value: undefined})")
    one.page.click("#share-link")
    one.page.wait_for_selector("#toast.shown")
    link = one.page.evaluate("navigator.clipboard.readText()")
    other = shown(visit(DESKTOP), link.removeprefix(f"{one.service}/"))
    assert other.figure == one.figure
    assert "13 faan are needed" in other.page.inner_text("#answer .verdict")
    assert "週五局 & friends" in other.page.inner_text(".house")
    assert other.page.evaluate("localStorage['mahjong-reader.settings'] ?? null") is None, "kept unasked"
    other.page.click(".house")
    assert other.page.input_value("#profile-name") == "週五局 & friends"
    other.page.click("#profile-form button[type=submit]")
    assert kept(other) == {"hk": {"週五局 & friends": {"min_faan": 13}}}

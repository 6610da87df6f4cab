"""Pictures of the page's main states, phone and desktop, light and dark, to be looked at.

    python tests/page/screenshots.py OUT [--address http://127.0.0.1:8000] [--only phone-dark]

Needs a running service, playwright and Chromium (make browser). `--readme` writes the two pictures of the
README, `--icons` the icons that phones want as PNG.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "datasets" / "samples" / "hand.jpg"
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
DESKTOP = {"viewport": {"width": 1280, "height": 900}}
CASES = {
    "phone-light": {**PHONE, "color_scheme": "light", "locale": "en-GB"},
    "phone-dark": {**PHONE, "color_scheme": "dark", "locale": "zh-HK"},
    "desktop-light": {**DESKTOP, "color_scheme": "light", "locale": "zh-CN"},
    "desktop-dark": {**DESKTOP, "color_scheme": "dark", "locale": "en-GB"},
}
CLAIMED = "#hand=[555z] [666z] 234m 99p 77z %2B7z&rules=mcr&win=discard&seat=1z&round=1z&discarder=2z"
TABLE = "#hand=[123m] (5555z) 345m 6799m %2B8m | 2f&rules=hk&win=discard&seat=2z&round=1z&discarder=4z&unit=2"


def tour(page: Any, address: str, out: Path, name: str) -> None:
    """One visit, with a picture of each state."""

    def shot(state: str, whole: bool = False) -> None:
        page.wait_for_timeout(500)
        page.screenshot(path=str(out / f"{name}-{state}.png"), full_page=whole)

    page.goto(address)
    page.wait_for_selector("html.ready")
    shot("1-start")
    page.set_input_files("#camera", str(SAMPLE))
    page.wait_for_selector("#answer .figure")
    shot("2-read")
    shot("3-whole", whole=True)
    page.click("#board .tile")
    shot("4-tile")
    page.click("#sheet [data-code='1m']")
    page.wait_for_selector("#changes:not([hidden])")
    shot("5-changed", whole=True)
    page.click("#add")
    shot("6-add")
    page.keyboard.press("Escape")
    page.click(".house")
    page.wait_for_selector("#house-list .option")
    shot("7-house-rules")
    page.keyboard.press("Escape")
    page.click("#open-settings")
    shot("8-settings")
    page.keyboard.press("Escape")
    page.set_input_files(
        "#camera-again", {"name": "note.jpg", "mimeType": "image/jpeg", "buffer": b"no photo"}
    )
    page.wait_for_selector("#answer .problem")
    shot("9-problem", whole=True)
    page.goto("about:blank")
    page.goto(address + "/" + TABLE)
    page.wait_for_selector("#answer .payments")
    shot("a-table", whole=True)
    referee(page, address, shot)


def referee(page: Any, address: str, shot: Callable[..., None]) -> None:
    """Referee mode: a claim of too much, a locked hand, and a match where the service keeps a ledger."""
    page.evaluate("localStorage['mahjong-reader.referee'] = 'yes'")
    page.goto("about:blank")
    page.goto(address + "/" + CLAIMED)
    page.wait_for_selector("#answer[aria-busy=false] .figure", state="attached")
    page.fill("#claim-fans", "大三元, 缺一门, dragon")
    page.wait_for_selector("#claim-options li")
    page.evaluate("document.querySelector('#audit').scrollIntoView(true)")
    shot("b-claim")
    page.fill("#claim-fans", "大三元, 缺一门, 箭刻 x3")
    page.fill("#claim-total", "95")
    page.click("#judge")
    page.wait_for_selector("#verdict [data-verdict]")
    page.click("#verdict .light-up >> nth=0")
    shot("c-verdict", whole=True)
    page.fill("#lock-by", "歐陽")
    page.click("#lock")
    page.wait_for_selector(".lock.shut")
    page.wait_for_selector("#verdict [data-verdict]")
    page.click("#ledger-card summary")
    page.wait_for_selector("#begin, #ledger [data-code]")
    if page.locator("#begin").count():
        for at, name in enumerate(("歐陽", "Chan", "李", "Wong")):
            page.fill(f"#player-{at}", name)
        page.click("#begin button[type=submit]")
        page.wait_for_selector("#enter-hand")
        page.click("#enter-hand button[type=submit]")
        page.wait_for_selector(".entries [data-sequence='1']")
        page.click("#enter-draw")
        page.wait_for_selector(".entries [data-sequence='2']")
        page.click("[data-undo='2']")
    shot("d-ledger", whole=True)
    if page.locator("#other-entry").count():
        page.click("#other-entry > summary")
        page.select_option("#other-kind", "win")
        page.select_option("#other-from", "3")
        page.click("#other-more")
        page.click("#correct-1")
        shot("e-entries", whole=True)


def readme(browser: Any, address: str, out: Path) -> None:
    """The two pictures of the README: small, of the project's own rendered photo."""
    for name in ("phone-light", "phone-dark"):
        context = browser.new_context(
            **{**CASES[name], "locale": "en-GB" if name == "phone-light" else "zh-HK"}
        )
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("html.ready")
        page.set_input_files("#camera", str(SAMPLE))
        page.wait_for_selector("#answer .figure")
        if name == "phone-dark":
            page.click("[data-ask=win] [data-value=self_draw]")
            page.click("[data-ask=seat] [data-value='1z']")
            page.wait_for_selector("#answer .payments")
            page.evaluate("document.querySelector('#answer-card').scrollIntoView(true)")
        page.wait_for_timeout(600)
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        picture = picture.resize((480, round(480 * picture.height / picture.width)), Image.Resampling.LANCZOS)
        path = out / f"page-{name.removeprefix('phone-')}.png"
        picture.quantize(200, dither=Image.Dither.NONE).save(path, optimize=True)
        print(f"{path.name}: {path.stat().st_size} bytes")
        context.close()


def icons(browser: Any, out: Path) -> None:
    """icon-192.png, and icon-512.png whose ground reaches the edge: a phone may cut it to any shape."""
    drawn = (ROOT / "api" / "page" / "icon.svg").read_text(encoding="utf-8")
    for size, ground in ((192, drawn), (512, drawn.replace('rx="14"', 'rx="0"'))):
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(
            f"<body style='margin:0'>{ground.replace('<svg ', f'<svg width={size} height={size} ', 1)}"
        )
        shot = Image.open(io.BytesIO(page.screenshot(omit_background=True)))
        shot.quantize(64).save(out / f"icon-{size}.png", optimize=True)
        page.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--address", default="http://127.0.0.1:8000")
    parser.add_argument("--only", choices=list(CASES))
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("--icons", action="store_true")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium") or sys.exit("Chromium is not installed")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        if args.icons:
            icons(browser, args.out)
        elif args.readme:
            readme(browser, args.address, args.out)
        else:
            for name in [args.only] if args.only else CASES:
                context = browser.new_context(**CASES[name])
                tour(context.new_page(), args.address, args.out, name)
                context.close()
        browser.close()


if __name__ == "__main__":
    main()

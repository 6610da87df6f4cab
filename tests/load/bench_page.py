"""Measure the page: bytes of the first load, from tap to score, and frames while the photo moves.

    python tests/load/bench_page.py [--address http://127.0.0.1:8000] [--times 7] [--slower 4]

Needs a running service, playwright and Chromium (make browser). The photo is the bundled one at 12 MP.
A mid phone is stood in for by Chromium's own brake on the processor (`--slower`).
"""

from __future__ import annotations

import argparse
import io
import shutil
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "samples" / "hand.jpg"
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
#: Moves the photo for a second, a step a frame as fingers do, and tells how long each frame took.
PAN = """async () => {
  const frame = document.querySelector("#viewer");
  const box = frame.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const send = (kind, dx) => frame.dispatchEvent(new PointerEvent(kind, {
    pointerId: 7, pointerType: "touch", bubbles: true, clientX: x + dx, clientY: y }));
  frame.setPointerCapture = () => {};
  send("pointerdown", 0);
  const times = [];
  let last = performance.now();
  for (let at = 0; at < 60; at += 1) {
    send("pointermove", 80 * Math.sin(at / 6));
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  send("pointerup", 0);
  return times;
}"""


def twelve_megapixels() -> bytes:
    photo = io.BytesIO()
    Image.open(SAMPLE).resize((4032, 3024), Image.Resampling.LANCZOS).save(photo, "JPEG", quality=88)
    return photo.getvalue()


def first_load(page: Any, address: str) -> tuple[int, int]:
    """Bytes over the wire and files, until the page can be used."""
    sizes: list[int] = []

    def count(response: Any) -> None:
        sizes.append(int(response.headers.get("content-length", 0)))

    page.on("response", count)
    page.goto(address)
    page.wait_for_selector("html.ready")
    page.remove_listener("response", count)
    return sum(sizes), len(sizes)


def taps(page: Any, photo: bytes, times: int) -> list[float]:
    """Milliseconds from the choice of a photo until its score stands on the page."""
    found = []
    for _ in range(times):
        page.click("#home")
        began = time.perf_counter()
        page.set_input_files(
            "#camera", {"name": "IMG_0001.jpg", "mimeType": "image/jpeg", "buffer": photo}, no_wait_after=True
        )
        page.wait_for_selector("#answer .figure")
        found.append((time.perf_counter() - began) * 1000)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--address", default="http://127.0.0.1:8000")
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--slower", type=float, default=4.0)
    args = parser.parse_args()
    program = shutil.which("chromium") or sys.exit("Chromium is not installed (make browser)")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_context(**PHONE, service_workers="block").new_page()
        size, files = first_load(page, args.address)
        photo = twelve_megapixels()
        waits = taps(page, photo, args.times)
        brake = page.context.new_cdp_session(page)
        brake.send("Emulation.setCPUThrottlingRate", {"rate": args.slower})
        page.wait_for_timeout(800)
        frames = page.evaluate(PAN)
        browser.close()
    print("| what | figure |\n| --- | --- |")
    print(f"| first load | {size / 1000:.0f} kB in {files} files |")
    print(
        f"| 12-megapixel photo ({len(photo) / 1e6:.1f} MB), from tap to score | median "
        f"{statistics.median(waits):.0f} ms, from {min(waits):.0f} to {max(waits):.0f} |"
    )
    print(
        f"| a frame while panning, processor {args.slower:g} times slower | median "
        f"{statistics.median(frames):.1f} ms, 95 % within {sorted(frames)[int(len(frames) * 0.95)]:.1f} ms |"
    )


if __name__ == "__main__":
    main()

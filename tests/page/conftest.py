"""A real browser, the real service with its real models, npm tools; each skipped with a reason if absent."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

SAMPLES = ROOT / "datasets" / "samples"
PAGE = ROOT / "api" / "page"
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}}

#: What the npm tools are installed as; exact, so that a new release cannot turn the tests red by itself.
TYPESCRIPT = "typescript@7.0.2"
AXE = "axe-core@4.14.1"


def npm(package: str) -> Path:
    """The folder of an npm package, installed once into the virtual environment (or a cache folder)."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed")
    name = package.partition("@")[0]
    into = ROOT / (".venv" if (ROOT / ".venv").is_dir() else ".pytest_cache") / "npm" / package
    found = into / "node_modules" / name
    if not found.is_dir():
        into.mkdir(parents=True, exist_ok=True)
        command = [
            "npm",
            "install",
            "--prefix",
            str(into),
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            package,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=180)
        if done.returncode != 0 or not found.is_dir():
            pytest.skip(f"npm cannot install {package}: {done.stderr.strip()[-200:]}")
    return found


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe, which looks for what keeps people out."""
    return (npm(AXE) / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed (make browser)"
    )
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("Chromium is not installed (make browser)")
    with playwright.sync_playwright() as started:
        # No sandbox: continuous checks often run as root, where Chromium refuses its own.
        chromium = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real service, as the command starts it, with the models of this checkout."""
    if not (ROOT / "models" / "namer.onnx").is_file():
        pytest.skip("the models are not trained yet")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("service") / "log"
    command = [sys.executable, "-c", "from api.cli import main; main()", "serve", "--port", str(port)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV_")}
    environment["MAHJONG_READER_DATABASE"] = f"sqlite:///{log.with_name('ledger.db')}"
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), environment.get("PYTHONPATH", "")])
    with (
        log.open("wb") as sink,
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=sink, stderr=sink) as process,
    ):
        address = f"http://127.0.0.1:{port}"
        while not ready(address):
            assert process.poll() is None, log.read_text()
            time.sleep(0.2)
        yield address
        process.send_signal(signal.SIGINT)
        process.wait(60)


def ready(address: str) -> bool:
    """Whether the service may be sent photos."""
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            f"{address}/readyz", timeout=5
        ) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


class Visit:
    """A page that is open, with everything that it asked for and complained about."""

    def __init__(self, page: Any, service: str) -> None:
        self.page = page
        self.service = service
        self.asked: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._heard)

    def _heard(self, message: Any) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def open(self, fragment: str = "") -> Visit:
        """Load the page and wait until it can be used."""
        self.page.goto(f"{self.service}/{fragment}")
        self.page.wait_for_selector("html.ready")
        return self

    def photograph(self, photo: Any) -> Visit:
        """Give the page a photo, and wait for a score or a problem."""
        self.page.set_input_files("#camera", photo)
        return self.answered()

    def answered(self) -> Visit:
        """Wait until nothing is being asked."""
        self.page.wait_for_selector("#answer[aria-busy=false] .figure, #answer[aria-busy=false] .problem")
        return self

    def does(self, act: Callable[[], object]) -> Visit:
        """Do something that changes the hand or the context, and wait for its score."""
        with self.page.expect_response("**/v1/score"):
            act()
        return self.answered()

    @property
    def figure(self) -> str:
        """What stands largest in the answer."""
        text: str = self.page.inner_text("#answer .figure")
        return text

    def tiles(self, place: str = "") -> list[str]:
        """Names of the tiles of the hand, or of one group of it; without what else is said about them."""
        inside = f"#board [data-place='{place}']" if place else "#board"
        shown = self.page.query_selector_all(f"{inside} [data-token]")
        return [tile.get_attribute("aria-label").partition(",")[0] for tile in shown]


Visiting = Callable[..., Visit]


@pytest.fixture
def visit(browser: Any, service: str) -> Iterator[Visiting]:
    """Open the page: `visit(PHONE, locale="zh-HK")`. Whatever it complained about fails the test."""
    contexts: list[Any] = []
    visits: list[Visit] = []

    def make(device: dict[str, Any] | None = None, **more: Any) -> Visit:
        context = browser.new_context(**{**PHONE, "locale": "en-GB", **(device or {}), **more})
        context.set_default_timeout(60_000)
        contexts.append(context)
        visits.append(Visit(context.new_page(), service))
        return visits[-1].open()

    yield make
    for context in contexts:
        context.close()
    # What a failed request leaves in the console is the browser's own line, and a service worker that a test
    # does not let in is its own doing: no complaints of the page.
    excused = ("Failed to load resource", "blocked by Playwright")
    complaints = [line for one in visits for line in one.complaints]
    assert [line for line in complaints if not any(words in line for words in excused)] == []

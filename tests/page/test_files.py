"""The page's files: what is served, under which rules, how large it is, and that its words are all there."""

from __future__ import annotations

import gzip
import re
import subprocess
from typing import Any
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient

from api.app import create_app
from api.pages import MEDIA_TYPES, page_file
from api.settings import Settings
from scorer import RULESETS, Verdict
from scorer.ledger.entries import KINDS
from scorer.rulesets.singapore_payments import INSTANT_OPTIONS
from scorer.settlement import OfSeveral
from scorer.tiles import ALL_TILES
from tests.api.conftest import StubReader
from tests.page.conftest import PAGE, TYPESCRIPT, npm

MOST_FIRST_LOAD = 150_000
MOST_LINES = 450
#: The referee's part: loaded when it is opened, and kept for when there is no network once it was.
REFEREE = {
    *("audit.js", "claim.js", "evidence.js"),
    *("ledger.js", "ledger_entry.js", "ledger_fields.js", "ledger_list.js"),
    *("referee.css", "referee.js", "referee_api.js", "referee_words.js", "verdict.js"),
}
#: What is loaded after the first view: workers and what they keep, and house rules in Chinese.
LATER = {"options.js", "shrink.js", "sw.js", "icon-192.png", "icon-512.png", *REFEREE}
#: What the page begins with. All other scripts of the first load follow by themselves once it is shown.
BEGINNING = {"app.js", "dom.js", "hans.js", "i18n.js", "problem.js", "settings.js", "words.js"}


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(create_app(Settings(), StubReader()))


def served() -> list[str]:
    return sorted(p.name for p in PAGE.iterdir() if p.suffix.lstrip(".") in MEDIA_TYPES)


def text_of(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def scripts() -> list[str]:
    return sorted(path.name for path in PAGE.glob("*.js"))


def test_page_is_served_under_a_strict_policy(client: TestClient) -> None:
    response = client.get("/")
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"https?:|\*|data:", policy)
    assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", served())
def test_every_file_is_served_with_its_type_and_policy(client: TestClient, name: str) -> None:
    response = client.get(f"/page/{name}")
    assert response.status_code == 200
    assert response.headers["content-type"] == MEDIA_TYPES[name.rpartition(".")[2]]
    assert response.content == (PAGE / name).read_bytes()
    assert "content-security-policy" in response.headers


def test_unchanged_file_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/page/app.js")
    again = client.get("/page/app.js", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert not again.content
    other = client.get("/page/app.js", headers={"if-none-match": client.get("/").headers["etag"]})
    assert other.status_code == 200


@pytest.mark.parametrize(
    "name", ["types.d.ts", "jsconfig.json", "..%2Fapp.py", "__init__.py", "nothing.js", "."]
)
def test_other_files_are_not_served(client: TestClient, name: str) -> None:
    response = client.get(f"/page/{name}")
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"


def test_page_is_no_part_of_the_api(client: TestClient) -> None:
    assert not [
        path for path in client.get("/openapi.json").json()["paths"] if not path.startswith(("/v1", "/"))
    ]
    assert "/page/{name}" not in client.get("/openapi.json").json()["paths"]


def test_first_load_is_small() -> None:
    sent = {}
    for name in served():
        found = page_file(name)
        assert found is not None
        if name not in LATER:
            sent[name] = len(found.packed or found.plain)
    assert sum(sent.values()) <= MOST_FIRST_LOAD, sent
    for name in served():
        found = page_file(name)
        assert found is not None
        if found.packed is not None:
            assert gzip.decompress(found.packed) == found.plain


def test_no_file_names_another_host() -> None:
    allowed = "http://www.w3.org/2000/svg"
    for name in served():
        if name.endswith(".png"):
            continue
        found = [url for url in re.findall(r"https?://[^\s\"'`)]+", text_of(name)) if url != allowed]
        assert found == [], name


def test_markup_has_no_inline_code_or_style() -> None:
    html = text_of("index.html")
    assert not re.search(r"\sstyle=|\son[a-z]+=|<style", html)
    assert re.findall(r"<script(?![^>]*\ssrc=)", html) == []
    for name in scripts():
        assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|\beval\(", text_of(name)), name


def test_scripts_stay_short() -> None:
    assert {name: n for name in scripts() if (n := len(text_of(name).splitlines())) > MOST_LINES} == {}


def tables_of_words() -> str:
    return text_of("words.js") + text_of("referee_words.js")


def words() -> dict[str, tuple[str, str]]:
    entries = re.findall(
        r'^  "?([^\n]+?)"?: \[("(?:[^"\\]|\\.)*"), ("(?:[^"\\]|\\.)*")\],$', tables_of_words(), re.MULTILINE
    )
    return {key: (english[1:-1], chinese[1:-1]) for key, english, chinese in entries}


def test_every_text_is_there_in_both_languages() -> None:
    known = words()
    # No key stands in both tables: the second would replace the first.
    assert len(known) == len(re.findall(r"^  .*\],$", tables_of_words(), re.MULTILINE))
    used = set(re.findall(r'data-(?:t|label|hint)="([^"]+)"', text_of("index.html")))
    for name in scripts():
        used |= set(re.findall(r'\bt\(\s*"([^"]+)"', text_of(name)))
        used |= set(re.findall(r'"data-t": "([^"]+)"', text_of(name)))
    assert len(used) > 100
    assert used - set(known) == set()
    for key, (english, chinese) in known.items():
        assert english.strip(), key
        assert chinese.strip(), key
        assert set(re.findall(r"\{\w+\}", english)) >= set(re.findall(r"\{\w+\}", chinese)), key


def test_texts_that_are_put_together_are_there() -> None:
    known = words()
    kinds = {
        "group": ["standing", "claimed", "kong", "bonus", "aside"],
        "win": ["discard", "self_draw", "rob_kong"],
        "unit": list(RULESETS),
        "rules": list(RULESETS),
        "change": ["renamed", "added", "removed", "moved", "winning"],
        "legend": ["sure", "doubt", "wrong", "changed", "added", "out", "claimed", "kong", "won"],
        "theme": ["auto", "light", "dark"],
        "claim": [verdict.value for verdict in Verdict],
        "entry": [*KINDS, "win_from", "win_drawn", "win_robbed"],
        "several": [each.value for each in OfSeveral],
        "instant": list(INSTANT_OPTIONS),
        "standing": ["undone", "corrected"],
        "evidence": ["bundle", "sheet_a4", "sheet_letter"],
        "place": ["event", "table", "hand", "winner", "discarder"],
        "ledger": ["place", "name", "seat", "points", "wins"],
        "act": ["locked", "unlocked"],
    }
    for kind, names in kinds.items():
        assert {f"{kind}.{name}" for name in names} <= set(known)


def test_house_rules_are_translated() -> None:
    chinese = set(re.findall(r'^  "?([\w.]+)"?: "', text_of("options.js"), re.MULTILINE))
    known = [
        (rules.id, option["id"]) for rules in RULESETS.values() for option in rules.describe()["options"]
    ]
    missing = [(rules, option) for rules, option in known if not {option, f"{rules}.{option}"} & chinese]
    # A house rule that is new is shown as the service describes it, in English, until it is written here.
    assert missing == []


def test_names_of_fans_are_covered_in_both_scripts() -> None:
    table = "".join(re.findall(r'"([^"]+)"', text_of("hans.js")))
    full, simple = table[::2], table[1::2]
    assert len(full) == len(simple) == len(set(full))
    assert not set(full) & set(simple)
    shown = "".join(fan["name"]["zh"] for rules in RULESETS.values() for fan in rules.describe()["fans"])
    # Of every pair that one rule set writes in full and another in simple signs, both must be known.
    for one, other in (
        ("對", "对"),
        ("龍", "龙"),
        ("雙", "双"),
        ("門", "门"),
        ("風", "风"),
        ("槓", "杠"),
        ("搶", "抢"),
    ):
        assert one in full
        assert other in simple
        assert one in shown or other in shown


def test_every_tile_is_drawn() -> None:
    drawn = ElementTree.fromstring(text_of("tiles.svg"))
    space = "{http://www.w3.org/2000/svg}"
    ids = {symbol.get("id") for symbol in drawn.iter(f"{space}symbol")}
    assert ids == {f"t-{tile}" for tile in ALL_TILES}
    known = {element.get("id") for element in drawn.iter()}
    used = {element.get("href", "")[1:] for element in drawn.iter(f"{space}use")}
    assert used <= known
    for symbol in drawn.iter(f"{space}symbol"):
        assert len(list(symbol.iter())) > 1, symbol.get("id")


def test_faces_are_what_the_recipe_draws(tmp_path: Any) -> None:
    import draw_tiles

    assert draw_tiles.sheet(draw_tiles.faces()) == text_of("tiles.svg")
    assert draw_tiles.icon() == text_of("icon.svg")
    assert draw_tiles.welcome() == text_of("welcome.svg")


def test_worker_keeps_every_file_of_the_page() -> None:
    worker = text_of("sw.js")
    for name in served():
        if name not in {"index.html", "sw.js", "icon-512.png", *REFEREE}:
            assert f'"{name}"' in worker, f"{name} is not there without the network"


def imported(name: str) -> set[str]:
    """A script, and all that it cannot run without."""
    found: set[str] = set()
    left = [name]
    while left:
        if (one := left.pop()) not in found:
            found.add(one)
            left += re.findall(r'^(?:import|\} from).*"\./([\w.]+\.js)";$', text_of(one), re.MULTILINE)
    return found


def test_page_begins_with_little_and_asks_for_it_ahead() -> None:
    assert imported("app.js") == BEGINNING
    ahead = re.findall(r'rel="modulepreload" fetchpriority="low" href="/page/([^"]+)"', text_of("index.html"))
    assert sorted(ahead) == sorted(BEGINNING - {"app.js"})
    # The rest is one import away, and nothing of it was forgotten.
    assert imported("work.js") | BEGINNING == set(scripts()) - LATER
    parts = re.search(r"PARTS = \[(.*)\]", text_of("app.js"))
    assert parts is not None
    steps = [f"{name}.js" for name in re.findall(r'"(\w+)"', parts[1])]
    assert set().union(*map(imported, steps)) | BEGINNING | {"work.js"} == imported("work.js") | BEGINNING


def test_types_hold() -> None:
    compiler = npm(TYPESCRIPT) / "bin" / "tsc"
    command = ["node", str(compiler), "--project", str(PAGE / "jsconfig.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from api import sheet
from api.bundle import BundleRequest, make_bundle
from api.cli import app
from api.faces import PAPERS, hand_drawing
from api.recheck import require_bundle
from api.sheet import chinese_font, make_sheet
from api.sheet_facts import FLAGS, facts
from scorer import RULESETS, Hand
from scorer.hand import FLAGS as CIRCUMSTANCES
from scorer.tiles import ALL_TILES
from tests.api.conftest import StubReader, photo_bytes
from tests.api.test_bundle import AT, REQUEST, posted
from tests.api.test_http import problem

runner = CliRunner()
SIZES = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}


@pytest.fixture(autouse=True)
def stubbed(monkeypatch: pytest.MonkeyPatch, reader: StubReader) -> None:
    monkeypatch.setattr("vision.load_reader", lambda models=None, detector=None, own_set=None: reader)


@pytest.fixture
def font() -> Path:
    found = chinese_font()
    if found is None:
        pytest.skip("no font with Chinese characters (extra `sheet`)")
    return found


def bundle_of(reader: StubReader, **more: Any) -> bytes:
    image = photo_bytes("PNG", (640, 480), 200)
    told = {**REQUEST, "place": {"event": "Open 公開賽", "winner": "陳大文"}, **more}
    return make_bundle(image, reader.read(image), BundleRequest.from_data(told), AT)


def text_of(pdf: bytes, path: Path) -> str:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext (poppler-utils) is not installed")
    path.write_bytes(pdf)
    done = subprocess.run(
        ["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize("paper", PAPERS)
def test_one_page_of_the_paper_that_was_asked_for(reader: StubReader, paper: str) -> None:
    pdf = make_sheet(bundle_of(reader), paper, None)
    assert pdf.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", pdf)) == 1
    (box,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert [float(side) for side in box] == pytest.approx(SIZES[paper], abs=0.1)
    assert make_sheet(bundle_of(reader), paper, None) == pdf


def test_chinese_is_embedded_with_what_is_used_alone(reader: StubReader, font: Path, tmp_path: Path) -> None:
    pdf = make_sheet(bundle_of(reader), "a4", font)
    assert b"/FontFile" in pdf
    assert len(pdf) < 400_000 < font.stat().st_size
    text = text_of(pdf, tmp_path / "a.pdf")
    for words in (
        "和牌核對紙",
        "公開賽",
        "陳大文",
        "一色三同顺",
        "申報有效",
        "裁判",
        "Pure Triple Chow",
        "fan 23",
    ):
        assert words in text, words


def test_without_a_font_the_sheet_is_in_english(reader: StubReader, tmp_path: Path) -> None:
    text = text_of(make_sheet(bundle_of(reader), "letter", None), tmp_path / "a.pdf")
    assert "The claim is valid" in text
    assert "no font with Chinese characters" in text
    assert "和" not in text


def test_whatever_is_claimed_fits_the_page(reader: StubReader, tmp_path: Path) -> None:
    """A claim of every fan there is: lines that find no room are counted, and the signatures stay free."""
    every = [fan.id for fan in RULESETS["mcr"].fans][:55]
    text = text_of(
        make_sheet(bundle_of(reader, claim={"fans": every, "total": 999}), "letter", None), tmp_path / "a.pdf"
    )
    assert "Over-claimed" in text
    assert "more lines, in the bundle" in text
    assert text.index("Over-claimed") < text.index("Signed after") < text.index("Referee")


def test_a_hand_without_a_claim_and_one_that_does_not_win(reader: StubReader, tmp_path: Path) -> None:
    text = text_of(make_sheet(bundle_of(reader, claim=None), "a4", None), tmp_path / "a.pdf")
    assert "Total" in text
    reader.hand = Hand.parse("111222333p45698s")
    short = make_sheet(bundle_of(reader, winning_tile=None), "a4", None)
    assert "Not a winning hand" in text_of(short, tmp_path / "b.pdf")


def test_articles_and_names_are_written_whole(reader: StubReader, font: Path, tmp_path: Path) -> None:
    """What decides is not cut where there is room for it: the article, the rule set, whoever signs."""
    long = "Maximiliana Featherstonehaugh"
    told: dict[str, Any] = {"place": {"winner": long, "discarder": long}, "claim": {"total": 999}}
    for paper in PAPERS:
        text = text_of(make_sheet(bundle_of(reader, **told), paper, font), tmp_path / "a.pdf")
        assert "the points of a hand are the sum of its fans" in text
        assert long in text
        short = make_sheet(bundle_of(reader, **told, rules="tvb", winning_tile=None), paper, font)
        text = text_of(short, tmp_path / "b.pdf")
        assert "TVB Mahjong Brain Fitness Championship 2026" in text
        assert "大賽 2026" in text


def test_claim_is_told_on_several_lines_and_circumstances_in_both_languages(
    reader: StubReader, font: Path, tmp_path: Path
) -> None:
    fans = "一色三同順, 平和, 斷幺, 門前清, 不求人, 缺一門, 連六, 老少副, 一般高, 喜相逢, 清一色, 混一色"
    context = {**REQUEST["context"], "win": "self_draw", "last_wall_tile": True, "kong_replacement": True}
    told = {"claim": {"fans": fans, "total": 200}, "context": context, "rules": "mcr"}
    text = text_of(make_sheet(bundle_of(reader, **told), "a4", font), tmp_path / "a.pdf")
    for words in ("混一色", "last tile of the wall", "最後一張", "槓上開花"):
        assert words in text, words
    assert set(FLAGS) == set(CIRCUMSTANCES)


def test_changed_tiles_are_named(reader: StubReader) -> None:
    record, _ = require_bundle(bundle_of(reader))
    changes = [{"tile": place, "seen": f"{place + 1}p", "instead": "9s"} for place in range(6)]
    confirmed = {"by": "Yu", "at": AT, "hand": None, "log": [{"act": "unlocked"}]}
    for number, said, named in ((1, "1 change to", "1p > 9s"), (6, "6 changes to", "4p > 9s ...")):
        told = [
            each.text
            for each in facts({**record, "confirmed": {**confirmed, "changes": changes[:number]}}, True)
        ]
        assert [text for text in told if text.startswith(said)] != []
        assert [text for text in told if text.endswith(named)] != []
        assert "unlocked again once  解鎖1次" in told


def test_reason_is_left_out_in_both_languages_or_in_none(
    reader: StubReader, font: Path, tmp_path: Path
) -> None:
    every = [fan.id for fan in RULESETS["mcr"].fans][:55]
    for few in range(20, 26):
        bundle = bundle_of(reader, claim={"fans": every[:few], "total": 999})
        text = text_of(make_sheet(bundle, "letter", font), tmp_path / "a.pdf")
        english = len(re.findall(r"^ *× ", text, re.MULTILINE))
        chinese = len(re.findall(r"^ *\S*(?:不成立|同計|不與)", text, re.MULTILINE))
        assert english == chinese > 5
        (left,) = re.findall(r"另有(\d+)項", text)
        assert f"and {left} more lines" in text


def test_hand_that_reaches_too_little_says_how_much(reader: StubReader, tmp_path: Path) -> None:
    """Without a claim too: what it reaches, and what is wrong with it."""
    cheap = bundle_of(reader, claim=None, rules="hk", options={"min_faan": 10})
    assert "toward the minimum of 10" in text_of(make_sheet(cheap, "a4", None), tmp_path / "a.pdf")
    reader.hand = Hand.parse("111222333p4569s")
    wrong = bundle_of(reader, claim=None, winning_tile=None)
    assert "14 tiles must stand" in text_of(make_sheet(wrong, "a4", None), tmp_path / "b.pdf")


def test_every_tile_has_a_face_on_paper() -> None:
    hand = Hand.parse("[123m] (1111z) [555z] 45699p +9p | 1f 8f 4a")
    drawing, aspect = hand_drawing(hand)
    assert drawing.count('href="#t-') >= len(hand.tiles) + 3
    assert drawing.count('<use href="#t-0x"') == 2  # the outer tiles of the concealed kong
    assert 15 < aspect < 20
    for tile in ALL_TILES:
        assert f'<g id="t-{tile}">' in hand_drawing(Hand((tile,)))[0]


def test_over_http(client: TestClient) -> None:
    bundle = posted(client, **REQUEST).content
    zipped = {"content-type": "application/zip"}
    response = client.post("/v1/sheets?paper=letter", content=bundle, headers=zipped)
    assert response.headers["content-type"] == "application/pdf"
    assert response.content.startswith(b"%PDF-")
    problem(client.post("/v1/sheets?paper=a5", content=bundle, headers=zipped), "bad_request")
    problem(client.post("/v1/sheets", content=bundle[:-1], headers=zipped), "no_bundle")
    flipped = bundle[:500] + bytes([bundle[500] ^ 1]) + bundle[501:]
    problem(client.post("/v1/sheets", content=flipped, headers=zipped), "bundle_changed")


def test_the_command(tmp_path: Path, reader: StubReader, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle, out = tmp_path / "hand.zip", tmp_path / "hand.pdf"
    bundle.write_bytes(bundle_of(reader))

    def run(*arguments: object) -> Any:
        return runner.invoke(app, ["sheet", str(bundle), "-o", str(out), *map(str, arguments)])

    monkeypatch.setattr(sheet, "chinese_font", lambda: None)
    done = run("--paper", "letter")
    assert done.exit_code == 0
    assert "no font with Chinese characters" in done.stderr
    assert out.read_bytes().startswith(b"%PDF-")
    assert run("--paper", "a5").exit_code == 2
    bad = run("--font", bundle)
    assert (bad.exit_code, "font_unusable" in bad.stderr) == (1, True)
    bundle.write_bytes(b"nothing")
    assert run().exit_code == 1


def test_a_font_is_looked_for_in_the_extra_and_in_the_system(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sheet, "_PACKAGED", ("a_package_that_is_not_there", "x.otf"))
    monkeypatch.setattr(sheet, "_OF_SYSTEM", ((str(tmp_path / "x.ttc"), 2),))
    assert chinese_font() is None
    (tmp_path / "x.ttc").write_bytes(b"")
    assert chinese_font() == tmp_path / "x.ttc"

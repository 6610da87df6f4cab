from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from api.app import create_app
from api.archive import Broken, canonical, pack, unpack
from api.bundle import BundleRequest, make_bundle
from api.cli import app
from api.recheck import check_bundle
from api.settings import Settings, check_settings
from api.signing import load_public, new_key
from scorer import Hand
from tests.api.conftest import StubReader, photo_bytes, pool_of, wait_until
from tests.api.test_http import problem

AT = "2026-11-30T12:00:00Z"
CONTEXT = {"win": "discard", "seat": "1z", "round": "1z"}
REQUEST: dict[str, Any] = {
    "rules": "mcr",
    "context": CONTEXT,
    "winning_tile": "9s",
    "claim": {"fans": "Pure Triple Chow, All Chows", "total": 26},
}
runner = CliRunner()


@pytest.fixture(autouse=True)
def stubbed(monkeypatch: pytest.MonkeyPatch, reader: StubReader) -> None:
    monkeypatch.setattr("vision.load_reader", lambda models=None, detector=None, own_set=None: reader)


def made(reader: StubReader, image: bytes | None = None, **more: Any) -> bytes:
    image = image or photo_bytes("PNG", (64, 48), 200)
    return make_bundle(image, reader.read(image), BundleRequest.from_data({**REQUEST, **more}), AT)


def posted(client: TestClient, **request: Any) -> Any:
    files = {
        "image": ("x.jpg", photo_bytes(value=200)),
        "request": (None, json.dumps(request), "application/json"),
    }
    return client.post("/v1/bundles", files=files)


def record_of(bundle: bytes) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(unpack(bundle)["record.json"])
    return record


def changed(bundle: bytes, **parts: Any) -> bytes:
    """Another bundle, whole in itself, with parts of the record replaced."""
    members = unpack(bundle)
    return pack({**members, "record.json": canonical({**json.loads(members["record.json"]), **parts})})


def test_what_a_bundle_holds(reader: StubReader) -> None:
    image = photo_bytes("PNG", (64, 48), 200)
    bundle = made(reader, image, include_photo=True, place={"event": "公開賽", "table": "3"})
    members = unpack(bundle)
    assert list(members) == ["record.json", "overlay.png", "overlay.svg", "photo", "manifest.json"]
    assert members["photo"] == image
    record = record_of(bundle)
    assert record["seen"]["tiles"][0]["confidence"] == 0.97
    assert record["hand"] == "111222333p 4569s +9s"
    assert record["declared"]["context"] == CONTEXT
    assert record["rules"]["options"]["profile"] == "mil"
    assert len(record["rules"]["options"]) > 5
    assert record["model"]["sha256"] == "0" * 64
    assert record["verdict"]["verdict"] == "valid"
    assert record["score"]["total"] > 26
    assert record["confirmed"] is None
    assert made(reader, image, include_photo=True, place={"event": "公開賽", "table": "3"}) == bundle
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        assert archive.testzip() is None


def test_a_bundle_is_good_as_it_was_made(reader: StubReader) -> None:
    found = check_bundle(made(reader))
    assert found["intact"]
    assert found["signature"]["state"] == "none"
    assert found["again"]["otherwise"] is False
    assert found["again"]["differences"] == []


def test_a_change_of_any_byte_is_found() -> None:
    """Every byte of a small bundle, headers, digests and comment included."""
    bundle = pack(
        {"record.json": canonical({"a": 1}), "overlay.png": b"p", "overlay.svg": b"<svg/>", "photo": b"x"}
    )
    assert unpack(bundle)["photo"] == b"x"
    for place in range(len(bundle)):
        for bit in (1, 0x80):
            flipped = bytearray(bundle)
            flipped[place] ^= bit
            with pytest.raises(Broken):
                unpack(bytes(flipped))
    for cut in (bundle[:-1], bundle[1:], bundle + b"\n", b"\n" + bundle, b"", b"PK\x03\x04"):
        with pytest.raises(Broken):
            unpack(cut)


def test_a_sample_of_the_bytes_of_a_real_bundle(reader: StubReader) -> None:
    bundle = made(reader, include_photo=True)
    for place in range(0, len(bundle), max(len(bundle) // 300, 1)):
        flipped = bytearray(bundle)
        flipped[place] ^= 0x20
        found = check_bundle(bytes(flipped))
        assert not found["intact"]
        assert found["bundle"] is None
        assert found["problems"]


def test_a_forger_who_makes_the_digest_anew_hides_nothing(reader: StubReader) -> None:
    members = unpack(made(reader))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:  # another date, another order: another archive
        for name, data in reversed(members.items()):
            archive.writestr(name, data)
    with pytest.raises(Broken):
        unpack(out.getvalue())
    # The record says another photo than is there.
    record = json.loads(members["record.json"])
    record["photo"] |= {"included": True}
    found = check_bundle(pack({**members, "record.json": canonical(record), "photo": b"another"}))
    assert [entry["code"] for entry in found["problems"]] == ["bundle_changed"]
    # A record that is not canonical JSON.
    spaced = json.dumps(json.loads(members["record.json"]), indent=1).encode()
    assert not check_bundle(pack({**members, "record.json": spaced}))["intact"]
    assert not check_bundle(pack({**members, "record.json": b"{}"}))["intact"]
    assert not check_bundle(changed(made(reader), version=2))["intact"]


def test_an_older_bundle_is_scored_with_its_own_options(reader: StubReader) -> None:
    # The two readings of these rules differ in what self-drawn seven pairs are worth.
    reader.hand = Hand.parse("1122m3344p5566s77z")
    claim = {"fans": "Seven Pairs, Fully Concealed Hand", "total": 28}
    told = {"context": {**CONTEXT, "win": "self_draw"}, "winning_tile": "7z", "claim": claim}
    ema = made(reader, **told, options={"profile": "ema"})
    mil = made(reader, **told)
    assert record_of(ema)["verdict"]["verdict"] == "valid"
    assert record_of(mil)["verdict"]["verdict"] == "over_claimed"
    for bundle in (ema, mil):
        assert check_bundle(bundle)["again"]["otherwise"] is False


def test_a_difference_to_an_older_version_is_explained(reader: StubReader) -> None:
    """A bundle as a version with other prices, exclusions and options would have made it."""
    bundle = made(reader)
    record = record_of(bundle)
    rules = record["rules"]
    rules["options"] |= {"gone_since": True}
    del rules["options"]["knitted_straight_wait"]
    for fan in rules["fans"]:
        if fan["id"] == "pure_shifted_pungs":
            fan["points"] = 32
            fan["excludes"] = []
    score = record["score"]
    (line,) = [fan for fan in score["fans"] if fan["id"] == "pure_shifted_pungs"]
    line["points"] = 32
    score["total"] += 8
    made_by = {"at": AT, "software": {"name": "mahjong-reader", "version": "0.0.9"}}
    found = check_bundle(changed(bundle, rules=rules, score=score, made=made_by))
    assert found["intact"]
    again = found["again"]
    assert again["then"] == "0.0.9"
    assert again["otherwise"] is True
    told = {item["what"]: (item["then"], item["now"]) for item in again["differences"]}
    assert told["fan pure_shifted_pungs"] == (32, 24)
    assert told["score.total"] == (score["total"], score["total"] - 8)
    why = " | ".join(again["why"])
    assert "pure_shifted_pungs was 32 and is 24" in why
    assert "pure_shifted_pungs now shuts out pure_triple_chow" in why
    assert "the option gone_since (true then) no longer exists" in why
    assert "the option knitted_straight_wait is new" in why
    # Another verdict on the claim is a difference too.
    audit = {**record["audit"], "verdict": "over_claimed"}
    other = check_bundle(changed(bundle, audit=audit))["again"]
    assert {"what": "audit.verdict", "then": "over_claimed", "now": "valid"} in other["differences"]
    assert other["why"] == [
        "the table is the same: how it is applied to the tiles has changed between the versions"
    ]
    gone = check_bundle(changed(bundle, rules={**record["rules"], "id": "riichi"}))["again"]
    assert (gone["otherwise"], gone["why"]) == (None, ["this version has no rule set riichi"])


def test_who_says_otherwise_than_was_read_is_named(reader: StubReader) -> None:
    for more in ({"hand": "123m456p789s11z22z +2z"}, {"overrides": {"angle": 3}}):
        with pytest.raises(Exception, match="who says otherwise"):
            BundleRequest.from_data({**REQUEST, **more})
    hand = "111222333p4568s +8s"
    bundle = made(reader, hand=hand, winning_tile=None, confirmed={"by": "Referee 黃", "at": AT})
    confirmed = record_of(bundle)["confirmed"]
    assert (confirmed["by"], confirmed["at"], confirmed["hand"]) == ("Referee 黃", AT, hand)
    assert record_of(bundle)["seen"]["hand"] == "111222333p 45699s"
    assert check_bundle(bundle)["again"]["otherwise"] is False


def test_locking_and_unlocking_are_on_record(reader: StubReader) -> None:
    log = [
        {"act": "locked", "by": "Wong", "at": AT, "hand": "111222333p4569s +9s"},
        {"act": "unlocked", "by": "Au 歐", "at": AT, "reason": "the wrong tile was named"},
    ]
    bundle = made(reader, confirmed={"by": "Wong", "at": AT, "log": log})
    assert record_of(bundle)["confirmed"]["log"] == log
    brief = check_bundle(bundle)["bundle"]
    assert brief["confirmed"]["log"][1]["reason"] == "the wrong tile was named"
    assert record_of(made(reader, confirmed={"by": "Wong"}))["confirmed"]["log"] == []


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"confirmed": {"by": "x", "log": "no"}}, "is a list"),
        ({"confirmed": {"by": "x", "log": [{"act": "locked", "by": "x"}] * 51}}, "50 entries"),
        ({"confirmed": {"by": "x", "log": [{"act": "opened", "by": "x"}]}}, "act is one of"),
        ({"confirmed": {"by": "x", "log": [{"act": "locked"}]}}, "by whom"),
        ({"confirmed": {"by": "x", "log": [{"act": "unlocked", "by": "x"}]}}, "says why"),
        ({"confirmed": {"by": "x", "log": [{"act": "locked", "by": "x", "at": "now"}]}}, "at is a time"),
        ({"confirmed": {"by": "x", "log": [{"act": "locked", "by": "x", "key": "y"}]}}, "no such field"),
        ({"confirmed": {"at": AT}}, "by whom"),
        ({"confirmed": {"by": "x", "at": "yesterday"}}, "at is a time"),
        ({"confirmed": {"by": "x" * 101}}, "100 characters"),
        ({"place": {"room": "1"}}, "no such field"),
        ({"place": []}, "JSON object"),
        ({"include_photo": "yes"}, "true or false"),
        ({"claim": 3}, "fans, a total"),
        ({"elsewhere": 3}, "no such field"),
    ],
)
def test_requests_that_are_not_understood(more: dict[str, Any], says: str) -> None:
    with pytest.raises(Exception, match=says):
        BundleRequest.from_data({**REQUEST, **more})


def test_over_http(client: TestClient, reader: StubReader) -> None:
    response = posted(client, **REQUEST)
    assert response.headers["content-type"] == "application/zip"
    record = record_of(response.content)
    assert "photo" not in unpack(response.content)
    assert record["photo"]["included"] is False
    zipped = {"content-type": "application/zip"}
    found = client.post("/v1/bundles/check", content=response.content, headers=zipped).json()
    assert found["intact"]
    assert found["bundle"]["verdict"] == "valid"
    bad = client.post("/v1/bundles/check", content=response.content[:-1], headers=zipped).json()
    assert bad["problems"][0]["code"] == "no_bundle"
    problem(posted(client, **{**REQUEST, "claim": {"fans": "nothing"}}), "bad_claim")
    problem(posted(client, **REQUEST, hand="123m"), "bad_request")
    problem(client.post("/v1/bundles/check", json={}), "unsupported_media_type")
    # A photo alone is evidence too.
    bare = client.post("/v1/bundles", content=photo_bytes(), headers={"content-type": "image/jpeg"})
    assert record_of(bare.content)["verdict"] is None


def test_the_organisers_signature(tmp_path: Path, reader: StubReader, photo: Path) -> None:
    private, other, out = tmp_path / "key.pem", tmp_path / "other.pem", tmp_path / "hand.zip"
    assert run("bundle", "key", private).exit_code == run("bundle", "key", other).exit_code == 0
    assert private.stat().st_mode & 0o077 == 0
    assert run("bundle", "key", private).exit_code == 1  # never over another
    told = ["--rules", "mcr", "--seat", "1z", "--round", "1z", "--win", "discard", "--winning-tile", "9s"]
    command = ["bundle", "make", photo, "-o", out, "--claim", "Pure Triple Chow", *told]
    assert run(*command, "--key", private, "--place", "table=3").exit_code == 0
    assert run("bundle", "check", out, "--key", f"{private}.pub").exit_code == 0
    wrong = run("bundle", "check", out, "--key", f"{other}.pub", "--json")
    assert wrong.exit_code == 1
    assert json.loads(wrong.stdout)["problems"][0]["code"] == "bad_signature"
    assert "a key that was not compared" in run("bundle", "check", out).stdout
    # Another record under the same signature.
    members = unpack(out.read_bytes())
    record = {**json.loads(members["record.json"]), "hand": "123m"}
    found = check_bundle(pack({**members, "record.json": canonical(record)}))
    assert found["problems"][0]["code"] == "bad_signature"
    # Without any signature it is not the organiser's either.
    del members["signature.json"]
    public = load_public(Path(f"{private}.pub"))
    assert check_bundle(pack(members), public)["problems"][0]["code"] == "bad_signature"
    assert run(*command, "--key", photo).exit_code == 1
    assert run("bundle", "check", photo).exit_code == 1
    assert run("bundle", "check", out, "--key", photo).exit_code == 1
    assert run(*command, "--place", "table").exit_code == 1
    assert run("bundle", "check", tmp_path / "absent.zip").exit_code == 1


def test_the_service_signs_where_it_has_a_key(tmp_path: Path, reader: StubReader) -> None:
    private, public = new_key()
    (tmp_path / "key.pem").write_bytes(private)
    (tmp_path / "key.pub").write_bytes(public)
    told = Settings(signing_key=tmp_path / "key.pem")
    with TestClient(create_app(told, pool_of(reader, told))) as client:
        wait_until(lambda: client.get("/readyz").status_code == 200)
        bundle = posted(client, **REQUEST).content
    found = check_bundle(bundle, load_public(tmp_path / "key.pub"))
    assert found["signature"]["expected"] is True
    (tmp_path / "none.pem").write_text("none")
    _, wrong = check_settings({"signing_key": tmp_path / "none.pem"})
    assert wrong
    assert "signing_key" in wrong[0].lower()


def run(*arguments: str | Path) -> Any:
    return runner.invoke(app, [str(argument) for argument in arguments])


def test_what_the_check_shows(tmp_path: Path, reader: StubReader) -> None:
    path = tmp_path / "hand.zip"
    path.write_bytes(made(reader, confirmed={"by": "Wong"}))
    shown = run("bundle", "check", path)
    assert shown.exit_code == 0
    assert "every byte is as it was made" in shown.stdout
    assert "settled by Wong" in shown.stdout
    assert "says the same" in shown.stdout
    path.write_bytes(path.read_bytes()[:-3] + b"abc")
    assert "not as it was made" in run("bundle", "check", path).stdout
    record = record_of(made(reader))
    score = {**record["score"], "total": 99}
    path.write_bytes(changed(made(reader), score=score))
    assert "would decide otherwise" in run("bundle", "check", path).stdout

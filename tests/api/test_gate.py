"""Who is let in, how often, and with how much: keys, quotas, limits, and what the log says of it."""

from __future__ import annotations

import io
import json
import logging
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.app import create_app
from api.errors import PROBLEMS, ApiError
from api.keys import Keys, Quota, new_key, parse_key_entry
from api.logs import DroppingHandler, JsonLines
from api.problems import PAGES
from api.settings import PREFIX, Settings, check_settings
from tests.api.conftest import StubReader, photo_bytes, pool_of, wait_until
from tests.api.test_http import JPEG, answer_to, problem

KEY, ENTRY = new_key("club")
OTHER_KEY, OTHER_ENTRY = new_key("app")


@pytest.fixture
def locked(reader: StubReader) -> Iterator[TestClient]:
    settings = Settings(api_keys=(ENTRY, OTHER_ENTRY), requests_per_minute=5, max_body_bytes=1024 * 1024)
    with TestClient(create_app(settings, pool_of(reader)), raise_server_exceptions=False) as client:
        wait_until(lambda: client.get("/readyz").status_code == 200)
        yield client


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer nonsense"},
        {"authorization": f"Basic {KEY}"},
        {"authorization": "Bearer "},
        {"authorization": f"Bearer {KEY}x"},
        {"authorization": f"Bearer {'k' * 5000}"},
        {"x-api-key": ENTRY.partition(":")[2]},
        {"x-api-key": ""},
    ],
    ids=["none", "unknown", "basic", "empty", "longer", "endless", "its hash", "empty header"],
)
@pytest.mark.parametrize("path", ["/v1/read", "/v1/hands", "/v1/score", "/v1/rulesets", "/metrics"])
def test_without_a_key_nobody_gets_in(locked: TestClient, path: str, headers: dict[str, str]) -> None:
    method = "GET" if path in ("/metrics", "/v1/rulesets") else "POST"
    response = locked.request(method, path, headers=headers)
    problem(response, "unauthorized", 401)
    assert response.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("path", ["/livez", "/healthz", "/readyz", "/openapi.json", "/problems"])
def test_what_needs_no_key(locked: TestClient, path: str) -> None:
    assert locked.get(path).status_code == 200


@pytest.mark.parametrize("headers", [{"authorization": f"bearer {KEY}"}, {"x-api-key": OTHER_KEY}])
def test_with_a_key_one_gets_in(locked: TestClient, headers: dict[str, str]) -> None:
    assert locked.post("/v1/read", content=photo_bytes(), headers={**JPEG, **headers}).status_code == 200


def test_unauthenticated_upload_reads_zero_body(reader: StubReader) -> None:
    async def receive() -> Any:
        raise AssertionError("the body was read")

    application = create_app(Settings(api_keys=(ENTRY,)), pool_of(reader))
    sent = answer_to(application, receive)
    assert sent[0]["status"] == 401
    assert json.loads(sent[1]["body"])["code"] == "unauthorized"


def test_quota_is_each_keys_own(locked: TestClient) -> None:
    mine, theirs = {"x-api-key": KEY}, {"x-api-key": OTHER_KEY}
    assert [locked.get("/v1/rulesets", headers=mine).status_code for _ in range(5)] == [200] * 5
    refused = locked.get("/v1/rulesets", headers=mine)
    problem(refused, "quota_exceeded", 429)
    assert 1 <= int(refused.headers["retry-after"]) <= 13
    assert locked.get("/v1/rulesets", headers=theirs).status_code == 200


def test_quota_is_refilled_steadily() -> None:
    now = 0.0
    quota = Quota(60, lambda: now)
    for _ in range(60):
        quota.require("a")
    with pytest.raises(ApiError):
        quota.require("a")
    now = 1.0
    quota.require("a")
    with pytest.raises(ApiError):
        quota.require("a")
    now = 1000.0
    for _ in range(60):
        quota.require("a")


def test_a_key_is_not_in_its_entry() -> None:
    assert parse_key_entry(ENTRY)[0] == "club"
    assert KEY not in ENTRY
    assert Keys([ENTRY]).require([(b"x-api-key", KEY.encode())]) == "club"
    with pytest.raises(ValueError, match="NAME:SHA256") as caught:
        parse_key_entry(KEY)
    assert KEY not in str(caught.value)


#: Wrong settings, every one of them at once.
WRONG = {
    "HOST": "",
    "PORT": "99999",
    "AUTH": "perhaps",
    "API_KEYS": "club:short",
    "WORKERS": "0",
    "THREADS": "many",
    "QUEUE": "-1",
    "DEADLINE_S": "0",
    "MAX_BODY_BYTES": "12MB",
    "RECEIVE_TIMEOUT_S": "nan",
    "LOG_LEVEL": "loud",
    "MAX_CONECTIONS": "10",
    "REQUESTS_PER_MINUTE": "1e9",
}


def test_wrong_settings_are_reported_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in WRONG.items():
        monkeypatch.setenv(PREFIX + name, value)
    settings, wrong = check_settings({})
    assert settings is None
    assert {line.partition(":")[0] for line in wrong} == {PREFIX + name for name in WRONG}
    assert len(wrong) == len(WRONG) >= 12


@pytest.mark.parametrize(
    ("given", "fine"),
    [
        ({"host": "127.0.0.1"}, True),
        ({"host": "::1"}, True),
        ({"host": "localhost"}, True),
        ({"host": "0.0.0.0"}, False),
        ({"host": "0.0.0.0", "auth": "off"}, True),
        ({"host": "0.0.0.0", "api_keys": (ENTRY,)}, True),
        ({"host": "example.org"}, False),
        ({"auth": "on"}, False),
        ({"api_keys": f"{ENTRY}, {OTHER_ENTRY}"}, True),
        ({"api_keys": (ENTRY, ENTRY)}, False),
    ],
)
def test_an_address_that_others_reach_needs_keys(given: dict[str, Any], fine: bool) -> None:
    settings, wrong = check_settings(given)
    assert (settings is not None, not wrong) == (fine, fine)


def test_settings_are_shown_without_hashes() -> None:
    shown = json.dumps(Settings(api_keys=(ENTRY,)).shown())
    assert "club" in shown
    assert ENTRY.partition(":")[2] not in shown


def test_the_log_tells_of_a_photo_without_showing_it(
    locked: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "mahjong_reader")
    files = {"image": ("secret-name.jpg", photo_bytes(), "image/jpeg")}
    response = locked.post("/v1/hands", files=files, headers={"x-api-key": KEY})
    (record,) = [record for record in caplog.records if getattr(record, "route", "") == "/v1/hands"]
    line = JsonLines().format(record)
    told = json.loads(line)
    assert told["request_id"] == response.headers["x-request-id"]
    assert (told["status"], told["key"], told["photo"]["width"]) == (200, "club", 320)
    assert len(told["photo"]["sha256"]) == 12
    assert told["bytes"] > len(photo_bytes())
    for secret in ("secret-name", KEY, "1p"):
        assert secret not in line
    assert len(line) < 600


def test_a_log_that_nobody_reads_drops_lines_and_says_so() -> None:
    class Stuck(io.StringIO):
        begun, free = threading.Event(), threading.Event()

        def write(self, text: str) -> int:
            self.begun.set()
            self.free.wait(60)
            return super().write(text)

    stream = Stuck()
    handler = DroppingHandler(stream, most=10)
    handler.setFormatter(JsonLines())
    handler.emit(logging.makeLogRecord({"msg": "line 0", "levelname": "INFO"}))
    assert stream.begun.wait(60)
    for number in range(1, 100):
        handler.emit(logging.makeLogRecord({"msg": f"line {number}", "levelname": "INFO"}))
    assert handler.dropped == 89
    stream.free.set()
    handler.finish(60)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert lines[0]["message"] == "line 0"
    assert any(line["message"] == "log lines dropped" for line in lines)


def test_every_code_has_a_page(client: TestClient) -> None:
    assert set(PAGES) == set(PROBLEMS)
    index = client.get("/problems").text
    for code in PROBLEMS:
        response = client.get(f"/problems/{code}")
        assert response.status_code == 200
        assert PROBLEMS[code].title in response.text.replace("&#x27;", "'")
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert f'href="problems/{code}"' in index
    problem(client.get("/problems/no_such"), "not_found", 404)


def test_type_of_a_problem_leads_to_its_page(client: TestClient) -> None:
    refused = client.get("/nothing").json()
    assert client.get(refused["type"]).status_code == 200


def multipart(name: str, filename: bytes, image: bytes) -> tuple[bytes, dict[str, str]]:
    head = b'--x\r\ncontent-disposition: form-data; name="' + name.encode() + b'"; ' + filename + b"\r\n\r\n"
    return head + image + b"\r\n--x--\r\n", {"content-type": "multipart/form-data; boundary=x"}


@pytest.mark.parametrize(
    "filename",
    [
        b'filename="../../x"',
        b'filename="a\x00b.jpg"',
        b'filename="' + b"n" * 4000 + b'"',
        b"filename*=utf-8''%2e%2e%2fx.jpg",
        b'filename="C:\\\\x.jpg"',
        b'filename=""',
    ],
)
def test_filename_is_never_used(
    client: TestClient, tmp_path: Path, filename: bytes, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    content, headers = multipart("image", filename, photo_bytes())
    assert client.post("/v1/read", content=content, headers=headers).status_code in (200, 400, 415)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (
            b'--x\r\ncontent-disposition: form-data; name="request"\r\n\r\n' + b"a" * 900_000 + b"\r\n--x--",
            400,
        ),
        (b"\r\n" * 200_000, 400),
        (b"--x\r\n" * 100_000, 400),
        (
            b"".join(
                b'--x\r\ncontent-disposition: form-data; name="f%d"\r\n\r\n\r\n' % n for n in range(5000)
            ),
            400,
        ),
        (b"--x\r\n" + b"h" * 500_000 + b": v\r\n\r\n\r\n--x--", 400),
        (b"--x--\r\n" + b"epilogue" * 60_000, 400),
    ],
    ids=["big field", "preamble", "empty parts", "many fields", "endless header", "epilogue"],
)
def test_multipart_that_floods(client: TestClient, content: bytes, status: int) -> None:
    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert client.post("/v1/hands", content=content, headers=headers).status_code == status


def test_urlencoded_body_is_refused_unread(client: TestClient) -> None:
    content = b"a=1&" * 200_000
    headers = {"content-type": "application/x-www-form-urlencoded"}
    problem(client.post("/v1/read", content=content, headers=headers), "unsupported_media_type", 415)


def test_length_of_endless_digits(client: TestClient) -> None:
    response = client.post("/v1/read", headers={**JPEG, "content-length": "9" * 4000}, content=b"")
    problem(response, "body_too_large", 413)


def exif_with_everything() -> bytes:
    from PIL import Image

    exif = Image.Exif()
    exif[0x010F] = "SECRETMAKER"
    exif.get_ifd(0x8825)[1] = "SECRETNORTH"
    return bytes(exif.tobytes())


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_overlay_has_no_metadata(kind: str) -> None:
    from PIL import Image, PngImagePlugin

    from vision.overlay import draw
    from vision.photo import decode

    out = io.BytesIO()
    options: dict[str, Any] = {"exif": exif_with_everything(), "icc_profile": b"SECRETPROFILE"}
    if kind == "PNG":
        info = PngImagePlugin.PngInfo()
        info.add_text("Comment", "SECRETCOMMENT")
        options["pnginfo"] = info
    else:
        options["xmp"] = b"<x:xmpmeta>SECRETXMP</x:xmpmeta>"
    Image.new("RGB", (320, 240), (90, 120, 30)).save(out, kind, **options)
    assert b"SECRET" in out.getvalue()
    data = out.getvalue()
    drawn = draw(decode(data).pixels, StubReader().read(data))
    assert b"SECRET" not in drawn
    assert {name for name, _ in _chunks(drawn)} <= {b"IHDR", b"IDAT", b"IEND"}


def _chunks(png: bytes) -> list[tuple[bytes, bytes]]:
    position, found = 8, []
    while position < len(png):
        (length,) = struct.unpack_from(">I", png, position)
        found.append((png[position + 4 : position + 8], png[position + 8 : position + 8 + length]))
        position += 12 + length
    return found

from __future__ import annotations

import asyncio
import json
import tempfile
import threading
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from api.app import create_app
from api.errors import PROBLEMS
from api.settings import Settings
from api.threads import ThreadPool
from tests.api.conftest import BAD_FILES, HAND, MODEL, StubReader, photo_bytes, pool_of, wait_until
from vision import ModelError

JPEG = {"content-type": "image/jpeg"}


def problem(response: Any, code: str, status: int | None = None) -> dict[str, Any]:
    body: dict[str, Any] = response.json()
    assert response.headers["content-type"] == "application/problem+json", response.text
    assert body["code"] == code, body
    assert response.status_code == body["status"] == (status or PROBLEMS[code].status)
    assert body["request_id"] == response.headers["x-request-id"]
    assert body["title"]
    assert body["detail"]
    return body


def hands(client: TestClient, image: bytes | None = None, **request: Any) -> Any:
    files: dict[str, Any] = {"image": ("../../x.jpg", image or photo_bytes(), "image/jpeg")}
    if request:
        files["request"] = (None, json.dumps(request), "application/json")
    return client.post("/v1/hands", files=files)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_read_takes_multipart_and_raw_alike(client: TestClient, kind: str) -> None:
    image = photo_bytes(kind)
    raw = client.post("/v1/read", content=image, headers={"content-type": f"image/{kind.lower()}"})
    form = client.post("/v1/read", files={"image": ("a.jpg", image)})
    assert raw.status_code == form.status_code == 200
    assert raw.json() == form.json()
    answer = raw.json()
    assert answer["photo"] is None
    assert (answer["width"], answer["height"], answer["model"]) == (320, 240, MODEL)
    assert [tile["tile"] for tile in answer["tiles"]][:3] == ["1p", "1p", "1p"]


@pytest.mark.parametrize("name", BAD_FILES)
@pytest.mark.parametrize("path", ["/v1/read", "/v1/hands"])
@pytest.mark.parametrize("raw", [True, False])
def test_bad_photo(client: TestClient, path: str, raw: bool, name: str) -> None:
    make, code, status = BAD_FILES[name]
    image = make()
    if raw:
        response = client.post(path, content=image, headers=JPEG)
    else:
        response = client.post(path, files={"image": ("photo.jpg", image, "image/jpeg")})
    problem(response, code, status)


def test_names_of_clients_are_never_used(client: TestClient, reader: StubReader) -> None:
    hands(client)
    assert set(reader.names) == {None}


@pytest.mark.parametrize(
    "declared", ["text/plain", "application/json", "application/x-www-form-urlencoded", ""]
)
def test_other_types_of_body_are_refused(client: TestClient, declared: str) -> None:
    response = client.post("/v1/read", content=photo_bytes(), headers={"content-type": declared})
    problem(response, "unsupported_media_type", 415)


@pytest.mark.parametrize(
    ("content", "declared", "code"),
    [
        (b"", "multipart/form-data; boundary=x", "missing_image"),
        (b"--x\r\n\r\n", "multipart/form-data", "bad_multipart"),
        (b"garbage", "multipart/form-data; boundary=x", "bad_multipart"),
        (
            b'--x\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\nabc\r\n--x--\r\n',
            "multipart/form-data; boundary=x",
            "missing_image",
        ),
    ],
)
def test_malformed_multipart(client: TestClient, content: bytes, declared: str, code: str) -> None:
    problem(client.post("/v1/read", content=content, headers={"content-type": declared}), code, 400)


def test_more_parts_than_expected(client: TestClient) -> None:
    image = photo_bytes()
    problem(client.post("/v1/read", files=[("image", image), ("image", image)]), "bad_multipart")
    extra = client.post("/v1/hands", files={"image": image, "other": (None, "x")})
    problem(extra, "bad_multipart")


def test_declared_body_too_large(client: TestClient) -> None:
    response = client.post("/v1/read", content=b"x" * (1024 * 1024 + 1), headers=JPEG)
    problem(response, "body_too_large", 413)


def scope(**headers: str) -> dict[str, Any]:
    listed = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/v1/read",
        "raw_path": b"/v1/read",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"content-type", b"image/jpeg"), *listed],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }


def answer_to(app: FastAPI, receive: Any, **headers: str) -> list[Any]:
    """What a ready app sends to a client that sends what `receive` gives."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        await app.state.service.start()
        await app(scope(**headers), receive, send)
        await app.state.service.close()

    asyncio.run(run())
    return sent


@pytest.mark.parametrize("headers", [{}, {"content_length": "1000"}, {"content_length": "many"}])
def test_streamed_body_is_cut_at_the_limit(service_app: FastAPI, headers: dict[str, str]) -> None:
    """A chunked body, or one longer than it says, is refused after the limit and at most one chunk."""
    chunk = b"x" * 65536
    taken = 0

    async def receive() -> Any:
        nonlocal taken
        taken += len(chunk)
        return {"type": "http.request", "body": chunk, "more_body": True}

    sent = answer_to(service_app, receive, **headers)
    assert sent[0]["status"] == 413
    assert json.loads(sent[1]["body"])["code"] == "body_too_large"
    assert taken <= 1024 * 1024 + len(chunk)


def test_declared_body_too_large_is_refused_unread(service_app: FastAPI) -> None:
    async def receive() -> Any:
        raise AssertionError("the body was read")

    sent = answer_to(service_app, receive, content_length="64000000")
    assert sent[0]["status"] == 413
    assert json.loads(sent[1]["body"])["code"] == "body_too_large"


def test_slow_body_is_cut(reader: StubReader) -> None:
    async def receive() -> Any:
        await asyncio.sleep(5)

    sent = answer_to(create_app(Settings(receive_timeout_s=0.05), pool_of(reader)), receive)
    assert sent[0]["status"] == 408


def test_client_that_leaves_is_no_error(service_app: FastAPI, caplog: pytest.LogCaptureFixture) -> None:
    async def receive() -> Any:
        return {"type": "http.disconnect"}

    assert answer_to(service_app, receive)[0]["status"] == 499
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_photos_are_never_spooled_to_disk(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Any) -> None:
        raise AssertionError("a photo was written to disk")

    monkeypatch.setattr(tempfile.SpooledTemporaryFile, "rollover", refuse)
    big = photo_bytes("PNG", (560, 560))
    assert 900_000 < len(big) < 1024 * 1024
    assert hands(client, big, rules="hk").status_code == 200


def test_score(client: TestClient) -> None:
    request = {
        "hand": "[555z] 123m456m789m1p +1p",
        "context": {"win": "self_draw", "seat": "2z", "round": "1z"},
    }
    answer = client.post("/v1/score", json=request).json()
    assert answer["is_win"]
    assert answer["legal"]
    assert [fan["id"] for fan in answer["fans"]] == ["dragon_pung", "self_draw", "no_flowers"]
    assert answer["total"] == 3


@pytest.mark.parametrize(
    ("hand", "code"),
    [
        ("123m456m789m11p", "too_few_tiles"),
        ("123m456m789m111p55z9s", "too_many_tiles"),
        ("123m456m789m1111p", "too_few_tiles"),
        ("11111m456m789m11p5z", "five_of_a_tile"),
    ],
)
def test_hand_with_problems_is_an_answer(client: TestClient, hand: str, code: str) -> None:
    response = client.post("/v1/score", json={"hand": hand})
    assert response.status_code == 200
    answer = response.json()
    assert (answer["is_win"], answer["legal"], answer["total"]) == (False, False, 0)
    assert code in [entry["code"] for entry in answer["problems"]]


BAD_REQUESTS: list[tuple[dict[str, Any], str]] = [
    ({"hand": "12q"}, "bad_notation"),
    ({"hand": "11m", "rules": "riichi"}, "unknown_ruleset"),
    ({"hand": "11m", "options": {"no_such": 1}}, "bad_option"),
    ({"hand": "11m", "options": {"min_faan": "many"}}, "bad_option"),
    ({"hand": "11m", "context": {"seat": "5z"}}, "bad_context"),
    ({"hand": "11m", "context": {"win": "luck"}}, "bad_context"),
    ({"hand": "11m", "context": {"moon": True}}, "bad_context"),
    ({"hand": "11m", "context": []}, "bad_request"),
    ({"hand": "11m", "options": "x"}, "bad_request"),
    ({"hand": 5}, "bad_request"),
    ({"hand": "1m" * 1000}, "bad_request"),
    ({"hand": "11m", "extra": 1}, "bad_request"),
    ({}, "bad_request"),
]


@pytest.mark.parametrize(("request_", "code"), BAD_REQUESTS)
def test_bad_score_request(client: TestClient, request_: dict[str, Any], code: str) -> None:
    problem(client.post("/v1/score", json=request_), code, 400)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"[" * 60000, b'{"hand": NaN}', b"1" * 50000],
    ids=["empty", "open", "not utf-8", "deep", "nan", "endless number"],
)
def test_bad_json(client: TestClient, content: bytes) -> None:
    problem(
        client.post("/v1/score", content=content, headers={"content-type": "application/json"}), "bad_json"
    )


def test_json_that_is_no_object(client: TestClient) -> None:
    problem(client.post("/v1/score", json=[1]), "bad_request")


def test_json_body_has_a_limit_of_its_own(client: TestClient) -> None:
    problem(client.post("/v1/score", json={"hand": "1" * 70_000}), "body_too_large", 413)


def test_lone_surrogate_is_answered(client: TestClient) -> None:
    content = b'{"hand": "11m", "context": {"\\ud800": 1}}'
    problem(
        client.post("/v1/score", content=content, headers={"content-type": "application/json"}), "bad_context"
    )


def test_hands(client: TestClient) -> None:
    context = {"win": "discard", "seat": "1z", "round": "1z"}
    answer = hands(client, rules="hk", context=context, winning_tile="9s").json()
    assert answer["scored_hand"] == "111222333p 4569s +9s"
    assert answer["reading"]["hand"] == "111222333p 45699s"
    assert answer["score"]["is_win"]
    same = client.post("/v1/score", json={"hand": answer["scored_hand"], "context": context}).json()
    assert answer["score"] == same
    assert set(answer["timings"]) == {"read_ms", "score_ms"}


def test_hands_without_a_request_part(client: TestClient) -> None:
    raw = client.post("/v1/hands", content=photo_bytes(), headers=JPEG).json()
    form = hands(client).json()
    for answer in (raw, form):
        del answer["timings"]
    assert raw == form
    assert raw["score"]["rules"] == "hk"


def test_hands_with_a_corrected_hand(client: TestClient) -> None:
    answer = hands(client, hand="[555z] 123m456m789m11p").json()
    assert answer["score"]["sets"][0] == "555z"
    assert answer["reading"]["hand"] == "111222333p 45699s"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"hand": "12q"}, "bad_notation"),
        ({"winning_tile": "7z"}, "winning_tile_not_in_hand"),
        ({"winning_tile": "7q"}, "bad_notation"),
        ({"winning_tile": 7}, "bad_request"),
        ({"rules": "riichi"}, "unknown_ruleset"),
        ({"options": {"no_such": 1}}, "bad_option"),
        ({"context": {"seat": "x"}}, "bad_context"),
    ],
)
def test_bad_request_beside_a_photo(client: TestClient, request_: dict[str, Any], code: str) -> None:
    problem(hands(client, **request_), code)


@pytest.mark.parametrize("words", ["{", "[]", '"x"'])
def test_request_part_that_is_no_object(client: TestClient, words: str) -> None:
    files = {"image": photo_bytes(), "request": (None, words, "application/json")}
    problem(client.post("/v1/hands", files=files), "bad_json" if words == "{" else "bad_request")


def test_request_part_may_be_a_file_and_has_a_limit(client: TestClient) -> None:
    image = photo_bytes()
    as_file = {"image": image, "request": ("r.json", b'{"rules": "hk"}', "application/json")}
    assert client.post("/v1/hands", files=as_file).status_code == 200
    for part in [("r.json", b" " * 70_000), (None, b" " * 70_000)]:
        response = client.post("/v1/hands", files={"image": image, "request": part})
        assert response.status_code in (400, 413)
        assert response.json()["code"] in ("bad_multipart", "body_too_large")


def test_rulesets(client: TestClient) -> None:
    brief = client.get("/v1/rulesets").json()["rulesets"]
    assert "hk" in [rules["id"] for rules in brief]
    for rules in brief:
        whole = client.get(f"/v1/rulesets/{rules['id']}").json()
        assert whole["name"] == rules["name"]
        assert len(whole["fans"]) == rules["fans"]


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/v1/rulesets/riichi", "not_found"),
        ("GET", "/nothing", "not_found"),
        ("GET", "/v1/read", "method_not_allowed"),
        ("DELETE", "/v1/score", "method_not_allowed"),
    ],
)
def test_addresses_and_methods(client: TestClient, method: str, path: str, code: str) -> None:
    problem(client.request(method, path), code)


def test_own_mistake_is_500_without_its_text(client: TestClient, reader: StubReader) -> None:
    reader.failure = RuntimeError("secret path /srv/x")
    response = client.post("/v1/read", content=photo_bytes(), headers=JPEG)
    problem(response, "internal", 500)
    assert "secret" not in response.text


def test_model_failure_is_503_without_its_text(client: TestClient, reader: StubReader) -> None:
    reader.failure = ModelError("model_output", "secret")
    response = client.post("/v1/read", content=photo_bytes(), headers=JPEG)
    problem(response, "model_unavailable", 503)
    assert "secret" not in response.text
    assert response.headers["retry-after"] == "1"


def test_overload_is_refused_at_once(client: TestClient, reader: StubReader) -> None:
    """One worker, one place to wait: the third photo is refused, scores are answered, places come free."""
    reader.hold.clear()
    answers: list[int] = []

    def send() -> None:
        answers.append(client.post("/v1/read", content=photo_bytes(), headers=JPEG).status_code)

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    photos = client.app.state.service.pool  # type: ignore[attr-defined]
    wait_until(lambda: photos.taken == 2)
    refused = client.post("/v1/read", content=photo_bytes(), headers=JPEG)
    problem(refused, "overloaded", 503)
    assert refused.headers["retry-after"] == "1"
    assert client.get("/healthz").status_code == 200
    assert client.post("/v1/score", json={"hand": HAND}).status_code == 200
    reader.hold.set()
    for thread in threads:
        thread.join(10)
    assert answers == [200, 200]
    assert client.post("/v1/read", content=photo_bytes(), headers=JPEG).status_code == 200


def waiting_pool(reader: StubReader) -> ThreadPool:
    """A pool whose reader takes as long to load as its hold lasts."""

    def load() -> StubReader:
        reader.hold.wait(10)
        return reader

    return ThreadPool(load)


def test_not_ready_until_warm(settings: Settings, reader: StubReader) -> None:
    reader.hold.clear()
    with TestClient(create_app(settings, waiting_pool(reader))) as client:
        assert client.get("/healthz").json() == {"status": "ok"}
        problem(client.get("/readyz"), "not_ready", 503)
        problem(client.post("/v1/read", content=photo_bytes(), headers=JPEG), "not_ready", 503)
        assert client.post("/v1/score", json={"hand": HAND}).status_code == 200
        reader.hold.set()
        wait_until(lambda: client.get("/readyz").status_code == 200)
        assert client.get("/readyz").json() == {"status": "ready", "model": MODEL}


def test_blind_reader_never_gets_ready(settings: Settings, reader: StubReader) -> None:
    def load() -> StubReader:
        raise RuntimeError("blind")

    called = threading.Event()
    with TestClient(create_app(settings, ThreadPool(load), on_failure=called.set)) as client:
        assert called.wait(5)
        problem(client.get("/readyz"), "not_ready", 503)
        assert "blind" not in client.get("/readyz").text
        assert client.get("/healthz").status_code == 200


def test_not_ready_while_stopping(client: TestClient) -> None:
    client.app.state.service.stop_admitting()  # type: ignore[attr-defined]
    problem(client.get("/readyz"), "not_ready", 503)

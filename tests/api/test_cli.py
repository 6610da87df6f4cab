from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from api.cli import app
from tests.api.conftest import BAD_FILES, StubReader, photo_bytes
from vision import ModelError

WIN = "[555z] 123m456m789m1p +1p"
runner = CliRunner()


@pytest.fixture(autouse=True)
def stubbed(monkeypatch: pytest.MonkeyPatch, reader: StubReader) -> None:
    monkeypatch.setattr("vision.load_reader", lambda models=None, detector=None, own_set=None: reader)


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Any:
    return runner.invoke(app, [str(argument) for argument in arguments], input=stdin)


def lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_read_json_is_what_http_says(client: TestClient, photo: Path) -> None:
    result = run("read", photo, "--json")
    assert result.exit_code == 0
    (answer,) = lines(result.stdout)
    over_http = client.post("/v1/read", content=photo.read_bytes(), headers={"content-type": "image/jpeg"})
    assert answer == {**over_http.json(), "photo": str(photo)}
    assert list(answer)[:7] == ["photo", "width", "height", "tiles", "hand", "doubts", "model"]


def test_read_goes_on_after_a_bad_photo(tmp_path: Path, photo: Path) -> None:
    paths = []
    for name, (make, _, _) in BAD_FILES.items():
        paths.append(tmp_path / f"{name}.jpg")
        paths[-1].write_bytes(make())
    result = run("read", *paths, tmp_path / "absent.jpg", tmp_path, photo, "--json")
    assert result.exit_code == 1
    answers = lines(result.stdout)
    codes = [answer["error"]["code"] for answer in answers[:-1]]
    assert codes == [code for _, code, _ in BAD_FILES.values()] + ["photo_unreadable"] * 2
    assert [answer["photo"] for answer in answers[:-3]] == [str(path) for path in paths]
    assert answers[-1]["tiles"]
    plain = run("read", paths[1], photo)
    assert plain.exit_code == 1
    assert "error [image_type]" in plain.stderr
    assert "一筒" in plain.stdout


def test_overlay(tmp_path: Path, photo: Path) -> None:
    out = tmp_path / "out.png"
    assert run("read", photo, "--overlay", out).exit_code == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    assert run("read", photo, photo, "--overlay", out).exit_code == 2
    failed = run("hand", photo, "--overlay", tmp_path / "no" / "out.png", "--json")
    assert failed.exit_code == 1
    assert lines(failed.stdout)[0]["error"]["code"] == "overlay_unwritable"


def test_score_json_is_what_http_says(client: TestClient) -> None:
    result = run(
        "score", WIN, "--seat", "south", "--round", "E", "--self-draw", "--option", "min_faan=1", "--json"
    )
    request = {
        "hand": WIN,
        "context": {"win": "self_draw", "seat": "2z", "round": "1z"},
        "options": {"min_faan": 1},
    }
    over_http = client.post("/v1/score", json=request)
    assert result.exit_code == 0
    assert result.stdout.strip().encode() == over_http.content
    batch = run("score", "--batch", stdin=json.dumps(request) + "\n")
    assert batch.stdout == result.stdout


def test_score_for_people() -> None:
    result = run("score", WIN, "--seat", "2z", "--round", "1z", "--self-draw")
    assert result.exit_code == 0
    for word in ("Dragon Pung", "三元牌", "total 3", "minimum 3 met"):
        assert word in result.stdout
    open_result = run("score", WIN)
    assert "decided by" in open_result.stdout
    assert "from " in open_result.stdout
    short = run("score", WIN, "--win", "discard", "--seat", "2z", "--round", "1z")
    assert "minimum 3 not met" in short.stdout


def test_hand_that_does_not_win_is_an_answer() -> None:
    result = run("score", "123m456m789m11p")
    assert result.exit_code == 0
    assert "too_few_tiles" in result.stdout
    assert "no winning hand" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("12q",), "bad_notation"),
        ((WIN, "--rules", "riichi"), "unknown_ruleset"),
        ((WIN, "--seat", "up"), "bad_context"),
        ((WIN, "--win", "luck"), "bad_context"),
        ((WIN, "--flag", "moon"), "bad_context"),
        ((WIN, "--option", "moon=1"), "bad_option"),
        ((WIN, "--option", "moon"), "bad_request"),
        ((WIN, "--self-draw", "--win", "discard"), "bad_request"),
    ],
)
def test_score_errors(arguments: tuple[str, ...], code: str) -> None:
    as_json = run("score", *arguments, "--json")
    assert as_json.exit_code == 1
    assert lines(as_json.stdout)[0]["error"]["code"] == code
    plain = run("score", *arguments)
    assert plain.exit_code == 1
    assert plain.stdout == ""
    assert f"error [{code}]" in plain.stderr


def test_batch_answers_in_order_and_fails_at_the_end() -> None:
    requests = [json.dumps({"hand": WIN}), "{", "", '{"hand": "9q"}', "[]", '{"hand": "11m", "rules": "x"}']
    result = run("score", "--batch", stdin="\n".join([*requests, json.dumps({"hand": WIN})]))
    assert result.exit_code == 1
    answers = lines(result.stdout)
    codes = [answer["error"]["code"] if "error" in answer else "" for answer in answers]
    assert codes == ["", "bad_json", "bad_notation", "bad_request", "unknown_ruleset", ""]
    assert set(answers[1]) == {"error"}
    assert run("score", "--batch", stdin=b'\xff\xfe\n{"hand": "11m"}\n').exit_code == 1
    assert run("score", "--batch", stdin="").exit_code == 0


def test_score_without_a_hand_is_wrong_usage() -> None:
    assert run("score").exit_code == 2


def test_hand_json_is_what_http_says(client: TestClient, photo: Path) -> None:
    arguments = ("--winning-tile", "9s", "--seat", "east", "--round", "1z", "--win", "discard", "--json")
    (answer,) = lines(run("hand", photo, *arguments).stdout)
    words = {"context": {"win": "discard", "seat": "1z", "round": "1z"}, "winning_tile": "9s"}
    files = {"image": photo.read_bytes(), "request": (None, json.dumps(words), "application/json")}
    over_http = client.post("/v1/hands", files=files).json()
    for one in (answer, over_http):
        del one["timings"]
    over_http["reading"]["photo"] = str(photo)
    assert answer == over_http


def test_hand_for_people(photo: Path) -> None:
    result = run("hand", photo, "--winning-tile", "9s", "--seat", "1z", "--round", "1z", "--self-draw")
    assert result.exit_code == 0
    for word in ("row 1", "111222333p 4569s +9s", "total", "Self-Draw", "自摸"):
        assert word in result.stdout
    corrected = run("hand", photo, "--hand", WIN, "--json")
    assert lines(corrected.stdout)[0]["scored_hand"] == "[555z] 123456789m 1p +1p"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--winning-tile", "7z"), "winning_tile_not_in_hand"),
        (("--winning-tile", "7q"), "bad_notation"),
        (("--rules", "riichi"), "unknown_ruleset"),
        (("--hand", "(("), "bad_notation"),
    ],
)
def test_hand_errors(photo: Path, arguments: tuple[str, ...], code: str) -> None:
    result = run("hand", photo, *arguments, "--json")
    assert result.exit_code == 1
    (answer,) = lines(result.stdout)
    assert (answer["photo"], answer["error"]["code"]) == (str(photo), code)


@pytest.mark.parametrize("name", BAD_FILES)
def test_hand_of_a_bad_photo(tmp_path: Path, name: str) -> None:
    make, code, _ = BAD_FILES[name]
    path = tmp_path / "bad.jpg"
    path.write_bytes(make())
    assert f"error [{code}]" in run("hand", path).stderr


@pytest.mark.parametrize(
    ("tiles", "code"),
    [
        ("111222333p45699", "too_few_tiles"),
        ("111222333p456999s9m", "too_many_tiles"),
        ("11111p222333p999s", "five_of_a_tile"),
    ],
)
def test_photo_of_no_hand_is_an_answer(photo: Path, reader: StubReader, tiles: str, code: str) -> None:
    from scorer import Hand

    reader.hand = Hand.parse(tiles if tiles[-1].isalpha() else f"{tiles[:-1]}s")
    result = run("hand", photo, "--json")
    assert result.exit_code == 0
    score = lines(result.stdout)[0]["score"]
    assert not score["is_win"]
    assert code in [entry["code"] for entry in score["problems"]]


def test_models_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, photo: Path) -> None:
    def fail(models: Path | None = None, **_: object) -> None:
        raise ModelError("model_missing", "no manifest in /nowhere")

    monkeypatch.setattr("vision.load_reader", fail)
    result = run("read", photo, "--json")
    assert result.exit_code == 3
    assert lines(result.stdout) == [{"error": {"code": "model_missing", "detail": "no manifest in /nowhere"}}]


@pytest.mark.parametrize("command", ["read", "hand"])
def test_a_detector_of_ones_own_reaches_the_reader(
    monkeypatch: pytest.MonkeyPatch, reader: StubReader, photo: Path, command: str
) -> None:
    asked: list[Path | None] = []

    def load(models: Path | None = None, detector: Path | None = None, **_: object) -> StubReader:
        asked.append(detector)
        return reader

    monkeypatch.setattr("vision.load_reader", load)
    assert run(command, photo, "--detector", "mine.pt", "--json").exit_code == 0
    assert asked == [Path("mine.pt")]


def test_rules(client: TestClient) -> None:
    assert lines(run("rules", "--json").stdout) == [client.get("/v1/rulesets").json()]
    assert lines(run("rules", "hk", "--json").stdout) == [client.get("/v1/rulesets/hk").json()]
    assert "Hong Kong" in run("rules").stdout
    table = run("rules", "hk").stdout
    assert "三元牌" in table
    assert "min_faan" in table
    assert run("rules", "riichi").exit_code == 1


@pytest.mark.parametrize("rules", ["hk", "mcr", "singapore", "tvb"])
def test_the_whole_table_of_a_rule_set_is_shown(client: TestClient, rules: str) -> None:
    whole = client.get(f"/v1/rulesets/{rules}").json()
    assert lines(run("rules", rules, "--json").stdout) == [whole]
    shown = run("rules", rules).stdout
    table, words = shown.split("Not counted beside")[0].splitlines(), " ".join(shown.split())
    assert f"minimum {whole['minimum']}" in words
    for fan in whole["fans"]:
        assert fan["source"]
        (row,) = [line for line in table if f" {fan['id']} " in line]
        assert fan["name"]["zh"] in row
        assert f" {fan['points']} " in row
        assert fan["name"]["en"] in row
        assert fan["source"] in row
        for item in fan["excludes"]:
            assert item["rule"] in words
            assert item["id"] in words
    for option in whole["options"]:
        assert f"{option['id']} = " in words
        assert option["description"] in words
    for source in whole["sources"]:
        assert source in words


def test_serve_refuses_wrong_settings_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAHJONG_READER_WORKERS", "none")
    monkeypatch.setenv("MAHJONG_READER_QUEUE", "-1")
    result = run("serve", "--port", "99999")
    assert result.exit_code == 2
    named = [line.split(": ")[1] for line in result.stderr.splitlines()]
    assert named == ["MAHJONG_READER_PORT", "MAHJONG_READER_QUEUE", "MAHJONG_READER_WORKERS"]


@pytest.mark.parametrize("arguments", [["score", WIN, "--json"], ["score", WIN], ["rules"]])
def test_text_commands_load_no_vision_and_no_server(arguments: list[str]) -> None:
    script = (
        "import sys\n"
        f"sys.argv = ['mahjong-reader', *{arguments!r}]\n"
        "from api.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit as ended:\n    assert not ended.code, ended.code\n"
        "heavy = {'cv2', 'numpy', 'onnxruntime', 'fastapi', 'PIL', 'torch', 'pydantic_settings'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()


def test_output_survives_a_terminal_without_utf8() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    code = "from api.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "score", WIN],
        capture_output=True,
        env=environment,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert "三元牌" in done.stdout.decode("utf-8")


def test_photo_named_oddly(tmp_path: Path) -> None:
    path = tmp_path / "[bold]手牌 1.jpg"
    path.write_bytes(photo_bytes())
    assert "[bold]手牌" in run("read", path).stdout


def test_adapting_to_a_set_of_ones_own(tmp_path: Path, photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the real networks: what a photo shows is learnt, kept, added to, and read with."""
    from vision.reader import load_reader

    monkeypatch.setattr("vision.load_reader", load_reader)
    sample = Path(__file__).parents[2] / "datasets/samples/hand.jpg"
    own = tmp_path / "club.json"
    told = "234666789m 11777z"
    assert run("adapt", sample, "--tiles", told, "--out", own, "--name", "club").exit_code == 0
    again = run("adapt", sample, "--tiles", told, "--out", own)
    assert "'club' with 28 faces of 9 tiles" in again.stdout
    (plain,) = lines(run("read", sample, "--json").stdout)
    (taught,) = lines(run("read", sample, "--set", own, "--json").stdout)
    assert [tile["tile"] for tile in taught["tiles"]] == [tile["tile"] for tile in plain["tiles"]]
    assert min(t["confidence"] for t in taught["tiles"]) >= min(t["confidence"] for t in plain["tiles"])
    assert taught["model"] == {**plain["model"], "set": "club"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--tiles", "123m"), "own_set_count"),
        (("--tiles", "123m", "--tiles", "1m"), "bad_request"),
        (("--tiles", "xyz"), "bad_notation"),
        (("--tiles", "777z 11z 987666432m"), "own_set_order"),
    ],
)
def test_a_set_that_cannot_be_learnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: str
) -> None:
    from vision.reader import load_reader

    monkeypatch.setattr("vision.load_reader", load_reader)
    sample = Path(__file__).parents[2] / "datasets/samples/hand.jpg"
    result = run("adapt", sample, *arguments, "--out", tmp_path / "own.json")
    assert result.exit_code == 1
    assert f"error [{code}]" in result.stderr
    assert not (tmp_path / "own.json").exists()


def test_a_file_that_is_no_set(tmp_path: Path, photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from vision.reader import load_reader

    monkeypatch.setattr("vision.load_reader", load_reader)
    (tmp_path / "own.json").write_text("{}")
    result = run("read", photo, "--set", tmp_path / "own.json", "--json")
    assert result.exit_code == 3
    assert lines(result.stdout)[0]["error"]["code"] == "own_set_file"
    result = run("read", photo, "--set", tmp_path / "absent.json", "--json")
    assert lines(result.stdout)[0]["error"]["code"] == "own_set_file"

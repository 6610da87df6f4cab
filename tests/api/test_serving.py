"""The real thing: the command as a process, with the trained models where they are present."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.cli import app
from vision import ModelError, load_reader

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = sorted((ROOT / "datasets" / "samples").glob("*.jpg"))


@pytest.fixture(scope="module")
def sample() -> Path:
    if not SAMPLES:
        pytest.skip("no sample photo in datasets/samples")
    try:
        load_reader()
    except ModelError as error:
        pytest.skip(f"no trained models: {error.detail}")
    return SAMPLES[0]


def serve(port: int, **environment: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "api", "serve", "--port", str(port)]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}, stderr=subprocess.PIPE)


def get(port: int, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        if body is None:
            connection.request("GET", path)
        else:
            connection.request("POST", path, body, {"Content-Type": "image/jpeg"})
        response = connection.getresponse()
        return response.status, response.read()
    except OSError:
        return 0, b""
    finally:
        connection.close()


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number


@pytest.fixture
def served(sample: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    process = serve(port)
    try:
        end = time.monotonic() + 300
        while get(port, "/readyz")[0] != 200:
            assert process.poll() is None, process.communicate()[1].decode()
            assert time.monotonic() < end, "not ready within five minutes"
            time.sleep(0.05)
        yield process
    finally:
        process.kill()
        process.communicate()


def test_service_reads_and_scores_the_sample(
    served: subprocess.Popen[bytes], port: int, sample: Path
) -> None:
    status, body = get(port, "/v1/hands", sample.read_bytes())
    assert status == 200, body
    over_http = json.loads(body)
    assert len(over_http["reading"]["tiles"]) >= 13
    printed = json.loads(CliRunner().invoke(app, ["hand", str(sample), "--json"]).stdout)
    for answer in (over_http, printed):
        del answer["timings"], answer["reading"]["photo"]
    assert over_http == printed
    served.send_signal(signal.SIGTERM)
    assert served.wait(20) in (0, -signal.SIGTERM)


def test_service_without_models_ends_with_status_3(port: int, tmp_path: Path) -> None:
    process = serve(port, MAHJONG_READER_MODELS=str(tmp_path))
    _, log = process.communicate(timeout=30)
    assert process.returncode == 3
    assert b"manifest" in log

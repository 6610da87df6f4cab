"""Clients that others would generate from our description: they are made, compile, and work."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.app import create_app
from api.settings import Settings
from tests.api.live import Live, live

HERE = Path(__file__).parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "mahjong-reader-tests"


@pytest.fixture(scope="module")
def service() -> Iterator[Live]:
    with live(workers=1) as running:
        yield running


@pytest.fixture(scope="module")
def description(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clients") / "openapi.json"
    path.write_text(json.dumps(create_app(Settings()).openapi()), "utf-8")
    return path


@pytest.fixture(scope="module")
def packages() -> Path:
    """What `package.json` names, installed once into a cache."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("no node and npm here to build a TypeScript client with")
    folder = CACHE / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = (HERE / "package.json").read_text("utf-8")
    stamp = folder / "package.json"
    if not stamp.exists() or stamp.read_text("utf-8") != wanted or not (folder / "node_modules").exists():
        stamp.write_text(wanted, "utf-8")
        command = ["npm", "install", "--no-fund", "--no-audit", "--silent"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
        if done.returncode:
            stamp.unlink()
            pytest.skip(f"npm cannot install what the TypeScript client needs: {done.stderr[-200:]}")
    return folder


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_typescript_client(packages: Path, description: Path, service: Live, tmp_path: Path) -> None:
    tools = packages / "node_modules" / ".bin"
    (tmp_path / "node_modules").symlink_to(packages / "node_modules")
    shutil.copy(HERE / "package.json", tmp_path)
    shutil.copy(HERE / "check.ts", tmp_path)
    # What has a default need not be sent.
    made = ("--default-non-nullable=false", "-o", tmp_path / "generated.ts")
    run(tools / "openapi-typescript", description, *made, cwd=tmp_path)
    flags = ("--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "--skipLibCheck")
    run(tools / "tsc", *flags, "check.ts", cwd=tmp_path)
    said = json.loads(run("node", "check.js", f"http://127.0.0.1:{service.port}", cwd=tmp_path))
    assert said["hand"] == "111222333p 45699s"
    assert said["code"] == "unknown_ruleset"
    assert said["total"] >= 8
    assert any("Pure Straight" in fan for fan in said["fans"])


@pytest.mark.slow
@pytest.mark.parametrize(("language", "suffix"), [("kotlin", ".kt"), ("swift6", ".swift")])
def test_mobile_clients_are_generated(description: Path, tmp_path: Path, language: str, suffix: str) -> None:
    """There is no compiler for them here: that every operation and shape is there is what can be said."""
    pytest.importorskip("openapi_generator_cli", reason="no OpenAPI Generator (openapi-generator-cli) here")
    if shutil.which("java") is None:
        pytest.skip("no Java here to run the OpenAPI Generator with")
    from openapi_generator_cli import run as generate

    generate(["generate", "-g", language, "-i", str(description), "-o", str(tmp_path)])
    files = {path.stem: path.read_text("utf-8") for path in tmp_path.rglob(f"*{suffix}")}
    for shape in ("ScoreAnswer", "HandAnswer", "SettlementBody", "ProblemBody"):
        assert shape in files
    text = "\n".join(files.values())
    for operation in (
        ("fun hands(", "func hands("),
        ("fun score(", "func score("),
        ("fun read(", "func read("),
    ):
        assert any(name in text for name in operation)

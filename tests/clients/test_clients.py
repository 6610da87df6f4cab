"""Clients that others would generate from our description: they are made, compile, and work."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.app import create_app
from api.settings import Settings
from tests.api.live import Live, live
from tests.hostile.corpora import Corpus, Unavailable

HERE = Path(__file__).parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "mahjong-reader-tests"

GENERATOR = "openapi-generator-cli==7.26.0"
GSON = Corpus(
    "libgoogle-gson-java",
    "deb",
    "2.10-1",
    "libgoogle-gson-java_2.10-1_all.deb",
    "d96f9671cd867fc5b63059f613d9300d3b382ee6dca63e86c11076a844601050",
    "/usr/share/java/",
    1,
)


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
    """What the TypeScript client is built with."""
    return installed(HERE / "package.json", "npm")


def installed(wanted: Path, name: str) -> Path:
    """What a `package.json` names, installed once into a cache; skips where it cannot be."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("no node and npm here to get what a client is built with")
    folder = CACHE / name
    folder.mkdir(parents=True, exist_ok=True)
    text = wanted.read_text("utf-8")
    stamp = folder / "package.json"
    if not stamp.exists() or stamp.read_text("utf-8") != text or not (folder / "node_modules").exists():
        stamp.write_text(text, "utf-8")
        command = ["npm", "install", "--no-fund", "--no-audit", "--silent"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
        if done.returncode:
            stamp.unlink()
            pytest.skip(f"npm cannot install what the client needs: {done.stderr[-200:]}")
    return folder


@pytest.fixture(scope="module")
def generator() -> Path:
    """The jar of the OpenAPI Generator, out of the package that carries it, installed once into a cache."""
    if shutil.which("java") is None:
        pytest.skip("no Java here to run the OpenAPI Generator with")
    folder = CACHE / "generator"
    found = sorted(folder.rglob("openapi-generator*.jar"))
    if not found:
        command = ["install", "-q", "--no-deps", "--target", str(folder), GENERATOR]
        done = subprocess.run(
            [sys.executable, "-m", "pip", *command], capture_output=True, text=True, check=False, timeout=600
        )
        found = sorted(folder.rglob("openapi-generator*.jar"))
        if done.returncode or not found:
            pytest.skip(f"{GENERATOR} cannot be installed: {done.stderr[-200:]}")
    return found[0]


@pytest.fixture(scope="module")
def gson(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The JSON library that the generated Kotlin asks for."""
    path = tmp_path_factory.mktemp("gson") / "gson.jar"
    try:
        path.write_bytes(dict(GSON.items())["gson.jar"])
    except Unavailable as error:
        pytest.skip(str(error))
    return path


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
def test_kotlin_client(generator: Path, gson: Path, description: Path, service: Live, tmp_path: Path) -> None:
    """The shapes are generated and compiled, and a program that uses them talks to the service.

    What the generator makes to send requests with wants a library that no registry here has; the program
    sends them with the platform's own.
    """
    compiler = installed(HERE / "kotlin" / "package.json", "kotlin") / "node_modules" / "kotlin-compiler"
    only_models = ("--global-property", "models,modelDocs=false,modelTests=false")
    # One of several types is an empty class to this generator; these values are read as they come.
    mapped = ("--schema-mappings", "Options_value=kotlin.Any,Context_value=kotlin.Any")
    told = "serializationLibrary=gson,packageName=hand,enumPropertyNaming=original"
    made = ("generate", "-g", "kotlin", "-i", description, "-o", tmp_path, f"--additional-properties={told}")
    run("java", "-jar", generator, *made, *only_models, *mapped, cwd=tmp_path)
    sources = sorted(tmp_path.rglob("models/*.kt"))
    assert {"ScoreAnswer", "HandAnswer", "ProblemBody"} <= {path.stem for path in sources}
    check = HERE / "kotlin" / "check.kt"
    kotlinc = ("bash", compiler / "bin" / "kotlinc", "-nowarn", "-cp", gson, "-d", tmp_path / "client.jar")
    run(*kotlinc, *sources, check, cwd=tmp_path)
    paths = (tmp_path / "client.jar", gson, compiler / "lib" / "kotlin-stdlib.jar")
    ways = os.pathsep.join(map(str, paths))
    said = json.loads(run("java", "-cp", ways, "CheckKt", f"http://127.0.0.1:{service.port}", cwd=tmp_path))
    assert said["hand"] == "111222333p 45699s"
    assert said["code"] == "unknown_ruleset"
    assert said["total"] >= 8
    assert any("Pure Straight" in fan for fan in said["fans"])
    assert sum(said["payments"].values()) == 0


@pytest.mark.slow
def test_swift_client_is_generated(generator: Path, description: Path, tmp_path: Path) -> None:
    """There is no compiler for it here: that every operation and shape is there is what can be said."""
    made = ("generate", "-g", "swift6", "-i", description, "-o", tmp_path)
    run("java", "-jar", generator, *made, cwd=tmp_path)
    files = {path.stem: path.read_text("utf-8") for path in tmp_path.rglob("*.swift")}
    for shape in ("ScoreAnswer", "HandAnswer", "SettlementBody", "ProblemBody"):
        assert shape in files
    text = "\n".join(files.values())
    for operation in ("func hands(", "func score(", "func read("):
        assert operation in text

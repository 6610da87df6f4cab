"""The papers of the house agree with each other and with the code."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERBS = ("install", "demo", "test", "serve", "bench")
COMMANDS = ("read", "score", "hand", "serve")
MAX_FILE_BYTES = 500_000
MAX_WEIGHTS_BYTES = 16_000_000
# Folders of one machine.
MACHINE_PATHS = re.compile(r"(?<![\w.])/(?:work|root|home|Users)/[\w.]")


def read(name: str) -> str:
    path = ROOT / name
    assert path.is_file(), f"{name} is missing"
    return path.read_text(encoding="utf-8")


def make_verbs() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):(?!=)", read("Makefile"), re.MULTILINE))


def requirement_names() -> list[str]:
    every = [*PROJECT["dependencies"], *(r for rs in PROJECT["optional-dependencies"].values() for r in rs)]
    return sorted({re.split(r"[^\w.-]", requirement, maxsplit=1)[0] for requirement in every})


@pytest.fixture(scope="module")
def project_files() -> list[Path]:
    """What is, or by the next commit could be, in the repository."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"git does not list this checkout: {done.stderr.strip()}")
    listed = [ROOT / name for name in done.stdout.split("\0") if name]
    return [path for path in listed if path.is_file()]


def test_changelog_begins_with_this_version() -> None:
    versions = re.findall(r"^## \[(\d[^\]]*)\] - (\d{4}-\d{2}-\d{2})$", read("CHANGELOG.md"), re.MULTILINE)
    assert versions, "CHANGELOG.md names no version"
    assert versions[0][0] == PROJECT["version"]
    assert [date for _, date in versions] == sorted((date for _, date in versions), reverse=True)


def test_installed_version_is_this_version() -> None:
    assert metadata.version("mahjong-reader") == PROJECT["version"]


def test_licence_is_the_whole_agpl() -> None:
    text = read("LICENSE")
    assert PROJECT["license"] == "AGPL-3.0-only"
    assert text.lstrip().startswith("GNU AFFERO GENERAL PUBLIC LICENSE\n")
    assert "Version 3, 19 November 2007" in text
    assert "13. Remote Network Interaction" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert "AGPL-3.0" in read("DECISIONS.md")


@pytest.mark.parametrize("name", requirement_names())
def test_every_dependency_is_justified(name: str) -> None:
    row = re.search(rf"^\| `{re.escape(name)}` \|(.+)\|(.+)\|$", read("DECISIONS.md"), re.MULTILINE)
    assert row, f"DECISIONS.md gives no licence and reason for {name}"
    assert all(cell.strip() for cell in row.groups())


def test_serving_needs_no_training_framework() -> None:
    base = " ".join(PROJECT["dependencies"])
    assert not re.search(r"torch|ultralytics|opencv-python(?!-headless)", base)


@pytest.mark.parametrize("verb", VERBS)
def test_make_has_the_verb(verb: str) -> None:
    assert verb in make_verbs()


def test_ci_runs_make_test() -> None:
    text = read(".ci/run")
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in text
    assert re.search(r"^(exec )?make test$", text, re.MULTILINE)
    assert os.access(ROOT / ".ci/run", os.X_OK)


@pytest.mark.parametrize("verb", VERBS)
def test_readme_names_the_verb(verb: str) -> None:
    assert f"make {verb}" in read("README.md")


@pytest.mark.parametrize("command", COMMANDS)
def test_readme_names_the_command(command: str) -> None:
    assert f"mahjong-reader {command}" in read("README.md")


def test_readme_names_no_verb_that_does_not_exist() -> None:
    named = set(
        re.findall(r"(?:^|[`$ ])make ([a-z][a-z-]*)(?=[`\s#]|$)", code_of(read("README.md")), re.MULTILINE)
    )
    assert named <= make_verbs()


def test_readme_points_at_files_that_exist() -> None:
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", read("README.md"))
    assert [link for link in links if not (ROOT / link).exists()] == []


def code_of(markdown: str) -> str:
    """The fenced blocks and code spans of a page: what a reader would type."""
    return "\n".join(a or b for a, b in re.findall(r"```[a-z]*\n(.*?)```|`([^`\n]+)`", markdown, re.DOTALL))


def test_no_file_names_a_folder_of_one_machine(project_files: list[Path]) -> None:
    found = []
    for path in project_files:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # pictures and weights
        found += [f"{path.relative_to(ROOT)}: {m.group()}" for m in MACHINE_PATHS.finditer(text)]
    assert found == []


def test_files_stay_small(project_files: list[Path]) -> None:
    too_big = [
        str(path.relative_to(ROOT))
        for path in project_files
        if path.stat().st_size > (MAX_WEIGHTS_BYTES if path.suffix == ".onnx" else MAX_FILE_BYTES)
    ]
    assert too_big == []


def test_no_checkpoints_or_caches(project_files: list[Path]) -> None:
    wrong = [p.name for p in project_files if p.suffix in {".pt", ".pth", ".pyc", ".cache", ".whl"}]
    assert wrong == []


def test_no_file_is_there_twice(project_files: list[Path]) -> None:
    seen: dict[str, Path] = {}
    twice = []
    for path in project_files:
        data = path.read_bytes()
        first = seen.setdefault(hashlib.sha256(data).hexdigest(), path)
        if first is not path and len(data) > 200:  # markers such as py.typed are meant to be alike
            twice.append(f"{path.relative_to(ROOT)} = {first.relative_to(ROOT)}")
    assert twice == []


# Near misses of the two patterns above.


@pytest.mark.parametrize(
    ("text", "caught"),
    [
        ("see {}work/main/x", True),
        ("cd {}home/me", True),
        ("framework{}work/x", False),
        ("{}homework/x", False),
        ("example.org{}home/x", False),
    ],
)
def test_machine_paths_are_told_from_others(text: str, caught: bool) -> None:
    assert bool(MACHINE_PATHS.search(text.format("/"))) is caught


@pytest.mark.parametrize(
    ("markdown", "code"),
    [("we make tests", ""), ("type `make demo`", "make demo"), ("```sh\nmake test\n```", "make test\n")],
)
def test_code_is_told_from_prose(markdown: str, code: str) -> None:
    assert code_of(markdown) == code

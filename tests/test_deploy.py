"""What is shipped to run elsewhere says the same as the code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from api.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("name", ["Containerfile", "compose.yaml", "kubernetes/reader.yaml", "README.md"])
def test_every_setting_that_is_named_exists(name: str) -> None:
    named = set(re.findall(rf"{PREFIX}([A-Z][A-Z0-9_]*[A-Z0-9])", (DEPLOY / name).read_text("utf-8")))
    assert named <= {field.upper() for field in Settings.model_fields}


def test_kubernetes_asks_the_addresses_that_exist() -> None:
    text = (DEPLOY / "kubernetes" / "reader.yaml").read_text("utf-8")
    assert set(re.findall(r"path: (/\w+)", text)) == {"/livez", "/readyz", "/metrics"}
    assert re.search(r"livenessProbe:\n\s+httpGet: \{path: /livez", text)
    assert re.search(r"readinessProbe:\n\s+httpGet: \{path: /readyz", text)


def test_nothing_runs_as_root_or_writes() -> None:
    assert "USER 10001" in (DEPLOY / "Containerfile").read_text("utf-8")
    assert "read_only: true" in (DEPLOY / "compose.yaml").read_text("utf-8")
    assert "readOnlyRootFilesystem: true" in (DEPLOY / "kubernetes" / "reader.yaml").read_text("utf-8")


def test_lock_has_hashes_for_every_dependency() -> None:
    """A release that was made to deceive has the right name and version, but not the right hash."""
    text = (DEPLOY / "requirements.lock").read_text("utf-8")
    pinned = re.findall(
        r"^([a-z0-9][\w.-]*)==[^ ]+(?: ;[^\\\n]*)? \\\n((?:    --hash=sha256:[0-9a-f]{64}.*\n)+)", text, re.M
    )
    names = {name for name, _ in pinned}
    assert len(names) == len(set(re.findall(r"^([a-z0-9][\w.-]*)==", text, re.M))) > 20
    needed = {re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in PROJECT["dependencies"]}
    for extra in ("heif", "sheet"):
        needed |= {
            re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in PROJECT["optional-dependencies"][extra]
        }
    assert needed <= names
    assert "://" not in re.sub(r"#.*", "", text)


def test_serving_stays_above_the_versions_that_were_broken() -> None:
    """Starlette before 1.3.1 and python-multipart before 0.0.22 have known holes in what is used here."""
    from importlib import metadata

    def version(name: str) -> tuple[int, ...]:
        return tuple(int(part) for part in re.findall(r"\d+", metadata.version(name))[:3])

    assert version("starlette") >= (1, 3, 1)
    assert version("python-multipart") >= (0, 0, 22)
    assert version("pillow") >= (12, 2)
    assert version("opencv-python-headless") >= (4, 8, 1)

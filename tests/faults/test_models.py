"""A service whose models are not what they should be does not start: status 3, and a line that says why."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from api.jobs import canary, require_sight
from tests.api.live import ROOT, free_port
from tests.vision.conftest import models
from tests.vision.test_weights import replace
from vision import ModelError, load_reader

__all__ = ["models"]

MODELS_FAILED = 3


def serve(folder: Path) -> tuple[int, list[dict[str, Any]]]:
    """Exit status of the service with these models, and the lines of its log."""
    told = {"MAHJONG_READER_MODELS": str(folder), "MAHJONG_READER_PORT": str(free_port())}
    done = subprocess.run(
        [sys.executable, "-m", "api", "serve"],
        cwd=ROOT,
        env={**os.environ, **told, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        timeout=300,
        check=False,
    )
    return done.returncode, [json.loads(line) for line in done.stderr.splitlines()]


def missing(folder: Path) -> None:
    (folder / "namer.onnx").unlink()


def no_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def other_bytes(folder: Path) -> None:
    path = folder / "finder.onnx"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut_short(folder: Path) -> None:
    path = folder / "namer.onnx"
    path.write_bytes(path.read_bytes()[:100])


def corrupt_but_promised(folder: Path) -> None:
    data = (folder / "finder.onnx").read_bytes()
    replace(folder, "finder", data[: len(data) // 2])


def a_pickle(folder: Path) -> None:
    replace(folder, "finder", pickle.dumps({"weights": [0.0]}))


def a_checkpoint(folder: Path) -> None:
    (folder / "finder.onnx").rename(folder / "finder.pt")
    _rewrite(folder, lambda manifest: manifest["finder"].update(file="finder.pt"))


def external_data(folder: Path) -> None:
    import onnx

    model = onnx.load(str(folder / "namer.onnx"))
    options: dict[str, Any] = {"save_as_external_data": True, "size_threshold": 0, "location": "more.bin"}
    onnx.save(model, str(folder / "outer.onnx"), convert_attribute=False, **options)
    replace(folder, "namer", (folder / "outer.onnx").read_bytes())


def another_shape(folder: Path) -> None:
    _rewrite(folder, lambda manifest: manifest["finder"].update(input=[64, 64]))


def a_link(folder: Path) -> None:
    outside = folder.parent / "elsewhere.onnx"
    (folder / "namer.onnx").rename(outside)
    (folder / "namer.onnx").symlink_to(outside)


def sees_something_else(folder: Path) -> None:
    """Everything is as promised, but the networks do not read the canary."""


def _rewrite(folder: Path, how: Callable[[dict[str, Any]], object]) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    how(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (missing, "model_missing"),
        (no_manifest, "model_missing"),
        (other_bytes, "model_hash"),
        (cut_short, "model_hash"),
        (corrupt_but_promised, "model_undecodable"),
        (a_pickle, "model_undecodable"),
        (a_checkpoint, "model_type"),
        (external_data, "model_external_data"),
        (another_shape, "model_shape"),
        (a_link, "model_outside"),
        (sees_something_else, "canary_failed"),
    ],
)
def test_serve_ends_with_status_3_and_says_why(
    models: Path,
    spoil: Callable[[Path], None],
    reason: str,
) -> None:
    spoil(models)
    status, lines = serve(models)
    assert status == MODELS_FAILED
    (line,) = [line for line in lines if line["message"] == "the service cannot start"]
    assert line["reason"] == reason
    assert line["detail"]
    assert "\n" not in line["detail"]


def test_serving_never_unpickles(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an unpickler that would raise, the models are loaded and a photo is read."""

    def never(*_: object, **__: object) -> None:
        raise AssertionError("unpickled")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, never)
    try:
        reader = load_reader()
    except ModelError as error:
        pytest.skip(f"no trained models: {error.detail}")
    require_sight(reader, canary())

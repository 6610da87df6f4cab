"""A models folder with tiny networks of known answers, as the real one is laid out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision import pictures
from vision import CLASSES

Change = Callable[[dict[str, Any]], None]


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A valid models folder: the finder sees two tiles, the namer goes by their colour."""
    folder = tmp_path / "models"
    folder.mkdir()
    output = np.array([[20, 20, 20, 20, 0.9, 0], [60, 20, 20, 20, 0.8, 0]], np.float32).T[None]
    finder = pictures.finder_network(folder / "finder.onnx", output, 96, 128)
    namer = pictures.namer_network(folder / "namer.onnx")
    manifest = {
        "format": 1,
        "name": "mahjong-reader",
        "version": "0.0-test",
        "finder": {
            "file": "finder.onnx",
            "sha256": hashlib.sha256(finder).hexdigest(),
            "input": [96, 128],
            "classes": ["face", "back"],
            "confidence": 0.25,
            "iou": 0.5,
            "metrics": {},
        },
        "namer": {
            "file": "namer.onnx",
            "sha256": hashlib.sha256(namer).hexdigest(),
            "input": 64,
            "margin": 1.12,
            "classes": list(CLASSES),
            "metrics": {},
        },
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


@pytest.fixture
def change(models: Path) -> Callable[[Change], Path]:
    """Rewrite the manifest of `models`."""

    def rewrite(how: Change) -> Path:
        manifest = json.loads((models / "manifest.json").read_text())
        how(manifest)
        (models / "manifest.json").write_text(json.dumps(manifest))
        return models

    return rewrite

"""Finding the weights, and trusting nothing but bytes whose digest is known.

A model file decides what a referee is told, so the manifest pins each by its sha256, and the bytes that
were hashed are the bytes that are loaded. Only ONNX in a single file is taken: a pickle is a program, and
an ONNX file with external data names further paths to read.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from vision.detector import CLASSES
from vision.errors import ModelError

__all__ = ["ENVIRONMENT", "FinderWeights", "NamerWeights", "Weights", "find", "load"]

ENVIRONMENT = "MAHJONG_READER_MODELS"
"""Environment variable that names the models folder and goes before all other places."""

_MANIFEST = "manifest.json"
_EXTERNAL = re.compile(rb"\x0a(?:\x08|\x88\x80*\x00)location")
"""A protobuf string field of eight bytes, `location`: the key by which a tensor names the file that its
data lies in."""

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class FinderWeights:
    """The finder: `data` the ONNX file, `size` (height, width) of its input, its `classes`, and the
    thresholds it was measured with."""

    data: bytes = field(repr=False)
    size: tuple[int, int]
    classes: tuple[str, ...]
    confidence: float
    iou: float


@dataclass(frozen=True, slots=True)
class NamerWeights:
    """The namer: `data` the ONNX file, `size` of its square crop in pixels, `margin` around the box."""

    data: bytes = field(repr=False)
    size: int
    margin: float


@dataclass(frozen=True, slots=True)
class Weights:
    """A verified set of weights. `sha256` is the digest of the two files' digests, finder first: it names
    the pair."""

    name: str
    version: str
    sha256: str
    finder: FinderWeights
    namer: NamerWeights


def find(models: Path | None = None) -> Path:
    """The models folder: `models` if given, else the environment's, else the one in the wheel, else the
    checkout's.

    Raises `ModelError` (`model_missing`) if the first that is named has no manifest, or none has.
    """
    room = Path(__file__).resolve().parent
    named = models or (Path(os.environ[ENVIRONMENT]) if os.environ.get(ENVIRONMENT) else None)
    places = [named] if named is not None else [room / "_weights", room.parent / "models"]
    for place in places:
        if (place / _MANIFEST).is_file():
            return place
    raise ModelError("model_missing", f"no {_MANIFEST} in {' or '.join(str(place) for place in places)}")


def load(models: Path | None = None) -> Weights:
    """Read and verify the weights of a models folder (see `find`).

    Raises `ModelError` with one of `model_missing`, `model_manifest`, `model_outside`, `model_type`,
    `model_hash`, `model_external_data`, `model_classes`.
    """
    folder = find(models)
    manifest = _manifest(folder)
    finder, namer = _part(manifest, "finder"), _part(manifest, "namer")
    if tuple(_strings(namer, "classes")) != CLASSES:
        raise ModelError("model_classes", "the namer's classes are not the 47 tile codes in their order")
    size = finder.get("input")
    if not isinstance(size, list) or len(size) != 2 or not all(_is_size(side) for side in size):
        raise ModelError("model_manifest", "the finder's input must be [height, width] in pixels")
    side = namer.get("input")
    if not _is_size(side):
        raise ModelError("model_manifest", "the namer's input must be a side in pixels")
    assert isinstance(side, int)
    weights = [_file(folder, part, role) for part, role in ((finder, "finder"), (namer, "namer"))]
    digests = "".join(hashlib.sha256(data).hexdigest() for data in weights)
    return Weights(
        name=_string(manifest, "name"),
        version=_string(manifest, "version"),
        sha256=hashlib.sha256(digests.encode()).hexdigest(),
        finder=FinderWeights(
            data=weights[0],
            size=(size[0], size[1]),
            classes=tuple(_strings(finder, "classes")),
            confidence=_number(finder, "confidence", 0.25, 1),
            iou=_number(finder, "iou", 0.5, 1),
        ),
        namer=NamerWeights(data=weights[1], size=side, margin=_number(namer, "margin", 1.12, 4)),
    )


def _manifest(folder: Path) -> Mapping[str, object]:
    try:
        manifest = json.loads((folder / _MANIFEST).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        raise ModelError("model_manifest", f"{folder / _MANIFEST} is not readable JSON") from None
    if not isinstance(manifest, dict) or manifest.get("format") != 1:
        raise ModelError("model_manifest", "the manifest must be an object of format 1")
    return manifest


def _part(manifest: Mapping[str, object], role: str) -> Mapping[str, object]:
    part = manifest.get(role)
    if not isinstance(part, dict):
        raise ModelError("model_manifest", f"the manifest names no {role}")
    return part


def _file(folder: Path, part: Mapping[str, object], role: str) -> bytes:
    """The bytes of a model file, once they are known to be those of the manifest."""
    name, promised = _string(part, "file"), _string(part, "sha256").lower()
    if Path(name).name != name or "\\" in name or name in ("", ".", ".."):
        raise ModelError("model_outside", f"the {role}'s file must be a bare name, not {name!r}")
    if not name.endswith(".onnx"):
        raise ModelError("model_type", f"the {role} must be an .onnx file, not {name!r}")
    if not _SHA256.fullmatch(promised):
        raise ModelError("model_manifest", f"the {role}'s sha256 must be 64 hexadecimal digits")
    path = folder / name
    if not path.is_file():
        raise ModelError("model_missing", f"the {role}'s file {path} does not exist")
    if path.resolve().parent != folder.resolve():
        raise ModelError("model_outside", f"{path} is a link to a file outside of its folder")
    try:
        data = path.read_bytes()
    except OSError:
        raise ModelError("model_missing", f"the {role}'s file {path} cannot be read") from None
    if hashlib.sha256(data).hexdigest() != promised:
        raise ModelError(
            "model_hash", f"{path} ({len(data)} bytes) is not the file that the manifest promises"
        )
    if _EXTERNAL.search(data):
        raise ModelError("model_external_data", f"{path} keeps its weights in another file")
    return data


def _string(part: Mapping[str, object], key: str) -> str:
    value = part.get(key)
    if not isinstance(value, str) or not value:
        raise ModelError("model_manifest", f"the manifest lacks {key!r}")
    return value


def _strings(part: Mapping[str, object], key: str) -> list[str]:
    value = part.get(key)
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        raise ModelError("model_manifest", f"{key!r} in the manifest must be a list of names")
    return value


def _number(part: Mapping[str, object], key: str, default: float, most: float) -> float:
    value = part.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
        raise ModelError(
            "model_manifest", f"{key!r} in the manifest must be a number above 0 and up to {most}"
        )
    return float(value)


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 8 <= value <= 4096

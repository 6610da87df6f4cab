"""A tile set of one's own: how its faces look to the namer, learnt from one photo of them.

The names that the namer gives to a face it has never seen are weighed with how much it looks like each face
of the set. What is kept are features, not pictures: no photo can be made of them again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scorer.tiles import ALL_TILES, Tile
from vision.detector import CLASSES
from vision.errors import OwnSetError

__all__ = ["FORMAT", "OwnSet"]

FORMAT = 1
_LIKENESS = 0.75
"""Weight of the likeness to the set's faces beside the namer's own probabilities."""
_SHARPNESS = 20.0
"""How fast a face becomes unlikely as it looks less like one of the set: both were chosen on rendered photos
of sets that no training saw (`models/evaluate_adapt.py`)."""
_MOST = 20_000_000
"""Bytes of the largest file: some two thousand faces."""


@dataclass(frozen=True, slots=True, eq=False)
class OwnSet:
    """Faces of one tile set. `model` is the sha256 of the weights that saw them, for to others they look
    different; `tiles` what each is, several times where it was seen several times; `features` (n, m), rows
    of length one. Raises `OwnSetError` where they do not fit each other."""

    name: str
    model: str
    tiles: tuple[Tile, ...]
    features: NDArray[np.float32] = field(repr=False)

    def __post_init__(self) -> None:
        array = np.array(self.features, np.float32)
        if array.ndim != 2 or not len(array) or len(array) != len(self.tiles) or not array.shape[1]:
            raise OwnSetError("own_set_faces", f"{len(self.tiles)} faces with features {array.shape}")
        length = np.linalg.norm(array, axis=1, keepdims=True)
        if not np.isfinite(array).all() or (length == 0).any():
            raise OwnSetError("own_set_faces", "a feature is not a number, or a face has none")
        array /= length
        array.flags.writeable = False
        object.__setattr__(self, "features", array)

    def with_more(self, other: OwnSet) -> OwnSet:
        """This set and what was seen of it elsewhere. Raises `OwnSetError` if other weights saw it."""
        other.require_model(self.model)
        features = np.concatenate([self.features, other.features])
        return OwnSet(self.name, self.model, self.tiles + other.tiles, features)

    def require_model(self, sha256: str) -> None:
        """Raise `OwnSetError` unless these weights saw the set."""
        if self.model != sha256:
            raise OwnSetError(
                "own_set_model",
                f"the set {self.name!r} was learnt with other weights ({self.model[:12]}, these are "
                f"{sha256[:12]}): photograph its faces again",
            )

    def weigh(self, probabilities: NDArray[np.float32], features: NDArray[np.float32]) -> NDArray[np.float32]:
        """Probabilities (n, 47) of tiles that look like `features` (n, m), given that they are of this set.

        What the faces of the set have together stays what it was, so a face that the set was not shown (or
        a back) is neither favoured nor ruled out. A name on which both agree is no less sure than before.
        """
        if features.shape[1] != self.features.shape[1]:
            raise OwnSetError(
                "own_set_faces", f"{features.shape[1]} features a face, {self.features.shape[1]} were learnt"
            )
        classes = [CLASSES.index(str(tile)) for tile in self.tiles]
        known = sorted(set(classes))
        length = np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-9)
        alike: NDArray[np.float32] = ((features / length) @ self.features.T).astype(np.float32)
        best = np.stack([alike[:, np.array(classes) == each].max(axis=1) for each in known], axis=1)
        among = np.log(np.maximum(probabilities[:, known], np.float32(1e-9)))
        seen = _log_normal((best * _SHARPNESS).astype(np.float32))
        said = _log_normal(among)
        mixed = np.exp(_log_normal((1 - _LIKENESS) * said + _LIKENESS * seen))
        # Likeness is never as sure as the namer can be: where both say the same, that is no reason to doubt.
        agreed = (seen.argmax(axis=1) == said.argmax(axis=1)) & (np.exp(said).max(axis=1) > mixed.max(axis=1))
        mixed[agreed] = np.exp(said[agreed])
        weighed = probabilities.astype(np.float32).copy()
        weighed[:, known] = mixed * probabilities[:, known].sum(axis=1, keepdims=True)
        return weighed

    def to_json(self) -> str:
        """The file's text."""
        faces = [
            {"tile": str(tile), "features": [round(float(value), 5) for value in row]}
            for tile, row in zip(self.tiles, self.features, strict=True)
        ]
        told = {"format": FORMAT, "name": self.name, "model": self.model, "faces": faces}
        return json.dumps(told, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, data: bytes | str) -> OwnSet:
        """The set in a file. Raises `OwnSetError` (`own_set_file`, `own_set_faces`) if it is none."""
        if len(data) > _MOST:
            raise OwnSetError("own_set_file", "the file is too large for a tile set")
        try:
            told = json.loads(data)
        except (ValueError, RecursionError):
            raise OwnSetError("own_set_file", "not readable JSON") from None
        if not isinstance(told, dict) or told.get("format") != FORMAT:
            raise OwnSetError("own_set_file", f"not a tile set of format {FORMAT}")
        name, model, faces = told.get("name"), told.get("model"), told.get("faces")
        if not isinstance(name, str) or not isinstance(model, str) or not isinstance(faces, list):
            raise OwnSetError("own_set_file", "a tile set has a name, a model and faces")
        tiles = [_tile(face) for face in faces]
        return cls(name, model, tuple(tiles), _features(faces))


def _log_normal(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Logarithms of shares that sum to one in each row."""
    most = values.max(axis=1, keepdims=True)
    shifted: NDArray[np.float32] = (
        values - most - np.log(np.exp(values - most).sum(axis=1, keepdims=True))
    ).astype(np.float32)
    return shifted


def _tile(face: object) -> Tile:
    code = face.get("tile") if isinstance(face, dict) else None
    if not isinstance(code, str) or code not in CLASSES:
        raise OwnSetError("own_set_file", f"{code!r} is no tile")
    return ALL_TILES[CLASSES.index(code)]


def _features(faces: Sequence[dict[str, object]]) -> NDArray[np.float32]:
    try:
        return np.array([face["features"] for face in faces], np.float32)
    except (KeyError, TypeError, ValueError):
        raise OwnSetError("own_set_file", "every face has as many features as every other") from None

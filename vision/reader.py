"""The front door of this room: bytes of a photo in, a reading out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from scorer.tiles import Tile
from vision import weights
from vision._onnx import open_network
from vision.detector import Detector
from vision.errors import ModelError, OwnSetError
from vision.finder import Finder
from vision.namer import Namer
from vision.own_set import OwnSet
from vision.photo import Photo, PhotoLimits, decode
from vision.pipeline import WORKING_SIDE, TwoStepDetector
from vision.quality import flaws_of
from vision.reading import Reading, read_detections

__all__ = ["Reader", "load_reader"]

_PLAIN = 0.9
"""From this confidence on, a tile that is named otherwise by the person speaks against their order."""
_ASTRAY = 1 / 3
"""Share of such tiles from which on the order is taken to be wrong. Some are to be expected: the reader is
being taught because it errs on this set."""


class Reader:
    """Reads photos with one detector. Safe to share between threads: it keeps nothing from one photo to the
    next."""

    __slots__ = ("_detector", "_limits", "_model", "_unaided")

    def __init__(
        self, detector: Detector, model: Mapping[str, str], limits: PhotoLimits | None = None
    ) -> None:
        """`model` says what the detector is (`name`, `version`, `sha256`) and is repeated in every
        reading."""
        self._detector = detector
        self._model = dict(model)
        self._limits = limits or PhotoLimits()
        self._unaided: Reader | None = None

    @property
    def model(self) -> dict[str, str]:
        """Name, version and sha256 of the model; a copy."""
        return dict(self._model)

    @property
    def unaided(self) -> Reader:
        """This reader without a tile set of one's own: what any photo is read with."""
        return self if self._unaided is None else self._unaided

    def with_set(self, own_set: OwnSet) -> Reader:
        """A reader, with the same networks, of photos that show this tile set. Raises `OwnSetError` where
        other weights saw the set, `ModelError` where the detector cannot use one."""
        if not isinstance(self._detector, TwoStepDetector):
            raise ModelError("model_shape", "this detector cannot use a set")
        own_set.require_model(self._model["sha256"])
        model = {**self._model, "set": own_set.name}
        reader = Reader(self._detector.with_set(own_set), model, self._limits)
        reader._unaided = self.unaided
        return reader

    @property
    def limits(self) -> PhotoLimits:
        """What a photo may measure."""
        return self._limits

    def read(self, data: bytes, *, name: str | None = None) -> Reading:
        """Read a JPEG, PNG, WebP or HEIC file. `name` is only repeated in the reading. Raises `PhotoError` if
        it is no such photo, `NoTiles` if it shows no tile, `ModelError` if the model fails.
        """
        return self.read_photo(decode(data, self._limits, longest=WORKING_SIDE), name=name)

    def read_photo(self, photo: Photo, *, name: str | None = None) -> Reading:
        """Read a photo that is decoded already. Raises `NoTiles` and `ModelError`."""
        try:
            detections = self._detector.detect(photo.pixels).scaled(photo.factor)
        except ValueError as error:  # a detector whose numbers are no detections
            raise ModelError("model_output", f"the detector's answer is not valid: {error}") from error
        reading = read_detections(detections, photo.width, photo.height, self._model, name)
        return replace(reading, quality=flaws_of(photo, reading))

    def learn(self, data: bytes, tiles: Sequence[Tile], *, name: str = "") -> OwnSet:
        """The faces of a tile set, from a photo in which `tiles` lie in reading order: row by row, each the
        way its faces stand.

        Raises `OwnSetError` where the photo shows another number of tiles (`own_set_count`), or plainly
        other ones (`own_set_order`), and all that `read` raises.
        """
        photo = decode(data, self._limits, longest=WORKING_SIDE)
        reading = self.read_photo(photo)
        seen = reading.tiles
        if len(seen) != len(tiles):
            rows = ", ".join(str(len(row)) for row in reading.rows)
            raise OwnSetError(
                "own_set_count",
                f"the photo shows {len(seen)} tiles (row by row {rows}), {len(tiles)} are named",
            )
        other = [
            f"{shown.tile} where {tile} is named"
            for shown, tile in zip(seen, tiles, strict=True)
            if shown.tile != tile and shown.confidence > _PLAIN
        ]
        if len(other) > max(_ASTRAY * len(tiles), 1):
            raise OwnSetError(
                "own_set_order", f"the tiles lie in another order than they are named: {'; '.join(other[:4])}"
            )
        if not isinstance(self._detector, TwoStepDetector):
            raise ModelError("model_shape", "this detector cannot learn a set")
        boxes = np.array([tile.box for tile in seen], np.float32)
        features = self._detector.features(photo.pixels, boxes, photo.factor)
        return OwnSet(name, self._model["sha256"], tuple(tiles), features)


def load_reader(
    models: Path | str | None = None,
    *,
    detector: Path | str | None = None,
    limits: PhotoLimits | None = None,
    threads: int | None = None,
    own_set: Path | str | None = None,
) -> Reader:
    """A reader with the verified weights of a models folder (see `vision.weights.find` for where it looks).

    `detector` names a single-step `.pt` file to use instead; it needs the `train` extra and is run as the
    program that it is. `threads` is how many a photo's networks use, two at most if None. `own_set` names
    the file of a tile set (`Reader.learn`) that all photos show. Raises `ModelError` and `OwnSetError`.
    """
    if detector is not None:
        if own_set is not None:
            raise ModelError("model_shape", "a single-step detector cannot use a set")
        return _single_step(Path(detector), limits)
    found = weights.load(Path(models) if models is not None else None)
    finder = Finder(
        open_network(found.finder.data, "finder", threads),
        found.finder.size,
        found.finder.classes,
        found.finder.confidence,
        found.finder.iou,
    )
    namer = Namer(open_network(found.namer.data, "namer", threads), found.namer.size, found.namer.margin)
    model = {"name": found.name, "version": found.version, "sha256": found.sha256}
    reader = Reader(TwoStepDetector(finder, namer), model, limits)
    return reader if own_set is None else reader.with_set(_own_set(Path(own_set)))


def _own_set(path: Path) -> OwnSet:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OwnSetError("own_set_file", f"{path}: {error.strerror or 'cannot be opened'}") from None
    return OwnSet.from_json(data)


def _single_step(path: Path, limits: PhotoLimits | None) -> Reader:
    from vision.ultralytics_detector import UltralyticsDetector

    if path.suffix != ".pt":
        raise ModelError("model_type", f"a single-step detector is a .pt file, not {path.name!r}")
    detector = UltralyticsDetector(path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Reader(detector, {"name": path.stem, "version": digest[:8], "sha256": digest}, limits)

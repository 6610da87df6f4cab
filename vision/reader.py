"""The front door of this room: bytes of a photo in, a reading out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from vision import weights
from vision._onnx import open_network
from vision.detector import Detector
from vision.errors import ModelError
from vision.finder import Finder
from vision.namer import Namer
from vision.photo import Photo, PhotoLimits, decode
from vision.pipeline import WORKING_SIDE, TwoStepDetector
from vision.quality import flaws_of
from vision.reading import Reading, read_detections

__all__ = ["Reader", "load_reader"]


class Reader:
    """Reads photos with one detector. Safe to share between threads: it keeps nothing from one photo to the
    next."""

    __slots__ = ("_detector", "_limits", "_model")

    def __init__(
        self, detector: Detector, model: Mapping[str, str], limits: PhotoLimits | None = None
    ) -> None:
        """`model` says what the detector is (`name`, `version`, `sha256`) and is repeated in every
        reading."""
        self._detector = detector
        self._model = dict(model)
        self._limits = limits or PhotoLimits()

    @property
    def model(self) -> dict[str, str]:
        """Name, version and sha256 of the model; a copy."""
        return dict(self._model)

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


def load_reader(
    models: Path | str | None = None,
    *,
    detector: Path | str | None = None,
    limits: PhotoLimits | None = None,
    threads: int | None = None,
) -> Reader:
    """A reader with the verified weights of a models folder (see `vision.weights.find` for where it looks).

    `detector` names a single-step `.pt` file to use instead; it needs the `train` extra and is run as the
    program that it is. `threads` is how many a photo's networks use, two at most if None. Raises
    `ModelError`.
    """
    if detector is not None:
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
    return Reader(TwoStepDetector(finder, namer), model, limits)


def _single_step(path: Path, limits: PhotoLimits | None) -> Reader:
    from vision.ultralytics_detector import UltralyticsDetector

    if path.suffix != ".pt":
        raise ModelError("model_type", f"a single-step detector is a .pt file, not {path.name!r}")
    detector = UltralyticsDetector(path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Reader(detector, {"name": path.stem, "version": digest[:8], "sha256": digest}, limits)

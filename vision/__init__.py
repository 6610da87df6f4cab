"""From the bytes of a photo to a reading of the tiles on it. Knows pixels and tiles; scores nothing and
serves nobody."""

from vision._opencv import PIXEL_CEILING
from vision.detector import CLASSES, Detections, Detector
from vision.errors import (
    ImageAnimated,
    ImageBytes,
    ImageEmpty,
    ImageTooLarge,
    ImageTooSmall,
    ImageType,
    ImageUndecodable,
    ModelError,
    NoTiles,
    OwnSetError,
    PhotoError,
    VisionError,
)
from vision.own_set import OwnSet
from vision.photo import Photo, PhotoLimits
from vision.quality import Flaw
from vision.reader import Reader, load_reader
from vision.reading import Doubt, Reading, SeenTile

__all__ = [
    "CLASSES",
    "PIXEL_CEILING",
    "Detections",
    "Detector",
    "Doubt",
    "Flaw",
    "ImageAnimated",
    "ImageBytes",
    "ImageEmpty",
    "ImageTooLarge",
    "ImageTooSmall",
    "ImageType",
    "ImageUndecodable",
    "ModelError",
    "NoTiles",
    "OwnSet",
    "OwnSetError",
    "Photo",
    "PhotoError",
    "PhotoLimits",
    "Reader",
    "Reading",
    "SeenTile",
    "VisionError",
    "load_reader",
]

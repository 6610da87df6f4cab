"""What can go wrong between a photo and a reading, each with a stable code.

Only the doors (`api`) know HTTP statuses or exit codes; here an error says what was wrong with the photo
or the model. `code` never changes for the same mistake; `detail` is one sentence for a person and may be
reworded.
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "ImageAnimated",
    "ImageBytes",
    "ImageEmpty",
    "ImageTooLarge",
    "ImageTooSmall",
    "ImageType",
    "ImageUndecodable",
    "ModelError",
    "NoTiles",
    "OwnSetError",
    "PhotoError",
    "VisionError",
]


class VisionError(Exception):
    """Root of everything that this room raises on purpose."""

    code: str = "vision_error"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class PhotoError(VisionError):
    """The bytes are not a photo that we read."""

    code = "image_error"


class ImageEmpty(PhotoError):
    """No bytes at all."""

    code = "image_empty"


class ImageType(PhotoError):
    """Neither JPEG, PNG, WebP nor HEIC, by the first bytes; name and declared type do not matter."""

    code = "image_type"


class ImageUndecodable(PhotoError):
    """The right type, but broken or cut short. Never half-decoded: half a hand is a wrong score."""

    code = "image_undecodable"


class ImageTooLarge(PhotoError):
    """More pixels, or a longer side, than allowed. Found from the header, before anything is decoded."""

    code = "image_too_large"


class ImageTooSmall(PhotoError):
    """A side too short for any tile to be told from another."""

    code = "image_too_small"


class ImageAnimated(PhotoError):
    """An animation: it is not clear which of its frames is the hand."""

    code = "image_animated"


class ImageBytes(PhotoError):
    """More bytes than allowed."""

    code = "image_bytes"


class NoTiles(VisionError):
    """A good photo in which no tile was found."""

    code = "no_tiles"


class ModelError(VisionError):
    """The weights are missing, altered or of another kind; nothing can be read until that is put right.

    Codes: see `CODES`.
    """

    CODES: ClassVar[frozenset[str]] = frozenset(
        {
            "model_missing",  # no folder with a manifest, or no such file
            "model_manifest",  # the manifest is not JSON or lacks something
            "model_outside",  # a file that lies outside of its models folder, by name or by link
            "model_type",  # not an ONNX file; a pickle is code and is refused
            "model_hash",  # other bytes than the manifest promises (also: cut short)
            "model_external_data",  # weights in a second file, whose path the model itself chooses
            "model_undecodable",  # the right bytes, but the runtime cannot load them
            "model_shape",  # inputs or outputs of another form than the manifest's
            "model_output",  # the model answered with something that is not a number
            "model_classes",  # classes that are not tile codes
            "detector_unavailable",  # an optional detector whose library is not installed
        }
    )

    def __init__(self, code: str, detail: str) -> None:
        if code not in self.CODES:
            raise ValueError(f"unknown model error code: {code}")
        super().__init__(detail)
        self.code = code


class OwnSetError(VisionError):
    """A tile set of one's own that cannot be learnt or used. Codes: see `CODES`."""

    CODES: ClassVar[frozenset[str]] = frozenset(
        {
            "own_set_file",  # not a file of a tile set
            "own_set_faces",  # features that are missing, no numbers, or of another kind
            "own_set_model",  # learnt with other weights
            "own_set_count",  # the photo shows more or fewer tiles than were named
            "own_set_order",  # the tiles named are not those that are plainly there
        }
    )

    def __init__(self, code: str, detail: str) -> None:
        if code not in self.CODES:
            raise ValueError(f"unknown code of a tile set: {code}")
        super().__init__(detail)
        self.code = code

"""Readers for workers' processes under test: one that only decodes, and the real one without its canary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer import Hand
from tests.api.stubs import MODEL, Sight

__all__ = ["Decoder", "load_decoder"]


class Decoder:
    """Decodes the photo as the real reader does, and sees nothing in it."""

    @property
    def model(self) -> Mapping[str, str]:
        return MODEL

    def read(self, data: bytes, *, name: str | None = None) -> Sight:
        from vision.photo import decode
        from vision.pipeline import WORKING_SIDE

        photo = decode(data, longest=WORKING_SIDE)
        return Sight(Hand.parse("1m"), width=photo.width, height=photo.height)


def load_decoder(**options: Any) -> Decoder:
    import vision.photo  # noqa: F401 - before the memory is bounded

    return Decoder()

"""Shapes that the answers are made of: the base, names in two languages, flaws of a photo."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["FlawBody", "Names", "Shape"]


class Shape(BaseModel):
    """A JSON object with these fields and no others."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class Names(Shape):
    """A name or a sentence in English and Chinese."""

    en: str
    zh: str


class FlawBody(Shape):
    """Something wrong with the photo, where it is, and what to do about it."""

    code: Literal["too_far", "blurred", "glare", "too_dark", "cut_off", "several_hands"]
    box: list[float] = Field(
        min_length=4, max_length=4, description="x0, y0, x1, y1 in pixels of the upright photo."
    )
    advice: Names

"""What all tests share: where the repository and the shared material lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Photos and rule vectors that are not in the repository: ``MAHJONG_SHARED``, else ``../shared``."""
    told = os.environ.get("MAHJONG_SHARED")
    path = Path(told) if told else ROOT.parent / "shared"
    if not path.is_dir():
        pytest.skip(f"no shared photos and rule vectors at {path} (name the folder in MAHJONG_SHARED)")
    return path

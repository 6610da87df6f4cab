"""A reader for workers' processes that does what its photo says, and the service around it.

    python -m tests.api.stubs       the service, with the settings of the environment

It loads neither networks nor OpenCV, so that a test of faults starts within a moment.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from api.jobs import canary
from scorer import Hand, Tile

MODEL = {"name": "stub", "version": "1", "sha256": "0" * 64}
HAND = "111222333p45699s"


@dataclass
class Seen:
    tile: Tile


@dataclass
class Sight:
    """As much of a `vision.Reading` as the doors need."""

    hand: Hand
    shown: tuple[str, ...] = ()
    likely: tuple[Any, ...] = ()
    doubts: tuple[Any, ...] = ()
    width: int = 320
    height: int = 240

    @property
    def tiles(self) -> list[Seen]:
        return [Seen(Tile.parse(code)) for code in self.shown] or [Seen(tile) for tile in self.hand.tiles]

    def suggestions(self, wins: Any) -> tuple[Any, ...]:
        return ()

    def to_dict(self, photo: str | None = None) -> dict[str, Any]:
        tiles = [
            {
                "tile": str(seen.tile),
                "box": [0.0, 0.0, 1.0, 1.0],
                "confidence": 1.0,
                "alternatives": [],
                "row": 0,
            }
            for seen in self.tiles
        ]
        return {
            "photo": photo,
            "width": self.width,
            "height": self.height,
            "tiles": tiles,
            "hand": str(self.hand),
            "doubts": [],
            "readings": [],
            "suggestions": [],
            "model": MODEL,
            "quality": [],
        }


class ObedientReader:
    """Reads `wait:SECONDS`, `loop`, `stop`, `die`, `eat:MIB`, `break`, `pid`; all else is the same hand."""

    @property
    def model(self) -> Mapping[str, str]:
        return MODEL

    def read(self, data: bytes, *, name: str | None = None) -> Sight:
        order, _, value = data[:200].decode("latin-1").partition(":")
        if order == "wait":
            time.sleep(float(value))
        elif order == "loop":
            while True:
                pass
        elif order == "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
        elif order == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        elif order == "eat":
            block = bytearray(int(value) * 1024 * 1024)
            block[::4096] = b"x" * len(block[::4096])
        elif order == "break":
            raise RuntimeError("secret of ours")
        elif order == "pid":
            return Sight(Hand.parse(HAND), width=os.getpid())
        return Sight(Hand.parse(HAND))


class Fickle(ObedientReader):
    """Reads the canary rightly as long as a file is there."""

    def __init__(self, sighted: str) -> None:
        self._sighted = Path(sighted)

    def read(self, data: bytes, *, name: str | None = None) -> Sight:
        if data[:3] != b"\xff\xd8\xff":
            return super().read(data, name=name)
        if not self._sighted.exists():
            return Sight(Hand.parse("99m"))
        return Sight(Hand.parse(HAND), shown=canary().tiles)


def load(**options: Any) -> ObedientReader:
    if options.get("refuse"):
        raise RuntimeError(options["refuse"])
    return Fickle(options["sighted"]) if "sighted" in options else ObedientReader()


def main() -> int:
    from api.nursery import Nursery, Plan
    from api.serving import run
    from api.settings import check_settings

    settings, wrong = check_settings({})
    assert settings is not None, wrong
    plan = Plan("tests.api.stubs:load", canary=False, memory_mib=settings.worker_memory_mib, room_bytes=65536)
    return run(settings, Nursery(plan))


if __name__ == "__main__":
    sys.exit(main())

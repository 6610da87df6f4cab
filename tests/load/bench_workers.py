"""Throughput against workers: python tests/load/bench_workers.py [PHOTO] [--seconds 20] [--most 4]

For each number of workers, with one thread each and with two: photos a second, the median wait, and memory.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.api.live import REAL, Live
from tests.load.bench_hands import ROOT, memory
from tests.load.capacity import closed, request_of

HEAD = "| workers | threads | clients | photos a second | median ms | memory MB |\n" + "| --- " * 6 + "|"


def rows(photo: bytes, seconds: float, most: int) -> Iterator[str]:
    """The lines of the table, each as soon as it is measured."""
    request = request_of(photo)
    for workers in range(1, most + 1):
        for threads in (1, 2):
            service = Live(REAL, workers=workers, threads=threads, log_level="error")
            try:
                service.until_ready()
                time.sleep(workers)
                asyncio.run(closed(service.port, request, workers, min(3, seconds), "warm-up"))
                load = asyncio.run(closed(service.port, request, workers, seconds, "measured"))
                held = memory(service.process)["Pss"]
            finally:
                service.stop()
            figures = f"{load.goodput:.2f} | {load.quantile(200, 0.5):.0f} | {held:.0f}"
            yield f"| {workers} | {threads} | {workers} | {figures} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("photo", type=Path, nargs="?", default=ROOT / "datasets" / "samples" / "hand.jpg")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--most", type=int, default=4)
    arguments = parser.parse_args()
    print(HEAD)
    for row in rows(arguments.photo.read_bytes(), arguments.seconds, arguments.most):
        print(row, flush=True)


if __name__ == "__main__":
    main()

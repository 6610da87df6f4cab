"""All that takes long and a quiet machine: python tests/load/long_run.py [--minutes 24]

One after the other, each on a service of its own: capacity, steady load and overload (`capacity.py`: half of
the time), ten thousand requests and what they leave behind (`soak.py`: at most 40 %), throughput against
workers (`bench_workers.py`: a tenth). Writes tests/load/BASELINE.json and tests/load/SOAK.md, and prints what
is in them. Ends with status 1 where a promise was not held.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.load import bench_workers, capacity, soak
from tests.load.bench_hands import ROOT

HERE = Path(__file__).parent
_MOST_WORKERS = 4


def spans(minutes: float) -> capacity.Spans:
    """Of 24 minutes 10 are steady load and 2 overload."""
    return capacity.Spans(max(minutes * 2, 8), minutes * 25, minutes * 5)


def report(found: dict[str, Any], left: soak.Soak, workers: list[str], minutes: float) -> str:
    """What SOAK.md says."""
    before = found["machine"]["load average before"]
    return "\n".join(
        [
            "# The last long run",
            "",
            f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, load average before {before}:",
            f"`python tests/load/long_run.py --minutes {minutes:g}`.",
            "",
            "## Capacity, steady load, overload",
            "",
            capacity.table(found),
            "Each load in full: `BASELINE.json`.",
            "",
            "## What many requests leave behind",
            "",
            soak.table(left),
            "## Throughput against workers",
            "",
            bench_workers.HEAD,
            *workers,
            "",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=24, help="of the whole, about")
    parser.add_argument("--requests", type=int, default=10_000, help="of the soak, if its time is enough")
    parser.add_argument("--photo", type=Path, default=ROOT / "datasets" / "samples" / "hand.jpg")
    parser.add_argument("--into", type=Path, default=HERE, help="folder of BASELINE.json and SOAK.md")
    arguments = parser.parse_args()
    minutes, photo = arguments.minutes, arguments.photo.read_bytes()
    arguments.into.mkdir(parents=True, exist_ok=True)
    found = capacity.run(photo, spans(minutes), workers=min(2, os.cpu_count() or 1), threads=1)
    (arguments.into / "BASELINE.json").write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    print(capacity.table(found), flush=True)
    left = soak.run(arguments.requests, clients=4, seconds=minutes * 24)
    print(soak.table(left), flush=True)
    each = max(minutes * 6 / (2 * _MOST_WORKERS) - 5, 2)  # 5 s to start each
    workers = list(bench_workers.rows(photo, each, _MOST_WORKERS))
    text = report(found, left, workers, minutes)
    (arguments.into / "SOAK.md").write_text(text, "utf-8")
    print("\n".join([bench_workers.HEAD, *workers]))
    return 1 if "| NO |" in text else 0


if __name__ == "__main__":
    sys.exit(main())

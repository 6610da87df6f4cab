"""Audit the page with Lighthouse on Chromium, as a phone and as a desk, and print what was asked beside it.

    python tests/load/audit_page.py [--address http://127.0.0.1:8000] [--times 3] [--reports FOLDER]

Starts a service of its own unless an address is given. Needs node, npm and Chromium (make browser); npm
installs Lighthouse (Apache-2.0) into a cache once. Each figure is the median of `--times` runs. Lighthouse
reckons the performance of a phone from the times that it saw here, so that a busy machine costs points: its
load is told with them. Exit status 1 if something is not as asked.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench_page import ROOT, chromium, service

LIGHTHOUSE = "lighthouse@12.8.2"
LEAST = 95
CATEGORIES = ("performance", "accessibility", "best-practices")
FIGURES = (
    "first-contentful-paint",
    "largest-contentful-paint",
    "total-blocking-time",
    "cumulative-layout-shift",
    "speed-index",
)


def lighthouse() -> Path:
    """The program, installed once into the virtual environment, or into the folder of what tests keep."""
    into = ROOT / (".venv" if (ROOT / ".venv").is_dir() else ".pytest_cache") / "npm" / LIGHTHOUSE
    program = into / "node_modules" / ".bin" / "lighthouse"
    if not program.exists():
        into.mkdir(parents=True, exist_ok=True)
        options = ["--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(["npm", "install", "--prefix", str(into), *options, LIGHTHOUSE], check=True)
    return program


def audit(program: Path, address: str, desk: bool, report: Path) -> dict[str, Any]:
    """One run; what it says is also written to `report`."""
    command = [
        *(str(program), address, "--quiet", "--output=json", f"--output-path={report}"),
        *("--chrome-flags=--headless=new --no-sandbox", f"--only-categories={','.join(CATEGORIES)}"),
        *(["--preset=desktop"] if desk else []),
    ]
    environment = {**os.environ, "CHROME_PATH": chromium()}
    subprocess.run(command, check=True, env=environment, timeout=300)
    found: dict[str, Any] = json.loads(report.read_text())
    return found


def blamed(runs: list[dict[str, Any]]) -> list[str]:
    """Audits that failed in some run, with what they say."""
    found = {}
    for run in runs:
        for category in run["categories"].values():
            for ref in category["auditRefs"]:
                one = run["audits"][ref["id"]]
                if ref["weight"] and one["score"] is not None and one["score"] < 0.9:
                    found[ref["id"]] = f"{one['title']}: {one.get('displayValue', '')}"
    return sorted(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--address")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--reports", type=Path, help="keep the reports here")
    args = parser.parse_args()
    program = lighthouse()
    met = True
    with tempfile.TemporaryDirectory() as scratch, service(args.address) as address:
        folder = args.reports or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        print("| device | what | measured | asked | met |\n| --- | --- | --- | --- | --- |")
        notes = []
        for device in ("phone", "desk"):
            runs = [
                audit(program, f"{address}/", device == "desk", folder / f"{device}-{at}.json")
                for at in range(args.times)
            ]
            for category in CATEGORIES:
                scores = [round(run["categories"][category]["score"] * 100) for run in runs]
                score = statistics.median(scores)
                met = met and score >= LEAST
                row = f"| {device} | {category} | {score:.0f} ({min(scores)} to {max(scores)}) "
                print(f"{row}| >= {LEAST} | {'yes' if score >= LEAST else 'no'} |", flush=True)
            figures = [
                f"{name} {statistics.median(run['audits'][name]['numericValue'] for run in runs):.4g}"
                for name in FIGURES
            ]
            notes.append(f"{device}: {', '.join(figures)}")
            notes += [f"{device}: {line}" for line in blamed(runs)]
    print(f"\nload of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print("\n".join(notes))
    sys.exit(not met)


if __name__ == "__main__":
    main()

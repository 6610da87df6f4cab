"""Measure the scorer on random winning hands: python tests/load/bench_scorer.py [--hands 2000] [--seed 8]

Prints, for the Chinese Official rules on one core: hands a second, median, 99th percentile and worst hand, on
first sight and warm, and beside them the other scorer (PyMahjongGB) in the same run, where it is installed.
Warm, a hand counts by the fastest of several tries, so that what else the machine does is not counted as
scoring. It judges nothing: times depend on the machine.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scorer import score
from tests.scorer.mcr_oracle import Case, asked, cases

try:
    from MahjongGB import MahjongFanCalculator
except ImportError:
    MahjongFanCalculator = None


def seconds(call: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def fastest(call: Callable[[], object], tries: int) -> float:
    """The fastest of several calls."""
    return min(seconds(call) for _ in range(tries))


def row(name: str, times: list[float]) -> None:
    """One line of the table, in microseconds."""
    ordered = sorted(times)
    median, high, worst = statistics.median(ordered), ordered[int(0.99 * len(ordered))], ordered[-1]
    rate = len(ordered) / sum(ordered)
    print(f"{name:28}{rate:>12,.0f}{1e6 * median:>12.1f}{1e6 * high:>12.1f}{1e6 * worst:>12.1f}")


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--tries", type=int, default=5)
    options = parser.parse_args()
    drawn = cases(options.hands, options.seed)

    def ours(case: Case) -> Callable[[], object]:
        return lambda: score(case.hand, case.context, "mcr")

    print(f"{'microseconds a hand':28}{'hands/s':>12}{'median':>12}{'p99':>12}{'worst':>12}")
    row("ours, first sight", [seconds(ours(case)) for case in drawn])
    warm = [fastest(ours(case), options.tries) for case in drawn]
    row("ours, warm", warm)
    if MahjongFanCalculator is None:
        print("PyMahjongGB is not installed: no comparison")
        return
    questions = [asked(case) for case in drawn]
    theirs = [fastest(lambda: MahjongFanCalculator(*each), options.tries) for each in questions]  # noqa: B023
    row("PyMahjongGB 1.4.0", theirs)
    print(f"ratio of medians: {statistics.median(warm) / statistics.median(theirs):.1f}")


if __name__ == "__main__":
    main()

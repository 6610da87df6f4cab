"""Measure the scorer on random winning hands: python tests/load/bench_scorer.py [--hands 2000] [--seed 8]

Prints, for each rule set on one core, microseconds a hand: median, 99th percentile and worst, on first sight
(different hands one after the other, each scored once, after a few others that warm the modules up) and warm
(the fastest of several more tries). The rows `clock` are what passes on the wall, the rows `cpu` what the
process was given of it: on a machine that does other things too, only the latter is about the scorer. For the
Chinese Official rules the other scorer (PyMahjongGB) stands beside them, where it is installed. It judges
nothing: times depend on the machine.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scorer import RULESETS, Tile, score
from scorer.tiles import ALL_TILES
from tests.scorer.mcr_oracle import FORMS, Case, asked, cases

try:
    from MahjongGB import MahjongFanCalculator
except ImportError:
    MahjongFanCalculator = None

#: The forms that win in every rule set.
_COMMON = {form: FORMS[form] for form in ("sets", "orphans", "great")}
#: The bonus tiles that a rule set plays with. The Chinese Official hands have a number of flowers instead.
_BONUS: dict[str, tuple[Tile, ...]] = {"hk": ALL_TILES[34:42], "singapore": ALL_TILES[34:46]}
#: How many hands warm the modules up.
_FIRST = 50

Clock = Callable[[], int]
Call = Callable[[], object]


def drawn(rules: str, count: int, seed: int) -> list[Case]:
    """Winning hands for a rule set, with bonus tiles where it plays with them."""
    if rules == "mcr":
        return cases(count, seed)
    chance = random.Random(seed)
    bonus = _BONUS.get(rules, ())
    found = []
    for case in cases(count, seed, _COMMON):
        aside = tuple(chance.sample(bonus, chance.choice((0, 1, 2, 4)))) if bonus else ()
        found.append(Case(replace(case.hand, bonus=aside), replace(case.context, flowers=None)))
    return found


def nanoseconds(call: Call) -> tuple[int, int]:
    """How long one call takes: on the wall, and of the process's own time."""
    wall, own = time.perf_counter_ns(), time.thread_time_ns()
    call()
    own = time.thread_time_ns() - own
    return time.perf_counter_ns() - wall, own


def fastest(call: Call, tries: int) -> tuple[int, int]:
    """The fastest of several calls."""
    times = [nanoseconds(call) for _ in range(tries)]
    return min(wall for wall, _ in times), min(own for _, own in times)


def row(name: str, times: Sequence[int]) -> float:
    """One line of the table, in microseconds; the median."""
    ordered = sorted(time / 1000 for time in times)
    median, high, worst = statistics.median(ordered), ordered[int(0.99 * len(ordered))], ordered[-1]
    print(f"{name:32}{1e6 * len(ordered) / sum(ordered):>12,.0f}{median:>12.1f}{high:>12.1f}{worst:>12.1f}")
    return median


def rows(name: str, times: list[tuple[int, int]]) -> float:
    """Both clocks of one measurement; the median of the process's own time."""
    row(f"{name}, clock", [wall for wall, _ in times])
    return row(f"{name}, cpu", [own for _, own in times])


def measure(rules: str, hands: list[Case], tries: int) -> float:
    """Print the rows of one rule set; the median of the warm one."""

    def ours(case: Case) -> Call:
        return lambda: score(case.hand, case.context, rules)

    for case in hands[:_FIRST]:
        ours(case)()
    # What was made before is none of the scorer's: no collection of garbage has to walk it.
    gc.collect()
    gc.freeze()
    calls = [ours(case) for case in hands[_FIRST:]]
    rows(f"{rules}, first sight", [nanoseconds(call) for call in calls])
    return rows(f"{rules}, warm", [fastest(call, tries) for call in calls])


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--tries", type=int, default=5)
    parser.add_argument("--rules", nargs="*", default=list(RULESETS), choices=list(RULESETS))
    options = parser.parse_args()
    print(f"{'microseconds a hand':32}{'hands/s':>12}{'median':>12}{'p99':>12}{'worst':>12}")
    for place, rules in enumerate(options.rules):
        # Hands of its own for each: what one rule set has seen is no longer new to the next.
        hands = drawn(rules, options.hands + _FIRST, options.seed + place)
        warm = measure(rules, hands, options.tries)
        if rules == "mcr" and MahjongFanCalculator is not None:
            questions = [asked(case) for case in hands[_FIRST:]]
            theirs = rows(
                "PyMahjongGB 1.4.0, warm",
                [fastest(lambda: MahjongFanCalculator(*each), options.tries) for each in questions],  # noqa: B023
            )
            print(f"mcr, warm: {warm / theirs:.1f} times the median of PyMahjongGB")


if __name__ == "__main__":
    main()

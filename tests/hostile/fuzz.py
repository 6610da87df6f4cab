"""Guided by coverage: python tests/hostile/fuzz.py [TARGET ...] [--seconds 60]

Runs atheris (extra `fuzz`) over each target of `words.py` in a process of its own, and prints a line for
each: runs, and what was found. Ends with status 1 where anything was; the input that did it lies in the
folder that is named.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

#: Longest input: longer ones are refused by their length.
_LONGEST = 4096


def fuzz(target: str) -> None:
    """Be the process that fuzzes; what follows the target on the command line is libFuzzer's."""
    import atheris  # type: ignore[import-not-found]

    with atheris.instrument_imports(include=["api", "scorer", "vision"]):
        from tests.hostile.words import TARGETS
    atheris.Setup([sys.argv[0], *sys.argv[3:]], TARGETS[target])
    atheris.Fuzz()


def run(target: str, seconds: float | None, runs: int | None, keep: Path) -> tuple[int, str]:
    """Exit status of the fuzzer, and the line that tells of it."""
    from tests.hostile.seeds import seeds
    from tests.hostile.words import EXAMPLES

    corpus = keep / target
    corpus.mkdir(parents=True)
    examples = EXAMPLES[target] or tuple(data[:_LONGEST] for data in seeds().values())
    for number, example in enumerate(examples):
        (corpus / f"example-{number}").write_bytes(example)
    bound = [f"-max_total_time={seconds:.0f}"] if runs is None else [f"-runs={runs}"]
    told = [*bound, f"-max_len={_LONGEST}", "-timeout=20", f"-artifact_prefix={keep}/{target}-", str(corpus)]
    command = [sys.executable, str(Path(__file__)), "--be", target, *told]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, errors="replace")
    said = re.findall(r"Done (\d+) runs|^#(\d+)", done.stderr, re.MULTILINE)
    count = next((first or second for first, second in reversed(said)), "0")
    if done.returncode == 0:
        return 0, f"{target}: {count} runs, nothing found"
    return 1, f"{target}: {count} runs, FOUND, see {keep}\n{done.stderr[-3000:]}"


def main() -> int:
    if sys.argv[1:2] == ["--be"]:
        fuzz(sys.argv[2])
        return 0
    from tests.hostile.words import TARGETS

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(TARGETS)}; all of them by default")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--runs", type=int, help="so many runs instead")
    arguments = parser.parse_args()
    keep = Path(tempfile.mkdtemp(prefix="fuzz-"))
    worst = 0
    for target in arguments.targets or TARGETS:
        status, line = run(target, arguments.seconds, arguments.runs, keep)
        worst = max(worst, status)
        print(line, flush=True)
    return worst


if __name__ == "__main__":
    sys.exit(main())

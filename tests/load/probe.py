"""Ask /livez again and again: python tests/load/probe.py PORT [--each 0.05], until standard input ends.

A process of its own: within the one that makes the load, the wait for that one's own turn would count as the
service's. Prints the milliseconds of every answer, and how many failed, as JSON.
"""

from __future__ import annotations

import argparse
import json
import select
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

_REQUEST = b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True)
class Probed:
    """Milliseconds of each answer, the quickest first, and how many requests got no good one."""

    took: tuple[float, ...]
    failed: int

    def quantile(self, part: float) -> float:
        return self.took[min(len(self.took) - 1, int(len(self.took) * part))] if self.took else 0.0


class Probe:
    """The running probe of a service on this port."""

    def __init__(self, port: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__)), str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def end(self) -> Probed:
        said, _ = self._process.communicate(timeout=60)
        told = json.loads(said)
        return Probed(tuple(sorted(told["took"])), told["failed"])


def ask(port: int) -> float | None:
    """Milliseconds until the answer was there; None where none or a bad one came."""
    begin = time.perf_counter()
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            connection.sendall(_REQUEST)
            answer = b""
            while piece := connection.recv(4096):
                answer += piece
    except OSError:
        return None
    return (time.perf_counter() - begin) * 1000 if answer.startswith(b"HTTP/1.1 200 ") else None


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("port", type=int)
    parser.add_argument("--each", type=float, default=0.05, help="seconds between two requests")
    arguments = parser.parse_args()
    took, failed = [], 0
    while not select.select([sys.stdin], [], [], arguments.each)[0]:
        one = ask(arguments.port)
        if one is None:
            failed += 1
        else:
            took.append(one)
    print(json.dumps({"took": took, "failed": failed}))


if __name__ == "__main__":
    main()

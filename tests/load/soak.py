"""Many requests, and what they leave behind: python tests/load/soak.py [--requests 10000] [--minutes M]

The same photos again and again: every answer must be what the first was, byte for byte but for the timings;
memory must not grow (least squares over all samples after the first tenth), and neither may the numbers of
descriptors, threads and processes. Workers are not recycled meanwhile, which would hide what they gather.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.api.live import REAL, Live
from tests.hostile.seeds import seeds
from tests.load.bench_hands import family, memory

#: Requests between two samples.
_EACH = 50


class Soak:
    """Clients that send photos until so many are answered, and samples of what the service holds."""

    def __init__(self, service: Live, requests: int, seconds: float = float("inf")) -> None:
        self.service = service
        self.left = requests
        self.requests = requests
        self.answered = 0
        self.seconds = 0.0
        self._most_seconds = seconds
        self._end = 0.0
        self.wrong: list[str] = []
        self.samples: list[dict[str, float]] = []
        self.photos = list(seeds().items())
        self.first: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def run(self, clients: int) -> None:
        begin = time.perf_counter()
        self._end = begin + self._most_seconds
        threads = [threading.Thread(target=self._client) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.seconds = time.perf_counter() - begin

    def _client(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=120)
        while True:
            with self._lock:
                if not self.left or time.perf_counter() > self._end:
                    break
                self.left -= 1
                number = self.requests - self.left
                if number % _EACH == 0:
                    self.samples.append({"requests": number, **held(self.service)})
            name, photo = self.photos[number % len(self.photos)]
            connection.request("POST", "/v1/hands", photo, {"Content-Type": "image/jpeg"})
            response = connection.getresponse()
            body = response.read()
            with self._lock:
                self.answered += 1
            if response.status != 200:
                self.wrong.append(f"{name}: {response.status}")
                continue
            answer = json.loads(body)
            del answer["timings"]
            plain = json.dumps(answer, sort_keys=True).encode()
            if self.first.setdefault(name, plain) != plain:
                self.wrong.append(f"{name}: another answer")
        connection.close()


def held(service: Live) -> dict[str, float]:
    """Memory in MB, descriptors, threads and processes of the service and its workers (Linux)."""
    pids = family(service.process.pid)
    return {
        "memory": memory(service.process)["Pss"],
        "descriptors": float(sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in pids)),
        "threads": float(sum(len(os.listdir(f"/proc/{pid}/task")) for pid in pids)),
        "processes": float(len(pids)),
    }


def slope(samples: list[dict[str, float]], name: str) -> float:
    """Growth over 1,000 requests, by least squares, after the first tenth."""
    kept = samples[len(samples) // 10 :]
    if len(kept) < 2:
        return 0.0
    middle = sum(sample["requests"] for sample in kept) / len(kept)
    mean = sum(sample[name] for sample in kept) / len(kept)
    over = sum((sample["requests"] - middle) * (sample[name] - mean) for sample in kept)
    under = sum((sample["requests"] - middle) ** 2 for sample in kept)
    return 1000 * over / under


def table(soak: Soak) -> str:
    """The result as a table in Markdown."""
    wrong = f"{len(soak.wrong)} {sorted(set(soak.wrong))[:5] or ''}".strip()
    rows: list[tuple[str, Any, bool | None]] = [
        ("requests answered", soak.answered, None),
        ("seconds", round(soak.seconds), None),
        ("requests a second", round(soak.answered / max(soak.seconds, 0.001), 1), None),
        ("wrong answers and refusals, at most 0", wrong, not soak.wrong),
    ]
    for name, most in (("memory", 1.0), ("descriptors", 0.5), ("threads", 0.5), ("processes", 0.5)):
        first, last = soak.samples[0][name], soak.samples[-1][name]
        grown = slope(soak.samples, name)
        unit = " MB" if name == "memory" else ""
        told = f"{first:.0f}, {last:.0f}, {grown:+.2f}{unit}"
        rows.append((f"{name}: first, last, growth in 1,000, at most {most:g}", told, grown <= most))
    said = {True: "yes", False: "NO", None: ""}
    lines = "".join(f"| {name} | {value} | {said[held]} |\n" for name, value, held in rows)
    return "| what | measured | held |\n| --- | --- | --- |\n" + lines


def run(requests: int, clients: int, seconds: float = float("inf")) -> Soak:
    """Start a service, send it so many requests or for so long, end it."""
    service = Live(REAL, workers=2, threads=1, log_level="error", queue=16, recycle_after=1_000_000)
    try:
        service.until_ready()
        soak = Soak(service, requests, seconds)
        soak.run(clients)
        soak.samples.append({"requests": soak.answered, **held(service)})
    finally:
        service.stop()
    return soak


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end after so long all the same")
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--out", type=Path, help="write the table here")
    arguments = parser.parse_args()
    soak = run(arguments.requests, arguments.clients, 60 * arguments.minutes)
    text = table(soak)
    print(text)
    if arguments.out is not None:
        arguments.out.write_text("# The last soak\n\n" + text, "utf-8")
    return 1 if soak.wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Many requests, and what they leave behind: python tests/load/soak.py [--requests 10000] [--out FILE.md]

The same photos again and again: every answer must be what the first was, byte for byte but for the timings;
memory must not grow (least squares over all samples after the first tenth), and neither may the numbers of
descriptors, threads and processes.
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

_SAMPLES = 60


class Soak:
    """Clients that send photos until so many are answered, and samples of what the service holds."""

    def __init__(self, service: Live, requests: int) -> None:
        self.service = service
        self.left = requests
        self.requests = requests
        self.wrong: list[str] = []
        self.samples: list[dict[str, float]] = []
        self.photos = list(seeds().items())
        self.first: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def run(self, clients: int) -> None:
        threads = [threading.Thread(target=self._client) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _client(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=120)
        while True:
            with self._lock:
                if not self.left:
                    break
                self.left -= 1
                number = self.requests - self.left
                if number % max(self.requests // _SAMPLES, 1) == 0:
                    self.samples.append({"requests": number, **held(self.service)})
            name, photo = self.photos[number % len(self.photos)]
            connection.request("POST", "/v1/hands", photo, {"Content-Type": "image/jpeg"})
            response = connection.getresponse()
            body = response.read()
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


def table(soak: Soak, seconds: float) -> str:
    """The result as a table in Markdown."""
    rows: list[tuple[str, Any]] = [
        ("requests answered", soak.requests),
        ("seconds", round(seconds)),
        ("wrong answers and refusals", f"{len(soak.wrong)} {sorted(set(soak.wrong))[:5] or ''}"),
    ]
    for name in ("memory", "descriptors", "threads", "processes"):
        first, last = soak.samples[0][name], soak.samples[-1][name]
        grown = slope(soak.samples, name)
        rows.append((f"{name}: first, last, growth in 1,000", f"{first:.0f}, {last:.0f}, {grown:+.2f}"))
    return "| what | measured |\n| --- | --- |\n" + "".join(f"| {name} | {value} |\n" for name, value in rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--out", type=Path, help="write the table here")
    arguments = parser.parse_args()
    service = Live(REAL, workers=2, threads=1, log_level="error", queue=16)
    try:
        service.until_ready()
        soak = Soak(service, arguments.requests)
        begin = time.perf_counter()
        soak.run(arguments.clients)
        text = table(soak, time.perf_counter() - begin)
    finally:
        service.stop()
    print(text)
    if arguments.out is not None:
        arguments.out.write_text("# The last soak\n\n" + text, "utf-8")
    return 1 if soak.wrong else 0


if __name__ == "__main__":
    sys.exit(main())

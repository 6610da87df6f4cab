"""What the service holds: python tests/load/capacity.py [PHOTO] [--minutes 10] [--out FILE.json]

First the capacity C: as many clients as workers, each sending the next photo when it has its answer. Then
the service is asked at a fixed rate, by the clock and whatever it answers (so that a slow answer does not
spare it the next request): 0.8 C, where nothing may fail, and 5 C, where the rest must be refused at once.
All the while /livez is asked, by a process of its own. Loopback only; bounded in time and count. What was
promised stands beside what was measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.api.live import REAL, Live
from tests.load.bench_hands import BOUNDARY, ROOT, body_of, family, memory
from tests.load.probe import Probe

MOST_CONNECTIONS = 200


@dataclass
class Load:
    """What was answered: seconds of each answer by status, and how many got none."""

    name: str
    seconds: float = 0.0
    took: dict[int, list[float]] = field(default_factory=dict)
    without_retry_after: int = 0
    unanswered: int = 0
    unsent: int = 0

    def add(self, status: int, took: float) -> None:
        self.took.setdefault(status, []).append(took)

    def quantile(self, status: int, part: float) -> float:
        """Milliseconds."""
        found = sorted(self.took.get(status, [0.0]))
        return 1000 * found[min(len(found) - 1, int(len(found) * part))]

    @property
    def goodput(self) -> float:
        return len(self.took.get(200, ())) / self.seconds

    def row(self) -> dict[str, Any]:
        statuses = Counter({str(status): len(times) for status, times in self.took.items()})
        refused = [status for status in self.took if status in (429, 503)]
        return {
            "load": self.name,
            "seconds": round(self.seconds, 1),
            "answers": dict(sorted(statuses.items())),
            "unanswered": self.unanswered,
            "not sent, too many connections": self.unsent,
            "good a second": round(self.goodput, 2),
            "p50 ms": round(self.quantile(200, 0.5)),
            "p99 ms": round(self.quantile(200, 0.99)),
            "refusal p50 ms": round(max((self.quantile(s, 0.5) for s in refused), default=0)),
            "refusal p99 ms": round(max((self.quantile(s, 0.99) for s in refused), default=0)),
            "refusals without Retry-After": self.without_retry_after,
        }


async def ask(port: int, request: bytes, load: Load) -> None:
    """One request on a connection of its own. Once it is refused, the rest of the photo is not sent."""
    begin = time.perf_counter()
    writer = None
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        sending = asyncio.create_task(_send(writer, request))
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
        took = time.perf_counter() - begin
        status = int(head.split(b" ", 2)[1])
        if status == 200:
            await asyncio.wait_for(reader.read(), 60)
            took = time.perf_counter() - begin
        elif status in (429, 503) and b"retry-after:" not in head.lower():
            load.without_retry_after += 1
        load.add(status, took)
        sending.cancel()
    except (OSError, asyncio.IncompleteReadError, TimeoutError):
        load.unanswered += 1
    finally:
        if writer is not None:
            writer.close()


async def _send(writer: asyncio.StreamWriter, request: bytes) -> None:
    try:
        writer.write(request)
        await writer.drain()
    except OSError:
        return


async def closed(port: int, request: bytes, clients: int, seconds: float, name: str) -> Load:
    """`clients`, each of which sends the next request when it has its answer."""
    load, end = Load(name), time.perf_counter() + seconds

    async def client() -> None:
        while time.perf_counter() < end:
            await ask(port, request, load)

    begin = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    load.seconds = time.perf_counter() - begin
    return load


async def paced(port: int, request: bytes, rate: float, seconds: float, name: str) -> Load:
    """`rate` requests a second by the clock."""
    load, running = Load(name), set[asyncio.Task[None]]()
    begin = time.perf_counter()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(begin + number / rate - time.perf_counter(), 0))
        if len(running) >= MOST_CONNECTIONS:
            load.unsent += 1
            continue
        task = asyncio.create_task(ask(port, request, load))
        running.add(task)
        task.add_done_callback(running.discard)
    await asyncio.gather(*running)
    load.seconds = time.perf_counter() - begin
    return load


def request_of(photo: bytes) -> bytes:
    body = body_of(photo)
    head = f"POST /v1/hands HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
    return f"{head}Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n".encode() + body


@dataclass(frozen=True)
class Spans:
    """Seconds of each part: the closed loop that finds C, steady load, overload."""

    closed: float
    steady: float
    over: float

    @classmethod
    def of(cls, minutes: float) -> Spans:
        """Steady load for so long; the others in proportion."""
        return cls(max(minutes * 6, 10), minutes * 60, minutes * 30)


async def measure(port: int, photo: bytes, spans: Spans, clients: int) -> list[dict[str, Any]]:
    """The rows: capacity, steady load, overload, and /livez during each."""
    request, rows = request_of(photo), []

    async def watched(work: Any) -> Load:
        probe = Probe(port)
        found: Load = await work
        probed = await asyncio.to_thread(probe.end)
        live = {"asked": len(probed.took) + probed.failed, "failed": probed.failed}
        live |= {name: round(probed.quantile(part), 1) for name, part in (("p50 ms", 0.5), ("p99 ms", 0.99))}
        rows.append({**found.row(), "/livez": live})
        return found

    await closed(port, request, clients, 3, "warm-up")
    capacity = (await watched(closed(port, request, clients, spans.closed, "C"))).goodput
    await watched(paced(port, request, 0.8 * capacity, spans.steady, "0.8 C"))
    await watched(paced(port, request, 5 * capacity, spans.over, "5 C"))
    return rows


def run(photo: bytes, spans: Spans, workers: int, threads: int) -> dict[str, Any]:
    """Start a service, measure it, end it."""
    before = os.getloadavg()[0]
    service = Live(REAL, workers=workers, threads=threads, log_level="error")
    try:
        service.until_ready()
        time.sleep(3)  # the other workers
        idle = memory(service.process)
        rows = asyncio.run(measure(service.port, photo, spans, workers))
        busy = memory(service.process)
        processes = len(family(service.process.pid))
    finally:
        service.stop()
    found = {
        "machine": {"cores": os.cpu_count(), "load average before": round(before, 2)},
        "workers": workers,
        "threads": threads,
        "capacity C, photos a second": rows[0]["good a second"],
        "loads": rows,
        "memory MB before": {name: round(value) for name, value in idle.items()},
        "memory MB after": {name: round(value) for name, value in busy.items()},
        "processes": processes,
    }
    return {**found, "promises": promises(found)}


def promises(found: dict[str, Any]) -> dict[str, Any]:
    """What was promised of these loads, the figure, and whether it holds."""
    free, steady, over = found["loads"]
    failed = sum(count for status, count in steady["answers"].items() if status != "200")
    slowest = max(load["/livez"]["p99 ms"] for load in found["loads"])
    deaf = sum(load["/livez"]["failed"] for load in found["loads"])
    ratio = round(steady["p99 ms"] / max(steady["p50 ms"], 1), 2)
    part = round(over["good a second"] / max(free["good a second"], 0.001), 2)
    checks = {
        "at 0.8 C: answers other than 200, and none at all": (failed + steady["unanswered"], 0),
        "at 0.8 C: p99 / p50, at most 3": (ratio, 3),
        "at 5 C: unanswered or without Retry-After": (
            over["unanswered"] + over["refusals without Retry-After"],
            0,
        ),
        "at 5 C: p99 of refusals, at most 50 ms": (over["refusal p99 ms"], 50),
        "at 5 C: p99 of what is admitted, at most 8000 ms": (over["p99 ms"], 8000),
        "throughout: p99 of /livez, at most 20 ms": (slowest, 20),
        "throughout: /livez unanswered": (deaf, 0),
    }
    told = {name: {"measured": value, "held": value <= most} for name, (value, most) in checks.items()}
    return {
        "at 5 C: good a second as a part of C, at least 0.9": {"measured": part, "held": part >= 0.9},
        **told,
    }


def table(found: dict[str, Any]) -> str:
    """The promises as a table in Markdown."""
    rows = [f"| capacity C, photos a second | {found['capacity C, photos a second']} | |"]
    rows += [
        f"| {name} | {told['measured']} | {'yes' if told['held'] else 'NO'} |"
        for name, told in found["promises"].items()
    ]
    return "| promise | measured | held |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("photo", type=Path, nargs="?", default=ROOT / "datasets" / "samples" / "hand.jpg")
    parser.add_argument("--minutes", type=float, default=10, help="of steady load; overload takes half of it")
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    arguments = parser.parse_args()
    spans = Spans.of(arguments.minutes)
    found = run(arguments.photo.read_bytes(), spans, arguments.workers, arguments.threads)
    print(json.dumps(found, indent=2))
    print(table(found))
    if arguments.out is not None:
        arguments.out.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()

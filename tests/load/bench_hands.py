"""Measure the service on one 12-megapixel JPEG: python tests/load/bench_hands.py [PHOTO] [--requests 40]

Prints a table: cold start (from starting the process until /readyz answers 200, the median of --starts),
median and 95th percentile of POST /v1/hands with the service warm, the memory that its processes hold, and
what the read alone takes, without a service around it.
It judges nothing: times depend on the machine.
"""

from __future__ import annotations

import argparse
import http.client
import io
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
SIZE = (4032, 3024)
BOUNDARY = "benchmark-boundary-5f1c"


def twelve_megapixels(photo: Path) -> bytes:
    """The photo, enlarged and padded to 4032 x 3024, as a JPEG."""
    with Image.open(photo) as opened:
        picture = opened.convert("RGB")
    if picture.height > picture.width:
        picture = picture.rotate(90, expand=True)
    scale = min(SIZE[0] / picture.width, SIZE[1] / picture.height)
    picture = picture.resize(
        (round(picture.width * scale), round(picture.height * scale)), Image.Resampling.BICUBIC
    )
    canvas = Image.new("RGB", SIZE, picture.resize((1, 1)).getpixel((0, 0)))
    canvas.paste(picture, ((SIZE[0] - picture.width) // 2, (SIZE[1] - picture.height) // 2))
    out = io.BytesIO()
    canvas.save(out, "JPEG", quality=88)
    return out.getvalue()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def status(port: int, path: str) -> int:
    """Status of a GET; 0 while nothing listens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def start(port: int) -> tuple[subprocess.Popen[bytes], float]:
    """The service as a process of its own, and the seconds until it was ready."""
    command = [sys.executable, "-m", "api", "serve", "--port", str(port)]
    environment = {**os.environ, "MAHJONG_READER_LOG_LEVEL": "warning"}
    begin = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    while status(port, "/readyz") != 200:
        if process.poll() is not None:
            raise SystemExit(f"the service ended with status {process.returncode}")
        if time.perf_counter() - begin > 60:
            process.terminate()
            raise SystemExit("the service was not ready within 60 s")
        time.sleep(0.005)
    return process, time.perf_counter() - begin


def family(pid: int) -> list[int]:
    """A process and all that it has started (Linux)."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += family(int(child))
    return found


def memory(process: subprocess.Popen[bytes]) -> dict[str, float]:
    """Memory of the service and its workers in MB (Linux); empty elsewhere.

    `Rss` counts what they share once for each of them, `Pss` once in all.
    """
    if not Path("/proc/self/smaps_rollup").exists():
        return {}
    sums = {"Rss": 0.0, "Pss": 0.0}
    for pid in family(process.pid):
        for name, held in memory_of(pid).items():
            sums[name] += held
    return sums


def memory_of(pid: int) -> dict[str, float]:
    """The same of one process alone."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    told = {name: rest for name, _, rest in (line.partition(":") for line in lines)}
    return {name: int(told[name].split()[0]) / 1024 for name in ("Rss", "Pss")}


def body_of(image: bytes) -> bytes:
    request = json.dumps({"rules": "hk", "context": {"win": "discard", "seat": "1z", "round": "1z"}})
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="request"\r\n\r\n{request}\r\n'
    head += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="photo.jpg"\r\n\r\n'
    return head.encode() + image + f"\r\n--{BOUNDARY}--\r\n".encode()


def post(connection: http.client.HTTPConnection, body: bytes) -> tuple[float, bytes]:
    """Seconds that one request took, and its answer."""
    headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    begin = time.perf_counter()
    connection.request("POST", "/v1/hands", body, headers)
    response = connection.getresponse()
    answer = response.read()
    took = time.perf_counter() - begin
    if response.status != 200:
        raise SystemExit(f"/v1/hands answered {response.status}: {answer.decode()}")
    return took, answer


def cold_starts(times: int) -> list[float]:
    """Seconds of so many starts of the service, each ended again at once."""
    seconds = []
    for _ in range(times):
        process, cold = start(free_port())
        process.terminate()
        process.wait(30)
        seconds.append(cold)
    return seconds


def measure(image: bytes, requests: int, starts: int) -> list[tuple[str, str]]:
    """The rows of the table."""
    earlier = cold_starts(starts - 1)
    port = free_port()
    process, last = start(port)
    cold = sorted([*earlier, last])
    try:
        idle = memory(process)
        body = body_of(image)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for _ in range(3):
            _, answer = post(connection, body)
        times = sorted(post(connection, body)[0] * 1000 for _ in range(requests))
        connection.close()
        busy = memory(process)
    finally:
        process.terminate()
        process.wait(30)
    reading = json.loads(answer)["reading"]
    rows = [
        ("photo", f"{SIZE[0]} x {SIZE[1]}, {len(image) / 1e6:.1f} MB, {len(reading['tiles'])} tiles found"),
        (
            "processor cores",
            str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        ),
        (
            "cold start",
            f"{statistics.median(cold):.2f} s, the median of {starts} ({cold[0]:.2f} to {cold[-1]:.2f})",
        ),
        ("/v1/hands median", f"{statistics.median(times):.0f} ms of {requests} requests"),
        ("/v1/hands 95th percentile", f"{times[min(len(times) - 1, int(len(times) * 0.95))]:.0f} ms"),
        ("/v1/hands fastest, slowest", f"{times[0]:.0f} ms, {times[-1]:.0f} ms"),
    ]
    if busy:
        rows.append(("memory in all", f"{busy['Pss']:.0f} MB (before the first photo {idle['Pss']:.0f} MB)"))
        rows.append(("sum of resident memory", f"{busy['Rss']:.0f} MB"))
    return rows


def read_alone(image: bytes, times: int) -> tuple[str, str]:
    """From the bytes of the photo to the reading, in this process."""
    sys.path.insert(0, str(ROOT))
    from vision import load_reader

    reader = load_reader()
    taken = []
    for _ in range(times + 3):
        begin = time.perf_counter()
        reader.read(image)
        taken.append((time.perf_counter() - begin) * 1000)
    rest = sorted(taken[3:])  # the first three warm it up
    return "the read alone, median", f"{statistics.median(rest):.0f} ms ({rest[0]:.0f} to {rest[-1]:.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "photo", type=Path, nargs="?", help="a photo of tiles; the first bundled sample by default"
    )
    parser.add_argument("--requests", type=int, default=40, help="how many to time, after three to warm up")
    parser.add_argument("--starts", type=int, default=5, help="how many cold starts to time")
    arguments = parser.parse_args()
    samples = sorted((ROOT / "datasets" / "samples").glob("*.jpg"))
    photo = arguments.photo or next(iter(samples), None)
    if photo is None:
        raise SystemExit("no sample is bundled; give a photo")
    image, requests = twelve_megapixels(photo), max(arguments.requests, 1)
    rows = [*measure(image, requests, max(arguments.starts, 1)), read_alone(image, requests)]
    wide = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{wide}}  {value}")


if __name__ == "__main__":
    main()

"""What a running service does when something goes wrong around it.

One service stands for many of the tests, under two faults that last for all of them: nobody reads its
standard error, which is full before long, and its folder for temporary files is not there.
"""

from __future__ import annotations

import contextlib
import fcntl
import http.client
import os
import select
import signal
import socket
import struct
import sys
import termios
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.api.live import Answer, Live, is_closed, live, wait_until

HEAD = b"POST /v1/read HTTP/1.1\r\nHost: x\r\nContent-Type: image/jpeg\r\nContent-Length: 4000\r\n\r\n"


@pytest.fixture(scope="module")
def service() -> Iterator[Live]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", os.path.join(os.sep, "no", "such", "folder"))
        with live(
            workers=2,
            queue=3,
            deadline_s=2,
            worker_memory_mib=100,
            header_timeout_s=1,
            receive_timeout_s=1,
            max_connections=300,
            max_body_bytes=1024 * 1024,
            log_level="debug",
        ) as running:
            yield running


def require_well(service: Live) -> None:
    """It lives, is ready, and reads the next photo."""
    assert service.get("/livez").status == 200
    assert service.photo("x").status == 200
    assert service.get("/readyz").status == 200


def require_problem(answer: Answer, code: str, status: int) -> None:
    assert (answer.status, answer.json["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json["request_id"] == answer.headers["x-request-id"]
    assert ("retry-after" in answer.headers) == (status in (429, 503))


@pytest.mark.parametrize(
    ("order", "code", "status"),
    [
        ("die", "worker_lost", 503),
        ("stop", "deadline", 504),
        ("loop", "deadline", 504),
        ("eat:400", "worker_lost", 503),
        ("break", "internal", 500),
    ],
)
def test_a_photo_that_brings_its_worker_down(service: Live, order: str, code: str, status: int) -> None:
    answer = service.photo(order)
    require_problem(answer, code, status)
    assert b"secret" not in answer.body
    require_well(service)


def test_photos_need_no_temporary_files(service: Live) -> None:
    """The folder for them is not there: a form with a large photo is read all the same."""
    head = b'--x\r\nContent-Disposition: form-data; name="image"; filename="x.jpg"\r\n\r\n'
    body = head + b"x" * 900_000 + b"\r\n--x--\r\n"
    answer = service.ask("POST", "/v1/read", body, {"Content-Type": "multipart/form-data; boundary=x"})
    assert answer.status == 200, answer.body


def test_queue_full(service: Live) -> None:
    with ThreadPoolExecutor(12) as senders:
        answers = list(senders.map(service.photo, ["wait:0.5"] * 12))
    refused = [answer for answer in answers if answer.status != 200]
    assert refused
    assert len(answers) - len(refused) >= 5
    for answer in refused:
        require_problem(answer, "overloaded", 503)
    require_well(service)


@pytest.mark.parametrize("offset", range(0, 4000, 200))
def test_client_that_resets(service: Live, offset: int) -> None:
    """Its connection ends without a farewell after so many bytes, several times."""
    for _ in range(50):
        connection = service.connect()
        connection.sendall((HEAD + bytes(4000))[:offset])
        # A linger of nothing: the close is a reset.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    assert service.get("/livez").status == 200


def test_nothing_is_left_of_clients_that_reset(service: Live) -> None:
    def descriptors() -> int:
        return len(os.listdir(f"/proc/{service.process.pid}/fd"))

    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("no /proc here to count descriptors in")
    require_well(service)
    wait_until(lambda: descriptors() < 40)
    require_well(service)


@pytest.mark.parametrize("said", [b"", HEAD[:30], HEAD[:-2]], ids=["nothing", "a line", "all but the end"])
def test_slow_headers(service: Live, said: bytes) -> None:
    connections = [service.connect() for _ in range(67)]
    for connection in connections:
        connection.sendall(said)
    require_well(service)
    for connection in connections:
        wait_until(lambda connection=connection: is_closed(connection))
        connection.close()


def test_slow_headers_are_told_so(service: Live) -> None:
    with service.connect() as connection:
        connection.sendall(HEAD[:30])
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"header_timeout"' in answer


def test_slow_bodies(service: Live) -> None:
    connections = [service.connect() for _ in range(200)]
    for connection in connections:
        connection.sendall(HEAD + b"some")
    assert service.get("/livez").status == 200
    with connections[0] as first:
        answer = first.recv(65536)
    assert answer.startswith(b"HTTP/1.1 408 ") or b'"overloaded"' in answer
    for connection in connections[1:]:
        wait_until(lambda connection=connection: is_closed(connection))
        connection.close()
    require_well(service)


def test_what_is_not_http(service: Live) -> None:
    with service.connect() as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello, do you speak TLS?\r\n\r\n")
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"bad_http"' in answer
    require_well(service)


def test_standard_error_that_nobody_reads(service: Live) -> None:
    """More lines than its pipe holds."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    for _ in range(500):
        connection.request("GET", "/livez")
        response = connection.getresponse()
        assert response.status == 200
        response.read()
    connection.close()
    assert service.process.stderr is not None
    waiting = bytearray(4)
    fcntl.ioctl(service.process.stderr, termios.FIONREAD, waiting)
    assert int.from_bytes(waiting, sys.byteorder) > 60_000
    require_well(service)


def test_metrics_tell_what_happened(service: Live) -> None:
    text = service.get("/metrics").body.decode()
    samples = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(samples['mahjong_workers_lost_total{reason="died"}']) >= 2
    assert float(samples['mahjong_workers_lost_total{reason="deadline"}']) >= 2
    assert float(samples['mahjong_http_requests_total{code="overloaded",route="/v1/read",status="503"}']) > 0
    assert samples["mahjong_ready"] == "1.0"


def test_few_file_descriptors() -> None:
    """With 64 it takes fewer connections than it is asked to, and turns the others away in order."""
    with live(
        ("-m", "tests.api.stubs"), ("sh", "-c", 'ulimit -n 64 && exec "$@"', "sh"), workers=2
    ) as service:
        connections = [service.connect() for _ in range(100)]
        said, _, _ = select.select(connections, [], [], 60)
        assert said
        answer = said[0].recv(4096)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b'"too_many_connections"' in answer
        for connection in connections:
            connection.close()
        wait_until(lambda: service.photo("x").status == 200)
        require_well(service)


def test_told_to_stop_with_photos_in_flight() -> None:
    """Every photo that was admitted is answered, and the status is 0."""
    with live(workers=2, queue=30) as service:
        answers: list[int] = []
        senders = [
            threading.Thread(target=lambda: answers.append(service.photo("wait:0.2").status))
            for _ in range(20)
        ]
        for sender in senders:
            sender.start()
        wait_until(lambda: b"mahjong_photos_in_progress 20.0" in service.get("/metrics").body)
        service.process.send_signal(signal.SIGTERM)
        for sender in senders:
            sender.join(60)
        assert answers == [200] * 20
        assert service.process.wait(60) == 0


def test_unready_while_it_drains() -> None:
    """With time to drain it answers on, says that it is not ready, and takes no photo."""
    with live(workers=1, drain_s=600) as service:
        service.process.send_signal(signal.SIGTERM)
        wait_until(lambda: service.get("/readyz").status == 503)
        assert service.get("/livez").status == 200
        require_problem(service.photo("x"), "not_ready", 503)
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(60) == 0


def send_in_vain(service: Live) -> None:
    with contextlib.suppress(OSError):
        service.photo("loop")


def test_told_to_stop_twice() -> None:
    """The second time it does not wait for a photo that takes for ever."""
    with live(workers=1, deadline_s=600, shutdown_timeout_s=600) as service:
        sender = threading.Thread(target=send_in_vain, args=(service,))
        sender.start()
        wait_until(lambda: b"mahjong_photos_in_progress 1.0" in service.get("/metrics").body)
        service.process.send_signal(signal.SIGTERM)
        service.process.send_signal(signal.SIGINT)
        assert service.process.wait(60) == 0
        sender.join(60)

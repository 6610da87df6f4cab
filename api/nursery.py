"""The service's side of its workers: starting the nursery, having it fork, and talking to what it forked.

Imports nothing of weight: the command starts the nursery before it loads anything else of its own, so that
both load at the same time, each on a core of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import mmap
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from api.worker import FORK, ORDER_BYTES, REAP

if TYPE_CHECKING:
    from api.jobs import Job

__all__ = ["Channel", "Nursery", "Plan", "WorkerLost", "plan_of"]

#: One arena each for malloc is too many for processes of two threads: it is memory that never comes back.
_ENVIRONMENT = {"MALLOC_ARENA_MAX": "2", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class WorkerLost(Exception):
    """The worker's process, or the nursery's, has ended."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a worker is to be.

    `loader` is `module:function`, called with `options`, and gives a `PhotoReader`. With `canary` a worker
    must read the canary before it is ready. `memory_mib` is by how much it may grow then; 0 leaves it open.
    `room_bytes` is the largest photo that is handed over in shared memory rather than through a socket.
    """

    loader: str = "vision:load_reader"
    options: Mapping[str, Any] = field(default_factory=dict)
    canary: bool = True
    memory_mib: int = 0
    room_bytes: int = 0


def plan_of(
    models: os.PathLike[str] | str | None,
    threads: int,
    memory_mib: int,
    max_body_bytes: int,
    own_set: os.PathLike[str] | str | None = None,
) -> Plan:
    """Workers with the networks of a models folder, None for those that came along, and a tile set that all
    photos show."""
    options: dict[str, Any] = {"models": None if models is None else os.fspath(models), "threads": threads}
    if own_set is not None:
        options["own_set"] = os.fspath(own_set)
    return Plan(
        options=options,
        memory_mib=memory_mib,
        room_bytes=max_body_bytes if hasattr(os, "memfd_create") else 0,
    )


class Nursery:
    """The process that workers are forked from. It starts when it is first needed, or told to, and again if
    it should end.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._lock: asyncio.Lock | None = None
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process; it loads while the caller does other things."""
        self._control, theirs = socket.socketpair()
        self._control.setblocking(False)
        words = json.dumps(asdict(self.plan))
        paths = [path or os.getcwd() for path in sys.path]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "api.worker", words, str(theirs.fileno())],
            pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**_ENVIRONMENT, **os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,  # a terminal's interrupt must not end photos half-way
        )
        theirs.close()

    async def fork(self, gone: Callable[[Channel], None]) -> Channel:
        """A new worker, still loading; `gone` is called when its process ends. Raises WorkerLost."""
        loop = asyncio.get_running_loop()
        self._lock = self._lock or asyncio.Lock()
        async with self._lock:
            if self._control is None or self._process is None or self._process.poll() is not None:
                self.stop()
                self.start()
            assert self._control is not None
            ours, theirs = socket.socketpair()
            shared, room = _room(self.plan.room_bytes)
            try:
                handed = [theirs.fileno(), *shared]
                socket.send_fds(self._control, [FORK.ljust(ORDER_BYTES)], handed)
                answer = await loop.sock_recv(self._control, ORDER_BYTES)
            except BaseException as error:
                ours.close()
                if isinstance(error, OSError):
                    raise WorkerLost(f"the nursery cannot be reached: {error}") from error
                raise
            finally:
                theirs.close()
                for descriptor in shared:
                    os.close(descriptor)
            if not answer:
                ours.close()
                raise WorkerLost("the nursery ended; standard error says why")
        channel = Channel(int(answer), gone, room)
        await loop.create_unix_connection(lambda: channel, sock=ours)
        return channel

    async def bury(self, pid: int) -> None:
        """Let the number of a worker that has ended be used again."""
        if self._lock is None:
            return
        async with self._lock:
            if self._control is None:
                return
            with contextlib.suppress(OSError):
                order = (REAP + str(pid).encode()).ljust(ORDER_BYTES)
                await asyncio.get_running_loop().sock_sendall(self._control, order)

    async def close(self) -> None:
        """End the nursery, and with it every worker."""
        await asyncio.to_thread(self.stop)

    def stop(self) -> None:
        """The same, without an event loop."""
        if self._control is None or self._process is None:
            return
        self._control.close()
        self._control = None
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _room(size: int) -> tuple[list[int], mmap.mmap | None]:
    """Memory to be shared with a worker, and its descriptor; nothing where `size` is 0."""
    if not size:
        return [], None
    descriptor = os.memfd_create("photo")
    os.ftruncate(descriptor, size)
    return [descriptor], mmap.mmap(descriptor, size)


class Channel(asyncio.Protocol):
    """One worker: its process, the socket to it, and the memory that photos are handed over in.

    A megabyte through a socket is a dozen times that each side waits for the other; on a busy machine each of
    them costs milliseconds.
    """

    def __init__(self, pid: int, gone: Callable[[Channel], None], room: mmap.mmap | None = None) -> None:
        from api.frames import Incoming

        self.pid = pid
        self.model: Mapping[str, str] = {}
        self.jobs = 0
        self.rss = 0
        self.gone = False
        self.retiring = False
        self._on_gone = gone
        self._room = room
        self._incoming = Incoming()
        self._frame: asyncio.Future[tuple[dict[str, Any], bytes]]
        self._frame = asyncio.get_running_loop().create_future()
        self._asked = False
        self._transport: asyncio.WriteTransport | None = None

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._asked

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The socket is there."""
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """A piece of an answer."""
        try:
            frame = self._incoming.feed(data)
        except ValueError:  # a worker that a hostile photo has taken over may send anything
            self.kill()
            return
        if frame is not None and not self._frame.done():
            self._frame.set_result(frame)

    def connection_lost(self, exc: Exception | None) -> None:
        """The worker's process has ended, or was told to."""
        self.gone = True
        if self._room is not None:
            self._room.close()
            self._room = None
        if not self._frame.done():
            self._frame.set_exception(WorkerLost("the worker's process ended"))
            self._frame.exception()  # seen: where nobody waits for it, nothing is amiss
        self._on_gone(self)

    async def greeting(self) -> dict[str, Any]:
        """What the worker says once it has loaded, or failed to. Raises WorkerLost."""
        words, _ = await self._answer()
        return words

    async def ask(self, job: Job) -> tuple[dict[str, Any], bytes]:
        """The worker's words on the job, and the answer's JSON. Raises WorkerLost."""
        from api.frames import pack

        if self.gone or self._transport is None:
            raise WorkerLost("the worker's process has ended")
        self.jobs += 1
        self._frame = asyncio.get_running_loop().create_future()
        words: dict[str, Any] = {"kind": job.kind, "request": job.request}
        if self._room is not None and len(job.image) <= len(self._room):
            self._room[: len(job.image)] = job.image
            self._transport.write(pack({**words, "shared": len(job.image)}, 0))
        else:
            self._transport.write(pack(words, len(job.image)))
            self._transport.write(job.image)
        words, answer = await self._answer()
        self.rss = int(words["facts"].get("rss", 0))
        return words, answer

    async def _answer(self) -> tuple[dict[str, Any], bytes]:
        self._asked = True
        try:
            return await self._frame
        finally:
            self._asked = False

    def kill(self) -> None:
        """End the process, whatever it does, even if it is stopped."""
        if self._transport is not None:
            self._transport.abort()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

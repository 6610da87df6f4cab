"""A worker's process, and the nursery that workers are forked from.

    python -m api.worker '{"loader": "vision:load_reader", ...}' CONTROL_FD

Photos are decoded here and nowhere else: what a hostile file can break is one process, which holds no key, no
other person's photo and no connection, and is replaced when it dies or takes too long.

The nursery loads the code once, has one thread, and forks a worker when it is asked to: a new worker is
there in the time that its networks take to load. It must never start a thread, so onnxruntime, which starts
one when it is imported, is imported by the workers. Only the standard library is imported before the process
is told what to load.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import mmap
import os
import resource
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from api.jobs import PhotoReader

__all__ = ["FORK", "ORDER_BYTES", "REAP", "main"]

#: Orders to the nursery have one length, padded with spaces: `f` and a channel, or `r` and a process's
#: number.
ORDER_BYTES = 16
FORK, REAP = b"f", b"r"

#: Exit status of a worker that ran out of memory.
_NO_MEMORY = 12


def main() -> None:
    """Be the nursery until the service goes away."""
    plan: dict[str, Any] = json.loads(sys.argv[1])
    control = socket.socket(fileno=int(sys.argv[2]))
    # The service decides when its workers end; a terminal's interrupt goes to the service alone.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # imports make hardly any garbage
    importlib.import_module(plan["loader"].partition(":")[0])
    importlib.import_module("api.jobs")
    importlib.import_module("api.frames")
    gc.collect()
    gc.freeze()  # what workers share with the nursery stays shared
    _tend(control, plan)


def _tend(control: socket.socket, plan: Mapping[str, Any]) -> None:
    """Fork and bury workers as told. When the service is gone, no worker outlives it."""
    workers: set[int] = set()
    while True:
        try:
            message, channels, _, _ = socket.recv_fds(control, ORDER_BYTES, 2)
        except InterruptedError:
            continue
        except OSError:
            break
        if not message:
            break
        if message[:1] == FORK and channels:
            pid = os.fork()
            if pid == 0:
                control.close()
                _work(socket.socket(fileno=channels[0]), channels[1:], plan)
            for descriptor in channels:
                os.close(descriptor)
            workers.add(pid)
            control.sendall(str(pid).encode().ljust(ORDER_BYTES))
        elif message[:1] == REAP:
            # Only now is the number free to be another process's: the service can kill it without a doubt.
            pid = int(message[1:])
            workers.discard(pid)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
    for pid in workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _work(channel: socket.socket, shared: Sequence[int], plan: Mapping[str, Any]) -> None:
    """Load a reader, read the canary, and then read photos until the channel is closed. Does not return."""
    status = 0
    try:
        # Libraries complain about broken photos on standard error, one line a photo, into a pipe that may be
        # full: what matters goes to the service over the channel.
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
        gc.enable()
        reader = _loaded(channel, plan)
        if reader is not None:
            _bound_memory(plan["memory_mib"])
            room = mmap.mmap(shared[0], plan["room_bytes"], prot=mmap.PROT_READ) if shared else None
            _serve(channel, reader, room)
    except MemoryError:
        status = _NO_MEMORY
    except BaseException:  # noqa: BLE001 - a forked process must never run on into its parent's code
        status = 1
    os._exit(status)


def _loaded(channel: socket.socket, plan: Mapping[str, Any]) -> PhotoReader | None:
    """The reader, once it has read the canary; None where that failed and the service has been told."""
    from api.frames import send
    from api.jobs import canary, require_sight

    try:
        module, _, name = plan["loader"].partition(":")
        reader: PhotoReader = getattr(importlib.import_module(module), name)(**plan["options"])
        if plan["canary"]:
            require_sight(reader, canary())
    except Exception as error:  # noqa: BLE001 - the service logs it; this process has no log
        code = getattr(error, "code", type(error).__name__)
        send(channel, {"failed": str(code), "detail": str(getattr(error, "detail", error))})
        return None
    send(channel, {"model": dict(reader.model)})
    return reader


def _bound_memory(mebibytes: int) -> None:
    """Let the process grow by so much and no further; 0 leaves it unbounded."""
    if not mebibytes or not sys.platform.startswith("linux"):
        return
    with open("/proc/self/statm", encoding="ascii") as statm:
        data = int(statm.read().split()[5]) * resource.getpagesize()
    most = data + mebibytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _serve(channel: socket.socket, reader: PhotoReader, room: mmap.mmap | None) -> None:
    from api.frames import receive, send
    from api.jobs import Job, perform

    while (frame := receive(channel)) is not None:
        words, image = frame
        if room is not None and "shared" in words:
            image = room[: words["shared"]]
        outcome = perform(reader, Job(words["kind"], image, words["request"]))
        facts = {**outcome.facts, "rss": _resident()}
        send(channel, {"facts": facts, "error": outcome.error, "trouble": outcome.trouble}, outcome.answer)


def _resident() -> int:
    """Bytes of memory that this process holds; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


if __name__ == "__main__":
    main()

"""Logs as JSON Lines on standard error: what happened, never what was on the photo or in a key.

A log must not be able to stop the service. Whoever reads standard error may stop reading, and the pipe is
then full: so lines are written by a thread of their own, and where they pile up, the newest are dropped and
counted.
"""

from __future__ import annotations

import json
import logging
import queue
import sys
import threading
import time
from typing import IO, Any

__all__ = ["DroppingHandler", "JsonLines", "configure"]

_MOST_WAITING = 2000
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, and whatever the record was given as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _STANDARD}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=True, default=str)


class DroppingHandler(logging.Handler):
    """Hands lines to a thread that writes them to `stream`; drops them where that thread cannot keep up."""

    def __init__(self, stream: IO[str], most: int = _MOST_WAITING) -> None:
        super().__init__()
        self.dropped = 0
        self._stream = stream
        self._lines: queue.Queue[str | None] = queue.Queue(most)
        # A daemon: a write that nobody reads must not keep the process from ending.
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line, or drop it; never waits."""
        try:
            self._lines.put_nowait(self.format(record))
        except queue.Full:
            self.dropped += 1
        except Exception:  # noqa: BLE001 - logging must not raise into what is logged
            self.handleError(record)

    def finish(self, seconds: float = 1.0) -> None:
        """Let what is waiting be written, for so long at most."""
        try:
            self._lines.put(None, timeout=seconds)
        except queue.Full:
            return
        self._thread.join(seconds)

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            if self.dropped:
                dropped, self.dropped = self.dropped, 0
                line += "\n" + json.dumps(
                    {"level": "warning", "message": "log lines dropped", "lines": dropped}
                )
            try:
                self._stream.write(line + "\n")
                self._stream.flush()
            except (OSError, ValueError):
                return


def configure(level: str) -> DroppingHandler:
    """Send every logger's lines of this level and above to standard error as JSON Lines."""
    handler = DroppingHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # What uvicorn says of each start and stop we say ourselves, with less of it.
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    return handler

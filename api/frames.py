"""What passes between the service and a worker: a length, a JSON object and raw bytes, over one socket."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Mapping
from typing import Any

__all__ = ["Incoming", "pack", "receive", "send"]

_LENGTHS = struct.Struct("!II")

#: More than any body may have: a length above it means that the other side has lost its mind.
_MOST = 512 * 1024 * 1024


def pack(words: Mapping[str, Any], size: int) -> bytes:
    """The beginning of a frame whose raw part has `size` bytes."""
    text = json.dumps(words).encode("ascii")
    return _LENGTHS.pack(len(text), size) + text


def send(channel: socket.socket, words: Mapping[str, Any], raw: bytes = b"") -> None:
    """Send a frame, waiting until it has left. Raises OSError."""
    channel.sendall(pack(words, len(raw)))
    if raw:
        channel.sendall(raw)


def receive(channel: socket.socket) -> tuple[dict[str, Any], bytes] | None:
    """Wait for a frame; None where the other side has left. Raises OSError and ValueError."""
    head = _exactly(channel, _LENGTHS.size)
    if head is None:
        return None
    words, raw = _LENGTHS.unpack(head)
    _require_sane(words, raw)
    text, image = _exactly(channel, words), _exactly(channel, raw)
    if text is None or image is None:
        return None
    return json.loads(text), image


def _exactly(channel: socket.socket, size: int) -> bytes | None:
    buffer = bytearray(size)
    view, have = memoryview(buffer), 0
    while have < size:
        got = channel.recv_into(view[have:])
        if not got:
            return None
        have += got
    return bytes(buffer)


def _require_sane(words: int, raw: int) -> None:
    if words + raw > _MOST:
        raise ValueError("a frame of impossible length")


class Incoming:
    """Puts a frame together from pieces, for a side that must not wait."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> tuple[dict[str, Any], bytes] | None:
        """The frame, once its last piece has come. Raises ValueError for what cannot be a frame."""
        self._buffer += data
        if len(self._buffer) < _LENGTHS.size:
            return None
        words, raw = _LENGTHS.unpack_from(self._buffer)
        _require_sane(words, raw)
        end = _LENGTHS.size + words + raw
        if len(self._buffer) < end:
            return None
        text = bytes(self._buffer[_LENGTHS.size : _LENGTHS.size + words])
        image = bytes(self._buffer[_LENGTHS.size + words : end])
        del self._buffer[:end]
        return json.loads(text), image

"""Spoils photos in ways that can be done again: each mutant is known by its seed's name and a number."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator

__all__ = ["KINDS", "mutant", "truncations"]


def truncations(data: bytes) -> Iterator[bytes]:
    """The first 1 %, 2 % ... 99 %, and all but the last byte."""
    for percent in range(1, 100):
        yield data[: len(data) * percent // 100]
    yield data[:-1]


def _flip(rng: random.Random, data: bytearray) -> None:
    for _ in range(rng.choice((1, 1, 1, 2, 8, 64))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _flip_header(rng: random.Random, data: bytearray) -> None:
    for _ in range(rng.choice((1, 1, 2, 4))):
        data[rng.randrange(min(len(data), 700))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))


def _cut(rng: random.Random, data: bytearray) -> None:
    start = rng.randrange(len(data))
    del data[start : start + rng.choice((1, 2, 7, 64, 1000, 5000))]


def _insert(rng: random.Random, data: bytearray) -> None:
    start = rng.randrange(len(data))
    data[start:start] = rng.randbytes(rng.choice((1, 2, 7, 64, 1000)))


def _repeat(rng: random.Random, data: bytearray) -> None:
    start, size = rng.randrange(len(data)), rng.choice((2, 64, 1000, 5000))
    piece = data[start : start + size]
    data[start:start] = piece * rng.choice((1, 2, 20))


def _swap(rng: random.Random, data: bytearray) -> None:
    size = rng.choice((4, 64, 1000))
    first, second = sorted(rng.randrange(max(len(data) - size, 1)) for _ in range(2))
    data[first : first + size], data[second : second + size] = (
        data[second : second + size],
        data[first : first + size],
    )


def _number(rng: random.Random, data: bytearray) -> None:
    """A length or a size becomes another, in either byte order."""
    form = rng.choice((">H", "<H", ">I", "<I"))
    value = rng.choice((0, 1, 2, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0xFFFFFFFF))
    place = rng.randrange(min(len(data), 4000) - 4)
    packed = struct.pack(form, value & (0xFFFF if form[1] == "H" else 0xFFFFFFFF))
    data[place : place + len(packed)] = packed


def _zero(rng: random.Random, data: bytearray) -> None:
    start, size = rng.randrange(len(data)), rng.choice((16, 256, 4096))
    data[start : start + size] = bytes(len(data[start : start + size]))


KINDS = (_flip, _flip, _flip_header, _cut, _insert, _repeat, _swap, _number, _zero)


def mutant(name: str, data: bytes, number: int) -> bytes:
    """The `number`th way to spoil the seed of this name."""
    rng = random.Random(f"{name}/{number}")
    spoilt = bytearray(data)
    rng.choice(KINDS)(rng, spoilt)
    return bytes(spoilt)

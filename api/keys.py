"""API keys: who may ask, and how often. Kept as hashes only, so that the settings of a running service do not
give a key away.

A key is 256 random bits, so one round of SHA-256 is enough: there is nothing to guess, and a slow hash would
only make a flood of wrong keys cost us more than its sender.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping

from api.errors import ApiError

__all__ = ["Keys", "Quota", "new_key", "parse_key_entry"]

_ENTRY = re.compile(r"(?P<id>[A-Za-z0-9_.-]{1,64}):(?P<hash>[0-9a-fA-F]{64})")
_PREFIX = "mjr_"
_LONGEST_KEY = 256


def new_key(identity: str) -> tuple[str, str]:
    """A fresh key for a client, and the entry `id:hash` that the service is to be told. Raises ValueError."""
    key = _PREFIX + secrets.token_urlsafe(32)
    entry = f"{identity}:{_digest(key)}"
    parse_key_entry(entry)
    return key, entry


def parse_key_entry(entry: str) -> tuple[str, str]:
    """Identity and hash of an entry `id:hash`. Raises ValueError."""
    found = _ENTRY.fullmatch(entry.strip())
    if found is None:
        # Not repeated in the message: someone may have put the key itself here.
        raise ValueError("an API key is told as NAME:SHA256, a name and 64 hexadecimal digits")
    return found["id"], found["hash"].lower()


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


class Keys:
    """The keys that are let in. Without any, everyone is."""

    def __init__(self, entries: Iterable[str]) -> None:
        self._hashes = dict(parse_key_entry(entry) for entry in entries)

    def __bool__(self) -> bool:
        return bool(self._hashes)

    def require(self, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """The identity of the key in a request's headers. Raises ApiError `unauthorized`."""
        key = _presented(headers)
        digest = _digest(key) if key is not None and len(key) <= _LONGEST_KEY else ""
        found = None
        for identity, known in self._hashes.items():  # all of them, so that time tells nothing
            if hmac.compare_digest(known, digest):
                found = identity
        if found is None:
            detail = "no API key was sent" if key is None else "the API key is not known"
            raise ApiError("unauthorized", detail, {"WWW-Authenticate": 'Bearer realm="mahjong-reader"'})
        return found


def _presented(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    for name, value in headers:
        if name == b"x-api-key":
            return value.decode("latin-1").strip()
        if name == b"authorization":
            scheme, _, key = value.decode("latin-1").partition(" ")
            if scheme.lower() == "bearer":
                return key.strip()
    return None


class Quota:
    """So many requests a minute for each key, refilled steadily; a minute's worth may come at once."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    @property
    def left(self) -> Mapping[str, tuple[float, float]]:
        """Of each key that has asked: requests that are left, and when that was so."""
        return self._left

    def require(self, identity: str) -> None:
        """Count a request. Raises ApiError `quota_exceeded` where the key has had its share."""
        if not self._per_minute:
            return
        now = self._clock()
        left, then = self._left.get(identity, (float(self._per_minute), now))
        left = min(float(self._per_minute), left + (now - then) * self._per_minute / 60)
        if left < 1:
            self._left[identity] = (left, now)
            wait = int((1 - left) * 60 / self._per_minute) + 1
            raise ApiError(
                "quota_exceeded",
                f"this key may ask {self._per_minute} times a minute",
                {"Retry-After": str(wait)},
            )
        self._left[identity] = (left - 1, now)

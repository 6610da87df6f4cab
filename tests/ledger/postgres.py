"""A PostgreSQL of the tests' own: in a temporary folder, reached through a socket in it, gone afterwards.

PostgreSQL refuses to run as root; where the tests do, it runs as a user that Debian's package makes, or as
nobody.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Absent(Exception):
    """There is no PostgreSQL here, or it does not start; the message says which."""


def _tool(name: str) -> str:
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)
    found = shutil.which(
        name, path=os.pathsep.join([*(str(path) for path in versions[::-1]), os.environ["PATH"]])
    )
    if found is None:
        raise Absent(f"PostgreSQL is not installed here: no {name} (Debian: apt-get install postgresql)")
    return found


def _user() -> dict[str, Any]:
    """As whom to run, for subprocess; nothing where the tests do not run as root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise Absent("PostgreSQL does not run as root, and there is no user postgres or nobody")


def _run(command: list[str], user: dict[str, Any], folder: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    log = folder / "log"
    with log.open("ab") as out:
        done = subprocess.run(
            command, stdout=out, stderr=out, env=environment, cwd=folder, check=False, timeout=120, **user
        )
    if done.returncode != 0:
        raise Absent(
            f"{Path(command[0]).name} failed: {log.read_text(encoding='utf-8', errors='replace')[-500:]}"
        )


@contextmanager
def cluster() -> Iterator[str]:
    """A running PostgreSQL: the URL of a database in it, whose name a caller may replace. Raises Absent."""
    initdb, pg_ctl = _tool("initdb"), _tool("pg_ctl")
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="ledger-"))
    data = folder / "data"
    try:
        if user:
            os.chown(folder, user["user"], user["group"])
        _run(
            [initdb, "-D", str(data), "-U", "ledger", "-A", "trust", "-E", "UTF8", "--no-sync"], user, folder
        )
        options = (
            f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c max_connections=40"
        )
        _run(
            [pg_ctl, "-D", str(data), "-w", "-t", "60", "-l", str(folder / "server"), "-o", options, "start"],
            user,
            folder,
        )
        try:
            yield f"postgresql://ledger@/postgres?host={folder}"
        finally:
            _run([pg_ctl, "-D", str(data), "-w", "-m", "immediate", "stop"], user, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)

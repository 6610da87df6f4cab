"""The commands that run for long, kept from the command line's own module: one that scores a hand need not
load them.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.nursery import Nursery, plan_of
from api.processors import cores

if TYPE_CHECKING:
    from api.batch import Tally
    from api.pool import Pool

__all__ = ["read_folder", "serve_until_told", "start_early"]

WRONG_SETTINGS = 2
MODELS_FAILED = 3

#: What a photo of an archive may take: nobody waits at the other end.
_PATIENT_S = 60.0
_LARGEST_PHOTO = 20 * 1024 * 1024

_early: list[Nursery] = []


def start_early() -> None:
    """Start the nursery before the settings are known for sure: it loads while the service does.

    What the settings' defaults are is told again here, because the module that knows them takes a while to
    load; where they turn out to be otherwise, the nursery is started anew.
    """
    # Imports make hardly any garbage, and looking for it is a tenth of a cold start.
    gc.disable()
    try:
        threads = int(os.environ.get("MAHJONG_READER_THREADS", str(min(2, cores()))))
        memory = int(os.environ.get("MAHJONG_READER_WORKER_MEMORY_MIB", "1536"))
        body = int(os.environ.get("MAHJONG_READER_MAX_BODY_BYTES", str(12 * 1024 * 1024)))
    except ValueError:  # the settings will say what is wrong
        return
    own_set = os.environ.get("MAHJONG_READER_OWN_SET") or None
    nursery = Nursery(plan_of(os.environ.get("MAHJONG_READER_MODELS"), threads, memory, body, own_set))
    nursery.start()
    _early.append(nursery)
    atexit.register(_stop_early)


def _stop_early() -> None:
    while _early:
        _early.pop().stop()


def serve_until_told(given: Mapping[str, Any], *, check: bool = False) -> int:
    """Serve with these settings and those of the environment; returns the exit status.

    With `check` it prints the settings instead, and what is wrong with them.
    """
    import typer

    from api.settings import check_settings

    settings, wrong = check_settings(given)
    for line in wrong:
        typer.echo(f"error [bad_setting]: {line}", err=True)
    if settings is not None and check:
        typer.echo(json.dumps(settings.shown(), indent=2, ensure_ascii=False))
    if settings is None or check:
        return WRONG_SETTINGS if wrong else 0
    if settings.database is not None and not _ledger_opens(settings.database.get_secret_value()):
        return WRONG_SETTINGS
    nursery = None
    plan = plan_of(
        settings.models,
        settings.threads,
        settings.worker_memory_mib,
        settings.max_body_bytes,
        settings.own_set,
    )
    if _early and _early[-1].plan == plan:
        nursery = _early.pop()
    else:
        _stop_early()
    from api.serving import run

    return run(settings, nursery)


def _ledger_opens(url: str) -> bool:
    """Whether the ledger's database can be used; its tables are then up to date. What is wrong is printed."""
    import typer

    from api.errors import ApiError
    from api.ledger.database import migrate, open_database

    try:
        engine = open_database(url)
        migrate(engine)
    except ApiError as error:
        typer.echo(f"error [{error.code}]: {error.detail}", err=True)
        return False
    engine.dispose()
    return True


def read_folder(
    folder: Path,
    out: Path,
    workers: int | None,
    rules: str | None,
    ray: str | None,
    models: Path | None,
) -> int:
    """Read an archive, with a progress bar on standard error.

    Returns the exit status: 0, 1 where a photo could not be read, 2 where the answers cannot be written, 3
    where the models cannot be used.
    """
    import asyncio

    import typer

    from api.answers import HandRequest
    from api.pool import StartFailed
    from scorer import ScorerError

    request = None if rules is None else {"rules": rules}
    try:
        if request is not None:
            HandRequest.from_data(request).require_valid()
        tally = asyncio.run(_read_folder(folder, out, workers or cores(), request, ray, models))
    except ScorerError as error:
        typer.echo(f"error [{error.code}]: {error.detail}", err=True)
        return WRONG_SETTINGS
    except OSError as error:
        typer.echo(f"error [batch]: {error}", err=True)
        return WRONG_SETTINGS
    except StartFailed as error:
        typer.echo(f"error [{error.code}]: {error.detail}", err=True)
        return MODELS_FAILED
    typer.echo(f"{tally.read} read, {tally.failed} failed, {tally.before} done before", err=True)
    return 1 if tally.failed else 0


async def _read_folder(
    folder: Path,
    out: Path,
    workers: int,
    request: Mapping[str, Any] | None,
    ray: str | None,
    models: Path | None,
) -> Tally:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from api.batch import Archive, read_archive

    pool = _pool(workers, ray, models)
    columns = (TextColumn("photos"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=Console(stderr=True)) as bar:
            task = bar.add_task("photos", total=None)
            return await read_archive(
                Archive(folder, out),
                pool,
                2 * workers,
                request,
                lambda done, of: bar.update(task, completed=done, total=of),
            )
    finally:
        await pool.close()


def _pool(workers: int, ray: str | None, models: Path | None) -> Pool:
    if ray is not None:
        from api.cluster import ray_pool

        return ray_pool(ray, workers, None if models is None else str(models))
    from api.pool import WorkerPool

    plan = plan_of(models, max(cores() // workers, 1), 1536, _LARGEST_PHOTO)
    return WorkerPool(Nursery(plan), workers=workers, queue=workers, deadline_s=_PATIENT_S)

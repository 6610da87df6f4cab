"""The commands that run for long, kept from the command line's own module: one that scores a hand need not
load them.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
from collections.abc import Mapping
from typing import Any

from api.nursery import Nursery, plan_of

__all__ = ["serve_until_told", "start_early"]

WRONG_SETTINGS = 2

_early: list[Nursery] = []


def start_early() -> None:
    """Start the nursery before the settings are known for sure: it loads while the service does.

    What the settings' defaults are is told again here, because the module that knows them takes a while to
    load; where they turn out to be otherwise, the nursery is started anew.
    """
    # Imports make hardly any garbage, and looking for it is a tenth of a cold start.
    gc.disable()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        threads = int(os.environ.get("MAHJONG_READER_THREADS", str(min(2, cores))))
        memory = int(os.environ.get("MAHJONG_READER_WORKER_MEMORY_MIB", "1536"))
        body = int(os.environ.get("MAHJONG_READER_MAX_BODY_BYTES", str(12 * 1024 * 1024)))
    except ValueError:  # the settings will say what is wrong
        return
    nursery = Nursery(plan_of(os.environ.get("MAHJONG_READER_MODELS"), threads, memory, body))
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
    nursery = None
    plan = plan_of(settings.models, settings.threads, settings.worker_memory_mib, settings.max_body_bytes)
    if _early and _early[-1].plan == plan:
        nursery = _early.pop()
    else:
        _stop_early()
    from api.serving import run

    return run(settings, nursery)

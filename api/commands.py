"""The commands that run for long, kept from the command line's own module: one that scores a hand need not
load them.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Mapping
from typing import Any

import typer

from api.nursery import Nursery, plan_of

__all__ = ["serve_until_told"]

WRONG_SETTINGS = 2


def serve_until_told(given: Mapping[str, Any], *, check: bool = False) -> int:
    """Serve with these settings and those of the environment; returns the exit status.

    With `check` it prints the settings instead, and what is wrong with them.
    """
    # Imports make hardly any garbage, and looking for it is a tenth of a cold start.
    gc.disable()
    nursery = None if check else _early_nursery()
    from api.settings import check_settings

    settings, wrong = check_settings(given)
    for line in wrong:
        typer.echo(f"error [bad_setting]: {line}", err=True)
    if settings is not None and check:
        typer.echo(json.dumps(settings.shown(), indent=2, ensure_ascii=False))
    if settings is None or check:
        if nursery is not None:
            nursery.stop()
        return WRONG_SETTINGS if wrong else 0
    if nursery is not None and nursery.plan != plan_of(
        settings.models, settings.threads, settings.worker_memory_mib
    ):
        nursery.stop()
        nursery = None
    from api.serving import run

    return run(settings, nursery)


def _early_nursery() -> Nursery | None:
    """The nursery, before the settings are known for sure: it loads while the service does.

    What the settings' defaults are is told again here, because the module that knows them takes a while to
    load; where they turn out to be otherwise, the nursery is started anew.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        return Nursery(
            plan_of(
                os.environ.get("MAHJONG_READER_MODELS"),
                int(os.environ.get("MAHJONG_READER_THREADS", str(min(2, cores)))),
                int(os.environ.get("MAHJONG_READER_WORKER_MEMORY_MIB", "1536")),
            )
        )
    except ValueError:  # the settings will say what is wrong
        return None

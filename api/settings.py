"""The service's settings, read once from the environment (`MAHJONG_READER_*`) and frozen from then on."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

__all__ = ["Settings"]

_MIB = 1024 * 1024


class Settings(BaseSettings):
    """What a run of the service may be told. Every wrong setting is reported at once, as pydantic's
    ValidationError.

    Made in one place, by the command that starts the service; nothing reads the environment at import.
    """

    model_config = SettingsConfigDict(env_prefix="MAHJONG_READER_", frozen=True, extra="forbid")

    host: str = Field(
        "127.0.0.1", description="Address to listen on; only this machine unless told otherwise."
    )
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    models: Path | None = Field(
        None, description="Folder with manifest.json and the weights; None: those that came along."
    )
    workers: int = Field(1, ge=1, le=64, description="Photos read at the same time.")
    queue: int = Field(
        8, ge=0, le=1024, description="Photos that may wait for a worker; one more is refused."
    )
    max_body_bytes: int = Field(12 * _MIB, ge=1024, le=256 * _MIB, description="Largest body with a photo.")
    max_json_bytes: int = Field(64 * 1024, ge=1024, le=_MIB, description="Largest JSON body or part.")
    receive_timeout_s: float = Field(
        30.0, gt=0, le=3600, description="A body must have arrived within so many seconds."
    )
    retry_after_s: int = Field(1, ge=1, le=3600, description="What a refused client is told to wait.")
    shutdown_timeout_s: int = Field(20, ge=1, le=600, description="Running requests may take so long to end.")
    max_connections: int = Field(256, ge=1, description="Connections at the same time.")
    log_level: Literal["critical", "error", "warning", "info", "debug"] = Field(
        "info", description="Least serious line logged."
    )

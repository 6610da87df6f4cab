"""The service's settings, read once from the environment (`MAHJONG_READER_*`) and frozen from then on."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from api.keys import parse_key_entry
from api.processors import cores

__all__ = ["PREFIX", "Settings", "check_settings"]

PREFIX = "MAHJONG_READER_"
_DATABASE = re.compile(r"(sqlite:///[^?]+|postgres(?:ql)?(?:\+psycopg)?://.+)")
_PASSWORD = re.compile(r":[^:/@]*@")
_MIB = 1024 * 1024


class Settings(BaseSettings):
    """What a run of the service may be told. Every wrong setting is reported at once, as pydantic's
    ValidationError.

    Made in one place, by the command that starts the service; nothing reads the environment at import.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid", validate_default=True)

    host: str = Field(
        "127.0.0.1",
        min_length=1,
        description="Address to listen on; only this machine unless told otherwise.",
    )
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    models: Path | None = Field(
        None, description="Folder with manifest.json and the weights; None: those that came along."
    )
    own_set: Path | None = Field(
        None, description="The tile set that all photos show, as `mahjong-reader adapt` keeps it; None: any."
    )
    auth: Literal["auto", "on", "off"] = Field(
        "auto", description="Whether requests need an API key. auto: where others can reach the address."
    )
    api_keys: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="NAME:SHA256 of each key, separated by commas; `mahjong-reader key NAME` makes one."
    )
    requests_per_minute: int = Field(
        0, ge=0, le=1_000_000, description="What each key may ask a minute; 0: as much as there is."
    )
    workers: int = Field(
        default_factory=lambda: min(2, cores()), ge=1, le=64, description="Processes that read photos."
    )
    threads: int = Field(
        default_factory=lambda: min(2, cores()),
        ge=1,
        le=64,
        description="Threads of each worker's networks.",
    )
    queue: int = Field(
        8, ge=0, le=1024, description="Photos that may wait for a worker; one more is refused."
    )
    deadline_s: float = Field(
        8.0,
        gt=0,
        le=600,
        description="A photo must be read within so many seconds; its worker is then killed.",
    )
    worker_memory_mib: int = Field(
        1536, ge=0, le=65536, description="By how much a worker may grow once it is loaded; 0: unbounded."
    )
    recycle_after: int = Field(
        2000, ge=1, le=1_000_000, description="Photos after which a fresh worker takes a worker's place."
    )
    canary_interval_s: float = Field(
        60.0, gt=0, le=86400, description="How often an idle worker must read the canary photo again."
    )
    max_body_bytes: int = Field(12 * _MIB, ge=1024, le=256 * _MIB, description="Largest body with a photo.")
    max_json_bytes: int = Field(64 * 1024, ge=1024, le=_MIB, description="Largest JSON body or part.")
    header_timeout_s: float = Field(
        10.0, gt=0, le=3600, description="A request's headers must have arrived within so many seconds."
    )
    receive_timeout_s: float = Field(
        30.0, gt=0, le=3600, description="A body must have arrived within so many seconds."
    )
    retry_after_s: int = Field(1, ge=1, le=3600, description="What a refused client is told to wait.")
    drain_s: float = Field(
        0.0, ge=0, le=600, description="How long, once told to stop, to answer on as unready before closing."
    )
    shutdown_timeout_s: int = Field(20, ge=1, le=600, description="Running requests may take so long to end.")
    max_connections: int = Field(256, ge=1, le=65536, description="Connections at the same time.")
    database: SecretStr | None = Field(
        None,
        description="Where the ledger of matches is kept: sqlite:///FILE or "
        "postgresql://USER:PASSWORD@HOST/NAME. None: there is no ledger, and nothing is stored.",
    )
    signing_key: Path | None = Field(
        None, description="File with the organiser's Ed25519 key (PEM) that signs bundles; None: unsigned."
    )
    log_level: Literal["critical", "error", "warning", "info", "debug"] = Field(
        "info", description="Least serious line logged."
    )

    @field_validator("api_keys", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("api_keys")
    @classmethod
    def _require_keys(cls, value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        """Each entry is well formed, no name is there twice, and an open address has keys."""
        names = [parse_key_entry(entry)[0] for entry in value]
        if len(set(names)) != len(names):
            raise ValueError("two API keys have one name")
        auth, host = info.data.get("auth"), info.data.get("host")
        if not value and auth == "on":
            raise ValueError("requests need API keys, but none is told")
        if not value and auth == "auto" and host is not None and not _is_loopback(host):
            raise ValueError(
                f"{host} can be reached by others: tell API keys, or say {PREFIX}AUTH=off if something in "
                "front of the service asks for them"
            )
        return value

    @field_validator("database")
    @classmethod
    def _require_database(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not _DATABASE.match(value.get_secret_value()):
            # Not repeated in the message: it may hold a password.
            raise ValueError("the ledger is kept in sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME")
        return value

    @field_validator("signing_key")
    @classmethod
    def _require_signing_key(cls, value: Path | None) -> Path | None:
        if value is not None:
            from api.errors import ApiError
            from api.signing import load_private

            try:
                load_private(value)
            except ApiError as error:
                raise ValueError(error.detail) from error
        return value

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that are asked for; none where no key is."""
        return () if self.auth == "off" else self.api_keys

    def shown(self) -> dict[str, Any]:
        """Every setting as plain data, for people: of keys their names only, and no password."""
        plain = self.model_dump(mode="json")
        plain["api_keys"] = [parse_key_entry(entry)[0] for entry in self.api_keys]
        if self.database is not None:
            plain["database"] = _PASSWORD.sub(":***@", self.database.get_secret_value())
        return plain


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_settings(given: Mapping[str, Any]) -> tuple[Settings | None, list[str]]:
    """The settings, or every reason why they cannot be: one line each, naming the variable.

    `given` goes before the environment. A variable that has our prefix and no meaning is a reason too: it is
    a setting that somebody believes to be in force.
    """
    known = {(PREFIX + name).upper() for name in Settings.model_fields}
    wrong = [f"{name}: no such setting" for name in sorted(os.environ) if _is_unknown(name, known)]
    try:
        settings = Settings(**given)
    except ValidationError as error:
        wrong += _lines(error)
        return None, sorted(wrong)
    return (None, wrong) if wrong else (settings, [])


def _is_unknown(name: str, known: Iterable[str]) -> bool:
    return name.upper().startswith(PREFIX) and name.upper() not in known


def _lines(error: ValidationError) -> list[str]:
    lines = []
    for wrong in error.errors(include_url=False, include_input=False):
        place = ".".join(str(part) for part in wrong["loc"])
        lines.append(f"{PREFIX}{place.upper()}: {wrong['msg'].removeprefix('Value error, ')}")
    return lines

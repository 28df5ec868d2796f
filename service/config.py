"""Configuration from environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

MIB: Final = 1 << 20
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


@dataclass(frozen=True, slots=True)
class Config:
    """Configuration of a worker process. Each attribute names its environment variable.

    Attributes:
        log_level: ``LOG_LEVEL``, one of :data:`LOG_LEVELS`.
        cache_mib: ``CACHE_MIB``, MiB of in-process cache of each worker.
        redis_url: ``REDIS_URL``, Redis shared by all workers; empty for none.
        cache_ttl_s: ``CACHE_TTL_S``, approximate lifetime of values in Redis, in seconds.
        cache_key: ``CACHE_KEY``, secret that signs values in Redis.
        solve_queue: ``SOLVE_QUEUE``, requests that may wait for the solve slot of a worker.
        solve_client: ``SOLVE_CLIENT``, requests of one client that a worker solves or lets wait.
        solve_room: ``SOLVE_ROOM``, requests that may wait for a solution computed by another.
        quota_units: ``QUOTA_UNITS``, rate limit of a client per window; 0 for no limit.
        quota_window_s: ``QUOTA_WINDOW_S``, length of the window in seconds.
        api_keys: ``API_KEYS``, space-separated ``owner:sha256``; without any key and any file,
            the API is public.
        api_keys_file: ``API_KEYS_FILE``, a file with one ``owner:sha256`` per line.
        cors_origins: ``CORS_ORIGINS``, space-separated origins whose scripts may read responses.
        proxy_hops: ``PROXY_HOPS``, number of proxies that append to ``X-Forwarded-For``.
        otel_exporter_otlp_endpoint: ``OTEL_EXPORTER_OTLP_ENDPOINT``, address of a collector of
            OpenTelemetry traces; empty for no traces.
    """

    log_level: str = "INFO"
    cache_mib: int = 64
    redis_url: str = ""
    cache_ttl_s: int = 7 * 24 * 3600
    cache_key: str = ""
    solve_queue: int = 8
    solve_client: int = 3
    solve_room: int = 112
    quota_units: int = 0
    quota_window_s: int = 60
    api_keys: str = ""
    api_keys_file: str = ""
    cors_origins: str = ""
    proxy_hops: int = 0
    otel_exporter_otlp_endpoint: str = ""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """Read every attribute from the variable of its name in upper case.

        Raises:
            ValueError: if a number is not a whole number, or the log level is unknown.
        """
        values: dict[str, Any] = {
            field.name: _count(field.name, text) if isinstance(field.default, int) else text
            for field in fields(cls)
            if (text := environment.get(field.name.upper()))
        }
        config = cls(**values)
        level = config.log_level.upper()
        if level not in LOG_LEVELS:
            raise ValueError(f"LOG_LEVEL is {level!r}; expected one of {', '.join(LOG_LEVELS)}")
        return replace(config, log_level=level)


def _count(name: str, text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"{name.upper()} is {text!r}; expected a whole number")
    return int(text)

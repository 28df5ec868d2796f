"""The environment as one frozen configuration."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

MIB: Final = 1 << 20
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


@dataclass(frozen=True, slots=True)
class Config:
    """How this process is to behave.

    Attributes:
        log_level: of the service's own logger, ``LOG_LEVEL``.
        cache_mib: of memory for answers and solves, ``CACHE_MIB``, in each worker.
        redis_url: of a cache that workers share, ``REDIS_URL``.
        cache_ttl_s: seconds that values live there, about, ``CACHE_TTL_S``.
        cache_key: signs them, ``CACHE_KEY``.
        solve_queue: requests in line for a worker's solve slot, ``SOLVE_QUEUE``.
        solve_room: requests that wait for what another one solves, ``SOLVE_ROOM``.
        quota_units: that a client may spend in a window, ``QUOTA_UNITS``; 0 does not limit it.
        quota_window_s: seconds of a window, ``QUOTA_WINDOW_S``.
        api_keys: ``owner:sha256`` of each key, ``API_KEYS``, with spaces between; without any, and
            without a file of them, nobody needs one.
        api_keys_file: a file with one of them a line, ``API_KEYS_FILE``.
        cors_origins: of the pages whose scripts may read answers, ``CORS_ORIGINS``, with spaces
            between.
        metrics_port: where metrics are shown, and nothing else, ``METRICS_PORT``; 0 shows none.
        proxy_hops: proxies in front, which each say whom they serve, ``PROXY_HOPS``.
    """

    log_level: str = "INFO"
    cache_mib: int = 64
    redis_url: str = ""
    cache_ttl_s: int = 7 * 24 * 3600
    cache_key: str = ""
    solve_queue: int = 8
    solve_room: int = 112
    quota_units: int = 0
    quota_window_s: int = 60
    api_keys: str = ""
    api_keys_file: str = ""
    cors_origins: str = ""
    metrics_port: int = 0
    proxy_hops: int = 0

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """Reads every attribute from the variable of its name in capitals.

        Raises:
            ValueError: if a number is none, or negative, or there is no such level.
        """
        read: dict[str, Any] = {
            field.name: _count(field.name, text) if isinstance(field.default, int) else text
            for field in fields(cls)
            if (text := environment.get(field.name.upper()))
        }
        found = cls(**read)
        level = found.log_level.upper()
        if level not in LOG_LEVELS:
            raise ValueError(f"LOG_LEVEL is {level!r}; one of {', '.join(LOG_LEVELS)} is due")
        return replace(found, log_level=level)


def _count(name: str, text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"{name.upper()} is {text!r}; a whole number is due")
    return int(text)

"""Check the address of a Redis server, ``REDIS_URL``."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlsplit

from redis import ConnectionPool
from redis.connection import parse_url

_FORMS: Final = "redis://user:password@host:6379/0, rediss://host:6380/0 or unix:///path?db=0"
_SEVERAL: Final = (
    "REDIS_URL names Redis Sentinel, a cluster or several hosts, which are not supported: set the "
    f"address of one server, such as {_FORMS}"
)
_INVALID: Final = (
    f"REDIS_URL is invalid: expected {_FORMS}, with special characters percent-encoded and only "
    "options of redis-py"
)


def pool_of(url: str, **options: Any) -> Any:
    """Return a pool of connections to the server that a URL names.

    Args:
        url: as redis-py reads it, with its options of a connection.
        options: of each connection; they replace those in the URL.

    Raises:
        ValueError: in one sentence without any part of the URL, which can contain a password.
    """
    message = _INVALID
    try:
        parts = urlsplit(url)
        kinds = {"sentinel", "cluster"} & set(re.split("[+-]", parts.scheme))
        if kinds or "," in parts.netloc.rpartition("@")[2]:
            message = _SEVERAL
            raise ValueError
        if "#" in url or "@" in parts.path + parts.query:
            raise ValueError  # redis-py would take a part of the password for the host.
        pool: Any = ConnectionPool(**{**parse_url(url), **options})  # type: ignore[no-untyped-call]
        pool.connection_class(**pool.connection_kwargs)  # Refuses unknown options.
    except Exception:
        raise ValueError(message) from None
    return pool

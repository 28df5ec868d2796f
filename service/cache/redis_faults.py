"""Names of the faults of Redis, in the log and in the metrics: a closed list."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from typing import Final

from redis import exceptions as redis

CROWDED, LATE = "crowded", "late"
"""Faults that say nothing about the server: no connection is free, the request has no time left."""
DROPPED, SEAL, TIMEOUT, OTHER = "dropped", "seal", "timeout", "other"
LONGEST_DETAIL: Final = 200

_CLUSTER: Final = (redis.AskError, redis.ClusterError, redis.ClusterCrossSlotError)
_CAUSES: Final[tuple[tuple[str, tuple[type[Exception], ...]], ...]] = (
    ("loading", (redis.BusyLoadingError, redis.MasterDownError)),
    ("cluster-redirect", (*_CLUSTER, redis.TryAgainError)),
    ("auth", (redis.AuthenticationError, redis.AuthenticationWrongNumberOfArgsError)),
    ("permission", (redis.NoPermissionError,)),
    ("full", (redis.OutOfMemoryError,)),
    ("read-only", (redis.ReadOnlyError,)),
    ("error-reply", (redis.ResponseError,)),
    ("tls", (ssl.SSLError,)),
    ("dns", (socket.gaierror,)),
    ("refused", (ConnectionRefusedError,)),
    ("file", (FileNotFoundError, PermissionError)),
    (TIMEOUT, (redis.TimeoutError, TimeoutError)),
    ("protocol", (redis.InvalidResponse, ValueError)),
    ("disconnected", (redis.ConnectionError, OSError)),
)
"""In the order of search: specific before general."""
NAMES: Final = frozenset({CROWDED, LATE, DROPPED, SEAL, OTHER, *(name for name, _ in _CAUSES)})


def cause(error: BaseException) -> str:
    """Return the name of what caused an error; redis-py raises a general one for most."""
    chain = list(_chain(error))
    for name, types in _CAUSES:
        if any(isinstance(link, types) for link in chain):
            return name
    return OTHER


def detail(error: BaseException, password: str | None = None) -> str:
    """Return the message of an error as one short line without secrets."""
    # Servers repeat the arguments of an unknown AUTH, cut to a length.
    text = str(error).partition(", with args beginning with")[0]
    text = text.replace(password, "***") if password else text
    return " ".join(f"{type(error).__name__}: {text}".split())[:LONGEST_DETAIL]


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__

"""How long one request may wait for Redis in all, however many commands it needs."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from threading import local
from typing import Final

BASE_S: Final = 0.2
"""Seconds of waiting for any request: the longest lookup and the longest attempt at a lease."""
SHARE: Final = 0.1
"""And this share of the time since the request began: a long review needs many commands."""


class RequestTime(local):
    """The time that the request of the current thread has waited for Redis.

    Threads without a request, such as that of the writer, have no limit.

    Args:
        clock: monotonic clock in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began: float | None = None
        self._used_s = 0.0

    def begin(self) -> None:
        """Start anew: the thread serves another request."""
        self._began, self._used_s = self._clock(), 0.0

    def use(self, seconds: float) -> None:
        """Count time waited."""
        self._used_s += seconds

    @property
    def left_s(self) -> float:
        """Seconds that the request may still wait, at least 0."""
        if self._began is None:
            return inf
        return max(0.0, BASE_S + SHARE * (self._clock() - self._began) - self._used_s)

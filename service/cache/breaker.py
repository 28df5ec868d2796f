"""Circuit breaker: after some failures in a row it rejects calls, except single trials."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import Final

MAX_FAULTS: Final = 3
REST_S: Final = 1.0


class Breaker:
    """Open while a dependency is known to be down. Thread-safe.

    Args:
        max_faults: failures in a row that open it.
        rest_s: seconds between trials while it is open.
        clock: monotonic clock in seconds.
        on_change: called with True when it opens and False when it closes.
    """

    def __init__(
        self,
        max_faults: int = MAX_FAULTS,
        rest_s: float = REST_S,
        clock: Callable[[], float] = time.monotonic,
        on_change: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self._max_faults, self._rest_s, self._clock = max_faults, rest_s, clock
        self._on_change = on_change
        self._lock = Lock()
        self._faults = 0
        self._try_at = 0.0

    @property
    def open(self) -> bool:
        return self._faults >= self._max_faults

    def allows(self) -> bool:
        """Return whether to call. While it is open, one caller may try after each rest."""
        if not self.open:
            return True
        with self._lock:
            now = self._clock()
            if self.open and now < self._try_at:
                return False
            self._try_at = now + self._rest_s
            return True

    def succeeded(self) -> None:
        """Record a success, which closes it."""
        if self._faults:
            with self._lock:
                was_open, self._faults = self.open, 0
            if was_open:
                self._on_change(False)

    def failed(self) -> None:
        """Record a failure."""
        with self._lock:
            was_open = self.open
            self._faults += 1
            opened = self.open and not was_open
            if self.open:
                self._try_at = self._clock() + self._rest_s
        if opened:
            self._on_change(True)

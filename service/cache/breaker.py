"""Circuit breaker: after some failures or slow replies in a row it rejects calls, except trials."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import Final

MAX_FAULTS: Final = 3
REST_S: Final = 1.0
SLOW_S: Final = 0.02
"""A reply that takes longer costs a hint more than it saves: half of all solves take 35 ms."""
MAX_SLOW: Final = 16
"""So many slow replies in a row: on a busy machine, single ones are slow too."""


class Breaker:
    """Open while a dependency is known to be down or slow. Thread-safe.

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
        self._slow = 0
        self._open = False
        self._try_at = 0.0

    @property
    def open(self) -> bool:
        """Whether calls are refused at present, except for one try after each rest."""
        return self._open

    def allows(self) -> bool:
        """Return whether to call. While it is open, one caller may try after each rest."""
        if not self._open:
            return True
        with self._lock:
            now = self._clock()
            if self._open and now < self._try_at:
                return False
            self._try_at = now + self._rest_s
            return True

    def succeeded(self, seconds: float = 0.0) -> None:
        """Record a reply after so many seconds; a fast one closes the breaker."""
        slow = seconds > SLOW_S
        if not (slow or self._faults or self._slow):
            return
        with self._lock:
            self._faults, self._slow = 0, self._slow + 1 if slow else 0
            changed = self._set_open(self._slow >= MAX_SLOW or (slow and self._open))
        if changed:
            self._on_change(self._open)

    def failed(self) -> None:
        """Record a failure."""
        with self._lock:
            self._faults += 1
            changed = self._set_open(self._open or self._faults >= self._max_faults)
        if changed:
            self._on_change(True)

    def _set_open(self, is_open: bool) -> bool:
        """Open or close it, and return whether that is a change."""
        changed, self._open = is_open != self._open, is_open
        if is_open:
            self._try_at = self._clock() + self._rest_s
        return changed

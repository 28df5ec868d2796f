"""A circuit breaker: after some faults in a row nobody tries for a while, then one does."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import Final

MOST_FAULTS: Final = 3
REST_S: Final = 1.0


class Breaker:
    """Open while something is known to be away; threads may share it.

    Args:
        most_faults: in a row, before it opens.
        rest_s: how long nobody tries then.
        clock: seconds that only go up.
        on_change: told when it opens (True) and closes.
    """

    def __init__(
        self,
        most_faults: int = MOST_FAULTS,
        rest_s: float = REST_S,
        clock: Callable[[], float] = time.monotonic,
        on_change: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self._most, self._rest_s, self._clock = most_faults, rest_s, clock
        self._on_change = on_change
        self._lock = Lock()
        self._faults = 0
        self._try_at = 0.0

    @property
    def open(self) -> bool:
        return self._faults >= self._most

    def allows(self) -> bool:
        """Whether to try.  While it is open, one caller may after each rest."""
        if not self.open:
            return True
        with self._lock:
            now = self._clock()
            if self.open and now < self._try_at:
                return False
            self._try_at = now + self._rest_s
            return True

    def succeeded(self) -> None:
        """Closes it."""
        if self._faults:
            with self._lock:
                was_open, self._faults = self.open, 0
            if was_open:
                self._on_change(False)

    def failed(self) -> None:
        """Counts a fault."""
        with self._lock:
            was_open = self.open
            self._faults += 1
            opened = self.open and not was_open
            if self.open:
                self._try_at = self._clock() + self._rest_s
        if opened:
            self._on_change(True)

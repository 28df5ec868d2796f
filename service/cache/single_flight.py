"""Single flight: of all requests for the same missing value, one computes it and the others wait.

Ours because it combines two scopes: threads of a process share a flight, and processes share a
lease in Redis, whose holder may die. After Go's ``golang.org/x/sync/singleflight``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import Final

from service.cache.layered import Cache
from service.cache.types import Hit, Lease
from service.core.violations import Overloaded

FLIGHT, MADE = "flight", "made"
"""Layers of a hit: computed by another request of this process, or by this request."""
POLL_S: Final = 0.005
"""First pause between two lookups of a value that another process computes; it doubles."""
MOST_POLL_S: Final = 0.08


class WaitList:
    """A limit on the requests that wait for values.

    Args:
        places: how many requests may wait at once.
    """

    def __init__(self, places: int) -> None:
        self._lock = Lock()
        self._free = places

    @contextmanager
    def stay(self) -> Iterator[None]:
        """Occupy a place while waiting.

        Raises:
            Overloaded: if all places are occupied.
        """
        with self._lock:
            if not self._free:
                raise Overloaded("room-full")
            self._free -= 1
        try:
            yield
        finally:
            with self._lock:
                self._free += 1


class _Flight:
    """A computation in progress, and its value once it has landed."""

    def __init__(self) -> None:
        self.landed = Event()
        self.value: bytes | None = None


class SingleFlight:
    """A cache that computes missing values once.

    Args:
        cache: where values are stored.
        waiting: limits the requests that wait.
    """

    def __init__(self, cache: Cache, waiting: WaitList) -> None:
        self._cache, self._waiting = cache, waiting
        self._lock = Lock()
        self._flights: dict[bytes, _Flight] = {}

    def obtain(self, key: bytes, make: Callable[[], bytes | None], until: float) -> Hit | None:
        """Return a value, from the cache or computed.

        Args:
            key: of the value.
            make: computes the value; returns None for a value that must not be cached, so that
                waiting requests compute their own.
            until: ``time.monotonic()`` at which to stop waiting for others.

        Returns:
            the value and its layer; None if it was computed and must not be cached.

        Raises:
            Overloaded: if too many requests wait already, or the wait took too long.
        """
        while True:
            hit = self._cache.recent(key)
            if hit is not None:
                return hit
            flight, leads = self._board(key)
            if leads:
                try:
                    hit = self._claimed(key, make, until)
                    flight.value = None if hit is None else hit.value
                    return hit
                finally:
                    with self._lock:
                        del self._flights[key]
                    flight.landed.set()
            with self._waiting.stay():
                if not flight.landed.wait(max(0.0, until - time.monotonic())):
                    raise Overloaded("made-slowly")
            if flight.value is not None:
                return Hit(flight.value, FLIGHT)

    def _board(self, key: bytes) -> tuple[_Flight, bool]:
        """The flight for a value, and whether the caller leads it."""
        with self._lock:
            leads = key not in self._flights
            return self._flights.setdefault(key, _Flight()), leads

    def _claimed(self, key: bytes, make: Callable[[], bytes | None], until: float) -> Hit | None:
        got = self._claim(key, until)
        if isinstance(got, Hit):
            return got
        value = None
        try:
            value = make()
        finally:
            if value is None:
                self._cache.release(got)
        if value is None:
            return None
        self._cache.put(key, value, got)
        return Hit(value, MADE)

    def _claim(self, key: bytes, until: float) -> Hit | Lease:
        """The value as another process made it, or the right to make it."""
        wait_s = POLL_S
        while True:
            got = self._cache.acquire_lease(key)
            if got is not None:
                return got
            left = until - time.monotonic()
            if left <= 0.0:
                raise Overloaded("made-slowly")
            with self._waiting.stay():
                time.sleep(min(wait_s, left))
            wait_s = min(2.0 * wait_s, MOST_POLL_S)

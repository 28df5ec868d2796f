"""Values made once: of all requests that want the same value at the same time, one makes it, in
this process by a flight, among several by a lease in Redis.
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
"""Layers of what another request of this process makes at this moment, and of what this one did."""
POLL_S: Final = 0.005
"""How long to wait before asking again for what another process makes, at first."""
MOST_POLL_S: Final = 0.08


class WaitList:
    """Where requests stay that wait for what another one makes.

    Args:
        places: how many may.
    """

    def __init__(self, places: int) -> None:
        self._lock = Lock()
        self._free = places

    @contextmanager
    def stay(self) -> Iterator[None]:
        """Takes a place.

        Raises:
            Overloaded: if there is none.
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
    """A value being made."""

    def __init__(self) -> None:
        self.landed = Event()
        self.value: bytes | None = None


class SingleFlight:
    """Makes values that are not kept.

    Args:
        cache: where they are kept.
        room: where requests wait.
    """

    def __init__(self, cache: Cache, room: WaitList) -> None:
        self._cache, self._room = cache, room
        self._lock = Lock()
        self._flights: dict[bytes, _Flight] = {}

    def obtain(self, key: bytes, make: Callable[[], bytes | None], until: float) -> Hit | None:
        """The value, kept or made.

        Args:
            key: of the value.
            make: makes it; None where it is not to be kept, so that others try themselves.
            until: ``time.monotonic()`` at which to stop waiting for others.

        Returns:
            the value and where it comes from; None where it was made and is not to be kept.

        Raises:
            Overloaded: if too many wait already, or it took too long.
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
            with self._room.stay():
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
            got = self._cache.lead(key)
            if got is not None:
                return got
            left = until - time.monotonic()
            if left <= 0.0:
                raise Overloaded("made-slowly")
            with self._room.stay():
                time.sleep(min(wait_s, left))
            wait_s = min(2.0 * wait_s, MOST_POLL_S)

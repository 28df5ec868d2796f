"""Single flight: of all requests for the same missing value, one computes it and the others wait.

Ours because it combines two scopes: threads of a process share a flight, and processes share a
lease in Redis, whose holder may die. After Go's ``golang.org/x/sync/singleflight``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Event, Lock
from typing import Final, Generic, Protocol, TypeVar

from service.cache.layered import REDIS, Cache
from service.cache.types import Hit, Lease
from service.core.violations import Overloaded

FLIGHT, COMPUTED = "flight", "computed"
"""Layers of a value: computed by another request of this process, or by this request."""
POLL_S: Final = 0.005
"""First pause between two lookups of a value that another process computes; it doubles."""
MAX_POLL_S: Final = 0.08

Value = TypeVar("Value")


class Codec(Protocol[Value]):
    """Converts values to cached bytes and back."""

    def encode(self, value: Value) -> bytes | None:
        """Return the bytes to cache, or None for a value that must not be cached."""

    def decode(self, data: bytes) -> Value:
        """Return the value of cached bytes; raises ValueError if they are not one."""

    def check(self, value: Value) -> None:
        """Raise ValueError if a decoded value cannot be the one that is wanted."""


@dataclass(frozen=True, slots=True)
class Obtained(Generic[Value]):
    """A value and its source: a layer of the cache, ``FLIGHT`` or ``COMPUTED``."""

    value: Value
    layer: str


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
    """A computation in progress, and the bytes of its value once it has landed."""

    def __init__(self) -> None:
        self.landed = Event()
        self.data: bytes | None = None


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

    def obtain(
        self, key: bytes, compute: Callable[[], Value], codec: Codec[Value], until: float
    ) -> Obtained[Value]:
        """Return a value, from the cache or computed.

        If the value must not be cached, each waiting request computes its own. Cached bytes that
        cannot be decoded are replaced.

        Args:
            key: cache key of the value.
            compute: computes the value.
            codec: converts the value to bytes and back.
            until: ``time.monotonic()`` at which to stop waiting for other requests.

        Raises:
            Overloaded: if too many requests wait already, or the wait took too long.
        """
        while True:
            hit = self._cache.recent(key)
            if hit is None:
                flight, leads = self._board(key)
                if leads:
                    return self._lead(key, flight, compute, codec, until)
                with self._waiting.stay():
                    if not flight.landed.wait(max(0.0, until - time.monotonic())):
                        raise Overloaded("made-slowly")
                if flight.data is None:
                    continue
                hit = Hit(flight.data, FLIGHT)
            try:
                return Obtained(codec.decode(hit.value), hit.layer)
            except ValueError:
                self._cache.forget(key)

    def recall(self, key: bytes, decode: Callable[[bytes], Value]) -> Value | None:
        """Return a value that :meth:`remember` stored, or None.

        Args:
            key: cache key of the value.
            decode: returns the value of cached bytes; raises ValueError if they are not one.
        """
        hit = self._cache.get(key)
        if hit is None:
            return None
        try:
            value = decode(hit.value)
        except ValueError:
            return None
        if hit.layer == REDIS:
            self._cache.keep(key, hit.value)
        return value

    def remember(self, key: bytes, value: bytes) -> None:
        """Store a value that is cheap enough to be computed more than once."""
        self._cache.put(key, value)

    def _board(self, key: bytes) -> tuple[_Flight, bool]:
        """Return the flight for a value, and whether the caller leads it."""
        with self._lock:
            leads = key not in self._flights
            return self._flights.setdefault(key, _Flight()), leads

    def _lead(
        self,
        key: bytes,
        flight: _Flight,
        compute: Callable[[], Value],
        codec: Codec[Value],
        until: float,
    ) -> Obtained[Value]:
        """Compute the value unless another process does, and let the flight land."""
        try:
            lease: Lease | None = None
            claim = self._claim(key, until)
            if isinstance(claim, Lease):
                lease = claim
            else:
                with suppress(ValueError):
                    value = codec.decode(claim.value)
                    if claim.layer == REDIS:
                        codec.check(value)
                        self._cache.keep(key, claim.value)
                    flight.data = claim.value
                    return Obtained(value, claim.layer)
            data = None
            try:
                value = compute()
                data = codec.encode(value)
            finally:
                if data is None and lease is not None:
                    self._cache.release(lease)
            if data is not None:
                self._cache.put(key, data, lease)
            flight.data = data
            return Obtained(value, COMPUTED)
        finally:
            with self._lock:
                del self._flights[key]
            flight.landed.set()

    def _claim(self, key: bytes, until: float) -> Hit | Lease:
        """Return the value that another process computed, or the lease to compute it."""
        wait_s = POLL_S
        while True:
            claim = self._cache.acquire_lease(key)
            if claim is not None:
                return claim
            left = until - time.monotonic()
            if left <= 0.0:
                raise Overloaded("made-slowly")
            with self._waiting.stay():
                time.sleep(min(wait_s, left))
            wait_s = min(2.0 * wait_s, MAX_POLL_S)

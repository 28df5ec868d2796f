"""In-process cache with a size limit; it evicts the least recently used value first."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

ENTRY_BYTES: Final = 256
"""Approximate overhead of an entry beyond its key and value."""


class Memory:
    """A thread-safe LRU cache.

    Args:
        max_bytes: of all entries together; a larger value is not stored.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._lock = Lock()
        self._values: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._values)

    @property
    def size(self) -> int:
        """Approximate bytes of all entries."""
        return self._bytes

    def get(self, key: bytes) -> bytes | None:
        """Return the value of a key, or None."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def remove(self, key: bytes) -> None:
        """Remove a key, if it has a value."""
        with self._lock:
            value = self._values.pop(key, None)
            if value is not None:
                self._bytes -= _size(key, value)

    def put(self, key: bytes, value: bytes) -> None:
        """Store a value, if it fits."""
        size = _size(key, value)
        if size > self._max_bytes:
            return
        with self._lock:
            before = self._values.pop(key, None)
            if before is not None:
                self._bytes -= _size(key, before)
            self._values[key] = value
            self._bytes += size
            while self._bytes > self._max_bytes:
                self._bytes -= _size(*self._values.popitem(last=False))


def _size(key: bytes, value: bytes) -> int:
    return len(key) + len(value) + ENTRY_BYTES

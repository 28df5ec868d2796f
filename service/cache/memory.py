"""A cache in the memory of the process: bounded, the value least recently asked for goes first."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

ENTRY_BYTES: Final = 256
"""What an entry takes besides its key and its value, about."""


class Memory:
    """A cache that several threads may use.

    Args:
        most_bytes: of all entries together; a value that would not fit alone is not kept.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._lock = Lock()
        self._values: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._values)

    @property
    def size(self) -> int:
        """Bytes that all entries take, about."""
        return self._bytes

    def get(self, key: bytes) -> bytes | None:
        """The value last put there, or None if it is not there, or not any more."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: bytes, value: bytes) -> None:
        """Keeps a value, if it can."""
        size = _size(key, value)
        if size > self._most:
            return
        with self._lock:
            before = self._values.pop(key, None)
            if before is not None:
                self._bytes -= _size(key, before)
            self._values[key] = value
            self._bytes += size
            while self._bytes > self._most:
                self._bytes -= _size(*self._values.popitem(last=False))


def _size(key: bytes, value: bytes) -> int:
    return len(key) + len(value) + ENTRY_BYTES

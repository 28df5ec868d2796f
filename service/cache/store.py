"""What every cache does."""

from __future__ import annotations

from typing import Protocol


class Store(Protocol):
    """Values by key, each kept until there is need for its place."""

    def get(self, key: bytes) -> bytes | None:
        """The value last put there, or None if it is not there, or not any more."""

    def put(self, key: bytes, value: bytes) -> None:
        """Keeps a value, if it can."""

"""A clock for the parts of the cache that measure time."""

from __future__ import annotations


class Clock:
    """Returns the time that a test has set, in seconds."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

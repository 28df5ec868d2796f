"""The solve queue of a worker: one solution at a time, and a bounded number of waiting requests.

Requests beyond the bound are refused at once, so that the others are served in time.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import Final

from service.core.violations import OutOfTime, Overloaded
from service.operations.observer import Observer

MAX_WAITING: Final = 8
PATIENCE_S: Final = 3.0


class SolveQueue:
    """First come, first served access to the one solve slot of a worker process.

    Args:
        max_waiting: how many requests may wait.
        patience_s: seconds that each waits at most.
        observer: receives metrics.
    """

    def __init__(
        self,
        max_waiting: int = MAX_WAITING,
        patience_s: float = PATIENCE_S,
        observer: Observer | None = None,
    ) -> None:
        self._max_waiting, self._patience_s = max_waiting, patience_s
        self._observer = observer or Observer()
        self._lock = Lock()
        self._busy = False
        self._waiting: deque[Event] = deque()

    @property
    def is_full(self) -> bool:
        """Whether the next request would be refused."""
        return self._busy and len(self._waiting) >= self._max_waiting

    @contextmanager
    def slot(self, stop_at: float | None) -> Iterator[None]:
        """Wait for the slot and occupy it.

        Args:
            stop_at: ``time.monotonic()`` of the deadline, or None.

        Raises:
            Overloaded: if the queue is full, or the wait took too long.
            OutOfTime: if the deadline passed in the queue.
        """
        self._enter(stop_at)
        self._observer.solving(1)
        try:
            yield
        finally:
            self._observer.solving(-1)
            self._leave()

    def _enter(self, stop_at: float | None) -> None:
        with self._lock:
            if not self._busy:
                self._busy = True
                return
            if len(self._waiting) >= self._max_waiting:
                raise Overloaded("queue-full")
            turn = Event()
            self._waiting.append(turn)
        with self._observer.queued():
            if turn.wait(_seconds_left(stop_at, self._patience_s)):
                return
        with self._lock:
            if turn.is_set():
                # The slot became free between the timeout and the lock.
                return
            self._waiting.remove(turn)
        if stop_at is not None and time.monotonic() >= stop_at:
            raise OutOfTime
        raise Overloaded("queue-slow")

    def _leave(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._busy = False


def _seconds_left(stop_at: float | None, patience_s: float) -> float:
    """Return the seconds until the deadline or the end of patience, whichever is first."""
    if stop_at is None:
        return patience_s
    return max(0.0, min(patience_s, stop_at - time.monotonic()))

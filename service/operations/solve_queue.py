"""How much is solved at once in a worker, and how many requests wait: beyond that they are refused
at once, so that whoever is served is served in time.
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

MOST_WAITING: Final = 8
PATIENCE_S: Final = 3.0


class SolveQueue:
    """Solving keeps a core busy, so a worker solves one thing at a time; the others wait in line.

    Args:
        most_waiting: in line.
        patience_s: how long each waits at most.
        watch: told of all that.
    """

    def __init__(
        self,
        most_waiting: int = MOST_WAITING,
        patience_s: float = PATIENCE_S,
        watch: Observer | None = None,
    ) -> None:
        self._most, self._patience_s, self._watch = most_waiting, patience_s, watch or Observer()
        self._lock = Lock()
        self._busy = False
        self._line: deque[Event] = deque()

    @contextmanager
    def hold(self, stop_at: float | None) -> Iterator[None]:
        """Waits for its turn and has the slot to itself.

        Args:
            stop_at: ``time.monotonic()`` of the deadline, if there is one.

        Raises:
            Overloaded: if the line is full, or too slow.
            OutOfTime: if the deadline passed in line.
        """
        self._enter(stop_at)
        self._watch.solving(1)
        try:
            yield
        finally:
            self._watch.solving(-1)
            self._leave()

    def _enter(self, stop_at: float | None) -> None:
        with self._lock:
            if not self._busy:
                self._busy = True
                return
            if len(self._line) >= self._most:
                raise Overloaded("queue-full")
            turn = Event()
            self._line.append(turn)
        with self._watch.queued():
            if turn.wait(_seconds_left(stop_at, self._patience_s)):
                return
        with self._lock:
            if turn.is_set():
                # It came at the last moment.
                return
            self._line.remove(turn)
        if stop_at is not None and time.monotonic() >= stop_at:
            raise OutOfTime
        raise Overloaded("queue-slow")

    def _leave(self) -> None:
        with self._lock:
            if self._line:
                self._line.popleft().set()
            else:
                self._busy = False


def _seconds_left(stop_at: float | None, patience_s: float) -> float:
    """Until the deadline, or until patience ends."""
    if stop_at is None:
        return patience_s
    return max(0.0, min(patience_s, stop_at - time.monotonic()))

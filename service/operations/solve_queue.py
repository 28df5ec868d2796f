"""The solve queue of a worker: one solution at a time, and a bounded number of waiting requests.

Requests beyond the bound are refused at once, so that the others are served in time. If solutions
take long, fewer requests may wait: a refusal after a long wait helps nobody. The queue is fair
between clients: the next request is one of the waiting client that has used the slot least
(start-time fair queueing, Goyal et al. 1996, with usage that is forgotten), and a client with many
waiting requests loses one if the queue is full and another client comes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import exp2
from threading import Event, Lock
from typing import Final

from service.core.violations import OutOfTime, Overloaded
from service.operations.observer import Observer

MAX_WAITING: Final = 8
MAX_PER_CLIENT: Final = 3
PATIENCE_S: Final = 3.0
WAIT: Final = 0.5
"""Expected wait of the last request in the queue, at most, as a fraction of the patience."""
WEIGHT: Final = 0.2
"""Weight of the last solution in the mean duration."""
HALF_LIFE_S: Final = 10.0
"""After this time, half of what a client has used the slot is forgotten."""
MAX_CLIENTS: Final = 1_000
"""Clients whose usage is remembered."""


@dataclass(eq=False, slots=True)
class _Waiting:
    """A waiting request.

    Attributes:
        client: that sent it; None is not limited.
        turn: set when its wait ends.
        refused: whether it ended because another client needed the place.
    """

    client: str | None
    turn: Event = field(default_factory=Event)
    refused: bool = False


class SolveQueue:
    """Fair access to the one solve slot of a worker process.

    Args:
        max_waiting: how many requests may wait at most.
        patience_s: seconds that each waits at most.
        observer: receives metrics.
        max_per_client: requests of one client in the slot and in the queue.
        clock: monotonic clock in seconds, for the usage.
    """

    def __init__(
        self,
        max_waiting: int = MAX_WAITING,
        patience_s: float = PATIENCE_S,
        observer: Observer | None = None,
        max_per_client: int = MAX_PER_CLIENT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_waiting, self._patience_s = max_waiting, patience_s
        self._max_per_client = max_per_client
        self._observer = observer or Observer()
        self._clock = clock
        self._lock = Lock()
        self._busy = False
        self._solving: str | None = None
        self._since = 0.0
        self._mean_s = 0.0
        """Exponentially weighted mean of the seconds that a request occupies the slot."""
        self._waiting: list[_Waiting] = []
        self._used: dict[str | None, tuple[float, float]] = {}
        """By client, the decayed seconds in the slot, and when they were counted."""

    def refuses(self, client: str | None) -> bool:
        """Return whether the next request of a client would be refused."""
        if not self._busy:
            return False
        with self._lock:
            return self._busy and self._refusal(client) is not None

    @contextmanager
    def slot(self, stop_at: float | None, client: str | None = None) -> Iterator[None]:
        """Wait for the slot and occupy it.

        Args:
            stop_at: ``time.monotonic()`` of the deadline, or None.
            client: that sent the request; None is not limited.

        Raises:
            Overloaded: if the queue is full, the client has too many requests in it, or the wait
                took too long.
            OutOfTime: if the deadline passed in the queue.
        """
        self._enter(stop_at, client)
        try:
            with self._observer.solving():
                yield
        finally:
            self._leave()

    def _enter(self, stop_at: float | None, client: str | None) -> None:
        with self._lock:
            if not self._busy:
                self._occupy(client)
                return
            refusal = self._refusal(client)
            if refusal is not None:
                raise Overloaded(refusal)
            if self._is_full():
                displaced = self._displaced(client)
                assert displaced is not None
                self._waiting.remove(displaced)
                displaced.refused = True
                displaced.turn.set()
            own = _Waiting(client)
            self._waiting.append(own)
        with self._observer.queued():
            ended = own.turn.wait(_seconds_left(stop_at, self._patience_s))
        if not ended:
            with self._lock:
                # Its turn may have come between the timeout and the lock.
                ended = own.turn.is_set()
                if not ended:
                    self._waiting.remove(own)
        if own.refused:
            raise Overloaded("queue-full")
        if ended:
            return
        if stop_at is not None and time.monotonic() >= stop_at:
            raise OutOfTime("queue")
        raise Overloaded("queue-slow")

    def _leave(self) -> None:
        with self._lock:
            now = self._clock()
            duration = now - self._since
            self._mean_s += WEIGHT * (duration - self._mean_s)
            self._used[self._solving] = self._usage(self._solving, now) + duration, now
            if len(self._used) > MAX_CLIENTS:
                least = min(self._used, key=lambda client: self._usage(client, now))
                del self._used[least]
            if not self._waiting:
                self._busy = False
                return
            following = min(self._waiting, key=lambda own: self._usage(own.client, now))
            self._waiting.remove(following)
            self._occupy(following.client)
            following.turn.set()

    def _occupy(self, client: str | None) -> None:
        self._busy, self._solving, self._since = True, client, self._clock()

    def _usage(self, client: str | None, now: float) -> float:
        """Return the seconds for which a client has used the slot; older use counts less."""
        seconds, at = self._used.get(client, (0.0, now))
        return seconds * exp2((at - now) / HALF_LIFE_S)

    def _refusal(self, client: str | None) -> str | None:
        """Return why a request would be refused while the slot is busy, or None."""
        if client is not None and self._count(client) >= self._max_per_client:
            return "client-full"
        full = self._is_full() and self._displaced(client) is None
        return "queue-full" if full else None

    def _is_full(self) -> bool:
        """Return whether no more requests may wait; one always may."""
        waiting = len(self._waiting)
        too_long = waiting > 0 and (waiting + 1) * self._mean_s > WAIT * self._patience_s
        return too_long or waiting >= self._max_waiting

    def _count(self, client: str | None) -> int:
        """Return the requests of a client in the slot and in the queue."""
        return (self._solving == client) + sum(own.client == client for own in self._waiting)

    def _displaced(self, client: str | None) -> _Waiting | None:
        """Return the request that makes place for another client in a full queue, if any."""
        counts = Counter(own.client for own in self._waiting)
        if not counts:
            return None
        most, count = counts.most_common(1)[0]
        if count <= counts[client] + 1:
            return None
        return next(own for own in reversed(self._waiting) if own.client == most)


def _seconds_left(stop_at: float | None, patience_s: float) -> float:
    """Return the seconds until the deadline or the end of patience, whichever is first."""
    if stop_at is None:
        return patience_s
    return max(0.0, min(patience_s, stop_at - time.monotonic()))

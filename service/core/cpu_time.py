"""CPU time of requests: what a thread has used, without what the process needs only once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from time import thread_time


class _Excluded(local):
    """Seconds of the current thread that count for no request."""

    seconds = 0.0


_EXCLUDED = _Excluded()


def cpu_s() -> float:
    """Return the CPU seconds of this thread that count for requests."""
    return thread_time() - _EXCLUDED.seconds


@contextmanager
def excluded() -> Iterator[None]:
    """Count no CPU time of this thread for a request, for example while it loads a kernel."""
    before = cpu_s()
    try:
        yield
    finally:
        _EXCLUDED.seconds += cpu_s() - before

"""Times of repeated calls on the wall clock, garbage collection off."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Final

SHORTEST_SAMPLE_S: Final = 1e-3
"""Quicker calls are timed several at a time."""


@dataclass(frozen=True)
class Patience:
    """How often a call is repeated, after a first one that is not counted.

    Attributes:
        seconds: to spend on it, as far as the limits allow.
        least, most: repetitions.
        once: a call that takes so many seconds is measured once.
    """

    seconds: float
    least: int
    most: int
    once: float

    def repetitions(self, expected: float) -> int:
        """Of a call that takes so many seconds."""
        if expected >= self.once:
            return 1
        return max(self.least, min(self.most, int(self.seconds / expected)))


THOROUGH: Final = Patience(0.3, 3, 50, 2.0)
QUICK: Final = Patience(0.05, 2, 10, 0.5)


@dataclass(frozen=True)
class Timed:
    """Seconds that a call took.

    Attributes:
        first: the uncounted first call.
        least, median: of the repetitions.
        repetitions: samples, each of ``calls`` calls.
    """

    first: float
    least: float
    median: float
    repetitions: int
    calls: int


def timed(call: Callable[[], object], patience: Patience) -> Timed:
    """Calls once to warm up, and then repeatedly."""
    with _uncollected():
        first = _seconds(call, 1)
        warm = _seconds(call, 1)
        calls = max(1, int(SHORTEST_SAMPLE_S / warm))
        repetitions = patience.repetitions(warm * calls)
        # The call after the first is one of them where each takes long.
        samples = [warm] if calls == 1 else []
        while len(samples) < repetitions:
            samples.append(_seconds(call, calls))
    return Timed(first, min(samples), median(samples), len(samples), calls)


def _seconds(call: Callable[[], object], calls: int) -> float:
    began = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - began) / calls


@contextmanager
def _uncollected() -> Iterator[None]:
    gc.collect()
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()

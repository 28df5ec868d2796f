"""Wall-clock times of repeated calls, without garbage collection."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Final

SHORTEST_SAMPLE_S: Final = 1e-3
"""Shorter calls are timed several at a time."""


@dataclass(frozen=True)
class TimingBudget:
    """How often to repeat a call, after a first one that does not count.

    Attributes:
        seconds: to spend, within the limits.
        least, most: limits of the number of repetitions.
        once: a call that takes at least so many seconds is measured once.
    """

    seconds: float
    least: int
    most: int
    once: float

    def repetitions(self, call_s: float) -> int:
        """Return the repetitions of a call that takes ``call_s`` seconds."""
        if call_s >= self.once:
            return 1
        return max(self.least, min(self.most, int(self.seconds / call_s)))


THOROUGH: Final = TimingBudget(0.3, 3, 50, 2.0)
QUICK: Final = TimingBudget(0.05, 2, 10, 0.5)


@dataclass(frozen=True)
class Timing:
    """Times of a call, in seconds.

    Attributes:
        first: the first call, which does not count.
        least, median: over the repetitions.
        repetitions: number of samples, each of ``calls`` calls.
    """

    first: float
    least: float
    median: float
    repetitions: int
    calls: int


def measure_time(call: Callable[[], object], budget: TimingBudget) -> Timing:
    """Time a call: once to warm up, then repeatedly."""
    with _without_garbage_collection():
        first = _seconds(call, 1)
        warm = _seconds(call, 1)
        calls = max(1, int(SHORTEST_SAMPLE_S / warm))
        repetitions = budget.repetitions(warm * calls)
        # The second call is a sample if each sample is one call.
        samples = [warm] if calls == 1 else []
        while len(samples) < repetitions:
            samples.append(_seconds(call, calls))
    return Timing(first, min(samples), median(samples), len(samples), calls)


def _seconds(call: Callable[[], object], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    gc.collect()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()

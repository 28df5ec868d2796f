"""Parallel work in processes; results arrive in the order in which they finish."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@contextmanager
def run_parallel(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Iterator[Iterator[Result]]:
    """Yield an iterator over the results as they finish.

    If the body of the ``with`` statement raises, items that have not started are cancelled.

    Args:
        work: a function at the top level of a module.
        items: its arguments, in the order in which they start.
        jobs: number of processes; 1 runs everything in this process.
    """
    if jobs == 1 or len(items) < 2:
        yield map(work, items)
        return
    # "fork" would copy the state of compiled code and of threads.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, spawn, _ignore_interrupts) as pool:
        futures = [pool.submit(work, item) for item in items]
        try:
            yield (future.result() for future in as_completed(futures))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _ignore_interrupts() -> None:
    # The parent handles Ctrl-C and lets its workers finish their items.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

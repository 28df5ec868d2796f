"""Work spread over processes, each piece told as it is finished."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from typing import TypeVar

Due = TypeVar("Due")
Done = TypeVar("Done")


@contextmanager
def finished(
    work: Callable[[Due], Done], due: Sequence[Due], jobs: int
) -> Iterator[Iterator[Done]]:
    """The results as they come; on leaving early, those under way are the last.

    Args:
        work: a function of a module.
        due: what it is to be done for, in the order in which it is begun.
        jobs: processes; with one, everything happens in this one.
    """
    if jobs == 1 or len(due) < 2:
        yield map(work, due)
        return
    # Not forked: compiled code and threads of this process are not for others.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, spawn, _ignore_interrupts) as pool:
        pieces = [pool.submit(work, piece) for piece in due]
        try:
            yield (piece.result() for piece in as_completed(pieces))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _ignore_interrupts() -> None:
    # The parent hears them, and lets its processes finish their pieces.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

"""Functions that workers import and run."""

from __future__ import annotations

import logging
import os
import signal
from pathlib import Path
from typing import Any

from distributed import Future


def square(number: int) -> int:
    return number * number


def fail_at_three(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


def kill_the_first_worker(marker: str, number: int) -> int:
    """Return the number; at 3, kill the process unless an earlier one left the marker."""
    if number == 3 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def log_like_dask(number: int) -> int:
    logging.getLogger("distributed.worker").error("A worker logs %d.", number)
    return number


class InterruptsWhenFreed:
    """Presses Ctrl-C in its finalizer."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def interrupt_in_next_future() -> None:
    """Press Ctrl-C when Dask starts to make the next future."""
    make = Future.__init__

    def interrupted(self: Future[Any], *arguments: Any, **options: Any) -> None:
        Future.__init__ = make
        signal.raise_signal(signal.SIGINT)
        make(self, *arguments, **options)

    Future.__init__ = interrupted

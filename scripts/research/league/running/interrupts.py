"""Ctrl-C at a place where it does no harm."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def deferred_interrupts() -> Iterator[Callable[[], None]]:
    """Context in which the first Ctrl-C waits; the second one raises at once.

    An exception in the middle of Dask would leave objects half made, or be lost: Python ignores
    exceptions in ``__del__``, and Dask frees a future for each case.

    A process that ignores SIGINT, like a background job of a shell, continues to ignore it. In
    other threads than the main one there are no interrupts, and this does nothing.

    Yields:
        A function that raises ``KeyboardInterrupt`` if Ctrl-C waits. The end of the context
        does so, too, after an exception as well.
    """
    waiting = False

    def handle(_number: int, _frame: object) -> None:
        nonlocal waiting
        waiting = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def check() -> None:
        nonlocal waiting
        if waiting:
            waiting = False
            raise KeyboardInterrupt

    replaced = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if replaced:
        signal.signal(signal.SIGINT, handle)
    try:
        yield check
    finally:
        if replaced:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        check()

"""Ctrl-C at a place where it does no harm."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def first_interrupt_calls(function: Callable[[], None]) -> Iterator[None]:
    """Context in which the first Ctrl-C calls a function; the next raises ``KeyboardInterrupt``.

    An exception in the middle of Dask would leave objects half made, or be lost: Python ignores
    exceptions in ``__del__``, and Dask frees a future for each case.

    A process that ignores SIGINT, like a background job of a shell, continues to ignore it.

    Args:
        function: called in the main thread between any two instructions, so it must be reentrant.
    """

    def handle(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        function()

    replaced = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if replaced:
        signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        if replaced:
            signal.signal(signal.SIGINT, signal.default_int_handler)

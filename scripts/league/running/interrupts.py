"""Ctrl-C that is not lost in a finalizer.

Python ignores an exception that leaves ``__del__``, and a loop over Dask's futures frees one for
each case. There the default handler would lose the interrupt: the script would play on.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

RETRY_S: Final = 0.01


@contextmanager
def reliable_interrupts() -> Iterator[None]:
    """Context in which Ctrl-C always raises ``KeyboardInterrupt``; only for the main thread.

    A process that ignores SIGINT, like a background job of a shell, continues to ignore it.
    """
    replaced = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if replaced:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        if replaced:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(_number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            threading.Timer(RETRY_S, _interrupt_main_thread).start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def _interrupt_main_thread() -> None:
    # A signal to the process could reach another thread, and not end a wait of this one.
    main = threading.main_thread().ident
    assert main is not None
    signal.pthread_kill(main, signal.SIGINT)

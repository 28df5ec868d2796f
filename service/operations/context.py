"""What every operation receives besides its parsed body, and what it returns."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from threading import BoundedSemaphore
from typing import Final, TypeAlias, TypeVar

from service.core.languages import DEFAULT_LANGUAGE
from service.core.reviews import Progress
from service.core.violations import COMPILING, Overloaded
from service.games.common.display_names import NO_NAMES, DisplayNames
from service.games.common.fields import Document
from service.operations.solution_cache import UNCACHED, Solutions

COMPILING_POLL_S: Final = 0.5
"""Seconds between two attempts of work that needs a kernel which is still compiled."""
MAX_WAITING: Final = 16
"""Requests of a process that may wait so: each occupies a thread."""
_WAITING: Final = BoundedSemaphore(MAX_WAITING)

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class RequestContext:
    """The request that an operation serves.

    Attributes:
        received: ``time.monotonic()`` at which the request was received; deadlines count from it.
        solutions: cached solutions; the default computes every solution anew.
        language: of the sentences in the response.
        names: display names of the players in these sentences.
        streamed: whether the client receives the progress, so that there is no default deadline.
        client_gone: returns whether the client is known to have closed the connection.
    """

    received: float = field(default_factory=time.monotonic)
    solutions: Solutions = UNCACHED
    language: str = DEFAULT_LANGUAGE
    names: DisplayNames = NO_NAMES
    streamed: bool = False
    client_gone: Callable[[], bool] = lambda: False

    def stop_at(self, deadline_ms: int | None) -> float | None:
        """Return ``time.monotonic()`` of a deadline in milliseconds from receipt."""
        return None if deadline_ms is None else self.received + deadline_ms / 1000

    def once_compiled(self, attempt: Callable[[], Result], until: float) -> Result:
        """Return the result of some work; try again while a kernel that it needs is compiled.

        In between, it holds no place in the solve queue.

        Args:
            attempt: the work.
            until: ``time.monotonic()`` at which no attempt may start any more.

        Raises:
            Overloaded: also if too many requests wait for kernels.
        """
        while True:
            try:
                return attempt()
            except Overloaded as error:
                if str(error) != COMPILING or not _WAITING.acquire(blocking=False):
                    raise
                try:
                    if time.monotonic() >= until - COMPILING_POLL_S or self.client_gone():
                        raise
                    time.sleep(COMPILING_POLL_S)
                finally:
                    _WAITING.release()


@dataclass(frozen=True, slots=True)
class OperationResponse:
    """The response of an operation.

    Attributes:
        document: the JSON document.
        complete: whether the same request always has this response, so that it may be cached.
        layer: source of the costliest solution that it was rendered from, see
            :class:`~service.operations.solution_cache.CachedSolution`; None if it needed none.
    """

    document: Document
    complete: bool = True
    layer: str | None = None


Steps: TypeAlias = Generator[Progress, None, OperationResponse]
"""A running operation: yields its progress and returns its response; closing it stops the work."""


def run_to_end(steps: Generator[Progress, None, Result]) -> Result:
    """Run an operation to its end and return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result

"""Observer interface for metrics; the default does nothing."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from service.solver.hints.conditional_values import Crossed
from service.solver.search.turn_expectimax import TurnSolve
from service.solver.solution import Solution


class Observer:
    """Ignores all events; :mod:`service.api.metrics` counts them."""

    def solving(self, change: int) -> None:
        """A solve began (1) or ended (-1)."""

    def queued(self) -> AbstractContextManager[None]:
        """Context in which a request waits in the solve queue."""
        return nullcontext()

    def solved(self, found: Solution | TurnSolve | Crossed, tier: str, seconds: float) -> None:
        """A solve ended."""

    def looked_up(self, cache: str, layer: str) -> None:
        """A cache lookup was answered by a layer, or missed (``miss``)."""

    def shed(self, why: str) -> None:
        """A request was refused because the service is overloaded."""

    def redis_failed(self, fault: str) -> None:
        """A Redis command failed."""

    def breaker_changed(self, *, is_open: bool) -> None:
        """The circuit breaker opened or closed."""

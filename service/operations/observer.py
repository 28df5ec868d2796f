"""Observer interface for metrics; the default does nothing."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Final, TypeAlias

from service.solver.hints.conditional_values import ConditionalSolution
from service.solver.opponents.predictions import Predictions
from service.solver.review.learning import PredictionGains
from service.solver.search.turn_expectimax import TurnSolution
from service.solver.solution import Solution

AnySolution: TypeAlias = (
    Solution | TurnSolution | ConditionalSolution | Predictions | PredictionGains
)
_NOTHING: Final = nullcontext()


class Observer:
    """Interface for metrics: one method for each kind of event. The default does nothing.

    :mod:`service.api.metrics` counts the events, and :mod:`service.api.tracing` also traces them.
    """

    def obtaining(self, cache: str) -> AbstractContextManager[None]:
        """Context in which a value is looked up in a cache, and computed if that belongs to it."""
        return _NOTHING

    def queued(self) -> AbstractContextManager[None]:
        """Context in which a request waits in the solve queue."""
        return _NOTHING

    def solving(self) -> AbstractContextManager[None]:
        """Context in which a request occupies the solve slot."""
        return _NOTHING

    def solved(self, solution: AnySolution, effort: str, seconds: float) -> None:
        """A search ended with a solution."""

    def looked_up(self, cache: str, layer: str) -> None:
        """A cache lookup was answered by a layer, or missed (``computed``)."""

    def shed(self, reason: str) -> None:
        """A request was refused because the service is overloaded."""

    def timed_out(self, reason: str) -> None:
        """A request got no result in time: because of the queue, the search or its CPU time."""

    def charged(self, client: str, units: float) -> None:
        """A client was charged for a request or for CPU time."""

    def batched(self, status: int) -> None:
        """A request inside a batch was answered with this status."""

    def redis_failed(self, fault: str) -> None:
        """A Redis command failed."""

    def redis_replied(self, seconds: float) -> None:
        """A round trip to Redis succeeded."""

    def breaker_changed(self, *, is_open: bool) -> None:
        """The circuit breaker opened or closed."""

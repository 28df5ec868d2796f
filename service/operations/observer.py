"""What goes on in a worker, told to whoever counts it; told to nobody here."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from service.solver.hints.conditional_values import Crossed
from service.solver.search.turn_expectimax import TurnSolve
from service.solver.solution import Solution


class Observer:
    """Hears what happens and does nothing about it; see :mod:`service.api.metrics`."""

    def solving(self, change: int) -> None:
        """A solve began (1) or ended (-1)."""

    def queued(self) -> AbstractContextManager[None]:
        """A request waits for the slot, as long as it is inside."""
        return nullcontext()

    def solved(self, found: Solution | TurnSolve | Crossed, tier: str, seconds: float) -> None:
        """A solve was made."""

    def looked_up(self, cache: str, layer: str) -> None:
        """Something was found in a layer of a cache, or nowhere (``miss``)."""

    def shed(self, why: str) -> None:
        """A request was refused because too much is asked for at once."""

    def redis_failed(self, fault: str) -> None:
        """Redis did not do what it was asked for."""

    def breaker_changed(self, *, is_open: bool) -> None:
        """Redis is left alone for a while, or used again."""

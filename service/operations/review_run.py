"""What the reviews of all games share: replay in the solve slot, progress and the deadline."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from typing import Final, TypeVar

from service.cache.single_flight import COMPUTED, FLIGHT
from service.core.game import Choice, Play
from service.core.reviews import PastDecision, Progress
from service.core.violations import (
    DEADLINE_TOO_SHORT,
    ClientGone,
    OutOfTime,
    Overloaded,
    Rejected,
    Violation,
)
from service.core.vocabulary import DEFAULT_EFFORT, DEFAULT_REVIEW_MS, EFFORTS, MAX_DEADLINE_MS
from service.games.common.fields import Document
from service.games.definition import ReviewParser
from service.operations.context import RequestContext
from service.operations.solution_cache import CachedSolution, costliest_layer
from service.solver.budget import is_over
from service.solver.opponents.predictions import Predictions
from service.solver.review.learning import PredictionGains
from service.solver.search.turn_expectimax import TurnSolution
from service.solver.solution import Solution

Played = TypeVar("Played")
Result = TypeVar("Result")
ReviewSolution = TypeVar("ReviewSolution", Solution, TurnSolution, Predictions, PredictionGains)

SLICE_S: Final = 0.01
"""Longest time to list choices in the solve slot, except that one list is always finished."""
LONG_SOLVE_MS: Final = {"quick": 200, "standard": 1_000, "deep": 10_000}
"""More than almost every single solve of a review takes, by effort."""
_STREAMED: Final = "request the review as `application/x-ndjson`, without `deadline_ms`"
_ROUND_DEADLINES_MS: Final = (200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)


class ReviewRun:
    """One call of a review.

    The solutions of earlier calls come from the cache, so each call repeats the same steps and gets
    further.  A step is a solution that the review needs, or would need if the player had not made
    the best choice.

    Args:
        context: of the request.
        body: of the request, after the check of its shape.

    Attributes:
        total: number of steps; set by the review after the replay.
        done: finished steps.
        solved: steps of this call whose solution was not in the cache.
        nodes: positions searched for the solutions of all finished steps.
        cost: of these solutions; None if there were none.
    """

    def __init__(self, context: RequestContext, body: Document) -> None:
        default_ms = None if context.streamed else DEFAULT_REVIEW_MS
        self._context = context
        effort = body.get("effort")
        # The body can still be invalid.
        self._effort: str = effort if effort in EFFORTS else DEFAULT_EFFORT
        self.stop_at = context.stop_at(body.get("deadline_ms") or default_ms)
        self.total = self.done = self.solved = self.nodes = 0
        self.layer: str | None = None

    @property
    def progress(self) -> Progress:
        """How many steps of the review are finished, in this call and in earlier ones."""
        return Progress(self.done, self.total)

    def replay(
        self, parse: ReviewParser[Played], body: Document, violations: list[Violation]
    ) -> Played:
        """Parse the played game in the solve slot, because the replay of a long game takes time.

        Raises:
            Rejected: with all violations, or ``deadline-too-short``.
            Overloaded: if the solve queue is full.
        """

        def parsed() -> Played:
            with self._context.solutions.slot(self.stop_at, self._effort, searching=False):
                return parse(body, list(violations), self.check)

        try:
            return self._once_compiled(parsed)
        except OutOfTime:
            # More time would not help an invalid body.
            raise Rejected(violations) if violations else self._too_short() from None

    def free_decisions(
        self, decisions: Sequence[PastDecision[Play, Choice]]
    ) -> Iterator[PastDecision[Play, Choice]]:
        """Yield the decisions with more than one choice; count the others as finished.

        A list of choices can take many milliseconds, so it is made in the solve slot too, a few
        lists at a time, so that other requests are served in between.
        """
        number = 0
        while number < len(decisions):
            free = []
            with self._context.solutions.slot(self.stop_at, self._effort):
                until = time.monotonic() + SLICE_S
                while number < len(decisions) and time.monotonic() < until:
                    self.check()
                    free.append((decisions[number], decisions[number].is_free))
                    number += 1
            for decision, is_free in free:
                if is_free:
                    yield decision
                else:
                    self.done += 1

    def obtain(self, solve: Callable[[], CachedSolution[ReviewSolution]]) -> ReviewSolution:
        """Return the complete solution of a step; the caller counts the step.

        Raises:
            OutOfTime: if the deadline passed before the solution was found or computed.
            Overloaded: if the solve queue is full.
            ClientGone: if the client has closed the connection.
        """
        self._check_client()
        cached = self._once_compiled(solve)
        if not cached.solution.complete:
            raise OutOfTime
        self.solved += cached.layer in (COMPUTED, FLIGHT)
        self.layer = costliest_layer(self.layer, cached.layer)
        self.nodes += cached.solution.nodes
        return cached.solution

    def check(self) -> None:
        """Raise OutOfTime when the time is over, and ClientGone if nobody waits any more."""
        if is_over(self.stop_at):
            raise OutOfTime
        self._check_client()

    def _once_compiled(self, attempt: Callable[[], Result]) -> Result:
        until = time.monotonic() + MAX_DEADLINE_MS / 1000
        if self.stop_at is not None:
            until = min(until, self.stop_at)
        return self._context.once_compiled(attempt, until)

    def _check_client(self) -> None:
        if self._context.client_gone():
            raise ClientGone

    def require_solve(self, error: OutOfTime | Overloaded) -> None:
        """Return if this call has solved anything, so that it got further than the one before.

        Raises:
            Rejected: ``deadline-too-short``.
            Overloaded: if the reason was the solve queue.
        """
        if self.solved:
            return
        raise error if isinstance(error, Overloaded) else self._too_short() from None

    def _too_short(self) -> Rejected:
        used_ms = 1000.0 * (time.monotonic() - self._context.received)
        if self._context.solutions.is_cut:
            detail = (
                f"No further step of the review was finished within the CPU time of the effort "
                f"`{self._effort}`. Choose a higher effort, or {_STREAMED}."
            )
            return Rejected([Violation("/effort", DEADLINE_TOO_SHORT, detail)])
        detail = (
            f"No further step of the review was finished within {ceil(used_ms)} ms. "
            f"{_remedy(used_ms, self._effort)}"
        )
        return Rejected([Violation("/deadline_ms", DEADLINE_TOO_SHORT, detail)])


def _remedy(used_ms: float, effort: str) -> str:
    """Return a sentence with a deadline that suffices, or the way without one.

    It is at least twice the time used, so a client that follows the sentence succeeds after a few
    attempts even if a solve takes unusually long.
    """
    wanted_ms = max(2.0 * used_ms, LONG_SOLVE_MS.get(effort, LONG_SOLVE_MS[DEFAULT_EFFORT]))
    if wanted_ms > MAX_DEADLINE_MS:
        return f"Instead, {_STREAMED}."
    longer = next((each for each in _ROUND_DEADLINES_MS if each >= wanted_ms), MAX_DEADLINE_MS)
    return f"Send `deadline_ms` of at least {longer}, or {_STREAMED}."

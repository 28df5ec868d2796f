"""Solutions, computed once and cached for every player at every equivalent position."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Final, Generic, TypeVar

from service.cache.keys import key_of
from service.cache.single_flight import COMPUTED, FLIGHT, SingleFlight
from service.core.cpu_time import cpu_s
from service.core.game import Choice, Play
from service.core.hints import Position
from service.core.sequential import TurnGame
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.core.styles import Style
from service.core.turn_hints import TurnQuestion
from service.core.violations import OutOfTime, Overloaded
from service.operations.observer import Observer
from service.operations.solve_queue import SolveQueue
from service.operations.versions import ENGINE_VERSION
from service.solver import canonical
from service.solver.budget import CPU_LIMITS_S, WorkMeter, cpu_limit
from service.solver.cached_values import (
    check_conditional_values,
    check_solution,
    check_turn_solution,
)
from service.solver.canonical import move_counts
from service.solver.hints import conditional_values
from service.solver.hints.conditional_values import ConditionalSolution
from service.solver.opponents import predictions
from service.solver.opponents.predictions import (
    Predictions,
    equilibrium_questions,
    prediction_key,
)
from service.solver.review import learning
from service.solver.review.learning import PredictionGains
from service.solver.search import turn_expectimax, turn_forms, turn_plans
from service.solver.search.turn_expectimax import TurnSolution
from service.solver.solution import PACKING, Solution, unpack

SOLUTIONS: Final = "solves"
"""Name of this cache in metrics and traces."""
PATIENCE_S: Final = 10.0
"""Longest wait, without a deadline, for a solution that another request computes: a deep search
and a queue before it."""

AnySolution = TypeVar(
    "AnySolution", Solution, TurnSolution, ConditionalSolution, Predictions, PredictionGains
)
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class CachedSolution(Generic[AnySolution]):
    """A solution, complete or not.

    Attributes:
        solution: the solution.
        layer: its source: a layer of the cache, ``flight`` or ``computed``.
    """

    solution: AnySolution
    layer: str


def costliest_layer(*layers: str | None) -> str | None:
    """Return the layer whose solution took most work, see :class:`CachedSolution`.

    None stands for no solution.
    """
    return max(layers, key=lambda layer: (layer == COMPUTED, layer == FLIGHT, layer is not None))


class _SolutionCodec(Generic[AnySolution]):
    """Caches complete solutions."""

    def __init__(
        self, unpack: Callable[[bytes], AnySolution], check: Callable[[AnySolution], None]
    ) -> None:
        self._unpack: Callable[[bytes], AnySolution] = unpack
        self._check: Callable[[AnySolution], None] = check

    def encode(self, solution: AnySolution) -> bytes | None:
        return solution.pack() if solution.complete else None

    def decode(self, data: bytes) -> AnySolution:
        return self._unpack(data)

    def check(self, solution: AnySolution) -> None:
        self._check(solution)


class SolutionCache:
    """The cache of solutions and the queue for the solve slot, shared by all requests.

    Args:
        single_flight: computes each missing solution once and caches complete ones; without it
            every solution is computed anew.
        queue: limits how many solutions are computed at once; by default one.
        observer: receives metrics.
    """

    def __init__(
        self,
        single_flight: SingleFlight | None = None,
        queue: SolveQueue | None = None,
        observer: Observer | None = None,
    ) -> None:
        self.observer = observer or Observer()
        self.queue = queue or SolveQueue(observer=self.observer)
        self._single_flight = single_flight

    def obtain(
        self,
        key: bytes,
        compute: Callable[[], AnySolution],
        unpack: Callable[[bytes], AnySolution],
        stop_at: float | None,
        check: Callable[[AnySolution], None] = lambda _: None,
    ) -> CachedSolution[AnySolution]:
        """Return a solution from the cache, or compute it; see :meth:`Solutions.solve`.

        Args:
            key: cache key.
            compute: computes the solution; it waits for the solve slot itself.
            unpack: decodes cached bytes; raises ValueError if they are not a solution.
            stop_at: see :meth:`Solutions.solve`.
            check: raises ValueError if an unpacked solution cannot belong to the question.
        """
        if self._single_flight is None:
            return CachedSolution(compute(), COMPUTED)
        until = time.monotonic() + PATIENCE_S
        if stop_at is not None:
            until = min(until, stop_at)
        codec = _SolutionCodec(unpack, check)
        with self.observer.obtaining(SOLUTIONS):
            try:
                obtained = self._single_flight.obtain(key, compute, codec, until)
            except Overloaded:
                if stop_at is not None and time.monotonic() >= stop_at:
                    raise OutOfTime("queue") from None
                raise
            self.observer.looked_up(SOLUTIONS, obtained.layer)
        return CachedSolution(obtained.value, obtained.layer)

    def recall(self, key: bytes, decode: Callable[[bytes], Result]) -> Result | None:
        """Return what :meth:`remember` stored, or None; see :meth:`SingleFlight.recall`."""
        return None if self._single_flight is None else self._single_flight.recall(key, decode)

    def remember(self, key: bytes, value: bytes) -> None:
        """Cache an intermediate result of a request for later requests."""
        if self._single_flight is not None:
            self._single_flight.remember(key, value)

    def refuses(self, client: str) -> bool:
        """Return whether a client's request for a new solution would be refused."""
        return self.queue.refuses(client)


class Solutions:
    """The solutions for one request, and the CPU time that it may use for them.

    Args:
        cache: shared by all requests; by default, every solution is computed anew.
        client: that sent the request.
        limited: whether all searches together must end within the CPU time of their effort.

    Attributes:
        cache: the cache.
        is_cut: whether the limit of CPU time has stopped the work of the request.
    """

    def __init__(
        self,
        cache: SolutionCache | None = None,
        client: str | None = None,
        *,
        limited: bool = False,
    ) -> None:
        self.cache = cache or SolutionCache()
        self._client, self._limited = client, limited
        self.is_cut = False
        self._used_s = 0.0
        """CPU seconds that the searches of the request have used."""

    def again(self) -> Solutions:
        """Return the same for another attempt of the same request, with all its CPU time."""
        own = copy(self)
        own._used_s, own.is_cut = 0.0, False
        return own

    def solve(
        self,
        rules: str,
        game: RoundGame[Position, Choice],
        question: CanonicalQuestion[Position, Choice],
        stop_at: float | None,
    ) -> CachedSolution[Solution]:
        """Return the solution of a question about a simultaneous game.

        Args:
            rules: name of the game and version of its rules.
            game: the game.
            question: in canonical form.
            stop_at: ``time.monotonic()`` at which the search must stop, or None.

        Raises:
            OutOfTime: if the deadline passed before there was any result.
            Overloaded: if too many requests wait already.
        """
        versions = (PACKING, rules, ENGINE_VERSION, game.evaluator)
        key = key_of("solution", *versions, canonical.cache_key(game, question))
        solve = partial(canonical.solve, game, question, stop_at)
        compute = partial(self._compute, question.question.effort, solve, stop_at)
        check = partial(check_solution, game, question)
        return self.cache.obtain(key, compute, unpack, stop_at, check)

    def conditional_values(
        self,
        rules: str,
        game: RoundGame[Position, Choice],
        question: CanonicalQuestion[Position, Choice],
        stop_at: float | None,
    ) -> CachedSolution[ConditionalSolution]:
        """Return the value of each own move against each move of the others; see :meth:`solve`.

        Args:
            question: in canonical form, except that the asking player keeps its seat.
        """
        versions = (conditional_values.PACKING, rules, ENGINE_VERSION, game.evaluator)
        key = key_of("conditional-values", *versions, canonical.cache_key(game, question))
        solve = partial(conditional_values.solve, game, question, stop_at)
        compute = partial(self._compute, question.question.effort, solve, stop_at)
        check = partial(check_conditional_values, game, question)
        return self.cache.obtain(key, compute, conditional_values.unpack, stop_at, check)

    def predict(
        self,
        rules: str,
        game: RoundGame[Position, Choice],
        question: CanonicalQuestion[Position, Choice],
        effort: str,
        stop_at: float | None,
        added: Sequence[Style] = (),
    ) -> CachedSolution[Predictions]:
        """Return how players of each style choose at a decision; see :meth:`solve`.

        Args:
            effort: limits the CPU time; the predictions are the same at all efforts.
            added: styles to predict instead of those of the library.
        """
        versions = (rules, ENGINE_VERSION, game.evaluator)
        key = key_of("predictions", *versions, prediction_key(game, question, added))

        def compute() -> Predictions:
            if added:
                predict = partial(predictions.predict_added, game, question, added)
            else:
                solutions = [
                    self.solve(rules, game, asked, stop_at).solution
                    for asked in equilibrium_questions(question)
                ]
                predict = partial(predictions.predict, game, question, solutions)
            return self._compute(effort, lambda: predict(WorkMeter(stop_at)), stop_at)

        def read(packed: bytes) -> Predictions:
            styles = added or game.style_library.styles
            return predictions.unpack(packed, len(styles), move_counts(question))

        return self.cache.obtain(key, compute, read, stop_at)

    def prediction_gains(
        self,
        key: bytes,
        players: Sequence[str],
        effort: str,
        compute: Callable[[WorkMeter], PredictionGains],
        stop_at: float | None,
    ) -> CachedSolution[PredictionGains]:
        """Return what predictions would have gained in a round; see :meth:`solve`.

        Args:
            key: of everything that the gains depend on, with versions.
            players: their names.
            effort: work budget.
            compute: computes the gains in the solve slot.
            stop_at: see :meth:`solve`.
        """
        gain = partial(self._compute, effort, lambda: compute(WorkMeter(stop_at)), stop_at)
        return self.cache.obtain(
            key, gain, lambda packed: learning.unpack(packed, players), stop_at
        )

    def solve_turn(
        self,
        rules: str,
        game: TurnGame[Play, Choice],
        question: TurnQuestion[Play, Choice],
        players: int,
        stop_at: float | None,
    ) -> CachedSolution[TurnSolution]:
        """Return the solution of a question about a turn-based game; see :meth:`solve`.

        Args:
            players: number of players.
        """
        versions = (turn_expectimax.PACKING, rules, ENGINE_VERSION, game.evaluator)
        form = game.canonical(question)
        solved = question if form is None else form.question
        key = key_of("turn-solution", *versions, turn_forms.cache_key(game, solved))
        solve = partial(turn_plans.solve_with_plans, game, solved, stop_at)
        compute = partial(self._compute, solved.effort, solve, stop_at)
        check = partial(check_turn_solution, game, solved, players)
        found = self.cache.obtain(key, compute, turn_expectimax.unpack, stop_at, check)
        if form is None:
            return found
        return replace(
            found, solution=turn_forms.restored(game.rules, question, form, found.solution)
        )

    @contextmanager
    def slot(self, stop_at: float | None, effort: str, *, searching: bool = True) -> Iterator[None]:
        """Occupy the solve slot; see :meth:`SolveQueue.slot`.

        Args:
            stop_at: see :meth:`solve`.
            effort: limits the CPU time.
            searching: whether the work counts as a search; other work has the same limit again,
                so that it cannot keep a review from getting further.

        Raises:
            OutOfTime: also if the request has used up its CPU time.
        """
        limit_s = CPU_LIMITS_S[effort] if self._limited else inf
        with self.cache.queue.slot(stop_at, self._client):
            start = cpu_s()
            used_s = self._used_s if searching else 0.0
            if used_s >= limit_s:
                self.is_cut = True
                raise OutOfTime("cpu")
            try:
                with cpu_limit(limit_s - used_s):
                    yield
            finally:
                used_s += cpu_s() - start
                self.is_cut |= used_s >= limit_s
                if searching:
                    self._used_s = used_s

    def _compute(
        self, effort: str, solve: Callable[[], AnySolution], stop_at: float | None
    ) -> AnySolution:
        with self.slot(stop_at, effort):
            start = time.monotonic()
            solution = solve()
            self.cache.observer.solved(solution, effort, time.monotonic() - start)
        return solution


UNCACHED: Final = Solutions()
"""Computes every solution anew."""

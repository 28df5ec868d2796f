"""Solves, each made once and kept for everybody at any table that looks alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, TypeVar

from service.cache.keys import key_of
from service.cache.single_flight import FLIGHT, MADE, SingleFlight
from service.core.game import Choice
from service.core.hints import Position
from service.core.sequential import Play, TurnGame, TurnQuestion
from service.core.simultaneous import Canonical, RoundGame
from service.core.violations import OutOfTime, Overloaded
from service.operations.observer import Observer
from service.operations.solve_queue import SolveQueue
from service.operations.versions import ENGINE_VERSION
from service.solver import canonical
from service.solver.hints import conditional_values
from service.solver.hints.conditional_values import Crossed
from service.solver.search import turn_expectimax
from service.solver.search.turn_expectimax import TurnSolve
from service.solver.solution import PACKING, Solution, unpack

PATIENCE_S: Final = 10.0
"""How long a request without a deadline waits at most for what others make: a deep solve, and some
line before it."""


Kept = TypeVar("Kept", Solution, TurnSolve, Crossed)


@dataclass(frozen=True, slots=True)
class SolveJob(Generic[Kept]):
    """A solve that is asked for.

    Attributes:
        key: under which it is kept.
        tier: how much work it is.
        make: makes it.
        unpack: reads one that was packed; raises ValueError if it is none.
    """

    key: bytes
    tier: str
    make: Callable[[], Kept]
    unpack: Callable[[bytes], Kept]


@dataclass(frozen=True, slots=True)
class SolveCost:
    """What one solve took, or several.

    Attributes:
        layer: where the dearest one comes from; see :class:`Found`.
        cost_ms: of all.
    """

    layer: str
    cost_ms: float

    def and_also(self, other: SolveCost) -> SolveCost:
        """What both took together."""
        dearer = max(self, other, key=lambda took: (took.layer == MADE, took.layer == FLIGHT))
        return SolveCost(dearer.layer, self.cost_ms + other.cost_ms)


@dataclass(frozen=True, slots=True)
class Found(Generic[Kept]):
    """A solve, and what it took.

    Attributes:
        solve: complete or not.
        layer: where it comes from: a layer of the cache, or ``flight``, or ``made``.
        cost_ms: milliseconds that this request kept a core busy for it.
    """

    solve: Kept
    layer: str
    cost_ms: float = 0.0

    @property
    def took(self) -> SolveCost:
        return SolveCost(self.layer, self.cost_ms)


class SolutionCache:
    """Finds solves, in a cache or anew.

    Args:
        once: makes those that are not kept, and keeps them if they are complete; without it all
            are made anew.
        slot: where they are made; without it, anywhere.
        watch: told of it.
    """

    def __init__(
        self,
        once: SingleFlight | None = None,
        slot: SolveQueue | None = None,
        watch: Observer | None = None,
    ) -> None:
        self._watch = watch or Observer()
        self._once, self._slot = once, slot or SolveQueue(watch=self._watch)

    def find(
        self,
        rules: str,
        game: RoundGame[Position, Choice],
        asked: Canonical[Position, Choice],
        stop_at: float | None,
    ) -> Found[Solution]:
        """The solve of a question in a game in rounds.

        Args:
            rules: the game's name and the version of its rules.
            game: the game.
            asked: the question in its canonical form.
            stop_at: ``time.monotonic()`` at which a search has to stop, if ever.

        Raises:
            OutOfTime: if that came before anything was found.
            Overloaded: if too many others wait already.
        """
        tier = asked.question.tier
        versions = (PACKING, rules, ENGINE_VERSION, game.evaluator)
        key = key_of("solve", *versions, canonical.key(game, asked))
        make = partial(canonical.find, game, asked, stop_at)
        return self.obtain(SolveJob(key, tier, make, unpack), stop_at)

    def find_crossed(
        self,
        rules: str,
        game: RoundGame[Position, Choice],
        asked: Canonical[Position, Choice],
        stop_at: float | None,
    ) -> Found[Crossed]:
        """What each move comes to against each of the others'; see :meth:`find`.

        Args:
            asked: the question in canonical form but for who asks.
        """
        versions = (conditional_values.PACKING, rules, ENGINE_VERSION, game.evaluator)
        key = key_of("crossed", *versions, canonical.key(game, asked))
        make = partial(conditional_values.cross, game, asked, stop_at)
        return self.obtain(
            SolveJob(key, asked.question.tier, make, conditional_values.unpack), stop_at
        )

    def find_turn(
        self,
        rules: str,
        game: TurnGame[Play, Choice],
        question: TurnQuestion[Play, Choice],
        stop_at: float | None,
    ) -> Found[TurnSolve]:
        """The same in a game in turns."""
        versions = (turn_expectimax.PACKING, rules, ENGINE_VERSION, game.evaluator)
        key = key_of("turn-solve", *versions, question.tier, game.key(question))
        make = partial(turn_expectimax.solve, game, question, stop_at)
        return self.obtain(SolveJob(key, question.tier, make, turn_expectimax.unpack), stop_at)

    def obtain(self, wanted: SolveJob[Kept], stop_at: float | None) -> Found[Kept]:
        """A solve that is kept, or else made; see :meth:`find`."""
        if self._once is None:
            return self._made(wanted, stop_at)
        made: list[Found[Kept]] = []

        def make() -> bytes | None:
            made.append(self._made(wanted, stop_at))
            solve = made[0].solve
            return solve.pack() if solve.complete else None

        until = time.monotonic() + PATIENCE_S
        try:
            until = until if stop_at is None else min(until, stop_at)
            hit = self._once.obtain(wanted.key, make, until)
        except Overloaded:
            if stop_at is not None and time.monotonic() >= stop_at:
                raise OutOfTime from None
            raise
        if hit is None or hit.layer == MADE:
            return self._told(made[0])
        try:
            return self._told(Found(wanted.unpack(hit.value), hit.layer))
        except ValueError:
            # Whatever was kept there, it is no solve.
            return self._told(self._made(wanted, stop_at))

    def _told(self, found: Found[Kept]) -> Found[Kept]:
        self._watch.looked_up("solves", found.layer)
        return found

    def _made(self, wanted: SolveJob[Kept], stop_at: float | None) -> Found[Kept]:
        with self._slot.hold(stop_at):
            begun, busy = time.monotonic(), time.thread_time()
            solve = wanted.make()
            cost_ms = 1000.0 * (time.thread_time() - busy)
            self._watch.solved(solve, wanted.tier, time.monotonic() - begun)
        return Found(solve, MADE, cost_ms)

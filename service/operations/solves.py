"""Solves, each made once and kept for everybody at any table that looks alike."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from service.cache.keys import key_of
from service.cache.once import MADE, Once
from service.core.faults import OutOfTime, Overloaded
from service.core.hint import Position
from service.core.joint import Canonical, RoundGame
from service.core.play import Choice
from service.operations.slot import Slot
from service.operations.versions import ENGINE_VERSION
from service.operations.watch import Watch
from service.solver import asking
from service.solver.solve import PACKING, Solve, unpack

PATIENCE_S: Final = 10.0
"""How long a request without a deadline waits at most for what others make: a deep solve, and some
line before it."""


@dataclass(frozen=True, slots=True)
class Found:
    """A solve, and what it took.

    Attributes:
        solve: complete or not.
        layer: where it comes from: a layer of the cache, or ``flight``, or ``made``.
        cost_ms: milliseconds that this request kept a core busy for it.
    """

    solve: Solve
    layer: str
    cost_ms: float = 0.0


class Solves:
    """Finds solves, in a cache or anew.

    Args:
        once: makes those that are not kept, and keeps them if they are complete; without it all
            are made anew.
        slot: where they are made; without it, anywhere.
        watch: told of it.
    """

    def __init__(
        self, once: Once | None = None, slot: Slot | None = None, watch: Watch | None = None
    ) -> None:
        self._watch = watch or Watch()
        self._once, self._slot = once, slot or Slot(watch=self._watch)

    def find(
        self,
        rules: str,
        game: RoundGame[Position, Choice],
        asked: Canonical[Position, Choice],
        stop_at: float | None,
    ) -> Found:
        """The solve of a question.

        Args:
            rules: the game's name and the version of its rules.
            game: the game in rounds.
            asked: the question in its canonical form.
            stop_at: ``time.monotonic()`` at which a search has to stop, if ever.

        Raises:
            OutOfTime: if that came before anything was found.
            Overloaded: if too many others wait already.
        """
        if self._once is None:
            return self._made(game, asked, stop_at)
        made: list[Found] = []

        def make() -> bytes | None:
            made.append(self._made(game, asked, stop_at))
            solve = made[0].solve
            return solve.pack() if solve.complete else None

        versions = (rules, ENGINE_VERSION, game.evaluator)
        key = key_of("solve", PACKING, *versions, asking.key(game, asked))
        until = time.monotonic() + PATIENCE_S
        try:
            hit = self._once.obtain(key, make, until if stop_at is None else min(until, stop_at))
        except Overloaded:
            if stop_at is not None and time.monotonic() >= stop_at:
                raise OutOfTime from None
            raise
        if hit is None or hit.layer == MADE:
            return self._told(made[0])
        try:
            return self._told(Found(unpack(hit.value), hit.layer))
        except ValueError:
            # Whatever was kept there, it is no solve.
            return self._told(self._made(game, asked, stop_at))

    def _told(self, found: Found) -> Found:
        self._watch.looked_up("solves", found.layer)
        return found

    def _made(
        self,
        game: RoundGame[Position, Choice],
        asked: Canonical[Position, Choice],
        stop_at: float | None,
    ) -> Found:
        with self._slot.hold(stop_at):
            begun, busy = time.monotonic(), time.thread_time()
            solve = asking.find(game, asked, stop_at)
            cost_ms = 1000.0 * (time.thread_time() - busy)
            self._watch.solved(solve, asked.question.tier, time.monotonic() - begun)
        return Found(solve, MADE, cost_ms)

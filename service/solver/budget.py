"""How much a search may do: fixed work by tier, and a deadline that only stops it early."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from service.core.violations import OutOfTime


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """What looking beyond the first round may cost; that round itself is always resolved.

    Attributes:
        rounds: rounds resolved.
        joint_lines: joint choices whose positions are listed, which costs memory.
        positions: distinct positions looked at, each of which costs some time of its own.
        outcomes: outcomes weighed, which is what most of the time goes into.
    """

    rounds: int
    joint_lines: int
    positions: int
    outcomes: int


SEARCH_BUDGETS: Final = {
    "quick": SearchBudget(200_000, 20_000, 500, 2_000_000),
    "standard": SearchBudget(1_000_000, 100_000, 2_500, 10_000_000),
    "deep": SearchBudget(10_000_000, 10_000_000, 1_000_000, 2_000_000_000),
}

MOST_DEPTH: Final = 2
"""Rounds that are looked ahead at most where the others' strategies are given."""


@dataclass(frozen=True, slots=True)
class EquilibriumBudget:
    """How much work goes into strategies.

    Attributes:
        most_steps: of the first method.
        fewest_steps: likewise, however large the game is.
        entries: payoffs weighed by all its steps together; large games get fewer steps.
        enough: a gap that needs no further work, relative to the spread of payoffs.
        good: a gap with which no other method is tried, likewise.
        focal_entries: payoffs of the largest game in which it is asked what does well among people.
        predictions: how many ways in which people may play are looked at.
        profiles: how many are looked at in searches that start there, which leave rare moves out.
        lean_steps: of each of those searches.
        polish_profiles: how many are looked at where an equilibrium close by is looked for.
        polish_steps: of each such search.
        refinements: how often later decisions are looked up and solved.
        open_entries: payoffs of the later decisions solved each time, together.
        small_steps: to solve each.
    """

    most_steps: int
    fewest_steps: int
    entries: int
    enough: float
    good: float
    focal_entries: float
    predictions: int
    profiles: int
    lean_steps: int
    polish_profiles: int
    polish_steps: int
    refinements: int
    open_entries: int
    small_steps: int

    @property
    def roughly(self) -> EquilibriumBudget:
        """Enough to see what is played: a part of the steps of the first method."""
        return replace(
            self,
            most_steps=self.most_steps // 8,
            entries=self.entries // 16,
            good=inf,
            polish_steps=0,
        )

    @property
    def thoroughly(self) -> EquilibriumBudget:
        """More of the same, for the few games in which it takes that."""
        return replace(self, most_steps=16 * self.most_steps, entries=16 * self.entries)

    def steps(self, entries: int) -> int:
        """Steps in a game with so many payoffs."""
        return max(self.fewest_steps, min(self.most_steps, self.entries // entries))


EQUILIBRIUM_BUDGETS: Final = {
    "quick": EquilibriumBudget(
        most_steps=256,
        fewest_steps=16,
        entries=40_000_000,
        enough=1e-3,
        good=1e-2,
        focal_entries=250_000,
        predictions=1,
        profiles=1_500,
        lean_steps=8,
        polish_profiles=1_000,
        polish_steps=12,
        refinements=1,
        open_entries=5_000,
        small_steps=32,
    ),
    "standard": EquilibriumBudget(
        most_steps=1_024,
        fewest_steps=32,
        entries=150_000_000,
        enough=1e-4,
        good=1e-3,
        focal_entries=inf,
        predictions=4,
        profiles=6_000,
        lean_steps=12,
        polish_profiles=2_000,
        polish_steps=12,
        refinements=2,
        open_entries=30_000,
        small_steps=128,
    ),
    "deep": EquilibriumBudget(
        most_steps=16_384,
        fewest_steps=32,
        entries=10_000_000_000,
        enough=1e-7,
        good=1e-4,
        focal_entries=inf,
        predictions=4,
        profiles=100_000,
        lean_steps=60,
        polish_profiles=20_000,
        polish_steps=64,
        refinements=4,
        open_entries=20_000_000,
        small_steps=1_024,
    ),
}

LOOKAHEADS: Final = {"quick": 150_000, "standard": 800_000, "deep": 4_000_000}
"""By tier, rounds resolved under solved models in looking beyond the first round."""
SOLVE: Final = 2_500
"""What solving a decision costs besides, in rounds resolved."""


@dataclass(slots=True)
class WorkMeter:
    """The work done so far, and when to stop.

    Attributes:
        stop_at: ``time.monotonic()`` of the deadline, or None.
        resolved: rounds resolved.
        stopped: whether a search took what it had because the time was up.
    """

    stop_at: float | None
    nodes: int = 0
    stopped: bool = False

    def check(self) -> None:
        """Raises :class:`OutOfTime` once the deadline has passed."""
        if self.stop_at is not None and time.monotonic() >= self.stop_at:
            raise OutOfTime

    def stop(self) -> bool:
        """Whether to go on with what there is, the deadline having passed."""
        if self.stop_at is not None and time.monotonic() >= self.stop_at:
            self.stopped = True
        return self.stopped

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

MAX_DEPTH: Final = 2
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

    max_steps: int
    min_steps: int
    entries: int
    target_epsilon: float
    good_epsilon: float
    selection_entries: float
    behavioral_priors: int
    profiles: int
    selection_steps: int
    polish_profiles: int
    polish_steps: int
    subgame_passes: int
    subgame_entries: int
    subgame_steps: int

    @property
    def rough(self) -> EquilibriumBudget:
        """Enough to see what is played: a part of the steps of the first method."""
        return replace(
            self,
            max_steps=self.max_steps // 8,
            entries=self.entries // 16,
            good_epsilon=inf,
            polish_steps=0,
        )

    @property
    def thorough(self) -> EquilibriumBudget:
        """More of the same, for the few games in which it takes that."""
        return replace(self, max_steps=16 * self.max_steps, entries=16 * self.entries)

    def steps(self, entries: int) -> int:
        """Steps in a game with so many payoffs."""
        return max(self.min_steps, min(self.max_steps, self.entries // entries))


EQUILIBRIUM_BUDGETS: Final = {
    "quick": EquilibriumBudget(
        max_steps=256,
        min_steps=16,
        entries=40_000_000,
        target_epsilon=1e-3,
        good_epsilon=1e-2,
        selection_entries=250_000,
        behavioral_priors=1,
        profiles=1_500,
        selection_steps=8,
        polish_profiles=1_000,
        polish_steps=12,
        subgame_passes=1,
        subgame_entries=5_000,
        subgame_steps=32,
    ),
    "standard": EquilibriumBudget(
        max_steps=1_024,
        min_steps=32,
        entries=150_000_000,
        target_epsilon=1e-4,
        good_epsilon=1e-3,
        selection_entries=inf,
        behavioral_priors=4,
        profiles=6_000,
        selection_steps=12,
        polish_profiles=2_000,
        polish_steps=12,
        subgame_passes=2,
        subgame_entries=30_000,
        subgame_steps=128,
    ),
    "deep": EquilibriumBudget(
        max_steps=16_384,
        min_steps=32,
        entries=10_000_000_000,
        target_epsilon=1e-7,
        good_epsilon=1e-4,
        selection_entries=inf,
        behavioral_priors=4,
        profiles=100_000,
        selection_steps=60,
        polish_profiles=20_000,
        polish_steps=64,
        subgame_passes=4,
        subgame_entries=20_000_000,
        subgame_steps=1_024,
    ),
}

LOOKAHEAD_BUDGETS: Final = {"quick": 150_000, "standard": 800_000, "deep": 4_000_000}
"""By tier, rounds resolved under solved models in looking beyond the first round."""
SOLVE_COST: Final = 2_500
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

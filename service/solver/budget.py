"""Work budgets by effort; a deadline and a limit of CPU time can only stop a search early."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from threading import local
from typing import Final

from service.core.cpu_time import cpu_s
from service.core.violations import OutOfTime

CPU_LIMITS_S: Final = {"quick": 0.8, "standard": 2.6, "deep": 14.0}
"""By effort, the CPU seconds of all searches of one request. Few questions need so much. With
parsing, rendering and the work between two checks, requests cost at most about 1, 3 and 15 s."""


class _Allowance(local):
    """The :func:`cpu_s` at which the searches of the current thread must stop."""

    until = inf


_ALLOWANCE: Final = _Allowance()


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Limit the CPU time of the searches on this thread."""
    before, _ALLOWANCE.until = _ALLOWANCE.until, cpu_s() + seconds
    try:
        yield
    finally:
        _ALLOWANCE.until = before


def is_over(stop_at: float | None) -> bool:
    """Return whether a search must stop: at ``time.monotonic()``, or at the limit of CPU time."""
    if stop_at is not None and time.monotonic() >= stop_at:
        return True
    return _ALLOWANCE.until < inf and cpu_s() >= _ALLOWANCE.until


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """Limits on best-response search beyond the first round, which is always resolved.

    Attributes:
        rounds: rounds resolved.
        joint_lines: joint choices whose positions are enumerated; limits memory.
        positions: distinct positions searched; each has a fixed cost.
        outcomes: outcomes added up; most of the running time.
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
"""Maximum depth, in rounds, of best-response search."""


@dataclass(frozen=True, slots=True)
class EquilibriumBudget:
    """The work budget for strategies.

    Epsilons are relative to the payoff range.

    Attributes:
        max_steps: of predictive regret matching.
        min_steps: of the same method, however large the game is.
        entries: payoffs read by all its steps together; larger games get fewer steps.
        target_epsilon: an epsilon that needs no further work.
        good_epsilon: an epsilon with which no other method is tried.
        prior_count: number of behavioral priors.
        selection_profiles: profiles of the restricted game in equilibrium selection.
        selection_steps: steps of each sequential linear program.
        polish_profiles: profiles of the restricted game in Newton's method.
        polish_steps: steps of Newton's method.
        subgame_passes: how often subgames are collected and solved.
        subgame_entries: payoffs of all subgames in one pass.
        subgame_steps: steps of regret matching in a subgame.
    """

    max_steps: int
    min_steps: int
    entries: int
    target_epsilon: float
    good_epsilon: float
    prior_count: int
    selection_profiles: int
    selection_steps: int
    polish_profiles: int
    polish_steps: int
    subgame_passes: int
    subgame_entries: int
    subgame_steps: int

    @property
    def rough(self) -> EquilibriumBudget:
        """A small budget that shows which actions are played."""
        return replace(
            self,
            max_steps=self.max_steps // 8,
            entries=self.entries // 16,
            good_epsilon=inf,
            polish_steps=0,
        )

    @property
    def thorough(self) -> EquilibriumBudget:
        """A large budget for the few games that need it."""
        return replace(self, max_steps=16 * self.max_steps, entries=16 * self.entries)

    def steps(self, entries: int) -> int:
        """Return the steps in a game with so many payoffs."""
        return max(self.min_steps, min(self.max_steps, self.entries // entries))


EQUILIBRIUM_BUDGET: Final = EquilibriumBudget(
    max_steps=1_024,
    min_steps=32,
    entries=150_000_000,
    target_epsilon=1e-4,
    good_epsilon=1e-3,
    prior_count=4,
    selection_profiles=6_000,
    selection_steps=12,
    polish_profiles=2_000,
    polish_steps=12,
    subgame_passes=2,
    subgame_entries=30_000,
    subgame_steps=128,
)
"""The same for all efforts: with three or more players, strategies of different equilibria do not
fit together, so players at one table must not follow different ones."""

LOOKAHEAD_BUDGETS: Final = {"quick": 150_000, "standard": 800_000, "deep": 4_000_000}
"""By effort, rounds resolved beyond the first round when all players follow a model."""
SOLVE_COST: Final = 2_500
"""Additional cost of solving a decision, in rounds resolved."""


@dataclass(slots=True)
class WorkMeter:
    """Counts work and checks the deadline and the limit of CPU time.

    Attributes:
        stop_at: ``time.monotonic()`` of the deadline, or None.
        nodes: rounds resolved.
        stopped: whether a search returned an early result because the deadline passed.
    """

    stop_at: float | None
    nodes: int = 0
    stopped: bool = False

    def check(self) -> None:
        """Raise :class:`OutOfTime` if the time is over."""
        if is_over(self.stop_at):
            raise OutOfTime

    def stop(self) -> bool:
        """Return whether the search must use the results it has, because the time is over."""
        if is_over(self.stop_at):
            self.stopped = True
        return self.stopped

"""Direct search for strong weights: CMA-ES over win shares of compiled games.

The covariance is diagonal (Ros and Hansen 2008, *A simple modification in CMA-ES achieving linear
time and space complexity*).  All variants of a step play games with the same set-ups.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import cma
import numpy as np
from numpy.typing import NDArray

from research.league.running.engine import Engine
from research.league.running.journal import saved_results
from research.league.snowcrest.agents import GREEDY_EVALUATOR
from research.league.snowcrest.matches import Table, play_match
from service.games.snowcrest.engine.evaluation import Evaluator

Floats = NDArray[np.float64]

SOLO_DIFFICULTIES: Final = (1, 8, 10)
POINT: Final = 0.01
"""Worth of a point in a solo game, in wins; it guides the search where few games are won."""
LEAST_SCALE: Final = 0.05
SCALE_PART: Final = 0.2
"""The scale of a weight is ``LEAST_SCALE`` plus this part of it."""
FIRST_STEP: Final = 0.5
"""First step size, in scales."""


@dataclass(frozen=True)
class Plan:
    """A search; it has the same result whatever the number of processes.

    Attributes:
        first: evaluator at the start, and a fixed opponent.
        reference: another fixed opponent.
        solo: whether to search the weights of solo games.
        steps: number of steps.
        variants: number of variants per step.
        groups: set-ups per step and table; at a table of four each is played four times.
        seed: of the variants; step k plays the set-ups from ``seed + k * groups`` on.
    """

    first: Evaluator
    reference: Evaluator
    solo: bool
    steps: int
    variants: int
    groups: int
    seed: int

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables at which the variants play."""
        if self.solo:
            return tuple(Table("alone", 1, None, level) for level in SOLO_DIFFICULTIES)
        return (
            Table("greedy", 4, GREEDY_EVALUATOR),
            Table("reference", 4, self.reference),
            Table("first", 4, self.first),
            Table("two players", 2, self.reference),
        )


def weights_of(evaluator: Evaluator, *, solo: bool) -> Floats:
    """Return the searched weights as float64[sets, features]."""
    return np.array(evaluator.solo if solo else evaluator.several)


def with_weights(evaluator: Evaluator, weights: Floats, version: str, *, solo: bool) -> Evaluator:
    """Return the evaluator with other weights."""
    sets = tuple(tuple(row) for row in weights.tolist())
    if solo:
        return replace(evaluator, version=version, solo=sets)
    return replace(evaluator, version=version, several=sets)


def moved(plan: Plan, point: Floats, version: str) -> Evaluator:
    """Return the evaluator at a point of the search; weights of 0 stay 0."""
    weights = weights_of(plan.first, solo=plan.solo)
    used = weights != 0.0
    weights[used] += (LEAST_SCALE + SCALE_PART * np.abs(weights[used])) * point
    return with_weights(plan.first, weights, version, solo=plan.solo)


def value(plan: Plan, step: int, point: Floats) -> float:
    """Return how well a variant plays in a step: its mean win share, and points in solo games."""
    evaluator = moved(plan, point, "variant")
    first = plan.seed + step * plan.groups
    total = 0.0
    for table in plan.tables:
        results = [
            result
            for seed in range(first, first + plan.groups)
            for result in play_match(table, evaluator, seed)
        ]
        total += float(np.mean([result.share for result in results]))
        if plan.solo:
            total += POINT * float(np.mean([result.points for result in results]))
    return total / len(plan.tables)


def _value_of(plan: Plan, step: int, variant: tuple[int, Floats]) -> dict[str, Any]:
    number, point = variant
    return {"step": step, "variant": number, "value": value(plan, step, point)}


def search(plan: Plan, journal_path: Path, version: str, engine: Engine) -> Evaluator:
    """Return the evaluator at the mean of the last step.

    Args:
        plan: of the search.
        journal_path: file of all values so far; the search continues after them.
        version: name of the result.
        engine: plays the games.
    """
    dimensions = int((weights_of(plan.first, solo=plan.solo) != 0.0).sum())
    options = {
        "CMA_diagonal": True, "popsize": plan.variants, "seed": plan.seed + 1, "verbose": -9,
    }  # fmt: skip
    strategy = cma.CMAEvolutionStrategy(np.zeros(dimensions), FIRST_STEP, options)
    for step in range(plan.steps):
        points = strategy.ask()
        work, title = partial(_value_of, plan, step), f"step {step + 1}"
        cases = {(step, number): (number, point) for number, point in enumerate(points)}
        key_of = itemgetter("step", "variant")
        results = saved_results(journal_path, key_of, work, cases, engine, title, "variant")
        values = [result["value"] for result in results]
        strategy.tell(points, [-each for each in values])
        print(f"step {step + 1} of {plan.steps}: mean {np.mean(values):.3f}", flush=True)
    return moved(plan, strategy.result.xfavorite, version)

"""Sequential linear programming: strategies with a small epsilon that maximize an objective.

The value of an action changes with the other strategies, so no single linear program finds the
best strategies.  For small changes the value is almost linear.  Each step therefore solves a
linear program within a trust region and measures the real score; after a failure the region gets
smaller (Griffith, Stewart 1961, *A nonlinear programming technique for the optimization of
continuous processing systems*).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.solver.budget import WorkMeter
from service.solver.kernels import linear_program, newton
from service.solver.normal_form import NormalForm, split

FIRST_RADIUS, MIN_RADIUS = 0.3, 0.01
"""Limit on the change of any probability in the first step, and the limit at which to stop."""
GROWTH, SHRINKAGE = 1.5, 3.0
"""Factors of the radius after a step that improved the score and after one that did not."""
MIN_GAIN: Final = 1e-7
"""Smallest improvement of the score that counts."""


@dataclass(frozen=True)
class SelectionObjective:
    """The score of strategies: their value against the priors minus penalties for epsilon.

    Attributes:
        prior_values: float64[sum of shape], of each action against the priors.
        price: penalty for a unit of each player's epsilon.
        slack: the epsilon above which there is an additional penalty.
        fine: additional penalty for a unit of epsilon above the slack.
    """

    prior_values: Floats
    price: float
    slack: float
    fine: float

    def score(self, game: NormalForm, strategies: Floats, values: Floats) -> float:
        """Return the score of strategies.

        Args:
            game: the game.
            strategies: float64[sum of shape].
            values: float64[sum of shape], of the actions against these strategies.
        """
        score = float((strategies * self.prior_values).sum())
        by_player = zip(split(strategies, game.shape), split(values, game.shape), strict=True)
        for own, value in by_player:
            epsilon = float(value.max() - (own * value).sum())
            score -= self.price * epsilon + self.fine * max(0.0, epsilon - self.slack)
        return score


def maximize(
    game: NormalForm,
    start: Floats,
    objective: SelectionObjective,
    steps: int,
    meter: WorkMeter,
) -> tuple[Floats, float]:
    """Return the strategies with the best score on the way from a start, and that score.

    Args:
        game: the game.
        start: strategies.
        objective: for this game.
        steps: maximum number; each costs as much as some calls of ``action_values``.
        meter: checks the deadline.
    """
    size = len(start)
    slopes, nearby, pivots = np.empty((size, size)), np.empty(size), 4 * size
    values = game.action_values(start)
    best, score = start, objective.score(game, start, values)
    radius, has_slopes = FIRST_RADIUS, False
    for _ in range(steps):
        if radius < MIN_RADIUS or meter.stop():
            break
        if not has_slopes:
            newton.differentiate(game.payoffs, game.shape, best, slopes)
            has_slopes = True
        linear_program.step(
            game.shape,
            game.symmetry_classes,
            best,
            values,
            slopes,
            linear_program.Objective(
                objective.prior_values, objective.price, objective.slack, objective.fine
            ),
            radius,
            pivots,
            nearby,
        )
        new_values = game.action_values(nearby)
        new_score = objective.score(game, nearby, new_values)
        if new_score > score + MIN_GAIN:
            best, values, score, has_slopes = nearby.copy(), new_values, new_score, False
            radius = min(1.0, radius * GROWTH)
        else:
            radius /= SHRINKAGE
    return best, score

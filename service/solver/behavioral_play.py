"""How people may play a normal form: a few steps of logit responses or of regret matching.

The iterations stop after a given number of steps, whether they have converged or not.  They serve
the behavioral priors of equilibrium selection and the styles of opponents.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from service.core.arrays import Floats
from service.solver.kernels import regret_matching
from service.solver.logit_iteration import LogitIteration
from service.solver.normal_form import NormalForm


def logit_play(game: NormalForm, path: Sequence[tuple[float, float, int]]) -> Floats:
    """Return float64[sum of shape], strategies after some steps from uniform play.

    Args:
        game: the game.
        path: precisions per unit of payoff, each with a step size and a number of steps. A step
            leads from σ to (1 − size) × σ + size × logit response.
    """
    iteration = LogitIteration(game)
    for precision, size, steps in path:
        iteration.move(precision, size, steps)
    return iteration.strategies


def regret_play(game: NormalForm, steps: int) -> Floats:
    """Return float64[sum of shape], the average of ``steps`` strategies from uniform play."""
    averages = np.empty((1, int(game.shape.sum())))
    regret_matching.average_regret_matching(
        game.own_action_last[None], game.shape, game.symmetry_classes, steps, averages
    )
    average: Floats = averages[0]
    return average

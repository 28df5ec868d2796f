"""Strategies of small gap that lean towards what is liked: sequential linear programming.

What a move is worth changes with what the others play, so that no linear programme tells which
strategies are liked most at which gap.  But a little way off it changes almost in proportion, and
there one does.  So a step is taken as far as it is trusted, what it really came to is measured, and
what failed is tried again on a shorter way (Griffith, Stewart 1961, *A nonlinear programming
technique for the optimization of continuous processing systems*).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.solver.budget import WorkMeter
from service.solver.kernels import linear_program, newton
from service.solver.normal_form import NormalForm, split

FIRST, SHORTEST = 0.3, 0.01
"""How far any probability may move in the first step, and in one that is too short to be tried."""
LONGER, SHORTER = 1.5, 3.0
"""How much farther after a step that helped, and how much less far after one that did not."""
GAINED: Final = 1e-7
"""What a step must come to, as merits are counted."""


@dataclass(frozen=True)
class SelectionObjective:
    """What strategies are judged by.

    Attributes:
        liking: float64[sum of shape], for each move, in the unit of payoffs.
        price: of a unit of each player's gap.
        slack: a gap beyond which there is a fine.
        fine: of a unit of a gap beyond the slack, in addition.
    """

    prior_values: Floats
    price: float
    slack: float
    fine: float

    def merit(self, game: NormalForm, strategies: Floats, values: Floats) -> float:
        """How well strategies do, against which moves are worth so much."""
        found = float((strategies * self.prior_values).sum())
        both = zip(split(strategies, game.shape), split(values, game.shape), strict=True)
        for own, value in both:
            epsilon = float(value.max() - (own * value).sum())
            found -= self.price * epsilon + self.fine * max(0.0, epsilon - self.slack)
        return found


def maximize(
    game: NormalForm, start: Floats, objective: SelectionObjective, steps: int, meter: WorkMeter
) -> tuple[Floats, float]:
    """The strategies of most merit on the way from some, and their merit.

    Args:
        game: in which to move.
        start: some strategies.
        taste: for this game.
        steps: at most; each costs as much as some responses of everybody.
        meter: keeps the deadline.
    """
    size = len(start)
    slopes, nearby, pivots = np.empty((size, size)), np.empty(size), 4 * size
    values = game.action_values(start)
    best, merit = start, objective.merit(game, start, values)
    radius, known = FIRST, False
    for _ in range(steps):
        if radius < SHORTEST or meter.stop():
            break
        if not known:
            newton.differentiate(game.payoffs, game.shape, best, slopes)
            known = True
        linear_program.step(
            game.shape,
            game.symmetry_classes,
            best,
            values,
            slopes,
            objective.prior_values,
            objective.price,
            objective.slack,
            objective.fine,
            radius,
            pivots,
            nearby,
        )
        worth = game.action_values(nearby)
        after = objective.merit(game, nearby, worth)
        if after > merit + GAINED:
            best, values, merit, known = nearby.copy(), worth, after, False
            radius = min(1.0, radius * LONGER)
        else:
            radius /= SHORTER
    return best, merit

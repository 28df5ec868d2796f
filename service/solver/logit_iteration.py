"""Steps from uniform play towards logit responses (McKelvey, Palfrey 1995)."""

from __future__ import annotations

from math import inf

import numpy as np

from service.solver.kernels import logit
from service.solver.normal_form import NormalForm


class LogitIteration:
    """Strategies that move step by step towards their logit responses.

    Args:
        game: the game.

    Attributes:
        strategies: float64[sum of shape], the current ones; at first uniform.
        best: float64[sum of shape], those with the smallest epsilon so far.
    """

    def __init__(self, game: NormalForm) -> None:
        self._game = game
        self.strategies = game.uniform
        self.best = self.strategies.copy()
        self._least = np.array([inf])

    @property
    def least_epsilon(self) -> float:
        """The epsilon of ``best``; infinite before the first step."""
        return float(self._least[0])

    def move(
        self, precision: float, size: float, steps: int, *, midway: bool = False, exact: float = 0.0
    ) -> float:
        """Move towards the responses, and return the residual; see the kernel ``iterate_logit``.

        Args:
            precision: of the responses, per unit of payoff.
            size: of a step, 0 to 1.
            steps: maximum number.
            midway: whether to use the response to the strategies after the step.
            exact: residual at which to stop.
        """
        residual: float = logit.iterate_logit(
            self._game.own_action_last,
            self._game.shape,
            self._game.symmetry_classes,
            self._game.shape > 1,
            logit.Iteration(precision, size, midway, steps, exact),
            self.strategies,
            self.best,
            self._least,
        )
        return residual

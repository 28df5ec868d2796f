"""Newton's method: from strategies with a small epsilon to an equilibrium nearby, if there is one.

In an equilibrium each action is either not played or as good as any other action.  With x the
probability of an action and y its value below the player's expected value, x ≥ 0, y ≥ 0 and
x y = 0.  This holds if √(x² + y²) − x − y = 0 (Fischer 1992, *A special Newton-type optimization
method*), an equation for each action.  Newton's method solves these equations; where the full step
does not help, it tries shorter steps.  Near a solution every step doubles the number of correct
digits.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.solver.budget import EquilibriumBudget, WorkMeter
from service.solver.kernels import newton
from service.solver.normal_form import NormalForm, RestrictedGame, logit_responses, split

MIN_STEP: Final = 1.0 / 32.0
"""Shortest part of a step; if even that does not help, there is no solution nearby."""
MIN_PROBABILITY: Final = 1e-3
"""Less likely actions are left out of the restricted game, unless they are best."""
SOLVED: Final = 1e-20
"""Sum of squared residuals at which the method ends."""
STAGES, MIN_STAGE = 16, 1e-4
"""Of the logit path: minimum number of stages, and the step size (a part of the path) at which the
method gives up."""
CORRECTIONS, CORRECT = 5, 1e-13
"""Newton steps in each stage, and the residual at which a stage ends."""
_ZERO = 1e-9
"""Probabilities below this count as zero."""


def newton_iterations(game: NormalForm, strategies: Floats, steps: int, meter: WorkMeter) -> Floats:
    """Return the strategies with the smallest epsilon on the way to an equilibrium nearby.

    Args:
        game: with two or more players.
        strategies: where to start; they are returned if no step improves epsilon.
        steps: maximum number of steps; each costs as much as some calls of ``action_values``.
        meter: checks the deadline.
    """
    best, least = strategies, game.epsilon(strategies)
    payoffs = game.payoffs / game.payoff_range
    actions, size = len(strategies), len(strategies) + len(game.shape)
    slopes, system = np.empty((actions, actions)), np.empty((size, size + 1))
    levels = np.array([own.max() for own in split(game.action_values(strategies), game.shape)])
    levels /= game.payoff_range
    current = strategies

    def residual(strategies: Floats, levels: Floats) -> float:
        newton.linearise(payoffs, game.shape, strategies, levels, slopes, system)
        return float((system[:, size] ** 2).sum())

    before = residual(current, levels)
    for _ in range(steps):
        if before <= SOLVED or meter.stop() or not newton.eliminate(system):
            break
        step, change = 1.0, system[:, size].copy()
        while step >= MIN_STEP:
            parts = split(current + step * change[:actions], game.shape)
            next_strategies = np.concatenate([parts[twin] for twin in game.symmetry_classes])
            next_levels = (levels + step * change[actions:])[game.symmetry_classes]
            after = residual(next_strategies, next_levels)
            if after < before:
                break
            step /= 2.0
        else:
            break
        current, levels, before = next_strategies, next_levels, after
        candidate = _to_probabilities(game, current)
        epsilon = game.epsilon(candidate)
        if epsilon < least:
            best, least = candidate, epsilon
    return best


def polish(
    game: NormalForm, strategies: Floats, budget: EquilibriumBudget, meter: WorkMeter
) -> Floats:
    """Return an equilibrium near some strategies, or the strategies if there is none."""
    if not budget.polish_steps or meter.stopped:
        return strategies
    values = [game.action_values(strategies)]
    restricted = RestrictedGame.of(
        game, [strategies], values, budget.polish_profiles, MIN_PROBABILITY
    )
    polished = restricted.extend(
        newton_iterations(
            restricted.game, restricted.restrict(strategies), budget.polish_steps, meter
        )
    )
    return polished if game.epsilon(polished) < game.epsilon(strategies) else strategies


def trace_logit_path(game: NormalForm, precision: float, meter: WorkMeter) -> Floats | None:
    """Follow logit equilibria from uniform play to increasing precision.

    After Turocy 2005, *A dynamic homotopy interpretation of the logistic quantal response
    equilibrium correspondence*, who also follows the path where it turns back.

    Args:
        game: with two or more players.
        precision: at the end of the path, per unit of payoff.
        meter: checks the deadline.

    Returns:
        The logit equilibrium; None if the path turns back before, or the deadline passed.
    """
    strategies, at, step = game.uniform, 0.0, precision / STAGES
    while at < precision:
        if meter.stop():
            return None
        ahead = min(precision, at + step)
        equilibrium = logit_equilibrium_near(game, strategies, ahead)
        if equilibrium is None:
            step /= 2.0
            if step < precision * MIN_STAGE:
                return None
        else:
            strategies, at, step = equilibrium, ahead, min(1.5 * step, precision / STAGES)
    return strategies


def logit_equilibrium_near(game: NormalForm, strategies: Floats, precision: float) -> Floats | None:
    """Return the logit equilibrium near some strategies.

    Args:
        game: with two or more players.
        strategies: where to start.
        precision: of the responses, per unit of payoff.

    Returns:
        Strategies that are logit responses to themselves; None if Newton's method fails.
    """
    actions = len(strategies)
    owners = np.repeat(np.arange(len(game.shape)), game.shape)
    starts = np.cumsum(game.shape) - game.shape
    slopes = np.empty((actions, actions))
    responses = logit_responses(game, game.action_values(strategies), precision)
    for _ in range(CORRECTIONS):
        newton.differentiate(game.payoffs, game.shape, strategies, slopes)
        # The slope of a response is precision × (slope of the action's value − slope of the mean).
        mean = np.add.reduceat(responses[:, None] * slopes, starts)[owners]
        system = np.empty((actions, actions + 1))
        system[:, :actions] = np.eye(actions) - precision * responses[:, None] * (slopes - mean)
        system[:, actions] = responses - strategies
        if not newton.eliminate(system):
            return None
        parts = split(strategies + system[:, actions], game.shape)
        corrected = np.concatenate([parts[twin] for twin in game.symmetry_classes])
        if corrected.min() < 0.0:
            return None
        strategies = corrected
        responses = logit_responses(game, game.action_values(strategies), precision)
        if np.abs(responses - strategies).max() <= CORRECT:
            return strategies
    return None


def _to_probabilities(game: NormalForm, strategies: Floats) -> Floats:
    """Set small and negative numbers to zero and normalize."""
    parts = split(np.where(strategies < _ZERO, 0.0, strategies), game.shape)
    return np.concatenate([own / own.sum() for own in parts])

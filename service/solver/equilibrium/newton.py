"""From strategies of small gap to an equilibrium close by, if there is one: Newton's method.

In an equilibrium every move is either not played or worth no less than any other: with x the
probability of a move and y what it is worth less than the player gets, x ≥ 0, y ≥ 0 and x y = 0.
That holds where √(x² + y²) − x − y = 0 (Fischer 1992, *A special Newton-type optimization method*),
an equation for each move, to which Newton's method is applied with shorter steps where the whole
one does not help.  Near a solution every step doubles the number of correct digits.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.solver.budget import EquilibriumBudget, WorkMeter
from service.solver.kernels import newton
from service.solver.normal_form import NormalForm, RestrictedGame, logit_responses, split

SHORTEST: Final = 1.0 / 32.0
"""Of a step; where not even that helps, there is no solution close by."""
LIKELY: Final = 1e-3
"""What is played more rarely is not looked at unless it is best."""
SOLVED: Final = 1e-20
"""Sum of the squares of what is wrong that ends the method."""
STAGES, LEAST_STAGE = 16, 1e-4
"""Along a logit path: how many there are at least, and the part of it that is too short a step."""
CORRECTIONS, CORRECT = 5, 1e-13
"""Newton's steps at each stage, and the residual that ends them."""
_NEVER = 1e-9
"""Probabilities below this are none."""


def newton_iterations(game: NormalForm, strategies: Floats, steps: int, meter: WorkMeter) -> Floats:
    """The strategies of least gap on the way to an equilibrium close to some.

    Args:
        game: with two or more players; every step costs as much as some responses of everybody.
        strategies: where to start, and what is returned if nothing better is found.
        steps: at most.
        meter: keeps the deadline.
    """
    best, least = strategies, game.epsilon(strategies)
    payoffs = game.payoffs / game.payoff_range
    moves, size = len(strategies), len(strategies) + len(game.shape)
    slopes, system = np.empty((moves, moves)), np.empty((size, size + 1))
    levels = np.array([own.max() for own in split(game.action_values(strategies), game.shape)])
    levels /= game.payoff_range
    current = strategies

    def wrong(strategies: Floats, levels: Floats) -> float:
        newton.linearise(payoffs, game.shape, strategies, levels, slopes, system)
        return float((system[:, size] ** 2).sum())

    before = wrong(current, levels)
    for _ in range(steps):
        if before <= SOLVED or meter.stop() or not newton.eliminate(system):
            break
        step, change = 1.0, system[:, size].copy()
        while step >= SHORTEST:
            parts = split(current + step * change[:moves], game.shape)
            closer = np.concatenate([parts[twin] for twin in game.symmetry_classes])
            higher = (levels + step * change[moves:])[game.symmetry_classes]
            after = wrong(closer, higher)
            if after < before:
                break
            step /= 2.0
        else:
            break
        current, levels, before = closer, higher, after
        possible = _mixtures(game, current)
        found = game.epsilon(possible)
        if found < least:
            best, least = possible, found
    return best


def polish(
    game: NormalForm, strategies: Floats, budget: EquilibriumBudget, meter: WorkMeter
) -> Floats:
    """An equilibrium close to some strategies where there is one, else the same."""
    if not budget.polish_steps or meter.stopped:
        return strategies
    values = [game.action_values(strategies)]
    part = RestrictedGame.of(game, [strategies], values, budget.polish_profiles, LIKELY)
    found = part.extend(
        newton_iterations(part.game, part.restrict(strategies), budget.polish_steps, meter)
    )
    return found if game.epsilon(found) < game.epsilon(strategies) else strategies


def trace_logit_path(game: NormalForm, precision: float, meter: WorkMeter) -> Floats | None:
    """Mutual quantal responses, followed from even play to ever greater precision (after Turocy
    2005, *A dynamic homotopy interpretation of the logistic quantal response equilibrium
    correspondence*, who also follows the path where it turns back).

    Args:
        game: with two or more players.
        precision: where the path ends, per unit of payoff.
        meter: keeps the deadline.

    Returns:
        Strategies that are the responses to themselves; None where the path turns back before, or
        the time is up.
    """
    strategies, at, step = game.uniform, 0.0, precision / STAGES
    while at < precision:
        if meter.stop():
            return None
        ahead = min(precision, at + step)
        found = logit_equilibrium_near(game, strategies, ahead)
        if found is None:
            step /= 2.0
            if step < precision * LEAST_STAGE:
                return None
        else:
            strategies, at, step = found, ahead, min(1.5 * step, precision / STAGES)
    return strategies


def logit_equilibrium_near(game: NormalForm, strategies: Floats, precision: float) -> Floats | None:
    """The quantal responses to themselves that are close to some strategies.

    Args:
        game: with two or more players.
        strategies: where to start.
        precision: of the responses, per unit of payoff.

    Returns:
        None where Newton's method does not find them.
    """
    moves = len(strategies)
    owners = np.repeat(np.arange(len(game.shape)), game.shape)
    starts = np.cumsum(game.shape) - game.shape
    slopes = np.empty((moves, moves))
    responses = logit_responses(game, game.action_values(strategies), precision)
    for _ in range(CORRECTIONS):
        newton.differentiate(game.payoffs, game.shape, strategies, slopes)
        # The slopes of responses: precision × (those of the own worth − those of the mean worth).
        mean = np.add.reduceat(responses[:, None] * slopes, starts)[owners]
        system = np.empty((moves, moves + 1))
        system[:, :moves] = np.eye(moves) - precision * responses[:, None] * (slopes - mean)
        system[:, moves] = responses - strategies
        if not newton.eliminate(system):
            return None
        parts = split(strategies + system[:, moves], game.shape)
        closer = np.concatenate([parts[twin] for twin in game.symmetry_classes])
        if closer.min() < 0.0:
            return None
        strategies = closer
        responses = logit_responses(game, game.action_values(strategies), precision)
        if np.abs(responses - strategies).max() <= CORRECT:
            return strategies
    return None


def _mixtures(game: NormalForm, strategies: Floats) -> Floats:
    """The same as probabilities."""
    parts = split(np.where(strategies < _NEVER, 0.0, strategies), game.shape)
    return np.concatenate([own / own.sum() for own in parts])

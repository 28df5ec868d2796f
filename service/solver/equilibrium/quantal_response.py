"""Quantal response: players who err, the less often the worse a move (McKelvey, Palfrey 1995).

A *logit response* plays a move with a probability proportional to exp(precision × value).  In a
logit equilibrium every player's strategy is the logit response to all other strategies.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import Position
from service.core.simultaneous import SimultaneousGame
from service.solver.budget import EquilibriumBudget, WorkMeter
from service.solver.equilibrium.epsilon_equilibrium import (
    CertifiedProfile,
    certify,
    to_move_probabilities,
)
from service.solver.equilibrium.newton import logit_equilibrium_near, trace_logit_path
from service.solver.equilibrium.subgames import with_subgames_solved
from service.solver.logit_iteration import LogitIteration
from service.solver.normal_form import NormalForm, fix_strategies, logit_response

PRECISION: Final = {"win": 40.0, "points": 2.0, "lead": 2.0}
"""By objective, per share of the win or per space.

A move that is worse by 1/precision is played about a third as often.
"""
STAGES, STAGE_STEPS = 8, 4
"""Evenly spaced precisions from uniform play to the response, and the steps at each.

This is enough to get close to the solution of Newton's method.
"""
SLOW_STAGES: Final = 16
"""Precisions if Newton's method fails; each then gets more steps."""
STEPS: Final = ((0.5, False), (0.25, False), (0.25, True), (0.1, True), (0.04, True))
"""Step sizes towards the response, and whether to use the response at the midpoint.

If long steps do not converge, shorter steps that look ahead follow.
"""
EXACT: Final = 1e-12
"""Residual at which the iteration has converged."""
NEWTON: Final = 400
"""Payoffs that Newton's method reads on the whole path, for each payoff of the game."""


def solve_quantal(
    stage_game: SimultaneousGame[Choice, Position],
    allowed: Sequence[Floats | None],
    precision: float,
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> tuple[CertifiedProfile, float]:
    """Return the logit equilibrium on the path from uniform play, and its quantal residual.

    Args:
        stage_game: the decision; solutions of relevant subgames are folded into it.
        allowed: see :meth:`SimultaneousGame.allowed_mixtures`.
        precision: per unit of payoff.
        budget: of work.
        meter: checks the deadline.

    Raises:
        OutOfTime: if the deadline passed before the first step.
    """
    meter.check()
    game = fix_strategies(
        stage_game.payoffs, stage_game.counts, stage_game.symmetry_classes, allowed
    )
    for _ in range(budget.subgame_passes):
        rough, _ = _follow_path(game, _path(precision, STAGES), STAGE_STEPS, meter)
        updated = with_subgames_solved(
            game, stage_game, allowed, to_move_probabilities(rough, game, allowed), budget, meter
        )
        if updated is None:
            break
        game = updated
    strategies = _solve(game, precision, budget, meter)
    profile = certify(stage_game, allowed, to_move_probabilities(strategies, game, allowed), game)
    return profile, quantal_residual(profile, allowed, precision)


def _solve(
    game: NormalForm, precision: float, budget: EquilibriumBudget, meter: WorkMeter
) -> Floats:
    strategies, _ = _follow_path(game, _path(precision, STAGES), STAGE_STEPS, meter)
    if meter.stopped:
        return strategies
    solution = logit_equilibrium_near(game, strategies, precision)
    if solution is not None:
        return solution
    if meter.stop():
        return strategies
    steps = max(16, budget.steps(game.payoffs.size) // SLOW_STAGES)
    path = _path(precision, SLOW_STAGES)[:-1]
    path += [(precision, *step) for step in STEPS for _ in range(SLOW_STAGES // 2)]
    strategies, residual = _follow_path(game, path, steps, meter)
    if residual > EXACT and game.payoffs.size * NEWTON <= budget.entries:
        solution = trace_logit_path(game, precision, meter)
    return strategies if solution is None else solution


def _path(precision: float, stages: int) -> list[tuple[float, float, bool]]:
    """Return evenly spaced precisions, each with a step size and whether to use the midpoint."""
    return [(precision * stage / stages, *STEPS[0]) for stage in range(1, stages + 1)]


def _follow_path(
    game: NormalForm, path: Sequence[tuple[float, float, bool]], steps: int, meter: WorkMeter
) -> tuple[Floats, float]:
    """Iterate logit responses along a path, from uniform play to convergence at its end.

    Args:
        game: the game.
        path: precision, step size and whether to use the midpoint.
        steps: at each point of the path.
        meter: checks the deadline.

    Returns:
        Strategies and their residual.
    """
    iteration, residual = LogitIteration(game), inf
    for precision, size, midway in path:
        if meter.stop():
            break
        residual = iteration.move(precision, size, steps, midway=midway, exact=EXACT)
        if precision == path[-1][0] and residual <= EXACT:
            break
    return iteration.strategies, residual


def quantal_residual(
    profile: CertifiedProfile, allowed: Sequence[Floats | None], precision: float
) -> float:
    """Return the largest difference of a rounded probability from its logit response."""
    largest = 0.0
    for own, value, mixtures in zip(profile.strategies, profile.values, allowed, strict=True):
        response = logit_response(value, precision)
        if mixtures is not None:
            response = logit_response((mixtures * value).sum(axis=1), precision)
            response = (response[:, None] * mixtures).sum(axis=0)
        largest = max(largest, float(np.abs(response - own).max()))
    return largest

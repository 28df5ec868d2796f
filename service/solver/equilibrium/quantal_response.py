"""Players who err: the worse a move, the more rarely it is played (McKelvey, Palfrey 1995).

A *quantal response* plays a move with a probability proportional to exp(precision × value).  In a
logit equilibrium everybody's strategy is the quantal response to everybody else's.
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
from service.solver.kernels import regret_matching
from service.solver.normal_form import NormalForm, fix_strategies, logit_response

PRECISION: Final = {"win": 40.0, "points": 2.0, "lead": 2.0}
"""By objective, per share of the win or per space: a move worse by 1/precision is played about a
third as often.
"""
STAGES, FEW = 8, 4
"""Precisions on the way from even play to the response, evenly spaced, and steps at each: enough to
be close to where Newton's method finds it.
"""
LONGER: Final = 16
"""Where it does not, so many precisions, and more steps."""
STEPS: Final = ((0.5, False), (0.25, False), (0.25, True), (0.1, True), (0.04, True))
"""How far to go towards the response, and whether midway: where longer steps do not settle down,
shorter ones that look ahead.
"""
EXACT: Final = 1e-12
NEWTON: Final = 400
"""So many payoffs are weighed for each of the game by Newton's method along the whole path."""


def solve_quantal(
    stage_game: SimultaneousGame[Choice, Position],
    allowed: Sequence[Floats | None],
    precision: float,
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> tuple[CertifiedProfile, float]:
    """The logit equilibrium on the path from even play, and its residual as printed.

    Raises:
        OutOfTime: before anything was found.
    """
    meter.check()
    game = fix_strategies(
        stage_game.payoffs, stage_game.counts, stage_game.symmetry_classes, allowed
    )
    for _ in range(budget.subgame_passes):
        rough, _ = _walk(game, _stages(precision, STAGES), FEW, meter)
        further = with_subgames_solved(
            game, stage_game, allowed, to_move_probabilities(rough, game, allowed), budget, meter
        )
        if further is None:
            break
        game = further
    chosen = _follow(game, precision, budget, meter)
    solved = certify(stage_game, allowed, to_move_probabilities(chosen, game, allowed), game)
    return solved, quantal_residual(solved, allowed, precision)


def _follow(
    game: NormalForm, precision: float, budget: EquilibriumBudget, meter: WorkMeter
) -> Floats:
    strategies, _ = _walk(game, _stages(precision, STAGES), FEW, meter)
    if meter.stopped:
        return strategies
    found = logit_equilibrium_near(game, strategies, precision)
    if found is not None:
        return found
    if meter.stop():
        return strategies
    steps = max(16, budget.steps(game.payoffs.size) // LONGER)
    path = _stages(precision, LONGER)[:-1]
    path += [(precision, *step) for step in STEPS for _ in range(LONGER // 2)]
    strategies, residual = _walk(game, path, steps, meter)
    if residual > EXACT and game.payoffs.size * NEWTON <= budget.entries:
        found = trace_logit_path(game, precision, meter)
    return strategies if found is None else found


def _stages(precision: float, stages: int) -> list[tuple[float, float, bool]]:
    return [(precision * stage / stages, *STEPS[0]) for stage in range(1, stages + 1)]


def _walk(
    game: NormalForm, path: Sequence[tuple[float, float, bool]], steps: int, meter: WorkMeter
) -> tuple[Floats, float]:
    """From even play along a path of precisions, steps and whether midway, so many steps at each,
    until the last precision is settled; also returns the residual.
    """
    strategies, residual = game.uniform, inf
    unused, epsilon = strategies.copy(), np.array([inf])
    for precision, step, midway in path:
        if meter.stop():
            break
        residual = regret_matching.iterate_logit(
            game.own_action_last,
            game.shape,
            game.symmetry_classes,
            game.shape > 1,
            precision,
            step,
            midway,
            steps,
            EXACT,
            strategies,
            unused,
            epsilon,
        )
        if precision == path[-1][0] and residual <= EXACT:
            break
    return strategies, residual


def quantal_residual(
    solved: CertifiedProfile, allowed: Sequence[Floats | None], precision: float
) -> float:
    """The farthest that a printed probability is from the response to the printed strategies."""
    worst = 0.0
    for own, value, way in zip(solved.strategies, solved.values, allowed, strict=True):
        answer = logit_response(value, precision)
        if way is not None:
            answer = logit_response((way * value).sum(axis=1), precision)
            answer = (answer[:, None] * way).sum(axis=0)
        worst = max(worst, float(np.abs(answer - own).max()))
    return worst

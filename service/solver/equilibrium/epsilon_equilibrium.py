"""Mixed strategies with a small epsilon: the largest gain from a unilateral deviation.

With three or more players the averages of regret matching need not converge; with two players the
iterates need not.  Therefore several methods run for a fixed number of steps each, and the
strategies with the smallest epsilon are used.  Epsilon is measured, never guaranteed.

A later decision of several players is solved as a subgame if the strategies can reach it,
possibly after another move of one player.  Its solution is folded into the payoffs, and the whole
game is solved again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import Position
from service.core.rounding import apportion, apportion_mirrored
from service.core.simultaneous import SimultaneousGame
from service.solver.budget import EquilibriumBudget, WorkMeter
from service.solver.equilibrium.newton import polish
from service.solver.equilibrium.regret_matching import match
from service.solver.equilibrium.selection import behavioral_priors, select_equilibrium
from service.solver.equilibrium.subgames import reachable_open_profiles, with_subgames_solved
from service.solver.logit_iteration import LogitIteration
from service.solver.normal_form import NormalForm, drop_rare_actions, fix_strategies, split

PRECISIONS: Final = (8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0)
"""Of the logit path, relative to the payoff range."""
LOGIT_STEP: Final = 0.2
"""Step size towards the logit response."""


@dataclass(frozen=True)
class CertifiedProfile:
    """Rounded strategies of all players, and how good they are.

    Attributes:
        strategies: by player, float64[moves].
        epsilon: the largest gain from a unilateral deviation of a player without fixed strategy.
        subgames_solved: whether every subgame that the strategies can reach was solved.
        values: by player, float64[moves], of each move against these strategies.
    """

    strategies: Sequence[Floats]
    epsilon: float
    subgames_solved: bool
    values: Sequence[Floats]


def solve_equilibrium(
    stage_game: SimultaneousGame[Choice, Position],
    allowed: Sequence[Floats | None],
    budget: EquilibriumBudget,
    meter: WorkMeter,
    *,
    precision: float = 1.0,
    slack: float = 0.0,
) -> CertifiedProfile:
    """Return strategies with a small epsilon.

    Args:
        stage_game: the decision; solutions of relevant subgames are folded into it.
        allowed: see :meth:`SimultaneousGame.allowed_mixtures`.
        budget: of work.
        meter: checks the deadline.
        precision: see :func:`~service.solver.equilibrium.selection.select_equilibrium`; unused
            if the game has no heuristics.
        slack: see there.

    Raises:
        OutOfTime: if the deadline passed before the first step.
    """
    meter.check()
    # In a two-player zero-sum game there is nothing to select: all equilibria have equal values.
    many = len(stage_game.players) > 2 and bool(stage_game.typical_values)
    priors = behavioral_priors(stage_game, allowed, budget, meter) if many else []
    game = fix_strategies(
        stage_game.payoffs, stage_game.counts, stage_game.symmetry_classes, allowed
    )
    for _ in range(budget.subgame_passes):
        best = _run_portfolio(game, budget.rough, meter)
        if meter.stop():
            break
        updated = with_subgames_solved(
            game, stage_game, allowed, to_move_probabilities(best, game, allowed), budget, meter
        )
        if updated is None:
            break
        game = updated
    epsilon = game.epsilon(best)
    if priors and not meter.stopped:
        best, epsilon = select_equilibrium(game, best, priors, precision, slack, budget, meter)
    target_epsilon = slack if many else budget.target_epsilon * game.payoff_range
    attempts = [(budget.rough, target_epsilon), (budget, target_epsilon)]
    if not many:
        # In two-player games more work always reaches a small epsilon.
        attempts.append((budget.thorough, budget.good_epsilon * game.payoff_range))
    # The new strategies may reach subgames that no earlier ones reached.
    for _ in range(2 * budget.subgame_passes):
        for attempt, enough in attempts:
            if epsilon > enough and not meter.stopped:
                other = polish(game, _run_portfolio(game, attempt, meter), budget, meter)
                best = min(best, drop_rare_actions(game, other), key=game.epsilon)
                epsilon = game.epsilon(best)
        if meter.stop():
            break
        updated = with_subgames_solved(
            game, stage_game, allowed, to_move_probabilities(best, game, allowed), budget, meter
        )
        if updated is None:
            break
        game = updated
        best = polish(game, best, budget, meter)
        epsilon = game.epsilon(best)
    return certify(stage_game, allowed, to_move_probabilities(best, game, allowed), game)


def certify(
    stage_game: SimultaneousGame[Choice, Position],
    allowed: Sequence[Floats | None],
    strategies: Sequence[Floats],
    game: NormalForm | None = None,
) -> CertifiedProfile:
    """Round strategies and measure their epsilon.

    Args:
        stage_game: the decision.
        allowed: see :meth:`SimultaneousGame.allowed_mixtures`.
        strategies: by player, float64[moves].
        game: the result of ``fix_strategies``, if available.
    """
    rounded: list[Floats] = []
    for player, own in enumerate(strategies):
        mirror, twin = stage_game.mirrors[player], stage_game.symmetry_classes[player]
        if twin < player:
            rounded.append(rounded[twin])
        elif mirror is None:
            rounded.append(np.array(apportion(own)))
        else:
            rounded.append(np.array(apportion_mirrored(own, mirror.tolist())))
    if game is None or any(mixtures is not None for mixtures in allowed):
        game = fix_strategies(
            stage_game.payoffs,
            stage_game.counts,
            stage_game.symmetry_classes,
            [None] * len(rounded),
        )
    values = split(game.action_values(np.concatenate(rounded)), stage_game.counts)
    epsilon = 0.0
    for own, value, mixtures in zip(rounded, values, allowed, strict=True):
        reachable = value if mixtures is None else (mixtures * value).sum(axis=1)
        if len(reachable) > 1:
            epsilon = max(epsilon, float(reachable.max() - (own * value).sum()))
    unsolved, _, _ = reachable_open_profiles(stage_game, rounded)
    return CertifiedProfile(rounded, epsilon, subgames_solved=not len(unsolved), values=values)


def to_move_probabilities(
    strategies: Floats, game: NormalForm, allowed: Sequence[Floats | None]
) -> list[Floats]:
    """Convert probabilities of allowed mixtures to probabilities of moves, by player."""
    by_player = split(strategies, game.shape)
    return [
        own if mixtures is None else (own[:, None] * mixtures).sum(axis=0)
        for own, mixtures in zip(by_player, allowed, strict=True)
    ]


# The portfolio ---------------------------------------------------------------------------------


def _run_portfolio(game: NormalForm, budget: EquilibriumBudget, meter: WorkMeter) -> Floats:
    """Return the strategies with the smallest epsilon of all methods."""
    steps = budget.steps(game.payoffs.size)
    best, least = game.uniform, inf
    for method in (_predictive_regret_matching, _regret_matching, _logit_path):
        strategies = method(game, steps, budget.target_epsilon, meter)
        strategies = polish(game, strategies, budget, meter)
        epsilon = game.epsilon(strategies)
        if epsilon < least:
            best, least = strategies, epsilon
        if least <= budget.good_epsilon * game.payoff_range or meter.stopped:
            break
    return best


def _predictive_regret_matching(
    game: NormalForm, steps: int, target_epsilon: float, meter: WorkMeter
) -> Floats:
    return match(game, steps, target_epsilon, meter)[0]


def _regret_matching(
    game: NormalForm, steps: int, target_epsilon: float, meter: WorkMeter
) -> Floats:
    return match(game, steps // 4, target_epsilon, meter, predictive=False)[0]


def _logit_path(game: NormalForm, steps: int, target_epsilon: float, meter: WorkMeter) -> Floats:
    """Follow logit responses from uniform play to increasing precision."""
    iteration = LogitIteration(game)
    steps_each = max(1, steps // 4 // len(PRECISIONS))
    for precision in PRECISIONS:
        if meter.stop() or iteration.least_epsilon <= target_epsilon * game.payoff_range:
            break
        iteration.move(precision / game.payoff_range, LOGIT_STEP, steps_each)
    return iteration.best

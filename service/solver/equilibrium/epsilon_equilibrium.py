"""No-regret play of everybody: mixed strategies that nobody gains much by leaving.

Averages of regret matching need not converge with three or more players, and iterates need not
with two.  So several methods run for a fixed number of steps each, and of all that they come by
the strategies of least gap are taken: the most that any player could gain by another move.  That
gap is measured, never promised.

A later decision in which several players meet is solved as a game of its own where the strategies
can get there, alone or by one player's other move, and folded in; then everything is solved again.
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
from service.solver.kernels import regret_matching
from service.solver.normal_form import NormalForm, drop_rare_actions, fix_strategies, split

PRECISIONS: Final = (8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0)
"""Of the logit path, relative to the spread of payoffs."""
LOGIT_STEP: Final = 0.2


@dataclass(frozen=True)
class CertifiedProfile:
    """Strategies of all players, as printed, and how good they are.

    Attributes:
        strategies: by player, float64[moves].
        gap: the most that a player whose strategy is not given could gain by leaving it.
        subgames_solved: whether each later decision that can be met was solved as a game.
        values: by player, float64[moves], what each is worth against these strategies.
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
    """Finds strategies of small gap.

    Args:
        joint: the decision; open profiles that matter are settled.
        ways: see :meth:`SimultaneousGame.given`.
        effort: how much work to do.
        meter: keeps the deadline.
        precision, slack: see :func:`~service.solver.equilibrium.selection.select_equilibrium`; unused where it
            is not known how people may play.

    Raises:
        OutOfTime: before anything was found.
    """
    meter.check()
    # Among two who oppose each other there is nothing to choose: equilibria are worth the same.
    many = len(stage_game.players) > 2 and stage_game.heuristic_count > 0
    chosen = many and stage_game.payoffs.size <= budget.selection_entries
    predicted = behavioral_priors(stage_game, allowed, budget, meter) if chosen else []
    game = fix_strategies(
        stage_game.payoffs, stage_game.counts, stage_game.symmetry_classes, allowed
    )
    for _ in range(budget.subgame_passes):
        found = _least_gap(game, budget.rough, meter)
        if meter.stop():
            break
        further = with_subgames_solved(
            game, stage_game, allowed, to_move_probabilities(found, game, allowed), budget, meter
        )
        if further is None:
            break
        game = further
    epsilon = game.epsilon(found)
    if predicted and not meter.stopped:
        found, epsilon = select_equilibrium(game, found, predicted, precision, slack, budget, meter)
    target_epsilon = slack if many else budget.target_epsilon * game.payoff_range
    works = [(budget.rough, target_epsilon), (budget, target_epsilon)]
    if not many:
        # Two who oppose each other can be held to a small gap, whatever it takes.
        works.append((budget.thorough, budget.good_epsilon * game.payoff_range))
    # What was found may lead to meetings that nothing before it led to.
    for _ in range(2 * budget.subgame_passes):
        for work, least in works:
            if epsilon > least and not meter.stopped:
                other = polish(game, _least_gap(game, work, meter), budget, meter)
                found = min(found, drop_rare_actions(game, other), key=game.epsilon)
                epsilon = game.epsilon(found)
        if meter.stop():
            break
        further = with_subgames_solved(
            game, stage_game, allowed, to_move_probabilities(found, game, allowed), budget, meter
        )
        if further is None:
            break
        game = further
        found = polish(game, found, budget, meter)
        epsilon = game.epsilon(found)
    return certify(stage_game, allowed, to_move_probabilities(found, game, allowed), game)


def certify(
    stage_game: SimultaneousGame[Choice, Position],
    allowed: Sequence[Floats | None],
    strategies: Sequence[Floats],
    game: NormalForm | None = None,
) -> CertifiedProfile:
    """Rounds strategies as they are printed, and measures their gap.

    Args:
        joint: the decision.
        ways: see :meth:`SimultaneousGame.given`.
        strategies: by player, float64[moves].
        game: what is left of it with these ways, if it is at hand.
    """
    printed: list[Floats] = []
    for player, own in enumerate(strategies):
        mirror, twin = stage_game.mirrors[player], stage_game.symmetry_classes[player]
        if twin < player:
            printed.append(printed[twin])
        elif mirror is None:
            printed.append(np.array(apportion(own)))
        else:
            printed.append(np.array(apportion_mirrored(own, mirror.tolist())))
    if game is None or any(way is not None for way in allowed):
        game = fix_strategies(
            stage_game.payoffs,
            stage_game.counts,
            stage_game.symmetry_classes,
            [None] * len(printed),
        )
    values = split(game.action_values(np.concatenate(printed)), stage_game.counts)
    epsilon = 0.0
    for own, value, way in zip(printed, values, allowed, strict=True):
        reachable = value if way is None else (way * value).sum(axis=1)
        if len(reachable) > 1:
            epsilon = max(epsilon, float(reachable.max() - (own * value).sum()))
    return CertifiedProfile(
        printed,
        epsilon,
        subgames_solved=not len(reachable_open_profiles(stage_game, printed)[0]),
        values=values,
    )


def to_move_probabilities(
    strategies: Floats, game: NormalForm, allowed: Sequence[Floats | None]
) -> list[Floats]:
    """From mixtures of what can be chosen to mixtures of moves."""
    chosen = split(strategies, game.shape)
    return [
        own if way is None else (own[:, None] * way).sum(axis=0)
        for own, way in zip(chosen, allowed, strict=True)
    ]


# The portfolio -------------------------------------------------------------------------------


def _least_gap(game: NormalForm, budget: EquilibriumBudget, meter: WorkMeter) -> Floats:
    """The candidate of least gap."""
    steps = budget.steps(game.payoffs.size)
    best, least = game.uniform, inf
    for method in (_match_predictively, _match_plainly, _follow_logit_path):
        found = polish(game, method(game, steps, budget.target_epsilon, meter), budget, meter)
        epsilon = game.epsilon(found)
        if epsilon < least:
            best, least = found, epsilon
        if least <= budget.good_epsilon * game.payoff_range or meter.stopped:
            break
    return best


def _match_predictively(
    game: NormalForm, steps: int, target_epsilon: float, meter: WorkMeter
) -> Floats:
    return match(game, steps, target_epsilon, meter)[0]


def _match_plainly(game: NormalForm, steps: int, target_epsilon: float, meter: WorkMeter) -> Floats:
    return match(game, steps // 4, target_epsilon, meter, predictive=False)[0]


def _follow_logit_path(
    game: NormalForm, steps: int, target_epsilon: float, meter: WorkMeter
) -> Floats:
    """From even play to ever more precise responses."""
    strategies = game.uniform
    best, epsilons = strategies.copy(), np.array([inf])
    everybody = np.ones(len(game.shape), np.bool_)
    each = max(1, steps // 4 // len(PRECISIONS))
    for precision in PRECISIONS:
        if meter.stop() or epsilons[0] <= target_epsilon * game.payoff_range:
            break
        regret_matching.iterate_logit(
            game.own_action_last,
            game.shape,
            game.symmetry_classes,
            everybody,
            precision / game.payoff_range,
            LOGIT_STEP,
            False,
            each,
            0.0,
            strategies,
            best,
            epsilons,
        )
    return best

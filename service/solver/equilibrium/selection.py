"""Equilibrium selection: among strategies with a small epsilon, those that do well against people.

With three or more players a game usually has many equilibria, and they do not combine: a player
who plays one equilibrium while the others play another does worse than in any of them.  The play
of the others is unknown, but there are models of how people play:

- Some people think one step ahead: they choose well against uniform play.
- Most others look at their own gains and the cards that they keep.  They either choose a move the
  more often the better it looks, or they switch to moves that they regret not to have played.

Strategies under these models are the *behavioral priors*.  The search starts from strategies with
a small epsilon, from the priors and from the responses to them.  It maximizes the value against
the priors minus a penalty for epsilon.

Focal points are due to Schelling (1960, *The Strategy of Conflict*).  Equilibria close to predicted
human play have proved successful in Diplomacy (Jacob et al. 2022, *Modeling Strong and Human-Like
Gameplay with KL-Regularized Search*).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import Position
from service.core.simultaneous import SimultaneousGame
from service.solver.behavioral_play import logit_play, regret_play
from service.solver.budget import EquilibriumBudget, WorkMeter
from service.solver.equilibrium.sequential_lp import SelectionObjective, maximize
from service.solver.normal_form import (
    NormalForm,
    RestrictedGame,
    drop_rare_actions,
    fix_strategies,
    logit_responses,
)

PRECISION: Final = 4.0
"""Of people's choices, per space."""
PATH: Final = ((0.5, 0.5, 4), (1.0, 0.4, 6))
"""From uniform play to a logit prior: parts of the precision, step sizes and numbers of steps.

The iteration need not converge.
"""
MAX_REGRET_STEPS, REGRET_ENTRIES = 40, 6_000_000
"""Steps of a regret-matching prior, and the payoffs that all of them read together: large games
get fewer steps."""
RESPONSE_PRECISION: Final = 64.0
"""Of the responses to the priors, relative to the payoff range."""
SLACK: Final = {"win": 0.012, "points": 0.06, "lead": 0.06}
"""By objective, in win shares or spaces: the epsilon above which almost only epsilon counts."""
PRICE, FINE = 8.0, 50.0
"""Penalty for a unit of epsilon, and additional penalty for a unit above the slack, both in units
of a player's value against the priors."""
USED_SLACK: Final = 0.999
"""Part of the slack that the search uses, so that rounding does not exceed it."""
REPEATS: Final = 2
"""How often the search is repeated with the actions that turned out to be best."""
MIN_PROBABILITY: Final = 1e-3
"""Less likely actions are left out of these repeats."""


def behavioral_priors(
    stage_game: SimultaneousGame[Choice, Position],
    allowed: Sequence[Floats | None],
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> list[Floats]:
    """Return how people may play by the game's heuristics.

    Returns:
        float64[sum of shape] for each valuation, alternately a logit and a regret-matching prior.
    """
    priors: list[Floats] = []
    for which, values in enumerate(stage_game.typical_values[: budget.prior_count]):
        if meter.stop():
            break
        game = fix_strategies(
            stage_game.heuristic_payoffs([values])[0],
            stage_game.counts,
            stage_game.symmetry_classes,
            allowed,
        )
        priors.append(_regret_matching_prior(game) if which % 2 else _logit_prior(game))
    return priors


def _logit_prior(game: NormalForm) -> Floats:
    """Return the strategies of players who choose a move the more often the better it looks."""
    return logit_play(game, [(part * PRECISION, step, steps) for part, step, steps in PATH])


def _regret_matching_prior(game: NormalForm) -> Floats:
    """Return the average strategies of players who switch to moves that they regret."""
    return regret_play(game, max(1, min(MAX_REGRET_STEPS, REGRET_ENTRIES // game.payoffs.size)))


def select_equilibrium(
    game: NormalForm,
    first: Floats,
    priors: Sequence[Floats],
    precision: float,
    slack: float,
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> tuple[Floats, float]:
    """Return strategies with a small epsilon that do well against the priors, and their epsilon.

    Args:
        game: with three or more players.
        first: strategies with a small epsilon, used as one start.
        priors: see :func:`behavioral_priors`.
        precision: of people who think one step ahead, per unit of payoff.
        slack: the epsilon above which almost only epsilon counts.
        budget: of work.
        meter: checks the deadline.
    """
    one_step = logit_responses(game, game.action_values(game.uniform), precision)
    people = [one_step, *priors]
    prior_values = _mean([game.action_values(own) for own in people])
    responses = logit_responses(game, prior_values, RESPONSE_PRECISION / game.payoff_range)
    starts = [first, _mean(people), responses]
    restricted = RestrictedGame.of(
        game, starts, [game.action_values(own) for own in starts], budget.selection_profiles
    )
    objective = SelectionObjective(
        prior_values[restricted.indices], PRICE, USED_SLACK * slack, FINE
    )
    best, best_score = first, -inf
    for start in starts:
        strategies, score = maximize(
            restricted.game, restricted.restrict(start), objective, budget.selection_steps, meter
        )
        if score > best_score:
            best, best_score = restricted.extend(strategies), score
        if meter.stop():
            break
    for _ in range(REPEATS):
        if meter.stop():
            break
        values = [game.action_values(best), prior_values]
        restricted = RestrictedGame.of(
            game, [best], values, budget.polish_profiles, MIN_PROBABILITY
        )
        objective = SelectionObjective(
            prior_values[restricted.indices], PRICE, USED_SLACK * slack, FINE
        )
        strategies, _ = maximize(
            restricted.game, restricted.restrict(best), objective, budget.selection_steps, meter
        )
        best = restricted.extend(strategies)
    if game.epsilon(best) > max(slack, game.epsilon(first)):
        best = first
    epsilon, simpler = game.epsilon(best), drop_rare_actions(game, best)
    simpler_epsilon = game.epsilon(simpler)
    if epsilon <= slack < simpler_epsilon:
        return best, epsilon
    return simpler, simpler_epsilon


def _mean(arrays: Sequence[Floats]) -> Floats:
    """Return the mean of arrays of one shape; the order of the sum is fixed."""
    return sum(arrays[1:], start=arrays[0]) / len(arrays)

"""Which of many equilibria: the one that does well among people.

Where everybody avoids everybody else there are many strategies that nobody gains by leaving, and
they fit together badly: who plays its part of one while the others play another fares worse than
all of them.  What others play cannot be known, but guessed.  Some look one step ahead: what is good
if the others choose anything.  Most who think further play each round for themselves, for what they
gain and keep, in one way or another of valuing that; they choose a move the more often the better
it looks, or go over to what they regret not to have played.  These are the *predictions*.  Searches
start from strategies of small gap, from the predictions and from the responses to them, and lean
towards what is worth most against the predictions, as far as it is worth the gap.

A choice by what comes to mind is Schelling's (1960, *The Strategy of Conflict*); to hold an
equilibrium close to predicted play has proven itself in Diplomacy (Jacob et al. 2022, *Modeling
Strong and Human-Like Gameplay with KL-Regularized Search*).
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
from service.solver.equilibrium.sequential_lp import SelectionObjective, maximize
from service.solver.kernels import regret_matching
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
"""From even play to predictions: parts of the precision, how far each step goes, how many steps.
They need not settle down.
"""
ADAPTIONS, ADAPTED = 40, 6_000_000
"""How often people go over to something else, in the other kind of predictions, and the payoffs
weighed by all that together: in large games it is less often.
"""
SHARP: Final = 64.0
"""The precision of responses to predictions, relative to the spread of payoffs."""
SLACK: Final = {"win": 0.012, "points": 0.06, "lead": 0.06}
"""By objective, in shares of the win or spaces: beyond such a gap hardly anything counts but the
gap.
"""
PRICE, FINE = 8.0, 50.0
"""What a unit of a gap costs, and of one beyond the slack in addition, in units of what a player
wins against predictions.
"""
WITHIN: Final = 0.999
"""How much of the slack is used, lest rounding goes beyond it."""
AGAIN: Final = 2
"""How often the search is repeated where it led, with the moves that turned out to be best."""
RARELY: Final = 1e-3
"""What is played more rarely is left out there."""


def behavioral_priors(
    stage_game: SimultaneousGame[Choice, Position],
    allowed: Sequence[Floats | None],
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> list[Floats]:
    """How people may play for themselves: float64[sum of choices] for each way to judge it."""
    found: list[Floats] = []
    for which in range(min(stage_game.heuristic_count, budget.behavioral_priors)):
        if meter.stop():
            break
        game = fix_strategies(
            stage_game.heuristic_payoffs(which),
            stage_game.counts,
            stage_game.symmetry_classes,
            allowed,
        )
        found.append(_adapting(game) if which % 2 else _erring(game))
    return found


def _erring(game: NormalForm) -> Floats:
    """How people play who choose what looks better more often."""
    strategies = game.uniform
    unused, least = strategies.copy(), np.array([np.inf])
    for part, step, steps in PATH:
        regret_matching.iterate_logit(
            game.own_action_last,
            game.shape,
            game.symmetry_classes,
            game.shape > 1,
            part * PRECISION,
            step,
            False,
            steps,
            0.0,
            strategies,
            unused,
            least,
        )
    return strategies


def _adapting(game: NormalForm) -> Floats:
    """How people play on average who go over to what they regret not to have played."""
    average = np.empty(int(game.shape.sum()))
    times = max(1, min(ADAPTIONS, ADAPTED // game.payoffs.size))
    regret_matching.average_regret_matching(
        game.own_action_last, game.shape, game.symmetry_classes, times, average
    )
    return average


def select_equilibrium(
    game: NormalForm,
    first: Floats,
    predicted: Sequence[Floats],
    precision: float,
    slack: float,
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> tuple[Floats, float]:
    """Strategies of small gap that are worth most against predictions, and their gap.

    Args:
        game: with three or more players.
        first: some strategies of small gap, which are looked at anyway.
        predicted: how people may play who think further than one step.
        precision: of those who do not, per unit of payoff.
        slack: a gap beyond which hardly anything else counts.
        effort: how much work to do.
        meter: keeps the deadline.
    """
    one_step = logit_responses(game, game.action_values(game.uniform), precision)
    people = [one_step, *predicted]
    prior_values = _mean([game.action_values(own) for own in people])
    responses = logit_responses(game, prior_values, SHARP / game.payoff_range)
    starts = [first, _mean(people), responses]
    part = RestrictedGame.of(
        game, starts, [game.action_values(own) for own in starts], budget.profiles
    )
    objective = SelectionObjective(prior_values[part.indices], PRICE, WITHIN * slack, FINE)
    best, most = first, -inf
    for start in starts:
        found, merit = maximize(
            part.game, part.restrict(start), objective, budget.selection_steps, meter
        )
        if merit > most:
            best, most = part.extend(found), merit
        if meter.stop():
            break
    for _ in range(AGAIN):
        if meter.stop():
            break
        values = [game.action_values(best), prior_values]
        part = RestrictedGame.of(game, [best], values, budget.polish_profiles, RARELY)
        objective = SelectionObjective(prior_values[part.indices], PRICE, WITHIN * slack, FINE)
        best = part.extend(
            maximize(part.game, part.restrict(best), objective, budget.selection_steps, meter)[0]
        )
    if game.epsilon(best) > max(slack, game.epsilon(first)):
        best = first
    epsilon, plain = game.epsilon(best), drop_rare_actions(game, best)
    more = game.epsilon(plain)
    return (best, epsilon) if epsilon <= slack < more else (plain, more)


def _mean(arrays: Sequence[Floats]) -> Floats:
    """Of arrays of one shape, added in their order."""
    return sum(arrays[1:], start=arrays[0]) / len(arrays)

"""Tune the evaluator of Slopecrashers by games between evaluators with random factors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from research.league.slopecrashers.agents import Question, choices_of
from research.league.slopecrashers.play import initial_state, play
from service.core.turn_budgets import Breadth, TurnBudget
from service.games.slopecrashers.engine.evaluation import Evaluator, read
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from service.games.slopecrashers.rules.gifts import Gift
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import Action
from service.solver.search.turn_plans import follow_plan, solve_with_plans

Floats = NDArray[np.float64]

NUMBERS: Final = ("missing", "stung", "order", "slope", "room", "hidden", "field")
DEEP: Final = "deep"
"""Factor of all values of gifts further down in a stack."""
WEIGHTS: Final = (*NUMBERS, DEEP, *(gift.label for gift in Gift))
"""What gets a factor; a gift's factor is for its value on top of a stack and further down."""
SPREAD: Final = 0.35
"""Standard deviation of the logarithms of the factors."""
LARGEST_FIELD: Final = 0.95
"""A gift field must not save a whole movement, see ``packing.distances``."""
PRIOR: Final = 20.0
"""Precision of the normal prior of the effects; its mean is 0."""
SIGNIFICANT: Final = 2.0
"""A step ignores effects that are less than this number of standard errors."""
GAME: Final = Slopecrashers()


@dataclass(frozen=True)
class TuningGame:
    """A game between evaluators with random factors.

    Attributes:
        winner: index of the player.
        changes: float64[players, weights], the logarithms of the factors in spreads.
    """

    winner: int
    changes: Floats


class NarrowTurns(SlopecrashersTurns):
    """Hints that follow fewer ends and events than those of the service, for many games."""

    budgets = {
        "quick": TurnBudget((Breadth((8, 1), (1,), determinizations=2),), rounds=1, positions=0)
    }


class PlanAgent:
    """Plays the plans of narrow hints: each search decides until something else happens."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._game = NarrowTurns(evaluator)
        self._planned: dict[tuple[Action, ...], Action] = {}

    def choose(self, question: Question, random: Random) -> Action:
        if not question.play.actions:
            self._planned.clear()
        planned = self._planned.get(question.play.actions)
        if planned in choices_of(question):
            return planned
        question = replace(question, effort="quick")
        plan = follow_plan(GAME, question, solve_with_plans(self._game, question, None).plans[0])
        turn = question.play
        for choice in plan.choices:
            self._planned[turn.actions] = choice
            turn = GAME.choose(turn, {question.player: choice}).play
        return plan.choices[0]


def changed(evaluator: Evaluator, changes: Iterable[float]) -> Evaluator:
    """Return an evaluator with factors.

    Args:
        evaluator: to change.
        changes: the logarithms of the factors of :data:`WEIGHTS`, in spreads.
    """
    factors = {name: exp(SPREAD * change) for name, change in zip(WEIGHTS, changes, strict=True)}
    numbers = {name: round(getattr(evaluator, name) * factors[name], 3) for name in NUMBERS}
    # The distances of a course are computed again for each value of a gift field.
    numbers["field"] = round(min(LARGEST_FIELD, numbers["field"]), 2)
    return replace(
        evaluator,
        **numbers,
        worth={gift: round(worth * factors[gift], 3) for gift, worth in evaluator.worth.items()},
        deep={
            gift: round(worth * factors[gift] * factors[DEEP], 3)
            for gift, worth in evaluator.deep.items()
        },
    )


def play_tuning_game(players: int, seed: int, evaluator: str) -> TuningGame:
    """Play one game between narrow hints, all with other evaluators.

    Args:
        players: number of players.
        seed: of the course, the draws and the factors.
        evaluator: path of the file whose weights get the factors.
    """
    first = initial_state(players, seed)
    changes = np.random.default_rng(seed).standard_normal((players, len(WEIGHTS)))
    center = read(Path(evaluator))
    agents = {
        player: PlanAgent(changed(center, row))
        for player, row in zip(first.players, changes, strict=True)
    }
    return TuningGame(play(first, agents, seed).winner, changes)


def effects(games: Sequence[TuningGame]) -> tuple[Floats, Floats]:
    """Return the effect of each factor on winning, and its standard error.

    The model is a conditional logit (McFadden 1974): a player wins with a probability proportional
    to exp(the sum of its changes times their effects).

    Returns:
        Two of float64[weights], in logits per spread.
    """

    def posterior(values: Floats) -> tuple[float, Floats]:
        """Return the negative logarithm of the posterior density, and its gradient."""
        loss, gradient = 0.5 * PRIOR * float(values @ values), PRIOR * values
        for game in games:
            shares = _win_shares(game, values)
            loss -= float(np.log(shares[game.winner]))
            gradient = gradient + shares @ game.changes - game.changes[game.winner]
        return loss, gradient

    found = minimize(posterior, np.zeros(len(WEIGHTS)), jac=True, method="BFGS").x
    precision = PRIOR * np.eye(len(WEIGHTS))
    for game in games:
        shares = _win_shares(game, found)
        apart = game.changes - shares @ game.changes
        precision += (apart * shares[:, None]).T @ apart
    return found, np.sqrt(np.diag(np.linalg.inv(precision)))


def _win_shares(game: TuningGame, values: Floats) -> Floats:
    utilities = game.changes @ values
    powers = np.exp(utilities - utilities.max())
    return np.asarray(powers / powers.sum())


def step(found: Floats, errors: Floats, length: float) -> Floats:
    """Return the changes of a step along the significant effects; none if there are none.

    Args:
        found: see :func:`effects`.
        errors: of the effects.
        length: of the step, in spreads.
    """
    direction = np.where(np.abs(found) >= SIGNIFICANT * errors, found, 0.0)
    size = float(np.linalg.norm(direction))
    return direction * (length / size) if size else direction

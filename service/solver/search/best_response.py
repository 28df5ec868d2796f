"""One asker against strategies that are given: everybody else uniform, or as weights say."""

from __future__ import annotations

from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.core.best_response_model import BestResponseGame, BestResponseModel
from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.violations import OutOfTime
from service.core.vocabulary import WIN
from service.solver.budget import MAX_DEPTH, SEARCH_BUDGETS, WorkMeter
from service.solver.objectives import objective_values, objective_weights
from service.solver.search.expectimax import BudgetExceeded, SearchGoal, move_outcomes
from service.solver.solution import Solution

METHOD: Final = "expectimax"


def solve_best_response(
    game: BestResponseGame[Position, Choice], question: Question[Position, Choice], meter: WorkMeter
) -> Solution:
    """Expectimax, each round deeper as long as the tier allows.

    Raises:
        OutOfTime: if the deadline came before anything was found.
    """
    stage = game.best_response_model(question)
    aim = _aim(stage, question, meter)
    outcomes = move_outcomes(stage, aim, 1)[0]
    depth, complete = 1, True
    for deeper in range(2, min(question.depth, MAX_DEPTH) + 1):
        try:
            outcomes, depth = move_outcomes(stage, aim, deeper)[0], deeper
        except BudgetExceeded:
            break
        except OutOfTime:
            complete = False
            break
    nobody = np.zeros((0, stage.columns.width))
    return Solution(
        strategies=None,
        outcomes=[
            outcomes if player == stage.asker else nobody for player in range(len(stage.players))
        ],
        epsilon=None,
        quantal_residual=None,
        method=METHOD,
        depth=depth,
        choices_exact=True,
        complete=complete,
        nodes=meter.nodes,
        unsearched=0.0,
    )


def outcomes_of_moves(
    game: BestResponseGame[Position, Choice], question: Question[Position, Choice], meter: WorkMeter
) -> tuple[tuple[str, ...], Floats]:
    """The players and float64[moves, width], what the asker's moves come to one round ahead; gains
    and shares are in the order of those players.

    Raises:
        OutOfTime: if the deadline came first.
    """
    stage = game.best_response_model(question)
    return stage.players, move_outcomes(stage, _aim(stage, question, meter), 1)[0]


def move_values(
    stage: BestResponseModel[Choice], question: Question[Position, Choice], meter: WorkMeter
) -> Floats:
    """float64[moves]: what each move of a stage is worth to its asker, one round ahead.

    Raises:
        OutOfTime: if the deadline came first.
    """
    aim = _aim(stage, question, meter)
    return objective_values(move_outcomes(stage, aim, 1)[0], aim.weights)


def _aim(
    stage: BestResponseModel[Choice], question: Question[Position, Choice], meter: WorkMeter
) -> SearchGoal:
    objective, columns = question.objective, stage.columns
    weights = objective_weights(objective, columns, stage.asker, len(stage.players))
    return SearchGoal(columns, weights, objective == WIN, SEARCH_BUDGETS[question.effort], meter)

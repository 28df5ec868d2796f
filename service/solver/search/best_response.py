"""Best response of the asker to fixed strategies: the others play uniformly or by weights."""

from __future__ import annotations

from typing import Final

from service.core.arrays import Floats
from service.core.best_response_model import BestResponseGame, BestResponseModel
from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.violations import OutOfTime
from service.core.vocabulary import WIN
from service.solver.budget import MAX_DEPTH, SEARCH_BUDGETS, WorkMeter
from service.solver.objectives import objective_values, objective_weights
from service.solver.search.checked_games import best_response_model_of
from service.solver.search.expectimax import (
    BudgetExceeded,
    SearchGoal,
    move_outcomes,
    move_outcomes_and_parts,
)
from service.solver.search.plan_choice import two_step_values
from service.solver.solution import Solution

METHOD: Final = "expectimax"


def solve_best_response(
    game: BestResponseGame[Position, Choice], question: Question[Position, Choice], meter: WorkMeter
) -> Solution:
    """Search deeper by one round at a time, as long as the budget allows.

    Raises:
        OutOfTime: if the deadline passed before the search had any result.
    """
    model = best_response_model_of(game, question)
    goal = _goal(model, question, meter)
    outcomes, parts = move_outcomes_and_parts(model, goal, 1)
    depth, complete = 1, True
    for deeper in range(2, min(question.depth, MAX_DEPTH) + 1):
        try:
            outcomes, parts = move_outcomes_and_parts(model, goal, deeper)
            depth = deeper
        except BudgetExceeded:
            break
        except OutOfTime:
            complete = False
            break
    players = range(len(model.players))
    return Solution(
        strategies=None,
        outcomes=[outcomes if player == model.asker else outcomes[:0] for player in players],
        parts=[parts if player == model.asker else parts[:0] for player in players],
        replies=[parts[:0] for _ in players],
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
    """Return the outcomes of the asker's moves, one round ahead.

    Returns:
        The players, and float64[moves, width] with gains and shares in the order of the players.

    Raises:
        OutOfTime: if the deadline passed.
    """
    model = best_response_model_of(game, question)
    return model.players, move_outcomes(model, _goal(model, question, meter), 1)[0]


def move_values(
    model: BestResponseModel[Choice], question: Question[Position, Choice], meter: WorkMeter
) -> Floats:
    """Return float64[moves], the values of the asker's moves, one round ahead.

    Raises:
        OutOfTime: if the deadline passed.
    """
    goal = _goal(model, question, meter)
    if model.two_steps:
        meter.check()
        meter.nodes += model.rounds
        return two_step_values(model, goal.weights)
    return objective_values(move_outcomes(model, goal, 1)[0], goal.weights)


def _goal(
    model: BestResponseModel[Choice], question: Question[Position, Choice], meter: WorkMeter
) -> SearchGoal:
    objective, columns = question.objective, model.columns
    weights = objective_weights(objective, columns, model.asker, len(model.players))
    return SearchGoal(columns, weights, objective == WIN, SEARCH_BUDGETS[question.effort], meter)

"""One asker against strategies that are given: everybody else uniform, or as weights say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from service.core.faults import OutOfTime
from service.core.hint import Position, Question
from service.core.play import Choice
from service.core.stage import StageGame
from service.solver.expectimax import Aim, TooMuchWork, move_outcomes
from service.solver.findings import WIN, Findings, objective_weights
from service.solver.limits import ALLOWANCES, MOST_DEPTH, Meter
from service.solver.models import strategies

METHOD: Final = "expectimax"


def against_given(
    game: StageGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: Meter,
) -> Findings[Choice]:
    """Expectimax, each round deeper as long as the tier allows.

    Raises:
        OutOfTime: if the deadline came before anything was found.
    """
    stage = game.stage(question)
    on_shares = question.objective == WIN
    weights = objective_weights(question.objective, stage.columns, stage.asker, len(stage.players))
    aim = Aim(stage.columns, weights, on_shares, ALLOWANCES[question.tier], meter)
    outcomes = move_outcomes(stage, aim, 1)[0]
    depth, complete = 1, True
    for deeper in range(2, min(question.depth, MOST_DEPTH) + 1):
        try:
            outcomes, depth = move_outcomes(stage, aim, deeper)[0], deeper
        except TooMuchWork:
            break
        except OutOfTime:
            complete = False
            break
    others = strategies(question, owners)
    return Findings(
        players=stage.players,
        asker=stage.asker,
        columns=stage.columns,
        weights=weights,
        moves=stage.moves,
        outcomes=outcomes,
        own=None,
        others=others,
        common=None,
        gap=None,
        residual=None,
        method=METHOD,
        depth=depth,
        settled=True,
        complete=complete,
        resolved=meter.resolved,
        left_out=0.0,
    )

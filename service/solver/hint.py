"""From a question to a hint: every legal move with its value, and what everybody can expect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from service.core.faults import OutOfTime
from service.core.hint import Grade, Hint, MoveValue, Position, Question, Search
from service.core.play import Choice
from service.core.rounding import DECIMALS, apportion, rounded
from service.core.stage import Columns, Stage, StageGame
from service.solver.expectimax import Aim, Floats, TooMuchWork, move_outcomes
from service.solver.grades import grade_class
from service.solver.limits import ALLOWANCES, MOST_DEPTH, Meter
from service.solver.models import strategies

WIN, LEAD = "win", "lead"
METHOD: Final = "expectimax"


def solve(
    game: StageGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    stop_at: float | None = None,
) -> Hint[Choice]:
    """Solves a question by expectimax over the given model of the others.

    Args:
        game: the game in rounds.
        question: what is asked.
        owners: the player of each actor, in the position's order.
        stop_at: ``time.monotonic()`` at which the search has to stop, if ever.

    Raises:
        OutOfTime: if that came before anything was found.
    """
    stage = game.stage(question)
    weights = _objective(question.objective, stage)
    meter = Meter(stop_at)
    on_shares = question.objective == WIN
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
    estimated = on_shares and bool((outcomes[:, stage.columns.estimated] > 0.0).any())
    order = list(dict.fromkeys(owners.values()))
    values = [float(value) for value in np.einsum("mk,k->m", outcomes, weights)]
    ranking, values = _rank(values)
    best = outcomes[ranking[0]]
    moves = [
        _move_value(stage, outcomes[index], index, values, is_best=index == ranking[0])
        for index in ranking
    ]
    if on_shares:
        outlook = expected = _shares_around(stage, best, moves[0].value)
    else:
        outlook = apportion(best[stage.columns.shares])
        expected = _expected(question.objective, stage, best, moves[0].value)
    return Hint(
        moves=moves,
        pick=moves[0].move,
        strategies=strategies(question, owners, moves[0].move),
        outlook=_by_player(stage, outlook, order),
        expected=_by_player(stage, expected, order),
        grade=_grade(question, moves),
        search=Search(
            method=METHOD,
            depth=depth,
            exact=depth == question.depth and not estimated,
            complete=complete,
            resolved=meter.resolved,
            gap=None,
            left_out=0.0,
            evaluator=game.evaluator,
        ),
    )


def _grade(
    question: Question[Position, Choice], moves: Sequence[MoveValue[Choice]]
) -> Grade[Choice] | None:
    if question.chosen is None:
        return None
    loss = next(found.loss for found in moves if found.move == question.chosen)
    return Grade(question.chosen, loss, grade_class(question.objective, loss))


def _objective(objective: str, stage: Stage[Choice]) -> Floats:
    """The objective of the asker as a linear form of an outcome."""
    columns: Columns = stage.columns
    weights = np.zeros(columns.width, np.float64)
    if objective == WIN:
        weights[columns.shares.start + stage.asker] = 1.0
        return weights
    if objective == LEAD:
        weights[columns.gains] = -1.0 / (len(stage.players) - 1)
    weights[columns.gains.start + stage.asker] = 1.0
    return weights


def _rank(values: list[float]) -> tuple[list[int], list[float]]:
    """Moves from the best value down, ties within the last printed decimal in deck order.

    Tied values are made equal, so that the printed order and losses agree with them.
    """
    printed = [rounded(value) for value in values]
    by_value = sorted(range(len(values)), key=lambda index: -printed[index])
    tie = 1.5 * 10**-DECIMALS
    head = by_value[0]
    for index in by_value:
        if printed[head] - printed[index] < tie:
            printed[index] = printed[head]
        else:
            head = index
    return sorted(range(len(values)), key=lambda index: (-printed[index], index)), printed


def _move_value(
    stage: Stage[Choice], outcome: Floats, index: int, values: list[float], *, is_best: bool
) -> MoveValue[Choice]:
    return MoveValue(
        move=stage.moves[index],
        value=values[index],
        loss=rounded(max(values) - values[index]),
        probability=1.0 if is_best else 0.0,
        measures={name: float(outcome[column]) for name, column in stage.columns.measures.items()},
    )


def _shares_around(stage: Stage[Choice], outcome: Floats, own: float) -> list[float]:
    """Everybody's share of the win in print, the asker's being the printed value."""
    shares = [float(share) for share in outcome[stage.columns.shares]]
    others = shares[: stage.asker] + shares[stage.asker + 1 :]
    printed = apportion(others, whole=rounded(1.0 - own))
    return [*printed[: stage.asker], own, *printed[stage.asker :]]


def _expected(objective: str, stage: Stage[Choice], outcome: Floats, own: float) -> list[float]:
    """What every player of the stage gains, or leads by, in spaces; the asker the printed value."""
    gains = [float(gain) for gain in outcome[stage.columns.gains]]
    if objective == LEAD:
        rest = [sum(gains[:player] + gains[player + 1 :]) for player in range(len(gains))]
        gains = [gain - others / (len(gains) - 1) for gain, others in zip(gains, rest, strict=True)]
    printed = [rounded(gain) for gain in gains]
    printed[stage.asker] = own
    return printed


def _by_player(
    stage: Stage[Choice], values: Sequence[float], order: Sequence[str]
) -> dict[str, float]:
    found = dict(zip(stage.players, values, strict=True))
    return {player: found[player] for player in order}

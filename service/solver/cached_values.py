"""Checks of unpacked values: each must be a possible answer to the question that it is used for.

Bytes from a shared cache can be anything. A value that passes these checks may be wrong, but
nothing that uses it fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any, Final

import numpy as np

from service.core.arrays import Floats
from service.core.best_response_model import OutcomeColumns
from service.core.game import Choice, Play
from service.core.hints import Position
from service.core.rounding import UNITS
from service.core.sequential import TurnGame
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.core.turn_hints import TurnQuestion
from service.core.vocabulary import UNIFORM
from service.solver.canonical import move_counts
from service.solver.codec import LARGEST
from service.solver.hints.conditional_values import MAX_MOVES, ConditionalSolution
from service.solver.search import best_response
from service.solver.search.turn_expectimax import TurnSolution
from service.solver.search.turn_plans import follow_plan
from service.solver.solution import Solution

MAX_COUNT: Final = 2**53
"""Counts beyond it are not exact in JSON."""
SUM_TOLERANCE: Final = 1e-6
"""By how much shares of the win can miss the sum 1."""
TURN_SUM_TOLERANCE: Final = 0.1
"""The same for turns: a choice that is valued like another one has estimated differences."""


def check_solution(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    solution: Solution,
) -> None:
    """Check an unpacked solution of a question.

    Raises:
        ValueError: if it cannot be one.
    """
    question, moves = canonical.question, move_counts(canonical)
    fixed = question.model == UNIFORM
    _require(
        solution.method == (best_response.METHOD if fixed else question.model),
        _is_count(solution.depth, 1) and solution.depth <= max(1, question.depth),
        _is_count(solution.nodes),
        type(solution.choices_exact) is bool,
        solution.complete is True,
        _is_number(solution.unsearched) and 0.0 <= solution.unsearched <= 1.0,
        *(
            number is None or (_is_number(number) and number >= 0.0)
            for number in (solution.epsilon, solution.quantal_residual)
        ),
        (solution.strategies is None) == fixed,
        len(solution.outcomes) == len(solution.parts) == len(solution.replies) == len(moves),
    )
    if solution.strategies is not None:
        _check_strategies(solution.strategies, moves)
    asker = int(question.player)
    by_player = zip(solution.outcomes, solution.parts, solution.replies, strict=True)
    for player, (outcomes, parts, replies) in enumerate(by_player):
        columns = game.columns(len(moves), canonical.actors_of(player))
        rows = len(outcomes)
        asks = player == asker or (canonical.mutual and not fixed)
        _require(
            rows == moves[player] if asks else rows <= moves[player],
            outcomes.shape == (rows, columns.width),
            parts.shape == (rows, len(game.part_names)),
            replies.ndim == 2 and len(replies) == (0 if fixed else rows),
        )
        _check_shares(outcomes, columns)


def check_conditional_values(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    solution: ConditionalSolution,
) -> None:
    """Check unpacked conditional values of a question whose asker keeps its seat.

    Raises:
        ValueError: if they cannot be its values.
    """
    moves, asker = move_counts(canonical), int(canonical.question.player)
    columns = game.columns(len(moves), canonical.actors_of(asker))
    _require(
        _is_count(solution.nodes),
        isinstance(solution.places, list),
        len(solution.outcomes) == len(solution.places) == len(moves),
    )
    for count, listed, tables in zip(moves, solution.places, solution.outcomes, strict=True):
        _require(
            isinstance(listed, list) and len(listed) <= MAX_MOVES,
            all(_is_count(place) and place < count for place in listed),
        )
        _require(sorted(set(listed)) == listed)
        if listed:
            _require(tables.shape == (len(listed), moves[asker], columns.width))
            _check_shares(tables, columns)
    _require(not solution.places[asker])


def check_turn_solution(
    game: TurnGame[Play, Choice],
    question: TurnQuestion[Play, Choice],
    players: int,
    solution: TurnSolution,
) -> None:
    """Check an unpacked solution of a decision of a turn.

    Args:
        game: the game.
        question: the decision.
        players: number of players.
        solution: unpacked.

    Raises:
        ValueError: if it cannot be one.
    """
    [choices] = question.decision.choices.values()
    count = len(choices)
    _require(
        _is_count(solution.rounds),
        _is_count(solution.determinizations, 1),
        _is_count(solution.nodes),
        type(solution.exact) is bool,
        solution.complete is True,
        len(solution.plans) > 0,
        all(len(plan) > 0 and all(map(_is_count, plan)) for plan in solution.plans),
    )
    shares = _table(solution.shares, count, players)
    _require(
        bool((np.abs(shares - 0.5) <= 0.5 + SUM_TOLERANCE).all()),
        players == 1 or bool((np.abs(shares.sum(axis=1) - 1.0) <= TURN_SUM_TOLERANCE).all()),
        bool((_table([solution.errors], 1, count) >= 0.0).all()),
        bool((_table([solution.difference_errors], 1, count) >= 0.0).all()),
    )
    lowest, highest = _table(solution.bounds, count, 2).T
    _require(bool(((lowest >= 0.0) & (lowest <= highest) & (highest <= 1.0)).all()))
    if count > 1:
        _table(solution.parts, count, len(game.parts) + 1)
    width = len(solution.preferences[0]) if solution.preferences else 0
    _table(solution.preferences, count, width)
    try:
        for plan in solution.plans:
            follow_plan(game.rules, question, plan)
    except IndexError as error:
        raise ValueError("the plan is not legal") from error


def _check_strategies(strategies: Sequence[Floats], moves: Sequence[int]) -> None:
    """Check that each player has a strategy whose rounded probabilities sum to exactly 1."""
    _require([own.shape for own in strategies] == [(count,) for count in moves])
    units = np.rint(np.concatenate(strategies) * UNITS)
    starts = np.cumsum([0, *moves[:-1]])
    _require(bool((units >= 0.0).all()), bool((np.add.reduceat(units, starts) == UNITS).all()))


def _check_shares(outcomes: Floats, columns: OutcomeColumns) -> None:
    """Check the shares of the win in float64[..., width]."""
    shares = outcomes[..., columns.shares]
    _require(
        bool((shares >= -SUM_TOLERANCE).all()),
        bool((np.abs(shares.sum(axis=-1) - 1.0) <= SUM_TOLERANCE).all()),
    )


def _table(rows: Any, count: int, width: int) -> Floats:
    """Return nested lists of numbers as float64[count, width]."""
    try:
        numbers = np.array(rows)
    except (OverflowError, TypeError) as error:
        raise ValueError("a table has other values than numbers") from error
    _require(numbers.shape == (count, width), numbers.dtype.kind in "fi" or not numbers.size)
    table: Floats = numbers.astype(np.float64)
    _require(bool(np.abs(table).max(initial=0.0) <= LARGEST))
    return table


def _is_count(value: Any, least: int = 0) -> bool:
    return type(value) is int and least <= value <= MAX_COUNT


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and isfinite(value)


def _require(*conditions: bool) -> None:
    if not all(conditions):
        raise ValueError("the value cannot belong to the question")

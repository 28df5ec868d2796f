"""Expectimax of one asker against given strategies, with exact chance between rounds.

The asker chooses best at each of its own decisions, knowing what has been revealed by then; the
others' choices and the dice are averaged over.  (Hauk, Buro, Schaeffer 2006, *Rediscovering
*-Minimax Search*, describe the plain form; nothing is pruned here.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from service.core.arrays import Floats
from service.core.best_response_model import (
    BestResponseModel,
    Continuation,
    OutcomeColumns,
    OutcomeTables,
)
from service.core.game import Choice
from service.solver.budget import SearchBudget, WorkMeter
from service.solver.objectives import objective_values

TIE_DECIMALS = 12
"""Options whose values differ by rounding noise only are ties; the first one is taken."""


class BudgetExceeded(Exception):
    """Looking further ahead would need more rounds than the tier allows."""


@dataclass(frozen=True, slots=True)
class SearchGoal:
    """What to look for.

    Attributes:
        columns: of an outcome.
        weights: float64[width], the objective as a linear form of an outcome.
        on_shares: whether the objective is a share of the win, which may be an estimate.
        allowance: what looking beyond the first round may cost.
        meter: counts the work and keeps the deadline.
    """

    columns: OutcomeColumns
    weights: Floats
    on_shares: bool
    allowance: SearchBudget
    meter: WorkMeter


def move_outcomes(stage: BestResponseModel[Choice], aim: SearchGoal, depth: int) -> Floats:
    """The expected outcome of every move, looking ``depth`` rounds ahead.

    Returns:
        float64[batch, moves, width].  Under an objective on shares, ``estimated`` is positive
        also where an estimate had a part in a later choice of the asker.

    Raises:
        TooMuchWork: before anything is spent on more than the search may do.
        OutOfTime: once the deadline has passed.
    """
    aim.meter.check()
    beyond = _look_beyond(stage, aim, depth - 1) if depth > 1 else None
    tables = stage.expected_outcomes(beyond)
    aim.meter.nodes += stage.rounds
    return np.stack([_fold(groups, tables, aim) for groups in tables.plans], axis=1)


def _look_beyond(stage: BestResponseModel[Choice], aim: SearchGoal, depth: int) -> Continuation:
    """What is expected after every position that the round can lead to."""
    if stage.joint_lines > aim.allowance.joint_lines:
        raise BudgetExceeded
    indices: list[Any] = []
    positions: list[Any] = []
    rounds = outcomes_due = 0
    for reached in stage.reachable_positions():
        aim.meter.check()
        indices.append(reached.indices)
        positions += reached.positions
        rounds += int(reached.rounds.sum())
        outcomes_due += int(reached.outcomes.sum())
        if (
            rounds > aim.allowance.rounds
            or outcomes_due > aim.allowance.outcomes
            or len(positions) > aim.allowance.positions
        ):
            raise BudgetExceeded
    columns = aim.columns
    kept = [
        *range(columns.gains.start, columns.gains.stop),
        *range(columns.shares.start, columns.shares.stop),
        columns.estimated,
    ]
    values = np.zeros((len(positions), len(kept)), np.float64)
    for place, position in enumerate(positions):
        following = stage.next_round(position)
        if following is not None:
            chances, next_stage = following
            outcomes = move_outcomes(next_stage, aim, depth)
            best = _best(np.moveaxis(outcomes, 1, 0), aim)
            values[place] = (chances[:, None] * best[:, kept]).sum(axis=0)
    return Continuation(np.concatenate(indices), values)


def _fold(groups: Sequence[Sequence[int]], tables: OutcomeTables, aim: SearchGoal) -> Floats:
    """float64[batch, width]: a move's outcome, later decisions taken best when they come."""
    added = [_third_decision(plans, tables, aim, coarsen=len(groups) > 1) for plans in groups]
    folded = _best(np.stack(added), aim) if len(added) > 1 else added[0]
    total: Floats = folded.reshape(folded.shape[0], -1, folded.shape[-1]).sum(axis=1)
    return total


def _third_decision(
    plans: Sequence[int], tables: OutcomeTables, aim: SearchGoal, *, coarsen: bool
) -> Floats:
    """The best of the plans by second labels; with ``coarsen``, told apart by first ones then."""
    table: Floats = tables.by_plan[plans[0]]
    if len(plans) > 1:
        table = _best(np.stack([tables.by_plan[plan] for plan in plans]), aim)
    # A plan that was merged with all its rivals may still be told apart by second labels.
    for axis, starts in enumerate(tables.first_label_starts):
        if coarsen and table.shape[axis + 1] > len(starts):
            table = np.add.reduceat(table, starts, axis=axis + 1)
    return table


def _best(options: Floats, aim: SearchGoal) -> Floats:
    """Of float64[options, ..., width] the best option by the objective, place by place.

    Ties are told by values given what has been revealed, not by their share of the whole: a
    thousand rare reveals weigh as much as a frequent one.
    """
    weighted = objective_values(options, aim.weights)
    masses = options[..., aim.columns.mass]
    values = np.divide(weighted, masses, out=np.zeros_like(weighted), where=masses > 0.0)
    chosen = np.round(values, TIE_DECIMALS).argmax(axis=0)[None, ...]
    taken: Floats = np.take_along_axis(options, chosen[..., None], axis=0)[0]
    if aim.on_shares:
        # An option that holds an estimate might be worth more than was thought, up to the whole.
        unsure = options[..., aim.columns.estimated]
        most = np.minimum(masses, weighted + unsure)
        value = np.take_along_axis(weighted, chosen, axis=0)
        doubtful = ((unsure > 0.0) & (most > value)).any(axis=0)
        taken[..., aim.columns.estimated] = np.where(
            doubtful, masses[0], taken[..., aim.columns.estimated]
        )
    return taken

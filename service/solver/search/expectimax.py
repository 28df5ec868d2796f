"""Expectimax of one player over rounds, against fixed strategies and with exact chance events.

The asker chooses best at each of its decisions, given what is revealed by then.  The search
averages over the others' choices and the dice.  This is plain expectimax without pruning (Hauk,
Buro, Schaeffer 2006, *Rediscovering *-Minimax Search*).
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
from service.solver.search.plan_choice import (
    best_options,
    doubtful_labels,
    taken_plans,
    two_step_outcomes,
)


class BudgetExceeded(Exception):
    """A deeper search would need more work than the budget allows."""


@dataclass(frozen=True, slots=True)
class SearchGoal:
    """The objective of a search and its limits.

    Attributes:
        columns: of an outcome.
        weights: float64[width], the objective as a linear function of an outcome.
        on_shares: whether the objective is the share of the win, which may be an estimate.
        budget: for rounds after the first one.
        meter: counts the work and checks the deadline.
    """

    columns: OutcomeColumns
    weights: Floats
    on_shares: bool
    budget: SearchBudget
    meter: WorkMeter


def move_outcomes(model: BestResponseModel[Choice], goal: SearchGoal, depth: int) -> Floats:
    """Return the expected outcome of every move, ``depth`` rounds ahead.

    Returns:
        float64[batch, moves, width].  If the objective is the share of the win, ``estimated`` is
        also positive if an estimate influenced a later choice of the asker.

    Raises:
        BudgetExceeded: before a search that would exceed the budget.
        OutOfTime: if the deadline passed.
    """
    goal.meter.check()
    if depth == 1 and model.two_steps:
        goal.meter.nodes += model.rounds
        return two_step_outcomes(model, goal.weights, goal.columns, goal.on_shares)[0][None]
    return _fold_all(_tables(model, goal, depth), goal)


def move_outcomes_and_parts(
    model: BestResponseModel[Choice], goal: SearchGoal, depth: int
) -> tuple[Floats, Floats]:
    """Return the expected outcome of every move from a single position, and its parts.

    Returns:
        float64[moves, width], see :func:`move_outcomes`, and float64[moves, parts], see
        ``SimultaneousGame.parts``.

    Raises:
        BudgetExceeded, OutOfTime: see :func:`move_outcomes`.
    """
    goal.meter.check()
    if depth == 1 and model.two_steps:
        goal.meter.nodes += model.rounds
        outcomes, taken = two_step_outcomes(model, goal.weights, goal.columns, goal.on_shares)
        plans = model.plans.plans
    else:
        tables = _tables(model, goal, depth)
        outcomes, taken = (
            _fold_all(tables, goal)[0],
            taken_plans(tables, goal.weights, goal.columns),
        )
        plans = tables.plans
    by_plan = model.plan_parts(taken, merged=depth == 1)
    parts = [sum(by_plan[plan] for group in groups for plan in group) for groups in plans]
    return outcomes, np.array(parts)


def _tables(model: BestResponseModel[Choice], goal: SearchGoal, depth: int) -> OutcomeTables:
    """Return the expected outcomes of all plans, ``depth`` rounds ahead."""
    continuation = _continuation(model, goal, depth - 1) if depth > 1 else None
    tables = model.expected_outcomes(continuation)
    goal.meter.nodes += model.rounds
    return tables


def _fold_all(tables: OutcomeTables, goal: SearchGoal) -> Floats:
    """Return float64[batch, moves, width], the outcomes with the best later decisions."""
    return np.stack([_fold(groups, tables, goal) for groups in tables.plans], axis=1)


def _continuation(model: BestResponseModel[Choice], goal: SearchGoal, depth: int) -> Continuation:
    """Return the expected values of all positions that the round can lead to."""
    if model.joint_lines > goal.budget.joint_lines:
        raise BudgetExceeded
    indices: list[Any] = []
    positions: list[Any] = []
    rounds = outcomes_due = 0
    for reached in model.reachable_positions():
        goal.meter.check()
        indices.append(reached.indices)
        positions += reached.positions
        rounds += int(reached.rounds.sum())
        outcomes_due += int(reached.outcomes.sum())
        if (
            rounds > goal.budget.rounds
            or outcomes_due > goal.budget.outcomes
            or len(positions) > goal.budget.positions
        ):
            raise BudgetExceeded
    columns = goal.columns
    passed_on = [
        *range(columns.gains.start, columns.gains.stop),
        *range(columns.shares.start, columns.shares.stop),
        columns.estimated,
    ]
    values = np.zeros((len(positions), len(passed_on)), np.float64)
    for place, position in enumerate(positions):
        following = model.next_round(position)
        if following is not None:
            probabilities, next_model = following
            outcomes = move_outcomes(next_model, goal, depth)
            best = _best(np.moveaxis(outcomes, 1, 0), goal)
            values[place] = (probabilities[:, None] * best[:, passed_on]).sum(axis=0)
    return Continuation(np.concatenate(indices), values)


def _fold(groups: Sequence[Sequence[int]], tables: OutcomeTables, goal: SearchGoal) -> Floats:
    """Return float64[batch, width], a move's outcome with the best later decisions."""
    by_group = [_third_decision(plans, tables, goal, coarsen=len(groups) > 1) for plans in groups]
    folded = _best(np.stack(by_group), goal) if len(by_group) > 1 else by_group[0]
    total: Floats = folded.reshape(folded.shape[0], -1, folded.shape[-1]).sum(axis=1)
    return total


def _third_decision(
    plans: Sequence[int], tables: OutcomeTables, goal: SearchGoal, *, coarsen: bool
) -> Floats:
    """Return the best of the plans for each second label, or with ``coarsen`` each first label."""
    table: Floats = tables.by_plan[plans[0]]
    if len(plans) > 1:
        table = _best(np.stack([tables.by_plan[plan] for plan in plans]), goal)
    # A plan that was merged with all its rivals may still distinguish second labels.
    for axis, starts in enumerate(tables.first_label_starts):
        if coarsen and table.shape[axis + 1] > len(starts):
            table = np.add.reduceat(table, starts, axis=axis + 1)
    return table


def _best(options: Floats, goal: SearchGoal) -> Floats:
    """Return the best of float64[options, ..., width] by the objective, for each label."""
    weighted = objective_values(options, goal.weights)
    masses = options[..., goal.columns.mass]
    chosen = best_options(weighted, masses)
    taken: Floats = np.take_along_axis(options, chosen[..., None], axis=0)[0]
    if goal.on_shares:
        unsure = options[..., goal.columns.estimated]
        value = np.take_along_axis(weighted, chosen, axis=0)
        doubtful = doubtful_labels(weighted, masses, unsure, value)
        taken[..., goal.columns.estimated] = np.where(
            doubtful, masses[0], taken[..., goal.columns.estimated]
        )
    return taken

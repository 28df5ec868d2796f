"""Choose among plans by their values before any other number of their outcomes is known.

The asker chooses twice after its first decision: the third decision for each second label, and the
second decision for each first label, see ``core/best_response_model.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from service.core.arrays import Bools, Floats, Ints
from service.core.best_response_model import (
    BestResponseModel,
    OutcomeColumns,
    OutcomeTables,
    PlanValues,
)
from service.core.game import Choice
from service.solver.objectives import objective_values

TIE: Final = 1e-12
"""Options whose values differ by less are ties; the first one is taken."""

Groups = Sequence[Sequence[int]]
"""The plans of one move, see ``PlanTree.plans``."""


def best_options(weighted: Floats, masses: Floats) -> Ints:
    """Return int64[1, ...], the first option with the best value, for each label.

    Values are compared given the label, not weighted by its probability: rare labels matter as
    much as frequent ones.

    Args:
        weighted: float64[options, ...], values weighted by the probability of the label.
        masses: float64[options, ...] or float64[...], this probability.
    """
    values = np.divide(weighted, masses, out=np.zeros_like(weighted), where=masses > 0.0)
    chosen: Ints = (values >= values.max(axis=0) - TIE).argmax(axis=0)[None]
    return chosen


def doubtful_labels(weighted: Floats, masses: Floats, unsure: Floats, taken: Floats) -> Bools:
    """Return bool[...], the labels at which an estimate could change the choice.

    An option with an estimate could be worth more than its value, up to its whole mass.

    Args:
        weighted, masses: see :func:`best_options`.
        unsure: float64[options, ...], the probability that an option's value is an estimate.
        taken: float64[1, ...], the value of the option taken.
    """
    upper_bound = np.minimum(masses, weighted + unsure)
    doubtful: Bools = np.any((unsure > 0.0) & (upper_bound > taken + TIE * masses), axis=0)
    return doubtful


Taken = Sequence[Bools | None]
"""For each plan, where it is taken, see ``BestResponseModel.plan_outcomes``."""


def two_step_outcomes(
    model: BestResponseModel[Choice], weights: Floats, columns: OutcomeColumns, on_shares: bool
) -> tuple[Floats, Taken]:
    """Return what each move leads to if the asker chooses its plan as the cards are revealed.

    Args:
        model: of a single position.
        weights: float64[width] of the objective.
        columns: of the outcomes.
        on_shares: whether the objective is the share of the win.

    Returns:
        float64[moves, width], see ``expectimax.move_outcomes``; and where each plan is taken, None
        for a plan without a choice.
    """
    moves = model.plans.plans
    competing = sorted(
        {plan for groups in moves if not _is_single(groups) for group in groups for plan in group}
    )
    values = model.plan_values(weights, on_shares, competing)
    taken: list[Bools | None] = [None] * (1 + max(p for m in moves for g in m for p in g))
    estimated: dict[int, float] = {}
    for number, groups in enumerate(moves):
        if not _is_single(groups):
            chosen = _choose(groups, values, model.plans.first_label_starts)
            if on_shares:
                estimated[number] = float(chosen.estimated.sum())
            for plan, where in chosen.taken.items():
                taken[plan] = where
    by_plan = model.plan_outcomes(taken)
    out = np.zeros((len(moves), columns.width))
    for number, groups in enumerate(moves):
        for group in groups:
            for plan in group:
                out[number] += by_plan[plan]
        if number in estimated:
            out[number, columns.estimated] = estimated[number]
    return out, taken


def taken_plans(tables: OutcomeTables, weights: Floats, columns: OutcomeColumns) -> Taken:
    """Return where each plan is taken, given the outcomes of all plans of a single position."""
    values = PlanValues(
        {plan: objective_values(t[0], weights) for plan, t in enumerate(tables.by_plan)},
        {plan: table[0, ..., columns.mass] for plan, table in enumerate(tables.by_plan)},
        {},
    )
    taken: list[Bools | None] = [None] * len(tables.by_plan)
    for groups in tables.plans:
        if not _is_single(groups):
            chosen = _choose(groups, values, tables.first_label_starts)
            for plan, where in chosen.taken.items():
                taken[plan] = where
    return taken


def two_step_values(model: BestResponseModel[Choice], weights: Floats) -> Floats:
    """Return float64[moves], the values of the asker's moves, one round ahead."""
    moves = model.plans.plans
    plans = sorted({plan for groups in moves for group in groups for plan in group})
    values = model.plan_values(weights, False, plans)
    starts = model.plans.first_label_starts
    return np.array([float(_choose(groups, values, starts).values.sum()) for groups in moves])


def _is_single(groups: Groups) -> bool:
    return len(groups) == 1 and len(groups[0]) == 1


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The best of some plans for each label.

    Attributes:
        values, masses, estimated: float64[...], of the plans taken, see ``PlanValues``;
            ``estimated`` is empty unless asked for.
        taken: by plan, bool[...], where it is taken.
    """

    values: Floats
    masses: Floats
    estimated: Floats
    taken: Mapping[int, Bools]


def _choose(groups: Groups, values: PlanValues, starts: Sequence[Ints]) -> _Chosen:
    """Choose the second decision, given the best third decisions."""
    by_group = [_third_decision(plans, values) for plans in groups]
    if len(groups) == 1:
        return by_group[0]
    coarse = [_coarsened(chosen, starts) for chosen in by_group]
    masses = coarse[0].masses
    estimated = [own.estimated for own in coarse]
    best, together = _best([own.values for own in coarse], masses, estimated)
    taken: dict[int, Bools] = {}
    for place, own in enumerate(by_group):
        for plan, where in own.taken.items():
            taken[plan] = where & _refined(best == place, where.shape, starts)
    return _Chosen(*together, taken)


def _third_decision(plans: Sequence[int], values: PlanValues) -> _Chosen:
    """Choose among plans that differ only in the third decision, for each second label."""
    table, masses = [values.values[plan] for plan in plans], values.masses[plans[0]]
    estimated = [values.estimated.get(plan, _NONE) for plan in plans]
    if len(plans) == 1:
        always = np.ones(table[0].shape, np.bool_)
        return _Chosen(table[0], masses, estimated[0], {plans[0]: always})
    best, together = _best(table, masses, estimated)
    return _Chosen(*together, {plan: best == place for place, plan in enumerate(plans)})


_NONE: Final = np.zeros(0)


def _best(
    values: Sequence[Floats], masses: Floats, estimated: Sequence[Floats]
) -> tuple[Ints, tuple[Floats, Floats, Floats]]:
    """Return the best of some options by label, and its values, masses and estimates."""
    weighted = np.stack(values)
    chosen = best_options(weighted, masses)
    best = np.take_along_axis(weighted, chosen, axis=0)
    if not estimated[0].size:
        return chosen[0], (best[0], masses, _NONE)
    unsure = np.stack(estimated)
    doubtful = doubtful_labels(weighted, masses, unsure, best)
    unsure_best = np.take_along_axis(unsure, chosen, axis=0)[0]
    return chosen[0], (best[0], masses, np.where(doubtful, masses, unsure_best))


def _coarsened(chosen: _Chosen, starts: Sequence[Ints]) -> _Chosen:
    """Return sums over the second labels of each first label."""

    def coarse(table: Floats) -> Floats:
        for axis, first in enumerate(starts):
            if table.size and table.shape[axis] > len(first):
                table = np.add.reduceat(table, first, axis=axis)
        return table

    return _Chosen(
        coarse(chosen.values), coarse(chosen.masses), coarse(chosen.estimated), chosen.taken
    )


def _refined(where: Bools, shape: Sequence[int], starts: Sequence[Ints]) -> Bools:
    """Return bool[shape]: a table by first labels, repeated for their second labels."""
    for axis, (size, first) in enumerate(zip(shape, starts, strict=True)):
        if size > where.shape[axis]:
            where = np.repeat(where, np.diff(first, append=size), axis=axis)
    return where

"""The parts of the asker's payoff by plan, against given strategies of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.best_response.joint_lines import OtherLines
from service.games.snow_time.engine.evaluation import EvaluatorTables, hand_classes
from service.games.snow_time.engine.kernels.parts import Changes
from service.games.snow_time.engine.kernels.plan_parts import (
    add_plan_shares,
    add_plan_spaces,
)
from service.games.snow_time.engine.kernels.rounds import Cells
from service.games.snow_time.engine.objective import Objective
from service.games.snow_time.engine.packed_rounds import PackedPlans
from service.games.snow_time.engine.parts import PARTS, changes_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PlannedRound:
    """One round from one position; the asker's seats come first.

    Attributes:
        plans: the lines of all seats and the asker's plans.
        seats: int64[n, 6], see the columns of ``kernels/effects.py``.
        hands: int64[n], the hands before the round, as bit sets.
        final_counts: int64[n], final cards by seat.
        others: the lines of the other seats.
        cells: results of the final cards.
    """

    plans: PackedPlans
    seats: Ints
    hands: Ints
    final_counts: Ints
    others: OtherLines
    cells: Cells

    def parts(
        self,
        taken: Sequence[NDArray[np.bool_] | None],
        evaluator: EvaluatorTables,
        objective: Objective,
    ) -> Floats:
        """Return float64[plans, parts], see ``BestResponseModel.plan_parts``."""
        plan_cells = self.plans.own_finals(self.final_counts) * prod(self.others.final_shape)
        parts = np.zeros((len(plan_cells), len(PARTS)))
        if objective.win_shares:
            classes, before = self.plans.hand_classes, hand_classes()[self.hands]
            changes = changes_of(self.seats, classes, before, self.cells, evaluator)
        for level in np.unique(self.plans.labels).tolist():
            plans = np.flatnonzero(self.plans.labels == level)
            where = self.others.where_taken(level, [taken[plan] for plan in plans.tolist()])
            some = np.zeros((len(plans), len(PARTS)))
            if objective.win_shares:
                self._add_shares(plans, plan_cells[plans], level, where, changes, some)
            else:
                self._add_spaces(plan_cells[plans], level, where, objective, some)
            parts[plans] = some
        return parts

    def _add_shares(
        self,
        plans: Ints,
        plan_cells: Ints,
        level: int,
        where: NDArray[np.bool_],
        changes: Changes,
        parts: Floats,
    ) -> None:
        """Add the parts of shares of the win, see ``plan_parts.add_plan_shares``."""
        add_plan_shares(
            plan_cells,
            self.plans.plans[plans],
            changes,
            self.others.at_level(level),
            where,
            self.seats,
            self.cells.first,
            parts,
        )

    def _add_spaces(
        self,
        plan_cells: Ints,
        level: int,
        where: NDArray[np.bool_],
        objective: Objective,
        parts: Floats,
    ) -> None:
        """Add the parts of spaces, see ``plan_parts.add_plan_spaces``."""
        add_plan_spaces(
            objective.opponent_weight,
            plan_cells,
            self.others.at_level(level),
            where,
            self.seats,
            self.cells.first,
            parts,
        )

"""Expected outcomes of a large round in two steps: values of plans, then outcomes of chosen ones.

Both steps multiply tables by one seat's probabilities after the other, see
``kernels/contractions.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from service.core.best_response_model import OutcomeColumns, PlanValues
from service.games.snow_time.engine.best_response.joint_lines import OtherLines
from service.games.snow_time.engine.evaluation import EvaluatorTables
from service.games.snow_time.engine.kernels import contractions, effects
from service.games.snow_time.engine.kernels.rounds import ARRIVED_SHIFT, SEATS_MASK, Cells
from service.games.snow_time.engine.packed_rounds import PackedPlans
from service.games.snow_time.engine.packing import CHAMPION
from service.games.snow_time.engine.seat_effects import SeatEffects

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class ContractedRound:
    """One round from one position, without later rounds.

    At least two seats belong to other players.
    """

    def __init__(
        self,
        plans: PackedPlans,
        final_counts: Ints,
        label_counts: Sequence[tuple[int, ...]],
        cells: Cells,
        seats: Ints,
        evaluator: EvaluatorTables,
        columns: OutcomeColumns,
    ) -> None:
        """Prepare a round; the asker's seats come first.

        Args:
            plans: the lines of all seats and the asker's plans.
            final_counts: int64[n].
            label_counts: for each other seat, by level.
            cells: of one position.
            seats: int64[n, 6], see ``SeatEffects``.
            evaluator: the evaluator's tables.
            columns: of an outcome.
        """
        self._plans, self._columns = plans, columns
        self._results = cells.first
        self._owners = np.ascontiguousarray(seats[:, effects.OWNER : effects.OWNER + 1])
        self._seats, self._evaluator = seats, evaluator
        self._others = OtherLines(plans, final_counts, label_counts)
        self._own_cells = plans.own_finals(final_counts)
        self._plan_cells = self._own_cells * prod(self._others.final_shape)

    # First step: values -----------------------------------------------------------------------

    def values(self, weights: Floats, on_shares: bool, chosen: Sequence[int]) -> PlanValues:
        """See :meth:`~service.core.best_response_model.BestResponseModel.plan_values`."""
        gain_weights = weights[self._columns.gains]
        asker = int(self._owners[0, 0])
        share_weight = weights[self._columns.shares][asker]
        values: dict[int, Floats] = {}
        estimated: dict[int, Floats] = {}
        masses: dict[int, Floats] = {}
        for level, plans in self._by_level(chosen):
            if share_weight:
                table = share_weight * self._own_shares(plans, level)
            else:
                table = self._contracted(self._cell_gains(gain_weights), plans, level)
            mass = self._others.label_chances(level)
            values |= zip(plans.tolist(), table, strict=True)
            masses |= dict.fromkeys(plans.tolist(), mass)
            if on_shares:
                going_on = self._results.marks >> ARRIVED_SHIFT & SEATS_MASK == 0
                by_plan = self._contracted(going_on.astype(np.float64), plans, level)
                estimated |= zip(plans.tolist(), by_plan, strict=True)
        return PlanValues(values, masses, estimated)

    def _by_level(self, chosen: Sequence[int]) -> list[tuple[int, Ints]]:
        """Return some plans by the level of their labels."""
        plans = np.array(chosen, np.int64)
        labels = self._plans.labels[plans]
        return [(level, plans[labels == level]) for level in np.unique(labels).tolist()]

    def _cell_gains(self, weights: Floats) -> Floats:
        """Return float64[cells], the weighted spaces that the players gain."""
        total = np.zeros(len(self._results.gained))
        for seat, player in enumerate(self._owners[:, 0].tolist()):
            if weights[player]:
                total += weights[player] * self._results.gained[:, seat]
        return total

    def _contracted(self, by_cell: Floats, plans: Ints, level: int) -> Floats:
        """Return float64[plans, labels of each other seat], sums of float64[cells]."""
        own, inverse = np.unique(self._own_cells[plans], return_inverse=True)
        table = by_cell.reshape(-1, *self._others.final_shape)
        if len(own) < len(table):
            table = table[own]
        for place in range(len(self._others.seats) - 1, -1, -1):
            seat = self._others.seats[place]
            table = _replace_axis(
                table,
                place + 1,
                seat.label_counts[level],
                (seat.finals, seat.labels[level], seat.chances),
            )
        return table[inverse.ravel()]

    def _own_shares(self, plans: Ints, level: int) -> Floats:
        """Return float64[plans, labels of each other seat], the asker's expected share."""
        inner = self._others.inner.seats
        shape = self._others.label_shape(level)
        rows = prod(shape[: -len(inner)])
        by_line = np.zeros((len(plans), rows, len(self._others.inner.chances)))
        self._add_shares(plans, level, None, by_line, np.zeros((0, 0)))
        table = by_line.reshape(len(plans) * rows, *(len(seat.chances) for seat in inner))
        for place in range(len(inner) - 1, -1, -1):
            seat = inner[place]
            entries = (np.arange(len(seat.chances)), seat.labels[level], seat.chances)
            table = _replace_axis(table, place + 1, seat.label_counts[level], entries)
        return table.reshape(len(plans), *shape)

    @cached_property
    def _effects(self) -> SeatEffects:
        return SeatEffects(self._results.gained, self._results.marks, self._seats, self._evaluator)

    @cached_property
    def _potentials(self) -> Floats:
        """float64[n, lines, effects], see ``SeatEffects.shares``."""
        return self._effects.shares(self._plans.hand_classes)

    def _add_shares(
        self,
        plans: Ints,
        level: int,
        taken: NDArray[np.bool_] | None,
        shares: Floats,
        masses: Floats,
    ) -> None:
        """Add the expected shares of the win, see ``contractions.add_shares``.

        Args:
            plans: the plans.
            level: of their labels.
            taken: bool[plans, outer joint labels, inner joint labels]; None for the asker's share
                by label.
            shares, masses: in and out.
        """
        contractions.add_shares(
            self._plan_cells[plans],
            self._plans.plans[plans],
            self._effects.numbers,
            self._potentials,
            self._others.at_level(level),
            taken is None,
            np.zeros((0, 0, 0), np.bool_) if taken is None else taken,
            shares,
            masses,
        )

    # Second step: outcomes --------------------------------------------------------------------

    def outcomes(self, taken: Sequence[NDArray[np.bool_] | None]) -> Floats:
        """See :meth:`~service.core.best_response_model.BestResponseModel.plan_outcomes`."""
        out = np.zeros((len(taken), self._columns.width))
        for level, plans in self._by_level(range(len(taken))):
            where = self._others.where_taken(level, [taken[plan] for plan in plans.tolist()])
            by_line = np.zeros((len(plans), len(self._owners), len(self._others.inner.chances)))
            masses = np.zeros((len(plans), prod(self._others.final_shape)))
            self._add_shares(plans, level, where, by_line, masses)
            by_seat = (by_line * self._others.inner.chances).sum(axis=2)
            some = np.zeros((len(plans), self._columns.width))
            contractions.add_cells(
                self._plan_cells[plans],
                self._champions[plans],
                masses,
                self._results,
                self._owners,
                some,
            )
            shares = some[:, self._columns.shares]
            for seat, player in enumerate(self._owners[:, 0].tolist()):
                shares[:, player] += by_seat[:, seat]
            out[plans] = some
        return out

    @cached_property
    def _champions(self) -> NDArray[np.bool_]:
        """bool[plans, own seats], whether the plan plays a champion."""
        own = range(self._plans.plans.shape[1])
        lines = self._plans.lines[own, self._plans.plans, CHAMPION]
        played: NDArray[np.bool_] = lines != 0
        return played


def _replace_axis(
    table: Floats, axis: int, size: int, entries: tuple[Ints, Ints, Floats]
) -> Floats:
    """Multiply one axis of a table by a sparse matrix.

    Args:
        table: float64[...].
        axis: its number.
        size: of the new axis.
        entries: old indices, new indices and weights, see ``contractions.contract``.
    """
    shape = table.shape
    before = prod(shape[:axis])
    after = prod(shape[axis + 1 :])
    out = np.zeros((before, size, after))
    olds, news, weights = entries
    contractions.contract(
        table.reshape(before, shape[axis], after),
        olds.astype(np.uint32),
        news.astype(np.uint32),
        weights,
        out,
    )
    return out.reshape(*shape[:axis], size, *shape[axis + 1 :])

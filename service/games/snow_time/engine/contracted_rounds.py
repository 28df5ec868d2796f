"""Expected outcomes of a large round in two steps: values of plans, then outcomes of chosen ones.

Both steps multiply tables by one seat's probabilities after the other, see
``kernels/contractions.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.core.best_response_model import OutcomeColumns, PlanValues
from service.games.snow_time.engine.cells import Cells
from service.games.snow_time.engine.evaluation import EvaluatorTables, hand_classes
from service.games.snow_time.engine.kernels import contractions, effects
from service.games.snow_time.engine.kernels.rounds import ARRIVED_SHIFT, SEATS_MASK
from service.games.snow_time.engine.packed_rounds import PackedPlans
from service.games.snow_time.engine.packing import CHAMPION, FINAL, HAND
from service.games.snow_time.engine.seat_effects import SeatEffects

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

INNER: Final = 2
"""Number of other seats in the innermost loops over joint lines."""


@dataclass(frozen=True)
class SeatLines:
    """The lines of one other seat.

    Attributes:
        finals: int64[lines], index of the final card.
        final_count: number of final cards.
        labels: by level, int64[lines].
        label_counts: by level, the number of labels.
        chances: float64[lines].
    """

    finals: Ints
    final_count: int
    labels: tuple[Ints, ...]
    label_counts: tuple[int, ...]
    chances: Floats

    def masses(self, level: int) -> Floats:
        """Return float64[labels], their probabilities."""
        total = np.zeros(self.label_counts[level])
        np.add.at(total, self.labels[level], self.chances)
        return total


@dataclass(frozen=True)
class JointLines:
    """The joint lines of some seats, the last seat's line changing fastest.

    Attributes:
        seats: the seats.
        lines: int64[seats, joint lines].
        chances: float64[joint lines].
        finals: int64[joint lines], the index of the joint final card.
    """

    seats: Sequence[SeatLines]
    lines: Ints
    chances: Floats
    finals: Ints

    @classmethod
    def of(cls, seats: Sequence[SeatLines]) -> JointLines:
        """Return all joint lines of some seats."""
        shape = [len(seat.chances) for seat in seats]
        lines = np.indices(shape).reshape(len(shape), prod(shape))
        chances = np.ones(prod(shape))
        finals = np.zeros(prod(shape), np.int64)
        for seat, own in zip(seats, lines, strict=True):
            chances *= seat.chances[own]
            finals = finals * seat.final_count + seat.finals[own]
        return cls(seats, lines, chances, finals)

    def by_finals(self) -> tuple[JointLines, Ints, Ints]:
        """Return the same lines grouped by joint final card.

        Returns:
            The lines, the start of each group and the end of the last one, and the joint final
            card of each group.
        """
        order = np.argsort(self.finals, kind="stable")
        used, starts = np.unique(self.finals[order], return_index=True)
        lines = JointLines(
            self.seats, self.lines[:, order], self.chances[order], self.finals[order]
        )
        return lines, np.append(starts, len(order)), used

    def labels(self, level: int) -> Ints:
        """Return int64[joint lines], the index of their joint label at a level."""
        labels = np.zeros(len(self.chances), np.int64)
        for seat, lines in zip(self.seats, self.lines, strict=True):
            labels = labels * seat.label_counts[level] + seat.labels[level][lines]
        return labels


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
            seats: int64[n, 5], see ``SeatEffects``.
            evaluator: the evaluator's tables.
            columns: of an outcome.
        """
        self._plans, self._columns = plans, columns
        self._gained, self._points = cells.gained[0], cells.points[0]
        self._marks = cells.marks[0]
        self._owners = np.ascontiguousarray(seats[:, effects.OWNER : effects.OWNER + 1])
        self._seats, self._evaluator = seats, evaluator
        self._own = plans.plans.shape[1]
        self._others = [
            _seat_lines(plans, seat, int(final_counts[seat]), label_counts[seat - self._own])
            for seat in range(self._own, len(seats))
        ]
        self._final_shape = tuple(seat.final_count for seat in self._others)
        joint = prod(self._final_shape)
        own_cells = np.zeros(len(plans.plans), np.int64)
        for seat in range(self._own):
            finals = plans.lines[seat, plans.plans[:, seat], FINAL]
            own_cells = own_cells * final_counts[seat] + finals
        self._own_cells = own_cells
        """int64[plans], the index of the asker's joint final card."""
        self._plan_cells = own_cells * joint

    # First step: values -----------------------------------------------------------------------

    def values(self, weights: Floats, on_shares: bool, chosen: Sequence[int]) -> PlanValues:
        """See :class:`~service.core.best_response_model.BestResponseModel`."""
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
            mass = self._masses(level)
            values |= zip(plans.tolist(), table, strict=True)
            masses |= dict.fromkeys(plans.tolist(), mass)
            if on_shares:
                going_on = self._marks >> ARRIVED_SHIFT & SEATS_MASK == 0
                by_plan = self._contracted(going_on.astype(np.float64), plans, level)
                estimated |= zip(plans.tolist(), by_plan, strict=True)
        return PlanValues(values, masses, estimated)

    def _by_level(self, chosen: Sequence[int]) -> list[tuple[int, Ints]]:
        """Return some plans by the level of their labels."""
        plans = np.array(chosen, np.int64)
        labels = self._plans.labels[plans]
        return [(level, plans[labels == level]) for level in np.unique(labels).tolist()]

    def _label_shape(self, level: int) -> tuple[int, ...]:
        return tuple(seat.label_counts[level] for seat in self._others)

    def _masses(self, level: int) -> Floats:
        """Return float64[labels of each other seat], the probability of the labels."""
        mass = np.ones(())
        for seat in self._others:
            mass = mass[..., None] * seat.masses(level)
        return mass

    def _cell_gains(self, weights: Floats) -> Floats:
        """Return float64[cells], the weighted spaces that the players gain."""
        total = np.zeros(len(self._gained))
        for seat, player in enumerate(self._owners[:, 0].tolist()):
            if weights[player]:
                total += weights[player] * self._gained[:, seat]
        return total

    def _contracted(self, by_cell: Floats, plans: Ints, level: int) -> Floats:
        """Return float64[plans, labels of each other seat], sums of float64[cells]."""
        own, inverse = np.unique(self._own_cells[plans], return_inverse=True)
        table = by_cell.reshape(-1, *self._final_shape)
        if len(own) < len(table):
            table = table[own]
        for place in range(len(self._others) - 1, -1, -1):
            seat = self._others[place]
            table = _replace_axis(
                table,
                place + 1,
                seat.label_counts[level],
                (seat.finals, seat.labels[level], seat.chances),
            )
        return table[inverse.ravel()]

    def _own_shares(self, plans: Ints, level: int) -> Floats:
        """Return float64[plans, labels of each other seat], the asker's expected share."""
        inner = self._inner.seats
        shape = self._label_shape(level)
        rows = prod(shape[: -len(inner)])
        by_line = np.zeros((len(plans), rows, len(self._inner.chances)))
        self._add_shares(plans, level, None, by_line, np.zeros((0, 0)))
        table = by_line.reshape(len(plans) * rows, *(len(seat.chances) for seat in inner))
        for place in range(len(inner) - 1, -1, -1):
            seat = inner[place]
            entries = (np.arange(len(seat.chances)), seat.labels[level], seat.chances)
            table = _replace_axis(table, place + 1, seat.label_counts[level], entries)
        return table.reshape(len(plans), *shape)

    @cached_property
    def _inner(self) -> JointLines:
        """The joint lines of the last two other seats."""
        return JointLines.of(self._others[-INNER:])

    @cached_property
    def _outer(self) -> tuple[JointLines, Ints, Ints]:
        """The joint lines of all other seats before these, see ``JointLines.by_finals``."""
        return JointLines.of(self._others[:-INNER]).by_finals()

    @cached_property
    def _effects(self) -> SeatEffects:
        return SeatEffects(self._gained, self._marks, self._seats, self._evaluator)

    @cached_property
    def _potentials(self) -> Floats:
        """float64[n, lines, effects], see ``SeatEffects.shares``."""
        hands, champions = self._plans.lines[:, :, HAND], self._plans.lines[:, :, CHAMPION]
        classes = hand_classes()[np.stack([hands, hands | champions], axis=2)]
        return self._effects.shares(classes)

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
        (outer, starts, finals), inner = self._outer, self._inner
        contractions.add_shares(
            self._plan_cells[plans],
            self._plans.plans[plans],
            self._effects.numbers,
            self._potentials,
            inner.lines,
            inner.finals,
            inner.labels(level),
            inner.chances,
            starts,
            finals * prod(self._final_shape[-INNER:]),
            np.ascontiguousarray(outer.lines.T),
            outer.labels(level),
            outer.chances,
            taken is None,
            np.zeros((0, 0, 0), np.bool_) if taken is None else taken,
            shares,
            masses,
        )

    # Second step: outcomes --------------------------------------------------------------------

    def outcomes(self, taken: Sequence[NDArray[np.bool_] | None]) -> Floats:
        """See :class:`~service.core.best_response_model.BestResponseModel`."""
        out = np.zeros((len(taken), self._columns.width))
        for level, plans in self._by_level(range(len(taken))):
            shape = self._label_shape(level)
            always = np.ones(shape, np.bool_)
            where = [always if (own := taken[plan]) is None else own for plan in plans.tolist()]
            by_line = np.zeros((len(plans), len(self._owners), len(self._inner.chances)))
            masses = np.zeros((len(plans), prod(self._final_shape)))
            inner_labels = prod(shape[-INNER:])
            self._add_shares(
                plans,
                level,
                np.stack(where).reshape(len(plans), -1, inner_labels),
                by_line,
                masses,
            )
            by_seat = (by_line * self._inner.chances).sum(axis=2)
            some = np.zeros((len(plans), self._columns.width))
            contractions.add_cells(
                self._plan_cells[plans],
                self._champions[plans],
                masses,
                self._gained,
                self._points,
                self._marks,
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
        lines = self._plans.lines[range(self._own), self._plans.plans, CHAMPION]
        played: NDArray[np.bool_] = lines != 0
        return played


def _seat_lines(
    plans: PackedPlans, seat: int, final_count: int, label_counts: tuple[int, ...]
) -> SeatLines:
    lines = plans.lines[seat, : plans.counts[seat]]
    columns = np.ascontiguousarray(lines.T)
    no_labels = np.zeros(len(lines), np.int64)
    return SeatLines(
        columns[FINAL],
        final_count,
        (no_labels, *columns[-2:]),
        label_counts,
        plans.probabilities[seat, : len(lines)].copy(),
    )


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

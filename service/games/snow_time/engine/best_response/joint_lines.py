"""The lines of the other seats, and their joint lines, as the kernels of contractions need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.kernels.contractions import Others
from service.games.snow_time.engine.packed_rounds import PackedPlans
from service.games.snow_time.engine.packing import FINAL

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

    def label_chances(self, level: int) -> Floats:
        """Return the probability of each label of a level, float64[labels]."""
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

    @property
    def final_cards(self) -> int:
        """Number of joint final cards."""
        return prod(seat.final_count for seat in self.seats)


class OtherLines:
    """The lines of the seats that do not belong to the asker.

    Attributes:
        seats: the lines of each seat.
        final_shape: number of final cards of each seat.
    """

    def __init__(
        self, plans: PackedPlans, final_counts: Ints, label_counts: Sequence[tuple[int, ...]]
    ) -> None:
        """Split the lines of a round.

        Args:
            plans: the lines of all seats, the asker's first, and the asker's plans.
            final_counts: int64[n].
            label_counts: for each other seat, by level.
        """
        own = plans.plans.shape[1]
        self.seats = [
            _seat_lines(plans, seat, int(final_counts[seat]), label_counts[seat - own])
            for seat in range(own, len(plans.counts))
        ]
        self.final_shape = tuple(seat.final_count for seat in self.seats)

    @cached_property
    def inner(self) -> JointLines:
        """The joint lines of the last seats."""
        return JointLines.of(self.seats[-INNER:])

    @cached_property
    def outer(self) -> tuple[JointLines, Ints, Ints]:
        """The joint lines of all seats before these, see ``JointLines.by_finals``."""
        return JointLines.of(self.seats[:-INNER]).by_finals()

    def at_level(self, level: int) -> Others:
        """Return all joint lines with the labels of a level.

        Args:
            level: of the labels.
        """
        (outer, starts, finals), inner = self.outer, self.inner
        return Others(
            inner_lines=inner.lines,
            inner_cells=inner.finals,
            inner_labels=inner.labels(level),
            inner_chances=inner.chances,
            starts=starts,
            outer_cells=finals * inner.final_cards,
            outer_lines=np.ascontiguousarray(outer.lines.T),
            outer_labels=outer.labels(level),
            outer_chances=outer.chances,
        )

    def label_shape(self, level: int) -> tuple[int, ...]:
        """Return the number of labels of each seat."""
        return tuple(seat.label_counts[level] for seat in self.seats)

    def label_chances(self, level: int) -> Floats:
        """Return the probability of the labels of all seats, float64[labels of each seat]."""
        mass = np.ones(())
        for seat in self.seats:
            mass = mass[..., None] * seat.label_chances(level)
        return mass

    def where_taken(
        self, level: int, taken: Sequence[NDArray[np.bool_] | None]
    ) -> NDArray[np.bool_]:
        """Return bool[plans, outer joint labels, inner joint labels], where plans are taken.

        Args:
            level: of the plans' labels.
            taken: by plan, bool[labels of each seat]; None for everywhere.
        """
        shape = self.label_shape(level)
        always = np.ones(shape, np.bool_)
        where = np.stack([always if own is None else own for own in taken])
        return where.reshape(len(taken), -1, prod(shape[-INNER:]))


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

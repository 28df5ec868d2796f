"""The parts of the asker's payoff by plan, against given strategies of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.cells import Cells
from service.games.snow_time.engine.evaluation import EvaluatorTables, hand_classes
from service.games.snow_time.engine.kernels.effects import FINALS, OPTIONS, OWNER, SCORE
from service.games.snow_time.engine.leaves import Leaves
from service.games.snow_time.engine.objective import Objective
from service.games.snow_time.engine.packed_rounds import PackedPlans
from service.games.snow_time.engine.packing import CHAMPION, FINAL, HAND
from service.games.snow_time.engine.parts import PayoffParts, SeatOptions

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Taken = Sequence[NDArray[np.bool_] | None]

FIRST_LABEL = CHAMPION + 1
"""Column of the first label of a line; the second one follows."""


@dataclass(frozen=True)
class PlannedRound:
    """One round from one position; the asker's seats come first.

    Attributes:
        plans: the lines of all seats and the asker's plans.
        scores: int64[n], the markers before the round.
        hands: int64[n], the hands before the round, as bit sets.
        owners: int64[n], the player of each seat.
        final_counts: int64[n], final cards by seat.
        cells: results of the final cards.
    """

    plans: PackedPlans
    scores: Ints
    hands: Ints
    owners: Ints
    final_counts: Ints
    cells: Cells

    def parts(self, taken: Taken, evaluator: EvaluatorTables, objective: Objective) -> Floats:
        """Return float64[plans, parts], see ``BestResponseModel.plan_parts``."""
        asker = int(self.owners[0])
        payoff = PayoffParts(self._options, self.cells, evaluator, objective)
        by_plan = [payoff.expected(leaves, 1, asker) for leaves in self._leaves(taken)]
        return np.concatenate(by_plan)

    @property
    def _options(self) -> SeatOptions:
        lines = self.plans.lines
        seats = np.zeros((len(lines), 5), np.int64)
        seats[:, SCORE], seats[:, OWNER] = self.scores, self.owners
        seats[:, FINALS], seats[:, OPTIONS] = self.final_counts, self.plans.counts
        hands = np.stack([lines[:, :, HAND], lines[:, :, HAND] | lines[:, :, CHAMPION]], axis=2)
        rows = np.broadcast_to(np.arange(lines.shape[1]), lines.shape[:2])
        return SeatOptions(
            seats=seats,
            rows=np.ascontiguousarray(rows),
            first_added=0,
            classes=hand_classes()[hands],
            classes_before=hand_classes()[self.hands],
        )

    def _leaves(self, taken: Taken) -> Iterator[Leaves]:
        """Yield the leaves of each plan where it is taken."""
        plans, own = self.plans, self.plans.plans.shape[1]
        others = range(own, len(plans.counts))
        counts = plans.counts[own:].tolist()
        chances, finals = np.ones(()), np.zeros((), np.int64)
        for seat, count in zip(others, counts, strict=True):
            chances = chances[..., None] * plans.probabilities[seat, :count]
            finals = finals[..., None] * self.final_counts[seat] + plans.lines[seat, :count, FINAL]
        for plan, where in enumerate(taken):
            cell, number = 0, 0
            for seat, line in enumerate(plans.plans[plan].tolist()):
                cell = cell * int(self.final_counts[seat]) + int(plans.lines[seat, line, FINAL])
                number = number * int(plans.counts[seat]) + line
            first = cell * int(self.final_counts[own:].prod())
            some = np.arange(prod(counts))
            level = int(plans.labels[plan])
            if where is not None and level:
                column = FIRST_LABEL + level - 1
                labels = [
                    plans.lines[seat, :count, column]
                    for seat, count in zip(others, counts, strict=True)
                ]
                some = np.flatnonzero(where[np.ix_(*labels)])
            yield Leaves(
                number * prod(counts) + some,
                (first + finals.ravel()[some]).astype(np.int32),
                chances.ravel()[some],
                np.zeros(len(some), np.int64),
            )

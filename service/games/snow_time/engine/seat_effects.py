"""The effects of cells on seats, and values by effect; see ``kernels/effects.py``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.evaluation import EvaluatorTables
from service.games.snow_time.engine.kernels import effects

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class SeatEffects:
    """The effects of all cells of one position.

    Attributes:
        seats: int64[n, 6], see the columns of ``kernels/effects.py``; the seats of a player are
            neighbours.
        numbers: uint32[n, cells], see ``effects.number_effects``.
        width: larger than the spaces that any seat gains.
    """

    def __init__(
        self,
        gained: NDArray[np.uint8],
        marks: NDArray[np.int32],
        seats: Ints,
        evaluator: EvaluatorTables,
    ) -> None:
        """Number the effects of cells.

        Args:
            gained: uint8[cells, n], spaces moved.
            marks: int32[cells], see ``rounds.fill_cells``.
            seats: see the attribute.
            evaluator: the evaluator's tables.
        """
        self.seats = seats
        self._evaluator = evaluator
        self.width = int(gained.max()) + 1
        self.numbers = np.empty(gained.shape[::-1], np.uint32)
        effects.number_effects(gained, marks, seats, self.width, self.numbers)

    def shares(self, classes: Ints) -> Floats:
        """Return float64[n, rows, effects], the potentials that shares of the win are made of.

        Args:
            classes: int64[n, rows, 2], the class of the hand after the round, if the champion
                falls and if it returns.
        """
        tables = self.empty_tables(classes)
        effects.tabulate_shares(
            self.seats,
            classes,
            self.width,
            self._evaluator.potentials,
            self._evaluator.hands,
            tables,
        )
        return tables

    def spaces(self, classes: Ints, hand_values: Floats) -> Floats:
        """Return float64[n, rows, effects], spaces gained plus the value of the hand in spaces.

        Args:
            classes: see :meth:`shares`.
            hand_values: float64[classes], in spaces.
        """
        tables = self.empty_tables(classes)
        effects.tabulate_spaces(classes, self.width, hand_values, tables)
        return tables

    def empty_tables(self, classes: Ints) -> Floats:
        """Return float64[n, rows, effects] for the values of :meth:`shares`, not initialized."""
        foremost = int(self.seats[:, effects.SCORE].max())
        # The leader moves by less than the width, and beyond the last space there is no leader.
        leaders = min(len(self._evaluator.potentials) - foremost, self.width)
        rows = effects.LEADER + leaders
        return np.empty((*classes.shape[:2], rows * self.width * 2))

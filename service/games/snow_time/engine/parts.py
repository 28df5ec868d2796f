"""The parts of a player's payoff: what it gains and loses in a round, and by what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.cells import Cells
from service.games.snow_time.engine.evaluation import EvaluatorTables
from service.games.snow_time.engine.kernels import parts
from service.games.snow_time.engine.kernels.effects import OWNER, SCORE
from service.games.snow_time.engine.kernels.rounds import KIND_BITS, KIND_MASK, KINDS
from service.games.snow_time.engine.leaves import Leaves
from service.games.snow_time.engine.objective import Objective
from service.games.snow_time.rules.resolution import POINT_KINDS

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

PARTS: Final = (
    *POINT_KINDS,
    "champions",
    "watcher",
    "blizzard",
    "race",
    "others_spaces",
    "others_cards",
    "end",
)
"""Names of the parts, in the order of the kernel."""


@dataclass(frozen=True)
class SeatOptions:
    """The options of all seats, packed; see ``kernels/effects.py``.

    Attributes:
        seats: int64[n, 5], see the columns of ``kernels/effects.py``; the seats of a player are
            neighbours.
        rows: int64[n, most options], the table row of each option, or ``OPEN``.
        first_added: the table row of the first final card that a watcher adds; the others follow.
        classes: int64[n, rows, 2], the class of the hand after the round, if the champion falls
            and if it returns.
        classes_before: int64[n], the class of the hand before the round.
    """

    seats: Ints
    rows: Ints
    first_added: int
    classes: Ints
    classes_before: Ints


class PayoffParts:
    """Splits the payoffs of one position into parts."""

    def __init__(
        self,
        options: SeatOptions,
        cells: Cells,
        evaluator: EvaluatorTables,
        objective: Objective,
    ) -> None:
        """Prepare the position.

        Args:
            options: of all seats.
            cells: results of the final cards.
            evaluator: the evaluator's tables.
            objective: of the payoffs.
        """
        self._options, self._evaluator, self._objective = options, evaluator, objective
        self._gained, self._points = cells.gained[0], cells.points[0]
        self._marks = cells.marks[0]
        self._width = int(self._gained.max()) + 1

    def expected(self, leaves: Leaves, moves: int, asker: int) -> Floats:
        """Return float64[moves, parts], the expected parts of a player's payoff.

        Args:
            leaves: the results of the player's moves with their probabilities.
            moves: the number of moves.
            asker: the player.
        """
        out = np.zeros((moves, parts.PARTS))
        if self._objective.win_shares:
            self._add_share_parts(leaves, asker, out)
        else:
            self._add_space_parts(leaves, asker, out)
        return out

    @cached_property
    def _potentials(self) -> Floats:
        """float64[n], the potentials of the seats before the round."""
        scores = self._options.seats[:, SCORE]
        start = int(scores.max())
        hands = self._evaluator.hands[start, self._options.classes_before]
        before: Floats = self._evaluator.potentials[start, scores] * hands
        return before

    @cached_property
    def _changes(self) -> Floats:
        """float64[n, rows, effects, columns], see ``parts.tabulate_changes``."""
        options, evaluator = self._options, self._evaluator
        length = len(evaluator.potentials) - 1
        leaders = min(length - int(options.seats[:, SCORE].max()) + 1, self._width)
        effects = leaders * self._width * 2
        tables = np.empty((*options.classes.shape[:2], effects, parts.COLUMNS))
        parts.tabulate_changes(
            options.seats,
            options.classes,
            options.classes_before,
            self._width,
            evaluator.potentials,
            evaluator.hands,
            evaluator.paces,
            evaluator.hand_logs,
            tables,
        )
        return tables

    def _add_share_parts(self, leaves: Leaves, asker: int, out: Floats) -> None:
        """Add the parts of shares of the win, see ``parts.add_share_parts``."""
        parts.add_share_parts(
            leaves.profiles,
            leaves.cells,
            leaves.chances,
            leaves.moves,
            self._options.seats,
            self._options.rows,
            self._options.first_added,
            asker,
            self._potentials,
            self._width,
            self._changes,
            self._gained,
            self._points,
            self._marks,
            self._evaluator.paces,
            out,
        )

    def _add_space_parts(self, leaves: Leaves, asker: int, out: Floats) -> None:
        """Add the spaces gained by the asker, by kind, and those of the others."""
        mine = self._options.seats[:, OWNER] == asker
        # Results in the same cell gain the same spaces.
        cells, places = np.unique(leaves.cells, return_inverse=True)
        groups, group = np.unique(leaves.moves * len(cells) + places, return_inverse=True)
        chances = np.bincount(group, leaves.chances)
        moves, some = np.divmod(groups, len(cells))
        gained = self._gained[cells].astype(np.int64)
        points = self._points[cells][:, mine]
        left = gained[:, mine]
        by_cell = {}
        for kind in range(KINDS):
            # A marker that arrives does not move further: its last points count less.
            spaces = np.minimum(left, points >> (KIND_BITS * kind) & KIND_MASK)
            left = left - spaces
            by_cell[kind] = spaces.sum(axis=1)
        others = gained[:, ~mine].sum(axis=1)
        by_cell[parts.OTHERS_SPACES] = -self._objective.opponent_weight * others
        for column, spaces in by_cell.items():
            out[:, column] += np.bincount(moves, chances * spaces[some], len(out))

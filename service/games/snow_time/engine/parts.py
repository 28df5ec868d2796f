"""The parts of a payoff: what a player gains and loses in a round, and by what."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.evaluation import EvaluatorTables
from service.games.snow_time.engine.kernels import effects, parts
from service.games.snow_time.engine.kernels.effects import SCORE
from service.games.snow_time.engine.kernels.parts import Changes
from service.games.snow_time.engine.kernels.rounds import ARRIVED_SHIFT, Cells
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


def changes_of(
    seats: Ints, classes: Ints, classes_before: Ints, cells: Cells, evaluator: EvaluatorTables
) -> Changes:
    """Return what the cells of one position change for each seat.

    Args:
        seats: int64[n, 6], see the columns of ``kernels/effects.py``; the seats of a player
            are neighbours.
        classes: int64[n, rows, 2], the class of the hand after the round, if the champion
            falls and if it returns.
        classes_before: int64[n], the class of the hand before the round.
        cells: of a single position.
        evaluator: the evaluator's tables.
    """
    gained, marks = cells.gained[0], cells.marks[0]
    width = int(gained.max()) + 1
    # The evaluator also judges the cells in which the game ends.
    going_on = marks & np.int32((1 << ARRIVED_SHIFT) - 1)
    numbers = np.empty(gained.shape[::-1], np.uint32)
    effects.number_effects(gained, going_on, seats, width, numbers)
    numbers -= np.uint32(effects.LEADER * width * 2)
    start = int(seats[:, SCORE].max())
    leaders = min(len(evaluator.potentials) - start, width)
    tables = np.empty((*classes.shape[:2], leaders * width * 2, parts.COLUMNS))
    parts.tabulate_changes(
        seats,
        classes,
        classes_before,
        width,
        evaluator.potentials,
        evaluator.hands,
        evaluator.paces,
        evaluator.hand_logs,
        tables,
    )
    hands = evaluator.hands[start, classes_before]
    return Changes(evaluator.potentials[start, seats[:, SCORE]] * hands, numbers, tables)

"""Payoffs of players who do not look beyond the round, compiled, for several valuations at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from service.compiling import kernel, record
from service.games.snow_time.engine.kernels.effects import (
    OPTIONS_OF_SEATS,
    add_values,
    tabulate_spaces,
)
from service.games.snow_time.engine.kernels.joint import add_cards, best_added_cards


class Watching(NamedTuple):
    """Where watchers add cards.

    Attributes:
        watchers: int64[sets], see ``joint.best_added_cards``; empty if nothing is added.
        additions: int32[k, 3], see ``joint.list_additions``.
        shown: the rows of ``joint.best_added_cards``.
    """

    watchers: Any
    additions: Any
    shown: Any


WATCHING = record(Watching, watchers="int64[::1]", additions="int32[:, ::1]", shown="int64[:, ::1]")


@kernel(
    f"void(float64[:, ::1], boolean[::1], int64[:, :, ::1], int64, int32[::1], {WATCHING},"
    f" {OPTIONS_OF_SEATS}, uint32[:, ::1], float64[:, :, ::1], float64[:, :, ::1])"
)
def add_heuristic_payoffs(
    hand_values, ignore_losses, classes, width, cells, watching, options, numbers, tables, payoffs
):
    """Add the spaces gained and the values of the hands in every profile.

    Args:
        hand_values: float64[valuations, classes], in spaces.
        ignore_losses: boolean[valuations], whether every champion counts as if it returned.
        classes, width: see ``effects.tabulate_shares``.
        cells: int32[profiles], the cell of every profile; without the cards that watchers add, if
            they add those that are best by these payoffs.
        watching: where watchers add cards; nowhere if ``cells`` are final.
        options, numbers: see ``effects.add_values``.
        tables: float64[n, rows, effects], a buffer.
        payoffs: float64[valuations, players, profiles], in and out.
    """
    (watchers, additions, shown), (seats, _, added) = watching, options
    returned = classes.copy()
    returned[:, :, 0] = classes[:, :, 1]
    answers = np.empty((watchers.shape[0], numbers.shape[1]), np.int32)
    chosen, unused = cells.copy(), np.zeros(cells.shape[0], np.float64)
    for which in range(payoffs.shape[0]):
        own = returned if ignore_losses[which] else classes
        tabulate_spaces(own, width, hand_values[which], tables)
        if watchers.shape[0] > 0:
            best_added_cards(watchers, seats, numbers, tables, shown, added, False, 0.0, answers)
            chosen[:] = cells
            add_cards(additions, answers.reshape(-1), chosen)
        add_values(chosen.view(np.uint32), numbers, tables, options, payoffs[which], unused)

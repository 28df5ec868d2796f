"""Look up seat values by the effect that a cell has on a seat.

A *cell* is a joint choice of final cards, see ``joint.py``.  Its *effect* on a seat is a small
number: whether the game is over and the seat has won, or else the leader's space; the spaces that
the seat gains; and whether its champion returns.  Many cells have the same effect on a seat.  The
value of an effect depends on the seat's hand after the round, so each option has a small table.

Indices are unsigned because signed ones need an extra check for negative values.  Inner loops do
the same work for many elements so that the compiler can vectorise them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from service.compiling import kernel, record
from service.games.snow_time.engine.kernels.rounds import ARRIVED_SHIFT, SEATS_MASK

SCORE, OWNER, FINALS, OPTIONS, NOTHING, ADDABLE, SEAT_COLUMNS = range(7)
"""Columns of a seat: marker, player, number of final cards, number of options, the index of the
final card that shows nothing, and number of final cards that a watcher can add, which come first.
"""
OPEN = -1
"""Marks an open option, whose watcher adds a card after the reveal: it stands in place of the index
of the final card or of the table row.
"""
LOST, WON, LEADER = 0, 1, 2
"""Rows of effects: the game is over and the seat has lost or won; from ``LEADER`` on the game goes
on, one row per space of the leader, beginning with the foremost marker before the round.
"""


class Options(NamedTuple):
    """The options of all seats.

    Attributes:
        seats: int64[n, 6], see the columns above; players ascend.
        rows: int64[n, most options], the table row of each option, or ``OPEN``.
        added: the table row of the first final card that a watcher adds; the others follow.
    """

    seats: Any
    rows: Any
    added: Any


OPTIONS_OF_SEATS = record(Options, seats="int64[:, ::1]", rows="int64[:, ::1]", added="int64")


@kernel("void(uint8[:, ::1], int32[::1], int64[:, ::1], int64, uint32[:, ::1])")
def number_effects(gained, marks, seats, width, numbers):
    """Compute the effect of every cell on every seat.

    Args:
        gained, marks: of every cell, see ``rounds.fill_cells``.
        seats: int64[n, 6], see the columns above; players ascend.
        width: larger than the spaces that any seat gains.
        numbers: uint32[n, cells], out: (row × width + spaces gained) × 2 + whether the champion
            returns.  If both seats of a player arrive, only the first one counts as won.
    """
    n = seats.shape[0]
    cells = marks.shape[0]
    foremost = 0
    for seat in range(n):
        foremost = max(foremost, seats[seat, SCORE])
    leaders = np.zeros(cells, np.int64)
    for seat in range(n):
        score = seats[seat, SCORE]
        for cell in range(cells):
            leaders[cell] = max(leaders[cell], score + gained[cell, seat])
    for seat in range(n):
        own = 1 << seat
        twin = own >> 1 if seat > 0 and seats[seat - 1, OWNER] == seats[seat, OWNER] else 0
        for cell in range(cells):
            arrived = marks[cell] >> ARRIVED_SHIFT & SEATS_MASK
            row = LEADER + leaders[cell] - foremost
            if arrived:
                row = WON if arrived & own and not arrived & twin else LOST
            back = marks[cell] >> seat & 1
            numbers[seat, cell] = (row * width + gained[cell, seat]) * 2 + back


@kernel(
    "void(int64[:, ::1], int64[:, :, ::1], int64, float64[:, ::1], float64[:, ::1],"
    " float64[:, :, ::1])"
)
def tabulate_shares(seats, classes, width, potentials, hands, tables):
    """Tabulate potentials by effect and hand; 1 for a seat that has won, 0 for one that has lost.

    Args:
        seats, width: see :func:`number_effects`.
        classes: int64[n, rows, 2], the class of the hand after the round, if the champion falls
            and if it returns.
        potentials, hands: the evaluator, see ``evaluation.EvaluatorTables``.
        tables: float64[n, rows, effects], out.
    """
    last = potentials.shape[0] - 1
    foremost = 0
    for seat in range(seats.shape[0]):
        foremost = max(foremost, seats[seat, SCORE])
    for seat in range(tables.shape[0]):
        for row in range(tables.shape[1]):
            table = tables[seat, row].reshape((-1, width, 2))
            for gained in range(width):
                table[LOST, gained, :] = 0.0
                table[WON, gained, :] = 1.0
                space = min(last, seats[seat, SCORE] + gained)
                for where in range(LEADER, table.shape[0]):
                    leader = where - LEADER + foremost
                    for back in range(2):
                        hand = hands[leader, classes[seat, row, back]]
                        table[where, gained, back] = potentials[leader, space] * hand


@kernel("void(int64[:, :, ::1], int64, float64[::1], float64[:, :, ::1])")
def tabulate_spaces(classes, width, hand_values, tables):
    """Tabulate spaces gained plus the value of the hand in spaces, also if the game is over.

    Args:
        classes, width, tables: see :func:`tabulate_shares`.
        hand_values: float64[classes], in spaces.
    """
    for seat in range(tables.shape[0]):
        for row in range(tables.shape[1]):
            table = tables[seat, row].reshape((-1, width, 2))
            for gained in range(width):
                for back in range(2):
                    table[:, gained, back] = gained + hand_values[classes[seat, row, back]]


@kernel(
    f"void(uint32[::1], uint32[:, ::1], float64[:, :, ::1], {OPTIONS_OF_SEATS}, float64[:, ::1],"
    " float64[::1])"
)
def add_values(cells, numbers, tables, options, values, totals):
    """Add the values of all seats in every profile.

    Args:
        cells: uint32[profiles], the cell of every profile, in order.
        numbers: uint32[n, cells], see :func:`number_effects`.
        tables: float64[n, rows, effects], values.
        options: of all seats.
        values: float64[players, profiles], in and out.
        totals: float64[profiles], in and out: sums over all seats.
    """
    seats, rows, added = options
    n = seats.shape[0]
    size = np.uint32(tables.shape[2])
    # A chunk contains the profiles that differ only in the options of the last two seats.
    chunk = 1
    for seat in range(max(0, n - 2), n):
        chunk *= seats[seat, OPTIONS]
    begins = np.empty(chunk, np.uint32)
    unknown = np.uint32(0xFFFFFFFF)
    for seat in range(n):
        own = values[seats[seat, OWNER]]
        effects = numbers[seat]
        table = tables[seat].reshape(-1)
        options = seats[seat, OPTIONS]
        finals = np.uint32(seats[seat, FINALS])
        block, stride = 1, np.uint32(1)
        for other in range(seat + 1, n):
            block *= seats[other, OPTIONS]
            stride = np.uint32(stride * np.uint32(seats[other, FINALS]))
        for first in range(0, cells.shape[0], chunk):
            # The last seats have the same options in every chunk; every other seat has one option
            # throughout a chunk.
            if block >= chunk:
                row = rows[seat, first // block % options]
                begins[:] = unknown if row == OPEN else np.uint32(row * size)
            elif first == 0:
                for place in range(chunk):
                    row = rows[seat, place // block % options]
                    begins[place] = unknown if row == OPEN else np.uint32(row * size)
            some = cells[first : first + chunk]
            into, total = own[first : first + chunk], totals[first : first + chunk]
            for place in range(chunk):
                cell = some[place]
                begin = begins[place]
                if begin == unknown:
                    final = np.uint32(np.uint32(cell // stride) % finals)
                    begin = np.uint32((np.uint32(added) + final) * size)
                value = table[np.uint32(begin + effects[cell])]
                into[place] += value
                total[place] += value


@kernel(
    f"void(int64[::1], uint32[::1], uint32[:, ::1], float64[:, :, ::1], {OPTIONS_OF_SEATS},"
    " float64[:, ::1], float64[::1])"
)
def add_profile_values(profiles, cells, numbers, tables, options, values, totals):
    """Add the values of all seats in the given profiles and cells.

    Args:
        profiles: int64[k]; fastest if equal ones follow each other.
        cells: uint32[k].
        numbers, tables, options: see :func:`add_values`.
        values: float64[players, k], in and out.
        totals: float64[k], in and out.
    """
    seats, rows, added = options
    n = seats.shape[0]
    strides = np.ones(n, np.uint32)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * seats[seat + 1, FINALS]
    own_rows = np.zeros(n, np.int64)
    before = -1
    for which in range(profiles.shape[0]):
        if profiles[which] != before:
            before = profiles[which]
            rest = before
            for seat in range(n - 1, -1, -1):
                own_rows[seat] = rows[seat, rest % seats[seat, OPTIONS]]
                rest //= seats[seat, OPTIONS]
        cell = cells[which]
        for seat in range(n):
            row = own_rows[seat]
            if row == OPEN:
                row = added + cell // strides[seat] % np.uint32(seats[seat, FINALS])
            value = tables[seat, row, numbers[seat, cell]]
            values[seats[seat, OWNER], which] += value
            totals[which] += value

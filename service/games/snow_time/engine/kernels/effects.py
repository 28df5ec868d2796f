"""What a round does to a seat as one small number, so that worths are looked up, not worked out.

An *effect* is the seat's part of a cell (a joint choice of final cards, see ``joint.py``): whether
the game is over and it has got there, or else where the leader then stands; the spaces that it
gains; whether its champion returns.  Many cells have the same effect on a seat, and what an effect
is worth depends on the hand that the seat keeps, that is, on its option: a small table for each.

What is looked up is unsigned, for compilers take signed numbers to count from the end if negative,
and inner loops do the same to many, so that processors do it to several at once.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snow_time.engine.kernels.rounds import ARRIVED_SHIFT, SEATS_MASK

SCORE, OWNER, FINALS, OPTIONS, NOTHING = 0, 1, 2, 3, 4
"""Columns of a seat: marker, player, how many final cards and options, the final card for none."""
OPEN = -1
"""In place of the final card, or the row of a table, of an option that leaves its final card open,
for a watcher adds one after the reveal.
"""
LOST, WON, LEADER = 0, 1, 2
"""Rows of effects: the game is over, without and with the own arrival; from here on the leader's
spaces, beginning with the foremost one before the round.
"""


@kernel("void(uint8[:, ::1], int32[::1], int64[:, ::1], int64, uint32[:, ::1])")
def number_effects(gained, marks, seats, width, numbers):
    """The effects of every cell.

    Args:
        gained, marks: of every cell, see ``rounds.fill_cells``.
        seats: int64[n, 5], see the columns above; players ascend.
        width: more than any seat gains.
        numbers: uint32[n, cells], out: (row × width + spaces gained) × 2 + whether the champion
            returns.  Of a player's seats that arrive the first one alone has won.
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
    """Parts of the win: the potential of each effect and hand, or 1 for having won.

    Args:
        classes: int64[n, rows, 2], the class of the hand after the round by whether the champion
            returns.
        potentials, hands: the evaluator, see ``evaluation.Scale``.
        tables: float64[n, rows, effects], out.

    The others are those of :func:`number_effects`.
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
                        kept = hands[leader, classes[seat, row, back]]
                        table[where, gained, back] = potentials[leader, space] * kept


@kernel("void(int64[:, :, ::1], int64, float64[::1], float64[:, :, ::1])")
def tabulate_spaces(classes, width, hand_values, tables):
    """Spaces gained plus what the hand is worth in spaces, however the game ends.

    Args:
        worths: float64[classes].

    The others are those of :func:`tabulate_shares`.
    """
    for seat in range(tables.shape[0]):
        for row in range(tables.shape[1]):
            table = tables[seat, row].reshape((-1, width, 2))
            for gained in range(width):
                for back in range(2):
                    table[:, gained, back] = gained + hand_values[classes[seat, row, back]]


@kernel(
    "void(uint32[::1], uint32[:, ::1], float64[:, :, ::1], int64[:, ::1], int64[:, ::1], int64,"
    " float64[:, ::1], float64[::1])"
)
def add_values(cells, numbers, tables, seats, rows, added, values, totals):
    """Adds up what everybody gets from every profile, seat by seat.

    Args:
        cells: uint32[profiles], the final cards of every profile, in order.
        numbers: uint32[n, cells], see :func:`number_effects`.
        tables: float64[n, rows, effects].
        seats: int64[n, 5], see the columns above.
        rows: int64[n, most options], of the table of each option, or ``OPEN``.
        added: the row for the first final card that a watcher adds; the others follow.
        values: float64[players, profiles], in and out.
        totals: float64[profiles], likewise, of all seats together.
    """
    n = seats.shape[0]
    size = np.uint32(tables.shape[2])
    # As many profiles at once as differ in the options of the last seats only.
    chunk = 1
    for seat in range(max(0, n - 2), n):
        chunk *= seats[seat, OPTIONS]
    begins = np.empty(chunk, np.uint32)
    unknown = np.uint32(0xFFFFFFFF)
    for seat in range(n):
        own = values[seats[seat, OWNER]]
        effects = numbers[seat]
        hand_values = tables[seat].reshape(-1)
        options = seats[seat, OPTIONS]
        finals = np.uint32(seats[seat, FINALS])
        block, stride = 1, np.uint32(1)
        for other in range(seat + 1, n):
            block *= seats[other, OPTIONS]
            stride = np.uint32(stride * np.uint32(seats[other, FINALS]))
        for first in range(0, cells.shape[0], chunk):
            # The options of the last seats are the same in every chunk, the others' throughout one.
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
                worth = hand_values[np.uint32(begin + effects[cell])]
                into[place] += worth
                total[place] += worth


@kernel(
    "void(int64[::1], uint32[::1], uint32[:, ::1], float64[:, :, ::1], int64[:, ::1],"
    " int64[:, ::1], int64, float64[:, ::1], float64[::1])"
)
def add_profile_values(profiles, cells, numbers, tables, seats, rows, added, values, totals):
    """The same for some profiles with these final cards.

    Args:
        profiles: int64[k]; fastest where each is the one before.
        cells: uint32[k].
        values: float64[players, k], in and out.
        totals: float64[k], likewise.
    """
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
            worth = tables[seat, row, numbers[seat, cell]]
            values[seats[seat, OWNER], which] += worth
            totals[which] += worth

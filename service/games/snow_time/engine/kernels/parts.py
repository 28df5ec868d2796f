"""Split a player's share of the win into parts: spaces, cards, the race, the others, the end.

``docs/comparisons.md`` has the equations.  The parts of a result sum to the share after it minus
the share before the round, which is the same for all moves.

The parts of a result are sums of products of a seat's change, which depends on the seat's line
and on the effect of the cell, and of the inverse of the sum of all potentials.  So the kernels sum
the inverses first and multiply each change once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from service.compiling import kernel, record
from service.games.snow_time.engine.kernels.effects import OWNER, SCORE
from service.games.snow_time.engine.kernels.rounds import (
    ARRIVED_SHIFT,
    KIND_BITS,
    KIND_MASK,
    KINDS,
    SEATS_MASK,
)

CHAMPIONS, WATCHER, BLIZZARD, RACE = 4, 5, 6, 7
OTHERS_SPACES, OTHERS_CARDS, END, PARTS = 8, 9, 10, 11
"""Parts after the own spaces of each kind, and the number of all parts."""
AFTER, SPACES, CARDS, ONLY_RACE, ONLY_WATCHER, ONLY_BLIZZARD, COLUMNS = range(7)
"""Columns of the table of a seat: its potential after the round, and the changes of the potential
that are due to spaces, cards, the race, the watcher and the blizzard.  Watcher and blizzard are
contained in the cards.
"""
NEARLY_ZERO = 1e-5
"""Below it, the arithmetic mean replaces the logarithmic one; they agree to 1e-11."""


class Changes(NamedTuple):
    """What the cells of one position change for each seat.

    Attributes:
        before: float64[n], the potentials before the round.
        numbers: uint32[n, cells], the effect of every cell on every seat.
        tables: float64[n, rows, effects, columns], see :func:`tabulate_changes`.
    """

    before: Any
    numbers: Any
    tables: Any


CHANGES = record(
    Changes, before="float64[::1]", numbers="uint32[:, ::1]", tables="float64[:, :, :, ::1]"
)


@kernel(
    "void(int64[:, ::1], int64[:, :, ::1], int64[::1], int64, float64[:, ::1], float64[:, ::1],"
    " float64[::1], float64[:, ::1], float64[:, :, :, ::1])"
)
def tabulate_changes(
    seats, classes, classes_before, width, potentials, hands, paces, hand_logs, tables
):
    """Tabulate what changes the potential of each seat.

    Potentials are relative to the leader's space before the round, also after it.

    Args:
        seats: int64[n, 6], see the columns of ``effects``.
        classes: int64[n, rows, 2], the class of the hand after the round, if the champion falls
            and if it returns.
        classes_before: int64[n], the class of the hand before the round.
        width: larger than the spaces that any seat gains.
        potentials, hands, paces, hand_logs: the evaluator, see ``evaluation.EvaluatorTables``.
        tables: float64[n, rows, effects, columns], out.  An effect is (spaces that the leader's
            space moves × width + spaces gained) × 2 + whether the champion returns.
    """
    last = potentials.shape[0] - 1
    start = 0
    for seat in range(seats.shape[0]):
        start = max(start, seats[seat, SCORE])
    old_logs = hand_logs[start]
    for seat in range(tables.shape[0]):
        score, old = seats[seat, SCORE], classes_before[seat]
        before = potentials[start, score] * hands[start, old]
        for effect in range(tables.shape[2]):
            leader, moved = start + effect // 2 // width, effect // 2 % width
            space = min(last, score + moved)
            new_logs = hand_logs[leader]
            scale = 1.0 / potentials[leader, start]
            spaces = 0.5 * (paces[start] + paces[leader]) * moved
            faster = (paces[leader] - paces[start]) * (0.5 * (score + space) - start)
            for row in range(tables.shape[1]):
                into = tables[seat, row, effect]
                new = classes[seat, row, effect & 1]
                cards = 0.5 * (old_logs[new] - old_logs[old] + new_logs[new] - new_logs[old])
                race = 0.5 * (new_logs[old] - old_logs[old] + new_logs[new] - old_logs[new])
                race += faster
                after = potentials[leader, space] * hands[leader, new] * scale
                # The logarithmic mean turns changes of the logarithm into those of the potential.
                logs = spaces + cards + race
                mean = 0.5 * (before + after)
                if not -NEARLY_ZERO < logs < NEARLY_ZERO:
                    mean = (after - before) / logs
                into[AFTER], into[SPACES] = after, mean * spaces
                into[CARDS], into[ONLY_RACE] = mean * cards, mean * race
                # Bits 0 and 1 of a class are the watcher and the blizzard, see ``hand_classes``.
                spent = old & ~new
                for bit in range(2):
                    card = old_logs[0] - old_logs[1 << bit] + new_logs[0] - new_logs[1 << bit]
                    into[ONLY_WATCHER + bit] = mean * 0.5 * card if spent >> bit & 1 else 0.0


@kernel("void(float64[::1], float64, int64, int64)")
def add_spaces(into, weight, moved, points):
    """Add the spaces that one of the asker's seats moved, by kind of point.

    Args:
        into: float64[parts], in and out.
        weight: of a space.
        moved: the number of spaces.
        points: the seat's points by kind, see ``rounds.fill_cells``.
    """
    left = moved
    for kind in range(KINDS):
        # A marker that arrives does not move further: its last points count less.
        step = min(left, points >> (KIND_BITS * kind) & KIND_MASK)
        into[kind] += weight * step
        left -= step


@kernel("void(float64[::1], float64, float64, int64, int64[:, ::1], uint8[::1], int32[::1])")
def add_payoff_in_spaces(into, mass, opponent_weight, asker, seats, gained, points):
    """Add the spaces that the asker gains in a cell, and those of the others.

    Args:
        into: float64[parts], in and out.
        mass: the probability of the cell.
        opponent_weight: of the others' spaces.
        asker: the player.
        seats: int64[n, 6], see the columns of ``effects``.
        gained, points: of the cell, by seat; see ``rounds.fill_cells``.
    """
    others = np.int64(0)
    for seat in range(seats.shape[0]):
        moved = np.int64(gained[seat])
        if seats[seat, OWNER] != asker:
            others += moved
        elif moved:
            add_spaces(into, mass, moved, np.int64(points[seat]))
    into[OTHERS_SPACES] -= mass * opponent_weight * others


@kernel("void(float64[::1], int64, float64[:, :, ::1], float64[:, :, :, ::1], int64[:, ::1])")
def add_weighted_changes(into, asker, weights, tables, seats):
    """Add all changes but those by the asker's spaces.

    Args:
        into: float64[parts], in and out.
        asker: the player.
        weights: float64[n, rows, effects], of the changes.
        tables: see :func:`tabulate_changes`.
        seats: int64[n, 6], see the columns of ``effects``.
    """
    for seat in range(weights.shape[0]):
        for row in range(weights.shape[1]):
            for number in range(weights.shape[2]):
                weight = weights[seat, row, number]
                if weight == 0.0:
                    continue
                entry = tables[seat, row, number]
                if seats[seat, OWNER] == asker:
                    specials = entry[ONLY_WATCHER] + entry[ONLY_BLIZZARD]
                    into[WATCHER] += weight * entry[ONLY_WATCHER]
                    into[BLIZZARD] += weight * entry[ONLY_BLIZZARD]
                    into[CHAMPIONS] += weight * (entry[CARDS] - specials)
                    into[RACE] += weight * entry[ONLY_RACE]
                else:
                    into[OTHERS_SPACES] -= weight * entry[SPACES]
                    into[OTHERS_CARDS] -= weight * entry[CARDS]
                    into[RACE] -= weight * entry[ONLY_RACE]


@kernel("float64(int64, int64[:, ::1], int64)")
def won_share(mark, seats, asker):
    """Return the asker's share of the win in a cell in which the game ends."""
    arrived = mark >> ARRIVED_SHIFT & SEATS_MASK
    won, winners = 0.0, 0
    for seat in range(seats.shape[0]):
        twin = seat > 0 and seats[seat - 1, OWNER] == seats[seat, OWNER]
        if arrived >> seat & 1 and not (twin and arrived >> (seat - 1) & 1):
            winners += 1
            if seats[seat, OWNER] == asker:
                won = 1.0
    return won / winners


@kernel("UniTuple(float64, 2)(float64[::1], int64[:, ::1], int64)")
def sides(potentials, seats, asker):
    """Return the sums of the potentials of the asker's seats and of all others.

    Args:
        potentials: float64[n].
        seats: int64[n, 6], see the columns of ``effects``.
        asker: the player.
    """
    own, others = 0.0, 0.0
    for seat in range(seats.shape[0]):
        if seats[seat, OWNER] == asker:
            own += potentials[seat]
        else:
            others += potentials[seat]
    return own, others

"""Split a player's share of the win into parts: spaces, cards, the race, the others, the end.

``docs/comparisons.md`` has the equations.  A *leaf* is a profile, the cell that it leads to, and
its probability.  The parts of a leaf sum to the share after it minus the share before the round,
which is the same for all moves.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snow_time.engine.kernels.effects import FINALS, OPEN, OPTIONS, OWNER, SCORE
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
AFTER, MEAN, SPACES, CARDS, ONLY_RACE, ONLY_WATCHER, ONLY_BLIZZARD, COLUMNS = range(8)
"""Columns of the table of a seat: its potential after the round, the logarithmic mean of its
potentials, and that mean times the changes of the logarithm that are due to spaces, cards, the
race, the watcher and the blizzard.
"""
NEARLY_ZERO = 1e-5
"""Below it, means replace quotients of small differences; both then agree to 1e-11."""

_LN2 = 0.6931471805599453
_SQRT2 = 1.4142135623730951
_COEFFICIENTS = np.array([1.0 / (2 * term + 1) for term in range(9, -1, -1)])
"""Of the series of the logarithm, the highest power first; the next term is below 1e-16."""


@kernel("float64(float64)")
def logarithm(x):
    """Return ln(x) for x > 0; relative error about 1e-15.

    It uses only + − × ÷ and therefore gives the same bits on every machine.
    """
    doublings = 0
    while x > _SQRT2:
        x *= 0.5
        doublings += 1
    while x * _SQRT2 < 1.0:
        x *= 2.0
        doublings -= 1
    z = (x - 1.0) / (x + 1.0)
    square = z * z
    total = 0.0
    for coefficient in _COEFFICIENTS:
        total = total * square + coefficient
    return 2.0 * z * total + doublings * _LN2


@kernel("float64(float64, float64, float64)")
def logarithmic_mean(before, after, logs):
    """Return (after - before) / ln(after / before), given the logarithm."""
    if -NEARLY_ZERO < logs < NEARLY_ZERO:
        return 0.5 * (before + after)
    return (after - before) / logs


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
        seats: int64[n, 5], see the columns of ``effects``.
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
                mean = logarithmic_mean(before, after, spaces + cards + race)
                into[AFTER], into[MEAN], into[SPACES] = after, mean, mean * spaces
                into[CARDS], into[ONLY_RACE] = mean * cards, mean * race
                # Bits 0 and 1 of a class are the watcher and the blizzard, see ``hand_classes``.
                spent = old & ~new
                for bit in range(2):
                    card = old_logs[0] - old_logs[1 << bit] + new_logs[0] - new_logs[1 << bit]
                    into[ONLY_WATCHER + bit] = mean * 0.5 * card if spent >> bit & 1 else 0.0


@kernel(
    "void(int64[::1], int32[::1], float64[::1], int64[::1], int64[:, ::1], int64[:, ::1], int64,"
    " int64, float64[::1], int64, float64[:, :, :, ::1], uint8[:, ::1], int32[:, ::1], int32[::1],"
    " float64[::1], float64[:, ::1])"
)
def add_share_parts(
    profiles,
    cells,
    chances,
    moves,
    seats,
    rows,
    added,
    asker,
    before,
    width,
    tables,
    gained,
    points,
    marks,
    paces,
    out,
):
    """Add the parts of the shares of leaves.

    Args:
        profiles: int64[k], one option of each seat, the last seat varying fastest; fastest if
            equal ones follow each other.
        cells: int32[k].
        chances: float64[k].
        moves: int64[k], the row in ``out`` of each leaf.
        seats: int64[n, 5], see the columns of ``effects``; the seats of a player are neighbours.
        rows: int64[n, most options], the table row of each option, or ``OPEN``.
        added: the table row of the first final card that a watcher adds; the others follow.
        asker: the player.
        before: float64[n], the potentials before the round.
        width, tables: see :func:`tabulate_changes`.
        gained, points, marks: of every cell, see ``rounds.fill_cells``.
        paces: see ``evaluation.EvaluatorTables``.
        out: float64[moves, parts], in and out: own spaces of each kind, then the parts above.
    """
    n = seats.shape[0]
    strides = np.ones(n, np.int64)
    for seat in range(n - 2, -1, -1):
        strides[seat] = strides[seat + 1] * seats[seat + 1, FINALS]
    start = 0
    mine = np.empty(n, np.bool_)
    own_before, others_before = 0.0, 0.0
    for seat in range(n):
        start = max(start, seats[seat, SCORE])
        mine[seat] = seats[seat, OWNER] == asker
        if mine[seat]:
            own_before += before[seat]
        else:
            others_before += before[seat]
    share_before = own_before / (own_before + others_before)
    own_rows = np.zeros(n, np.int64)
    moved = np.empty(n, np.int64)
    known = -1
    for leaf in range(profiles.shape[0]):
        cell, chance = np.int64(cells[leaf]), chances[leaf]
        into = out[moves[leaf]]
        mark = marks[cell]
        if profiles[leaf] != known:
            known = profiles[leaf]
            rest = known
            for seat in range(n - 1, -1, -1):
                own_rows[seat] = rows[seat, rest % seats[seat, OPTIONS]]
                rest //= seats[seat, OPTIONS]
        leader = start
        for seat in range(n):
            moved[seat] = gained[cell, seat]
            leader = max(leader, seats[seat, SCORE] + moved[seat])
        # The others' sums, and the asker's: potentials, then means times changes.
        others_after, own_after = 0.0, 0.0
        spaces, cards, race = 0.0, 0.0, 0.0
        own_cards, own_race, watcher, blizzard = 0.0, 0.0, 0.0, 0.0
        for seat in range(n):
            row = own_rows[seat]
            if row == OPEN:
                row = added + cell // strides[seat] % seats[seat, FINALS]
            effect = ((leader - start) * width + moved[seat]) * 2 + (mark >> seat & 1)
            entry = tables[seat, row, effect]
            if mine[seat]:
                own_after += entry[AFTER]
                own_cards += entry[CARDS]
                own_race += entry[ONLY_RACE]
                watcher += entry[ONLY_WATCHER]
                blizzard += entry[ONLY_BLIZZARD]
            else:
                others_after += entry[AFTER]
                spaces += entry[SPACES]
                cards += entry[CARDS]
                race += entry[ONLY_RACE]
        share_after = own_after / (own_after + others_after)
        own_change = logarithm(own_after / own_before)
        others_change = logarithm(others_after / others_before)
        odds = own_change - others_change
        slope = 0.5 * (share_before + share_after)
        slope *= 1.0 - slope
        if not -NEARLY_ZERO < odds < NEARLY_ZERO:
            slope = (share_after - share_before) / odds
        own_weight = chance * slope / logarithmic_mean(own_before, own_after, own_change)
        weight = chance * slope / logarithmic_mean(others_before, others_after, others_change)
        into[OTHERS_SPACES] -= weight * spaces
        into[OTHERS_CARDS] -= weight * cards
        into[RACE] += own_weight * own_race - weight * race
        into[WATCHER] += own_weight * watcher
        into[BLIZZARD] += own_weight * blizzard
        into[CHAMPIONS] += own_weight * (own_cards - watcher - blizzard)
        pace = 0.5 * (paces[start] + paces[leader])
        for seat in range(n):
            left = moved[seat]
            if mine[seat] and left:
                row = own_rows[seat]
                if row == OPEN:
                    row = added + cell // strides[seat] % seats[seat, FINALS]
                effect = ((leader - start) * width + left) * 2 + (mark >> seat & 1)
                mean = tables[seat, row, effect, MEAN]
                # A marker that arrives does not move further: its last points count less.
                for kind in range(KINDS):
                    step = min(left, points[cell, seat] >> (KIND_BITS * kind) & KIND_MASK)
                    left -= step
                    into[kind] += own_weight * mean * pace * step
        arrived = mark >> ARRIVED_SHIFT & SEATS_MASK
        if arrived:
            won, winners = 0.0, 0
            for seat in range(n):
                twin = seat > 0 and seats[seat - 1, OWNER] == seats[seat, OWNER]
                if arrived >> seat & 1 and not (twin and arrived >> (seat - 1) & 1):
                    winners += 1
                    if mine[seat]:
                        won = 1.0
            into[END] += chance * (won / winners - share_after)

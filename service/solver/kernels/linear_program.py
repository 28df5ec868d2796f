"""Compiled linear programs in small steps of strategies; see ``equilibrium/sequential_lp.py``.

Ours because library solvers (BLAS) give other bits on other machines; answers must not differ.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel

_NOTHING = 1e-11
"""Gains and room to move that are but rounding."""
_FLAT = 1e-9
"""Slopes that are, which no variable is exchanged by."""


@kernel(
    "void(int64[::1], int64[::1], float64[::1], float64[::1], float64[:, ::1], float64[:, ::1])"
)
def advantages(shape, symmetry_classes, strategies, values, slopes, changes):
    """How each move's advantage over what its player gets changes with steps of the players.

    Args:
        shape, alike, strategies, values, slopes: see :func:`step`.
        changes: float64[moves, moves], out: by the move and the step, which the first of players
            who are alike takes for all of them; nothing for the others.
    """
    players = shape.shape[0]
    starts = np.zeros(players + 1, np.int64)
    for player in range(players):
        starts[player + 1] = starts[player] + shape[player]
    changes[:] = 0.0
    for player in range(players):
        if symmetry_classes[player] != player:
            continue
        for other in range(players):
            for place in range(shape[other]):
                column, into = starts[other] + place, starts[symmetry_classes[other]] + place
                mean = 0.0
                for row in range(starts[player], starts[player + 1]):
                    mean += strategies[row] * slopes[row, column]
                if other == player:
                    mean += values[column]
                for row in range(starts[player], starts[player + 1]):
                    changes[row, into] += slopes[row, column] - mean


@kernel("void(float64[:, ::1], float64[::1], int64, int64)")
def exchange(table, gains, row, column):
    """Lets the variables of a row and a column change places.

    Args:
        table: float64[rows, columns], in and out: how a row's variable follows a column's.
        gains: float64[columns], in and out: of what is sought, for each unit of a column's.
    """
    pivot = 1.0 / table[row, column]
    for place in range(gains.shape[0]):
        table[row, place] *= -pivot
    table[row, column] = pivot
    for other in range(table.shape[0]):
        factor = table[other, column]
        if other != row and factor != 0.0:
            table[other, column] = 0.0
            for place in range(gains.shape[0]):
                table[other, place] += factor * table[row, place]
    factor = gains[column]
    gains[column] = 0.0
    for place in range(gains.shape[0]):
        gains[place] += factor * table[row, place]


@kernel(
    "void(float64[:, ::1], float64[::1], int64[::1], int64[::1], float64[::1], float64[::1],"
    " float64[::1], int64)"
)
def climb(table, gains, inside, outside, at, low, high, pivots):
    """The simplex method on variables between bounds (Dantzig 1963, *Linear Programming and
    Extensions*, chapter 18), from values within them; those of columns need not be at one.

    Args:
        table, gains: see :func:`exchange`.
        inside, outside: int64[rows] and int64[columns], in and out, the variables there.
        at: float64[variables], in and out, their values.
        low, high: float64[variables], their bounds.
        pivots: steps at most.
    """
    for _ in range(pivots):
        entering, most = -1, _NOTHING
        for column in range(gains.shape[0]):
            variable, gain = outside[column], gains[column]
            room = high[variable] - at[variable] if gain > 0.0 else at[variable] - low[variable]
            if abs(gain) > most and room > _NOTHING:
                entering, most = column, abs(gain)
        if entering < 0:
            break
        variable, upwards = outside[entering], gains[entering] > 0.0
        length = high[variable] - at[variable] if upwards else at[variable] - low[variable]
        leaving, steepest = -1, 0.0
        for row in range(inside.shape[0]):
            rate = table[row, entering] if upwards else -table[row, entering]
            if abs(rate) > _FLAT:
                follower = inside[row]
                bound = high[follower] if rate > 0.0 else low[follower]
                room = max(0.0, (bound - at[follower]) / rate)
                if room < length or (room == length and leaving >= 0 and abs(rate) > steepest):
                    leaving, steepest, length = row, abs(rate), room
        if length == np.inf:
            break
        moved = length if upwards else -length
        for row in range(inside.shape[0]):
            at[inside[row]] += moved * table[row, entering]
        at[variable] += moved
        if leaving < 0:
            at[variable] = high[variable] if upwards else low[variable]
            continue
        follower = inside[leaving]
        rising = table[leaving, entering] > 0.0
        at[follower] = high[follower] if rising == upwards else low[follower]
        inside[leaving], outside[entering] = variable, follower
        exchange(table, gains, leaving, entering)


@kernel(
    "void(int64[::1], int64[::1], float64[::1], float64[::1], float64[:, ::1], float64[::1],"
    " float64, float64, float64, float64, int64, float64[::1])"
)
def step(
    shape,
    symmetry_classes,
    strategies,
    values,
    slopes,
    prior_values,
    price,
    slack,
    fine,
    radius,
    pivots,
    nearby,
):
    """The best strategies nearby, if everything went on as it begins.

    What is best is what is liked, less the price of every player's gap, and a fine for the part of
    a gap that is beyond the slack.  The method starts from the strategies themselves, so that
    wherever it ends there is something no worse, as far as the slopes tell.

    Args:
        shape: int64[players], moves of each.
        alike: int64[players], the first player with the same game; its steps are taken together.
        strategies: float64[sum of shape].
        values: float64[sum of shape], what each move is worth against them.
        slopes: float64[moves, moves], how that changes with what each other player plays.
        liking: float64[sum of shape].
        price, fine: of a unit of a gap, and of one beyond the slack in addition.
        radius: how far any probability may move.
        pivots: of the simplex method, at most.
        nearby: float64[sum of shape], out.
    """
    players, moves = shape.shape[0], strategies.shape[0]
    starts = np.zeros(players + 1, np.int64)
    times, size = np.zeros(players, np.int64), 0
    for player in range(players):
        starts[player + 1] = starts[player] + shape[player]
        times[symmetry_classes[player]] += 1
        if symmetry_classes[player] == player and shape[player] > 1:
            size += shape[player] + 1
    changes = np.empty((moves, moves))
    advantages(shape, symmetry_classes, strategies, values, slopes, changes)
    # Variables: steps of moves, what moves fall short of the best by, then each player's gap as far
    # as it is within the slack, and what of it is beyond.  Half of them follow from the others:
    # they stand in rows and those in columns, a block for each player.
    count = 2 * moves + 2 * players
    at, weight = np.zeros(count), np.zeros(count)
    low, high = np.zeros(count), np.full(count, np.inf)
    inside, outside = np.empty(size, np.int64), np.empty(size, np.int64)
    likeliest, best = np.empty(moves, np.int64), np.empty(players, np.int64)
    base = 0
    for player in range(players):
        if symmetry_classes[player] != player or shape[player] == 1:
            continue
        first, last = starts[player], starts[player + 1]
        expected, lead, top = 0.0, first, first
        for move in range(first, last):
            expected += strategies[move] * values[move]
            if strategies[move] > strategies[lead]:
                lead = move
            if values[move] > values[top]:
                top = move
        best[player] = top
        for move in range(first, last):
            likeliest[move] = lead
            low[move] = max(-radius, -strategies[move])
            high[move] = min(radius, 1.0 - strategies[move])
            weight[move] = times[player] * prior_values[move]
            at[moves + move] = values[top] - values[move]
        within, beyond = 2 * moves + player, 2 * moves + players + player
        epsilon = max(0.0, values[top] - expected)
        at[within], at[beyond] = min(epsilon, slack), max(0.0, epsilon - slack)
        high[within] = slack
        weight[within] = -times[player] * price
        weight[beyond] = -times[player] * (price + fine)
        inside[base], outside[base + 1] = lead, moves + top
        inside[base + 1], outside[base] = (within, beyond) if epsilon <= slack else (beyond, within)
        row, column = base + 2, base + 2
        for move in range(first, last):
            if move != top:
                inside[row] = moves + move
                row += 1
            if move != lead:
                outside[column] = move
                column += 1
        base = row
    table, gains = np.zeros((size, size)), np.empty(size)
    base = 0
    for player in range(players):
        if symmetry_classes[player] != player or shape[player] == 1:
            continue
        end, top = base + shape[player] + 1, best[player]
        for column in range(size):
            move = outside[column]
            if move < moves:
                # A move's step is the likeliest one's the other way; the gap keeps up with the
                # best move, and what others fall short by is what is left to it.
                lead = likeliest[move]
                if lead == inside[base]:
                    table[base, column] = -1.0
                rise = changes[top, move] - changes[top, lead]
                table[base + 1, column] = rise
                for row in range(base + 2, end):
                    other = inside[row] - moves
                    table[row, column] = rise - (changes[other, move] - changes[other, lead])
        # One part of the gap makes up for the other.
        table[base + 1, base] = -1.0
        for row in range(base + 1, end):
            table[row, base + 1] = 1.0
        base = end
    for column in range(size):
        gains[column] = weight[outside[column]]
        for row in range(size):
            gains[column] += weight[inside[row]] * table[row, column]
    climb(table, gains, inside, outside, at, low, high, pivots)
    for player in range(players):
        total = 0.0
        for place in range(shape[player]):
            move = starts[player] + place
            nearby[move] = max(0.0, strategies[move] + at[starts[symmetry_classes[player]] + place])
            total += nearby[move]
        for move in range(starts[player], starts[player + 1]):
            nearby[move] /= total

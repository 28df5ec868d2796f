"""Compiled linear programs for small changes of strategies; see ``equilibrium/sequential_lp.py``.

Library solvers (BLAS) give different bits on different machines.  Results must not differ, so this
is an own implementation.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from service.compiling import kernel, record

_NOTHING = 1e-11
"""Gains and distances to a bound up to this are rounding errors."""
_FLAT = 1e-9
"""Slopes up to this are rounding errors and cannot be pivots."""


@kernel(
    "void(int64[::1], int64[::1], float64[::1], float64[::1], float64[:, ::1], float64[:, ::1])"
)
def advantages(shape, symmetry_classes, strategies, values, slopes, changes):
    """Compute how each action's advantage over the player's expected value changes with steps.

    Args:
        shape, symmetry_classes, strategies, values, slopes: see :func:`step`.
        changes: float64[actions, actions], out: by action and step.  Symmetric players take the
            steps of the first one together; the entries of the others are 0.
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
    """Exchange the variables of a row and a column (a pivot step).

    Args:
        table: float64[rows, columns], in and out: how a row's variable depends on a column's.
        gains: float64[columns], in and out: change of the objective per unit of a column's
            variable.
        row, column: of the pivot.
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
    """Run the bounded simplex method from feasible values.

    See Dantzig 1963, *Linear Programming and Extensions*, chapter 18.  The variables of columns
    need not be at a bound.

    Args:
        table, gains: see :func:`exchange`.
        inside: int64[rows], in and out, the variables of rows.
        outside: int64[columns], in and out, the variables of columns.
        at: float64[variables], in and out, their values.
        low, high: float64[variables], their bounds.
        pivots: maximum number of steps.
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


class Objective(NamedTuple):
    """What is maximized.

    Attributes:
        prior_values: float64[sum of shape], of each action against the priors.
        price: penalty for a unit of epsilon.
        slack: the epsilon above which there is an additional penalty.
        fine: additional penalty for a unit of epsilon above the slack.
    """

    prior_values: Any
    price: Any
    slack: Any
    fine: Any


class Variables(NamedTuple):
    """The variables of the linear program: half of them depend on the others.

    They are the steps of actions, the distances of actions from the best one, then each player's
    epsilon within the slack and beyond it.

    Attributes:
        at, weight, low, high: float64[variables], their values, weights and bounds.
        inside: int64[size], the dependent variables, by row; a block for each player.
        outside: int64[size], the others, by column.
        likeliest: int64[actions], the likeliest action of the player.
        best: int64[players], the best action.
    """

    at: Any
    weight: Any
    low: Any
    high: Any
    inside: Any
    outside: Any
    likeliest: Any
    best: Any


OBJECTIVE = record(
    Objective, prior_values="float64[::1]", price="float64", slack="float64", fine="float64"
)
VARIABLES = record(
    Variables, at="float64[::1]", weight="float64[::1]", low="float64[::1]", high="float64[::1]",
    inside="int64[::1]", outside="int64[::1]", likeliest="int64[::1]", best="int64[::1]",
)  # fmt: skip


@kernel(
    f"void(int64[::1], int64[::1], int64[::1], float64[::1], float64[::1], {OBJECTIVE}, float64,"
    f" int64[::1], {VARIABLES})"
)
def _set_variables(
    shape, symmetry_classes, starts, strategies, values, objective, radius, times, variables
):
    """Fill in the variables at the start: no steps.

    Args:
        starts: int64[players + 1], the first action of each player.
        times: int64[players], number of players with the same game.
        variables: out.

    The other arguments are those of :func:`step`.
    """
    players, moves = shape.shape[0], strategies.shape[0]
    at, weight, low, high, inside, outside, likeliest, best = variables
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
            weight[move] = times[player] * objective.prior_values[move]
            at[moves + move] = values[top] - values[move]
        within, beyond = 2 * moves + player, 2 * moves + players + player
        epsilon = max(0.0, values[top] - expected)
        at[within], at[beyond] = min(epsilon, objective.slack), max(0.0, epsilon - objective.slack)
        high[within] = objective.slack
        weight[within] = -times[player] * objective.price
        weight[beyond] = -times[player] * (objective.price + objective.fine)
        inside[base], outside[base + 1] = lead, moves + top
        inside[base + 1], outside[base] = (
            (within, beyond) if epsilon <= objective.slack else (beyond, within)
        )
        row, column = base + 2, base + 2
        for move in range(first, last):
            if move != top:
                inside[row] = moves + move
                row += 1
            if move != lead:
                outside[column] = move
                column += 1
        base = row


@kernel(f"void(int64[::1], int64[::1], float64[:, ::1], {VARIABLES}, float64[:, ::1])")
def _fill_table(shape, symmetry_classes, changes, variables, table):
    """Fill in how the dependent variables change with the others.

    Args:
        changes: see :func:`advantages`.
        table: float64[size, size], zeroed on entry, out.
    """
    players, moves = shape.shape[0], changes.shape[0]
    size, inside, outside = table.shape[0], variables.inside, variables.outside
    likeliest, best = variables.likeliest, variables.best
    base = 0
    for player in range(players):
        if symmetry_classes[player] != player or shape[player] == 1:
            continue
        end, top = base + shape[player] + 1, best[player]
        for column in range(size):
            move = outside[column]
            if move < moves:
                # A step of an action is balanced by the likeliest action.  Epsilon follows the
                # best action, and the distance of the others is the difference to it.
                lead = likeliest[move]
                if lead == inside[base]:
                    table[base, column] = -1.0
                rise = changes[top, move] - changes[top, lead]
                table[base + 1, column] = rise
                for row in range(base + 2, end):
                    other = inside[row] - moves
                    table[row, column] = rise - (changes[other, move] - changes[other, lead])
        # The two parts of epsilon compensate each other.
        table[base + 1, base] = -1.0
        for row in range(base + 1, end):
            table[row, base + 1] = 1.0
        base = end


@kernel(
    f"void(int64[::1], int64[::1], float64[::1], float64[::1], float64[:, ::1], {OBJECTIVE},"
    " float64, int64, float64[::1])"
)
def step(shape, symmetry_classes, strategies, values, slopes, objective, radius, pivots, nearby):
    """Compute the best strategies nearby, if everything changed linearly.

    The objective is the value against the priors minus a price for each player's epsilon and
    a fine for the part of epsilon above the slack.  The method starts at the given strategies,
    so that the result is never worse, as far as the linear model is right.

    Args:
        shape: int64[players], number of actions.
        symmetry_classes: int64[players], the first player with the same game; symmetric players
            take their steps together.
        strategies: float64[sum of shape].
        values: float64[sum of shape], of each action against these strategies.
        slopes: float64[actions, actions], how the values change with the others' strategies.
        objective: what is maximized.
        radius: limit on the change of any probability.
        pivots: maximum number of steps of the simplex method.
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
    count = 2 * moves + 2 * players
    at, weight = np.zeros(count), np.zeros(count)
    low, high = np.zeros(count), np.full(count, np.inf)
    inside, outside = np.empty(size, np.int64), np.empty(size, np.int64)
    likeliest, best = np.empty(moves, np.int64), np.empty(players, np.int64)
    variables = Variables(at, weight, low, high, inside, outside, likeliest, best)
    _set_variables(
        shape, symmetry_classes, starts, strategies, values, objective, radius, times, variables
    )
    table, gains = np.zeros((size, size)), np.empty(size)
    _fill_table(shape, symmetry_classes, changes, variables, table)
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

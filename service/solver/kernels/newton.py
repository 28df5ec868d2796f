"""Compiled equations of Newton's method on games in normal form; see ``equilibrium/newton.py``.

Library solvers (LAPACK) give different bits on different machines.  Results must not differ, so
this is an own implementation.
"""

from __future__ import annotations

import math

import numpy as np

from service.compiling import kernel

_CORNER = 0.5**0.5 - 1.0
"""A slope of Fischer's equation at the point where both terms are zero."""
_SINGULAR = 1e-13
"""With a smaller pivot the linear equations count as singular."""


@kernel("void(float64[:, ::1], int64[::1], float64[::1], float64[:, ::1])")
def differentiate(payoffs, shape, strategies, slopes):
    """Compute how action values change with the others' strategies.

    Args:
        payoffs: float64[players, profiles], the last player's action changing fastest.
        shape: int64[players].
        strategies: float64[sum of shape].
        slopes: float64[actions, actions], out: the value of an action against each action of each
            other player.
    """
    players = shape.shape[0]
    moves = strategies.shape[0]
    starts = np.zeros(players, np.int64)
    for player in range(1, players):
        starts[player] = starts[player - 1] + shape[player - 1]
    for row in range(moves):
        for column in range(moves):
            slopes[row, column] = 0.0
    strides = np.ones(players, np.int64)
    for player in range(players - 2, -1, -1):
        strides[player] = strides[player + 1] * shape[player + 1]
    # Pairs of players, and the others of each.
    pairs = players * (players - 1) // 2
    ones, twos = np.empty(pairs, np.int64), np.empty(pairs, np.int64)
    others = np.empty((pairs, players - 2), np.int64)
    pair = 0
    for player in range(players):
        for other in range(player + 1, players):
            ones[pair], twos[pair] = player, other
            place = 0
            for third in range(players):
                if third != player and third != other:
                    others[pair, place] = third
                    place += 1
            pair += 1
    move = np.zeros(players, np.int64)
    played = np.empty(players, np.float64)
    never = np.zeros(players, np.int64)
    rows = starts.copy()
    profile = 0
    while profile < payoffs.shape[1]:
        # A profile counts only if at most two players play an action of probability zero.  So
        # skip all profiles with more such actions among the first players.
        strange, last = 0, players - 1
        for player in range(players):
            rows[player] = starts[player] + move[player]
            played[player] = strategies[rows[player]]
            never[player] = played[player] == 0.0
            strange += never[player]
            if strange > 2:
                last = player
                break
        if strange <= 2:
            for pair in range(pairs):
                player, other = ones[pair], twos[pair]
                if never[player] + never[other] == strange:
                    chance = 1.0
                    for place in range(players - 2):
                        chance *= played[others[pair, place]]
                    one, two = rows[player], rows[other]
                    slopes[one, two] += chance * payoffs[player, profile]
                    slopes[two, one] += chance * payoffs[other, profile]
        profile += strides[last]
        for player in range(last, -1, -1):
            move[player] += 1
            if move[player] < shape[player]:
                break
            move[player] = 0


@kernel(
    "void(float64[:, ::1], int64[::1], float64[::1], float64[::1], float64[:, ::1],"
    " float64[:, ::1])"
)
def linearise(payoffs, shape, strategies, levels, slopes, system):
    """Compute the linear equations of one Newton step.

    Args:
        payoffs, shape, strategies, slopes: see :func:`differentiate`.
        levels: float64[players], the value of each player.
        system: float64[actions + players, actions + players + 1], out: slopes of the residuals,
            and in the last column their negatives.
    """
    players = shape.shape[0]
    moves = strategies.shape[0]
    size = moves + players
    starts = np.zeros(players, np.int64)
    for player in range(1, players):
        starts[player] = starts[player - 1] + shape[player - 1]
    differentiate(payoffs, shape, strategies, slopes)
    for row in range(size):
        for column in range(size + 1):
            system[row, column] = 0.0
    for player in range(players):
        total = 0.0
        for row in range(starts[player], starts[player] + shape[player]):
            # The slopes of each other player add up to the whole value.
            worth = 0.0
            for column in range(moves):
                worth += slopes[row, column] * strategies[column]
            short = levels[player] - worth / (players - 1)
            chance = strategies[row]
            length = math.sqrt(chance * chance + short * short)
            by_chance, by_short = _CORNER, _CORNER
            if length > 0.0:
                by_chance, by_short = chance / length - 1.0, short / length - 1.0
            for column in range(moves):
                system[row, column] = -by_short * slopes[row, column]
            system[row, row] += by_chance
            system[row, moves + player] = by_short
            system[row, size] = chance + short - length
            system[moves + player, row] = 1.0
            total += chance
        system[moves + player, size] = 1.0 - total


@kernel("boolean(float64[:, ::1])")
def eliminate(system):
    """Solve linear equations by Gaussian elimination with partial pivoting.

    Args:
        system: float64[n, n + 1], in; the solution is in the last column, out.

    Returns:
        False if the system is singular.
    """
    size = system.shape[0]
    for column in range(size):
        pivot = column
        for row in range(column + 1, size):
            if abs(system[row, column]) > abs(system[pivot, column]):
                pivot = row
        if abs(system[pivot, column]) <= _SINGULAR:
            return False
        if pivot != column:
            for place in range(column, size + 1):
                value = system[column, place]
                system[column, place] = system[pivot, place]
                system[pivot, place] = value
        for row in range(column + 1, size):
            factor = system[row, column] / system[column, column]
            if factor != 0.0:
                for place in range(column, size + 1):
                    system[row, place] -= factor * system[column, place]
    for row in range(size - 1, -1, -1):
        rest = system[row, size]
        for column in range(row + 1, size):
            rest -= system[row, column] * system[column, size]
        system[row, size] = rest / system[row, row]
    return True

"""Compiled equations of Newton's method on games in normal form; see ``equilibrium/newton.py``.

Ours because library solvers (LAPACK) give other bits on other machines; answers must not differ.
"""

from __future__ import annotations

import math

import numpy as np

from service.compiling import kernel

_CORNER = 0.5**0.5 - 1.0
"""A slope of Fischer's equation where both of its terms are nought."""
_SINGULAR = 1e-13
"""A pivot below which linear equations have no clear solution."""


@kernel("void(float64[:, ::1], int64[::1], float64[::1], float64[:, ::1])")
def differentiate(payoffs, shape, strategies, slopes):
    """How what moves are worth changes with what others play.

    Args:
        payoffs: float64[players, profiles], the last player's move turning fastest.
        shape: int64[players].
        strategies: float64[sum of shape].
        slopes: float64[moves, moves], out: what a move is worth against each of another player's.
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
        # Only with two who do what they never do, nobody else, does a profile count at all; so
        # all are passed over that have more of them among the first players.
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
    """The linear equations of a step of Newton's method.

    Args:
        payoffs, shape, strategies, slopes: see :func:`differentiate`.
        levels: float64[players], what each player gets.
        system: float64[moves + players, moves + players + 1], out: slopes of what is wrong, and
            in the last column its negative.
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
            # Each other player's slopes make up the whole worth.
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
    """Solves linear equations by Gauss, with the largest pivot of each column.

    Args:
        system: float64[n, n + 1], in; the solution comes to stand in the last column.

    Returns:
        Whether there is a clear one.
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
                kept = system[column, place]
                system[column, place] = system[pivot, place]
                system[pivot, place] = kept
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

"""Regret matching, compiled; see ``kernels/action_values.py``."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.solver.kernels.action_values import action_values, epsilon


@kernel("void(float64[::1], int64, int64)")
def normalize(weights, first, last):
    """Scale non-negative weights to sum 1; make them equal if all are zero."""
    total = 0.0
    for move in range(first, last):
        total += weights[move]
    for move in range(first, last):
        weights[move] = weights[move] / total if total > 0.0 else 1.0 / (last - first)


@kernel(
    "void(float64[:, :, ::1], int64[::1], int64[::1], int64[::1], boolean, float64[::1],"
    " float64[:, ::1], float64[:, ::1], float64[:, ::1], float64[::1])"
)
def regret_matching_plus(
    own_action_last,
    shape,
    symmetry_classes,
    windows,
    predictive,
    tolerances,
    current,
    regrets,
    best,
    epsilons,
):
    """Run regret matching plus on games of one shape, with simultaneous updates of all players.

    Candidates for the result are every iterate and the average over each window of iterates.  With
    ``predictive`` the latest
    regrets count twice (Farina, Kroer, Sandholm 2021, *Faster Game Solving via Predictive
    Blackwell Approachability*; without it, Tammelin 2014, *Solving Large Imperfect Information
    Games Using CFR+*).

    Args:
        own_action_last: float64[games, players, profiles].
        shape: int64[players].
        symmetry_classes: int64[players].
        windows: int64[windows], their numbers of iterates.
        predictive: see above.
        tolerances: float64[games]; a game with a candidate of this epsilon is skipped.
        current: float64[games, sum of shape], in and out, the iterates.
        regrets: float64[games, sum of shape], in and out.
        best: float64[games, sum of shape], in and out, the candidates with the smallest epsilon.
        epsilons: float64[games], in and out, of the candidates.
    """
    players = shape.shape[0]
    moves = current.shape[1]
    buffers = np.empty((2, own_action_last.shape[2]), np.float64)
    values = np.empty(moves, np.float64)
    average = np.empty(moves, np.float64)
    for game in range(own_action_last.shape[0]):
        payoffs = own_action_last[game]
        strategies = current[game]
        regret = regrets[game]
        for window in windows:
            for move in range(moves):
                average[move] = 0.0
            done = 0
            while done < window and epsilons[game] > tolerances[game]:
                action_values(payoffs, shape, symmetry_classes, strategies, buffers, values)
                current_epsilon = epsilon(shape, strategies, values)
                if current_epsilon < epsilons[game]:
                    epsilons[game] = current_epsilon
                    for move in range(moves):
                        best[game, move] = strategies[move]
                done += 1
                first = 0
                for player in range(players):
                    last = first + shape[player]
                    expected = 0.0
                    for move in range(first, last):
                        expected += strategies[move] * values[move]
                    for move in range(first, last):
                        average[move] += strategies[move]
                        instant = values[move] - expected
                        regret[move] = max(regret[move] + instant, 0.0)
                        strategies[move] = regret[move]
                        if predictive:
                            strategies[move] = max(regret[move] + instant, 0.0)
                    normalize(strategies, first, last)
                    first = last
            if done > 1 and epsilons[game] > tolerances[game]:
                for move in range(moves):
                    average[move] /= done
                action_values(payoffs, shape, symmetry_classes, average, buffers, values)
                current_epsilon = epsilon(shape, average, values)
                if current_epsilon < epsilons[game]:
                    epsilons[game] = current_epsilon
                    for move in range(moves):
                        best[game, move] = average[move]


@kernel("void(float64[:, :, ::1], int64[::1], int64[::1], int64, float64[:, ::1])")
def average_regret_matching(own_action_last, shape, symmetry_classes, iterations, averages):
    """Compute the average strategies under regret matching (Hart, Mas-Colell 2000).

    Args:
        own_action_last: float64[games, players, profiles].
        shape: int64[players].
        symmetry_classes: int64[players].
        iterations: with simultaneous updates of all players, from uniform strategies.
        averages: float64[games, sum of shape], out.
    """
    players = shape.shape[0]
    moves = averages.shape[1]
    buffers = np.empty((2, own_action_last.shape[2]), np.float64)
    values = np.empty(moves, np.float64)
    strategies, regrets = np.empty(moves, np.float64), np.empty(moves, np.float64)
    for game in range(own_action_last.shape[0]):
        average = averages[game]
        average[:] = 0.0
        strategies[:] = 0.0
        regrets[:] = 0.0
        first = 0
        for player in range(players):
            normalize(strategies, first, first + shape[player])
            first += shape[player]
        for _ in range(iterations):
            action_values(
                own_action_last[game], shape, symmetry_classes, strategies, buffers, values
            )
            first = 0
            for player in range(players):
                last = first + shape[player]
                expected = 0.0
                for move in range(first, last):
                    average[move] += strategies[move] / iterations
                    expected += strategies[move] * values[move]
                for move in range(first, last):
                    regrets[move] += values[move] - expected
                    strategies[move] = max(regrets[move], 0.0)
                normalize(strategies, first, last)
                first = last

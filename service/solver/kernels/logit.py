"""Logit responses and iterations towards them, compiled; see ``kernels/action_values.py``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from service.compiling import kernel, record
from service.solver.kernels.action_values import action_values, epsilon

_HALVES = np.array([2.0**-power for power in range(1075)])
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10


@kernel("float64(float64)")
def exponential(x):
    """Return exp(x) for x <= 0; relative error 1e-15.

    It uses only + − × ÷ and therefore gives the same bits on every machine.
    """
    halvings = np.int64(0.5 - x * 1.4426950408889634)
    if halvings >= 1075:
        return 0.0
    rest = (x + halvings * _LN2_HIGH) + halvings * _LN2_LOW
    # |rest| <= ln 2 / 2: the next term of the series is below 1e-18.
    total = 1.0
    for term in range(14, 0, -1):
        total = 1.0 + total * rest / term
    return total * _HALVES[halvings]


@kernel("void(float64[::1])")
def exponentiate(numbers):
    """Replace numbers x <= 0 by exp(x); see :func:`exponential`."""
    for place in range(numbers.shape[0]):
        numbers[place] = exponential(numbers[place])


@kernel("void(int64[::1], boolean[::1], float64, float64[::1], float64[::1])")
def logit_responses(shape, answering, precision, values, responses):
    """Compute logit responses to action values.

    Args:
        shape: int64[players].
        answering: boolean[players]; the responses of other players stay as they are.
        precision: per unit of payoff.
        values: float64[sum of shape].
        responses: float64[sum of shape], out.
    """
    first = 0
    for player in range(shape.shape[0]):
        last = first + shape[player]
        if answering[player]:
            most, total = values[first], 0.0
            for move in range(first, last):
                most = max(most, values[move])
            for move in range(first, last):
                responses[move] = exponential(precision * (values[move] - most))
                total += responses[move]
            for move in range(first, last):
                responses[move] /= total
        first = last


@kernel("void(int64[::1], float64, float64[:, ::1], float64[:, ::1])")
def batch_logit_responses(shape, precision, values, responses):
    """Compute the logit responses of all players in games of one shape.

    Args:
        shape: int64[players].
        precision: per unit of payoff.
        values: float64[games, sum of shape].
        responses: float64[games, sum of shape], out.
    """
    answering = np.ones(shape.shape[0], np.bool_)
    for game in range(values.shape[0]):
        logit_responses(shape, answering, precision, values[game], responses[game])


class Iteration(NamedTuple):
    """How strategies move towards their responses.

    Attributes:
        precision: of the responses, per unit of payoff.
        step: step size, 0 to 1.
        midway: whether to move towards the response to the strategies after the step; this
            converges where opposed players would cycle (Korpelevich 1976, *The extragradient
            method*).
        iterations: maximum number.
        exact: residual at which to stop.
    """

    precision: float
    step: float
    midway: bool
    iterations: int
    exact: float


ITERATION = record(
    Iteration, precision="float64", step="float64", midway="boolean", iterations="int64",
    exact="float64",
)  # fmt: skip


@kernel(
    f"float64(float64[:, ::1], int64[::1], int64[::1], boolean[::1], {ITERATION}, float64[::1],"
    " float64[::1], float64[::1])"
)
def iterate_logit(
    own_action_last, shape, symmetry_classes, answering, iteration, strategies, best, least
):
    """Move all strategies step by step towards their logit responses (McKelvey, Palfrey 1995).

    Args:
        own_action_last: float64[players, profiles].
        shape: int64[players].
        symmetry_classes: int64[players].
        answering: boolean[players], who responds; the strategies of the others stay.
        iteration: how they move.
        strategies: float64[sum of shape], in and out.
        best: float64[sum of shape], in and out, the strategies with the smallest epsilon.
        least: float64[1], in and out, their epsilon.

    Returns:
        The residual: the largest difference of a probability from its response at the last step.
    """
    precision, step, midway, iterations, exact = iteration
    moves = strategies.shape[0]
    buffers = np.empty((2, own_action_last.shape[1]), np.float64)
    values = np.empty(moves, np.float64)
    responses = strategies.copy()
    halfway = np.empty(moves, np.float64)
    residual = 0.0
    for _ in range(iterations):
        action_values(own_action_last, shape, symmetry_classes, strategies, buffers, values)
        current_epsilon = epsilon(shape, strategies, values)
        if current_epsilon < least[0]:
            least[0] = current_epsilon
            for move in range(moves):
                best[move] = strategies[move]
        logit_responses(shape, answering, precision, values, responses)
        residual = 0.0
        for move in range(moves):
            residual = max(residual, abs(responses[move] - strategies[move]))
        if midway and residual > exact:
            for move in range(moves):
                halfway[move] = strategies[move] + step * (responses[move] - strategies[move])
            action_values(own_action_last, shape, symmetry_classes, halfway, buffers, values)
            logit_responses(shape, answering, precision, values, responses)
        for move in range(moves):
            strategies[move] += step * (responses[move] - strategies[move])
        if residual <= exact:
            break
    return residual

"""Estimate the win shares of a position; see ``evaluation.py``.

Positions are packed as in ``turns``.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.slopecrashers.engine.kernels.turns import (
    COUNT,
    GIFTS,
    LANE,
    LAP,
    MISSES,
    MOVES,
    ROW,
    SEAT,
    SEAT_SIZE,
    STUNG,
    STUNG_MOVEMENTS,
    TURN,
    VECTOR,
    WINNER,
    N,
)

DISTANCES = "float64[:, :, ::1]"
"""float64[3, rows, lanes], movements left to the finish by lap."""
CARD_VALUES = "float64[:, ::1]"
"""float64[2, kinds + 1], on top of a stack and further down; last: unseen cards."""
WEIGHTS = "float64[::1]"

MISS, STING, ORDER, SLOPE, ROOM = range(5)
"""Indices of the weights, see ``evaluation.py``."""

PARTS = 4
PROGRESS_PART, GIFTS_PART, NEXT_TURN_PART, OTHERS_PART = range(PARTS)
"""Parts of the movements left after some rounds, by cause: the asker's place and its gifts when it
ends its turn; what the asker's next turn changes, or missing it; the other players until then."""


@kernel("float64(float64)")
def _exp(x):
    """Return exp(x): the series of x / 1024 up to the third power, squared ten times."""
    y = x / 1024.0
    power = 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0)))
    for _ in range(10):
        power *= power
    return power


@kernel(f"float64({VECTOR}, int64, {DISTANCES})")
def track_left(s, seat, distances):
    """Return the movements left to the finish from the space of a seat."""
    at = SEAT + seat * SEAT_SIZE
    return distances[s[at + LAP], s[at + ROW], s[at + LANE]]


@kernel(f"float64({VECTOR}, int64, {CARD_VALUES})")
def gift_value(s, seat, card_values):
    """Return the movements that the gifts of a seat save."""
    at = SEAT + seat * SEAT_SIZE
    top = at + GIFTS + s[at + COUNT] - 1
    value = 0.0
    for place in range(at + GIFTS, top + 1):
        value += card_values[int(place < top), s[place]]
    return value


@kernel(f"float64({VECTOR}, int64, {WEIGHTS})")
def order_cost(s, seat, weights):
    """Return the movements that the turns of other seats before the next one of a seat cost."""
    return weights[ORDER] * ((seat - s[TURN] + s[N]) % s[N]) / s[N]


@kernel(f"float64({VECTOR}, int64, {DISTANCES}, {CARD_VALUES}, {WEIGHTS})")
def movements_left(s, seat, distances, card_values, weights):
    """Return the movements left of a seat, with everything that the evaluator counts."""
    at = SEAT + seat * SEAT_SIZE
    # The sting of the player in turn is already part of the movements.
    stung = s[at + STUNG] or (seat == s[TURN] and s[MOVES] == STUNG_MOVEMENTS)
    left = track_left(s, seat, distances)
    left += weights[MISS] * s[at + MISSES] + weights[STING] * stung
    return left + order_cost(s, seat, weights) - gift_value(s, seat, card_values)


@kernel(f"void(float64[::1], int64, {WEIGHTS})")
def compare_movements(left, n, weights):
    """Replace the movements left of n seats by their win shares, which sum to 1."""
    least = 1e9
    for seat in range(n):
        least = min(least, left[seat])
    slope = weights[SLOPE] / np.sqrt(max(least, 0.0) + weights[ROOM])
    total = 0.0
    for seat in range(n):
        left[seat] = _exp(max(-40.0, -slope * (left[seat] - least)))
        total += left[seat]
    for seat in range(n):
        left[seat] /= total


@kernel(f"void({VECTOR}, {DISTANCES}, {CARD_VALUES}, {WEIGHTS}, float64[::1])")
def shares(s, distances, card_values, weights, out):
    """Write the win shares of all players before a turn.

    Args:
        distances: see :data:`DISTANCES`.
        card_values: see :data:`CARD_VALUES`.
        weights: float64[5].
        out: float64[n], out; the sum is 1.
    """
    n = s[N]
    if s[WINNER] >= 0:
        out[:n] = 0.0
        out[s[WINNER]] = 1.0
        return
    for seat in range(n):
        out[seat] = movements_left(s, seat, distances, card_values, weights)
    compare_movements(out, n, weights)


@kernel(f"void(float64[:, ::1], int64, {WEIGHTS}, float64[::1])")
def estimates(left, asker, weights, out):
    """Write the asker's win share for each row of movements left.

    Args:
        left: float64[rows, n]; changed.
        asker: seat of the asker.
        out: float64[rows], out.
    """
    for row in range(len(left)):
        compare_movements(left[row], left.shape[1], weights)
        out[row] = left[row, asker]

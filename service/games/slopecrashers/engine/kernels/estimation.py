"""Estimate the win shares of a position; see ``evaluation.py``.

Positions are packed as in ``turns``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.compiling import kernel, record
from service.games.slopecrashers.engine.kernels import turns
from service.games.slopecrashers.engine.kernels.turns import CARDS, COURSE, VECTOR

DISTANCES = "float64[:, :, ::1]"
"""float64[4, rows, lanes], movements left to the finish by lap; last, at :data:`SAVED`, the
movements that entering a space saves, -1 if it cannot be entered."""
CARD_VALUES = "float64[:, ::1]"
"""float64[2, kinds + 1], on top of a stack and further down; last: unseen cards."""
WEIGHTS = "float64[::1]"
DETOURS = "float64[:, ::1]"
"""float64[slots, 3], the detours computed so far, all 0 at first: a key, the movements, and the
snowmen that are gone afterwards. The slots are a power of 2."""


class Race(NamedTuple):
    """The constants of a race, and the detours; only one thread at a time may use them.

    Attributes:
        fields, uses: see ``packing.Board``.
        distances, card_values, weights, detours: see the types.
    """

    fields: NDArray[np.int8]
    uses: NDArray[np.int64]
    distances: NDArray[np.float64]
    card_values: NDArray[np.float64]
    weights: NDArray[np.float64]
    detours: NDArray[np.float64]


RACE = record(
    Race,
    fields=COURSE,
    uses=CARDS,
    distances=DISTANCES,
    card_values=CARD_VALUES,
    weights=WEIGHTS,
    detours=DETOURS,
)
COST_AND_GONE = "Tuple((float64, int64))"
"""Movements that snowmen cost, and the bits of those that are gone afterwards."""

MISS, STING, ORDER, SLOPE, ROOM = range(5)
"""Indices of the weights, see ``evaluation.py``."""
SAVED = 3
MAX_LANES = 8
SNOWMAN_ROWS = 8
"""A snowman that is further ahead costs nothing: much may happen before."""
AVOIDED = 1e-6
"""Added to the cost of a snowman, so that a detour of equal length is preferred."""
FAR = 1e9
KEY_MASK = (1 << 52) - 1

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
    at = turns.SEAT + seat * turns.SEAT_SIZE
    return distances[s[at + turns.LAP], s[at + turns.ROW], s[at + turns.LANE]]


@kernel(f"float64({VECTOR}, int64, {CARD_VALUES})")
def gift_value(s, seat, card_values):
    """Return the movements that the gifts of a seat save."""
    at = turns.SEAT + seat * turns.SEAT_SIZE
    top = at + turns.GIFTS + s[at + turns.COUNT] - 1
    value = 0.0
    for place in range(at + turns.GIFTS, top + 1):
        value += card_values[int(place < top), s[place]]
    return value


@kernel(f"float64({VECTOR}, int64, {WEIGHTS})")
def order_cost(s, seat, weights):
    """Return the movements that the turns of other seats before the next one of a seat cost."""
    after = seat - s[turns.TURN]
    return weights[ORDER] * (after if after >= 0 else after + s[turns.N]) / s[turns.N]


@kernel(f"int64({VECTOR}, int64, int64, int64)")
def _snowman_number(s, row, lane, gone):
    """Return the number of a snowman on a space that is not ``gone`` (bits); -1 for none."""
    for number in range(s[turns.SNOW]):
        at = turns.SNOWMAN + 3 * number
        if s[at] == row and s[at + 1] == lane and not gone >> number & 1:
            return number
    return -1


@kernel(f"boolean({VECTOR}, int64, int64, {DISTANCES}, int64)")
def _is_clear(s, seat, last, distances, gone):
    """Whether a shortest path is seen at once that meets no snowman up to a row.

    False does not exclude that there is one.
    """
    at = turns.SEAT + seat * turns.SEAT_SIZE
    lap, row, lane = s[at + turns.LAP], s[at + turns.ROW], s[at + turns.LANE]
    for _ in range(4 * SNOWMAN_ROWS):
        if row > last:
            return True
        moved = False
        for direction in range(3):
            to, on = row + turns.ROWS_TO[direction], lane + turns.LANES_TO[direction]
            if to >= distances.shape[1] or on < 0 or on >= distances.shape[2]:
                continue
            saved = distances[SAVED, to, on]
            more = 1.0 - saved + distances[lap, to, on] - distances[lap, row, lane]
            if saved >= 0.0 and more < AVOIDED / 2 and _snowman_number(s, to, on, gone) < 0:
                row, lane, moved = to, on, True
                break
        if not moved:
            return False
    return False


@kernel(f"{COST_AND_GONE}({VECTOR}, int64, {DISTANCES}, {WEIGHTS}, int64)")
def _detour(s, seat, distances, weights, gone):
    """Return the movements that the snowmen ahead of a seat cost it on its shortest path.

    Args:
        gone: bits of the snowmen that are ignored.

    Returns:
        The movements, and ``gone`` with the snowmen on the path.
    """
    at, lanes = turns.SEAT + seat * turns.SEAT_SIZE, distances.shape[2]
    lap, row, lane = s[at + turns.LAP], s[at + turns.ROW], s[at + turns.LANE]
    last = -1
    for number in range(s[turns.SNOW]):
        ahead = s[turns.SNOWMAN + 3 * number]
        if row <= ahead <= row + SNOWMAN_ROWS and not gone >> number & 1:
            last = max(last, ahead)
    if last < 0 or _is_clear(s, seat, last, distances, gone):
        return 0.0, gone
    cost, entering = np.full(MAX_LANES, FAR), np.empty(MAX_LANES, np.float64)
    met, here = np.zeros(MAX_LANES, np.int64), np.zeros(MAX_LANES, np.int64)
    cost[lane] = 0.0
    for passed in range(row, last + 1):
        for to in range(lanes):
            saved, here[to] = distances[SAVED, passed, to], 0
            entering[to] = FAR if saved < 0.0 else 1.0 - saved
            number = _snowman_number(s, passed, to, gone)
            if number >= 0:
                entering[to] += weights[MISS] + AVOIDED
                here[to] = 1 << number
            if passed > row:
                cost[to] = min(FAR, cost[to] + entering[to])
                met[to] |= here[to]
        for step in range(2 * (lanes - 1)):
            # To the right through all lanes, then to the left.
            right = step < lanes - 1
            to = step + 1 if right else 2 * (lanes - 1) - 1 - step
            beside = to - 1 if right else to + 1
            if cost[beside] + entering[to] < cost[to]:
                cost[to] = cost[beside] + entering[to]
                met[to] = met[beside] | here[to]
    best = 0
    for to in range(1, lanes):
        if cost[to] + distances[lap, last, to] < cost[best] + distances[lap, last, best]:
            best = to
    if cost[best] >= FAR:
        return 0.0, gone
    more = cost[best] + distances[lap, last, best] - distances[lap, row, lane]
    return max(0.0, more), gone | met[best]


@kernel(f"boolean({VECTOR}, int64)")
def _has_snowman_ahead(s, row):
    """Whether a snowman is on a row or so near ahead of it that it may cost something."""
    for at in range(turns.SNOWMAN, turns.SNOWMAN + 3 * s[turns.SNOW], 3):
        if row <= s[at] <= row + SNOWMAN_ROWS:
            return True
    return False


@kernel(f"int64({VECTOR})")
def _hash_snowmen(s):
    """Return a hash of the places of the snowmen (FNV-1a over words of two values)."""
    key = np.int64(turns.EMPTY_HASH)
    for at in range(turns.SNOWMAN, turns.SNOWMAN + 3 * s[turns.SNOW], 3):
        key = (key ^ (s[at] << 16 | s[at + 1])) * np.int64(1099511628211)
    return key


@kernel(f"{COST_AND_GONE}({VECTOR}, int64, int64, {RACE}, int64)")
def _stored_detour(s, seat, snowmen, race, gone):
    """Return :func:`_detour`, computed only if it is not stored.

    Args:
        snowmen: see :func:`_hash_snowmen`.
    """
    at = turns.SEAT + seat * turns.SEAT_SIZE
    place = (s[at + turns.LAP] << 12 | s[at + turns.ROW]) << 4 | s[at + turns.LANE]
    key = (snowmen ^ place << 12 ^ gone) * np.int64(1099511628211)
    # A float64 holds integers of 52 bits exactly.
    key = ((key ^ (key >> 29)) & KEY_MASK) + 1
    stored = key & (race.detours.shape[0] - 1)
    if race.detours[stored, 0] != key:
        race.detours[stored, 1], race.detours[stored, 2] = _detour(
            s, seat, race.distances, race.weights, gone
        )
        race.detours[stored, 0] = key
    return race.detours[stored, 1], np.int64(race.detours[stored, 2])


@kernel(f"void({VECTOR}, {RACE}, float64[::1])")
def snowman_costs(s, race, out):
    """Write the movements that snowmen cost each seat.

    The foremost character on the board comes first: it removes the snowmen on its shortest path,
    so that they cost the others nothing.  Of characters on one row, the first one in turn does.

    Args:
        out: float64[n], out.
    """
    n, concerned = s[turns.N], 0
    for seat in range(n):
        at = turns.SEAT + seat * turns.SEAT_SIZE
        out[seat] = 0.0
        concerned |= (s[at + turns.LAP] > 0 and _has_snowman_ahead(s, s[at + turns.ROW])) << seat
    if concerned == 0:
        return
    gone, snowmen = np.int64(0), _hash_snowmen(s)
    while concerned:
        foremost, largest = -1, -1
        for after in range(s[turns.TURN], s[turns.TURN] + n):
            seat = after if after < n else after - n
            row = s[turns.SEAT + seat * turns.SEAT_SIZE + turns.ROW]
            if concerned >> seat & 1 and row > largest:
                foremost, largest = seat, row
        concerned &= ~(1 << foremost)
        out[foremost], gone = _stored_detour(s, foremost, snowmen, race, gone)


@kernel(f"void({VECTOR}, {RACE}, float64[::1])")
def movements_left(s, race, out):
    """Write the movements left of each seat, with everything that the evaluator counts.

    Args:
        out: float64[n], out.
    """
    snowman_costs(s, race, out)
    for seat in range(s[turns.N]):
        at = turns.SEAT + seat * turns.SEAT_SIZE
        # The sting of the player in turn is already part of the movements.
        stung = s[at + turns.STUNG] or (
            seat == s[turns.TURN] and s[turns.MOVES] == turns.STUNG_MOVEMENTS
        )
        out[seat] += track_left(s, seat, race.distances) + order_cost(s, seat, race.weights)
        out[seat] += race.weights[MISS] * s[at + turns.MISSES] + race.weights[STING] * stung
        out[seat] -= gift_value(s, seat, race.card_values)


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


@kernel(f"void({VECTOR}, {RACE}, float64[::1])")
def shares(s, race, out):
    """Write the win shares of all players before a turn.

    Args:
        out: float64[n], out; the sum is 1.
    """
    n = s[turns.N]
    if s[turns.WINNER] >= 0:
        out[:n] = 0.0
        out[s[turns.WINNER]] = 1.0
        return
    movements_left(s, race, out)
    compare_movements(out, n, race.weights)


@kernel(f"void(float64[:, ::1], {WEIGHTS})")
def estimates(left, weights):
    """Replace each row of movements left, float64[rows, n], by the win shares."""
    for row in range(len(left)):
        compare_movements(left[row], left.shape[1], weights)

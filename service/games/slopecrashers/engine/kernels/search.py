"""How good positions are, and how the others go on from there.

Positions are packed as in ``turns``.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.slopecrashers.engine.kernels.reaching import (
    STATES,
    may_end,
    reach,
    skip_chance,
)
from service.games.slopecrashers.engine.kernels.turns import (
    CARDS,
    COUNT,
    COURSE,
    DECIDING,
    ENDED,
    GIFTS,
    KINDS,
    LANE,
    LAP,
    LENGTH,
    MISSES,
    MOVES,
    PHASE,
    POOL,
    ROW,
    SEAT,
    SEAT_SIZE,
    SEATS,
    STUNG,
    STUNG_MOVEMENTS,
    TURN,
    UNSEEN,
    VECTOR,
    WINNER,
    N,
    end_turn,
)

DISTANCES = "float64[:, :, ::1]"
CARD_VALUES = "float64[:, ::1]"
WEIGHTS = "float64[::1]"

FEW_DEALS = 12
"""So many are always looked at, for one gift of eleven kinds may decide the race."""
ALL_DEALS = 3
MOST_DEALS = 1 << 20
"""More are not told apart."""
MOST_BRIEF = 128
"""Positions that are looked at in a turn of somebody else's: those within a few atoms."""

# How good it is -------------------------------------------------------------------------------

MISS, STING, ORDER, SLOPE, ROOM = range(5)
"""Weights of the evaluator, see ``evaluation.py``."""


@kernel("float64(float64)")
def _exp(x):
    """The exponential: the series of x / 1024 up to the third power, squared ten times."""
    y = x / 1024.0
    power = 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0)))
    for _ in range(10):
        power *= power
    return power


@kernel(f"void({VECTOR}, {DISTANCES}, {CARD_VALUES}, {WEIGHTS}, float64[::1])")
def shares(s, way, worth, weights, out):
    """The players' shares of the win where a turn is about to begin; see ``evaluation.py``.

    Args:
        way: float64[3, rows, lanes], what is left to the end of the race by lap, see there.
        worth: float64[2, kinds + 1], of each card on top of a stack, and further down; of an unseen
            one the last.
        weights: float64[5].
        out: float64[n], sums to 1.
    """
    n = s[N]
    if s[WINNER] >= 0:
        out[:n] = 0.0
        out[s[WINNER]] = 1.0
        return
    least = 1e9
    for seat in range(n):
        at = SEAT + seat * SEAT_SIZE
        left = way[s[at + LAP], s[at + ROW], s[at + LANE]]
        # Of whoever is about to move the sting is in the movements already.
        stung = s[at + STUNG] or (seat == s[TURN] and s[MOVES] == STUNG_MOVEMENTS)
        left += weights[MISS] * s[at + MISSES] + weights[STING] * stung
        left += weights[ORDER] * ((seat - s[TURN] + n) % n) / n
        top = at + GIFTS + s[at + COUNT] - 1
        for place in range(at + GIFTS, top + 1):
            left -= worth[int(place < top), s[place]]
        out[seat] = left
        least = min(least, left)
    slope = weights[SLOPE] / np.sqrt(max(least, 0.0) + weights[ROOM])
    total = 0.0
    for seat in range(n):
        out[seat] = _exp(max(-40.0, -slope * (out[seat] - least)))
        total += out[seat]
    for seat in range(n):
        out[seat] /= total


@kernel(
    f"int64({VECTOR}, {COURSE}, {CARDS}, {DISTANCES}, {CARD_VALUES}, {WEIGHTS}, {STATES},"
    f" int64[:, ::1], {VECTOR}, float64[::1])"
)
def best_end(s, fields, uses, way, worth, weights, states, seen, out, value):
    """The end of the turn that is best for its player by the evaluator, chance left out.

    Args:
        states, seen: scratch, see :func:`reach`.
        out: int16[LENGTH], the position when the next turn begins; where the turn cannot be
            played, what it comes to without.
        value: float64[n], scratch; the shares there.

    Returns:
        how many positions were looked at.
    """
    mover = s[TURN]
    count = abs(reach(s, fields, uses, True, states[:MOST_BRIEF], seen))
    best, chosen = -1.0, -1
    for place in range(count):
        state = states[place]
        if state[PHASE] == ENDED:
            out[:] = state
            return count
        if may_end(state):
            out[:] = state
            end_turn(out)
            shares(out, way, worth, weights, value)
            if value[mover] > best:
                best, chosen = value[mover], place
    out[:] = states[chosen] if chosen >= 0 else s
    if chosen < 0 and s[MOVES] == STUNG_MOVEMENTS:
        out[SEAT + mover * SEAT_SIZE + STUNG] = 1  # The turn was not played (S11).
    end_turn(out)
    return count


@kernel(
    f"void({VECTOR}, {COURSE}, {CARDS}, {DISTANCES}, {CARD_VALUES}, {WEIGHTS}, {STATES}, int64,"
    " float64[::1], int64[::1])"
)
def rate(start, fields, uses, way, worth, weights, states, count, ratings, kinds):
    """What each position of a reach promises its player.

    Args:
        states: int16[count or more, LENGTH], the reach of ``start``; an end of the turn becomes
            the position where the next one begins.
        ratings: float64[count], out: the player's share, of an event if nothing came of it.
        kinds: int64[count], out: 0 neither, 1 an end, 2 an event.
    """
    mover, value, after = start[TURN], np.empty(SEATS, np.float64), np.empty(LENGTH, np.int16)
    for place in range(count):
        state = states[place]
        kinds[place] = 0
        if state[PHASE] == ENDED:
            ratings[place], kinds[place] = 1.0, 1
        elif state[PHASE] != DECIDING:
            kinds[place] = 2
            after[:] = state
            skip_chance(after, fields, uses)
            end_turn(after)
            shares(after, way, worth, weights, value)
            ratings[place] = value[mover]
        elif may_end(state):
            kinds[place] = 1
            end_turn(state)
            shares(state, way, worth, weights, value)
            ratings[place] = value[mover]


# The others' turns ----------------------------------------------------------------------------


@kernel("uint64(uint64)")
def _split_mix(x):
    """The next of a sequence of numbers that look random (Steele et al. 2014, SplitMix64)."""
    x += np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel(f"boolean({VECTOR}, int64)")
def deal_sample(s, number):
    """Unseen gifts of all stacks become cards of the pool, drawn without replacement.

    Args:
        number: the same deals alike, whoever else is where.

    Returns:
        whether there was anything to deal.
    """
    dealt = False
    left = np.int64(0)
    for kind in range(KINDS):
        left += s[POOL + kind]
    for seat in range(s[N]):
        at = SEAT + seat * SEAT_SIZE
        for place in range(s[at + COUNT]):
            if s[at + GIFTS + place] != UNSEEN or left <= 0:
                continue
            dealt = True
            mix = _split_mix(np.uint64(number * 1009 + seat * 131 + place))
            chosen = np.int64(mix % np.uint64(left))
            for kind in range(KINDS):
                chosen -= s[POOL + kind]
                if chosen < 0:
                    s[at + GIFTS + place] = kind
                    s[POOL + kind] -= 1
                    left -= 1
                    break
    return dealt


@kernel(f"int64({VECTOR})")
def count_deals(s):
    """How many lists of kinds the unseen gifts of all stacks may be, dealt one after the other.

    Returns:
        1 if there are none; some lists may be impossible, the pool holding too few of a kind.
    """
    kinds, count = 0, 1
    for kind in range(KINDS):
        kinds += s[POOL + kind] > 0
    for seat in range(s[N]):
        at = SEAT + seat * SEAT_SIZE
        for place in range(s[at + COUNT]):
            if s[at + GIFTS + place] == UNSEEN and kinds and count < MOST_DEALS:
                count *= kinds
    return count


@kernel(f"float64({VECTOR}, int64)")
def deal_numbered(s, number):
    """Unseen gifts become the cards of one list; see :func:`count_deals`.

    Args:
        number: which, from 0.

    Returns:
        how likely it is to be dealt; 0 if it is impossible, and then ``s`` is of no use.
    """
    present = np.empty(KINDS, np.int64)
    kinds, left = 0, np.int64(0)
    for kind in range(KINDS):
        if s[POOL + kind] > 0:
            present[kinds] = kind
            kinds += 1
        left += s[POOL + kind]
    chance = 1.0
    for seat in range(s[N]):
        at = SEAT + seat * SEAT_SIZE
        for place in range(s[at + COUNT]):
            if s[at + GIFTS + place] != UNSEEN or left <= 0:
                continue
            kind = present[number % kinds]
            number //= kinds
            chance *= s[POOL + kind] / left
            s[at + GIFTS + place] = kind
            s[POOL + kind] -= 1
            left -= 1
            if chance <= 0.0:
                return 0.0
    return chance


@kernel(
    f"void({VECTOR}, int64, int64, {COURSE}, {CARDS}, {DISTANCES}, {CARD_VALUES}, {WEIGHTS},"
    f" {STATES}, int64[:, ::1], float64[::1], int64[::1])"
)
def play_rounds(s, asker, rounds, fields, uses, way, worth, weights, states, seen, value, searched):
    """The others play until it is the asker's turn, and the asker plays that one, too, all cards
    lying open; see :func:`evaluate_end`.

    Whoever is judged right before its own turn is judged without what the position offers it.

    Args:
        s: changed.
        value: float64[n], out: everybody's share then.
    """
    then, scratch = np.empty(LENGTH, np.int16), np.empty(SEATS, np.float64)
    met = 0
    while s[WINNER] < 0 and met < rounds:
        met += s[TURN] == asker
        searched[0] += best_end(s, fields, uses, way, worth, weights, states, seen, then, scratch)
        s[:] = then
    shares(s, way, worth, weights, value)


@kernel(
    f"int64({VECTOR}, int64, int64, int64, {COURSE}, {CARDS}, {DISTANCES}, {CARD_VALUES},"
    f" {WEIGHTS}, {STATES}, int64[:, ::1], float64[:, ::1], int64[::1])"
)
def evaluate_end(
    s, asker, rounds, worlds, fields, uses, way, worth, weights, states, seen, values, searched
):
    """How a game stands after the others' next turns and one of the asker's, all cards of a world
    lying open.

    Where what is hidden can be dealt in few ways all of them are looked at, else a sample.

    Args:
        s: where a turn has just ended and the next begins.
        asker: to the end of whose turn everybody plays.
        rounds: how often.
        worlds: of a sample; all deals are looked at where they are :data:`ALL_DEALS` times as many
            at most, or :data:`FEW_DEALS`.
        values: float64[worlds, n], out: everybody's share in each world of a sample; else the mean
            over all deals in the first row.
        looked_at: int64[1], how many positions were is added.

    Returns:
        how many rows ``values`` has; of all deals minus their number, 1 where nothing is hidden.
    """
    now, value = np.empty(LENGTH, np.int16), np.empty(SEATS, np.float64)
    count = count_deals(s)
    if count > max(FEW_DEALS, ALL_DEALS * worlds):
        for world in range(worlds):
            now[:] = s
            deal_sample(now, world)
            play_rounds(
                now, asker, rounds, fields, uses, way, worth, weights, states, seen,
                values[world], searched,
            )  # fmt: skip
        return worlds
    n = s[N]
    values[0, :] = 0.0
    possible = 0
    for number in range(count):
        now[:] = s
        chance = deal_numbered(now, number)
        if chance > 0.0:
            possible += 1
            play_rounds(
                now, asker, rounds, fields, uses, way, worth, weights, states, seen,
                value, searched,
            )  # fmt: skip
            for seat in range(n):
                values[0, seat] += chance * value[seat]
    return -possible

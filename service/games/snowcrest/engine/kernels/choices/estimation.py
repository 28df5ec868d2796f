"""The evaluation of packed positions, equivalent to ``engine/evaluation.py``.

The weights of all phases are float64[phases, width]: a row for each number of scrolls left, up to
that of the start, and last one for the ending.  A row has the slope, the weights of the plain
features, and the values of each villager face up, exhausted and in hand.
"""

from __future__ import annotations

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices import features
from service.games.snowcrest.engine.kernels.rules import layout, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

MODELS = "float64[:, ::1]"
MODEL = "float64[::1]"
SLOPE, PLAIN = 0, 1
FACE_UP, TABLE = PLAIN + features.OWN + features.OF_TABLE, PLAIN + features.OWN
MIN_PRICE = 0.02
MOST_PLAYERS = 8
"""At least as many as any game has."""
W_OMEN, W_UP, W_SPENT, W_TOKENS = PLAIN + 2, PLAIN + 3, PLAIN + 6, PLAIN + 9
W_HAND, W_RESIDENTS, W_FREE = PLAIN + 15, PLAIN + 16, PLAIN + 17


# Prices ---------------------------------------------------------------------------------------


@kernel(f"float64({MODEL}, int64)")
def token_price(m, resource):
    """Return the price of a token."""
    return max(MIN_PRICE, m[W_TOKENS + resource])


@kernel(f"float64({MODEL}, int64)")
def spending_price(m, kind):
    """Return the price of spending a building."""
    return max(MIN_PRICE, m[W_UP + kind] - m[W_SPENT + kind])


@kernel(f"float64({MODEL}, int64, boolean)")
def building_price(m, kind, spent):
    """Return the price of returning a building."""
    return max(MIN_PRICE, m[(W_SPENT if spent else W_UP) + kind])


@kernel(f"float64({MODEL}, {CATALOGUE}, int64)")
def exhausting_price(m, c, card):
    """Return the price of exhausting a villager."""
    return max(MIN_PRICE, m[FACE_UP + card] - m[FACE_UP + c[layout.CARDS] + card] + m[W_FREE])


@kernel(f"float64({MODEL}, int64)")
def leaving_price(m, card):
    """Return the price of removing a villager; for an exhausted one, ``CARDS`` is added."""
    return max(MIN_PRICE, m[FACE_UP + card] + m[W_RESIDENTS])


@kernel(f"float64({MODEL}, {CATALOGUE}, int64)")
def discarding_price(m, c, card):
    """Return the price of discarding a hand card; an unknown one has the value of any card."""
    own = m[FACE_UP + 2 * c[layout.CARDS] + card] if card >= 0 else 0.0
    return max(MIN_PRICE, own + m[W_HAND])


# Memory ---------------------------------------------------------------------------------------


MEMO_VALUE = features.SPENDABLE
MEMO_PHASE, MEMO_CHALLENGES = MEMO_VALUE + 1, MEMO_VALUE + 2
"""Offsets in the memory of a seat's value, after what it can spend: the value, and all that it
depends on, which ends with the seat itself."""
MEMO_FEATURES = MEMO_CHALLENGES + 2 * layout.MAX_CHALLENGES
MEMO_SHARES = MEMO_FEATURES + features.OWN
"""Offsets of buffers for features and for shares of the win."""
MEMO_SEAT = MEMO_SHARES + MOST_PLAYERS


@kernel(f"int64({CATALOGUE})")
def memo_size(c):
    """Return the length of the memory of a seat's value."""
    return MEMO_SEAT + c[layout.SEAT_SIZE]


# Seats ----------------------------------------------------------------------------------------


@kernel(f"float64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {MODEL})")
def seat_value(s, c, m, at, memo):
    """Return the value of the seat at an offset that does not depend on other seats.

    Args:
        memo: of the seat, see ``memo_size``; what it can spend is filled in.
    """
    numbers, value = memo[MEMO_FEATURES:MEMO_SHARES], 0.0
    features.own_features(s, c, at, memo, numbers)
    for place in range(features.OWN):
        value += m[PLAIN + place] * numbers[place]
    for cell in range(layout.CELLS):
        code = s[at + layout.VILLAGE + cell]
        if code >= 0:
            value += m[FACE_UP + (code & 1) * c[layout.CARDS] + (code >> 1)]
    held = FACE_UP + 2 * c[layout.CARDS]
    if s[at + layout.HAND_COUNT] > s[at + layout.UNKNOWN_COUNT]:
        for card in range(c[layout.DECK]):
            value += s[at + layout.HAND + card] * m[held + card]
    if s[at + layout.UNKNOWN_COUNT]:
        total = 0.0
        for card in range(c[layout.DECK]):
            copies = s[at + layout.HAND + 2 * c[layout.DECK] + card]
            if copies > 0:
                total += copies * m[held + card]
        value += s[at + layout.UNKNOWN_COUNT] * total / max(1, s[at + layout.UNSEEN_COUNT])
    return value


# The table ------------------------------------------------------------------------------------


@kernel(f"float64({VECTOR}, {CATALOGUE}, {MODEL}, int64, int64, {MODELS})")
def table_value(s, c, m, seat, next_seat, memos):
    """Return the value of what a seat has relative to the table, in points.

    Args:
        m: float64[model], weights.
        next_seat: see ``table_features``.
        memos: float64[seats, ``memo_size``], with what they can spend; the features of the seat
            are overwritten.
    """
    numbers, value = memos[seat, MEMO_FEATURES:MEMO_SHARES], 0.0
    features.table_features(s, c, seat, next_seat, memos, numbers)
    for place in range(features.OF_TABLE):
        value += m[TABLE + place] * numbers[place]
    return value


@kernel(f"int64({VECTOR}, {MODELS})")
def phase(s, models):
    """Return the row of the weights of a position."""
    last = models.shape[0] - 1
    return last if s[layout.ENDING] else min(int(s[layout.SUPPLY]), last - 1)


@kernel(f"int64({VECTOR})")
def next_turn(s):
    """Return the next seat; the number of seats if a new round begins."""
    if s[layout.TASKS] > 0:
        return int(s[layout.TURN] + 1)
    return int(s[layout.TURN]) if s[layout.TURN] > 0 else int(s[layout.N])


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64, int64, {MODEL})")
def _remembered(s, c, at, row, memo):
    """Whether the memory has the value of the seat at an offset; if not, set what it depends on."""
    same = memo[MEMO_PHASE] == row
    for place in range(2 * layout.MAX_CHALLENGES):
        if memo[MEMO_CHALLENGES + place] != s[layout.CHALLENGE + place]:
            same = False
    for place in range(c[layout.SEAT_SIZE] if same else 0):
        if memo[MEMO_SEAT + place] != s[at + place]:
            same = False
            break
    if same:
        return True
    memo[MEMO_PHASE] = row
    for place in range(2 * layout.MAX_CHALLENGES):
        memo[MEMO_CHALLENGES + place] = s[layout.CHALLENGE + place]
    for place in range(c[layout.SEAT_SIZE]):
        memo[MEMO_SEAT + place] = s[at + place]
    return False


@kernel("float64(float64)")
def exponential(x):
    """Return exp(x) for x <= 0, to the same bits on every machine; relative error 1e-13."""
    if x < -700.0:
        return 0.0
    # The Taylor series of x / 1024, squared ten times.
    x /= 1024.0
    result = 1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0 * (1.0 + x / 5.0))))
    for _ in range(10):
        result *= result
    return result


@kernel(f"void({VECTOR}, {CATALOGUE}, {MODELS}, int64, {MODELS}, {MODEL})")
def shares(s, c, models, next_seat, memos, out):
    """Evaluate a position at the end of a turn.

    Args:
        next_seat: seat with the next turn; the number of seats if a new round begins.
        memos: float64[seats, memo_size], the last value of each seat; -1 at ``MEMO_PHASE`` if it
            has none for these models.
        out: float64[seats], win shares; in a solo game, the probability of winning.
    """
    row, count = phase(s, models), s[layout.N]
    m = models[row]
    for seat in range(count):
        at, memo = positions.seat_at(c, seat), memos[seat]
        if not _remembered(s, c, at, row, memo):
            memo[MEMO_VALUE] = seat_value(s, c, m, at, memo)
    best = -1e300
    for seat in range(count):
        out[seat] = memos[seat, MEMO_VALUE] + table_value(s, c, m, seat, next_seat, memos)
        best = max(best, out[seat])
    if count == 1:
        small = exponential(-abs(out[0]))
        out[0] = (1.0 if out[0] >= 0.0 else small) / (1.0 + small)
        return
    total = 0.0
    for seat in range(count):
        out[seat] = exponential(m[SLOPE] * (out[seat] - best))
        total += out[seat]
    for seat in range(count):
        out[seat] /= total

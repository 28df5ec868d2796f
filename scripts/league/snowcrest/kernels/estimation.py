"""The evaluation of packed positions, equivalent to ``engine/evaluation.py`` and ``features.py``.

The weights of all phases are float64[phases, width]: a row for each number of scrolls left, up to
that of the start, and last one for the ending.  A row has the slope, the weights of the plain
features, and the values of each villager face up, exhausted and in hand.
"""

from __future__ import annotations

import numpy as np

from league.snowcrest.kernels.layout import (
    A_ANY,
    A_COST,
    A_EFFECT_COUNT,
    A_EFFECTS,
    ACTION_ROW,
    ACTION_TABLE,
    BELL,
    BUILD,
    BUILDINGS,
    C_AT_LEAST,
    CARDS,
    CATALOGUE,
    CELLS,
    CHALLENGE,
    CHALLENGE_ROW,
    CHALLENGE_TABLE,
    CHALLENGES,
    CONDITION_ROW,
    CONDITION_TABLE,
    DECK,
    DIFFICULTY,
    E_COUNT,
    E_TYPE,
    E_WHAT,
    EFFECT_ROW,
    EFFECT_TABLE,
    ENDING,
    GAIN,
    GOLD,
    H_CONDITION_COUNT,
    H_CONDITIONS,
    H_SCROLLS,
    HAND,
    HAND_COUNT,
    MAX_CHALLENGES,
    MEDITATE,
    OMEN,
    OMEN_TOKENS,
    RESOURCES,
    RESTS,
    SCROLL,
    SCROLLS,
    SEAT_SIZE,
    SPENT,
    SUPPLY,
    TASKS,
    TOKENS,
    TURN,
    TURN_UP,
    UNKNOWN_COUNT,
    UNSEEN_COUNT,
    UP,
    V_ACTION_COUNT,
    V_ACTIONS,
    V_ICONS,
    VECTOR,
    VILLAGE,
    WORSHIP,
    N,
)
from league.snowcrest.kernels.positions import (
    condition_value,
    exhausted_cells,
    seat_at,
    villager_at,
)
from service.compiling import kernel
from service.games.snowcrest.engine.features import FREE_BY_MASK, OWN_FEATURES, PLAIN_FEATURES

MODELS = "float64[:, ::1]"
MODEL = "float64[::1]"
SPENDABLE = 2 * RESOURCES
"""Numbers of a seat's spendable resources: without unknown cards, then with their mean added."""
SLOPE, PLAIN = 0, 1
FACE_UP = PLAIN + len(PLAIN_FEATURES)
TABLE = PLAIN + len(OWN_FEATURES)
MIN_PRICE = 0.02
HOARD = 8
FREE = np.array(FREE_BY_MASK, np.int64)
POINTS = np.array([0, 0, 0, 0, 0, 0, 1, 3, 5], np.int64)
"""Points by number of buildings."""
W_OMEN, W_UP, W_SPENT, W_TOKENS = PLAIN + 2, PLAIN + 3, PLAIN + 6, PLAIN + 9
W_HAND, W_RESIDENTS, W_FREE = PLAIN + 15, PLAIN + 16, PLAIN + 17
RESTS_LEFT = np.array([0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2], np.int64)
"""Rests that each difficulty allows."""


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
    return max(MIN_PRICE, m[FACE_UP + card] - m[FACE_UP + c[CARDS] + card] + m[W_FREE])


@kernel(f"float64({MODEL}, int64)")
def leaving_price(m, card):
    """Return the price of removing a villager from the village."""
    return max(MIN_PRICE, m[FACE_UP + card] + m[W_RESIDENTS])


@kernel(f"float64({MODEL}, {CATALOGUE}, int64)")
def discarding_price(m, c, card):
    """Return the price of discarding a hand card; an unknown one has the value of any card."""
    own = m[FACE_UP + 2 * c[CARDS] + card] if card >= 0 else 0.0
    return max(MIN_PRICE, own + m[W_HAND])


# Seats ----------------------------------------------------------------------------------------


@kernel(f"boolean({MODEL}, {CATALOGUE}, int64, int64)")
def _could_pay(available, c, row, times):
    """Whether resources pay the cost of an action several times; gold replaces others."""
    gold, left = available[GOLD] - times * c[row + A_COST + GOLD], 0.0
    for resource in range(GOLD):
        over = available[resource] - times * c[row + A_COST + resource]
        if over < 0:
            gold += over
        else:
            left += over
    return gold >= 0 and left + gold >= times * c[row + A_ANY]


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, {MODEL})")
def add_spendable(s, c, at, out):
    """Fill in all that the seat at an offset could pay with, per resource."""
    for resource in range(RESOURCES):
        out[resource] = s[at + TOKENS + resource]
    for kind in range(BUILDINGS):
        out[kind] += s[at + UP + kind]
    for cell in range(CELLS):
        code = s[at + VILLAGE + cell]
        if code >= 0 and not code & 1:
            row = villager_at(c, code >> 1) + V_ICONS
            for resource in range(RESOURCES):
                out[resource] += c[row + resource]
    if s[at + HAND_COUNT] > s[at + UNKNOWN_COUNT]:
        for card in range(c[DECK]):
            if s[at + HAND + card]:
                row = villager_at(c, card) + V_ICONS
                for resource in range(RESOURCES):
                    out[resource] += s[at + HAND + card] * c[row + resource]
    for resource in range(RESOURCES):
        out[RESOURCES + resource] = out[resource]
    if not s[at + UNKNOWN_COUNT]:
        return
    # In this order the numbers are equal to the last bit, and so are comparisons of seats.
    for resource in range(RESOURCES):
        icons = 0
        for card in range(c[DECK]):
            copies = s[at + HAND + 2 * c[DECK] + card]
            icons += copies * c[villager_at(c, card) + V_ICONS + resource]
        mean = icons / max(1, s[at + UNSEEN_COUNT])
        out[RESOURCES + resource] += s[at + UNKNOWN_COUNT] * mean


@kernel(f"float64({VECTOR}, {CATALOGUE}, int64)")
def challenge_progress(s, c, at):
    """Return the progress of the seat at an offset towards the open challenges."""
    near = 0.0
    for place in range(s[CHALLENGES]):
        if s[CHALLENGE + 2 * place + 1] >= 0:
            continue
        row, missing = c[CHALLENGE_TABLE] + s[CHALLENGE + 2 * place] * CHALLENGE_ROW, 0.0
        for number in range(c[row + H_CONDITION_COUNT]):
            condition = c[CONDITION_TABLE] + (c[row + H_CONDITIONS] + number) * CONDITION_ROW
            least = c[condition + C_AT_LEAST]
            short = least - condition_value(s, c, at, condition)
            if short > 0:
                missing += short / max(1, abs(least))
        part = max(0.0, 1.0 - missing)
        near += c[row + H_SCROLLS] * part * part
    return near


@kernel(f"float64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {MODEL})")
def readiness(s, c, m, at, available):
    """Return the value of what face-up villagers could do at once."""
    worship = more = build = scrolls = turn_up = 0.0
    for cell in range(CELLS):
        code = s[at + VILLAGE + cell]
        if code < 0 or code & 1:
            continue
        villager = villager_at(c, code >> 1)
        for number in range(c[villager + V_ACTION_COUNT]):
            row = c[ACTION_TABLE] + (c[villager + V_ACTIONS] + number) * ACTION_ROW
            for step in range(c[row + A_EFFECT_COUNT]):
                effect = c[EFFECT_TABLE] + (c[row + A_EFFECTS] + step) * EFFECT_ROW
                kind = c[effect + E_TYPE]
                if kind == TURN_UP:
                    turn_up = float(s[at + SPENT] + s[at + SPENT + 1] + s[at + SPENT + 2])
                elif kind == WORSHIP:
                    if worship > 0.0:
                        if _could_pay(available, c, row, 2):
                            more = 1.0
                    elif _could_pay(available, c, row, 1):
                        worship = 1.0
                elif kind == BUILD:
                    if build == 0.0 and _could_pay(available, c, row, 1):
                        build = 1.0
                elif kind == GAIN and c[effect + E_WHAT] == SCROLL:
                    count = float(c[effect + E_COUNT])
                    if count > scrolls and _could_pay(available, c, row, 1):
                        scrolls = count
    first = TABLE - 5
    return (
        worship * m[first] + more * m[first + 1] + build * m[first + 2] + scrolls * m[first + 3]
        + turn_up * m[first + 4]
    )  # fmt: skip


@kernel(f"float64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {MODEL})")
def seat_value(s, c, m, at, spendable):
    """Return the value of the seat at an offset that does not depend on other seats.

    Args:
        spendable: float64[SPENDABLE] or longer, filled in.
    """
    add_spendable(s, c, at, spendable)
    value = m[PLAIN] * s[at + SCROLLS] + m[W_OMEN] * (s[at + OMEN] - s[at + OMEN_TOKENS])
    buildings = tokens = 0
    for kind in range(BUILDINGS):
        buildings += s[at + UP + kind] + s[at + SPENT + kind]
        value += m[W_UP + kind] * s[at + UP + kind] + m[W_SPENT + kind] * s[at + SPENT + kind]
    value += m[PLAIN + 1] * POINTS[buildings]
    for resource in range(RESOURCES):
        tokens += s[at + TOKENS + resource]
        value += m[W_TOKENS + resource] * s[at + TOKENS + resource]
    value += m[W_TOKENS + RESOURCES] * max(0, tokens - HOARD)
    value += m[W_HAND] * s[at + HAND_COUNT]
    residents = 0
    for cell in range(CELLS):
        code = s[at + VILLAGE + cell]
        if code >= 0:
            residents += 1
            value += m[FACE_UP + (code & 1) * c[CARDS] + (code >> 1)]
    free = FREE[exhausted_cells(s, at)]
    value += m[W_RESIDENTS] * residents
    value += m[W_FREE] * free if free >= 0 else m[W_FREE + 1]
    value += m[W_FREE + 2] * challenge_progress(s, c, at)
    held = FACE_UP + 2 * c[CARDS]
    if s[at + HAND_COUNT] > s[at + UNKNOWN_COUNT]:
        for card in range(c[DECK]):
            value += s[at + HAND + card] * m[held + card]
    if s[at + UNKNOWN_COUNT]:
        total = 0.0
        for card in range(c[DECK]):
            copies = s[at + HAND + 2 * c[DECK] + card]
            if copies > 0:
                total += copies * m[held + card]
        value += s[at + UNKNOWN_COUNT] * total / max(1, s[at + UNSEEN_COUNT])
    return value + readiness(s, c, m, at, spendable[RESOURCES:SPENDABLE])


# The table ------------------------------------------------------------------------------------


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def _can_meditate(s, c, at):
    """Whether the seat at an offset has a face-up villager who meditates."""
    for cell in range(CELLS):
        code = s[at + VILLAGE + cell]
        if code < 0 or code & 1:
            continue
        villager = villager_at(c, code >> 1)
        for number in range(c[villager + V_ACTION_COUNT]):
            row = c[ACTION_TABLE] + (c[villager + V_ACTIONS] + number) * ACTION_ROW
            for step in range(c[row + A_EFFECT_COUNT]):
                if c[c[EFFECT_TABLE] + (c[row + A_EFFECTS] + step) * EFFECT_ROW] == MEDITATE:
                    return True
    return False


@kernel(f"float64({VECTOR}, {CATALOGUE}, {MODEL}, int64, int64, {MODELS})")
def table_value(s, c, m, seat, next_seat, spendables):
    """Return the value of what a seat has relative to the table."""
    count, own = s[N], spendables[seat]
    value = m[TABLE + 6]
    if _can_meditate(s, c, seat_at(c, seat)):
        bells = own[RESOURCES + BELL] + own[RESOURCES + GOLD]
        if count == 1:
            value += m[TABLE] * (bells // 6)
        elif bells >= 1.0:
            matched = 0
            for other in range(count):
                if other != seat:
                    theirs = spendables[other]
                    matched += bells >= theirs[RESOURCES + BELL] + theirs[RESOURCES + GOLD]
            value += m[TABLE] * matched / (count - 1)
    if count == 1:
        value += m[TABLE + 5] * (RESTS_LEFT[s[DIFFICULTY]] - s[RESTS])
    else:
        for resource in range(RESOURCES):
            most = own[resource] > 0
            for other in range(count):
                most &= own[resource] >= spendables[other, resource]
            value += m[TABLE + 1] * most
    before = (seat - next_seat + count) % count
    if before == 0:
        value += m[TABLE + 2]
    value += m[TABLE + 3] * before / count
    if next_seat < count and seat >= next_seat:
        value += m[TABLE + 4]
    return value


@kernel(f"int64({VECTOR}, {MODELS})")
def phase(s, models):
    """Return the row of the weights of a position."""
    last = models.shape[0] - 1
    return last if s[ENDING] else min(int(s[SUPPLY]), last - 1)


@kernel(f"int64({VECTOR})")
def next_turn(s):
    """Return the next seat; the number of seats if a new round begins."""
    if s[TASKS] > 0:
        return int(s[TURN] + 1)
    return int(s[TURN]) if s[TURN] > 0 else int(s[N])


MEMO_VALUE, MEMO_PHASE, MEMO_CHALLENGES = SPENDABLE, SPENDABLE + 1, SPENDABLE + 2
MEMO_SEAT = MEMO_CHALLENGES + 2 * MAX_CHALLENGES
"""Offsets in the memory of a seat's value: the value, and all that it depends on."""


@kernel(f"int64({CATALOGUE})")
def memo_size(c):
    """Return the length of the memory of a seat's value."""
    return MEMO_SEAT + c[SEAT_SIZE]


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64, int64, {MODEL})")
def _remembered(s, c, at, row, memo):
    """Whether the memory has the value of the seat at an offset; if not, set what it depends on."""
    same = memo[MEMO_PHASE] == row
    for place in range(2 * MAX_CHALLENGES):
        if memo[MEMO_CHALLENGES + place] != s[CHALLENGE + place]:
            same = False
    for place in range(c[SEAT_SIZE] if same else 0):
        if memo[MEMO_SEAT + place] != s[at + place]:
            same = False
            break
    if same:
        return True
    memo[MEMO_PHASE] = row
    for place in range(2 * MAX_CHALLENGES):
        memo[MEMO_CHALLENGES + place] = s[CHALLENGE + place]
    for place in range(c[SEAT_SIZE]):
        memo[MEMO_SEAT + place] = s[at + place]
    return False


@kernel(f"void({VECTOR}, {CATALOGUE}, {MODELS}, int64, {MODELS}, {MODEL})")
def shares(s, c, models, next_seat, memos, out):
    """Evaluate a position at the end of a turn.

    Args:
        next_seat: seat with the next turn; the number of seats if a new round begins.
        memos: float64[seats, memo_size], the last value of each seat; -1 at ``MEMO_PHASE`` if it
            has none for these models.
        out: float64[seats], win shares; in a solo game, the probability of winning.
    """
    row, count = phase(s, models), s[N]
    m = models[row]
    for seat in range(count):
        at, memo = seat_at(c, seat), memos[seat]
        if not _remembered(s, c, at, row, memo):
            memo[MEMO_VALUE] = seat_value(s, c, m, at, memo)
    best = -1e300
    for seat in range(count):
        out[seat] = memos[seat, MEMO_VALUE] + table_value(s, c, m, seat, next_seat, memos)
        best = max(best, out[seat])
    if count == 1:
        out[0] = 1.0 / (1.0 + np.exp(-out[0]))
        return
    total = 0.0
    for seat in range(count):
        out[seat] = np.exp(m[SLOPE] * (out[seat] - best))
        total += out[seat]
    for seat in range(count):
        out[seat] /= total

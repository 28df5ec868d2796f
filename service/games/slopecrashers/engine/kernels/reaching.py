"""All positions that a turn can reach without chance.

Positions are packed as in ``turns``.  The search stops at draws and at attacks that a target may
answer with a magnet.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.slopecrashers.engine.kernels.ending import can_end_turn
from service.games.slopecrashers.engine.kernels.turns import (
    ATTACKING,
    BEE_STING,
    BLACK_ICE,
    CARDS,
    CARRIER_PIGEON,
    CHILI,
    COUNT,
    COURSE,
    DECIDING,
    DRAWING,
    EMPTY_HASH,
    GIFTS,
    IN_PLAY,
    LANE,
    LANES_TO,
    LAP,
    LAPS,
    LENGTH,
    MAGNET,
    MOVES,
    PHASE,
    ROCKET,
    ROW,
    ROWS_TO,
    SEAT,
    SEAT_SIZE,
    SNOW,
    SNOWMAN,
    SNOWMAN_GIFT,
    SNOWMEN,
    SPRING,
    TURN,
    UNSEEN,
    VECTOR,
    N,
    answer_known,
    chili_movements,
    copy_position,
    discard,
    draw,
    enter,
    enterable,
    finish_action,
    may_be_answered,
    put_snowman,
    seat_on,
    settle,
    snowman_on,
    take_top,
    win,
)

BRANCHES = 80
"""Upper bound for the successors of a position: steps in three directions or to all lanes after the
line, as many springs, snowmen on two rows, attacks, a discard."""

STOP, SKIP, CERTAIN = range(3)
"""At draws and at attacks that may be answered with a magnet, a search stops.  Or it goes on: drawn
cards stay unseen, known magnets are used, and unseen cards are no magnets.  Or only what is certain
counts: drawn cards stay unseen, and the attacking card is discarded."""
STATES = "int16[:, ::1]"
PLACE_BITS = 32
PLACE_MASK = (1 << PLACE_BITS) - 1
"""During a search, the place of a position in the hash table, next to its number of actions."""


@kernel(f"int64({VECTOR}, {COURSE}, {CARDS}, {STATES}, int64, int64, int64)")
def _add_moves(s, fields, uses, out, count, reach, card):
    """Append the positions after steps (``reach`` 1) or springs (2); ``card`` is the spring."""
    mover, (rows, lanes) = s[TURN], fields.shape
    at = SEAT + mover * SEAT_SIZE
    for direction in range(3):
        to, lap = s[at + ROW] + reach * ROWS_TO[direction], s[at + LAP]
        first = s[at + LANE] + reach * LANES_TO[direction]
        last = first
        over = to >= rows
        if over:
            to, lap, first, last = to - rows, lap + 1, 0, lanes - 1
        for lane in range(first, last + 1):
            if not (over and lap > LAPS) and not enterable(fields, to, lane):
                continue
            copy_position(s, out[count])
            if reach == 1:
                out[count, MOVES] -= 1
            else:
                take_top(out[count], mover)
                out[count, IN_PLAY] = card
            if over and lap > LAPS:
                win(out[count])
                count += 1
                break
            enter(out[count], fields, lap, to, lane)
            count += can_end_turn(out[count], fields, uses)
    return count


@kernel(f"int64({VECTOR}, {COURSE}, {CARDS}, boolean, {STATES})")
def successors(s, fields, uses, reduced, out):
    """Write the positions after each legal action except the end of the turn.

    Attacks that may be answered with a magnet stay open.

    Args:
        reduced: whether to omit snowmen and discards of usable cards, which rarely matter and
            cost most of the time.
        out: int16[BRANCHES, LENGTH], out.

    Returns:
        The number of positions.
    """
    mover, lanes = s[TURN], fields.shape[1]
    at = SEAT + mover * SEAT_SIZE
    count = 0
    if s[at + LAP] == 0:
        for lane in range(lanes):
            if enterable(fields, 0, lane):
                copy_position(s, out[count])
                enter(out[count], fields, 1, 0, lane)
                count += can_end_turn(out[count], fields, uses)
        return count
    if s[MOVES] > 0:
        count = _add_moves(s, fields, uses, out, count, 1, UNSEEN)
    if s[at + COUNT] == 0:
        return count
    card = s[at + GIFTS + s[at + COUNT] - 1]
    use = uses[card] if card >= 0 else 0
    if use >> SPRING & 1:
        count = _add_moves(s, fields, uses, out, count, 2, card)
    if use >> CHILI & 1:
        copy_position(s, out[count])
        take_top(out[count], mover)
        more = chili_movements(s, mover, s[at + LAP] * 1000 + s[at + ROW])
        out[count, MOVES] += more
        discard(out[count], card)
        count += 1
    if use >> SNOWMAN_GIFT & 1 and s[SNOW] < SNOWMEN and not reduced:
        for ahead in (3, -1):
            row = s[at + ROW] + ahead
            for lane in range(lanes):
                free = enterable(fields, row, lane) and seat_on(s, row, lane, -1) < 0
                if free and snowman_on(s, row, lane) < 0:
                    copy_position(s, out[count])
                    take_top(out[count], mover)
                    put_snowman(out[count], row, lane, card)
                    count += can_end_turn(out[count], fields, uses)
    for gift in (ROCKET, BLACK_ICE, BEE_STING, CARRIER_PIGEON):
        if use >> gift & 1:
            copy_position(s, out[count])
            take_top(out[count], mover)
            out[count, IN_PLAY], out[count, PHASE] = card, ATTACKING + gift
            if not may_be_answered(out[count], fields, uses):
                settle(out[count], fields, 0)
            count += can_end_turn(out[count], fields, uses)
    if reduced and use & ~(1 << MAGNET | 1 << SNOWMAN_GIFT):
        return count
    copy_position(s, out[count])
    discard(out[count], take_top(out[count], mover))
    return count + can_end_turn(out[count], fields, uses)


# The whole turn -------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, int64, int64)")
def hash_words(s, place, key):
    """Return the hash ``key`` continued by four values of a position (FNV-1a of one word)."""
    # In this order, the compiler reads all four at once.
    word = np.int64(s[place]) & 0xFFFF | (np.int64(s[place + 1]) & 0xFFFF) << 16
    word |= (np.int64(s[place + 2]) & 0xFFFF) << 32 | (np.int64(s[place + 3]) & 0xFFFF) << 48
    key ^= word
    return (key ^ (key >> 32)) * np.int64(1099511628211)


@kernel(f"int64({VECTOR})")
def _hash_position(s):
    """Return a hash of the parts that differ within a turn (FNV-1a over words of four values)."""
    key = hash_words(s, 0, np.int64(EMPTY_HASH))
    key = hash_words(s, 4, key)
    for place in range(SNOWMAN, SNOWMAN + 3 * s[SNOW], 4):
        key = hash_words(s, place, key)
    # Two independent chains of multiplications run side by side; in one, each has to wait.
    other = np.int64(1)
    for seat in range(s[N]):
        other = hash_words(s, SEAT + seat * SEAT_SIZE, other)
        other = hash_words(s, SEAT + seat * SEAT_SIZE + 2, other)
    key ^= other
    return key ^ (key >> 29)


@kernel(f"boolean(int64[:, ::1], int64, int64, {VECTOR})")
def _insert(seen, last, count, s):
    """Insert a position into the hash table as number ``count``; False if it is known.

    Args:
        last: the last slot of the table that is used, a power of 2 minus 1.
    """
    key = _hash_position(s)
    key += key == 0
    place = key & last
    while seen[0, place] != 0:
        if seen[0, place] == key:
            return False
        place = (place + 1) & last
    seen[0, place], seen[1, count] = key, place
    return True


@kernel(f"void({VECTOR}, {COURSE}, {CARDS})")
def skip_chance(s, fields, uses):
    """Resolve a draw with an unseen card, or an attack with known magnets only, which are used."""
    if s[PHASE] == DRAWING:
        draw(s, UNSEEN)
    elif s[PHASE] >= ATTACKING:
        answer_known(s, fields, uses)


@kernel(f"void({VECTOR}, {COURSE}, {CARDS}, int64)")
def _skip(s, fields, uses, chance):
    if chance == CERTAIN and s[PHASE] >= ATTACKING:
        finish_action(s)
    elif chance != STOP:
        skip_chance(s, fields, uses)


@kernel(f"int64({VECTOR}, {COURSE}, {CARDS}, int64, {STATES}, int64[:, ::1], {STATES})")
def _explore(start, fields, uses, chance, states, seen, branches):
    """See :func:`reach`; ``branches`` is scratch, see :func:`successors`."""
    copy_position(start, states[0])
    _skip(states[0], fields, uses, chance)
    last = seen.shape[1] - 1
    while last >> 1 >= 4 * states.shape[0]:
        last >>= 1  # A small table stays in the processor's cache.
    _insert(seen, last, 0, states[0])
    count, here, full = 1, 0, False
    while here < count:
        if states[here, PHASE] == DECIDING:
            for branch in range(successors(states[here], fields, uses, chance != STOP, branches)):
                _skip(branches[branch], fields, uses, chance)
                if count == states.shape[0]:
                    full = True
                    break
                if not _insert(seen, last, count, branches[branch]):
                    continue
                copy_position(branches[branch], states[count])
                seen[1, count] |= (seen[1, here] >> PLACE_BITS) + 1 << PLACE_BITS
                count += 1
        here += 1
    for number in range(count):
        seen[0, seen[1, number] & PLACE_MASK] = 0
        seen[1, number] >>= PLACE_BITS
    return -count if full else count


@kernel(f"int64({VECTOR}, {COURSE}, {CARDS}, int64, {STATES}, int64[:, ::1])")
def reach(start, fields, uses, chance, states, seen):
    """Write all positions of a turn that are reachable without chance, the start first.

    Args:
        chance: :data:`STOP`, :data:`SKIP` or :data:`CERTAIN`.
        states: int16[n, LENGTH], out.
        seen: int64[2, m], m a power of 2 and larger than n.  The first row is a hash table, all 0
            before and after the call; the second row is out: the number of actions before each
            position.

    Returns:
        The number of positions; negative if there is no room for all.
    """
    # Only this kernel creates an array, so that the search does not count references.
    branches = np.empty((BRANCHES, LENGTH), np.int16)
    return _explore(start, fields, uses, chance, states, seen, branches)


@kernel(f"boolean({VECTOR})")
def may_end(s):
    """Whether the player may end the turn here (S5)."""
    at = SEAT + s[TURN] * SEAT_SIZE
    placed = s[PHASE] == DECIDING and s[at + LAP] > 0
    return placed and seat_on(s, s[at + ROW], s[at + LANE], s[TURN]) < 0

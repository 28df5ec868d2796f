"""All positions that a turn can reach without chance.

Positions are packed as in ``turns``.  The search stops at draws and at attacks that a target may
answer with a magnet.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.slopecrashers.engine.kernels import turns
from service.games.slopecrashers.engine.kernels.ending import can_end_turn
from service.games.slopecrashers.engine.kernels.turns import CARDS, COURSE, VECTOR

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
    mover, (rows, lanes) = s[turns.TURN], fields.shape
    at = turns.SEAT + mover * turns.SEAT_SIZE
    for direction in range(3):
        if reach == 2 and not turns.may_jump(
            fields, s[at + turns.ROW], s[at + turns.LANE], direction
        ):
            continue
        to, lap = s[at + turns.ROW] + reach * turns.ROWS_TO[direction], s[at + turns.LAP]
        first = s[at + turns.LANE] + reach * turns.LANES_TO[direction]
        last = first
        over = to >= rows
        if over:
            to, lap, first, last = to - rows, lap + 1, 0, lanes - 1
        for lane in range(first, last + 1):
            if not (over and lap > turns.LAPS) and not turns.may_land(fields, to, lane, over):
                continue
            turns.copy_position(s, out[count])
            if reach == 1:
                out[count, turns.MOVES] -= 1
            else:
                turns.take_top(out[count], mover)
                out[count, turns.IN_PLAY] = card
            if over and lap > turns.LAPS:
                turns.win(out[count])
                count += 1
                break
            turns.enter(out[count], fields, lap, to, lane)
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
    mover, lanes = s[turns.TURN], fields.shape[1]
    at = turns.SEAT + mover * turns.SEAT_SIZE
    count = 0
    if s[at + turns.LAP] == 0:
        for lane in range(lanes):
            if turns.enterable(fields, 0, lane):
                turns.copy_position(s, out[count])
                turns.enter(out[count], fields, 1, 0, lane)
                count += can_end_turn(out[count], fields, uses)
        return count
    if s[turns.MOVES] > 0:
        count = _add_moves(s, fields, uses, out, count, 1, turns.UNSEEN)
    if s[at + turns.COUNT] == 0:
        return count
    card = s[at + turns.GIFTS + s[at + turns.COUNT] - 1]
    use = uses[card] if card >= 0 else 0
    if use >> turns.SPRING & 1:
        count = _add_moves(s, fields, uses, out, count, 2, card)
    if use >> turns.CHILI & 1:
        turns.copy_position(s, out[count])
        turns.take_top(out[count], mover)
        more = turns.chili_movements(s, mover, s[at + turns.LAP] * 1000 + s[at + turns.ROW])
        out[count, turns.MOVES] += more
        turns.discard(out[count], card)
        count += 1
    if use >> turns.SNOWMAN_GIFT & 1 and s[turns.SNOW] < turns.SNOWMEN and not reduced:
        for ahead in (3, -1):
            row = s[at + turns.ROW] + ahead
            for lane in range(lanes):
                free = turns.enterable(fields, row, lane) and turns.seat_on(s, row, lane, -1) < 0
                if free and turns.snowman_on(s, row, lane) < 0:
                    turns.copy_position(s, out[count])
                    turns.take_top(out[count], mover)
                    turns.put_snowman(out[count], row, lane, card)
                    count += can_end_turn(out[count], fields, uses)
    for gift in (turns.ROCKET, turns.BLACK_ICE, turns.BEE_STING, turns.CARRIER_PIGEON):
        if use >> gift & 1:
            turns.copy_position(s, out[count])
            turns.take_top(out[count], mover)
            out[count, turns.IN_PLAY], out[count, turns.PHASE] = card, turns.ATTACKING + gift
            if not turns.may_be_answered(out[count], fields, uses):
                turns.settle(out[count], fields, 0)
            count += can_end_turn(out[count], fields, uses)
    if reduced and use & ~(1 << turns.MAGNET | 1 << turns.SNOWMAN_GIFT):
        return count
    turns.copy_position(s, out[count])
    turns.discard(out[count], turns.take_top(out[count], mover))
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
    key = hash_words(s, 0, np.int64(turns.EMPTY_HASH))
    key = hash_words(s, 4, key)
    for place in range(turns.SNOWMAN, turns.SNOWMAN + 3 * s[turns.SNOW], 4):
        key = hash_words(s, place, key)
    # Two independent chains of multiplications run side by side; in one, each has to wait.
    other = np.int64(1)
    for seat in range(s[turns.N]):
        other = hash_words(s, turns.SEAT + seat * turns.SEAT_SIZE, other)
        other = hash_words(s, turns.SEAT + seat * turns.SEAT_SIZE + 2, other)
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
    if s[turns.PHASE] == turns.DRAWING:
        turns.draw(s, turns.UNSEEN)
    elif s[turns.PHASE] >= turns.ATTACKING:
        turns.answer_known(s, fields, uses)


@kernel(f"void({VECTOR}, {COURSE}, {CARDS}, int64)")
def _skip(s, fields, uses, chance):
    if chance == CERTAIN and s[turns.PHASE] >= turns.ATTACKING:
        turns.finish_action(s)
    elif chance != STOP:
        skip_chance(s, fields, uses)


@kernel(f"int64({VECTOR}, {COURSE}, {CARDS}, int64, {STATES}, int64[:, ::1], {STATES})")
def _explore(start, fields, uses, chance, states, seen, branches):
    """See :func:`reach`; ``branches`` is scratch, see :func:`successors`."""
    turns.copy_position(start, states[0])
    _skip(states[0], fields, uses, chance)
    last = seen.shape[1] - 1
    while last >> 1 >= 4 * states.shape[0]:
        last >>= 1  # A small table stays in the processor's cache.
    _insert(seen, last, 0, states[0])
    count, here, full = 1, 0, False
    while here < count:
        if states[here, turns.PHASE] == turns.DECIDING:
            for branch in range(successors(states[here], fields, uses, chance != STOP, branches)):
                _skip(branches[branch], fields, uses, chance)
                if count == states.shape[0]:
                    full = True
                    break
                if not _insert(seen, last, count, branches[branch]):
                    continue
                turns.copy_position(branches[branch], states[count])
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
    branches = np.empty((BRANCHES, turns.LENGTH), np.int16)
    return _explore(start, fields, uses, chance, states, seen, branches)


@kernel(f"boolean({VECTOR})")
def may_end(s):
    """Whether the player may end the turn here (S5)."""
    at = turns.SEAT + s[turns.TURN] * turns.SEAT_SIZE
    placed = s[turns.PHASE] == turns.DECIDING and s[at + turns.LAP] > 0
    return placed and turns.seat_on(s, s[at + turns.ROW], s[at + turns.LANE], s[turns.TURN]) < 0

"""What can be reached in a turn without chance.

Positions are packed as in ``turns``.  A *reach* is everything that one turn can come to; where a
gift has to be drawn, or somebody may or may not have a magnet, it ends.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
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
    can_end_turn,
    chili_movements,
    discard,
    draw,
    enter,
    enterable,
    put_snowman,
    seat_on,
    snowman_on,
    take_top,
    targets,
    unseen_tops,
    win,
)

BRANCHES = 80
"""The most that one atom can make of a position: three steps or lanes of the row behind the line,
springs as many, snowmen on two rows, attacks, a discard."""

STATES = "int16[:, ::1]"


@kernel(f"int64({VECTOR}, {COURSE}, {CARDS}, {STATES}, int64, int64, int64)")
def _add_moves(s, fields, uses, out, count, reach, card):
    """Steps (``reach`` 1) and springs (2) in all directions; ``card`` is the spring's."""
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
            out[count] = s
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
    """What each atom but the end makes of a turn in which the player has to decide.

    Args:
        brief: whether to leave out what rarely matters and makes most of the work: snowmen, and
            discarding what can be used.

    Returns:
        how many there are; each is certain to be able to end its turn (S5).  Attacks stay open
        where an unseen card may be a magnet; known magnets are used.
    """
    mover, lanes = s[TURN], fields.shape[1]
    at = SEAT + mover * SEAT_SIZE
    count = 0
    if s[at + LAP] == 0:
        for lane in range(lanes):
            if enterable(fields, 0, lane):
                out[count] = s
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
        out[count] = s
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
                    out[count] = s
                    take_top(out[count], mover)
                    put_snowman(out[count], row, lane, card)
                    count += can_end_turn(out[count], fields, uses)
    for gift in (ROCKET, BLACK_ICE, BEE_STING, CARRIER_PIGEON):
        if use >> gift & 1:
            out[count] = s
            take_top(out[count], mover)
            out[count, IN_PLAY], out[count, PHASE] = card, ATTACKING + gift
            if unseen_tops(out[count], targets(out[count], fields, gift)) == 0:
                answer_known(out[count], fields, uses)
            count += can_end_turn(out[count], fields, uses)
    if reduced and use & ~(1 << MAGNET | 1 << SNOWMAN_GIFT):
        return count
    out[count] = s
    discard(out[count], take_top(out[count], mover))
    return count + can_end_turn(out[count], fields, uses)


# The whole of a turn --------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, int64, int64)")
def _hash_words(s, place, key):
    word = np.int64(0)
    for part in range(place, place + 4):
        word = word << 16 | np.int64(s[part]) & 0xFFFF
    key ^= word
    return (key ^ (key >> 32)) * np.int64(1099511628211)


@kernel(f"int64({VECTOR})")
def _hash_position(s):
    """A hash of what tells positions of one turn apart (FNV-1a, by words of four places)."""
    key = _hash_words(s, 0, np.int64(-3750763034362895579))
    key = _hash_words(s, 4, key)
    for place in range(SNOWMAN, SNOWMAN + 3 * s[SNOW], 4):
        key = _hash_words(s, place, key)
    for seat in range(s[N]):
        key = _hash_words(s, SEAT + seat * SEAT_SIZE, key)
        key = _hash_words(s, SEAT + seat * SEAT_SIZE + 2, key)
    return key ^ (key >> 29)


@kernel(f"boolean(int64[:, ::1], int64, {VECTOR})")
def _insert(seen, count, s):
    """Whether a position was not met before; it is noted, as number ``count``."""
    key = _hash_position(s)
    key += key == 0
    last = seen.shape[1] - 1
    place = key & last
    while seen[0, place] != 0:
        if seen[0, place] == key:
            return False
        place = (place + 1) & last
    seen[0, place], seen[1, count] = key, place
    return True


@kernel(f"void({VECTOR}, {COURSE}, {CARDS})")
def skip_chance(s, fields, uses):
    if s[PHASE] == DRAWING:
        draw(s, UNSEEN)
    elif s[PHASE] >= ATTACKING:
        answer_known(s, fields, uses)


@kernel(f"int64({VECTOR}, {COURSE}, {CARDS}, boolean, {STATES}, int64[:, ::1])")
def reach(start, fields, uses, without_chance, states, seen):
    """Every position of a turn that can be come to from one without chance, the start first.

    Args:
        blind: whether chance is left out: drawn cards stay unseen, and who may have a magnet has
            none.
        states: int16[most, LENGTH], out.
        seen: int64[2, a power of 2, more than most], the first row all 0; scratch, as it was again.

    Returns:
        how many there are; negative if there is no room for all of them.
    """
    branches = np.empty((BRANCHES, LENGTH), np.int16)
    states[0] = start
    if without_chance:
        skip_chance(states[0], fields, uses)
    _insert(seen, 0, states[0])
    count, here, full = 1, 0, False
    while here < count:
        if states[here, PHASE] == DECIDING:
            for branch in range(successors(states[here], fields, uses, without_chance, branches)):
                if without_chance:
                    skip_chance(branches[branch], fields, uses)
                if count == states.shape[0]:
                    full = True
                    break
                if not _insert(seen, count, branches[branch]):
                    continue
                states[count] = branches[branch]
                count += 1
        here += 1
    for number in range(count):
        seen[0, seen[1, number]] = 0
    return -count if full else count


@kernel(f"boolean({VECTOR})")
def may_end(s):
    """Whether the player may end the turn here (S5)."""
    at = SEAT + s[TURN] * SEAT_SIZE
    placed = s[PHASE] == DECIDING and s[at + LAP] > 0
    return placed and seat_on(s, s[at + ROW], s[at + LANE], s[TURN]) < 0

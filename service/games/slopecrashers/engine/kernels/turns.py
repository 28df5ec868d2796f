"""The rules of a turn on packed positions, equivalent to the readable ``movement.py``,
``attacks.py`` and ``turn.py``.

A position is an int16 vector with the layout below.  ``fields`` is int8[rows, lanes], the track;
``uses`` is int64[kinds + 1], the uses of each kind of card as a bit set.  A card is the index of
its kind; an ``UNSEEN`` card can only be discarded.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel

SEATS, STACK, SNOWMEN, KINDS = 6, 10, 12, 36
"""Capacity of a packed position; of a deeper stack, only the top cards are packed."""
UNSEEN = -1

N, TURN, WINNER, MOVES, IN_PLAY, PILE, SNOW, PHASE = range(8)
"""Number of seats, seat in turn, winner or -1, movements left, card in play or -1, cards in the
pile, number of snowmen, and phase."""
DECIDING, DRAWING, ENDED, ATTACKING = range(4)
"""Phases; ``ATTACKING`` + gift while an attack waits for answers."""
SNOWMAN = 8
"""Offset of the snowmen: row, lane and card of each."""
SEAT = SNOWMAN + 3 * SNOWMEN
LAP, ROW, LANE, MISSES, STUNG, COUNT, GIFTS = range(7)
"""Offsets within a seat; lap 0 before the first turn, gifts from the bottom to the top."""
SEAT_SIZE = GIFTS + STACK
POOL = SEAT + SEATS * SEAT_SIZE
"""Offset of the pool: cards of each kind in the pile and the unknown gifts together."""
DISCARDS = POOL + KINDS
LENGTH = DISCARDS + KINDS

SPRING, CHILI, ROCKET, MAGNET, BLACK_ICE, BEE_STING, CARRIER_PIGEON, SNOWMAN_GIFT = range(8)
GIFT, BOOST, ABYSS, OBSTACLE, OFF_COURSE = 1, 2, 4, 8, 16
"""Bits of fields; a space may be a gift and a boost."""
LAPS = 2
MOVEMENTS, STUNG_MOVEMENTS = 2, 1
FORWARD, LEFT, RIGHT, BACK = range(4)
ROWS_TO = np.array([1, 0, 0, -1], np.int64)
LANES_TO = np.array([0, -1, 1, 0], np.int64)

EMPTY_HASH = -3750763034362895579
"""The hash of no values (FNV-1a), as a signed number."""

VECTOR = "int16[::1]"
COURSE = "int8[:, ::1]"
CARDS = "int64[::1]"


# Queries --------------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, int64, int64, int64)")
def seat_on(s, row, lane, excluded):
    """Return the seat of a character on a space, except ``excluded``; -1 for none."""
    for seat in range(s[N]):
        at = SEAT + seat * SEAT_SIZE
        if s[at + ROW] == row and s[at + LANE] == lane and s[at + LAP] > 0 and seat != excluded:
            return seat
    return -1


@kernel(f"int64({VECTOR}, int64, int64)")
def snowman_on(s, row, lane):
    """Return the offset of a snowman in the vector; -1 for none."""
    for at in range(SNOWMAN, SNOWMAN + 3 * s[SNOW], 3):
        if s[at] == row and s[at + 1] == lane:
            return at
    return -1


@kernel(f"boolean({COURSE}, int64, int64)")
def enterable(fields, row, lane):
    """Whether the space exists and a character can stand on it."""
    if row < 0 or lane < 0 or row >= fields.shape[0] or lane >= fields.shape[1]:
        return False
    return fields[row, lane] < ABYSS


@kernel(f"boolean({COURSE}, int64, int64, int64)")
def may_jump(fields, row, lane, direction):
    """Whether there is a space to jump over (S7); after the last row, each lane has to be asked."""
    row, lane = row + ROWS_TO[direction], lane + LANES_TO[direction]
    if lane < 0 or lane >= fields.shape[1]:
        return False
    return row >= fields.shape[0] or fields[row, lane] != OFF_COURSE


@kernel(f"boolean({COURSE}, int64, int64, boolean)")
def may_land(fields, row, lane, over):
    """Whether a step or a spring can end on a space.

    Args:
        over: whether it crosses the line; onto row 1, it jumps over a space of row 0 (S7).
    """
    if not enterable(fields, row, lane):
        return False
    return not over or row == 0 or fields[0, lane] != OFF_COURSE


@kernel(f"int64({VECTOR}, int64)")
def progress(s, seat):
    """Return lap and row as one number; 0 before the first turn."""
    at = SEAT + seat * SEAT_SIZE
    return s[at + LAP] * 1000 + s[at + ROW] if s[at + LAP] > 0 else 0


@kernel(f"int64({VECTOR}, int64, int64)")
def chili_movements(s, seat, own):
    """Return the movements that a chili adds to a seat with progress ``own`` (S10)."""
    first, last = 0, 1 << 30
    for other in range(s[N]):
        if other != seat:
            other_progress = progress(s, other)
            first, last = max(first, other_progress), min(last, other_progress)
    if own >= first:
        return 1
    return 3 if own < last else 2


# Changes --------------------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {VECTOR})")
def copy_position(source, target):
    """Copy a position: assigning a slice would add 5 s to compilation, for the text of an error."""
    for place in range(LENGTH):
        target[place] = source[place]


@kernel(f"void({VECTOR}, int64)")
def discard(s, card):
    """Add a card to the discards; an unseen one stays in the pool."""
    if card >= 0:
        s[DISCARDS + card] += 1


@kernel(f"int64({VECTOR}, int64)")
def take_top(s, seat):
    """Remove and return the top card of a stack."""
    at = SEAT + seat * SEAT_SIZE
    s[at + COUNT] -= 1
    place = at + GIFTS + s[at + COUNT]
    card = s[place]
    s[place] = 0
    return card


@kernel(f"void({VECTOR}, int64)")
def meet_snowman(s, seat):
    """Remove a snowman on the character's space; the character misses its next turn (S12)."""
    at = SEAT + seat * SEAT_SIZE
    snowman = snowman_on(s, s[at + ROW], s[at + LANE])
    if snowman < 0:
        return
    discard(s, s[snowman + 2])
    s[SNOW] -= 1
    for place in range(snowman, SNOWMAN + 3 * s[SNOW]):
        s[place] = s[place + 3]
    for place in range(SNOWMAN + 3 * s[SNOW], SNOWMAN + 3 * s[SNOW] + 3):
        s[place] = 0
    s[at + MISSES] = 1


@kernel(f"void({VECTOR}, int64, int64, int64)")
def put_snowman(s, row, lane, card):
    """Insert a snowman, sorted by row and lane."""
    place = SNOWMAN + 3 * s[SNOW]
    while place > SNOWMAN and (s[place - 3] > row or (s[place - 3] == row and s[place - 2] > lane)):
        for part in range(place, place + 3):
            s[part] = s[part - 3]
        place -= 3
    s[place], s[place + 1], s[place + 2] = row, lane, card
    s[SNOW] += 1


@kernel(f"void({VECTOR})")
def finish_action(s):
    """Finish an action: discard the card in play, because its effect is over (S14)."""
    discard(s, s[IN_PLAY])
    s[IN_PLAY] = -1
    if s[PHASE] != ENDED:
        s[PHASE] = DECIDING


@kernel(f"void({VECTOR}, {COURSE}, int64, int64, int64)")
def enter(s, fields, lap, row, lane):
    """Move the player in turn onto a space (S6, S12)."""
    mover = s[TURN]
    at = SEAT + mover * SEAT_SIZE
    s[at + LAP], s[at + ROW], s[at + LANE] = lap, row, lane
    meet_snowman(s, mover)
    if seat_on(s, row, lane, mover) < 0:
        if fields[row, lane] & BOOST:
            s[MOVES] += 1
        if fields[row, lane] & GIFT:
            if s[PILE] == 0:
                for kind in range(KINDS):
                    s[PILE] += s[DISCARDS + kind]
                    s[POOL + kind] += s[DISCARDS + kind]
                    s[DISCARDS + kind] = 0
            if s[PILE] > 0:
                s[PHASE] = DRAWING
                return
    finish_action(s)


@kernel(f"void({VECTOR})")
def win(s):
    """Move the player in turn over the finish line (S16)."""
    s[WINNER] = s[TURN]
    at = SEAT + s[TURN] * SEAT_SIZE
    s[at + LAP], s[at + ROW], s[at + LANE] = 0, 0, 0
    s[PHASE] = ENDED
    finish_action(s)


@kernel(f"void({VECTOR}, int64)")
def draw(s, card):
    """Draw a card of the pool; an ``UNSEEN`` one stays in the pool (S15)."""
    at = SEAT + s[TURN] * SEAT_SIZE
    if s[at + COUNT] == STACK:
        for place in range(at + GIFTS, at + GIFTS + STACK - 1):
            s[place] = s[place + 1]
        s[at + COUNT] -= 1
    s[at + GIFTS + s[at + COUNT]] = card
    s[at + COUNT] += 1
    s[PILE] -= 1
    if card >= 0:
        s[POOL + card] -= 1
    finish_action(s)


@kernel(f"int64({VECTOR}, {COURSE}, int64)")
def targets(s, fields, gift):
    """Return the target seats as bits; they may include the attacker (S8 to S10)."""
    mover = s[TURN]
    at = SEAT + mover * SEAT_SIZE
    row, lane = s[at + ROW], s[at + LANE]
    hit = 0
    if gift == ROCKET:
        for ahead in range(row + 1, fields.shape[0]):
            seat = seat_on(s, ahead, lane, mover)
            if seat >= 0:
                return 1 << seat
            if fields[ahead, lane] >= OBSTACLE or snowman_on(s, ahead, lane) >= 0:
                return 0
        return 0
    if gift == BLACK_ICE:
        for direction in range(4):
            seat = seat_on(s, row + ROWS_TO[direction], lane + LANES_TO[direction], mover)
            if seat >= 0:
                hit |= 1 << seat
        return hit
    largest = 0
    for seat in range(s[N]):
        largest = max(largest, progress(s, seat))
    for seat in range(s[N]):
        if progress(s, seat) == largest:
            hit |= 1 << seat
    return hit


@kernel(f"void({VECTOR}, {COURSE}, int64, int64)")
def slide(s, fields, seat, direction):
    """Move a character up to two spaces by black ice (S8)."""
    at = SEAT + seat * SEAT_SIZE
    moved = False
    for _ in range(2):
        row, lane = s[at + ROW] + ROWS_TO[direction], s[at + LANE] + LANES_TO[direction]
        if not enterable(fields, row, lane) or seat_on(s, row, lane, seat) >= 0:
            break
        s[at + ROW], s[at + LANE] = row, lane
        moved = True
        if snowman_on(s, row, lane) >= 0:
            break
    if moved:
        meet_snowman(s, seat)


@kernel(f"void({VECTOR}, {COURSE}, int64)")
def settle(s, fields, foiled):
    """Apply an attack to all targets except those in ``foiled`` (bits)."""
    gift = s[PHASE] - ATTACKING
    mover = s[TURN]
    hit = targets(s, fields, gift) & ~foiled
    if gift == BLACK_ICE:
        at = SEAT + mover * SEAT_SIZE
        row, lane = s[at + ROW], s[at + LANE]
        around = np.empty(4, np.int64)
        for direction in range(4):
            around[direction] = seat_on(
                s, row + ROWS_TO[direction], lane + LANES_TO[direction], mover
            )
        for direction in range(4):
            seat = around[direction]
            if seat >= 0 and hit >> seat & 1:
                slide(s, fields, seat, direction)
    else:
        for seat in range(s[N]):
            if hit >> seat & 1:
                s[SEAT + seat * SEAT_SIZE + (STUNG if gift == BEE_STING else MISSES)] = 1
    finish_action(s)


@kernel(f"int64({VECTOR}, {CARDS}, int64)")
def known_magnets(s, uses, hit):
    """Return the target seats, without the attacker, with a known magnet on top, as bits."""
    seats = 0
    for seat in range(s[N]):
        at = SEAT + seat * SEAT_SIZE
        if hit >> seat & 1 and seat != s[TURN] and s[at + COUNT] > 0:
            card = s[at + GIFTS + s[at + COUNT] - 1]
            if card >= 0 and uses[card] >> MAGNET & 1:
                seats |= 1 << seat
    return seats


@kernel(f"int64({VECTOR}, int64)")
def unseen_tops(s, hit):
    """Return the target seats, without the attacker, with an unseen card on top, as bits."""
    seats = 0
    for seat in range(s[N]):
        at = SEAT + seat * SEAT_SIZE
        if hit >> seat & 1 and seat != s[TURN] and s[at + COUNT] > 0:
            top = s[at + GIFTS + s[at + COUNT] - 1]
            seats |= (top == UNSEEN) << seat
    return seats


@kernel(f"boolean({VECTOR}, {COURSE}, {CARDS})")
def may_be_answered(s, fields, uses):
    """Whether a target of the attack under way may have a magnet on top of its stack."""
    hit = targets(s, fields, s[PHASE] - ATTACKING)
    return known_magnets(s, uses, hit) != 0 or unseen_tops(s, hit) != 0


@kernel(f"void({VECTOR}, {COURSE}, {CARDS})")
def answer_known(s, fields, uses):
    """Let every target with a known magnet on top use it; unseen cards count as no magnet."""
    foiled = known_magnets(s, uses, targets(s, fields, s[PHASE] - ATTACKING))
    for seat in range(s[N]):
        if foiled >> seat & 1:
            discard(s, take_top(s, seat))
    settle(s, fields, foiled)


@kernel(f"void({VECTOR})")
def begin(s):
    """Begin the turn of the next player who does not miss it."""
    while s[SEAT + s[TURN] * SEAT_SIZE + MISSES]:
        s[SEAT + s[TURN] * SEAT_SIZE + MISSES] = 0
        s[TURN] = (s[TURN] + 1) % s[N]
    at = SEAT + s[TURN] * SEAT_SIZE
    s[MOVES] = STUNG_MOVEMENTS if s[at + STUNG] else MOVEMENTS
    s[at + STUNG] = 0
    s[PHASE] = DECIDING


@kernel(f"void({VECTOR})")
def end_turn(s):
    """End the turn, skip missed turns and begin the next turn (S10, S11)."""
    s[TURN] = (s[TURN] + 1) % s[N]
    begin(s)

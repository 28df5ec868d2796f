"""Turns of Slopecrashers on packed positions; the readable twins are ``movement.py``,
``attacks.py`` and ``turn.py``.

A position is an int16 vector; see the places below.  ``fields`` is int8[rows, lanes], the course;
``uses`` is int64[kinds], for each kind of card of the deck the gifts it can be used as, as bits.
A card is the number of its kind; ``UNSEEN`` can only be discarded.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel

SEATS, STACK, SNOWMEN, KINDS = 6, 10, 12, 36
"""The most that a packed position holds; of a deeper stack the top cards are packed."""
UNSEEN = -1

N, TURN, WINNER, MOVES, IN_PLAY, PILE, SNOW, PHASE = range(8)
"""How many seats, whose turn, who has won or -1, movements left, the card in play or -1, cards in
the pile, snowmen, and what is due."""
DECIDING, DRAWING, ENDED, ATTACKING = range(4)
"""Phases; ``ATTACKING`` plus the gift while an attack is open."""
SNOWMAN = 8
"""Row, lane and card of each snowman."""
SEAT = SNOWMAN + 3 * SNOWMEN
LAP, ROW, LANE, MISSES, STUNG, COUNT, GIFTS = range(7)
"""Of each seat; lap 0 before the first turn, gifts from the bottom to the top."""
SEAT_SIZE = GIFTS + STACK
POOL = SEAT + SEATS * SEAT_SIZE
"""Of each kind, how many cards the pile and unknown gifts may hold together."""
DISCARDS = POOL + KINDS
LENGTH = DISCARDS + KINDS

SPRING, CHILI, ROCKET, MAGNET, BLACK_ICE, BEE_STING, CARRIER_PIGEON, SNOWMAN_GIFT = range(8)
GIFT, BOOST, ABYSS, OBSTACLE = 1, 2, 3, 4
LAPS = 2
MOVEMENTS, STUNG_MOVEMENTS = 2, 1
FORWARD, LEFT, RIGHT, BACK = range(4)
ROWS_TO = np.array([1, 0, 0, -1], np.int64)
LANES_TO = np.array([0, -1, 1, 0], np.int64)

VECTOR = "int16[::1]"
COURSE = "int8[:, ::1]"
CARDS = "int64[::1]"


# Looking --------------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, int64, int64, int64)")
def seat_on(s, row, lane, but):
    """The seat of a character on a space, other than ``but``; -1 for none."""
    for seat in range(s[N]):
        at = SEAT + seat * SEAT_SIZE
        if s[at + ROW] == row and s[at + LANE] == lane and s[at + LAP] > 0 and seat != but:
            return seat
    return -1


@kernel(f"int64({VECTOR}, int64, int64)")
def snowman_on(s, row, lane):
    """The place of a snowman in the vector; -1 for none."""
    for at in range(SNOWMAN, SNOWMAN + 3 * s[SNOW], 3):
        if s[at] == row and s[at + 1] == lane:
            return at
    return -1


@kernel(f"boolean({COURSE}, int64, int64)")
def enterable(fields, row, lane):
    """Whether there is such a space, and a character can stand on it."""
    if row < 0 or lane < 0 or row >= fields.shape[0] or lane >= fields.shape[1]:
        return False
    return fields[row, lane] < ABYSS


@kernel(f"int64({VECTOR}, int64)")
def progress(s, seat):
    """Lap and row as one number; 0 before the first turn."""
    at = SEAT + seat * SEAT_SIZE
    return s[at + LAP] * 1000 + s[at + ROW] if s[at + LAP] > 0 else 0


@kernel(f"int64({VECTOR}, int64, int64)")
def chili_movements(s, seat, own):
    """What a chili adds to a seat whose progress is ``own`` (S10)."""
    foremost, last = 0, 1 << 30
    for other in range(s[N]):
        if other != seat:
            reached = progress(s, other)
            foremost, last = max(foremost, reached), min(last, reached)
    if own >= foremost:
        return 1
    return 3 if own < last else 2


# Certainty (S5) -------------------------------------------------------------------------------


@kernel("int64(int64[:, ::1], int64, int64, int64, int64, int64, int64)")
def _add_state(found, count, lap, row, lane, moves, used):
    """Adds a moment that was not met before, as long as there is room."""
    for other in found[:count]:
        if (
            other[0] == lap
            and other[1] == row
            and other[2] == lane
            and other[3] == moves
            and other[4] == used
        ):
            return count
    if count < found.shape[0]:
        found[count, 0], found[count, 1], found[count, 2] = lap, row, lane
        found[count, 3], found[count, 4] = moves, used
        count += 1
    return count


MOMENTS = 600
"""Of a search for a way to end a turn."""


@kernel(f"boolean({VECTOR}, {COURSE}, {CARDS})")
def can_end_turn(s, fields, uses):
    """Whether the turn can end on a free space from where it is; as ``movement.can_end``, without
    its bound on atoms.
    """
    mover, (rows, lanes) = s[TURN], fields.shape
    at = SEAT + mover * SEAT_SIZE
    if seat_on(s, s[at + ROW], s[at + LANE], mover) < 0:
        return True
    found = np.empty((MOMENTS, 5), np.int64)
    found[0, 0], found[0, 1], found[0, 2] = s[at + LAP], s[at + ROW], s[at + LANE]
    found[0, 3], found[0, 4] = s[MOVES], 0
    count, here = 1, 0
    while here < count:
        lap, row, lane, moves, used = found[here]
        here += 1
        use = 0
        if used < s[at + COUNT]:
            card = s[at + GIFTS + s[at + COUNT] - 1 - used]
            use = uses[card] if card >= 0 else 0
            count = _add_state(found, count, lap, row, lane, moves, used + 1)
            if use >> CHILI & 1:
                more = chili_movements(s, mover, lap * 1000 + row)
                count = _add_state(found, count, lap, row, lane, moves + more, used + 1)
        for reach in range(1, 3):
            if (reach == 1 and moves == 0) or (reach == 2 and not use >> SPRING & 1):
                continue
            left, gone = moves - (reach == 1), used + (reach == 2)
            for direction in range(3):
                first, last, on = lane + reach * LANES_TO[direction], 0, lap
                last = first
                to = row + reach * ROWS_TO[direction]
                if to >= rows:
                    if lap == LAPS:
                        return True
                    to, on, first, last = to - rows, lap + 1, 0, lanes - 1
                for chosen in range(first, last + 1):
                    if enterable(fields, to, chosen):
                        if seat_on(s, to, chosen, mover) < 0:
                            return True
                        count = _add_state(found, count, on, to, chosen, left, gone)
    return False


# Doing ----------------------------------------------------------------------------------------


@kernel(f"void({VECTOR}, int64)")
def discard(s, card):
    """A card lies among the discards; one that was never seen is one of the pool's."""
    if card >= 0:
        s[DISCARDS + card] += 1


@kernel(f"int64({VECTOR}, int64)")
def take_top(s, seat):
    """The seat's top card leaves its stack."""
    at = SEAT + seat * SEAT_SIZE
    s[at + COUNT] -= 1
    place = at + GIFTS + s[at + COUNT]
    card = s[place]
    s[place] = 0
    return card


@kernel(f"void({VECTOR}, int64)")
def meet_snowman(s, seat):
    """Whoever enters a snowman's space removes it and misses the next turn (S12)."""
    at = SEAT + seat * SEAT_SIZE
    found = snowman_on(s, s[at + ROW], s[at + LANE])
    if found < 0:
        return
    discard(s, s[found + 2])
    s[SNOW] -= 1
    for place in range(found, SNOWMAN + 3 * s[SNOW]):
        s[place] = s[place + 3]
    for place in range(SNOWMAN + 3 * s[SNOW], SNOWMAN + 3 * s[SNOW] + 3):
        s[place] = 0
    s[at + MISSES] = 1


@kernel(f"void({VECTOR}, int64, int64, int64)")
def put_snowman(s, row, lane, card):
    """A snowman more, in its place by row and lane."""
    place = SNOWMAN + 3 * s[SNOW]
    while place > SNOWMAN and (s[place - 3] > row or (s[place - 3] == row and s[place - 2] > lane)):
        for part in range(place, place + 3):
            s[part] = s[part - 3]
        place -= 3
    s[place], s[place + 1], s[place + 2] = row, lane, card
    s[SNOW] += 1


@kernel(f"void({VECTOR})")
def finish_action(s):
    """The card in play is discarded once its whole effect is over (S14)."""
    discard(s, s[IN_PLAY])
    s[IN_PLAY] = -1
    if s[PHASE] != ENDED:
        s[PHASE] = DECIDING


@kernel(f"void({VECTOR}, {COURSE}, int64, int64, int64)")
def enter(s, fields, lap, row, lane):
    """The player in turn comes onto a space (S6, S12)."""
    mover = s[TURN]
    at = SEAT + mover * SEAT_SIZE
    s[at + LAP], s[at + ROW], s[at + LANE] = lap, row, lane
    meet_snowman(s, mover)
    if seat_on(s, row, lane, mover) < 0:
        if fields[row, lane] == BOOST:
            s[MOVES] += 1
        elif fields[row, lane] == GIFT:
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
    """The player in turn is over the last line (S16)."""
    s[WINNER] = s[TURN]
    at = SEAT + s[TURN] * SEAT_SIZE
    s[at + LAP], s[at + ROW], s[at + LANE] = 0, 0, 0
    s[PHASE] = ENDED
    finish_action(s)


@kernel(f"void({VECTOR}, int64)")
def draw(s, card):
    """A card of the pool is drawn; ``UNSEEN`` stays in it (S15)."""
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
    """Who is about to be hit, as bits, the player perhaps included (S8 to S10)."""
    mover = s[TURN]
    at = SEAT + mover * SEAT_SIZE
    row, lane = s[at + ROW], s[at + LANE]
    hit = 0
    if gift == ROCKET:
        for ahead in range(row + 1, fields.shape[0]):
            found = seat_on(s, ahead, lane, mover)
            if found >= 0:
                return 1 << found
            if fields[ahead, lane] == OBSTACLE or snowman_on(s, ahead, lane) >= 0:
                return 0
        return 0
    if gift == BLACK_ICE:
        for direction in range(4):
            found = seat_on(s, row + ROWS_TO[direction], lane + LANES_TO[direction], mover)
            if found >= 0:
                hit |= 1 << found
        return hit
    foremost = 0
    for seat in range(s[N]):
        foremost = max(foremost, progress(s, seat))
    for seat in range(s[N]):
        if progress(s, seat) == foremost:
            hit |= 1 << seat
    return hit


@kernel(f"void({VECTOR}, {COURSE}, int64, int64)")
def slide(s, fields, seat, direction):
    """Black ice moves a character up to two spaces (S8)."""
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
    """An attack takes effect on all but those who foiled it (bits), and is over."""
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
    """Which of these seats, the player in turn left out, have a known magnet on top, as bits."""
    found = 0
    for seat in range(s[N]):
        at = SEAT + seat * SEAT_SIZE
        if hit >> seat & 1 and seat != s[TURN] and s[at + COUNT] > 0:
            card = s[at + GIFTS + s[at + COUNT] - 1]
            if card >= 0 and uses[card] >> MAGNET & 1:
                found |= 1 << seat
    return found


@kernel(f"int64({VECTOR}, int64)")
def unseen_tops(s, hit):
    """Which of these seats, the player in turn left out, have an unseen card on top, as bits."""
    found = 0
    for seat in range(s[N]):
        at = SEAT + seat * SEAT_SIZE
        if hit >> seat & 1 and seat != s[TURN] and s[at + COUNT] > 0:
            top = s[at + GIFTS + s[at + COUNT] - 1]
            found |= (top == UNSEEN) << seat
    return found


@kernel(f"void({VECTOR}, {COURSE}, {CARDS})")
def answer_known(s, fields, uses):
    """Everybody with a known magnet on top uses it; who may have one is taken to have none."""
    foiled = known_magnets(s, uses, targets(s, fields, s[PHASE] - ATTACKING))
    for seat in range(s[N]):
        if foiled >> seat & 1:
            discard(s, take_top(s, seat))
    settle(s, fields, foiled)


@kernel(f"void({VECTOR})")
def begin(s):
    """The turn of whoever is next and does not miss it."""
    while s[SEAT + s[TURN] * SEAT_SIZE + MISSES]:
        s[SEAT + s[TURN] * SEAT_SIZE + MISSES] = 0
        s[TURN] = (s[TURN] + 1) % s[N]
    at = SEAT + s[TURN] * SEAT_SIZE
    s[MOVES] = STUNG_MOVEMENTS if s[at + STUNG] else MOVEMENTS
    s[at + STUNG] = 0
    s[PHASE] = DECIDING


@kernel(f"void({VECTOR})")
def end_turn(s):
    """The turn ends; who misses one is passed over, and the next begins (S10, S11)."""
    s[TURN] = (s[TURN] + 1) % s[N]
    begin(s)

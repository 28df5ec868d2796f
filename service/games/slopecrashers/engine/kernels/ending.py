"""Whether a turn can end on a free space (S5).

Positions are packed as in ``turns``.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.slopecrashers.engine.kernels import turns
from service.games.slopecrashers.engine.kernels.turns import CARDS, COURSE, VECTOR

MAX_STATES = 600
"""Capacity of a search for an end of a turn."""


@kernel("int64(int64[:, ::1], int64, int64, int64, int64, int64, int64)")
def _add_state(states, count, lap, row, lane, moves, used):
    """Append a state that is new, if there is room; return the number of states."""
    for other in states[:count]:
        if (
            other[0] == lap
            and other[1] == row
            and other[2] == lane
            and other[3] == moves
            and other[4] == used
        ):
            return count
    if count < states.shape[0]:
        states[count, 0], states[count, 1], states[count, 2] = lap, row, lane
        states[count, 3], states[count, 4] = moves, used
        count += 1
    return count


@kernel(f"boolean({VECTOR}, {COURSE}, {CARDS})")
def _can_leave(s, fields, uses):
    """Whether the turn can end on another space."""
    mover, (rows, lanes) = s[turns.TURN], fields.shape
    at = turns.SEAT + mover * turns.SEAT_SIZE
    states = np.empty((MAX_STATES, 5), np.int64)
    states[0, 0], states[0, 1], states[0, 2] = (
        s[at + turns.LAP],
        s[at + turns.ROW],
        s[at + turns.LANE],
    )
    states[0, 3], states[0, 4] = s[turns.MOVES], 0
    count, here = 1, 0
    while here < count:
        lap, row, lane, moves, used = states[here]
        here += 1
        use = 0
        if used < s[at + turns.COUNT]:
            card = s[at + turns.GIFTS + s[at + turns.COUNT] - 1 - used]
            use = uses[card] if card >= 0 else 0
            count = _add_state(states, count, lap, row, lane, moves, used + 1)
            if use >> turns.CHILI & 1:
                more = turns.chili_movements(s, mover, lap * 1000 + row)
                count = _add_state(states, count, lap, row, lane, moves + more, used + 1)
        for reach in range(1, 3):
            if (reach == 1 and moves == 0) or (reach == 2 and not use >> turns.SPRING & 1):
                continue
            left, gone = moves - (reach == 1), used + (reach == 2)
            for direction in range(3):
                if reach == 2 and not turns.may_jump(fields, row, lane, direction):
                    continue
                first, last, on = lane + reach * turns.LANES_TO[direction], 0, lap
                last = first
                to = row + reach * turns.ROWS_TO[direction]
                over = to >= rows
                if over:
                    if lap == turns.LAPS:
                        return True
                    to, on, first, last = to - rows, lap + 1, 0, lanes - 1
                for chosen in range(first, last + 1):
                    if turns.may_land(fields, to, chosen, over):
                        if turns.seat_on(s, to, chosen, mover) < 0:
                            return True
                        count = _add_state(states, count, on, to, chosen, left, gone)
    return False


@kernel(f"boolean({VECTOR}, {COURSE}, {CARDS})")
def can_end_turn(s, fields, uses):
    """Whether the turn can end on a free space.

    The same as ``movement.can_end``, without its limit of actions.
    """
    at = turns.SEAT + s[turns.TURN] * turns.SEAT_SIZE
    # Nearly always the space is free. The search creates an array, so it counts references, which
    # takes as long as the rest of an action.
    free = turns.seat_on(s, s[at + turns.ROW], s[at + turns.LANE], s[turns.TURN]) < 0
    return free or _can_leave(s, fields, uses)

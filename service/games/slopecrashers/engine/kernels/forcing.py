"""Races of two players that one of them wins by force, whatever the other one does.

Positions are packed as in ``turns``.  The search is a minimax over whole turns (Shannon 1950),
deepened turn by turn, so that the result is that of the shortest forced win.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.slopecrashers.engine.kernels.estimation import DISTANCES, track_left
from service.games.slopecrashers.engine.kernels.reaching import STATES, may_end, reach
from service.games.slopecrashers.engine.kernels.turns import (
    BEE_STING,
    BLACK_ICE,
    CARDS,
    CARRIER_PIGEON,
    CHILI,
    COUNT,
    COURSE,
    DECIDING,
    ENDED,
    GIFTS,
    LENGTH,
    MAGNET,
    MOVES,
    PHASE,
    ROCKET,
    SEAT,
    SEAT_SIZE,
    SPRING,
    TURN,
    UNSEEN,
    VECTOR,
    WINNER,
    N,
    copy_position,
    end_turn,
)

TURNS = 6
"""Turns that are searched at most, of both players together."""
MAX_ENDS = 512
"""Positions of a turn that are searched; the result is open if there are more."""
NEAR = 9.0
"""A race is searched if one of the players has no more movements left to the finish."""
CHILI_MOVEMENTS = 3
"""That a chili adds at most (S10)."""

ATTACKS = 1 << ROCKET | 1 << BLACK_ICE | 1 << BEE_STING | 1 << CARRIER_PIGEON

SCRATCH = "int16[:, :, ::1]"


@kernel(f"boolean({VECTOR}, {CARDS}, {DISTANCES})")
def is_near(s, uses, distances):
    """Whether a race of two is near its end and no gift leaves open what they can do.

    Attacks on unseen cards depend on chance, and the answer with a magnet is another decision.
    """
    if s[N] != 2 or s[WINNER] >= 0:
        return False
    near = False
    held = np.zeros(2, np.int64)
    for seat in range(2):
        at = SEAT + seat * SEAT_SIZE
        near |= track_left(s, seat, distances) <= NEAR
        for place in range(at + GIFTS, at + GIFTS + s[at + COUNT]):
            if s[place] == UNSEEN:
                return False
            held[seat] |= uses[s[place]]
    for seat in range(2):
        if held[seat] >> MAGNET & 1 and held[1 - seat] & ATTACKS:
            return False
    return near


@kernel(f"boolean({VECTOR}, {CARDS}, {DISTANCES})")
def may_win_now(s, uses, distances):
    """Whether the player in turn may win in this turn; if not, it certainly does not."""
    mover = s[TURN]
    at = SEAT + mover * SEAT_SIZE
    movements = s[MOVES]
    for place in range(at + GIFTS, at + GIFTS + s[at + COUNT]):
        use = uses[s[place]]
        if use >> SPRING & 1:
            return True
        movements += CHILI_MOVEMENTS * (use >> CHILI & 1)
    return track_left(s, mover, distances) <= movements


@kernel(f"int64({VECTOR}, {COURSE}, {CARDS}, {SCRATCH}, int64, int64[:, ::1], int64[:, ::1])")
def _expand(s, fields, uses, states, level, seen, bounds):
    """Write the positions after all ends of a turn to ``states[level]``.

    Args:
        bounds: int64[2, levels], out: the number of ends, and the result for the player in turn
            without them: -1 for a loss, 0 for an open one, 1 for a win.

    Returns:
        The number of positions searched.
    """
    count = reach(s, fields, uses, False, states[level], seen)
    bounds[0, level], bounds[1, level] = 0, -1 if count > 0 else 0
    for place in range(abs(count)):
        state = states[level, place]
        if state[PHASE] == ENDED:
            bounds[1, level] = 1
            return abs(count)
        if state[PHASE] != DECIDING:
            bounds[1, level] = 0  # Chance decides.
        elif may_end(state):
            end_turn(state)
            copy_position(state, states[level, bounds[0, level]])
            bounds[0, level] += 1
    if bounds[0, level] == 0:
        bounds[1, level] = 0  # The turn is not played, or its end needs cards that are not packed.
    return abs(count)


@kernel(
    f"int64({VECTOR}, int64, int64, {COURSE}, {CARDS}, {DISTANCES}, {SCRATCH}, int64[:, ::1],"
    " int64[::1])"
)
def result_within(start, last, most, fields, uses, distances, states, seen, searched):
    """Return the forced result for the player in turn: 1 for a win, -1 for a loss, 0 if open.

    Args:
        last: number of turns that are searched completely, before a last one that may win.
        most: the result is open as soon as more positions than these are searched.
        states: int16[last + 1, MAX_ENDS, LENGTH], scratch.
        seen: scratch, see :func:`reach`.
        searched: int64[1]; the number of positions searched is added.
    """
    here, bounds = np.empty((TURNS, LENGTH), np.int16), np.empty((2, TURNS), np.int64)
    copy_position(start, here[0])
    level, result = 0, 0
    while True:
        if searched[0] > most:
            return 0
        if level < last or may_win_now(here[level], uses, distances):
            searched[0] += _expand(here[level], fields, uses, states, level, seen, bounds)
            result = bounds[1, level]
            if level == last:
                result = max(0, result)
                bounds[0, level] = 0
            elif result == 1:
                bounds[0, level] = 0
        else:
            bounds[0, level], result = 0, 0
        # Go back to the last turn with another end.
        while bounds[0, level] == 0:
            if level == 0:
                return result
            level -= 1
            if here[level, TURN] != here[level + 1, TURN]:
                result = -result
            result = bounds[1, level] = max(bounds[1, level], result)
            if result == 1:
                bounds[0, level] = 0
        bounds[0, level] -= 1
        copy_position(states[level, bounds[0, level]], here[level + 1])
        level += 1


@kernel(
    f"int64({VECTOR}, int64[::1], {COURSE}, {CARDS}, {DISTANCES}, {SCRATCH}, int64[:, ::1],"
    " int64[::1])"
)
def forced_result(s, limits, fields, uses, distances, states, seen, searched):
    """Return the result that the player in turn can force, or cannot avoid.

    Args:
        s: the position when a turn begins.
        limits: int64[3], see :func:`forced_ends`.
        states: int16[TURNS, MAX_ENDS, LENGTH], scratch.
        seen: scratch, see :func:`reach`.
        searched: int64[1]; the number of positions searched is added.

    Returns:
        The number of turns up to the end of the race, negative for a loss; 0 if the result is open.
    """
    if not is_near(s, uses, distances):
        return 0
    most = searched[0] + limits[1]
    for last in range(limits[0]):
        result = result_within(s, last, most, fields, uses, distances, states, seen, searched)
        if result != 0:
            return result * (last + 1)
    return 0


@kernel(
    f"void({STATES}, int64[::1], int64, int64[::1], {COURSE}, {CARDS}, {DISTANCES}, {SCRATCH},"
    " int64[:, ::1], int64[::1], int64[::1])"
)
def forced_ends(ends, kinds, asker, limits, fields, uses, distances, states, seen, searched, out):
    """Write what the asker can force, or cannot avoid, after each end of its turn.

    Args:
        ends: int16[count or more, LENGTH], positions; see ``rating.rate``.
        kinds: int64[count], 1 for an end.
        asker: seat of the asker.
        limits: int64[3], the number of turns, up to :data:`TURNS`; of positions after one end, and
            of positions after which no more ends are searched.
        states: int16[TURNS, MAX_ENDS, LENGTH], scratch.
        seen: scratch, see :func:`reach`.
        searched: int64[1]; the number of positions searched is added.
        out: int64[count], out: the number of turns up to the end of the race, this one included;
            negative for a loss, 0 if the result is open.
    """
    most = searched[0] + limits[2]
    for place in range(len(kinds)):
        out[place] = 0
        if kinds[place] != 1:
            continue
        if ends[place, PHASE] == ENDED:
            out[place] = 1
        elif searched[0] < most:
            turns = forced_result(
                ends[place], limits, fields, uses, distances, states, seen, searched
            )
            if turns != 0:
                lost = (turns < 0) == (ends[place, TURN] == asker)
                out[place] = -(abs(turns) + 1) if lost else abs(turns) + 1

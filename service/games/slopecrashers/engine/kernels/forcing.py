"""Races of two players that one of them wins by force, whatever the other one does.

The results are proven: a player who may draw a card, or whose legal actions may not all be listed,
cannot be said to lose, and a win needs few actions in each turn (S5).

Positions are packed as in ``turns``.  The search is a minimax over whole turns, and over answers
with a magnet (Shannon 1950), deepened turn by turn, so that the result is that of the shortest
forced win.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.compiling import kernel, record
from service.games.slopecrashers.engine.kernels import turns
from service.games.slopecrashers.engine.kernels.estimation import DISTANCES, RACE, track_left
from service.games.slopecrashers.engine.kernels.reaching import STATES, STOP, may_end, reach
from service.games.slopecrashers.engine.kernels.turns import CARDS, COURSE, VECTOR

TURNS = 6
"""Turns that are searched at most, of both players together."""
LEVELS = TURNS + 6
"""Decisions in a row that are searched at most; an attack that may be answered adds two."""
MAX_ENDS = 512
"""Positions of a turn that are searched; the result is open if there are more."""
NEAR = 9.0
"""A race is searched if one of the players has no more movements left to the finish."""
CHILI_MOVEMENTS = 3
"""That a chili adds at most (S10)."""

FEW_ACTIONS = 16
"""A turn that is said to win, or to lead to a win, has at most so many actions between two
draws: far less than are allowed (S5)."""


class Minimax(NamedTuple):
    """The limits of the search, and its memory.

    Attributes:
        limits: int64[2 or more], the number of turns, up to :data:`TURNS`; of positions after one
            end; and, for :func:`forced_ends`, of positions after which no more ends are searched.
        states: int16[LEVELS, MAX_ENDS, LENGTH], scratch.
        seen: scratch, see :func:`reach`.
    """

    limits: NDArray[np.int64]
    states: NDArray[np.int16]
    seen: NDArray[np.int64]


MINIMAX = record(Minimax, limits="int64[::1]", states="int16[:, :, ::1]", seen="int64[:, ::1]")


@kernel(f"boolean({VECTOR}, {DISTANCES})")
def is_near(s, distances):
    """Whether a race of two is near its end and all cards are known.

    A full stack may have more cards than are packed.
    """
    if s[turns.N] != 2 or s[turns.WINNER] >= 0:
        return False
    near = False
    for seat in range(2):
        at = turns.SEAT + seat * turns.SEAT_SIZE
        near |= track_left(s, seat, distances) <= NEAR
        if s[at + turns.COUNT] == turns.STACK:
            return False
        for place in range(at + turns.GIFTS, at + turns.GIFTS + s[at + turns.COUNT]):
            if s[place] == turns.UNSEEN:
                return False
    return near


@kernel(f"boolean({VECTOR}, {CARDS}, {DISTANCES})")
def may_win_now(s, uses, distances):
    """Whether the player in turn may win in this turn; if not, it certainly does not."""
    mover = s[turns.TURN]
    at = turns.SEAT + mover * turns.SEAT_SIZE
    movements = s[turns.MOVES]
    for place in range(at + turns.GIFTS, at + turns.GIFTS + s[at + turns.COUNT]):
        use = uses[s[place]]
        if use >> turns.SPRING & 1:
            return True
        movements += CHILI_MOVEMENTS * (use >> turns.CHILI & 1)
    return track_left(s, mover, distances) <= movements


@kernel(f"int64({VECTOR})")
def _decider(s):
    """Return the seat that decides: the player in turn, or the target of an attack."""
    return 1 - s[turns.TURN] if s[turns.PHASE] >= turns.ATTACKING else s[turns.TURN]


@kernel(f"int64({VECTOR}, {COURSE}, {CARDS}, boolean, {STATES}, int64[:, ::1], int64[::1])")
def _expand_turn(s, fields, uses, ends, states, seen, bounds):
    """Write the positions in which a turn ends, or in which its attack may be answered.

    Args:
        ends: whether ends are written; if not, only the end of the race decides.
        states: int16[MAX_ENDS, LENGTH], out.
        seen: scratch, see :func:`reach`.
        bounds: int64[2], out: the number of positions, and the result for the player in turn
            without them: -1 for a loss, 0 for an open one, 1 for a win.

    Returns:
        The number of positions searched.
    """
    count = reach(s, fields, uses, STOP, states, seen)
    bounds[0], bounds[1] = 0, -1 if ends and count > 0 else 0
    played = False
    for place in range(abs(count)):
        state = states[place]
        if seen[1, place] >= FEW_ACTIONS:
            bounds[1] = 0  # There may be too many actions.
            break
        if state[turns.PHASE] == turns.ENDED:
            bounds[0], bounds[1] = 0, 1
            return abs(count)
        if state[turns.SNOW] == turns.SNOWMEN:
            bounds[1] = 0  # There is no room for more of them.
        if state[turns.PHASE] == turns.DRAWING:
            bounds[1] = 0  # Chance decides.
            continue
        if state[turns.PHASE] == turns.DECIDING:
            if not may_end(state):
                continue
            played = True
            if not ends:
                continue
            turns.end_turn(state)
        turns.copy_position(state, states[bounds[0]])
        bounds[0] += 1
    if not played and bounds[0] == 0:
        bounds[1] = 0  # The turn is not played, or its end needs cards that are not packed.
    return abs(count)


@kernel(f"void({VECTOR}, {COURSE}, {STATES}, int64[::1])")
def _expand_answer(s, fields, states, bounds):
    """Write the positions after an attack on a magnet that is used, and on one that is kept."""
    target = 1 - s[turns.TURN]
    for used in range(2):
        turns.copy_position(s, states[used])
        if used:
            turns.discard(states[used], turns.take_top(states[used], target))
        turns.settle(states[used], fields, used << target)
    bounds[0], bounds[1] = 2, -1


@kernel(f"int64({VECTOR}, int64, int64, {RACE}, {MINIMAX}, int64[::1])")
def result_within(start, last, most, race, minimax, searched):
    """Return the forced result for the player in turn: 1 for a win, -1 for a loss, 0 if open.

    Args:
        last: number of turns that are searched completely, before a last one that may win.
        most: the result is open as soon as more positions than these are searched.
        searched: int64[1]; the number of positions searched is added.
    """
    here, bounds = np.empty((LEVELS, turns.LENGTH), np.int16), np.zeros((LEVELS, 2), np.int64)
    left, states = np.empty(LEVELS, np.int64), minimax.states
    turns.copy_position(start, here[0])
    level, result, left[0] = 0, 0, last
    while True:
        if searched[0] > most:
            return 0
        bounds[level, 0], bounds[level, 1] = 0, 0
        if level + 1 == LEVELS:
            pass  # There are too many attacks.
        elif here[level, turns.PHASE] >= turns.ATTACKING:
            _expand_answer(here[level], race.fields, states[level], bounds[level])
        elif left[level] > 0 or may_win_now(here[level], race.uses, race.distances):
            searched[0] += _expand_turn(
                here[level],
                race.fields,
                race.uses,
                left[level] > 0,
                states[level],
                minimax.seen,
                bounds[level],
            )
        result = bounds[level, 1]
        # Go back to the last decision with another choice.
        while bounds[level, 0] == 0:
            if level == 0:
                return result
            level -= 1
            if _decider(here[level]) != _decider(here[level + 1]):
                result = -result
            result = bounds[level, 1] = max(bounds[level, 1], result)
            if result == 1:
                bounds[level, 0] = 0
        bounds[level, 0] -= 1
        turns.copy_position(states[level, bounds[level, 0]], here[level + 1])
        same_turn = (
            here[level, turns.PHASE] >= turns.ATTACKING
            or here[level + 1, turns.PHASE] >= turns.ATTACKING
        )
        left[level + 1] = left[level] - (not same_turn)
        level += 1


@kernel(f"int64({VECTOR}, {RACE}, {MINIMAX}, int64[::1])")
def forced_result(s, race, minimax, searched):
    """Return the result that the player in turn can force, or cannot avoid.

    Args:
        s: the position when a turn begins.
        searched: int64[1]; the number of positions searched is added.

    Returns:
        The number of turns up to the end of the race, negative for a loss; 0 if the result is open.
    """
    if not is_near(s, race.distances):
        return 0
    most = searched[0] + minimax.limits[1]
    for last in range(minimax.limits[0]):
        result = result_within(s, last, most, race, minimax, searched)
        if result != 0:
            return result * (last + 1)
    return 0


@kernel(f"void({STATES}, int64[::1], int64, {RACE}, {MINIMAX}, int64[::1], int64[::1])")
def forced_ends(ends, kinds, asker, race, minimax, searched, out):
    """Write what the asker can force, or cannot avoid, after each end of its turn.

    Args:
        ends: int16[count or more, LENGTH], positions; see ``rating.rate``.
        kinds: int64[count], 1 for an end.
        asker: seat of the asker.
        searched: int64[1]; the number of positions searched is added.
        out: int64[count], out: the number of turns up to the end of the race, this one included;
            negative for a loss, 0 if the result is open.
    """
    most = searched[0] + minimax.limits[2]
    for place in range(len(kinds)):
        out[place] = 0
        if kinds[place] != 1:
            continue
        if ends[place, turns.PHASE] == turns.ENDED:
            out[place] = 1
        elif searched[0] < most:
            found = forced_result(ends[place], race, minimax, searched)
            if found != 0:
                lost = (found < 0) == (ends[place, turns.TURN] == asker)
                out[place] = -(abs(found) + 1) if lost else abs(found) + 1

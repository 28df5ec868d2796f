"""Rate the positions of a turn by the evaluator, and choose ends by it.

Positions are packed as in ``turns``.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.slopecrashers.engine.kernels import turns
from service.games.slopecrashers.engine.kernels.estimation import RACE, shares, track_left
from service.games.slopecrashers.engine.kernels.reaching import (
    SKIP,
    STATES,
    STOP,
    may_end,
    reach,
    skip_chance,
)
from service.games.slopecrashers.engine.kernels.turns import VECTOR

MAX_REDUCED = 80
"""Positions searched in a turn of another player: those within a few actions."""
MAX_AFTER = 512
"""Positions searched after an event to rate it."""


@kernel(f"int64({VECTOR}, {RACE}, {STATES}, int64[:, ::1], {VECTOR}, float64[::1])")
def best_end(s, race, states, seen, out, value):
    """Write the best end of the turn for its player by the evaluator, without chance.

    Args:
        states, seen: scratch, see :func:`reach`.
        out: int16[LENGTH], out: the position when the next turn begins.  If the turn has no legal
            end, the position without the turn.
        value: float64[n], scratch.

    Returns:
        The number of positions searched.
    """
    mover = s[turns.TURN]
    count = abs(reach(s, race.fields, race.uses, SKIP, states[:MAX_REDUCED], seen))
    best, chosen = -1.0, -1
    for place in range(count):
        state = states[place]
        if state[turns.PHASE] == turns.ENDED:
            turns.copy_position(state, out)
            return count
        if may_end(state):
            turns.copy_position(state, out)
            turns.end_turn(out)
            shares(out, race, value)
            if value[mover] > best:
                best, chosen = value[mover], place
    turns.copy_position(states[chosen] if chosen >= 0 else s, out)
    if chosen < 0 and s[turns.MOVES] == turns.STUNG_MOVEMENTS:
        out[turns.SEAT + mover * turns.SEAT_SIZE + turns.STUNG] = (
            1  # The turn was not played (S11).
        )
    turns.end_turn(out)
    return count


@kernel(f"int64({VECTOR}, int64, {RACE}, {STATES}, int64[:, ::1], {VECTOR})")
def go_first(s, asker, race, states, seen, out):
    """Write the asker's best end or draw with progress if it plays again before all others.

    Args:
        s: the position when the next turn begins.
        asker: seat of the asker.
        states, seen: scratch, see :func:`reach`.
        out: int16[LENGTH], out: the position when the turn after it begins, or before the draw.

    Returns:
        1 for an end.  2 for a draw, if there is no such end without chance.  0 if another player
        is ahead, if the asker is not on the course or misses its turn, or if neither is nearer to
        the finish.  If progress needs several draws or an attack, it is an end for which the gifts
        drawn are left out.
    """
    at, n = turns.SEAT + asker * turns.SEAT_SIZE, s[turns.N]
    if s[turns.WINNER] >= 0 or s[at + turns.LAP] == 0 or s[at + turns.MISSES]:
        return 0
    for seat in range(n):
        if turns.progress(s, seat) > turns.progress(s, asker):
            return 0
    start = np.empty(turns.LENGTH, np.int16)
    turns.copy_position(s, start)
    if s[turns.MOVES] == turns.STUNG_MOVEMENTS:
        start[turns.SEAT + s[turns.TURN] * turns.SEAT_SIZE + turns.STUNG] = (
            1  # Its turn has not begun.
        )
    start[turns.TURN] = asker
    turns.begin(start)
    value, after = np.empty(turns.SEATS, np.float64), np.empty(turns.LENGTH, np.int16)
    best, best_draw, left = -1.0, -1.0, track_left(s, asker, race.distances)
    # Gifts that are not drawn yet would make going first look better than it is.
    for chance in (STOP, SKIP):
        count = abs(reach(start, race.fields, race.uses, chance, states[:MAX_REDUCED], seen))
        for place in range(count):
            state = states[place]
            if state[turns.PHASE] == turns.ENDED:
                turns.copy_position(state, out)
                return 1
            nearer = track_left(state, asker, race.distances) < left
            if state[turns.PHASE] == turns.DRAWING and nearer and best < 0.0:
                turns.copy_position(state, after)
                skip_chance(after, race.fields, race.uses)
                turns.end_turn(after)
                shares(after, race, value)
                if value[asker] > best_draw:
                    best_draw = value[asker]
                    turns.copy_position(state, out)
            if may_end(state) and nearer:
                while state[at + turns.COUNT] > s[at + turns.COUNT] and (
                    state[at + turns.GIFTS + state[at + turns.COUNT] - 1] == turns.UNSEEN
                ):
                    turns.take_top(state, asker)
                turns.end_turn(state)
                shares(state, race, value)
                if value[asker] > best:
                    best = value[asker]
                    turns.copy_position(state, out)
        if best >= 0.0:
            return 1
        if best_draw >= 0.0:
            return 2
    return 0


@kernel(
    f"void({VECTOR}, {RACE}, {STATES}, int64, {VECTOR}, float64[::1], float64[::1], int64[::1])"
)
def rate(start, race, states, count, after, value, ratings, kinds):
    """Rate each reachable position for its player.

    Args:
        states: int16[count or more, LENGTH], the positions that :func:`reach` wrote for ``start``.
            An end of the turn is replaced by the position where the next turn begins.
        after: int16[LENGTH], scratch.
        value: float64[n], scratch.
        ratings: float64[count], out: the player's win share; for an event, without its effect.
        kinds: int64[count], out: 1 for an end, 2 for an event, otherwise 0.
    """
    mover = start[turns.TURN]
    for place in range(count):
        state = states[place]
        kinds[place] = 0
        if state[turns.PHASE] == turns.ENDED:
            ratings[place], kinds[place] = 1.0, 1
        elif state[turns.PHASE] != turns.DECIDING:
            kinds[place] = 2
            turns.copy_position(state, after)
            skip_chance(after, race.fields, race.uses)
            turns.end_turn(after)
            shares(after, race, value)
            ratings[place] = value[mover]
        elif may_end(state):
            kinds[place] = 1
            turns.end_turn(state)
            shares(state, race, value)
            ratings[place] = value[mover]


@kernel(f"int64({RACE}, {STATES}, int64[::1], {STATES}, int64[:, ::1], float64[::1], float64[::1])")
def rate_events(race, states, events, after, seen, value, ratings):
    """Rate events by the best end of the turn after them, without their effects.

    :func:`rate` ends the turn at the event, so it underrates a draw with movements left.

    Args:
        states: see :func:`rate`.
        events: int64[m], the places of the events in ``states``.
        after: int16[MAX_AFTER + 1, LENGTH], scratch.
        seen: scratch, see :func:`reach`; not the table of the search for ``states``.
        value: float64[n], scratch.
        ratings: float64[count], changed for the events from which an end is reached.

    Returns:
        The number of positions searched.
    """
    event, searched = after[MAX_AFTER], 0
    for place in events:
        mover, best = states[place, turns.TURN], -1.0
        turns.copy_position(states[place], event)
        skip_chance(event, race.fields, race.uses)
        count = abs(reach(event, race.fields, race.uses, STOP, after[:MAX_AFTER], seen))
        searched += count
        for number in range(count):
            state = after[number]
            if state[turns.PHASE] == turns.ENDED:
                best = 1.0
            elif may_end(state):
                turns.end_turn(state)
                shares(state, race, value)
                best = max(best, value[mover])
        if best >= 0.0:
            ratings[place] = best
    return searched

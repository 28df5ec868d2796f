"""What the active player can reach before the next event, by a beam over its decisions."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices.candidates import list_candidates
from service.games.snowcrest.engine.kernels.choices.endings import MOST_HIDDEN, ends_game
from service.games.snowcrest.engine.kernels.choices.estimation import MODELS, phase
from service.games.snowcrest.engine.kernels.choices.listing import ACTIONS
from service.games.snowcrest.engine.kernels.rules import layout
from service.games.snowcrest.engine.kernels.rules.acting import act
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE
from service.games.snowcrest.engine.kernels.searching import (
    ENDED,
    EVENT,
    FAILURE,
    POSITIONS,
    is_known,
    rate,
    settle,
)

MOST_POSITIONS = 2048
"""Positions of a search; what it reaches beyond them is left out."""
MAY_END_BEAM = 24
"""Positions followed after each action of a turn that may end the game."""
FOUND_ENDS, FOUND_EVENTS, SEARCHED, LEFT_OUT, LAST_TURN = range(5)


@kernel(
    f"int64({POSITIONS}, {CATALOGUE}, {MODELS}, {MODELS}, int64, int64[::1], int64, int64,"
    " int64[::1])"
)
def _keep_best(memory, c, models, memos, asker, places, count, limit, kept):
    """Keep the positions with the asker's largest shares, best first; return their number.

    If there are not more than the limit, all are kept in their order.
    """
    if count <= limit:
        kept[:count] = places[:count]
        return count
    values = np.empty(count)
    no_deals = np.zeros((0, memory[0, layout.N], MOST_HIDDEN + 1, layout.RESOURCES), np.int16)
    for number in range(count):
        share = rate(memory[places[number]], c, models, no_deals, memos, asker)
        # Like ``evaluation.comparable``: rounding errors must not decide.
        values[number] = -np.floor(share * 1e9 + 0.5)
    order = np.argsort(values, kind="mergesort")
    for number in range(limit):
        kept[number] = places[order[number]]
    return limit


@kernel(
    f"void({POSITIONS}, {CATALOGUE}, {MODELS}, {MODELS}, int64, int64, int64, int64, {ACTIONS},"
    " int64[::1], int64[:, ::1], int64[::1])"
)
def reach(memory, c, models, memos, asker, ends, events, scrolls, out, depths, kept, numbers):
    """Search what the active player can reach.

    Args:
        memory: int16[MOST_POSITIONS + 1, length]; the first position is the start, a decision of
            the asker; the following ones are filled in.
        memos: see ``estimation.shares``.
        ends: number of ends to keep.
        events: number of events to keep; with 0, the best one is kept if there is no end.
        scrolls: taken by a turn at most, about.
        out: int16[MOST_ACTIONS, action size], overwritten.
        depths: int64[MOST_POSITIONS], filled in: the number of actions before each position.
        kept: int64[2, MOST_POSITIONS], filled in: the places of the ends and of the events.
        numbers: int64[5], filled in: ``FOUND_ENDS``, ``FOUND_EVENTS``, ``SEARCHED``, whether
            anything was left out, and whether the game ends with the turn in any position.
    """
    scratch, beam = memory[MOST_POSITIONS], ends + 1
    layer = np.zeros(MOST_POSITIONS, np.int64)
    following = np.empty(MOST_POSITIONS, np.int64)
    end_places = np.empty(MOST_POSITIONS, np.int64)
    event_places = np.empty(MOST_POSITIONS, np.int64)
    width, count, found_ends, found_events, cut = 1, 1, 0, 0, False
    depths[0] = 0
    numbers[:] = 0
    numbers[LAST_TURN] = ends_game(memory[0])
    while width > 0:
        more, may_end = 0, False
        for each in range(width):
            before = memory[layer[each]]
            in_last_seat = before[layout.TURN] + 1 == before[layout.N]
            may_end |= ends_game(before) or (in_last_seat and before[layout.SUPPLY] <= scrolls)
            m = models[phase(before, models)]
            number = list_candidates(before, c, m, beam, out, scratch)
            choices = out[:number].copy()
            for place in range(number):
                if count == MOST_POSITIONS:
                    cut = True
                    break
                position = memory[count]
                position[:] = before
                act(position, c, choices[place])
                status = settle(position, c, models, asker, out, scratch)
                numbers[SEARCHED] += 1
                if status == FAILURE:
                    cut = True
                    continue
                if is_known(position, memory, 0, count):
                    continue
                depths[count] = depths[layer[each]] + 1
                numbers[LAST_TURN] |= ends_game(position)
                if status == ENDED:
                    end_places[found_ends] = count
                    found_ends += 1
                elif status == EVENT:
                    event_places[found_events] = count
                    found_events += 1
                else:
                    following[more] = count
                    more += 1
                count += 1
        # The evaluator does not know what the end of the game is worth.
        most = MAY_END_BEAM if may_end else beam
        width = _keep_best(memory, c, models, memos, asker, following, more, most, layer)
        cut |= more > width
    wanted = events if events > 0 or found_ends > 0 else 1
    numbers[FOUND_ENDS] = _keep_best(
        memory, c, models, memos, asker, end_places, found_ends, ends, kept[0]
    )
    numbers[FOUND_EVENTS] = _keep_best(
        memory, c, models, memos, asker, event_places, found_events, wanted, kept[1]
    )
    cut |= found_ends > numbers[FOUND_ENDS] or found_events > numbers[FOUND_EVENTS]
    numbers[LEFT_OUT] = cut

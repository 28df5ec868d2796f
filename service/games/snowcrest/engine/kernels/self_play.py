"""Turns of one-turn players on packed positions, with chance."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices.answers import answer_bid
from service.games.snowcrest.engine.kernels.choices.candidates import list_candidates
from service.games.snowcrest.engine.kernels.choices.estimation import phase
from service.games.snowcrest.engine.kernels.rules import layout
from service.games.snowcrest.engine.kernels.rules.acting import act, deciding_seat, draw
from service.games.snowcrest.engine.kernels.rules.advancing import CHANCE, COMPLETE, TOO_LARGE
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR
from service.games.snowcrest.engine.kernels.rules.positions import pool_of, seat_at
from service.games.snowcrest.engine.kernels.searching import (
    POSITIONS,
    SEARCH,
    Search,
    evaluate_choices,
    observe,
)

AGENTS = "float64[:, :, ::1]"
MOST_TURNS = 2000


@kernel(f"int64({VECTOR}, {CATALOGUE})")
def random_card(s, c):
    """Return a card for the pending draw, with its probability."""
    top = layout.STACK + (s[layout.TASKS] - 1) * layout.TASK_SIZE
    if s[top] == layout.DRAW_CARDS:
        pool, count, first = (
            seat_at(c, s[layout.TURN]) + layout.HAND + 2 * c[layout.DECK],
            c[layout.DECK],
            0,
        )
        below = 0
    elif s[top] == layout.FILL:
        pool, count, first, below = (
            pool_of(s, c, 0),
            c[layout.CARDS] - c[layout.DECK],
            c[layout.DECK],
            layout.BELOW_COMMONS,
        )
    elif s[top + 1]:
        pool, count, below = pool_of(s, c, 2), c[layout.FOREST], layout.BELOW_FOREST
        first = c[layout.CARDS] + c[layout.GUARDIANS]
    else:
        pool, count, first, below = (
            pool_of(s, c, 1),
            c[layout.GUARDIANS],
            c[layout.CARDS],
            layout.BELOW_GUARDIANS,
        )
    total = 0
    for place in range(count):
        total += s[pool + place]
    if total == 0:
        return int(s[c[below]])
    chosen = int(np.random.random() * total)
    for place in range(count):
        chosen -= s[pool + place]
        if chosen < 0:
            return first + place
    return -1


@kernel(f"int64({VECTOR}, {SEARCH}, {AGENTS}, {POSITIONS}, float64[::1], int64, int64)")
def play_turn(s, search, agents, memory, values, status, width):
    """Play the turn of the active player in place; return what ``advance`` returned last.

    Args:
        s: the turn after ``begin_turn`` or after a choice, with all hands known.
        search: with any weights.
        agents: float64[seats, phases, width], the weights of each player.
        status: what the turn needs next.
        width: of the searches, see ``searching.MOST_WIDTH``.
    """
    c, out, view = search.cards, search.actions, np.zeros(len(s), np.int16)
    for _ in range(1000):
        if status in (COMPLETE, TOO_LARGE):
            return status
        if status == CHANCE:
            status = draw(s, c, random_card(s, c))
            continue
        seat = deciding_seat(s)
        observe(s, c, seat, view)
        own = Search(
            c, agents[seat], search.memos, search.deals, search.orders, out, search.scratch
        )
        if seat == s[layout.TURN]:
            number = evaluate_choices(view, own, memory, values, width)
            chosen = 0
            for place in range(number):
                if values[place] > values[chosen]:
                    chosen = place
            status = act(s, c, out[chosen])
            continue
        m = own.models[phase(s, own.models)]
        if s[layout.STACK + (s[layout.TASKS] - 1) * layout.TASK_SIZE] == layout.COLLECT:
            # The own hand is known, so the bid is either possible or not.
            status = act(s, c, out[0] if answer_bid(view, c, m, out) > 0.5 else out[1])
        else:
            list_candidates(view, c, m, 1, out, search.scratch)
            status = act(s, c, out[0])
    return TOO_LARGE

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
from service.games.snowcrest.engine.kernels.rules.positions import (
    first_of_pile,
    next_task,
    seat_at,
    unseen_at,
    unseen_in_pile,
)
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
    top = next_task(s)
    if s[top] == layout.DRAW_CARDS:
        first, end = 0, c[layout.DECK]
        unseen = seat_at(c, s[layout.TURN]) + layout.HAND + 2 * end
    else:
        pile = layout.COMMONS if s[top] == layout.FILL else layout.GUARDIAN_PILE + s[top + 1]
        first, end = first_of_pile(c, pile), first_of_pile(c, pile + 1)
        unseen = unseen_at(c, 0)
        if unseen_in_pile(s, c, pile) == 0:
            return int(s[c[layout.BELOW_COMMONS + pile]])
    total = 0
    for card in range(first, end):
        total += s[unseen + card]
    chosen = int(np.random.random() * total)
    for card in range(first, end):
        chosen -= s[unseen + card]
        if chosen < 0:
            return card
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
        if s[next_task(s)] == layout.COLLECT:
            # The own hand is known, so the bid is either possible or not.
            status = act(s, c, out[0] if answer_bid(view, c, m, out) > 0.5 else out[1])
        else:
            list_candidates(view, c, m, 1, out, search.scratch)
            status = act(s, c, out[0])
    return TOO_LARGE

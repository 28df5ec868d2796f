"""Whole games of one-turn players on packed positions."""

from __future__ import annotations

import numpy as np

from league.snowcrest.kernels.acting import act, begin_turn, deciding_seat, draw
from league.snowcrest.kernels.advancing import CHANCE, COMPLETE, TOO_LARGE
from league.snowcrest.kernels.answers import answer_bid
from league.snowcrest.kernels.candidates import list_candidates
from league.snowcrest.kernels.endings import (
    MOST_HIDDEN,
    NO_DEAL,
    final_scores,
    win_share,
)
from league.snowcrest.kernels.estimation import memo_size, phase
from league.snowcrest.kernels.layout import (
    ACTION_SIZE,
    BELOW_COMMONS,
    BELOW_FOREST,
    BELOW_GUARDIANS,
    CARDS,
    CATALOGUE,
    COLLECT,
    DECK,
    DRAW_CARDS,
    FILL,
    FOREST,
    GUARDIANS,
    HAND,
    OVER,
    PHASE,
    RESOURCES,
    STACK,
    TASK_SIZE,
    TASKS,
    TURN,
    VECTOR,
    N,
)
from league.snowcrest.kernels.listing import ACTIONS, MOST_ACTIONS
from league.snowcrest.kernels.positions import pool_of, seat_at
from league.snowcrest.kernels.searching import (
    DEAL_COUNT,
    MEMORY,
    POSITIONS,
    SAMPLES,
    WORK,
    evaluate_choices,
    observe,
)
from service.compiling import kernel

AGENTS = "float64[:, :, ::1]"
MOST_TURNS = 2000


@kernel(f"int64({VECTOR}, {CATALOGUE})")
def random_card(s, c):
    """Return a card for the pending draw, with its probability."""
    top = STACK + (s[TASKS] - 1) * TASK_SIZE
    if s[top] == DRAW_CARDS:
        pool, count, first = seat_at(c, s[TURN]) + HAND + 2 * c[DECK], c[DECK], 0
        below = 0
    elif s[top] == FILL:
        pool, count, first, below = pool_of(s, c, 0), c[CARDS] - c[DECK], c[DECK], BELOW_COMMONS
    elif s[top + 1]:
        pool, count, below = pool_of(s, c, 2), c[FOREST], BELOW_FOREST
        first = c[CARDS] + c[GUARDIANS]
    else:
        pool, count, first, below = pool_of(s, c, 1), c[GUARDIANS], c[CARDS], BELOW_GUARDIANS
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


@kernel(
    f"int64({VECTOR}, {CATALOGUE}, {AGENTS}, {SAMPLES}, {ACTIONS}, {POSITIONS},"
    " float64[::1], int64)"
)
def play_turn(s, c, agents, deals, memos, orders, out, memory, values, status):
    """Play the turn of the active player in place; return what ``advance`` returned last.

    Args:
        s: the turn after ``begin_turn`` or after a choice, with all hands known.
        agents: float64[seats, phases, width], the weights of each player.
        status: what the turn needs next.
    """
    view = np.zeros(len(s), np.int16)
    for _ in range(1000):
        if status in (COMPLETE, TOO_LARGE):
            return status
        if status == CHANCE:
            status = draw(s, c, random_card(s, c))
            continue
        seat = deciding_seat(s)
        observe(s, c, seat, view)
        models = agents[seat]
        if seat == s[TURN]:
            number = evaluate_choices(view, c, models, deals, memos, orders, out, memory, values)
            chosen = 0
            for place in range(number):
                if values[place] > values[chosen]:
                    chosen = place
            status = act(s, c, out[chosen])
            continue
        m = models[phase(s, models)]
        if s[STACK + (s[TASKS] - 1) * TASK_SIZE] == COLLECT:
            # The own hand is known, so the bid is either possible or not.
            status = act(s, c, out[0] if answer_bid(view, c, m, out) > 0.5 else out[1])
        else:
            list_candidates(view, c, m, 1, out, memory[WORK])
            status = act(s, c, out[0])
    return TOO_LARGE


@kernel(f"int64({VECTOR}, {CATALOGUE}, {AGENTS}, int64, float64[::1], int64[::1])")
def play_game(s, c, agents, seed, won, points):
    """Play a game from a position between two turns to its end.

    Args:
        s: the position with all hands known, changed in place.
        seed: of the draws and of the samples of the search.
        won: float64[seats], filled in: shares of the win.
        points: int64[seats], filled in.

    Returns:
        The number of turns; -1 if the game did not end.
    """
    np.random.seed(seed)
    deals = np.zeros((DEAL_COUNT, s[N], MOST_HIDDEN + 1, RESOURCES), np.int16)
    orders = np.zeros((2, max(c[GUARDIANS], c[FOREST])), np.int64)
    out, values = np.zeros((MOST_ACTIONS, c[ACTION_SIZE]), np.int16), np.zeros(MOST_ACTIONS)
    memory = np.zeros((MEMORY, len(s)), np.int16)
    memos = np.zeros((s[N], memo_size(c)))
    turns = 0
    while s[PHASE] != OVER:
        status = begin_turn(s, c)
        status = play_turn(s, c, agents, deals, memos, orders, out, memory, values, status)
        turns += 1
        if status != COMPLETE or turns > MOST_TURNS:
            return -1
    resources = np.zeros((s[N], RESOURCES), np.int64)
    final_scores(s, c, deals, NO_DEAL, resources, points)
    for seat in range(s[N]):
        won[seat] = win_share(s, c, seat, resources, points)
    return turns

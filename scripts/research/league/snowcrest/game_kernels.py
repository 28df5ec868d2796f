"""Whole games, also of players who play on after their best choices: deals, and rounds of turns."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices.endings import (
    MOST_HIDDEN,
    NO_DEAL,
    final_scores,
    win_share,
)
from service.games.snowcrest.engine.kernels.choices.estimation import (
    MEMO_PHASE,
    memo_size,
    next_turn,
    shares,
)
from service.games.snowcrest.engine.kernels.choices.listing import MOST_ACTIONS, SEARCH, Search
from service.games.snowcrest.engine.kernels.rules.acting import act, begin_turn
from service.games.snowcrest.engine.kernels.rules.advancing import COMPLETE, TOO_LARGE
from service.games.snowcrest.engine.kernels.rules.layout import (
    ACTION_SIZE,
    CATALOGUE,
    CHOOSE,
    ENDING,
    FOREST,
    GUARDIANS,
    ICON_KINDS,
    OVER,
    PHASE,
    STACK,
    TASK_SIZE,
    TASKS,
    TURN,
    VECTOR,
    N,
)
from service.games.snowcrest.engine.kernels.rules.positions import observe
from service.games.snowcrest.engine.kernels.searching import (
    DEAL_COUNT,
    MEMORY,
    POSITIONS,
    evaluate_choices,
)
from service.games.snowcrest.engine.kernels.self_play import AGENTS, deal_hand, play_turn

WIDTH, WORLDS, ROUNDS = range(3)
"""Columns of a plan: choices that are played on, deals for each, and rounds."""
MOST_TURNS = 2000


@kernel(f"float64({VECTOR}, {SEARCH}, {AGENTS}, {POSITIONS}, float64[::1], int64, int64, int64)")
def play_on(s, search, agents, memory, values, status, asker, turns):
    """Play the rest of a turn and some others in place; return the asker's win share then.

    Args:
        s: the turn after a choice, with all hands known.
        status: what it needs next.
        turns: number of turns after this one.
    """
    c, memos = search.cards, search.memos
    status = play_turn(s, search, agents, memory, values, status)
    for _ in range(turns):
        if status == TOO_LARGE or s[PHASE] == OVER:
            break
        status = begin_turn(s, c)
        status = play_turn(s, search, agents, memory, values, status)
    if s[PHASE] == OVER:
        resources, points = np.zeros((s[N], ICON_KINDS)), np.zeros(s[N], np.int64)
        final_scores(s, c, search.deals, NO_DEAL, resources, points)
        return win_share(s[ENDING] > 0, asker, resources, points)
    view, found = np.zeros(len(s), np.int16), np.zeros(s[N])
    observe(s, c, asker, view)
    memos[:, MEMO_PHASE] = -1.0
    shares(view, c, agents[asker], next_turn(view), memos, found)
    return found[asker]


@kernel(f"int64({VECTOR}, {SEARCH}, {AGENTS}, {POSITIONS}, float64[::1], int64[::1])")
def choose_ahead(view, search, agents, memory, values, plan):
    """Evaluate the choices of a turn, play on after the best ones, and return the best's place.

    Args:
        view: the position as the active player sees it.
        search: with the weights of the active player; its actions are filled in with the choices.
        plan: see ``WIDTH``.
    """
    asker, c, out = int(view[TURN]), search.cards, search.actions
    number = evaluate_choices(view, search, memory, values)
    order = np.argsort(-values[:number], kind="mergesort")
    width = min(plan[WIDTH], number)
    if width < 2:
        return int(order[0])
    choices = out[:number].copy()
    # The others are taken to play like the player.
    alike = np.empty_like(agents)
    for seat in range(view[N]):
        alike[seat] = agents[asker]
    found, world = np.zeros(width), np.zeros(len(view), np.int16)
    dealt = np.zeros(len(view), np.int16)
    after = int(np.random.random() * 2e9)
    for number in range(plan[WORLDS]):
        np.random.seed(after + number)
        dealt[:] = view
        for seat in range(dealt[N]):
            deal_hand(dealt, c, seat)
        for place in range(width):
            # Every choice meets the same hands and the same random numbers.
            np.random.seed(after + number)
            world[:] = dealt
            status = act(world, c, choices[order[place]])
            turns = plan[ROUNDS] * view[N] - 1
            found[place] += play_on(world, search, alike, memory, values, status, asker, turns)
    np.random.seed(after)
    out[: len(choices)] = choices
    return int(order[np.argmax(found)])


@kernel(f"int64({VECTOR}, {CATALOGUE}, {AGENTS}, int64[:, ::1], int64, float64[::1], int64[::1])")
def play_game(s, c, agents, plans, seed, won, points):
    """Play a game from a position between two turns to its end.

    Args:
        s: the position with all hands known, changed in place.
        agents: float64[seats, phases, width], the weights of each player.
        plans: int64[seats, 3], see ``WIDTH``; a player of width 1 does not look ahead.
        seed: of the draws and of the samples of the search.
        won: float64[seats], filled in: shares of the win.
        points: int64[seats], filled in.

    Returns:
        The number of turns; -1 if the game did not end.
    """
    np.random.seed(seed)
    deals = np.zeros((DEAL_COUNT, s[N], MOST_HIDDEN + 1, ICON_KINDS), np.int16)
    orders = np.zeros((2, max(c[GUARDIANS], c[FOREST])), np.int64)
    out, values = np.zeros((MOST_ACTIONS, c[ACTION_SIZE]), np.int16), np.zeros(MOST_ACTIONS)
    memory = np.zeros((MEMORY, len(s)), np.int16)
    memos, view = np.zeros((s[N], memo_size(c))), np.zeros(len(s), np.int16)
    scratch, turns = np.zeros(len(s), np.int16), 0
    while s[PHASE] != OVER:
        status, seat = begin_turn(s, c), s[TURN]
        search = Search(c, agents[seat], memos, deals, orders, out, scratch)
        top = STACK + (s[TASKS] - 1) * TASK_SIZE
        if plans[seat, WIDTH] > 1 and s[top] == CHOOSE:
            observe(s, c, seat, view)
            chosen = choose_ahead(view, search, agents, memory, values, plans[seat])
            status = act(s, c, out[chosen])
        status = play_turn(s, search, agents, memory, values, status)
        turns += 1
        if status != COMPLETE or turns > MOST_TURNS:
            return -1
    resources = np.zeros((s[N], ICON_KINDS))
    final_scores(s, c, deals, NO_DEAL, resources, points)
    for each in range(s[N]):
        won[each] = win_share(s[ENDING] > 0, each, resources, points)
    return turns

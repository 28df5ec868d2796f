"""Play on after the end of a turn: sampled hidden cards, one-turn players, estimated leaves."""

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
    MODELS,
    memo_size,
    next_turn,
    shares,
)
from service.games.snowcrest.engine.kernels.choices.listing import MOST_ACTIONS
from service.games.snowcrest.engine.kernels.rules import layout
from service.games.snowcrest.engine.kernels.rules.acting import begin_turn
from service.games.snowcrest.engine.kernels.rules.advancing import TOO_LARGE, advance
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR
from service.games.snowcrest.engine.kernels.rules.positions import seat_at, show_card
from service.games.snowcrest.engine.kernels.searching import (
    DEAL_COUNT,
    MEMORY,
    POSITIONS,
    Search,
    observe,
)
from service.games.snowcrest.engine.kernels.self_play import play_turn

ESTIMATED, FINISHED = range(2)
"""What a leaf is: a position at the end of a turn, or a finished game."""
WIDTH = 1
"""Width of the searches of all players; twice the width takes twice the time."""
SEED_STEP = 1_000
"""Distance between the seeds of two deals; each turn and each hand has its own seed."""
SEED_OF_HANDS = 500


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def deal_hand(s, c, seat):
    """Deal the unknown cards of one hand at random, in place."""
    deck, at = c[layout.DECK], seat_at(c, seat)
    while s[at + layout.UNKNOWN_COUNT] > 0:
        chosen = int(np.random.random() * s[at + layout.UNSEEN_COUNT])
        for card in range(deck):
            chosen -= s[at + layout.HAND + 2 * deck + card]
            if chosen < 0:
                show_card(s, c, at, card, 1)
                break


@kernel(
    f"UniTuple(int64, 2)({VECTOR}, {CATALOGUE}, {MODELS}, int64, int64, int64, int64, {POSITIONS},"
    " float64[:, ::1], int64[::1])"
)
def look_ahead(end, c, models, asker, turns, deals_of_work, first_seed, leaves, out, kinds):
    """Play on from the end of a turn once for each deal of the hidden cards.

    All players choose by the one-turn search.  Deals of the same number meet the same hands and
    the same random numbers in each turn, whatever the end, so that ends are comparable.

    Args:
        end: the position, as the asker sees it; usually only draws are left of the turn.
        models: the weights of all players.
        asker: seat.
        turns: number of turns to play after the end.
        deals_of_work: deals to play if no game ends before; more of them, at most as many as
            ``leaves`` has room for, if games end sooner.
        first_seed: of the first deal.
        leaves: int16[deals, length], filled in: the last positions as the asker sees them.
        out: float64[deals, seats], filled in: shares of the win.
        kinds: int64[deals], filled in: ``ESTIMATED`` or ``FINISHED``.

    Returns:
        The numbers of deals and of turns played, with the rest of the first turn as one.
    """
    count, played = end[layout.N], 0
    agents = np.empty((count, *models.shape))
    for seat in range(count):
        agents[seat] = models
    deals = np.zeros((DEAL_COUNT, count, MOST_HIDDEN + 1, layout.RESOURCES), np.int16)
    orders = np.zeros((2, max(c[layout.GUARDIANS], c[layout.FOREST])), np.int64)
    actions = np.zeros((MOST_ACTIONS, c[layout.ACTION_SIZE]), np.int16)
    memory, memos = np.zeros((MEMORY, len(end)), np.int16), np.zeros((count, memo_size(c)))
    values, scratch = np.zeros(MOST_ACTIONS), np.zeros(len(end), np.int16)
    search = Search(c, models, memos, deals, orders, actions, scratch)
    resources, points = np.zeros((count, layout.RESOURCES), np.int64), np.zeros(count, np.int64)
    world = np.zeros(len(end), np.int16)
    number = 0
    while number < len(leaves) and played < deals_of_work * (turns + 1):
        seed = first_seed + SEED_STEP * number
        world[:] = end
        for seat in range(count):
            np.random.seed(seed + SEED_OF_HANDS + seat)
            deal_hand(world, c, seat)
        status = advance(world, c)
        for turn in range(turns + 1):
            np.random.seed(seed + turn)
            status = play_turn(world, search, agents, memory, values, status, WIDTH)
            played += 1
            if status == TOO_LARGE or world[layout.PHASE] == layout.OVER or turn == turns:
                break
            status = begin_turn(world, c)
        if world[layout.PHASE] == layout.OVER:
            kinds[number] = FINISHED
            leaves[number] = world
            final_scores(world, c, deals, NO_DEAL, resources, points)
            for seat in range(count):
                out[number, seat] = win_share(world, c, seat, resources, points)
            number += 1
            continue
        kinds[number] = ESTIMATED
        if status == TOO_LARGE:
            world[:] = end
        observe(world, c, asker, leaves[number])
        memos[:, MEMO_PHASE] = -1.0
        shares(leaves[number], c, models, next_turn(leaves[number]), memos, out[number])
        number += 1
    return number, played

"""Play on after the end of a turn: one-turn players, chance and sampled cards, estimated leaves."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels import searching
from service.games.snowcrest.engine.kernels.choices import (
    answers,
    candidates,
    endings,
    estimation,
    listing,
)
from service.games.snowcrest.engine.kernels.choices.estimation import MODELS
from service.games.snowcrest.engine.kernels.choices.listing import SEARCH, Search
from service.games.snowcrest.engine.kernels.rules import acting, advancing, layout, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR
from service.games.snowcrest.engine.kernels.searching import POSITIONS

AGENTS = "float64[:, :, ::1]"
ESTIMATED, FINISHED = range(2)
"""What a leaf is: a position at the end of a turn, or a finished game."""
SEED_STEP = 1_000
"""Distance between the seeds of two deals; each turn and each hand has its own seed."""
SEED_OF_HANDS = 500


# Turns ----------------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, int64, int64, int64)")
def drawn_card(s, unseen, first, end):
    """Return a random unseen card, from ``first`` on, before ``end``.

    Args:
        unseen: offset of the copies of card 0.
    """
    total = 0
    for card in range(first, end):
        total += s[unseen + card]
    chosen = int(np.random.random() * total)
    for card in range(first, end):
        chosen -= s[unseen + card]
        if chosen < 0:
            return card
    return -1


@kernel(f"int64({VECTOR}, {CATALOGUE})")
def random_card(s, c):
    """Return a card for the pending draw, with its probability."""
    top = positions.next_task(s)
    if s[top] == layout.DRAW_CARDS:
        first, end = 0, c[layout.DECK]
        unseen = positions.seat_at(c, s[layout.TURN]) + layout.HAND + 2 * end
    else:
        pile = layout.COMMONS if s[top] == layout.FILL else layout.GUARDIAN_PILE + s[top + 1]
        first, end = positions.first_of_pile(c, pile), positions.first_of_pile(c, pile + 1)
        unseen = positions.unseen_at(c, 0)
        if positions.unseen_in_pile(s, c, pile) == 0:
            return int(s[c[layout.BELOW_COMMONS + pile]])
    return drawn_card(s, unseen, first, end)


@kernel(f"int64({VECTOR}, {SEARCH}, {AGENTS}, {POSITIONS}, float64[::1], int64)")
def play_turn(s, search, agents, memory, values, status):
    """Play the turn of the active player in place; return what ``advance`` returned last.

    Args:
        s: the turn after ``begin_turn`` or after a choice, with all hands known.
        search: with any weights.
        agents: float64[seats, phases, width], the weights of each player.
        status: what the turn needs next.
    """
    c, out, view = search.cards, search.actions, np.zeros(len(s), np.int16)
    for _ in range(1000):
        if status in (advancing.COMPLETE, advancing.TOO_LARGE):
            return status
        if status == advancing.CHANCE:
            status = acting.draw(s, c, random_card(s, c))
            continue
        seat = acting.deciding_seat(s)
        positions.observe(s, c, seat, view)
        own = Search(
            c, agents[seat], search.memos, search.deals, search.orders, out, search.scratch
        )
        chosen = 0
        if seat == s[layout.TURN]:
            number = searching.evaluate_choices(view, own, memory, values)
            for place in range(number):
                if values[place] > values[chosen]:
                    chosen = place
        elif s[positions.next_task(s)] == layout.COLLECT:
            # The own hand is known, so the bid is either possible or not.
            chosen = 0 if answers.answer_bid(view, own) > 0.5 else 1
        else:
            candidates.list_candidates(view, own, 1)
        status = acting.act(s, c, out[chosen])
    return advancing.TOO_LARGE


# Rounds ---------------------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def deal_hand(s, c, seat):
    """Deal the unknown cards of one hand at random, in place."""
    deck, at = c[layout.DECK], positions.seat_at(c, seat)
    while s[at + layout.UNKNOWN_COUNT] > 0:
        card = drawn_card(s, at + layout.HAND + 2 * deck, 0, deck)
        positions.show_card(s, c, at, card, 1)


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
    hidden = endings.MOST_HIDDEN + 1
    deals = np.zeros((searching.DEAL_COUNT, count, hidden, layout.ICON_KINDS), np.int16)
    orders = np.zeros((2, max(c[layout.GUARDIANS], c[layout.FOREST])), np.int64)
    actions = np.zeros((listing.MOST_ACTIONS, c[layout.ACTION_SIZE]), np.int16)
    memory = np.zeros((searching.MEMORY, len(end)), np.int16)
    memos = np.zeros((count, estimation.memo_size(c)))
    values, scratch = np.zeros(listing.MOST_ACTIONS), np.zeros(len(end), np.int16)
    search = Search(c, models, memos, deals, orders, actions, scratch)
    resources, points = np.zeros((count, layout.ICON_KINDS)), np.zeros(count, np.int64)
    world = np.zeros(len(end), np.int16)
    number = 0
    while number < len(leaves) and played < deals_of_work * (turns + 1):
        seed = first_seed + SEED_STEP * number
        world[:] = end
        for seat in range(count):
            np.random.seed(seed + SEED_OF_HANDS + seat)
            deal_hand(world, c, seat)
        status = advancing.advance(world, c)
        for turn in range(turns + 1):
            np.random.seed(seed + turn)
            status = play_turn(world, search, agents, memory, values, status)
            played += 1
            if status == advancing.TOO_LARGE or world[layout.PHASE] == layout.OVER or turn == turns:
                break
            status = acting.begin_turn(world, c)
        if world[layout.PHASE] == layout.OVER:
            kinds[number] = FINISHED
            leaves[number] = world
            endings.final_scores(world, c, deals, endings.NO_DEAL, resources, points)
            for seat in range(count):
                ending = world[layout.ENDING] > 0
                out[number, seat] = endings.win_share(ending, seat, resources, points)
            number += 1
            continue
        kinds[number] = ESTIMATED
        if status == advancing.TOO_LARGE:
            world[:] = end
        leaf = leaves[number]
        positions.observe(world, c, asker, leaf)
        memos[:, estimation.MEMO_PHASE] = -1.0
        estimation.shares(leaf, c, models, estimation.next_turn(leaf), memos, out[number])
        number += 1
    return number, played

"""The search of one's own turn for games that are played on: a single line of choices.

Unlike in ``engine/tree.py``, the last turn is followed no further than other turns, with sampled
hands.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices import (
    answers,
    candidates,
    endings,
    estimation,
    last_turn,
    listing,
    prices,
)
from service.games.snowcrest.engine.kernels.choices.estimation import MODEL, MODELS
from service.games.snowcrest.engine.kernels.choices.listing import ACTIONS, SEARCH
from service.games.snowcrest.engine.kernels.rules import acting, layout, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

POSITIONS = "int16[:, ::1]"
CHANCES = "float64[:, ::1]"
OWN, EVENT, ENDED, FAILURE, ANSWER = range(5)
"""What a searched turn needs next; ``ANSWER`` if another player decides in the last turn."""
ASSUMED = 8
"""Added to it if others are assumed to decide in some way, or the asker decides with unknown cards.
"""
MOST_STEPS = 200
"""Answers and draws between two decisions of the asker."""
MOST_OUTCOMES = 2
"""A revealed card, or a bid and no bid."""
DEAL_COUNT = 12
MOST_OPEN = 40
MOST_RESOLVED = 64
"""Outcomes after an event that are followed; later events end their line. Turns with the default
catalogue have fewer."""
ACTION_LIMIT = 3
"""Choices of a decision within the turn that are searched."""
HERE, REACHED, NEXT, OPEN = 0, 1, 2, 5
"""Places in the memory of a search: a decision, the position after a choice, the best of them by
what it needs next, and open events."""
AFTER = OPEN + MOST_OPEN
"""First place of the positions after an event."""
WORK = AFTER + MOST_OUTCOMES
MEMORY = WORK + 1
FEW_SCROLLS = 8
"""With so few scrolls left, a turn may end the game."""


@kernel(f"float64({VECTOR}, {SEARCH}, int64)")
def rate(s, search, asker):
    """Return the asker's win share as if the turn ended here; an order in the last turn."""
    if endings.ends_game(s):
        return endings.standing(s, search.cards, search.deals, asker)
    out = search.memos[0, estimation.MEMO_SHARES : estimation.MEMO_SEAT]
    estimation.shares(s, search.cards, search.models, estimation.next_turn(s), search.memos, out)
    return out[asker]


@kernel(f"float64({VECTOR}, {SEARCH}, int64)")
def end_value(s, search, asker):
    """Return the asker's win share at the end of a turn."""
    if endings.ends_game(s):
        return endings.final_share(s, search.cards, search.deals, asker)
    return rate(s, search, asker)


@kernel(f"UniTuple(int64, 2)({VECTOR}, {SEARCH}, int64)")
def _best_candidate(s, search, seat):
    """List the promising choices of another player; return the place of its choice, and the number.

    A player who has not the turn takes the cheapest one.
    """
    c, out = search.cards, search.actions
    number = candidates.list_candidates(s, search, 2)
    chosen, best = 0, -1e300
    for place in range(number if seat == s[layout.TURN] and number > 1 else 0):
        positions.copy_vector(s, search.scratch)
        acting.act(search.scratch, c, out[place])
        value = rate(search.scratch, search, seat)
        if value > best:
            chosen, best = place, value
    return chosen, number


@kernel(f"int64({VECTOR}, {SEARCH}, int64, boolean)")
def settle(s, search, asker, exact):
    """Follow a turn in place to the asker's next decision, an event, or its end.

    The asker draws unknown cards; the others answer by price.

    Args:
        exact: whether to stop where another player decides in the last turn of the game.

    Returns:
        ``OWN``, ``EVENT``, ``ENDED``, ``FAILURE`` or ``ANSWER``, with ``ASSUMED``.
    """
    c, out, assumed, drawn = search.cards, search.actions, 0, False
    for _ in range(MOST_STEPS):
        if s[layout.FAILED]:
            return FAILURE
        if endings.is_end(s):
            return ENDED | assumed
        kind = s[positions.next_task(s)]
        if kind == layout.DRAW_CARDS:
            acting.draw(s, c, layout.UNKNOWN)
            drawn = True
            continue
        if drawn:
            # Cards that are drawn may allow other choices.
            assumed = ASSUMED
        if kind == layout.REVEAL:
            return EVENT | assumed
        seat = acting.deciding_seat(s)
        if seat == asker:
            return OWN | assumed
        bids = kind == layout.COLLECT and seat != s[layout.TURN]
        chooses = kind == layout.PENALTY or (bids and prices.expected_bells(s, c, seat) > 0.0)
        if exact and chooses and endings.ends_game(s):
            return ANSWER | assumed
        if bids:
            chance = answers.answer_bid(s, search)
            if 0.0 < chance < 1.0:
                return EVENT | assumed
            if chooses:
                assumed = ASSUMED
            acting.act(s, c, out[0] if chance > 0.0 else out[1])
        else:
            chosen, number = _best_candidate(s, search, seat)
            if number > 1:
                assumed = ASSUMED
            acting.act(s, c, out[chosen])
    return FAILURE


@kernel(f"int64({VECTOR}, {SEARCH}, {POSITIONS}, {MODEL})")
def branch(s, search, after, parts):
    """Fill in the positions after an event with their probabilities; return their number.

    Args:
        after: positions, filled in.
        parts: float64[number], probabilities, filled in.
    """
    c, top = search.cards, positions.next_task(s)
    if s[top] == layout.COLLECT:
        out = search.actions
        chance = answers.answer_bid(s, search)
        for place in range(2):
            positions.copy_vector(s, after[place])
            acting.act(after[place], c, out[place])
        parts[0], parts[1] = chance, 1.0 - chance
        return 2
    revealed = s[c[layout.BELOW_GUARDIANS + s[top + 1]]]
    for card in search.orders[s[top + 1]]:
        if card >= 0 and s[positions.unseen_at(c, card)] > 0:
            revealed = card
            break
    positions.copy_vector(s, after[0])
    acting.draw(after[0], c, revealed)
    parts[0] = 1.0
    return 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64[:, ::1])")
def sample_spirits(s, c, orders):
    """Fill in guardians and forest cards in a random order that copies make likelier to be early.

    Args:
        orders: int64[2, cards]; -1 where there are no more cards.
    """
    orders[:] = -1
    for forest in range(2):
        pile = layout.FOREST_PILE if forest else layout.GUARDIAN_PILE
        first = positions.first_of_pile(c, pile)
        keys = np.full(positions.first_of_pile(c, pile + 1) - first, 2.0)
        for place in range(len(keys)):
            for _ in range(s[positions.unseen_at(c, first + place)]):
                keys[place] = min(keys[place], np.random.random())
        orders[forest, : len(keys)] = first + np.argsort(keys)


@kernel(f"float64({SEARCH}, int64, {ACTIONS}, {CHANCES}, {POSITIONS}, int64)")
def expected(search, asker, choices, chances, memory, start):
    """Return the value of an event: the mean over its outcomes, with one line after each.

    Args:
        choices, chances: scratch, see :func:`value_after`.
        memory: positions; the event is in the place ``start``, and is overwritten.
    """
    likelihoods, parts = chances[0], chances[1]
    positions.copy_vector(memory[start], memory[OPEN])
    likelihoods[0] = 1.0
    total, count, resolved = 0.0, 1, 0
    after = memory[AFTER : AFTER + MOST_OUTCOMES]
    work, trial = memory[WORK], memory[start]
    c, out = search.cards, search.actions
    while count > 0:
        count, resolved = count - 1, resolved + 1
        likelihood = likelihoods[count]
        positions.copy_vector(memory[OPEN + count], work)
        for _ in range(200):
            status = settle(work, search, asker, False) & ~ASSUMED
            if status == FAILURE:
                break
            if status == ENDED:
                total += likelihood * end_value(work, search, asker)
                break
            if status == EVENT and resolved >= MOST_RESOLVED:
                total += likelihood * rate(work, search, asker)
                break
            if status == EVENT:
                number = branch(work, search, after, parts)
                for place in range(number if count + number <= MOST_OPEN else 0):
                    positions.copy_vector(after[place], memory[OPEN + count])
                    likelihoods[count] = likelihood * parts[place]
                    count += 1
                break
            number = candidates.list_candidates(work, search, 1)
            listing.copy_actions(out, number, choices)
            best, chosen = -1e300, 0
            for place in range(number if number > 1 else 0):
                positions.copy_vector(work, trial)
                acting.act(trial, c, choices[place])
                if settle(trial, search, asker, False) == FAILURE:
                    continue
                value = rate(trial, search, asker)
                if value > best:
                    best, chosen = value, place
            acting.act(work, c, choices[chosen])
    return total


@kernel(f"float64({SEARCH}, int64, {ACTIONS}, {CHANCES}, {POSITIONS})")
def value_after(search, asker, choices, chances, memory):
    """Return the value of a position in the asker's turn: of the best end or event on one line.

    Args:
        choices: scratch for the choices of a decision, like ``search.actions``.
        chances: scratch, float64[3, MOST_OPEN + MOST_OUTCOMES].
        memory: positions; the one in the place ``HERE`` is searched, and all are overwritten.
    """
    c, out, best = search.cards, search.actions, chances[2]
    best[EVENT] = best[ENDED] = -1e300
    here, reached = memory[HERE], memory[REACHED]
    status = settle(here, search, asker, False) & ~ASSUMED
    if status == FAILURE:
        return -1.0
    if status == ENDED:
        return end_value(here, search, asker)
    if status == EVENT:
        return expected(search, asker, choices, chances, memory, HERE)
    while status == OWN:
        number, status, best[OWN] = candidates.list_candidates(here, search, 1), ENDED, -1e300
        listing.copy_actions(out, number, choices)
        for place in range(number):
            positions.copy_vector(here, reached)
            acting.act(reached, c, choices[place])
            kind = settle(reached, search, asker, False) & ~ASSUMED
            if kind == FAILURE:
                continue
            value = rate(reached, search, asker)
            if value > best[kind]:
                best[kind] = value
                positions.copy_vector(reached, memory[NEXT + kind])
                status = OWN if kind == OWN else status
        positions.copy_vector(memory[NEXT], here)
    value = -1.0
    if best[EVENT] > -1e300:
        value = expected(search, asker, choices, chances, memory, NEXT + EVENT)
    if best[ENDED] > -1e300:
        value = max(value, end_value(memory[NEXT + ENDED], search, asker))
    return value


@kernel(f"int64({VECTOR}, {SEARCH}, {POSITIONS}, float64[::1])")
def evaluate_choices(s, search, memory, values):
    """List the choices of the active player in ``search.actions``, with the value of each.

    Args:
        s: the position as the active player sees it.
        search: its deals and orders are filled in.
        values: float64[MOST_ACTIONS], filled in.

    Returns:
        The number of choices.
    """
    asker, c, out = s[layout.TURN], search.cards, search.actions
    search.memos[:, estimation.MEMO_PHASE] = -1.0
    number = candidates.list_candidates(s, search, ACTION_LIMIT)
    values[:number] = 0.0
    if number == 1:
        return number
    # Only this kernel creates arrays, so that the search does not count references.
    choices, chances = out[:number].copy(), np.empty((3, MOST_OPEN + MOST_OUTCOMES))
    later_choices = np.empty_like(out)
    if s[layout.SUPPLY] <= FEW_SCROLLS or s[layout.ENDING]:
        endings.deal(s, c, search.deals)
    sample_spirits(s, c, search.orders)
    for place in range(number):
        memory[HERE] = s
        acting.act(memory[HERE], c, choices[place])
        values[place] = value_after(search, asker, later_choices, chances, memory)
    out[:number] = choices
    return number


# For the search tree --------------------------------------------------------------------------


@kernel(f"UniTuple(int64, 2)({VECTOR}, {SEARCH}, int64, int64, boolean, {POSITIONS}, int64[::1])")
def expand(s, search, asker, limit, exact, after, kinds):
    """Follow the choices of a decision of the asker to its next decision, an event, or the end.

    Args:
        limit: most choices, about; in the last turn all that can make a difference.
        exact: whether the last turn is followed exactly.
        after: int16[rows, length], filled in: the positions.
        kinds: int64[rows], filled in: what ``settle`` returns.

    Returns:
        Their number, and whether they are all choices that can make a difference.
    """
    if exact and endings.ends_game(s):
        number, every = last_turn.list_last_turn(s, search)
    else:
        number, every = candidates.list_candidates(s, search, limit), last_turn.SOME
    choices = search.actions[:number].copy()
    for place in range(number):
        after[place] = s
        acting.act(after[place], search.cards, choices[place])
        kinds[place] = settle(after[place], search, asker, exact)
    return number, every


@kernel(f"void({POSITIONS}, {SEARCH}, {MODELS})")
def estimate(vectors, search, out):
    """Fill in the win shares of positions as if the turn ended there, float64[positions, seats]."""
    for number in range(len(vectors)):
        s, next_seat = vectors[number], estimation.next_turn(vectors[number])
        estimation.shares(s, search.cards, search.models, next_seat, search.memos, out[number])

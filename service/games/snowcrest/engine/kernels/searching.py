"""The search of one's own turn for games that are played on, like ``engine/tree.py`` but narrower.

Differences: decisions after a revealed card are followed one by one, and the last turn is followed
no further than other turns, with sampled hands.
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
MOST_WIDTH = 2
"""Largest width of a search: positions followed after each choice, and choices of a decision. The
best two positions are found without sorting, so a third one needs another search.
"""
OUTCOMES = np.array([0, 1, 3], np.int64)
"""Revealed cards per event, by the width."""
MOST_OUTCOMES = 3
DEAL_COUNT = 12
MOST_OPEN = 40
MOST_RESOLVED = 64
"""Outcomes after an event that are followed; later events end their line. Turns with the default
catalogue have fewer."""
ACTION_LIMIT = 3
"""Choices of a decision within the turn that are searched."""
FOLLOWING, BEST, OPEN = MOST_WIDTH, MOST_WIDTH + 120, MOST_WIDTH + 122
"""Places in the memory of a search: the layer, what follows, the best end and event, events."""
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


@kernel(f"int64({VECTOR}, {SEARCH}, {POSITIONS}, {MODEL}, int64)")
def branch(s, search, after, parts, width):
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
    count, cards = 0, search.orders[s[top + 1]]
    for place in range(len(cards)):
        if count == OUTCOMES[width] or cards[place] < 0:
            break
        if s[positions.unseen_at(c, cards[place])] > 0:
            positions.copy_vector(s, after[count])
            acting.draw(after[count], c, cards[place])
            count += 1
    if count == 0:
        positions.copy_vector(s, after[0])
        acting.draw(after[0], c, s[c[layout.BELOW_GUARDIANS + s[top + 1]]])
        count = 1
    for place in range(count):
        parts[place] = 1.0 / count
    return count


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


@kernel(f"float64({SEARCH}, int64, {ACTIONS}, {CHANCES}, {POSITIONS}, int64, int64)")
def expected(search, asker, choices, chances, memory, start, width):
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
                number = branch(work, search, after, parts, width)
                for place in range(number if count + number <= MOST_OPEN else 0):
                    positions.copy_vector(after[place], memory[OPEN + count])
                    likelihoods[count] = likelihood * parts[place]
                    count += 1
                break
            number = candidates.list_candidates(work, search, width)
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


@kernel(f"float64({SEARCH}, int64, {ACTIONS}, {CHANCES}, {POSITIONS}, int64)")
def value_after(search, asker, choices, chances, memory, width):
    """Return the value of a position in the asker's turn by a beam over its decisions.

    Args:
        choices: scratch for the choices of a decision, like ``search.actions``.
        chances: scratch, float64[2, MOST_OPEN + MOST_OUTCOMES].
        memory: positions; the first one is searched, and all are overwritten.
    """
    c, out = search.cards, search.actions
    status = settle(memory[0], search, asker, False) & ~ASSUMED
    if status == FAILURE:
        return -1.0
    if status == ENDED:
        return end_value(memory[0], search, asker)
    if status == EVENT:
        return expected(search, asker, choices, chances, memory, 0, width)
    best_end = best_event = -1e300
    layer = 1
    while layer > 0:
        following = 0
        for each in range(layer):
            number = candidates.list_candidates(memory[each], search, width)
            listing.copy_actions(out, number, choices)
            for place in range(number):
                position = memory[FOLLOWING + following]
                positions.copy_vector(memory[each], position)
                acting.act(position, c, choices[place])
                status = settle(position, search, asker, False) & ~ASSUMED
                if status == OWN:
                    known = listing.contains(memory, FOLLOWING, FOLLOWING + following, position)
                    following += not known and following < BEST - FOLLOWING - 1
                elif status != FAILURE:
                    value = rate(position, search, asker)
                    if status == ENDED and value > best_end:
                        best_end = value
                        positions.copy_vector(position, memory[BEST])
                    elif status == EVENT and value > best_event:
                        best_event = value
                        positions.copy_vector(position, memory[BEST + 1])
        layer = min(width, following)
        # If all fit, they keep their order.
        best, second, best_value, second_value = 0, 1, -1e300, -1e300
        for place in range(following if following > width else 0):
            value = rate(memory[FOLLOWING + place], search, asker)
            if value > best_value:
                second, second_value, best, best_value = best, best_value, place, value
            elif value > second_value:
                second, second_value = place, value
        for place in range(layer):
            positions.copy_vector(memory[FOLLOWING + (second if place else best)], memory[place])
    value = -1.0
    if best_event > -1e300:
        value = expected(search, asker, choices, chances, memory, BEST + 1, width)
    if best_end > -1e300:
        value = max(value, end_value(memory[BEST], search, asker))
    return value


@kernel(f"int64({VECTOR}, {SEARCH}, {POSITIONS}, float64[::1], int64)")
def evaluate_choices(s, search, memory, values, width):
    """List the choices of the active player in ``search.actions``, with the value of each.

    Args:
        s: the position as the active player sees it.
        search: its deals and orders are filled in.
        values: float64[MOST_ACTIONS], filled in; -1 for a choice that is not searched.
        width: of the search, see ``MOST_WIDTH``.

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
    choices, chances = out[:number].copy(), np.empty((2, MOST_OPEN + MOST_OUTCOMES))
    later_choices = np.empty_like(out)
    if s[layout.SUPPLY] <= FEW_SCROLLS or s[layout.ENDING]:
        endings.deal(s, c, search.deals)
    sample_spirits(s, c, search.orders)
    for place in range(number):
        # Of the cells of a card, only the best one is searched.
        if choices[place, layout.TYPE] != layout.DO_PLAY:
            continue
        before = place - 1
        same = before >= 0 and choices[before, layout.CARD] == choices[place, layout.CARD]
        if width == 1:
            # The first one, by what it leaves free.
            values[place] = -1.0 if same else 0.0
            continue
        memory[0] = s
        acting.act(memory[0], c, choices[place])
        values[place] = rate(memory[0], search, asker)
        if same:
            values[before if values[before] < values[place] else place] = -1.0
    for place in range(number):
        if values[place] >= 0.0 or choices[place, layout.TYPE] != layout.DO_PLAY:
            memory[0] = s
            acting.act(memory[0], c, choices[place])
            values[place] = value_after(search, asker, later_choices, chances, memory, width)
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

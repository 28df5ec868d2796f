"""The choices of the last turn of a game: all that can make a difference, up to a limit."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices.answers import (
    add_bid,
    list_own_bids,
    list_penalty_answers,
)
from service.games.snowcrest.engine.kernels.choices.candidates import (
    list_candidates,
    may_skip_payment,
)
from service.games.snowcrest.engine.kernels.choices.estimation import MODEL
from service.games.snowcrest.engine.kernels.choices.listing import (
    ACTIONS,
    keep_best,
    list_builds,
    list_redraws,
    new_action,
)
from service.games.snowcrest.engine.kernels.choices.prices import (
    KNOWN,
    MOST_SOURCES,
    SOURCE_SIZE,
    bid_sources,
    enables,
    payment_sources,
    sort_sources,
)
from service.games.snowcrest.engine.kernels.choices.worths import Offer, list_by_worth
from service.games.snowcrest.engine.kernels.rules import layout
from service.games.snowcrest.engine.kernels.rules.acting import deciding_seat
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR
from service.games.snowcrest.engine.kernels.rules.payments import bell_count, bid_at
from service.games.snowcrest.engine.kernels.rules.positions import copy_vector, seat_at

MOST_LISTED = 16
"""Choices of a decision that are followed, at most."""
SOME, EVERY = 0, 1
"""Whether choices that can make a difference are left out."""


# Payments (C4) --------------------------------------------------------------------------------


@kernel(f"boolean({VECTOR}, {CATALOGUE})")
def _sources_matter(s, c):
    """Whether it matters what pays for the next task: for a challenge, or for what follows."""
    for place in range(s[layout.CHALLENGES]):
        if s[layout.CHALLENGE + 2 * place + 1] < 0:
            return True
    top = layout.STACK + (s[layout.TASKS] - 1) * layout.TASK_SIZE
    for at in range(layout.STACK, top, layout.TASK_SIZE):
        if s[at] in (layout.PERFORM, layout.APPLY):
            return True
    if s[top + 1] != layout.FOR_ACTION:
        return False
    row = c[layout.ACTION_TABLE] + s[top + 2] * layout.ACTION_ROW
    for number in range(c[row + layout.A_EFFECT_COUNT]):
        effect = c[layout.EFFECT_TABLE] + (c[row + layout.A_EFFECTS] + number) * layout.EFFECT_ROW
        if c[effect] in (
            layout.MEDITATE, layout.PER_BUILDING, layout.REDRAW, layout.TAKE_BACK, layout.TURN_UP,
        ):  # fmt: skip
            return True
    return False


@kernel(f"UniTuple(int64, 2)({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS}, {VECTOR})")
def _list_payments(s, c, m, out, scratch):
    """List the payments of different worth with known cards, cheapest first."""
    cost = np.zeros(layout.RESOURCES + 1, np.int64)
    sources = np.empty((MOST_SOURCES, SOURCE_SIZE), np.int64)
    prices, order = np.empty(MOST_SOURCES), np.empty(MOST_SOURCES, np.int64)
    number = payment_sources(s, c, m, cost, sources, prices)
    sort_sources(sources, prices, number, 1, order)
    offer = Offer(sources, prices, order, number, 0, _sources_matter(s, c))
    values = np.empty(len(out))
    count, every = list_by_worth(offer, cost, layout.DO_PAY, out, values)
    enabling = 0
    for place in range(keep_best(out, count, values, count)):
        if enables(s, c, out[place, layout.PAYMENT :], scratch):
            out[enabling] = out[place]
            enabling += 1
    if enabling == 0:
        # With unknown cards there may be payments that are not followed.
        return list_candidates(s, c, m, 1, out, scratch), every
    top = layout.STACK + (s[layout.TASKS] - 1) * layout.TASK_SIZE
    if s[top + 1] == layout.FOR_ACTION and may_skip_payment(s, c, m, scratch):
        enabling = new_action(out, enabling, layout.DO_SKIP)
    return enabling, every


# Bids (C6) ------------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS}, int64)")
def _list_bids(s, c, m, seat, out, first):
    """List the bids of different worth with known cards, cheapest first; return their number.

    Args:
        first: place in ``out`` of the first one.
    """
    sources = np.empty((MOST_SOURCES, SOURCE_SIZE), np.int64)
    prices, order = np.empty(MOST_SOURCES), np.empty(MOST_SOURCES, np.int64)
    number, bids = bid_sources(s, c, m, seat, sources, prices, order), out[first:]
    cost, values = np.zeros(layout.RESOURCES + 1, np.int64), np.empty(len(bids))
    offer = Offer(sources, prices, order, number, 0, False)
    count, _ = list_by_worth(offer, cost, layout.DO_BID, bids, values)
    return keep_best(bids, count, values, count)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS})")
def _list_bids_of_mover(s, c, m, out):
    """List the likely bids of the active player, the cheapest of each size, and then others."""
    count = list_own_bids(s, c, m, MOST_LISTED, out)
    if out[0, layout.TYPE] == layout.DO_SKIP:
        return count
    sources = np.empty((MOST_SOURCES, SOURCE_SIZE), np.int64)
    prices, order = np.empty(MOST_SOURCES), np.empty(MOST_SOURCES, np.int64)
    number = bid_sources(s, c, m, s[layout.TURN], sources, prices, order)
    units = 0
    for place in range(number):
        units += sources[place, KNOWN]
    for size in range(1, min(units, MOST_LISTED) + 1):
        count = add_bid(out, count, sources, order, size)
    known = count
    for place in range(known, known + _list_bids(s, c, m, s[layout.TURN], out, known)):
        seen = False
        for before in range(known):
            same = True
            for number in range(out.shape[1]):
                same &= out[before, number] == out[place, number]
            seen |= same
        if not seen:
            out[count] = out[place]
            count += 1
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_answering_bids(s, c, m, seat, out):
    """List no bid of another player, then its winning bids of different worth, cheapest first."""
    size = bell_count(s, c, s[layout.TURN], bid_at(s, c, 0))
    count = new_action(out, 0, layout.DO_BID)
    out[0, layout.HAS_PAYMENT] = 1
    for place in range(1, 1 + _list_bids(s, c, m, seat, out, 1)):
        wins = bell_count(s, c, seat, out[place, layout.PAYMENT :]) > size
        if wins and count <= MOST_LISTED:
            copy_vector(out[place], out[count])
            count += 1
    return count


# All choices ----------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, {CATALOGUE}, {ACTIONS})")
def _list_discards(s, c, out):
    """List all sets of known hand cards to discard, and return their number; 0 if too many."""
    hand, total = seat_at(c, s[layout.TURN]) + layout.HAND, 1
    for card in range(c[layout.DECK]):
        total *= s[hand + card] + 1
        if total > MOST_LISTED:
            return 0
    for number in range(total):
        new_action(out, number, layout.DO_REDRAW)
        left = number
        for card in range(c[layout.DECK] - 1, -1, -1):
            out[number, layout.PAYMENT + layout.PAID_CARDS + card] = left % (s[hand + card] + 1)
            left //= s[hand + card] + 1
    return total


@kernel(f"UniTuple(int64, 2)({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS}, {VECTOR})")
def list_last_turn(s, c, m, out, scratch):
    """List the choices of the deciding player that can make a difference in the last turn.

    Payments of the same worth are one choice, if nothing but the final resources can depend on what
    they give up.

    Args:
        out: int16[rows, action size], filled in.
        scratch: a position, overwritten.

    Returns:
        Their number, at most :data:`MOST_LISTED`, and ``EVERY`` or ``SOME``.
    """
    top = layout.STACK + (s[layout.TASKS] - 1) * layout.TASK_SIZE
    kind, every = s[top], EVERY
    effect = c[layout.EFFECT_TABLE] + s[top + 1] * layout.EFFECT_ROW
    if kind == layout.PAY_COST:
        count, every = _list_payments(s, c, m, out, scratch)
    elif kind == layout.PENALTY:
        count = list_penalty_answers(s, c, m, MOST_LISTED + 1, out)
    elif kind == layout.COLLECT:
        seat, every = deciding_seat(s), SOME
        if seat == s[layout.TURN]:
            count = _list_bids_of_mover(s, c, m, out)
        else:
            count = list_answering_bids(s, c, m, seat, out)
    elif kind == layout.APPLY and c[effect] == layout.REDRAW:
        count = _list_discards(s, c, out)
        if count == 0:
            count, every = list_redraws(s, c, m, out), SOME
    elif kind == layout.APPLY and c[effect] == layout.BUILD:
        count = list_builds(s, c, m, c[effect + layout.E_BUILDING], True, out)
    else:
        count = list_candidates(s, c, m, len(out), out, scratch)
    return min(count, MOST_LISTED), every if count <= MOST_LISTED else SOME

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
    keep_enabling,
    list_candidates,
    may_skip_payment,
)
from service.games.snowcrest.engine.kernels.choices.estimation import MODEL
from service.games.snowcrest.engine.kernels.choices.listing import (
    ACTIONS,
    contains,
    keep_best,
    list_builds,
    list_redraws,
    new_action,
)
from service.games.snowcrest.engine.kernels.choices.prices import (
    KNOWN,
    cost_of_task,
    offer_for,
    offer_for_bid,
)
from service.games.snowcrest.engine.kernels.choices.worths import list_by_worth
from service.games.snowcrest.engine.kernels.rules import layout
from service.games.snowcrest.engine.kernels.rules.acting import deciding_seat
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR
from service.games.snowcrest.engine.kernels.rules.payments import bell_count, bid_at
from service.games.snowcrest.engine.kernels.rules.positions import (
    action_at,
    copy_vector,
    effect_at,
    next_task,
    seat_at,
)

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
    top = next_task(s)
    for at in range(layout.STACK, top, layout.TASK_SIZE):
        if s[at] in (layout.PERFORM, layout.APPLY):
            return True
    if s[top + 1] != layout.FOR_ACTION:
        return False
    row = action_at(c, s[top + 2])
    for number in range(c[row + layout.A_EFFECT_COUNT]):
        effect = effect_at(c, c[row + layout.A_EFFECTS] + number)
        if c[effect] in (
            layout.MEDITATE, layout.PER_BUILDING, layout.REDRAW, layout.TAKE_BACK, layout.TURN_UP,
        ):  # fmt: skip
            return True
    return False


@kernel(f"UniTuple(int64, 2)({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS}, {VECTOR})")
def _list_payments(s, c, m, out, scratch):
    """List the payments of different worth with known cards, cheapest first."""
    cost, values = cost_of_task(s, c), np.empty(len(out))
    offer = offer_for(s, c, m, s[layout.TURN], cost, 1, False)
    count, every = list_by_worth(offer, 0, _sources_matter(s, c), cost, layout.DO_PAY, out, values)
    enabling = keep_enabling(s, c, out, keep_best(out, count, values, count), scratch)
    if enabling == 0:
        # With unknown cards there may be payments that are not followed.
        return list_candidates(s, c, m, 1, out, scratch), every
    if s[next_task(s) + 1] == layout.FOR_ACTION and may_skip_payment(s, c, m, scratch):
        enabling = new_action(out, enabling, layout.DO_SKIP)
    return enabling, every


# Bids (C6) ------------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS}, int64)")
def _list_bids(s, c, m, seat, out, first):
    """List the bids of different worth with known cards, cheapest first; return their number.

    Args:
        first: place in ``out`` of the first one.
    """
    offer, bids = offer_for_bid(s, c, m, seat), out[first:]
    cost, values = np.zeros(layout.RESOURCES + 1, np.int64), np.empty(len(bids))
    count, _ = list_by_worth(offer, 0, False, cost, layout.DO_BID, bids, values)
    return keep_best(bids, count, values, count)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS})")
def _list_bids_of_mover(s, c, m, out):
    """List the likely bids of the active player, the cheapest of each size, and then others."""
    count = list_own_bids(s, c, m, MOST_LISTED, out)
    if out[0, layout.TYPE] == layout.DO_SKIP:
        return count
    offer, units = offer_for_bid(s, c, m, s[layout.TURN]), 0
    for place in range(offer.number):
        units += offer.sources[place, KNOWN]
    for size in range(1, min(units, MOST_LISTED) + 1):
        count = add_bid(out, count, offer, size)
    known = count
    for place in range(known, known + _list_bids(s, c, m, s[layout.TURN], out, known)):
        if not contains(out, 0, known, out[place]):
            copy_vector(out[place], out[count])
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
    top = next_task(s)
    kind, every = s[top], EVERY
    effect = effect_at(c, s[top + 1])
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

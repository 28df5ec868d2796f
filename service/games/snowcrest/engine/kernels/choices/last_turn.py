"""The choices of the last turn of a game: all that can make a difference, up to a limit."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices import (
    answers,
    candidates,
    estimation,
    listing,
    prices,
    worths,
)
from service.games.snowcrest.engine.kernels.choices.estimation import MODEL
from service.games.snowcrest.engine.kernels.choices.listing import ACTIONS, SEARCH
from service.games.snowcrest.engine.kernels.rules import acting, layout, payments, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

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
    top = positions.next_task(s)
    for at in range(layout.STACK, top, layout.TASK_SIZE):
        if s[at] in (layout.PERFORM, layout.APPLY):
            return True
    if s[top + 1] != layout.FOR_ACTION:
        return False
    row = positions.action_at(c, s[top + 2])
    if c[row + layout.A_ITEMS : row + layout.ACTION_ROW].any():
        return True
    for number in range(c[row + layout.A_EFFECT_COUNT]):
        effect = positions.effect_at(c, c[row + layout.A_EFFECTS] + number)
        if c[effect] in (
            layout.MEDITATE, layout.PER_BUILDING, layout.REDRAW, layout.TAKE_BACK, layout.TURN_UP,
            layout.WAKE, layout.EXHAUST_ONE, layout.DISCARD,
        ):  # fmt: skip
            return True
    return False


@kernel(f"UniTuple(int64, 2)({VECTOR}, {SEARCH}, {MODEL})")
def _list_payments(s, search, m):
    """List the payments of different worth with known cards, cheapest first."""
    c, out, scratch = search.cards, search.actions, search.scratch
    cost, values, by_source = prices.cost_of_task(s, c), np.empty(len(out)), _sources_matter(s, c)
    offer = prices.offer_for(s, c, m, s[layout.TURN], cost, 1, False)
    count, every = worths.list_by_worth(offer, 0, by_source, cost, layout.DO_PAY, out, values)
    count = listing.keep_best(out, count, values, count)
    enabling = candidates.keep_enabling(s, c, out, count, scratch)
    if enabling == 0:
        # With unknown cards there may be payments that are not followed.
        return candidates.list_candidates(s, search, 1), every
    may_skip = s[positions.next_task(s) + 1] == layout.FOR_ACTION
    if may_skip and candidates.may_skip_payment(s, c, m, scratch):
        enabling = listing.new_action(out, enabling, layout.DO_SKIP)
    return enabling, every


# Bids (C6) ------------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS}, int64)")
def _list_bids(s, c, m, seat, out, first):
    """List the bids of different worth with known cards, cheapest first; return their number.

    Args:
        first: place in ``out`` of the first one.
    """
    offer, bids = prices.offer_for_bid(s, c, m, seat), out[first:]
    cost, values = np.zeros(layout.RESOURCES + 1, np.int64), np.empty(len(bids))
    count, _ = worths.list_by_worth(offer, 0, False, cost, layout.DO_BID, bids, values)
    return listing.keep_best(bids, count, values, count)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS})")
def _list_bids_of_mover(s, c, m, out):
    """List the likely bids of the active player, the cheapest of each size, and then others."""
    count = answers.list_own_bids(s, c, m, MOST_LISTED, out)
    if out[0, layout.TYPE] == layout.DO_SKIP:
        return count
    offer, units = prices.offer_for_bid(s, c, m, s[layout.TURN]), 0
    for place in range(offer.number):
        units += offer.sources[place, prices.KNOWN]
    for size in range(1, min(units, MOST_LISTED) + 1):
        count = answers.add_bid(out, count, offer, size)
    known = count
    for place in range(known, known + _list_bids(s, c, m, s[layout.TURN], out, known)):
        if not listing.contains(out, 0, known, out[place]):
            positions.copy_vector(out[place], out[count])
            count += 1
    return count


@kernel(f"int64({VECTOR}, {SEARCH}, int64)")
def list_answering_bids(s, search, seat):
    """List no bid of another player, then its winning bids of different worth, cheapest first."""
    c, out = search.cards, search.actions
    m = search.models[estimation.phase(s, search.models)]
    size = payments.bell_count(s, c, s[layout.TURN], payments.bid_at(s, c, 0))
    count = listing.new_choice(out, 0, layout.DO_BID, layout.HAS_PAYMENT, 1)
    for place in range(1, 1 + _list_bids(s, c, m, seat, out, 1)):
        wins = payments.bell_count(s, c, seat, out[place, layout.PAYMENT :]) > size
        if wins and count <= MOST_LISTED:
            positions.copy_vector(out[place], out[count])
            count += 1
    return count


# All choices ----------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, {CATALOGUE}, {ACTIONS})")
def _list_discards(s, c, out):
    """List all sets of known hand cards to discard, and return their number; 0 if too many."""
    hand, total = positions.seat_at(c, s[layout.TURN]) + layout.HAND, 1
    for card in range(c[layout.DECK]):
        total *= s[hand + card] + 1
        if total > MOST_LISTED:
            return 0
    for number in range(total):
        listing.new_action(out, number, layout.DO_REDRAW)
        left = number
        for card in range(c[layout.DECK] - 1, -1, -1):
            out[number, layout.PAYMENT + layout.PAID_CARDS + card] = left % (s[hand + card] + 1)
            left //= s[hand + card] + 1
    return total


@kernel(f"UniTuple(int64, 2)({VECTOR}, {SEARCH})")
def list_last_turn(s, search):
    """List the choices of the deciding player that can make a difference in the last turn.

    Payments of the same worth are one choice, if nothing but the final resources can depend on what
    they give up.

    Returns:
        Their number in ``search.actions``, at most :data:`MOST_LISTED`, and ``EVERY`` or ``SOME``.
    """
    c, out = search.cards, search.actions
    m = search.models[estimation.phase(s, search.models)]
    top = positions.next_task(s)
    kind, every = s[top], EVERY
    effect = positions.effect_at(c, s[top + 1])
    if kind == layout.PAY_COST:
        count, every = _list_payments(s, search, m)
    elif kind == layout.PENALTY:
        count = answers.list_penalty_answers(s, c, m, MOST_LISTED + 1, out)
    elif kind == layout.COLLECT:
        seat, every = acting.deciding_seat(s), SOME
        if seat == s[layout.TURN]:
            count = _list_bids_of_mover(s, c, m, out)
        else:
            count = list_answering_bids(s, search, seat)
    elif kind == layout.APPLY and c[effect] == layout.REDRAW:
        count = _list_discards(s, c, out)
        if count == 0:
            count, every = listing.list_redraws(s, c, m, out), SOME
    elif kind == layout.APPLY and c[effect] == layout.BUILD:
        count = listing.list_builds(s, c, m, c[effect + layout.E_BUILDING], True, out)
    else:
        count = candidates.list_candidates(s, search, len(out))
    return min(count, MOST_LISTED), every if count <= MOST_LISTED else SOME

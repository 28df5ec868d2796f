"""A few promising choices of a decision, rated by the prices of single items, without search.

Only cards that the deciding player knows are used for payments and bids, unless a payment that the
player has to make needs others.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices import (
    answers,
    estimation,
    listing,
    prices,
    worths,
)
from service.games.snowcrest.engine.kernels.choices.estimation import MODEL
from service.games.snowcrest.engine.kernels.choices.listing import ACTIONS, SEARCH
from service.games.snowcrest.engine.kernels.choices.prices import COST
from service.games.snowcrest.engine.kernels.rules import acting, layout, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {COST}, {ACTIONS})")
def _list_unknown_payment(s, c, m, cost, out):
    """List the cheapest payment of a cost with unknown cards; skipping if there is none."""
    every, values = np.ones(layout.RESOURCES + 1, np.int64), np.empty(len(out))
    offer = prices.offer_for(s, c, m, s[layout.TURN], every, 1, True)
    hidden = s[positions.seat_at(c, s[layout.TURN]) + layout.UNKNOWN_COUNT]
    count, _ = worths.list_by_worth(offer, hidden, False, cost, layout.DO_PAY, out, values)
    if count == 0:
        return listing.new_action(out, 0, layout.DO_SKIP)
    return listing.keep_best(out, count, values, 1)


@kernel(f"boolean({VECTOR}, {CATALOGUE}, {MODEL}, {VECTOR}, {VECTOR})")
def _fill_enabling(s, c, m, payment, scratch):
    """Fill in a payment of the next task after which its effect is possible (C5).

    An effect needs one unit of one source at most.  Therefore payments that leave a unit of each
    source in turn are enough, and for buildings of the cost those that use them last.

    Returns:
        Whether there is one.
    """
    cost = prices.cost_of_task(s, c)
    offer = prices.offer_for(s, c, m, s[layout.TURN], cost, 1, False)
    for kind in (1, prices.BUILDINGS_LAST):
        prices.sort_sources(offer, kind)
        if prices.fill(offer, cost, payment) >= 0.0 and prices.enables(s, c, payment, scratch):
            return True
        for place in range(offer.number):
            offer.sources[place, prices.KNOWN] -= 1
            found = prices.fill(offer, cost, payment) >= 0.0
            offer.sources[place, prices.KNOWN] += 1
            if found and prices.enables(s, c, payment, scratch):
                return True
    return False


@kernel(f"int64({VECTOR}, {CATALOGUE}, {ACTIONS}, int64, {VECTOR})")
def keep_enabling(s, c, out, count, scratch):
    """Keep the payments after which the effect of the next task is possible, in place."""
    enabling = 0
    for place in range(count):
        if prices.enables(s, c, out[place, layout.PAYMENT :], scratch):
            positions.copy_vector(out[place], out[enabling])
            enabling += 1
    return enabling


@kernel(f"boolean({VECTOR}, {CATALOGUE}, {MODEL}, {VECTOR})")
def may_skip_payment(s, c, m, scratch):
    """Whether no payment without hand cards lets an effect of an action be carried out (C5)."""
    public, at = s.copy(), positions.seat_at(c, s[layout.TURN])
    public[at + layout.UNKNOWN_COUNT] = public[at + layout.HAND_COUNT] = 0
    public[at + layout.HAND : at + layout.HAND + c[layout.DECK]] = 0
    payment = np.empty(layout.PAID_CARDS + c[layout.DECK], np.int16)
    return not _fill_enabling(public, c, m, payment, scratch)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS}, {VECTOR})")
def list_payments(s, c, m, limit, out, scratch):
    """List the cheapest payments of the next task after which its effect is possible.

    Skipping is the last one if it is allowed.  Without any, it is the cheapest payment with unknown
    cards if one has to be paid.

    Args:
        limit: most payments; skipping is left out beside a single one.
        out: int16[limit or more, action size], out.
        scratch: int16[length], overwritten with positions after payments.

    Returns:
        The number of actions in ``out``.
    """
    cost, values, count = prices.cost_of_task(s, c), np.zeros(prices.ORDERS), 0
    offer = prices.offer_for(s, c, m, s[layout.TURN], cost, 0, False)
    for kind in range(1 if limit == 1 else prices.ORDERS):
        prices.sort_sources(offer, kind)
        listing.new_choice(out, count, layout.DO_PAY, layout.HAS_PAYMENT, 1)
        price = prices.fill(offer, cost, out[count, layout.PAYMENT :])
        if price < 0.0:
            break
        if not listing.contains(out, 0, count, out[count]):
            values[count] = -price
            count += 1
    enabling = keep_enabling(s, c, out, listing.keep_best(out, count, values, limit), scratch)
    if s[positions.next_task(s) + 1] != layout.FOR_ACTION:
        return enabling if enabling else _list_unknown_payment(s, c, m, cost, out)
    if enabling == 0:
        listing.new_choice(out, 0, layout.DO_PAY, layout.HAS_PAYMENT, 1)
        enabling = int(_fill_enabling(s, c, m, out[0, layout.PAYMENT :], scratch))
    if enabling == 0 or (limit > 1 and may_skip_payment(s, c, m, scratch)):
        return listing.new_action(out, enabling, layout.DO_SKIP)
    return enabling


@kernel(f"int64({VECTOR}, {SEARCH}, int64)")
def list_candidates(s, search, limit):
    """List about ``limit`` choices of the deciding player in ``search.actions``, best first.

    Returns:
        The number of choices.
    """
    c, out = search.cards, search.actions
    m = search.models[estimation.phase(s, search.models)]
    top = positions.next_task(s)
    kind, count = s[top], 0
    if kind == layout.CHOOSE:
        return listing.list_turns(s, c, m, out)
    if kind == layout.PAY_COST:
        return list_payments(s, c, m, limit, out, search.scratch)
    if kind == layout.PENALTY:
        return answers.list_penalty_answers(s, c, m, limit, out)
    if kind == layout.COLLECT and acting.deciding_seat(s) != s[layout.TURN]:
        if answers.answer_bid(s, search) > 0.0:
            return 2
        positions.copy_vector(out[1], out[0])
        return 1
    if kind == layout.COLLECT:
        return answers.list_own_bids(s, c, m, limit, out)
    if kind == layout.PLACE_RECRUIT:
        return listing.list_recruits(s, c, m, limit + 1, out)
    if kind == layout.RECEIVE:
        for resource in range(layout.GOLD):
            count = listing.new_choice(out, count, layout.DO_GAIN, layout.RESOURCE, resource)
        return count
    if kind == layout.DECIDE:
        count = listing.new_action(out, count, layout.DO_RETURN_BID)
        return listing.new_action(out, count, layout.DO_LEAVE_BID) if limit > 1 else count
    if kind == layout.PLACE_FIRST:
        for card in range(c[layout.DECK]):
            if s[positions.seat_at(c, s[layout.TURN]) + layout.HAND + card]:
                count = listing.new_choice(out, count, layout.DO_FOUND, layout.CARD, card)
        return count
    row = positions.effect_at(c, s[top + 1])
    effect = c[row + layout.E_TYPE]
    if effect == layout.BUILD:
        return listing.list_builds(s, c, m, c[row + layout.E_BUILDING], False, out)
    if effect == layout.TRADE:
        return listing.list_trades(s, c, row, out)
    if effect == layout.TAKE_BACK:
        return listing.list_returns(s, c, m, limit, out)
    if effect == layout.REDRAW:
        return listing.list_redraws(s, c, m, out)
    if effect == layout.COPY:
        return listing.list_copies(s, c, m, limit + 1, out)
    if effect == layout.DISCARD:
        return listing.list_discards(s, c, m, limit + 1, out)
    return listing.list_turned(s, c, m, effect == layout.WAKE, limit + 1, out)

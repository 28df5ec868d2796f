"""A few promising choices of a decision, rated by the prices of single items, without search.

Only cards that the deciding player knows are used for payments and bids, unless a payment that the
player has to make needs others.
"""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices.answers import (
    answer_bid,
    list_own_bids,
    list_penalty_answers,
)
from service.games.snowcrest.engine.kernels.choices.estimation import (
    MODEL,
    discarding_price,
    exhausting_price,
    spending_price,
    token_price,
)
from service.games.snowcrest.engine.kernels.choices.listing import (
    ACTIONS,
    contains,
    keep_best,
    list_builds,
    list_copies,
    list_recruits,
    list_redraws,
    list_returns,
    list_trades,
    list_turns,
    new_action,
)
from service.games.snowcrest.engine.kernels.choices.prices import (
    COST,
    KNOWN,
    ORDERS,
    cost_of_task,
    enables,
    fill,
    offer_for,
    sort_sources,
)
from service.games.snowcrest.engine.kernels.choices.worths import list_by_worth
from service.games.snowcrest.engine.kernels.rules import layout
from service.games.snowcrest.engine.kernels.rules.acting import deciding_seat
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR
from service.games.snowcrest.engine.kernels.rules.positions import (
    copy_vector,
    effect_at,
    next_task,
    seat_at,
)


@kernel(f"float64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {VECTOR})")
def payment_price(s, c, m, seat, payment):
    """Return the value that a payment gives up."""
    at, price = seat_at(c, seat), 0.0
    for resource in range(layout.RESOURCES):
        price += payment[resource] * token_price(m, resource)
    for kind in range(layout.BUILDINGS):
        price += payment[layout.PAID_BUILDINGS + kind] * spending_price(m, kind)
    for card in range(c[layout.DECK]):
        for _ in range(payment[layout.PAID_CARDS + card]):
            price += discarding_price(m, c, card)
    for cell in range(layout.CELLS):
        if payment[layout.PAID_CELLS] >> cell & 1:
            price += exhausting_price(m, c, s[at + layout.VILLAGE + cell] >> 1)
    return price


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {COST}, {ACTIONS})")
def _list_unknown_payment(s, c, m, cost, out):
    """List the cheapest payment of a cost with unknown cards; skipping if there is none."""
    every, values = np.ones(layout.RESOURCES + 1, np.int64), np.empty(len(out))
    offer = offer_for(s, c, m, s[layout.TURN], every, 1, True)
    hidden = s[seat_at(c, s[layout.TURN]) + layout.UNKNOWN_COUNT]
    count, _ = list_by_worth(offer, hidden, False, cost, layout.DO_PAY, out, values)
    return keep_best(out, count, values, 1) if count else new_action(out, 0, layout.DO_SKIP)


@kernel(f"boolean({VECTOR}, {CATALOGUE}, {MODEL}, {VECTOR}, {VECTOR})")
def _fill_enabling(s, c, m, payment, scratch):
    """Fill in a payment of the next task after which its effect is possible (C5).

    An effect needs one unit of one source at most.  Therefore payments that leave a unit of each
    source in turn are enough.

    Returns:
        Whether there is one.
    """
    cost = cost_of_task(s, c)
    offer = offer_for(s, c, m, s[layout.TURN], cost, 1, False)
    if not fill(offer, cost, payment):
        return False
    if enables(s, c, payment, scratch):
        return True
    for place in range(offer.number):
        offer.sources[place, KNOWN] -= 1
        found = fill(offer, cost, payment)
        offer.sources[place, KNOWN] += 1
        if found and enables(s, c, payment, scratch):
            return True
    return False


@kernel(f"int64({VECTOR}, {CATALOGUE}, {ACTIONS}, int64, {VECTOR})")
def keep_enabling(s, c, out, count, scratch):
    """Keep the payments after which the effect of the next task is possible, in place."""
    enabling = 0
    for place in range(count):
        if enables(s, c, out[place, layout.PAYMENT :], scratch):
            copy_vector(out[place], out[enabling])
            enabling += 1
    return enabling


@kernel(f"boolean({VECTOR}, {CATALOGUE}, {MODEL}, {VECTOR})")
def may_skip_payment(s, c, m, scratch):
    """Whether no payment without hand cards lets an effect of an action be carried out (C5)."""
    public, at = s.copy(), seat_at(c, s[layout.TURN])
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
    cost, values, count = cost_of_task(s, c), np.zeros(ORDERS), 0
    offer = offer_for(s, c, m, s[layout.TURN], cost, 0, False)
    for kind in range(1 if limit == 1 else ORDERS):
        sort_sources(offer, kind)
        new_action(out, count, layout.DO_PAY)
        payment, out[count, layout.HAS_PAYMENT] = out[count, layout.PAYMENT :], 1
        if not fill(offer, cost, payment):
            break
        if not contains(out, 0, count, out[count]):
            values[count] = -payment_price(s, c, m, s[layout.TURN], payment)
            count += 1
    enabling = keep_enabling(s, c, out, keep_best(out, count, values, limit), scratch)
    if s[next_task(s) + 1] != layout.FOR_ACTION:
        return enabling if enabling else _list_unknown_payment(s, c, m, cost, out)
    if enabling == 0:
        new_action(out, 0, layout.DO_PAY)
        if _fill_enabling(s, c, m, out[0, layout.PAYMENT :], scratch):
            out[0, layout.HAS_PAYMENT] = enabling = 1
    if enabling == 0 or (limit > 1 and may_skip_payment(s, c, m, scratch)):
        return new_action(out, enabling, layout.DO_SKIP)
    return enabling


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS}, {VECTOR})")
def list_candidates(s, c, m, limit, out, scratch):
    """List about ``limit`` choices of the deciding player, most promising first.

    Args:
        out: int16[MOST_ACTIONS, action size], filled in.
        scratch: a position, overwritten.

    Returns:
        The number of choices.
    """
    top = next_task(s)
    kind, count = s[top], 0
    if kind == layout.CHOOSE:
        return list_turns(s, c, m, out)
    if kind == layout.PAY_COST:
        return list_payments(s, c, m, limit, out, scratch)
    if kind == layout.PENALTY:
        return list_penalty_answers(s, c, m, limit, out)
    if kind == layout.COLLECT and deciding_seat(s) != s[layout.TURN]:
        if answer_bid(s, c, m, out) > 0.0:
            return 2
        copy_vector(out[1], out[0])
        return 1
    if kind == layout.COLLECT:
        return list_own_bids(s, c, m, limit, out)
    if kind == layout.PLACE_RECRUIT:
        return list_recruits(s, c, m, limit + 1, out)
    if kind == layout.RECEIVE:
        for resource in range(layout.GOLD):
            count = new_action(out, count, layout.DO_GAIN)
            out[count - 1, layout.RESOURCE] = resource
        return count
    if kind == layout.DECIDE:
        count = new_action(out, count, layout.DO_RETURN_BID)
        return new_action(out, count, layout.DO_LEAVE_BID) if limit > 1 else count
    if kind == layout.PLACE_FIRST:
        for card in range(c[layout.DECK]):
            if s[seat_at(c, s[layout.TURN]) + layout.HAND + card]:
                count = new_action(out, count, layout.DO_FOUND)
                out[count - 1, layout.CARD] = card
        return count
    row = effect_at(c, s[top + 1])
    effect = c[row + layout.E_TYPE]
    if effect == layout.BUILD:
        return list_builds(s, c, m, c[row + layout.E_BUILDING], False, out)
    if effect == layout.TRADE:
        return list_trades(s, c, row, out)
    if effect == layout.TAKE_BACK:
        return list_returns(s, c, m, limit, out)
    if effect == layout.REDRAW:
        return list_redraws(s, c, m, out)
    return list_copies(s, c, m, limit + 1, out)

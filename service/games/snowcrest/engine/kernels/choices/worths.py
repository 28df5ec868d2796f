"""Payments and bids of different worth: the cheapest one that gives up the same resources."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices import listing, prices
from service.games.snowcrest.engine.kernels.choices.estimation import MODEL
from service.games.snowcrest.engine.kernels.choices.listing import ACTIONS
from service.games.snowcrest.engine.kernels.choices.prices import COST, OFFER
from service.games.snowcrest.engine.kernels.rules import layout

MOST_STEPS = 5_000
"""Steps of a search for payments or bids, at most; the default catalogue needs about 700."""
WORTH = layout.ICON_KINDS + layout.BUILDINGS + 2
"""What a payment gives up, and if sources matter, its buildings, hand cards and villagers."""


@kernel(f"boolean({OFFER}, int64[::1], int64[::1], {COST}, int64[::1])")
def _is_minimal(offer, used, total, cost, less):
    """Whether no source could be left out (C4); ``less`` is overwritten."""
    for place in range(offer.number):
        source = offer.sources[offer.order[place]]
        if used[place] == 0:
            continue
        for resource in range(layout.RESOURCES):
            less[resource] = total[resource] - source[prices.ICONS + resource]
        if prices.covers(less, cost):
            return False
    return True


@kernel(
    f"int64({OFFER}, boolean, int64[::1], int64[::1], int64[:, ::1], {ACTIONS}, {MODEL}, int64,"
    " int64)"
)
def _add_payment(offer, by_source, used, total, worths, out, values, count, kind):
    """Append a payment unless one of the same worth is as cheap; return their number."""
    if count == len(out):
        return count
    worth, price = worths[count], 0.0
    worth[:] = 0
    for resource in range(layout.ICON_KINDS):
        worth[resource] = total[resource]
    for place in range(offer.number):
        source = offer.sources[offer.order[place]]
        price += used[place] * offer.prices[offer.order[place]]
        if by_source and source[prices.PART] == prices.OF_BUILDINGS:
            worth[layout.ICON_KINDS + source[prices.KEY]] += used[place]
        elif by_source and source[prices.PART] in (prices.OF_HAND, prices.OF_CELLS):
            worth[WORTH - 1 - (source[prices.PART] == prices.OF_HAND)] += used[place]
    place = 0
    while place < count:
        same = True
        for number in range(WORTH):
            same &= worths[place, number] == worth[number]
        if same:
            break
        place += 1
    if place < count and -values[place] <= price:
        return count
    values[place] = -price
    listing.new_choice(out, place, kind, layout.HAS_PAYMENT, 1)
    for each in range(offer.number):
        prices.add_unit(out[place, layout.PAYMENT :], offer.sources[offer.order[each]], used[each])
    return max(count, place + 1)


@kernel(f"UniTuple(int64, 2)({OFFER}, int64, boolean, {COST}, int64, {ACTIONS}, {MODEL})")
def list_by_worth(offer, hidden_cards, by_source, cost, kind, out, values):
    """List the minimal payments of a cost (C4), or all bids (C6), of different worth.

    Args:
        hidden_cards: number of unknown cards in a payment, at most.
        by_source: whether it matters what kinds of sources pay.
        kind: ``DO_PAY``, or ``DO_BID``; then the cost does not count.
        out: int16[most, action size], filled in.
        values: float64[most], filled in: minus the prices.

    Returns:
        Their number, and whether the search found all.
    """
    totals = np.zeros((offer.number + 1, layout.ICON_KINDS), np.int64)
    rest = np.zeros((offer.number + 1, layout.ICON_KINDS), np.int64)
    used, hidden = np.zeros(offer.number, np.int64), np.zeros(offer.number + 1, np.int64)
    worths, more = np.zeros((len(out) + 1, WORTH), np.int64), np.zeros(layout.ICON_KINDS, np.int64)
    for place in range(offer.number - 1, -1, -1):
        source = offer.sources[offer.order[place]]
        for resource in range(layout.RESOURCES):
            units = source[prices.MOST] * source[prices.ICONS + resource]
            rest[place, resource] = rest[place + 1, resource] + units
    hidden[0] = hidden_cards
    place = count = steps = 0
    fresh = True
    while place >= 0 and steps < MOST_STEPS:
        if fresh:
            steps += 1
            covered = kind == layout.DO_PAY and prices.covers(totals[place], cost)
            more[:] = totals[place] + rest[place]
            complete = kind == layout.DO_BID and place == offer.number and used.sum() > 0
            if complete or (covered and _is_minimal(offer, used, totals[place], cost, more)):
                count = _add_payment(
                    offer, by_source, used, totals[place], worths, out, values, count, kind
                )
            stop = covered or (kind == layout.DO_PAY and not prices.covers(more, cost))
            if stop or place == offer.number:
                fresh, place = False, place - 1
                continue
        source = offer.sources[offer.order[place]]
        if fresh:
            most = min(source[prices.MOST], source[prices.KNOWN] + hidden[place])
            used[place] = 0
            # No more units than cover the cost.
            more[:] = totals[place]
            while used[place] < most and not (kind == layout.DO_PAY and prices.covers(more, cost)):
                used[place] += 1
                for resource in range(layout.RESOURCES):
                    more[resource] += source[prices.ICONS + resource]
        elif used[place] == 0:
            place -= 1
            continue
        else:
            used[place] -= 1
        for resource in range(layout.ICON_KINDS):
            units = used[place] * source[prices.ICONS + resource]
            totals[place + 1, resource] = totals[place, resource] + units
        hidden[place + 1] = hidden[place] - max(0, used[place] - source[prices.KNOWN])
        place, fresh = place + 1, True
    return count, int(steps < MOST_STEPS and count < len(out))

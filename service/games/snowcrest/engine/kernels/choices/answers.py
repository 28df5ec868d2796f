"""Bids and answers to penalties by price."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices import estimation, listing, prices
from service.games.snowcrest.engine.kernels.choices.estimation import MODEL
from service.games.snowcrest.engine.kernels.choices.listing import ACTIONS, SEARCH
from service.games.snowcrest.engine.kernels.choices.prices import OFFER
from service.games.snowcrest.engine.kernels.rules import layout, payments, penalties, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

MOST_BIDS = 24
MOST_HIDDEN = 12
"""Largest number of unknown hand cards considered for a bid."""
MOST_BELLS, MOST_SHOWN = 40, 36
"""Bells counted for a bid, and bells of a card: bells, gold and resources of any kind."""
DENIED_SCROLL = 0.3
"""Value to the others, in scrolls, of one scroll less for the active player."""


# Penalties (C7, C15) --------------------------------------------------------------------------


@kernel(f"boolean({CATALOGUE}, int64, int64)")
def _pays_item(c, item, card):
    """Whether the icons of a card pay a resource item."""
    if item < layout.ANY_ITEM:
        return payments.shown_by(c, card, item) > 0
    icons = positions.villager_at(c, card) + layout.V_ICONS
    return item == layout.ANY_ITEM and c[icons : icons + layout.RESOURCES].any()


@kernel(f"int64({ACTIONS}, int64, {MODEL}, int64, float64, int64, int64)")
def _give(out, count, values, item, price, field, value):
    """Append a gift for an item, with a field of the action and its price; return the number."""
    values[count] = -price
    count = listing.new_action(out, count, layout.DO_GIVE)
    out[count - 1, layout.ITEM], out[count - 1, field] = item, value
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, int64, {ACTIONS}, {MODEL})")
def _list_gifts(s, c, m, seat, item, out, values):
    """List what a seat can give for an item, with prices."""
    at, count = positions.seat_at(c, seat), 0
    for resource in range(layout.RESOURCES):
        replaces = resource == layout.GOLD and item < layout.RESOURCES
        if (replaces or item in (resource, layout.ANY_ITEM)) and s[at + layout.TOKENS + resource]:
            price = estimation.token_price(m, resource)
            count = _give(out, count, values, item, price, layout.RESOURCE, resource)
    for kind in range(layout.BUILDINGS):
        if s[at + layout.UP + kind] and item in (kind, layout.ANY_ITEM):
            price = estimation.spending_price(m, kind)
            count = _give(out, count, values, item, price, layout.BUILDING, kind)
        for spent in range(2 if item in (layout.BUILDING_ITEM, layout.FARM_ITEM + kind) else 0):
            number = s[at + (layout.SPENT if spent else layout.UP) + kind]
            if number > (s[layout.GIVEN + kind] if spent else 0):
                price = estimation.building_price(m, kind, spent > 0)
                count = _give(out, count, values, item, price, layout.BUILDING, kind)
                out[count - 1, layout.IS_SPENT] = spent
    for cell in range(layout.CELLS):
        code = s[at + layout.VILLAGE + cell]
        if code < 0 or cell == positions.acting_cell(s, seat) or s[layout.GIVEN_CELLS] >> cell & 1:
            continue
        card, exhausted = code >> 1, code & 1
        if item == layout.VILLAGER_ITEM + exhausted:
            price = estimation.leaving_price(m, card + exhausted * c[layout.CARDS])
            count = _give(out, count, values, item, price, layout.CELL, cell)
        elif not exhausted and _pays_item(c, item, card):
            price = estimation.exhausting_price(m, c, card)
            count = _give(out, count, values, item, price, layout.CELL, cell)
    hidden = s[at + layout.UNKNOWN_COUNT] > 0
    for card in range(c[layout.DECK]):
        known = s[at + layout.HAND + card] > 0
        possible = known or (hidden and s[at + layout.HAND + 2 * c[layout.DECK] + card] > 0)
        if possible and (item == layout.CARD_ITEM or _pays_item(c, item, card)):
            price = estimation.discarding_price(m, c, card if known else layout.UNKNOWN)
            count = _give(out, count, values, item, price, layout.CARD, card)
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_penalty_answers(s, c, m, limit, out):
    """List the cheapest answers to the next item of a penalty or cost.

    Args:
        limit: most answers.
        out: int16[answers, action size], out; more rows than any seat has things to give.

    Returns:
        The number of answers in ``out``.
    """
    seat, item = s[positions.next_task(s) + 1], 0
    while s[layout.ITEMS + item] == 0:
        item += 1
    values = np.empty(len(out))
    count = _list_gifts(s, c, m, seat, item, out, values)
    action = -1 - s[positions.next_task(s) + 2]
    if action >= 0:
        kept = 0
        for place in range(count):
            after = s.copy()
            penalties.answer_penalty(after, c, seat, -1 - action, out[place])
            if prices.leaves_effect(after, c, action):
                positions.copy_vector(out[place], out[kept])
                values[kept], kept = values[place], kept + 1
        return listing.keep_best(out, kept, values, limit)
    for cell in range(layout.CELLS):
        card = positions.face_up(s, positions.seat_at(c, seat), cell)
        if card < 0 or cell == positions.acting_cell(s, seat):
            continue
        if not c[positions.villager_at(c, card) + layout.V_SETTLES]:
            continue
        pays = _pays_item(c, item, card)
        for other in range(item, layout.ITEM_KINDS if pays else item + 1):
            if s[layout.ITEMS + other] > 0:
                values[count] = -estimation.exhausting_price(m, c, card)
                count = listing.new_action(out, count, layout.DO_SETTLE)
                out[count - 1, layout.ITEM], out[count - 1, layout.CELL] = item, cell
                if other != item:
                    out[count - 1, layout.SETTLES] = other
    values[count] = -max(estimation.MIN_PRICE, m[estimation.W_OMEN])
    count = listing.new_choice(out, count, layout.DO_SUFFER, layout.ITEM, item)
    return listing.keep_best(out, count, values, limit)


# Bids (C6) ------------------------------------------------------------------------------------


@kernel(f"int64({ACTIONS}, int64, {OFFER}, int64)")
def add_bid(out, count, offer, units):
    """Append the bid of the first units of an offer, unless it is there already."""
    listing.new_choice(out, count, layout.DO_BID, layout.HAS_PAYMENT, 1)
    place = 0
    while units > 0:
        source = offer.sources[offer.order[place]]
        used = min(units, source[prices.KNOWN])
        prices.add_unit(out[count, layout.PAYMENT :], source, used)
        units -= used
        place += 1
    return count + (not listing.contains(out, 0, count, out[count]))


@kernel(f"int64({OFFER}, float64)")
def _units_for(offer, bells):
    """Return how many units of an offer in order show enough bells; 0 if all are too few."""
    total = units = 0
    for place in range(offer.number):
        source = offer.sources[offer.order[place]]
        for _ in range(source[prices.KNOWN]):
            if units >= MOST_BIDS:
                return 0
            units += 1
            total += source[prices.SHOWS]
            if total >= bells:
                return units
    return 0


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_own_bids(s, c, m, limit, out):
    """List bids of the active player that just reach the others' likely bids, and the smallest.

    In a solo game, they just bring each number of scrolls.  Skipping is listed as the last one if
    all bells are in the hand (C5).
    """
    offer = prices.offer_for_bid(s, c, m, s[layout.TURN])
    units = bells = public = 0
    for place in range(offer.number):
        source = offer.sources[place]
        units += source[prices.KNOWN]
        public += source[prices.KNOWN] if source[prices.PART] != prices.OF_HAND else 0
        bells += source[prices.KNOWN] * source[prices.SHOWS]
    units = min(units, MOST_BIDS)
    if units == 0:
        return listing.new_action(out, 0, layout.DO_SKIP)
    count, players = 0, s[layout.N]
    sizes = np.zeros(bells // payments.BELLS_PER_SOLO_SCROLL if players == 1 else players - 1)
    for step in range(1, len(sizes) + 1):
        if players == 1:
            sizes[step - 1] = step * payments.BELLS_PER_SOLO_SCROLL
        else:
            sizes[step - 1] = prices.expected_bells(s, c, (s[layout.TURN] + step) % players)
    sizes.sort()
    for place in range(len(sizes) - 1, -1, -1):
        enough = _units_for(offer, sizes[place])
        if enough:
            count = add_bid(out, count, offer, enough)
    count = add_bid(out, count, offer, 1)
    if players > 1:
        count = min(add_bid(out, count, offer, units), max(2, limit + 1))
    return count if public else listing.new_action(out, count, layout.DO_SKIP)


@kernel(f"float64({VECTOR}, {CATALOGUE}, int64, int64, {VECTOR})")
def _hidden_bells(s, c, seat, missing, bid):
    """Return the probability that unknown hand cards show enough bells; add such cards to a bid."""
    at = positions.seat_at(c, seat)
    hidden = min(s[at + layout.UNKNOWN_COUNT], MOST_HIDDEN)
    missing = min(missing, MOST_BELLS)
    ways = np.zeros((MOST_HIDDEN + 1, MOST_BELLS + 1))
    ways[0, 0] = 1.0
    for card in range(c[layout.DECK]):
        bells = payments.shown_by(c, card, layout.BELL)
        for _ in range(s[at + layout.HAND + 2 * c[layout.DECK] + card]):
            for number in range(hidden - 1, -1, -1):
                for total in range(missing, -1, -1):
                    more = min(missing, total + bells)
                    ways[number + 1, more] += ways[number, total]
    every = 0.0
    for total in range(missing + 1):
        every += ways[hidden, total]
    left = missing
    for wanted in range(MOST_SHOWN, 0, -1):
        for card in range(c[layout.DECK]):
            if payments.shown_by(c, card, layout.BELL) != wanted:
                continue
            copies = s[at + layout.HAND + 2 * c[layout.DECK] + card]
            while copies > 0 and left > 0 and hidden > 0:
                bid[layout.PAID_CARDS + card] += 1
                copies -= 1
                hidden -= 1
                left -= wanted
    if left > 0:
        return 0.0
    return ways[min(s[at + layout.UNKNOWN_COUNT], MOST_HIDDEN), missing] / every


@kernel(f"float64({VECTOR}, {SEARCH})")
def answer_bid(s, search):
    """Fill in the bid of another player that is just enough, and no bid.

    Returns:
        The probability of the first one; it is 0 if that bid is too expensive or impossible.
    """
    c, out = search.cards, search.actions
    m = search.models[estimation.phase(s, search.models)]
    seat = (s[layout.TURN] + s[layout.BID_COUNT]) % s[layout.N]
    offer = prices.offer_for_bid(s, c, m, seat)
    size = payments.bell_count(s, c, s[layout.TURN], payments.bid_at(s, c, 0))
    scroll = max(estimation.MIN_PRICE, m[estimation.PLAIN])
    gain = (2.0 if s[layout.N] == 2 else 1.0) * (1.0 + DENIED_SCROLL) * scroll
    for place in range(2):
        listing.new_choice(out, place, layout.DO_BID, layout.HAS_PAYMENT, 1)
    bells = units = 0
    price = 0.0
    for place in range(offer.number):
        source = offer.sources[offer.order[place]]
        for _ in range(source[prices.KNOWN]):
            if units < MOST_BIDS and bells <= size:
                units += 1
                bells += source[prices.SHOWS]
                price += offer.prices[offer.order[place]]
                prices.add_unit(out[0, layout.PAYMENT :], source, 1)
    if price > gain:
        return 0.0
    if bells > size:
        return 1.0
    if not s[positions.seat_at(c, seat) + layout.UNKNOWN_COUNT]:
        return 0.0
    return _hidden_bells(s, c, seat, size + 1 - bells, out[0, layout.PAYMENT :])

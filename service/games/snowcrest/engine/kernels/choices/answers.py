"""Bids and answers to penalties by price."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices.estimation import (
    MIN_PRICE,
    MODEL,
    PLAIN,
    W_OMEN,
    building_price,
    discarding_price,
    exhausting_price,
    leaving_price,
    spending_price,
    token_price,
)
from service.games.snowcrest.engine.kernels.choices.listing import ACTIONS, keep_best, new_action
from service.games.snowcrest.engine.kernels.choices.prices import (
    KNOWN,
    MOST_SOURCES,
    OF_HAND,
    PART,
    SHOWS,
    SOURCE_SIZE,
    add_unit,
    bid_sources,
)
from service.games.snowcrest.engine.kernels.rules import layout
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR
from service.games.snowcrest.engine.kernels.rules.payments import (
    BELLS_PER_SOLO_SCROLL,
    bell_count,
    bid_at,
)
from service.games.snowcrest.engine.kernels.rules.penalties import spent_buildings
from service.games.snowcrest.engine.kernels.rules.positions import seat_at, villager_at

MOST_BIDS = 24
MOST_HIDDEN = 12
"""Largest number of unknown hand cards considered for a bid."""
MOST_BELLS = 40
DENIED_SCROLL = 0.3
"""Value to the others, in scrolls, of one scroll less for the active player."""


# Penalties (C7, C15) --------------------------------------------------------------------------


@kernel(f"boolean({CATALOGUE}, int64, int64)")
def _pays_item(c, item, row):
    """Whether the icons at an offset pay a resource item."""
    if item != layout.ANY_ITEM:
        return c[row + item] > 0 or c[row + layout.GOLD] > 0
    total = 0
    for resource in range(layout.RESOURCES):
        total += c[row + resource]
    return total > 0


@kernel(f"int64({ACTIONS}, int64, {MODEL}, int64, float64)")
def _give(out, count, values, item, price):
    """Append a gift for an item with its price; return the number of actions."""
    values[count] = -price
    count = new_action(out, count, layout.DO_GIVE)
    out[count - 1, layout.ITEM] = item
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, int64, {ACTIONS}, {MODEL})")
def _list_resources(s, c, m, seat, item, out, values):
    """List what a seat can give for a resource item, with prices."""
    at, count = seat_at(c, seat), 0
    acting = s[layout.ACTING] if seat == s[layout.TURN] else -1
    for resource in range(layout.RESOURCES):
        if (s[at + layout.TOKENS + resource] and item in (resource, layout.ANY_ITEM)) or (
            resource == layout.GOLD and s[at + layout.TOKENS + layout.GOLD] > 0
        ):
            count = _give(out, count, values, item, token_price(m, resource))
            out[count - 1, layout.RESOURCE] = resource
    for kind in range(layout.BUILDINGS):
        if s[at + layout.UP + kind] and item in (kind, layout.ANY_ITEM):
            count = _give(out, count, values, item, spending_price(m, kind))
            out[count - 1, layout.BUILDING] = kind
    for cell in range(layout.CELLS):
        code = s[at + layout.VILLAGE + cell]
        if code < 0 or code & 1 or cell == acting:
            continue
        if _pays_item(c, item, villager_at(c, code >> 1) + layout.V_ICONS):
            count = _give(out, count, values, item, exhausting_price(m, c, code >> 1))
            out[count - 1, layout.CELL] = cell
    hidden = s[at + layout.UNKNOWN_COUNT] > 0
    for card in range(c[layout.DECK]):
        known = s[at + layout.HAND + card] > 0
        possible = known or (hidden and s[at + layout.HAND + 2 * c[layout.DECK] + card] > 0)
        if possible and _pays_item(c, item, villager_at(c, card) + layout.V_ICONS):
            price = discarding_price(m, c, card if known else layout.UNKNOWN)
            count = _give(out, count, values, item, price)
            out[count - 1, layout.CARD] = card
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, int64, {ACTIONS}, {MODEL})")
def _list_others(s, c, m, seat, item, out, values):
    """List what a seat can give for an item that is no resource, with prices."""
    at, count = seat_at(c, seat), 0
    acting = s[layout.ACTING] if seat == s[layout.TURN] else -1
    running = s[layout.STACK + (s[layout.TASKS] - 1) * layout.TASK_SIZE + 3]
    if item == layout.CARD_ITEM:
        hidden = s[at + layout.UNKNOWN_COUNT] > 0
        for card in range(c[layout.DECK]):
            known = s[at + layout.HAND + card] > 0
            if known or (hidden and s[at + layout.HAND + 2 * c[layout.DECK] + card] > 0):
                price = discarding_price(m, c, card if known else layout.UNKNOWN)
                count = _give(out, count, values, item, price)
                out[count - 1, layout.CARD] = card
    elif item == layout.VILLAGER_ITEM:
        for cell in range(layout.CELLS):
            code = s[at + layout.VILLAGE + cell]
            if code >= 0 and not code & 1 and cell != acting:
                count = _give(out, count, values, item, leaving_price(m, code >> 1))
                out[count - 1, layout.CELL] = cell
    else:
        for kind in range(layout.BUILDINGS):
            if item not in (layout.BUILDING_ITEM, layout.FARM_ITEM + kind):
                continue
            for spent in range(2):
                number = s[at + (layout.SPENT if spent else layout.UP) + kind]
                if number > (spent_buildings(running, kind) if spent else 0):
                    count = _give(out, count, values, item, building_price(m, kind, spent > 0))
                    out[count - 1, layout.BUILDING], out[count - 1, layout.IS_SPENT] = kind, spent
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_penalty_answers(s, c, m, limit, out):
    """List the cheapest answers to the next item of a penalty.

    Args:
        limit: most answers.
        out: int16[answers, action size], out; more rows than any seat has things to give.

    Returns:
        The number of answers in ``out``.
    """
    seat, item = s[layout.STACK + (s[layout.TASKS] - 1) * layout.TASK_SIZE + 1], 0
    while s[layout.ITEMS + item] == 0:
        item += 1
    values = np.empty(len(out))
    if item <= layout.ANY_ITEM:
        count = _list_resources(s, c, m, seat, item, out, values)
    else:
        count = _list_others(s, c, m, seat, item, out, values)
    at = seat_at(c, seat)
    acting = s[layout.ACTING] if seat == s[layout.TURN] else -1
    for cell in range(layout.CELLS):
        code = s[at + layout.VILLAGE + cell]
        if code < 0 or code & 1 or cell == acting:
            continue
        row = villager_at(c, code >> 1)
        if not c[row + layout.V_SETTLES]:
            continue
        pays = item <= layout.ANY_ITEM and _pays_item(c, item, row + layout.V_ICONS)
        for other in range(item, layout.ITEM_KINDS if pays else item + 1):
            if s[layout.ITEMS + other] > 0:
                values[count] = -exhausting_price(m, c, code >> 1)
                count = new_action(out, count, layout.DO_SETTLE)
                out[count - 1, layout.ITEM], out[count - 1, layout.CELL] = item, cell
                if other != item:
                    out[count - 1, layout.SETTLES] = other
    values[count] = -max(MIN_PRICE, m[W_OMEN])
    count = new_action(out, count, layout.DO_SUFFER)
    out[count - 1, layout.ITEM] = item
    return keep_best(out, count, values, limit)


# Bids (C6) ------------------------------------------------------------------------------------


@kernel(f"float64({VECTOR}, {CATALOGUE}, int64)")
def _expected_bells(s, c, seat):
    """Return the bells that a seat can bid, counting an unknown card as the mean unseen card."""
    at, mean = seat_at(c, seat), 0.0
    total = float(
        s[at + layout.TOKENS + layout.BELL]
        + s[at + layout.TOKENS + layout.GOLD]
        + s[at + layout.UP + layout.BELL]
    )
    for cell in range(layout.CELLS):
        code = s[at + layout.VILLAGE + cell]
        if code >= 0 and not code & 1:
            row = villager_at(c, code >> 1) + layout.V_ICONS
            total += c[row + layout.BELL] + c[row + layout.GOLD]
    for card in range(c[layout.DECK]):
        row = villager_at(c, card) + layout.V_ICONS
        bells = c[row + layout.BELL] + c[row + layout.GOLD]
        total += bells * s[at + layout.HAND + card]
        mean += bells * s[at + layout.HAND + 2 * c[layout.DECK] + card]
    return total + s[at + layout.UNKNOWN_COUNT] * mean / max(1, s[at + layout.UNSEEN_COUNT])


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def may_bid(s, c, seat):
    """Whether a seat may have a bell or gold."""
    return _expected_bells(s, c, seat) > 0.0


@kernel(f"int64({ACTIONS}, int64, int64[:, ::1], int64[::1], int64)")
def add_bid(out, count, sources, order, units):
    """Append the bid of the first units of the sources in order, unless it is there already."""
    count = new_action(out, count, layout.DO_BID)
    out[count - 1, layout.HAS_PAYMENT] = 1
    place = 0
    while units > 0:
        used = min(units, sources[order[place], KNOWN])
        add_unit(out[count - 1, layout.PAYMENT :], sources[order[place]], used)
        units -= used
        place += 1
    for before in range(count - 1):
        same = True
        for number in range(out.shape[1]):
            same &= out[before, number] == out[count - 1, number]
        if same:
            return count - 1
    return count


@kernel("int64(int64[:, ::1], int64[::1], int64, float64)")
def _units_for(sources, order, count, bells):
    """Return how many units of the sources in order show enough bells; 0 if all are too few."""
    total = units = 0
    for place in range(count):
        for _ in range(sources[order[place], KNOWN]):
            if units >= MOST_BIDS:
                return 0
            units += 1
            total += sources[order[place], SHOWS]
            if total >= bells:
                return units
    return 0


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_own_bids(s, c, m, limit, out):
    """List bids of the active player that just reach the others' likely bids, and the smallest.

    Skipping is listed as the last one if all bells are in the hand (C5).
    """
    sources = np.empty((MOST_SOURCES, SOURCE_SIZE), np.int64)
    prices, order = np.empty(MOST_SOURCES), np.empty(MOST_SOURCES, np.int64)
    number = bid_sources(s, c, m, s[layout.TURN], sources, prices, order)
    units = bells = count = public = 0
    for place in range(number):
        units += sources[place, KNOWN]
        public += sources[place, KNOWN] if sources[place, PART] != OF_HAND else 0
        bells += sources[place, KNOWN] * sources[place, SHOWS]
    units = min(units, MOST_BIDS)
    if units == 0:
        return new_action(out, 0, layout.DO_SKIP)
    if s[layout.N] == 1:
        scrolls = bells // BELLS_PER_SOLO_SCROLL
        while scrolls > 0:
            wanted = _units_for(sources, order, number, float(scrolls * BELLS_PER_SOLO_SCROLL))
            if wanted:
                count = add_bid(out, count, sources, order, wanted)
            scrolls -= 1
        count = add_bid(out, count, sources, order, 1)
        return count if public else new_action(out, count, layout.DO_SKIP)
    others = np.zeros(s[layout.N] - 1)
    for step in range(1, s[layout.N]):
        others[step - 1] = _expected_bells(s, c, (s[layout.TURN] + step) % s[layout.N])
    others.sort()
    for place in range(s[layout.N] - 2, -1, -1):
        enough = _units_for(sources, order, number, others[place])
        if enough:
            count = add_bid(out, count, sources, order, enough)
    count = add_bid(out, count, sources, order, 1)
    count = add_bid(out, count, sources, order, units)
    count = min(count, max(2, limit + 1))
    return count if public else new_action(out, count, layout.DO_SKIP)


@kernel(f"float64({VECTOR}, {CATALOGUE}, int64, int64, {VECTOR})")
def _hidden_bells(s, c, seat, missing, bid):
    """Return the probability that unknown hand cards show enough bells; add such cards to a bid."""
    at = seat_at(c, seat)
    hidden = min(s[at + layout.UNKNOWN_COUNT], MOST_HIDDEN)
    missing = min(missing, MOST_BELLS)
    ways = np.zeros((MOST_HIDDEN + 1, MOST_BELLS + 1))
    ways[0, 0] = 1.0
    for card in range(c[layout.DECK]):
        row = villager_at(c, card) + layout.V_ICONS
        bells = c[row + layout.BELL] + c[row + layout.GOLD]
        for _ in range(s[at + layout.HAND + 2 * c[layout.DECK] + card]):
            for number in range(hidden - 1, -1, -1):
                for total in range(missing, -1, -1):
                    more = min(missing, total + bells)
                    ways[number + 1, more] += ways[number, total]
    every = 0.0
    for total in range(missing + 1):
        every += ways[hidden, total]
    left = missing
    for wanted in range(24, 0, -1):
        for card in range(c[layout.DECK]):
            row = villager_at(c, card) + layout.V_ICONS
            if c[row + layout.BELL] + c[row + layout.GOLD] != wanted:
                continue
            copies = s[at + layout.HAND + 2 * c[layout.DECK] + card]
            while copies > 0 and left > 0 and hidden > 0:
                bid[layout.PAID_CARDS + card] += 1
                copies -= 1
                hidden -= 1
                left -= wanted
    return (
        ways[min(s[at + layout.UNKNOWN_COUNT], MOST_HIDDEN), missing] / every if left <= 0 else 0.0
    )


@kernel(f"float64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS})")
def answer_bid(s, c, m, out):
    """Fill in the bid of another player that is just enough, and no bid.

    Returns:
        The probability of the first one; it is 0 if that bid is too expensive or impossible.
    """
    seat = (s[layout.TURN] + s[layout.BID_COUNT]) % s[layout.N]
    sources = np.empty((MOST_SOURCES, SOURCE_SIZE), np.int64)
    prices, order = np.empty(MOST_SOURCES), np.empty(MOST_SOURCES, np.int64)
    number = bid_sources(s, c, m, seat, sources, prices, order)
    size = bell_count(s, c, s[layout.TURN], bid_at(s, c, 0))
    gain = (2.0 if s[layout.N] == 2 else 1.0) * (1.0 + DENIED_SCROLL) * max(MIN_PRICE, m[PLAIN])
    new_action(out, 0, layout.DO_BID)
    new_action(out, 1, layout.DO_BID)
    out[0, layout.HAS_PAYMENT] = out[1, layout.HAS_PAYMENT] = 1
    bells = units = 0
    price = 0.0
    for place in range(number):
        source = sources[order[place]]
        for _ in range(source[KNOWN]):
            if units < MOST_BIDS and bells <= size:
                units += 1
                bells += source[SHOWS]
                price += prices[order[place]]
                add_unit(out[0, layout.PAYMENT :], source, 1)
    if price > gain:
        return 0.0
    if bells > size:
        return 1.0
    if not s[seat_at(c, seat) + layout.UNKNOWN_COUNT]:
        return 0.0
    return _hidden_bells(s, c, seat, size + 1 - bells, out[0, layout.PAYMENT :])

"""The sources of payments and bids with their prices, and cheap payments."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices.estimation import (
    MODEL,
    discarding_price,
    exhausting_price,
    spending_price,
    token_price,
)
from service.games.snowcrest.engine.kernels.rules import layout
from service.games.snowcrest.engine.kernels.rules.effects import is_possible
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR
from service.games.snowcrest.engine.kernels.rules.payments import pay
from service.games.snowcrest.engine.kernels.rules.positions import copy_vector, seat_at, villager_at

SOURCES = "int64[:, ::1]"
MOST_SOURCES = layout.RESOURCES + layout.BUILDINGS + layout.CELLS + 64
"""Enough for the 60 different cards that a deck has at most."""
PART, KEY, KNOWN, MOST, SHOWS, ICONS = range(6)
"""Columns of a source: ``KNOWN`` units, and ``MOST`` with unknown hand cards; ``SHOWS`` counts the
wanted icons of a unit."""
SOURCE_SIZE = ICONS + layout.RESOURCES
OF_TOKENS, OF_BUILDINGS, OF_HAND, OF_CELLS = range(4)
"""Parts of a payment."""
ORDERS = 7
"""Orders in which payments use the sources."""
COST = "int64[::1]"
"""An amount of each resource, and at last a number of resources of any kind."""


@kernel(f"boolean(int64[::1], {COST})")
def covers(total, cost):
    """Whether an amount pays a cost, with gold in place of other resources."""
    gold, left = total[layout.GOLD] - cost[layout.GOLD], 0
    for resource in range(layout.GOLD):
        over = total[resource] - cost[resource]
        if over < 0:
            gold += over
        else:
            left += over
    return gold >= 0 and left + gold >= cost[layout.RESOURCES]


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64, int64[::1])")
def visible_resources(s, c, at, excluded, total):
    """Fill in the sum of the known sources of the seat at an offset, without a cell."""
    for resource in range(layout.RESOURCES):
        total[resource] = s[at + layout.TOKENS + resource]
    for kind in range(layout.BUILDINGS):
        total[kind] += s[at + layout.UP + kind]
    for cell in range(layout.CELLS):
        code = s[at + layout.VILLAGE + cell]
        if code >= 0 and not code & 1 and cell != excluded:
            row = villager_at(c, code >> 1) + layout.V_ICONS
            for resource in range(layout.RESOURCES):
                total[resource] += c[row + resource]
    for card in range(c[layout.DECK]):
        if s[at + layout.HAND + card]:
            row = villager_at(c, card) + layout.V_ICONS
            for resource in range(layout.RESOURCES):
                total[resource] += s[at + layout.HAND + card] * c[row + resource]


@kernel(f"int64({CATALOGUE}, {MODEL}, {SOURCES}, {MODEL}, int64, int64, int64, int64, int64)")
def _add_source(c, m, sources, prices, count, part, key, known, card):
    """Append a source whose icons and wanted icons are set; return the number of sources."""
    row = sources[count]
    if known == 0 or row[SHOWS] == 0:
        return count
    row[PART], row[KEY], row[KNOWN], row[MOST] = part, key, known, known
    if part == OF_TOKENS:
        prices[count] = token_price(m, key)
    elif part == OF_BUILDINGS:
        prices[count] = spending_price(m, key)
    elif part == OF_CELLS:
        prices[count] = exhausting_price(m, c, card)
    else:
        prices[count] = discarding_price(m, c, card)
    return count + 1


@kernel("void(int64[::1], int64[::1], int64[::1])")
def _show(row, icons, wanted):
    """Set the icons of a source, and how many of them are wanted."""
    row[SHOWS] = 0
    for resource in range(layout.RESOURCES):
        row[ICONS + resource] = icons[resource]
        row[SHOWS] += wanted[resource] * icons[resource]


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, int64, int64[::1], {SOURCES}, {MODEL})")
def priced_sources(s, c, m, seat, acting_cell, wanted, sources, prices):
    """Fill in the known sources of a seat that show a wanted resource; return their number.

    Args:
        acting_cell: cell of a villager who pays nothing, or -1.
        wanted: int64[RESOURCES], 1 for each wanted resource.
        sources: int64[MOST_SOURCES, SOURCE_SIZE].
        prices: float64[MOST_SOURCES], of one unit.
    """
    at, count = seat_at(c, seat), 0
    one = np.zeros(layout.RESOURCES, np.int64)
    for resource in range(layout.RESOURCES):
        one[:] = 0
        one[resource] = 1
        _show(sources[count], one, wanted)
        known = s[at + layout.TOKENS + resource]
        count = _add_source(c, m, sources, prices, count, OF_TOKENS, resource, known, 0)
    for kind in range(layout.BUILDINGS):
        one[:] = 0
        one[kind] = 1
        _show(sources[count], one, wanted)
        known = s[at + layout.UP + kind]
        count = _add_source(c, m, sources, prices, count, OF_BUILDINGS, kind, known, 0)
    for cell in range(layout.CELLS):
        code = s[at + layout.VILLAGE + cell]
        if code < 0 or code & 1 or cell == acting_cell:
            continue
        row = villager_at(c, code >> 1) + layout.V_ICONS
        _show(sources[count], c[row : row + layout.RESOURCES], wanted)
        count = _add_source(c, m, sources, prices, count, OF_CELLS, cell, 1, code >> 1)
    for card in range(c[layout.DECK]):
        known = s[at + layout.HAND + card]
        if known > 0:
            row = villager_at(c, card) + layout.V_ICONS
            _show(sources[count], c[row : row + layout.RESOURCES], wanted)
            count = _add_source(c, m, sources, prices, count, OF_HAND, card, known, card)
    return count


@kernel("int64(int64[::1], int64)")
def _rank(source, order):
    """Return what sorts the sources in an order before their price."""
    part = source[PART]
    if order == 1:
        return int(part >= OF_HAND)
    if order == 2:
        return int(part != OF_HAND)
    if order == 3:
        return int(part != OF_CELLS)
    if order == 4:
        return int(part == OF_BUILDINGS)
    if order == 5:
        return int(part == OF_TOKENS)
    return -source[SHOWS] if order == 6 else 0


@kernel(f"void({SOURCES}, {MODEL}, int64, int64, int64[::1])")
def sort_sources(sources, prices, count, order, out):
    """Fill in the places of the sources in an order, the cheapest per wanted icon first."""
    for place in range(count):
        rank = _rank(sources[place], order)
        price = prices[place] if order == 6 else prices[place] / sources[place, SHOWS]
        to = place
        while to > 0:
            other = out[to - 1]
            other_rank = _rank(sources[other], order)
            each = prices[other] if order == 6 else prices[other] / sources[other, SHOWS]
            if other_rank < rank or (other_rank == rank and each <= price):
                break
            out[to] = other
            to -= 1
        out[to] = place


@kernel("boolean(int64[::1], int64[::1], int64[::1])")
def _helps(total, source, cost):
    """Whether one more unit of a source pays part of what is missing."""
    if cost[layout.RESOURCES] or source[ICONS + layout.GOLD]:
        return True
    for resource in range(layout.RESOURCES):
        if source[ICONS + resource] and total[resource] < cost[resource]:
            return True
    return False


@kernel(f"void({VECTOR}, int64[::1], int64)")
def add_unit(payment, source, units):
    """Add units of a source to a payment."""
    if source[PART] == OF_TOKENS:
        payment[source[KEY]] += units
    elif source[PART] == OF_BUILDINGS:
        payment[layout.PAID_BUILDINGS + source[KEY]] += units
    elif source[PART] == OF_CELLS:
        payment[layout.PAID_CELLS] |= (1 << source[KEY]) if units else 0
    else:
        payment[layout.PAID_CARDS + source[KEY]] += units


@kernel("void(int64[::1], int64[::1], int64)")
def _add_icons(total, source, units):
    """Add the icons of units of a source to a total."""
    for resource in range(layout.RESOURCES):
        total[resource] += units * source[ICONS + resource]


@kernel(
    f"boolean({SOURCES}, {MODEL}, int64, int64[::1], {COST}, int64[::1], int64[::1], int64[::1],"
    f" {VECTOR})"
)
def _fill(sources, prices, count, order, cost, used, done, total, payment):
    """See :func:`fill`; ``used``, ``done`` and ``total`` are zeroed buffers."""
    payment[:] = 0
    for item in range(count):
        source = sources[order[item]]
        while (
            used[item] < source[KNOWN] and not covers(total, cost) and _helps(total, source, cost)
        ):
            used[item] += 1
            _add_icons(total, source, 1)
    if not covers(total, cost):
        return False
    for _ in range(count):
        # The dearest of those that have not had their turn; the first of equal ones.
        item = -1
        for each in range(count):
            if not done[each] and (item < 0 or prices[order[each]] > prices[order[item]]):
                item = each
        done[item] = 1
        source = sources[order[item]]
        while used[item]:
            _add_icons(total, source, -1)
            if not covers(total, cost):
                _add_icons(total, source, 1)
                break
            used[item] -= 1
    for item in range(count):
        add_unit(payment, sources[order[item]], used[item])
    return True


@kernel(f"boolean({SOURCES}, {MODEL}, int64, int64[::1], {COST}, {VECTOR})")
def fill(sources, prices, count, order, cost, payment):
    """Fill in the payment that uses sources in order, without superfluous ones.

    Returns:
        Whether the sources pay the cost.
    """
    used, done = np.zeros(count, np.int64), np.zeros(count, np.int64)
    total = np.zeros(layout.RESOURCES, np.int64)
    return _fill(sources, prices, count, order, cost, used, done, total, payment)


# What a payment is for ------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {CATALOGUE}, {COST})")
def cost_of_task(s, c, cost):
    """Fill in the cost of the next task."""
    top = layout.STACK + (s[layout.TASKS] - 1) * layout.TASK_SIZE
    cost[:] = 0
    if s[top + 1] == layout.FOR_CARD:
        cost[0] = s[top + 2]
    elif s[top + 1] == layout.FOR_ACTION:
        row = c[layout.ACTION_TABLE] + s[top + 2] * layout.ACTION_ROW
        for resource in range(layout.RESOURCES + 1):
            cost[resource] = c[row + layout.A_COST + resource]
    else:
        row = c[layout.EFFECT_TABLE] + s[top + 2] * layout.EFFECT_ROW
        cost[c[row + layout.E_WHAT]] = c[row + layout.E_COUNT]


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {COST}, {SOURCES}, {MODEL})")
def payment_sources(s, c, m, cost, sources, prices):
    """Fill in the cost of the next task, and the known sources that help to pay it.

    Args:
        cost, sources, prices: out; see ``priced_sources``.

    Returns:
        The number of sources.
    """
    cost_of_task(s, c, cost)
    wanted = np.zeros(layout.RESOURCES, np.int64)
    for resource in range(layout.RESOURCES):
        wanted[resource] = cost[resource] > 0 or cost[layout.RESOURCES] > 0
    wanted[layout.GOLD] = 1
    return priced_sources(s, c, m, s[layout.TURN], s[layout.ACTING], wanted, sources, prices)


@kernel(f"boolean({VECTOR}, {CATALOGUE})")
def may_have_bell(s, c):
    """Whether the active player may have a source for a bid (C5)."""
    at = seat_at(c, s[layout.TURN])
    if (
        s[at + layout.TOKENS + layout.BELL]
        or s[at + layout.TOKENS + layout.GOLD]
        or s[at + layout.UP + layout.BELL]
    ):
        return True
    for cell in range(layout.CELLS):
        code = s[at + layout.VILLAGE + cell]
        if code >= 0 and not code & 1 and cell != s[layout.ACTING]:
            row = villager_at(c, code >> 1) + layout.V_ICONS
            if c[row + layout.BELL] or c[row + layout.GOLD]:
                return True
    for card in range(c[layout.DECK]):
        hidden = (
            s[at + layout.UNKNOWN_COUNT] and s[at + layout.HAND + 2 * c[layout.DECK] + card] > 0
        )
        if s[at + layout.HAND + card] or hidden:
            row = villager_at(c, card) + layout.V_ICONS
            if c[row + layout.BELL] or c[row + layout.GOLD]:
                return True
    return False


@kernel(f"boolean({VECTOR}, {CATALOGUE}, {VECTOR}, {VECTOR})")
def enables(s, c, payment, after):
    """Whether the player can carry out an effect after a payment for it (C5).

    Args:
        after: a position, overwritten.
    """
    top = layout.STACK + (s[layout.TASKS] - 1) * layout.TASK_SIZE
    if s[top + 1] != layout.FOR_ACTION:
        return True
    row = c[layout.ACTION_TABLE] + s[top + 2] * layout.ACTION_ROW
    paid = False
    for number in range(c[row + layout.A_EFFECT_COUNT]):
        effect = c[row + layout.A_EFFECTS] + number
        kind = c[c[layout.EFFECT_TABLE] + effect * layout.EFFECT_ROW]
        if kind == layout.RECRUIT:
            if s[layout.ROW_COUNT] > 0:
                return True
        elif not is_possible(s, c, effect):
            continue
        elif kind not in (layout.MEDITATE, layout.PER_BUILDING, layout.REDRAW):
            return True
        if not paid:
            copy_vector(s, after)
            pay(after, c, s[layout.TURN], payment)
            paid = True
        if may_have_bell(after, c) if kind == layout.MEDITATE else is_possible(after, c, effect):
            return True
    return False


# Bids -----------------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, int64[::1], {SOURCES}, {MODEL}, int64)")
def add_unknown_cards(s, c, m, seat, wanted, sources, prices, count):
    """Let the known sources include the unknown hand cards of a seat; return their number."""
    at, first = seat_at(c, seat), count
    for card in range(c[layout.DECK]):
        unseen = min(s[at + layout.UNKNOWN_COUNT], s[at + layout.HAND + 2 * c[layout.DECK] + card])
        if unseen <= 0:
            continue
        place = first
        for each in range(first):
            if sources[each, PART] == OF_HAND and sources[each, KEY] == card:
                place = each
        if place < first:
            sources[place, MOST] += unseen
            continue
        row = villager_at(c, card) + layout.V_ICONS
        _show(sources[count], c[row : row + layout.RESOURCES], wanted)
        before = count
        count = _add_source(c, m, sources, prices, count, OF_HAND, card, unseen, card)
        if count > before:
            sources[before, KNOWN] = 0
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {SOURCES}, {MODEL}, int64[::1])")
def bid_sources(s, c, m, seat, sources, prices, order):
    """Fill in the known sources of bids, cheapest first; return their number."""
    wanted = np.zeros(layout.RESOURCES, np.int64)
    wanted[layout.BELL] = wanted[layout.GOLD] = 1
    acting = s[layout.ACTING] if seat == s[layout.TURN] else -1
    count = priced_sources(s, c, m, seat, acting, wanted, sources, prices)
    sort_sources(sources, prices, count, 0, order)
    return count

"""The sources of payments and bids with their prices, and cheap payments."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from service.compiling import kernel, record
from service.games.snowcrest.engine.kernels.choices import estimation, features
from service.games.snowcrest.engine.kernels.choices.estimation import MODEL
from service.games.snowcrest.engine.kernels.rules import (
    effects,
    layout,
    payments,
    penalties,
    positions,
)
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

SOURCES = "int64[:, ::1]"
MOST_SOURCES = layout.RESOURCES + layout.BUILDINGS + layout.CELLS + 64
"""Enough for the 60 different cards that a deck has at most."""
PART, KEY, KNOWN, MOST, SHOWS, ICONS = range(6)
"""Columns of a source: ``KNOWN`` units, and ``MOST`` with unknown hand cards; ``SHOWS`` counts the
wanted icons of a unit."""
OF_TOKENS, OF_BUILDINGS, OF_HAND, OF_CELLS = range(4)
"""Parts of a payment."""
ORDERS, BUILDINGS_LAST = 7, 4
"""Orders in which payments use the sources, and one of them."""
COST = "int64[::1]"
"""An amount of each resource, and at last a number of resources of any kind."""


class Offer(NamedTuple):
    """What may be paid with.

    Attributes:
        sources: int64[MOST_SOURCES, columns], see :data:`PART`.
        prices: float64[MOST_SOURCES], of one unit.
        order: int64[MOST_SOURCES], places of the sources in the order of their use.
        number: of the sources.
    """

    sources: Any
    prices: Any
    order: Any
    number: Any


OFFER = record(Offer, sources=SOURCES, prices=MODEL, order="int64[::1]", number="int64")


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


@kernel(f"int64({CATALOGUE}, {MODEL}, {OFFER}, int64, int64, int64, int64, int64, int64)")
def _add_source(c, m, offer, count, part, key, known, card, wanted):
    """Append a source unless it shows nothing that is wanted; return the number of sources.

    Args:
        card: of a villager or a hand card; others show the resource ``key``.
        wanted: resources, as a set.
    """
    source, icons = offer.sources[count], positions.villager_at(c, card) + layout.V_ICONS
    source[PART], source[KEY], source[KNOWN], source[MOST] = part, key, known, known
    source[SHOWS] = 0
    for resource in range(layout.ICON_KINDS):
        shown = c[icons + resource] if part >= OF_HAND else resource == key
        source[ICONS + resource] = shown
        source[SHOWS] += shown if wanted >> resource & 1 else 0
    if known == 0 or source[SHOWS] == 0:
        return count
    if part == OF_TOKENS:
        offer.prices[count] = estimation.token_price(m, key)
    elif part == OF_BUILDINGS:
        offer.prices[count] = estimation.spending_price(m, key)
    elif part == OF_CELLS:
        offer.prices[count] = estimation.exhausting_price(m, c, card)
    else:
        offer.prices[count] = estimation.discarding_price(m, c, card)
    return count + 1


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {OFFER}, int64, int64)")
def _add_known(s, c, m, offer, seat, wanted):
    """Fill in the known sources of a seat that show a wanted resource; return their number."""
    at, count = positions.seat_at(c, seat), 0
    for resource in range(layout.RESOURCES):
        known = s[at + layout.TOKENS + resource]
        count = _add_source(c, m, offer, count, OF_TOKENS, resource, known, 0, wanted)
    for kind in range(layout.BUILDINGS):
        known = s[at + layout.UP + kind]
        count = _add_source(c, m, offer, count, OF_BUILDINGS, kind, known, 0, wanted)
    for cell in range(layout.CELLS):
        card = positions.face_up(s, at, cell)
        if card >= 0 and cell != positions.acting_cell(s, seat):
            count = _add_source(c, m, offer, count, OF_CELLS, cell, 1, card, wanted)
    for card in range(c[layout.DECK]):
        known = s[at + layout.HAND + card]
        if known > 0:
            count = _add_source(c, m, offer, count, OF_HAND, card, known, card, wanted)
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {OFFER}, int64, int64, int64)")
def _add_unknown(s, c, m, offer, seat, wanted, count):
    """Let the known sources include the unknown hand cards of a seat; return their number."""
    at, sources, first = positions.seat_at(c, seat), offer.sources, count
    for card in range(c[layout.DECK]):
        unseen = min(s[at + layout.UNKNOWN_COUNT], s[at + layout.HAND + 2 * c[layout.DECK] + card])
        if unseen <= 0:
            continue
        place = 0
        while place < first and (sources[place, PART] != OF_HAND or sources[place, KEY] != card):
            place += 1
        if place < first:
            sources[place, MOST] += unseen
            continue
        before = count
        count = _add_source(c, m, offer, count, OF_HAND, card, unseen, card, wanted)
        if count > before:
            sources[before, KNOWN] = 0
    return count


@kernel("int64(int64[::1], int64)")
def _rank(source, kind):
    """Return what sorts the sources in an order of a kind before their price."""
    part = source[PART]
    if kind == 1:
        return int(part >= OF_HAND)
    if kind == 2:
        return int(part != OF_HAND)
    if kind == 3:
        return int(part != OF_CELLS)
    if kind == BUILDINGS_LAST:
        return int(part == OF_BUILDINGS)
    if kind == 5:
        return int(part == OF_TOKENS)
    return -source[SHOWS] if kind == 6 else 0


@kernel(f"void({OFFER}, int64)")
def sort_sources(offer, kind):
    """Fill in the order of a kind, the cheapest source per wanted icon first."""
    sources, prices, order = offer.sources, offer.prices, offer.order
    for place in range(offer.number):
        rank = _rank(sources[place], kind)
        price = prices[place] if kind == 6 else prices[place] / sources[place, SHOWS]
        to = place
        while to > 0:
            other = order[to - 1]
            other_rank = _rank(sources[other], kind)
            each = prices[other] if kind == 6 else prices[other] / sources[other, SHOWS]
            if other_rank < rank or (other_rank == rank and each <= price):
                break
            order[to] = other
            to -= 1
        order[to] = place


@kernel(f"{OFFER}({VECTOR}, {CATALOGUE}, {MODEL}, int64, {COST}, int64, boolean)")
def offer_for(s, c, m, seat, cost, kind, unknown):
    """Return the sources of a seat that help to pay a cost, in an order of a kind.

    Args:
        unknown: whether the unknown hand cards are among them.
    """
    sources = np.empty((MOST_SOURCES, ICONS + layout.ICON_KINDS), np.int64)
    prices, order = np.empty(MOST_SOURCES), np.empty(MOST_SOURCES, np.int64)
    empty, wanted = Offer(sources, prices, order, 0), 1 << layout.GOLD
    for resource in range(layout.RESOURCES):
        wanted |= (cost[resource] > 0 or cost[layout.RESOURCES] > 0) << resource
    number = _add_known(s, c, m, empty, seat, wanted)
    if unknown:
        number = _add_unknown(s, c, m, empty, seat, wanted, number)
    offer = Offer(sources, prices, order, number)
    sort_sources(offer, kind)
    return offer


@kernel(f"{OFFER}({VECTOR}, {CATALOGUE}, {MODEL}, int64)")
def offer_for_bid(s, c, m, seat):
    """Return the known sources of bids, cheapest first."""
    cost = np.zeros(layout.RESOURCES + 1, np.int64)
    cost[layout.BELL] = 1
    return offer_for(s, c, m, seat, cost, 0, False)


# Payments -------------------------------------------------------------------------------------


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


@kernel(f"float64({OFFER}, {COST}, int64[::1], int64[::1], int64[::1], {VECTOR})")
def _fill(offer, cost, used, done, total, payment):
    """See :func:`fill`; ``used``, ``done`` and ``total`` are zeroed buffers."""
    sources, prices, order, price = offer.sources, offer.prices, offer.order, 0.0
    payment[:] = 0
    for item in range(offer.number):
        source = sources[order[item]]
        while (
            used[item] < source[KNOWN] and not covers(total, cost) and _helps(total, source, cost)
        ):
            used[item] += 1
            _add_icons(total, source, 1)
    if not covers(total, cost):
        return -1.0
    for _ in range(offer.number):
        # The dearest of those that have not had their turn; the first of equal ones.
        item = -1
        for each in range(offer.number):
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
    for item in range(offer.number):
        add_unit(payment, sources[order[item]], used[item])
        price += used[item] * prices[order[item]]
    return price


@kernel(f"float64({OFFER}, {COST}, {VECTOR})")
def fill(offer, cost, payment):
    """Fill in the payment that uses sources in their order, without superfluous ones.

    Returns:
        Its price; -1 if the sources do not pay the cost.
    """
    used, done = np.zeros(offer.number, np.int64), np.zeros(offer.number, np.int64)
    return _fill(offer, cost, used, done, np.zeros(layout.RESOURCES, np.int64), payment)


# What a payment is for ------------------------------------------------------------------------


@kernel(f"{COST}({VECTOR}, {CATALOGUE})")
def cost_of_task(s, c):
    """Return the cost of the next task."""
    top, cost = positions.next_task(s), np.zeros(layout.RESOURCES + 1, np.int64)
    if s[top + 1] == layout.FOR_CARD:
        cost[0] = s[top + 2]
    elif s[top + 1] == layout.FOR_ACTION:
        row = positions.action_at(c, s[top + 2]) + layout.A_COST
        for resource in range(layout.RESOURCES + 1):
            cost[resource] = c[row + resource]
    else:
        row = positions.effect_at(c, s[top + 2])
        cost[c[row + layout.E_WHAT]] = c[row + layout.E_COUNT]
    return cost


@kernel(f"float64({VECTOR}, {CATALOGUE}, int64)")
def expected_bells(s, c, seat):
    """Return the bells that a seat can bid, counting an unknown card as the mean unseen card."""
    at, known = positions.seat_at(c, seat), np.empty(layout.RESOURCES)
    features.fill_known(s, c, at, positions.acting_cell(s, seat), known)
    unseen = positions.shown_by_unseen(s, c, at, layout.BELL)
    unseen += positions.shown_by_unseen(s, c, at, layout.GOLD)
    hidden = s[at + layout.UNKNOWN_COUNT] * unseen / max(1, s[at + layout.UNSEEN_COUNT])
    return known[layout.BELL] + known[layout.GOLD] + hidden


@kernel(f"boolean({VECTOR}, int64, int64, int64)")
def _can_give(s, at, cards, kind):
    """Whether ``ITEMS`` of a cost can be given without some cards and a building, or -1."""
    left = -s[layout.ITEMS + layout.BUILDING_ITEM]
    for of in range(layout.BUILDINGS):
        own = s[at + layout.UP + of] + s[at + layout.SPENT + of] - s[layout.GIVEN + of]
        own -= s[layout.ITEMS + layout.FARM_ITEM + of] + (of == kind)
        if own < 0:
            return False
        left += own
    return left >= 0 and s[at + layout.HAND_COUNT] - cards >= s[layout.ITEMS + layout.CARD_ITEM]


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def _may_bid(s, c, at):
    """Whether the active player, whose seat is at an offset, may keep a bell to bid (C5)."""
    bells = int(s[at + layout.TOKENS + layout.BELL]) + s[at + layout.TOKENS + layout.GOLD]
    for cell in range(layout.CELLS):
        card = positions.face_up(s, at, cell)
        if card >= 0 and cell != s[layout.ACTING]:
            bells += payments.shown_by(c, card, layout.BELL)
    if bells > 0 and _can_give(s, at, 0, -1):
        return True
    if s[at + layout.UP + layout.BELL] and _can_give(s, at, 0, layout.BELL):
        return True
    for card in range(c[layout.DECK]):
        unseen = s[at + layout.UNKNOWN_COUNT] and s[at + layout.HAND + 2 * c[layout.DECK] + card]
        if (s[at + layout.HAND + card] or unseen) and payments.shown_by(c, card, layout.BELL):
            return _can_give(s, at, 1, -1)
    return False


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def _is_left(s, c, effect):
    """Whether an effect is possible after ``ITEMS`` of its cost are given in some way."""
    at, row = positions.seat_at(c, s[layout.TURN]), positions.effect_at(c, effect)
    kind, of = c[row + layout.E_TYPE], c[row + layout.E_BUILDING]
    if kind == layout.MEDITATE:
        return _may_bid(s, c, at)
    if not effects.is_possible(s, c, effect):
        return False
    if kind in (layout.REDRAW, layout.DISCARD):
        return _can_give(s, at, 1, -1)
    if kind not in (layout.PER_BUILDING, layout.TURN_UP):
        return _can_give(s, at, 0, -1)
    for each in range(layout.BUILDINGS):
        kept = each if kind == layout.PER_BUILDING or s[layout.GIVEN + each] == 0 else -1
        some = s[at + (layout.SPENT if kind == layout.TURN_UP else layout.UP) + each] > 0
        if some and (kind == layout.TURN_UP or of in (each, -1)) and _can_give(s, at, 0, kept):
            return True
    return False


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def leaves_effect(s, c, action):
    """Whether an effect of an action is possible after ``ITEMS`` of its cost are given."""
    row = positions.action_at(c, action)
    first = c[row + layout.A_EFFECTS]
    for effect in range(first, first + c[row + layout.A_EFFECT_COUNT]):
        if _is_left(s, c, effect):
            return True
    return False


@kernel(f"boolean({VECTOR}, {CATALOGUE}, {VECTOR}, {VECTOR})")
def enables(s, c, payment, after):
    """Whether the player can carry out an effect after a payment for it (C5).

    Args:
        after: a position, overwritten.
    """
    top = positions.next_task(s)
    if s[top + 1] != layout.FOR_ACTION:
        return True
    action, row = s[top + 2], positions.action_at(c, s[top + 2])
    positions.copy_vector(s, after)
    payments.pay(after, c, s[layout.TURN], payment)
    penalties.begin_items(after, c, action, payment)
    for number in range(c[row + layout.A_EFFECT_COUNT]):
        effect = c[row + layout.A_EFFECTS] + number
        if effects.is_possible(s, c, effect) and _is_left(after, c, effect):
            return True
    return False

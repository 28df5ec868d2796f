"""Promising choices of turns and effects."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from service.compiling import kernel, record
from service.games.snowcrest.engine.kernels.choices import estimation, features, prices
from service.games.snowcrest.engine.kernels.choices.endings import DEALS
from service.games.snowcrest.engine.kernels.choices.estimation import MIN_PRICE, MODEL, MODELS
from service.games.snowcrest.engine.kernels.rules import effects, layout, payments, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

ACTIONS = "int16[:, ::1]"
MOST_ACTIONS = 200


class Search(NamedTuple):
    """What a search works with.

    Attributes:
        cards: the packed catalogue.
        models: the weights, see ``estimation.py``.
        memos: the last value of each seat, see ``estimation.shares``.
        deals: of unknown hands, see ``endings.deal``.
        orders: int64[2, cards], guardians and forest cards in the order of a sample.
        actions: int16[rows, action size], overwritten with choices.
        scratch: a position, overwritten.
    """

    cards: Any
    models: Any
    memos: Any
    deals: Any
    orders: Any
    actions: Any
    scratch: Any


SEARCH = record(
    Search, cards=CATALOGUE, models=MODELS, memos=MODELS, deals=DEALS, orders="int64[:, ::1]",
    actions=ACTIONS, scratch=VECTOR,
)  # fmt: skip


@kernel(f"int64({ACTIONS}, int64, int64)")
def new_action(out, count, kind):
    """Append an action of a type; return the number of actions."""
    out[count] = 0
    out[count, : layout.HAS_PAYMENT] = -1
    out[count, layout.TYPE] = kind
    return count + 1


@kernel(f"int64({ACTIONS}, int64, int64, int64, int64)")
def new_choice(out, count, kind, field, value):
    """Append an action of a type with one field; return the number of actions."""
    count = new_action(out, count, kind)
    out[count - 1, field] = value
    return count


@kernel(f"boolean({ACTIONS}, int64, int64, {VECTOR})")
def contains(rows, first, end, wanted):
    """Whether a row from ``first`` on, before ``end``, is equal to a vector."""
    for each in range(first, end):
        place = 0
        while place < len(wanted) and rows[each, place] == wanted[place]:
            place += 1
        if place == len(wanted):
            return True
    return False


@kernel(f"void({ACTIONS}, int64, {ACTIONS})")
def copy_actions(actions, count, out):
    """Copy the first actions of a list."""
    for place in range(count):
        positions.copy_vector(actions[place], out[place])


@kernel(f"int64({ACTIONS}, int64, {MODEL}, int64)")
def keep_best(out, count, values, limit):
    """Keep the actions of the largest values, best first, in place; return their number."""
    for place in range(1, count):
        value, to = values[place], place
        while to > 0 and values[to - 1] < value:
            values[to] = values[to - 1]
            for part in range(out.shape[1]):
                out[to, part], out[to - 1, part] = out[to - 1, part], out[to, part]
            to -= 1
        values[to] = value
    return min(count, limit)


# Turns ----------------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS}, int64, int64, int64, int64)")
def _list_play(s, c, m, out, count, card, exhausted, barley):
    """Append the play of a card into the best cell by what it leaves free; return the number.

    Args:
        exhausted: see ``positions.exhausted_cells``.
        barley: that known sources pay, with gold. Neither the card nor the villager in the cell
            pays for the play (C4).
    """
    at, free_price = positions.seat_at(c, s[layout.TURN]), max(MIN_PRICE, m[estimation.W_FREE])
    best, best_value = -1, -1e300
    missing = c[positions.villager_at(c, card) + layout.V_COST] - barley
    if card < c[layout.DECK]:
        missing += payments.shown_by(c, card, layout.BARLEY)
    for cell in range(layout.CELLS):
        code, left_out = s[at + layout.VILLAGE + cell], 0
        if code >= 0:
            kind = c[positions.villager_at(c, code >> 1) + layout.V_KIND]
            if code & 1 or (s[layout.STARTER_VARIANT] and kind == 0):
                continue
            left_out = payments.shown_by(c, code >> 1, layout.BARLEY)
        value = free_price * features.FREE[exhausted | 1 << cell]
        if code >= 0:
            value -= estimation.leaving_price(m, code >> 1)
        if missing + left_out <= 0 and value > best_value:
            best, best_value = cell, value
    if best >= 0:
        count = new_choice(out, count, layout.DO_PLAY, layout.CELL, best)
        out[count - 1, layout.CARD] = card
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS})")
def list_turns(s, c, m, out):
    """List the choices of a turn for a player whose hand is known, with the best cells (C3)."""
    at, count = positions.seat_at(c, s[layout.TURN]), 0
    exhausted = positions.exhausted_cells(s, at)
    known = np.empty(layout.RESOURCES)
    features.fill_known(s, c, at, -1, known)
    barley = int(known[layout.BARLEY] + known[layout.GOLD])
    if positions.full_lines(exhausted):
        return new_action(out, count, layout.DO_REST)
    for cell in range(layout.CELLS):
        if positions.face_up(s, at, cell) >= 0:
            count = new_choice(out, count, layout.DO_ACTIVATE, layout.CELL, cell)
    for card in range(c[layout.DECK]):
        if s[at + layout.HAND + card]:
            count = _list_play(s, c, m, out, count, card, exhausted, barley)
    for place in range(s[layout.ROW_COUNT]):
        if positions.is_first_in_row(s, place):
            count = _list_play(s, c, m, out, count, s[layout.ROW + place], exhausted, barley)
    return count if count else new_action(out, count, layout.DO_PASS)


# Effects --------------------------------------------------------------------------------------


@kernel(f"int64({ACTIONS}, int64, int64, int64)")
def _add_build(out, count, new, back):
    """Append a building that replaces the one of a code, twice its kind plus 1 if spent, or -1."""
    count = new_choice(out, count, layout.DO_BUILD, layout.BUILDING, new)
    if back >= 0:
        out[count - 1, layout.RETURNED], out[count - 1, layout.RETURNED_SPENT] = back // 2, back % 2
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, boolean, {ACTIONS})")
def list_builds(s, c, m, kind, every, out):
    """List each kind of building with the cheapest building to return for it, or with every one.

    Args:
        kind: to build, or -1 for any.
    """
    at, count = positions.seat_at(c, s[layout.TURN]), 0
    full = positions.building_count(s, at) >= positions.SLOTS
    for new in range(layout.BUILDINGS):
        if kind >= 0 and new != kind:
            continue
        left = positions.available_buildings(s, c, new) > 0
        if not full:
            if left:
                count = _add_build(out, count, new, -1)
            continue
        best, least = -1, 1e300
        for back in range(2 * layout.BUILDINGS):
            owned = s[at + (layout.SPENT if back % 2 else layout.UP) + back // 2] > 0
            if not owned or not (left or back // 2 == new):
                continue
            if every:
                count = _add_build(out, count, new, back)
                continue
            price = estimation.building_price(m, back // 2, back % 2 > 0)
            if price < least:
                best, least = back, price
        if best >= 0:
            count = _add_build(out, count, new, best)
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64, {ACTIONS})")
def list_trades(s, c, row, out):
    """List the possible trades of an effect at an offset, then declining."""
    at, count = positions.seat_at(c, s[layout.TURN]), 0
    known, total = np.empty(layout.RESOURCES), np.zeros(layout.RESOURCES, np.int64)
    cost = np.zeros(layout.RESOURCES + 1, np.int64)
    features.fill_known(s, c, at, s[layout.ACTING], known)
    for resource in range(layout.RESOURCES):
        total[resource] = int(known[resource])
    sides = range(c[row + layout.E_SETS], c[row + layout.E_SETS] + c[row + layout.E_SET_COUNT])
    for give in sides:
        given = positions.effect_at(c, give)
        what = c[given + layout.E_WHAT]
        if what == layout.SCROLL:
            if s[at + layout.SCROLLS] < c[given + layout.E_COUNT]:
                continue
        else:
            cost[:] = 0
            cost[what] = c[given + layout.E_COUNT]
            if not prices.covers(total, cost):
                continue
        for get in sides:
            if get != give:
                count = new_choice(out, count, layout.DO_TRADE, layout.GIVE, what)
                out[count - 1, layout.GET] = c[positions.effect_at(c, get) + layout.E_WHAT]
    return new_action(out, count, layout.DO_DECLINE)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS})")
def list_redraws(s, c, m, out):
    """List three sets of cards: none, those worth less than the mean draw, and all known ones."""
    at, held = positions.seat_at(c, s[layout.TURN]), estimation.FACE_UP + 2 * c[layout.CARDS]
    mean = 0.0
    for card in range(c[layout.DECK]):
        mean += m[held + card] * s[at + layout.HAND + 2 * c[layout.DECK] + card]
    mean /= max(1, s[at + layout.UNSEEN_COUNT])
    known = poor = 0
    for card in range(c[layout.DECK]):
        known += s[at + layout.HAND + card]
        poor += s[at + layout.HAND + card] * (m[held + card] < mean)
    count = new_action(out, 0, layout.DO_REDRAW)
    for everything in range(2):
        if (everything and known == poor) or (not everything and poor == 0):
            continue
        count = new_action(out, count, layout.DO_REDRAW)
        for card in range(c[layout.DECK]):
            copies = s[at + layout.HAND + card] if everything or m[held + card] < mean else 0
            out[count - 1, layout.PAYMENT + layout.PAID_CARDS + card] = copies
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_returns(s, c, m, limit, out):
    """List the most valuable cards to take back, and declining."""
    at, count = positions.seat_at(c, s[layout.TURN]), 0
    values = np.zeros(c[layout.DECK] + 1)
    for card in range(c[layout.DECK]):
        if s[at + layout.HAND + c[layout.DECK] + card]:
            values[count] = m[estimation.FACE_UP + 2 * c[layout.CARDS] + card]
            count = new_choice(out, count, layout.DO_TAKE_BACK, layout.CARD, card)
    count = new_action(out, count, layout.DO_DECLINE)
    return keep_best(out, count, values, limit)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_discards(s, c, m, limit, out):
    """List skipping and the cheapest known hand cards to discard."""
    hand, values = positions.seat_at(c, s[layout.TURN]) + layout.HAND, np.zeros(c[layout.DECK] + 1)
    count = new_action(out, 0, layout.DO_SKIP)
    for card in range(c[layout.DECK]):
        if s[hand + card]:
            values[count] = -estimation.discarding_price(m, c, card)
            count = new_choice(out, count, layout.DO_DISCARD, layout.CARD, card)
    return keep_best(out, count, values, limit)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_copies(s, c, m, limit, out):
    """List the most valuable villagers to copy."""
    values, count = np.zeros(4 * layout.CELLS), 0
    if s[layout.N] == 1:
        for place in range(s[layout.ROW_COUNT]):
            card = s[layout.ROW + place]
            if effects.is_copyable(c, card) and positions.is_first_in_row(s, place):
                values[count] = m[estimation.FACE_UP + card]
                count = new_choice(out, count, layout.DO_COPY, layout.CARD, card)
    for step in range(1, s[layout.N]):
        seat = (s[layout.TURN] + step) % s[layout.N]
        for cell in range(layout.CELLS):
            card = positions.face_up(s, positions.seat_at(c, seat), cell)
            if effects.is_copyable(c, card):
                values[count] = m[estimation.FACE_UP + card]
                count = new_action(out, count, layout.DO_COPY)
                out[count - 1, layout.OWNER], out[count - 1, layout.CELL] = seat, cell
    return keep_best(out, count, values, limit)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, boolean, int64, {ACTIONS})")
def list_turned(s, c, m, wake, limit, out):
    """List the most valuable villagers to turn face up, or else the cheapest ones to exhaust."""
    at, count = positions.seat_at(c, s[layout.TURN]), 0
    values = np.zeros(layout.CELLS)
    for cell in range(layout.CELLS):
        if effects.is_turnable(s, at, cell, wake):
            price = estimation.exhausting_price(m, c, s[at + layout.VILLAGE + cell] >> 1)
            values[count] = price if wake else -price
            kind = layout.DO_WAKE if wake else layout.DO_EXHAUST
            count = new_choice(out, count, kind, layout.CELL, cell)
    return keep_best(out, count, values, limit)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_recruits(s, c, m, limit, out):
    """List the most valuable known cards to recruit; an unknown one if no other is left."""
    at, count = positions.seat_at(c, s[layout.TURN]), 0
    values = np.zeros(c[layout.CARDS])
    for unknown in range(2):
        if count:
            break
        for card in range(c[layout.DECK]):
            if s[at + layout.HAND + card + (2 * c[layout.DECK] if unknown else 0)]:
                count = new_choice(out, count, layout.DO_RECRUIT, layout.CARD, card)
        for place in range(s[layout.ROW_COUNT]):
            if positions.is_first_in_row(s, place):
                count = new_choice(
                    out, count, layout.DO_RECRUIT, layout.CARD, s[layout.ROW + place]
                )
    for place in range(count):
        face_up = estimation.FACE_UP + out[place, layout.CARD]
        values[place] = m[face_up] + m[face_up + c[layout.CARDS]]
    return keep_best(out, count, values, limit)

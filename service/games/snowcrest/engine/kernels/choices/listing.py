"""Promising choices of turns and effects, equivalent to ``engine/choices/candidates.py``."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices.estimation import (
    FACE_UP,
    MIN_PRICE,
    MODEL,
    W_FREE,
    building_price,
    leaving_price,
)
from service.games.snowcrest.engine.kernels.choices.features import FREE
from service.games.snowcrest.engine.kernels.choices.prices import covers, visible_resources
from service.games.snowcrest.engine.kernels.rules.layout import (
    ACTING,
    BARLEY,
    BUILDING,
    BUILDINGS,
    CARD,
    CARDS,
    CATALOGUE,
    CELL,
    CELLS,
    DECK,
    DO_ACTIVATE,
    DO_BUILD,
    DO_COPY,
    DO_DECLINE,
    DO_PASS,
    DO_PLAY,
    DO_RECRUIT,
    DO_REDRAW,
    DO_REST,
    DO_TAKE_BACK,
    DO_TRADE,
    E_COUNT,
    E_SET_COUNT,
    E_SETS,
    E_WHAT,
    EFFECT_ROW,
    EFFECT_TABLE,
    GET,
    GIVE,
    GOLD,
    HAND,
    HAS_PAYMENT,
    OWNER,
    PAID_CARDS,
    PAYMENT,
    RESOURCES,
    RETURNED,
    RETURNED_SPENT,
    ROW,
    ROW_COUNT,
    SCROLL,
    SCROLLS,
    SPENT,
    STARTER_VARIANT,
    TOKENS,
    TURN,
    TYPE,
    UNSEEN_COUNT,
    UP,
    V_COPYABLE,
    V_COST,
    V_ICONS,
    V_KIND,
    VECTOR,
    VILLAGE,
    N,
)
from service.games.snowcrest.engine.kernels.rules.positions import (
    SLOTS,
    available_buildings,
    building_count,
    copy_vector,
    exhausted_cells,
    full_lines,
    seat_at,
    villager_at,
)

ACTIONS = "int16[:, ::1]"
MOST_ACTIONS = 200


@kernel(f"int64({ACTIONS}, int64, int64)")
def new_action(out, count, kind):
    """Append an action of a type; return the number of actions."""
    out[count] = 0
    out[count, :HAS_PAYMENT] = -1
    out[count, TYPE] = kind
    return count + 1


@kernel(f"void({ACTIONS}, int64, {ACTIONS})")
def copy_actions(actions, count, out):
    """Copy the first actions of a list."""
    for place in range(count):
        copy_vector(actions[place], out[place])


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


@kernel(f"int64({CATALOGUE}, int64)")
def _barley_of(c, card):
    """Return the barley that a card pays, with gold."""
    icons = villager_at(c, card) + V_ICONS
    return c[icons + BARLEY] + c[icons + GOLD]


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def _visible_barley(s, c, at):
    """Return the barley that the known sources of the seat at an offset pay, with gold."""
    total = s[at + TOKENS + BARLEY] + s[at + TOKENS + GOLD] + s[at + UP + BARLEY]
    for cell in range(CELLS):
        code = s[at + VILLAGE + cell]
        if code >= 0 and not code & 1:
            total += _barley_of(c, code >> 1)
    for card in range(c[DECK]):
        if s[at + HAND + card]:
            total += s[at + HAND + card] * _barley_of(c, card)
    return total


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS}, int64, int64, int64, int64)")
def _list_plays(s, c, m, out, count, card, exhausted, barley):
    """Append the plays of a card into at most two cells, the best first; return the number.

    Args:
        exhausted: see ``positions.exhausted_cells``.
        barley: see :func:`_visible_barley`. Neither the card itself nor the villager in the cell
            pays for the play (C4).
    """
    at = seat_at(c, s[TURN])
    best, second, best_value, second_value = -1, -1, 0.0, 0.0
    missing = c[villager_at(c, card) + V_COST] - barley
    if card < c[DECK]:
        missing += _barley_of(c, card)
    for cell in range(CELLS):
        code, left_out = s[at + VILLAGE + cell], 0
        if code >= 0:
            kind = c[villager_at(c, code >> 1) + V_KIND]
            if code & 1 or (s[STARTER_VARIANT] and kind == 0):
                continue
            left_out = _barley_of(c, code >> 1)
        if missing + left_out > 0:
            continue
        value = max(MIN_PRICE, m[W_FREE]) * FREE[exhausted | 1 << cell]
        if code >= 0:
            value -= leaving_price(m, code >> 1)
        if best < 0 or value > best_value:
            second, second_value, best, best_value = best, best_value, cell, value
        elif second < 0 or value > second_value:
            second, second_value = cell, value
    for cell in (best, second):
        if cell >= 0:
            count = new_action(out, count, DO_PLAY)
            out[count - 1, CARD], out[count - 1, CELL] = card, cell
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS})")
def list_turns(s, c, m, out):
    """List the choices of a turn for a player whose hand is known, with the best cells (C3)."""
    at, count = seat_at(c, s[TURN]), 0
    exhausted, barley = exhausted_cells(s, at), _visible_barley(s, c, at)
    if full_lines(exhausted):
        return new_action(out, count, DO_REST)
    for cell in range(CELLS):
        code = s[at + VILLAGE + cell]
        if code >= 0 and not code & 1:
            count = new_action(out, count, DO_ACTIVATE)
            out[count - 1, CELL] = cell
    for card in range(c[DECK]):
        if s[at + HAND + card]:
            count = _list_plays(s, c, m, out, count, card, exhausted, barley)
    for place in range(s[ROW_COUNT]):
        first = True
        for before in range(place):
            first &= s[ROW + before] != s[ROW + place]
        if first:
            count = _list_plays(s, c, m, out, count, s[ROW + place], exhausted, barley)
    return count if count else new_action(out, count, DO_PASS)


# Effects --------------------------------------------------------------------------------------


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_builds(s, c, m, kind, out):
    """List each kind of building with the cheapest building to return for it."""
    at, count = seat_at(c, s[TURN]), 0
    full = building_count(s, at) >= SLOTS
    for new in range(BUILDINGS):
        if kind >= 0 and new != kind:
            continue
        left = available_buildings(s, c, new) > 0
        if not full:
            if left:
                count = new_action(out, count, DO_BUILD)
                out[count - 1, BUILDING] = new
            continue
        best, least = -1, 1e300
        for back in range(BUILDINGS):
            for spent in range(2):
                owned = s[at + (SPENT if spent else UP) + back] > 0
                if owned and (left or back == new):
                    price = building_price(m, back, spent > 0)
                    if price < least:
                        best, least = 2 * back + spent, price
        if best >= 0:
            count = new_action(out, count, DO_BUILD)
            out[count - 1, BUILDING] = new
            out[count - 1, RETURNED], out[count - 1, RETURNED_SPENT] = best // 2, best % 2
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64, {ACTIONS})")
def list_trades(s, c, row, out):
    """List the possible trades of an effect at an offset, then declining."""
    at, count = seat_at(c, s[TURN]), 0
    total = np.zeros(RESOURCES, np.int64)
    cost = np.zeros(RESOURCES + 1, np.int64)
    visible_resources(s, c, at, s[ACTING], total)
    sides = range(c[row + E_SETS], c[row + E_SETS] + c[row + E_SET_COUNT])
    for give in sides:
        given = c[EFFECT_TABLE] + give * EFFECT_ROW
        what = c[given + E_WHAT]
        if what == SCROLL:
            if s[at + SCROLLS] < c[given + E_COUNT]:
                continue
        else:
            cost[:] = 0
            cost[what] = c[given + E_COUNT]
            if not covers(total, cost):
                continue
        for get in sides:
            if get != give:
                count = new_action(out, count, DO_TRADE)
                out[count - 1, GIVE] = what
                out[count - 1, GET] = c[c[EFFECT_TABLE] + get * EFFECT_ROW + E_WHAT]
    return new_action(out, count, DO_DECLINE)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS})")
def list_redraws(s, c, m, out):
    """List three sets of cards: none, those worth less than the mean draw, and all known ones."""
    at, held = seat_at(c, s[TURN]), FACE_UP + 2 * c[CARDS]
    mean = 0.0
    for card in range(c[DECK]):
        mean += m[held + card] * s[at + HAND + 2 * c[DECK] + card]
    mean /= max(1, s[at + UNSEEN_COUNT])
    known = poor = 0
    for card in range(c[DECK]):
        known += s[at + HAND + card]
        poor += s[at + HAND + card] * (m[held + card] < mean)
    count = new_action(out, 0, DO_REDRAW)
    for everything in range(2):
        if (everything and known == poor) or (not everything and poor == 0):
            continue
        count = new_action(out, count, DO_REDRAW)
        for card in range(c[DECK]):
            if everything or m[held + card] < mean:
                out[count - 1, PAYMENT + PAID_CARDS + card] = s[at + HAND + card]
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_returns(s, c, m, limit, out):
    """List the most valuable cards to take back, and declining."""
    at, count = seat_at(c, s[TURN]), 0
    values = np.zeros(c[DECK] + 1)
    for card in range(c[DECK]):
        if s[at + HAND + c[DECK] + card]:
            values[count] = m[FACE_UP + 2 * c[CARDS] + card]
            count = new_action(out, count, DO_TAKE_BACK)
            out[count - 1, CARD] = card
    count = new_action(out, count, DO_DECLINE)
    return keep_best(out, count, values, limit)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_copies(s, c, m, limit, out):
    """List the most valuable villagers to copy."""
    values, count = np.zeros(4 * CELLS), 0
    if s[N] == 1:
        for place in range(s[ROW_COUNT]):
            card = s[ROW + place]
            if c[villager_at(c, card) + V_COPYABLE]:
                seen = False
                for before in range(place):
                    seen |= s[ROW + before] == card
                if not seen:
                    values[count] = m[FACE_UP + card]
                    count = new_action(out, count, DO_COPY)
                    out[count - 1, CARD] = card
    for step in range(1, s[N]):
        seat = (s[TURN] + step) % s[N]
        at = seat_at(c, seat) + VILLAGE
        for cell in range(CELLS):
            code = s[at + cell]
            if code >= 0 and not code & 1 and c[villager_at(c, code >> 1) + V_COPYABLE]:
                values[count] = m[FACE_UP + (code >> 1)]
                count = new_action(out, count, DO_COPY)
                out[count - 1, OWNER], out[count - 1, CELL] = seat, cell
    return keep_best(out, count, values, limit)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_recruits(s, c, m, limit, out):
    """List the most valuable known cards to recruit; an unknown one if no other is left."""
    at, count = seat_at(c, s[TURN]), 0
    values = np.zeros(c[CARDS])
    for unknown in range(2):
        if count:
            break
        for card in range(c[DECK]):
            if s[at + HAND + card + (2 * c[DECK] if unknown else 0)]:
                values[count] = m[FACE_UP + card] + m[FACE_UP + c[CARDS] + card]
                count = new_action(out, count, DO_RECRUIT)
                out[count - 1, CARD] = card
        for place in range(s[ROW_COUNT]):
            card, seen = s[ROW + place], False
            for before in range(place):
                seen |= s[ROW + before] == card
            if not seen:
                values[count] = m[FACE_UP + card] + m[FACE_UP + c[CARDS] + card]
                count = new_action(out, count, DO_RECRUIT)
                out[count - 1, CARD] = card
    return keep_best(out, count, values, limit)

"""Promising choices of turns and effects."""

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
from service.games.snowcrest.engine.kernels.rules import layout
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR
from service.games.snowcrest.engine.kernels.rules.positions import (
    SLOTS,
    available_buildings,
    building_count,
    copy_vector,
    effect_at,
    exhausted_cells,
    face_up,
    full_lines,
    is_first_in_row,
    seat_at,
    shown_by_known,
    villager_at,
)

ACTIONS = "int16[:, ::1]"
MOST_ACTIONS = 200


@kernel(f"int64({ACTIONS}, int64, int64)")
def new_action(out, count, kind):
    """Append an action of a type; return the number of actions."""
    out[count] = 0
    out[count, : layout.HAS_PAYMENT] = -1
    out[count, layout.TYPE] = kind
    return count + 1


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
    icons = villager_at(c, card) + layout.V_ICONS
    return c[icons + layout.BARLEY] + c[icons + layout.GOLD]


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS}, int64, int64, int64, int64)")
def _list_plays(s, c, m, out, count, card, exhausted, barley):
    """Append the plays of a card into at most two cells, the best first; return the number.

    Args:
        exhausted: see ``positions.exhausted_cells``.
        barley: that known sources pay, with gold. Neither the card nor the villager in the cell
            pays for the play (C4).
    """
    at = seat_at(c, s[layout.TURN])
    best, second, best_value, second_value = -1, -1, 0.0, 0.0
    missing = c[villager_at(c, card) + layout.V_COST] - barley
    if card < c[layout.DECK]:
        missing += _barley_of(c, card)
    for cell in range(layout.CELLS):
        code, left_out = s[at + layout.VILLAGE + cell], 0
        if code >= 0:
            kind = c[villager_at(c, code >> 1) + layout.V_KIND]
            if code & 1 or (s[layout.STARTER_VARIANT] and kind == 0):
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
            count = new_action(out, count, layout.DO_PLAY)
            out[count - 1, layout.CARD], out[count - 1, layout.CELL] = card, cell
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS})")
def list_turns(s, c, m, out):
    """List the choices of a turn for a player whose hand is known, with the best cells (C3)."""
    at, count = seat_at(c, s[layout.TURN]), 0
    exhausted, barley = exhausted_cells(s, at), shown_by_known(s, c, at, layout.BARLEY, -1)
    barley += shown_by_known(s, c, at, layout.GOLD, -1)
    if full_lines(exhausted):
        return new_action(out, count, layout.DO_REST)
    for cell in range(layout.CELLS):
        if face_up(s, at, cell) >= 0:
            count = new_action(out, count, layout.DO_ACTIVATE)
            out[count - 1, layout.CELL] = cell
    for card in range(c[layout.DECK]):
        if s[at + layout.HAND + card]:
            count = _list_plays(s, c, m, out, count, card, exhausted, barley)
    for place in range(s[layout.ROW_COUNT]):
        if is_first_in_row(s, place):
            count = _list_plays(s, c, m, out, count, s[layout.ROW + place], exhausted, barley)
    return count if count else new_action(out, count, layout.DO_PASS)


# Effects --------------------------------------------------------------------------------------


@kernel(f"int64({ACTIONS}, int64, int64, int64)")
def _add_build(out, count, new, back):
    """Append a building that replaces the one of a code, twice its kind plus 1 if spent, or -1."""
    count = new_action(out, count, layout.DO_BUILD)
    out[count - 1, layout.BUILDING] = new
    if back >= 0:
        out[count - 1, layout.RETURNED], out[count - 1, layout.RETURNED_SPENT] = back // 2, back % 2
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, boolean, {ACTIONS})")
def list_builds(s, c, m, kind, every, out):
    """List each kind of building with the cheapest building to return for it, or with every one.

    Args:
        kind: to build, or -1 for any.
    """
    at, count = seat_at(c, s[layout.TURN]), 0
    full = building_count(s, at) >= SLOTS
    for new in range(layout.BUILDINGS):
        if kind >= 0 and new != kind:
            continue
        left = available_buildings(s, c, new) > 0
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
            price = building_price(m, back // 2, back % 2 > 0)
            if price < least:
                best, least = back, price
        if best >= 0:
            count = _add_build(out, count, new, best)
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64, {ACTIONS})")
def list_trades(s, c, row, out):
    """List the possible trades of an effect at an offset, then declining."""
    at, count = seat_at(c, s[layout.TURN]), 0
    total = np.zeros(layout.RESOURCES, np.int64)
    cost = np.zeros(layout.RESOURCES + 1, np.int64)
    visible_resources(s, c, at, s[layout.ACTING], total)
    sides = range(c[row + layout.E_SETS], c[row + layout.E_SETS] + c[row + layout.E_SET_COUNT])
    for give in sides:
        given = effect_at(c, give)
        what = c[given + layout.E_WHAT]
        if what == layout.SCROLL:
            if s[at + layout.SCROLLS] < c[given + layout.E_COUNT]:
                continue
        else:
            cost[:] = 0
            cost[what] = c[given + layout.E_COUNT]
            if not covers(total, cost):
                continue
        for get in sides:
            if get != give:
                count = new_action(out, count, layout.DO_TRADE)
                out[count - 1, layout.GIVE] = what
                out[count - 1, layout.GET] = c[effect_at(c, get) + layout.E_WHAT]
    return new_action(out, count, layout.DO_DECLINE)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, {ACTIONS})")
def list_redraws(s, c, m, out):
    """List three sets of cards: none, those worth less than the mean draw, and all known ones."""
    at, held = seat_at(c, s[layout.TURN]), FACE_UP + 2 * c[layout.CARDS]
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
            if everything or m[held + card] < mean:
                out[count - 1, layout.PAYMENT + layout.PAID_CARDS + card] = s[
                    at + layout.HAND + card
                ]
    return count


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_returns(s, c, m, limit, out):
    """List the most valuable cards to take back, and declining."""
    at, count = seat_at(c, s[layout.TURN]), 0
    values = np.zeros(c[layout.DECK] + 1)
    for card in range(c[layout.DECK]):
        if s[at + layout.HAND + c[layout.DECK] + card]:
            values[count] = m[FACE_UP + 2 * c[layout.CARDS] + card]
            count = new_action(out, count, layout.DO_TAKE_BACK)
            out[count - 1, layout.CARD] = card
    count = new_action(out, count, layout.DO_DECLINE)
    return keep_best(out, count, values, limit)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_copies(s, c, m, limit, out):
    """List the most valuable villagers to copy."""
    values, count = np.zeros(4 * layout.CELLS), 0
    if s[layout.N] == 1:
        for place in range(s[layout.ROW_COUNT]):
            card = s[layout.ROW + place]
            if c[villager_at(c, card) + layout.V_COPYABLE] and is_first_in_row(s, place):
                values[count] = m[FACE_UP + card]
                count = new_action(out, count, layout.DO_COPY)
                out[count - 1, layout.CARD] = card
    for step in range(1, s[layout.N]):
        seat = (s[layout.TURN] + step) % s[layout.N]
        for cell in range(layout.CELLS):
            card = face_up(s, seat_at(c, seat), cell)
            if card >= 0 and c[villager_at(c, card) + layout.V_COPYABLE]:
                values[count] = m[FACE_UP + card]
                count = new_action(out, count, layout.DO_COPY)
                out[count - 1, layout.OWNER], out[count - 1, layout.CELL] = seat, cell
    return keep_best(out, count, values, limit)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {MODEL}, int64, {ACTIONS})")
def list_recruits(s, c, m, limit, out):
    """List the most valuable known cards to recruit; an unknown one if no other is left."""
    at, count = seat_at(c, s[layout.TURN]), 0
    values = np.zeros(c[layout.CARDS])
    for unknown in range(2):
        if count:
            break
        for card in range(c[layout.DECK]):
            if s[at + layout.HAND + card + (2 * c[layout.DECK] if unknown else 0)]:
                values[count] = m[FACE_UP + card] + m[FACE_UP + c[layout.CARDS] + card]
                count = new_action(out, count, layout.DO_RECRUIT)
                out[count - 1, layout.CARD] = card
        for place in range(s[layout.ROW_COUNT]):
            card = s[layout.ROW + place]
            if is_first_in_row(s, place):
                values[count] = m[FACE_UP + card] + m[FACE_UP + c[layout.CARDS] + card]
                count = new_action(out, count, layout.DO_RECRUIT)
                out[count - 1, layout.CARD] = card
    return keep_best(out, count, values, limit)

"""Guardians and forest cards: penalties and rewards (C7, C8, C15)."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.rules import layout, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, boolean)")
def reveal(s, c, card, forest):
    """Reveal a guardian or forest card and queue its steps (C7, C8)."""
    if positions.take_known(s, c, layout.FOREST_PILE if forest else layout.GUARDIAN_PILE):
        s[positions.unseen_at(c, card)] += 1
    row = positions.spirit_at(c, card)
    juniper = c[row + layout.S_REWARD + layout.JUNIPER_TOKEN]
    if forest and juniper:
        positions.push(s, layout.RECEIVE, layout.JUNIPER_TOKEN, juniper, 0)
    positions.push(s, layout.RETURN_SPIRIT, card, forest, 0)
    for what in range(layout.GAIN_KINDS - 1, -1, -1):
        count = c[row + layout.S_REWARD + what]
        if count and not (forest and what == layout.JUNIPER_TOKEN):
            positions.push(s, layout.RECEIVE, what, count, 0)
    for step in range(s[layout.N] - 1, -1, -1):
        omen = layout.S_OTHERS_OMEN if step else layout.S_OWN_OMEN
        seat = (s[layout.TURN] + step) % s[layout.N]
        positions.push(s, layout.PENALTY, seat, card, 0)
        positions.push(s, layout.TAKE_OMEN, seat, c[row + omen], 0)


@kernel(f"void({VECTOR}, int64[::1])")
def _pay_items(s, icons):
    """Remove the resource items that icons pay together, as many as possible."""
    for item in range(layout.RESOURCES):
        while s[layout.ITEMS + item] > 0:
            source = item if icons[item] > 0 else layout.GOLD
            if icons[source] == 0:
                break
            icons[source] -= 1
            s[layout.ITEMS + item] -= 1
    for resource in range(layout.RESOURCES):
        while s[layout.ITEMS + layout.ANY_ITEM] > 0 and icons[resource] > 0:
            icons[resource] -= 1
            s[layout.ITEMS + layout.ANY_ITEM] -= 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, {VECTOR}, int64[::1])")
def _give_resource(s, c, seat, a, icons):
    """Give a source of resources; ``icons`` is filled with what it shows."""
    at = positions.seat_at(c, seat)
    icons[:] = 0
    if a[layout.RESOURCE] >= 0:
        s[at + layout.TOKENS + a[layout.RESOURCE]] -= 1
        icons[a[layout.RESOURCE]] = 1
        return
    if a[layout.BUILDING] >= 0:
        s[at + layout.UP + a[layout.BUILDING]] -= 1
        s[at + layout.SPENT + a[layout.BUILDING]] += 1
        s[layout.GIVEN + a[layout.BUILDING]] += 1
        icons[a[layout.BUILDING]] = 1
        return
    card = a[layout.CARD]
    if card >= 0:
        positions.remove_card(s, c, at, card)
        positions.discard(s, c, at, card)
    else:
        card = s[at + layout.VILLAGE + a[layout.CELL]] >> 1
        s[at + layout.VILLAGE + a[layout.CELL]] |= 1
        s[layout.GIVEN_CELLS] |= 1 << a[layout.CELL]
    row = positions.villager_at(c, card) + layout.V_ICONS
    for resource in range(layout.RESOURCES):
        icons[resource] = c[row + resource]


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, {VECTOR})")
def begin_items(s, c, action, payment):
    """Put the items of a cost, and the buildings of the payment for it, into the position."""
    row = positions.action_at(c, action) + layout.A_ITEMS
    for item in range(layout.ITEM_KINDS):
        s[layout.ITEMS + item] = c[row + item]
    for kind in range(layout.BUILDINGS):
        s[layout.GIVEN + kind] = payment[layout.PAID_BUILDINGS + kind]


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def go_on(s, c, seat, card):
    """Queue the items that are left; without any, the effects of an action that is now paid."""
    for left in range(layout.ITEM_KINDS):
        if s[layout.ITEMS + left] > 0:
            positions.push(s, layout.PENALTY, seat, card, 1)
            return
    s[layout.GIVEN : layout.GIVEN_CELLS + 1] = 0
    if card < 0:
        positions.push_effects(s, c, -1 - card)


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64, {VECTOR})")
def answer_penalty(s, c, seat, card, a):
    """Apply an answer to the next item of a penalty, whose task has been popped."""
    at, item = positions.seat_at(c, seat), a[layout.ITEM]
    icons = np.zeros(layout.RESOURCES, np.int64)
    if a[layout.TYPE] == layout.DO_SUFFER:
        s[layout.ITEMS + item] -= 1
        positions.take_omen(s, c, seat, 1)
    elif a[layout.TYPE] == layout.DO_SETTLE or item <= layout.ANY_ITEM:
        if a[layout.TYPE] == layout.DO_SETTLE:
            s[layout.ITEMS + (item if a[layout.SETTLES] < 0 else a[layout.SETTLES])] -= 1
        _give_resource(s, c, seat, a, icons)
        _pay_items(s, icons)
    else:
        s[layout.ITEMS + item] -= 1
        if a[layout.CARD] >= 0:
            positions.remove_card(s, c, at, a[layout.CARD])
            positions.discard(s, c, at, a[layout.CARD])
        elif a[layout.CELL] >= 0:
            positions.remove_villager(s, c, seat, a[layout.CELL])
        else:
            kept_at = at + (layout.SPENT if a[layout.IS_SPENT] > 0 else layout.UP)
            s[kept_at + a[layout.BUILDING]] -= 1
    go_on(s, c, seat, card)

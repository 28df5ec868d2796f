"""Guardians and forest cards: penalties and rewards (C7, C8, C15)."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.rules.layout import (
    ANY_ITEM,
    BELOW_FOREST,
    BELOW_GUARDIANS,
    BUILDING,
    CARD,
    CARDS,
    CATALOGUE,
    CELL,
    DO_SETTLE,
    DO_SUFFER,
    FOREST,
    FOREST_BELOW,
    GAIN_KINDS,
    GOLD,
    GUARDIANS,
    GUARDIANS_BELOW,
    IS_SPENT,
    ITEM,
    ITEM_KINDS,
    ITEMS,
    JUNIPER_TOKEN,
    PENALTY,
    RECEIVE,
    RESOURCE,
    RESOURCES,
    RETURN_SPIRIT,
    S_OTHERS_OMEN,
    S_OWN_OMEN,
    S_REWARD,
    SETTLES,
    SPENT,
    SPIRIT_ROW,
    SPIRIT_TABLE,
    TAKE_OMEN,
    TOKENS,
    TURN,
    TYPE,
    UP,
    V_ICONS,
    VECTOR,
    VILLAGE,
    N,
)
from service.games.snowcrest.engine.kernels.rules.positions import (
    discard,
    pool_of,
    push,
    remove_card,
    remove_villager,
    seat_at,
    take_omen,
    villager_at,
)


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64, int64, int64, int64)")
def take_known(s, c, pool, kinds, count_at, first):
    """Remove the top card of a pile if no card of it is unknown; false if one is."""
    for kind in range(kinds):
        if s[pool + kind] > 0:
            return False
    s[count_at] -= 1
    for place in range(s[count_at]):
        s[first + place] = s[first + place + 1]
    s[first + s[count_at]] = 0
    return True


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, boolean)")
def reveal(s, c, card, forest):
    """Reveal a guardian or forest card and queue its steps (C7, C8)."""
    if forest:
        pool, kinds = pool_of(s, c, 2), c[FOREST]
        known = take_known(s, c, pool, kinds, FOREST_BELOW, c[BELOW_FOREST])
    else:
        pool, kinds = pool_of(s, c, 1), c[GUARDIANS]
        known = take_known(s, c, pool, kinds, GUARDIANS_BELOW, c[BELOW_GUARDIANS])
    if known:
        s[pool_of(s, c, 1) + card - c[CARDS]] += 1
    row = c[SPIRIT_TABLE] + (card - c[CARDS]) * SPIRIT_ROW
    juniper = c[row + S_REWARD + JUNIPER_TOKEN]
    if forest and juniper:
        push(s, RECEIVE, JUNIPER_TOKEN, juniper, 0)
    push(s, RETURN_SPIRIT, card, forest, 0)
    for what in range(GAIN_KINDS - 1, -1, -1):
        count = c[row + S_REWARD + what]
        if count and not (forest and what == JUNIPER_TOKEN):
            push(s, RECEIVE, what, count, 0)
    for step in range(s[N] - 1, -1, -1):
        omen = S_OTHERS_OMEN if step else S_OWN_OMEN
        seat = (s[TURN] + step) % s[N]
        push(s, PENALTY, seat, card, 0)
        push(s, TAKE_OMEN, seat, c[row + omen], 0)


@kernel(f"void({VECTOR}, int64[::1])")
def _pay_items(s, icons):
    """Remove the resource items that icons pay together, as many as possible."""
    for item in range(RESOURCES):
        while s[ITEMS + item] > 0:
            source = item if icons[item] > 0 else GOLD
            if icons[source] == 0:
                break
            icons[source] -= 1
            s[ITEMS + item] -= 1
    for resource in range(RESOURCES):
        while s[ITEMS + ANY_ITEM] > 0 and icons[resource] > 0:
            icons[resource] -= 1
            s[ITEMS + ANY_ITEM] -= 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, {VECTOR}, int64[::1])")
def _give_resource(s, c, seat, a, icons):
    """Give a source of resources; ``icons`` is filled with what it shows."""
    at = seat_at(c, seat)
    icons[:] = 0
    if a[RESOURCE] >= 0:
        s[at + TOKENS + a[RESOURCE]] -= 1
        icons[a[RESOURCE]] = 1
        return
    if a[BUILDING] >= 0:
        s[at + UP + a[BUILDING]] -= 1
        s[at + SPENT + a[BUILDING]] += 1
        icons[a[BUILDING]] = 1
        return
    card = a[CARD]
    if card >= 0:
        remove_card(s, c, at, card)
        discard(s, c, at, card)
    else:
        card = s[at + VILLAGE + a[CELL]] >> 1
        s[at + VILLAGE + a[CELL]] |= 1
    row = villager_at(c, card) + V_ICONS
    for resource in range(RESOURCES):
        icons[resource] = c[row + resource]


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64, {VECTOR})")
def answer_penalty(s, c, seat, card, a):
    """Apply an answer to the next item of a penalty, whose task has been popped."""
    at, item = seat_at(c, seat), a[ITEM]
    icons = np.zeros(RESOURCES, np.int64)
    if a[TYPE] == DO_SUFFER:
        s[ITEMS + item] -= 1
        take_omen(s, c, seat, 1)
    elif a[TYPE] == DO_SETTLE:
        code = s[at + VILLAGE + a[CELL]]
        s[at + VILLAGE + a[CELL]] = code | 1
        s[ITEMS + (item if a[SETTLES] < 0 else a[SETTLES])] -= 1
        row = villager_at(c, code >> 1) + V_ICONS
        icons[:] = c[row : row + RESOURCES]
        _pay_items(s, icons)
    elif item <= ANY_ITEM:
        _give_resource(s, c, seat, a, icons)
        _pay_items(s, icons)
    else:
        s[ITEMS + item] -= 1
        if a[CARD] >= 0:
            remove_card(s, c, at, a[CARD])
            discard(s, c, at, a[CARD])
        elif a[CELL] >= 0:
            remove_villager(s, c, seat, a[CELL])
        else:
            s[at + (SPENT if a[IS_SPENT] > 0 else UP) + a[BUILDING]] -= 1
    for left in range(ITEM_KINDS):
        if s[ITEMS + left] > 0:
            push(s, PENALTY, seat, card, 1)
            return

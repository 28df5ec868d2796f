"""The effects of villagers: each runs if it is possible (C5)."""

from __future__ import annotations

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.rules.layout import (
    A_EFFECT_COUNT,
    A_EFFECTS,
    A_HAS_COST,
    ACTING,
    ACTION_ROW,
    ACTION_TABLE,
    ANY,
    BUILD,
    BUILDINGS,
    CATALOGUE,
    CELLS,
    COLLECT,
    COPY,
    DECK,
    DISCARD_COUNT,
    DRAW_CARDS,
    E_BUILDING,
    E_COUNT,
    E_TYPE,
    E_WHAT,
    EFFECT_ROW,
    EFFECT_TABLE,
    FOR_ACTION,
    GAIN,
    HAND,
    HAND_COUNT,
    JUNIPER,
    JUNIPER_TOKEN,
    LESS_OMEN,
    MEDITATE,
    MORE_OMEN,
    NEW_CARD,
    OMEN,
    PAY_COST,
    PER_BUILDING,
    PLACE_RECRUIT,
    RECEIVE,
    RECRUIT,
    REDRAW,
    REVEAL,
    ROW,
    ROW_COUNT,
    SCROLL,
    SPENT,
    STARTER_VARIANT,
    TAKE_BACK,
    TAKE_OMEN,
    TOKENS,
    TRADE,
    TURN,
    TURN_UP,
    UNKNOWN_COUNT,
    UNSEEN_COUNT,
    UP,
    V_COPYABLE,
    VECTOR,
    VILLAGE,
    WORSHIP,
    N,
)
from service.games.snowcrest.engine.kernels.rules.positions import (
    MAX_OMEN,
    SLOTS,
    available_buildings,
    building_count,
    gain_scrolls,
    pile_size,
    pop,
    push,
    push_effects,
    remove_villager,
    seat_at,
    villager_at,
)

JUNIPER_PER_PLAYER = 3
STARTER_WORSHIP = 2
WAY = 64
"""Factor of the number of ways to build."""


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def ways_to_build(s, c, kind):
    """Return the number of ways to build (C21), times ``WAY``, plus the code of the last one.

    The code has the kind times 16, and if a building goes back, twice its kind plus 2, plus 1 if it
    is spent.
    """
    at, ways, last = seat_at(c, s[TURN]), 0, 0
    full = building_count(s, at) >= SLOTS
    for new in range(BUILDINGS):
        if kind >= 0 and new != kind:
            continue
        left = available_buildings(s, c, new) > 0
        if not full:
            if left:
                ways, last = ways + 1, new * 16
            continue
        for back in range(BUILDINGS):
            if left or back == new:
                if s[at + UP + back] > 0:
                    ways, last = ways + 1, new * 16 + back * 2 + 2
                if s[at + SPENT + back] > 0:
                    ways, last = ways + 1, new * 16 + back * 2 + 3
    return ways * WAY + last


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def build(s, c, code):
    """Build in the way of a code, see ``ways_to_build``."""
    at, back = seat_at(c, s[TURN]), code % 16
    if back >= 2:
        s[at + (SPENT if back & 1 else UP) + (back - 2) // 2] -= 1
    s[at + UP + code // 16] += 1


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def face_up_buildings(s, c, kind):
    """Return the active player's face-up buildings of a kind, or of all kinds."""
    at = seat_at(c, s[TURN])
    if kind >= 0:
        return int(s[at + UP + kind])
    return int(s[at + UP]) + s[at + UP + 1] + s[at + UP + 2]


@kernel(f"boolean({VECTOR}, {CATALOGUE})")
def can_copy(s, c):
    """Whether there is a villager to copy: of another player, or of the row alone (C13, C17)."""
    if s[N] == 1:
        count = 0
        for place in range(s[ROW_COUNT]):
            count += c[villager_at(c, s[ROW + place]) + V_COPYABLE]
        return count > 0
    for seat in range(s[N]):
        if seat == s[TURN]:
            continue
        at = seat_at(c, seat) + VILLAGE
        for cell in range(CELLS):
            code = s[at + cell]
            if code >= 0 and not code & 1 and c[villager_at(c, code >> 1) + V_COPYABLE]:
                return True
    return False


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def is_possible(s, c, effect):
    """Whether an effect can be carried out now, judged by public information (C5)."""
    row, at = c[EFFECT_TABLE] + effect * EFFECT_ROW, seat_at(c, s[TURN])
    kind = c[row + E_TYPE]
    if kind == GAIN:
        if c[row + E_WHAT] == NEW_CARD:
            return pile_size(s, at) > 0 or s[at + DISCARD_COUNT] > 0
        return c[row + E_WHAT] != LESS_OMEN or s[at + OMEN] < MAX_OMEN
    if kind == BUILD:
        return ways_to_build(s, c, c[row + E_BUILDING]) >= WAY
    if kind == TURN_UP:
        return s[at + SPENT] + s[at + SPENT + 1] + s[at + SPENT + 2] > 0
    if kind == TAKE_BACK:
        return s[at + DISCARD_COUNT] > 0
    if kind == REDRAW:
        return s[at + HAND_COUNT] > 0
    if kind == RECRUIT:
        return s[at + HAND_COUNT] > 0 or s[ROW_COUNT] > 0
    if kind == PER_BUILDING:
        return face_up_buildings(s, c, c[row + E_BUILDING]) > 0
    return kind != COPY or can_copy(s, c)


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def perform(s, c, action):
    """Queue the effects of an action, after its cost if at least one is possible."""
    pop(s)
    row = c[ACTION_TABLE] + action * ACTION_ROW
    if not c[row + A_HAS_COST]:
        push_effects(s, c, action)
        return
    for number in range(c[row + A_EFFECT_COUNT]):
        if is_possible(s, c, c[row + A_EFFECTS] + number):
            push(s, PAY_COST, FOR_ACTION, action, 0)
            return


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def _omen_for_others(s, c, count):
    """Queue printed omen for the other players, in turn order."""
    for step in range(s[N] - 1, 0, -1):
        push(s, TAKE_OMEN, (s[TURN] + step) % s[N], count, 0)


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def apply_effect(s, c, effect):
    """Apply an effect; false if the player has to choose first."""
    row, at = c[EFFECT_TABLE] + effect * EFFECT_ROW, seat_at(c, s[TURN])
    kind = c[row + E_TYPE]
    if not is_possible(s, c, effect):
        pop(s)
        return True
    if kind in (TRADE, TAKE_BACK, REDRAW, COPY):
        return False
    if kind == BUILD:
        ways = ways_to_build(s, c, c[row + E_BUILDING])
        if ways >= 2 * WAY:
            return False
        pop(s)
        build(s, c, ways - WAY)
        return True
    pop(s)
    if kind == GAIN:
        push(s, RECEIVE, c[row + E_WHAT], c[row + E_COUNT], 0)
    elif kind == PER_BUILDING:
        count = c[row + E_COUNT] * face_up_buildings(s, c, c[row + E_BUILDING])
        push(s, RECEIVE, c[row + E_WHAT], count, 0)
    elif kind == TURN_UP:
        for of in range(BUILDINGS):
            s[at + UP + of] += s[at + SPENT + of]
            s[at + SPENT + of] = 0
    elif kind == WORSHIP:
        if s[STARTER_VARIANT]:
            gain_scrolls(s, c, s[TURN], STARTER_WORSHIP)
            _omen_for_others(s, c, 1)
        else:
            push(s, REVEAL, 0, 0, 0)
    elif kind == MEDITATE:
        push(s, COLLECT, 0, 0, 0)
    else:
        cell = s[ACTING]
        remove_villager(s, c, s[TURN], cell)
        push(s, PLACE_RECRUIT, cell, 0, 0)
    return True


# Gains ----------------------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def _take_juniper(s, c, count):
    """Take juniper from the forest; the last one reveals a forest card and refills it (C8)."""
    taken = min(count, s[JUNIPER])
    s[seat_at(c, s[TURN]) + TOKENS + JUNIPER_TOKEN] += taken
    s[JUNIPER] -= taken
    if s[JUNIPER] > 0:
        return
    if count > taken:
        push(s, RECEIVE, JUNIPER_TOKEN, count - taken, 0)
    if not s[STARTER_VARIANT]:
        push(s, REVEAL, 1, 0, 0)
        return
    gain_scrolls(s, c, s[TURN], 1)
    s[JUNIPER] = JUNIPER_PER_PLAYER * s[N]
    _omen_for_others(s, c, 1)


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64, int64)")
def receive(s, c, what, count):
    """Give the active player a gain; false if the player has to choose a resource first."""
    if what == ANY and count > 0:
        return False
    pop(s)
    if count == 0:
        return True
    at = seat_at(c, s[TURN])
    if what == JUNIPER_TOKEN:
        _take_juniper(s, c, count)
    elif what == SCROLL:
        gain_scrolls(s, c, s[TURN], count)
    elif what == NEW_CARD:
        push(s, DRAW_CARDS, count, 0, 0)
    elif what == MORE_OMEN:
        push(s, TAKE_OMEN, s[TURN], count, 0)
    elif what == LESS_OMEN:
        s[at + OMEN] = min(MAX_OMEN, s[at + OMEN] + count)
    else:
        s[at + TOKENS + what] += count
    return True


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def draw_cards(s, c, count):
    """Continue a draw that needs no card now; false if a card has to be drawn (C19)."""
    at = seat_at(c, s[TURN])
    if count == 0 or (pile_size(s, at) == 0 and s[at + DISCARD_COUNT] == 0):
        pop(s)
        return True
    if pile_size(s, at) > 0:
        return False
    # The pile is empty, so all unseen cards are in the hand.
    deck = c[DECK]
    s[at + UNSEEN_COUNT] = s[at + DISCARD_COUNT]
    s[at + UNKNOWN_COUNT] = 0
    s[at + DISCARD_COUNT] = 0
    for card in range(deck):
        s[at + HAND + card] += s[at + HAND + 2 * deck + card]
        s[at + HAND + 2 * deck + card] = s[at + HAND + deck + card]
        s[at + HAND + deck + card] = 0
    return True

"""The effects of villagers: each runs if it is possible (C5)."""

from __future__ import annotations

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.rules import layout, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

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
    at, ways, last = positions.seat_at(c, s[layout.TURN]), 0, 0
    full = positions.building_count(s, at) >= positions.SLOTS
    for new in range(layout.BUILDINGS):
        if kind >= 0 and new != kind:
            continue
        left = positions.available_buildings(s, c, new) > 0
        if not full:
            if left:
                ways, last = ways + 1, new * 16
            continue
        for back in range(2 * layout.BUILDINGS):
            owned = s[at + (layout.SPENT if back % 2 else layout.UP) + back // 2] > 0
            if owned and (left or back // 2 == new):
                ways, last = ways + 1, new * 16 + back + 2
    return ways * WAY + last


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def build(s, c, code):
    """Build in the way of a code, see ``ways_to_build``."""
    at, back = positions.seat_at(c, s[layout.TURN]), code % 16
    if back >= 2:
        s[at + (layout.SPENT if back & 1 else layout.UP) + (back - 2) // 2] -= 1
    s[at + layout.UP + code // 16] += 1


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def face_up_buildings(s, c, kind):
    """Return the active player's face-up buildings of a kind, or of all kinds."""
    at = positions.seat_at(c, s[layout.TURN])
    if kind >= 0:
        return int(s[at + layout.UP + kind])
    return int(s[at + layout.UP]) + s[at + layout.UP + 1] + s[at + layout.UP + 2]


@kernel(f"boolean({CATALOGUE}, int64)")
def is_copyable(c, card):
    """Whether a card, which is -1 if there is none, is a villager who can be copied."""
    return card >= 0 and c[positions.villager_at(c, card) + layout.V_COPYABLE] > 0


@kernel(f"boolean({VECTOR}, {CATALOGUE})")
def can_copy(s, c):
    """Whether there is a villager to copy: of another player, or of the row alone (C13, C17)."""
    if s[layout.N] == 1:
        for place in range(s[layout.ROW_COUNT]):
            if is_copyable(c, s[layout.ROW + place]):
                return True
    for seat in range(s[layout.N]):
        for cell in range(layout.CELLS if seat != s[layout.TURN] else 0):
            if is_copyable(c, positions.face_up(s, positions.seat_at(c, seat), cell)):
                return True
    return False


@kernel(f"boolean({VECTOR}, int64, int64, int64)")
def is_turnable(s, at, cell, exhausted):
    """Whether a cell of the seat at an offset has an (exhausted) villager who does not act."""
    code = s[at + layout.VILLAGE + cell]
    return code >= 0 and code & 1 == exhausted and cell != s[layout.ACTING]


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def is_possible(s, c, effect):
    """Whether an effect can be carried out now, judged by public information (C5)."""
    row, at = positions.effect_at(c, effect), positions.seat_at(c, s[layout.TURN])
    kind = c[row + layout.E_TYPE]
    if kind == layout.GAIN:
        if c[row + layout.E_WHAT] == layout.NEW_CARD:
            return positions.pile_size(s, at) > 0 or s[at + layout.DISCARD_COUNT] > 0
        takes_omen = c[row + layout.E_WHAT] == layout.LESS_OMEN
        return not takes_omen or s[at + layout.OMEN] < positions.MAX_OMEN
    if kind == layout.BUILD:
        return ways_to_build(s, c, c[row + layout.E_BUILDING]) >= WAY
    if kind == layout.TURN_UP:
        return s[at + layout.SPENT] + s[at + layout.SPENT + 1] + s[at + layout.SPENT + 2] > 0
    if kind == layout.TAKE_BACK:
        return s[at + layout.DISCARD_COUNT] > 0
    if kind in (layout.REDRAW, layout.DISCARD):
        return s[at + layout.HAND_COUNT] > 0
    if kind == layout.RECRUIT:
        return s[at + layout.HAND_COUNT] > 0 or s[layout.ROW_COUNT] > 0
    if kind == layout.PER_BUILDING:
        return face_up_buildings(s, c, c[row + layout.E_BUILDING]) > 0
    if kind in (layout.WAKE, layout.EXHAUST_ONE):
        some = False
        for cell in range(layout.CELLS):
            some |= is_turnable(s, at, cell, kind == layout.WAKE)
        return some
    return kind != layout.COPY or can_copy(s, c)


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def perform(s, c, action):
    """Queue the effects of an action, after its cost if at least one is possible."""
    positions.pop(s)
    row = positions.action_at(c, action)
    if not c[row + layout.A_HAS_COST]:
        positions.push_effects(s, c, action)
        return
    for number in range(c[row + layout.A_EFFECT_COUNT]):
        if is_possible(s, c, c[row + layout.A_EFFECTS] + number):
            positions.push(s, layout.PAY_COST, layout.FOR_ACTION, action, 0)
            return


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def _omen_for_others(s, c, count):
    """Queue printed omen for the other players, in turn order."""
    for step in range(s[layout.N] - 1, 0, -1):
        positions.push(s, layout.TAKE_OMEN, (s[layout.TURN] + step) % s[layout.N], count, 0)


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def apply_effect(s, c, effect):
    """Apply an effect; false if the player has to choose first."""
    row, at = positions.effect_at(c, effect), positions.seat_at(c, s[layout.TURN])
    kind = c[row + layout.E_TYPE]
    if not is_possible(s, c, effect):
        positions.pop(s)
        return True
    if kind in (
        layout.TRADE, layout.TAKE_BACK, layout.REDRAW, layout.COPY, layout.WAKE, layout.EXHAUST_ONE,
        layout.DISCARD,
    ):  # fmt: skip
        return False
    if kind == layout.BUILD:
        ways = ways_to_build(s, c, c[row + layout.E_BUILDING])
        if ways >= 2 * WAY:
            return False
        positions.pop(s)
        build(s, c, ways - WAY)
        return True
    positions.pop(s)
    if kind == layout.GAIN:
        positions.push(s, layout.RECEIVE, c[row + layout.E_WHAT], c[row + layout.E_COUNT], 0)
    elif kind == layout.PER_BUILDING:
        count = c[row + layout.E_COUNT] * face_up_buildings(s, c, c[row + layout.E_BUILDING])
        positions.push(s, layout.RECEIVE, c[row + layout.E_WHAT], count, 0)
    elif kind == layout.TURN_UP:
        for of in range(layout.BUILDINGS):
            s[at + layout.UP + of] += s[at + layout.SPENT + of]
            s[at + layout.SPENT + of] = 0
    elif kind == layout.WORSHIP:
        if s[layout.STARTER_VARIANT]:
            positions.gain_scrolls(s, c, s[layout.TURN], STARTER_WORSHIP)
            _omen_for_others(s, c, 1)
        else:
            positions.push(s, layout.REVEAL, 0, 0, 0)
    elif kind == layout.MEDITATE:
        positions.push(s, layout.COLLECT, 0, 0, 0)
    else:
        cell = s[layout.ACTING]
        positions.remove_villager(s, c, s[layout.TURN], cell)
        positions.push(s, layout.PLACE_RECRUIT, cell, 0, 0)
    return True


# Gains ----------------------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def _take_juniper(s, c, count):
    """Take juniper from the forest; the last one reveals a forest card and refills it (C8)."""
    taken = min(count, s[layout.JUNIPER])
    s[positions.seat_at(c, s[layout.TURN]) + layout.TOKENS + layout.JUNIPER_TOKEN] += taken
    s[layout.JUNIPER] -= taken
    if s[layout.JUNIPER] > 0:
        return
    if count > taken:
        positions.push(s, layout.RECEIVE, layout.JUNIPER_TOKEN, count - taken, 0)
    if not s[layout.STARTER_VARIANT]:
        positions.push(s, layout.REVEAL, 1, 0, 0)
        return
    positions.gain_scrolls(s, c, s[layout.TURN], 1)
    s[layout.JUNIPER] = JUNIPER_PER_PLAYER * s[layout.N]
    _omen_for_others(s, c, 1)


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64, int64)")
def receive(s, c, what, count):
    """Give the active player a gain; false if the player has to choose a resource first."""
    if what == layout.ANY and count > 0:
        return False
    positions.pop(s)
    if count == 0:
        return True
    at = positions.seat_at(c, s[layout.TURN])
    if what == layout.JUNIPER_TOKEN:
        _take_juniper(s, c, count)
    elif what == layout.SCROLL:
        positions.gain_scrolls(s, c, s[layout.TURN], count)
    elif what == layout.NEW_CARD:
        positions.push(s, layout.DRAW_CARDS, count, 0, 0)
    elif what == layout.MORE_OMEN:
        positions.push(s, layout.TAKE_OMEN, s[layout.TURN], count, 0)
    elif what == layout.LESS_OMEN:
        s[at + layout.OMEN] = min(positions.MAX_OMEN, s[at + layout.OMEN] + count)
    elif what >= layout.NEW_FARM:
        for _ in range(count):
            positions.push(s, layout.APPLY, what - layout.NEW_FARM, 0, 0)
    else:
        s[at + layout.TOKENS + what] += count
    return True


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def draw_cards(s, c, count):
    """Continue a draw that needs no card now; false if a card has to be drawn (C19)."""
    at = positions.seat_at(c, s[layout.TURN])
    if count == 0 or (positions.pile_size(s, at) == 0 and s[at + layout.DISCARD_COUNT] == 0):
        positions.pop(s)
        return True
    if positions.pile_size(s, at) > 0:
        return False
    # The pile is empty, so all unseen cards are in the hand.
    deck = c[layout.DECK]
    s[at + layout.UNSEEN_COUNT] = s[at + layout.DISCARD_COUNT]
    s[at + layout.UNKNOWN_COUNT] = 0
    s[at + layout.DISCARD_COUNT] = 0
    for card in range(deck):
        s[at + layout.HAND + card] += s[at + layout.HAND + 2 * deck + card]
        s[at + layout.HAND + 2 * deck + card] = s[at + layout.HAND + deck + card]
        s[at + layout.HAND + deck + card] = 0
    return True

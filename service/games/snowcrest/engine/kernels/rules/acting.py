"""Apply choices, answers and cards to a packed turn."""

from __future__ import annotations

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.rules import (
    advancing,
    effects,
    layout,
    payments,
    penalties,
    positions,
)
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

CENTRE = 4
RESTS_TO_LOSE, RESTS_OF_HARDEST, HARDEST = 4, 3, 10


@kernel(f"int64({VECTOR}, {CATALOGUE})")
def begin_turn(s, c):
    """Queue the tasks of the next turn and run it up to its first choice."""
    if s[layout.PHASE] == layout.OVER:
        return advancing.advance(s, c)
    positions.push(s, layout.END, 0, 0, 0)
    if s[layout.PHASE] == layout.SET_UP:
        positions.push(s, layout.PLACE_FIRST, 0, 0, 0)
    else:
        positions.push(s, layout.FILL, 0, 0, 0)
        positions.push(s, layout.CHOOSE, 0, 0, 0)
    return advancing.advance(s, c)


@kernel(f"int64({VECTOR})")
def deciding_seat(s):
    """Return the seat that has to decide."""
    top = positions.next_task(s)
    if s[top] == layout.PENALTY:
        return int(s[top + 1])
    if s[top] == layout.COLLECT:
        return int((s[layout.TURN] + s[layout.BID_COUNT]) % s[layout.N])
    if s[top] == layout.DECIDE:
        for step in range(s[layout.N]):
            seat = (s[layout.TURN] + step) % s[layout.N]
            if s[top + 1] >> seat & 1:
                return int(seat)
    return int(s[layout.TURN])


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def _place(s, c, card, cell):
    """Move a villager from the hand or the row into a free cell, face up."""
    at = positions.seat_at(c, s[layout.TURN])
    if card < c[layout.DECK]:
        positions.remove_card(s, c, at, card)
    else:
        advancing.remove_from_row(s, card)
    s[at + layout.VILLAGE + cell] = 2 * card
    s[layout.ACTING] = cell


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR})")
def _place_first(s, c, a):
    """Pay with barley tokens, and take omen for each one missing (C20)."""
    at = positions.seat_at(c, s[layout.TURN]) + layout.TOKENS
    cost = c[positions.villager_at(c, a[layout.CARD]) + layout.V_COST]
    spent = min(cost, s[at])
    _place(s, c, a[layout.CARD], CENTRE)
    s[at] -= spent
    positions.take_omen(s, c, s[layout.TURN], cost - spent)
    s[layout.ACTING] = -1


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR})")
def _play(s, c, a):
    """Play a villager into a cell, replacing another one if necessary, and pay for it (C3, C4)."""
    card, cell = a[layout.CARD], a[layout.CELL]
    if s[positions.seat_at(c, s[layout.TURN]) + layout.VILLAGE + cell] >= 0:
        positions.remove_villager(s, c, s[layout.TURN], cell)
    _place(s, c, card, cell)
    positions.push(s, layout.EXHAUST, cell, 0, 0)
    row = positions.villager_at(c, card)
    if not c[row + layout.V_RECRUITS]:
        positions.push_actions(s, c, card)
    if c[row + layout.V_COST] == 0:
        return
    if a[layout.HAS_PAYMENT]:
        payments.pay(s, c, s[layout.TURN], a[layout.PAYMENT :])
    else:
        positions.push(s, layout.PAY_COST, layout.FOR_CARD, c[row + layout.V_COST], 0)


@kernel(f"void({VECTOR}, {CATALOGUE})")
def _rest(s, c):
    """Count the visible icons when the rest begins, and gain them with juniper last (C16)."""
    if s[layout.N] == 1:
        s[layout.RESTS] += 1
        most = RESTS_OF_HARDEST if s[layout.DIFFICULTY] == HARDEST else RESTS_TO_LOSE
        if s[layout.RESTS] >= most and not s[layout.ENDING]:
            advancing.end_game(s)
            return
    at = positions.seat_at(c, s[layout.TURN]) + layout.VILLAGE
    positions.push(s, layout.AWAKE, 0, 0, 0)
    for what in (
        layout.JUNIPER_TOKEN, layout.ANY, layout.LESS_OMEN, layout.GOLD, layout.BOWL, layout.BELL,
        layout.BARLEY,
    ):  # fmt: skip
        visible = 0
        for cell in range(layout.CELLS):
            code = s[at + cell]
            row = positions.villager_at(c, code >> 1)
            if code >= 0 and what < layout.ANY:
                visible += c[row + (layout.V_BACK if code & 1 else layout.V_ICONS) + what]
            if code < 0 or code & 1:
                continue
            if what == layout.GOLD:
                visible -= c[row + layout.V_ANY]
            elif what >= layout.ANY:
                visible += c[row + (layout.V_ANY if what == layout.ANY else layout.V_LESS_OMEN)]
        positions.push(s, layout.RECEIVE, what, visible, 0)


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR})")
def _begin(s, c, a):
    """Begin the chosen turn (C3)."""
    if a[layout.TYPE] == layout.DO_PLAY:
        _play(s, c, a)
    elif a[layout.TYPE] == layout.DO_REST:
        _rest(s, c)
    elif a[layout.TYPE] == layout.DO_ACTIVATE:
        cell = a[layout.CELL]
        s[layout.ACTING] = cell
        positions.push(s, layout.EXHAUST, cell, 0, 0)
        village = positions.seat_at(c, s[layout.TURN]) + layout.VILLAGE
        positions.push_actions(s, c, s[village + cell] >> 1)


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR}, int64)")
def _trade(s, c, a, row):
    """Trade one set for another; ``row`` is the row of the effect."""
    given = got = 0
    for side in range(c[row + layout.E_SETS], c[row + layout.E_SETS] + c[row + layout.E_SET_COUNT]):
        effect = positions.effect_at(c, side)
        if c[effect + layout.E_WHAT] == a[layout.GIVE]:
            given = effect
        elif c[effect + layout.E_WHAT] == a[layout.GET]:
            got = effect
    if a[layout.GIVE] == layout.SCROLL:
        s[positions.seat_at(c, s[layout.TURN]) + layout.SCROLLS] -= c[given + layout.E_COUNT]
        s[layout.SUPPLY] += c[given + layout.E_COUNT]
        positions.push(s, layout.APPLY, c[got + layout.E_SAME], 0, 0)
    else:
        give, get = c[given + layout.E_SAME], c[got + layout.E_SAME]
        positions.push(s, layout.PAY_COST, layout.FOR_TRADE, give, get)


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR}, int64)")
def _choose_effect(s, c, a, row):
    """Apply an effect as chosen; ``row`` is its row."""
    at, deck = positions.seat_at(c, s[layout.TURN]), c[layout.DECK]
    if a[layout.TYPE] == layout.DO_BUILD:
        code = 16 * a[layout.BUILDING]
        if a[layout.RETURNED] >= 0:
            code += 2 * a[layout.RETURNED] + 2 + a[layout.RETURNED_SPENT]
        effects.build(s, c, code)
    elif a[layout.TYPE] == layout.DO_TRADE:
        _trade(s, c, a, row)
    elif a[layout.TYPE] == layout.DO_TAKE_BACK:
        s[at + layout.HAND + deck + a[layout.CARD]] -= 1
        s[at + layout.DISCARD_COUNT] -= 1
        s[at + layout.HAND + a[layout.CARD]] += 1
        s[at + layout.HAND_COUNT] += 1
    elif a[layout.TYPE] == layout.DO_REDRAW:
        count = 0
        for card in range(deck):
            for _ in range(a[layout.PAYMENT + layout.PAID_CARDS + card]):
                positions.remove_card(s, c, at, card)
                positions.discard(s, c, at, card)
                count += 1
        if count:
            positions.push(s, layout.DRAW_CARDS, count, 0, 0)
    elif a[layout.TYPE] == layout.DO_COPY:
        card = a[layout.CARD]
        if card >= 0:
            positions.push(s, layout.RETURN_COPIED, card, 0, 0)
        else:
            card = s[positions.seat_at(c, a[layout.OWNER]) + layout.VILLAGE + a[layout.CELL]] >> 1
        positions.push_actions(s, c, card)
    elif a[layout.TYPE] in (layout.DO_WAKE, layout.DO_EXHAUST):
        s[at + layout.VILLAGE + a[layout.CELL]] ^= 1
    elif a[layout.TYPE] == layout.DO_DISCARD:
        positions.remove_card(s, c, at, a[layout.CARD])
        positions.discard(s, c, at, a[layout.CARD])


@kernel(f"void({VECTOR}, int64, int64)")
def _gain_chosen(s, left, resource):
    """Gain one chosen resource, and queue the rest; juniper of a forest's reward waits (C8)."""
    if left > 1:
        positions.push(s, layout.RECEIVE, layout.ANY, left - 1, 0)
    if resource == layout.JUNIPER_TOKEN:
        for place in range(s[layout.TASKS] - 1, -1, -1):
            at = layout.STACK + place * layout.TASK_SIZE
            if s[at] != layout.RETURN_SPIRIT:
                continue
            if s[at + 2]:
                positions.push(s, 0, 0, 0, 0)
                for above in range(s[layout.TASKS] - 1, place, -1):
                    to = layout.STACK + above * layout.TASK_SIZE
                    for number in range(layout.TASK_SIZE):
                        s[to + number] = s[to - layout.TASK_SIZE + number]
                s[at], s[at + 1], s[at + 2], s[at + 3] = layout.RECEIVE, resource, 1, 0
                return
            break
    positions.push(s, layout.RECEIVE, resource, 1, 0)


# Choices and cards ----------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR})")
def _pay_cost(s, c, a):
    """Pay, and queue what is paid for, or skip it; the task is the next one."""
    top = positions.next_task(s)
    purpose, first, second = s[top + 1], s[top + 2], s[top + 3]
    positions.pop(s)
    if a[layout.TYPE] == layout.DO_SKIP:
        return
    payments.pay(s, c, s[layout.TURN], a[layout.PAYMENT :])
    if purpose == layout.FOR_ACTION:
        penalties.begin_items(s, c, first, a[layout.PAYMENT :])
        penalties.go_on(s, c, s[layout.TURN], -1 - first)
    elif purpose == layout.FOR_TRADE:
        positions.push(s, layout.APPLY, second, 0, 0)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {VECTOR})")
def act(s, c, a):
    """Apply a legal choice or answer in place; return what ``advance`` returns."""
    top = positions.next_task(s)
    kind, first, second = s[top], s[top + 1], s[top + 2]
    if kind == layout.PAY_COST:
        _pay_cost(s, c, a)
        return advancing.advance(s, c)
    seat = deciding_seat(s)
    positions.pop(s)
    if kind == layout.CHOOSE:
        _begin(s, c, a)
    elif kind == layout.APPLY:
        _choose_effect(s, c, a, positions.effect_at(c, first))
    elif kind == layout.RECEIVE:
        _gain_chosen(s, second, a[layout.RESOURCE])
    elif kind == layout.PENALTY:
        penalties.answer_penalty(s, c, first, second, a)
    elif kind == layout.COLLECT:
        if a[layout.TYPE] == layout.DO_BID:
            payments.add_bid(s, c, a[layout.PAYMENT :])
            positions.push(s, layout.COLLECT, 0, 0, 0)
    elif kind == layout.DECIDE:
        returned = second | (1 << seat if a[layout.TYPE] == layout.DO_RETURN_BID else 0)
        positions.push(s, layout.DECIDE, first & ~(1 << seat), returned, 0)
    elif kind == layout.PLACE_RECRUIT:
        _place(s, c, a[layout.CARD], first)
        if not c[positions.villager_at(c, a[layout.CARD]) + layout.V_RECRUITS]:
            positions.push_actions(s, c, a[layout.CARD])
    else:
        _place_first(s, c, a)
    return advancing.advance(s, c)


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def draw(s, c, card):
    """Draw or reveal a card in place; return what ``advance`` returns."""
    top = positions.next_task(s)
    kind, first = s[top], s[top + 1]
    positions.pop(s)
    if kind == layout.DRAW_CARDS:
        positions.add_card(s, c, positions.seat_at(c, s[layout.TURN]), card)
        positions.push(s, layout.DRAW_CARDS, first - 1, 0, 0)
    elif kind == layout.REVEAL:
        penalties.reveal(s, c, card, first > 0)
    elif kind == layout.FILL:
        if not positions.take_known(s, c, layout.COMMONS):
            s[positions.unseen_at(c, card)] -= 1
        s[layout.ROW + s[layout.ROW_COUNT]] = card
        s[layout.ROW_COUNT] += 1
        positions.push(s, layout.FILL, 0, 0, 0)
    else:
        for seat in range(s[layout.N]):
            at = positions.seat_at(c, seat)
            if s[at + layout.UNKNOWN_COUNT]:
                positions.show_card(s, c, at, card, 1)
                break
        positions.push(s, layout.HANDS, 0, 0, 0)
    return advancing.advance(s, c)

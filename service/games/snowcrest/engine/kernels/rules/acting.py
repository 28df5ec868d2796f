"""Apply choices, answers and cards to a packed turn."""

from __future__ import annotations

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.rules import layout
from service.games.snowcrest.engine.kernels.rules.advancing import (
    advance,
    end_game,
    remove_from_row,
)
from service.games.snowcrest.engine.kernels.rules.effects import build
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR
from service.games.snowcrest.engine.kernels.rules.payments import pay, put_bid
from service.games.snowcrest.engine.kernels.rules.penalties import (
    answer_penalty,
    reveal,
    take_known,
)
from service.games.snowcrest.engine.kernels.rules.positions import (
    add_card,
    discard,
    effect_at,
    next_task,
    pop,
    push,
    push_actions,
    push_effects,
    remove_card,
    remove_villager,
    seat_at,
    show_card,
    take_omen,
    unseen_at,
    villager_at,
)

CENTRE = 4
RESTS_TO_LOSE, RESTS_OF_HARDEST, HARDEST = 4, 3, 10


@kernel(f"int64({VECTOR}, {CATALOGUE})")
def begin_turn(s, c):
    """Queue the tasks of the next turn and run it up to its first choice."""
    if s[layout.PHASE] == layout.OVER:
        return advance(s, c)
    push(s, layout.END, 0, 0, 0)
    if s[layout.PHASE] == layout.SET_UP:
        push(s, layout.PLACE_FIRST, 0, 0, 0)
    else:
        push(s, layout.FILL, 0, 0, 0)
        push(s, layout.CHOOSE, 0, 0, 0)
    return advance(s, c)


@kernel(f"int64({VECTOR})")
def deciding_seat(s):
    """Return the seat that has to decide."""
    top = next_task(s)
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
    at = seat_at(c, s[layout.TURN])
    if card < c[layout.DECK]:
        remove_card(s, c, at, card)
    else:
        remove_from_row(s, card)
    s[at + layout.VILLAGE + cell] = 2 * card
    s[layout.ACTING] = cell


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR})")
def _place_first(s, c, a):
    """Pay with barley tokens, and take omen for each one missing (C20)."""
    at, cost = (
        seat_at(c, s[layout.TURN]) + layout.TOKENS,
        c[villager_at(c, a[layout.CARD]) + layout.V_COST],
    )
    spent = min(cost, s[at])
    _place(s, c, a[layout.CARD], CENTRE)
    s[at] -= spent
    take_omen(s, c, s[layout.TURN], cost - spent)
    s[layout.ACTING] = -1


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR})")
def _play(s, c, a):
    """Play a villager into a cell, replacing another one if necessary, and pay for it (C3, C4)."""
    card, cell = a[layout.CARD], a[layout.CELL]
    if s[seat_at(c, s[layout.TURN]) + layout.VILLAGE + cell] >= 0:
        remove_villager(s, c, s[layout.TURN], cell)
    _place(s, c, card, cell)
    push(s, layout.EXHAUST, cell, 0, 0)
    row = villager_at(c, card)
    if not c[row + layout.V_RECRUITS]:
        push_actions(s, c, card)
    if c[row + layout.V_COST] == 0:
        return
    if a[layout.HAS_PAYMENT]:
        pay(s, c, s[layout.TURN], a[layout.PAYMENT :])
    else:
        push(s, layout.PAY_COST, layout.FOR_CARD, c[row + layout.V_COST], 0)


@kernel(f"void({VECTOR}, {CATALOGUE})")
def _rest(s, c):
    """Count the visible icons when the rest begins, and gain them with juniper last (C16)."""
    if s[layout.N] == 1:
        s[layout.RESTS] += 1
        most = RESTS_OF_HARDEST if s[layout.DIFFICULTY] == HARDEST else RESTS_TO_LOSE
        if s[layout.RESTS] >= most and not s[layout.ENDING]:
            end_game(s)
            return
    at = seat_at(c, s[layout.TURN]) + layout.VILLAGE
    push(s, layout.AWAKE, 0, 0, 0)
    for resource in (layout.JUNIPER_TOKEN, layout.GOLD, layout.BOWL, layout.BELL, layout.BARLEY):
        visible = 0
        for cell in range(layout.CELLS):
            code = s[at + cell]
            if code >= 0:
                icons = layout.V_BACK if code & 1 else layout.V_ICONS
                visible += c[villager_at(c, code >> 1) + icons + resource]
        push(s, layout.RECEIVE, resource, visible, 0)


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
        push(s, layout.EXHAUST, cell, 0, 0)
        push_actions(s, c, s[seat_at(c, s[layout.TURN]) + layout.VILLAGE + cell] >> 1)


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR}, int64)")
def _trade(s, c, a, row):
    """Trade one set for another; ``row`` is the row of the effect."""
    give = get = -1
    for side in range(c[row + layout.E_SETS], c[row + layout.E_SETS] + c[row + layout.E_SET_COUNT]):
        what = c[effect_at(c, side) + layout.E_WHAT]
        if what == a[layout.GIVE]:
            give = side
        elif what == a[layout.GET]:
            get = side
    given, got = effect_at(c, give), effect_at(c, get)
    if a[layout.GIVE] == layout.SCROLL:
        s[seat_at(c, s[layout.TURN]) + layout.SCROLLS] -= c[given + layout.E_COUNT]
        s[layout.SUPPLY] += c[given + layout.E_COUNT]
        push(s, layout.APPLY, c[got + layout.E_SAME], 0, 0)
    else:
        push(s, layout.PAY_COST, layout.FOR_TRADE, c[given + layout.E_SAME], c[got + layout.E_SAME])


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR}, int64)")
def _choose_effect(s, c, a, row):
    """Apply an effect as chosen; ``row`` is its row."""
    at, deck = seat_at(c, s[layout.TURN]), c[layout.DECK]
    if a[layout.TYPE] == layout.DO_BUILD:
        code = 16 * a[layout.BUILDING]
        if a[layout.RETURNED] >= 0:
            code += 2 * a[layout.RETURNED] + 2 + a[layout.RETURNED_SPENT]
        build(s, c, code)
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
                remove_card(s, c, at, card)
                discard(s, c, at, card)
                count += 1
        if count:
            push(s, layout.DRAW_CARDS, count, 0, 0)
    elif a[layout.TYPE] == layout.DO_COPY:
        card = a[layout.CARD]
        if card >= 0:
            push(s, layout.RETURN_COPIED, card, 0, 0)
        else:
            card = s[seat_at(c, a[layout.OWNER]) + layout.VILLAGE + a[layout.CELL]] >> 1
        push_actions(s, c, card)


@kernel(f"void({VECTOR}, int64, int64)")
def _gain_chosen(s, left, resource):
    """Gain one chosen resource, and queue the rest; juniper of a forest's reward waits (C8)."""
    if left > 1:
        push(s, layout.RECEIVE, layout.ANY, left - 1, 0)
    if resource == layout.JUNIPER_TOKEN:
        for place in range(s[layout.TASKS] - 1, -1, -1):
            at = layout.STACK + place * layout.TASK_SIZE
            if s[at] != layout.RETURN_SPIRIT:
                continue
            if s[at + 2]:
                push(s, 0, 0, 0, 0)
                for above in range(s[layout.TASKS] - 1, place, -1):
                    to = layout.STACK + above * layout.TASK_SIZE
                    for number in range(layout.TASK_SIZE):
                        s[to + number] = s[to - layout.TASK_SIZE + number]
                s[at], s[at + 1], s[at + 2], s[at + 3] = layout.RECEIVE, resource, 1, 0
                return
            break
    push(s, layout.RECEIVE, resource, 1, 0)


# Choices and cards ----------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR})")
def _pay_cost(s, c, a):
    """Pay, and queue what is paid for, or skip it; the task is the next one."""
    top = next_task(s)
    purpose, first, second = s[top + 1], s[top + 2], s[top + 3]
    pop(s)
    if a[layout.TYPE] == layout.DO_SKIP:
        return
    pay(s, c, s[layout.TURN], a[layout.PAYMENT :])
    if purpose == layout.FOR_ACTION:
        push_effects(s, c, first)
    elif purpose == layout.FOR_TRADE:
        push(s, layout.APPLY, second, 0, 0)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {VECTOR})")
def act(s, c, a):
    """Apply a legal choice or answer in place; return what ``advance`` returns."""
    top = next_task(s)
    kind, first, second, third = s[top], s[top + 1], s[top + 2], s[top + 3]
    if kind == layout.PAY_COST:
        _pay_cost(s, c, a)
        return advance(s, c)
    seat = deciding_seat(s)
    pop(s)
    if kind == layout.CHOOSE:
        _begin(s, c, a)
    elif kind == layout.APPLY:
        _choose_effect(s, c, a, effect_at(c, first))
    elif kind == layout.RECEIVE:
        _gain_chosen(s, second, a[layout.RESOURCE])
    elif kind == layout.PENALTY:
        answer_penalty(s, c, first, second, third, a)
    elif kind == layout.COLLECT:
        if a[layout.TYPE] == layout.DO_BID:
            put_bid(s, c, s[layout.BID_COUNT], a[layout.PAYMENT :])
            s[layout.BID_COUNT] += 1
            push(s, layout.COLLECT, 0, 0, 0)
    elif kind == layout.DECIDE:
        returned = second | (1 << seat if a[layout.TYPE] == layout.DO_RETURN_BID else 0)
        push(s, layout.DECIDE, first & ~(1 << seat), returned, 0)
    elif kind == layout.PLACE_RECRUIT:
        _place(s, c, a[layout.CARD], first)
        if not c[villager_at(c, a[layout.CARD]) + layout.V_RECRUITS]:
            push_actions(s, c, a[layout.CARD])
    else:
        _place_first(s, c, a)
    return advance(s, c)


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def draw(s, c, card):
    """Draw or reveal a card in place; return what ``advance`` returns."""
    top = next_task(s)
    kind, first = s[top], s[top + 1]
    pop(s)
    if kind == layout.DRAW_CARDS:
        add_card(s, c, seat_at(c, s[layout.TURN]), card)
        push(s, layout.DRAW_CARDS, first - 1, 0, 0)
    elif kind == layout.REVEAL:
        reveal(s, c, card, first > 0)
    elif kind == layout.FILL:
        if not take_known(s, c, layout.COMMONS):
            s[unseen_at(c, card)] -= 1
        s[layout.ROW + s[layout.ROW_COUNT]] = card
        s[layout.ROW_COUNT] += 1
        push(s, layout.FILL, 0, 0, 0)
    else:
        for seat in range(s[layout.N]):
            at = seat_at(c, seat)
            if s[at + layout.UNKNOWN_COUNT]:
                show_card(s, c, at, card, 1)
                break
        push(s, layout.HANDS, 0, 0, 0)
    return advance(s, c)

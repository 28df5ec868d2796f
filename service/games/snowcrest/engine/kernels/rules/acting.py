"""Apply choices, answers and cards to a packed turn."""

from __future__ import annotations

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.rules.advancing import (
    advance,
    end_game,
    remove_from_row,
)
from service.games.snowcrest.engine.kernels.rules.effects import build
from service.games.snowcrest.engine.kernels.rules.layout import (
    ACTING,
    ANY,
    APPLY,
    AWAKE,
    BARLEY,
    BELL,
    BELOW_COMMONS,
    BID_COUNT,
    BOWL,
    BUILDING,
    CARD,
    CARDS,
    CATALOGUE,
    CELL,
    CELLS,
    CHOOSE,
    COLLECT,
    COMMONS_BELOW,
    DECIDE,
    DECK,
    DIFFICULTY,
    DISCARD_COUNT,
    DO_ACTIVATE,
    DO_BID,
    DO_BUILD,
    DO_COPY,
    DO_PLAY,
    DO_REDRAW,
    DO_REST,
    DO_RETURN_BID,
    DO_SKIP,
    DO_TAKE_BACK,
    DO_TRADE,
    DRAW_CARDS,
    E_COUNT,
    E_SAME,
    E_SET_COUNT,
    E_SETS,
    E_WHAT,
    EFFECT_ROW,
    EFFECT_TABLE,
    END,
    ENDING,
    EXHAUST,
    FILL,
    FOR_ACTION,
    FOR_CARD,
    FOR_TRADE,
    GET,
    GIVE,
    GOLD,
    HAND,
    HAND_COUNT,
    HANDS,
    HAS_PAYMENT,
    JUNIPER_TOKEN,
    OVER,
    OWNER,
    PAID_CARDS,
    PAY_COST,
    PAYMENT,
    PENALTY,
    PHASE,
    PLACE_FIRST,
    PLACE_RECRUIT,
    RECEIVE,
    RESOURCE,
    RESOURCES,
    RESTS,
    RETURN_COPIED,
    RETURN_SPIRIT,
    RETURNED,
    RETURNED_SPENT,
    REVEAL,
    ROW,
    ROW_COUNT,
    SCROLL,
    SCROLLS,
    SET_UP,
    STACK,
    SUPPLY,
    TASK_SIZE,
    TASKS,
    TOKENS,
    TURN,
    TYPE,
    UNKNOWN_COUNT,
    UNSEEN_COUNT,
    V_BACK,
    V_COST,
    V_ICONS,
    V_RECRUITS,
    VECTOR,
    VILLAGE,
    N,
)
from service.games.snowcrest.engine.kernels.rules.payments import pay, put_bid
from service.games.snowcrest.engine.kernels.rules.penalties import (
    answer_penalty,
    reveal,
    take_known,
)
from service.games.snowcrest.engine.kernels.rules.positions import (
    add_card,
    discard,
    pool_of,
    pop,
    push,
    push_actions,
    push_effects,
    remove_card,
    remove_villager,
    seat_at,
    take_omen,
    villager_at,
)

CENTRE = 4
RESTS_TO_LOSE, RESTS_OF_HARDEST, HARDEST = 4, 3, 10


@kernel(f"int64({VECTOR}, {CATALOGUE})")
def begin_turn(s, c):
    """Queue the tasks of the next turn and run it up to its first choice."""
    if s[PHASE] == OVER:
        return advance(s, c)
    push(s, END, 0, 0, 0)
    if s[PHASE] == SET_UP:
        push(s, PLACE_FIRST, 0, 0, 0)
    else:
        push(s, FILL, 0, 0, 0)
        push(s, CHOOSE, 0, 0, 0)
    return advance(s, c)


@kernel(f"int64({VECTOR})")
def deciding_seat(s):
    """Return the seat that has to decide."""
    top = STACK + (s[TASKS] - 1) * TASK_SIZE
    if s[top] == PENALTY:
        return int(s[top + 1])
    if s[top] == COLLECT:
        return int((s[TURN] + s[BID_COUNT]) % s[N])
    if s[top] == DECIDE:
        for step in range(s[N]):
            seat = (s[TURN] + step) % s[N]
            if s[top + 1] >> seat & 1:
                return int(seat)
    return int(s[TURN])


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def _place(s, c, card, cell):
    """Move a villager from the hand or the row into a free cell, face up."""
    at = seat_at(c, s[TURN])
    if card < c[DECK]:
        remove_card(s, c, at, card)
    else:
        remove_from_row(s, card)
    s[at + VILLAGE + cell] = 2 * card
    s[ACTING] = cell


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR})")
def _place_first(s, c, a):
    """Pay with barley tokens, and take omen for each one missing (C20)."""
    at, cost = seat_at(c, s[TURN]) + TOKENS, c[villager_at(c, a[CARD]) + V_COST]
    spent = min(cost, s[at])
    _place(s, c, a[CARD], CENTRE)
    s[at] -= spent
    take_omen(s, c, s[TURN], cost - spent)
    s[ACTING] = -1


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR})")
def _play(s, c, a):
    """Play a villager into a cell, replacing another one if necessary, and pay for it (C3, C4)."""
    card, cell = a[CARD], a[CELL]
    if s[seat_at(c, s[TURN]) + VILLAGE + cell] >= 0:
        remove_villager(s, c, s[TURN], cell)
    _place(s, c, card, cell)
    push(s, EXHAUST, cell, 0, 0)
    row = villager_at(c, card)
    if not c[row + V_RECRUITS]:
        push_actions(s, c, card)
    if c[row + V_COST] == 0:
        return
    if a[HAS_PAYMENT]:
        pay(s, c, s[TURN], a[PAYMENT:])
    else:
        push(s, PAY_COST, FOR_CARD, c[row + V_COST], 0)


@kernel(f"void({VECTOR}, {CATALOGUE})")
def _rest(s, c):
    """Count the visible icons when the rest begins, and gain them with juniper last (C16)."""
    if s[N] == 1:
        s[RESTS] += 1
        most = RESTS_OF_HARDEST if s[DIFFICULTY] == HARDEST else RESTS_TO_LOSE
        if s[RESTS] >= most and not s[ENDING]:
            end_game(s)
            return
    at = seat_at(c, s[TURN]) + VILLAGE
    push(s, AWAKE, 0, 0, 0)
    for place in range(RESOURCES):
        resource = (JUNIPER_TOKEN, GOLD, BOWL, BELL, BARLEY)[place]
        visible = 0
        for cell in range(CELLS):
            code = s[at + cell]
            if code >= 0:
                icons = V_BACK if code & 1 else V_ICONS
                visible += c[villager_at(c, code >> 1) + icons + resource]
        push(s, RECEIVE, resource, visible, 0)


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR})")
def _begin(s, c, a):
    """Begin the chosen turn (C3)."""
    if a[TYPE] == DO_PLAY:
        _play(s, c, a)
    elif a[TYPE] == DO_REST:
        _rest(s, c)
    elif a[TYPE] == DO_ACTIVATE:
        cell = a[CELL]
        s[ACTING] = cell
        push(s, EXHAUST, cell, 0, 0)
        push_actions(s, c, s[seat_at(c, s[TURN]) + VILLAGE + cell] >> 1)


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR}, int64)")
def _trade(s, c, a, row):
    """Trade one set for another; ``row`` is the row of the effect."""
    give = get = -1
    for side in range(c[row + E_SETS], c[row + E_SETS] + c[row + E_SET_COUNT]):
        what = c[c[EFFECT_TABLE] + side * EFFECT_ROW + E_WHAT]
        if what == a[GIVE]:
            give = side
        elif what == a[GET]:
            get = side
    given, got = c[EFFECT_TABLE] + give * EFFECT_ROW, c[EFFECT_TABLE] + get * EFFECT_ROW
    if a[GIVE] == SCROLL:
        s[seat_at(c, s[TURN]) + SCROLLS] -= c[given + E_COUNT]
        s[SUPPLY] += c[given + E_COUNT]
        push(s, APPLY, c[got + E_SAME], 0, 0)
    else:
        push(s, PAY_COST, FOR_TRADE, c[given + E_SAME], c[got + E_SAME])


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR}, int64)")
def _choose_effect(s, c, a, row):
    """Apply an effect as chosen; ``row`` is its row."""
    at, deck = seat_at(c, s[TURN]), c[DECK]
    if a[TYPE] == DO_BUILD:
        code = 16 * a[BUILDING]
        if a[RETURNED] >= 0:
            code += 2 * a[RETURNED] + 2 + a[RETURNED_SPENT]
        build(s, c, code)
    elif a[TYPE] == DO_TRADE:
        _trade(s, c, a, row)
    elif a[TYPE] == DO_TAKE_BACK:
        s[at + HAND + deck + a[CARD]] -= 1
        s[at + DISCARD_COUNT] -= 1
        s[at + HAND + a[CARD]] += 1
        s[at + HAND_COUNT] += 1
    elif a[TYPE] == DO_REDRAW:
        count = 0
        for card in range(deck):
            for _ in range(a[PAYMENT + PAID_CARDS + card]):
                remove_card(s, c, at, card)
                discard(s, c, at, card)
                count += 1
        if count:
            push(s, DRAW_CARDS, count, 0, 0)
    elif a[TYPE] == DO_COPY:
        card = a[CARD]
        if card >= 0:
            push(s, RETURN_COPIED, card, 0, 0)
        else:
            card = s[seat_at(c, a[OWNER]) + VILLAGE + a[CELL]] >> 1
        push_actions(s, c, card)


@kernel(f"void({VECTOR}, int64, int64)")
def _gain_chosen(s, left, resource):
    """Gain one chosen resource, and queue the rest; juniper of a forest's reward waits (C8)."""
    if left > 1:
        push(s, RECEIVE, ANY, left - 1, 0)
    if resource == JUNIPER_TOKEN:
        for place in range(s[TASKS] - 1, -1, -1):
            at = STACK + place * TASK_SIZE
            if s[at] != RETURN_SPIRIT:
                continue
            if s[at + 2]:
                push(s, 0, 0, 0, 0)
                for above in range(s[TASKS] - 1, place, -1):
                    to = STACK + above * TASK_SIZE
                    for number in range(TASK_SIZE):
                        s[to + number] = s[to - TASK_SIZE + number]
                s[at], s[at + 1], s[at + 2], s[at + 3] = RECEIVE, resource, 1, 0
                return
            break
    push(s, RECEIVE, resource, 1, 0)


# Choices and cards ----------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {CATALOGUE}, {VECTOR})")
def _pay_cost(s, c, a):
    """Pay, and queue what is paid for, or skip it; the task is the next one."""
    top = STACK + (s[TASKS] - 1) * TASK_SIZE
    purpose, first, second = s[top + 1], s[top + 2], s[top + 3]
    pop(s)
    if a[TYPE] == DO_SKIP:
        return
    pay(s, c, s[TURN], a[PAYMENT:])
    if purpose == FOR_ACTION:
        push_effects(s, c, first)
    elif purpose == FOR_TRADE:
        push(s, APPLY, second, 0, 0)


@kernel(f"int64({VECTOR}, {CATALOGUE}, {VECTOR})")
def act(s, c, a):
    """Apply a legal choice or answer in place; return what ``advance`` returns."""
    top = STACK + (s[TASKS] - 1) * TASK_SIZE
    kind, first, second = s[top], s[top + 1], s[top + 2]
    if kind == PAY_COST:
        _pay_cost(s, c, a)
        return advance(s, c)
    seat = deciding_seat(s)
    pop(s)
    if kind == CHOOSE:
        _begin(s, c, a)
    elif kind == APPLY:
        _choose_effect(s, c, a, c[EFFECT_TABLE] + first * EFFECT_ROW)
    elif kind == RECEIVE:
        _gain_chosen(s, second, a[RESOURCE])
    elif kind == PENALTY:
        answer_penalty(s, c, first, second, a)
    elif kind == COLLECT:
        if a[TYPE] == DO_BID:
            put_bid(s, c, s[BID_COUNT], a[PAYMENT:])
            s[BID_COUNT] += 1
            push(s, COLLECT, 0, 0, 0)
    elif kind == DECIDE:
        returned = second | (1 << seat if a[TYPE] == DO_RETURN_BID else 0)
        push(s, DECIDE, first & ~(1 << seat), returned, 0)
    elif kind == PLACE_RECRUIT:
        _place(s, c, a[CARD], first)
        if not c[villager_at(c, a[CARD]) + V_RECRUITS]:
            push_actions(s, c, a[CARD])
    else:
        _place_first(s, c, a)
    return advance(s, c)


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def draw(s, c, card):
    """Draw or reveal a card in place; return what ``advance`` returns."""
    top = STACK + (s[TASKS] - 1) * TASK_SIZE
    kind, first = s[top], s[top + 1]
    pop(s)
    if kind == DRAW_CARDS:
        add_card(s, c, seat_at(c, s[TURN]), card)
        push(s, DRAW_CARDS, first - 1, 0, 0)
    elif kind == REVEAL:
        reveal(s, c, card, first > 0)
    elif kind == FILL:
        pool, kinds = pool_of(s, c, 0), c[CARDS] - c[DECK]
        if not take_known(s, c, pool, kinds, COMMONS_BELOW, c[BELOW_COMMONS]):
            s[pool + card - c[DECK]] -= 1
        s[ROW + s[ROW_COUNT]] = card
        s[ROW_COUNT] += 1
        push(s, FILL, 0, 0, 0)
    else:
        for seat in range(s[N]):
            at = seat_at(c, seat)
            if s[at + UNKNOWN_COUNT]:
                s[at + UNKNOWN_COUNT] -= 1
                s[at + HAND + card] += 1
                s[at + HAND + 2 * c[DECK] + card] -= 1
                s[at + UNSEEN_COUNT] -= 1
                break
        push(s, HANDS, 0, 0, 0)
    return advance(s, c)

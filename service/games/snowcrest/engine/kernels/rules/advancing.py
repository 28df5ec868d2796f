"""Run the tasks of a packed turn until one needs a choice or a card."""

from __future__ import annotations

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.rules.effects import (
    JUNIPER_PER_PLAYER,
    apply_effect,
    draw_cards,
    perform,
    receive,
)
from service.games.snowcrest.engine.kernels.rules.layout import (
    ACTING,
    APPLY,
    AWAKE,
    BELOW_FOREST,
    BELOW_GUARDIANS,
    BID_COUNT,
    CARDS,
    CATALOGUE,
    CELLS,
    COLLECT,
    COMMONS_BELOW,
    DECIDE,
    DECK,
    DRAW_CARDS,
    END,
    ENDING,
    EXHAUST,
    FAILED,
    FILL,
    FOR_ACTION,
    FOREST_BELOW,
    GUARDIANS_BELOW,
    HANDS,
    ITEM_KINDS,
    ITEMS,
    JUNIPER,
    MAX_TASKS,
    OVER,
    PAY_COST,
    PENALTY,
    PERFORM,
    PHASE,
    RECEIVE,
    RETURN_COPIED,
    RETURN_SPIRIT,
    REVEAL,
    ROW,
    ROW_COUNT,
    ROW_SIZE,
    S_OTHERS,
    S_OWN,
    SET_UP,
    SPIRIT_ROW,
    SPIRIT_TABLE,
    STACK,
    TAKE_OMEN,
    TASK_SIZE,
    TASKS,
    TURN,
    TURNS,
    UNKNOWN_COUNT,
    VECTOR,
    VILLAGE,
    N,
)
from service.games.snowcrest.engine.kernels.rules.payments import compare_bids, resolve_meditation
from service.games.snowcrest.engine.kernels.rules.positions import (
    claim_challenges,
    pool_of,
    pop,
    push,
    put_under_pile,
    seat_at,
    take_omen,
)

CHOICE, CHANCE, COMPLETE, TOO_LARGE = range(4)
"""What a turn needs next; ``TOO_LARGE`` if the position has no room for its tasks."""


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64, int64)")
def _begin_penalty(s, c, seat, card):
    """Put the items of a penalty into ``ITEMS``; false if there are none."""
    row, some = c[SPIRIT_TABLE] + (card - c[CARDS]) * SPIRIT_ROW, False
    row += S_OWN if seat == s[TURN] else S_OTHERS
    for item in range(ITEM_KINDS):
        s[ITEMS + item] = c[row + item]
        some |= c[row + item] > 0
    return some


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, boolean)")
def _return_spirit(s, c, card, forest):
    """Put a card under its pile, where it is known; after a forest card, refill the forest."""
    s[pool_of(s, c, 1) + card - c[CARDS]] -= 1
    if forest:
        s[c[BELOW_FOREST] + s[FOREST_BELOW]] = card
        s[FOREST_BELOW] += 1
        s[JUNIPER] = JUNIPER_PER_PLAYER * s[N]
    else:
        s[c[BELOW_GUARDIANS] + s[GUARDIANS_BELOW]] = card
        s[GUARDIANS_BELOW] += 1


@kernel(f"void({VECTOR}, int64)")
def remove_from_row(s, card):
    """Remove the first copy of a common from the row."""
    for place in range(s[ROW_COUNT]):
        if s[ROW + place] == card:
            for after in range(place, s[ROW_COUNT] - 1):
                s[ROW + after] = s[ROW + after + 1]
            s[ROW_COUNT] -= 1
            s[ROW + s[ROW_COUNT]] = 0
            return


@kernel(f"void({VECTOR})")
def end_game(s):
    """End the game and drop all tasks."""
    s[PHASE] = OVER
    s[STACK : STACK + TASK_SIZE * MAX_TASKS] = 0
    s[TASKS] = 0


@kernel(f"void({VECTOR}, {CATALOGUE})")
def _end_turn(s, c):
    s[TURN] = (s[TURN] + 1) % s[N]
    if s[TURN]:
        return
    if s[PHASE] == SET_UP:
        s[PHASE] = TURNS
    elif s[ENDING]:
        if s[N] == 1:
            end_game(s)
        else:
            push(s, HANDS, 0, 0, 0)


@kernel(f"boolean({VECTOR}, {CATALOGUE})")
def needs_common(s, c):
    """Whether the row is short and the pile of commons has a card (C18)."""
    if s[ROW_COUNT] >= ROW_SIZE:
        return False
    if s[COMMONS_BELOW] > 0:
        return True
    pool = pool_of(s, c, 0)
    left = 0
    for card in range(c[CARDS] - c[DECK]):
        left += s[pool + card]
    return left > 0


@kernel(f"int64({VECTOR}, {CATALOGUE})")
def advance(s, c):
    """Run tasks in place until one needs a choice or a card, or the turn is complete.

    Returns:
        ``CHOICE``, ``CHANCE``, ``COMPLETE`` or ``TOO_LARGE``.
    """
    while s[TASKS] > 0:
        if s[FAILED]:
            return TOO_LARGE
        top = STACK + (s[TASKS] - 1) * TASK_SIZE
        kind, first, second, third = s[top], s[top + 1], s[top + 2], s[top + 3]
        # A card or a trade and its payment count as one action.
        if kind != HANDS and (kind != PAY_COST or first == FOR_ACTION):
            claim_challenges(s, c)
        if kind == PERFORM:
            perform(s, c, first)
        elif kind == APPLY:
            if not apply_effect(s, c, first):
                return CHOICE
        elif kind == RECEIVE:
            if not receive(s, c, first, second):
                return CHOICE
        elif kind == DRAW_CARDS:
            if not draw_cards(s, c, first):
                return CHANCE
        elif kind == TAKE_OMEN:
            pop(s)
            take_omen(s, c, first, second)
        elif kind == PENALTY:
            if third or _begin_penalty(s, c, first, second):
                s[top + 3] = 1
                return CHOICE
            pop(s)
        elif kind == RETURN_SPIRIT:
            pop(s)
            _return_spirit(s, c, first, second > 0)
        elif kind == COLLECT:
            if s[BID_COUNT] < s[N]:
                return CHOICE
            pop(s)
            compare_bids(s, c)
        elif kind == DECIDE:
            if first:
                return CHOICE
            pop(s)
            resolve_meditation(s, c, second)
        elif kind == RETURN_COPIED:
            pop(s)
            remove_from_row(s, first)
            put_under_pile(s, c, first)
        elif kind == EXHAUST:
            pop(s)
            s[ACTING] = -1
            s[seat_at(c, s[TURN]) + VILLAGE + first] |= 1
        elif kind == AWAKE:
            pop(s)
            at = seat_at(c, s[TURN]) + VILLAGE
            for cell in range(CELLS):
                if s[at + cell] >= 0:
                    s[at + cell] &= ~1
        elif kind == FILL:
            if needs_common(s, c):
                return CHANCE
            pop(s)
        elif kind == END:
            pop(s)
            _end_turn(s, c)
        elif kind == HANDS:
            for seat in range(s[N]):
                if s[seat_at(c, seat) + UNKNOWN_COUNT]:
                    return CHANCE
            end_game(s)
        elif kind == REVEAL:
            return CHANCE
        else:
            return CHOICE
    return TOO_LARGE if s[FAILED] else COMPLETE

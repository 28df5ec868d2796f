"""Run the tasks of a packed turn until one needs a choice or a card."""

from __future__ import annotations

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.rules import effects, layout, payments, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

CHOICE, CHANCE, COMPLETE, TOO_LARGE = range(4)
"""What a turn needs next; ``TOO_LARGE`` if the position has no room for its tasks."""


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64, int64)")
def _begin_penalty(s, c, seat, card):
    """Put the items of a penalty into ``ITEMS``; false if there are none."""
    row, some = positions.spirit_at(c, card), False
    row += layout.S_OWN if seat == s[layout.TURN] else layout.S_OTHERS
    for item in range(layout.ITEM_KINDS):
        s[layout.ITEMS + item] = c[row + item]
        some |= c[row + item] > 0
    return some


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, boolean)")
def _return_spirit(s, c, card, forest):
    """Put a card under its pile, where it is known; after a forest card, refill the forest."""
    s[positions.unseen_at(c, card)] -= 1
    positions.put_under(s, c, layout.FOREST_PILE if forest else layout.GUARDIAN_PILE, card)
    if forest:
        s[layout.JUNIPER] = effects.JUNIPER_PER_PLAYER * s[layout.N]


@kernel(f"void({VECTOR}, int64)")
def remove_from_row(s, card):
    """Remove the first copy of a common from the row."""
    for place in range(s[layout.ROW_COUNT]):
        if s[layout.ROW + place] == card:
            for after in range(place, s[layout.ROW_COUNT] - 1):
                s[layout.ROW + after] = s[layout.ROW + after + 1]
            s[layout.ROW_COUNT] -= 1
            s[layout.ROW + s[layout.ROW_COUNT]] = 0
            return


@kernel(f"void({VECTOR})")
def end_game(s):
    """End the game and drop all tasks."""
    s[layout.PHASE] = layout.OVER
    s[layout.STACK : layout.STACK + layout.TASK_SIZE * layout.MAX_TASKS] = 0
    s[layout.TASKS] = 0


@kernel(f"void({VECTOR}, {CATALOGUE})")
def _end_turn(s, c):
    s[layout.TURN] = (s[layout.TURN] + 1) % s[layout.N]
    if s[layout.TURN]:
        return
    if s[layout.PHASE] == layout.SET_UP:
        s[layout.PHASE] = layout.TURNS
    elif s[layout.ENDING]:
        if s[layout.N] == 1:
            end_game(s)
        else:
            positions.push(s, layout.HANDS, 0, 0, 0)


@kernel(f"boolean({VECTOR}, {CATALOGUE})")
def needs_common(s, c):
    """Whether the row is short and the pile of commons has a card (C18)."""
    if s[layout.ROW_COUNT] >= layout.ROW_SIZE:
        return False
    return s[layout.COMMONS_BELOW] > 0 or positions.unseen_in_pile(s, c, layout.COMMONS) > 0


@kernel(f"int64({VECTOR}, {CATALOGUE})")
def advance(s, c):
    """Run tasks in place until one needs a choice or a card, or the turn is complete.

    Returns:
        ``CHOICE``, ``CHANCE``, ``COMPLETE`` or ``TOO_LARGE``.
    """
    while s[layout.TASKS] > 0:
        if s[layout.FAILED]:
            return TOO_LARGE
        top = positions.next_task(s)
        kind, first, second, third = s[top], s[top + 1], s[top + 2], s[top + 3]
        # A card or a trade and its payment count as one action, and so do all parts of a cost.
        part = kind == layout.PAY_COST and first != layout.FOR_ACTION
        if kind != layout.HANDS and not part and not (kind == layout.PENALTY and second < 0):
            positions.claim_challenges(s, c)
        if kind in (
            layout.TAKE_OMEN, layout.RETURN_SPIRIT, layout.RETURN_COPIED, layout.EXHAUST,
            layout.AWAKE, layout.END,
        ):  # fmt: skip
            positions.pop(s)  # Nothing else is needed.
        if kind == layout.PERFORM:
            effects.perform(s, c, first)
        elif kind == layout.APPLY:
            if not effects.apply_effect(s, c, first):
                return CHOICE
        elif kind == layout.RECEIVE:
            if not effects.receive(s, c, first, second):
                return CHOICE
        elif kind == layout.DRAW_CARDS:
            if not effects.draw_cards(s, c, first):
                return CHANCE
        elif kind == layout.TAKE_OMEN:
            positions.take_omen(s, c, first, second)
        elif kind == layout.PENALTY:
            if third:
                return CHOICE
            if _begin_penalty(s, c, first, second):
                s[top + 3] = 1
                return CHOICE
            positions.pop(s)
        elif kind == layout.RETURN_SPIRIT:
            _return_spirit(s, c, first, second > 0)
        elif kind == layout.COLLECT:
            if s[layout.BID_COUNT] < s[layout.N]:
                return CHOICE
            positions.pop(s)
            payments.compare_bids(s, c)
        elif kind == layout.DECIDE:
            if first:
                return CHOICE
            positions.pop(s)
            payments.resolve_meditation(s, c, second)
        elif kind == layout.RETURN_COPIED:
            remove_from_row(s, first)
            positions.put_under(s, c, layout.COMMONS, first)
        elif kind == layout.EXHAUST:
            s[layout.ACTING] = -1
            s[positions.seat_at(c, s[layout.TURN]) + layout.VILLAGE + first] |= 1
        elif kind == layout.AWAKE:
            at = positions.seat_at(c, s[layout.TURN]) + layout.VILLAGE
            for cell in range(layout.CELLS):
                if s[at + cell] >= 0:
                    s[at + cell] &= ~1
        elif kind == layout.FILL:
            if needs_common(s, c):
                return CHANCE
            positions.pop(s)
        elif kind == layout.END:
            _end_turn(s, c)
        elif kind == layout.HANDS:
            for seat in range(s[layout.N]):
                if s[positions.seat_at(c, seat) + layout.UNKNOWN_COUNT]:
                    return CHANCE
            end_game(s)
        elif kind == layout.REVEAL:
            return CHANCE
        else:
            return CHOICE
    return TOO_LARGE if s[layout.FAILED] else COMPLETE

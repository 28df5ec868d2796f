"""Queries of packed positions, and the small steps that several rules share."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.rules import layout
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

MAX_OMEN = 5
SLOTS = 8
LIMITS = np.array([21, 16, 16], np.int64)
"""Buildings of each kind in the game (C21)."""
LINES = np.array([0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.int64)
"""Rows, columns and diagonals as sets of cells."""
BY_BUILDINGS, BY_RESOURCES, BY_SCROLLS, BY_OMEN, _, BY_EXHAUSTED, BY_ROWS, BY_HAND = range(8)
"""Kinds of conditions; the one left out is that of villagers."""


# Queries --------------------------------------------------------------------------------------


@kernel(f"int64({CATALOGUE}, int64)")
def seat_at(c, seat):
    """Return the offset of a seat."""
    return layout.SEATS + seat * c[layout.SEAT_SIZE]


@kernel(f"int64({CATALOGUE}, int64)")
def villager_at(c, card):
    """Return the offset of the row of a villager."""
    return c[layout.VILLAGER_TABLE] + card * layout.VILLAGER_ROW


@kernel(f"int64({VECTOR}, int64)")
def building_count(s, at):
    """Return the number of buildings of the seat at an offset."""
    total = 0
    for kind in range(layout.BUILDINGS):
        total += s[at + layout.UP + kind] + s[at + layout.SPENT + kind]
    return total


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def available_buildings(s, c, kind):
    """Return how many buildings of a kind are on the board (C21)."""
    left = LIMITS[kind]
    for seat in range(s[layout.N]):
        at = seat_at(c, seat)
        left -= s[at + layout.UP + kind] + s[at + layout.SPENT + kind]
    return left


@kernel(f"int64({VECTOR}, int64)")
def exhausted_cells(s, at):
    """Return the exhausted cells of the seat at an offset as a set."""
    cells = 0
    for cell in range(layout.CELLS):
        code = s[at + layout.VILLAGE + cell]
        if code >= 0 and code & 1:
            cells |= 1 << cell
    return cells


@kernel("int64(int64)")
def full_lines(cells):
    """Return how many lines a set of cells contains (C3)."""
    count = 0
    for line in LINES:
        if cells & line == line:
            count += 1
    return count


@kernel(f"int64({VECTOR}, int64)")
def pile_size(s, at):
    """Return the number of cards in the pile of the seat at an offset."""
    return s[at + layout.UNSEEN_COUNT] - s[at + layout.UNKNOWN_COUNT]


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64, int64)")
def condition_value(s, c, at, row):
    """Return the count that the condition at an offset compares."""
    kind, of = c[row + layout.C_KIND], c[row + layout.C_OF]
    if kind == BY_BUILDINGS:
        if of < 0:
            return building_count(s, at)
        return int(s[at + layout.UP + of]) + s[at + layout.SPENT + of]
    if kind == BY_RESOURCES:
        if of >= 0:
            return int(s[at + layout.TOKENS + of])
        total = 0
        for resource in range(layout.RESOURCES):
            total += s[at + layout.TOKENS + resource]
        return total
    if kind == BY_SCROLLS:
        return int(s[at + layout.SCROLLS])
    if kind == BY_OMEN:
        return int(s[at + layout.OMEN])
    if kind == BY_HAND:
        return int(s[at + layout.HAND_COUNT])
    if kind == BY_ROWS:
        return full_lines(exhausted_cells(s, at))
    total = 0
    for cell in range(layout.CELLS):
        code = s[at + layout.VILLAGE + cell]
        if code < 0:
            continue
        if kind == BY_EXHAUSTED:
            total += code & 1
        elif of < 0 or c[villager_at(c, code >> 1) + layout.V_KIND] == of:
            total += 1
    return total


# Copies -------------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {VECTOR})")
def copy_vector(source, target):
    """Copy a vector; to assign it as an array, references would have to be counted."""
    for place in range(len(source)):
        target[place] = source[place]


# Tasks ----------------------------------------------------------------------------------------


@kernel(f"void({VECTOR}, int64, int64, int64, int64)")
def push(s, kind, first, second, third):
    """Put a task before all others."""
    if s[layout.TASKS] >= layout.MAX_TASKS:
        s[layout.FAILED] = 1
        return
    at = layout.STACK + s[layout.TASKS] * layout.TASK_SIZE
    s[at], s[at + 1], s[at + 2], s[at + 3] = kind, first, second, third
    s[layout.TASKS] += 1


@kernel(f"void({VECTOR})")
def pop(s):
    """Remove the next task."""
    s[layout.TASKS] -= 1
    at = layout.STACK + s[layout.TASKS] * layout.TASK_SIZE
    s[at : at + layout.TASK_SIZE] = 0


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def push_actions(s, c, card):
    """Queue the actions of a villager."""
    row = villager_at(c, card)
    for number in range(c[row + layout.V_ACTION_COUNT] - 1, -1, -1):
        action = c[row + layout.V_ACTIONS] + number
        push(
            s,
            layout.PERFORM,
            c[c[layout.ACTION_TABLE] + action * layout.ACTION_ROW + layout.A_SAME],
            0,
            0,
        )


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def push_effects(s, c, action):
    """Queue the effects of an action."""
    row = c[layout.ACTION_TABLE] + action * layout.ACTION_ROW
    for number in range(c[row + layout.A_EFFECT_COUNT] - 1, -1, -1):
        effect = c[row + layout.A_EFFECTS] + number
        push(
            s,
            layout.APPLY,
            c[c[layout.EFFECT_TABLE] + effect * layout.EFFECT_ROW + layout.E_SAME],
            0,
            0,
        )


# Steps ----------------------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def gain_scrolls(s, c, seat, count):
    """Give a seat scrolls; once the supply is empty they come from the reserve (C9)."""
    s[seat_at(c, seat) + layout.SCROLLS] += count
    s[layout.SUPPLY] = max(0, s[layout.SUPPLY] - count)
    if s[layout.SUPPLY] == 0:
        s[layout.ENDING] = 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def take_omen(s, c, seat, count):
    """Move a seat's omen marker down; omen beyond the end of the track becomes tokens (C7)."""
    at = seat_at(c, seat)
    omen = max(-MAX_OMEN, s[at + layout.OMEN] - count)
    s[at + layout.OMEN_TOKENS] += count - (s[at + layout.OMEN] - omen)
    s[at + layout.OMEN] = omen


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def add_card(s, c, at, card):
    """Give the seat at an offset a card from its pile; an unknown one stays unseen."""
    s[at + layout.HAND_COUNT] += 1
    if card == layout.UNKNOWN:
        s[at + layout.UNKNOWN_COUNT] += 1
        return
    s[at + layout.HAND + card] += 1
    s[at + layout.HAND + 2 * c[layout.DECK] + card] -= 1
    s[at + layout.UNSEEN_COUNT] -= 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def remove_card(s, c, at, card):
    """Take a card from a hand: this card, else an unknown one (C12)."""
    s[at + layout.HAND_COUNT] -= 1
    if s[at + layout.HAND + card] > 0:
        s[at + layout.HAND + card] -= 1
        return
    s[at + layout.UNKNOWN_COUNT] -= 1
    s[at + layout.HAND + 2 * c[layout.DECK] + card] -= 1
    s[at + layout.UNSEEN_COUNT] -= 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def discard(s, c, at, card):
    """Add a card to the discards of the seat at an offset."""
    s[at + layout.HAND + c[layout.DECK] + card] += 1
    s[at + layout.DISCARD_COUNT] += 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def put_under_pile(s, c, card):
    """Put a common under the pile of commons, where it is known (C12)."""
    s[c[layout.BELOW_COMMONS] + s[layout.COMMONS_BELOW]] = card
    s[layout.COMMONS_BELOW] += 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def remove_villager(s, c, seat, cell):
    """Remove a villager: a common goes under its pile, others to the owner's discards."""
    at = seat_at(c, seat)
    card = s[at + layout.VILLAGE + cell] >> 1
    s[at + layout.VILLAGE + cell] = -1
    if card < c[layout.DECK]:
        discard(s, c, at, card)
    else:
        put_under_pile(s, c, card)


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def pool_of(s, c, kind):
    """Return the offset of the unseen copies: commons 0, guardians 1, forest cards 2."""
    at = c[layout.POOLS]
    if kind > 0:
        at += c[layout.CARDS] - c[layout.DECK]
    return at + c[layout.GUARDIANS] if kind > 1 else at


@kernel(f"void({VECTOR}, {CATALOGUE})")
def claim_challenges(s, c):
    """Claim every challenge that the active player meets, in printed order (C10)."""
    if s[layout.PHASE] != layout.TURNS:
        return
    at, again = seat_at(c, s[layout.TURN]), True
    while again:
        again = False
        for place in range(s[layout.CHALLENGES]):
            posted = layout.CHALLENGE + 2 * place
            if s[posted + 1] >= 0:
                continue
            row, met = c[layout.CHALLENGE_TABLE] + s[posted] * layout.CHALLENGE_ROW, True
            for number in range(c[row + layout.H_CONDITION_COUNT]):
                condition = (
                    c[layout.CONDITION_TABLE]
                    + (c[row + layout.H_CONDITIONS] + number) * layout.CONDITION_ROW
                )
                count = condition_value(s, c, at, condition)
                least, most = c[condition + layout.C_AT_LEAST], c[condition + layout.C_AT_MOST]
                if not least <= count <= most:
                    met = False
                    break
            if met:
                s[posted + 1] = s[layout.TURN]
                gain_scrolls(s, c, s[layout.TURN], c[row + layout.H_SCROLLS])
                again = True
                break

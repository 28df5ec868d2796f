"""Queries of packed positions, and the small steps that several rules share."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.rules.layout import (
    A_EFFECT_COUNT,
    A_EFFECTS,
    A_SAME,
    ACTION_ROW,
    ACTION_TABLE,
    APPLY,
    BELOW_COMMONS,
    BUILDINGS,
    C_AT_LEAST,
    C_KIND,
    C_OF,
    CARDS,
    CATALOGUE,
    CELLS,
    CHALLENGE,
    CHALLENGE_ROW,
    CHALLENGE_TABLE,
    CHALLENGES,
    COMMONS_BELOW,
    CONDITION_ROW,
    CONDITION_TABLE,
    DECK,
    DISCARD_COUNT,
    E_SAME,
    EFFECT_ROW,
    EFFECT_TABLE,
    ENDING,
    FAILED,
    GUARDIANS,
    H_CONDITION_COUNT,
    H_CONDITIONS,
    H_SCROLLS,
    HAND,
    HAND_COUNT,
    MAX_TASKS,
    OMEN,
    OMEN_TOKENS,
    PERFORM,
    PHASE,
    POOLS,
    RESOURCES,
    SCROLLS,
    SEAT_SIZE,
    SEATS,
    SPENT,
    STACK,
    SUPPLY,
    TASK_SIZE,
    TASKS,
    TOKENS,
    TURN,
    TURNS,
    UNKNOWN,
    UNKNOWN_COUNT,
    UNSEEN_COUNT,
    UP,
    V_ACTION_COUNT,
    V_ACTIONS,
    V_KIND,
    VECTOR,
    VILLAGE,
    VILLAGER_ROW,
    VILLAGER_TABLE,
    N,
)

MAX_OMEN = 5
SLOTS = 8
LIMITS = np.array([21, 16, 16], np.int64)
"""Buildings of each kind in the game (C21)."""
LINES = np.array([0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.int64)
"""Rows, columns and diagonals as sets of cells."""
(BY_BUILDINGS, BY_RESOURCES, BY_SCROLLS, BY_OMEN, BY_VILLAGERS, BY_EXHAUSTED, BY_ROWS, BY_HAND) = (
    range(8)
)
"""Kinds of conditions."""


# Queries --------------------------------------------------------------------------------------


@kernel(f"int64({CATALOGUE}, int64)")
def seat_at(c, seat):
    """Return the offset of a seat."""
    return SEATS + seat * c[SEAT_SIZE]


@kernel(f"int64({CATALOGUE}, int64)")
def villager_at(c, card):
    """Return the offset of the row of a villager."""
    return c[VILLAGER_TABLE] + card * VILLAGER_ROW


@kernel(f"int64({VECTOR}, int64)")
def building_count(s, at):
    """Return the number of buildings of the seat at an offset."""
    total = 0
    for kind in range(BUILDINGS):
        total += s[at + UP + kind] + s[at + SPENT + kind]
    return total


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def available_buildings(s, c, kind):
    """Return how many buildings of a kind are on the board (C21)."""
    left = LIMITS[kind]
    for seat in range(s[N]):
        at = seat_at(c, seat)
        left -= s[at + UP + kind] + s[at + SPENT + kind]
    return left


@kernel(f"int64({VECTOR}, int64)")
def exhausted_cells(s, at):
    """Return the exhausted cells of the seat at an offset as a set."""
    cells = 0
    for cell in range(CELLS):
        code = s[at + VILLAGE + cell]
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
    return s[at + UNSEEN_COUNT] - s[at + UNKNOWN_COUNT]


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64, int64)")
def condition_value(s, c, at, row):
    """Return the count that the condition at an offset compares."""
    kind, of = c[row + C_KIND], c[row + C_OF]
    if kind == BY_BUILDINGS:
        if of < 0:
            return building_count(s, at)
        return int(s[at + UP + of]) + s[at + SPENT + of]
    if kind == BY_RESOURCES:
        if of >= 0:
            return int(s[at + TOKENS + of])
        total = 0
        for resource in range(RESOURCES):
            total += s[at + TOKENS + resource]
        return total
    if kind == BY_SCROLLS:
        return int(s[at + SCROLLS])
    if kind == BY_OMEN:
        return int(s[at + OMEN])
    if kind == BY_HAND:
        return int(s[at + HAND_COUNT])
    if kind == BY_ROWS:
        return full_lines(exhausted_cells(s, at))
    total = 0
    for cell in range(CELLS):
        code = s[at + VILLAGE + cell]
        if code < 0:
            continue
        if kind == BY_EXHAUSTED:
            total += code & 1
        elif of < 0 or c[villager_at(c, code >> 1) + V_KIND] == of:
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
    if s[TASKS] >= MAX_TASKS:
        s[FAILED] = 1
        return
    at = STACK + s[TASKS] * TASK_SIZE
    s[at], s[at + 1], s[at + 2], s[at + 3] = kind, first, second, third
    s[TASKS] += 1


@kernel(f"void({VECTOR})")
def pop(s):
    """Remove the next task."""
    s[TASKS] -= 1
    at = STACK + s[TASKS] * TASK_SIZE
    s[at : at + TASK_SIZE] = 0


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def push_actions(s, c, card):
    """Queue the actions of a villager."""
    row = villager_at(c, card)
    for number in range(c[row + V_ACTION_COUNT] - 1, -1, -1):
        action = c[row + V_ACTIONS] + number
        push(s, PERFORM, c[c[ACTION_TABLE] + action * ACTION_ROW + A_SAME], 0, 0)


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def push_effects(s, c, action):
    """Queue the effects of an action."""
    row = c[ACTION_TABLE] + action * ACTION_ROW
    for number in range(c[row + A_EFFECT_COUNT] - 1, -1, -1):
        effect = c[row + A_EFFECTS] + number
        push(s, APPLY, c[c[EFFECT_TABLE] + effect * EFFECT_ROW + E_SAME], 0, 0)


# Steps ----------------------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def gain_scrolls(s, c, seat, count):
    """Give a seat scrolls; once the supply is empty they come from the reserve (C9)."""
    s[seat_at(c, seat) + SCROLLS] += count
    s[SUPPLY] = max(0, s[SUPPLY] - count)
    if s[SUPPLY] == 0:
        s[ENDING] = 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def take_omen(s, c, seat, count):
    """Move a seat's omen marker down; omen beyond the end of the track becomes tokens (C7)."""
    at = seat_at(c, seat)
    omen = max(-MAX_OMEN, s[at + OMEN] - count)
    s[at + OMEN_TOKENS] += count - (s[at + OMEN] - omen)
    s[at + OMEN] = omen


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def add_card(s, c, at, card):
    """Give the seat at an offset a card from its pile; an unknown one stays unseen."""
    s[at + HAND_COUNT] += 1
    if card == UNKNOWN:
        s[at + UNKNOWN_COUNT] += 1
        return
    s[at + HAND + card] += 1
    s[at + HAND + 2 * c[DECK] + card] -= 1
    s[at + UNSEEN_COUNT] -= 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def remove_card(s, c, at, card):
    """Take a card from a hand: this card, else an unknown one (C12)."""
    s[at + HAND_COUNT] -= 1
    if s[at + HAND + card] > 0:
        s[at + HAND + card] -= 1
        return
    s[at + UNKNOWN_COUNT] -= 1
    s[at + HAND + 2 * c[DECK] + card] -= 1
    s[at + UNSEEN_COUNT] -= 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def discard(s, c, at, card):
    """Add a card to the discards of the seat at an offset."""
    s[at + HAND + c[DECK] + card] += 1
    s[at + DISCARD_COUNT] += 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def put_under_pile(s, c, card):
    """Put a common under the pile of commons, where it is known (C12)."""
    s[c[BELOW_COMMONS] + s[COMMONS_BELOW]] = card
    s[COMMONS_BELOW] += 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def remove_villager(s, c, seat, cell):
    """Remove a villager: a common goes under its pile, others to the owner's discards."""
    at = seat_at(c, seat)
    card = s[at + VILLAGE + cell] >> 1
    s[at + VILLAGE + cell] = -1
    if card < c[DECK]:
        discard(s, c, at, card)
    else:
        put_under_pile(s, c, card)


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def pool_of(s, c, kind):
    """Return the offset of the unseen copies: commons 0, guardians 1, forest cards 2."""
    at = c[POOLS]
    if kind > 0:
        at += c[CARDS] - c[DECK]
    return at + c[GUARDIANS] if kind > 1 else at


@kernel(f"void({VECTOR}, {CATALOGUE})")
def claim_challenges(s, c):
    """Claim every challenge that the active player meets, in printed order (C10)."""
    if s[PHASE] != TURNS:
        return
    at, again = seat_at(c, s[TURN]), True
    while again:
        again = False
        for place in range(s[CHALLENGES]):
            posted = CHALLENGE + 2 * place
            if s[posted + 1] >= 0:
                continue
            row, met = c[CHALLENGE_TABLE] + s[posted] * CHALLENGE_ROW, True
            for number in range(c[row + H_CONDITION_COUNT]):
                condition = c[CONDITION_TABLE] + (c[row + H_CONDITIONS] + number) * CONDITION_ROW
                if condition_value(s, c, at, condition) < c[condition + C_AT_LEAST]:
                    met = False
                    break
            if met:
                s[posted + 1] = s[TURN]
                gain_scrolls(s, c, s[TURN], c[row + H_SCROLLS])
                again = True
                break

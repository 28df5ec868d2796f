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


@kernel(f"int64({CATALOGUE}, int64)")
def action_at(c, action):
    """Return the offset of the row of an action of a villager."""
    return c[layout.ACTION_TABLE] + action * layout.ACTION_ROW


@kernel(f"int64({CATALOGUE}, int64)")
def effect_at(c, effect):
    """Return the offset of the row of an effect."""
    return c[layout.EFFECT_TABLE] + effect * layout.EFFECT_ROW


@kernel(f"int64({CATALOGUE}, int64)")
def spirit_at(c, card):
    """Return the offset of the row of a guardian or forest card."""
    return c[layout.SPIRIT_TABLE] + (card - c[layout.CARDS]) * layout.SPIRIT_ROW


@kernel(f"int64({CATALOGUE}, int64)")
def challenge_at(c, challenge):
    """Return the offset of the row of a challenge."""
    return c[layout.CHALLENGE_TABLE] + challenge * layout.CHALLENGE_ROW


@kernel(f"int64({CATALOGUE}, int64)")
def condition_at(c, condition):
    """Return the offset of the row of a condition of a challenge."""
    return c[layout.CONDITION_TABLE] + condition * layout.CONDITION_ROW


@kernel(f"int64({VECTOR})")
def next_task(s):
    """Return the offset of the next task."""
    return layout.STACK + (s[layout.TASKS] - 1) * layout.TASK_SIZE


@kernel(f"int64({VECTOR}, int64, int64)")
def face_up(s, at, cell):
    """Return the villager in a cell of the seat at an offset; -1 if none is there face up."""
    code = s[at + layout.VILLAGE + cell]
    return -1 if code < 0 or code & 1 else code >> 1


@kernel(f"int64({VECTOR}, int64)")
def building_count(s, at):
    """Return the number of buildings of the seat at an offset."""
    return s[at + layout.UP : at + layout.SPENT + layout.BUILDINGS].sum()


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def available_buildings(s, c, kind):
    """Return how many buildings of a kind are on the board (C21)."""
    left = LIMITS[kind]
    for seat in range(s[layout.N]):
        at = seat_at(c, seat)
        left -= s[at + layout.UP + kind] + s[at + layout.SPENT + kind]
    return left


@kernel(f"int64({VECTOR}, int64)")
def acting_cell(s, seat):
    """Return the cell of a seat's villager who acts, and thus pays nothing; -1 if none does."""
    return s[layout.ACTING] if seat == s[layout.TURN] else -1


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64, int64)")
def shown_by_unseen(s, c, at, resource):
    """Return how many icons of a resource the unseen cards of the seat at an offset show."""
    total = 0
    for card in range(c[layout.DECK]):
        copies = s[at + layout.HAND + 2 * c[layout.DECK] + card]
        total += copies * c[villager_at(c, card) + layout.V_ICONS + resource]
    return total


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


@kernel(f"boolean({VECTOR}, int64)")
def is_first_in_row(s, place):
    """Whether no earlier place of the row has the same card."""
    first = True
    for before in range(place):
        first &= s[layout.ROW + before] != s[layout.ROW + place]
    return first


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64, int64)")
def condition_value(s, c, at, row):
    """Return the count that the condition at an offset compares."""
    kind, of, total = c[row + layout.C_KIND], c[row + layout.C_OF], 0
    if kind == BY_BUILDINGS:
        for building in range(layout.BUILDINGS):
            if of in (building, -1):
                total += s[at + layout.UP + building] + s[at + layout.SPENT + building]
        return total
    if kind == BY_RESOURCES:
        for resource in range(layout.RESOURCES):
            if of in (resource, -1):
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
    for cell in range(layout.CELLS):
        code = s[at + layout.VILLAGE + cell]
        if code < 0:
            continue
        if kind == BY_EXHAUSTED:
            total += code & 1
        elif of < 0 or c[villager_at(c, code >> 1) + layout.V_KIND] == of:
            total += 1
    return total


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64, int64)")
def meets_challenge(s, c, at, row):
    """Whether the seat at an offset meets the challenge at an offset (C10)."""
    for number in range(c[row + layout.H_CONDITION_COUNT]):
        condition = condition_at(c, c[row + layout.H_CONDITIONS] + number)
        least, most = c[condition + layout.C_AT_LEAST], c[condition + layout.C_AT_MOST]
        if not least <= condition_value(s, c, at, condition) <= most:
            return False
    return True


# Copies ---------------------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {VECTOR})")
def copy_vector(source, target):
    """Copy a vector; to assign it as an array, references would have to be counted."""
    for place in range(len(source)):
        target[place] = source[place]


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, {VECTOR})")
def observe(s, c, player, out):
    """Fill in the position as a player sees it: the other hands are unknown (C12)."""
    copy_vector(s, out)
    for seat in range(s[layout.N]):
        if seat == player:
            continue
        at = seat_at(c, seat)
        out[at + layout.UNKNOWN_COUNT] = s[at + layout.HAND_COUNT]
        out[at + layout.UNSEEN_COUNT] += s[at + layout.HAND_COUNT] - s[at + layout.UNKNOWN_COUNT]
        for card in range(c[layout.DECK]):
            out[at + layout.HAND + 2 * c[layout.DECK] + card] += s[at + layout.HAND + card]
            out[at + layout.HAND + card] = 0


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
    at = next_task(s)
    s[at : at + layout.TASK_SIZE] = 0
    s[layout.TASKS] -= 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def push_actions(s, c, card):
    """Queue the actions of a villager."""
    row = villager_at(c, card)
    for number in range(c[row + layout.V_ACTION_COUNT] - 1, -1, -1):
        action = c[row + layout.V_ACTIONS] + number
        push(s, layout.PERFORM, c[action_at(c, action) + layout.A_SAME], 0, 0)


@kernel(f"void({VECTOR}, {CATALOGUE}, int64)")
def push_effects(s, c, action):
    """Queue the effects of an action."""
    row = action_at(c, action)
    for number in range(c[row + layout.A_EFFECT_COUNT] - 1, -1, -1):
        effect = c[row + layout.A_EFFECTS] + number
        push(s, layout.APPLY, c[effect_at(c, effect) + layout.E_SAME], 0, 0)


# Piles ----------------------------------------------------------------------------------------


@kernel(f"int64({CATALOGUE}, int64)")
def first_of_pile(c, pile):
    """Return the first card of a pile; that of the pile after the last one ends the last one."""
    first = c[layout.CARDS] if pile > layout.COMMONS else c[layout.DECK]
    first += c[layout.GUARDIANS] if pile > layout.GUARDIAN_PILE else 0
    return first + (c[layout.FOREST] if pile > layout.FOREST_PILE else 0)


@kernel(f"int64({CATALOGUE}, int64)")
def unseen_at(c, card):
    """Return the offset of the unseen copies of a card of a pile."""
    return c[layout.POOLS] + card - c[layout.DECK]


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64)")
def unseen_in_pile(s, c, pile):
    """Return the number of unseen cards of a pile."""
    total = 0
    for card in range(first_of_pile(c, pile), first_of_pile(c, pile + 1)):
        total += s[unseen_at(c, card)]
    return total


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def take_known(s, c, pile):
    """Remove the top card of a pile if no card of it is unknown; false if one is."""
    if unseen_in_pile(s, c, pile):
        return False
    first, count_at = c[layout.BELOW_COMMONS + pile], layout.COMMONS_BELOW + pile
    s[count_at] -= 1
    for place in range(s[count_at]):
        s[first + place] = s[first + place + 1]
    s[first + s[count_at]] = 0
    return True


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def put_under(s, c, pile, card):
    """Put a card under a pile, where it is known (C12)."""
    s[c[layout.BELOW_COMMONS + pile] + s[layout.COMMONS_BELOW + pile]] = card
    s[layout.COMMONS_BELOW + pile] += 1


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


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64, int64)")
def show_card(s, c, at, card, count):
    """Make unknown hand cards of the seat at an offset known."""
    s[at + layout.HAND + card] += count
    s[at + layout.UNKNOWN_COUNT] -= count
    s[at + layout.HAND + 2 * c[layout.DECK] + card] -= count
    s[at + layout.UNSEEN_COUNT] -= count


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def add_card(s, c, at, card):
    """Give the seat at an offset a card from its pile; an unknown one stays unseen."""
    s[at + layout.HAND_COUNT] += 1
    s[at + layout.UNKNOWN_COUNT] += 1
    if card != layout.UNKNOWN:
        show_card(s, c, at, card, 1)


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def remove_card(s, c, at, card):
    """Take a card from a hand: this card, else an unknown one (C12)."""
    if s[at + layout.HAND + card] == 0:
        show_card(s, c, at, card, 1)
    s[at + layout.HAND_COUNT] -= 1
    s[at + layout.HAND + card] -= 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def discard(s, c, at, card):
    """Add a card to the discards of the seat at an offset."""
    s[at + layout.HAND + c[layout.DECK] + card] += 1
    s[at + layout.DISCARD_COUNT] += 1


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64)")
def remove_villager(s, c, seat, cell):
    """Remove a villager: a common goes under its pile, others to the owner's discards."""
    at = seat_at(c, seat)
    card = s[at + layout.VILLAGE + cell] >> 1
    s[at + layout.VILLAGE + cell] = -1
    if card < c[layout.DECK]:
        discard(s, c, at, card)
    else:
        put_under(s, c, layout.COMMONS, card)


@kernel(f"void({VECTOR}, {CATALOGUE})")
def claim_challenges(s, c):
    """Claim every challenge that the active player meets, in printed order (C10)."""
    if s[layout.PHASE] != layout.TURNS:
        return
    at, place = seat_at(c, s[layout.TURN]), 0
    while place < s[layout.CHALLENGES]:
        posted, place = layout.CHALLENGE + 2 * place, place + 1
        row = challenge_at(c, s[posted])
        if s[posted + 1] < 0 and meets_challenge(s, c, at, row):
            s[posted + 1] = s[layout.TURN]
            gain_scrolls(s, c, s[layout.TURN], c[row + layout.H_SCROLLS])
            place = 0  # The scrolls may meet another one.

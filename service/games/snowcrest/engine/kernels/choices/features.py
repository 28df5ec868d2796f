"""The features of packed positions, equivalent to ``engine/features.py``."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.features import FREE_BY_MASK, OWN_FEATURES, TABLE_FEATURES
from service.games.snowcrest.engine.kernels.rules.layout import (
    A_ANY,
    A_COST,
    A_EFFECT_COUNT,
    A_EFFECTS,
    ACTION_ROW,
    ACTION_TABLE,
    BELL,
    BUILD,
    BUILDINGS,
    C_AT_LEAST,
    CATALOGUE,
    CELLS,
    CHALLENGE,
    CHALLENGE_ROW,
    CHALLENGE_TABLE,
    CHALLENGES,
    CONDITION_ROW,
    CONDITION_TABLE,
    DECK,
    DIFFICULTY,
    E_COUNT,
    E_TYPE,
    E_WHAT,
    EFFECT_ROW,
    EFFECT_TABLE,
    GAIN,
    GOLD,
    H_CONDITION_COUNT,
    H_CONDITIONS,
    H_SCROLLS,
    HAND,
    HAND_COUNT,
    MEDITATE,
    OMEN,
    OMEN_TOKENS,
    RESOURCES,
    RESTS,
    SCROLL,
    SCROLLS,
    SPENT,
    TOKENS,
    TURN_UP,
    UNKNOWN_COUNT,
    UNSEEN_COUNT,
    UP,
    V_ACTION_COUNT,
    V_ACTIONS,
    V_ICONS,
    VECTOR,
    VILLAGE,
    WORSHIP,
    N,
)
from service.games.snowcrest.engine.kernels.rules.positions import (
    condition_value,
    exhausted_cells,
    seat_at,
    villager_at,
)

NUMBERS = "float64[::1]"
SPENDABLE = 2 * RESOURCES
"""Numbers of a seat's spendable resources: without unknown cards, then with their mean added."""
OWN, OF_TABLE = len(OWN_FEATURES), len(TABLE_FEATURES)
READY = OWN - 5
"""The first of the features that state what face-up villagers could do at once."""
ALONE = -1
"""No further action."""
HOARD = 8
FREE = np.array(FREE_BY_MASK, np.int64)
POINTS = np.array([0, 0, 0, 0, 0, 0, 1, 3, 5], np.int64)
"""Points by number of buildings."""
RESTS_LEFT = np.array([0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2], np.int64)
"""Rests that each difficulty allows."""


# Seats ----------------------------------------------------------------------------------------


@kernel(f"boolean({NUMBERS}, {CATALOGUE}, int64, int64)")
def _could_pay(available, c, row, further):
    """Whether resources pay an action, and a further one if not negative; gold replaces others."""
    gold, left, any_ = available[GOLD] - c[row + A_COST + GOLD], 0.0, c[row + A_ANY]
    if further >= 0:
        gold -= c[further + A_COST + GOLD]
        any_ += c[further + A_ANY]
    for resource in range(GOLD):
        over = available[resource] - c[row + A_COST + resource]
        if further >= 0:
            over -= c[further + A_COST + resource]
        if over < 0:
            gold += over
        else:
            left += over
    return gold >= 0 and left + gold >= any_


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, {NUMBERS})")
def add_spendable(s, c, at, out):
    """Fill in all that the seat at an offset could pay with, per resource."""
    for resource in range(RESOURCES):
        out[resource] = s[at + TOKENS + resource]
    for kind in range(BUILDINGS):
        out[kind] += s[at + UP + kind]
    for cell in range(CELLS):
        code = s[at + VILLAGE + cell]
        if code >= 0 and not code & 1:
            row = villager_at(c, code >> 1) + V_ICONS
            for resource in range(RESOURCES):
                out[resource] += c[row + resource]
    if s[at + HAND_COUNT] > s[at + UNKNOWN_COUNT]:
        for card in range(c[DECK]):
            if s[at + HAND + card]:
                row = villager_at(c, card) + V_ICONS
                for resource in range(RESOURCES):
                    out[resource] += s[at + HAND + card] * c[row + resource]
    for resource in range(RESOURCES):
        out[RESOURCES + resource] = out[resource]
    if not s[at + UNKNOWN_COUNT]:
        return
    # In this order the numbers are equal to the last bit, and so are comparisons of seats.
    for resource in range(RESOURCES):
        icons = 0
        for card in range(c[DECK]):
            copies = s[at + HAND + 2 * c[DECK] + card]
            icons += copies * c[villager_at(c, card) + V_ICONS + resource]
        mean = icons / max(1, s[at + UNSEEN_COUNT])
        out[RESOURCES + resource] += s[at + UNKNOWN_COUNT] * mean


@kernel(f"float64({VECTOR}, {CATALOGUE}, int64)")
def challenge_progress(s, c, at):
    """Return the progress of the seat at an offset towards the open challenges."""
    near = 0.0
    for place in range(s[CHALLENGES]):
        if s[CHALLENGE + 2 * place + 1] >= 0:
            continue
        row, missing = c[CHALLENGE_TABLE] + s[CHALLENGE + 2 * place] * CHALLENGE_ROW, 0.0
        for number in range(c[row + H_CONDITION_COUNT]):
            condition = c[CONDITION_TABLE] + (c[row + H_CONDITIONS] + number) * CONDITION_ROW
            least = c[condition + C_AT_LEAST]
            short = least - condition_value(s, c, at, condition)
            if short > 0:
                missing += short / max(1, abs(least))
        part = max(0.0, 1.0 - missing)
        near += c[row + H_SCROLLS] * part * part
    return near


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64, {NUMBERS}, int64, int64)")
def _could_worship_twice(s, c, at, available, row, cell):
    """Whether a face-up villager after a cell could worship, too, if an action is paid."""
    for later in range(cell + 1, CELLS):
        code = s[at + VILLAGE + later]
        if code < 0 or code & 1:
            continue
        villager = villager_at(c, code >> 1)
        for number in range(c[villager + V_ACTION_COUNT]):
            further = c[ACTION_TABLE] + (c[villager + V_ACTIONS] + number) * ACTION_ROW
            for step in range(c[further + A_EFFECT_COUNT]):
                effect = c[EFFECT_TABLE] + (c[further + A_EFFECTS] + step) * EFFECT_ROW
                if c[effect + E_TYPE] == WORSHIP and _could_pay(available, c, row, further):
                    return True
    return False


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, {NUMBERS}, {NUMBERS})")
def _add_readiness(s, c, at, available, out):
    """Fill in what face-up villagers could do at once."""
    worship = twice = build = scrolls = turn_up = 0.0
    for cell in range(CELLS):
        code = s[at + VILLAGE + cell]
        if code < 0 or code & 1:
            continue
        villager = villager_at(c, code >> 1)
        for number in range(c[villager + V_ACTION_COUNT]):
            row = c[ACTION_TABLE] + (c[villager + V_ACTIONS] + number) * ACTION_ROW
            for step in range(c[row + A_EFFECT_COUNT]):
                effect = c[EFFECT_TABLE] + (c[row + A_EFFECTS] + step) * EFFECT_ROW
                kind = c[effect + E_TYPE]
                if kind == TURN_UP:
                    turn_up = float(s[at + SPENT] + s[at + SPENT + 1] + s[at + SPENT + 2])
                elif kind == WORSHIP:
                    if twice == 0.0 and _could_pay(available, c, row, ALONE):
                        worship = 1.0
                        if _could_worship_twice(s, c, at, available, row, cell):
                            twice = 1.0
                elif kind == BUILD:
                    if build == 0.0 and _could_pay(available, c, row, ALONE):
                        build = 1.0
                elif kind == GAIN and c[effect + E_WHAT] == SCROLL:
                    count = float(c[effect + E_COUNT])
                    if count > scrolls and _could_pay(available, c, row, ALONE):
                        scrolls = count
    out[0], out[1], out[2], out[3], out[4] = worship, twice, build, scrolls, turn_up


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, {NUMBERS}, {NUMBERS})")
def own_features(s, c, at, spendable, out):
    """Fill in the features of the seat at an offset that do not depend on other seats.

    Args:
        spendable: float64[SPENDABLE] or longer, filled in.
        out: float64[OWN].
    """
    add_spendable(s, c, at, spendable)
    buildings = tokens = residents = 0
    for kind in range(BUILDINGS):
        buildings += s[at + UP + kind] + s[at + SPENT + kind]
        out[3 + kind], out[6 + kind] = s[at + UP + kind], s[at + SPENT + kind]
    for resource in range(RESOURCES):
        tokens += s[at + TOKENS + resource]
        out[9 + resource] = s[at + TOKENS + resource]
    for cell in range(CELLS):
        residents += s[at + VILLAGE + cell] >= 0
    free = FREE[exhausted_cells(s, at)]
    out[0], out[1] = s[at + SCROLLS], POINTS[buildings]
    out[2] = s[at + OMEN] - s[at + OMEN_TOKENS]
    out[14], out[15], out[16] = max(0, tokens - HOARD), s[at + HAND_COUNT], residents
    out[17], out[18] = max(0, free), free < 0
    out[19] = challenge_progress(s, c, at)
    _add_readiness(s, c, at, spendable[RESOURCES:SPENDABLE], out[READY:OWN])


# The table ------------------------------------------------------------------------------------


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64)")
def _can_meditate(s, c, at):
    """Whether the seat at an offset has a face-up villager who meditates."""
    for cell in range(CELLS):
        code = s[at + VILLAGE + cell]
        if code < 0 or code & 1:
            continue
        villager = villager_at(c, code >> 1)
        for number in range(c[villager + V_ACTION_COUNT]):
            row = c[ACTION_TABLE] + (c[villager + V_ACTIONS] + number) * ACTION_ROW
            for step in range(c[row + A_EFFECT_COUNT]):
                if c[c[EFFECT_TABLE] + (c[row + A_EFFECTS] + step) * EFFECT_ROW] == MEDITATE:
                    return True
    return False


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64, float64[:, ::1], {NUMBERS})")
def table_features(s, c, seat, next_seat, spendables, out):
    """Fill in the features of a seat relative to the table.

    Args:
        next_seat: seat with the next turn; the number of seats if a new round begins.
        spendables: float64[seats, SPENDABLE or more], of all seats.
        out: float64[OF_TABLE].
    """
    count, own = s[N], spendables[seat]
    out[:OF_TABLE] = 0.0
    out[6] = 1.0
    if _can_meditate(s, c, seat_at(c, seat)):
        bells = own[RESOURCES + BELL] + own[RESOURCES + GOLD]
        if count == 1:
            out[0] = bells // 6
        elif bells >= 1.0:
            matched = 0
            for other in range(count):
                if other != seat:
                    theirs = spendables[other]
                    matched += bells >= theirs[RESOURCES + BELL] + theirs[RESOURCES + GOLD]
            out[0] = matched / (count - 1)
    if count == 1:
        out[5] = RESTS_LEFT[s[DIFFICULTY]] - s[RESTS]
    else:
        for resource in range(RESOURCES):
            most = own[resource] > 0
            for other in range(count):
                most &= own[resource] >= spendables[other, resource]
            out[1] += most
    before = (seat - next_seat + count) % count
    out[2], out[3] = before == 0, before / count
    out[4] = next_seat < count and seat >= next_seat


# All seats ------------------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, float64[:, ::1], float64[:, :, ::1])")
def all_features(s, c, next_seat, plain, cards):
    """Fill in the features of all seats, with cards in place of their abilities.

    Args:
        next_seat: see ``table_features``.
        plain: float64[seats, OWN + OF_TABLE].
        cards: float64[seats, 3, cards], copies of each villager face up, exhausted and in hand; an
            unknown card counts as its share of the unseen ones.
    """
    count, deck = s[N], c[DECK]
    spendables = np.zeros((count, SPENDABLE))
    cards[:] = 0.0
    for seat in range(count):
        at = seat_at(c, seat)
        own_features(s, c, at, spendables[seat], plain[seat, :OWN])
        for cell in range(CELLS):
            code = s[at + VILLAGE + cell]
            if code >= 0:
                cards[seat, code & 1, code >> 1] += 1.0
        unknown = s[at + UNKNOWN_COUNT] / max(1, s[at + UNSEEN_COUNT])
        for card in range(deck):
            cards[seat, 2, card] = s[at + HAND + card] + unknown * s[at + HAND + 2 * deck + card]
    for seat in range(count):
        table_features(s, c, seat, next_seat, spendables, plain[seat, OWN:])


@kernel(f"void(int16[:, ::1], {CATALOGUE}, int64[::1], float64[:, :, ::1], float64[:, :, :, ::1])")
def features_of(positions, c, next_seats, plain, cards):
    """Fill in the features of several positions, see ``all_features``."""
    for number in range(len(positions)):
        all_features(positions[number], c, next_seats[number], plain[number], cards[number])

"""The features of packed positions, equivalent to ``engine/features.py``."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.features import FREE_BY_MASK, OWN_FEATURES, TABLE_FEATURES
from service.games.snowcrest.engine.kernels.rules import layout, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

NUMBERS = "float64[::1]"
SPENDABLE = 2 * layout.RESOURCES
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
    gold = available[layout.GOLD] - c[row + layout.A_COST + layout.GOLD]
    left, any_ = 0.0, c[row + layout.A_ANY]
    if further >= 0:
        gold -= c[further + layout.A_COST + layout.GOLD]
        any_ += c[further + layout.A_ANY]
    for resource in range(layout.GOLD):
        over = available[resource] - c[row + layout.A_COST + resource]
        if further >= 0:
            over -= c[further + layout.A_COST + resource]
        if over < 0:
            gold += over
        else:
            left += over
    return gold >= 0 and left + gold >= any_


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64, {NUMBERS})")
def fill_known(s, c, at, excluded, out):
    """Fill in what the known sources of the seat at an offset show.

    Args:
        excluded: cell of a villager who pays nothing, or -1.
        out: float64[RESOURCES or more]; if longer, the icons of any kind follow, which
            ``fill_spendable`` overwrites.
    """
    kinds = min(len(out), layout.ICON_KINDS)
    out[layout.RESOURCES : kinds] = 0.0
    for resource in range(layout.RESOURCES):
        out[resource] = s[at + layout.TOKENS + resource]
    for kind in range(layout.BUILDINGS):
        out[kind] += s[at + layout.UP + kind]
    for cell in range(layout.CELLS):
        card = positions.face_up(s, at, cell)
        if card >= 0 and cell != excluded:
            icons = positions.villager_at(c, card) + layout.V_ICONS
            for resource in range(kinds):
                out[resource] += c[icons + resource]
    if s[at + layout.HAND_COUNT] > s[at + layout.UNKNOWN_COUNT]:
        for card in range(c[layout.DECK]):
            if s[at + layout.HAND + card]:
                icons = positions.villager_at(c, card) + layout.V_ICONS
                for resource in range(kinds):
                    out[resource] += s[at + layout.HAND + card] * c[icons + resource]


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, {NUMBERS})")
def fill_spendable(s, c, at, out):
    """Fill in all that the seat at an offset could pay with, per resource.

    Args:
        out: float64[SPENDABLE or more], filled in: see :data:`SPENDABLE`.
    """
    fill_known(s, c, at, -1, out)
    unknown, unseen = s[at + layout.UNKNOWN_COUNT], max(1, s[at + layout.UNSEEN_COUNT])
    for resource in range(layout.RESOURCES):
        out[layout.RESOURCES + resource] = out[resource]
        if unknown:
            mean = positions.shown_by_unseen(s, c, at, resource) / unseen
            out[layout.RESOURCES + resource] += unknown * mean


@kernel(f"float64({VECTOR}, {CATALOGUE}, int64)")
def challenge_progress(s, c, at):
    """Return the progress of the seat at an offset towards the open challenges."""
    near = 0.0
    for place in range(s[layout.CHALLENGES]):
        if s[layout.CHALLENGE + 2 * place + 1] >= 0:
            continue
        row, missing = positions.challenge_at(c, s[layout.CHALLENGE + 2 * place]), 0.0
        for number in range(c[row + layout.H_CONDITION_COUNT]):
            condition = positions.condition_at(c, c[row + layout.H_CONDITIONS] + number)
            least, most = c[condition + layout.C_AT_LEAST], c[condition + layout.C_AT_MOST]
            count = positions.condition_value(s, c, at, condition)
            if count < least:
                missing += (least - count) / max(1, abs(least))
            elif count > most:
                missing += (count - most) / max(1, abs(most))
        part = max(0.0, 1.0 - missing)
        near += c[row + layout.H_SCROLLS] * part * part
    return near


@kernel(f"boolean({CATALOGUE}, int64, int64)")
def _performs(c, action, kind):
    """Whether the action at an offset has an effect of a kind."""
    first = c[action + layout.A_EFFECTS]
    for effect in range(first, first + c[action + layout.A_EFFECT_COUNT]):
        if c[positions.effect_at(c, effect) + layout.E_TYPE] == kind:
            return True
    return False


@kernel(f"boolean({VECTOR}, {CATALOGUE}, int64, int64, int64, {NUMBERS}, int64)")
def _has_action(s, c, at, first, kind, available, row):
    """Whether a face-up villager has an action with an effect of a kind.

    Args:
        first: cell of the seat at an offset from which on villagers count.
        available: resources that pay for it besides the action at ``row``, unless that is
            ``ALONE``: then the action need not be paid.
    """
    for cell in range(first, layout.CELLS):
        card = positions.face_up(s, at, cell)
        if card < 0:
            continue
        villager = positions.villager_at(c, card)
        for number in range(c[villager + layout.V_ACTION_COUNT]):
            action = positions.action_at(c, c[villager + layout.V_ACTIONS] + number)
            paid = row == ALONE or _could_pay(available, c, row, action)
            if paid and _performs(c, action, kind):
                return True
    return False


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, {NUMBERS}, {NUMBERS})")
def _add_readiness(s, c, at, available, out):
    """Fill in what face-up villagers could do at once."""
    worship = twice = build = scrolls = turn_up = 0.0
    for cell in range(layout.CELLS):
        card = positions.face_up(s, at, cell)
        if card < 0:
            continue
        villager = positions.villager_at(c, card)
        for number in range(c[villager + layout.V_ACTION_COUNT]):
            row = positions.action_at(c, c[villager + layout.V_ACTIONS] + number)
            for step in range(c[row + layout.A_EFFECT_COUNT]):
                effect = positions.effect_at(c, c[row + layout.A_EFFECTS] + step)
                kind = c[effect + layout.E_TYPE]
                if kind == layout.TURN_UP:
                    turn_up = float(s[at + layout.SPENT :][: layout.BUILDINGS].sum())
                elif kind == layout.WORSHIP:
                    if twice == 0.0 and _could_pay(available, c, row, ALONE):
                        worship = 1.0
                        if _has_action(s, c, at, cell + 1, kind, available, row):
                            twice = 1.0
                elif kind == layout.BUILD:
                    if build == 0.0 and _could_pay(available, c, row, ALONE):
                        build = 1.0
                elif kind == layout.GAIN and c[effect + layout.E_WHAT] == layout.SCROLL:
                    count = float(c[effect + layout.E_COUNT])
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
    fill_spendable(s, c, at, spendable)
    buildings = tokens = residents = 0
    for kind in range(layout.BUILDINGS):
        buildings += s[at + layout.UP + kind] + s[at + layout.SPENT + kind]
        out[3 + kind], out[6 + kind] = s[at + layout.UP + kind], s[at + layout.SPENT + kind]
    for resource in range(layout.RESOURCES):
        tokens += s[at + layout.TOKENS + resource]
        out[9 + resource] = s[at + layout.TOKENS + resource]
    for cell in range(layout.CELLS):
        residents += s[at + layout.VILLAGE + cell] >= 0
    free = FREE[positions.exhausted_cells(s, at)]
    out[0], out[1] = s[at + layout.SCROLLS], POINTS[buildings]
    out[2] = s[at + layout.OMEN] - s[at + layout.OMEN_TOKENS]
    out[14], out[15], out[16] = max(0, tokens - HOARD), s[at + layout.HAND_COUNT], residents
    out[17], out[18] = max(0, free), free < 0
    out[19] = challenge_progress(s, c, at)
    _add_readiness(s, c, at, spendable[layout.RESOURCES : SPENDABLE], out[READY:OWN])


# The table ------------------------------------------------------------------------------------


@kernel(f"void({VECTOR}, {CATALOGUE}, int64, int64, float64[:, ::1], {NUMBERS})")
def table_features(s, c, seat, next_seat, spendables, out):
    """Fill in the features of a seat relative to the table.

    Args:
        next_seat: seat with the next turn; the number of seats if a new round begins.
        spendables: float64[seats, SPENDABLE or more], of all seats.
        out: float64[OF_TABLE].
    """
    count, own = s[layout.N], spendables[seat]
    out[:OF_TABLE] = 0.0
    out[6] = 1.0
    if _has_action(s, c, positions.seat_at(c, seat), 0, layout.MEDITATE, own, ALONE):
        bells = own[layout.RESOURCES + layout.BELL] + own[layout.RESOURCES + layout.GOLD]
        if count == 1:
            out[0] = bells // 6
        elif bells >= 1.0:
            matched = 0
            for other in range(count):
                theirs = spendables[other, layout.RESOURCES : SPENDABLE]
                matched += other != seat and bells >= theirs[layout.BELL] + theirs[layout.GOLD]
            out[0] = matched / (count - 1)
    if count == 1:
        out[5] = RESTS_LEFT[s[layout.DIFFICULTY]] - s[layout.RESTS]
    else:
        for resource in range(layout.RESOURCES):
            most = own[resource] > 0
            for other in range(count):
                most &= own[resource] >= spendables[other, resource]
            out[1] += most
    before = (seat - next_seat + count) % count
    out[2], out[3] = before == 0, before / count
    out[4] = next_seat < count and seat >= next_seat


# All seats ------------------------------------------------------------------------------------


@kernel(f"void(int16[:, ::1], {CATALOGUE}, int64[::1], float64[:, :, ::1], float64[:, :, :, ::1])")
def features_of(vectors, c, next_seats, plain, cards):
    """Fill in the features of all seats in positions, with cards in place of their abilities.

    Args:
        vectors: int16[positions, length].
        next_seats: int64[positions], see ``table_features``.
        plain: float64[positions, seats, OWN + OF_TABLE].
        cards: float64[positions, seats, 3, cards], copies of each villager face up, exhausted and
            in hand; an unknown card counts as its share of the unseen ones.
    """
    spendables = np.zeros((plain.shape[1], SPENDABLE))
    cards[:] = 0.0
    for number in range(len(vectors)):
        s = vectors[number]
        for seat in range(s[layout.N]):
            at, own = positions.seat_at(c, seat), cards[number, seat]
            own_features(s, c, at, spendables[seat], plain[number, seat, :OWN])
            for cell in range(layout.CELLS):
                code = s[at + layout.VILLAGE + cell]
                if code >= 0:
                    own[code & 1, code >> 1] += 1.0
            unknown = s[at + layout.UNKNOWN_COUNT] / max(1, s[at + layout.UNSEEN_COUNT])
            for card in range(c[layout.DECK]):
                hidden = unknown * s[at + layout.HAND + 2 * c[layout.DECK] + card]
                own[2, card] = s[at + layout.HAND + card] + hidden
        for seat in range(s[layout.N]):
            out = plain[number, seat, OWN:]
            table_features(s, c, seat, next_seats[number], spendables, out)

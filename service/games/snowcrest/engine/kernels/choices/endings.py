"""Final scores of packed positions, also with unknown hands (C11)."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices.features import POINTS
from service.games.snowcrest.engine.kernels.choices.prices import visible_resources
from service.games.snowcrest.engine.kernels.rules import layout
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR
from service.games.snowcrest.engine.kernels.rules.positions import (
    building_count,
    next_task,
    seat_at,
    villager_at,
)

DEALS = "int16[:, :, :, ::1]"
MOST_HIDDEN = 20
"""Largest number of unknown cards of a hand that are dealt."""
WINNING_POINTS = 10
"""Points needed to win a solo game (C13)."""
NO_DEAL = -1


@kernel(f"boolean({VECTOR})")
def is_end(s):
    """Whether only draws for the row or for unknown hands are left of the turn."""
    if s[layout.TASKS] == 0:
        return True
    kind = s[next_task(s)]
    return kind in (layout.FILL, layout.HANDS)


@kernel(f"boolean({VECTOR})")
def ends_game(s):
    """Whether the game is over after the turn, as far as is known by now (C9)."""
    if s[layout.TASKS] == 0:
        return s[layout.PHASE] == layout.OVER
    if s[next_task(s)] == layout.HANDS:
        return True
    return s[layout.PHASE] == layout.OVER or (
        s[layout.ENDING] and s[layout.TURN] + 1 == s[layout.N]
    )


@kernel(f"void({VECTOR}, {CATALOGUE}, {DEALS})")
def deal(s, c, deals):
    """Deal the unknown cards of all hands at random.

    Args:
        deals: int16[deals, seats, MOST_HIDDEN + 1, RESOURCES], filled in: what the first so many
            cards of each deal show together.
    """
    cards = np.zeros(2 * MOST_HIDDEN + 800, np.int64)
    for seat in range(s[layout.N]):
        at, count = seat_at(c, seat) + layout.HAND + 2 * c[layout.DECK], 0
        for card in range(c[layout.DECK]):
            for _ in range(s[at + card]):
                cards[count] = card
                count += 1
        for number in range(deals.shape[0]):
            dealt = deals[number, seat]
            dealt[0] = 0
            for place in range(min(MOST_HIDDEN, count)):
                other = place + int(np.random.random() * (count - place))
                cards[place], cards[other] = cards[other], cards[place]
                row = villager_at(c, cards[place]) + layout.V_ICONS
                for resource in range(layout.RESOURCES):
                    dealt[place + 1, resource] = dealt[place, resource] + c[row + resource]


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64, int64[::1])")
def _own_points(s, c, at, resources):
    """Return the points of the seat at an offset without majorities; fill in its resources."""
    visible_resources(s, c, at, -1, resources)
    omen = s[at + layout.OMEN] - s[at + layout.OMEN_TOKENS]
    return s[at + layout.SCROLLS] + omen + POINTS[building_count(s, at)]


@kernel(f"void({VECTOR}, {CATALOGUE}, {DEALS}, int64, int64[:, ::1], int64[::1])")
def final_scores(s, c, deals, number, resources, points):
    """Fill in the final resources and points of all seats.

    Args:
        number: of the deal of the unknown cards, or ``NO_DEAL``; then they count nothing.
        resources: int64[seats, RESOURCES].
        points: int64[seats], with majorities.
    """
    count = s[layout.N]
    for seat in range(count):
        at = seat_at(c, seat)
        points[seat] = _own_points(s, c, at, resources[seat])
        hidden = min(MOST_HIDDEN, s[at + layout.UNKNOWN_COUNT])
        if number >= 0:
            for resource in range(layout.RESOURCES):
                resources[seat, resource] += deals[number, seat, hidden, resource]
    for resource in range(layout.RESOURCES if count > 1 else 0):
        most = 1
        for seat in range(count):
            most = max(most, resources[seat, resource])
        for seat in range(count):
            points[seat] += resources[seat, resource] == most


@kernel(f"float64({VECTOR}, {CATALOGUE}, int64, int64[:, ::1], int64[::1])")
def win_share(s, c, seat, resources, points):
    """Return a seat's share of the win by the final resources and points."""
    if s[layout.N] == 1:
        return float(s[layout.ENDING] and points[0] >= WINNING_POINTS)
    best = own = winners = 0
    for each in range(s[layout.N]):
        rank = points[each] * 100_000
        for resource in range(layout.RESOURCES):
            rank += resources[each, resource]
        if each == 0 or rank > best:
            best, winners = rank, 0
        winners += rank == best
        if each == seat:
            own = rank
    return 1.0 / winners if own == best else 0.0


@kernel(f"float64({VECTOR}, {CATALOGUE}, {DEALS}, int64)")
def final_share(s, c, deals, seat):
    """Return the mean of a seat's share of the win over the deals of unknown cards."""
    count = s[layout.N]
    resources, points = np.zeros((count, layout.RESOURCES), np.int64), np.zeros(count, np.int64)
    total = 0.0
    for number in range(deals.shape[0]):
        final_scores(s, c, deals, number, resources, points)
        total += win_share(s, c, seat, resources, points)
    return total / deals.shape[0]


@kernel(f"float64({VECTOR}, {CATALOGUE}, {DEALS}, int64)")
def standing(s, c, deals, seat):
    """Return a number that orders positions of a last turn for a seat, without unknown cards."""
    count = s[layout.N]
    resources, points = np.zeros((count, layout.RESOURCES), np.int64), np.zeros(count, np.int64)
    final_scores(s, c, deals, NO_DEAL, resources, points)
    most, own = -1000, 0
    for each in range(count):
        if each != seat:
            most = max(most, points[each])
    if count == 1:
        most = 0
    for resource in range(layout.RESOURCES):
        own += resources[seat, resource]
    share = win_share(s, c, seat, resources, points)
    return share + (points[seat] - most + 0.001 * own) / 100.0


@kernel(f"void(int16[:, ::1], {CATALOGUE}, int64[:, ::1], int64[:, :, ::1])")
def final_numbers(positions, c, points, resources):
    """Fill in what final scores depend on, without unknown cards.

    Args:
        positions: int16[positions, length].
        points: int64[positions, seats], without majorities.
        resources: int64[positions, seats, RESOURCES], after the final conversion.
    """
    for number in range(len(positions)):
        s = positions[number]
        for seat in range(s[layout.N]):
            own = resources[number, seat]
            points[number, seat] = _own_points(s, c, seat_at(c, seat), own)

"""Final scores of packed positions, also with unknown hands (C11)."""

from __future__ import annotations

import numpy as np

from service.compiling import kernel
from service.games.snowcrest.engine.kernels.choices import features
from service.games.snowcrest.engine.kernels.choices.features import NUMBERS
from service.games.snowcrest.engine.kernels.rules import layout, positions
from service.games.snowcrest.engine.kernels.rules.layout import CATALOGUE, VECTOR

RESOURCES = "float64[:, ::1]"
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
    kind = s[positions.next_task(s)]
    return kind in (layout.FILL, layout.HANDS)


@kernel(f"boolean({VECTOR})")
def ends_game(s):
    """Whether the game is over after the turn, as far as is known by now (C9)."""
    if s[layout.TASKS] == 0:
        return s[layout.PHASE] == layout.OVER
    if s[positions.next_task(s)] == layout.HANDS:
        return True
    in_last_seat = s[layout.TURN] + 1 == s[layout.N]
    return s[layout.PHASE] == layout.OVER or (s[layout.ENDING] and in_last_seat)


@kernel(f"void({VECTOR}, {CATALOGUE}, {DEALS})")
def deal(s, c, deals):
    """Deal the unknown cards of all hands at random.

    Args:
        deals: int16[deals, seats, MOST_HIDDEN + 1, ICON_KINDS], filled in: what the first so many
            cards of each deal show together.
    """
    cards = np.zeros(2 * MOST_HIDDEN + 800, np.int64)
    for seat in range(s[layout.N]):
        at, count = positions.seat_at(c, seat) + layout.HAND + 2 * c[layout.DECK], 0
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
                row = positions.villager_at(c, cards[place]) + layout.V_ICONS
                for resource in range(layout.ICON_KINDS):
                    dealt[place + 1, resource] = dealt[place, resource] + c[row + resource]


@kernel(f"int64({VECTOR}, {CATALOGUE}, int64, {NUMBERS})")
def _own_points(s, c, at, resources):
    """Return the points of the seat at an offset without majorities; fill in its resources."""
    features.fill_known(s, c, at, -1, resources)
    omen = s[at + layout.OMEN] - s[at + layout.OMEN_TOKENS]
    return s[at + layout.SCROLLS] + omen + features.POINTS[positions.building_count(s, at)]


@kernel(f"void({RESOURCES})")
def _choose_kinds(resources):
    """Choose what the icons of any kind become, as ``rules/scoring.py`` does (C22)."""
    for seat in range(len(resources)):
        own = resources[seat]
        while own[layout.ANY] > 0:
            best, least, lead = 0, 1e300, 0.0
            for kind in range(layout.GOLD):
                most = 0.0
                for other in range(len(resources)):
                    if other != seat:
                        most = max(most, resources[other, kind])
                number = own[kind] - (max(1.0, most) if own[kind] < max(1.0, most) else most)
                rank = 1e6 + number
                if number < 0.0:
                    rank = -number if -number <= own[layout.ANY] else 1e9 - number
                if rank < least:
                    best, least, lead = kind, rank, number
            count = 1.0 if lead == 0.0 else own[layout.ANY]
            if lead < 0.0:
                count = min(-lead, count)
            own[best] += count
            own[layout.GOLD] -= count
            own[layout.ANY] -= count


@kernel(f"void({RESOURCES}, int64[::1])")
def add_majorities(resources, points):
    """Add to the points of seats what they get for resources of which no seat has more.

    Icons of any kind become resources before.
    """
    _choose_kinds(resources)
    for resource in range(layout.RESOURCES if len(points) > 1 else 0):
        most = 1.0
        for seat in range(len(points)):
            most = max(most, resources[seat, resource])
        for seat in range(len(points)):
            points[seat] += resources[seat, resource] == most


@kernel(f"float64(boolean, int64, {RESOURCES}, int64[::1])")
def win_share(ending, seat, resources, points):
    """Return a seat's share of the win by the final resources and points.

    Args:
        ending: whether the supply has been empty, without which no solo game is won.
    """
    if len(points) == 1:
        return 1.0 if ending and points[0] >= WINNING_POINTS else 0.0
    best, own, winners = 0.0, 0.0, 0
    for each in range(len(points)):
        rank = points[each] * 100_000.0
        for resource in range(layout.RESOURCES):
            rank += resources[each, resource]
        if each == 0 or rank > best:
            best, winners = rank, 0
        winners += rank == best
        if each == seat:
            own = rank
    return 1.0 / winners if own == best else 0.0


@kernel(f"float64(boolean, int64, {RESOURCES}, int64[::1])")
def rank_of(ending, seat, resources, points):
    """Return a number that orders final positions for a seat.

    The share of the win comes first, then points more than the best other seat, then resources.
    """
    most, own = 0 if len(points) == 1 else -1000, 0.0
    for each in range(len(points)):
        if each != seat:
            most = max(most, points[each])
    for resource in range(layout.RESOURCES):
        own += resources[seat, resource]
    margin = (points[seat] - most + 0.001 * own) / 100.0
    return win_share(ending, seat, resources, points) + margin


@kernel(f"void({VECTOR}, {CATALOGUE}, {DEALS}, int64, {RESOURCES}, int64[::1])")
def final_scores(s, c, deals, number, resources, points):
    """Fill in the final resources and points of all seats.

    Args:
        number: of the deal of the unknown cards, or ``NO_DEAL``; then they count nothing.
        resources: float64[seats, ICON_KINDS].
        points: int64[seats], with majorities.
    """
    count = s[layout.N]
    for seat in range(count):
        at = positions.seat_at(c, seat)
        points[seat] = _own_points(s, c, at, resources[seat])
        hidden = min(MOST_HIDDEN, s[at + layout.UNKNOWN_COUNT])
        if number >= 0:
            for resource in range(layout.ICON_KINDS):
                resources[seat, resource] += deals[number, seat, hidden, resource]
    add_majorities(resources, points)


@kernel(f"float64({VECTOR}, {CATALOGUE}, {DEALS}, int64)")
def final_share(s, c, deals, seat):
    """Return the mean of a seat's share of the win over the deals of unknown cards."""
    count = s[layout.N]
    resources, points = np.zeros((count, layout.ICON_KINDS)), np.zeros(count, np.int64)
    total = 0.0
    for number in range(deals.shape[0]):
        final_scores(s, c, deals, number, resources, points)
        total += win_share(s[layout.ENDING] > 0, seat, resources, points)
    return total / deals.shape[0]


@kernel(f"float64({VECTOR}, {CATALOGUE}, {DEALS}, int64)")
def standing(s, c, deals, seat):
    """Return a number that orders positions of a last turn for a seat, without unknown cards."""
    count = s[layout.N]
    resources, points = np.zeros((count, layout.ICON_KINDS)), np.zeros(count, np.int64)
    final_scores(s, c, deals, NO_DEAL, resources, points)
    return rank_of(s[layout.ENDING] > 0, seat, resources, points)


@kernel(f"void(int16[:, ::1], {CATALOGUE}, int64[:, ::1], float64[:, :, ::1])")
def final_numbers(vectors, c, points, resources):
    """Fill in what final scores depend on, without unknown cards.

    Args:
        vectors: int16[positions, length].
        points: int64[positions, seats], without majorities.
        resources: float64[positions, seats, ICON_KINDS], after the final conversion.
    """
    for number in range(len(vectors)):
        s = vectors[number]
        for seat in range(s[layout.N]):
            own = resources[number, seat]
            points[number, seat] = _own_points(s, c, positions.seat_at(c, seat), own)


@kernel("void(int64[:, ::1], float64[:, :, ::1], boolean[::1], float64[:, ::1], float64[:, ::1])")
def compare_seats(points, resources, ending, shares, ranks):
    """Fill in the shares of the win and the ranks of all seats in several final positions.

    Args:
        points: int64[positions, seats], without majorities, which are added.
        resources: float64[positions, seats, ICON_KINDS].
        ending: bool[positions], see ``win_share``.
        shares, ranks: float64[positions, seats], filled in.
    """
    for number in range(len(points)):
        own, totals = resources[number], points[number]
        add_majorities(own, totals)
        for seat in range(len(totals)):
            shares[number, seat] = win_share(ending[number], seat, own, totals)
            ranks[number, seat] = rank_of(ending[number], seat, own, totals)

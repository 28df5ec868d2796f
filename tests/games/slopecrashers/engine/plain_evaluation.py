"""The evaluator by the readable rules, without kernels."""

from heapq import heappop, heappush

import numpy as np

from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.engine.kernels import estimation
from service.games.slopecrashers.engine.packing import distances
from service.games.slopecrashers.rules.course import Field

EVALUATOR = default_evaluator()
SNOWMAN_ROWS = 8


def place_left(position, seat):
    lap, row, lane = position.seats[seat].place or (0, 0, 0)
    return distances(position.course, EVALUATOR.field)[lap, row, lane]


def gifts_saved(position, seat):
    stack = position.seats[seat].gifts
    values = [EVALUATOR.worth, *[EVALUATOR.deep] * len(stack)]
    return sum(
        max((value[gift.label] for gift in card), default=EVALUATOR.hidden)
        for card, value in zip(stack, values, strict=False)
    )


def order(position, seat):
    count = len(position.seats)
    return EVALUATOR.order * ((seat - position.turn) % count) / count


def snowman_costs(position):
    """Return the movements that snowmen cost each seat: the foremost character meets them."""
    costs, left = [0.0] * len(position.seats), set(position.snowmen)
    in_turn = sorted(range(len(costs)), key=lambda seat: (seat - position.turn) % len(costs))
    placed = [seat for seat in in_turn if position.seats[seat].place is not None]
    for seat in sorted(placed, key=lambda each: -position.seats[each].place.row):
        place = position.seats[seat].place
        ahead = {s for s in left if place.row <= s.space.row <= place.row + SNOWMAN_ROWS}
        if ahead:
            cost, met = shortest_path(position.course, place, ahead)
            costs[seat] = max(0.0, cost - place_left(position, seat))
            left -= met
    return costs


def shortest_path(course, start, snowmen):
    """Return the length of the shortest path past the snowmen to the finish, and those on it.

    Dijkstra's algorithm; a snowman costs a missed turn and a little.
    """
    last = max(snowman.space.row for snowman in snowmen)
    to_go = distances(course, EVALUATOR.field)[start.lap, last]
    by_space = {tuple(snowman.space): snowman for snowman in snowmen}
    saved = {Field.BOOST: 1.0, Field.GIFT: EVALUATOR.field}
    open_, best, reached = [(0.0, start.row, start.lane, ())], {}, []
    while open_:
        cost, row, lane, met = heappop(open_)
        if (row, lane) in best:
            continue
        best[row, lane] = cost
        if row == last:
            reached.append((cost + to_go[lane], met))
        for ahead, aside in ((1, 0), (0, 1), (0, -1)):
            space = row + ahead, lane + aside
            if space[0] <= last and course.is_enterable(*space):
                more = 1.0 - saved.get(course.rows[space[0]][space[1]], 0.0)
                on_it = (space,) if space in by_space else ()
                more += len(on_it) * (EVALUATOR.missing + 1e-6)
                heappush(open_, (cost + more, *space, (*met, *on_it)))
    if not reached:
        return 0.0, set()
    least, met = min(reached)
    return least, {by_space[space] for space in met}


def movements_left(position, seat):
    own = position.seats[seat]
    flags = EVALUATOR.missing * own.misses_turn + EVALUATOR.stung * own.stung
    left = place_left(position, seat) + flags + order(position, seat) - gifts_saved(position, seat)
    return left + snowman_costs(position)[seat]


def share(left, seat):
    slope = EVALUATOR.slope / np.sqrt(max(min(left), 0.0) + EVALUATOR.room)
    weights = [estimation._exp(max(-40.0, -slope * (each - min(left)))) for each in left]
    return weights[seat] / sum(weights)


def estimated(position, seat):
    if position.winner is not None:
        return float(position.winner == seat)
    return share([movements_left(position, each) for each in range(len(position.seats))], seat)

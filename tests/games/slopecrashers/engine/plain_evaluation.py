"""The evaluator by the readable rules, without kernels."""

from heapq import heappop, heappush

import numpy as np

from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.engine.kernels import estimation
from service.games.slopecrashers.engine.packing import distances
from service.games.slopecrashers.rules.course import Field

EVALUATOR = default_evaluator()
SNOWMAN_ROWS = 8
EQUAL = 1e-9


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
    return possible_snowman_costs(position)[0]


def possible_snowman_costs(position):
    """Return all lists of these costs; paths of equal length may leave other snowmen behind."""
    possible = [([0.0] * len(position.seats), frozenset(position.snowmen))]
    in_turn = sorted(range(len(position.seats)), key=lambda seat: after_turn(position, seat))
    placed = [seat for seat in in_turn if position.seats[seat].place is not None]
    for seat in sorted(placed, key=lambda each: -position.seats[each].place.row):
        possible = [
            ([*costs[:seat], cost, *costs[seat + 1 :]], left - met)
            for costs, left in possible
            for cost, met in passing_costs(position, seat, left)
        ]
    return [costs for costs, _ in possible]


def after_turn(position, seat):
    return (seat - position.turn) % len(position.seats)


def passing_costs(position, seat, snowmen):
    """Return what passing the snowmen ahead costs on each shortest path, and the snowmen met."""
    place = position.seats[seat].place
    ahead = {each for each in snowmen if 0 <= each.space.row - place.row <= SNOWMAN_ROWS}
    paths = shortest_paths(position.course, place, ahead) if ahead else []
    left = place_left(position, seat)
    return [(max(0.0, cost - left), met) for cost, met in paths] or [(0.0, frozenset())]


def shortest_paths(course, start, snowmen):
    """Return the shortest paths past the snowmen to the finish: lengths, and the snowmen met.

    Dijkstra's algorithm; a snowman costs a missed turn and a little. Of paths that meet the same
    snowmen, one is returned.
    """
    last = max(snowman.space.row for snowman in snowmen)
    to_go = distances(course, EVALUATOR.field)[start.lap, last]
    by_space = {tuple(snowman.space): snowman for snowman in snowmen}
    saved = {Field.BOOST: 1.0, Field.GIFT: EVALUATOR.field, Field.GIFT_BOOST: 1.0}
    open_, best, reached = [(0.0, start.row, start.lane, ())], {}, {}
    while open_:
        cost, row, lane, met = heappop(open_)
        known = best.setdefault((row, lane), {})
        if met in known or cost > min(known.values(), default=cost) + EQUAL:
            continue
        known[met] = cost
        if row == last:
            reached[met] = min(cost + to_go[lane], reached.get(met, np.inf))
        for ahead, aside in ((1, 0), (0, 1), (0, -1)):
            space = row + ahead, lane + aside
            if space[0] <= last and course.is_enterable(*space):
                more = 1.0 - saved.get(course.rows[space[0]][space[1]], 0.0)
                on_it = (space,) if space in by_space else ()
                more += len(on_it) * (EVALUATOR.missing + 1e-6)
                heappush(open_, (cost + more, *space, (*met, *on_it)))
    least = min(reached.values(), default=0.0) + EQUAL
    return [
        (cost, frozenset(by_space[space] for space in met))
        for met, cost in reached.items()
        if cost <= least
    ]


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

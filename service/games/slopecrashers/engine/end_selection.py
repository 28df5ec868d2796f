"""Select the ends of a turn that a search follows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from service.core.arrays import Floats, Ints
from service.core.rounding import TIE


def rank_forced(ratings: Floats, forced: Ints) -> None:
    """Rate forced wins above 1, the soonest highest, and forced losses below 0, the latest highest.

    Args:
        ratings: float64[positions], changed.
        forced: int64[positions], see ``kernels/forcing.py``.
    """
    [decided] = forced.nonzero()
    ratings[decided] = (forced[decided] > 0) + 1.0 / forced[decided]


def best_ends(
    ranked: Ints, ratings: Floats, preferred: Callable[[int], tuple[float, ...]], limit: int
) -> Ints:
    """Return the best ends, and in the second half of them one of each further rating.

    Ends with one rating often have one value; others may be better than their rating says.
    Of equal ends that do not all fit, those that are preferred are returned.

    Args:
        ranked: the places of all ends, those with the highest ratings first.
        ratings: float64[positions], by place.
        preferred: what decides among ends with equal ratings, by place; larger is better.
        limit: of their number.
    """
    if len(ranked) <= limit:
        return ranked
    best, single, others = list[int](), list[int](), list[int]()
    falling = ratings[ranked]
    bounds = (falling[:-1] - falling[1:] >= TIE).nonzero()[0] + 1
    first = 0
    for last in [*bounds.tolist(), len(ranked)]:
        if len(best) + len(single) == limit:
            break
        places, first = ranked[first:last].tolist(), last
        if len(places) > 1:
            places.sort(key=preferred, reverse=True)
        room = limit - limit // 2 - len(best)
        best += places[:room]
        single += places[:1] if room == 0 else []
        others += places[room or 1 :]
    return np.array([*best, *single, *others][:limit])


def leaves_out(ranked: Ints, selected: Ints, forced: Ints) -> bool:
    """Return whether an end is not selected that may be better than those that are.

    Args:
        ranked: the places of all ends, the best first.
        selected: the places of the selected ones.
        forced: int64[positions], see ``kernels/forcing.py``.
    """
    if len(selected) == len(ranked) or forced[ranked[0]] > 0:
        return False
    if not forced[ranked[-1]]:
        return True  # Losses are ranked last, so there are none.
    return bool((forced[np.setdiff1d(ranked, selected)] >= 0).any())

"""Regret matching plus over doubling windows, from anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Final

import numpy as np

from service.solver.games import Floats, NormalForm
from service.solver.kernels import mixed
from service.solver.limits import Meter

FIRST_WINDOW: Final = 8
"""Steps of the first window; each is twice as long as the one before."""


def windows(steps: int) -> Iterator[int]:
    """The lengths of windows until there were so many steps."""
    done, window = 0, FIRST_WINDOW
    while done < steps:
        yield window
        done += window
        window *= 2


def match(
    game: NormalForm,
    steps: int,
    enough: float,
    meter: Meter,
    *,
    start: Floats | None = None,
    inertia: float = 0.0,
    predictive: bool = True,
    liking: Floats | None = None,
    slack: float = inf,
) -> tuple[Floats, float]:
    """The iterate, or the average over a window, of least rating, and that rating.

    Args:
        steps: of the method; fewer if the gap is small enough or the time is up.
        enough: a gap that needs no further work, relative to the spread of payoffs.
        start: the first iterate; even play without one.
        inertia: how long it is held on to, in steps at which the whole spread is at stake.
        predictive, liking, slack: see ``mixed.match_regrets``; without liking the rating is the
            gap, and enough of it ends the work.
    """
    current = (game.uniform if start is None else start)[None].copy()
    regrets = current * (inertia * game.spread)
    tolerance = enough * game.spread if liking is None else -inf
    liked = np.zeros_like(regrets[0]) if liking is None else liking
    best, ratings = current.copy(), np.array([np.inf])
    for window in windows(steps):
        mixed.match_regrets(
            game.turned[None], game.shape, game.alike, window, predictive, tolerance,
            liked, slack, current, regrets, best, ratings,
        )  # fmt: skip
        if ratings[0] <= tolerance or meter.stop():
            break
    return best[0], float(ratings[0])

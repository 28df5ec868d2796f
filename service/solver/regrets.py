"""Regret matching plus over doubling windows."""

from __future__ import annotations

from collections.abc import Iterator
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
    game: NormalForm, steps: int, enough: float, meter: Meter, *, predictive: bool = True
) -> tuple[Floats, float]:
    """From even play, the iterate, or the average over a window, of least gap, and that gap.

    Args:
        steps: of the method; fewer if the gap is small enough or the time is up.
        enough: a gap that needs no further work, relative to the spread of payoffs.
        predictive: see ``mixed.match_regrets``.
    """
    current, best = game.uniform[None], game.uniform[None]
    regrets, gaps = np.zeros_like(best), np.array([np.inf])
    tolerance = enough * game.spread
    for window in windows(steps):
        mixed.match_regrets(
            game.turned[None], game.shape, game.alike, window, predictive, tolerance,
            current, regrets, best, gaps,
        )  # fmt: skip
        if gaps[0] <= tolerance or meter.stop():
            break
    return best[0], float(gaps[0])

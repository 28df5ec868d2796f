"""Regret matching plus over doubling windows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from service.core.arrays import Floats, Ints
from service.solver.budget import WorkMeter
from service.solver.kernels import regret_matching
from service.solver.normal_form import NormalForm

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
    target_epsilon: float,
    meter: WorkMeter,
    *,
    predictive: bool = True,
) -> tuple[Floats, float]:
    """From even play, the iterate, or the average over a window, of least gap, and that gap.

    Args:
        steps: of the method; fewer if the gap is small enough or the time is up.
        enough: a gap that needs no further work, relative to the spread of payoffs.
        predictive: see ``mixed.match_regrets``.
    """
    best, epsilons = match_all(
        game.own_action_last[None],
        game.shape,
        game.symmetry_classes,
        steps,
        np.array([target_epsilon * game.payoff_range]),
        meter,
        predictive=predictive,
    )
    return best[0], float(epsilons[0])


def match_all(
    own_action_last: Floats,
    shape: Ints,
    symmetry_classes: Ints,
    steps: int,
    tolerances: Floats,
    meter: WorkMeter,
    *,
    predictive: bool = True,
) -> tuple[Floats, Floats]:
    """The same of some games of one shape: float64[games, sum of shape], and float64[games].

    Args:
        turned: float64[games, players, profiles], see ``mixed.turn``.
        shape, alike: int64[players], see :class:`~service.solver.normal_form.NormalForm`.
        steps: of the method; fewer in a game whose gap is small enough, or if the time is up.
        tolerances: float64[games], those gaps, in the unit of payoffs.
    """
    uniform = np.concatenate([np.full(size, 1.0 / size) for size in shape])
    current = np.tile(uniform, (len(own_action_last), 1))
    best, regrets = current.copy(), np.zeros_like(current)
    epsilons = np.full(len(own_action_last), np.inf)
    for window in windows(steps):
        regret_matching.regret_matching_plus(
            own_action_last,
            shape,
            symmetry_classes,
            window,
            predictive,
            tolerances,
            current,
            regrets,
            best,
            epsilons,
        )
        if (epsilons <= tolerances).all() or meter.stop():
            break
    return best, epsilons

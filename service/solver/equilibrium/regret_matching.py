"""Regret matching plus over windows of doubling length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from service.core.arrays import Floats, Ints
from service.solver.budget import WorkMeter
from service.solver.kernels import regret_matching
from service.solver.normal_form import NormalForm

FIRST_WINDOW: Final = 8
"""Steps of the first window; each window is twice as long as the one before."""


def windows(steps: int) -> Iterator[int]:
    """Yield the lengths of windows until their sum reaches ``steps``."""
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
    """Return the iterate or window average with the smallest epsilon, and that epsilon.

    Args:
        game: the game; the iteration starts at uniform strategies.
        steps: of the method; fewer if epsilon is small enough or the deadline passed.
        target_epsilon: small enough, relative to the payoff range.
        meter: checks the deadline.
        predictive: see the kernel ``regret_matching_plus``.
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
    meter: WorkMeter | None,
    *,
    predictive: bool = True,
) -> tuple[Floats, Floats]:
    """Return the results of :func:`match` for several games of one shape.

    Args:
        own_action_last: float64[games, players, profiles], see the kernel
            ``to_own_action_last``.
        shape: see :class:`~service.solver.normal_form.NormalForm`.
        symmetry_classes: see there.
        steps: of the method; fewer in a game with a small enough epsilon, or if the deadline
            passed.
        tolerances: float64[games], epsilons that are small enough, in the unit of payoffs.
        meter: checks the deadline; None if there is none.
        predictive: see the kernel ``regret_matching_plus``.

    Returns:
        float64[games, sum of shape] strategies and float64[games] epsilons.
    """
    uniform = np.repeat(1.0 / shape, shape)
    current = np.tile(uniform, (len(own_action_last), 1))
    best, regrets = current.copy(), np.zeros_like(current)
    epsilons = np.full(len(own_action_last), np.inf)
    lengths = np.array(list(windows(steps)))
    # The deadline is checked between windows.
    for some in [lengths] if meter is None else lengths[:, None]:
        regret_matching.regret_matching_plus(
            own_action_last,
            shape,
            symmetry_classes,
            some,
            predictive,
            tolerances,
            current,
            regrets,
            best,
            epsilons,
        )
        if meter is None or (epsilons <= tolerances).all() or meter.stop():
            break
    return best, epsilons

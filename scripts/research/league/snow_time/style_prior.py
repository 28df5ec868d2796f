"""Fit the prior over styles to self-play of a mixed population, by expectation maximization."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np

from research.league.snow_time.predictions import observed_rounds, recorded_rounds
from research.league.snow_time.round_solver import Floats
from service.core.styles import StyleLibrary
from service.solver.opponents.inference import SMOOTHING

FIXED: Final = {"equilibrium": 0.3, "chance": 0.1}
"""Probabilities that are not fitted: nothing is known about real players."""
PSEUDO_COUNT: Final = 0.25
"""Players of each style that count in addition to the observed ones."""
STEPS: Final = 200
HEDGE: Final = 0.5
"""Part of the prior that is even over all fitted styles: people are not this population."""


def random_player(random: Random) -> str:
    """Return the specification of a player of the population.

    It has no player of the families that are held out for measurements.
    """
    champion, watcher, blizzard = (
        round(random.uniform(least, most), 2)
        for least, most in ((0.2, 0.95), (0.7, 1.9), (0.7, 2.7))
    )
    worth = f"champion={champion},watcher={watcher},blizzard={blizzard}"
    return random.choice(
        [f"round-solver:{worth}", f"round-solver:{worth}", "level-1", "quantal", "greedy", "random"]
    )


def player_likelihoods(library: StyleLibrary, seed: int) -> Floats:
    """Play a game of four players of the population.

    Returns:
        float64[players, styles], the log-likelihood of each player's first choices.
    """
    random = Random(f"{seed} population")
    specs = {player: random_player(random) for player in "abcd"}
    logarithms = np.zeros((len(specs), len(library.styles)))
    for observed in observed_rounds(recorded_rounds(specs, seed)):
        for place, player in enumerate(specs):
            for observation in observed.get(player, ()):
                if observation.choices.habitual:
                    rows = observation.choices.rows.astype(np.float64)
                    own = rows[:, list(observation.agreeing)].sum(axis=1)
                    by_chance = len(observation.agreeing) / rows.shape[1]
                    logarithms[place] += np.log((1.0 - SMOOTHING) * own + SMOOTHING * by_chance)
    return logarithms


def fit_prior(library: StyleLibrary, logarithms: Floats) -> dict[str, float]:
    """Return the probability of each style by name.

    Args:
        library: the styles.
        logarithms: float64[players, styles], see :func:`player_likelihoods`.
    """
    names = [style.name for style in library.styles]
    free = np.array([style.family not in FIXED for style in library.styles])
    likelihoods = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    weights = np.array(library.prior)
    for _ in range(STEPS):
        posteriors = likelihoods * weights
        posteriors /= posteriors.sum(axis=1, keepdims=True)
        counts = (posteriors.sum(axis=0) + PSEUDO_COUNT) * free
        weights = (1.0 - sum(FIXED.values())) * counts / counts.sum()
        for place, style in enumerate(library.styles):
            weights[place] = FIXED.get(style.family, weights[place])
    even = (1.0 - sum(FIXED.values())) * free / free.sum()
    weights[free] = (1.0 - HEDGE) * weights[free] + HEDGE * even[free]
    return dict(zip(names, _rounded(weights), strict=True))


def _rounded(weights: Floats) -> Sequence[float]:
    return [round(float(weight), 6) for weight in weights]

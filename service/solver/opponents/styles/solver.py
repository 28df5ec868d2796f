"""Solver: players who solve the round for what they value, as a program would.

    Rᵢ(a) ← max(Rᵢ(a) + uᵢ(a, σ₋ᵢ) − uᵢ(σ), 0),  σᵢ(a) ∝ Rᵢ(a)

The style is the iterate, or the average over a window of doubling length, from which a player
gains least by a deviation (regret matching plus; Tammelin 2014, *Solving large imperfect
information games using CFR+*).  It is much closer to an equilibrium of the round than the family
``regret-matching``, and a small change of the values can change it a lot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.solver.budget import WorkMeter
from service.solver.equilibrium.regret_matching import match_all
from service.solver.normal_form import NormalForm

STEPS: Final = 248
ENTRIES: Final = 1_600_000
"""Payoffs that all steps read together; larger games get fewer steps."""
MIN_STEPS: Final = 56
BLOCK_ENTRIES: Final = 20_000
"""Payoffs of the games that are solved in one call; more would not fit into a processor's cache."""
EPSILON: Final = 0.002
"""A gain by a deviation, in the unit of payoffs, at which the players stop."""


def solver(game: NormalForm, precision: float) -> Floats:
    """Return float64[sum of shape], the strategies; the precision is unused."""
    [strategies] = solve_all([game])
    return strategies


def solve_all(games: Sequence[NormalForm]) -> Sequence[Floats]:
    """Return the strategies in each of some games of one shape and symmetry."""
    size = games[0].payoffs.size
    steps = max(MIN_STEPS, min(STEPS, ENTRIES // size))
    together = max(1, BLOCK_ENTRIES // size)
    strategies: list[Floats] = []
    for first in range(0, len(games), together):
        block = games[first : first + together]
        payoffs = [game.own_action_last for game in block]
        solved, _ = match_all(
            np.stack(payoffs) if len(block) > 1 else payoffs[0][None],
            games[0].shape,
            games[0].symmetry_classes,
            steps,
            np.full(len(block), EPSILON),
            WorkMeter(None),
            predictive=False,
        )
        strategies += list(solved)
    return strategies

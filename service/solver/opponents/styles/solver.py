"""Solver: players who solve the round for what they value, as a program would.

    Rᵢ(a) ← max(Rᵢ(a) + uᵢ(a, σ₋ᵢ) − uᵢ(σ), 0),  σᵢ(a) ∝ Rᵢ(a)

The style is the iterate, or the average over a window of doubling length, from which a player
gains least by a deviation (regret matching plus; Tammelin 2014, *Solving large imperfect
information games using CFR+*).  It is much closer to an equilibrium of the round than the family
``regret-matching``, and a small change of the values can change it a lot.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.solver.equilibrium.regret_matching import match_all
from service.solver.normal_forms import NormalForms

STEPS: Final = 248
ENTRIES: Final = 1_600_000
"""Payoffs that all steps read together; larger games get fewer steps."""
MIN_STEPS: Final = 56
EPSILON: Final = 0.002
"""A gain by a deviation, in the unit of payoffs, at which the players stop."""


def solver(games: NormalForms, precision: float) -> Floats:
    """Return float64[games, sum of shape], the strategies; the precision is unused."""
    strategies, _ = match_all(
        games.own_action_last,
        games.shape,
        games.symmetry_classes,
        max(MIN_STEPS, min(STEPS, ENTRIES // games.payoffs[0].size)),
        np.full(len(games), EPSILON),
        None,
        predictive=False,
    )
    return strategies

"""Regret matching: players who turn to the moves that they regret not to have played.

    Rᵢ(a) = Σ over steps s of (uᵢ(a, σˢ₋ᵢ) − uᵢ(σˢ)),  σˢ⁺¹ᵢ(a) ∝ max(Rᵢ(a), 0)

The style is the average of all σˢ, from uniform play on (Hart, Mas-Colell 2000, *A simple adaptive
procedure leading to correlated equilibrium*).  After 60 steps it resembles experienced players who
solve each round for what they value.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.solver.kernels import regret_matching as kernels
from service.solver.normal_forms import NormalForms

STEPS: Final = 60
ENTRIES: Final = 9_000_000
"""Payoffs that all steps read together; larger games get fewer steps."""
MIN_STEPS: Final = 12


def regret_matching(games: NormalForms, precision: float) -> Floats:
    """Return float64[games, sum of shape], the average strategies; the precision is unused."""
    steps = max(MIN_STEPS, min(STEPS, ENTRIES // games.payoffs[0].size))
    averages = np.empty((len(games), int(games.shape.sum())))
    kernels.average_regret_matching(
        games.own_action_last, games.shape, games.symmetry_classes, steps, averages
    )
    return averages

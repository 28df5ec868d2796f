"""Quantal: players who err, and who expect the others to err in the same way.

    σᵢ(a) ∝ exp(λ × uᵢ(a, σ₋ᵢ)) for all players i

λ is the precision per unit of payoff (McKelvey, Palfrey 1995, *Quantal response equilibria for
normal form games*).  A few steps along λ × ¼, λ × ½, λ × ¾, λ, each half way to the response,

    σ ← ½ σ + ½ response(σ),

come close enough to the equilibrium to predict people.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.solver.behavioral_play import logit_play
from service.solver.normal_forms import NormalForms

PATH: Final = ((0.25, 2), (0.5, 2), (0.75, 3), (1.0, 5))
"""Parts of the precision, and the steps at each."""
STEP: Final = 0.5
"""Part of the way to the response."""


def quantal(games: NormalForms, precision: float) -> Floats:
    """Return float64[games, sum of shape], close to the logit equilibrium."""
    path = [(part * precision, STEP, steps) for part, steps in PATH]
    return np.array([logit_play(game, path) for game in games.games()])

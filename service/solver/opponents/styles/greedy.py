"""Greedy: a player who takes the move that is best against uniform play.

σᵢ(a) = 1 / |Bᵢ| for a in Bᵢ, else 0, where Bᵢ = argmaxₐ uᵢ(a, uniform play)
"""

from __future__ import annotations

from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.solver.normal_forms import NormalForms

TIE: Final = 1e-9
"""Values that differ by less are equal; they differ by rounding only."""


def greedy(games: NormalForms, precision: float) -> Floats:
    """Return float64[games, sum of shape], even over the best moves; the precision is unused."""
    strategies = []
    for values in np.split(games.uniform_values, np.cumsum(games.shape)[:-1], axis=1):
        best = values > values.max(axis=1, keepdims=True) - TIE
        strategies.append(best / best.sum(axis=1, keepdims=True))
    return np.concatenate(strategies, axis=1)

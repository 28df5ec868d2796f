"""Greedy: a player who takes the move that is best against uniform play.

σᵢ(a) = 1 / |Bᵢ| for a in Bᵢ, else 0, where Bᵢ = argmaxₐ uᵢ(a, uniform play)
"""

from __future__ import annotations

from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.solver.normal_form import NormalForm, split

TIE: Final = 1e-9
"""Values that differ by less are equal; they differ by rounding only."""


def greedy(game: NormalForm, precision: float) -> Floats:
    """Return float64[sum of shape], even over the best moves; the precision is unused."""
    strategies = []
    for values in split(game.action_values(game.uniform), game.shape):
        best = values > values.max() - TIE
        strategies.append(best / best.sum())
    return np.concatenate(strategies)

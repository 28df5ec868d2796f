"""Chance: a player who chooses every move with the same probability.

σᵢ(a) = 1 / number of moves of player i
"""

from __future__ import annotations

from service.core.arrays import Floats
from service.solver.normal_form import NormalForm


def chance(game: NormalForm, precision: float) -> Floats:
    """Return float64[sum of shape], the uniform strategies; the precision is unused."""
    return game.uniform

"""Chance: a player who chooses every move with the same probability.

σᵢ(a) = 1 / number of moves of player i
"""

from __future__ import annotations

from service.core.arrays import Floats
from service.solver.normal_forms import NormalForms


def chance(games: NormalForms, precision: float) -> Floats:
    """Return float64[games, sum of shape], the uniform strategies; the precision is unused."""
    return games.uniform

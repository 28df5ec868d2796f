"""Equilibrium: a player who follows the service's hints.

    maxₐ uᵢ(a, σ₋ᵢ) − uᵢ(σ) ≤ ε for all players i, with shares of the win as payoffs

``equilibrium/epsilon_equilibrium.py`` explains the search.  Its solution is that of a hint, which
is usually known already.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from service.core.arrays import Floats


def over_stage_moves(strategies: Sequence[Floats], counts: Sequence[int]) -> list[Floats]:
    """Return the strategies of a solution over the moves of a stage game, by player.

    At a healer decision the choices of the other players are fixed in advance: they have one move.

    Args:
        strategies: by player, float64[legal moves].
        counts: number of moves of each player in the stage game.
    """
    return [
        np.ones(1) if count == 1 else own for own, count in zip(strategies, counts, strict=True)
    ]

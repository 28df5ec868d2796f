"""Equilibrium: a player who follows the service's hints.

    maxₐ uᵢ(a, σ₋ᵢ) − uᵢ(σ) ≤ ε for all players i, with shares of the win as payoffs

``equilibrium/epsilon_equilibrium.py`` explains the search.  Unlike the other families it solves
the subgames after a reveal.
"""

from __future__ import annotations

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import Position
from service.core.simultaneous import SimultaneousGame
from service.core.vocabulary import STANDARD, WIN
from service.solver.budget import EQUILIBRIUM_BUDGETS, WorkMeter
from service.solver.equilibrium.epsilon_equilibrium import solve_equilibrium
from service.solver.equilibrium.quantal_response import PRECISION
from service.solver.equilibrium.selection import SLACK


def equilibrium(stage_game: SimultaneousGame[Choice, Position], meter: WorkMeter) -> Floats:
    """Return float64[sum of moves], strategies with a small epsilon.

    Args:
        stage_game: the decision under the objective ``win``; solutions of relevant subgames are
            folded into its payoffs.
        meter: checks the deadline.

    Raises:
        OutOfTime: if the deadline passed before the first step.
    """
    solved = solve_equilibrium(
        stage_game,
        [None] * len(stage_game.counts),
        EQUILIBRIUM_BUDGETS[STANDARD],
        meter,
        precision=PRECISION[WIN],
        slack=SLACK[WIN],
    )
    return np.concatenate(solved.strategies)

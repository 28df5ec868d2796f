"""Level 2: a player who thinks that the others think one step ahead.

    σᵢ(a) ∝ exp(λ × uᵢ(a, τ₋ᵢ)), where τ is level 1 with the same λ

λ is the precision per unit of payoff (Wright, Leyton-Brown 2010, *Beyond equilibrium: predicting
human behavior in normal-form games*).
"""

from __future__ import annotations

from service.core.arrays import Floats
from service.solver.normal_forms import NormalForms
from service.solver.opponents.styles.level_1 import level_1


def level_2(games: NormalForms, precision: float) -> Floats:
    """Return float64[games, sum of shape], the logit responses to level 1."""
    return games.logit_responses(games.action_values(level_1(games, precision)), precision)

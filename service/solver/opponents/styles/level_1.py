"""Level 1: a player who thinks one step ahead, and errs the less the more a mistake costs.

    σᵢ(a) ∝ exp(λ × uᵢ(a, uniform play))

λ is the precision per unit of payoff (Stahl, Wilson 1994, *Experimental evidence on players'
models of other players*; Wright, Leyton-Brown 2010, *Beyond equilibrium: predicting human behavior
in normal-form games*).
"""

from __future__ import annotations

from service.core.arrays import Floats
from service.solver.normal_forms import NormalForms


def level_1(games: NormalForms, precision: float) -> Floats:
    """Return float64[games, sum of shape], the logit responses to uniform play."""
    return games.logit_responses(games.uniform_values, precision)

"""Solver: players who solve the round for what they value, as a program would.

    Rᵢ(a) ← max(Rᵢ(a) + uᵢ(a, σ₋ᵢ) − uᵢ(σ), 0),  σᵢ(a) ∝ Rᵢ(a)

The style is the iterate, or the average over a window of doubling length, from which a player
gains least by a deviation (regret matching plus; Tammelin 2014, *Solving large imperfect
information games using CFR+*).  It is much closer to an equilibrium of the round than the family
``regret-matching``, and a small change of the values can change it a lot.
"""

from __future__ import annotations

from typing import Final

from service.core.arrays import Floats
from service.solver.budget import WorkMeter
from service.solver.equilibrium.regret_matching import match
from service.solver.normal_form import NormalForm

STEPS: Final = 248
EPSILON: Final = 0.002
"""A gain by a deviation, in the unit of payoffs, at which the players stop."""


def solver(game: NormalForm, precision: float) -> Floats:
    """Return float64[sum of shape], the strategies; the precision is unused."""
    if game.payoff_range == 0.0:
        return game.uniform
    target = EPSILON / game.payoff_range
    strategies, _ = match(game, STEPS, target, WorkMeter(None), predictive=False)
    return strategies

"""Predictions with the solutions that they need."""

from __future__ import annotations

from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.solver.budget import WorkMeter
from service.solver.canonical import solve
from service.solver.opponents.predictions import Predictions, equilibrium_questions, predict


def predicted(game: RoundGame, canonical: CanonicalQuestion) -> Predictions:
    """Return the predictions of all styles for a decision."""
    solutions = [solve(game, asked) for asked in equilibrium_questions(canonical)]
    return predict(game, canonical, solutions, WorkMeter(None))

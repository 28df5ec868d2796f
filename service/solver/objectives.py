"""The objectives of players, as linear functions of an outcome."""

from __future__ import annotations

import numpy as np

from service.core.arrays import Floats
from service.core.best_response_model import OutcomeColumns
from service.core.vocabulary import LEAD, WIN


def objective_weights(objective: str, columns: OutcomeColumns, player: int, players: int) -> Floats:
    """Return float64[width], a player's objective as a linear function of an outcome."""
    weights = np.zeros(columns.width, np.float64)
    if objective == WIN:
        weights[columns.shares.start + player] = 1.0
        return weights
    if objective == LEAD:
        weights[columns.gains] = -1.0 / (players - 1)
    weights[columns.gains.start + player] = 1.0
    return weights


def objective_values(outcomes: Floats, weights: Floats) -> Floats:
    """Return float64[...], the objective of float64[..., width]; sums have a fixed order."""
    total: Floats = np.zeros(outcomes.shape[:-1])
    for column in np.flatnonzero(weights):
        total += weights[column] * outcomes[..., column]
    return total

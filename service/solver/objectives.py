"""What players are after, as linear forms of an outcome."""

from __future__ import annotations

import numpy as np

from service.core.arrays import Floats
from service.core.best_response_model import OutcomeColumns
from service.core.vocabulary import LEAD, WIN


def objective_weights(objective: str, columns: OutcomeColumns, player: int, players: int) -> Floats:
    """float64[width]: a player's objective as a linear form of an outcome."""
    weights = np.zeros(columns.width, np.float64)
    if objective == WIN:
        weights[columns.shares.start + player] = 1.0
        return weights
    if objective == LEAD:
        weights[columns.gains] = -1.0 / (players - 1)
    weights[columns.gains.start + player] = 1.0
    return weights


def objective_values(outcomes: Floats, weights: Floats) -> Floats:
    """float64[...]: the objective of float64[..., width]; sums in a fixed order."""
    total: Floats = np.zeros(outcomes.shape[:-1])
    for column in np.flatnonzero(weights):
        total += weights[column] * outcomes[..., column]
    return total

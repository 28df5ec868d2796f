"""The weights of an evaluator for the compiled evaluation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from service.games.snowcrest.catalogue.cards import Catalogue
from service.games.snowcrest.engine.evaluation import KNOTS, Evaluator, PhaseModel, knot_weights
from service.games.snowcrest.rules.setup import SCROLLS
from service.games.snowcrest.rules.solo import DIFFICULTIES
from service.games.snowcrest.rules.state import Seat, State

Models = NDArray[np.float64]

MOST_SCROLLS = max(*SCROLLS.values(), *(level.scrolls for level in DIFFICULTIES.values()))


def models_of(evaluator: Evaluator, catalogue: Catalogue, players: int) -> Models:
    """Return the weights of all phases, see :mod:`.kernels.choices.estimation`."""
    sets = evaluator.solo if players == 1 else evaluator.several
    rows = []
    for weights, slope in zip(sets, evaluator.slopes, strict=True):
        model = PhaseModel(weights, slope, catalogue)
        rows.append([slope, *model.plain, *model.face_up, *model.exhausted, *model.in_hand])
    knots = np.array(rows)
    seats = tuple(Seat(name) for name in "abcd"[:players])
    states = [State(seats, 0, supply, 0, ()) for supply in range(MOST_SCROLLS + 1)]
    states.append(State(seats, 0, 0, 0, (), ending=True))
    parts = np.array([knot_weights(state) for state in states])
    assert parts.shape[1] == len(KNOTS) + 1
    return np.ascontiguousarray(parts @ knots)

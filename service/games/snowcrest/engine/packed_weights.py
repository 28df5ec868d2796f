"""The weights of an evaluator for the compiled evaluation."""

from __future__ import annotations

from operator import mul

import numpy as np
from numpy.typing import NDArray

from service.games.snowcrest.catalogue.cards import Catalogue
from service.games.snowcrest.engine.abilities import ABILITIES, abilities
from service.games.snowcrest.engine.evaluation import Evaluator, knot_weights_of
from service.games.snowcrest.engine.features import PLAIN_FEATURES
from service.games.snowcrest.rules.setup import SCROLLS
from service.games.snowcrest.rules.solo import DIFFICULTIES

Models = NDArray[np.float64]

MOST_SCROLLS = max(*SCROLLS.values(), *(level.scrolls for level in DIFFICULTIES.values()))


def models_of(evaluator: Evaluator, catalogue: Catalogue, players: int) -> Models:
    """Return the weights of all phases, see :mod:`.kernels.choices.estimation`."""
    sets = evaluator.solo if players == 1 else evaluator.several
    count, width, rows = len(PLAIN_FEATURES), len(ABILITIES), []
    for weights, slope in zip(sets, evaluator.slopes, strict=True):
        of_cards = [weights[count + at * width : count + (at + 1) * width] for at in range(3)]
        values = [
            float(sum(map(mul, kind, vector)))
            for kind in of_cards
            for vector in abilities(catalogue)
        ]
        rows.append([slope, *weights[:count], *values])
    supplies = range(MOST_SCROLLS + 1)
    parts = [knot_weights_of(supply, players, ending=False) for supply in supplies]
    parts.append(knot_weights_of(0, players, ending=True))
    return np.ascontiguousarray(np.array(parts) @ np.array(rows))

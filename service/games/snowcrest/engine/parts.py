"""The estimate of a position by parts, for the explanation of hints.

The evaluator is linear before its softmax (``evaluation.py``): the potential of a seat is a sum of
features times weights, and the weights are a mean of those of the knots.  The *terms* of a part are
its share of the potentials of all seats with the weights of each knot; the part ``phase`` also
has the weight of each knot.  The sum of the terms of all parts determines the estimate, so terms
can be exchanged part by part between two positions.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.core.sequential import OTHERS
from service.games.snowcrest.catalogue.cards import Catalogue
from service.games.snowcrest.engine.evaluation import KNOTS, Evaluator, weights_of
from service.games.snowcrest.engine.features import PLAIN_FEATURES
from service.games.snowcrest.rules.payments.resources import Building, Resource

PARTS: Final = (
    "points", "omen", "resources", "buildings", "villagers", "actions", "hand", "challenges",
    "majorities", "phase", OTHERS,
)  # fmt: skip
"""The parts of an estimate.  All but the last concern the asker.

- ``points``: scrolls, and points for the number of buildings
- ``villagers``: the village and what its cards can do; ``actions``: what a face-up villager could
  do at once with all resources
- ``majorities``: points for resources if the game ended now
- ``phase``: how near the end of the game is, and who moves next
"""

_OF_PART: Final = {
    "points": ("scrolls", "building_points"),
    "omen": ("omen",),
    "resources": (*(resource.label for resource in Resource), "hoard"),
    "buildings": tuple(f"{kind.label}_{side}" for kind in Building for side in ("up", "spent")),
    "villagers": ("residents", "free", "due"),
    "actions": (
        "ready_worship", "ready_more_worship", "ready_build", "ready_scrolls", "ready_turn_up",
        "ready_meditation",
    ),
    "hand": ("hand",),
    "challenges": ("challenges",),
    "majorities": ("majorities",),
    "phase": ("to_move", "waits", "left", "rests_left", "one"),
}  # fmt: skip
"""The plain features of each part; those of cards belong to the village and the hand."""
_COLUMNS: Final = {
    PARTS.index(part): [PLAIN_FEATURES.index(name) for name in names]
    for part, names in _OF_PART.items()
}
_VILLAGERS, _HAND, _PHASE, _OTHERS = map(PARTS.index, ("villagers", "hand", "phase", OTHERS))
_WEIGHT_SETS: Final = len(KNOTS) + 1


def terms_of_features(
    evaluator: Evaluator,
    catalogue: Catalogue,
    asker: int,
    plain: Floats,
    copies: Floats,
    knots: Floats,
) -> Floats:
    """Return the terms of positions at the end of a turn that do not end the game.

    Args:
        evaluator: the weights.
        catalogue: the cards.
        asker: index of the asker's seat.
        plain: float64[positions, seats, plain features].
        copies: float64[positions, seats, 3, cards], of each card face up, exhausted and in hand.
        knots: float64[positions, knots], the weights of the knots.

    Returns:
        float64[positions, parts, seats * knots + knots].
    """
    count, seats = plain.shape[:2]
    rows = weights_of(evaluator, catalogue, seats)
    weights, of_cards = np.split(rows[:, 1:], [len(PLAIN_FEATURES)], axis=1)
    of_cards = of_cards.reshape(_WEIGHT_SETS, 3, -1).transpose(1, 2, 0)
    potentials = np.zeros((count, len(PARTS), seats, _WEIGHT_SETS))
    for part, columns in _COLUMNS.items():
        potentials[:, part] = np.einsum("lsf,kf->lsk", plain[..., columns], weights[:, columns])
    potentials[:, _VILLAGERS] += np.einsum("lspc,pck->lsk", copies[:, :, :2], of_cards[:2])
    potentials[:, _HAND] += np.einsum("lsc,ck->lsk", copies[:, :, 2], of_cards[2])
    own = np.arange(seats) == asker
    others = potentials.sum(axis=1)
    potentials[:, :, ~own] = 0.0
    potentials[:, _OTHERS] = np.where(own[:, None], 0.0, others)
    phases = np.zeros((count, len(PARTS), _WEIGHT_SETS))
    phases[:, _PHASE] = knots
    return np.concatenate(
        [potentials.reshape(count, len(PARTS), seats * _WEIGHT_SETS), phases], axis=2
    )


def estimates(evaluator: Evaluator, asker: int, seats: int, solo: bool, features: Floats) -> Floats:
    """Return the asker's stated win shares for sums of terms.

    Args:
        evaluator: the weights.
        asker: index of the asker's seat.
        seats: number of seats.
        solo: whether the share is the probability of winning a solo game.
        features: float64[n, seats * knots + knots].
    """
    knots = features[:, seats * _WEIGHT_SETS :]
    by_knot = features[:, : seats * _WEIGHT_SETS].reshape(len(features), seats, _WEIGHT_SETS)
    potentials = (by_knot * knots[:, None]).sum(axis=2)
    if solo:
        odds = potentials[:, 0]
        small = np.exp(-np.abs(odds))
        chances: Floats = np.where(odds >= 0.0, 1.0, small) / (1.0 + small)
        return chances
    slopes = (knots * np.array(evaluator.slopes)).sum(axis=1)
    best = potentials.max(axis=1, keepdims=True)
    parts = np.exp(slopes[:, None] * (potentials - best))
    return evaluator.stated(parts / parts.sum(axis=1, keepdims=True), asker)[:, asker]

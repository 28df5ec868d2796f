"""The weights of the evaluation of a position at the end of a turn.

With several players, the *potential* of a seat estimates its final points: its features
(``features.py``) times weights that depend on the phase of the game.  The weights are interpolated
between the :data:`KNOTS` by the scrolls left.  Once the supply has been empty, a separate set of
weights applies.  Win shares are a softmax of the potentials times a slope, which grows towards the
end of the game.  In a solo game the potential is the log-odds of winning (C13).
``kernels/choices/estimation.py`` computes them.

The weights are learned from games (``evaluator.md``) and stored in ``evaluator.json``.  Finished
games are scored exactly and never estimated.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import floor
from operator import mul
from pathlib import Path
from typing import Any, Final

import numpy as np

from service.core.arrays import Floats
from service.core.calibration import Calibration, calibrations
from service.games.snowcrest.catalogue.cards import Catalogue
from service.games.snowcrest.engine.abilities import ABILITIES, abilities
from service.games.snowcrest.engine.features import FEATURES, PLAIN_FEATURES
from service.games.snowcrest.rules.setup import SCROLLS
from service.games.snowcrest.rules.solo import DIFFICULTIES

EVALUATOR_FILE: Final = Path(__file__).with_name("evaluator.json")

KNOTS: Final = (1.0, 0.5, 0.0)
"""Fractions of the scrolls left at which the weights are given."""
ENDING: Final = len(KNOTS)
"""Index of the weights for a supply that has been empty."""

MOST_SCROLLS: Final = max(*SCROLLS.values(), *(level.scrolls for level in DIFFICULTIES.values()))
_START_SCROLLS: Final = (15, 20, 25, 30)
"""Approximate scrolls at the start, by number of players."""


def knot_weights(supply: int, seats: int, *, ending: bool) -> tuple[float, ...]:
    """Return the weight of each knot, and last that of the ending; they sum to 1."""
    if ending:
        return (0.0, 0.0, 0.0, 1.0)
    left = min(1.0, supply / _START_SCROLLS[seats - 1])
    first, middle, _ = KNOTS
    if left >= middle:
        part = (left - middle) / (first - middle)
        return (part, 1.0 - part, 0.0, 0.0)
    return (0.0, left / middle, 1.0 - left / middle, 0.0)


@dataclass(frozen=True)
class Evaluator:
    """The learned weights.

    Attributes:
        version: name of the evaluator.
        several: float[knots + 1][features], weights of the potential with several players.
        slopes: float[knots + 1].
        solo: float[knots + 1][features], weights of a solo game; those of the ending are unused.
        calibration: by number of players; not of solo games.
    """

    version: str
    several: tuple[tuple[float, ...], ...]
    slopes: tuple[float, ...]
    solo: tuple[tuple[float, ...], ...]
    calibration: Mapping[int, Calibration]

    def stated(self, shares: Floats, asker: int) -> Floats:
        """Return stated shares, see :meth:`Calibration.stated`; in solo games the same ones."""
        calibration = self.calibration.get(shares.shape[1])
        return shares if calibration is None else calibration.stated(shares, asker)

    def __hash__(self) -> int:
        return hash(self.version)


def comparable(share: float) -> int:
    """Return a share in units of 1e-9: shares that differ by rounding errors only are equal."""
    return floor(share * 1e9 + 0.5)


# Packed ---------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def weights_of(evaluator: Evaluator, catalogue: Catalogue, players: int) -> Floats:
    """Return the weights at each knot, float64[knots + 1, 1 + plain features + 3 cards].

    A row has the slope, the weights of the plain features, and the values of each villager face up,
    exhausted and in hand.
    """
    sets = evaluator.solo if players == 1 else evaluator.several
    count, width, rows = len(PLAIN_FEATURES), len(ABILITIES), []
    for weights, slope in zip(sets, evaluator.slopes, strict=True):
        of_cards = [weights[count + at * width : count + (at + 1) * width] for at in range(3)]
        # In this order on every machine; a matrix product is not.
        values = [
            sum(map(mul, kind, vector)) for kind in of_cards for vector in abilities(catalogue)
        ]
        rows.append([slope, *weights[:count], *values])
    return np.array(rows)


@lru_cache(maxsize=32)
def models_of(evaluator: Evaluator, catalogue: Catalogue, players: int) -> Floats:
    """Return the weights of all phases, see :mod:`.kernels.choices.estimation`."""
    supplies = range(MOST_SCROLLS + 1)
    parts = [knot_weights(supply, players, ending=False) for supply in supplies]
    parts.append(knot_weights(0, players, ending=True))
    of_knots, models = zip(*parts, strict=True), np.zeros(())
    for share, weights in zip(of_knots, weights_of(evaluator, catalogue, players), strict=True):
        models = models + np.outer(share, weights)
    return models


# Files ----------------------------------------------------------------------------------------


def from_document(document: Mapping[str, Any]) -> Evaluator:
    """Return the evaluator of a JSON document.

    Absent features have weight 0; an absent calibration changes nothing.
    """

    def sets(weights: Mapping[str, Sequence[float]]) -> tuple[tuple[float, ...], ...]:
        none = (0.0,) * (len(KNOTS) + 1)
        rows = [weights.get(name, none) for name in FEATURES]
        return tuple(tuple(map(float, column)) for column in zip(*rows, strict=True))

    return Evaluator(
        document["version"],
        sets(document["several"]),
        tuple(document["slopes"]),
        sets(document["solo"]),
        calibrations(document.get("calibration", {})),
    )


def load_evaluator(path: Path) -> Evaluator:
    """Return the evaluator in a file."""
    return from_document(json.loads(path.read_text("utf-8")))


@lru_cache(maxsize=1)
def default_evaluator() -> Evaluator:
    """Return the evaluator of this version."""
    return load_evaluator(EVALUATOR_FILE)

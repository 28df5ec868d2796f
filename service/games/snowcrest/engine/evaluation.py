"""The weights of the evaluation of a position at the end of a turn.

With several players, the *potential* of a seat estimates its final points: its features
(``features.py``) times weights that depend on the phase of the game.  The weights are interpolated
between the :data:`KNOTS` by the scrolls left.  Once the supply has been empty, a separate set of
weights applies.  Win shares are a softmax of the potentials times a slope, which grows towards the
end of the game.  In a solo game the potential is the log-odds of winning (C13).
``kernels/choices/estimation.py`` computes them.

The weights are learned from games (``-m research train --game snowcrest``) and stored in
``evaluator.json``.  Finished games are scored exactly and never estimated.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import floor
from pathlib import Path
from typing import Any, Final

from service.core.arrays import Floats
from service.core.calibration import Calibration, calibrations
from service.games.snowcrest.engine.features import FEATURES
from service.games.snowcrest.rules.state import State

EVALUATOR_FILE: Final = Path(__file__).with_name("evaluator.json")

KNOTS: Final = (1.0, 0.5, 0.0)
"""Fractions of the scrolls left at which the weights are given."""
ENDING: Final = len(KNOTS)
"""Index of the weights for a supply that has been empty."""
_START_SCROLLS: Final = (15, 20, 25, 30)
"""Approximate scrolls at the start, by number of players."""


def knot_weights(state: State) -> tuple[float, ...]:
    """Return the weight of each knot, and last that of the ending; they sum to 1."""
    return knot_weights_of(state.supply, len(state.seats), ending=state.ending)


def knot_weights_of(supply: int, seats: int, *, ending: bool) -> tuple[float, ...]:
    """Return the weights of the knots, see :func:`knot_weights`."""
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


def to_document(evaluator: Evaluator) -> dict[str, Any]:
    """Return the document that :func:`from_document` parses."""

    def weights(sets: Sequence[Sequence[float]]) -> dict[str, list[float]]:
        columns = zip(*sets, strict=True)
        return {
            name: [round(number, 4) for number in column]
            for name, column in zip(FEATURES, columns, strict=True)
            if any(round(number, 4) for number in column)
        }

    return {
        "version": evaluator.version,
        "slopes": [round(slope, 4) for slope in evaluator.slopes],
        "calibration": {str(players): list(own) for players, own in evaluator.calibration.items()},
        "several": weights(evaluator.several),
        "solo": weights(evaluator.solo),
    }


def load_evaluator(path: Path) -> Evaluator:
    """Return the evaluator in a file."""
    return from_document(json.loads(path.read_text("utf-8")))


@lru_cache(maxsize=1)
def default_evaluator() -> Evaluator:
    """Return the evaluator of this version."""
    return load_evaluator(EVALUATOR_FILE)

"""The evaluator: estimates the win shares of all players before a turn.

Each player has a number of movements left to the finish: the minimum for the track with every
boost, where a gift field on the way saves a part of a movement (``packing.distances``).  A space
that is a gift and a boost saves as much as a boost.  A missed turn, a sting, a later place in the
turn order and snowmen add to it; gifts in the stack subtract from it, with different values on top
of the stack and further down.  A snowman costs the foremost character that has it ahead the way
around it, or a missed turn if that is less.  A player's share is proportional to exp(-slope *
movements left).  The slope falls with the square root of the movements that the leader has left,
because the variance of the rest of the race grows with them.

``evaluator.md`` says where the weights in ``evaluator.json`` come from.  Finished positions are
not estimated but counted exactly.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.core.calibration import Calibration, calibrations
from service.games.slopecrashers.rules.gifts import Card

FILE: Final = Path(__file__).with_name("evaluator.json")


@dataclass(frozen=True)
class Evaluator:
    """Weights of an evaluator, in movements except for the slope.

    Attributes:
        version: its name.
        missing: cost of a missed turn.
        stung: cost of a sting.
        order: cost of being last in the turn order rather than first.
        slope: of the logarithm of a share, per movement and before the root.
        room: added to the movements left of the leader, under the root.
        hidden: value of an unseen gift.
        field: value of a gift field on the way.
        worth: value of each gift on top of a stack, by label.
        deep: value of each gift further down in a stack, by label.
        calibration: by number of players.
    """

    version: str
    missing: float
    stung: float
    order: float
    slope: float
    room: float
    hidden: float
    field: float
    worth: dict[str, float]
    deep: dict[str, float]
    calibration: Mapping[int, Calibration]

    @property
    def weights(self) -> NDArray[np.float64]:
        """float64[5], in the order of ``kernels/estimation.py``."""
        return np.array([self.missing, self.stung, self.order, self.slope, self.room], np.float64)

    def card_values(self, kinds: Sequence[Card]) -> NDArray[np.float64]:
        """Return the card values as float64[2, kinds + 1].

        The rows are for cards on top of a stack and further down.  A card has the value of its
        better use; the last column is for unseen cards.
        """
        return np.array(
            [
                [*(max(worth[gift.label] for gift in card) for card in kinds), self.hidden]
                for worth in (self.worth, self.deep)
            ],
            np.float64,
        )


def read(path: Path) -> Evaluator:
    """Return the evaluator in a file."""
    document = json.loads(path.read_text("utf-8"))
    return Evaluator(**document | {"calibration": calibrations(document["calibration"])})


@lru_cache(maxsize=1)
def default_evaluator() -> Evaluator:
    """Return the evaluator of this version."""
    return read(FILE)

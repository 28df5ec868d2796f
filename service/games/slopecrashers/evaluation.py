"""How good a position is where a turn is about to begin: everybody's share of the win, estimated.

Each player has so many movements left to the end of the race, the least that the course takes
without gifts and with every boost (``packing.Board.way``).  To these a missed turn and a sting add,
and the gifts in the stack save, each what it is worth; whoever comes later in the order of turns is
further behind.  A player's share is proportional to e to the power of minus what is left times a
slope, which falls with the square root of what the foremost has left, as the spread of what may
come grows with it.

The numbers are learned from games (``scripts/train_slope_evaluator.py``) and lie in
``evaluator.json``.  Finished positions are never estimated; they are counted exactly.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.games.slopecrashers.gifts import Card

FILE: Final = Path(__file__).with_name("evaluator.json")


@dataclass(frozen=True)
class Evaluator:
    """Numbers of an evaluator, all in movements but the slope.

    Attributes:
        version: its name.
        missing: what a missed turn costs.
        stung: what a sting costs.
        order: what being last in the order of turns would cost, on top of being first.
        slope: of the logarithm of a share.
        room: added to what the foremost has left, under the root.
        hidden: what an unseen gift is worth.
        worth: of each gift, by its label.
    """

    version: str
    missing: float
    stung: float
    order: float
    slope: float
    room: float
    hidden: float
    worth: dict[str, float]

    @property
    def weights(self) -> NDArray[np.float64]:
        """float64[5], as ``kernels/search.py`` reads them."""
        return np.array([self.missing, self.stung, self.order, self.slope, self.room], np.float64)

    def worth_of(self, kinds: Sequence[Card]) -> NDArray[np.float64]:
        """float64[kinds + 1]: of each card its better use, of an unseen one at the end."""
        known = [max(self.worth[gift.label] for gift in card) for card in kinds]
        return np.array([*known, self.hidden], np.float64)


def read(path: Path) -> Evaluator:
    """The evaluator in a file."""
    return Evaluator(**json.loads(path.read_text("utf-8")))


@lru_cache(maxsize=1)
def shipped() -> Evaluator:
    """The evaluator of this version."""
    return read(FILE)

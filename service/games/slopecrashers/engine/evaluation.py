"""How good a position is where a turn is about to begin: everybody's share of the win, estimated.

Each player has so many movements left to the end of the race, the least that the course takes
with every boost, where a gift field on the way saves a part of one (``packing.way``).  To these a
missed turn and a sting add, and the gifts in the stack save, each what it is worth, on top of the
stack or further down; whoever comes later in the order of turns is further behind.  A player's
share is proportional to e to the power of minus what is left times a slope, which falls with the
square root of what the foremost has left, as the spread of what may come grows with it.

The numbers are learned from games (``scripts/train_slopecrashers_evaluator.py``), adjusted by play
(``evaluator.md``), and lie in ``evaluator.json``.  Finished positions are never estimated; they are
counted exactly.
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

from service.games.slopecrashers.rules.gifts import Card

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
        field: what a gift field on the way is worth.
        worth: of each gift on top of a stack, by its label.
        deep: of each gift further down, which waits for those above it.
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

    @property
    def weights(self) -> NDArray[np.float64]:
        """float64[5], as ``kernels/search.py`` reads them."""
        return np.array([self.missing, self.stung, self.order, self.slope, self.room], np.float64)

    def worth_of(self, kinds: Sequence[Card]) -> NDArray[np.float64]:
        """float64[2, kinds + 1]: of each card its better use, on top of a stack and further down;
        of an unseen one at the end.
        """
        return np.array(
            [
                [*(max(worth[gift.label] for gift in card) for card in kinds), self.hidden]
                for worth in (self.worth, self.deep)
            ],
            np.float64,
        )


def read(path: Path) -> Evaluator:
    """The evaluator in a file."""
    return Evaluator(**json.loads(path.read_text("utf-8")))


@lru_cache(maxsize=1)
def default_evaluator() -> Evaluator:
    """The evaluator of this version."""
    return read(FILE)

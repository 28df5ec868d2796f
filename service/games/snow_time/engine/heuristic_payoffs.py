"""What people may find their hands worth who play each round for themselves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.evaluation import CLASSES, hand_classes
from service.games.snow_time.engine.packing import hand_of
from service.games.snow_time.rules.state import CHAMPIONS, Card


@dataclass(frozen=True)
class CardValues:
    """Spaces that a card is worth which stays in hand."""

    champion: float
    watcher: float
    blizzard: float


CARD_VALUES: Final = (
    CardValues(0.5, 1.0, 1.5),
    CardValues(0.8, 1.3, 1.8),
    CardValues(0.65, 1.8, 2.4),
    CardValues(0.95, 1.0, 2.0),
)
"""People differ; these span what does well at tables of players who go by such numbers."""


@lru_cache(maxsize=len(CARD_VALUES))
def hand_values(kept: CardValues) -> NDArray[np.float64]:
    """float64[80]: what each class of hands is worth, in spaces."""
    table = np.zeros(CLASSES, np.float64)
    for hand, number in enumerate(hand_classes().tolist()):
        cards = hand_of(hand)
        table[number] = (
            kept.champion * len(set(cards).intersection(CHAMPIONS))
            + kept.watcher * (Card.WATCHER in cards)
            + kept.blizzard * (Card.BLIZZARD in cards)
        )
    return table

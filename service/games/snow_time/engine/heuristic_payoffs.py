"""Heuristic values of cards in hand for players who do not look ahead."""

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
    """Value in spaces of each card that stays in hand."""

    champion: float
    watcher: float
    blizzard: float


CARD_VALUES: Final = (
    CardValues(0.5, 1.0, 1.5),
    CardValues(0.8, 1.3, 1.8),
    CardValues(0.65, 1.8, 2.4),
    CardValues(0.95, 1.0, 2.0),
)
"""Typical valuations of players; they span those that do well against players of the same kind."""


@lru_cache(maxsize=len(CARD_VALUES))
def hand_values(values: CardValues) -> NDArray[np.float64]:
    """Return float64[80], the value of each hand class in spaces."""
    table = np.zeros(CLASSES, np.float64)
    for hand, number in enumerate(hand_classes().tolist()):
        cards = hand_of(hand)
        table[number] = (
            values.champion * len(set(cards).intersection(CHAMPIONS))
            + values.watcher * (Card.WATCHER in cards)
            + values.blizzard * (Card.BLIZZARD in cards)
        )
    return table

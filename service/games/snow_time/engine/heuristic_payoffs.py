"""Heuristic values of cards in hand for players who do not look ahead."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.evaluation import CLASSES, hand_classes
from service.games.snow_time.engine.packing import hand_of
from service.games.snow_time.rules.state import CHAMPIONS, Card

KEPT_KINDS: Final = ("champion", "watcher", "blizzard")
"""Kinds of cards that a player can keep; the healer always returns, so it is worth 0."""

TYPICAL_VALUES: Final = (
    (0.5, 1.0, 1.5),
    (0.8, 1.3, 1.8),
    (0.65, 1.8, 2.4),
    (0.95, 1.0, 2.0),
)
"""Typical valuations of players, in spaces for a card of each kind.

They span those that do well against players of the same kind.
"""


@lru_cache(maxsize=1)
def _kept_cards() -> NDArray[np.float64]:
    """Return float64[kinds, 80], how many cards of each kind each hand class has."""
    counts = np.zeros((len(KEPT_KINDS), CLASSES), np.float64)
    for hand, number in enumerate(hand_classes().tolist()):
        cards = hand_of(hand)
        champions = len(set(cards).intersection(CHAMPIONS))
        counts[:, number] = champions, Card.WATCHER in cards, Card.BLIZZARD in cards
    return counts


@lru_cache(maxsize=512)
def hand_values(values: tuple[float, ...]) -> NDArray[np.float64]:
    """Return float64[80], the value of each hand class in spaces; it must not be changed.

    Args:
        values: of a card of each of the ``KEPT_KINDS``.
    """
    champions, watcher, blizzard = (
        value * count for value, count in zip(values, _kept_cards(), strict=True)
    )
    table: NDArray[np.float64] = champions + watcher + blizzard
    return table

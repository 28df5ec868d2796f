"""How good a position is: the win shares of all players, estimated.

The first evaluator is a log-linear potential.  Its few weights are rounded from a fit to some
thousand games of noisy players who maximise the points of a round.  Each seat is worth
``exp(pace * (score + worth of its hand))``, where the pace grows as the leader nears the end:
spaces matter more the fewer rounds are left to make them good.  A player's share is the sum of
its seats' potentials over the sum of all, so shares sum to 1 and the order of seats is of no
account.  Finished positions are never estimated; the solver counts them exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.state import DECK, Card, Track

EVALUATOR: Final = "potential-1"

QUARTERS: Final = 4
"""Potentials are tabulated in quarter spaces."""
CHAMPION_WORTH: Final = 3
WATCHER_WORTH: Final = 1
BLIZZARD_WORTH: Final = 6
"""What a card in hand is worth, in quarter spaces; the healer is in every hand."""
SPACES_A_ROUND: Final = 2
"""About what the leading seat makes in a round; tells how many rounds are left."""
SLOWNESS: Final = 2
"""How much less a space counts per square root of rounds left, the spread of what may come."""
MOST_WORTH: Final = 7 * CHAMPION_WORTH + WATCHER_WORTH + BLIZZARD_WORTH


def worth(card: Card) -> int:
    """What holding the card is worth, in quarter spaces."""
    if card.is_champion:
        return CHAMPION_WORTH
    return {Card.WATCHER: WATCHER_WORTH, Card.BLIZZARD: BLIZZARD_WORTH}.get(card, 0)


@lru_cache(maxsize=1)
def hand_worth() -> NDArray[np.int64]:
    """int64[1024]: the worth of each hand, a set of cards as bits in deck order."""
    table = np.zeros(1 << len(DECK), np.int64)
    for hand in range(table.size):
        table[hand] = sum(worth(card) for card in DECK if hand >> (card - 1) & 1)
    return table


@dataclass(frozen=True)
class Scale:
    """What seats are worth on a track, tabulated.

    A seat's standing is that of its space and the worth of its hand together.

    Attributes:
        spaces: int64[length + 1], the standing of each space.
        worth: int64[1024], of each hand, a set of cards as bits in deck order.
        potentials: float64[length + 1, standings], by the leader's space and a seat's standing.
        hands: ``worth`` as plain numbers, fit to be a key.
    """

    spaces: NDArray[np.int64]
    worth: NDArray[np.int64]
    potentials: NDArray[np.float64]
    hands: tuple[int, ...]


@lru_cache(maxsize=32)
def scale(track: Track) -> Scale:
    """The evaluator on a track."""
    spaces = np.arange(track.length + 1, dtype=np.int64) * QUARTERS
    worth = hand_worth()
    return Scale(spaces, worth, _potentials(track.length), tuple(worth.tolist()))


def _potentials(length: int) -> NDArray[np.float64]:
    """float64[length + 1, 4 * length + MOST_WORTH + 1]: potentials on a track.

    The row is the leader's score, the column a seat's score and hand in quarter spaces.  Values
    are relative to a seat beside the leader with nothing in hand.
    """
    columns = QUARTERS * length + MOST_WORTH + 1
    table = np.zeros((length + 1, columns), np.float64)
    for leader in range(length + 1):
        rounds_left = Decimal(length - leader) / SPACES_A_ROUND
        pace = 1 / (1 + SLOWNESS * rounds_left.sqrt())
        # A correctly rounded exponential: the same on every machine.
        ratio = float((pace / QUARTERS).exp())
        base = QUARTERS * leader
        for column in range(base, min(columns, base + MOST_WORTH + 1)):
            table[leader, column] = 1.0 if column == base else table[leader, column - 1] * ratio
        for column in range(base - 1, -1, -1):
            table[leader, column] = table[leader, column + 1] / ratio
    return table

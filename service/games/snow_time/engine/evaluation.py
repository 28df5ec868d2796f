"""How good a position is: the win shares of all players, estimated.

Each seat has a potential, and a player's share is the sum of its seats' potentials over the sum of
all, so shares sum to 1 and the order of seats is of no account.  A potential is log-linear: a pace
times the seat's space, plus a worth for its champions, by how many low ones (1 to 3) and high ones
(4 to 7) it holds, and for its watcher and its blizzard.  Champions in hand are not simply good:
whose last one is discarded gets all seven back (R4).  Pace and worths change with how far the
leading seat is from the last space: knots are given, and interpolated between; on a longer way than
the last knot's they shrink with the square root of it, as the spread of what may come grows.  There
are own numbers for two, three, four and five players.

The numbers are learned from games (``scripts/train_evaluator.py``) and lie in ``evaluator.json``.
Finished positions are never estimated; they are counted exactly.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.rules.state import CHAMPIONS, DECK, Card, Track

LOW: Final = CHAMPIONS[:3]
HIGH: Final = CHAMPIONS[3:]
_SPECIALS: Final = 4
"""Watcher and blizzard in hand: neither, watcher, blizzard, both."""
CLASSES: Final = (len(LOW) + 1) * (len(HIGH) + 1) * _SPECIALS


@dataclass(frozen=True)
class EvaluatorWeights:
    """What a seat's potential is made of, in logarithms, by knot.

    Attributes:
        knots: how far the leading seat has to go, ascending.
        pace: of each space.
        champions: by how many low and how many high ones are in hand.
        watcher, blizzard: if it is in hand.
    """

    knots: Sequence[float]
    pace: Sequence[float]
    champions: Sequence[Sequence[Sequence[float]]]
    watcher: Sequence[float]
    blizzard: Sequence[float]

    def at(self, distance: int) -> tuple[float, list[float]]:
        """The pace, and float[80], the worth of each class of hands, at that distance."""
        shrunk = 1.0 if distance <= self.knots[-1] else (self.knots[-1] / distance) ** 0.5
        watcher = shrunk * self._between(self.watcher, distance)
        blizzard = shrunk * self._between(self.blizzard, distance)
        hand_values = []
        for low in range(len(LOW) + 1):
            for high in range(len(HIGH) + 1):
                by_knot = [table[low][high] for table in self.champions]
                worth = shrunk * self._between(by_knot, distance)
                hand_values += [
                    worth,
                    worth + watcher,
                    worth + blizzard,
                    worth + watcher + blizzard,
                ]
        return shrunk * self._between(self.pace, distance), hand_values

    def _between(self, values: Sequence[float], distance: int) -> float:
        """The value at a distance, linear between knots and level beyond them."""
        knots = self.knots
        if distance <= knots[0]:
            return values[0]
        for left in range(len(knots) - 1):
            if distance <= knots[left + 1]:
                part = (distance - knots[left]) / (knots[left + 1] - knots[left])
                return values[left] + part * (values[left + 1] - values[left])
        return values[-1]


@dataclass(frozen=True)
class EvaluatorTables:
    """The evaluator at a table and on its track, tabulated.

    Attributes:
        potentials: float64[length + 1, length + 1], the part of a seat's potential that its space
            makes, by the leader's space and its own; 1 for the leader.
        hands: float64[length + 1, 80], the part that its hand makes, by class.
        classes: int64[1024], the class of each hand, a set of cards as bits in deck order.
    """

    potentials: NDArray[np.float64]
    hands: NDArray[np.float64]
    classes: NDArray[np.int64]

    def preference(self, leader: int) -> tuple[float, ...]:
        """What each class of hands is worth while the leader stands there."""
        return tuple(self.hands[leader].tolist())


@lru_cache(maxsize=1)
def hand_classes() -> NDArray[np.int64]:
    """int64[1024]: the class of each hand; hands of a class are worth the same."""
    table = np.zeros(1 << len(DECK), np.int64)
    for hand in range(table.size):
        cards = {card for card in DECK if hand >> (card - 1) & 1}
        low, high = len(cards.intersection(LOW)), len(cards.intersection(HIGH))
        specials = (Card.WATCHER in cards) + 2 * (Card.BLIZZARD in cards)
        table[hand] = (low * (len(HIGH) + 1) + high) * _SPECIALS + specials
    return table


@dataclass(frozen=True, eq=False)
class Evaluator:
    """Learned weights by number of players, and the version that answers name."""

    version: str
    weights: Mapping[int, EvaluatorWeights]

    @lru_cache(maxsize=64)  # noqa: B019 - there are few evaluators, and they live long.
    def tables(self, track: Track, players: int) -> EvaluatorTables:
        """The evaluator for so many players on a track."""
        length, weights = track.length, self.weights[players]
        potentials = np.ones((length + 1, length + 1), np.float64)
        hands = np.ones((length + 1, CLASSES), np.float64)
        for leader in range(length + 1):
            pace, hand_values = weights.at(max(1, length - leader))
            ratio = _exp(-pace)
            for space in range(leader - 1, -1, -1):
                potentials[leader, space] = potentials[leader, space + 1] * ratio
            known = {worth: _exp(worth) for worth in set(hand_values)}
            hands[leader] = [known[worth] for worth in hand_values]
        return EvaluatorTables(potentials, hands, hand_classes())


def _exp(value: float) -> float:
    """A correctly rounded exponential: the same on every machine."""
    return float(Decimal(value).exp())


def read_evaluator(document: Mapping[str, Any]) -> Evaluator:
    """The evaluator that a data file holds."""
    weights = {
        int(players): EvaluatorWeights(document["knots"], **numbers)
        for players, numbers in document["players"].items()
    }
    return Evaluator(document["version"], weights)


@lru_cache(maxsize=1)
def default_evaluator() -> Evaluator:
    """The evaluator that the service uses."""
    text = Path(__file__).with_name("evaluator.json").read_text(encoding="utf-8")
    return read_evaluator(json.loads(text))

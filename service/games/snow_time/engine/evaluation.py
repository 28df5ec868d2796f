"""The evaluator: estimated win shares of all players in an unfinished position.

Each seat has a potential.  A player's share is the sum of its seats' potentials divided by the sum
of all potentials, so shares sum to 1 and the order of seats does not matter.  The potential is
log-linear: a pace times the seat's space, plus a weight for the champions in hand, by the number of
low ones (1 to 3) and high ones (4 to 7), plus weights for the watcher and the blizzard in hand.
More champions are not always better: a seat that has discarded its last one can take back all
seven (R4).

Pace and weights depend on the distance of the leading seat from the last space.  They are given at
knots and interpolated linearly.  Beyond the last knot they shrink with the square root of the
distance because the spread of future gains grows like it.  There are separate numbers for two,
three, four and five players.

The numbers are learned from games (``evaluator.md``); they are stored in ``evaluator.json``.
Finished positions are never estimated: their shares are exact.
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
    """Weights of a seat's potential, as logarithms, by knot.

    Attributes:
        knots: distances of the leading seat from the last space, ascending.
        pace: weight of each space.
        champions: weight by number of low and number of high champions in hand.
        watcher, blizzard: weight of the card in hand.
    """

    knots: Sequence[float]
    pace: Sequence[float]
    champions: Sequence[Sequence[Sequence[float]]]
    watcher: Sequence[float]
    blizzard: Sequence[float]

    def at(self, distance: int) -> tuple[float, list[float]]:
        """Return the pace and float[80], the weight of each hand class, at a distance."""
        shrunk = 1.0 if distance <= self.knots[-1] else (self.knots[-1] / distance) ** 0.5
        watcher = shrunk * self._between(self.watcher, distance)
        blizzard = shrunk * self._between(self.blizzard, distance)
        weights = []
        for low in range(len(LOW) + 1):
            for high in range(len(HIGH) + 1):
                by_knot = [table[low][high] for table in self.champions]
                weight = shrunk * self._between(by_knot, distance)
                weights += [
                    weight,
                    weight + watcher,
                    weight + blizzard,
                    weight + watcher + blizzard,
                ]
        return shrunk * self._between(self.pace, distance), weights

    def _between(self, values: Sequence[float], distance: int) -> float:
        """Interpolate linearly between knots; constant outside them."""
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
    """The evaluator, tabulated for a track and a number of players.

    Attributes:
        potentials: float64[length + 1, length + 1], the factor of the space in a seat's potential,
            by the leader's space and the seat's space; 1 for the leader.
        hands: float64[length + 1, 80], the factor of the hand, by the leader's space and the
            hand class.
        classes: int64[1024], the class of each hand; a hand is a bit set in deck order.
        paces: float64[length + 1], the logarithm of the factor of one more space, by the leader's
            space.
        hand_logs: float64[length + 1, 80], logarithms of ``hands``.
    """

    potentials: NDArray[np.float64]
    hands: NDArray[np.float64]
    classes: NDArray[np.int64]
    paces: NDArray[np.float64]
    hand_logs: NDArray[np.float64]

    def preference(self, leader: int) -> tuple[float, ...]:
        """Return the value of each hand class while the leader stands on that space."""
        return tuple(self.hands[leader].tolist())


@lru_cache(maxsize=1)
def hand_classes() -> NDArray[np.int64]:
    """Return int64[1024], the class of each hand; hands of a class have the same value."""
    table = np.zeros(1 << len(DECK), np.int64)
    for hand in range(table.size):
        cards = {card for card in DECK if hand >> (card - 1) & 1}
        low, high = len(cards.intersection(LOW)), len(cards.intersection(HIGH))
        specials = (Card.WATCHER in cards) + 2 * (Card.BLIZZARD in cards)
        table[hand] = (low * (len(HIGH) + 1) + high) * _SPECIALS + specials
    return table


@dataclass(frozen=True, eq=False)
class Evaluator:
    """Learned weights by number of players, and the version that responses name."""

    version: str
    weights: Mapping[int, EvaluatorWeights]

    @lru_cache(maxsize=64)  # noqa: B019 - there are few evaluators, and they live long.
    def tables(self, track: Track, players: int) -> EvaluatorTables:
        """Return the tables for a track and a number of players."""
        length, weights = track.length, self.weights[players]
        potentials = np.ones((length + 1, length + 1), np.float64)
        hands = np.ones((length + 1, CLASSES), np.float64)
        paces = np.ones(length + 1, np.float64)
        hand_logs = np.ones((length + 1, CLASSES), np.float64)
        for leader in range(length + 1):
            pace, hand_weights = weights.at(max(1, length - leader))
            paces[leader], hand_logs[leader] = pace, hand_weights
            ratio = _exp(-pace)
            for space in range(leader - 1, -1, -1):
                potentials[leader, space] = potentials[leader, space + 1] * ratio
            factors = {weight: _exp(weight) for weight in set(hand_weights)}
            hands[leader] = [factors[weight] for weight in hand_weights]
        return EvaluatorTables(potentials, hands, hand_classes(), paces, hand_logs)


def _exp(value: float) -> float:
    """Return the correctly rounded exponential, which is the same on every machine."""
    return float(Decimal(value).exp())


def read_evaluator(document: Mapping[str, Any]) -> Evaluator:
    """Return the evaluator of a parsed data file."""
    weights = {
        int(players): EvaluatorWeights(document["knots"], **numbers)
        for players, numbers in document["players"].items()
    }
    return Evaluator(document["version"], weights)


@lru_cache(maxsize=1)
def default_evaluator() -> Evaluator:
    """Return the evaluator that the service uses."""
    text = Path(__file__).with_name("evaluator.json").read_text(encoding="utf-8")
    return read_evaluator(json.loads(text))

"""Linear evaluation of a position at the end of a turn: estimated win shares of all players.

With several players, the *potential* of a seat estimates its final points: its features
(``features.py``) times weights that depend on the phase of the game.  The weights are interpolated
between the :data:`KNOTS` by the scrolls left.  Once the supply has been empty, a separate set of
weights applies.  Win shares are a softmax of the potentials times a slope, which grows towards the
end of the game.  In a solo game the potential is the log-odds of winning (C13).

The weights are learned from games (``scripts/train_evaluator.py --game snowcrest``) and stored in
``evaluator.json``.  Finished games are scored exactly and never estimated.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, floor
from operator import mul
from pathlib import Path
from typing import Any, Final, TypeAlias

from service.core.arrays import Floats
from service.core.calibration import Calibration, calibrations
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card, Catalogue
from service.games.snowcrest.engine.abilities import ABILITIES, abilities
from service.games.snowcrest.engine.features import (
    FEATURES,
    OWN_FEATURES,
    PLAIN_FEATURES,
    mean_abilities,
    own_features,
    spendable_resources,
    table_features,
)
from service.games.snowcrest.payments.resources import Building, Resource
from service.games.snowcrest.rules.state import PostedChallenge, Seat, State

EVALUATOR_FILE: Final = Path(__file__).with_name("evaluator.json")

KNOTS: Final = (1.0, 0.5, 0.0)
"""Fractions of the scrolls left at which the weights are given."""
ENDING: Final = len(KNOTS)
"""Index of the weights for a supply that has been empty."""
_START_SCROLLS: Final = (15, 20, 25, 30)
"""Approximate scrolls at the start, by number of players."""
_MIN_PRICE: Final = 0.02
"""Lower bound of every price."""
_MAX_CACHED_SEATS: Final = 2000
"""Largest number of cached seat values of a phase."""
_FEATURE_INDEX: Final = {name: place for place, name in enumerate(PLAIN_FEATURES)}


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


_SeatValue: TypeAlias = tuple[tuple[PostedChallenge, ...], tuple[float, ...], float]


class PhaseModel:
    """The evaluation weights of one phase, applied to the cards of one catalogue.

    Attributes:
        plain: weights of the plain features.
        face_up, exhausted, in_hand: value of each villager in that place.
        slope: factor from potentials to the logarithm of win shares.
    """

    def __init__(self, weights: Sequence[float], slope: float, catalogue: Catalogue) -> None:
        count, width = len(PLAIN_FEATURES), len(ABILITIES)
        self.plain, self.slope = tuple(weights[:count]), slope
        self._own, self._table = self.plain[: len(OWN_FEATURES)], self.plain[len(OWN_FEATURES) :]
        card_weights = [weights[count + at * width : count + (at + 1) * width] for at in range(3)]
        self.face_up, self.exhausted, self.in_hand = (
            tuple(_dot(kind, vector) for vector in abilities(catalogue)) for kind in card_weights
        )
        self._hand_weights = card_weights[2]
        # A turn changes few seats, and many choices change them in the same way.
        self._cache: dict[Seat, _SeatValue] = {}

    def potentials(self, state: State, next_seat: int) -> list[float]:
        """Return the potentials of all seats; see :func:`features.table_features`."""
        seat_values = [self._seat_value(seat, state) for seat in state.seats]
        spendables = [spendable for _, spendable, _ in seat_values]
        return [
            own + _dot(self._table, table_features(state, index, next_seat, spendables))
            for index, (_, _, own) in enumerate(seat_values)
        ]

    def _seat_value(self, seat: Seat, state: State) -> _SeatValue:
        """Return the spendable resources of a seat and its value independent of the other seats."""
        cached = self._cache.get(seat)
        if cached is not None and cached[0] == state.challenges:
            return cached
        if len(self._cache) > _MAX_CACHED_SEATS:
            self._cache.clear()
        catalogue = state.catalogue
        spendable = spendable_resources(seat, catalogue)
        value = _dot(self._own, own_features(seat, spendable, state.challenges, catalogue))
        for resident in seat.village:
            if resident is not None:
                value += (self.exhausted if resident.exhausted else self.face_up)[resident.card]
        for card in seat.hand:
            if card != UNKNOWN:
                value += self.in_hand[card]
        if seat.unknown_count:
            value += seat.unknown_count * _dot(self._hand_weights, mean_abilities(seat, catalogue))
        cached = self._cache[seat] = state.challenges, spendable, value
        return cached

    # Prices of single items, used to compare payments and answers.

    def token(self, resource: Resource) -> float:
        """Return the price of a token."""
        return max(_MIN_PRICE, self.plain[_FEATURE_INDEX[resource.label]])

    def spending(self, kind: Building) -> float:
        """Return the price of spending a building."""
        return max(_MIN_PRICE, self.plain[_FEATURE_INDEX[f"{kind.label}_up"]] - self._spent(kind))

    def building(self, kind: Building, *, spent: bool) -> float:
        """Return the price of returning a building."""
        return max(
            _MIN_PRICE,
            self._spent(kind) if spent else self.plain[_FEATURE_INDEX[f"{kind.label}_up"]],
        )

    def _spent(self, kind: Building) -> float:
        return self.plain[_FEATURE_INDEX[f"{kind.label}_spent"]]

    def exhausting(self, card: Card) -> float:
        """Return the price of exhausting a villager, with the room lost before the next rest."""
        return max(
            _MIN_PRICE,
            self.face_up[card] - self.exhausted[card] + self.plain[_FEATURE_INDEX["free"]],
        )

    def sending_away(self, card: Card) -> float:
        """Return the price of removing a villager from the village."""
        return max(_MIN_PRICE, self.face_up[card] + self.plain[_FEATURE_INDEX["residents"]])

    def discarding(self, card: Card) -> float:
        """Return the price of discarding a hand card; an unknown one has the value of any card."""
        own = self.in_hand[card] if card != UNKNOWN else 0.0
        return max(_MIN_PRICE, own + self.plain[_FEATURE_INDEX["hand"]])

    @property
    def free(self) -> float:
        """Value of one more villager that can be exhausted before a rest."""
        return max(_MIN_PRICE, self.plain[_FEATURE_INDEX["free"]])

    @property
    def omen(self) -> float:
        """Price of one omen."""
        return max(_MIN_PRICE, self.plain[_FEATURE_INDEX["omen"]])

    @property
    def scroll(self) -> float:
        """Value of one scroll."""
        return max(_MIN_PRICE, self.plain[_FEATURE_INDEX["scrolls"]])


def _dot(weights: Sequence[float], numbers: Sequence[float]) -> float:
    return float(sum(map(mul, weights, numbers)))


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

    def model(self, state: State) -> PhaseModel:
        """Return the model for the phase and the cards of a position."""
        return _build_model(self, knot_weights(state), state.catalogue, state.solo)

    def shares(self, state: State, next_seat: int) -> list[float]:
        """Return the win shares in seat order; in a solo game, the probability of winning.

        Args:
            state: position at the end of a turn.
            next_seat: index of the seat with the next turn; ``len(seats)`` if a new round begins.
        """
        model = self.model(state)
        potentials = model.potentials(state, next_seat)
        if state.solo:
            return [logistic(potentials[0])]
        best = max(potentials)
        parts = [exp(model.slope * (potential - best)) for potential in potentials]
        return [part / sum(parts) for part in parts]

    def __hash__(self) -> int:
        return hash(self.version)


def comparable(share: float) -> int:
    """Return a share in units of 1e-9: shares that differ by rounding errors only are equal."""
    return floor(share * 1e9 + 0.5)


def logistic(odds: float) -> float:
    """Return the probability for log-odds."""
    if odds >= 0.0:
        return 1.0 / (1.0 + exp(-odds))
    return exp(odds) / (1.0 + exp(odds))


@lru_cache(maxsize=512)
def _build_model(
    evaluator: Evaluator, parts: tuple[float, ...], catalogue: Catalogue, solo: bool
) -> PhaseModel:
    weight_sets = evaluator.solo if solo else evaluator.several
    weights = [
        sum(part * number for part, number in zip(parts, numbers, strict=True))
        for numbers in zip(*weight_sets, strict=True)
    ]
    slope = sum(part * number for part, number in zip(parts, evaluator.slopes, strict=True))
    return PhaseModel(weights, slope, catalogue)


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

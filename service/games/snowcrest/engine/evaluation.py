"""How good a position is where a turn has just ended: everybody's share of the win, estimated.

With several players, a seat's *potential* is about the points it will have in the end: its features
(``features.py``) times weights that go with the phase of the game, between the knots of
:data:`KNOTS` by the scrolls left, and of their own once the supply has been empty.  Shares are
proportional to e to the power of the potentials times a slope, which rises as the end comes near.
Alone, the potential is the logarithm of the odds of winning (C13).

The numbers are learned from games (``scripts/train_evaluator.py --game snowcrest``) and lie in
``evaluator.json``.  Finished games are never estimated; they are counted exactly.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from operator import mul
from pathlib import Path
from typing import Any, Final, TypeAlias

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
"""Parts of the scrolls that are left."""
ENDING: Final = len(KNOTS)
"""The place of the weights once the supply has been empty."""
_START_SCROLLS: Final = (15, 20, 25, 30)
"""About how many there are at the start, by the number of players."""
_MIN_PRICE: Final = 0.02
"""No price is lower, whatever was learned."""
_MAX_CACHED_SEATS: Final = 2000
"""Seats whose worth is remembered for a phase."""
_FEATURE_INDEX: Final = {name: place for place, name in enumerate(PLAIN_FEATURES)}


def knot_weights(state: State) -> tuple[float, ...]:
    """How much the weights of each knot count, those of the ending last; they sum to 1."""
    if state.ending:
        return (0.0, 0.0, 0.0, 1.0)
    left = min(1.0, state.supply / _START_SCROLLS[len(state.seats) - 1])
    first, middle, _ = KNOTS
    if left >= middle:
        part = (left - middle) / (first - middle)
        return (part, 1.0 - part, 0.0, 0.0)
    return (0.0, left / middle, 1.0 - left / middle, 0.0)


_SeatValue: TypeAlias = tuple[Seat, tuple[PostedChallenge, ...], tuple[float, ...], float]


class PhaseModel:
    """The weights of one phase, for the cards of one catalogue.

    Attributes:
        plain: of the plain features.
        up, down, held: of each villager face up, exhausted and in hand, its abilities summed.
        slope: of the logarithm of a share.
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
        # By identity, since turns change one seat and share the others.
        self._cache: dict[int, _SeatValue] = {}

    def potentials(self, state: State, following: int) -> list[float]:
        """Of all seats; see ``features.table_features``."""
        found = [self._seat_value(seat, state) for seat in state.seats]
        purses = [spendable for _, _, spendable, _ in found]
        return [
            own + _dot(self._table, table_features(state, index, following, purses))
            for index, (_, _, _, own) in enumerate(found)
        ]

    def _seat_value(self, seat: Seat, state: State) -> _SeatValue:
        """A seat's purse, and what it is worth whatever the others have."""
        cached = self._cache.get(id(seat))
        if cached is not None and cached[0] is seat and cached[1] == state.challenges:
            return cached
        if len(self._cache) > _MAX_CACHED_SEATS:
            self._cache.clear()
        catalogue = state.catalogue
        spendable = spendable_resources(seat, catalogue)
        worth = _dot(self._own, own_features(seat, spendable, state.challenges, catalogue))
        for resident in seat.village:
            if resident is not None:
                worth += (self.exhausted if resident.exhausted else self.face_up)[resident.card]
        for card in seat.hand:
            if card != UNKNOWN:
                worth += self.in_hand[card]
        if seat.unknown_count:
            worth += seat.unknown_count * _dot(self._hand_weights, mean_abilities(seat, catalogue))
        cached = self._cache[id(seat)] = seat, state.challenges, spendable, worth
        return cached

    # What things are worth, to choose among payments and the like.

    def token(self, resource: Resource) -> float:
        return max(_MIN_PRICE, self.plain[_FEATURE_INDEX[resource.label]])

    def spending(self, kind: Building) -> float:
        """What is lost by spending a building."""
        return max(_MIN_PRICE, self.plain[_FEATURE_INDEX[f"{kind.label}_up"]] - self._spent(kind))

    def building(self, kind: Building, *, spent: bool) -> float:
        """What is lost by returning one."""
        return max(
            _MIN_PRICE,
            self._spent(kind) if spent else self.plain[_FEATURE_INDEX[f"{kind.label}_up"]],
        )

    def _spent(self, kind: Building) -> float:
        return self.plain[_FEATURE_INDEX[f"{kind.label}_spent"]]

    def exhausting(self, card: Card) -> float:
        """What is lost by exhausting a villager, the room in the village included."""
        return max(
            _MIN_PRICE,
            self.face_up[card] - self.exhausted[card] + self.plain[_FEATURE_INDEX["free"]],
        )

    def sending_away(self, card: Card) -> float:
        return max(_MIN_PRICE, self.face_up[card] + self.plain[_FEATURE_INDEX["residents"]])

    def discarding(self, card: Card) -> float:
        """What is lost by giving a hand card; an unknown one is worth nothing special."""
        own = self.in_hand[card] if card != UNKNOWN else 0.0
        return max(_MIN_PRICE, own + self.plain[_FEATURE_INDEX["hand"]])

    @property
    def free(self) -> float:
        """What it is worth that one villager more can be exhausted before a rest."""
        return max(_MIN_PRICE, self.plain[_FEATURE_INDEX["free"]])

    @property
    def omen(self) -> float:
        return max(_MIN_PRICE, self.plain[_FEATURE_INDEX["omen"]])

    @property
    def scroll(self) -> float:
        return max(_MIN_PRICE, self.plain[_FEATURE_INDEX["scrolls"]])


def _dot(weights: Sequence[float], numbers: Sequence[float]) -> float:
    return float(sum(map(mul, weights, numbers)))


@dataclass(frozen=True)
class Evaluator:
    """Numbers of an evaluator.

    Attributes:
        version: its name.
        several: float[knots + 1][features], weights of the potential with several players.
        slopes: float[knots + 1].
        solo: float[knots + 1][features], weights alone; those of the ending are never used.
    """

    version: str
    several: tuple[tuple[float, ...], ...]
    slopes: tuple[float, ...]
    solo: tuple[tuple[float, ...], ...]

    def model(self, state: State) -> PhaseModel:
        """For the phase of a position and its cards."""
        return _build_model(self, knot_weights(state), state.catalogue, state.solo)

    def shares(self, state: State, following: int) -> list[float]:
        """Everybody's share of the win, in the order of seats; alone, the chance of winning.

        Args:
            following: whose turn is next; ``len(seats)`` where a new round begins.
        """
        model = self.model(state)
        potentials = model.potentials(state, following)
        if state.solo:
            return [logistic(potentials[0])]
        best = max(potentials)
        parts = [exp(model.slope * (potential - best)) for potential in potentials]
        return [part / sum(parts) for part in parts]

    def __hash__(self) -> int:
        return hash(self.version)


def logistic(odds: float) -> float:
    """The chance of which that is the logarithm of the odds."""
    if odds >= 0.0:
        return 1.0 / (1.0 + exp(-odds))
    return exp(odds) / (1.0 + exp(odds))


@lru_cache(maxsize=512)
def _build_model(
    evaluator: Evaluator, parts: tuple[float, ...], catalogue: Catalogue, solo: bool
) -> PhaseModel:
    sets = evaluator.solo if solo else evaluator.several
    weights = [
        sum(part * number for part, number in zip(parts, numbers, strict=True))
        for numbers in zip(*sets, strict=True)
    ]
    slope = sum(part * number for part, number in zip(parts, evaluator.slopes, strict=True))
    return PhaseModel(weights, slope, catalogue)


# Files ----------------------------------------------------------------------------------------


def from_document(document: Mapping[str, Any]) -> Evaluator:
    """The evaluator of a file's contents; a feature that is left out weighs nothing."""

    def sets(weights: Mapping[str, Sequence[float]]) -> tuple[tuple[float, ...], ...]:
        none = (0.0,) * (len(KNOTS) + 1)
        rows = [weights.get(name, none) for name in FEATURES]
        return tuple(tuple(map(float, column)) for column in zip(*rows, strict=True))

    return Evaluator(
        document["version"],
        sets(document["several"]),
        tuple(document["slopes"]),
        sets(document["solo"]),
    )


def to_document(evaluator: Evaluator) -> dict[str, Any]:
    """What :func:`from_document` reads."""

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
        "several": weights(evaluator.several),
        "solo": weights(evaluator.solo),
    }


def load_evaluator(path: Path) -> Evaluator:
    """The evaluator in a file."""
    return from_document(json.loads(path.read_text("utf-8")))


@lru_cache(maxsize=1)
def default_evaluator() -> Evaluator:
    """The evaluator of this version."""
    return load_evaluator(EVALUATOR_FILE)

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
    purse,
    table_features,
)
from service.games.snowcrest.payments.resources import Building, Resource
from service.games.snowcrest.rules.state import Posed, Seat, State

FILE: Final = Path(__file__).with_name("evaluator.json")

KNOTS: Final = (1.0, 0.5, 0.0)
"""Parts of the scrolls that are left."""
ENDING: Final = len(KNOTS)
"""The place of the weights once the supply has been empty."""
_FIRST_SCROLLS: Final = (15, 20, 25, 30)
"""About how many there are at the start, by the number of players."""
_LEAST: Final = 0.02
"""No price is lower, whatever was learned."""
_MOST_KNOWN: Final = 2000
"""Seats whose worth is remembered for a phase."""
_AT: Final = {name: place for place, name in enumerate(PLAIN_FEATURES)}


def phase(state: State) -> tuple[float, ...]:
    """How much the weights of each knot count, those of the ending last; they sum to 1."""
    if state.ending:
        return (0.0, 0.0, 0.0, 1.0)
    left = min(1.0, state.supply / _FIRST_SCROLLS[len(state.seats) - 1])
    first, middle, _ = KNOTS
    if left >= middle:
        part = (left - middle) / (first - middle)
        return (part, 1.0 - part, 0.0, 0.0)
    return (0.0, left / middle, 1.0 - left / middle, 0.0)


_Known: TypeAlias = tuple[Seat, tuple[Posed, ...], tuple[float, ...], float]


class Judge:
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
        kinds = [weights[count + at * width : count + (at + 1) * width] for at in range(3)]
        self.up, self.down, self.held = (
            tuple(_dot(kind, vector) for vector in abilities(catalogue)) for kind in kinds
        )
        self._held = kinds[2]
        # By identity, since turns change one seat and share the others.
        self._known: dict[int, _Known] = {}

    def potentials(self, state: State, following: int) -> list[float]:
        """Of all seats; see ``features.table_features``."""
        found = [self._of(seat, state) for seat in state.seats]
        purses = [purse_ for _, _, purse_, _ in found]
        return [
            own + _dot(self._table, table_features(state, index, following, purses))
            for index, (_, _, _, own) in enumerate(found)
        ]

    def _of(self, seat: Seat, state: State) -> _Known:
        """A seat's purse, and what it is worth whatever the others have."""
        known = self._known.get(id(seat))
        if known is not None and known[0] is seat and known[1] == state.challenges:
            return known
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        catalogue = state.catalogue
        purse_ = purse(seat, catalogue)
        worth = _dot(self._own, own_features(seat, purse_, state.challenges, catalogue))
        for resident in seat.village:
            if resident is not None:
                worth += (self.down if resident.exhausted else self.up)[resident.card]
        for card in seat.hand:
            if card != UNKNOWN:
                worth += self.held[card]
        if seat.unknown:
            worth += seat.unknown * _dot(self._held, mean_abilities(seat, catalogue))
        known = self._known[id(seat)] = seat, state.challenges, purse_, worth
        return known

    # What things are worth, to choose among payments and the like.

    def token(self, resource: Resource) -> float:
        return max(_LEAST, self.plain[_AT[resource.label]])

    def spending(self, kind: Building) -> float:
        """What is lost by spending a building."""
        return max(_LEAST, self.plain[_AT[f"{kind.label}_up"]] - self._spent(kind))

    def building(self, kind: Building, *, spent: bool) -> float:
        """What is lost by returning one."""
        return max(_LEAST, self._spent(kind) if spent else self.plain[_AT[f"{kind.label}_up"]])

    def _spent(self, kind: Building) -> float:
        return self.plain[_AT[f"{kind.label}_spent"]]

    def exhausting(self, card: Card) -> float:
        """What is lost by exhausting a villager, the room in the village included."""
        return max(_LEAST, self.up[card] - self.down[card] + self.plain[_AT["free"]])

    def sending_away(self, card: Card) -> float:
        return max(_LEAST, self.up[card] + self.plain[_AT["residents"]])

    def discarding(self, card: Card) -> float:
        """What is lost by giving a hand card; an unknown one is worth nothing special."""
        own = self.held[card] if card != UNKNOWN else 0.0
        return max(_LEAST, own + self.plain[_AT["hand"]])

    @property
    def free(self) -> float:
        """What it is worth that one villager more can be exhausted before a rest."""
        return max(_LEAST, self.plain[_AT["free"]])

    @property
    def omen(self) -> float:
        return max(_LEAST, self.plain[_AT["omen"]])

    @property
    def scroll(self) -> float:
        return max(_LEAST, self.plain[_AT["scrolls"]])


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

    def judge(self, state: State) -> Judge:
        """For the phase of a position and its cards."""
        return _judge(self, phase(state), state.catalogue, state.solo)

    def shares(self, state: State, following: int) -> list[float]:
        """Everybody's share of the win, in the order of seats; alone, the chance of winning.

        Args:
            following: whose turn is next; ``len(seats)`` where a new round begins.
        """
        judge = self.judge(state)
        potentials = judge.potentials(state, following)
        if state.solo:
            return [logistic(potentials[0])]
        best = max(potentials)
        parts = [exp(judge.slope * (potential - best)) for potential in potentials]
        return [part / sum(parts) for part in parts]

    def __hash__(self) -> int:
        return hash(self.version)


def logistic(odds: float) -> float:
    """The chance of which that is the logarithm of the odds."""
    if odds >= 0.0:
        return 1.0 / (1.0 + exp(-odds))
    return exp(odds) / (1.0 + exp(odds))


@lru_cache(maxsize=512)
def _judge(
    evaluator: Evaluator, parts: tuple[float, ...], catalogue: Catalogue, solo: bool
) -> Judge:
    sets = evaluator.solo if solo else evaluator.several
    weights = [
        sum(part * number for part, number in zip(parts, numbers, strict=True))
        for numbers in zip(*sets, strict=True)
    ]
    slope = sum(part * number for part, number in zip(parts, evaluator.slopes, strict=True))
    return Judge(weights, slope, catalogue)


# Files ----------------------------------------------------------------------------------------


def from_document(told: Mapping[str, Any]) -> Evaluator:
    """The evaluator of a file's contents; a feature that is left out weighs nothing."""

    def sets(weights: Mapping[str, Sequence[float]]) -> tuple[tuple[float, ...], ...]:
        none = (0.0,) * (len(KNOTS) + 1)
        rows = [weights.get(name, none) for name in FEATURES]
        return tuple(tuple(map(float, column)) for column in zip(*rows, strict=True))

    return Evaluator(
        told["version"], sets(told["several"]), tuple(told["slopes"]), sets(told["solo"])
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


def read(path: Path) -> Evaluator:
    """The evaluator in a file."""
    return from_document(json.loads(path.read_text("utf-8")))


@lru_cache(maxsize=1)
def shipped() -> Evaluator:
    """The evaluator of this version."""
    return read(FILE)

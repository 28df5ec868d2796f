"""Learns the evaluator of Slopecrashers from games among players who go by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from league.slopecrashers.agents import HastyRacer
from league.slopecrashers.play import race, start
from service.core.sequential import TurnQuestion
from service.games.slopecrashers.engine.evaluation import Evaluator, read
from service.games.slopecrashers.engine.packing import way
from service.games.slopecrashers.rules.gifts import HOUSE_DECK, Gift
from service.games.slopecrashers.rules.state import Atom, State
from service.games.slopecrashers.rules.turn import Turn

Floats = NDArray[np.float64]

LEFT, MISSING, STUNG, ORDER = range(4)
"""Features of a player: what is left to the end, a missed turn, a sting, place in the order of
turns as a share of a round; then how many gifts of each kind on top of the stack, and how many
further down."""
FEATURES: Final = 4 + 2 * len(Gift)
LEAST_WORTH, LEAST_DEEP = 0.3, 0.2
"""Of a gift on top of a stack and further down, in movements.  Whoever teaches may hoard what is
never used, and then it seems to be worth nothing; but who goes by that throws magnets away and
loses (``evaluator.md``).
"""
BY_CHANCE: Final = 0.1
"""How often a player in training does anything, so that more is seen than good play."""


@dataclass(frozen=True)
class Lesson:
    """A game as positions between its turns.

    Attributes:
        features: float64[turns, players, FEATURES].
        winner: by number.
    """

    features: Floats
    winner: int


def features(state: State, field: float) -> Floats:
    """float64[players, FEATURES] where a turn is about to begin.

    A dual card counts half for each of its uses.

    Args:
        field: what a gift field on the way is worth.
    """
    left = way(state.course, field)
    found = np.zeros((len(state.seats), FEATURES))
    count = len(state.seats)
    for index, seat in enumerate(state.seats):
        found[index, LEFT] = left[seat.place or (0, 0, 0)]
        found[index, MISSING], found[index, STUNG] = seat.misses_turn, seat.stung
        found[index, ORDER] = (index - state.turn) % count / count
        for depth, card in enumerate(seat.gifts):
            first = 4 + len(Gift) * (depth > 0)
            for gift in card:
                found[index, first + gift] += 1.0 / len(card)
    return found


class Learner:
    """Goes by what the evaluator thinks of the end of its turn, and now and then by chance.

    Args:
        evaluator: a file of one.
    """

    def __init__(self, evaluator: str) -> None:
        self._racer = HastyRacer(evaluator)

    def choose(self, question: TurnQuestion[Turn, Atom], random: Random) -> Atom:
        [choices] = question.decision.choices.values()
        if random.random() < BY_CHANCE:
            return random.choice(choices)
        return self._racer.choose(question, random)


def lesson(players: int, seed: int, evaluator: str) -> Lesson:
    """One game among learners."""
    first = start(players, seed)
    seen: list[Floats] = []
    learner, field = Learner(evaluator), read(Path(evaluator)).field

    def keep(state: State) -> None:
        seen.append(features(state, field))

    raced = race(first, dict.fromkeys(first.players, learner), seed, keep)
    return Lesson(np.array(seen), raced.winner)


# Fitting --------------------------------------------------------------------------------------


def shares(lessons: Sequence[Lesson], numbers: Floats) -> Iterator[Floats]:
    """float64[turns, players] of each lesson: what numbers make of it; see ``evaluation.py``."""
    costs, (slope, room) = numbers[: FEATURES - 1], numbers[FEATURES - 1 :]
    for told in lessons:
        left = told.features[..., LEFT] + told.features[..., 1:] @ costs
        ahead = left.min(axis=1, keepdims=True)
        steep = slope / np.sqrt(np.maximum(ahead, 0.0) + abs(room) + 0.1)
        powers = np.exp(np.clip(-steep * (left - ahead), -40.0, 40.0))
        yield powers / powers.sum(axis=1, keepdims=True)


def loss(lessons: Sequence[Lesson], numbers: Floats) -> float:
    """The mean negative logarithm of the winner's share."""
    each = [
        -np.log(np.maximum(found[:, told.winner], 1e-9)).mean()
        for told, found in zip(lessons, shares(lessons, numbers), strict=True)
    ]
    return float(np.mean(each))


def numbers_of(evaluator: Evaluator) -> Floats:
    """Costs of the features but the first, then slope and room."""
    worth = [-worth[gift.label] for worth in (evaluator.worth, evaluator.deep) for gift in Gift]
    return np.array(
        [
            *(evaluator.missing, evaluator.stung, evaluator.order),
            *worth,
            *(evaluator.slope, evaluator.room - 0.1),
        ]
    )


def fitted(lessons: Sequence[Lesson], first: Evaluator, version: str) -> Evaluator:
    """The evaluator that makes the winners of these games most likely (Nelder and Mead would take
    long: Powell's method, without derivatives).
    """
    cost, slope, room = (0.0, 10.0), (0.05, 10.0), (-50.0, 50.0)
    worth, deep = (-10.0, -LEAST_WORTH), (-10.0, -LEAST_DEEP)
    bounds = [*[cost] * 3, *[worth] * len(Gift), *[deep] * len(Gift), slope, room]
    found = minimize(
        lambda numbers: loss(lessons, numbers),
        np.clip(numbers_of(first), *np.transpose(bounds)),
        method="Powell",
        bounds=bounds,
        options={"maxiter": 8, "ftol": 1e-5},
    )
    return evaluator_of(found.x, version, first.field)


def evaluator_of(numbers: Floats, version: str, field: float) -> Evaluator:
    """As :func:`numbers_of`, the other way; an unseen gift is worth the mean of the house deck.

    Args:
        field: what a gift field on the way is worth, which is not learned.
    """
    told = [round(float(number), 4) for number in numbers]
    worth = {gift.label: -told[3 + gift] for gift in Gift}
    deep = {gift.label: -told[3 + len(Gift) + gift] for gift in Gift}
    hidden = sum(
        count * max(worth[gift.label] for gift in card) for card, count in HOUSE_DECK.counts
    )
    return Evaluator(
        version=version,
        missing=told[0],
        stung=told[1],
        order=told[2],
        slope=told[-2],
        room=round(abs(told[-1]) + 0.1, 4),
        hidden=round(hidden / HOUSE_DECK.size, 4),
        field=field,
        worth=worth,
        deep=deep,
    )

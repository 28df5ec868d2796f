"""Fit the evaluator of Slopecrashers to self-play games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from research.league.slopecrashers.agents import OneTurnAgent, ServiceAgent
from research.league.slopecrashers.play import initial_state, play
from service.core.turn_hints import TurnQuestion
from service.games.slopecrashers.engine.evaluation import Evaluator, read
from service.games.slopecrashers.engine.packing import distances
from service.games.slopecrashers.rules.gifts import DEFAULT_DECK, Gift
from service.games.slopecrashers.rules.state import Action, State
from service.games.slopecrashers.rules.turn import Turn

Floats = NDArray[np.float64]

LEFT, MISSING, STUNG, ORDER = range(4)
"""Features of a player: movements left to the finish, a missed turn, a sting, place in the turn
order as a share of a round. Then follow the number of gifts of each kind on top of the stack, and
the number of each kind below."""
FEATURES: Final = 4 + 2 * len(Gift)
LEAST_WORTH, LEAST_DEEP = 0.3, 0.2
"""Lower bounds for the worth of a gift on top of a stack and below, in movements.

Training agents may keep gifts that they never use, and then a gift seems to be worth nothing. An
agent with such an evaluator throws magnets away and loses (``evaluator.md``).
"""
RANDOM_MOVE_RATE: Final = 0.1
"""Probability of a random action in training, so that the games do not only have good play."""


@dataclass(frozen=True)
class TrainingGame:
    """A game as the positions between its turns.

    Attributes:
        features: float64[turns, players, FEATURES].
        winner: index of the player.
    """

    features: Floats
    winner: int


def features(state: State, field: float) -> Floats:
    """Return float64[players, FEATURES] for a position between turns.

    A dual card counts half for each of its uses.

    Args:
        field: worth of a gift field on the way, in movements.
    """
    left = distances(state.course, field)
    rows = np.zeros((len(state.seats), FEATURES))
    count = len(state.seats)
    for index, seat in enumerate(state.seats):
        rows[index, LEFT] = left[seat.place or (0, 0, 0)]
        rows[index, MISSING], rows[index, STUNG] = seat.misses_turn, seat.stung
        rows[index, ORDER] = (index - state.turn) % count / count
        for depth, card in enumerate(seat.gifts):
            first = 4 + len(Gift) * (depth > 0)
            for gift in card:
                rows[index, first + gift] += 1.0 / len(card)
    return rows


class TrainingAgent:
    """Plays like ``OneTurnAgent`` or the hints of an effort, but sometimes at random.

    Args:
        evaluator: path of an evaluator file.
        effort: of the hints; empty for ``OneTurnAgent``, which is much faster.
    """

    def __init__(self, evaluator: str, effort: str = "") -> None:
        self._agent = ServiceAgent(effort, evaluator) if effort else OneTurnAgent(evaluator)

    def choose(self, question: TurnQuestion[Turn, Action], random: Random) -> Action:
        [choices] = question.decision.choices.values()
        if random.random() < RANDOM_MOVE_RATE:
            return random.choice(choices)
        return self._agent.choose(question, random)


def play_training_game(players: int, seed: int, evaluator: str, effort: str = "") -> TrainingGame:
    """Play one game between training agents, see :class:`TrainingAgent`."""
    first = initial_state(players, seed)
    positions: list[Floats] = []
    agent, field = TrainingAgent(evaluator, effort), read(Path(evaluator)).field

    def record(state: State) -> None:
        positions.append(features(state, field))

    finished = play(first, dict.fromkeys(first.players, agent), seed, record)
    return TrainingGame(np.array(positions), finished.winner)


# Fitting --------------------------------------------------------------------------------------


def shares(games: Sequence[TrainingGame], numbers: Floats) -> Iterator[Floats]:
    """Yield float64[turns, players] per game: the win shares of ``evaluation.py``.

    Args:
        games: to evaluate.
        numbers: parameters as in :func:`numbers_of`.
    """
    costs, (slope, room) = numbers[: FEATURES - 1], numbers[FEATURES - 1 :]
    for game in games:
        left = game.features[..., LEFT] + game.features[..., 1:] @ costs
        ahead = left.min(axis=1, keepdims=True)
        steep = slope / np.sqrt(np.maximum(ahead, 0.0) + abs(room) + 0.1)
        powers = np.exp(np.clip(-steep * (left - ahead), -40.0, 40.0))
        yield powers / powers.sum(axis=1, keepdims=True)


def loss(games: Sequence[TrainingGame], numbers: Floats) -> float:
    """Return the mean negative logarithm of the winner's share, in nats per position."""
    losses = [
        -np.log(np.maximum(predicted[:, game.winner], 1e-9)).mean()
        for game, predicted in zip(games, shares(games, numbers), strict=True)
    ]
    return float(np.mean(losses))


def numbers_of(evaluator: Evaluator) -> Floats:
    """Return the fitted parameters: costs of all features but the first, then slope and room."""
    worth = [-worth[gift.label] for worth in (evaluator.worth, evaluator.deep) for gift in Gift]
    return np.array(
        [
            *(evaluator.missing, evaluator.stung, evaluator.order),
            *worth,
            *(evaluator.slope, evaluator.room - 0.1),
        ]
    )


def fit_evaluator(games: Sequence[TrainingGame], first: Evaluator, version: str) -> Evaluator:
    """Return the evaluator of maximum likelihood for the winners of these games.

    Powell's method needs no derivatives; Nelder–Mead would take much longer.

    Args:
        games: to fit.
        first: where the optimization starts.
        version: of the result.
    """
    cost, slope, room = (0.0, 10.0), (0.05, 10.0), (-50.0, 50.0)
    worth, deep = (-10.0, -LEAST_WORTH), (-10.0, -LEAST_DEEP)
    bounds = [*[cost] * 3, *[worth] * len(Gift), *[deep] * len(Gift), slope, room]
    result = minimize(
        lambda numbers: loss(games, numbers),
        np.clip(numbers_of(first), *np.transpose(bounds)),
        method="Powell",
        bounds=bounds,
        options={"maxiter": 8, "ftol": 1e-5},
    )
    return evaluator_of(result.x, version, first)


def evaluator_of(numbers: Floats, version: str, first: Evaluator) -> Evaluator:
    """Return the evaluator with these parameters: the inverse of :func:`numbers_of`.

    An unseen gift is worth the mean of the default deck.

    Args:
        numbers: parameters.
        version: of the evaluator.
        first: has the worth of a gift field and the calibration, which are not fitted.
    """
    rounded = [round(float(number), 4) for number in numbers]
    worth = {gift.label: -rounded[3 + gift] for gift in Gift}
    deep = {gift.label: -rounded[3 + len(Gift) + gift] for gift in Gift}
    hidden = sum(
        count * max(worth[gift.label] for gift in card) for card, count in DEFAULT_DECK.counts
    )
    return Evaluator(
        version=version,
        missing=rounded[0],
        stung=rounded[1],
        order=rounded[2],
        slope=rounded[-2],
        room=round(abs(rounded[-1]) + 0.1, 4),
        hidden=round(hidden / DEFAULT_DECK.size, 4),
        field=first.field,
        worth=worth,
        deep=deep,
        calibration=first.calibration,
    )

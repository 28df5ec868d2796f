"""Fit the evaluator of Snowcrest to self-play games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from research.league.snowcrest.agents import best_choice
from research.league.snowcrest.play import Question, initial_state, play
from service.games.snowcrest.engine.abilities import ABILITIES, abilities
from service.games.snowcrest.engine.evaluation import (
    ENDING,
    KNOTS,
    Evaluator,
    knot_weights,
    load_evaluator,
)
from service.games.snowcrest.engine.features import FEATURES, PLAIN_FEATURES
from service.games.snowcrest.engine.kernels.choices.estimation import next_turn
from service.games.snowcrest.engine.kernels.choices.features import all_features
from service.games.snowcrest.engine.packing import packing_of
from service.games.snowcrest.engine.turn_tree import SnowcrestTurns
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.solo import DIFFICULTIES
from service.games.snowcrest.rules.state import Phase, State
from service.games.snowcrest.rules.turn import Turn

Floats = NDArray[np.float64]

SETS: Final = len(KNOTS) + 1
"""Sets of weights; the last one is for the end of the game."""
RANDOM_MOVE_RATE: Final = 0.04
"""Probability of a random action in training, so that the games do not only have good play."""
RIDGE: Final = 0.1
"""Ridge penalty that pulls the weights towards the previous ones, per scaled row."""
STEP: Final = 0.5
"""Fraction of the way from the previous weights to those of the regression.

A feature that correlates with points need not cause them: agents with the whole step predicted the
winner better but did not play better (``evaluator.md``).
"""
STARTER_VARIANT_EVERY: Final = 6
"""One multi-player game in so many uses the variant for beginners."""


@dataclass(frozen=True)
class TrainingGame:
    """A game as the positions between its turns.

    Attributes:
        features: float64[turns, players, FEATURES].
        phases: float64[turns, SETS].
        points: float64[players], final.
        shares: float64[players], of the win.
        difficulty: of a solo game; 0 with several players.
    """

    features: Floats
    phases: Floats
    points: Floats
    shares: Floats
    difficulty: int

    @property
    def players(self) -> int:
        return len(self.points)


class TrainingAgent:
    """Plays ``quick`` hints with an evaluator, but sometimes a random action.

    Args:
        evaluator: path of an evaluator file.
    """

    def __init__(self, evaluator: str) -> None:
        self._game = SnowcrestTurns(load_evaluator(Path(evaluator)))

    def choose(self, question: Question, random: Random) -> Action:
        [choices] = question.decision.choices.values()
        if random.random() < RANDOM_MOVE_RATE:
            return random.choice(choices)
        return best_choice(self._game, replace(question, effort="quick"))


def play_training_game(players: int, seed: int, evaluator: str) -> TrainingGame:
    """Play one game between training agents; the seed chooses the difficulty of a solo game."""
    difficulty = 1 + seed // 2 % len(DIFFICULTIES)
    starter_variant = players > 1 and seed // 2 % STARTER_VARIANT_EVERY == 0
    first = initial_state(players, seed, starter_variant=starter_variant, difficulty=difficulty)
    positions: list[Floats] = []
    phases: list[tuple[float, ...]] = []

    def record(state: State) -> None:
        if state.phase is Phase.TURNS:
            positions.append(features(state))
            weights = knot_weights(state.supply, len(state.seats), ending=state.ending)
            phases.append(weights)

    finished = play(first, dict.fromkeys(first.players, TrainingAgent(evaluator)), seed, record)
    names = first.players
    return TrainingGame(
        np.array(positions),
        np.array(phases),
        np.array([float(finished.points[name]) for name in names]),
        np.array([finished.shares[name] for name in names]),
        difficulty if players == 1 else 0,
    )


def features(state: State) -> Floats:
    """Return the features of a position between two turns, float64[players, FEATURES]."""
    packing = packing_of(state.catalogue, len(state.seats))
    position, seats = packing.pack(Turn(state)), len(state.seats)
    plain = np.zeros((seats, len(PLAIN_FEATURES)))
    copies = np.zeros((seats, 3, len(state.catalogue.villagers)))
    all_features(position, packing.cards, next_turn(position), plain, copies)
    of_cards = copies @ np.array(abilities(state.catalogue))
    return np.concatenate([plain, of_cards.reshape(seats, 3 * len(ABILITIES))], axis=1)


def with_players(games: Sequence[TrainingGame], players: int) -> Iterator[TrainingGame]:
    """Yield the games with this number of players."""
    return (game for game in games if game.players == players)


# Predictions ----------------------------------------------------------------------------------


def potentials(game: TrainingGame, weights: Floats) -> Floats:
    """Return float64[turns, players] for weights float64[SETS, FEATURES]."""
    values: Floats = np.einsum("tpf,sf,ts->tp", game.features, weights, game.phases, optimize=True)
    return values


def shares(game: TrainingGame, evaluator: Evaluator) -> Floats:
    """Return float64[turns, players]: the win shares of ``evaluation.py``."""
    if game.players == 1:
        logits = np.clip(potentials(game, np.array(evaluator.solo)), -40.0, 40.0)
        chance: Floats = 1.0 / (1.0 + np.exp(-logits))
        return chance
    logits = potentials(game, np.array(evaluator.several))
    logits *= (game.phases @ np.array(evaluator.slopes))[:, None]
    powers: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
    powers /= powers.sum(axis=1, keepdims=True)
    return powers


def loss(games: Sequence[TrainingGame], evaluator: Evaluator) -> float:
    """Return the mean log-loss in nats: of the winners' shares, in solo games of winning."""
    return float(np.mean([_losses(game, shares(game, evaluator)).mean() for game in games]))


def _losses(game: TrainingGame, predicted: Floats) -> Floats:
    predicted = np.clip(predicted, 1e-9, 1.0 - 1e-9)
    losses: Floats = -(np.log(predicted) * game.shares).sum(axis=1)
    if game.players == 1:
        losses -= (np.log(1.0 - predicted) * (1.0 - game.shares)).sum(axis=1)
    return losses


# Fitting --------------------------------------------------------------------------------------


def fit_evaluator(games: Sequence[TrainingGame], first: Evaluator, version: str) -> Evaluator:
    """Fit weights to final points, then slopes to winners; solo weights to winning.

    Points carry more information per game than the winner, so fewer games are enough.

    Args:
        games: to fit.
        first: the previous evaluator.
        version: of the result.
    """
    multi_player = [game for game in games if game.players > 1]
    solo = [game for game in games if game.players == 1]
    fitted = replace(first, version=version)
    if multi_player:
        fitted = replace(fitted, several=_rows(_weights(multi_player, np.array(first.several))))
        fitted = replace(fitted, slopes=_slopes(multi_player, fitted))
    if solo:
        fitted = replace(fitted, solo=_rows(_solo_weights(solo, np.array(first.solo))))
    return fitted


def _rows(weights: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(float(number), 4) for number in row) for row in weights)


def _design_matrix(game: TrainingGame) -> Floats:
    """Return float64[turns * players, SETS * FEATURES]: features weighted by phase.

    Features are relative to the mean of all players, because only differences between players
    decide who wins.
    """
    relative = game.features
    if game.players > 1:
        relative = relative - relative.mean(axis=1, keepdims=True)
    rows: Floats = np.einsum("ts,tpf->tpsf", game.phases, relative)
    return rows.reshape(-1, SETS * len(FEATURES))


def _weights(games: Sequence[TrainingGame], before: Floats) -> Floats:
    """Fit final points, relative to the mean of all players, by ridge regression."""
    width = SETS * len(FEATURES)
    gram, moment, rows = np.zeros((width, width)), np.zeros(width), 0
    for game in games:
        design = _design_matrix(game)
        target = np.tile(game.points - game.points.mean(), len(game.features))
        gram += design.T @ design
        moment += design.T @ (target - design @ before.ravel())
        rows += len(design)
    scale = np.sqrt(np.maximum(np.diag(gram) / rows, 1e-6))
    gram = gram / rows / np.outer(scale, scale)
    change = np.linalg.solve(gram + RIDGE * np.eye(width), moment / rows / scale) / scale
    weights: Floats = before + STEP * change.reshape(SETS, len(FEATURES))
    return weights


def _slopes(games: Sequence[TrainingGame], evaluator: Evaluator) -> tuple[float, ...]:
    def objective(slopes: Floats) -> float:
        return loss(games, replace(evaluator, slopes=tuple(map(float, slopes))))

    result = minimize(
        objective, np.full(SETS, 0.5), method="Powell", bounds=[(0.05, 4.0)] * SETS,
        options={"maxiter": 6, "ftol": 1e-5},
    )  # fmt: skip
    return tuple(round(float(slope), 4) for slope in result.x)


LEAST_SCALE: Final = 0.3
"""Lower bound for the factor of the solo weights; below it all choices would look equally good."""


def _solo_weights(games: Sequence[TrainingGame], before: Floats) -> Floats:
    """Recalibrate the solo weights by logistic regression of winning (after Platt 1999).

    Fits one factor for all weights, and for each knot a constant and the worth of a rest: the
    predicted chance improves, and play stays the same.
    """
    odds = np.concatenate([potentials(game, before).ravel() for game in games])
    phases = np.concatenate([game.phases for game in games])[:, :ENDING]
    rests = np.concatenate([game.features[:, 0, _RESTS] for game in games])
    won = np.concatenate([np.full(len(game.features), game.shares[0]) for game in games])
    rows = np.column_stack([odds, phases, phases * rests[:, None]])

    def objective(numbers: Floats) -> tuple[float, Floats]:
        logits = rows @ numbers
        value = np.logaddexp(0.0, logits).mean() - (won * logits).mean()
        gradient = rows.T @ (1.0 / (1.0 + np.exp(-logits)) - won) / len(won)
        return value + 1e-4 * numbers @ numbers, gradient + 2e-4 * numbers

    first = np.array([1.0] + [0.0] * (2 * ENDING))
    bounds = [(LEAST_SCALE, 5.0)] + [(-20.0, 20.0)] * ENDING + [(0.0, 20.0)] * ENDING
    numbers = minimize(objective, first, jac=True, method="L-BFGS-B", bounds=bounds).x
    weights: Floats = numbers[0] * before
    weights[:ENDING, _ONE] += numbers[1 : 1 + ENDING]
    weights[:ENDING, _RESTS] += numbers[1 + ENDING :]
    weights[ENDING] = 0.0
    return weights


_ONE: Final = FEATURES.index("one")
_RESTS: Final = FEATURES.index("rests_left")

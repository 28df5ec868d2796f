"""Learns the evaluator of Snowcrest from games among players who go by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from league.crest_agents import best_of
from league.crest_games import Question, live, start
from service.games.snowcrest.evaluation import ENDING, KNOTS, Evaluator, phase, read
from service.games.snowcrest.features import FEATURES, features
from service.games.snowcrest.moves import Atom
from service.games.snowcrest.solo import DIFFICULTIES
from service.games.snowcrest.state import Phase, State
from service.games.snowcrest.tree import SnowcrestTurns

Floats = NDArray[np.float64]

SETS: Final = len(KNOTS) + 1
"""Of weights, that of the ending last."""
BY_CHANCE: Final = 0.04
"""How often a player in training does anything, so that more is seen than good play."""
RIDGE: Final = 0.003
"""How much weights are held back, by the part of the rows that they would have to explain."""
RIDGE_ALONE: Final = 0.002
STARTERS: Final = 6
"""One game of several in so many is of the variant for beginners."""


@dataclass(frozen=True)
class Lesson:
    """A game as positions between its turns.

    Attributes:
        features: float64[turns, players, FEATURES].
        phases: float64[turns, SETS].
        points: float64[players], in the end.
        shares: float64[players], of the win.
        difficulty: of a game of one; 0 with several.
    """

    features: Floats
    phases: Floats
    points: Floats
    shares: Floats
    difficulty: int

    @property
    def players(self) -> int:
        return len(self.points)


class Learner:
    """Goes by the hint of least work with an evaluator, and now and then by chance.

    Args:
        evaluator: a file of one.
    """

    def __init__(self, evaluator: str) -> None:
        self._game = SnowcrestTurns(read(Path(evaluator)))

    def choose(self, question: Question, random: Random) -> Atom:
        [choices] = question.decision.choices.values()
        if random.random() < BY_CHANCE:
            return random.choice(choices)
        return best_of(self._game, replace(question, tier="quick"))


def lesson(players: int, seed: int, evaluator: str) -> Lesson:
    """One game among learners; alone, of a difficulty that goes with the seed."""
    difficulty = 1 + seed % len(DIFFICULTIES)
    starters = players > 1 and seed % STARTERS == 0
    first = start(players, seed, starter_variant=starters, difficulty=difficulty)
    seen: list[list[list[float]]] = []
    phases: list[tuple[float, ...]] = []

    def keep(state: State) -> None:
        if state.phase is Phase.TURNS:
            seen.append(features(state, state.turn or len(state.seats)))
            phases.append(phase(state))

    lived = live(first, dict.fromkeys(first.players, Learner(evaluator)), seed, keep)
    names = first.players
    return Lesson(
        np.array(seen),
        np.array(phases),
        np.array([float(lived.points[name]) for name in names]),
        np.array([lived.shares[name] for name in names]),
        difficulty if players == 1 else 0,
    )


# What numbers make of games -------------------------------------------------------------------


def potentials(told: Lesson, weights: Floats) -> Floats:
    """float64[turns, players]; weights float64[SETS, FEATURES]."""
    found: Floats = np.einsum("tpf,sf,ts->tp", told.features, weights, told.phases, optimize=True)
    return found


def shares(told: Lesson, evaluator: Evaluator) -> Floats:
    """float64[turns, players]: what an evaluator makes of a game; see ``evaluation.py``."""
    if told.players == 1:
        alone = np.clip(potentials(told, np.array(evaluator.solo)), -40.0, 40.0)
        chance: Floats = 1.0 / (1.0 + np.exp(-alone))
        return chance
    found = potentials(told, np.array(evaluator.several))
    found *= (told.phases @ np.array(evaluator.slopes))[:, None]
    powers: Floats = np.exp(found - found.max(axis=1, keepdims=True))
    powers /= powers.sum(axis=1, keepdims=True)
    return powers


def loss(lessons: Sequence[Lesson], evaluator: Evaluator) -> float:
    """The mean negative logarithm of the winners' shares; alone, of what came true."""
    return float(np.mean([_losses(told, shares(told, evaluator)).mean() for told in lessons]))


def _losses(told: Lesson, found: Floats) -> Floats:
    found = np.clip(found, 1e-9, 1.0 - 1e-9)
    losses: Floats = -(np.log(found) * told.shares).sum(axis=1)
    if told.players == 1:
        losses -= (np.log(1.0 - found) * (1.0 - told.shares)).sum(axis=1)
    return losses


# Fitting --------------------------------------------------------------------------------------


def fitted(lessons: Sequence[Lesson], first: Evaluator, version: str) -> Evaluator:
    """Weights by the points that players came to, then slopes by who has won; alone, by winning.

    Points tell more of a game than who has won: a hundred times fewer games are enough.
    """
    several = [told for told in lessons if told.players > 1]
    alone = [told for told in lessons if told.players == 1]
    learned = replace(first, version=version)
    if several:
        weights = _weights(several)
        learned = replace(learned, several=_rows(weights))
        learned = replace(learned, slopes=_slopes(several, learned))
    if alone:
        learned = replace(learned, solo=_rows(_weights_alone(alone, np.array(first.solo))))
    return learned


def _rows(weights: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(float(number), 4) for number in row) for row in weights)


def _spread(told: Lesson) -> Floats:
    """float64[turns * players, SETS * FEATURES]: features by how much each set counts, against the
    mean of the table, since only differences between players tell who wins.
    """
    against = told.features
    if told.players > 1:
        against = against - against.mean(axis=1, keepdims=True)
    spread: Floats = np.einsum("ts,tpf->tpsf", told.phases, against)
    return spread.reshape(-1, SETS * len(FEATURES))


def _weights(lessons: Sequence[Lesson]) -> Floats:
    """Ridge regression of the points in the end, against the mean of the table."""
    width = SETS * len(FEATURES)
    gram, moment, rows = np.zeros((width, width)), np.zeros(width), 0
    for told in lessons:
        spread = _spread(told)
        target = np.tile(told.points - told.points.mean(), len(told.features))
        gram += spread.T @ spread
        moment += spread.T @ target
        rows += len(spread)
    scale = np.sqrt(np.maximum(np.diag(gram) / rows, 1e-6))
    gram = gram / rows / np.outer(scale, scale)
    found = np.linalg.solve(gram + RIDGE * np.eye(width), moment / rows / scale)
    weights: Floats = (found / scale).reshape(SETS, len(FEATURES))
    return weights


def _slopes(lessons: Sequence[Lesson], evaluator: Evaluator) -> tuple[float, ...]:
    def worse(slopes: Floats) -> float:
        return loss(lessons, replace(evaluator, slopes=tuple(map(float, slopes))))

    found = minimize(
        worse, np.full(SETS, 0.5), method="Powell", bounds=[(0.05, 4.0)] * SETS,
        options={"maxiter": 6, "ftol": 1e-5},
    )  # fmt: skip
    return tuple(round(float(slope), 4) for slope in found.x)


def _weights_alone(lessons: Sequence[Lesson], first: Floats) -> Floats:
    """Logistic regression of winning, weights held back to the last ones."""
    rows = np.concatenate([_spread(told) for told in lessons])
    won = np.concatenate([np.full(len(told.features), told.shares[0]) for told in lessons])
    scale = np.sqrt(np.maximum((rows**2).mean(axis=0), 1e-6))
    rows, before = rows / scale, first.ravel() * scale

    def worse(numbers: Floats) -> tuple[float, Floats]:
        odds = rows @ numbers
        held = numbers - before
        value = np.logaddexp(0.0, odds).mean() - (won * odds).mean()
        slope = rows.T @ (1.0 / (1.0 + np.exp(-odds)) - won) / len(won)
        return value + RIDGE_ALONE * held @ held, slope + 2 * RIDGE_ALONE * held

    found = minimize(worse, before, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    weights: Floats = (found.x / scale).reshape(SETS, len(FEATURES))
    weights[ENDING] = 0.0
    return weights


def lessons_of(lessons: Sequence[Lesson], players: int) -> Iterator[Lesson]:
    return (told for told in lessons if told.players == players)

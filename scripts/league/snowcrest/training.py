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

from league.snowcrest.agents import best_of
from league.snowcrest.play import Question, live, start
from service.games.snowcrest.engine.evaluation import (
    ENDING,
    KNOTS,
    Evaluator,
    knot_weights,
    load_evaluator,
)
from service.games.snowcrest.engine.features import FEATURES, features
from service.games.snowcrest.engine.turn_tree import SnowcrestTurns
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.solo import DIFFICULTIES
from service.games.snowcrest.rules.state import Phase, State

Floats = NDArray[np.float64]

SETS: Final = len(KNOTS) + 1
"""Of weights, that of the ending last."""
BY_CHANCE: Final = 0.04
"""How often a player in training does anything, so that more is seen than good play."""
RIDGE: Final = 0.1
"""How much weights are held back to those before, by the part of the rows they have to explain."""
STEP: Final = 0.5
"""How far weights go from those before to those of the regression.  What goes with points need not
bring them: who took the whole step foresaw who wins, and played no better (``evaluator.md``).
"""
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
        self._game = SnowcrestTurns(load_evaluator(Path(evaluator)))

    def choose(self, question: Question, random: Random) -> Action:
        [choices] = question.decision.choices.values()
        if random.random() < BY_CHANCE:
            return random.choice(choices)
        return best_of(self._game, replace(question, tier="quick"))


def lesson(players: int, seed: int, evaluator: str) -> Lesson:
    """One game among learners; alone, of a difficulty that goes with the seed."""
    difficulty = 1 + seed // 2 % len(DIFFICULTIES)
    starters = players > 1 and seed // 2 % STARTERS == 0
    first = start(players, seed, starter_variant=starters, difficulty=difficulty)
    seen: list[list[list[float]]] = []
    phases: list[tuple[float, ...]] = []

    def keep(state: State) -> None:
        if state.phase is Phase.TURNS:
            seen.append(features(state, state.turn or len(state.seats)))
            phases.append(knot_weights(state))

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

    Points tell more of a game than who has won, so that fewer games are enough.
    """
    several = [told for told in lessons if told.players > 1]
    alone = [told for told in lessons if told.players == 1]
    learned = replace(first, version=version)
    if several:
        learned = replace(learned, several=_rows(_weights(several, np.array(first.several))))
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


def _weights(lessons: Sequence[Lesson], before: Floats) -> Floats:
    """Ridge regression of the points in the end, against the mean of the table."""
    width = SETS * len(FEATURES)
    gram, moment, rows = np.zeros((width, width)), np.zeros(width), 0
    for told in lessons:
        spread = _spread(told)
        target = np.tile(told.points - told.points.mean(), len(told.features))
        gram += spread.T @ spread
        moment += spread.T @ (target - spread @ before.ravel())
        rows += len(spread)
    scale = np.sqrt(np.maximum(np.diag(gram) / rows, 1e-6))
    gram = gram / rows / np.outer(scale, scale)
    found = np.linalg.solve(gram + RIDGE * np.eye(width), moment / rows / scale) / scale
    weights: Floats = before + STEP * found.reshape(SETS, len(FEATURES))
    return weights


def _slopes(lessons: Sequence[Lesson], evaluator: Evaluator) -> tuple[float, ...]:
    def worse(slopes: Floats) -> float:
        return loss(lessons, replace(evaluator, slopes=tuple(map(float, slopes))))

    found = minimize(
        worse, np.full(SETS, 0.5), method="Powell", bounds=[(0.05, 4.0)] * SETS,
        options={"maxiter": 6, "ftol": 1e-5},
    )  # fmt: skip
    return tuple(round(float(slope), 4) for slope in found.x)


LEAST_SCALE: Final = 0.3
"""Of the weights alone: with less of them every choice would be as good as another."""


def _weights_alone(lessons: Sequence[Lesson], before: Floats) -> Floats:
    """The weights before, times one number, and at each knot a constant and what a rest is worth,
    by logistic regression of winning (after Platt 1999): a chance that is truer, and the same play.
    """
    odds = np.concatenate([potentials(told, before).ravel() for told in lessons])
    phases = np.concatenate([told.phases for told in lessons])[:, :ENDING]
    rests = np.concatenate([told.features[:, 0, _RESTS] for told in lessons])
    won = np.concatenate([np.full(len(told.features), told.shares[0]) for told in lessons])
    rows = np.column_stack([odds, phases, phases * rests[:, None]])

    def worse(numbers: Floats) -> tuple[float, Floats]:
        told = rows @ numbers
        value = np.logaddexp(0.0, told).mean() - (won * told).mean()
        slope = rows.T @ (1.0 / (1.0 + np.exp(-told)) - won) / len(won)
        return value + 1e-4 * numbers @ numbers, slope + 2e-4 * numbers

    first = np.array([1.0] + [0.0] * (2 * ENDING))
    bounds = [(LEAST_SCALE, 5.0)] + [(-20.0, 20.0)] * ENDING + [(0.0, 20.0)] * ENDING
    found = minimize(worse, first, jac=True, method="L-BFGS-B", bounds=bounds).x
    weights: Floats = found[0] * before
    weights[:ENDING, _ONE] += found[1 : 1 + ENDING]
    weights[:ENDING, _RESTS] += found[1 + ENDING :]
    weights[ENDING] = 0.0
    return weights


_ONE: Final = FEATURES.index("one")
_RESTS: Final = FEATURES.index("rests_left")


def lessons_of(lessons: Sequence[Lesson], players: int) -> Iterator[Lesson]:
    return (told for told in lessons if told.players == players)

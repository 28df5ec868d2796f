"""How well evaluators of Snowcrest foresee who wins, as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from scipy.optimize import minimize_scalar

from league.snowcrest.training import SETS, Lesson, lessons_of, loss, shares
from service.games.snowcrest.engine.evaluation import Evaluator
from service.games.snowcrest.engine.features import FEATURES

EDGES: Final = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.0)
"""Of the shares that are compared with what was won."""


def report(
    lessons: Sequence[Lesson], evaluators: Sequence[Evaluator], made: Mapping[str, int]
) -> str:
    """Log-losses of all evaluators by the number of players, and the calibration of the last one.

    Args:
        lessons: games that nothing was learned from.
        evaluators: the first one, and each generation.
        made: the options of the training.
    """
    told = " ".join(f"--{name} {value}" for name, value in made.items())
    last = evaluators[-1]
    return "\n".join(
        (
            f"# {last.version}",
            "",
            f"`scripts/train_evaluator.py --game snowcrest {told}`,",
            f"told on {len(lessons)} games that no fit has seen, among players who go by the",
            "generation before.  Log-loss in nats a position, of the winners' shares, or alone of",
            "whether the game was won; scores alone are scrolls, buildings and omen, at the slope",
            "that does best on these games; even is what always came about so often:",
            "",
            *_losses(lessons, evaluators),
            "",
            f"How often players won to whom {last.version} gave a share, between turns:",
            "",
            *_calibration(lessons, last),
            "",
        )
    )


def _losses(lessons: Sequence[Lesson], evaluators: Sequence[Evaluator]) -> Iterator[str]:
    names = [evaluator.version for evaluator in evaluators]
    yield f"| players | games | even | scores alone | {' | '.join(names)} |"
    yield "|---:" * (4 + len(names)) + "|"
    for players in sorted({told.players for told in lessons}):
        some = list(lessons_of(lessons, players))
        losses = [f"{loss(some, evaluator):.4f}" for evaluator in evaluators]
        even, scores = _even(some), _scores_alone(some)
        yield f"| {players} | {len(some)} | {even:.4f} | {scores:.4f} | {' | '.join(losses)} |"


def _even(lessons: Sequence[Lesson]) -> float:
    players = lessons[0].players
    if players > 1:
        return float(np.log(players))
    won = float(np.clip(np.mean([told.shares[0] for told in lessons]), 1e-3, 1.0 - 1e-3))
    return float(-won * np.log(won) - (1.0 - won) * np.log(1.0 - won))


def _scores_alone(lessons: Sequence[Lesson]) -> float:
    points = np.zeros(len(FEATURES))
    for name in ("scrolls", "building_points", "omen"):
        points[FEATURES.index(name)] = 1.0
    rows = (tuple(points),) * SETS
    one = np.eye(len(FEATURES))[FEATURES.index("one")]

    def judged(slope: float, bar: float = 0.0) -> float:
        alone = (tuple(slope * (points - bar * one)),) * SETS
        return loss(lessons, Evaluator("scores", rows, (slope,) * SETS, alone))

    bars = [0.0] if lessons[0].players > 1 else list(np.arange(0.0, 11.0))
    return min(
        float(minimize_scalar(judged, bounds=(0.01, 3.0), method="bounded", args=(bar,)).fun)
        for bar in bars
    )


def _calibration(lessons: Sequence[Lesson], evaluator: Evaluator) -> Iterator[str]:
    told, won = [], []
    for lesson in lessons:
        found = shares(lesson, evaluator)
        told.append(found.ravel())
        won.append((lesson.shares * np.ones_like(found)).ravel())
    predicted, happened = np.concatenate(told), np.concatenate(won)
    yield "| share | positions | mean share | won |"
    yield "|---|---:|---:|---:|"
    for low, high in pairwise(EDGES):
        within = (predicted >= low) & (predicted < high if high < 1.0 else predicted <= high)
        if within.any():
            mean, often = predicted[within].mean(), happened[within].mean()
            yield f"| {low:.2f} to {high:.2f} | {within.sum()} | {mean:.3f} | {often:.3f} |"

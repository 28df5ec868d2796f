"""How well evaluators of Slopecrashers foresee who wins, as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from league.slopecrashers.training import Lesson, loss, numbers_of, shares
from service.games.slopecrashers.engine.evaluation import Evaluator

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
            f"`scripts/train_slopecrashers_evaluator.py {told}`,",
            f"told on {len(lessons)} games that no fit has seen, among players who go by the",
            "generation before.  Log-loss in nats a position, of the winner's share:",
            "",
            *_losses(lessons, evaluators),
            "",
            f"How often players won to whom {last.version} gave a share, before any turn:",
            "",
            *_calibration(lessons, last),
            "",
        )
    )


def _losses(lessons: Sequence[Lesson], evaluators: Sequence[Evaluator]) -> Iterator[str]:
    names = [evaluator.version for evaluator in evaluators]
    yield f"| players | games | even shares | {' | '.join(names)} |"
    yield "|---:" * (3 + len(names)) + "|"
    for players in sorted({lesson.features.shape[1] for lesson in lessons}):
        some = [lesson for lesson in lessons if lesson.features.shape[1] == players]
        losses = [f"{loss(some, numbers_of(evaluator)):.4f}" for evaluator in evaluators]
        yield f"| {players} | {len(some)} | {np.log(players):.4f} | {' | '.join(losses)} |"


def _calibration(lessons: Sequence[Lesson], evaluator: Evaluator) -> Iterator[str]:
    told, won = [], []
    for lesson, found in zip(lessons, shares(lessons, numbers_of(evaluator)), strict=True):
        told.append(found.ravel())
        won.append((np.arange(found.shape[1]) == lesson.winner) * np.ones_like(found))
    predicted, happened = np.concatenate(told), np.concatenate([each.ravel() for each in won])
    yield "| share | positions | mean share | won |"
    yield "|---|---:|---:|---:|"
    for low, high in pairwise(EDGES):
        within = (predicted >= low) & (predicted < high if high < 1.0 else predicted <= high)
        if within.any():
            mean, often = predicted[within].mean(), happened[within].mean()
            yield f"| {low:.2f} to {high:.2f} | {within.sum()} | {mean:.3f} | {often:.3f} |"

"""The report about Slopecrashers evaluators: log-loss and calibration, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from research.league.slopecrashers.training import TrainingGame, loss, numbers_of, shares
from research.league.statistics.share_table import share_table
from service.games.slopecrashers.engine.evaluation import Evaluator


def report(
    games: Sequence[TrainingGame], evaluators: Sequence[Evaluator], options: Mapping[str, object]
) -> str:
    """Return log-losses of all evaluators by number of players, and the calibration of the last.

    Args:
        games: held out from every fit.
        evaluators: the first one, then each generation.
        options: of the training script.
    """
    arguments = " ".join(f"--{name} {value}" for name, value in options.items())
    last = evaluators[-1]
    return "\n".join(
        (
            f"# {last.version}",
            "",
            f"Reproduce with `-m research train --game slopecrashers {arguments}`.",
            f"Measured on {len(games)} held-out games, which agents with the evaluator of the",
            "previous generation played. The log-loss is in nats per position, of the win share",
            "of the player who won:",
            "",
            *_loss_table(games, evaluators),
            "",
            f"How often players won, by the win share that {last.version} predicted between turns:",
            "",
            *_calibration_table(games, last),
            "",
        )
    )


def _loss_table(games: Sequence[TrainingGame], evaluators: Sequence[Evaluator]) -> Iterator[str]:
    names = [evaluator.version for evaluator in evaluators]
    yield f"| players | games | even shares | {' | '.join(names)} |"
    yield "|---:" * (3 + len(names)) + "|"
    for players in sorted({game.features.shape[1] for game in games}):
        selected = [game for game in games if game.features.shape[1] == players]
        losses = [f"{loss(selected, numbers_of(evaluator)):.4f}" for evaluator in evaluators]
        yield f"| {players} | {len(selected)} | {np.log(players):.4f} | {' | '.join(losses)} |"


def _calibration_table(games: Sequence[TrainingGame], evaluator: Evaluator) -> Iterator[str]:
    predictions, outcomes = [], []
    for game, predicted in zip(games, shares(games, numbers_of(evaluator)), strict=True):
        predictions.append(predicted.ravel())
        outcomes.append((np.arange(predicted.shape[1]) == game.winner) * np.ones_like(predicted))
    prediction = np.concatenate(predictions)
    won = np.concatenate([outcome.ravel() for outcome in outcomes])
    yield from share_table(prediction, won)

"""The report about Snowcrest evaluators: log-loss and calibration, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from scipy.optimize import minimize_scalar

from research.league.snowcrest.training import SETS, TrainingGame, loss, shares, with_players
from research.league.statistics.share_table import share_table
from service.games.snowcrest.engine.evaluation import Evaluator
from service.games.snowcrest.engine.features import FEATURES


def report(
    games: Sequence[TrainingGame], evaluators: Sequence[Evaluator], options: Mapping[str, int]
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
            f"Reproduce with `-m research train --game snowcrest {arguments}`.",
            f"Measured on {len(games)} held-out games, which agents with the evaluator of the",
            "previous generation played. The log-loss is in nats per position, of the winners'",
            "shares; in solo games, of winning. The column `even` predicts even shares, in solo",
            "games the mean win rate. The column `scores alone` uses scrolls, buildings and omen",
            "with the slope that fits these games best.",
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
    yield f"| players | games | even | scores alone | {' | '.join(names)} |"
    yield "|---:" * (4 + len(names)) + "|"
    for players in sorted({game.players for game in games}):
        selected = list(with_players(games, players))
        losses = [f"{loss(selected, evaluator):.4f}" for evaluator in evaluators]
        even, scores = _even_loss(selected), _scores_loss(selected)
        yield f"| {players} | {len(selected)} | {even:.4f} | {scores:.4f} | {' | '.join(losses)} |"


def _even_loss(games: Sequence[TrainingGame]) -> float:
    players = games[0].players
    if players > 1:
        return float(np.log(players))
    rate = float(np.clip(np.mean([game.shares[0] for game in games]), 1e-3, 1.0 - 1e-3))
    return float(-rate * np.log(rate) - (1.0 - rate) * np.log(1.0 - rate))


def _scores_loss(games: Sequence[TrainingGame]) -> float:
    points = np.zeros(len(FEATURES))
    for name in ("scrolls", "building_points", "omen"):
        points[FEATURES.index(name)] = 1.0
    rows = (tuple(points),) * SETS
    one = np.eye(len(FEATURES))[FEATURES.index("one")]

    def loss_at(slope: float, threshold: float = 0.0) -> float:
        solo = (tuple(slope * (points - threshold * one)),) * SETS
        return loss(games, Evaluator("scores", rows, (slope,) * SETS, solo, {}))

    thresholds = [0.0] if games[0].players > 1 else list(np.arange(0.0, 11.0))
    return min(
        float(minimize_scalar(loss_at, bounds=(0.01, 3.0), method="bounded", args=(threshold,)).fun)
        for threshold in thresholds
    )


def _calibration_table(games: Sequence[TrainingGame], evaluator: Evaluator) -> Iterator[str]:
    predictions, outcomes = [], []
    for game in games:
        predicted = shares(game, evaluator)
        predictions.append(predicted.ravel())
        outcomes.append((game.shares * np.ones_like(predicted)).ravel())
    prediction, won = np.concatenate(predictions), np.concatenate(outcomes)
    yield from share_table(prediction, won)

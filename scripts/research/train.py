"""Train the evaluator of a game by self-play, generation by generation.

    python3 scripts/dev.py run -m research train --game snowcrest --players 4 --out DIR

All players of a game follow ``quick`` hints with the previous evaluator, and sometimes play at
random.  A generation is fitted to the winners: each weight gets the factor with which the shares
that the evaluator predicts before each turn or round agree best with who won.  ``report.md``
compares all generations in further games, which no fit has used.  Every finished game is saved at
once, so the same command continues an interrupted run.  Prediction is not strength: compare two
generations with ``play run --cells 'service:evaluator=FILE vs service @ 4 of GAME'``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import numpy as np

from research.evaluators.games import MODELS, parser, start, write
from research.evaluators.model import Model, OftenRandom
from research.evaluators.winners import Outcome, effects
from research.league.running.engine import Engine, run_script
from research.league.running.journal import saved_results
from research.league.statistics.share_table import share_table
from service.core.arrays import Floats

RANDOM_RATE: Final = 0.04
"""Probability of a random choice. With a much higher rate players waste cards, and the fit takes
cards to be worth little."""
APART: Final = 0.1
"""Change of a weight that shows its influence on a prediction."""
LEAST_SHARE: Final = 1e-9


def main(arguments: Sequence[str]) -> int:
    """Train, report and return the exit code."""
    options = parser(__doc__, games=400)
    options.add_argument("--generations", type=int, default=2)
    return run_script(_train, options.parse_args(arguments))


def _train(options: argparse.Namespace, engine: Engine) -> int:
    try:
        model, first = start(options)
    except ValueError as problem:
        print(f"train: {problem}", file=sys.stderr)
        return 2
    files, players = [first], options.players
    for generation in range(1, options.generations + 1):
        path = options.out / f"evaluator-{generation}.json"
        if not path.exists():
            games = _games(options, generation, influences, files[-1:], engine)
            found, _ = effects([outcome(game) for game in games])
            fitted = model.changed(model.read(files[-1]), players, found)
            write(model, fitted, f"generation-{generation}", path)
        files.append(path)
    held_out = _games(options, options.generations + 1, comparisons, files, engine)
    page = report([file.stem for file in files], held_out)
    (options.out / "report.md").write_text(page, encoding="utf-8")
    print(page)
    return 0


def _games(
    options: argparse.Namespace, generation: int, work: Any, files: Sequence[Path], engine: Engine
) -> list[dict[str, Any]]:
    """Return the games of a generation; play those that are not saved yet."""
    first = options.seed + generation * options.games
    seeds = {seed: seed for seed in range(first, first + options.games)}
    play = partial(work, options.game, options.players, [str(file) for file in files])
    path = options.out / f"games-{generation}.jsonl"
    return saved_results(path, itemgetter("seed"), play, seeds, engine, path.stem)


# Games ----------------------------------------------------------------------------------------


def influences(game: str, players: int, files: Sequence[str], seed: int) -> dict[str, Any]:
    """Return a game with the shares that an evaluator predicts, and with each weight changed."""
    model = MODELS[game]
    evaluator, count = model.read(Path(files[-1])), len(model.names(players))
    changes = [np.zeros(count), *(APART * np.eye(count))]
    changed = [model.changed(evaluator, players, by) for by in changes]
    return _played(model, players, evaluator, changed, seed)


def comparisons(game: str, players: int, files: Sequence[str], seed: int) -> dict[str, Any]:
    """Return a game of players with the last evaluator, with the shares that all predict."""
    model = MODELS[game]
    evaluators = [model.read(Path(file)) for file in files]
    return _played(model, players, evaluators[-1], evaluators, seed)


def _played(
    model: Model, players: int, own: Any, evaluators: Sequence[Any], seed: int
) -> dict[str, Any]:
    predictors = [model.predictor(evaluator, players) for evaluator in evaluators]
    agent = OftenRandom(model, model.agent(own), RANDOM_RATE)
    shares: list[list[list[float]]] = []
    won = model.play(
        [agent] * players,
        seed,
        lambda state: shares.append([each(state).round(6).tolist() for each in predictors]),
    )
    return {"seed": seed, "won": list(won), "shares": shares}


def predicted(game: Mapping[str, Any]) -> tuple[Floats, Floats]:
    """Return float64[turns, evaluators, players] and float64[players]: shares and results.

    A solo game has a second player, who wins if the first one loses.
    """
    shares, won = np.array(game["shares"]), np.array(game["won"])
    if len(won) == 1:
        shares, won = np.concatenate([shares, 1.0 - shares], axis=2), np.append(won, 1.0 - won)
    return np.maximum(shares, LEAST_SHARE), won


def outcome(game: Mapping[str, Any]) -> Outcome:
    """Return the influence of each weight on the logarithms of the predicted shares."""
    shares, won = predicted(game)
    logarithms = np.log(shares)
    inputs = (logarithms[:, 1:] - logarithms[:, :1]) / APART
    return Outcome(logarithms[:, 0], inputs.transpose(0, 2, 1), won)


# Report ---------------------------------------------------------------------------------------


def report(names: Sequence[str], games: Sequence[Mapping[str, Any]]) -> str:
    """Return log losses of all evaluators and the calibration of the last one, as Markdown."""
    return "\n".join([*_losses(names, games), "", *_calibration(games), ""])


def _losses(names: Sequence[str], games: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    losses = np.array([-(np.log(s) @ won).mean(axis=0) for s, won in map(predicted, games)])
    means = losses.mean(axis=0)
    errors = 1.96 * losses.std(axis=0) / np.sqrt(len(losses))
    yield f"Log loss in nats per position, {len(games)} games that no fit has used."
    yield ""
    yield "| evaluator | log loss (95 %) |"
    yield "|---|---:|"
    for name, mean, error in zip(names, means, errors, strict=True):
        yield f"| {name} | {mean:.4f} ± {error:.4f} |"
    yield f"| even shares | {np.log(len(predicted(games[0])[1])):.4f} |"


def _calibration(games: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    shares = [(s[:, -1], won) for s, won in map(predicted, games)]
    yield "How often players won, by the win share that the last evaluator predicted:"
    yield ""
    yield from share_table(
        np.concatenate([own.ravel() for own, _ in shares]),
        np.concatenate([np.broadcast_to(won, own.shape).ravel() for own, won in shares]),
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

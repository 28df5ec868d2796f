"""Train the evaluator of Slopecrashers by self-play, generation by generation.

    python3 scripts/dev.py run -m research train --game slopecrashers --out DIR

Each generation plays games of two to six players with the previous evaluator, fits an evaluator to
the winners and writes it as ``evaluator-GENERATION.json`` to DIR. Every finished game is saved at
once, so the same command continues an interrupted run. Every fifth game is held out from the fit;
``report.md`` shows how well each generation predicts the winners of the held-out games of the last
generation. To ship an evaluator, copy it to ``service/games/slopecrashers/engine/evaluator.json``
and the report to ``evaluator.md`` in the same folder.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from research.league.running.engine import Engine, add_options, run_script
from research.league.running.journal import saved_results
from research.league.slopecrashers.evaluator_report import report
from research.league.slopecrashers.training import TrainingGame, fit_evaluator, play_training_game
from service.core.vocabulary import EFFORTS
from service.games.slopecrashers.engine.evaluation import FILE, read

PLAYERS = (4, 4, 3, 2, 5, 6)
"""Numbers of players of consecutive games."""
HELD_OUT_EVERY = 5
"""One game in so many is held out from the fit."""


def main(arguments: Sequence[str]) -> int:
    """Train, report and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--games", type=int, default=300, help="games per generation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--effort",
        choices=EFFORTS,
        default="",
        help="play by hints of this effort, not by one-turn search; needs a folder of its own",
    )
    add_options(parser)
    return run_script(_train, parser.parse_args(arguments))


def _train(options: argparse.Namespace, engine: Engine) -> int:
    options.out.mkdir(parents=True, exist_ok=True)
    generations = [FILE]
    for generation in range(1, options.generations + 1):
        path = options.out / f"evaluator-{generation}.json"
        if not path.exists():
            seeds = [
                seed
                for number, seed in enumerate(_seeds(generation, options))
                if number % HELD_OUT_EVERY
            ]
            saved = options.out / f"games-{generation}.jsonl"
            games = _play_games(generations[-1], options.effort, seeds, saved, engine)
            fitted = fit_evaluator(games, read(generations[-1]), f"slopes-{generation}")
            path.write_text(json.dumps(asdict(fitted), indent=2) + "\n", encoding="utf-8")
        generations.append(path)
    held_out = list(_seeds(options.generations, options)[::HELD_OUT_EVERY])
    saved = options.out / "held-out.jsonl"
    games = _play_games(generations[-2], options.effort, held_out, saved, engine)
    names = ("generations", "games", "seed", "effort")
    used = {name: value for name in names if (value := getattr(options, name)) != ""}
    page = report(games, [read(path) for path in generations], used)
    (options.out / "report.md").write_text(page, encoding="utf-8")
    print(page)
    return 0


def _seeds(generation: int, options: argparse.Namespace) -> range:
    """Return the seeds of all games of a generation, with those held out."""
    first = options.seed + generation * options.games
    return range(first, first + options.games)


def _play_games(
    evaluator: Path, effort: str, seeds: Sequence[int], path: Path, engine: Engine
) -> list[TrainingGame]:
    """Return training games with an evaluator and an effort, in the order of their seeds.

    Only games that the file does not have are played, and added to it.
    """
    work, cases = partial(_play, str(evaluator), effort), {seed: seed for seed in seeds}
    games = saved_results(path, itemgetter("seed"), work, cases, engine, path.stem)
    return [TrainingGame(np.array(game["features"]), game["winner"]) for game in games]


def _play(evaluator: str, effort: str, seed: int) -> dict[str, Any]:
    game = play_training_game(PLAYERS[seed % len(PLAYERS)], seed, evaluator, effort)
    return {"seed": seed, "winner": game.winner, "features": game.features.tolist()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

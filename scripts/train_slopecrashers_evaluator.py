"""Train the evaluator of Slopecrashers by self-play, generation by generation.

    python3 scripts/dev.py run scripts/train_slopecrashers_evaluator.py --out DIR

Each generation plays games of two to six players with the previous evaluator, fits an evaluator to
the winners and writes it as ``evaluator-GENERATION.json`` to DIR. The same command continues an
interrupted run after the last finished generation. Every fifth game is held out from the fit;
``report.md`` shows how well each generation predicts the winners of the held-out games of the last
generation. To ship an evaluator, copy it to ``service/games/slopecrashers/engine/evaluator.json``
and the report to ``evaluator.md`` in the same folder.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from league.running.processes import run_parallel
from league.slopecrashers.evaluator_report import report
from league.slopecrashers.training import TrainingGame, fit_evaluator, play_training_game
from tqdm import tqdm

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
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
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
            games = _play_games(generations[-1], seeds, f"generation {generation}", options.jobs)
            fitted = fit_evaluator(games, read(generations[-1]), f"slopes-{generation}")
            path.write_text(json.dumps(asdict(fitted), indent=2) + "\n", encoding="utf-8")
        generations.append(path)
    held_out = list(_seeds(options.generations, options)[::HELD_OUT_EVERY])
    games = _play_games(generations[-2], held_out, "held out", options.jobs)
    used = {name: getattr(options, name) for name in ("generations", "games", "seed")}
    page = report(games, [read(path) for path in generations], used)
    (options.out / "report.md").write_text(page, encoding="utf-8")
    print(page)
    return 0


def _seeds(generation: int, options: argparse.Namespace) -> range:
    """Return the seeds of all games of a generation, with those held out."""
    first = options.seed + generation * options.games
    return range(first, first + options.games)


def _play_games(
    evaluator: Path, seeds: Sequence[int], description: str, jobs: int
) -> list[TrainingGame]:
    """Play training games with an evaluator; return them in the order of their seeds."""
    games: dict[int, TrainingGame] = {}
    bar = tqdm(total=len(seeds), unit="game", desc=description)
    with bar, run_parallel(partial(_play, str(evaluator)), seeds, jobs) as results:
        for seed, game in results:
            games[seed] = game
            bar.update()
    return [games[seed] for seed in seeds]


def _play(evaluator: str, seed: int) -> tuple[int, TrainingGame]:
    return seed, play_training_game(PLAYERS[seed % len(PLAYERS)], seed, evaluator)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Train the evaluator of Snowcrest by self-play, generation by generation.

    python3 scripts/dev.py run -m research train --game snowcrest --out DIR

Each generation plays games of one to four players with the previous evaluator, fits an evaluator to
their results and writes it as ``evaluator-GENERATION.json`` to DIR. Every finished game is saved at
once, so the same command continues an interrupted run. Every seventh game is held out from the fit;
``report.md`` shows how well each generation predicts the winners of the held-out games of the last
generation. To ship an evaluator, copy it to ``service/games/snowcrest/engine/evaluator.json`` and
the report to ``evaluator.md`` in the same folder.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from research.league.running.engine import Engine, add_options, run_script
from research.league.snowcrest.evaluator_report import report
from research.league.snowcrest.training import TrainingGame, fit_evaluator, play_training_game
from service.games.snowcrest.engine.evaluation import EVALUATOR_FILE, load_evaluator, to_document

PLAYERS = (4, 1, 4, 1, 3, 1, 2, 1)
"""Numbers of players of consecutive games."""
HELD_OUT_EVERY = 7
"""One game in so many is held out from the fit."""


def main(arguments: Sequence[str]) -> int:
    """Train, report and return the exit code."""
    return run_script(_train, _parser().parse_args(arguments))


def _train(options: argparse.Namespace, engine: Engine) -> int:
    options.out.mkdir(parents=True, exist_ok=True)
    generations: list[Path] = [options.first]
    games: list[TrainingGame] = []
    for generation in range(1, options.generations + 1):
        path = options.out / f"evaluator-{generation}.json"
        games = _play_generation(generations[-1], generation, options, engine)
        if not path.exists():
            training = [game for number, game in enumerate(games) if number % HELD_OUT_EVERY]
            before = load_evaluator(generations[-1])
            fitted = fit_evaluator(training, before, f"crest-{generation}")
            path.write_text(json.dumps(to_document(fitted), indent=1) + "\n", encoding="utf-8")
        generations.append(path)
    used = {name: getattr(options, name) for name in ("generations", "games", "seed")}
    page = report(games[::HELD_OUT_EVERY], [load_evaluator(path) for path in generations], used)
    (options.out / "report.md").write_text(page, encoding="utf-8")
    print(page)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--games", type=int, default=400, help="games per generation")
    add_options(parser)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--first", type=Path, default=EVALUATOR_FILE, help="evaluator of generation 0"
    )
    return parser


def _play_generation(
    evaluator: Path, generation: int, options: argparse.Namespace, engine: Engine
) -> list[TrainingGame]:
    """Return the games of a generation in the order of their seeds; play those not saved yet."""
    first = options.seed + generation * options.games
    seeds = range(first, first + options.games)
    path = options.out / f"games-{generation}.pickle"
    games = dict(_read_games(path))
    missing = [seed for seed in seeds if seed not in games]
    work = partial(_play, str(evaluator))
    played = engine.run(work, missing, f"generation {generation}", finished=len(games))
    with path.open("ab") as file:
        for seed, game in played:
            games[seed] = game
            pickle.dump((seed, game), file)
            file.flush()
    return [games[seed] for seed in seeds]


def _read_games(path: Path) -> Iterator[tuple[int, TrainingGame]]:
    """Yield the games that this script has saved; truncate the file after the last whole one."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        while True:
            offset = file.tell()
            try:
                yield pickle.load(file)
            except (EOFError, pickle.UnpicklingError):
                file.truncate(offset)
                return


def _play(evaluator: str, seed: int) -> TrainingGame:
    return play_training_game(PLAYERS[seed % len(PLAYERS)], seed, evaluator)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

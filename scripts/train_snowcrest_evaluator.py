"""Trains the evaluator of Snowcrest by self-play, generation by generation.

    python3 scripts/dev.py run scripts/train_evaluator.py --game snowcrest --out DIR

Each generation plays games of one to four players with the evaluator of the last one, fits the
numbers to how they ended, and writes ``evaluator-GENERATION.json`` into DIR.  Every finished game
is written down at once: an interrupted training goes on with the same command.  From every seventh
game nothing is learned: in the end those of the last generation tell how well each generation
foresees who wins, in ``report.md``.  To ship an evaluator, copy it to
``service/games/snowcrest/engine/evaluator.json`` and the report to ``evaluator.md`` beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from league.running.processes import finished
from league.snowcrest.evaluator_report import report
from league.snowcrest.training import Lesson, fitted, lesson
from tqdm import tqdm

from service.games.snowcrest.engine.evaluation import EVALUATOR_FILE, load_evaluator, to_document

PLAYERS = (4, 1, 4, 1, 3, 1, 2, 1)
"""Of the games, in turn."""
HELD_OUT = 7
"""One game in so many is not learned from."""


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    options = _parser().parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    generations: list[Path] = [options.first]
    lessons: list[Lesson] = []
    for generation in range(1, options.generations + 1):
        learned = options.out / f"evaluator-{generation}.json"
        lessons = _lessons(generations[-1], generation, options)
        if not learned.exists():
            taught = [told for number, told in enumerate(lessons) if number % HELD_OUT]
            new = fitted(taught, load_evaluator(generations[-1]), f"crest-{generation}")
            learned.write_text(json.dumps(to_document(new), indent=1) + "\n", encoding="utf-8")
        generations.append(learned)
    made = {name: getattr(options, name) for name in ("generations", "games", "seed")}
    told = report(lessons[::HELD_OUT], [load_evaluator(path) for path in generations], made)
    (options.out / "report.md").write_text(told, encoding="utf-8")
    print(told)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--games", type=int, default=400, help="of each generation")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--first", type=Path, default=EVALUATOR_FILE, help="the evaluator to begin with"
    )
    return parser


def _lessons(evaluator: Path, generation: int, options: argparse.Namespace) -> list[Lesson]:
    """Games among players who go by an evaluator, in the order of their seeds."""
    first = options.seed + generation * options.games
    seeds = range(first, first + options.games)
    path = options.out / f"games-{generation}.pickle"
    held = dict(_kept(path))
    due = [seed for seed in seeds if seed not in held]
    bar = tqdm(total=len(seeds), initial=len(held), unit="game", desc=f"generation {generation}")
    work = partial(_played, str(evaluator))
    with path.open("ab") as file, bar, finished(work, due, options.jobs) as told:
        for seed, one in told:
            held[seed] = one
            pickle.dump((seed, one), file)
            file.flush()
            bar.update()
    return [held[seed] for seed in seeds]


def _kept(path: Path) -> Iterator[tuple[int, Lesson]]:
    """The games of a file that this script has written; one whose writing was interrupted is
    none, and is cut off.
    """
    if not path.exists():
        return
    with path.open("rb+") as file:
        while True:
            at = file.tell()
            try:
                yield pickle.load(file)
            except (EOFError, pickle.UnpicklingError):
                file.truncate(at)
                return


def _played(evaluator: str, seed: int) -> tuple[int, Lesson]:
    return seed, lesson(PLAYERS[seed % len(PLAYERS)], seed, evaluator)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

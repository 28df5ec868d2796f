"""Trains the evaluator of Slopecrashers by self-play, generation by generation.

    python3 scripts/dev.py run scripts/train_slopecrashers_evaluator.py --out DIR [--generations 2]

Each generation plays games of two to six players with the evaluator of the last one, fits the
numbers to who won, and writes ``evaluator-GENERATION.json`` into DIR, where an interrupted training
goes on.  From every fifth game nothing is learned: in the end those of the last generation tell how
well each generation foresees who wins, in ``report.md``.  To ship an evaluator, copy it to
``service/games/slopecrashers/engine/evaluator.json`` and the report to ``evaluator.md`` beside it.
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

from league.running.processes import finished
from league.slopecrashers.evaluator_report import report
from league.slopecrashers.training import Lesson, fitted, lesson
from tqdm import tqdm

from service.games.slopecrashers.engine.evaluation import FILE, read

PLAYERS = (4, 4, 3, 2, 5, 6)
"""Of the games, in turn."""
HELD_OUT = 5
"""One game in so many is not learned from."""


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--games", type=int, default=300, help="of each generation")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    generations = [FILE]
    for generation in range(1, options.generations + 1):
        learned = options.out / f"evaluator-{generation}.json"
        if not learned.exists():
            taught = [
                seed for number, seed in enumerate(_seeds(generation, options)) if number % HELD_OUT
            ]
            lessons = _lessons(generations[-1], taught, f"generation {generation}", options.jobs)
            new = fitted(lessons, read(generations[-1]), f"slopes-{generation}")
            learned.write_text(json.dumps(asdict(new), indent=2) + "\n", encoding="utf-8")
        generations.append(learned)
    held = _seeds(options.generations, options)[::HELD_OUT]
    unseen = _lessons(generations[-2], list(held), "unseen", options.jobs)
    made = {name: getattr(options, name) for name in ("generations", "games", "seed")}
    told = report(unseen, [read(path) for path in generations], made)
    (options.out / "report.md").write_text(told, encoding="utf-8")
    print(told)
    return 0


def _seeds(generation: int, options: argparse.Namespace) -> range:
    """Of the games of a generation, those held out among them."""
    first = options.seed + generation * options.games
    return range(first, first + options.games)


def _lessons(evaluator: Path, seeds: Sequence[int], name: str, jobs: int) -> list[Lesson]:
    """Games among players who go by an evaluator, in the order of their seeds."""
    found: dict[int, Lesson] = {}
    bar = tqdm(total=len(seeds), unit="game", desc=name)
    with bar, finished(partial(_played, str(evaluator)), seeds, jobs) as told:
        for seed, one in told:
            found[seed] = one
            bar.update()
    return [found[seed] for seed in seeds]


def _played(evaluator: str, seed: int) -> tuple[int, Lesson]:
    return seed, lesson(PLAYERS[seed % len(PLAYERS)], seed, evaluator)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

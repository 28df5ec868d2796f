"""Trains the evaluator of Slopecrashers by self-play, generation by generation.

    python3 scripts/dev.py run scripts/train_slope_evaluator.py --out DIR [--generations 2]

Each generation plays games of two to six players with the evaluator of the last one, fits the
numbers to who won, and writes ``evaluator-GENERATION.json`` into DIR, where an interrupted training
goes on.  In the end games that nothing was learned from tell how well each generation foresees who
wins: ``report.md``.  To ship one, copy it to ``service/games/slopecrashers/evaluator.json`` and the
report to ``evaluator.md`` beside it.
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

from league.processes import finished
from league.slopes_report import report
from league.slopes_training import Lesson, fitted, lesson
from tqdm import tqdm

from service.games.slopecrashers.evaluation import FILE, read

PLAYERS = (4, 4, 3, 2, 5, 6)
"""Of the games, in turn."""
UNSEEN_FROM = 1_000_000
"""Seeds of the games of the report."""


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--generations", type=int, default=2)
    parser.add_argument("--games", type=int, default=300, help="of each generation")
    parser.add_argument("--unseen", type=int, default=600, help="games of the report")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    generations = [FILE]
    for generation in range(1, options.generations + 1):
        learned = options.out / f"evaluator-{generation}.json"
        if not learned.exists():
            first = options.seed + generation * options.games
            lessons = _lessons(
                generations[-1], first, options.games, f"generation {generation}", options.jobs
            )
            new = fitted(lessons, read(generations[-1]), f"slopes-{generation}")
            learned.write_text(json.dumps(asdict(new), indent=2) + "\n", encoding="utf-8")
        generations.append(learned)
    unseen = _lessons(generations[-1], UNSEEN_FROM, options.unseen, "unseen", options.jobs)
    command = f"scripts/train_slope_evaluator.py {' '.join(arguments)}"
    told = report(unseen, [read(path) for path in generations], command)
    (options.out / "report.md").write_text(told, encoding="utf-8")
    print(told)
    return 0


def _lessons(evaluator: Path, first: int, games: int, name: str, jobs: int) -> list[Lesson]:
    """Games among players who go by an evaluator, in the order of their seeds."""
    seeds = list(range(first, first + games))
    found: dict[int, Lesson] = {}
    bar = tqdm(total=games, unit="game", desc=name)
    with bar, finished(partial(_played, str(evaluator)), seeds, jobs) as told:
        for seed, one in told:
            found[seed] = one
            bar.update()
    return [found[seed] for seed in seeds]


def _played(evaluator: str, seed: int) -> tuple[int, Lesson]:
    return seed, lesson(PLAYERS[seed % len(PLAYERS)], seed, evaluator)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Trains the evaluator of Slopecrashers by self-play, generation by generation.

    python3 scripts/dev.py run scripts/train_slope_evaluator.py --out DIR [--generations 2]

Each generation plays games of two to six players with the evaluator of the last one, fits the
numbers to who won, and writes ``evaluator-GENERATION.json`` and what it came to into DIR, where an
interrupted training goes on.  To ship one, copy it to
``service/games/slopecrashers/evaluator.json`` and raise its version.
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

import numpy as np
from league.processes import finished
from league.slopes_training import Lesson, fitted, lesson, loss, numbers_of
from tqdm import tqdm

from service.games.slopecrashers.evaluation import FILE, read

PLAYERS = (4, 4, 3, 2, 5, 6)
"""Of the games, in turn."""
HELD_OUT = 5
"""One game in so many is not learned from but for the report."""


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
    before = FILE
    for generation in range(1, options.generations + 1):
        learned = options.out / f"evaluator-{generation}.json"
        if not learned.exists():
            _generation(generation, before, learned, options)
        before = learned
    return 0


def _generation(generation: int, before: Path, learned: Path, options: argparse.Namespace) -> None:
    first = options.seed + generation * options.games
    seeds = list(range(first, first + options.games))
    lessons: dict[int, Lesson] = {}
    work = partial(_played, str(before))
    bar = tqdm(total=options.games, unit="game", desc=f"generation {generation}")
    with bar, finished(work, seeds, options.jobs) as told:
        for seed, one in told:
            lessons[seed] = one
            bar.update()
    held = [lessons[seed] for seed in seeds[::HELD_OUT]]
    taught = [lessons[seed] for number, seed in enumerate(seeds) if number % HELD_OUT]
    old = read(before)
    new = fitted(taught, old, f"slopes-{generation}")
    even = float(np.mean([np.log(one.features.shape[1]) for one in held]))
    print(
        f"generation {generation}: {len(taught)} games; log-loss on {len(held)} others"
        f" {loss(held, numbers_of(new)):.4f}, before {loss(held, numbers_of(old)):.4f},"
        f" even shares {even:.4f}"
    )
    learned.write_text(json.dumps(asdict(new), indent=2) + "\n", encoding="utf-8")


def _played(evaluator: str, seed: int) -> tuple[int, Lesson]:
    return seed, lesson(PLAYERS[seed % len(PLAYERS)], seed, evaluator)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

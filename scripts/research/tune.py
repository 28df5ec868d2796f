"""Tune the evaluator of a game by games between evaluators with random factors.

    python3 scripts/dev.py run -m research tune --game slopecrashers --players 4 --out DIR

All players of a game follow ``quick`` hints, each with its own factors of the evaluator's weights.
A regression of the winner on the factors estimates which weights should be larger or smaller, all
at once.  ``tuned.json`` in DIR is the evaluator after one step in this direction; a further step
starts from it (``--evaluator``), with a folder of its own.  Every finished game is saved at once,
so the same command continues an interrupted run, also with more games.  Compare the result with
``play run --cells 'service:evaluator=FILE vs service @ 4 of GAME'``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from research.evaluators.games import MODELS, parser, start, write
from research.evaluators.winners import Outcome, effects, step
from research.league.running.engine import Engine, run_script
from research.league.running.journal import saved_results


def main(arguments: Sequence[str]) -> int:
    """Tune, print the effects and return the exit code."""
    options = parser(__doc__, games=600)
    options.add_argument("--step", type=float, default=1.0, help="length of the step")
    return run_script(_tune, options.parse_args(arguments))


def _tune(options: argparse.Namespace, engine: Engine) -> int:
    try:
        if options.players == 1:
            raise ValueError("one player has no opponent to win against")
        model, first = start(options)
    except ValueError as problem:
        print(f"tune: {problem}", file=sys.stderr)
        return 2
    seeds = {seed: seed for seed in range(options.seed, options.seed + options.games)}
    work = partial(play, options.game, options.players, str(first))
    games = saved_results(options.out / "games.jsonl", itemgetter("seed"), work, seeds, engine)
    found, errors = effects([outcome(game) for game in games])
    changes = step(found, errors, options.step)
    print("| weight | effect, logits | step |\n|---|---:|---:|")
    names = model.names(options.players)
    for name, effect, error, change in zip(names, found, errors, changes, strict=True):
        print(f"| {name} | {effect:+.3f} ± {1.96 * error:.3f} | {change:+.2f} |")
    tuned = model.changed(model.read(first), options.players, changes)
    write(model, tuned, "tuned", options.out / "tuned.json")
    return 0


def play(game: str, players: int, file: str, seed: int) -> dict[str, Any]:
    """Play a game between evaluators that a seed draws; return their changes and who won."""
    model = MODELS[game]
    evaluator, count = model.read(Path(file)), len(model.names(players))
    changes = np.random.default_rng(seed).standard_normal((players, count)).round(3)
    agents = [model.agent(model.changed(evaluator, players, row)) for row in changes]
    won = model.play(agents, seed, lambda _: None)
    return {"seed": seed, "won": list(won), "changes": changes.tolist()}


def outcome(game: Mapping[str, Any]) -> Outcome:
    """Return a game as the regression needs it."""
    changes, won = np.array(game["changes"]), np.array(game["won"])
    return Outcome(np.zeros((1, len(won))), changes[None], won)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Tune the evaluator of Slopecrashers by games between evaluators with random factors.

    python3 scripts/dev.py run -m research tune --game slopecrashers --out DIR

In each game of four players, all play narrow hints, each with its own factors of the evaluator's
weights. A regression of the winner on the factors estimates which weights should be larger or
smaller, all at once. ``tuned.json`` in DIR is the evaluator after one step in this direction; a
further step starts from it, with a folder of its own. Every finished game is saved at once, so the
same command continues an interrupted run, also with more games. Compare the result with
``tournament.py run --cells 'service:evaluator=FILE vs service @ 4 of slopecrashers'``.
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
from typing import Any, Final

import numpy as np

from research.league.running.engine import Engine, add_options, run_script
from research.league.running.journal import check_start, saved_results
from research.league.slopecrashers.tuning import (
    WEIGHTS,
    TuningGame,
    changed,
    effects,
    play_tuning_game,
    step,
)
from service.games.slopecrashers.engine.evaluation import FILE, read

PLAYERS: Final = 4


def main(arguments: Sequence[str]) -> int:
    """Tune, print the effects and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the run")
    parser.add_argument("--evaluator", type=Path, default=FILE, metavar="FILE")
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--step", type=float, default=1.0, help="length of the step, in spreads")
    parser.add_argument("--seed", type=int, default=1)
    add_options(parser)
    return run_script(_tune, parser.parse_args(arguments))


def _tune(options: argparse.Namespace, engine: Engine) -> int:
    options.out.mkdir(parents=True, exist_ok=True)
    text = options.evaluator.read_text(encoding="utf-8")
    try:
        check_start(options.out / "evaluator.json", text, "around another evaluator")
    except ValueError as problem:
        print(f"tune_slopecrashers_evaluator.py: {problem}", file=sys.stderr)
        return 2
    saved = options.out / "games.jsonl"
    seeds = range(options.seed, options.seed + options.games)
    work = partial(_play, str(options.evaluator))
    games = saved_results(saved, itemgetter("seed"), work, {seed: seed for seed in seeds}, engine)
    found, errors = effects(
        [TuningGame(game["winner"], np.array(game["changes"])) for game in games]
    )
    changes = step(found, errors, options.step)
    print("| weight | effect, logits per spread | step, spreads |\n|---|---:|---:|")
    for name, effect, error, change in zip(WEIGHTS, found, errors, changes, strict=True):
        print(f"| {name} | {effect:+.3f} ± {1.96 * error:.3f} | {change:+.2f} |")
    tuned = changed(read(options.evaluator), changes)
    text = json.dumps(asdict(tuned) | {"version": "tuned"}, indent=2) + "\n"
    (options.out / "tuned.json").write_text(text, encoding="utf-8")
    return 0


def _play(evaluator: str, seed: int) -> dict[str, Any]:
    game = play_tuning_game(PLAYERS, seed, evaluator)
    return {"seed": seed, "winner": game.winner, "changes": game.changes.round(4).tolist()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

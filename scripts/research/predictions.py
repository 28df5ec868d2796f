"""Measure how well the cards of other players are predicted, in nats per card over chance.

    python3 scripts/dev.py run -m research predictions --games 12

One player follows the service's hints and predicts three others, four at the table. 0 is as good
as uniform play; each nat more is a factor of 2.7 in the probability of the card that was played.
`equilibrium` predicts that everybody follows the hints, `prior` mixes all styles as they are
expected of strangers, `learned` learns from the rounds before. Errors are standard errors over
games. The games have the seeds 1, 2, 3, ...
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from research.league.running.engine import Engine, add_options, run_script
from research.league.snow_time.predictions import MODELS, recorded_rounds, score
from research.league.statistics.learning_chart import draw_learning, learning_curve

TABLES: Final = {
    "round solver .35/1.1/1.1": ("round-solver:champion=0.35,watcher=1.1,blizzard=1.1",) * 3,
    "round solver .55/1.5/2.2": ("round-solver:champion=0.55,watcher=1.5,blizzard=2.2",) * 3,
    "round solver .8/1/1.5": ("round-solver:champion=0.8,watcher=1,blizzard=1.5",) * 3,
    "level-1": ("level-1",) * 3,
    "quantal": ("quantal",) * 3,
    "greedy": ("greedy",) * 3,
    "random": ("random",) * 3,
    "equilibrium": ("service",) * 3,
    "minimax regret (held out)": ("minimax-regret",) * 3,
    "habitual (held out)": ("habitual",) * 3,
    "mixed": ("habitual", "minimax-regret", "round-solver:champion=0.35,watcher=1.1,blizzard=1.1"),
}
"""The three other players of each table."""
ROUNDS: Final = ((1, 1), (2, 3), (4, 6), (7, 10), (11, 99))
"""Groups of rounds in the second table, first and last."""


def main(arguments: Sequence[str]) -> int:
    """Measure and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=12, metavar="N", help="per table")
    parser.add_argument("--only", metavar="TEXT", help="only tables with TEXT in their name")
    parser.add_argument("--chart", type=Path, metavar="FILE", help="draw them by rounds seen")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the rows to FILE")
    add_options(parser)
    return run_script(_measure, parser.parse_args(arguments))


def _measure(options: argparse.Namespace, engine: Engine) -> int:
    names = [name for name in TABLES if options.only is None or options.only in name]
    rows = [row(name, options.games, engine) for name in names]
    print(f"{'':26} {'cards':>6}" + "".join(f" {model:>15}" for model in MODELS))
    for own in rows:
        cells = "".join(f" {own[model]:8.3f} ±{own['errors'][model]:5.3f}" for model in MODELS)
        print(f"{own['name']:26} {own['cards']:6}{cells}")
    print(f"\n{'learned, by round':26}" + "".join(f" {_label(group):>7}" for group in ROUNDS))
    for own in rows:
        print(f"{own['name']:26}" + "".join(f" {value:7.3f}" for value in own["by_round"]))
    if options.chart:
        curves = {own["name"]: np.array(own["curve"]) for own in rows}
        draw_learning(curves, MODELS, options.chart)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


def row(name: str, games: int, engine: Engine) -> dict[str, Any]:
    """Return the mean nats per card of a table, by model and by round."""
    seeds = range(1, games + 1)
    by_seed = dict(engine.run(partial(_game, name), seeds, name))
    played = [by_seed[seed] for seed in seeds]
    by_game = np.array([nats.mean(axis=0) for nats, _ in played])
    nats = np.concatenate([own for own, _ in played])
    rounds = np.concatenate([own for _, own in played])
    learned = nats[:, MODELS.index("learned")]
    return {
        "name": name,
        "cards": len(nats),
        **{model: float(mean) for model, mean in zip(MODELS, nats.mean(axis=0), strict=True)},
        "errors": {
            model: float(error / np.sqrt(max(1, games)))
            for model, error in zip(MODELS, by_game.std(axis=0), strict=True)
        },
        "curve": learning_curve(nats, rounds).tolist(),
        "by_round": [
            float(learned[(rounds >= first) & (rounds <= last)].mean())
            if ((rounds >= first) & (rounds <= last)).any()
            else float("nan")
            for first, last in ROUNDS
        ],
    }


def _game(name: str, seed: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return float64[cards, models] and int64[cards], the nats and the round of each card."""
    specs = dict(zip("abcd", ("service", *TABLES[name]), strict=True))
    predictions = list(score(recorded_rounds(specs, seed), "bcd"))
    nats = np.array([[own.nats[model] for model in MODELS] for own in predictions])
    return nats, np.array([own.round for own in predictions])


def _label(group: tuple[int, int]) -> str:
    first, last = group
    return (
        str(first) if first == last else f"{first}-" if last == ROUNDS[-1][1] else f"{first}-{last}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

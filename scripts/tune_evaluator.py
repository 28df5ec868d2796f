"""Tunes the evaluator of Snow Time by play against a panel, table by table.

    python3 scripts/dev.py run scripts/tune_evaluator.py --out DIR --players 4 --steps 4

Every pair of games is written down at once: an interrupted run goes on with the same command.
After each step the old point and the new one play the same dice; the last point that gained is
kept.  ``point-PLAYERS.json`` has it, and every step with its slope, its errors and its gain.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from league.journal import write_whole
from league.tuning import DIMENSIONS, PARTS, Pair, mirrored, moved, play_pairs, slope

import service.games.snow_time.evaluation as evaluation

EVALUATOR: Final = Path(evaluation.__file__).with_name("evaluator.json")
GATES: Final = 1_000_000
"""Their dice are far from those of the steps."""


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--evaluator", type=Path, default=EVALUATOR, metavar="FILE")
    parser.add_argument("--players", type=int, choices=(2, 3, 4, 5), default=4)
    parser.add_argument(
        "--start", type=float, nargs=DIMENSIONS, default=[0.0] * DIMENSIONS, metavar="X",
        help="near and far: champions, watcher, blizzard, pace, in logarithms",
    )  # fmt: skip
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--pairs", type=int, default=900, help="of games, for each slope")
    parser.add_argument("--gate-pairs", type=int, default=450, help="of games, for each step")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        tune(options)
    except KeyboardInterrupt:
        print("Interrupted; the same command goes on from here.", file=sys.stderr)
        return 130
    return 0


def tune(options: argparse.Namespace) -> list[float]:
    """The point that is kept."""
    players, evaluator = options.players, str(options.evaluator.resolve())
    point = list(options.start)
    told: list[dict[str, Any]] = []
    for step in range(options.steps):
        first = step * options.pairs
        pairs = mirrored(evaluator, players, point, options.pairs, first)
        path = options.out / f"slope-{players}-{step}.jsonl"
        found, errors = slope(play_pairs(pairs, path, options.jobs))
        onward = moved(point, found, errors)
        gate = [
            Pair(GATES + first + number, players, evaluator, (tuple(onward), tuple(point)))
            for number in range(options.gate_pairs)
        ]
        path = options.out / f"gate-{players}-{step}.jsonl"
        shares = np.array([one["shares"] for one in play_pairs(gate, path, options.jobs)])
        gained = shares[:, 0] - shares[:, 1]
        error = float(gained.std(ddof=1) / np.sqrt(len(gained)))
        told.append(
            {
                "from": point,
                "slope": found.tolist(),
                "errors": errors.tolist(),
                "to": onward,
                "shares": shares.mean(axis=0).tolist(),
                "gain": float(gained.mean()),
                "error": error,
            }
        )
        print(_line(step, told[-1]), flush=True)
        if gained.mean() > 0.0:
            point = onward
        text = json.dumps({"players": players, "point": point, "steps": told}, indent=1)
        write_whole(options.out / f"point-{players}.json", text + "\n")
        if gained.mean() <= 0.0:
            break
    return point


def _line(step: int, told: dict[str, Any]) -> str:
    names = [f"{part} {end}" for part in PARTS for end in ("near", "far")]
    at = ", ".join(f"{name} {value:+.2f}" for name, value in zip(names, told["to"], strict=True))
    new, old = told["shares"]
    return (
        f"step {step}: {at}; {new:.1%} instead of {old:.1%}"
        f" ({told['gain']:+.3f} ± {1.96 * told['error']:.3f})"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

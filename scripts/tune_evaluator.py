"""Tunes the evaluator of Snow Time by play against a panel, table by table.

    python3 scripts/dev.py run scripts/tune_evaluator.py --out DIR --players 4 --steps 4

Every pair of games is written down at once: an interrupted run goes on with the same command.
After each step the old point and the new one play the same dice; the last point that gained is
kept, and measured against no change at all.  ``point-PLAYERS.json`` has it, and every step;
``tuned.json`` is the evaluator at the points of all tables so far.
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
from league.running.journal import write_whole
from league.snow_time.evaluator_report import read
from league.snow_time.tuning import (
    DIMENSIONS,
    PARTS,
    Pair,
    mirrored,
    moved,
    play_pairs,
    slope,
    tuned,
)

import service.games.snow_time.engine.evaluation as evaluation

EVALUATOR: Final = Path(evaluation.__file__).with_name("evaluator.json")
GATES: Final = 1_000_000
"""Their dice are far from those of the steps, and those of the last one farther."""


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
        write_tuned(options.out, options.evaluator)
    except KeyboardInterrupt:
        print("Interrupted; the same command goes on from here.", file=sys.stderr)
        return 130
    return 0


def tune(options: argparse.Namespace) -> None:
    """Takes steps until one gains no more, and measures them all together."""
    players, evaluator = options.players, str(options.evaluator.resolve())
    point = list(options.start)
    told: list[dict[str, Any]] = []
    for step in range(options.steps):
        first = step * options.pairs
        pairs = mirrored(evaluator, players, point, options.pairs, first)
        path = options.out / f"slope-{players}-{step}.jsonl"
        found, errors = slope(play_pairs(pairs, path, options.jobs))
        onward = moved(point, found, errors)
        gate = _gate(options, f"gate-{players}-{step}", GATES + first, onward, point)
        told.append({"slope": found.tolist(), "errors": errors.tolist(), **gate})
        print(f"step {step}: {_line(gate)}", flush=True)
        if gate["gain"] <= 0.0:
            break
        point = onward
    home = [0.0] * DIMENSIONS
    whole = _gate(options, f"whole-{players}", 2 * GATES, point, home)
    print(f"altogether: {_line(whole)}", flush=True)
    document = {"players": players, "point": point, "whole": whole, "steps": told}
    text = json.dumps(document, indent=1) + "\n"
    write_whole(options.out / f"point-{players}.json", text)


def _gate(
    options: argparse.Namespace, name: str, seed: int, onward: list[float], point: list[float]
) -> dict[str, Any]:
    """How much one point wins more than another on the same dice."""
    evaluator = str(options.evaluator.resolve())
    points = tuple(onward), tuple(point)
    pairs = [
        Pair(seed + number, options.players, evaluator, points)
        for number in range(options.gate_pairs)
    ]
    results = play_pairs(pairs, options.out / f"{name}.jsonl", options.jobs)
    shares = np.array([told["shares"] for told in results])
    gained = shares[:, 0] - shares[:, 1]
    return {
        "from": point,
        "to": onward,
        "shares": shares.mean(axis=0).tolist(),
        "gain": float(gained.mean()),
        "error": float(gained.std(ddof=1) / np.sqrt(len(gained))),
        "pairs": len(gained),
    }


def write_tuned(folder: Path, evaluator: Path) -> None:
    """The evaluator at every point that the folder holds, with the steps that were kept."""
    document = json.loads(evaluator.read_text(encoding="utf-8"))
    document["tuning"] = {}
    before = read(evaluator)
    for path in sorted(folder.glob("point-*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        players = found["players"]
        weights = tuned(before, players, found["point"]).weights[players]
        document["players"][str(players)] = {
            "pace": _rounded(weights.pace),
            "champions": [[_rounded(row) for row in table] for table in weights.champions],
            "watcher": _rounded(weights.watcher),
            "blizzard": _rounded(weights.blizzard),
        }
        document["tuning"][str(players)] = found["whole"]
    write_whole(folder / "tuned.json", json.dumps(document, indent=1) + "\n")


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in values]


def _line(told: dict[str, Any]) -> str:
    names = [f"{part} {end}" for part in PARTS for end in ("near", "far")]
    at = ", ".join(f"{name} {value:+.2f}" for name, value in zip(names, told["to"], strict=True))
    new, old = told["shares"]
    return (
        f"{at}; {new:.1%} instead of {old:.1%} ({told['gain']:+.3f} ± {1.96 * told['error']:.3f})"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

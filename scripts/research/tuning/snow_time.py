"""Tune the evaluator of Snow Time by play against a panel of opponents.

    python3 scripts/dev.py run -m research tune --game snow-time --out DIR --players 4 --steps 4

Every pair of games is saved at once, so the same command continues an interrupted run. After each
step the old and the new point play with the same dice. The result is the last point that gained; it
is compared with the evaluator before tuning. ``point-PLAYERS.json`` has the result and every step;
``tuned.json`` is the evaluator at the points of all numbers of players so far.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

import service.games.snow_time.engine.evaluation as evaluation
from research.league.running.engine import Engine, add_options, run_script
from research.league.running.journal import write_atomically
from research.league.snow_time.evaluator_report import read
from research.league.snow_time.tuning import (
    DIMENSIONS,
    PARTS,
    Pair,
    mirrored_pairs,
    moved,
    play_pairs,
    tuned,
    win_share_gradient,
)

EVALUATOR: Final = Path(evaluation.__file__).with_name("evaluator.json")
GATE_SEEDS: Final = 1_000_000
"""First seed of the comparisons of two points; the final comparison starts at twice this."""


def main(arguments: Sequence[str]) -> int:
    """Tune and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the run")
    parser.add_argument("--evaluator", type=Path, default=EVALUATOR, metavar="FILE")
    parser.add_argument("--players", type=int, choices=(2, 3, 4, 5), default=4)
    parser.add_argument(
        "--start", type=float, nargs=DIMENSIONS, default=[0.0] * DIMENSIONS, metavar="X",
        help="logarithms of the factors near and far: champions, watcher, blizzard, pace",
    )  # fmt: skip
    parser.add_argument("--steps", type=int, default=4, help="maximum number of steps")
    parser.add_argument("--pairs", type=int, default=900, help="pairs of games per gradient")
    parser.add_argument("--gate-pairs", type=int, default=450, help="pairs of games per comparison")
    add_options(parser)
    return run_script(_tune, parser.parse_args(arguments))


def _tune(options: argparse.Namespace, engine: Engine) -> int:
    options.out.mkdir(parents=True, exist_ok=True)
    tune(options, engine)
    write_tuned(options.out, options.evaluator)
    return 0


def tune(options: argparse.Namespace, engine: Engine) -> None:
    """Take steps until one does not gain, and measure the total gain."""
    players, evaluator = options.players, str(options.evaluator.resolve())
    point = list(options.start)
    steps: list[dict[str, Any]] = []
    for step in range(options.steps):
        first = step * options.pairs
        pairs = mirrored_pairs(evaluator, players, point, options.pairs, first)
        path = options.out / f"slope-{players}-{step}.jsonl"
        gradient, errors = win_share_gradient(play_pairs(pairs, path, engine))
        new_point = moved(point, gradient, errors)
        gate = _gate(
            options, engine, f"gate-{players}-{step}", GATE_SEEDS + first, new_point, point
        )
        steps.append({"slope": gradient.tolist(), "errors": errors.tolist(), **gate})
        print(f"step {step}: {_line(gate)}", flush=True)
        if gate["gain"] <= 0.0:
            break
        point = new_point
    unchanged = [0.0] * DIMENSIONS
    whole = _gate(options, engine, f"whole-{players}", 2 * GATE_SEEDS, point, unchanged)
    print(f"total: {_line(whole)}", flush=True)
    document = {"players": players, "point": point, "whole": whole, "steps": steps}
    text = json.dumps(document, indent=1) + "\n"
    write_atomically(options.out / f"point-{players}.json", text)


def _gate(
    options: argparse.Namespace,
    engine: Engine,
    name: str,
    seed: int,
    new_point: list[float],
    point: list[float],
) -> dict[str, Any]:
    """Return how much more one point wins than another with the same dice."""
    evaluator = str(options.evaluator.resolve())
    points = tuple(new_point), tuple(point)
    pairs = [
        Pair(seed + number, options.players, evaluator, points)
        for number in range(options.gate_pairs)
    ]
    results = play_pairs(pairs, options.out / f"{name}.jsonl", engine)
    shares = np.array([result["shares"] for result in results])
    gained = shares[:, 0] - shares[:, 1]
    return {
        "from": point,
        "to": new_point,
        "shares": shares.mean(axis=0).tolist(),
        "gain": float(gained.mean()),
        "error": float(gained.std(ddof=1) / np.sqrt(len(gained))),
        "pairs": len(gained),
    }


def write_tuned(folder: Path, evaluator: Path) -> None:
    """Write the evaluator at the points of all numbers of players in the folder."""
    document = json.loads(evaluator.read_text(encoding="utf-8"))
    document["tuning"] = {}
    before = read(evaluator)
    for path in sorted(folder.glob("point-*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        players = result["players"]
        weights = tuned(before, players, result["point"]).weights[players]
        document["players"][str(players)] = {
            "pace": _rounded(weights.pace),
            "champions": [[_rounded(row) for row in table] for table in weights.champions],
            "watcher": _rounded(weights.watcher),
            "blizzard": _rounded(weights.blizzard),
        }
        document["tuning"][str(players)] = result["whole"]
    write_atomically(folder / "tuned.json", json.dumps(document, indent=1) + "\n")


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in values]


def _line(gate: dict[str, Any]) -> str:
    names = [f"{part} {end}" for part in PARTS for end in ("near", "far")]
    at = ", ".join(f"{name} {value:+.2f}" for name, value in zip(names, gate["to"], strict=True))
    new, old = gate["shares"]
    return (
        f"{at}; {new:.1%} instead of {old:.1%} ({gate['gain']:+.3f} ± {1.96 * gate['error']:.3f})"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

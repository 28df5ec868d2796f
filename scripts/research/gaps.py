"""Measure the epsilon of hints over random positions, and compare with targets; not a test.

Epsilon is the largest gain of a player who deviates alone from the strategies of a hint.

    python3 scripts/dev.py run -m research gaps --positions 300 --json FILE

Under ``win`` the unit is win shares, else spaces. The positions have random scores, fruit and
hands, with the seeds 1, 2, 3, ...
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from benchmarks.positions import TABLE_SIZES, TableSize, random_position
from tqdm import tqdm

from research.league.snow_time.agents import SOLVER_GAME, owners
from service.core.vocabulary import EFFORTS
from service.solver.hints.hint import compute_hint

TARGETS: Final = {
    ("win", False): {"median": 0.002, "p90": 0.01},
    ("lead", False): {"median": 0.02, "p90": 0.10},
    ("win", True): {"max": 0.001},
}
"""At ``standard``, by objective and whether players have two seats each."""
HEAD: Final = f"{'':24} {'median':>9} {'90 %':>9} {'max':>9}  verdict"


def main(arguments: Sequence[str]) -> int:
    """Measure and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=100, metavar="N", help="per table")
    parser.add_argument("--effort", choices=list(EFFORTS), default="standard")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all results to FILE")
    options = parser.parse_args(arguments)
    print(
        f"{SOLVER_GAME.evaluator}, {options.effort}, {options.positions} positions per row\n{HEAD}"
    )
    rows = []
    for objective in ("win", "lead"):
        for table in TABLE_SIZES:
            rows.append(row(table, objective, options.effort, options.positions))
            print(line(rows[-1]), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


def row(table: TableSize, objective: str, effort: str, positions: int) -> dict[str, Any]:
    """Return the percentiles of a table, and every epsilon."""
    name = f"{table.name}, {objective}"
    seeds = tqdm(range(1, positions + 1), desc=name, leave=False, unit="position")
    epsilons = [_epsilon(table, objective, effort, seed) for seed in seeds]
    percentiles = {
        "median": float(np.median(epsilons)),
        "p90": float(np.quantile(epsilons, 0.9, method="inverted_cdf")),
        "max": max(epsilons),
    }
    targets = TARGETS.get((objective, table.players < table.seats), {})
    met = all(percentiles[key] <= most for key, most in targets.items())
    verdict = ("met" if met else "missed") if targets and effort == "standard" else None
    document = {"name": name, "effort": effort, **percentiles, "targets": targets}
    return document | {"verdict": verdict, "gaps": epsilons}


def _epsilon(table: TableSize, objective: str, effort: str, seed: int) -> float:
    question = random_position(table, seed).question
    question = replace(question, model="equilibrium", objective=objective, effort=effort, depth=1)
    epsilon = compute_hint(SOLVER_GAME, question, owners(question)).search.epsilon
    assert epsilon is not None, "an equilibrium has an epsilon"
    return epsilon


def line(row: dict[str, Any]) -> str:
    """Return a row of the table."""
    numbers = " ".join(f"{row[key]:>9.5f}" for key in ("median", "p90", "max"))
    return f"{row['name']:24} {numbers}  {row['verdict'] or ''}".rstrip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How much a player could gain by leaving the strategies of a hint: percentiles of the measured
gaps over random positions, beside what is aimed at; never a test.

    python3 scripts/dev.py run scripts/gaps.py --positions 300 --json FILE

Under ``win`` the unit is shares of the win, else spaces.  The positions are those of the seeds
1, 2, 3, ...: any score, fruit and hands.
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
from benchmarks.positions import TABLES, Table, random_position
from league.snow_time.agents import SOLVER_GAME, owners
from tqdm import tqdm

from service.core.vocabulary import EFFORTS
from service.solver.hints.hint import compute_hint

TARGETS: Final = {
    ("win", False): {"median": 0.002, "p90": 0.01},
    ("lead", False): {"median": 0.02, "p90": 0.10},
    ("win", True): {"max": 0.001},
}
"""At ``standard``, by objective and whether two players share the seats."""
HEAD: Final = f"{'':24} {'median':>9} {'90 %':>9} {'max':>9}  verdict"


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=100, metavar="N", help="of each table")
    parser.add_argument("--tier", choices=list(EFFORTS), default="standard")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there, too")
    options = parser.parse_args(arguments)
    print(f"{SOLVER_GAME.evaluator}, {options.tier}, {options.positions} positions a row\n{HEAD}")
    rows = []
    for objective in ("win", "lead"):
        for table in TABLES:
            rows.append(row(table, objective, options.tier, options.positions))
            print(line(rows[-1]), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


def row(table: Table, objective: str, tier: str, positions: int) -> dict[str, Any]:
    """The percentiles of a table, with every gap."""
    name = f"{table.name}, {objective}"
    seeds = tqdm(range(1, positions + 1), desc=name, leave=False, unit="position")
    gaps = [_gap(table, objective, tier, seed) for seed in seeds]
    found = {
        "median": float(np.median(gaps)),
        "p90": float(np.quantile(gaps, 0.9, method="inverted_cdf")),
        "max": max(gaps),
    }
    targets = TARGETS.get((objective, table.players < table.seats), {})
    met = all(found[key] <= most for key, most in targets.items())
    verdict = ("met" if met else "missed") if targets and tier == "standard" else None
    return {"name": name, "tier": tier, **found, "targets": targets, "verdict": verdict} | {
        "gaps": gaps
    }


def _gap(table: Table, objective: str, tier: str, seed: int) -> float:
    question = random_position(table, seed).question
    asked = replace(question, model="equilibrium", objective=objective, effort=tier, depth=1)
    gap = compute_hint(SOLVER_GAME, asked, owners(asked)).search.epsilon
    assert gap is not None, "a mixture has a gap"
    return gap


def line(found: dict[str, Any]) -> str:
    """A row of the table."""
    numbers = " ".join(f"{found[key]:>9.5f}" for key in ("median", "p90", "max"))
    return f"{found['name']:24} {numbers}  {found['verdict'] or ''}".rstrip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Tune the evaluator of Snowcrest by games of compiled one-turn players, and measure it.

    python3 scripts/dev.py run -m research tune --game snowcrest tune --out DIR
    python3 scripts/dev.py run -m research tune --game snowcrest tune --out DIR --solo
    python3 scripts/dev.py run -m research tune --game snowcrest measure FILE

``tune`` searches weights by CMA-ES, first those for several players, with ``--solo`` those of solo
games. It writes ``evaluator.json`` to DIR and prints its win shares. Each value is saved at once,
so the same command continues an interrupted run. The result does not depend on the number of
processes. ``measure`` prints the win shares of an evaluator with 95 % confidence intervals.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from research.league.running.engine import Engine, add_options, run_script
from research.league.running.journal import check_start
from research.league.snowcrest.matches import OWN_TURN, report, tables
from research.league.snowcrest.tuning import Plan, search
from service.games.snowcrest.engine.evaluation import EVALUATOR_FILE, load_evaluator, to_document

MEASURED_SEED = 20261123
"""First seed of the measurements; no search uses it or the following ones."""


def main(arguments: Sequence[str]) -> int:
    """Run a command and return the exit code."""
    return run_script(_run, _parser().parse_args(arguments))


def _run(options: argparse.Namespace, engine: Engine) -> int:
    reference = load_evaluator(options.reference)
    if options.command == "measure":
        evaluator = load_evaluator(options.evaluator)
        chosen = [table for table in tables(reference) if options.only in table.name]
        ahead = tuple(options.ahead)
        print(report(evaluator, chosen, options.games, options.seed, engine, ahead=ahead))
        return 0
    options.out.mkdir(parents=True, exist_ok=True)
    plan = Plan(
        load_evaluator(options.first), reference, options.solo, options.steps, options.variants,
        options.groups, options.seed,
    )  # fmt: skip
    try:
        text = json.dumps(asdict(plan), indent=1) + "\n"
        check_start(options.out / "plan.json", text, "with other options")
        found = search(plan, options.out / "values.jsonl", options.version, engine)
    except ValueError as error:
        print(f"tune_snowcrest_evaluator.py: {error}", file=sys.stderr)
        return 2
    path = options.out / "evaluator.json"
    path.write_text(json.dumps(to_document(found), indent=1) + "\n", encoding="utf-8")
    print(report(found, tables(reference), options.games, MEASURED_SEED, engine))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    tune = commands.add_parser("tune", help="search weights")
    tune.add_argument("--out", type=Path, required=True, help="folder of the run")
    tune.add_argument("--first", type=Path, default=EVALUATOR_FILE, help="evaluator at the start")
    tune.add_argument("--solo", action="store_true", help="search the weights of solo games")
    tune.add_argument("--steps", type=int, default=32)
    tune.add_argument("--variants", type=int, default=28, help="variants per step")
    tune.add_argument("--groups", type=int, default=12, help="set-ups per step and table")
    tune.add_argument("--seed", type=int, default=1)
    tune.add_argument("--version", default="tuned", help="name of the result")
    measure = commands.add_parser("measure", help="measure an evaluator")
    measure.add_argument("evaluator", type=Path, nargs="?", default=EVALUATOR_FILE)
    measure.add_argument("--seed", type=int, default=MEASURED_SEED)
    measure.add_argument(
        "--only", metavar="TEXT", default="", help="only tables with TEXT in the name"
    )
    measure.add_argument(
        "--ahead", type=int, nargs=3, default=OWN_TURN, metavar=("CHOICES", "DEALS", "ROUNDS"),
        help="play on after the best choices, so many deals and rounds of turns for each",
    )  # fmt: skip
    for command in (tune, measure):
        command.add_argument("--games", type=int, default=1000, help="games per measured table")
        command.add_argument(
            "--reference", type=Path, default=EVALUATOR_FILE, help="evaluator of fixed opponents"
        )
        add_options(command)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

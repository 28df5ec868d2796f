"""Fit how common each style is to self-play of a mixed population, and print the data file.

    python3 scripts/dev.py run -m research styles --games 60 --out FILE

Copy FILE to ``service/games/snow_time/engine/styles.json`` and raise the version of the library.
The games have the seeds 1001, 1002, ...; no measurement uses them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from research.league.running.engine import Engine, add_options, run_script
from research.league.snow_time.agents import SOLVER_GAME
from research.league.snow_time.style_prior import fit_prior, player_likelihoods

FIRST_SEED = 1001


def main(arguments: Sequence[str]) -> int:
    """Fit and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=60, metavar="N")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    add_options(parser)
    return run_script(_fit, parser.parse_args(arguments))


def _fit(options: argparse.Namespace, engine: Engine) -> int:
    library = SOLVER_GAME.style_library
    seeds = range(FIRST_SEED, FIRST_SEED + options.games)
    by_seed = dict(engine.run(partial(player_likelihoods, library), seeds))
    games = [by_seed[seed] for seed in seeds]
    provenance = (
        f"scripts/research/styles.py --games {options.games}: expectation maximization on"
        f" {4 * options.games} players of mixed tables, seeds {seeds[0]} to {seeds[-1]};"
        " half of it even over the styles; equilibrium 30 % and chance 10 % set by hand."
    )
    document = {"provenance": provenance, "prior": fit_prior(library, np.concatenate(games))}
    options.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
